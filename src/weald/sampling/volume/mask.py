"""Forbidden ground in space: which cells are closed before the first round, and which darts are void.

The rule is a black box, so forbidden ground is known only where it was asked. What is given up,
so that not all of it is cut into ever more boxes, depends on the place alone:

- a cell is *barren* if eight places, one drawn in each eighth of it, are all forbidden;
- barren cells are closed if all of their 26 neighbours are barren too, or else if 64 more places,
  drawn in the same way, are all forbidden;
- from level 3 on, a box is given up if its own dart is forbidden, or the place of the domain nearest
  to it (see `weald.sampling.volume.sampler`).

Of a cell that reaches out of the domain, only the part inside counts. Since points play no part
in these rules, they spread no fog.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.lattice import PLACES
from weald.sampling.mask import AllowedInSpace, ask
from weald.sampling.state import LAST_LEVEL, VOID, round_key
from weald.sampling.volume.collect import coordinates
from weald.sampling.volume.state import Boxes, Darts, Frame, cell_key, clip, corner, place_x, place_y, place_z

GIVE_UP_LEVEL = 3
"""From this level on, a box is given up if its own dart is forbidden."""

_SURVEY = LAST_LEVEL + 1  # round numbers beyond all rounds of darts
_BATCH = 1 << 18


class Mask:
    """What is allowed, over the cells of one frame."""

    def __init__(self, allowed: AllowedInSpace, unit: float, frame: Frame) -> None:
        self._allowed, self._unit, self._frame = allowed, unit, frame

    def void(self, darts: Darts, which: NDArray[np.intp]) -> NDArray[np.intp]:
        """Ask about some of the darts; void and return those on forbidden ground."""
        place = np.empty((3, len(which)))
        coordinates(self._frame, self._unit, darts, which, place)
        forbidden = which[~self._ask(place)]
        darts.state[forbidden] = VOID
        return forbidden

    def closed(self) -> NDArray[np.bool_]:
        """Return which cells are closed, shape (layers * rows * columns,)."""
        frame = self._frame
        shape = frame.nz, frame.ny, frame.nx
        touched = [
            (np.arange(n) * PLACES < high) & ((np.arange(n) + 1) * PLACES > low)
            for n, low, high in zip(
                shape, (frame.zmin, frame.ymin, frame.xmin), (frame.zmax, frame.ymax, frame.xmax), strict=True
            )
        ]
        inside = np.flatnonzero(touched[0][:, None, None] & touched[1][:, None] & touched[2])
        barren = np.ones(shape, np.bool_)
        barren.flat[inside] = self._all_forbidden(inside, 1)
        closed = barren
        for axis in range(3):
            closed = _with_neighbours(closed, axis)
        unsure = inside[barren.flat[inside] & ~closed.flat[inside]]
        closed.flat[unsure] = self._all_forbidden(unsure, 2)
        return closed.ravel()

    def _all_forbidden(self, which: NDArray[np.intp], level: int) -> NDArray[np.bool_]:
        """Return which of some cells have nothing but forbidden ground in one place of each box of a level."""
        boxes = 8**level
        found = np.empty(len(which), np.bool_)
        for first in range(0, len(which), _BATCH // boxes):
            part = which[first : first + _BATCH // boxes]
            place = np.empty((3, len(part) * boxes))
            probes(self._frame, self._unit, level, part, place)
            found[first : first + len(part)] = ~self._ask(place).reshape(-1, boxes).any(axis=1)
        return found

    def _ask(self, place: NDArray[np.float64]) -> NDArray[np.bool_]:
        if place.shape[1] == 0:
            return np.empty(0, np.bool_)
        return ask(self._allowed, *place)


def _with_neighbours(barren: NDArray[np.bool_], axis: int) -> NDArray[np.bool_]:
    """Return which cells are barren together with both neighbours along an axis; what is not known counts as not."""
    a = np.moveaxis(barren, axis, 0)
    out = np.zeros_like(a)
    out[1:-1] = a[1:-1] & a[:-2] & a[2:]
    return np.moveaxis(out, 0, axis)


@njit(cache=True, nogil=True, error_model="numpy")
def drop_boxes(boxes: Boxes, count: int, given_up: NDArray[np.bool_]) -> int:
    """Drop the boxes that are marked, and cells without a box; return the number of cells that stay."""
    kept, n, s = 0, 0, 0
    for a in range(count):
        first = n
        end = boxes.start[a + 1]  # read before it is overwritten
        while s < end:
            if not given_up[s]:
                boxes.x[n] = boxes.x[s]
                boxes.y[n] = boxes.y[s]
                boxes.z[n] = boxes.z[s]
                n += 1
            s += 1
        if n > first:
            boxes.cell[kept] = boxes.cell[a]
            kept += 1
            boxes.start[kept] = n
    return kept


@njit(cache=True, nogil=True, error_model="numpy")
def probes(frame: Frame, unit: float, level: int, which: NDArray[np.intp], out: NDArray[np.float64]) -> None:
    """Write one place of each of the 8**level boxes of some cells' parts inside the domain, in metres."""
    of_round = round_key(frame.key, _SURVEY + level)
    side = 1 << level
    n = 0
    for a in range(len(which)):
        i, j, k = corner(frame, int64(which[a]))
        xmin, xmax, ymin, ymax, zmin, zmax = clip(frame, i, j, k)
        x0, y0, z0 = max(xmin, 0), max(ymin, 0), max(zmin, 0)
        wide, deep, high = min(xmax, PLACES) - x0, min(ymax, PLACES) - y0, min(zmax, PLACES) - z0
        i, j, k = i + frame.i0, j + frame.j0, k + frame.k0
        of_cell = cell_key(of_round, i, j, k)
        for box in range(side * side * side):
            bits = mix(of_cell + uint64(box) * uint64(GOLDEN))
            x = (int64(box % side) * PLACES + place_x(bits)) * wide // (side * PLACES)
            y = (int64(box // side % side) * PLACES + place_y(bits)) * deep // (side * PLACES)
            z = (int64(box // side // side) * PLACES + place_z(bits)) * high // (side * PLACES)
            out[0, n] = float(i * PLACES + x0 + x) * unit
            out[1, n] = float(j * PLACES + y0 + y) * unit
            out[2, n] = float(k * PLACES + z0 + z) * unit
            n += 1
