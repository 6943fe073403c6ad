"""What comes out of a computation in space: points and ids."""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.hashing import mix
from weald.sampling.lattice import PLACES
from weald.sampling.volume.state import NO_POINT, Darts, Frame, clip, corner, place_x, place_y, place_z

_BITS = 21
_LOW = (1 << _BITS) - 1


@njit(cache=True, nogil=True, error_model="numpy")
def collect(
    i0: int,
    j0: int,
    k0: int,
    place: NDArray[np.int64],
    window: tuple[int, int, int, int, int, int],
    unit: float,
    id_key: np.uint64,
    xyz: NDArray[np.float64],
    ids: NDArray[np.uint64],
) -> int:
    """Write the points of a block of cells that lie in a window; (i0, j0, k0) is the block's first cell.

    The id of a point is a hash of its cell: a bijection inside each of the world's cubes of 2**21
    cells a side, in which no two points of a layer can share one.
    """
    n = 0
    xmin, ymin, zmin, xmax, ymax, zmax = window
    for k in range(place.shape[0]):
        for j in range(place.shape[1]):
            for i in range(place.shape[2]):
                bits = place[k, j, i]
                if bits == NO_POINT:
                    continue
                x, y, z = i * PLACES + place_x(bits), j * PLACES + place_y(bits), k * PLACES + place_z(bits)
                if x < xmin or x >= xmax or y < ymin or y >= ymax or z < zmin or z >= zmax:
                    continue
                xyz[n, 0] = float(i0 * PLACES + x) * unit
                xyz[n, 1] = float(j0 * PLACES + y) * unit
                xyz[n, 2] = float(k0 * PLACES + z) * unit
                column, row, layer = int64(i0 + i), int64(j0 + j), int64(k0 + k)
                cube = mix(uint64(column >> _BITS) ^ uint64(id_key))
                cube = mix(uint64(row >> _BITS) ^ cube)
                cube = mix(uint64(layer >> _BITS) ^ cube)
                cell = uint64(column & _LOW) | (uint64(row & _LOW) << uint64(_BITS))
                ids[n] = mix((cell | (uint64(layer & _LOW) << uint64(2 * _BITS))) ^ cube)
                n += 1
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def coordinates(frame: Frame, unit: float, darts: Darts, which: NDArray[np.intp], out: NDArray[np.float64]) -> None:
    """Write where some of the darts landed, in metres, shape (3, k); exact, see `weald.sampling.lattice`.

    Of a dart outside the domain, the nearest place inside; its box reaches there.
    """
    for a in range(len(which)):
        f = which[a]
        bits = darts.bits[f]
        i, j, k = corner(frame, int64(darts.cell[f]))
        xmin, xmax, ymin, ymax, zmin, zmax = clip(frame, i, j, k)
        x = min(max(place_x(bits), xmin), xmax - 1)
        y = min(max(place_y(bits), ymin), ymax - 1)
        z = min(max(place_z(bits), zmin), zmax - 1)
        out[0, a] = float((i + frame.i0) * PLACES + x) * unit
        out[1, a] = float((j + frame.j0) * PLACES + y) * unit
        out[2, a] = float((k + frame.k0) * PLACES + z) * unit
