"""Priority flood: how high water must stand at each sample to find a way out.

After Barnes, Lehman and Mulla, "Priority-flood: an optimal depression-filling and watershed-labeling
algorithm for digital elevation models", Computers & Geosciences 62, 2014. Samples are flooded from
the outlets inwards, always the lowest next. Here every two samples have an order: by the level,
then by the way over level water to where the level first was reached, then by place. So nothing
depends on the order in which outlets are listed, and the flood itself says which way level water
flows: to where it came from.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]

_STRAIGHT, _OBLIQUE = 5, 7
"""Length of a step, near enough 1 to sqrt(2), in whole numbers."""


@njit(cache=True, nogil=True, inline="always")
def _before(a: int, b: int, level: Array, way: Places) -> bool:  # pragma: no cover - compiled
    if level[a] != level[b]:
        return bool(level[a] < level[b])
    if way[a] != way[b]:
        return bool(way[a] < way[b])
    return a < b


@njit(cache=True, nogil=True)
def _push(heap: Places, size: int, place: int, level: Array, way: Places) -> None:  # pragma: no cover - compiled
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if not _before(place, heap[above], level, way):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = place


@njit(cache=True, nogil=True)
def _pop(heap: Places, size: int, level: Array, way: Places) -> int:  # pragma: no cover - compiled
    """Return the first place of ``size``; the heap then has one fewer."""
    first, last = heap[0], heap[size - 1]
    size -= 1
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and _before(heap[below + 1], heap[below], level, way):
            below += 1
        if not _before(heap[below], last, level, way):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = last
    return int(first)


@njit(cache=True, nogil=True)
def flood(
    heights: Array, ground: Mask, outlets: Mask, offsets: Places, level: Array, source: Places, order: Places
) -> None:  # pragma: no cover - compiled
    """Flood flat, ringed ground.

    Parameters
    ----------
    heights, ground, outlets
        Outlets are ground. Every sample of ground must be linked to one.
    level
        Filled with the least highest point on any way to an outlet; off the ground left as it is.
    source
        Filled with the neighbour from which each place was flooded; -1 at outlets.
    order
        Filled with all places of ground, in the order of the flood.
    """
    size = 0
    heap = np.empty(order.size, np.int64)
    way = np.zeros(heights.size, np.int64)
    known = np.zeros(heights.size, np.bool_)
    for place in range(heights.size):
        if outlets[place]:
            level[place] = heights[place]
            source[place] = -1
            known[place] = True
            _push(heap, size, place, level, way)
            size += 1
    done = 0
    while size > 0:
        here = _pop(heap, size, level, way)
        size -= 1
        order[done] = here
        done += 1
        for k in range(8):
            place = here + offsets[k]
            if known[place] or not ground[place]:
                continue
            known[place] = True
            source[place] = here
            if heights[place] > level[here]:
                level[place] = heights[place]
            else:
                level[place] = level[here]
                way[place] = way[here] + (_STRAIGHT if k == 1 or k == 3 or k == 4 or k == 6 else _OBLIQUE)
            _push(heap, size, place, level, way)
            size += 1
