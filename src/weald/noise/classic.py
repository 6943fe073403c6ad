"""The classic Perlin noise of the textbooks: a table of 256 numbers, and 8 gradients.

Ken Perlin, "An image synthesizer" (1985) and "Improving noise" (2002), in the plane: the numbers 0 to
255 in an order that the seed decides, written twice in a row, so that a table of a table needs no
remainder; gradients along the axes (length 1) and the diagonals (length sqrt(2)); the quintic fade.
It repeats every 256 cells, which `weald.noise.perlin` does not. It is here to be compared with, and for
those who know it.

**Range.** As in `weald.noise.perlin`, with gradients no longer than ``sqrt(2)`` and a bound of
``sqrt(1/2)`` for those of length 1: values lie within [-1, 1], which the middle of a cell reaches if
all four corners point there.

**Slope.** As in `weald.noise.perlin_jet`: the gradients' components are at most 1, their lengths
``sqrt(2)``.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.hashing import mix_array
from weald.noise.basis import Basis
from weald.noise.lattice import Jet, along_x, along_y, lattice, wrap

GRADIENTS = np.array(
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)],
    np.float64,
)


@lru_cache(64)
def permutation(key: int) -> NDArray[np.int64]:
    """Return the table of a key, of shape (512,): 0 to 255 in hashed order, twice.

    >>> table = permutation(7)
    >>> sorted(table[:256].tolist()) == list(range(256)), table[:256].tolist() == table[256:].tolist()
    (True, True)
    """
    order = np.argsort(mix_array(np.arange(256, dtype=np.uint64), key), kind="stable").astype(np.int64)
    table = np.concatenate([order, order])
    table.setflags(write=False)
    return table


@njit(nogil=True, cache=True, forceinline=True)
def _corner(table: NDArray[np.int64], i: np.int64, j: np.int64, x: float, y: float) -> Jet:  # pragma: no cover
    n = table[table[i & 255] + (j & 255)] & 7
    gx, gy = GRADIENTS[n, 0], GRADIENTS[n, 1]
    return gx * x + gy * y, gx, gy, 0.0, 0.0


@njit(nogil=True, cache=True, forceinline=True)
def _jet2(
    table: NDArray[np.int64], x: float, y: float, nx: np.int64, ny: np.int64
) -> Jet:  # pragma: no cover - compiled
    i, x = lattice(x)
    j, y = lattice(y)
    i1, j1 = wrap(i + 1, nx), wrap(j + 1, ny)
    i, j = wrap(i, nx), wrap(j, ny)
    below = along_x(_corner(table, i, j, x, y), _corner(table, i1, j, x - 1.0, y), x)
    above = along_x(_corner(table, i, j1, x, y - 1.0), _corner(table, i1, j1, x - 1.0, y - 1.0), x)
    return along_y(below, above, y)


@njit(nogil=True, cache=True)
def _fill(
    table: NDArray[np.int64], at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    xs, ys, values = at[0], at[1], out[0]
    nx, ny = wraps[0], wraps[1]
    if out.shape[0] == 1:
        for k in range(values.size):
            values[k] = _jet2(table, xs[k], ys[k], nx, ny)[0]
    else:
        dx, dy = out[1], out[2]
        for k in range(values.size):
            jet = _jet2(table, xs[k], ys[k], nx, ny)
            values[k] = jet[0]
            dx[k], dy[k] = jet[1], jet[2]


def classic2_fill(key: np.uint64, at: NDArray[np.float64], wraps: NDArray[np.int64], out: NDArray[np.float64]) -> None:
    """Fill ``out[0]`` with noise of the plane and, if ``out`` has three rows, the others with its derivatives.

    ``at``, of shape (2, n), holds places in lattice cells; derivatives are per cell.
    """
    _fill(permutation(int(key)), at, wraps, out)


CLASSIC = Basis(
    "perlin_classic",
    2,
    classic2_fill,
    low=-1.0,
    high=1.0,
    steepest=1.0 + math.sqrt(2.0) * 15.0 / 8.0 * (0.5 + math.sqrt(1.25)),
)
