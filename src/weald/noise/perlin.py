"""Perlin's gradient noise in the plane, on a lattice of hashed gradients.

Ken Perlin, "Improving noise", 2002, with two differences. The gradient of a lattice corner is
a hash of its 64-bit cell number, not an entry of a 256-entry table, so the noise never repeats
and keys are independent. And there are 16 gradients of equal length instead of 8 of two lengths,
at 11.25°, 33.75° ... from the x axis: none lies along an axis or a diagonal, where the eye would
find it.

**Range.** `perlin2` lies within ``±sqrt(1/2)``. Proof: the noise is a sum ``Σ w_c (g_c · d_c)``
over the four corners, where ``|g_c| = 1``, ``d_c`` leads from the corner to the place, and the
weights are positive and sum to 1. So ``|noise| <= Σ w_c |d_c| <= sqrt(Σ w_c |d_c|²)`` (Jensen).
That last sum is ``q(fx) + q(fy)`` with ``q(t) = (1 - u) t² + u (1 - t)²`` and ``u = fade(t)``,
and ``1/4 - q(t) = (1/2 - t) (t + 1/2 - 2u)``. For ``t <= 1/2``, fade is convex, so it stays
below the line from (0, 1/4) to (1/2, 1/2), which is ``t/2 + 1/4``; hence ``q <= 1/4`` there, and
by symmetry everywhere. The 16 directions never point straight along all four ``d_c`` at once, so
what is reached stays below 0.99 of the bound, and rounding cannot carry a value over it.

**Evaluation.** Along x, a lattice row is reduced to a straight line in the distance from it
(`lattice_line`): that is what lets a grid share the hashing and most of the arithmetic between
its rows, with the very operations that a single point uses. Nothing here may be compiled with
fast-math: the bits are the same on every machine because no operation is fused or reordered.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from weald.noise.directions import direction2
from weald.noise.lattice import fade, lattice, step

NORMALISE = 1.4142135623730951
"""1 / the bound of `perlin2`: what brings it into [-1, 1]."""


@njit(nogil=True, cache=True)
def gradient(row: np.uint64, cell_x: np.int64) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the unit gradient of one lattice corner; each row is a SplitMix64 stream along x."""
    unit: tuple[float, float] = direction2(step(row, cell_x))
    return unit


@njit(nogil=True, cache=True)
def lattice_line(
    row: np.uint64, cell_x: np.int64, fx: float, u: float
) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return ``(a, b)``: what a lattice row gives at a distance ``dy`` from it is ``a + b * dy``.

    It blends the ramps ``g · d`` of the corners to the left and to the right with the weight ``u``.
    """
    left_x, left_y = gradient(row, cell_x)
    right_x, right_y = gradient(row, cell_x + 1)
    left, right = left_x * fx, right_x * (fx - 1.0)
    return left + u * (right - left), left_y + u * (right_y - left_y)


@njit(nogil=True, cache=True)
def between(
    a0: float, b0: float, a1: float, b1: float, up: float, down: float, v: float
) -> float:  # pragma: no cover - compiled
    """Blend the lines of the lattice rows ``up`` below and ``down`` above a place with the weight ``v``.

    ``down`` is ``up - 1``, given because a literal here would turn float32 into float64.
    """
    below = a0 + b0 * up
    above = a1 + b1 * down
    return below + v * (above - below)


@njit(nogil=True, cache=True)
def perlin2(key: np.uint64, x: float, y: float) -> float:  # pragma: no cover - compiled
    """Return Perlin noise at one place, within ``±sqrt(1/2)``; it is 0 where x and y are whole.

    Parameters
    ----------
    key
        A 64-bit key, from `weald.hashing.key`.
    x, y
        Place, in lattice cells. NaN and infinity give NaN.
    """
    cell_x, fx = lattice(x)
    cell_y, fy = lattice(y)
    return perlin2_cell(key, cell_x, cell_y, fx, fy)


# inlined, or loops over it are five times slower: the compiler takes several places at a time only through small calls
@njit(nogil=True, cache=True, inline="always")
def perlin2_cell(
    key: np.uint64, cell_x: np.int64, cell_y: np.int64, fx: float, fy: float
) -> float:  # pragma: no cover - compiled
    """Return `perlin2` at the place ``(fx, fy)`` in a lattice cell."""
    u = fade(fx)
    a0, b0 = lattice_line(step(key, cell_y), cell_x, fx, u)
    a1, b1 = lattice_line(step(key, cell_y + 1), cell_x, fx, u)
    return between(a0, b0, a1, b1, fy, fy - 1.0, fade(fy))
