"""The walk of Perlin worms: where each is born, how it turns, and what it carves.

A walk adds up hundreds of steps, so a cosine whose last bit differs between machines would soon lead
elsewhere. Directions are therefore polynomials of plain arithmetic, like the noise that turns the worm:
the same bits on every machine.

A worm's places are kept relative to the corner of the cell it was born in, so they have the same
precision everywhere, and a place compares with them by whole cells and a rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.noise.perlin import NORMALISE, perlin2

Array = NDArray[np.float64]
Cells = NDArray[np.int64]

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
    row = mix(np.uint64(key + np.uint64(np.uint64(y) * np.uint64(GOLDEN))))
    mixed: np.uint64 = mix(np.uint64(row + np.uint64(np.uint64(x) * np.uint64(GOLDEN))))
    return mixed


@njit(nogil=True, cache=True)
def births(cell: np.uint64, mean: float) -> int:  # pragma: no cover - compiled
    """Return how many worms are born in a cell: the whole numbers around the mean, which it has on average."""
    least = int(np.floor(mean))
    return least + (float(cell >> np.uint64(11)) * _UNIT < mean - least)


@njit(nogil=True, cache=True)
def worm_key(cell: np.uint64, number: int) -> np.uint64:  # pragma: no cover - compiled
    """Return the key of a worm, which is its id too."""
    mixed: np.uint64 = mix(np.uint64(cell + np.uint64(np.uint64(number + 1) * np.uint64(GOLDEN))))
    return mixed


@njit(nogil=True, cache=True)
def crawl(
    worm: np.uint64, cell: float, step: float, bend: float, low: float, high: float, x: Array, y: Array, radius: Array
) -> None:  # pragma: no cover - compiled
    """Fill in the discs that a worm carves: places relative to the corner of its cell, and radii.

    ``bend`` is how far it goes for one cell of the noise that turns it.
    """
    start = mix(np.uint64(worm ^ np.uint64(GOLDEN)))
    at_x = float(start >> np.uint64(32)) * 2.0**-32 * cell
    at_y = float(start & np.uint64(0xFFFFFFFF)) * 2.0**-32 * cell
    heading = float(worm >> np.uint64(11)) * _UNIT
    girth = mix(start)
    for k in range(x.size):
        along = k * step / bend + 0.5
        swell = 0.5 + 0.5 * NORMALISE * perlin2(girth, 2.0 * along, 0.5)
        x[k], y[k], radius[k] = at_x, at_y, low + (high - low) * swell
        # the angle is noise times a full turn, from a heading of its own
        go_x, go_y = direction(heading + NORMALISE * perlin2(worm, along, 0.5))
        at_x += step * go_x
        at_y += step * go_y


@njit(nogil=True, cache=True)
def carve(
    key: np.uint64,
    mean: float,
    cell: float,
    shape: tuple[int, float, float, float, float],
    side: int,
    halo: int,
    first_x: Cells,
    first_y: Cells,
    starts: Cells,
    order: Cells,
    cell_x: Cells,
    cell_y: Cells,
    inside_x: Array,
    inside_y: Array,
    out: Array,
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with how deep each place lies in a worm: ``1 - d²/r²`` of its deepest disc, 0 outside.

    Patches of ``side`` cells, with a halo of cells around them, start at ``first_x``, ``first_y``. The places
    of patch k are ``order[starts[k] : starts[k + 1]]``. ``shape`` is discs a worm, step, bend, least and
    largest radius.
    """
    discs, step, bend, low, high = shape
    x, y, radius = np.empty(discs), np.empty(discs), np.empty(discs)
    # bins as wide as the largest disc, so that a disc lies in four of them at most
    bins = max(min(int(side * cell / (2.0 * high)), 64), 1)
    width = side * cell / bins
    heads, room = np.empty(bins * bins, np.int64), 1024
    held_x, held_y, held_r = np.empty(room), np.empty(room), np.empty(room)
    held_i, held_j, after = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    for patch in range(first_x.size):
        if starts[patch] == starts[patch + 1]:
            continue
        heads[:] = -1
        count = 0
        for row in range(side + 2 * halo):
            for column in range(side + 2 * halo):
                born = cell_key(key, first_x[patch] + column, first_y[patch] + row)
                for number in range(births(born, mean)):
                    crawl(worm_key(born, number), cell, step, bend, low, high, x, y, radius)
                    for k in range(discs):
                        # in bins, from the corner of the patch without its halo; a little more, for rounding
                        at_x, at_y = x[k] + (column - halo) * cell, y[k] + (row - halo) * cell
                        reach = radius[k] * 1.0001
                        west, east = int(np.floor((at_x - reach) / width)), int(np.floor((at_x + reach) / width))
                        south, north = int(np.floor((at_y - reach) / width)), int(np.floor((at_y + reach) / width))
                        for j in range(max(south, 0), min(north + 1, bins)):
                            for i in range(max(west, 0), min(east + 1, bins)):
                                if count == room:
                                    room *= 2
                                    held_x, held_y = _grown(held_x), _grown(held_y)
                                    held_r, after = _grown(held_r), _grown(after)
                                    held_i, held_j = _grown(held_i), _grown(held_j)
                                held_x[count], held_y[count], held_r[count] = x[k], y[k], radius[k]
                                held_i[count] = first_x[patch] + column
                                held_j[count] = first_y[patch] + row
                                after[count] = heads[j * bins + i]
                                heads[j * bins + i] = count
                                count += 1
        for place in range(starts[patch], starts[patch + 1]):
            p = order[place]
            i = min(int(((cell_x[p] - first_x[patch] - halo) + inside_x[p]) * cell / width), bins - 1)
            j = min(int(((cell_y[p] - first_y[patch] - halo) + inside_y[p]) * cell / width), bins - 1)
            deepest = 0.0
            disc = heads[j * bins + i]
            while disc >= 0:
                dx = (float(cell_x[p] - held_i[disc]) + inside_x[p]) * cell - held_x[disc]
                dy = (float(cell_y[p] - held_j[disc]) + inside_y[p]) * cell - held_y[disc]
                depth = 1.0 - (dx * dx + dy * dy) / (held_r[disc] * held_r[disc])
                if depth > deepest:
                    deepest = depth
                disc = after[disc]
            out[p] = deepest


@njit(nogil=True, cache=True)
def _grown(values: Any) -> Any:  # pragma: no cover - compiled
    larger = np.empty(2 * values.size, values.dtype)
    larger[: values.size] = values
    return larger
