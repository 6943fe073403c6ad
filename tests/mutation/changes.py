"""Small changes to a source file: comparisons, signs, constants, and/or, min/max, lines left out."""

import ast
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

_COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_SIGNS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div}
_NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "floor": "ceil", "ceil": "floor",
          "any": "all", "all": "any"}  # fmt: skip


class Change(NamedTuple):
    """A part of a source file, and what stands there instead."""

    line: int
    start: int
    """First character of the part, counted from the start of the file."""
    end: int
    before: str
    after: str


def changes(source: str) -> Iterator[Change]:
    """Yield every change that could be made, in the order of the syntax tree."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = source.encode()

    def change(node: ast.expr | ast.stmt, after: str) -> Change:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        return Change(node.lineno, start, end, data[start:end].decode(), after)

    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(ops=[op]) if type(op) in _COMPARED:
                yield change(node, ast.unparse(ast.Compare(node.left, [_COMPARED[type(op)]()], node.comparators)))
            case ast.BinOp(op=op) if type(op) in _SIGNS and not isinstance(node.left, ast.Constant | ast.JoinedStr):
                yield change(node, f"({ast.unparse(ast.BinOp(node.left, _SIGNS[type(op)](), node.right))})")
            case ast.BoolOp(op=op):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield change(node, f"({ast.unparse(ast.BoolOp(other, node.values))})")
            case ast.UnaryOp(op=ast.USub() | ast.Not()):
                yield change(node, ast.unparse(node.operand))
            case ast.Constant(value=bool() as value):
                yield change(node, repr(not value))
            case ast.Constant(value=int() | float() as value):
                yield change(node, repr(value + 1))
            case ast.Name(id=name) if name in _NAMES:
                yield change(node, _NAMES[name])
            case ast.Attribute(attr=name) if name in _NAMES:
                yield change(node, f"{ast.unparse(node.value)}.{_NAMES[name]}")
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Raise() | ast.Continue() | ast.Break():
                if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):  # a docstring
                    yield change(node, "pass")


def changed(source: str, change: Change) -> str:
    """Return the source with a change made."""
    data = source.encode()
    return (data[: change.start] + change.after.encode() + data[change.end :]).decode()


def drawn(random: Random, source: str) -> Change | None:
    """Return one change by chance, each kind of node as likely as it is frequent; None if there is none."""
    found = list(changes(source))
    return random.choice(found) if found else None
