"""The surface between samples: two triangles a cell for heights, a smooth gradient for slopes.

Each cell is split along the diagonal from its south-west to its north-east sample, as the exported
mesh is, so whatever is placed at a height stands on a triangle of that mesh. Gradients are smooth
instead: central differences at the samples, interpolated bilinearly, so that a rule on slope does
not show the facets.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]


@njit(cache=True, nogil=True)
def cell(u: float, first: int, count: int, slack: float) -> tuple[int, float]:  # pragma: no cover - compiled
    """Return the cell of position ``u``, in samples, and the place inside it; cell -1 is off the ground.

    ``first`` is the number of the first of ``count`` samples: cells are counted from there. The place inside is told
    by the number alone, so it has the same bits on any part of the ground.
    """
    # written so that NaN is off the ground too
    if not (first - slack <= u <= first + count - 1 + slack):
        return -1, 0.0
    i = min(max(math.floor(u), first), first + count - 2)
    return i - first, min(max(u - i, 0.0), 1.0)


@njit(cache=True, nogil=True)
def _difference(before: float, here: float, after: float, step: float) -> float:  # pragma: no cover - compiled
    """Return the central difference, one-sided where a neighbour is void, 0 where both are."""
    if math.isnan(before):
        return 0.0 if math.isnan(after) else (after - here) / step
    if math.isnan(after):
        return (here - before) / step
    return (after - before) / (2.0 * step)


@njit(cache=True, nogil=True)
def _gradient(heights: Array, j: int, i: int, step: float) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the rise per metre towards east and north at one sample that is not void."""
    ny, nx = heights.shape
    west = heights[j, i - 1] if i > 0 else math.nan
    east = heights[j, i + 1] if i < nx - 1 else math.nan
    south = heights[j - 1, i] if j > 0 else math.nan
    north = heights[j + 1, i] if j < ny - 1 else math.nan
    here = heights[j, i]
    return _difference(west, here, east, step), _difference(south, here, north, step)


@njit(cache=True, nogil=True)
def heights_at(
    heights: Array, u: Array, v: Array, i0: int, j0: int, slack: float, out: Array
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with heights on the triangles at positions ``u`` east and ``v`` north, in samples.

    ``i0`` and ``j0`` are the numbers of the first column and row.
    """
    ny, nx = heights.shape
    for k in range(u.size):
        i, s = cell(u[k], i0, nx, slack)
        j, t = cell(v[k], j0, ny, slack)
        out[k] = math.nan
        if i < 0 or j < 0:
            continue
        a, b = heights[j, i], heights[j, i + 1]
        c, d = heights[j + 1, i], heights[j + 1, i + 1]
        # the corner that the triangle does not use counts too: a cell that touches a void is no ground
        if math.isnan(a + b + c + d):
            continue
        if s >= t:
            out[k] = a + (b - a) * s + (d - b) * t
        else:
            out[k] = a + (c - a) * t + (d - c) * s


@njit(cache=True, nogil=True)
def gradients_at(
    heights: Array, u: Array, v: Array, i0: int, j0: int, slack: float, step: float, east: Array, north: Array
) -> None:  # pragma: no cover - compiled
    """Fill ``east`` and ``north`` with the smooth gradient at positions ``u``, ``v``, in samples."""
    ny, nx = heights.shape
    for k in range(u.size):
        i, s = cell(u[k], i0, nx, slack)
        j, t = cell(v[k], j0, ny, slack)
        east[k] = math.nan
        north[k] = math.nan
        if i < 0 or j < 0:
            continue
        if math.isnan(heights[j, i] + heights[j, i + 1] + heights[j + 1, i] + heights[j + 1, i + 1]):
            continue
        px, py = 0.0, 0.0
        for dj in range(2):
            for di in range(2):
                weight = (s if di else 1.0 - s) * (t if dj else 1.0 - t)
                gx, gy = _gradient(heights, j + dj, i + di, step)
                px += weight * gx
                py += weight * gy
        east[k] = px
        north[k] = py


@njit(cache=True, nogil=True)
def sample_gradients(heights: Array, step: float, east: Array, north: Array) -> None:  # pragma: no cover - compiled
    """Fill ``east`` and ``north`` with the gradient at every sample; NaN on voids."""
    ny, nx = heights.shape
    for j in range(ny):
        for i in range(nx):
            if math.isnan(heights[j, i]):
                east[j, i] = math.nan
                north[j, i] = math.nan
            else:
                east[j, i], north[j, i] = _gradient(heights, j, i, step)
