"""Rivers: where much ground drains through one sample, as a network of reaches with orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.geometry import Grid
from weald.numbers import plain
from weald.terrain.hydrology.around import unringed

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Orders = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class River:
    """A river between two forks, or from its spring, or to its mouth.

    Attributes
    ----------
    xy : ndarray of float64, shape (n, 2)
        Its samples downstream, in metres; the last is the first of the river that it flows into.
    order : int
        Strahler's order: 1 from springs; where two of the highest order meet, one more.
    area : float
        Ground that drains into it, in m², just above where it ends.
    """

    xy: Array
    order: int
    area: float

    def __repr__(self) -> str:
        start, end = ((f"{plain(x)}, {plain(y)}") for x, y in (self.xy[0], self.xy[-1]))
        return f"River(from ({start}) to ({end}), order={self.order}, area={self.area:g})"


@dataclass(frozen=True, slots=True, eq=False)
class Rivers:
    """All rivers that drain at least some area.

    Attributes
    ----------
    mask : ndarray of bool, shape (ny, nx)
        Where they run.
    order : ndarray of uint8, shape (ny, nx)
        Strahler's order, 0 off the rivers (Strahler, "Quantitative analysis of watershed
        geomorphology", Transactions of the AGU 38, 1957).
    reaches : list of River
        In the order of the places of their first samples.
    """

    mask: NDArray[np.bool_]
    order: Orders
    reaches: list[River]

    def __repr__(self) -> str:
        return f"Rivers({len(self.reaches)} reaches, of order up to {self.order.max(initial=0)})"


def trace(grid: Grid, cells: Places, receiver: Places, flood_order: Places, least_cells: float) -> Rivers:
    """Return the rivers through which at least ``least_cells`` samples drain; arrays are flat and ringed."""
    mask = (cells >= least_cells) & (cells > 0)  # the ring drains nothing, however little is asked for
    order, donors = np.zeros(cells.size, np.uint8), np.zeros(cells.size, np.uint8)
    _strahler(mask, receiver, flood_order, order, donors)
    heads = np.flatnonzero(mask & (donors != 1))
    places = np.empty(int(mask.sum()) + heads.size, np.int64)
    ends = np.empty(heads.size, np.int64)
    _follow(heads, donors, receiver, places, ends)
    reaches = []
    x, y = grid.x, grid.y
    begin = 0
    for end in ends.tolist():
        way = places[begin:end]
        j, i = np.divmod(way, grid.nx + 2)
        # the last sample belongs to the next river or to the sea, unless the river leaves the ground there
        own = way[-2] if len(way) > 1 and (donors[way[-1]] != 1 or not mask[way[-1]]) else way[-1]
        area = float(cells[own]) * (grid.spacing * grid.spacing)
        reaches.append(River(np.stack([x[i - 1], y[j - 1]], axis=1), int(order[way[0]]), area))
        begin = end
    return Rivers(unringed(mask, grid.shape), unringed(order, grid.shape), reaches)


@njit(cache=True, nogil=True)
def _strahler(
    mask: NDArray[np.bool_], receiver: Places, flood_order: Places, order: Orders, donors: Orders
) -> None:  # pragma: no cover - compiled
    """Fill ``order``, and ``donors`` with how many rivers flow into each place."""
    ties = np.zeros(mask.size, np.uint8)
    for turn in range(flood_order.size - 1, -1, -1):
        here = flood_order[turn]
        if not mask[here]:
            continue
        if order[here] == 0:
            order[here] = 1
        elif ties[here] > 1:
            order[here] += 1
        there = receiver[here]
        if there < 0:
            continue
        donors[there] += 1
        if order[here] > order[there]:
            order[there] = order[here]
            ties[there] = 1
        elif order[here] == order[there]:
            ties[there] += 1


@njit(cache=True, nogil=True)
def _follow(
    heads: Places, donors: Orders, receiver: Places, places: Places, ends: Places
) -> None:  # pragma: no cover - compiled
    """Write the places of each river after those of the one before, and where each ends."""
    size = 0
    for k in range(heads.size):
        here = heads[k]
        places[size] = here
        size += 1
        while receiver[here] >= 0:
            here = receiver[here]
            places[size] = here
            size += 1
            if donors[here] != 1:
                break
        ends[k] = size
