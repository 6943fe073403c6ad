"""Which samples of a grid a box needs."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike, Grid


class Span(NamedTuple):
    """Rows ``j0 <= j < j1`` and columns ``i0 <= i < i1`` of a grid."""

    j0: int
    j1: int
    i0: int
    i1: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Index of an array on the whole grid that gives the part."""
        return slice(self.j0, self.j1), slice(self.i0, self.i1)

    @classmethod
    def whole(cls, shape: tuple[int, int]) -> Span:
        """Return the span of all rows and columns."""
        return cls(0, shape[0], 0, shape[1])

    def of(self, grid: Grid) -> Grid:
        """Return the part of a grid that the span names."""
        x, y = grid.xmin + self.i0 * grid.spacing, grid.ymin + self.j0 * grid.spacing
        return Grid(x, y, grid.spacing, self.i1 - self.i0, self.j1 - self.j0)


@lru_cache(maxsize=1024)
def slack(grid: Grid) -> float:
    """Return how far rounding may carry an outermost sample off the ground, in samples."""
    box = grid.bounds
    far = max(abs(box.xmin), abs(box.ymin), abs(box.xmax), abs(box.ymax))
    return 2.0 * float(np.spacing(far)) / grid.spacing


def covering(grid: Grid, bounds: BoundsLike, name: str = "bounds") -> Span:
    """Return the samples that cover a box, as far as the grid goes; two rows and two columns at least."""
    box, ground = Bounds.of(bounds, name), grid.bounds
    if ground.intersection(box) is None:
        raise InputError(
            f"{name}: {_corners(box)} does not meet the ground, which spans {_corners(ground)}; give a box that does"
        )
    i0, i1 = _stretch(grid, box.xmin - ground.xmin, box.xmax - ground.xmin, grid.nx)
    j0, j1 = _stretch(grid, box.ymin - ground.ymin, box.ymax - ground.ymin, grid.ny)
    return Span(j0, j1 + 1, i0, i1 + 1)


def _stretch(grid: Grid, low: float, high: float, count: int) -> tuple[int, int]:
    """Return the first and last sample needed to cover a stretch."""
    first = math.floor(low / grid.spacing + slack(grid))
    last = math.ceil(high / grid.spacing - slack(grid))
    first = min(max(first, 0), count - 2)
    return first, max(min(last, count - 1), first + 1)


def _corners(box: Bounds) -> str:
    return f"({box.xmin}, {box.ymin}, {box.xmax}, {box.ymax})"
