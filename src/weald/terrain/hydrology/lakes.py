"""Lakes: depressions that fill until they spill over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Lakes:
    """Depressions of the ground, filled to the brim.

    Attributes
    ----------
    number : ndarray of int32, shape (ny, nx)
        Which lake covers each sample, from 1 in the order of their southernmost, then westernmost
        samples; 0 where none does.
    depth : ndarray of float64, shape (ny, nx)
        Metres of water; 0 on dry ground, NaN on voids.
    level : ndarray of float64, shape (ny, nx)
        Height of the water, metres; NaN off the lakes.
    levels, areas, deepest : ndarray of float64, shape (n,)
        Of each lake: height of the water, area in m², greatest depth in metres.
    """

    number: Labels
    depth: Array
    level: Array
    levels: Array
    areas: Array
    deepest: Array

    def __len__(self) -> int:
        return len(self.levels)

    def __repr__(self) -> str:
        return f"Lakes({len(self)}, {self.areas.sum():g} m², up to {self.deepest.max(initial=0.0):g} m deep)"


def find_lakes(heights: Array, filled: Array, cell: float, least_depth: float, least_area: float) -> Lakes:
    """Return the lakes that are somewhere deep and altogether large enough; ``cell`` is a sample's area."""
    number = np.zeros(heights.shape, np.int32)
    deep = filled - heights
    count = _label(deep, number)
    size: Array = np.bincount(number.ravel(), minlength=count + 1) * np.float64(cell)
    deepest, levels = np.zeros(count + 1), np.zeros(count + 1)
    wet = number > 0
    np.maximum.at(deepest, number[wet], deep[wet])
    levels[number[wet]] = filled[wet]
    kept = (deepest >= least_depth) & (size >= least_area)
    kept[0] = False
    renumbered = np.where(kept, np.cumsum(kept), 0).astype(np.int32)
    number = renumbered[number]
    wet = number > 0
    depth = np.where(np.isnan(heights), np.nan, np.where(wet, deep, 0.0))
    return Lakes(number, depth, np.where(wet, filled, np.nan), levels[kept], size[kept], deepest[kept])


@njit(cache=True, nogil=True)
def _label(deep: Array, number: Labels) -> int:  # pragma: no cover - compiled
    """Number the connected parts; return how many.

    Each is level: water beside lower water is not held by it, so it stands no higher than its ground.
    """
    ny, nx = deep.shape
    stack = np.empty((deep.size, 2), np.int32)
    count = 0
    for j in range(ny):
        for i in range(nx):
            if not deep[j, i] > 0.0 or number[j, i]:
                continue
            count += 1
            number[j, i] = count
            stack[0, 0], stack[0, 1] = j, i
            size = 1
            while size:
                size -= 1
                b, a = stack[size, 0], stack[size, 1]
                for v in range(max(b - 1, 0), min(b + 2, ny)):
                    for u in range(max(a - 1, 0), min(a + 2, nx)):
                        if deep[v, u] > 0.0 and number[v, u] == 0:
                            number[v, u] = count
                            stack[size, 0], stack[size, 1] = v, u
                            size += 1
    return count
