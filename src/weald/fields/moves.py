"""Moves: a field or a condition shifted, scaled, turned and warped.

`translate`, `scale` and `rotate_deg` move the picture; `warp` moves the eye. What moves takes effect
in the order in which it is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.exact import sine_cosine_deg
from weald.fields.expression import COMPARE, Constant, Expression, Moved, Mover, Places, Sight, number_text
from weald.fields.function import Function
from weald.fields.interval import UNBOUNDED, Range
from weald.geometry import Bounds
from weald.numbers import number_in

Whole = TypeVar("Whole")


class Moves(Generic[Whole]):
    """What fields and conditions have in common: they can be looked at elsewhere."""

    __slots__ = ()

    expression: Expression

    def warp(self, dx: Shift, dy: Shift, dz: Shift | None = None) -> Whole:
        """Return this, looked at elsewhere: at ``(x + dx, y + dy)`` instead of at ``(x, y)``.

        Noise warped by other noise loses its even grain: it flows, folds and branches. Any shift is
        allowed, so warping never fails and never leaves the range.

        Parameters
        ----------
        dx, dy
            How far to look, in metres east and north: Fields, numbers or NumPy functions of (x, y). They are
            evaluated at the place itself.
        dz
            How far to look up, for what is a function of (x, y, z).

        Returns
        -------
        Field or Condition
            What this is. Where a shift is NaN or infinite a field is NaN, and a condition says no.

        Raises
        ------
        InputError
            If a shift is none of these.

        Notes
        -----
        A place looks as far as the ranges of the shifts allow, and along chained steps these add up: three steps
        of 40 m reach 120 m along either axis.

        Steps are chained: ``a.warp(*s).warp(*t)`` looks ``t`` away, and from there ``s`` of that place. A
        shift may be warped itself, as in ``a.warp(s.warp(*t), u.warp(*t))``. After Inigo Quilez, "Domain
        warping" (2002); Ken Perlin, "An image synthesizer" (1985), perturbs textures in this way.

        Examples
        --------
        >>> from weald.fields import Field, perlin
        >>> bend = perlin(seed="bend", frequency=1 / 300) * 80
        >>> perlin(seed=1, frequency=0.01).warp(bend, 0)
        perlin(seed=1, frequency=0.01).warp(perlin(seed='bend', frequency=0.0033333333333333335) * 80, 0)
        >>> float(Field.of(lambda x, y: x).warp(3, 0)(10, 0))
        13.0
        """
        shifts = [_shift("dx", dx), _shift("dy", dy)] + ([] if dz is None else [_shift("dz", dz)])
        return self._moved(Warp(tuple(shifts), (_reach(dx), _reach(dy))))

    def translate(self, dx: float, dy: float, dz: float = 0.0) -> Whole:
        """Return this, moved ``dx`` metres east and ``dy`` north (and ``dz`` up).

        >>> from weald.fields import Field
        >>> float(Field.of(lambda x, y: x).translate(3, 0)(10, 0))
        7.0
        """
        return self._moved(Translate((_number("translate", dx), _number("translate", dy), _number("translate", dz))))

    def scale(self, factor: float | Sequence[float], *, about: Sequence[float] = (0.0, 0.0)) -> Whole:
        """Return this, ``factor`` times as large; distances in it grow, its values stay.

        Parameters
        ----------
        factor
            One number for all axes, or one an axis: (east, north), or (east, north, up). Not 0; below 0
            it mirrors.
        about
            The place that stays, (x, y) or (x, y, z), in metres.

        Examples
        --------
        >>> from weald.fields import Field
        >>> float(Field.of(lambda x, y: x).scale(2)(10, 0))
        5.0
        """
        single = isinstance(factor, (int, float, np.integer, np.floating))
        factors = (_number("scale", factor),) * 3 if single else _numbers("scale", factor)
        if 0.0 in factors or not all(math.isfinite(1.0 / each) for each in factors):
            raise InputError(f"scale: got {factor!r}; give a factor other than 0")
        return self._moved(Scale(factors if single else (*factors, 1.0)[:3], _place("scale", about), single))

    def rotate_deg(self, angle: float, *, about: Sequence[float] = (0.0, 0.0)) -> Whole:
        """Return this, turned by an angle in degrees, counterclockwise as seen from above.

        Parameters
        ----------
        angle
            In degrees. Whole quarters are exact.
        about
            The place that stays, (x, y), in metres.

        Examples
        --------
        >>> from weald.fields import Field
        >>> float(Field.of(lambda x, y: x).rotate_deg(90)(0, 10))
        10.0
        """
        return self._moved(Rotate(_number("rotate_deg", angle), _place("rotate_deg", about)[:2]))

    def _moved(self, mover: Mover) -> Whole:
        return self._like(Moved(self.expression, mover, self._nowhere))

    @property
    def _nowhere(self) -> float | bool:
        return math.nan

    def _like(self, expression: Expression) -> Whole:
        """Return another of this kind, with the same range."""
        raise NotImplementedError


Shift: TypeAlias = Moves[Any] | float | Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike]


@dataclass(frozen=True, slots=True)
class Warp(Mover):
    """Look elsewhere by shifts that differ from place to place."""

    shifts: tuple[Expression, ...]
    ranges: tuple[Range, Range] = field(default=(UNBOUNDED, UNBOUNDED), compare=False)
    """Of the shifts east and north."""

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The shifts."""
        return self.shifts

    def moved(self, box: Bounds) -> Bounds | None:
        """Return the box, larger by what the shifts reach, if they are bounded."""
        (west, east), (south, north) = self.ranges
        return _box(np.array([box.xmin - east, box.xmax - west]), np.array([box.ymin - north, box.ymax - south]))

    def look(self, places: Places) -> Sight:
        """Add the shifts; a shift that is no number leads nowhere."""
        axes = [places.x, places.y, places.z, places.w]
        moved: list[NDArray[np.float64] | None] = []
        for number, axis in enumerate(axes):
            if axis is None:
                moved.append(None)
            elif number < len(self.shifts):
                moved.append((axis + places.values(self.shifts[number])).reshape(-1))
            else:
                moved.append(np.broadcast_to(axis, places.shape).reshape(-1))
        x, y, z, w = moved
        assert x is not None
        assert y is not None
        seeing = np.isfinite(x) & np.isfinite(y)
        if z is not None:
            seeing &= np.isfinite(z)
        if seeing.all():
            return Sight(places.elsewhere(x, y, z, w))
        there = places.elsewhere(
            x[seeing], y[seeing], None if z is None else z[seeing], None if w is None else w[seeing]
        )
        return Sight(there, seeing.reshape(places.shape))

    def text(self, operand: str, depth: int) -> str:
        """Return the call of `warp`."""
        deeper = depth + len(self.parts) + 1
        shifts = [f"({part.text(deeper)})" if part.level < COMPARE else part.text(deeper) for part in self.parts]
        return f"{operand}.warp({', '.join(shifts)})"


@dataclass(frozen=True, slots=True)
class Translate(Mover):
    """Look back by what the picture moved."""

    by: tuple[float, float, float]

    def look(self, places: Places) -> Sight:
        """Subtract; a block stays a block."""
        dx, dy, dz = self.by
        z = None if places.z is None else places.z - dz
        return Sight(places.elsewhere(places.x - dx, places.y - dy, z, places.w))

    def moved(self, box: Bounds) -> Bounds | None:
        """Return the box where the picture is."""
        dx, dy, _ = self.by
        return _box(np.array([box.xmin + dx, box.xmax + dx]), np.array([box.ymin + dy, box.ymax + dy]))

    def text(self, operand: str, depth: int) -> str:
        """Return the call of `translate`."""
        by = self.by if self.by[2] else self.by[:2]
        return f"{operand}.translate({', '.join(map(number_text, by))})"


@dataclass(frozen=True, slots=True)
class Scale(Mover):
    """Look nearer to what stays, as the picture grew."""

    factors: tuple[float, ...]
    about: tuple[float, ...]
    single: bool

    def look(self, places: Places) -> Sight:
        """Divide; a block stays a block."""
        x, y, z = (
            None if axis is None else middle + (axis - middle) / factor
            for axis, factor, middle in zip((places.x, places.y, places.z), self.factors, self.about, strict=True)
        )
        assert x is not None
        assert y is not None
        return Sight(places.elsewhere(x, y, z, places.w))

    def moved(self, box: Bounds) -> Bounds | None:
        """Return the box, as much larger, on the side where it is."""
        (fx, fy, _), (ax, ay, _) = self.factors, self.about
        x, y = ax + (np.array([box.xmin, box.xmax]) - ax) * fx, ay + (np.array([box.ymin, box.ymax]) - ay) * fy
        return _box(x, y, ax * fx, ay * fy, ax, ay)

    def text(self, operand: str, depth: int) -> str:
        """Return the call of `scale`."""
        texts = [number_text(each) for each in self.factors]
        factor = texts[0] if self.single else f"({', '.join(texts if self.factors[2] != 1.0 else texts[:2])})"
        return f"{operand}.scale({factor}{_about(self.about)})"


@dataclass(frozen=True, slots=True)
class Rotate(Mover):
    """Look where the place was before the picture turned."""

    angle_deg: float
    about: tuple[float, ...]

    def look(self, places: Places) -> Sight:
        """Turn back."""
        cos, sin = _turn(self.angle_deg)
        ax, ay = self.about
        x, y = places.x - ax, places.y - ay
        shape = places.shape
        z, w = (None if axis is None else np.broadcast_to(axis, shape).reshape(-1) for axis in (places.z, places.w))
        east, north = ax + (cos * x + sin * y), ay + (cos * y - sin * x)
        return Sight(places.elsewhere(east.reshape(-1), north.reshape(-1), z, w))

    def moved(self, box: Bounds) -> Bounds | None:
        """Return the box around the turned one."""
        cos, sin = _turn(self.angle_deg)
        ax, ay = self.about
        x = np.array([box.xmin, box.xmax, box.xmax, box.xmin]) - ax
        y = np.array([box.ymin, box.ymin, box.ymax, box.ymax]) - ay
        return _box(ax + (cos * x - sin * y), ay + (sin * x + cos * y), ax, ay, box.xmin, box.ymin, box.xmax, box.ymax)

    def text(self, operand: str, depth: int) -> str:
        """Return the call of `rotate_deg`."""
        return f"{operand}.rotate_deg({number_text(self.angle_deg)}{_about(self.about)})"


def _turn(angle_deg: float) -> tuple[float, float]:
    """Return cosine and sine, exact for whole quarters.

    >>> _turn(90), _turn(-180), _turn(450)
    ((0.0, 1.0), (-1.0, 0.0), (0.0, 1.0))
    """
    sine, cosine = sine_cosine_deg(angle_deg)
    return float(cosine), float(sine)


def _box(x: NDArray[np.float64], y: NDArray[np.float64], *met: float) -> Bounds | None:
    """Return the box around corners, larger by what rounding can err on numbers as large as these and those met.

    None if they are not finite.
    """
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return None
    largest = max(map(abs, (*x.tolist(), *y.tolist(), *met)))
    return Bounds.around(x, y, 8 * float(np.spacing(largest)))


def _reach(shift: Shift) -> Range:
    """Return the range of a shift, as far as it is known."""
    if isinstance(shift, Moves):
        reach: Range = getattr(shift, "range", UNBOUNDED)
        return reach
    return UNBOUNDED if callable(shift) else (float(shift), float(shift))


def _about(place: tuple[float, ...]) -> str:
    if not any(place):
        return ""
    shown = place if len(place) == 2 or place[2] else place[:2]
    return f", about=({', '.join(map(number_text, shown))})"


def _shift(axis: str, value: Shift) -> Expression:
    if isinstance(value, Moves):
        if hasattr(value, "range"):  # a field, not a condition
            return value.expression
    elif isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        return _constant(_number("warp", value))
    elif callable(value):
        return Function(value, UNBOUNDED)
    raise InputError(f"warp: {axis} is {value!r}; give metres: a Field, a number or a function of (x, y)")


@lru_cache(maxsize=256)
def _constant(value: float) -> Constant:
    """Return one object a number, so that warps by equal numbers are equal."""
    return Constant(value)


def _number(name: str, value: object) -> float:
    return number_in(name, value, "finite numbers")


def _numbers(name: str, values: object) -> tuple[float, ...]:
    try:
        numbers = tuple(_number(name, value) for value in values)  # type: ignore[attr-defined]
    except TypeError:
        numbers = ()
    if len(numbers) not in (2, 3):
        raise InputError(f"{name}: got {values!r}; give one number, or one an axis: (x, y) or (x, y, z)")
    return numbers


def _place(name: str, about: Sequence[float]) -> tuple[float, float, float]:
    x, y, *rest = _numbers(f"{name}: about", about)
    return x, y, rest[0] if rest else 0.0
