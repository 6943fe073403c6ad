"""A mosaic of the plane: pieces of about one size, each with a hash of its own.

The pieces are the Voronoi cells of one hashed seed a square of a lattice (Worley, "A cellular texture basis
function", 1996). Seeds stay in the middle half of their squares, so the nearest one is found among nine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald import hashing
from weald.fields import perlin
from weald.hashing import GOLDEN, Seed, mix

Array = NDArray[np.float64]

_WAVES = 0.35
"""How far, in sizes of a piece, noise bends its edges."""


class Pieces(NamedTuple):
    """For some places, the pieces that they lie in: a hash of each, and where its seed is."""

    id: NDArray[np.uint64]
    x: Array
    y: Array


@dataclass(frozen=True)
class Mosaic:
    """Pieces of ``size`` metres across, on the average.

    >>> import numpy as np
    >>> pieces = Mosaic(10.0, seed=1).at(np.array([3.0, 3.001, 300.0]), np.zeros(3))
    >>> [bool(pieces.id[0] == other) for other in pieces.id]
    [True, True, False]
    """

    size: float
    seed: Seed
    bent: bool = False
    """Whether edges are bent by noise; straight ones are a third faster."""

    def at(self, x: Array, y: Array) -> Pieces:
        """Return the pieces at places, x and y of shape (n,)."""
        if self.bent:
            bend = [perlin(hashing.key(self.seed, "bend", axis), 1.0 / self.size) for axis in "xy"]
            x, y = x + _WAVES * self.size * bend[0](x, y), y + _WAVES * self.size * bend[1](x, y)
        found = Pieces(np.empty(x.shape, np.uint64), np.empty(x.shape), np.empty(x.shape))
        _nearest(x, y, self.size, np.uint64(hashing.key(self.seed, "mosaic")), *found)
        return found


@njit(cache=True, nogil=True, error_model="numpy")
def _nearest(
    x: Array, y: Array, size: float, key: np.uint64, id: NDArray[np.uint64], seed_x: Array, seed_y: Array
) -> None:
    for k in range(len(x)):
        u, v = x[k] / size, y[k] / size
        i, j = math.floor(u), math.floor(v)
        best = math.inf
        for dj in range(-1, 2):
            row = mix(uint64(key) ^ (uint64(int64(j) + dj) * uint64(GOLDEN)))
            for di in range(-1, 2):
                bits = mix(row + uint64(int64(i) + di))
                # 32 bits an axis, into the middle half of the square
                a = 0.25 + float(bits & uint64(0xFFFFFFFF)) * 2.0**-33
                b = 0.25 + float(bits >> uint64(32)) * 2.0**-33
                dx, dy = di + a - (u - i), dj + b - (v - j)
                distance = dx * dx + dy * dy
                if distance < best:
                    best = distance
                    id[k] = mix(bits + uint64(GOLDEN))
                    seed_x[k], seed_y[k] = (i + di + a) * size, (j + dj + b) * size
