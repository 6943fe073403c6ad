"""Curvature of the smooth ground, down the slope and across it.

Partial derivatives at a sample come from the three by three samples around it, as central differences:
the quadratic of Zevenbergen and Thorne, "Quantitative analysis of land surface topography" (Earth Surface
Processes and Landforms 12, 1987), whose slope is that of `weald.terrain.surface`. With ``p, q`` the slopes
towards east and north, ``r, s, t`` their derivatives ``z_xx, z_xy, z_yy`` and ``g = p^2 + q^2``, the curvatures
of the two normal sections are (Mitasova and Hofierka, "Interpolation by regularized spline with tension: II",
Mathematical Geology 25, 1993; here positive where the ground is convex)::

    profile     -(p^2 r + 2 p q s + q^2 t) / (g (1 + g)^(3/2))
    tangential  -(q^2 r - 2 p q s + p^2 t) / (g (1 + g)^(1/2))

Both are 1/m, the inverse of a radius: everywhere on a ball of radius R they are 1/R. (Zevenbergen and
Thorne's own two numbers leave out the powers of ``1 + g``; the curvature of a contour line, called plan
curvature, is the tangential one over the sine of the slope, and grows without bound where ground is level.)
On level ground, where no direction is down, both are their mean, ``-(r + t) / 2``.

Values between samples are interpolated bilinearly. Where a neighbour is void or beyond the edge, the ground
is taken to go on straight.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.terrain.surface import cell

Array = NDArray[np.float64]

PROFILE = 0
TANGENTIAL = 1


@njit(cache=True, nogil=True)
def _at(heights: Array, j: int, i: int) -> float:  # pragma: no cover - compiled
    ny, nx = heights.shape
    return heights[j, i] if 0 <= j < ny and 0 <= i < nx else math.nan


@njit(cache=True, nogil=True)
def _or(value: float, other: float) -> float:  # pragma: no cover - compiled
    return other if math.isnan(value) else value


@njit(cache=True, nogil=True)
def _curvature(heights: Array, j: int, i: int, step: float, kind: int) -> float:  # pragma: no cover - compiled
    """Return one curvature at one sample that is not void."""
    here = heights[j, i]
    west, east = _at(heights, j, i - 1), _at(heights, j, i + 1)
    south, north = _at(heights, j - 1, i), _at(heights, j + 1, i)
    west, east = _or(_or(west, 2.0 * here - east), here), _or(_or(east, 2.0 * here - west), here)
    south, north = _or(_or(south, 2.0 * here - north), here), _or(_or(north, 2.0 * here - south), here)
    sw = _or(_at(heights, j - 1, i - 1), south + west - here)
    se = _or(_at(heights, j - 1, i + 1), south + east - here)
    nw = _or(_at(heights, j + 1, i - 1), north + west - here)
    ne = _or(_at(heights, j + 1, i + 1), north + east - here)

    p, q = (east - west) / (2.0 * step), (north - south) / (2.0 * step)
    r = ((west - here) + (east - here)) / (step * step)
    t = ((south - here) + (north - here)) / (step * step)
    s = ((ne - nw) - (se - sw)) / (4.0 * step * step)
    g = p * p + q * q
    if g < 1e-24:
        return float(-0.5 * (r + t))
    steepness = math.sqrt(1.0 + g)
    if kind == PROFILE:
        return float(-(p * p * r + 2.0 * p * q * s + q * q * t) / (g * steepness * steepness * steepness))
    return float(-(q * q * r - 2.0 * p * q * s + p * p * t) / (g * steepness))


@njit(cache=True, nogil=True)
def curvature_at(
    heights: Array, u: Array, v: Array, i0: int, j0: int, slack: float, step: float, kind: int, out: Array
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with a curvature at positions ``u``, ``v``, in samples; NaN off the ground."""
    ny, nx = heights.shape
    for k in range(u.size):
        i, s = cell(u[k], i0, nx, slack)
        j, t = cell(v[k], j0, ny, slack)
        out[k] = math.nan
        if i < 0 or j < 0:
            continue
        if math.isnan(heights[j, i] + heights[j, i + 1] + heights[j + 1, i] + heights[j + 1, i + 1]):
            continue
        total = 0.0
        for dj in range(2):
            for di in range(2):
                weight = (s if di else 1.0 - s) * (t if dj else 1.0 - t)
                # corners without weight are not worked out
                if weight > 0.0:
                    total += weight * _curvature(heights, j + dj, i + di, step, kind)
        out[k] = total
