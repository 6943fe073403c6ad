"""Slides and creep: what lies steeper than the talus angle moves downhill, and all soil a little.

Slides are after Musgrave, Kolb and Mace, "The synthesis and rendering of eroded fractal terrains", SIGGRAPH
1989, creep after Culling, "Analytical theory of erosion", Journal of Geology 68, 1960. Every pair of
neighbours is treated alone: what moves between two samples depends on those two only. So an
iteration reaches one sample far, nothing is lost, and no order matters.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def slide(
    heights: Array, ground: Mask, step: float, talus: float, share: float, creep: float, out: Array
) -> None:  # pragma: no cover - compiled
    """Add to ``out`` what each sample gains in one iteration.

    To each neighbour moves ``share`` of what is too much and ``creep`` of the whole difference; half
    of it obliquely, where it is farther. All eight parts together are six times that; up to 1, each
    height plus its gain is a rising function of every height, so that no new humps or pits arise.
    """
    rows, columns = heights.shape
    straight, oblique = talus * step, talus * step * math.sqrt(2.0)
    for j in range(1, rows - 1):
        for i in range(1, columns - 1):
            if not ground[j, i]:
                continue
            here = heights[j, i]
            gain = 0.0
            for dj in range(-1, 2):
                for di in range(-1, 2):
                    a, b = j + dj, i + di
                    if (dj == 0 and di == 0) or not ground[a, b]:
                        continue
                    limit = straight if dj == 0 or di == 0 else oblique
                    part = share if dj == 0 or di == 0 else 0.5 * share
                    rise = heights[a, b] - here
                    gain += (creep if dj == 0 or di == 0 else 0.5 * creep) * rise
                    if rise > limit:
                        gain += part * (rise - limit)
                    elif rise < -limit:
                        gain += part * (rise + limit)
            out[j, i] += gain
