"""`weighted_sample_elimination`: exactly so many well-spread points out of a larger set."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.exact import raised
from weald.numbers import number_in
from weald.sampling.cells import Array, Cells, Index, as_places, bisect, rank
from weald.sampling.heap import build, drop_top, settle_top

_BETA, _GAMMA = 0.65, 1.5
"""Weight limiting: pairs nearer than a share of the best distance count alike (Yuksel, section 3)."""
_CROWDED = 8


def weighted_sample_elimination(
    points: ArrayLike, count: int, *, area: float | None = None, volume: float | None = None
) -> NDArray[np.int64]:
    """Choose exactly ``count`` points of a set, well apart, and in an order in which every prefix is too.

    The answer to "give me exactly n": `poisson_disk` takes a distance and finds the number, this
    takes the number and finds the distance. The points with the most and nearest neighbours are
    eliminated one by one. Give a set 3 to 10 times as large as what is wanted.

    Parameters
    ----------
    points : array_like, shape (n, 2) or (n, 3)
        The set to choose from, in metres; a PointSet too.
    count
        How many to choose, 0 to n.
    area, volume
        Size of what the points lie on or in: an area, of the plane or of a surface in space, or a
        volume. At most one of them. ``None``: measured from the points, as area of the plane or
        volume of space. Points on a surface in space need ``area``.

    Returns
    -------
    ndarray of int64, shape (count,)
        Indices. Which places are chosen depends on the set of points alone, not on their order.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Notes
    -----
    Yuksel, "Sample elimination for generating Poisson disk sample sets" (2015), with its weight
    ``(1 - d / (2 r_max)) ** 8`` for each pair, its weight limiting, and its progressive order: elimination
    goes on beyond ``count``, each time to half of what is left, and the last to go are the first in
    order. ``r_max`` is half the distance of ``count`` points packed as tightly as can be. Spacing
    is good, not guaranteed: typically the least distance is 0.7 of that of the tightest packing.
    Time grows with the number of points within ``2 r_max`` of each: it is short for sets about evenly
    dense, and long if most points crowd in a few small clusters. For those use
    `weald.sampling.progressive.progressive_order`, and take the beginning.

    Examples
    --------
    >>> lattice = np.stack(np.meshgrid(np.arange(30.0), np.arange(30.0)), -1).reshape(-1, 2)
    >>> chosen = weighted_sample_elimination(lattice, 100)
    >>> from weald.sampling.neighbours import Neighbours
    >>> len(chosen), bool(Neighbours(lattice[chosen], 3.0).nearest_distance().min() >= 2.0)
    (100, True)
    """
    places, dimension = as_places(points, "points")
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 0 <= count <= len(places):
        raise InputError(f"count: got {count!r}; give a whole number from 0 to {len(places)}, the number of points")
    for name, given in (("area", area), ("volume", volume)):
        if given is not None:
            number_in(name, given, "a finite number above 0", above=0.0)
    if volume is not None and (area is not None or dimension == 2):
        why = "area is given too" if area is not None else "the points lie in the plane"
        raise InputError(f"volume: got {volume}, but {why}; give at most one, and area in the plane")
    ranked = rank(places)
    left = places[ranked]
    solid = dimension == 3 and area is None
    size = _measured(left, dimension) if area is None and volume is None else float(area or volume or 0.0)

    chosen, order = np.arange(len(left)), np.empty(count, np.int64)
    goals = [int(count)]
    while goals[-1] > 1:
        goals.append(goals[-1] // 2)
    for goal in goals:
        gone = _eliminate(left[chosen], goal, _reach(size, goal, solid))
        if goal != count:
            order[goal : len(chosen)] = chosen[gone[::-1]]
        chosen = np.delete(chosen, gone)
    order[: len(chosen)] = chosen
    return ranked[order]


def _reach(size: float, count: int, solid: bool) -> float:
    """Return twice the paper's r_max: the distance between neighbours in the tightest packing."""
    if size == 0 or count == 0:
        return 0.0
    if solid:
        return 2 * _root(size / count / (4 * math.sqrt(2)), 3)
    return 2 * _root(size / count / (2 * math.sqrt(3)), 2)


def _root(size: float, dimension: int) -> float:
    """Return the side of a square or cube of a size."""
    return math.sqrt(size) if dimension == 2 else float(raised(size, 1 / dimension))


def _eliminate(places: Array, goal: int, reach: float) -> Index:
    """Return the points to remove so that ``goal`` are left, in the order of removal."""
    n = len(places)
    if reach == 0 or goal == n:
        return np.arange(n - 1, goal - 1, -1)
    share = goal / n
    least = reach * (1 - share * math.sqrt(share)) * _BETA
    cells = Cells(places, reach)
    gone = np.empty(n - goal, np.int64)
    _remove(
        places, goal, reach, least, gone,
        cells.places, cells.member, cells.key, cells.low, cells.side, *cells.shape,
    )  # fmt: skip
    return gone


def _measured(places: Array, dimension: int) -> float:
    """Return about the area or volume that ranked points cover: that of cells with a few points each.

    Where they fill it, it is that of the box around them.
    """
    if len(places) < 2:
        return 0.0
    # equal places have equal rank, so they stand side by side
    places = places[np.append(True, (places[1:] != places[:-1]).any(axis=1))]
    n = len(places)
    extent = (places.max(axis=0) - places.min(axis=0))[:dimension]
    widest = float(extent.max())
    box = math.prod(np.maximum(extent, widest / n).tolist())
    side = min(_root(box * _CROWDED / n, dimension), widest)
    # islands and clusters take smaller cells than their box does; the bound is for rounding
    for _ in range(128):
        taken = 1 + int(np.count_nonzero(np.diff(Cells(places, side).key))) if side else 1
        if n <= _CROWDED * taken or side == 0:
            break
        side = side * _root(0.5, dimension)
    return float(min(box, taken * math.prod([side] * dimension)))


@njit(cache=True, nogil=True, error_model="numpy")
def _add(
    place: Array, reach: float, least: float, weight: Array, own: int, sign: float,
    sorted_places: Array, member: Index, key: Index, low: Array, side: float, nx: int, ny: int, nz: int,
) -> float:  # pragma: no cover - compiled  # fmt: skip
    """Return the sum of a point's weights with its neighbours; with a sign, take each from the neighbour too."""
    total = 0.0
    x, y, z = place[0], place[1], place[2]
    left, right = int(max((x - reach - low[0]) / side, 0.0)), int(min((x + reach - low[0]) / side, nx - 1.0))
    south, north = int(max((y - reach - low[1]) / side, 0.0)), int(min((y + reach - low[1]) / side, ny - 1.0))
    under, over = int(max((z - reach - low[2]) / side, 0.0)), int(min((z + reach - low[2]) / side, nz - 1.0))
    for k in range(under, over + 1):
        for j in range(south, north + 1):
            row = (k * ny + j) * nx
            for p in range(bisect(key, row + left), bisect(key, row + right + 1)):
                dx, dy, dz = sorted_places[p, 0] - x, sorted_places[p, 1] - y, sorted_places[p, 2] - z
                square = dx * dx + dy * dy + dz * dz
                if square < reach * reach and member[p] != own:
                    near = 1.0 - max(math.sqrt(square), least) / reach
                    near *= near
                    near *= near
                    near *= near
                    total += near
                    weight[member[p]] -= sign * near
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _remove(
    places: Array, goal: int, reach: float, least: float, gone: Index,
    sorted_places: Array, member: Index, key: Index, low: Array, side: float, nx: int, ny: int, nz: int,
) -> None:  # pragma: no cover - compiled  # fmt: skip
    n = len(places)
    weight, heap, stored = np.zeros(n), np.empty(n, np.int64), np.empty(n)
    for k in range(n):
        weight[k] += _add(places[k], reach, least, weight, k, 0.0, sorted_places, member, key, low, side, nx, ny, nz)
    build(weight, heap, stored)
    for step in range(n - goal):
        size = n - step
        top = settle_top(weight, heap, stored, size)
        drop_top(heap, stored, size)
        gone[step] = top
        _add(places[top], reach, least, weight, top, 1.0, sorted_places, member, key, low, side, nx, ny, nz)
