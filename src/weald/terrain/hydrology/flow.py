"""Flow: from each sample to the next, and how much ground lies above it.

A flood orders all samples so that each flows to earlier ones only; from the last to the first, all
that flows into a sample is known when its turn comes.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def steepest(
    level: Array, ground: Mask, sea: Mask, source: Places, order: Places, offsets: Places, lengths: Array, out: Places
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with the place that each place flows to; -1 where water leaves.

    It is the neighbour down the steepest slope of the filled ground, the first of equals (D8:
    O'Callaghan and Mark, "The extraction of drainage networks from digital elevation data", 1984).
    Where none is lower, it is where the flood came from. Straight towards samples without ground
    the slope goes on as it comes.
    """
    for turn in range(order.size):
        here = order[turn]
        out[here] = -1
        if sea[here]:
            continue
        best = 0.0
        target = source[here]
        for k in range(8):
            place = here + offsets[k]
            slope = 0.0
            if ground[place]:
                slope = (level[here] - level[place]) / lengths[k]
            else:
                # only straight out: the sides of a valley slope towards its middle, and so obliquely out of its end
                behind = here - offsets[k]
                if lengths[k] == 1.0 and ground[behind]:
                    slope = level[behind] - level[here]
                place = -1
            if slope > best:
                best = slope
                target = place
        out[here] = target


@njit(cache=True, nogil=True)
def gathered(receiver: Places, order: Places, out: Places) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with how many samples drain through each place, itself included."""
    for turn in range(order.size):
        out[order[turn]] = 1
    for turn in range(order.size - 1, -1, -1):
        here = order[turn]
        if receiver[here] >= 0:
            out[receiver[here]] += out[here]


@njit(cache=True, nogil=True)
def spread(
    level: Array, ground: Mask, sea: Mask, source: Places, order: Places, offsets: Places, lengths: Array, out: Array
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with how many samples drain through each place if water divides among all lower neighbours.

    Parts are in proportion to slope times the width of the way, 0.5 spacings straight and 0.354
    obliquely (Quinn, Beven, Chevallier and Planchon, "The prediction of hillslope flow paths for
    distributed hydrological modelling using digital terrain models", 1991).
    """
    for turn in range(order.size):
        out[order[turn]] = 1.0
    parts = np.empty(8)
    for turn in range(order.size - 1, -1, -1):
        here = order[turn]
        if sea[here]:
            continue
        total = 0.0
        for k in range(8):
            place = here + offsets[k]
            drop = 0.0
            if ground[place]:
                drop = level[here] - level[place]
            elif lengths[k] == 1.0 and ground[here - offsets[k]]:
                drop = level[here - offsets[k]] - level[here]
            parts[k] = 0.0
            if drop > 0.0:
                # the width obliquely is sqrt(2)/4, which over a length of sqrt(2) is a quarter
                parts[k] = drop * (0.5 if lengths[k] == 1.0 else 0.25)
                total += parts[k]
        if total > 0.0:
            for k in range(8):
                place = here + offsets[k]
                if parts[k] > 0.0 and ground[place]:
                    out[place] += out[here] * (parts[k] / total)
        elif source[here] >= 0:
            out[source[here]] += out[here]
