"""The walk of Perlin worms: where each is born, how it turns, and what it carves.

Directions are polynomials of plain arithmetic, like the noise that turns the worm: the last bit of a
library's cosine may differ between machines, and then so would a place at the very wall.

A worm's places are kept relative to the corner of the cell it was born in, so they have the same
precision everywhere, and a place compares with them by whole cells and a rest.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.noise.lattice import step as hashed
from weald.noise.perlin import NORMALISE, perlin2

Array = NDArray[np.float64]
Cells = NDArray[np.int64]

Gait: TypeAlias = tuple[float, float, float, float, float, float, float]
"""How worms go: metres a step; metres of the way for one cell of the noise that turns them; least and largest
radius; least and largest height of birth; how steep they may get, in turns. In the plane the last three are 0."""

# the Taylor series of sin(pi/2 t): its error on [0, 1] is below 1e-9
_S1, _S3, _S5, _S7 = 1.5707963267948966, -0.6459640975062462, 0.07969262624616703, -0.004681754135318687
_S9, _S11, _S13 = 0.00016044118478735975, -3.598843235212084e-06, 5.692172921967924e-08
_UNIT = 2.0**-53


@njit(nogil=True, cache=True)
def _quarter(t: float) -> float:  # pragma: no cover - compiled
    """Return the sine of ``t`` quarter turns, for t in [0, 1]."""
    s = t * t
    return t * (_S1 + s * (_S3 + s * (_S5 + s * (_S7 + s * (_S9 + s * (_S11 + s * _S13))))))


@njit(nogil=True, cache=True)
def direction(turns: float) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the unit vector at an angle in whole turns, counterclockwise from the x axis."""
    part = 4.0 * (turns - np.floor(turns))
    quarter = min(int(part), 3)
    t = part - quarter
    sine, cosine = _quarter(t), _quarter(1.0 - t)
    if quarter == 0:
        return cosine, sine
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    return sine, -cosine


@njit(nogil=True, cache=True)
def cell_key(key: np.uint64, x: int, y: int) -> np.uint64:  # pragma: no cover - compiled
    """Return the key of a cell where worms are born."""
    cell: np.uint64 = hashed(hashed(key, np.int64(y)), np.int64(x))
    return cell


@njit(nogil=True, cache=True)
def births(cell: np.uint64, mean: float) -> int:  # pragma: no cover - compiled
    """Return how many worms are born in a cell: the whole numbers around the mean, which it has on average."""
    least = int(np.floor(mean))
    return least + (float(cell >> np.uint64(11)) * _UNIT < mean - least)


@njit(nogil=True, cache=True)
def worm_key(cell: np.uint64, number: int) -> np.uint64:  # pragma: no cover - compiled
    """Return the key of a worm, which is its id too."""
    worm: np.uint64 = hashed(cell, np.int64(number + 1))
    return worm


@njit(nogil=True, cache=True)
def crawl(
    worm: np.uint64, cell: float, gait: Gait, x: Array, y: Array, z: Array, radius: Array
) -> None:  # pragma: no cover - compiled
    """Fill in the balls that a worm carves: places relative to the corner of its cell, and radii; see `Gait`."""
    step, bend, low, high, deep, shallow, pitch = gait
    start = mix(np.uint64(worm ^ np.uint64(GOLDEN)))
    girth, climb = mix(start), mix(np.uint64(start ^ np.uint64(GOLDEN)))
    at_x = float(start >> np.uint64(32)) * 2.0**-32 * cell
    at_y = float(start & np.uint64(0xFFFFFFFF)) * 2.0**-32 * cell
    at_z = deep + float(climb >> np.uint64(11)) * _UNIT * (shallow - deep)
    heading = float(worm >> np.uint64(11)) * _UNIT
    for k in range(x.size):
        along = k * step / bend + 0.5
        swell = 0.5 + 0.5 * NORMALISE * perlin2(girth, 2.0 * along, 0.5)
        x[k], y[k], z[k], radius[k] = at_x, at_y, at_z, low + (high - low) * swell
        # the angle is noise of 0 to 1 times a full turn; the half that lies in its middle is in the heading
        go_x, go_y = direction(heading + 0.5 * NORMALISE * perlin2(worm, along, 0.5))
        level = step
        if pitch > 0.0:
            flat, up = direction(pitch * NORMALISE * perlin2(climb, along, 0.5))
            level = step * flat
            at_z += step * up
        at_x += level * go_x
        at_y += level * go_y


@njit(nogil=True, cache=True)
def carve(
    key: np.uint64,
    mean: float,
    cell: float,
    steps: int,
    gait: Gait,
    side: int,
    halo: int,
    first_x: Cells,
    first_y: Cells,
    starts: Cells,
    cell_x: Cells,
    cell_y: Cells,
    inside_x: Array,
    inside_y: Array,
    height: Array,
    out: Array,
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with how deep each place lies in a worm: ``1 - d²/r²`` of its deepest ball, 0 outside.

    Patches of ``side`` cells, with a halo of cells around them, start at ``first_x``, ``first_y``. The places
    are in the order of their patches: those of patch k are ``starts[k]`` to ``starts[k + 1]``.
    """
    high = gait[3]
    x, y, z, radius = np.empty(steps), np.empty(steps), np.empty(steps), np.empty(steps)
    # bins as wide as the largest ball, so that a ball lies in four of them at most
    bins = max(min(int(side * cell / (2.0 * high)), 64), 1)
    width = side * cell / bins
    heads = np.empty(bins * bins, np.int64)
    # what is held of a ball: its place and radius; the cell it is relative to, and the next ball of its bin
    balls, chain = np.empty((1024, 4)), np.empty((1024, 3), np.int64)
    for patch in range(first_x.size):
        begin, end = starts[patch], starts[patch + 1]
        if begin == end:
            continue
        lowest, highest = height[begin:end].min(), height[begin:end].max()
        heads[:] = -1
        count = 0
        for row in range(side + 2 * halo):
            for column in range(side + 2 * halo):
                born = cell_key(key, first_x[patch] + column, first_y[patch] + row)
                for number in range(births(born, mean)):
                    crawl(worm_key(born, number), cell, gait, x, y, z, radius)
                    for k in range(steps):
                        reach = radius[k] * 1.0001  # a little more, for rounding
                        if z[k] + reach < lowest or z[k] - reach > highest:
                            continue
                        # in bins, from the corner of the patch without its halo
                        at_x, at_y = x[k] + (column - halo) * cell, y[k] + (row - halo) * cell
                        west, east = int(np.floor((at_x - reach) / width)), int(np.floor((at_x + reach) / width))
                        south, north = int(np.floor((at_y - reach) / width)), int(np.floor((at_y + reach) / width))
                        for j in range(max(south, 0), min(north + 1, bins)):
                            for i in range(max(west, 0), min(east + 1, bins)):
                                if count == len(balls):
                                    balls, chain = _grown(balls), _grown(chain)
                                balls[count, 0], balls[count, 1] = x[k], y[k]
                                balls[count, 2], balls[count, 3] = z[k], radius[k]
                                chain[count, 0], chain[count, 1] = first_x[patch] + column, first_y[patch] + row
                                chain[count, 2] = heads[j * bins + i]
                                heads[j * bins + i] = count
                                count += 1
        for p in range(begin, end):
            i = min(int(((cell_x[p] - first_x[patch] - halo) + inside_x[p]) * cell / width), bins - 1)
            j = min(int(((cell_y[p] - first_y[patch] - halo) + inside_y[p]) * cell / width), bins - 1)
            deepest = 0.0
            ball = heads[j * bins + i]
            while ball >= 0:
                dx = (float(cell_x[p] - chain[ball, 0]) + inside_x[p]) * cell - balls[ball, 0]
                dy = (float(cell_y[p] - chain[ball, 1]) + inside_y[p]) * cell - balls[ball, 1]
                dz = height[p] - balls[ball, 2]
                depth = 1.0 - (dx * dx + dy * dy + dz * dz) / (balls[ball, 3] * balls[ball, 3])
                if depth > deepest:
                    deepest = depth
                ball = chain[ball, 2]
            out[p] = deepest


@njit(nogil=True, cache=True)
def _grown(values: Any) -> Any:  # pragma: no cover - compiled
    larger = np.empty((2 * len(values), values.shape[1]), values.dtype)
    # row by row: the check of shapes that comes with a slice takes seconds to compile
    for row in range(len(values)):
        for column in range(values.shape[1]):
            larger[row, column] = values[row, column]
    return larger
