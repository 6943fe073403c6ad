"""Points that stood before: blockers, and where radii vary the points of larger classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.errors import InputError
from weald.geometry import Bounds
from weald.numbers import number_in
from weald.sampling.lattice import PLACES, Metric
from weald.sampling.limits import DISC, RADII, ROUNDED, WIDER, check_pairs
from weald.sampling.state import BOX, FOG, NOTHING, WORD_SIDE, Cells, Fixed, Frame, limit, own, step_radius
from weald.sampling.wide import StandIns, stand_in

Array = NDArray[np.float64]
Discs: TypeAlias = tuple[Array, Array]
"""Coordinates, shape (n, 2), and radii, shape (n,), in metres."""

_STRIPS = 1024
_MOST = 2 * RADII[1]

_LIMIT_OF_STAND_INS = DISC * DISC + 1
_NO_STAND_INS = StandIns(*(np.empty(0, np.int64) for _ in range(3)))

NONE = Fixed(np.zeros(1, np.int32), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True)
class Blockers:
    """Discs that are found when they are asked about, so that they may go on for ever.

    Parameters
    ----------
    find
        Returns all discs whose middle lies in a box; called from several threads.
    most
        The largest radius that a disc may have, in metres.
    alone
        Whether points keep off a disc by its radius alone, also where their own is larger. For one radius only.
    """

    find: Callable[[Bounds], Discs]
    most: float
    alone: bool = False

    def __post_init__(self) -> None:
        if not callable(self.find):
            raise InputError(f"blockers: find is {type(self.find).__name__}; give a function of a box")
        # who knows the largest only after rounding states a little more
        number_in("blockers: most", self.most, f"a radius in metres, from 0 to {RADII[1]:g}", least=0, most=_MOST)

    @classmethod
    def of(cls, discs: Discs) -> Blockers:
        """Return discs that are known everywhere."""
        xy, radius = discs

        def find(box: Bounds) -> Discs:
            inside = box.contains(xy[:, 0], xy[:, 1])
            return xy[inside], radius[inside]

        return cls(find, float(radius.max(initial=0.0)))

    def at_least(self, radius: float) -> Blockers:
        """Return the same discs, none of them smaller than a radius."""

        def find(box: Bounds) -> Discs:
            xy, found = self.find(box)
            return xy, np.maximum(found, radius)

        return Blockers(find, max(self.most, radius), self.alone)


class Known:
    """Discs, known in some boxes and found elsewhere when they are asked about.

    Parameters
    ----------
    find
        Returns all discs whose middle lies in a box.
    reach
        The largest radius that a disc may have, in metres.
    keep
        Whether what was found is worth keeping.
    """

    def __init__(self, find: Callable[[Bounds], Discs], reach: float, keep: bool = True) -> None:
        self._find = find
        self._reach = reach
        self._keep = keep
        self._patches: list[tuple[Bounds, Discs, NDArray[np.intp]]] = []

    def know(self, box: Bounds, discs: Discs) -> None:
        """Note that these are all discs in a box."""
        xy, radius = discs
        # sorted to strips, so that a tile does not look at all discs of a large window
        strip = _strip(box, xy[:, 1])
        order = np.argsort(strip, kind="stable")
        start = np.searchsorted(strip[order], np.arange(_STRIPS + 1))
        self._patches.append((box, (xy[order], radius[order]), start))

    def around(self, box: Bounds, least: float, turns: tuple[float, float]) -> Discs:
        """Return all discs that reach into a box, or keep off by ``least`` what stands in it.

        ``turns``: the metres along x and y after which they repeat, so that none farther away matters.
        """
        by = WIDER * max(least, self._reach)
        x, y = (min(by, WIDER * turn) for turn in turns)
        return self.within(Bounds(box.xmin - x, box.ymin - y, box.xmax + x, box.ymax + y))

    def within(self, box: Bounds) -> Discs:
        """Return all discs whose middle lies in a box."""
        for patch, (xy, radius), start in list(self._patches):  # a copy: other threads may add to it
            if patch.intersection(box) == box:
                first, last = _strip(patch, np.array([box.ymin, box.ymax]))
                here = slice(start[first], start[last + 1])
                xy, radius = xy[here], radius[here]
                inside = box.contains(xy[:, 0], xy[:, 1])
                return xy[inside], radius[inside]
        found = self._find(box)
        if self._keep:
            self.know(box, found)
        return found


def _strip(box: Bounds, y: Array) -> NDArray[np.int16]:
    """Return in which of the strips of a box, from the south up, coordinates lie."""
    share = (y - box.ymin) / (box.ymax - box.ymin)
    return np.clip(share * _STRIPS, 0, _STRIPS - 1).astype(np.int16)


def fix(frame: Frame, cells: Cells, metric: Metric, discs: Discs, alone: bool) -> Fixed:
    """Put out what discs cover, and sort them to the cells that they reach into.

    ``alone``: points keep off by the discs' radii, their own do not matter.
    """
    conflict = 0 if alone else frame.conflict
    xy, radius = discs
    if not len(xy):
        return NONE
    place, size = _in_places(metric, xy, radius)
    place -= frame.i0 * frame.cell_x, frame.j0 * frame.cell_y
    # beyond this nothing is reached, and what is so far may not be a whole number of 64 bits
    reach = size * WIDER + (1.0 + math.sqrt(float(frame.farthest)))
    beyond = np.maximum(-place, place - (frame.width * frame.cell_x, frame.height * frame.cell_y))
    near = (beyond <= reach[:, None]).all(axis=1)
    wide = near & (size > DISC)
    covered, instead = stand_in(frame, metric, xy[wide], radius[wide]) if wide.any() else (None, _NO_STAND_INS)
    near &= ~wide
    x, y = place[near].astype(np.int64).T.copy()
    sizes = size[near].astype(np.int64)

    start = np.zeros(frame.width * frame.height + 1, np.int32)
    nothing = np.empty(0, np.int64)
    counted = Fixed(start, nothing, nothing, nothing)
    _sort(frame, cells, x, y, sizes, conflict, 0, counted)
    if covered is not None:
        cells.live[: covered.size][covered.ravel()] = 0
        cells.head[: covered.size][covered.ravel()] = NOTHING
        instead = _put_out_each(frame, cells, instead)
    _sort(frame, cells, x, y, sizes, conflict, 1, counted)
    np.add.at(start, instead.cell + 1, 1)
    check_pairs(int(start.sum(dtype=np.int64)))
    np.cumsum(start, out=start)
    count = int(start[-1])
    fixed = Fixed(start, np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64))
    _sort(frame, cells, x, y, sizes, conflict, 2, fixed)
    for c, middle_x, middle_y in zip(*(values.tolist() for values in instead), strict=True):
        n = start[c]
        start[c] = n + 1
        fixed.x[n], fixed.y[n], fixed.limit[n] = middle_x, middle_y, _LIMIT_OF_STAND_INS
    start[1:] = start[:-1]  # each start has moved to its end
    start[0] = 0
    return fixed


def _in_places(metric: Metric, xy: Array, radius: Array) -> tuple[Array, Array]:
    """Return middles and radii of discs in places, whole numbers.

    What does not stand on a place is moved by less than one; its disc grows by as much. On a torus that has been seen
    to (see `weald.sampling.torus`): of places there, only rounded coordinates are left.
    """
    with np.errstate(over="ignore"):  # what is infinitely far is out of reach
        place = np.rint((xy - metric.origin) / metric.unit)
        size = metric.lengths(radius)
        if not metric.repeats:
            size += (place * metric.unit != xy).any(axis=1)
    # distances of more than 26 bits have squares of more than 53: what a user computes of them is rounded
    size += (size >= ROUNDED) * (1.0 + np.ceil(size * 2.0**-50))
    return place, size


def _put_out_each(frame: Frame, cells: Cells, instead: StandIns) -> StandIns:
    """Put out what stand-ins cover of their cells; return those whose cells are not yet out."""
    _put_out_by(frame, cells, instead.cell, instead.x, instead.y)
    cell = instead.cell
    left = (cells.live[cell] != 0) | (cells.head[cell] == FOG)
    return StandIns(*(values[left] for values in instead))


@njit(cache=True, nogil=True, error_model="numpy")
def _put_out_by(
    frame: Frame, cells: Cells, cell: NDArray[np.int64], x: NDArray[np.int64], y: NDArray[np.int64]
) -> None:
    for k in range(len(cell)):
        j = cell[k] // frame.width
        i = cell[k] - j * frame.width
        _put_out(cells, cell[k], x[k] - i * frame.cell_x, y[k] - j * frame.cell_y, _LIMIT_OF_STAND_INS)


@njit(cache=True, nogil=True, error_model="numpy")
def _sort(
    frame: Frame,
    cells: Cells,
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    radius: NDArray[np.int64],
    conflict: int,
    phase: int,
    fixed: Fixed,
) -> None:
    """Go through the cells that each disc reaches into.

    Phase 0 puts out the boxes that it covers, fog included if that is the whole cell; then, with nothing
    changing any more, phase 1 counts the discs of each cell that is left, and phase 2 writes them down.
    """
    widest = np.int64(np.ceil(np.sqrt(float(frame.farthest)))) * np.int64(conflict > 0)
    across, up = int64(frame.cell_x), int64(frame.cell_y)
    for f in range(len(x)):
        reach = max(radius[f], widest)
        for j in range(max((y[f] - reach) // up, 0), min((y[f] + reach) // up + 1, frame.height)):
            low = int64(j) * up
            for i in range(max((x[f] - reach) // across, 0), min((x[f] + reach) // across + 1, frame.width)):
                c = j * frame.width + i
                left = int64(i) * across
                dx, dy = max(left - x[f], x[f] - left - PLACES, 0), max(low - y[f], y[f] - low - PLACES, 0)
                if (cells.live[c] == uint64(0) and cells.head[c] != FOG) or dx * dx + dy * dy > reach * reach:
                    continue
                if phase == 0:
                    least = step_radius(frame.least, own(frame, cells.floor, c))
                    _put_out(cells, c, x[f] - left, y[f] - low, limit(conflict, least, radius[f]))
                    continue
                n = fixed.start[c + 2 - phase]
                fixed.start[c + 2 - phase] = n + 1
                if phase == 2:
                    fixed.x[n], fixed.y[n], fixed.limit[n] = x[f], y[f], limit(conflict, radius[f], 0)


@njit(error_model="numpy", forceinline=True)
def _put_out(cells: Cells, c: Any, x: Any, y: Any, covers: Any) -> None:
    """Put out what a disc, seen from cell ``c``, covers of it."""
    far_x, far_y = max(PLACES - x, x), max(PLACES - y, y)
    if far_x * far_x + far_y * far_y < covers:
        cells.live[c] = 0
        cells.head[c] = NOTHING
        return
    for k in range(64):
        bx, by = (k % WORD_SIDE) * BOX, (k // WORD_SIDE) * BOX
        far_x, far_y = max(bx + BOX - x, x - bx), max(by + BOX - y, y - by)
        if far_x * far_x + far_y * far_y < covers:
            cells.live[c] &= ~(uint64(1) << uint64(k))
