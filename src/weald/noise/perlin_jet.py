"""Perlin's gradient noise in 2, 3 and 4 dimensions, with its exact derivatives, and with a period if wanted.

Ken Perlin, "Improving noise", 2002, with hashed corners and the directions of `weald.noise.directions`.
In the plane it is the noise of `weald.noise.perlin` (which is the fast way to its values), to rounding.

**Range.** Before it is scaled, the noise is a sum ``Σ w_c (g_c · d_c)`` over the corners of a cell, where
``|g_c| = 1`` and the weights are positive and sum to 1. As `weald.noise.perlin` shows, that is at most
``sqrt(Σ w_c |d_c|²) <= sqrt(d / 4)`` in d dimensions. Scaled by the inverse, it lies within [-1, 1].

**Slope.** Its derivative along an axis is ``Σ w_c g_c`` of that axis, at most 1, and what the fade adds:
``fade' <= 15/8`` times a difference of two blends of ramps, one from each side. A blend of ramps is at
most ``sqrt(t² + a)``, where t is the distance from its side and ``a = (d - 1) / 4`` bounds the other axes,
as above; and ``sqrt(t² + a) + sqrt((1 - t)² + a)`` is convex, so it is greatest at the ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.noise.basis import Basis
from weald.noise.directions import direction2, direction3, direction4
from weald.noise.fractal import Octaves, fbm2_grid, fbm2_points
from weald.noise.lattice import NO_PERIOD, Jet, along_w, along_x, along_y, along_z, lattice, step, wrap
from weald.noise.perlin import NORMALISE
from weald.noise.perlin_level import perlin3_level

# 1 / sqrt(3 / 4); in four dimensions it is 1
NORMALISE3 = 1.1547005383792515


def steepest(dimensions: int) -> float:
    """Return what no derivative along an axis exceeds, per cell, of the noise scaled to [-1, 1].

    >>> [round(steepest(d), 2) for d in (2, 3, 4)]
    [5.7, 5.34, 5.1]
    """
    a = (dimensions - 1) / 4.0
    return (1.0 + 15.0 / 8.0 * (math.sqrt(a) + math.sqrt(1.0 + a))) / math.sqrt(dimensions / 4.0)


@njit(nogil=True, cache=True, forceinline=True)
def _corner(
    dimensions: int, h: np.uint64, x: float, y: float, z: float, w: float
) -> Jet:  # pragma: no cover - compiled
    """Return the ramp of a corner; ``dimensions`` is a constant wherever this is called from."""
    if dimensions == 2:
        gx, gy = direction2(h)
        return gx * x + gy * y, gx, gy, 0.0, 0.0
    if dimensions == 3:
        gx, gy, gz = direction3(h)
        return gx * x + gy * y + gz * z, gx, gy, gz, 0.0
    gx, gy, gz, gw = direction4(h)
    return gx * x + gy * y + gz * z + gw * w, gx, gy, gz, gw


@njit(nogil=True, cache=True, forceinline=True)
def _line(
    dimensions: int, row: np.uint64, i: np.int64, nx: np.int64, x: float, y: float, z: float, w: float
) -> Jet:  # pragma: no cover - compiled
    left = _corner(dimensions, step(row, wrap(i, nx)), x, y, z, w)
    right = _corner(dimensions, step(row, wrap(i + 1, nx)), x - 1.0, y, z, w)
    return along_x(left, right, x)


@njit(nogil=True, cache=True, forceinline=True)
def _plane(
    dimensions: int,
    layer: np.uint64,
    i: np.int64,
    j: np.int64,
    nx: np.int64,
    ny: np.int64,
    x: float,
    y: float,
    z: float,
    w: float,
) -> Jet:  # pragma: no cover - compiled
    below = _line(dimensions, step(layer, wrap(j, ny)), i, nx, x, y, z, w)
    above = _line(dimensions, step(layer, wrap(j + 1, ny)), i, nx, x, y - 1.0, z, w)
    return along_y(below, above, y)


@njit(nogil=True, cache=True, forceinline=True)
def _volume(
    dimensions: int,
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
    w: float,
) -> Jet:  # pragma: no cover - compiled
    below = _plane(dimensions, step(key, wrap(m, nz)), i, j, nx, ny, x, y, z, w)
    above = _plane(dimensions, step(key, wrap(m + 1, nz)), i, j, nx, ny, x, y, z - 1.0, w)
    return along_z(below, above, z)


@njit(nogil=True, cache=True, forceinline=True)
def _jet2(key: np.uint64, x: float, y: float, nx: np.int64, ny: np.int64) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    return _plane(2, key, i, j, nx, ny, x, y, 0.0, 0.0)


@njit(nogil=True, cache=True, forceinline=True)
def _jet3(
    key: np.uint64, x: float, y: float, z: float, nx: np.int64, ny: np.int64, nz: np.int64
) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    m, z = lattice(z)
    return _volume(3, key, i, j, m, nx, ny, nz, x, y, z, 0.0)


@njit(nogil=True, cache=True, forceinline=True)
def _jet4(
    key: np.uint64, x: float, y: float, z: float, w: float, nx: np.int64, ny: np.int64, nz: np.int64, nw: np.int64
) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    m, z = lattice(z)
    o, w = lattice(w)
    before = _volume(4, step(key, wrap(o, nw)), i, j, m, nx, ny, nz, x, y, z, w)
    after = _volume(4, step(key, wrap(o + 1, nw)), i, j, m, nx, ny, nz, x, y, z, w - 1.0)
    return along_w(before, after, w)


@njit(nogil=True, cache=True)
def perlin2_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """Fill ``out[0]`` with noise of the plane and, if ``out`` has three rows, the others with its derivatives.

    ``at``, of shape (2, n), holds places in lattice cells; derivatives are per cell.
    """
    xs, ys, values = at[0], at[1], out[0]
    nx, ny = wraps[0], wraps[1]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = NORMALISE * _jet2(key, xs[k], ys[k], nx, ny)[0]
    else:
        dx, dy = out[1], out[2]
        for k in range(values.size):
            jet = _jet2(key, xs[k], ys[k], nx, ny)
            values[k] = NORMALISE * jet[0]
            dx[k], dy[k] = NORMALISE * jet[1], NORMALISE * jet[2]


@njit(nogil=True, cache=True)
def perlin3_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `perlin2_fill`, in space: ``at`` has three rows, and ``out`` one or four."""
    xs, ys, zs, values = at[0], at[1], at[2], out[0]
    nx, ny, nz = wraps[0], wraps[1], wraps[2]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = NORMALISE3 * _jet3(key, xs[k], ys[k], zs[k], nx, ny, nz)[0]
    else:
        dx, dy, dz = out[1], out[2], out[3]
        for k in range(values.size):
            jet = _jet3(key, xs[k], ys[k], zs[k], nx, ny, nz)
            values[k] = NORMALISE3 * jet[0]
            dx[k], dy[k], dz[k] = NORMALISE3 * jet[1], NORMALISE3 * jet[2], NORMALISE3 * jet[3]


@njit(nogil=True, cache=True)
def perlin4_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `perlin2_fill`, in four dimensions: ``at`` has four rows, and ``out`` one or five."""
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


def _perlin2_fill(key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]) -> None:
    if out.shape[0] == 1 and (wraps == NO_PERIOD).all():
        fbm2_points(at[0], at[1], _one_octave(key), out[0])
    else:
        perlin2_fill(key, at, wraps, out)


def _perlin2_mesh(key: np.uint64, axes: Sequence[NDArray[np.float64]], out: NDArray[np.float64]) -> None:
    fbm2_grid(axes[0], axes[1], _one_octave(key), out)


def _perlin3_mesh(key: np.uint64, axes: Sequence[NDArray[np.float64]], out: NDArray[np.float64]) -> None:
    perlin3_level(key, axes[0], axes[1], float(axes[2][0]), NORMALISE3, out)


def _one_octave(key: np.uint64) -> Octaves:
    zero = np.zeros(1)
    return Octaves(np.array([key], np.uint64), zero, zero, np.ones(1), np.array([NORMALISE]))


PERLIN = {
    2: Basis("perlin", 2, _perlin2_fill, low=-1.0, high=1.0, steepest=steepest(2), mesh=_perlin2_mesh),
    3: Basis("perlin3", 3, perlin3_fill, low=-1.0, high=1.0, steepest=steepest(3), mesh=_perlin3_mesh),
    4: Basis("perlin4", 4, perlin4_fill, low=-1.0, high=1.0, steepest=steepest(4)),
}
