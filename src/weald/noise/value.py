"""Value noise: random values at the corners of a lattice, blended smoothly.

The oldest lattice noise. Its values are blended with Perlin's quintic, so it is smooth; its corners
stand out as the peaks and pits, which gradient noise puts between them.

**Range.** A blend, with weights that are positive and sum to 1, of values in [-1, 1).

**Slope.** The slope of the fade, at most 15/8, times the difference of two blends, at most 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.noise.basis import Basis
from weald.noise.lattice import NO_PERIOD, Jet, along_w, along_x, along_y, along_z, fade, lattice, step, wrap

STEEPEST = 3.75
"""What no derivative along an axis exceeds, per cell."""


@njit(nogil=True, cache=True, forceinline=True)
def _line(row: np.uint64, i: np.int64, nx: np.int64, x: float) -> Jet:  # pragma: no cover - compiled
    # shifted right by 11 bits, a hash is a whole number that float64 holds
    left = np.float64(step(row, wrap(i, nx)) >> np.uint64(11)) * 2.0**-52 - 1.0
    right = np.float64(step(row, wrap(i + 1, nx)) >> np.uint64(11)) * 2.0**-52 - 1.0
    return along_x((left, 0.0, 0.0, 0.0, 0.0), (right, 0.0, 0.0, 0.0, 0.0), x)


@njit(nogil=True, cache=True, forceinline=True)
def _plane(
    layer: np.uint64, i: np.int64, j: np.int64, nx: np.int64, ny: np.int64, x: float, y: float
) -> Jet:  # pragma: no cover - compiled
    below = _line(step(layer, wrap(j, ny)), i, nx, x)
    above = _line(step(layer, wrap(j + 1, ny)), i, nx, x)
    return along_y(below, above, y)


@njit(nogil=True, cache=True, forceinline=True)
def _volume(
    key: np.uint64,
    i: np.int64,
    j: np.int64,
    m: np.int64,
    nx: np.int64,
    ny: np.int64,
    nz: np.int64,
    x: float,
    y: float,
    z: float,
) -> Jet:  # pragma: no cover - compiled
    below = _plane(step(key, wrap(m, nz)), i, j, nx, ny, x, y)
    above = _plane(step(key, wrap(m + 1, nz)), i, j, nx, ny, x, y)
    return along_z(below, above, z)


@njit(nogil=True, cache=True, forceinline=True)
def _jet2(key: np.uint64, x: float, y: float, nx: np.int64, ny: np.int64) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    return _plane(key, i, j, nx, ny, x, y)


@njit(nogil=True, cache=True, forceinline=True)
def _jet3(
    key: np.uint64, x: float, y: float, z: float, nx: np.int64, ny: np.int64, nz: np.int64
) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    m, z = lattice(z)
    return _volume(key, i, j, m, nx, ny, nz, x, y, z)


@njit(nogil=True, cache=True, forceinline=True)
def _jet4(
    key: np.uint64, x: float, y: float, z: float, w: float, nx: np.int64, ny: np.int64, nz: np.int64, nw: np.int64
) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    m, z = lattice(z)
    o, w = lattice(w)
    before = _volume(step(key, wrap(o, nw)), i, j, m, nx, ny, nz, x, y, z)
    after = _volume(step(key, wrap(o + 1, nw)), i, j, m, nx, ny, nz, x, y, z)
    return along_w(before, after, w)


@njit(nogil=True, cache=True)
def value2_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """Fill ``out[0]`` with noise of the plane and, if ``out`` has three rows, the others with its derivatives.

    ``at``, of shape (2, n), holds places in lattice cells; derivatives are per cell.
    """
    xs, ys, values = at[0], at[1], out[0]
    nx, ny = wraps[0], wraps[1]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _jet2(key, xs[k], ys[k], nx, ny)[0]
    else:
        dx, dy = out[1], out[2]
        for k in range(values.size):
            jet = _jet2(key, xs[k], ys[k], nx, ny)
            values[k] = jet[0]
            dx[k], dy[k] = jet[1], jet[2]


@njit(nogil=True, cache=True)
def value3_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `value2_fill`, in space: ``at`` has three rows, and ``out`` one or four."""
    xs, ys, zs, values = at[0], at[1], at[2], out[0]
    nx, ny, nz = wraps[0], wraps[1], wraps[2]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _jet3(key, xs[k], ys[k], zs[k], nx, ny, nz)[0]
    else:
        dx, dy, dz = out[1], out[2], out[3]
        for k in range(values.size):
            jet = _jet3(key, xs[k], ys[k], zs[k], nx, ny, nz)
            values[k] = jet[0]
            dx[k], dy[k], dz[k] = jet[1], jet[2], jet[3]


@njit(nogil=True, cache=True)
def value4_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `value2_fill`, in four dimensions: ``at`` has four rows, and ``out`` one or five."""
    xs, ys, zs, ws, values = at[0], at[1], at[2], at[3], out[0]
    nx, ny, nz, nw = wraps[0], wraps[1], wraps[2], wraps[3]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _jet4(key, xs[k], ys[k], zs[k], ws[k], nx, ny, nz, nw)[0]
    else:
        dx, dy, dz, dw = out[1], out[2], out[3], out[4]
        for k in range(values.size):
            jet = _jet4(key, xs[k], ys[k], zs[k], ws[k], nx, ny, nz, nw)
            values[k] = jet[0]
            dx[k], dy[k], dz[k], dw[k] = jet[1], jet[2], jet[3], jet[4]


@njit(nogil=True, cache=True)
def value2_grid(
    key: np.uint64, x: NDArray[np.float64], y: NDArray[np.float64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """Fill ``out``, of shape (ny, nx), with noise of the plane at every pair of columns ``x`` and rows ``y``, in cells.

    The blend along x is found once a lattice row and column; a place blends two of these along y.
    """
    cell, fx = np.empty(x.size, np.int64), np.empty(x.size)
    below, above = np.empty(x.size), np.empty(x.size)
    for i in range(x.size):
        cell[i], fx[i] = lattice(x[i])
    held, endless = np.int64(0), np.int64(NO_PERIOD)
    for j in range(y.size):
        cell_y, fy = lattice(y[j])
        if j == 0 or cell_y != held:
            # new blends move those above down; where this row of cells is not the next, there are two
            for side in range(1 if j > 0 and cell_y == held + 1 else 0, 2):
                row = step(key, cell_y + side)
                for i in range(x.size):
                    below[i] = above[i]
                    above[i] = _line(row, cell[i], endless, fx[i])[0]
            held = cell_y
        v = fade(fy)
        for i in range(x.size):
            out[j, i] = below[i] + v * (above[i] - below[i])


def _value2_mesh(key: np.uint64, axes: Sequence[NDArray[np.float64]], out: NDArray[np.float64]) -> None:
    value2_grid(key, axes[0], axes[1], out)


VALUE = {
    2: Basis("value2", 2, value2_fill, low=-1.0, high=1.0, steepest=STEEPEST, mesh=_value2_mesh),
    3: Basis("value3", 3, value3_fill, low=-1.0, high=1.0, steepest=STEEPEST),
    4: Basis("value4", 4, value4_fill, low=-1.0, high=1.0, steepest=STEEPEST),
}
