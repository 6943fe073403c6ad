"""What has other bits on other machines is kept out of `src/` by name: see `weald.exact`.

Forbidden are the functions of C's and NumPy's mathematics that IEEE 754 does not round, products of matrices, sums and
means whose order is the library's affair, and powers. What is allowed stands in `ALLOWED`, each with the reason.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "weald"
CALLS = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "arcsin", "arccos", "arctan", "arctan2", "sinc"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "arcsinh", "arccosh", "arctanh", "gamma", "lgamma", "erf"),
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "pow", "power", "float_power"),
    *("hypot", "cbrt", "dist", "dot", "vdot", "inner", "matmul", "einsum", "tensordot", "linalg", "fft", "kron"),
    *("interp", "fsum", "sumprod", "sum", "nansum", "mean", "nanmean", "average", "std", "var", "nanstd", "nanvar"),
    *("fmean", "stdev", "pstdev", "variance", "convolve", "correlate", "trapezoid", "cov", "corrcoef", "polyfit"),
    *("percentile", "quantile", "nanpercentile", "nanquantile"),
}
"""Functions that may be called, or handed on, nowhere but in `ALLOWED`."""

COUNTS = "adds up whole numbers or truth values"
WHOLE = "squares whole numbers"
BUDGET = "estimates a cost, which is compared with a bound of seconds or gigabytes"
PICTURE = "draws a picture for people; no rule reads it"
REPORT = "measures points for a report; no rule reads it"
TEXT = "is told to people, rounded"
ALLOWED = {
    "builder.py": {"sum": COUNTS},
    "cli/building.py": {"sum": TEXT},
    "export/axes.py": {"linalg": "the determinant of a permutation, 1 or -1: its sign is read"},
    "fields/distance.py": {"sum": COUNTS},
    "fields/formula.py": {"pow": "hands on to Field's own power, and to numbers with whole exponents"},
    "fields/field.py": {"power": "weald.fields.power's own"},
    "preview": dict.fromkeys(CALLS | {"**", "@"}, PICTURE),
    "sampling/lattice.py": {"**": "of fractions, which are exact"},
    "sampling/plane.py": {"sum": "adds up fractions, which are exact", "**": WHOLE},
    "sampling/state.py": {"sum": COUNTS, "**": WHOLE},
    "sampling/quality": dict.fromkeys(CALLS | {"**", "@"}, REPORT),
    "scatter/asset.py": {"sum": COUNTS},
    "scatter/calibration.py": {"sum": COUNTS},
    "scatter/counting.py": {"sum": COUNTS},
    "scatter/inventory.py": {"sum": TEXT, "mean": TEXT},
    "terrain/caves/regions.py": {"sum": COUNTS + ", or " + TEXT},
    "terrain/caves/smoothing.py": {"**": BUDGET},
    "terrain/caves/worms.py": {"sum": COUNTS, "**": WHOLE},
    "terrain/formats/geotiff.py": {"sum": COUNTS},
    "terrain/hydrology/lakes.py": {"sum": TEXT},
    "terrain/hydrology/nearest.py": {"**": WHOLE},
    "terrain/patches.py": {"**": WHOLE},
    "world/budget.py": dict.fromkeys(("**", "log10", "sum", "mean"), BUDGET),
    "world/chunk.py": {"sum": COUNTS},
    "world/names.py": {"sum": COUNTS},
}


def found(tree):
    """Return the forbidden names of a module, with their lines."""
    counts = {id(each.func) for node in ast.walk(tree) for each in counted(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CALLS and id(node) not in counts:
            yield node.attr, node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield node.func.id, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("math", "numpy"):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name in CALLS)
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            yield "@", node.lineno
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow) and not is_plain(node):
            yield "**", node.lineno


def counted(node):
    """Return the call in ``int(mask.sum())``, which adds up whole numbers."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "int" and len(node.args) == 1:
        inner = node.args[0]
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr == "sum":
            yield inner


def is_plain(node):
    """Return whether a power is exact whatever computes it: of two and its powers, of -1, or of whole numbers."""
    if isinstance(node, ast.AugAssign):
        return False
    base = node.left
    if isinstance(base, ast.UnaryOp):
        base = base.operand
    if isinstance(base, ast.Constant) and base.value in (1, 2, 4, 8):
        return True
    return isinstance(base, ast.Call) and ast.unparse(base.func) in ("Fraction", "int")


def allowed(path):
    """Return what a file may use, by its own entry or by that of a folder it lies in."""
    return {name for part in (path, *path.parents) for name in ALLOWED.get(part.as_posix(), {})}


FILES = [path.relative_to(ROOT) for path in sorted(ROOT.rglob("*.py"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.as_posix())
def test_nothing_with_other_bits_elsewhere_is_used(path):
    names = allowed(path)
    faults = [
        f"{path}:{line} uses {name}; take it from weald.exact, or say in {Path(__file__).name} why not"
        for name, line in found(ast.parse((ROOT / path).read_text()))
        if name not in names
    ]
    assert not faults


@pytest.mark.parametrize("entry", ALLOWED)
def test_what_is_allowed_is_used(entry):
    files = [ROOT / entry] if entry.endswith(".py") else sorted((ROOT / entry).rglob("*.py"))
    used = {name for file in files for name, _ in found(ast.parse(file.read_text()))}
    assert used
    if entry.endswith(".py"):
        assert used == set(ALLOWED[entry])


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("np.arctan2(y, x)", "arctan2"),
        ("from math import log", "log"),
        ("sum(shift)", "sum"),
        ("each = map(math.cos, angles)", "cos"),
        ("a @ b", "@"),
        ("x **= 0.5", "**"),
        ("x ** 2", "**"),
        ("np.linalg.norm(v)", "linalg"),
    ],
)
def test_what_is_forbidden_is_seen(code, name):
    assert [one for one, _ in found(ast.parse(code))] == [name]


@pytest.mark.parametrize(
    "code", ["2.0**-53", "(-1) ** k", "sine(angle)", "np.sqrt(x)", "np.rint(x)", "int((a > b).sum())"]
)
def test_what_is_exact_is_not(code):
    assert not list(found(ast.parse(code)))
