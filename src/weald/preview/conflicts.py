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
def mark_covered(
    x: Array, y: Array, radius: Array, own: Array, covered: NDArray[np.bool_]
) -> None:  # pragma: no cover - compiled
    """Mark the pixels that a point keeps free: nearer to it than the larger of its radius and the pixel's own.

    All in pixels. Where ``own`` is all 0, each point keeps its own radius free.
    """
    height, width = covered.shape
    most = own.max()
    for k in range(x.size):
        r = max(radius[k], most)
        for j in range(max(math.floor(y[k] - r), 0), min(math.ceil(y[k] + r), height)):
            dy = j + 0.5 - y[k]
            for i in range(max(math.floor(x[k] - r), 0), min(math.ceil(x[k] + r), width)):
                dx = i + 0.5 - x[k]
                keeps = max(radius[k], own[j, i])
                if dx * dx + dy * dy < keeps * keeps:
                    covered[j, i] = True
