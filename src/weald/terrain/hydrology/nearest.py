"""The distance to the nearest of marked samples, exactly.

Two sweeps over the rows find the nearest mark within each column, and one over each row the best of
the columns: Meijster, Roerdink and Hesselink, "A general algorithm for computing distance transforms
in linear time", 2000. All in whole numbers.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Whole = NDArray[np.int64]


@njit(cache=True, nogil=True)
def squared_distances(marked: NDArray[np.bool_], out: Whole) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with squared distances in spacings, to the nearest mark; there must be one."""
    ny, nx = marked.shape
    far = ny + nx
    column = np.empty((ny, nx), np.int64)
    for i in range(nx):
        column[0, i] = 0 if marked[0, i] else far
    for j in range(1, ny):
        for i in range(nx):
            column[j, i] = 0 if marked[j, i] else min(column[j - 1, i] + 1, far)
    for j in range(ny - 2, -1, -1):
        for i in range(nx):
            column[j, i] = min(column[j, i], column[j + 1, i] + 1)
    # the parabolas that bound from below, and where each begins
    apex, start = np.empty(nx, np.int64), np.empty(nx, np.int64)
    for j in range(ny):
        row = column[j]
        last = 0
        apex[0] = 0
        start[0] = 0
        for i in range(1, nx):
            while last >= 0:
                at, old = start[last], apex[last]
                if (at - old) ** 2 + row[old] ** 2 <= (at - i) ** 2 + row[i] ** 2:
                    break
                last -= 1
            if last < 0:
                last = 0
                apex[0] = i
                continue
            old = apex[last]
            begins = 1 + (i * i - old * old + row[i] ** 2 - row[old] ** 2) // (2 * (i - old))
            if begins < nx:
                last += 1
                apex[last] = i
                start[last] = begins
        for i in range(nx - 1, -1, -1):
            out[j, i] = (i - apex[last]) ** 2 + row[apex[last]] ** 2
            if i == start[last]:
                last -= 1
