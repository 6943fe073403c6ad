"""What lies around a part of the ground: the next samples on each side, and where samples are counted from.

Slopes, normals and curvatures at a sample depend on its neighbours. A part that forgot them would have other ones along
its edges than the whole, and light would show where parts meet. And a place is given by its sample and the
fraction beyond it: counted from the corner of each part, the fraction would be rounded differently.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald.terrain.span import Span

Array = NDArray[np.float64]

MARGIN = 2
"""Samples remembered on each side: one for slopes and curvatures at the outermost, one more because rounding may put
a place on the edge into the cell beyond."""


class Surround(NamedTuple):
    """Heights of a part and, where the ground goes on, of the two samples next to it.

    Attributes
    ----------
    x, y : float
        Place of the sample with the number (0, 0), in metres.
    i, j : int
        Numbers of the first column and row of ``heights``.
    heights : ndarray of float64, shape (ny + 0 to 4, nx + 0 to 4)
        In metres, read-only.
    south, west : int
        Rows and columns of ``heights`` that lie before the part: 0 to 2.
    """

    x: float
    y: float
    i: int
    j: int
    heights: Array
    south: int = 0
    west: int = 0

    def part(self, span: Span) -> Surround:
        """Return what lies around some rows and columns of the part."""
        rows, columns = self.heights.shape
        j0, j1 = self.south + span.j0, self.south + span.j1
        i0, i1 = self.west + span.i0, self.west + span.i1
        bottom, left = max(j0 - MARGIN, 0), max(i0 - MARGIN, 0)
        heights = self.heights[bottom : min(j1 + MARGIN, rows), left : min(i1 + MARGIN, columns)].copy()
        heights.flags.writeable = False
        return Surround(self.x, self.y, self.i + left, self.j + bottom, heights, j0 - bottom, i0 - left)

    def own(self, shape: tuple[int, int]) -> Array:
        """Return the heights of the part itself, shape (ny, nx)."""
        return self.heights[self.south : self.south + shape[0], self.west : self.west + shape[1]]

    def rimmed(self, shape: tuple[int, int]) -> Array:
        """Return heights with one more sample on each side, NaN where there is none: shape (ny + 2, nx + 2)."""
        out = np.full((shape[0] + 2, shape[1] + 2), np.nan)
        bottom, left = min(self.south, 1), min(self.west, 1)
        known = self.heights[
            self.south - bottom : self.south + shape[0] + 1, self.west - left : self.west + shape[1] + 1
        ]
        rows, columns = known.shape
        out[1 - bottom : 1 - bottom + rows, 1 - left : 1 - left + columns] = known
        return out

    def outside(self, u: Array, v: Array, shape: tuple[int, int], slack: float) -> NDArray[np.bool_] | None:
        """Return which positions, in samples, lie beside the part; None if there is nothing beside it."""
        if self.heights.shape == shape:
            return None
        i, j = self.i + self.west, self.j + self.south
        # written so that NaN is outside
        return ~(
            (u >= i - slack) & (u <= i + shape[1] - 1 + slack) & (v >= j - slack) & (v <= j + shape[0] - 1 + slack)
        )
