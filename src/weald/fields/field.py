"""Field: a number at every place, with algebra and a proved range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from weald.errors import InputError
from weald.fields import interval, shaping
from weald.fields.condition import Condition
from weald.fields.evaluate import Progress, at_points, on_grid, real_type
from weald.fields.expression import ATOM, COMPARE, OR, PRODUCT, SUM, UNARY, Apply, Constant, Expression, survey
from weald.fields.function import Function, checked_dimensions
from weald.fields.interval import Range
from weald.fields.moves import Moves
from weald.geometry import Grid
from weald.numbers import number_in


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Field(Moves["Field"]):
    """A number at every place: a vectorised, pure, immutable function of (x, y), or of (x, y, z) or (x, y, z, w).

    Fields combine with numbers, with each other and with NumPy functions of (x, y) by ``+ - * /``;
    comparisons give a `Condition`. Rasters may be NaN at places, which says "no ground here";
    what is computed from NaN is NaN, and every comparison with it says no.

    Attributes
    ----------
    range : tuple of float
        ``(low, high)``, both within reach of the values or not, never exceeded by them (NaN aside).
        It follows from constants, never from the values in some window: that is what makes seams.

    Examples
    --------
    >>> import numpy as np
    >>> from weald.fields import perlin
    >>> height = perlin(seed=1, frequency=1 / 400).fbm(octaves=6) * 300
    >>> height
    perlin(seed=1, frequency=0.0025).fbm(octaves=6) * 300
    >>> height.range
    (-300.0, 300.0)
    >>> height(np.arange(5), np.zeros((3, 1))).shape
    (3, 5)
    """

    expression: Expression
    range: Range

    __array_ufunc__ = None  # so that NumPy arrays leave operators to this class

    @property
    def dimensions(self) -> int:
        """How many coordinates the field is a function of: 2, 3 (with z) or 4 (with w).

        It is the most that any part needs. Parts that need fewer ignore the others, so
        ``ground - depth`` may subtract a field of space from one of the plane.
        """
        return survey(self.expression).dimensions

    @classmethod
    def of(
        cls, value: FieldLike | FunctionOfSpace, *, range: tuple[float, float] | None = None, dimensions: int = 2
    ) -> Field:
        """Return a Field from a Field, a number, or a NumPy function of (x, y).

        Parameters
        ----------
        value
            A function takes two float64 arrays of one shape (n,), in metres, and returns real numbers
            in that shape, none of them NaN. It must be pure, and may be called from several threads
            at once.
        range
            For a function: what its values never exceed. Unbounded if not given.
        dimensions
            For a function: how many coordinates it takes: 2, 3 for (x, y, z), 4 for (x, y, z, w).

        Raises
        ------
        InputError
            If the value is none of these; when called, if a function returns another shape or type,
            NaN, or a value outside its range (the message names the first such place).

        Examples
        --------
        >>> slope = Field.of(lambda x, y: 0.5 * x + 0.25 * y)
        >>> float(slope(4.0, 8.0)), slope.range
        (4.0, (-inf, inf))
        >>> below_ground = slope - Field.of(lambda x, y, z: z, dimensions=3)
        >>> float(below_ground(4.0, 8.0, -1.5)), below_ground.dimensions
        (5.5, 3)
        """
        if range is not None and (isinstance(value, Field) or not callable(value)):
            raise InputError(f"range: got {range!r} for {value!r}; a range is given for functions only")
        if isinstance(value, Field):
            return value
        if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
            number = _finite("number", value)
            return Field(Constant(number), (number, number))
        if isinstance(value, Condition):
            raise InputError(f"field: got the condition `{value!r}`; give a Field, a number or a function of (x, y)")
        if callable(value):
            bounds = interval.UNBOUNDED if range is None else interval.checked(range)
            return Field(Function(value, bounds, checked_dimensions(dimensions)), bounds)
        hint = "; an array needs a place: raster(grid, values)" if hasattr(value, "__array__") else ""
        raise InputError(f"field: got {value!r}; give a Field, a number or a function of (x, y){hint}")

    def __call__(
        self, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None, w: ArrayLike | None = None
    ) -> NDArray[np.float64]:
        """Return the values at coordinates.

        Parameters
        ----------
        x, y : array_like
            Coordinates in metres, of any shapes that broadcast.
        z, w : array_like, optional
            The third and the fourth coordinate, for fields of as many `dimensions`; others ignore them.

        Returns
        -------
        ndarray of float64
            In the broadcast shape; for numbers, a number.

        Raises
        ------
        InputError
            If the shapes do not broadcast, or a coordinate that the field needs is not given.
        """
        return at_points(self.expression, np.float64, x, y, z, w)

    def sample(
        self,
        grid: Grid,
        threads: int | None = None,
        *,
        z: ArrayLike | None = None,
        w: float | None = None,
        dtype: DTypeLike | None = None,
        out: NDArray[np.floating[Any]] | None = None,
        progress: Progress | None = None,
    ) -> NDArray[Any]:
        """Return the values on a grid.

        Parameters
        ----------
        grid
            Where; row 0 is the southernmost.
        threads
            How many threads to use; None for one a core. The values are the same bits for any number.
        z
            For a field of space: the height of a level slice, in metres, or several heights, of shape
            (nz,), which fill a box slice by slice.
        w
            For a field of four dimensions: the fourth coordinate, a number.
        dtype
            float64, or float32. An expression is computed in float64 and rounded once, so its values may pass
            the end of the range by that rounding. Only Perlin noise in the plane and its `fbm`, if nothing
            is done to them, are computed in float32: faster, within 1e-6 of their float64 values. Apart from
            the result, little memory is used.
        out
            An array to fill and return, of the right shape and type.
        progress
            Called now and then with the places done and the places in all.

        Returns
        -------
        ndarray of float64 or float32
            Of shape (ny, nx); with several heights, (nz, ny, nx).

        Raises
        ------
        InputError
            If a coordinate that the field needs is not given, or z, w or ``out`` has another shape or type.

        Examples
        --------
        >>> import numpy as np
        >>> height = Field.of(lambda x, y, z: z, dimensions=3)
        >>> grid = Grid(xmin=0, ymin=0, spacing=1, nx=4, ny=3)
        >>> height.sample(grid, z=2.0).shape, height.sample(grid, z=np.arange(5)).shape
        ((3, 4), (5, 3, 4))
        """
        return on_grid(self.expression, real_type(dtype, out), grid, threads, progress, z, w, out)

    def __repr__(self) -> str:
        return self.expression.text()

    def __add__(self, other: FieldLike) -> Field:
        return _binary(np.add, interval.add, "{} + {}", SUM, self, other)

    def __radd__(self, other: FieldLike) -> Field:
        return _binary(np.add, interval.add, "{} + {}", SUM, other, self)

    def __sub__(self, other: FieldLike) -> Field:
        return _binary(np.subtract, interval.subtract, "{} - {}", SUM, self, other)

    def __rsub__(self, other: FieldLike) -> Field:
        return _binary(np.subtract, interval.subtract, "{} - {}", SUM, other, self)

    def __mul__(self, other: FieldLike) -> Field:
        return _binary(np.multiply, interval.multiply, "{} * {}", PRODUCT, self, other)

    def __rmul__(self, other: FieldLike) -> Field:
        return _binary(np.multiply, interval.multiply, "{} * {}", PRODUCT, other, self)

    def __truediv__(self, other: FieldLike) -> Field:
        return _binary(np.divide, interval.divide, "{} / {}", PRODUCT, self, other)

    def __rtruediv__(self, other: FieldLike) -> Field:
        return _binary(np.divide, interval.divide, "{} / {}", PRODUCT, other, self)

    def __neg__(self) -> Field:
        return Field(Apply(np.negative, (self.expression,), "-{}", UNARY, (UNARY,)), interval.negate(self.range))

    def __abs__(self) -> Field:
        return Field(Apply(np.absolute, (self.expression,), "abs({})", ATOM, (COMPARE,)), interval.absolute(self.range))

    def __pow__(self, exponent: float) -> Field:
        """Return the field to a constant power, of the same bits on every machine.

        Whole exponents go with any values, others with values from 0 on (an InputError if the range
        reaches below 0); -64 to 64. Accurate to some units in the last place.

        >>> (Field.of(lambda x, y: x, range=(0, 9)) ** 1.5)([1, 4, 9], 0).tolist()
        [1.0, 8.0, 27.0]
        """
        return Field(*shaping.power(self._term, exponent))

    def __eq__(self, other: object) -> bool:
        # fields live in sets and in frozen objects, so == asks for the same object, as always in Python;
        # to compare values with a number in this way would be a silent False
        if isinstance(other, (int, float, np.number)):
            raise InputError(
                f"`{self!r} == {other!r}` says nothing about places; write `.equals({other!r})`, "
                "or better, as floats seldom meet, `abs(a - b) < tolerance`"
            )
        return self is other

    __hash__ = object.__hash__

    def equals(self, other: FieldLike) -> Condition:
        """Return where two fields are equal, bit for bit: meant for codes, such as numbers of biomes.

        ``==`` does not compare values: it says whether two names mean the same object.

        >>> Field.of(lambda x, y: x).floor().equals(2)([1.5, 2.5, 3.5], 0)
        array([False,  True, False])
        """
        operands = (self.expression, Field.of(other).expression)
        return Condition(Apply(np.equal, operands, "{}.equals({})", ATOM, (ATOM, COMPARE)))

    def __lt__(self, other: FieldLike) -> Condition:
        return _compare(np.less, "{} < {}", self, other)

    def __le__(self, other: FieldLike) -> Condition:
        return _compare(np.less_equal, "{} <= {}", self, other)

    def __gt__(self, other: FieldLike) -> Condition:
        return _compare(np.greater, "{} > {}", self, other)

    def __ge__(self, other: FieldLike) -> Condition:
        return _compare(np.greater_equal, "{} >= {}", self, other)

    def min(self, other: FieldLike) -> Field:
        """Return the smaller of two fields at every place."""
        return _method(np.minimum, interval.smaller, "{}.min({})", self, other)

    def max(self, other: FieldLike) -> Field:
        """Return the larger of two fields at every place.

        >>> Field.of(lambda x, y: x).max(0).range
        (0.0, inf)
        """
        return _method(np.maximum, interval.larger, "{}.max({})", self, other)

    def clamp(self, low: float, high: float) -> Field:
        """Return the field held within ``[low, high]``."""
        return Field(*shaping.clamp(self._term, low, high))

    def remap(self, points: Sequence[tuple[float, float]], *, smooth: bool = False) -> Field:
        """Return the field sent through a curve.

        Parameters
        ----------
        points
            Pairs (in, out), at least two, with ``in`` growing. Beyond the first and the last pair
            the curve goes on level.
        smooth
            Whether to round the corners off: cubic pieces without a kink anywhere, which rise and fall
            only where the points do, and are level at peaks and at both ends. Two points make a
            `smoothstep`. After Fritsch and Carlson, "Monotone piecewise cubic interpolation" (1980).

        Raises
        ------
        InputError
            If there are fewer than two pairs, a number is not finite, or ``in`` does not grow.

        Examples
        --------
        >>> benches = Field.of(lambda x, y: x).remap([(0, 0), (10, 1), (20, 1), (30, 4)])
        >>> benches([-5, 5, 15, 25], 0), benches.range
        (array([0. , 0.5, 1. , 2.5]), (0.0, 4.0))
        """
        return Field(*shaping.remap(self._term, points, smooth))

    def smoothstep(self, low: float, high: float) -> Field:
        """Return a soft threshold: 0 up to ``low``, 1 from ``high``, ``3t² - 2t³`` in between."""
        return Field(*shaping.smoothstep(self._term, low, high))

    def terrace(self, step: float, *, flat: float = 0.5) -> Field:
        """Return the field cut into steps, ``step`` high: level for the share ``flat``, then smoothly up to the next.

        >>> Field.of(lambda x, y: x).terrace(10, flat=1)([4, 9.5, 12], 0).tolist()
        [0.0, 0.0, 10.0]
        """
        return Field(*shaping.terrace(self._term, step, flat))

    def floor(self) -> Field:
        """Return the field rounded down to whole numbers."""
        return Field(*shaping.floor(self._term))

    def sqrt(self) -> Field:
        """Return the square root; an InputError if the range reaches below 0."""
        return Field(*shaping.sqrt(self._term))

    @property
    def _term(self) -> shaping.Term:
        return self.expression, self.range

    def _like(self, expression: Expression) -> Field:
        return Field(expression, self.range)


FunctionOfSpace: TypeAlias = (
    Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], ArrayLike]
    | Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], ArrayLike]
)
FieldLike: TypeAlias = Field | float | Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike]


def _binary(
    function: np.ufunc,
    ranges: Callable[[Range, Range], Range],
    form: str,
    level: int,
    left: FieldLike,
    right: FieldLike,
) -> Field:
    a, b = Field.of(left), Field.of(right)
    # floating-point sums do not regroup, so parentheses on the right stay: a + (b + c)
    operands = (a.expression, b.expression)
    return Field(Apply(function, operands, form, level, (level, level + 1)), ranges(a.range, b.range))


def _method(
    function: np.ufunc, ranges: Callable[[Range, Range], Range], form: str, left: Field, right: FieldLike
) -> Field:
    other = Field.of(right)
    operands = (left.expression, other.expression)
    return Field(Apply(function, operands, form, ATOM, (ATOM, COMPARE)), ranges(left.range, other.range))


def _compare(function: np.ufunc, form: str, left: Field, right: FieldLike) -> Condition:
    operands = (left.expression, Field.of(right).expression)
    return Condition(Apply(function, operands, form, COMPARE, (OR, OR)))


def _finite(name: str, value: float) -> float:
    return number_in(name, value, "a finite number")
