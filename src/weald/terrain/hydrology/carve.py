"""Beds of rivers, cut into the ground."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.arguments import of_kind
from weald.numbers import number_in
from weald.terrain.hydrology.around import ringed, unringed
from weald.terrain.hydrology.drainage import Drainage
from weald.terrain.terrain import Terrain

Array = NDArray[np.float64]
Places = NDArray[np.int64]


def carve(water: Drainage, least_area: float, *, depth: float = 1.0) -> Terrain:
    """Return the ground with the beds of rivers cut into it, so that no bed rises downstream.

    Where a river crossed a depression, it now cuts through what held the water: that lake is gone.
    Measured ground is full of such dams that are none, of bridges, trees, or gorges narrower than
    its samples.

    Parameters
    ----------
    water
        The drainage of the ground.
    least_area
        Ground, in m², that a river must drain.
    depth
        Depth of the bed of a river that drains just that, in metres from 0; a larger one's grows
        with the square root of its area.

    Returns
    -------
    Terrain
        Lower on the rivers, elsewhere the same. Beds are one sample wide;
        `weald.terrain.erosion.thermal` lays back their banks.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> from weald.terrain.hydrology import drainage
    >>> dammed = Terrain(Grid(0, 0, 10, 5, 3), [[9] * 5, [6, 3, 4, 2, 1], [9] * 5])
    >>> carve(drainage(dammed), 300, depth=0).heights[1].tolist()
    [6.0, 3.0, 3.0, 2.0, 1.0]
    """
    of_kind("water", water, Drainage, "what drainage(terrain) returns")
    depth = number_in("depth", depth, "metres from 0", least=0.0)
    least_area = number_in("least_area", least_area, "square metres, 1e-6 or more", least=1e-6)
    rivers = water.rivers(least_area)
    deep = np.where(rivers.mask, depth * np.sqrt(water.area / least_area), 0.0)
    bed = ringed(water.terrain.heights - deep, np.nan)
    _lower(bed, ringed(rivers.mask, False), water.receiver, water.order)
    return Terrain(water.terrain.grid, unringed(bed, water.terrain.grid.shape), water.terrain.crs)


@njit(cache=True, nogil=True)
def _lower(
    bed: Array, river: NDArray[np.bool_], receiver: Places, order: Places
) -> None:  # pragma: no cover - compiled
    """Lower the beds of rivers to that of every river that flows in, from the springs down."""
    for turn in range(order.size - 1, -1, -1):
        here = order[turn]
        there = receiver[here]
        if river[here] and there >= 0 and river[there] and bed[here] < bed[there]:
            bed[there] = bed[here]
