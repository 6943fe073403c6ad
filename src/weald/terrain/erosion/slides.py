"""Slides: what lies steeper than the talus angle moves downhill.

After Musgrave, Kolb and Mace, "The synthesis and rendering of eroded fractal terrains", SIGGRAPH
1989, but every pair of neighbours is treated alone: what moves between two samples depends on
those two only. So an iteration reaches one sample far, nothing is lost, and no order matters.
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
    heights: Array, ground: Mask, step: float, talus: float, share: float, out: Array
) -> None:  # pragma: no cover - compiled
    """Add to ``out`` what each sample gains in one iteration: ``share`` of what is too much moves, a neighbour.

    Diagonal neighbours, being farther, get half of it. The shares of all eight add up to six times
    ``share``; up to a sum of 1, each height plus its gain is a rising function of every height.
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
                    if rise > limit:
                        gain += part * (rise - limit)
                    elif rise < -limit:
                        gain += part * (rise + limit)
            out[j, i] += gain
