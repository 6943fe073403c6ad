"""Boxes and grids: where something is asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.numbers import floats, metres, number, number_in, places, whole_in

_MOST_STEPS = 2.0**53  # of a grid: beyond, float64 does not count them


@dataclass(frozen=True, slots=True)
class Bounds:
    """A half-open box ``[xmin, xmax) x [ymin, ymax)``, in metres.

    >>> Bounds(0, 0, 4, 3).size
    (4.0, 3.0)
    """

    xmin: float
    ymin: float
    xmax: float
    ymax: float

    def __post_init__(self) -> None:
        for name in ("xmin", "ymin", "xmax", "ymax"):
            value = number(getattr(self, name))
            if value is None or not math.isfinite(value):
                raise InputError(f"bounds: {name} is {getattr(self, name)!r}; give a finite number")
            object.__setattr__(self, name, value)
        if self.xmax <= self.xmin or self.ymax <= self.ymin:
            raise InputError(
                f"bounds: ({self.xmin}, {self.ymin}, {self.xmax}, {self.ymax}) is empty; "
                "give xmin < xmax and ymin < ymax, in the order (xmin, ymin, xmax, ymax)"
            )
        if not all(map(math.isfinite, self.size)):
            raise InputError(f"bounds: the box is wider than any number: {self.size}; give ends nearer to each other")

    @classmethod
    def of(cls, value: BoundsLike, name: str = "bounds") -> Bounds:
        """Return ``value`` as Bounds: a Bounds, four numbers, or a pair of corners."""
        if isinstance(value, Bounds):
            return value
        found = floats(value)
        flat = [] if found is None else found.ravel().tolist()
        if len(flat) != 4:
            raise InputError(f"{name}: got {value!r}; give (xmin, ymin, xmax, ymax)")
        try:
            return cls(*flat)
        except InputError as error:
            raise InputError(str(error).replace("bounds", name, 1)) from None

    @property
    def size(self) -> tuple[float, float]:
        """Width and depth, in metres."""
        return self.xmax - self.xmin, self.ymax - self.ymin

    @property
    def area(self) -> float:
        """Area, in square metres."""
        width, depth = self.size
        return width * depth

    def intersection(self, other: Bounds) -> Bounds | None:
        """Return the common part of two boxes, or None if they have none."""
        other = Bounds.of(other, "other")
        xmin, ymin = max(self.xmin, other.xmin), max(self.ymin, other.ymin)
        xmax, ymax = min(self.xmax, other.xmax), min(self.ymax, other.ymax)
        return Bounds(xmin, ymin, xmax, ymax) if xmin < xmax and ymin < ymax else None

    def united(self, other: Bounds) -> Bounds:
        """Return the least box that holds both."""
        other = Bounds.of(other, "other")
        low = min(self.xmin, other.xmin), min(self.ymin, other.ymin)
        return Bounds(*low, max(self.xmax, other.xmax), max(self.ymax, other.ymax))

    def contains(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which places lie inside: the lower edges belong to the box, the upper do not."""
        x, y = places(x=x, y=y)
        return (x >= self.xmin) & (x < self.xmax) & (y >= self.ymin) & (y < self.ymax)

    def nearest(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return for each place the nearest one that lies inside, as x and y."""
        x, y = places(x=x, y=y)
        return (
            np.clip(x, self.xmin, math.nextafter(self.xmax, -math.inf)),
            np.clip(y, self.ymin, math.nextafter(self.ymax, -math.inf)),
        )

    def holds(self, other: Bounds) -> bool:
        """Return whether all of another box lies inside."""
        other = Bounds.of(other, "other")
        return (
            self.xmin <= other.xmin and self.ymin <= other.ymin and other.xmax <= self.xmax and other.ymax <= self.ymax
        )

    def grown(self, by: float) -> Bounds:
        """Return the box with a margin of so many metres on all sides."""
        by = number_in("by", by, "a finite number of metres")
        return Bounds(self.xmin - by, self.ymin - by, self.xmax + by, self.ymax + by)

    @classmethod
    def around(cls, x: NDArray[np.float64], y: NDArray[np.float64], margin: float) -> Bounds:
        """Return the box around some places, at least one, with a margin above 0."""
        margin = metres("margin", margin)
        x, y = places(x=x, y=y)
        if not x.size:
            raise InputError("x and y: no places; give at least one")
        return cls(x.min() - margin, y.min() - margin, x.max() + margin, y.max() + margin)


BoundsLike: TypeAlias = Bounds | Sequence[float] | Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class SpaceBounds:
    """A half-open box of space, ``low <= (x, y, z) < high``, in metres.

    >>> SpaceBounds.of((0, 0, -5, 4, 3, 0)).size
    (4.0, 3.0, 5.0)
    """

    low: tuple[float, float, float]
    high: tuple[float, float, float]

    @classmethod
    def of(cls, value: SpaceBoundsLike, name: str = "bounds") -> SpaceBounds:
        """Return ``value`` as SpaceBounds: SpaceBounds, six numbers, or a pair of corners."""
        if isinstance(value, SpaceBounds):
            return value
        found = floats(value)
        flat = [] if found is None else found.ravel().tolist()
        if len(flat) != 6 or not all(map(math.isfinite, flat)):
            raise InputError(f"{name}: got {value!r}; give six finite numbers (xmin, ymin, zmin, xmax, ymax, zmax)")
        low, high = flat[:3], flat[3:]
        if any(a >= b for a, b in zip(low, high, strict=True)):
            raise InputError(
                f"{name}: {tuple(flat)} is empty; give xmin < xmax, ymin < ymax and zmin < zmax, "
                "in the order (xmin, ymin, zmin, xmax, ymax, zmax)"
            )
        if not all(math.isfinite(b - a) for a, b in zip(low, high, strict=True)):
            raise InputError(f"{name}: {tuple(flat)} is wider than any number; give ends nearer to each other")
        return cls((low[0], low[1], low[2]), (high[0], high[1], high[2]))

    @staticmethod
    def fits(value: object) -> bool:
        """Return whether a value is meant as a box of space: whether it holds six numbers."""
        try:
            shape = np.asarray(value).shape
        except ValueError:  # rows of different lengths
            return False
        # three places of the plane are the corners of a triangle, and no box
        return isinstance(value, SpaceBounds) or (math.prod(shape) == 6 and shape != (3, 2))

    @property
    def size(self) -> tuple[float, float, float]:
        """Lengths along x, y and z, in metres."""
        (a, b, c), (d, e, f) = self.low, self.high
        return d - a, e - b, f - c

    def intersection(self, other: SpaceBounds) -> SpaceBounds | None:
        """Return the common part of two boxes, or None if they have none."""
        (a, b, c), (d, e, f) = self.low, self.high
        (g, h, i), (j, k, m) = other.low, other.high
        low, high = (max(a, g), max(b, h), max(c, i)), (min(d, j), min(e, k), min(f, m))
        return SpaceBounds(low, high) if all(p < q for p, q in zip(low, high, strict=True)) else None


SpaceBoundsLike: TypeAlias = (
    SpaceBounds
    | tuple[float, float, float, float, float, float]
    | tuple[tuple[float, float, float], tuple[float, float, float]]
)


@dataclass(frozen=True, slots=True)
class Grid:
    """Places at equal spacing: ``x = xmin + i * spacing``, ``y = ymin + j * spacing``.

    Arrays on a grid have shape ``(ny, nx)``; row 0 is the southernmost, column 0 the westernmost.

    >>> grid = Grid(xmin=0, ymin=10, spacing=5, nx=3, ny=2)
    >>> grid.shape, grid.x.tolist(), grid.y.tolist()
    ((2, 3), [0.0, 5.0, 10.0], [10.0, 15.0])
    """

    xmin: float
    ymin: float
    spacing: float
    nx: int
    ny: int

    def __post_init__(self) -> None:
        for name in ("xmin", "ymin", "spacing"):
            value = number(getattr(self, name))
            if value is None or not math.isfinite(value) or (name == "spacing" and value <= 0):
                given = f"{getattr(self, name)!r}; give a finite number{' above 0' * (name == 'spacing')}"
                raise InputError(f"grid: {name} is {given}")
            object.__setattr__(self, name, value)
        for name in ("nx", "ny"):
            count = whole_in(f"grid: {name}", getattr(self, name), "a whole number of at least 1", least=1)
            object.__setattr__(self, name, count)

    @classmethod
    def over(cls, bounds: BoundsLike, spacing: float) -> Grid:
        """Return the grid that starts at the lower corner of ``bounds`` and reaches its upper edges."""
        box = Bounds.of(bounds)
        width, depth = box.size
        spacing = metres("spacing", spacing)
        if not max(width, depth) / spacing < _MOST_STEPS:
            raise InputError(
                f"spacing: got {spacing} over {width:g} x {depth:g} m; give a larger one, for less than 2^53 steps"
            )
        # a whole number of steps where the size is one up to rounding, else one step past the edge
        nx, ny = (math.ceil(length / spacing - 1e-9) + 1 for length in (width, depth))
        return cls(box.xmin, box.ymin, spacing, nx, ny)

    @property
    def shape(self) -> tuple[int, int]:
        """Shape ``(ny, nx)`` of an array on this grid."""
        return self.ny, self.nx

    @property
    def x(self) -> NDArray[np.float64]:
        """Column positions, shape ``(nx,)``."""
        return self.xmin + self.spacing * np.arange(self.nx, dtype=np.float64)

    @property
    def y(self) -> NDArray[np.float64]:
        """Row positions, shape ``(ny,)``."""
        return self.ymin + self.spacing * np.arange(self.ny, dtype=np.float64)

    @property
    def bounds(self) -> Bounds:
        """The box spanned by the outermost samples; a grid of one row or column spans one spacing."""
        width, depth = max(self.nx - 1, 1) * self.spacing, max(self.ny - 1, 1) * self.spacing
        return Bounds(self.xmin, self.ymin, self.xmin + width, self.ymin + depth)
