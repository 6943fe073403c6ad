"""Soft spacing: some pairs stand closer than the radius, as many as a chance allows.

Candidates are spaced strictly, by a part of the radius. They then come in an order that is hashed from their ids, and
each stays with the chance ``closer ** n``, where n is the number of those nearer than the radius that have stayed. That
is a sequential Strauss process on a hard core (Strauss, "A model for clustering", 1975; Illian et al., "Statistical
Analysis and Modelling of Spatial Point Patterns", 2008, section 3.5).

Whether a candidate stays hangs on earlier ones within the radius, theirs on still earlier ones. What a bounded
computation cannot know is tracked as in the sampler: a candidate whose fate could hang on something outside is *foggy*,
and fog that reaches the window means: compute again, with a larger halo.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.numbers import is_number
from weald.sampling.pointset import PointSet

Array = NDArray[np.float64]

HALO = 5.0
"""Radii around a window within which candidates are looked at, at first. It matters for speed only."""

_LEFT, _STAYS, _FOGGY, _YET_TO_COME = 0, 1, 2, 3


@dataclass(frozen=True)
class Soft:
    """Let some pairs stand closer than the radius.

    Parameters
    ----------
    core
        Part of the radius that every pair keeps, without exception: above 0, below 1.
    closer
        Chance that an instance stays beside one that is nearer than the radius: 0 to 1. At 0 none does; at 1
        the core is all that counts.

    >>> Soft(core=0.4, closer=0.3)
    Soft(core=0.4, closer=0.3)
    """

    core: float = 0.5
    closer: float = 0.2

    def __post_init__(self) -> None:
        if not (is_number(self.core) and 0 < self.core < 1):
            raise InputError(f"soft: core is {self.core}; give a part of the radius, above 0 and below 1")
        if not (is_number(self.closer) and 0 <= self.closer <= 1):
            raise InputError(f"soft: closer is {self.closer}; give a chance from 0 to 1")


def soften(
    soft: Soft,
    candidates: Callable[[Bounds], PointSet],
    window: Bounds,
    domain: Bounds | None,
    widest: float,
    seed: hashing.Seed,
) -> PointSet:
    """Return those of the candidates in a window that stay.

    Parameters
    ----------
    candidates
        Returns all candidates in a box, their ``radius`` being the core.
    domain
        Beyond it there are none; None if they are everywhere.
    widest
        The largest radius there is, in metres: not the core.
    """
    halo = HALO * widest
    while True:
        wide = window.grown(halo)
        box = wide if domain is None else wide.intersection(domain)
        if box is None:  # the window misses the domain
            return candidates(window)
        points = candidates(box)
        # what lies beyond the box is known to be empty where the domain ends there
        known = np.array(
            [
                -np.inf if domain is not None and box.xmin <= domain.xmin else box.xmin,
                -np.inf if domain is not None and box.ymin <= domain.ymin else box.ymin,
                np.inf if domain is not None and box.xmax >= domain.xmax else box.xmax,
                np.inf if domain is not None and box.ymax >= domain.ymax else box.ymax,
            ]
        )
        fate = _fates(soft, points, known, widest, seed)
        inside = window.contains(points.xy[:, 0], points.xy[:, 1])
        if not (inside & (fate == _FOGGY)).any():
            stay = inside & (fate == _STAYS)
            return PointSet(points.xy[stay], points.radius[stay], points.id[stay], points.seed)
        halo *= 2


def _fates(soft: Soft, points: PointSet, known: Array, widest: float, seed: hashing.Seed) -> NDArray[np.uint8]:
    fate = np.full(len(points), _YET_TO_COME, np.uint8)
    if not len(points):
        return fate
    radius = np.ascontiguousarray(points.radius) / soft.core
    rank = hashing.mix_array(points.id, hashing.key(seed, "soft order"))  # one to one: no two are equal
    order = np.argsort(rank).astype(np.int32)
    draw = hashing.unit(points.id, seed, "soft")
    low = points.xy.min(axis=0)
    width, depth = (points.xy.max(axis=0) - low).tolist()
    # cells of the largest radius, and no more of them than there are points
    side = max(1.000001 * float(radius.max()), math.sqrt(width * depth / len(points)))
    cell = ((points.xy - low) / side).astype(np.int64)
    nx, ny = (cell.max(axis=0) + 1).tolist()
    index = cell[:, 1] * nx + cell[:, 0]
    by_cell = np.argsort(index, kind="stable").astype(np.int32)
    start = np.searchsorted(index[by_cell], np.arange(nx * ny + 1)).astype(np.int32)
    _decide(points.xy, radius, draw, order, cell, nx, ny, by_cell, start, soft.closer, known, widest, fate)
    return fate


@njit(cache=True, nogil=True, error_model="numpy")
def _decide(
    xy: Array,
    radius: Array,
    draw: Array,
    order: NDArray[np.int32],
    cell: NDArray[np.int64],
    nx: int,
    ny: int,
    by_cell: NDArray[np.int32],
    start: NDArray[np.int32],
    closer: float,
    known: Array,
    widest: float,
    fate: NDArray[np.uint8],
) -> None:
    asks_beyond = closer < 1.0
    for a in range(len(order)):
        k = order[a]
        stay, perhaps = 1.0, 1.0  # the chance to stay: at most, and at least
        for j in range(max(cell[k, 1] - 1, 0), min(cell[k, 1] + 2, ny)):
            for i in range(max(cell[k, 0] - 1, 0), min(cell[k, 0] + 2, nx)):
                for at in range(start[j * nx + i], start[j * nx + i + 1]):
                    o = by_cell[at]
                    if fate[o] != _STAYS and fate[o] != _FOGGY:
                        continue
                    dx, dy = xy[o, 0] - xy[k, 0], xy[o, 1] - xy[k, 1]
                    if math.sqrt(dx * dx + dy * dy) < max(radius[o], radius[k]):
                        if fate[o] == _STAYS:
                            stay *= closer
                        perhaps *= closer
        if asks_beyond and (
            xy[k, 0] - widest < known[0]
            or xy[k, 1] - widest < known[1]
            or xy[k, 0] + widest >= known[2]
            or xy[k, 1] + widest >= known[3]
        ):
            perhaps = 0.0
        if draw[k] >= stay:
            fate[k] = _LEFT
        elif draw[k] < perhaps:
            fate[k] = _STAYS
        else:
            fate[k] = _FOGGY
