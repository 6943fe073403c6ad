"""Cells so small that each holds at most one point: how to find conflicts without asking every pair.

Two points nearer than ``radius`` may be in different cells, but never more than two cells apart
along an axis: the side is ``radius / sqrt(dimension)``, and sqrt(3) < 2. So 5 x 5 cells (in
space 5 x 5 x 5) are looked at. With cells of side ``radius``, two points could share one, and
the first would be forgotten.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.errors import InputError
from weald.sampling.textbook.box import MOST, Box

Array = NDArray[np.float64]

REACH = 2
EMPTY = -1

_MARGIN = 1 - 2.0**-20
"""Which cell a point is in is computed with rounding; cells are smaller by far more than that."""


class Grid:
    """The points so far, and the cell that each is in.

    Attributes
    ----------
    cell : float
        Side of a cell in metres, just below ``radius / sqrt(dimension)``.
    holder : ndarray of int32, shape (nz, ny, nx)
        Number of the point in each cell, or EMPTY.
    points : ndarray of float64, shape (at most one a cell, 3)
        Coordinates, in the order of acceptance.
    limit : float
        Points conflict if their squared distance is below this.
    """

    def __init__(self, box: Box, radius: float) -> None:
        box.check_fine("radius", radius)
        self.cell = radius / math.sqrt(box.dimension) * _MARGIN
        cells = [length / self.cell for length in box.size]
        if math.prod(cells) > MOST or max(cells) > MOST:
            raise InputError(
                f"radius: {radius} in {' x '.join(f'{length:g}' for length in box.size)} needs about "
                f"{math.prod(cells):.3g} cells, more than {MOST}; give a larger radius, "
                "or use poisson_disk, which works window by window"
            )
        nx, ny, nz = [int(count) + 1 for count in cells] + [1] * (3 - box.dimension)
        self.holder = np.full((nz, ny, nx), EMPTY, np.int32)
        self.points = np.empty((self.holder.size, 3))
        self.limit = squared_limit(radius)


def squared_limit(radius: float) -> float:
    """Return the least squared distance whose root, rounded, is at least the radius; and no less than its square.

    So whoever compares distances, or their squares, finds the spacing kept, with no tolerance.
    """
    square = radius * radius
    while math.sqrt(square) < radius:
        square = math.nextafter(square, math.inf)
    return square


@njit(cache=True, nogil=True, error_model="numpy")
def fits(
    x: float, y: float, z: float, points: Array, holder: NDArray[np.int32], low: Array, cell: float, limit: float
) -> bool:
    """Return whether a place conflicts with no point."""
    nz, ny, nx = holder.shape
    ci, cj, ck = int((x - low[0]) / cell), int((y - low[1]) / cell), int((z - low[2]) / cell)
    for k in range(max(ck - REACH, 0), min(ck + REACH + 1, nz)):
        for j in range(max(cj - REACH, 0), min(cj + REACH + 1, ny)):
            for i in range(max(ci - REACH, 0), min(ci + REACH + 1, nx)):
                other = holder[k, j, i]
                if other != EMPTY:
                    dx, dy, dz = points[other, 0] - x, points[other, 1] - y, points[other, 2] - z
                    if dx * dx + dy * dy + dz * dz < limit:
                        return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def accept(
    x: float, y: float, z: float, count: int, points: Array, holder: NDArray[np.int32], low: Array, cell: float
) -> None:
    """Make a place that fits point number ``count``."""
    points[count, 0], points[count, 1], points[count, 2] = x, y, z
    holder[int((z - low[2]) / cell), int((y - low[1]) / cell), int((x - low[0]) / cell)] = count
