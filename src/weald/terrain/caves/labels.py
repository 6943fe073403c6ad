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

    Both have shape (nz, ny, nx). Regions are numbered by their first cell, row after row.
    """
    nz, ny, nx = cells.shape
    parents = np.arange(nz * ny * nx)
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                if cells[k, j, i] == 0:
                    continue
                here = (k * ny + j) * nx + i
                if i > 0 and cells[k, j, i - 1] != 0:
                    unite(parents, here, here - 1)
                if j > 0 and cells[k, j - 1, i] != 0:
                    unite(parents, here, here - nx)
                if k > 0 and cells[k - 1, j, i] != 0:
                    unite(parents, here, here - nx * ny)
                if diagonal:
                    # the half of the cells around that come before this one
                    for around in range(13):
                        z, y, x = k + around // 9 - 1, j + around // 3 % 3 - 1, i + around % 3 - 1
                        if 0 <= z and 0 <= y < ny and 0 <= x < nx and cells[z, y, x] != 0:
                            unite(parents, here, (z * ny + y) * nx + x)
    count = 0
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                if cells[k, j, i] == 0:
                    labels[k, j, i] = 0
                    continue
                here = (k * ny + j) * nx + i
                first = root(parents, here)
                if first == here:
                    count += 1
                    labels[k, j, i] = count
                else:
                    labels[k, j, i] = labels[first // nx // ny, first // nx % ny, first % nx]
    return count
