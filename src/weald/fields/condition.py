"""Condition: a yes or no at every place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.fields.evaluate import Progress, at_points, on_grid
from weald.fields.expression import AND, OR, UNARY, Apply, Constant, Expression, Moved, survey
from weald.fields.function import Function, checked_dimensions
from weald.fields.moves import Moves
from weald.geometry import Bounds, Grid


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Condition(Moves["Condition"]):
    """A yes or no at every place: a vectorised, pure, immutable function of (x, y).

    Comparing fields gives conditions; `&`, `|` and `~` combine them. They move like fields: an
    `inside` of polygons, warped by noise, has ragged edges. At places where a compared field is NaN
    ("no ground here") every comparison says no, so ``~(height > 5)`` says yes there, and
    ``height <= 5`` no.

    Examples
    --------
    >>> import numpy as np
    >>> from weald.fields import Field
    >>> east = Field.of(lambda x, y: x)
    >>> strip = (east > 1) & (east < 4)
    >>> strip(np.arange(6), 0)
    array([False, False,  True,  True, False, False])
    """

    expression: Expression

    __array_ufunc__ = None  # so that NumPy arrays leave operators to this class

    @property
    def dimensions(self) -> int:
        """How many coordinates the condition is a function of, as in `Field.dimensions`."""
        return survey(self.expression).dimensions

    @classmethod
    def of(cls, value: ConditionLike, *, dimensions: int = 2) -> Condition:
        """Return a Condition from a Condition, a bool, or a NumPy function of (x, y).

        The function takes two float64 arrays of one shape (n,), in metres (or as many as
        ``dimensions`` says: 3 for x, y, z), and returns an array of bool of that shape. It must be
        pure, and may be called from several threads at once.

        Raises
        ------
        InputError
            If the value is none of these, or, when called, if the function returns anything else.
        """
        if isinstance(value, Condition):
            return value
        if isinstance(value, (bool, np.bool_)):
            return cls(Constant(bool(value)))
        if isinstance(value, Moves):  # a field: callable as a function is, but its values are numbers
            raise InputError(f"condition: got the field `{value!r}`; compare it with something, such as 0: `field > 0`")
        if callable(value):
            return cls(Function(value, None, checked_dimensions(dimensions)))
        raise InputError(f"condition: got {value!r}; give a Condition, True or False, or a function of (x, y)")

    def __call__(
        self, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None, w: ArrayLike | None = None
    ) -> NDArray[np.bool_]:
        """Return the answers at coordinates in metres, of any shapes that broadcast, in the broadcast shape."""
        return at_points(self.expression, np.bool_, x, y, z, w)

    def sample(
        self,
        grid: Grid,
        threads: int | None = None,
        *,
        z: ArrayLike | None = None,
        w: float | None = None,
        progress: Progress | None = None,
    ) -> NDArray[np.bool_]:
        """Return the answers on a grid, of shape (ny, nx) or (nz, ny, nx); arguments as in `Field.sample`."""
        return on_grid(self.expression, np.bool_, grid, threads, progress, z, w)

    def __and__(self, other: ConditionLike) -> Condition:
        return _both(self, other)

    def __rand__(self, other: ConditionLike) -> Condition:
        return _both(other, self)

    def __or__(self, other: ConditionLike) -> Condition:
        return _either(self, other)

    def __ror__(self, other: ConditionLike) -> Condition:
        return _either(other, self)

    def __invert__(self) -> Condition:
        return Condition(Apply(np.logical_not, (self.expression,), "~{}", UNARY, (UNARY,)))

    def __bool__(self) -> NoReturn:
        raise InputError(
            f"condition: `{self!r}` differs from place to place, so it is neither true nor false; "
            "combine conditions with &, | and ~ in parentheses, and call one with (x, y) to get answers"
        )

    def __repr__(self) -> str:
        return self.expression.text()

    @property
    def _nowhere(self) -> bool:
        return False

    def _like(self, expression: Expression) -> Condition:
        return Condition(expression)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bounded(Condition):
    """A condition that holds nowhere outside of a box.

    It keeps a box when it is moved, when something else is asked as well (``&``), and beside another that has
    one (``|``). Its opposite, ``~``, has none.

    Attributes
    ----------
    bounds : Bounds
        The box, in metres: as small as is known, not as can be.
    """

    bounds: Bounds

    def _like(self, expression: Expression) -> Condition:
        bounds = expression.mover.moved(self.bounds) if isinstance(expression, Moved) else None
        return _within(expression, bounds)


ConditionLike: TypeAlias = Condition | bool | Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike]


def _both(left: ConditionLike, right: ConditionLike) -> Condition:
    a, b = Condition.of(left), Condition.of(right)
    one, other = _box(a), _box(b)
    # of two boxes that do not meet either is one outside of which nothing is
    bounds = (one.intersection(other) or one) if one and other else one or other
    return _within(_combine(np.logical_and, "{} & {}", AND, a, b), bounds)


def _either(left: ConditionLike, right: ConditionLike) -> Condition:
    a, b = Condition.of(left), Condition.of(right)
    one, other = _box(a), _box(b)
    return _within(_combine(np.logical_or, "{} | {}", OR, a, b), one and other and one.united(other))


def _combine(function: np.ufunc, form: str, level: int, a: Condition, b: Condition) -> Expression:
    return Apply(function, (a.expression, b.expression), form, level, (level, level + 1))


def _box(condition: Condition) -> Bounds | None:
    return condition.bounds if isinstance(condition, Bounded) else None


def _within(expression: Expression, bounds: Bounds | None) -> Condition:
    return Condition(expression) if bounds is None else Bounded(expression, bounds)
