"""Bridson's sampler as the textbook has it, compiled with Numba: the yardstick of the benchmarks."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def bridson(side: float, radius: float, seed: int, tries: int = 30) -> NDArray[np.float64]:
    """Return points of the square ``[0, side)`` squared, by R. Bridson, "Fast Poisson disk sampling" (2007).

    A point is drawn from the active list; up to ``tries`` candidates around it, at one to two
    radii, are checked against a grid of at most one point a cell. The first that fits becomes a
    point and active; where none fits, the point leaves the list.
    """
    np.random.seed(seed)  # noqa: NPY002 - a generator object costs Numba more time than the method does
    cell = radius / math.sqrt(2.0)
    across = math.ceil(side / cell)
    grid = np.full((across, across), -1, np.int32)
    # a cell holds one point, and no packing is denser than the hexagonal one: 2 / sqrt(3) points a square radius
    most = min(across * across, int(1.16 * (side / radius + 2.0) ** 2))
    points = np.empty((most, 2))
    active = np.empty(most, np.int32)

    x, y = np.random.random() * side, np.random.random() * side  # noqa: NPY002
    points[0, 0], points[0, 1] = x, y
    grid[int(y / cell), int(x / cell)] = 0
    active[0] = 0
    count, waiting = 1, 1

    while waiting > 0:
        a = int(np.random.random() * waiting)  # noqa: NPY002
        from_x, from_y = points[active[a], 0], points[active[a], 1]
        found = False
        for _ in range(tries):
            # uniform over the area of the ring
            distance = radius * math.sqrt(1.0 + 3.0 * np.random.random())  # noqa: NPY002
            angle = 2.0 * math.pi * np.random.random()  # noqa: NPY002
            x, y = from_x + distance * math.cos(angle), from_y + distance * math.sin(angle)
            if x < 0.0 or x >= side or y < 0.0 or y >= side:
                continue
            column, row = int(x / cell), int(y / cell)
            fits = True
            for j in range(max(row - 2, 0), min(row + 3, across)):
                for i in range(max(column - 2, 0), min(column + 3, across)):
                    other = grid[j, i]
                    if other >= 0 and (points[other, 0] - x) ** 2 + (points[other, 1] - y) ** 2 < radius * radius:
                        fits = False
                        break
                if not fits:
                    break
            if fits:
                points[count, 0], points[count, 1] = x, y
                grid[row, column] = count
                active[waiting] = count
                count, waiting, found = count + 1, waiting + 1, True
                break
        if not found:
            waiting -= 1
            active[a] = active[waiting]
    return points[:count].copy()
