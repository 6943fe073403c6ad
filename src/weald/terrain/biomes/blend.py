"""Blended borders: a place is as much of a biome as the scattered points around it are.

Normalised sparse convolution: see `weald.terrain.biomes.Biomes.weight`. All of it is additions,
multiplications and divisions in a fixed order, so it has the same bits on every machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.fields.evaluate import at_points
from weald.fields.expression import Expression, Places, Values, price
from weald.noise.lattice import step as hashed
from weald.terrain.patches import around

Array = NDArray[np.float64]

_REACH = 3
"""Cells of scattered points across the radius: fewer show their places, more cost their square.

It also proves that no sum is 0: the point of a place's own cell is within sqrt(2) cells of it.
"""
_PATCH = 16


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """The scattered points, each with the code of its place.

    Attributes
    ----------
    codes
        Expression of the codes.
    key
        Key of the lattice of points.
    radius
        How far a point counts, in metres.
    """

    codes: Expression
    dtype: np.dtype[Any]
    void: int
    key: int
    radius: float

    def count(self, places: Places, wanted: NDArray[np.int64]) -> Array:
        """Return the weight of each wanted code at places, of shape (wanted, n); NaN where all points are void."""
        out = np.empty((len(wanted), math.prod(places.shape)))
        cell = self.radius / _REACH
        for part in around(places, cell, _PATCH, _REACH):
            shape = (len(part.first_x), part.size, part.size)
            at_x, at_y = np.empty(shape), np.empty(shape)
            _scatter(np.uint64(self.key), part.first_x, part.first_y, at_x, at_y)
            x, y = part.cells()
            votes = at_points(self.codes, self.dtype, (x + at_x) * cell, (y + at_y) * cell).astype(np.int64)
            first = part.first_x[part.patch], part.first_y[part.patch]
            columns, rows = part.cell_x - first[0], part.cell_y - first[1]
            _count(
                part.which, part.patch, columns, rows, part.inside_x, part.inside_y,
                at_x, at_y, votes, np.int64(self.void), wanted, out,
            )  # fmt: skip
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Weight(Expression):
    """The weight of one code."""

    votes: Votes
    code: int
    written: str

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 300.0 + price(self.votes.codes).nanoseconds

    def at(self, places: Places) -> Values:
        """Count the points around each place."""
        weights: Values = self.votes.count(places, np.array([self.code]))[0].reshape(places.shape)
        return weights

    def text(self, depth: int = 0) -> str:
        """Return the call that made it."""
        return self.written


@dataclass(frozen=True, slots=True, eq=False)
class Blend(Expression):
    """The values of all codes, by their weights."""

    votes: Votes
    values: tuple[Expression, ...]
    names: tuple[str, ...]
    low: float
    high: float

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The values."""
        return self.values

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 300.0 + price(self.votes.codes).nanoseconds

    def at(self, places: Places) -> Values:
        """Sum weight times value, in the order of the table."""
        weights = self.votes.count(places, np.arange(len(self.values))).reshape(-1, *places.shape)
        total = np.zeros(places.shape)
        for weight, part in zip(weights, self.values, strict=True):
            # a value that has no part in the sum is not looked at: it may be NaN or infinite
            total += np.where(weight == 0.0, 0.0, weight * places.values(part))
        # only rounding can leave the range
        held: Values = np.minimum(np.maximum(total, self.low), self.high)
        return held

    def text(self, depth: int = 0) -> str:
        """Return the call that made it."""
        words = ", ".join(
            f"{name!r}: {part.text(depth + 1)}" for name, part in zip(self.names, self.values, strict=True)
        )
        return f"blend({{{words}}})"


@njit(nogil=True, cache=True)
def _scatter(
    key: np.uint64, first_x: NDArray[np.int64], first_y: NDArray[np.int64], at_x: Array, at_y: Array
) -> None:  # pragma: no cover - compiled
    """Fill in where each cell's point lies in it, in [0, 1)."""
    for patch in range(first_x.size):
        for j in range(at_x.shape[1]):
            row = hashed(key, first_y[patch] + j)
            for i in range(at_x.shape[2]):
                bits = hashed(row, first_x[patch] + i)
                at_x[patch, j, i] = float(bits >> np.uint64(32)) * 2.0**-32
                at_y[patch, j, i] = float(bits & np.uint64(0xFFFFFFFF)) * 2.0**-32


@njit(nogil=True, cache=True)
def _count(
    which: NDArray[np.int64],
    patch: NDArray[np.int64],
    columns: NDArray[np.int64],
    rows: NDArray[np.int64],
    inside_x: Array,
    inside_y: Array,
    at_x: Array,
    at_y: Array,
    votes: NDArray[np.int64],
    void: np.int64,
    wanted: NDArray[np.int64],
    out: Array,
) -> None:  # pragma: no cover - compiled
    """Fill the weights of the wanted codes at places, from the points of the cells around each."""
    sums = np.zeros(wanted.size)
    for k in range(which.size):
        sums[:] = 0.0
        total = 0.0
        for dj in range(-_REACH, _REACH + 1):
            j = rows[k] + dj
            for di in range(-_REACH, _REACH + 1):
                i = columns[k] + di
                x = float(di) + at_x[patch[k], j, i] - inside_x[k]
                y = float(dj) + at_y[patch[k], j, i] - inside_y[k]
                nearness = 1.0 - (x * x + y * y) / float(_REACH * _REACH)
                code = votes[patch[k], j, i]
                if nearness > 0.0 and code != void:
                    share = nearness * nearness
                    total += share
                    for number in range(wanted.size):
                        if wanted[number] == code:
                            sums[number] += share
        for number in range(wanted.size):
            out[number, which[k]] = sums[number] / total if total > 0.0 else np.nan
