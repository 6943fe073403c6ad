"""Value noise: random values at the corners of a lattice, blended smoothly.

The oldest lattice noise. Its values are blended with Perlin's quintic, so it is smooth; its corners
stand out as the peaks and pits, which gradient noise puts between them.

**Range.** A blend, with weights that are positive and sum to 1, of values in [-1, 1).

**Slope.** The slope of the fade, at most 15/8, times the difference of two blends, at most 2.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.noise.basis import Basis
from weald.noise.lattice import Jet, along_w, along_x, along_y, along_z, lattice, put, step, wrap

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
    layer: np.uint64, i: np.int64, j: np.int64, wraps: NDArray[np.int64], x: float, y: float
) -> Jet:  # pragma: no cover - compiled
    below = _line(step(layer, wrap(j, wraps[1])), i, wraps[0], x)
    above = _line(step(layer, wrap(j + 1, wraps[1])), i, wraps[0], x)
    return along_y(below, above, y)


@njit(nogil=True, cache=True, forceinline=True)
def _volume(
    key: np.uint64, i: np.int64, j: np.int64, m: np.int64, wraps: NDArray[np.int64], x: float, y: float, z: float
) -> Jet:  # pragma: no cover - compiled
    below = _plane(step(key, wrap(m, wraps[2])), i, j, wraps, x, y)
    above = _plane(step(key, wrap(m + 1, wraps[2])), i, j, wraps, x, y)
    return along_z(below, above, z)


@njit(nogil=True, cache=True, forceinline=True)
def _jet2(key: np.uint64, at: NDArray[np.float64], k: int, wraps: NDArray[np.int64]) -> Jet:  # pragma: no cover
    i, x = lattice(at[0, k])
    j, y = lattice(at[1, k])
    return _plane(key, i, j, wraps, x, y)


@njit(nogil=True, cache=True, forceinline=True)
def _jet3(key: np.uint64, at: NDArray[np.float64], k: int, wraps: NDArray[np.int64]) -> Jet:  # pragma: no cover
    i, x = lattice(at[0, k])
    j, y = lattice(at[1, k])
    m, z = lattice(at[2, k])
    return _volume(key, i, j, m, wraps, x, y, z)


@njit(nogil=True, cache=True, forceinline=True)
def _jet4(key: np.uint64, at: NDArray[np.float64], k: int, wraps: NDArray[np.int64]) -> Jet:  # pragma: no cover
    i, x = lattice(at[0, k])
    j, y = lattice(at[1, k])
    m, z = lattice(at[2, k])
    o, w = lattice(at[3, k])
    before = _volume(step(key, wrap(o, wraps[3])), i, j, m, wraps, x, y, z)
    after = _volume(step(key, wrap(o + 1, wraps[3])), i, j, m, wraps, x, y, z)
    return along_w(before, after, w)


@njit(nogil=True, cache=True)
def value2_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """Fill ``out[0]`` with noise of the plane and, if ``out`` has three rows, the others with its derivatives.

    ``at``, of shape (2, n), holds places in lattice cells; derivatives are per cell.
    """
    if out.shape[0] == 1:
        for k in range(out.shape[1]):
            out[0, k] = _jet2(key, at, k, wraps)[0]
    else:
        for k in range(out.shape[1]):
            put(out, k, _jet2(key, at, k, wraps), 1.0)


@njit(nogil=True, cache=True)
def value3_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `value2_fill`, in space: ``at`` has three rows, and ``out`` one or four."""
    if out.shape[0] == 1:
        for k in range(out.shape[1]):
            out[0, k] = _jet3(key, at, k, wraps)[0]
    else:
        for k in range(out.shape[1]):
            put(out, k, _jet3(key, at, k, wraps), 1.0)


@njit(nogil=True, cache=True)
def value4_fill(
    key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """As `value2_fill`, in four dimensions: ``at`` has four rows, and ``out`` one or five."""
    if out.shape[0] == 1:
        for k in range(out.shape[1]):
            out[0, k] = _jet4(key, at, k, wraps)[0]
    else:
        for k in range(out.shape[1]):
            put(out, k, _jet4(key, at, k, wraps), 1.0)


VALUE = {
    d: Basis(f"value{d}", d, fill, low=-1.0, high=1.0, steepest=STEEPEST)
    for d, fill in ((2, value2_fill), (3, value3_fill), (4, value4_fill))
}
