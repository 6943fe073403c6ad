"""What a new point covers of its surroundings, as a table."""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.sampling.lattice import PLACES
from weald.sampling.state import BOX, WORD_SIDE


@njit(cache=True, nogil=True, error_model="numpy")
def cover_table(
    limits: NDArray[np.int64], quanta: int, near_x: NDArray[np.int32], near_y: NDArray[np.int32]
) -> NDArray[np.uint64]:
    """Return which level-3 boxes of each near cell a point covers, wherever it stands in a small square.

    Entry ``[step, quanta * qy + qx, b]``: the boxes of near cell b that lie inside the disc, of squared
    radius ``limits[step]``, of every point of square (qx, qy) of its cell. With it, a new point
    covers its surroundings by table.
    """
    quantum = PLACES // quanta
    table = np.zeros((len(limits), quanta * quanta, len(near_x)), np.uint64)
    for step in range(len(limits)):
        for q in range(quanta * quanta):
            x0, y0 = (q % quanta) * quantum, (q // quanta) * quantum
            for b in range(len(near_x)):
                word = uint64(0)
                for k in range(64):
                    left, low = near_x[b] + (k % WORD_SIDE) * BOX, near_y[b] + (k // WORD_SIDE) * BOX
                    far_x = int64(max(left + BOX - x0, x0 + quantum - 1 - left))
                    far_y = int64(max(low + BOX - y0, y0 + quantum - 1 - low))
                    if far_x * far_x + far_y * far_y < limits[step]:
                        word |= uint64(1) << uint64(k)
                table[step, q, b] = word
    return table
