"""What lies beyond the edge, and in voids: the level down to which water can leave the ground."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def surround(heights: Array) -> tuple[Array, Mask]:  # pragma: no cover - compiled
    """Return heights in a ring of one sample, and where there is ground; the ring and voids are none.

    A sample without ground beside ground gets the height at which the ground would go on straight,
    the mean of what its neighbours say. It stays so for good, like the sea at a coast. So a slope
    that falls towards the edge goes on falling there, and no river digs below it.
    """
    ny, nx = heights.shape
    padded = np.full((ny + 2, nx + 2), math.nan)
    for j in range(ny):  # a slice would do, but its check of shapes takes seconds to compile
        for i in range(nx):
            padded[j + 1, i + 1] = heights[j, i]
    ground = ~np.isnan(padded)
    levels = np.full((ny + 2, nx + 2), math.nan)
    for j in range(ny + 2):
        for i in range(nx + 2):
            if ground[j, i]:
                levels[j, i] = padded[j, i]
                continue
            total, count = 0.0, 0
            for dj in range(-1, 2):
                for di in range(-1, 2):
                    a, b = j + dj, i + di
                    if (dj == 0 and di == 0) or a < 0 or b < 0 or a >= ny + 2 or b >= nx + 2 or not ground[a, b]:
                        continue
                    near = padded[a, b]
                    a, b = a + dj, b + di
                    inside = 0 <= a < ny + 2 and 0 <= b < nx + 2 and ground[a, b]
                    total += 2.0 * near - padded[a, b] if inside else near
                    count += 1
            if count:
                levels[j, i] = total / count
    return levels, ground
