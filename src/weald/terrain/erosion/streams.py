"""Streams: rain gathers, digs where it runs fast, and lays down what it cannot carry.

One iteration moves all water one sample downhill, shared out among the lower neighbours by the
squares of the slopes (after Freeman, "Calculating catchment area with divergent flow based on a
regular grid", Computers & Geosciences 17, 1991, with 2 for an exponent). Where it runs it digs by
the stream power law, in proportion to ``sqrt(water) * slope`` (Howard, "A detachment-limited model
of drainage basin evolution", Water Resources Research 30, 1994), as long as it carries less than
it can; the rest is laid down.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_EXCHANGE = 0.2
"""Share of the difference between load and capacity that is dug or laid down, an iteration."""
_DEEPEST = 0.4
"""Share of the drop to the lowest neighbour that can be dug, an iteration: below 1, so that nothing is undercut."""
_HOLLOW = 0.4
"""Share of a hollow that can be laid down, an iteration: of the rise to the mean of the neighbours, in a pit to the
lowest. So what is laid down is smooth."""
_FILM = 0.001
"""What can be laid down anywhere, in spacings: it closes pits, and lets plains grow."""


@njit(cache=True, nogil=True)
def run(
    heights: Array,
    ground: Mask,
    water: Array,
    load: Array,
    step: float,
    digging: float,
    capacity: float,
    out_heights: Array,
    out_water: Array,
    out_load: Array,
) -> None:  # pragma: no cover - compiled
    """Fill the ``out`` arrays with the state after one iteration.

    Parameters
    ----------
    heights, ground
        In a ring, from `weald.terrain.erosion.edges.surround`.
    water
        What runs over each sample, in samples' worth of rain.
    load
        What the water carries, in metres over a sample. What went off the ground during the
        iteration stands in ``out_load`` where there is no ground.
    step
        Metres between samples.
    digging
        Metres dug for every metre of ``sqrt(water area) * slope``.
    capacity
        Metres of load that a sample's worth of water can carry down a slope of 1, in spacings.
    """
    rows, columns = heights.shape
    out_water[:] = 1.0
    out_load[:] = 0.0
    weights = np.empty((3, 3))
    for j in range(1, rows - 1):
        for i in range(1, columns - 1):
            here = heights[j, i]
            if not ground[j, i]:
                out_heights[j, i] = here
                continue
            total, steepest, lowest, rises = 0.0, 0.0, math.inf, 0.0
            for dj in range(-1, 2):
                for di in range(-1, 2):
                    weights[dj + 1, di + 1] = 0.0
                    if dj == 0 and di == 0:
                        continue
                    rise = heights[j + dj, i + di] - here
                    lowest = min(lowest, rise)
                    rises += rise
                    if rise < 0.0:
                        # squares of drops, and not of slopes: halved instead of divided by sqrt(2) twice
                        square = rise * rise if dj == 0 or di == 0 else 0.5 * rise * rise
                        weights[dj + 1, di + 1] = square
                        total += square
                        steepest = max(steepest, square)
            carried = load[j, i]
            # a drop may be so small that its square is 0: such ground is level
            if total == 0.0:
                laid = min(carried, _HOLLOW * max(lowest, 0.0) + _FILM * step)
                out_heights[j, i] = here + laid
                out_load[j, i] += carried - laid
                continue
            flow = water[j, i]
            drop = math.sqrt(steepest)
            room = capacity * flow * drop - carried
            if room < 0.0:
                dug = -min(-_EXCHANGE * room, _HOLLOW * max(rises / 8.0, 0.0) + _FILM * step)
            else:
                dug = min(digging * math.sqrt(flow) * drop, min(_EXCHANGE * room, -_DEEPEST * lowest))
            out_heights[j, i] = here - dug
            flow /= total
            carried = (carried + dug) / total
            for dj in range(3):
                for di in range(3):
                    weight = weights[dj, di]
                    if weight > 0.0:
                        out_water[j + dj - 1, i + di - 1] += flow * weight
                        out_load[j + dj - 1, i + di - 1] += carried * weight
