"""Faces with more than three corners, cut into triangles: by ears, so that a notch stays empty.

An ear is a corner whose triangle lies inside and holds no other corner; every outline without holes that does not
cross itself has two: G. H. Meisters, "Polygons have ears", 1975.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError

Array = NDArray[np.float64]
MOST_CORNERS = 3000
"""Of one face that is not convex: the work grows with the square of this."""


def triangles_of(places: Array) -> NDArray[np.int64]:
    """Return the triangles of one face, as numbers of its corners, wound as it is.

    Parameters
    ----------
    places : ndarray of float64, shape (n, 3)
        Corners in order, about in one plane.

    Examples
    --------
    >>> notched = np.array([(0, 0, 0), (2, 0, 0), (1, 0.5, 0), (0, 2, 0)], float)
    >>> triangles_of(notched).tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    count = len(places)
    fan = np.column_stack([np.zeros(count - 2, np.int64), np.arange(1, count - 1), np.arange(2, count)])
    if count == 3 or not np.isfinite(places).all():
        return fan
    flat = _flattened(places)
    if _convex(flat):
        return fan
    if count > MOST_CORNERS:
        raise InputError(f"a face has {count:,} corners and is not convex; cut it into triangles before exporting")
    return np.array(_ears(flat), np.int64)


def _flattened(places: Array) -> Array:
    """Return corners as seen along the normal of the face, counter-clockwise (Newell's normal)."""
    at = places - places[0]
    normal = np.add.accumulate(np.cross(at, np.roll(at, -1, axis=0)))[-1]
    axis = int(np.argmax(np.abs(normal)))
    flat: Array = at[:, [(axis + 1) % 3, (axis + 2) % 3]]
    return flat if normal[axis] >= 0 else flat * [-1.0, 1.0]


def _convex(flat: Array) -> bool:
    """Return whether the outline turns left everywhere, and goes round once."""
    before, after = np.roll(flat, 1, axis=0), np.roll(flat, -1, axis=0)
    if not (_cross(before, flat, after) >= 0).all():
        return False
    # seen from the first corner, the others go round in order
    fan = _cross(flat[:1], flat[1:-1], flat[2:])
    return bool((fan >= 0).all())


def _ears(flat: Array) -> list[tuple[int, int, int]]:
    left = list(range(len(flat)))
    found: list[tuple[int, int, int]] = []
    at, failed = 0, 0
    while len(left) > 3:
        at %= len(left)
        i, j, k = left[at - 1], left[at], left[(at + 1) % len(left)]
        # a face that crosses itself has no ear left at some time: it is closed by whatever is at hand
        if failed >= len(left) or _is_ear(flat, left, i, j, k):
            found.append((i, j, k))
            del left[at]
            at, failed = at - 1, 0
        else:
            at, failed = at + 1, failed + 1
    return [*found, (left[0], left[1], left[2])]


def _is_ear(flat: Array, left: list[int], i: int, j: int, k: int) -> bool:
    a, b, c = flat[[i, j, k]]
    if not _cross(a, b, c) > 0:
        return False
    others = flat[[n for n in left if n not in (i, j, k)]]
    inside = (_cross(a, b, others) >= 0) & (_cross(b, c, others) >= 0) & (_cross(c, a, others) >= 0)
    # a corner that returns to a place of the ear does not lie in it
    inside &= (others != a).any(axis=1) & (others != b).any(axis=1) & (others != c).any(axis=1)
    return not inside.any()


def _cross(a: Array, b: Array, c: Array) -> Array:
    """Return twice the area of triangles, above 0 if they are counter-clockwise."""
    area: Array = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return area
