"""Vertical rays against triangles, exactly.

On the map, corners and places are rounded to whole numbers: 2^30 steps across the longer side of the mesh,
ten micrometres on ten kilometres. On which side of an edge a place lies is then the sign of an integer below 2^62,
without rounding. A triangle holds its edges and corners, whichever way round it is wound. Rounding
moves corners that triangles share together, so a sheet without holes has none afterwards either: no ray passes
through a seam.

Triangles that stand upright have no area on the map, and no ray meets them: their upper edge belongs to their
neighbours.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

STEPS = 1 << 30


@njit(cache=True, nogil=True)
def _cells(points: Ints, faces: Ints, k: int, shift: int) -> tuple[int, int, int, int]:  # pragma: no cover - compiled
    """Return the first and last column and row of the cells that a triangle's box meets."""
    a, b, c = faces[k, 0], faces[k, 1], faces[k, 2]
    x0, x1 = min(points[a, 0], points[b, 0], points[c, 0]), max(points[a, 0], points[b, 0], points[c, 0])
    y0, y1 = min(points[a, 1], points[b, 1], points[c, 1]), max(points[a, 1], points[b, 1], points[c, 1])
    return x0 >> shift, x1 >> shift, y0 >> shift, y1 >> shift


@njit(cache=True, nogil=True)
def fill_cells(points: Ints, faces: Ints, shift: int, nx: int, starts: Ints) -> Ints:  # pragma: no cover - compiled
    """Sort triangles into square cells of side ``2^shift``.

    ``starts``, zeros of size cells + 1, becomes where each cell begins in the list of triangles that is returned.
    """
    for k in range(len(faces)):
        i0, i1, j0, j1 = _cells(points, faces, k, shift)
        for j in range(j0, j1 + 1):
            for i in range(i0, i1 + 1):
                starts[j * nx + i + 1] += 1
    for cell in range(1, len(starts)):
        starts[cell] += starts[cell - 1]
    ends = starts[:-1].copy()
    members = np.empty(starts[-1], np.int64)
    for k in range(len(faces)):
        i0, i1, j0, j1 = _cells(points, faces, k, shift)
        for j in range(j0, j1 + 1):
            for i in range(i0, i1 + 1):
                members[ends[j * nx + i]] = k
                ends[j * nx + i] += 1
    return members


@njit(cache=True, nogil=True)
def _meet(points: Ints, z: Floats, faces: Ints, k: int, x: int, y: int) -> float:  # pragma: no cover - compiled
    """Return the height of a triangle over a place, NaN beside it."""
    a, b, c = faces[k, 0], faces[k, 1], faces[k, 2]
    ax, ay = points[a, 0] - x, points[a, 1] - y
    bx, by = points[b, 0] - x, points[b, 1] - y
    cx, cy = points[c, 0] - x, points[c, 1] - y
    # twice the areas of the triangles between the place and each edge: each below 2^61
    u, v, w = bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx
    if not ((u >= 0 and v >= 0 and w >= 0) or (u <= 0 and v <= 0 and w <= 0)):
        return math.nan
    area = u + v + w
    if area == 0:
        return math.nan
    # on a corner the height is the corner's own
    if v == area:
        return float(z[b])
    if w == area:
        return float(z[c])
    return float(z[a] + (float(v) / float(area)) * (z[b] - z[a]) + (float(w) / float(area)) * (z[c] - z[a]))


@njit(cache=True, nogil=True)
def first_hits(
    x: Ints,
    y: Ints,
    heights: Floats,
    hit: Ints,
    points: Ints,
    z: Floats,
    faces: Ints,
    starts: Ints,
    members: Ints,
    shift: int,
    nx: int,
) -> None:  # pragma: no cover - compiled
    """Fill ``heights`` with the highest triangle over each place, and ``hit`` with its number; NaN and -1 for none."""
    for n in range(len(x)):
        heights[n] = math.nan
        hit[n] = -1
        if x[n] < 0:
            continue
        cell = (y[n] >> shift) * nx + (x[n] >> shift)
        for at in range(starts[cell], starts[cell + 1]):
            height = _meet(points, z, faces, members[at], x[n], y[n])
            # written so that NaN is never taken; of two that are equally high, the first in the mesh
            if height > heights[n] or (hit[n] < 0 and height == height):
                heights[n] = height
                hit[n] = members[at]


@njit(cache=True, nogil=True)
def every_hit(
    x: int,
    y: int,
    heights: Floats,
    points: Ints,
    z: Floats,
    faces: Ints,
    starts: Ints,
    members: Ints,
    shift: int,
    nx: int,
) -> int:  # pragma: no cover - compiled
    """Put the heights of all triangles over a place at the start of ``heights``, and return how many there are."""
    count = 0
    if x < 0:
        return count
    cell = (y >> shift) * nx + (x >> shift)
    for at in range(starts[cell], starts[cell + 1]):
        height = _meet(points, z, faces, members[at], x, y)
        if height == height:
            heights[count] = height
            count += 1
    return count
