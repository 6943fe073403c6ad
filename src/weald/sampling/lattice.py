"""The lattice that points live on: cells, places inside them, and exact arithmetic.

The plane is cut into square cells so small that two points of one cell always conflict
(side at most ``radius / sqrt(2)``), and each cell into 65536 x 65536 places. A point is a cell
and a place in it, both integers, so every decision of the sampler is integer arithmetic. Space
is cut into cubes of side at most ``radius / sqrt(3)`` in the same way.

The side of a cell is a number of six significant bits times a power of two. That costs at most
3 % of the side and buys exactness: the coordinates of a place, their differences to
neighbouring points and the squared distances are all float64 numbers without any rounding, up
to two thousand million cells from the origin. So the spacing that a user measures in float64 is
the spacing that the sampler decided on, with no tolerance, anywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import NDArray

from weald.sampling import limits
from weald.sampling.limits import PLACES as PLACES
from weald.sampling.limits import REACH as REACH

_SIGNIFICANT_BITS = 6


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cells and places for one spacing radius.

    Attributes
    ----------
    cell : float
        Side of a cell in metres.
    unit : float
        Distance between neighbouring places in metres: ``cell / 65536``.
    conflict : int
        Two points conflict if their squared distance, in units, is below this.
    """

    cell: float
    unit: float
    conflict: int

    @classmethod
    def for_radius(cls, radius: float, dimension: int = 2) -> Self:
        """Return the lattice of the plane, or of space, for points at least ``radius`` apart.

        >>> lattice = Lattice.for_radius(1.0)
        >>> lattice.cell, lattice.cell * 2**0.5 <= 1.0
        (0.703125, True)
        """
        exact = Fraction(radius)
        # the largest m * 2**e with m in [32, 64) whose diagonal is no longer than the radius
        power = math.frexp(radius)[1] - _SIGNIFICANT_BITS - 1
        step = Fraction(2) ** power
        steps = math.isqrt(math.floor((exact / step) ** 2 / dimension))
        while steps >= 1 << _SIGNIFICANT_BITS:
            power, steps = power + 1, steps // 2
            step *= 2
        cell = steps * step
        unit = cell / PLACES
        return cls(float(cell), float(unit), math.ceil((exact / unit) ** 2))

    def enlarged(self, doublings: int) -> Lattice:
        """Return the lattice for twice, four times ... the radius: each of its cells is four of the one before."""
        return Lattice(self.cell * 2.0**doublings, self.unit * 2.0**doublings, self.conflict)

    def ceil(self, coordinate: float, name: str = "bounds") -> int:
        """Return the first place, counted from the origin, that does not lie below a coordinate.

        Exact, so that half-open boxes that share an edge share no place and leave none out. ``name`` is what an
        error calls the box.
        """
        place = math.ceil(Fraction(coordinate) / Fraction(self.unit))
        limits.check_place(place, coordinate, self.cell, name)
        return place


@dataclass(frozen=True, slots=True)
class Metric:
    """How places become coordinates, cells hold places, and the world repeats.

    Attributes
    ----------
    origin : tuple of float
        Coordinates of place (0, 0).
    unit : tuple of float
        Distances between neighbouring places, along x and y.
    cell : tuple of int
        Places along the sides of a cell.
    period : tuple of int
        Cells after which the world repeats, along x and y; 0 where it does not.
    stretch : float
        By how much lengths are longer than they are, so that no distance that a user computes is too short: 1 but on
        a torus, whose coordinates are rounded.
    rounding : float
        By how much such a distance may be too short, in metres; see `weald.sampling.limits.rounding`.
    """

    origin: tuple[float, float]
    unit: tuple[float, float]
    cell: tuple[int, int]
    period: tuple[int, int]
    stretch: float = 1.0
    rounding: float = 0.0

    @classmethod
    def of_plane(cls, lattice: Lattice) -> Self:
        """Return the metric of the infinite plane: exact."""
        return cls((0.0, 0.0), (lattice.unit, lattice.unit), (PLACES, PLACES), (0, 0))

    def enlarged(self, doublings: int) -> Metric:
        """Return the metric of cells twice, four times ... as large; the periods must be so many times even."""
        scale = 2.0**doublings
        across, up = (round(cells / scale) for cells in self.period)
        return replace(self, unit=(self.unit[0] * scale, self.unit[1] * scale), period=(across, up))

    @property
    def side(self) -> tuple[float, float]:
        """Sides of a cell in metres."""
        return self.cell[0] * self.unit[0], self.cell[1] * self.unit[1]

    @property
    def repeats(self) -> bool:
        """Whether the world repeats along some axis; coordinates are rounded then."""
        return self.period != (0, 0)

    def lengths(self, metres: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return lengths in places, the shorter, rounded up: no distance in places is above them that is not in metres.

        On a torus they are longer by more than float64 loses in its coordinates.
        """
        unit = min(self.unit)
        metres = metres * self.stretch
        whole: NDArray[np.float64] = np.ceil(metres / unit)
        return whole + (whole * unit < metres)

    def xy(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return coordinates of places."""
        across: NDArray[np.float64] = x.astype(np.float64) * self.unit[0] + self.origin[0]
        up: NDArray[np.float64] = y.astype(np.float64) * self.unit[1] + self.origin[1]
        return across, up
