"""What comes out of a computation: points, ids, and where it was not enough."""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint32, uint64
from numpy.typing import NDArray

from weald.hashing import mix
from weald.sampling.lattice import PLACES
from weald.sampling.state import EMPTY, FOG, Cells, Darts, Frame, dart_x, dart_y


@njit(cache=True, nogil=True, error_model="numpy")
def foggy(frame: Frame, cells: Cells, rim: int, block: int, found: NDArray[np.bool_]) -> bool:
    """Mark the blocks of ``block`` x ``block`` cells, inside the rim, that hold a foggy cell."""
    some = False
    for j in range(rim, frame.height - rim):
        for i in range(rim, frame.width - rim):
            if cells.head[j * frame.width + i] == FOG:
                found[(j - rim) // block, (i - rim) // block] = True
                some = True
    return some


@njit(cache=True, nogil=True, error_model="numpy")
def collect(
    i0: int,
    j0: int,
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    window: tuple[int, int, int, int],
    unit: float,
    id_key: np.uint64,
    xy: NDArray[np.float64],
    ids: NDArray[np.uint64],
) -> int:
    """Write the points of a block of cells that lie in a window; (i0, j0) is the block's first cell.

    The id of a point is a bijection of its cell, so no two points of a layer share one.
    """
    n = 0
    xmin, ymin, xmax, ymax = window
    for j in range(x.shape[0]):
        for i in range(x.shape[1]):
            if x[j, i] == EMPTY:
                continue
            gx, gy = int64(i) * PLACES + x[j, i], int64(j) * PLACES + y[j, i]
            if gx < xmin or gx >= xmax or gy < ymin or gy >= ymax:
                continue
            column, row = int64(i + i0), int64(j + j0)
            xy[n, 0] = float(column * PLACES + x[j, i]) * unit
            xy[n, 1] = float(row * PLACES + y[j, i]) * unit
            cell = uint64(uint32(column)) | (uint64(uint32(row)) << uint64(32))
            ids[n] = mix(cell ^ uint64(id_key))
            n += 1
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def places(
    frame: Frame,
    unit: float,
    darts: Darts,
    which: NDArray[np.intp],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> None:
    """Fill in where some of the darts landed, in metres; exact, see `weald.sampling.lattice`."""
    for a in range(len(which)):
        k = which[a]
        j = darts.cell[k] // frame.width
        i = darts.cell[k] - j * frame.width
        x[a] = float((i + frame.i0) * PLACES + dart_x(darts.bits[k])) * unit
        y[a] = float((j + frame.j0) * PLACES + dart_y(darts.bits[k])) * unit
