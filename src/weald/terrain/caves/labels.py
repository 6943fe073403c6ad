"""Labels: which open cells hang together, by union of equivalent cells.

One pass over the cells with a forest of equivalences (Hoshen and Kopelman, "Percolation and cluster
distribution", 1976), each tree's root being its first cell.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(nogil=True, cache=True)
def root(parents: NDArray[np.int64], item: int) -> int:  # pragma: no cover - compiled
    """Return the root of an item's tree, and shorten the way to it."""
    while parents[item] != item:
        parents[item] = parents[parents[item]]
        item = parents[item]
    return item


@njit(nogil=True, cache=True)
def unite(parents: NDArray[np.int64], a: int, b: int) -> bool:  # pragma: no cover - compiled
    """Make two trees one, under the smaller root; return whether they were two."""
    a, b = root(parents, a), root(parents, b)
    if a < b:
        parents[b] = a
    elif b < a:
        parents[a] = b
    return a != b


@njit(nogil=True, cache=True)
def label(cells: NDArray[np.uint8], diagonal: bool, labels: NDArray[np.int32]) -> int:  # pragma: no cover - compiled
    """Fill ``labels`` with 1, 2, ... for the regions of open cells, 0 for rock; return how many there are.

    Regions are numbered by their first cell, row after row.
    """
    ny, nx = cells.shape
    parents = np.arange(ny * nx)
    for j in range(ny):
        for i in range(nx):
            if cells[j, i] == 0:
                continue
            here = j * nx + i
            if i > 0 and cells[j, i - 1] != 0:
                unite(parents, here, here - 1)
            if j > 0 and cells[j - 1, i] != 0:
                unite(parents, here, here - nx)
            if diagonal and j > 0:
                if i > 0 and cells[j - 1, i - 1] != 0:
                    unite(parents, here, here - nx - 1)
                if i < nx - 1 and cells[j - 1, i + 1] != 0:
                    unite(parents, here, here - nx + 1)
    count = 0
    for j in range(ny):
        for i in range(nx):
            if cells[j, i] == 0:
                labels[j, i] = 0
                continue
            first = root(parents, j * nx + i)
            if first == j * nx + i:
                count += 1
                labels[j, i] = count
            else:
                labels[j, i] = labels[first // nx, first % nx]
    return count
