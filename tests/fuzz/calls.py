"""Public functions, classes and methods, with arguments by their names: sound ones, and what should not be there.

A call is kept as text, which is what a finding shows: ``weald.poisson_disk(bounds=(0, 0, 9, 9), radius=None, seed=1)``.
"""

import functools
import importlib
import inspect
import itertools
import math
import traceback
from random import Random
from types import GeneratorType
from typing import Any

import numpy as np

import weald
from tests.fuzz.rule import Rule

_MODULES = (
    "weald", "weald.fields", "weald.geometry", "weald.scatter.layer", "weald.scatter.soft", "weald.scatter.clumps",
    "weald.scatter.species", "weald.scatter.clearances", "weald.scatter.rules", "weald.scatter.scatter",
    "weald.scatter.placements", "weald.scatter.edits", "weald.scatter.inventory", "weald.scatter.asset",
    "weald.scatter.color", "weald.scatter.shapes", "weald.sampling.quality", "weald.sampling.neighbours",
    "weald.sampling.progressive", "weald.terrain.biomes", "weald.terrain.caves", "weald.terrain.erosion",
    "weald.terrain.hydrology", "weald.terrain.shade", "weald.terrain.mesh", "weald.terrain.endless",
    "weald.world.edits", "weald.world.explain", "weald.export.glb", "weald.export.table", "weald.export.heightmap",
    "weald.preview.map", "weald.preview.points", "weald.preview.stand", "weald.preview.why",
)  # fmt: skip

_WRITTEN_BY_WEALD = {
    "Entry", "Inventory", "Mesh", "BondOrder", "Hole", "LFunction", "PairCorrelation", "QualityReport",
    "RadialSpectrum", "Spectrum", "Kinds", "Tiles", "Zones", "Joined", "Regions", "Worm", "Drainage", "Lakes", "River",
    "Rivers", "Asked", "Explanation", "Near", "Reason", "Biomes", "Condition", "Field", "FractalNoise", "Noise",
    "World", "Told", "Rule", "growths", "soften", "Clumped", "told", "share", "soft_light", "covered", "mark_holes",
    "paint_discs", "places", "nice", "in_order", "within", "WealdError", "InputError", "MissingExtraError", "build",
    "SpaceBounds",
}  # fmt: skip
"""What users are handed and do not make, and what is of the rooms' own use."""

_MAKERS = {  # sound objects, by the names that parameters and texts have for them
    "field": "weald.perlin(1, scale=20).fbm(octaves=2)",
    "space": "weald.perlin(1, scale=20, dimensions=3).fbm(octaves=2)",
    "condition": "weald.perlin(2, scale=20) > 0.1",
    "grid": "weald.Grid(0, 0, 4, 7, 6)",
    "terrain": "weald.Terrain.from_field(field * 9, grid)",
    "endless": "module('weald.terrain.endless').EndlessTerrain(field * 9, 4)",
    "oak": "weald.Species('oak', 'broadleaf', 12, 3, '#446633')",
    "fern": "weald.Species('fern', 'grass', 0.5, 0.4, '#447733')",
    "layer": "weald.Layer('trees', {oak: 1}, 3)",
    "layers": "[layer, weald.Layer('ferns', {fern: 1}, 2, keep_off={'trees': 1})]",
    "placed": "module('weald.scatter.scatter').scatter(layers, terrain.height, (0, 0, 12, 12), 1, threads=1)",
    "placements": "placed['trees']",
    "points": "weald.poisson_disk((0, 0, 20, 20), 2, seed=1)",
    "edits": "module('weald.scatter.edits').Edits().remove('trees', placements.take(slice(0, 1)))",
    "clearances": "module('weald.scatter.clearances').Clearances(default=0.5)",
    "inventory": "module('weald.scatter.inventory').take_inventory(placed, (0, 0, 12, 12))",
    "water": "module('weald.terrain.hydrology').drainage(terrain)",
    "biomes": "weald.Biomes.from_table(TABLE, {'h': field})",
    "worms": "module('weald.terrain.caves').Worms(1, cell=40, steps=30)",
    "box": "weald.Bounds(0, 0, 20, 20)",
    "neighbours": "module('weald.sampling.neighbours').Neighbours(points.xy, 2.0)",
    "correlation": "weald.quality.pair_correlation(points, box)",
    "world": "weald.World.parse(WORLD)",
}
_OF_ROOMS = {"terrain.part", "terrain.surrounded", "world.growths"}
"""Methods that take what only the rooms make."""
_OBJECTS = (
    "field", "space", "condition", "grid", "terrain", "endless", "placements", "points", "edits", "water", "biomes",
    "worms", "box", "neighbours", "world",
)  # fmt: skip
_WORLD = {
    "weald": 1, "seed": 1, "chunk": 16, "noise": {"hills": {"scale": 20}},
    "ground": {"formula": "5 * hills", "spacing": 4, "window": [0, 0, 24, 20]},
    "species": {"oak": {"shape": "broadleaf", "height": 9, "crown_radius": 2, "color": "#446633"}},
    "layer": [{"name": "trees", "species": "oak", "radius": 4}],
}  # fmt: skip
_TABLE = {
    "biome": [{"name": "low", "color": "#334455", "where": {"h": {"below": 0}}}, {"name": "high", "color": "#556677"}],
    "blend_radius": 3,
}

_BOXES = ("(0, 0, 20, 20)", "box", "((0, 0), (9, 9))", "[-3, -3, 12, 8]")
_XY = ("[[1, 2], [3, 4], [5, 1]]", "points", "points.xy", "np.zeros((0, 2))", "[(1.0, 1.0)]")
_SOUND: dict[str, tuple[str, ...]] = {
    "bounds": _BOXES,
    "window": (*_BOXES, "None"),
    "domain": (*_BOXES, "None"),
    "detail": ("'auto'", "None", "(0, 0, 9, 9)"),
    "points": _XY,
    "xy": _XY,
    "points_xy": _XY,
    "radius": ("2", "3.5", "1.0"),
    "radius_range": ("(1, 4)", "None"),
    "seed": ("1", "'a'", "7"),
    "allowed": ("condition", "None", "lambda x, y: x > y"),
    "blockers": ("None", "([[1, 2]], 3.0)", "([[1, 2]], [3.0])"),
    "x": ("3.0", "np.linspace(0, 9, 4)"),
    "y": ("2.0", "np.linspace(0, 9, 4)"),
    "z": ("1.0",),
    "xyz": ("[[1, 2, 3]]",),
    "species": ("{oak: 1}", "'oak'", "oak"),
    "shape": ("'conifer'", "'rock'", "None"),
    "name": ("'a'",),
    "text": ("'a'",),
    "title": ("'a'", "None"),
    "layer": ("'trees'",),
    "layers": ("layers", "placed", "None"),
    "color": ("'#445566'",),
    "colors": ("None",),
    "crs": ("None", "'EPSG:32632'"),
    "scale": ("20", "(0.8, 1.2)", "1.0", "None"),
    "frequency": ("None", "0.05"),
    "period": ("None", "40"),
    "dimensions": ("2", "3"),
    "method": ("'bilinear'", "'cubic'", "'nearest'"),
    "kind": ("'points'", "'line'", "'polygon'"),
    "feature": ("'f1'", "'id'"),
    "correction": ("'border'", "None"),
    "mask": ("np.eye(5) > 0", "[[True, False], [False, True]]"),
    "values": ("np.ones(grid.shape)", "np.arange(42.0).reshape(6, 7)"),
    "heights": ("np.ones(grid.shape)", "None"),
    "height": ("12", "terrain.height", "field"),
    "measure": ("field", "terrain.height"),
    "polygons": ("[(0, 0), (4, 0), (4, 4)]",),
    "shapes": ("[(0, 0), (4, 0), (4, 4)]", "[[1, 2]]"),
    "source": ("np.ones((4, 5))",),
    "path": ("'out.glb'", "'out.png'", "'out.parquet'", "'out.toml'"),
    "curves": ("{}",),
    "pairs": ("{('a', 'b'): 2.0}", "{}"),
    "rules": ("()", "[module('weald.scatter.rules').Only(condition)]"),
    "keep_off": ("{}", "{'rocks': 2}"),
    "threads": ("1",),
    "count": ("3", "2"),
    "area": ("400.0", "None"),
    "volume": ("None",),
    "cell": ("2.0", "4"),
    "size": ("4.0",),
    "at": ("(3.0, 4.0)",),
    "to": ("(5.0, 4.0)",),
    "of": ("placements",),
    "which": ("slice(0, 2)", "np.array([0])"),
    "normal": ("None", "terrain.normal"),
    "table": ("TABLE",),
    "climate": ("{'h': field}",),
    "vertices": ("[[0, 0, 0], [4, 0, 1], [0, 4, 2]]",),
    "faces": ("[[0, 1, 2]]",),
    "noise": ("field", "space"),
    "a": ("space", "field"),
    "b": ("space", "field"),
    "where": ("field",),
    "caves": ("space",),
    "surface": ("field", "3.0"),
    "axes": ("module('weald.export.axes').GLTF",),
    "as_": ("np.float64",),
    "rotation": ("(0, 0, 0, 1)",),
    "thresholds": ("(0.0,)", "[-0.5, 0.5]"),
    "ids": ("None",),
    "id": ("5",),
    "interval": ("2.0", "None"),
    "levels": ("None", "[1.0]"),
    "i": ("0", "-1"),
    "j": ("0", "2"),
}
_BY_TYPE = (
    ("bool", ("True", "False")),
    ("int", ("2", "1", "3")),
    ("float", ("1.5", "1.0", "0.5")),
    ("Terrain", ("terrain",)),
    ("Placements", ("placements",)),
    ("Condition", ("condition",)),
    ("Field", ("field",)),
    ("Grid", ("grid",)),
    ("Bounds", _BOXES),
    ("Drainage", ("water",)),
    ("Mapping", ("{}",)),
    ("ArrayLike", ("[1.0, 2.0, 3.0]",)),
    ("Callable", ("lambda x, y: x",)),
    ("str", ("'a'",)),
)
_HOSTILE = (
    "None", "True", "0", "-1", "0.0", "-0.0", "1e-320", "1e-310", "1e-170", "5e-324", "1e-9", "1e17", "1e155",
    "1e300", "1.7e308", "math.inf", "-math.inf", "math.nan", "10**400", "-(10**400)", "2**63", "2**64", "-(2**63)",
    "10**20", "1j", "'a'", "''", "'1'", "'\\0'", "'\\ud800'", "b'ab'", "'x' * 5000", "()", "[]", "{}", "set()",
    "object()", "int", "lambda x, y: x", "lambda: 1", "lambda *a: None", "lambda x, y: 'a'", "lambda x, y: x[:0]",
    "lambda x, y: x * math.nan", "[[1, 2], [3]]", "[1, 2, 3]", "[[1, 2, 3]]", "[[[1, 2]]]", "[[1, 'a']]", "[None]",
    "['a', 'b']", "(1, 0)", "(0, 0)", "(-1, 1)", "(math.nan, 1)", "(1, 10**400)", "(1e-320, 1e-310)",
    "(1e300, 1.7e308)", "(1, 2, 3)", "(0, 0, 1, 1)", "(0, 0, 0, 0)", "(0, 0, 1, 10**400)",
    "(1e300, 0, 1.5e300, 1)", "(0, 0, 1e-320, 1e-320)", "(1e15, 1e15, 1e15 + 8, 1e15 + 8)", "(0, 0, 0, 9, 9, 9)",
    "np.array(3.0)", "np.array([1, 2, 3])", "np.zeros((0, 2))", "np.zeros((2, 0))", "np.ones((3, 2))",
    "np.full((3, 2), math.nan)", "np.full((3, 2), 1e300)", "np.ones((3, 2), complex)", "np.array(['a'])",
    "np.array([[1, None]])", "np.array([object()])", "np.float32(1.5)", "np.int64(2)", "np.bool_(True)",
    "np.ones((2, 2, 2))", "np.ones(3, bool)", "np.datetime64('2020')", "{'a': 1}", "{1: 2}", "{oak: -1}",
    "{oak: 10**400}", "{oak: 'a'}", "range(3)", "iter([1, 2])", "slice(0, 2)", *_MAKERS, "weald.Species",
    "layer.species", "terrain.height", "weald",
)  # fmt: skip

Call = tuple[str, list[tuple[str, str]]]
"""What is called, and its arguments; those without a name in order."""


class _Objects(dict[str, Any]):
    """Sound objects, made when they are first used."""

    def __missing__(self, name: str) -> Any:
        if name not in _MAKERS:
            raise KeyError(name)
        self[name] = eval(_MAKERS[name], {}, self)
        return self[name]


@functools.cache
def _objects() -> _Objects:
    return _Objects(weald=weald, np=np, math=math, module=importlib.import_module, WORLD=_WORLD, TABLE=_TABLE)


@functools.cache
def _targets() -> tuple[tuple[str, tuple[tuple[str, str, bool, bool], ...]], ...]:
    """Return what can be called, and of each parameter: name, annotation, whether by name only, whether needed."""
    found = {}
    for place in _MODULES:
        module = importlib.import_module(place)
        for name in getattr(module, "__all__", None) or vars(module):
            value = getattr(module, name)
            own = hasattr(module, "__all__") or getattr(value, "__module__", "") == place
            if name.startswith("_") or name in _WRITTEN_BY_WEALD or not callable(value) or not own:
                continue
            found[value] = f"weald.{name}" if place == "weald" else f"module({place!r}).{name}"
    targets = [(text, _parameters(value)) for value, text in found.items()]
    for name in _OBJECTS:
        kind = type(_objects()[name])
        for method in dir(kind):
            value = inspect.getattr_static(kind, method)
            if method.startswith("_") and method not in ("__call__", "__add__", "__lt__", "__pow__"):
                continue
            if f"{name}.{method}" in _OF_ROOMS:
                continue
            if isinstance(value, classmethod | staticmethod) or inspect.isfunction(value):
                targets.append((f"{name}.{method}", _parameters(getattr(_objects()[name], method))))
    return tuple(targets)


def _parameters(value: Any) -> tuple[tuple[str, str, bool, bool], ...]:
    return tuple(
        (each.name, str(each.annotation), each.kind == each.KEYWORD_ONLY, each.default is each.empty)
        for each in inspect.signature(value).parameters.values()
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    )


def _sound(random: Random, name: str, annotation: str) -> str:
    if name in _SOUND:
        return random.choice(_SOUND[name])
    if name in _MAKERS:
        return name
    for kind, values in _BY_TYPE:
        if kind in annotation:
            return random.choice(values)
    return random.choice(_HOSTILE)


def _make(random: Random) -> Call:
    target, parameters = random.choice(_targets())
    odd = random.choice((0.0, 0.1, 0.3, 0.3, 0.6))
    arguments = []
    for name, annotation, by_name, needed in parameters:
        if not needed and random.random() < 0.6 and name != "threads":
            continue
        text = _sound(random, name, annotation)
        if random.random() < odd:
            text = random.choice(_HOSTILE)
            if random.random() < 0.1:
                text = random.choice((f"[{text}] * 2", f"({text}, {random.choice(_HOSTILE)})", f"np.asarray({text})"))
        arguments.append((name if by_name or not needed else "", text))
    if random.random() < 0.02 and arguments:
        arguments.pop(random.randrange(len(arguments)))
    return target, sorted(arguments, key=lambda argument: argument[0] != "")


def _text(call: Call) -> str:
    target, arguments = call
    return f"{target}({', '.join(f'{name}={text}' if name else text for name, text in arguments)})"


def _run(call: Call) -> None:
    target, arguments = call
    scope = _objects()
    try:
        function = eval(target, {}, scope)
        # functions that are given look for their names among the globals
        values = [(name, eval(text, {"np": np, "math": math, "weald": weald}, scope)) for name, text in arguments]
    except Exception:  # an argument that cannot be made, such as np.asarray of uneven rows, or a text made smaller
        return
    plain, named = [value for name, value in values if not name], {name: value for name, value in values if name}
    try:
        inspect.signature(function).bind(*plain, **named)
    except TypeError:  # Python's own word for an argument too few or too many
        return
    try:
        _use(function(*plain, **named))
    except (TypeError, ValueError) as error:
        if "<lambda>()" not in str(error) and not _asks_what_was_given(error):  # else that function's own error
            raise


def _asks_what_was_given(error: Exception) -> bool:
    """Return whether it came from a call of a function that was given, such as a class that takes no arrays."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "weald" in frame.filename]
    line = (frames[-1].line or "") if frames else ""
    return any(call in line for call in ("self.function(", "progress(", "report(", "stale("))


def _use(result: Any) -> None:
    """Draw what is made step by step, and ask fields at a few places."""
    if isinstance(result, GeneratorType):
        list(itertools.islice(result, 100))
    elif isinstance(result, weald.Field | weald.Condition):
        repr(result)
        try:
            result(np.linspace(-5, 25, 4), 3.0)
        except weald.InputError as error:  # of space, asked in the plane
            if "z" not in str(error):
                raise
            result(np.linspace(-5, 25, 4), 3.0, 1.0)


CALLS = Rule("calls", _make, _run, quick=800, share=4, show=_text)
