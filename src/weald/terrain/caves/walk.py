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
_MOST_BINS = 128.0
"""Along the side of a patch."""


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
def gather(
    key: np.uint64, mean: float, cell: float, steps: int, gait: Gait, side: int, halo: int, first_x: int, first_y: int
) -> tuple[Array, Cells, Cells]:  # pragma: no cover - compiled
    """Return the balls that touch a patch, bin by bin.

    The patch has ``side`` cells and a halo of cells around them, in which all worms are born that reach it; it
    starts at ``first_x``, ``first_y``, halo included.

    Returns
    -------
    balls, cells, starts
        Place and radius of each ball, shape (n, 4); the cell that its place is relative to, shape (n, 2); and where
        each bin begins, row after row of squares as wide as the largest ball, and where the last ends. A ball is in
        every bin that it touches: in four at most.
    """
    x, y, z, radius = np.empty(steps), np.empty(steps), np.empty(steps), np.empty(steps)
    bins = bins_along(side, cell, gait[3])
    width = side * cell / bins
    found, owner = np.empty((1024, 4)), np.empty((1024, 3), np.int64)  # the cell, and the bin
    count = 0
    starts = np.zeros(bins * bins + 1, np.int64)
    for row in range(side + 2 * halo):
        for column in range(side + 2 * halo):
            born = cell_key(key, first_x + column, first_y + row)
            for number in range(births(born, mean)):
                crawl(worm_key(born, number), cell, gait, x, y, z, radius)
                for k in range(steps):
                    reach = radius[k] * 1.0001  # a little more, for rounding
                    # in bins, from the corner of the patch without its halo
                    at_x, at_y = x[k] + (column - halo) * cell, y[k] + (row - halo) * cell
                    west, east = int(np.floor((at_x - reach) / width)), int(np.floor((at_x + reach) / width))
                    south, north = int(np.floor((at_y - reach) / width)), int(np.floor((at_y + reach) / width))
                    for j in range(max(south, 0), min(north + 1, bins)):
                        for i in range(max(west, 0), min(east + 1, bins)):
                            if count == len(found):
                                found, owner = _grown(found), _grown(owner)
                            found[count, 0], found[count, 1], found[count, 2], found[count, 3] = (
                                x[k],
                                y[k],
                                z[k],
                                radius[k],
                            )
                            owner[count, 0], owner[count, 1] = first_x + column, first_y + row
                            owner[count, 2] = j * bins + i
                            starts[j * bins + i + 1] += 1
                            count += 1
    starts = np.cumsum(starts)
    next_free = starts.copy()
    balls, cells = np.empty((count, 4)), np.empty((count, 2), np.int64)
    for n in range(count):
        place = next_free[owner[n, 2]]
        next_free[owner[n, 2]] += 1
        for axis in range(4):
            balls[place, axis] = found[n, axis]
        cells[place, 0], cells[place, 1] = owner[n, 0], owner[n, 1]
    return balls, cells, starts


@njit(nogil=True, cache=True)
def bins_along(side: int, cell: float, widest: float) -> int:  # pragma: no cover - compiled
    """Return how many bins lie along the side of a patch: each at least as wide as the largest ball."""
    return int(max(min(side * cell / (2.0 * widest), _MOST_BINS), 1.0))


@njit(nogil=True, cache=True)
def carve(
    balls: Array,
    cells: Cells,
    starts: Cells,
    cell: float,
    widest: float,
    side: int,
    corner_x: int,
    corner_y: int,
    cell_x: Cells,
    cell_y: Cells,
    inside_x: Array,
    inside_y: Array,
    height: Array,
    out: Array,
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with how deep each place lies in a worm: ``1 - d²/r²`` of its deepest ball, 0 outside.

    All places lie in one patch of ``side`` cells whose first cell is ``corner_x``, ``corner_y``, and `gather`
    found ``balls``, ``cells`` and ``starts`` for it.
    """
    bins = bins_along(side, cell, widest)
    width = side * cell / bins
    for p in range(len(out)):
        i = min(int(((cell_x[p] - corner_x) + inside_x[p]) * cell / width), bins - 1)
        j = min(int(((cell_y[p] - corner_y) + inside_y[p]) * cell / width), bins - 1)
        deepest = 0.0
        for ball in range(starts[j * bins + i], starts[j * bins + i + 1]):
            dx = (float(cell_x[p] - cells[ball, 0]) + inside_x[p]) * cell - balls[ball, 0]
            dy = (float(cell_y[p] - cells[ball, 1]) + inside_y[p]) * cell - balls[ball, 1]
            dz = height[p] - balls[ball, 2]
            depth = 1.0 - (dx * dx + dy * dy + dz * dz) / (balls[ball, 3] * balls[ball, 3])
            if depth > deepest:
                deepest = depth
        out[p] = deepest


@njit(nogil=True, cache=True)
def _grown(values: Any) -> Any:  # pragma: no cover - compiled
    larger = np.empty((2 * len(values), values.shape[1]), values.dtype)
    # row by row: the check of shapes that comes with a slice takes seconds to compile
    for row in range(len(values)):
        for column in range(values.shape[1]):
            larger[row, column] = values[row, column]
    return larger
