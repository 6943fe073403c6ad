"""Joining regions by digging: the shortest tunnels that make one cave of many.

All regions flood the rock at once, a cell a step, so every cell of rock learns its nearest region and
how far it is. Where two floods meet, a tunnel is possible, of the length of both ways. Taken from the
shortest on, each tunnel that joins what is not yet joined is dug (Kruskal 1956). Tunnels between
neighbours in this sense suffice for the least sum of lengths over all tunnels from region to region
(Mehlhorn, "A faster approximation algorithm for the Steiner problem in graphs", 1988).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.terrain.caves.labels import label, unite
from weald.terrain.caves.regions import as_cells

Cells = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """A mask made one region.

    Attributes
    ----------
    mask : ndarray of bool, shape (ny, nx)
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


def join(mask: ArrayLike, *, bore: int = 0, fill_below: int = 0) -> Joined:
    """Return a mask whose open cells are one region, by digging as little as the shortest tunnels need.

    Parameters
    ----------
    mask : array_like of bool, shape (ny, nx)
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
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
            raise InputError(f"{name}: got {value!r}; give a whole number of cells, 0 or more")
    before = cells.copy()
    filled = fill(cells, int(fill_below))
    count = dig(cells, int(bore))
    return Joined(cells == 1, int(count), int(((cells == 1) & (before == 0)).sum()), int(filled))


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
    for j in range(cells.shape[0]):
        for i in range(cells.shape[1]):
            if cells[j, i] == 1 and sizes[labels[j, i]] < fewest:
                cells[j, i] = 0
                filled += 1
    return filled


@njit(nogil=True, cache=True)
def dig(cells: Cells, bore: int) -> int:  # pragma: no cover - compiled
    """Join the regions of a mask in place; return how many there were."""
    ny, nx = cells.shape
    owners = np.empty((ny, nx), np.int32)
    count = label(cells, False, owners)
    if count < 2:
        return count
    away, source = _flood(owners)
    first, second, order = _meetings(owners, away, source)
    parents = np.arange(count + 1)
    for k in np.argsort(order, kind="mergesort"):  # stable: of equal tunnels the first in the rows
        a, b = first[k], second[k]
        if unite(parents, owners[a // nx, a % nx], owners[b // nx, b % nx]):
            _tunnel(cells, owners, away, source, a, bore)
            _tunnel(cells, owners, away, source, b, bore)
    return count


@njit(nogil=True, cache=True)
def _flood(owners: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:  # pragma: no cover - compiled
    """Give every cell of rock to the nearest region; return how far that is, and the cell it was reached from."""
    ny, nx = owners.shape
    away, source = np.full((ny, nx), -1, np.int32), np.empty((ny, nx), np.int64)
    queue = np.empty(ny * nx, np.int64)
    end = 0
    for j in range(ny):
        for i in range(nx):
            if owners[j, i] > 0:
                away[j, i], source[j, i] = 0, j * nx + i
                queue[end] = j * nx + i
                end += 1
    start = 0
    while start < end:
        j, i = queue[start] // nx, queue[start] % nx
        start += 1
        for turn in range(4):
            y, x = j + (turn == 0) - (turn == 1), i + (turn == 2) - (turn == 3)
            if 0 <= y < ny and 0 <= x < nx and away[y, x] < 0:
                owners[y, x], away[y, x], source[y, x] = owners[j, i], away[j, i] + 1, source[j, i]
                queue[end] = y * nx + x
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
    ny, nx = owners.shape
    met = 0
    for j in range(ny):
        for i in range(nx):
            met += i + 1 < nx and owners[j, i] != owners[j, i + 1]
            met += j + 1 < ny and owners[j, i] != owners[j + 1, i]
    first, second, order = np.empty(met, np.int64), np.empty(met, np.int64), np.empty(met, np.int64)
    k = 0
    for j in range(ny):
        for i in range(nx):
            for north in range(2):
                y, x = j + north, i + 1 - north
                if y < ny and x < nx and owners[j, i] != owners[y, x]:
                    first[k], second[k] = j * nx + i, y * nx + x
                    length = np.int64(away[j, i]) + away[y, x]
                    from_y, from_x = source[j, i] // nx, source[j, i] % nx
                    line_y, line_x = source[y, x] // nx - from_y, source[y, x] % nx - from_x
                    off = abs((j - from_y) * line_x - (i - from_x) * line_y) // (length + 1)
                    order[k] = (length << 32) + off
                    k += 1
    return first, second, order


@njit(nogil=True, cache=True)
def _tunnel(
    cells: Cells, owners: NDArray[np.int32], away: NDArray[np.int32], source: NDArray[np.int64], start: int, bore: int
) -> None:  # pragma: no cover - compiled
    """Dig from a cell back to its region: of all shortest ways the one that keeps to the straight line."""
    ny, nx = cells.shape
    j, i = start // nx, start % nx
    to_y, to_x = source[j, i] // nx, source[j, i] % nx
    line_y, line_x = to_y - j, to_x - i
    from_y, from_x = j, i
    while True:
        for y in range(max(j - bore, 0), min(j + bore + 1, ny)):
            for x in range(max(i - bore, 0), min(i + bore + 1, nx)):
                if (y - j) * (y - j) + (x - i) * (x - i) <= bore * bore + bore:
                    cells[y, x] = 1
        if away[j, i] == 0:
            return
        best, next_y, next_x = -1, j, i
        for turn in range(4):
            y, x = j + (turn == 0) - (turn == 1), i + (turn == 2) - (turn == 3)
            if 0 <= y < ny and 0 <= x < nx and owners[y, x] == owners[j, i] and away[y, x] == away[j, i] - 1:
                off = abs((y - from_y) * line_x - (x - from_x) * line_y)
                if best < 0 or off < best:
                    best, next_y, next_x = off, y, x
        j, i = next_y, next_x
