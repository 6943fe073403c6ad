"""The lattice under every noise: cells, what is hashed at their corners, and how corners are blended.

What a corner gives is a tuple of five numbers: a value, and its derivatives along x, y, z and w. A
corner of fewer dimensions fills in zeros, which the compiler drops again where nobody asks for them.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix

Jet: TypeAlias = tuple[float, float, float, float, float]
"""A value and its derivatives along x, y, z, w."""

NO_PERIOD = 2**63 - 1
"""The period, in cells, of a lattice that has none."""
# beyond this, float64 has no fraction left and int64 soon no room
_FAR = 2.0**62


@njit(nogil=True, cache=True)
def lattice(coordinate: float) -> tuple[np.int64, float]:  # pragma: no cover - compiled
    """Return the lattice cell of a coordinate, an int64, and the place in the cell, in [0, 1]."""
    corner = float(np.floor(coordinate))
    # a conversion that does not fit has no defined result: keep NaN, infinity and the like from it
    fits = corner if abs(corner) < _FAR else 0.0
    return np.int64(fits), coordinate - corner


@njit(nogil=True, cache=True)
def fade(t: float) -> float:  # pragma: no cover - compiled
    """Return Perlin's quintic ``6t⁵ - 15t⁴ + 10t³``: flat, and flat in its slope, at 0 and at 1."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


@njit(nogil=True, cache=True, forceinline=True)
def fade_slope(t: float) -> float:  # pragma: no cover - compiled
    """Return the derivative of `fade`, which is at most 15/8."""
    s = t * (1.0 - t)
    return 30.0 * s * s


@njit(nogil=True, cache=True, forceinline=True)
def wrap(cell: np.int64, period: np.int64) -> np.int64:  # pragma: no cover - compiled
    """Return a cell in ``[0, period]``, or one past it, as a cell in ``[0, period)``.

    Two steps are enough for a period of one cell, too. `NO_PERIOD` leaves every cell as it is.
    """
    cell = cell - period if cell >= period else cell
    return cell - period if cell >= period else cell


@njit(nogil=True, cache=True, forceinline=True)
def step(key: np.uint64, cell: np.int64) -> np.uint64:  # pragma: no cover - compiled
    """Return the key of one row (or layer, or corner) of a lattice, from the key of what it is part of."""
    mixed: np.uint64 = mix(np.uint64(key + np.uint64(np.uint64(cell) * np.uint64(GOLDEN))))
    return mixed


@njit(nogil=True, cache=True, forceinline=True)
def blend(a: Jet, b: Jet, t: float) -> Jet:  # pragma: no cover - compiled
    """Blend two jets with a weight that does not depend on the place."""
    return (
        a[0] + t * (b[0] - a[0]),
        a[1] + t * (b[1] - a[1]),
        a[2] + t * (b[2] - a[2]),
        a[3] + t * (b[3] - a[3]),
        a[4] + t * (b[4] - a[4]),
    )


@njit(nogil=True, cache=True, forceinline=True)
def along_x(a: Jet, b: Jet, f: float) -> Jet:  # pragma: no cover - compiled
    """Blend two jets with the weight ``fade(f)``, where f is the place in the cell along x."""
    v, dx, dy, dz, dw = blend(a, b, fade(f))
    return v, dx + fade_slope(f) * (b[0] - a[0]), dy, dz, dw


@njit(nogil=True, cache=True, forceinline=True)
def along_y(a: Jet, b: Jet, f: float) -> Jet:  # pragma: no cover - compiled
    """Blend two jets with the weight ``fade(f)``, where f is the place in the cell along y."""
    v, dx, dy, dz, dw = blend(a, b, fade(f))
    return v, dx, dy + fade_slope(f) * (b[0] - a[0]), dz, dw


@njit(nogil=True, cache=True, forceinline=True)
def along_z(a: Jet, b: Jet, f: float) -> Jet:  # pragma: no cover - compiled
    """Blend two jets with the weight ``fade(f)``, where f is the place in the cell along z."""
    v, dx, dy, dz, dw = blend(a, b, fade(f))
    return v, dx, dy, dz + fade_slope(f) * (b[0] - a[0]), dw


@njit(nogil=True, cache=True, forceinline=True)
def along_w(a: Jet, b: Jet, f: float) -> Jet:  # pragma: no cover - compiled
    """Blend two jets with the weight ``fade(f)``, where f is the place in the cell along w."""
    v, dx, dy, dz, dw = blend(a, b, fade(f))
    return v, dx, dy, dz, dw + fade_slope(f) * (b[0] - a[0])


@njit(nogil=True, cache=True, forceinline=True)
def put(out: NDArray[np.float64], k: int, jet: Jet, scale: float) -> None:  # pragma: no cover - compiled
    """Write a jet into ``out[:, k]``, where ``out`` has one row for the value and one a dimension."""
    out[0, k], out[1, k], out[2, k] = scale * jet[0], scale * jet[1], scale * jet[2]
    if out.shape[0] > 3:
        out[3, k] = scale * jet[3]
    if out.shape[0] > 4:
        out[4, k] = scale * jet[4]
