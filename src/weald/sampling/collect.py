"""What comes out of a computation: points, ids, and where it was not enough."""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint32, uint64
from numpy.typing import NDArray

from weald.hashing import mix
from weald.sampling.state import EMPTY, FOG, Cells, Frame


@njit(cache=True, nogil=True, error_model="numpy")
def foggy(frame: Frame, cells: Cells, inner: tuple[int, int, int, int], block: int, found: NDArray[np.bool_]) -> bool:
    """Mark the blocks of ``block`` x ``block`` cells, in a part of the frame, that hold a foggy cell."""
    some = False
    left, low, right, high = inner
    for j in range(low, high):
        for i in range(left, right):
            if cells.head[j * frame.width + i] == FOG:
                found[(j - low) // block, (i - left) // block] = True
                some = True
    return some


@njit(cache=True, nogil=True, error_model="numpy")
def collect(
    i0: int,
    j0: int,
    cell_x: int,
    cell_y: int,
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    window: tuple[int, int, int, int],
    id_key: np.uint64,
    places: NDArray[np.int64],
    ids: NDArray[np.uint64],
) -> int:
    """Write down the places, from the origin, of the points of a block of cells that lie in a window.

    (i0, j0) is the block's first cell. The id of a point is a bijection of its cell, so no two
    points of a layer share one.
    """
    n = 0
    xmin, ymin, xmax, ymax = window
    for j in range(x.shape[0]):
        for i in range(x.shape[1]):
            if x[j, i] == EMPTY:
                continue
            at_x, at_y = int64(i + i0), int64(j + j0)
            gx, gy = at_x * cell_x + x[j, i], at_y * cell_y + y[j, i]
            if gx < xmin or gx >= xmax or gy < ymin or gy >= ymax:
                continue
            places[n, 0], places[n, 1] = gx, gy
            cell = uint64(uint32(at_x)) | (uint64(uint32(at_y)) << uint64(32))
            ids[n] = mix(cell ^ uint64(id_key))
            n += 1
    return n
