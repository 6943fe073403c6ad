"""Which points stand too close, and where one more would fit."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.sampling.quality import conflicts

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
    if len(xy) > 1:
        low, high = xy.min(axis=0), xy.max(axis=0)
        room = float((high - low).max()) + 1.0  # the box of `conflicts` is half-open
        conflict[conflicts(xy, (*low, *(high + room)), radius=radius).ravel()] = True
    return conflict


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
