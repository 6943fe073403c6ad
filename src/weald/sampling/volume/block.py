"""Boxes of whole numbers in space: of cells, or of places."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from weald.sampling.extent import UNBOUNDED
from weald.sampling.lattice import PLACES

Whole = tuple[int, int, int]
"""Three whole numbers: along x, y and z."""


class Block(NamedTuple):
    """A half-open box of whole numbers: of cells, or of places counted from the origin."""

    low: Whole
    high: Whole

    def intersection(self, other: Block) -> Block:
        """Return the common part; empty if a maximum is not above its minimum."""
        (a, b, c), (d, e, f) = self
        (g, h, i), (j, k, m) = other
        return Block((max(a, g), max(b, h), max(c, i)), (min(d, j), min(e, k), min(f, m)))

    def grown(self, by: int) -> Block:
        """Return the box with a margin on all sides."""
        (a, b, c), (d, e, f) = self
        return Block((a - by, b - by, c - by), (d + by, e + by, f + by))

    @property
    def shape(self) -> Whole:
        """Layers, rows and columns of an array over the box."""
        (a, b, c), (d, e, f) = self
        return f - c, e - b, d - a

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return min(self.shape) <= 0

    def slices(self, inner: Block) -> tuple[slice, slice, slice]:
        """Return where an inner box lies in an array over this one."""
        (a, b, c), (d, e, f) = inner
        i, j, k = self.low
        return slice(c - k, f - k), slice(b - j, e - j), slice(a - i, d - i)

    def places(self, cell: Whole) -> tuple[int, int, int, int, int, int]:
        """Return the box, of places, as counted from a cell, clamped to what 64 bits hold."""
        a, b, c, d, e, f = (
            max(-UNBOUNDED, min(UNBOUNDED, side - first * PLACES))
            for side, first in zip((*self.low, *self.high), cell * 2, strict=True)
        )
        return a, b, c, d, e, f

    def cells(self) -> Block:
        """Return the cells that a box of places touches."""
        (a, b, c), (d, e, f) = self
        return Block((a // PLACES, b // PLACES, c // PLACES), (-(-d // PLACES), -(-e // PLACES), -(-f // PLACES)))

    def parts(self, side: int, together: int = 1) -> Iterator[Block]:
        """Cut the box along the world's cubes of a side: layer by layer from below, rows from the south-west.

        Up to so many cubes an axis stay ``together``, and as evenly as can be.
        """
        axes = []
        for low, high in zip(self.low, self.high, strict=True):
            first, count = low // side, -(-high // side) - low // side
            pieces = -(-count // together)
            cuts = [(first + count * n // pieces) * side for n in range(pieces + 1)]
            axes.append([(max(a, low), min(b, high)) for a, b in itertools.pairwise(cuts)])
        for z, y, x in itertools.product(*axes[::-1]):
            yield Block((x[0], y[0], z[0]), (x[1], y[1], z[1]))


EVERYWHERE = Block((-UNBOUNDED,) * 3, (UNBOUNDED,) * 3)
