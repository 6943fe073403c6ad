"""Formulas: fields and conditions as text, for spec files and the command line.

A formula is written as one would in Python: ``0.5 * hills + max(ridges, 0)``, or ``height > 560 and not
slope_deg > 30``. Only what is listed here can be said in one; nothing is ever executed but the algebra
of fields.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, TypeAlias

from weald.errors import InputError, WealdError, nearest
from weald.fields.choice import lerp, where
from weald.fields.condition import Condition
from weald.fields.expression import price
from weald.fields.field import Field, FieldLike

Value: TypeAlias = Field | Condition
Function: TypeAlias = Callable[..., Value]

_LONGEST = 10_000
_MOST_EVALUATIONS = 4_000
_MOST_MOVES = 24

_SUMS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _curve(field: FieldLike, *points: tuple[float, float], smooth: bool = False) -> Field:
    return Field.of(field).remap(list(points), smooth=smooth)


FUNCTIONS: Mapping[str, Function] = {
    "abs": lambda field: abs(Field.of(field)),
    "clamp": lambda field, low, high: Field.of(field).clamp(low, high),
    "curve": _curve,
    "floor": lambda field: Field.of(field).floor(),
    "lerp": lerp,
    "max": lambda first, *more: reduce(Field.max, more, Field.of(first)),
    "min": lambda first, *more: reduce(Field.min, more, Field.of(first)),
    "rotate_deg": lambda field, angle: field.rotate_deg(angle),
    "scale": lambda field, factor: field.scale(factor),
    "smoothstep": lambda field, low, high: Field.of(field).smoothstep(low, high),
    "sqrt": lambda field: Field.of(field).sqrt(),
    "terrace": lambda field, step, flat=0.5: Field.of(field).terrace(step, flat=flat),
    "translate": lambda field, dx, dy: field.translate(dx, dy),
    "warp": lambda field, dx, dy: field.warp(dx, dy),
    "where": where,
}
"""What every formula may call, with fields f and numbers.

``abs(f)``, ``clamp(f, low, high)``, ``curve(f, (in, out), ..., smooth=True)``, ``floor(f)``, ``lerp(a, b, t)``,
``max(f, ...)``, ``min(f, ...)``, ``rotate_deg(f, angle)``, ``scale(f, factor)``, ``smoothstep(f, low, high)``,
``sqrt(f)``, ``terrace(f, step)``, ``translate(f, dx, dy)``, ``warp(f, dx, dy)``, ``where(condition, f, g)``: as the
methods and functions of fields with these names; ``curve`` is ``remap``.
"""


def parse_formula(
    text: str, names: Mapping[str, Value], functions: Mapping[str, Function] | None = None, *, name: str = "formula"
) -> Value:
    """Return the field or the condition that a formula describes.

    Parameters
    ----------
    text
        Names, numbers, ``+ - * / **``, comparisons (``0 < f <= 3`` too), ``and``, ``or``, ``not``, parentheses, and
        calls of functions with fields, numbers, pairs of numbers, or words in quotes.
    names
        What the names stand for.
    functions
        What may be called besides `FUNCTIONS`.
    name
        What errors call the formula.

    Raises
    ------
    InputError
        If the text is no formula, says something that cannot be said in one, or names something unknown; the message
        shows the part at fault.

    Examples
    --------
    >>> height = Field.of(lambda x, y: x)
    >>> forest = parse_formula("height > 2 and not height >= 4", {"height": height})
    >>> forest([1, 3, 4], 0).tolist()
    [False, True, False]
    >>> float(parse_formula("max(height / 2, 1) + 10", {"height": height})(8, 0))
    14.0
    """
    if len(text) > _LONGEST:
        raise InputError(f"{name}: has {len(text):,} characters; give at most {_LONGEST:,}, and name its parts")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        value = _Reader(text.strip(), names, {**FUNCTIONS, **(functions or {})}, name).value(tree.body)
    except SyntaxError as error:
        at = f" at {text.strip()[max((error.offset or 1) - 1, 0) :][:20]!r}" if error.offset else ""
        raise InputError(
            f"{name}: {_shown(text)} is no formula ({error.msg}{at}); write it as: height > 560 and slope_deg < 30"
        ) from None
    except (RecursionError, MemoryError, ValueError) as error:
        if isinstance(error, WealdError):
            raise
        raise InputError(f"{name}: cannot be read: it is nested too deeply, or holds odd characters") from None
    if isinstance(value, (Field, Condition)):
        _affordable(text, value, name)
        return value
    if isinstance(value, (bool, int, float)):
        return Condition.of(value) if isinstance(value, bool) else Field.of(value)
    raise InputError(f"{name}: {_shown(text)} is {_kind(value)}; give a field or a condition")


def parse_field(
    text: str, names: Mapping[str, Value], functions: Mapping[str, Function] | None = None, *, name: str = "formula"
) -> Field:
    """Return the field that a formula describes; a condition is an error. See `parse_formula`."""
    value = parse_formula(text, names, functions, name=name)
    if isinstance(value, Condition):
        raise InputError(f"{name}: {_shown(text)} is a condition, a yes or no; give a number at every place")
    return value


def parse_condition(
    text: str, names: Mapping[str, Value], functions: Mapping[str, Function] | None = None, *, name: str = "formula"
) -> Condition:
    """Return the condition that a formula describes; a field is an error. See `parse_formula`."""
    value = parse_formula(text, names, functions, name=name)
    if isinstance(value, Field):
        raise InputError(
            f"{name}: {_shown(text)} is a number at every place; give a condition, such as: {text.strip()[:40]} > 0"
        )
    return value


def _affordable(text: str, value: Value, name: str) -> None:
    """Refuse what would never end: each warp of a warp doubles the work."""
    cost = price(value.expression, _MOST_EVALUATIONS)
    if cost.evaluations > _MOST_EVALUATIONS:
        raise InputError(
            f"{name}: {_shown(text)} asks for more than {_MOST_EVALUATIONS:,} values at every place, as a "
            "warp looks at all of what it bends once more; nest fewer warps inside each other, or bend by a plain noise"
        )
    if cost.moves > _MOST_MOVES:
        raise InputError(
            f"{name}: {_shown(text)} moves places {cost.moves} times, one move inside the other; give at most "
            f"{_MOST_MOVES}"
        )


class _Reader:
    """Walks the syntax tree of one formula."""

    def __init__(self, text: str, names: Mapping[str, Value], functions: Mapping[str, Function], name: str) -> None:
        self._text, self._names, self._functions, self._name = text, names, functions, name

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as constant):
                return constant
            case ast.Name(id=word):
                return self._named(node, word)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._apply(node, operator.neg, self._number_or_field(operand))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ~self._condition(operand)
            case ast.BinOp(op=op) if type(op) in _SUMS:
                return self._summed(node)
            case ast.BoolOp(op=op, values=values):
                join = operator.and_ if isinstance(op, ast.And) else operator.or_
                return reduce(join, [self._condition(value) for value in values])
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared(node, [left, *others], ops)
            case ast.Tuple(elts=parts):
                return tuple(self.value(part) for part in parts)
            case ast.Call(func=ast.Name(id=word), args=args, keywords=keywords):
                return self._called(node, word, args, keywords)
        raise self._error(
            node, "cannot be said in a formula; use numbers, names, + - * / **, comparisons, and, or, not, and calls"
        )

    def _summed(self, node: ast.BinOp) -> Any:
        """Return a chain of sums and products, such as ``a + b - c``: a loop, as one may be hundreds of terms long."""
        chain = [node]
        while isinstance(first := chain[-1].left, ast.BinOp) and type(first.op) in _SUMS:
            chain.append(first)
        value = self._number_or_field(chain[-1].left)
        for each in reversed(chain):
            value = self._apply(each, _SUMS[type(each.op)], value, self._number_or_field(each.right))
        return value

    def _named(self, node: ast.expr, word: str) -> Value:
        if word in self._names:
            return self._names[word]
        if word in self._functions:
            raise self._error(node, f"is a function; call it: {word}(...)")
        known = ", ".join(self._names) or "none"
        raise self._error(node, f"is unknown{nearest(word, self._names)}; known: {known}")

    def _called(self, node: ast.Call, word: str, args: list[ast.expr], keywords: list[ast.keyword]) -> Any:
        if word not in self._functions:
            known = ", ".join(sorted(self._functions))
            raise self._error(node.func, f"is no function{nearest(word, self._functions)}; known: {known}")
        for keyword in keywords:
            if keyword.arg is None:
                raise self._error(node, "cannot be said in a formula; give the arguments one by one")
        values = [self.value(arg) for arg in args]
        named = {str(keyword.arg): self.value(keyword.value) for keyword in keywords}
        return self._apply(node, self._functions[word], *values, **named)

    def _compared(self, node: ast.expr, parts: list[ast.expr], ops: list[ast.cmpop]) -> Condition:
        values = [self._number_or_field(part) for part in parts]
        found = []
        for op, left, right in zip(ops, values[:-1], values[1:], strict=True):
            if type(op) not in _COMPARISONS:
                raise self._error(
                    node, "asks whether numbers are equal, which they hardly ever are; compare with < and >"
                )
            if not isinstance(left, Field) and not isinstance(right, Field):
                left = Field.of(left)
            found.append(self._apply(node, _COMPARISONS[type(op)], left, right))
        joined: Condition = reduce(operator.and_, found)
        return joined

    def _condition(self, node: ast.expr) -> Condition:
        value = self.value(node)
        if isinstance(value, (Condition, bool)):
            return Condition.of(value)
        raise self._error(node, f"is {_kind(value)}; give a condition, such as a comparison")

    def _number_or_field(self, node: ast.expr) -> Field | float:
        value = self.value(node)
        if isinstance(value, Field):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            # whole numbers of Python grow without end: 9 ** 9 ** 9
            return float(self._apply(node, float, value))
        raise self._error(node, f"is {_kind(value)}; give a number or a field")

    def _apply(self, node: ast.expr, function: Callable[..., Any], *values: Any, **named: Any) -> Any:
        try:
            result = function(*values, **named)
        except WealdError as error:
            raise self._error(node, f"cannot be: {error}") from error
        except (TypeError, AttributeError, ArithmeticError, ValueError) as error:
            # Python begins with its own name of the function, such as <lambda>()
            raise self._error(node, f"cannot be: {re.sub(r'^[^ ]+[(][)] ', '', str(error))}") from None
        if isinstance(result, complex) or (isinstance(result, float) and not math.isfinite(result)):
            raise self._error(node, "is no finite number")
        return result

    def _error(self, node: ast.AST, what: str) -> InputError:
        part = ast.get_source_segment(self._text, node) or self._text
        return InputError(f"{self._name}: {_shown(part)} {what}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _kind(value: object) -> str:
    if isinstance(value, Field):
        return "a number at every place"
    if isinstance(value, (Condition, bool)):
        return "a condition"
    if isinstance(value, str):
        return "a word"
    return "a pair" if isinstance(value, tuple) else "a number"
