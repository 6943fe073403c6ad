"""Perlin noise of space over the columns and rows of a level grid: the bits of `weald.noise.perlin_jet`, sooner.

In a cell, the ramp of a corner is ``gx x + gy y + gz z``. Along a row of the grid only the middle term
changes from one row to the next, so the others are found once a lattice row and column, and with them
the hashes and the directions. A place is left with four blends of two ramps, and three blends of those.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.noise.directions import direction3
from weald.noise.lattice import fade, lattice, step

Floats = NDArray[np.float64]


@njit(nogil=True, cache=True)
def perlin3_level(
    key: np.uint64, x: Floats, y: Floats, z: float, scale: float, out: Floats
) -> None:  # pragma: no cover - compiled
    """Fill ``out``, of shape (ny, nx), with noise times ``scale`` at columns ``x``, rows ``y`` and one z, in cells."""
    columns = x.size
    cell, fx, u = np.empty(columns, np.int64), np.empty(columns), np.empty(columns)
    for i in range(columns):
        cell[i], fx[i] = lattice(x[i])
        u[i] = fade(fx[i])
    cell_z, fz = lattice(z)
    t = fade(fz)
    # by the layer of the lattice below or above, and by its row, of which `low` is the one below
    ramps = np.empty((2, 2, 6, columns))
    lines = np.empty((4, columns))
    held, low = np.int64(0), 0
    for j in range(y.size):
        cell_y, fy = lattice(y[j])
        if j == 0 or cell_y != held:
            # a new row becomes the one above; where this row of cells is not the next, there are two
            for side in range(1 if j > 0 and cell_y == held + 1 else 0, 2):
                low = 1 - low
                for layer in range(2):
                    row = step(step(key, cell_z + layer), cell_y + side)
                    _find_ramps(row, cell, fx, fz - layer, ramps[layer, 1 - low])
            held = cell_y
        for layer in range(2):
            _draw_line(ramps[layer, low], u, fy, lines[2 * layer])
            _draw_line(ramps[layer, 1 - low], u, fy - 1.0, lines[2 * layer + 1])
        v = fade(fy)
        a, b, c, d, values = lines[0], lines[1], lines[2], lines[3], out[j]
        for i in range(columns):
            below = a[i] + v * (b[i] - a[i])
            above = c[i] + v * (d[i] - c[i])
            values[i] = scale * (below + t * (above - below))


@njit(nogil=True, cache=True)
def _find_ramps(
    row: np.uint64, cell: NDArray[np.int64], fx: Floats, z: float, ramps: Floats
) -> None:  # pragma: no cover - compiled
    """Find the three terms of the ramps to the left and to the right of each column, the second without y."""
    for i in range(cell.size):
        gx, gy, gz = direction3(step(row, cell[i]))
        ramps[0, i], ramps[1, i], ramps[2, i] = gx * fx[i], gy, gz * z
        gx, gy, gz = direction3(step(row, cell[i] + 1))
        ramps[3, i], ramps[4, i], ramps[5, i] = gx * (fx[i] - 1.0), gy, gz * z


@njit(nogil=True, cache=True)
def _draw_line(ramps: Floats, u: Floats, y: float, line: Floats) -> None:  # pragma: no cover - compiled
    """Blend the ramps of a lattice row at a distance from it."""
    x0, y0, z0, x1, y1, z1 = ramps[0], ramps[1], ramps[2], ramps[3], ramps[4], ramps[5]
    for i in range(u.size):
        left = x0[i] + y0[i] * y + z0[i]
        right = x1[i] + y1[i] * y + z1[i]
        line[i] = left + u[i] * (right - left)
