"""Who stands near: points sorted into square cells, and the questions that this answers fast."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.numbers import floats, number_in, places
from weald.sampling.asked import positive
from weald.sampling.limits import check_points

Array = NDArray[np.float64]
_Index = NDArray[np.intp]


class Neighbours:
    """A fixed set of points that can be asked for what is near a place.

    Distances are computed in float64 from the coordinates, and compared without a tolerance.

    Parameters
    ----------
    xy
        Points, shape (n, 2), in metres.
    cell
        Side of the cells in metres: about the distance that will be asked about. It matters for
        speed and memory only.

    >>> trees = Neighbours([[0, 0], [3, 4]], cell=2.0)
    >>> trees.within(np.array([0.0, 1.0]), np.array([1.0, 3.0]), 1.5).tolist()
    [True, False]
    >>> trees.nearest_distance().tolist()
    [5.0, 5.0]
    """

    def __init__(self, xy: ArrayLike, cell: float) -> None:
        given = floats(xy)
        if given is None or (given.size and (given.ndim != 2 or given.shape[1] != 2)):
            what = type(xy).__name__ if given is None else f"an array of shape {given.shape}"
            raise InputError(f"xy: got {what}; give an array of numbers, shape (n, 2)")
        points = given.reshape(-1, 2)
        check_points(points, "xy")
        cell = positive("cell", cell)
        low = points.min(axis=0) if len(points) else np.zeros(2)
        width, depth = (points.max(axis=0) - low).tolist() if len(points) else (0.0, 0.0)
        # never many more cells than points, however small the distance
        count = max(len(points), 1)
        self._cell = max(cell, math.sqrt(width * depth / count), max(width, depth) / count)
        self._low = low
        self._nx, self._ny = int(width / self._cell) + 1, int(depth / self._cell) + 1
        column, row = ((points - low) / self._cell).astype(np.intp).T
        index = row * self._nx + column
        self._order = np.argsort(index, kind="stable")
        self._xy = np.ascontiguousarray(points[self._order])
        self._start = np.searchsorted(index[self._order], np.arange(self._nx * self._ny + 1)).astype(np.intp)

    def __len__(self) -> int:
        return len(self._xy)

    def __repr__(self) -> str:
        return f"Neighbours({len(self)} points, cells of {self._cell:.3g} m)"

    def within(self, x: ArrayLike, y: ArrayLike, distance: float) -> NDArray[np.bool_]:
        """Return for each place whether a point lies nearer than ``distance`` to it."""
        places = _places(x, y)
        distance = number_in("distance", distance, "a finite number of metres, 0 or more", least=0.0)
        found = np.zeros(places[0].shape, np.bool_)
        flat = [np.ascontiguousarray(p).ravel() for p in places]
        _within(flat[0], flat[1], distance, *self._parts(), found.ravel())
        return found

    def nearest(self, x: ArrayLike, y: ArrayLike) -> tuple[_Index, Array]:
        """Return for each place the number of the nearest point, and the distance to it.

        Of points equally near it is the first; without any points it is -1, infinitely far.

        >>> Neighbours([[0, 0], [3, 4]], cell=2.0).nearest([0, 2, 1.5], [1, 4, 2])
        (array([0, 1, 0]), array([1. , 1. , 2.5]))
        """
        places = _places(x, y)
        flat = [np.ascontiguousarray(p).ravel() for p in places]
        which, distance = np.empty(flat[0].size, np.intp), np.empty(flat[0].size)
        _nearest(flat[0], flat[1], False, self._order, *self._parts(), which, distance)
        return which.reshape(places[0].shape), distance.reshape(places[0].shape)

    def nearest_distance(self) -> Array:
        """Return the distance from each point to the nearest other one, shape (n,); infinite for a single point."""
        which, distance = np.empty(len(self._xy), np.intp), np.empty(len(self._xy))
        x, y = (np.ascontiguousarray(column) for column in self._xy.T)
        _nearest(x, y, True, self._order, *self._parts(), which, distance)
        result = np.empty_like(distance)
        result[self._order] = distance
        return result

    def _parts(self) -> tuple[Array, _Index, float, float, float, int, int]:
        return self._xy, self._start, float(self._low[0]), float(self._low[1]), self._cell, self._nx, self._ny


def _places(x: ArrayLike, y: ArrayLike) -> list[Array]:
    """Return places, of one shape; they may be far away, but what is no number is in no cell."""
    found = places(x=x, y=y)
    for name, values in zip("xy", found, strict=True):
        if np.isnan(values).any():
            raise InputError(f"{name}: some of it is not a number; give coordinates without NaN")
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _within(
    x: Array,
    y: Array,
    distance: float,
    xy: Array,
    start: _Index,
    xmin: float,
    ymin: float,
    cell: float,
    nx: int,
    ny: int,
    found: NDArray[np.bool_],
) -> None:
    if len(xy) == 0:
        return
    for k in range(len(x)):
        # clamped before they become integers: a place may be far outside
        left = int(min(max((x[k] - distance - xmin) / cell, 0.0), float(nx)))
        right = int(min(max((x[k] + distance - xmin) / cell, -1.0), nx - 1.0))
        low = int(min(max((y[k] - distance - ymin) / cell, 0.0), float(ny)))
        high = int(min(max((y[k] + distance - ymin) / cell, -1.0), ny - 1.0))
        hit = False
        for j in range(low, high + 1):
            for p in range(start[j * nx + left], start[j * nx + max(right, left - 1) + 1]):
                dx, dy = xy[p, 0] - x[k], xy[p, 1] - y[k]
                if math.sqrt(dx * dx + dy * dy) < distance:
                    hit = True
                    break
            if hit:
                break
        found[k] = hit


@njit(cache=True, nogil=True, error_model="numpy")
def _nearest(
    x: Array,
    y: Array,
    skip_self: bool,
    order: _Index,
    xy: Array,
    start: _Index,
    xmin: float,
    ymin: float,
    cell: float,
    nx: int,
    ny: int,
    which: _Index,
    distance: Array,
) -> None:
    for k in range(len(x)):
        # a place outside is searched for from the cell next to it: no point is nearer to it than to that cell
        i0 = int(min(max((x[k] - xmin) / cell, 0.0), nx - 1.0))
        j0 = int(min(max((y[k] - ymin) / cell, 0.0), ny - 1.0))
        best, found = math.inf, np.intp(-1)
        ring = 0
        # the cells of a ring are at least ``ring - 1`` cells away
        while ring <= max(nx, ny) and (ring - 1) * cell <= best:
            for j in range(max(j0 - ring, 0), min(j0 + ring, ny - 1) + 1):
                edge = j in (j0 - ring, j0 + ring)
                step = 1 if edge or ring == 0 else 2 * ring
                for i in range(i0 - ring, i0 + ring + 1, step):
                    if i < 0 or i >= nx:
                        continue
                    for p in range(start[j * nx + i], start[j * nx + i + 1]):
                        if p != k or not skip_self:
                            dx, dy = xy[p, 0] - x[k], xy[p, 1] - y[k]
                            away = math.sqrt(dx * dx + dy * dy)
                            if away < best or (away == best and order[p] < found):
                                best, found = away, order[p]
            ring += 1
        which[k], distance[k] = found, best
