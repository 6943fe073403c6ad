"""Directions of gradients: 16 in the plane, 48 in space, 384 in four dimensions, all of length 1.

In space and beyond, the directions are all permutations and signs of one vector. The squares of its
components are the roots of a polynomial, chosen so that the directions average every polynomial of
degree up to 7 exactly as the whole sphere does: they favour no axis and no diagonal as far as moments
of that degree can tell. For the sums of the even moments over a sphere see
G. B. Folland, "How to integrate a polynomial over a sphere" (2001).

- space: ``t³ - t² + t/5 - 1/105 = 0``
- four dimensions: ``t⁴ - t³ + t²/4 - t/48 + 1/1920 = 0``

In the plane the same rule gives the 8 directions at 22.5°, 67.5° ...; weald uses the 16 at 11.25°,
33.75° ....
"""

from __future__ import annotations

import itertools

import numpy as np
from numba import njit
from numpy.typing import NDArray

# the lengths of the steps along x and y of the 16 directions: cos and sin of 11.25° and of 33.75°,
# written out because math.cos may differ in its last bit between machines
_COS_11, _SIN_11 = 0.9807852804032304, 0.19509032201612828
_COS_33, _SIN_33 = 0.8314696123025452, 0.5555702330196022
_SPACE = (0.26663540151670472, 0.42251865376111153, 0.86624681810782059)
_FOUR = (0.21364893337581955, 0.29536771628897046, 0.44094085266784476, 0.82017267077742039)


def _turned(components: tuple[float, ...]) -> NDArray[np.float64]:
    signs = itertools.product((1.0, -1.0), repeat=len(components))
    table = [np.multiply(order, sign) for sign in signs for order in itertools.permutations(components)]
    return np.array(table)


DIRECTIONS3 = _turned(_SPACE)
DIRECTIONS4 = _turned(_FOUR)


@njit(nogil=True, cache=True)
def direction2(h: np.uint64) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return one of 16 unit vectors in the plane, by the lowest four bits of a hash."""
    steep = (h & np.uint64(1)) != np.uint64(0)
    longer = _COS_11 if steep else _COS_33
    shorter = _SIN_11 if steep else _SIN_33
    along_x = (h & np.uint64(2)) != np.uint64(0)
    gx = longer if along_x else shorter
    gy = shorter if along_x else longer
    gx = gx if (h & np.uint64(4)) != np.uint64(0) else -gx
    gy = gy if (h & np.uint64(8)) != np.uint64(0) else -gy
    return gx, gy


@njit(nogil=True, cache=True, forceinline=True)
def direction3(h: np.uint64) -> tuple[float, float, float]:  # pragma: no cover - compiled
    """Return one of 48 unit vectors in space, by the upper half of a hash."""
    i = np.int64((np.uint64(h >> np.uint64(32)) * np.uint64(48)) >> np.uint64(32))
    return DIRECTIONS3[i, 0], DIRECTIONS3[i, 1], DIRECTIONS3[i, 2]


@njit(nogil=True, cache=True, forceinline=True)
def direction4(h: np.uint64) -> tuple[float, float, float, float]:  # pragma: no cover - compiled
    """Return one of 384 unit vectors in four dimensions, by the upper half of a hash."""
    i = np.int64((np.uint64(h >> np.uint64(32)) * np.uint64(384)) >> np.uint64(32))
    return DIRECTIONS4[i, 0], DIRECTIONS4[i, 1], DIRECTIONS4[i, 2], DIRECTIONS4[i, 3]
