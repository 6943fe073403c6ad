"""`progressive_order`: an order of points in which every beginning is well spread."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.sampling.cells import Array, Cells, Index, as_places, bisect, rank
from weald.sampling.heap import build, drop_top, settle_top


def progressive_order(xy: ArrayLike, *, ids: ArrayLike | None = None) -> NDArray[np.int64]:
    """Return an order of the points in which every prefix is well spread.

    For levels of detail and budgets: draw the first 1000 trees of 100,000, spawn the first 20, and
    the ground is covered evenly, however many it is. The first point is the one nearest to the
    middle; each next one is the one farthest from all before it.

    Parameters
    ----------
    xy : array_like, shape (n, 2) or (n, 3)
        Points in metres; a PointSet too.
    ids : array_like of unsigned integers, shape (n,), optional
        What decides between points that are equally far: the lower id comes first. Without ids it is a
        hash of the place.

    Returns
    -------
    ndarray of int64, shape (n,)
        Indices: ``xy[order]`` are the points in order. The order of places depends on the set of points
        alone, not on the order in which they are given.

    Raises
    ------
    InputError
        If the points or ids have the wrong shape, or are not finite.

    Notes
    -----
    Let d be the distance of point k to the nearest one before it. Then the first k + 1 points are at
    least d apart, and no point of the set is farther than d from the first k: the prefix is spaced and
    maximal, like the points of `poisson_disk`, with a radius of its own. No choice of k + 1 points
    of the set is more than 2 d apart (Gonzalez, "Clustering to minimize the maximum intercluster
    distance", 1985). Distances here are taken without regard to the points' radii.

    Examples
    --------
    >>> progressive_order([[0, 0], [1, 0], [2, 0], [3, 0], [4.5, 0]]).tolist()
    [2, 4, 0, 3, 1]
    """
    places, _ = as_places(xy, "xy")
    n = len(places)
    known = None
    if ids is not None:
        try:
            known = np.asarray(ids)
        except ValueError:
            raise InputError(f"ids: got rows of different lengths; give one integer a point, shape ({n},)") from None
        if known.shape != (n,) or known.dtype.kind not in "iu":
            raise InputError(f"ids: got {known.dtype} of shape {known.shape}; give one integer a point, shape ({n},)")
    if n == 0:
        return np.empty(0, np.int64)
    ranked = rank(places, known)
    return ranked[_farthest_first(places[ranked])]


def _farthest_first(places: Array) -> Index:
    """Return the order; of equal points the first given comes first."""
    n = len(places)
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    start = int(np.argmin(_squared(places, middle)))
    square = _squared(places, places[start])
    order, heap, stored = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n)
    build(square, heap, stored)
    order[0], done = start, 1
    # the first point is in the heap with distance 0; marked, so that it is not taken again
    square[start] = -1.0
    while done < n:
        farthest = math.sqrt(square[settle_top(square, heap, stored, n - done + 1)])
        cells = Cells(places, farthest or 1.0)
        # the same cells to the end, where smaller ones cannot be had
        until = 0.25 * cells.side * cells.side if cells.side == farthest else -1.0
        done = _take(
            places, square, order, done, heap, stored, until,
            cells.places, cells.member, cells.key, cells.low, cells.side, *cells.shape,
        )  # fmt: skip
    return order


def _squared(places: Array, place: Array) -> Array:
    x, y, z = (places - place).T
    square: Array = x * x + y * y + z * z
    return square


@njit(cache=True, nogil=True, error_model="numpy")
def _take(
    places: Array, square: Array, order: Index, done: int, heap: Index, stored: Array, until: float,
    sorted_places: Array, member: Index, key: Index, low: Array, side: float, nx: int, ny: int, nz: int,
) -> Any:  # pragma: no cover - compiled  # fmt: skip
    """Take points while the farthest is so far that the cells are of use; return how many are taken."""
    n = len(places)
    begun = done
    while done < n:
        size = n - done + 1
        top = settle_top(square, heap, stored, size)
        # one is always taken, so that it goes on where rounding has the last word
        if square[top] < until and done > begun:
            break
        drop_top(heap, stored, size)
        order[done] = top
        done += 1
        x, y, z = places[top, 0], places[top, 1], places[top, 2]
        # only points nearer than it was from all others can have come nearer to one
        reach = math.sqrt(square[top])
        square[top] = -1.0
        left, right = int(max((x - reach - low[0]) / side, 0.0)), int(min((x + reach - low[0]) / side, nx - 1.0))
        south, north = int(max((y - reach - low[1]) / side, 0.0)), int(min((y + reach - low[1]) / side, ny - 1.0))
        under, over = int(max((z - reach - low[2]) / side, 0.0)), int(min((z + reach - low[2]) / side, nz - 1.0))
        for k in range(under, over + 1):
            for j in range(south, north + 1):
                row = (k * ny + j) * nx
                for p in range(bisect(key, row + left), n):
                    if key[p] > row + right:
                        break
                    dx, dy, dz = sorted_places[p, 0] - x, sorted_places[p, 1] - y, sorted_places[p, 2] - z
                    near = dx * dx + dy * dy + dz * dz
                    if near < square[member[p]]:
                        square[member[p]] = near
    return done
