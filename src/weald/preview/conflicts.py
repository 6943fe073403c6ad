"""Which points stand too close, and where one more would fit."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]


def conflicting(xy: Array, radius: Array) -> NDArray[np.bool_]:
    """Return which points have another nearer than the larger of their two radii.

    Parameters
    ----------
    xy : ndarray, shape (n, 2)
        Finite places.
    radius : ndarray, shape (n,)
        Above 0.
    """
    conflict = np.zeros(len(xy), np.bool_)
    if len(xy) < 2:
        return conflict
    low = xy.min(axis=0)
    width, depth = (xy.max(axis=0) - low).tolist()
    # cells about as small as the smallest radius, but not many more than points
    cell = max(float(radius.min()), math.sqrt(width * depth / len(xy)), max(width, depth) / len(xy))
    nx, ny = int(width / cell) + 1, int(depth / cell) + 1
    column = ((xy[:, 0] - low[0]) / cell).astype(np.intp)
    row = ((xy[:, 1] - low[1]) / cell).astype(np.intp)
    index = row * nx + column
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(nx * ny + 1))
    _mark_conflicts(xy, radius, column, row, order, starts, cell, nx, ny, conflict)
    return conflict


@njit(cache=True, nogil=True)
def _mark_conflicts(
    xy: Array,
    radius: Array,
    column: NDArray[np.intp],
    row: NDArray[np.intp],
    order: NDArray[np.intp],
    starts: NDArray[np.intp],
    cell: float,
    nx: int,
    ny: int,
    conflict: NDArray[np.bool_],
) -> None:  # pragma: no cover - compiled
    """Search about each point as far as its own radius; who has the larger one finds the pair."""
    for a in range(xy.shape[0]):
        reach = int(radius[a] / cell) + 1
        for j in range(max(row[a] - reach, 0), min(row[a] + reach + 1, ny)):
            first = starts[j * nx + max(column[a] - reach, 0)]
            last = starts[j * nx + min(column[a] + reach, nx - 1) + 1]
            for k in range(first, last):
                b = order[k]
                dx, dy = xy[a, 0] - xy[b, 0], xy[a, 1] - xy[b, 1]
                if b != a and math.sqrt(dx * dx + dy * dy) < radius[a]:
                    conflict[a] = True
                    conflict[b] = True


@njit(cache=True, nogil=True)
def mark_covered(x: Array, y: Array, radius: Array, covered: NDArray[np.bool_]) -> None:  # pragma: no cover - compiled
    """Mark the pixels whose middle is nearer to a point than its radius, all in pixels."""
    height, width = covered.shape
    for k in range(x.size):
        r = radius[k]
        for j in range(max(math.floor(y[k] - r), 0), min(math.ceil(y[k] + r), height)):
            dy = j + 0.5 - y[k]
            for i in range(max(math.floor(x[k] - r), 0), min(math.ceil(x[k] + r), width)):
                dx = i + 0.5 - x[k]
                if dx * dx + dy * dy < r * r:
                    covered[j, i] = True
