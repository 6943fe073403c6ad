"""Worley's cellular noise: how far the nearest of scattered points is, and the second nearest.

Steven Worley, "A cellular texture basis function" (1996), with one hashed point a cell. With ``jitter``
j, the point lies in the middle j of its cell along each axis: 0 is a plain grid, 1 the whole cell.
Distances are in cells.

**Exactness.** The nearest point may lie two cells away: at a corner, all four points around may be
``sqrt(2)`` away, and a point beyond the 3 x 3 cells only just over 1. So a search of 3 x 3 cells is a
first bound, and cells of the ring around it are searched unless they lie beyond what was found; three
cells away is never needed, as the range below is less than 2.

**Range.** Let ``e = (1 - j) / 2`` be the empty margin of a cell, t the distance of a place from the
nearest side of its cell, and d the dimensions. The point of the cell lies within ``1 - t - e`` along
each axis: ``F1² <= d (1 - e)²``, which is reached in a corner of the cell. The point of the neighbour
across that side lies within ``1 + t - e`` along one axis and ``1 - t - e`` along the others, and it is
the farther one of the two; the square of that is convex in t, so it is greatest at t = 0 or 1/2:
``F2² <= max(d (1 - e)², (3/2 - e)² + (d - 1) (1/2 - e)²)``.

**Slope.** Distances change by no more than a place moves; the difference of two by twice that.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, TypeAlias, get_args

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.hashing import mix
from weald.noise.basis import Basis
from weald.noise.lattice import NO_PERIOD, Jet, lattice, put, step

Feature: TypeAlias = Literal["f1", "f2", "f2-f1", "id"]

FEATURES: tuple[str, ...] = get_args(Feature)
_F1, _F2, _BORDER, _ID = range(4)

Found: TypeAlias = tuple[float, float, float, float, np.uint64, float, float, float, float]
"""Squared distance and way from the nearest point, its hash; the same of the second nearest."""


def worley_basis(dimensions: int, feature: str, jitter: float) -> Basis:
    """Return the basis of one feature, in 2 or 3 dimensions."""
    number = FEATURES.index(feature)
    fill = partial({2: worley2_fill, 3: worley3_fill}[dimensions], number, jitter)
    margin = (1.0 - jitter) / 2.0
    corner = dimensions * ((1.0 - margin) * (1.0 - margin))
    across = (1.5 - margin) * (1.5 - margin) + (dimensions - 1) * ((0.5 - margin) * (0.5 - margin))
    # a unit in the last place more, for the rounding of the distances
    high = (math.sqrt(corner), math.sqrt(max(corner, across)), math.sqrt(max(corner, across)), 1.0)[number] + 1e-15
    return Basis(
        f"worley{dimensions}",
        dimensions,
        fill,
        low=0.0,
        high=1.0 if number == _ID else high,
        steepest=2.0 if number == _BORDER else 1.0,
        sloped=number != _ID,
    )


@njit(nogil=True, cache=True, forceinline=True)
def _offset(n: int) -> int:  # pragma: no cover - compiled
    """Return 0, -1, 1, -2, 2 ...: the near cells first, so that the far ones are not looked at."""
    return (n + 1) // 2 if n % 2 == 0 else -((n + 1) // 2)


@njit(nogil=True, cache=True, forceinline=True)
def _around(cell: np.int64, period: np.int64) -> np.int64:  # pragma: no cover - compiled
    return cell if period == NO_PERIOD else cell % period


@njit(nogil=True, cache=True, forceinline=True)
def _gap(offset: int, f: float, margin: float) -> float:  # pragma: no cover - compiled
    """Return the square of how far the points of a neighbouring cell are at least, along one axis."""
    gap = max(offset + margin - f, f - (offset + 1 - margin))
    return gap * gap if gap > 0.0 else 0.0


@njit(nogil=True, cache=True, forceinline=True)
def _limit(found: Found, feature: int) -> float:  # pragma: no cover - compiled
    """Return the square of the distance beyond which nothing matters any more."""
    return found[5] if _F2 <= feature <= _BORDER else found[0]


@njit(nogil=True, cache=True, forceinline=True)
def _with(found: Found, x: float, y: float, z: float, h: np.uint64) -> Found:  # pragma: no cover - compiled
    d = x * x + y * y + z * z
    if d < found[0]:
        return d, x, y, z, h, found[0], found[1], found[2], found[3]
    if d < found[5]:
        return found[0], found[1], found[2], found[3], found[4], d, x, y, z
    return found


@njit(nogil=True, cache=True, forceinline=True)
def _jet(found: Found, feature: int) -> Jet:  # pragma: no cover - compiled
    """Return the feature and its derivatives: the unit vector away from a point."""
    if feature == _ID:
        return np.float64(mix(found[4]) >> np.uint64(11)) * 2.0**-53, 0.0, 0.0, 0.0, 0.0
    near, far = math.sqrt(found[0]), math.sqrt(found[5])
    # on a point itself there is no direction
    a = 1.0 / near if near > 0.0 else 0.0
    b = 1.0 / far if far > 0.0 else 0.0
    ax, ay, az = found[1] * a, found[2] * a, found[3] * a
    bx, by, bz = found[6] * b, found[7] * b, found[8] * b
    if feature == _F1:
        return near, ax, ay, az, 0.0
    if feature == _F2:
        return far, bx, by, bz, 0.0
    return far - near, bx - ax, by - ay, bz - az, 0.0


@njit(nogil=True, cache=True)
def _search2(
    key: np.uint64, x: float, y: float, wraps: NDArray[np.int64], feature: int, jitter: float
) -> Found:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    margin = (1.0 - jitter) / 2.0
    found = (np.inf, x, y, 0.0, np.uint64(0), np.inf, x, y, 0.0)
    for ring in range(1, 3):
        reach = 1.0 + margin + min(min(x, 1.0 - x), min(y, 1.0 - y))
        if ring == 2 and _limit(found, feature) <= reach * reach:
            break
        for b in range(2 * ring + 1):
            dj = _offset(b)
            gap_y = _gap(dj, y, margin)
            if gap_y >= _limit(found, feature):
                continue
            row = step(key, _around(j + dj, wraps[1]))
            for a in range(2 * ring + 1):
                di = _offset(a)
                if ring == 2 and a < 3 and b < 3:
                    continue  # of the ring before
                if _gap(di, x, margin) + gap_y >= _limit(found, feature):
                    continue
                h = step(row, _around(i + di, wraps[0]))
                px = margin + jitter * (np.float64(h >> np.uint64(32)) * 2.0**-32)
                py = margin + jitter * (np.float64(h & np.uint64(0xFFFFFFFF)) * 2.0**-32)
                found = _with(found, x - (di + px), y - (dj + py), 0.0, h)
    return found


@njit(nogil=True, cache=True)
def _search3(
    key: np.uint64, x: float, y: float, z: float, wraps: NDArray[np.int64], feature: int, jitter: float
) -> Found:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    m, z = lattice(z)
    margin = (1.0 - jitter) / 2.0
    bits = np.uint64(0x1FFFFF)
    found = (np.inf, x, y, z, np.uint64(0), np.inf, x, y, z)
    for ring in range(1, 3):
        reach = 1.0 + margin + min(min(x, 1.0 - x), min(y, 1.0 - y), min(z, 1.0 - z))
        if ring == 2 and _limit(found, feature) <= reach * reach:
            break
        for c in range(2 * ring + 1):
            dm = _offset(c)
            gap_z = _gap(dm, z, margin)
            if gap_z >= _limit(found, feature):
                continue
            layer = step(key, _around(m + dm, wraps[2]))
            for b in range(2 * ring + 1):
                dj = _offset(b)
                gap_yz = _gap(dj, y, margin) + gap_z
                if gap_yz >= _limit(found, feature):
                    continue
                row = step(layer, _around(j + dj, wraps[1]))
                for a in range(2 * ring + 1):
                    di = _offset(a)
                    if ring == 2 and a < 3 and b < 3 and c < 3:
                        continue
                    if _gap(di, x, margin) + gap_yz >= _limit(found, feature):
                        continue
                    h = step(row, _around(i + di, wraps[0]))
                    px = margin + jitter * (np.float64(h >> np.uint64(43)) * 2.0**-21)
                    py = margin + jitter * (np.float64((h >> np.uint64(22)) & bits) * 2.0**-21)
                    pz = margin + jitter * (np.float64((h >> np.uint64(1)) & bits) * 2.0**-21)
                    found = _with(found, x - (di + px), y - (dj + py), z - (dm + pz), h)
    return found


@njit(nogil=True, cache=True)
def worley2_fill(
    feature: int,
    jitter: float,
    key: np.uint64,
    at: NDArray[np.float64],
    wraps: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:  # pragma: no cover - compiled
    """Fill ``out[0]`` with a feature in the plane and, if ``out`` has three rows, the others with derivatives.

    ``at``, of shape (2, n), holds places in lattice cells; derivatives are per cell.
    """
    for k in range(out.shape[1]):
        x, y = at[0, k], at[1, k]
        if not np.isfinite(x + y):
            out[:, k] = np.nan
            continue
        jet = _jet(_search2(key, x, y, wraps, feature, jitter), feature)
        if out.shape[0] == 1:
            out[0, k] = jet[0]
        else:
            put(out, k, jet, 1.0)


@njit(nogil=True, cache=True)
def worley3_fill(
    feature: int,
    jitter: float,
    key: np.uint64,
    at: NDArray[np.float64],
    wraps: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:  # pragma: no cover - compiled
    """As `worley2_fill`, in space: ``at`` has three rows, and ``out`` one or four."""
    for k in range(out.shape[1]):
        x, y, z = at[0, k], at[1, k], at[2, k]
        if not np.isfinite(x + y + z):
            out[:, k] = np.nan
            continue
        jet = _jet(_search3(key, x, y, z, wraps, feature, jitter), feature)
        if out.shape[0] == 1:
            out[0, k] = jet[0]
        else:
            put(out, k, jet, 1.0)
