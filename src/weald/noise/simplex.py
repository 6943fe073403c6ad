"""Simplex noise in 2, 3 and 4 dimensions, with its exact derivatives.

Ken Perlin, "Noise hardware" (2001); Stefan Gustavson, "Simplex noise demystified" (2005). Space is
cut into simplices (triangles, tetrahedra ...), d + 1 corners around a place instead of the 2^d of a
cell, and each corner's ramp fades with the distance from it alone, in all directions alike:
``t⁴ (g · d)`` with ``t = 1/2 - |d|²``, and nothing beyond. Every face of every simplex lies
``sqrt(1/2)`` from the corner opposite, in every dimension, so the noise and its first three
derivatives are continuous. (The common 0.6 in place of 1/2 makes jumps in space.) Directions are those
of `weald.noise.directions`. The patent on the method (US 6,867,776) ran out in 2022.

**Range.** ``|noise| <= Σ t⁴ |d|`` over the corners of the simplex. The greatest such sum is found by
branch and bound over one simplex (all are alike up to permutation and reflection), which the tests
repeat: 0.01008, 0.00929 and 0.00921. `SCALE` is one over that, less some 0.2 %, so values lie within [-1, 1].

**Slope.** A corner adds at most ``t⁴ + 8 t³ |d|²`` to the length of the gradient: that is
``t³ (4 - 7t)``, greatest at t = 3/7, where it is ``(3/7)³``.

**No period.** In the plane the lattice is skewed by an irrational number, so it repeats along no pair
of axes. weald gives simplex noise no period in any dimension.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.noise.basis import Basis
from weald.noise.directions import direction2, direction3, direction4
from weald.noise.lattice import Jet, lattice, step

SCALE = (99.0, 107.5, 108.4)
"""What brings the noise of 2, 3 and 4 dimensions into [-1, 1]."""
_SCALE2, _SCALE3, _SCALE4 = SCALE
# the skew (sqrt(d + 1) - 1) / d, and what undoes it, (1 - 1 / sqrt(d + 1)) / d
_SKEW2, _UNSKEW2 = (math.sqrt(3.0) - 1.0) / 2.0, (3.0 - math.sqrt(3.0)) / 6.0
_SKEW3, _UNSKEW3 = 1.0 / 3.0, 1.0 / 6.0
_SKEW4, _UNSKEW4 = (math.sqrt(5.0) - 1.0) / 4.0, (5.0 - math.sqrt(5.0)) / 20.0


def steepest(dimensions: int) -> float:
    """Return what no derivative along an axis exceeds, per cell, of the noise scaled to [-1, 1]."""
    return (dimensions + 1) * (27.0 / 343.0) * SCALE[dimensions - 2]


def unskewed(shift: tuple[float, ...]) -> tuple[float, ...]:
    """Return where a place of the skewed lattice, in which the corners are whole numbers, really lies."""
    d = len(shift)
    total = 0.0  # not by sum(), which since Python 3.12 keeps what rounding loses
    for axis in shift:
        total += axis
    back = total * (_UNSKEW2, _UNSKEW3, _UNSKEW4)[d - 2]
    return tuple(axis - back for axis in shift)


@njit(nogil=True, cache=True, forceinline=True)
def _corner2(row: np.uint64, i: np.int64, x: float, y: float, sum_: Jet) -> Jet:  # pragma: no cover - compiled
    """Add what a corner gives to a sum; ``(x, y)`` leads from the corner to the place."""
    gx, gy = direction2(step(row, i))
    ramp = gx * x + gy * y
    t = 0.5 - (x * x + y * y)
    t = 0.0 if t < 0.0 else t  # NaN stays
    t3 = t * t * t
    fall = -8.0 * t3 * ramp
    t4 = t3 * t
    return sum_[0] + t4 * ramp, sum_[1] + (t4 * gx + fall * x), sum_[2] + (t4 * gy + fall * y), 0.0, 0.0


@njit(nogil=True, cache=True, forceinline=True)
def _corner3(
    row: np.uint64, i: np.int64, x: float, y: float, z: float, sum_: Jet
) -> Jet:  # pragma: no cover - compiled
    gx, gy, gz = direction3(step(row, i))
    ramp = gx * x + gy * y + gz * z
    t = 0.5 - (x * x + y * y + z * z)
    t = 0.0 if t < 0.0 else t
    t3 = t * t * t
    fall = -8.0 * t3 * ramp
    t4 = t3 * t
    return (
        sum_[0] + t4 * ramp,
        sum_[1] + (t4 * gx + fall * x),
        sum_[2] + (t4 * gy + fall * y),
        sum_[3] + (t4 * gz + fall * z),
        0.0,
    )


@njit(nogil=True, cache=True, forceinline=True)
def _corner4(
    row: np.uint64, i: np.int64, x: float, y: float, z: float, w: float, sum_: Jet
) -> Jet:  # pragma: no cover - compiled
    gx, gy, gz, gw = direction4(step(row, i))
    ramp = gx * x + gy * y + gz * z + gw * w
    t = 0.5 - (x * x + y * y + z * z + w * w)
    t = 0.0 if t < 0.0 else t
    t3 = t * t * t
    fall = -8.0 * t3 * ramp
    t4 = t3 * t
    return (
        sum_[0] + t4 * ramp,
        sum_[1] + (t4 * gx + fall * x),
        sum_[2] + (t4 * gy + fall * y),
        sum_[3] + (t4 * gz + fall * z),
        sum_[4] + (t4 * gw + fall * w),
    )


@njit(nogil=True, cache=True, forceinline=True)
def _jet2(key: np.uint64, x: float, y: float) -> Jet:  # pragma: no cover - compiled
    skew = (x + y) * _SKEW2
    i, fx = lattice(x + skew)
    j, fy = lattice(y + skew)
    # the place in the cell, unskewed: this keeps its digits far from the origin, where x - i would lose them
    back = (fx + fy) * _UNSKEW2
    x, y = fx - back, fy - back
    # the simplex walks from the cell's first corner to its last along the longer coordinate first
    a = np.int64(fx >= fy)
    sum_ = _corner2(step(key, j), i, x, y, (0.0, 0.0, 0.0, 0.0, 0.0))
    u = _UNSKEW2
    sum_ = _corner2(step(key, j + 1 - a), i + a, x - a + u, y - (1 - a) + u, sum_)
    u = 2.0 * _UNSKEW2 - 1.0
    return _corner2(step(key, j + 1), i + 1, x + u, y + u, sum_)


@njit(nogil=True, cache=True, forceinline=True)
def _jet3(key: np.uint64, x: float, y: float, z: float) -> Jet:  # pragma: no cover - compiled
    skew = (x + y + z) * _SKEW3
    i, fx = lattice(x + skew)
    j, fy = lattice(y + skew)
    m, fz = lattice(z + skew)
    back = (fx + fy + fz) * _UNSKEW3
    x, y, z = fx - back, fy - back, fz - back
    # how many of the other coordinates each is ahead of: the greatest steps first
    xy, xz, yz = np.int64(fx >= fy), np.int64(fx >= fz), np.int64(fy >= fz)
    rank_x, rank_y, rank_z = xy + xz, 1 - xy + yz, 2 - xz - yz
    sum_ = _corner3(step(step(key, m), j), i, x, y, z, (0.0, 0.0, 0.0, 0.0, 0.0))
    for n in range(1, 3):
        a, b, c = np.int64(rank_x > 2 - n), np.int64(rank_y > 2 - n), np.int64(rank_z > 2 - n)
        u = n * _UNSKEW3
        sum_ = _corner3(step(step(key, m + c), j + b), i + a, x - a + u, y - b + u, z - c + u, sum_)
    u = 3.0 * _UNSKEW3 - 1.0
    return _corner3(step(step(key, m + 1), j + 1), i + 1, x + u, y + u, z + u, sum_)


@njit(nogil=True, cache=True, forceinline=True)
def _jet4(key: np.uint64, x: float, y: float, z: float, w: float) -> Jet:  # pragma: no cover - compiled
    skew = (x + y + z + w) * _SKEW4
    i, fx = lattice(x + skew)
    j, fy = lattice(y + skew)
    m, fz = lattice(z + skew)
    o, fw = lattice(w + skew)
    back = (fx + fy + fz + fw) * _UNSKEW4
    x, y, z, w = fx - back, fy - back, fz - back, fw - back
    xy, xz, xw = np.int64(fx >= fy), np.int64(fx >= fz), np.int64(fx >= fw)
    yz, yw, zw = np.int64(fy >= fz), np.int64(fy >= fw), np.int64(fz >= fw)
    rank_x, rank_y, rank_z, rank_w = xy + xz + xw, 1 - xy + yz + yw, 2 - xz - yz + zw, 3 - xw - yw - zw
    sum_ = _corner4(step(step(step(key, o), m), j), i, x, y, z, w, (0.0, 0.0, 0.0, 0.0, 0.0))
    for n in range(1, 4):
        a, b = np.int64(rank_x > 3 - n), np.int64(rank_y > 3 - n)
        c, d = np.int64(rank_z > 3 - n), np.int64(rank_w > 3 - n)
        u = n * _UNSKEW4
        row = step(step(step(key, o + d), m + c), j + b)
        sum_ = _corner4(row, i + a, x - a + u, y - b + u, z - c + u, w - d + u, sum_)
    u = 4.0 * _UNSKEW4 - 1.0
    return _corner4(step(step(step(key, o + 1), m + 1), j + 1), i + 1, x + u, y + u, z + u, w + u, sum_)


@njit(nogil=True, cache=True)
def simplex2_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """Fill ``out[0]`` with noise of the plane and, if ``out`` has three rows, the others with its derivatives.

    ``at``, of shape (2, n), holds places; derivatives are per unit of these. There are no periods to wrap at.
    """
    xs, ys, values = at[0], at[1], out[0]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _SCALE2 * _jet2(key, xs[k], ys[k])[0]
    else:
        dx, dy = out[1], out[2]
        for k in range(values.size):
            jet = _jet2(key, xs[k], ys[k])
            values[k] = _SCALE2 * jet[0]
            dx[k], dy[k] = _SCALE2 * jet[1], _SCALE2 * jet[2]


@njit(nogil=True, cache=True)
def simplex3_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `simplex2_fill`, in space: ``at`` has three rows, and ``out`` one or four."""
    xs, ys, zs, values = at[0], at[1], at[2], out[0]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _SCALE3 * _jet3(key, xs[k], ys[k], zs[k])[0]
    else:
        dx, dy, dz = out[1], out[2], out[3]
        for k in range(values.size):
            jet = _jet3(key, xs[k], ys[k], zs[k])
            values[k] = _SCALE3 * jet[0]
            dx[k], dy[k], dz[k] = _SCALE3 * jet[1], _SCALE3 * jet[2], _SCALE3 * jet[3]


@njit(nogil=True, cache=True)
def simplex4_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `simplex2_fill`, in four dimensions: ``at`` has four rows, and ``out`` one or five."""
    xs, ys, zs, ws, values = at[0], at[1], at[2], at[3], out[0]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _SCALE4 * _jet4(key, xs[k], ys[k], zs[k], ws[k])[0]
    else:
        dx, dy, dz, dw = out[1], out[2], out[3], out[4]
        for k in range(values.size):
            jet = _jet4(key, xs[k], ys[k], zs[k], ws[k])
            values[k] = _SCALE4 * jet[0]
            dx[k], dy[k], dz[k], dw[k] = _SCALE4 * jet[1], _SCALE4 * jet[2], _SCALE4 * jet[3], _SCALE4 * jet[4]


SIMPLEX = {
    d: Basis(f"simplex{d}", d, fill, low=-1.0, high=1.0, steepest=steepest(d), skewed=True)
    for d, fill in ((2, simplex2_fill), (3, simplex3_fill), (4, simplex4_fill))
}
