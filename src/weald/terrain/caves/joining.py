"""Joining regions by digging: the shortest tunnels that make one cave of many.

All regions flood the rock at once, a cell a step, so every cell of rock learns its nearest region and
how far it is. Where two floods meet, a tunnel is possible, of the length of both ways. Taken from the
shortest on, each tunnel that joins what is not yet joined is dug (Kruskal 1956). Tunnels between
neighbours in this sense suffice for the least sum of lengths over all tunnels from region to region
(Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs", 1988).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.numbers import whole_in
from weald.terrain.caves.labels import label, unite
from weald.terrain.caves.regions import as_cells

Cells = NDArray[np.uint8]
Place: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """A mask made one region.

    Attributes
    ----------
    mask : ndarray of bool, shape (ny, nx) or (nz, ny, nx)
        Open where true.
    regions : int
        How many there were, after filling.
    dug, filled : int
        Cells of rock that were opened, and open cells that were filled.
    """

    mask: NDArray[np.bool_]
    regions: int
    dug: int
    filled: int

    def __repr__(self) -> str:
        words = "1 region" if self.regions == 1 else f"{self.regions} regions"
        return f"Joined({words}; {self.dug} cells dug, {self.filled} filled)"


def join(mask: ArrayLike, *, bore: int = 0, fill_below: int = 0) -> Joined:
    """Return a mask whose open cells are one region, by digging as little as the shortest tunnels need.

    Parameters
    ----------
    mask : array_like of bool, shape (ny, nx) or (nz, ny, nx)
        Open where true. Cells hang together if they share a side.
    bore
        Cells by which tunnels are widened on all sides: 0 is one cell wide.
    fill_below
        Regions of fewer cells are filled with rock instead of being joined.

    Returns
    -------
    Joined

    Notes
    -----
    Two regions are joined by the least digging possible. For more, the sum of the lengths of the tunnels
    is the least of all ways to join region to region; a branching tunnel could still be shorter, by at
    most half (finding the shortest is the Steiner problem, which nobody solves fast).

    A repair is global by nature: what is dug depends on the whole area given. For worlds without an end
    use `connected`.

    Examples
    --------
    >>> repaired = join([[1, 0, 0, 1], [0, 0, 0, 0], [0, 1, 0, 0]])
    >>> repaired.regions, repaired.dug
    (3, 3)
    >>> repaired.mask.astype(int).tolist()
    [[1, 1, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0]]
    """
    cells = as_cells(mask)
    for name, value in (("bore", bore), ("fill_below", fill_below)):
        whole_in(name, value, "a whole number of cells, from 0 to 1e9", least=0, most=1_000_000_000)
    before = cells.copy()
    filled = fill(cells, int(fill_below))
    count = dig(cells, int(bore))
    return Joined(
        (cells == 1).reshape(np.shape(mask)), int(count), int(((cells == 1) & (before == 0)).sum()), int(filled)
    )


@njit(nogil=True, cache=True)
def fill(cells: Cells, fewest: int) -> int:  # pragma: no cover - compiled
    """Fill regions of fewer cells with rock; return how many cells that were."""
    if fewest <= 1:
        return 0
    labels = np.empty(cells.shape, np.int32)
    sizes = np.zeros(label(cells, False, labels) + 1, np.int64)
    for number in labels.flat:
        sizes[number] += 1
    filled = 0
    for place in np.ndindex(cells.shape):
        if cells[place] == 1 and sizes[labels[place]] < fewest:
            cells[place] = 0
            filled += 1
    return filled


@njit(nogil=True, cache=True)
def dig(cells: Cells, bore: int) -> int:  # pragma: no cover - compiled
    """Join the regions of a mask, shape (nz, ny, nx), in place; return how many there were."""
    owners = np.empty(cells.shape, np.int32)
    count = label(cells, False, owners)
    if count < 2:
        return count
    away, source = _flood(owners)
    first, second, order = _meetings(owners, away, source)
    parents = np.arange(count + 1)
    for n in np.argsort(order, kind="mergesort"):  # stable: of equal tunnels the first in the rows
        a, b = _place(first[n], cells.shape), _place(second[n], cells.shape)
        if unite(parents, owners[a], owners[b]):
            _tunnel(cells, owners, away, source, a, bore)
            _tunnel(cells, owners, away, source, b, bore)
    return count


@njit(nogil=True, cache=True)
def _place(cell: int, shape: Place) -> Place:  # pragma: no cover - compiled
    """Return the layer, row and column of a cell."""
    return cell // shape[2] // shape[1], cell // shape[2] % shape[1], cell % shape[2]


@njit(nogil=True, cache=True)
def _beside(place: Place, turn: int) -> Place:  # pragma: no cover - compiled
    """Return one of the six cells that share a side with a cell."""
    step = 1 - 2 * (turn % 2)
    k, j, i = place
    return k + step * (turn >= 4), j + step * (turn < 2), i + step * (turn // 2 == 1)


@njit(nogil=True, cache=True)
def _inside(place: Place, shape: Place) -> bool:  # pragma: no cover - compiled
    return 0 <= place[0] < shape[0] and 0 <= place[1] < shape[1] and 0 <= place[2] < shape[2]


@njit(nogil=True, cache=True)
def _off_line(place: Place, start: Place, end: Place) -> int:  # pragma: no cover - compiled
    """Return how far a cell is off the line between two others, times the length of the line."""
    z, y, x = place[0] - start[0], place[1] - start[1], place[2] - start[2]
    along_z, along_y, along_x = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    return abs(y * along_x - x * along_y) + abs(z * along_x - x * along_z) + abs(z * along_y - y * along_z)


@njit(nogil=True, cache=True)
def _flood(owners: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:  # pragma: no cover - compiled
    """Give every cell of rock to the nearest region; return how far that is, and the cell it was reached from."""
    shape = owners.shape
    away, source = np.full(shape, -1, np.int32), np.empty(shape, np.int64)
    queue = np.empty(owners.size, np.int64)
    end = 0
    for cell in range(owners.size):
        here = _place(cell, shape)
        if owners[here] > 0:
            away[here], source[here], queue[end] = 0, cell, cell
            end += 1
    start = 0
    while start < end:
        here = _place(queue[start], shape)
        start += 1
        for turn in range(6):
            there = _beside(here, turn)
            if _inside(there, shape) and away[there] < 0:
                owners[there], away[there], source[there] = owners[here], away[here] + 1, source[here]
                queue[end] = (there[0] * shape[1] + there[1]) * shape[2] + there[2]
                end += 1
    return away, source


@njit(nogil=True, cache=True)
def _meetings(
    owners: NDArray[np.int32], away: NDArray[np.int32], source: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:  # pragma: no cover - compiled
    """Return the pairs of cells where two floods meet, and a number to sort them by.

    It is the cells to dig for a tunnel through the pair; of equal ones, the pair nearest to the line
    between the cells that the tunnel would join is the first.
    """
    shape = owners.shape
    met = 0
    for cell in range(owners.size):
        here = _place(cell, shape)
        for turn in (0, 2, 4):
            there = _beside(here, turn)
            met += _inside(there, shape) and owners[here] != owners[there]
    first, second, order = np.empty(met, np.int64), np.empty(met, np.int64), np.empty(met, np.int64)
    n = 0
    for cell in range(owners.size):
        here = _place(cell, shape)
        for turn in (2, 0, 4):
            there = _beside(here, turn)
            if _inside(there, shape) and owners[here] != owners[there]:
                first[n], second[n] = cell, (there[0] * shape[1] + there[1]) * shape[2] + there[2]
                length = np.int64(away[here]) + away[there]
                off = _off_line(here, _place(source[here], shape), _place(source[there], shape))
                order[n] = (length << 32) + off // (length + 1)
                n += 1
    return first, second, order


@njit(nogil=True, cache=True)
def _tunnel(
    cells: Cells, owners: NDArray[np.int32], away: NDArray[np.int32], source: NDArray[np.int64], start: Place, bore: int
) -> None:  # pragma: no cover - compiled
    """Dig from a cell back to its region: of all shortest ways the one that keeps to the straight line."""
    shape = cells.shape
    here, end = start, _place(source[start], shape)
    while True:
        k, j, i = here
        for z in range(max(k - bore, 0), min(k + bore + 1, shape[0])):
            for y in range(max(j - bore, 0), min(j + bore + 1, shape[1])):
                for x in range(max(i - bore, 0), min(i + bore + 1, shape[2])):
                    if (z - k) * (z - k) + (y - j) * (y - j) + (x - i) * (x - i) <= bore * bore + bore:
                        cells[z, y, x] = 1
        if away[here] == 0:
            return
        best, step = -1, here
        for turn in range(6):
            there = _beside(here, turn)
            if _inside(there, shape) and owners[there] == owners[here] and away[there] == away[here] - 1:
                off = _off_line(there, start, end)
                if best < 0 or off < best:
                    best, step = off, there
        here = step
