"""Points of the plane or of space, sorted so that those near a place stand together in memory.

Only cells that hold points cost memory, so clusters in a wide emptiness are no worse than an even
cover. A row of cells along x is one run of the sorted points, found by bisection.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.hashing import mix_array
from weald.numbers import floats
from weald.sampling.limits import check_points

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_KEY_BITS = 60
"""Shared by the axes: 2**30 cells along each of two, 2**20 along each of three."""


def as_places(points: ArrayLike, name: str) -> tuple[Array, int]:
    """Return points as an array of shape (n, 3), z being 0 in the plane, and their dimension."""
    given = floats(points)
    if given is None:
        raise InputError(f"{name}: got {type(points).__name__}; give an array of numbers, shape (n, 2) or (n, 3)")
    if given.size == 0 and given.ndim < 2:
        given = given.reshape(0, 2)
    if given.ndim != 2 or given.shape[1] not in (2, 3):
        raise InputError(f"{name}: got an array of shape {given.shape}; give shape (n, 2) or (n, 3)")
    check_points(given, name)
    places = np.zeros((len(given), 3))
    places[:, : given.shape[1]] = given + 0.0  # no negative zero, which has other bits
    return places, given.shape[1]


def rank(places: Array, ids: NDArray[np.uint64] | None = None) -> Index:
    """Return the points in an order that does not depend on the order in which they are given.

    It settles ties: by id where there are ids, else by a hash of the place, so that what a tie
    decides has no direction.
    """
    x, y, z = np.ascontiguousarray(places.T)
    if ids is not None:
        return np.lexsort((z, y, x, ids))
    bits = mix_array(x.view(np.uint64), 0)
    for axis in (y, z):
        bits = mix_array(axis.view(np.uint64) ^ bits, 0)
    return np.lexsort((z, y, x, bits))


class Cells:
    """Points sorted by cubic cells of one size.

    Attributes
    ----------
    places : ndarray, shape (n, 3)
        The points, cell by cell.
    member : ndarray of int64, shape (n,)
        Their numbers in the array that was given.
    key : ndarray of int64, shape (n,)
        The number of each one's cell, ascending.
    low : ndarray, shape (3,)
        Lower corner of the first cell.
    shape : tuple of int
        Cells along each axis.
    side : float
        Side of a cell; at least the one asked for.
    """

    def __init__(self, places: Array, side: float) -> None:
        self.low = places.min(axis=0)
        extent = places.max(axis=0) - self.low
        most = 2 ** (_KEY_BITS // max(int(np.count_nonzero(extent)), 1))
        self.side = max(side, float(extent.max()) / most)
        cell = (places - self.low) / self.side
        nx, ny, nz = (cell.max(axis=0).astype(np.int64) + 1).tolist()
        self.shape = nx, ny, nz
        i, j, k = cell.astype(np.int64).T
        key = (k * ny + j) * nx + i
        self.member = np.argsort(key, kind="stable").astype(np.int64)
        self.key = key[self.member]
        self.places = places[self.member]


@njit(cache=True, nogil=True, error_model="numpy")
def bisect(key: Any, value: int) -> int:
    """Return the number of keys below a value."""
    low, high = 0, len(key)
    while low < high:
        middle = (low + high) >> 1
        below = key[middle] < value
        low, high = (middle + 1 if below else low), (high if below else middle)
    return low
