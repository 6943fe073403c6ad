"""Kernels of the probing of cells for the radii that occur in them; see `weald.sampling.classes`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import float64, int64, njit, uint64
from numpy.typing import NDArray

from weald.hashing import mix
from weald.sampling.state import STEPS

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@njit(cache=True, nogil=True, error_model="numpy")
def probes(
    kept: Flags,
    corner: tuple[int, int],
    period: tuple[int, int],
    origin: tuple[float, float],
    cell: tuple[float, float],
    key: np.uint64,
    side: int,
    ends: tuple[float, float, float, float],
    x: Array,
    y: Array,
) -> None:
    """Fill in a place in each of ``side`` x ``side`` parts of the cells that are kept, cell after cell.

    ``corner`` is the first cell; each place lies in the middle half of its share of the cell, and between the ``ends``.
    """
    xmin, ymin, xmax, ymax = ends
    n = 0
    for row in range(kept.shape[0]):
        j = int64(row) + corner[1]
        if period[1] > 0:
            j %= period[1]
        for column in range(kept.shape[1]):
            if not kept[row, column]:
                continue
            i = int64(column) + corner[0]
            if period[0] > 0:
                i %= period[0]
            bits = mix(uint64(i) ^ (uint64(j) << uint64(32)) ^ key)
            for part in range(side * side):
                across, up = part % side, part // side
                wide, high = (bits >> uint64(8 * part)) & uint64(255), (bits >> uint64(32 + 8 * part)) & uint64(255)
                at_x = origin[0] + (float64(i) + (across + 0.25 + float64(wide) / 512.0) / side) * cell[0]
                at_y = origin[1] + (float64(j) + (up + 0.25 + float64(high) / 512.0) / side) * cell[1]
                x[n] = min(max(at_x, xmin), xmax)
                y[n] = min(max(at_y, ymin), ymax)
                n += 1


@njit(error_model="numpy", inline="always")
def _least(above: Any, here: Any, below: Any, column: Any) -> Any:
    """Return the least of three numbers, and infinity for what is none."""
    least = math.inf
    least = here[column] if here[column] < least else least
    least = above[column] if above[column] < least else least
    return below[column] if below[column] < least else least


@njit(error_model="numpy", inline="always")
def _most(above: Any, here: Any, below: Any, column: Any) -> Any:
    """Return the largest of three numbers, and minus infinity for what is none."""
    most = -math.inf
    most = here[column] if here[column] > most else most
    most = above[column] if above[column] > most else most
    return below[column] if below[column] > most else most


@njit(cache=True, nogil=True, error_model="numpy")
def narrow(kept: Flags, radius: Array, bound: float, near: Flags) -> tuple[int, int, int, int]:
    """Keep the cells where a probe, or one of a neighbour, comes below a bound; return the box of what is left.

    ``radius`` holds the four probes of each kept cell.
    """
    height, width = kept.shape
    least = np.full((height + 2, width + 2), math.inf)
    k = 0
    for row in range(height):
        for column in range(width):
            if kept[row, column]:
                least[row + 1, column + 1] = min(min(radius[k], radius[k + 1]), min(radius[k + 2], radius[k + 3]))
                k += 4
    line = np.empty(width + 2)
    left, middle, right = line[:width], line[1 : width + 1], line[2:]
    xmin, ymin, xmax, ymax = width, height, 0, 0
    for row in range(height):
        above, here, below = least[row], least[row + 1], least[row + 2]
        for column in range(width + 2):
            line[column] = _least(above, here, below, column)
        old, new = kept[row], near[row]
        some = 0
        for column in range(width):
            close = int(min(min(left[column], middle[column]), right[column]) < bound) & int(old[column])
            new[column] = close != 0
            some |= close
        if some != 0:
            ymin, ymax = min(ymin, row), row + 1
            first, last = 0, width - 1
            while not new[first]:
                first += 1
            while not new[last]:
                last -= 1
            xmin, xmax = min(xmin, first), max(xmax, last + 1)
    return xmin, ymin, xmax, ymax


@njit(cache=True, nogil=True, error_model="numpy")
def quarters(near: Flags, left: int, low: int, across: Flags, up: Flags, kept: Flags) -> None:
    """Fill in which quarters of the near cells, from a corner on, lie in columns and rows that the domain touches."""
    for row in range(len(up)):
        old, new = near[row // 2 + low], kept[row]
        for column in range(len(across)):
            new[column] = (old[column // 2 + left] & across[column]) & up[row]


@njit(cache=True, nogil=True, error_model="numpy")
def spread(kept: Flags, side: int, radius: Array, left: int, low: int, found: Array) -> None:
    """Write the probes of kept cells into an array of the cells' parts, from a corner on; what has none is NaN.

    ``found`` has a margin of one.
    """
    found[:] = math.nan
    height, width = found.shape
    k = 0
    for row in range(kept.shape[0]):
        for column in range(kept.shape[1]):
            if not kept[row, column]:
                continue
            for part in range(side * side):
                j, i = side * row + part // side - low + 1, side * column + part % side - left + 1
                if j > 0 and j < height - 1 and i > 0 and i < width - 1:
                    found[j, i] = radius[k]
                k += 1


@njit(cache=True, nogil=True, error_model="numpy")
def decide(
    kept: Flags,
    found: Array,
    low: float,
    high: float,
    wanted: Flags,
    sure: Flags,
    step: NDArray[np.uint8],
) -> None:
    """Fill in which kept cells may hold radii from ``low`` up to below ``high``, which hold them alone, and the least.

    ``found`` has a margin of one.
    """
    height, width = kept.shape
    small, large = np.empty(width + 2), np.empty(width + 2)
    small_left, small_here, small_right = small[:width], small[1 : width + 1], small[2:]
    large_left, large_here, large_right = large[:width], large[1 : width + 1], large[2:]
    for row in range(height):
        above, here, below = found[row], found[row + 1], found[row + 2]
        for column in range(width + 2):
            small[column] = _least(above, here, below, column)
        for column in range(width + 2):
            large[column] = _most(above, here, below, column)
        old, may, must, steps = kept[row], wanted[row], sure[row], step[row]
        for column in range(width):
            least = min(min(small_left[column], small_here[column]), small_right[column])
            most = max(max(large_left[column], large_here[column]), large_right[column])
            may[column] = (old[column] & (most >= low)) & (least < high)
            must[column] = (old[column] & (least >= low)) & (most < high)
            share = ((least if may[column] else low) / low - 1.0) * STEPS
            steps[column] = int(min(max(share, 0.0), STEPS - 1.0))
