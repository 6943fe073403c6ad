"""Points that stood before: blockers, and where radii vary the points of larger classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.geometry import Bounds
from weald.sampling.lattice import PLACES, Metric
from weald.sampling.state import BOX, FOG, NOTHING, WORD_SIDE, Cells, Fixed, Frame, limit, own, step_radius

Array = NDArray[np.float64]
Discs: TypeAlias = tuple[Array, Array]
"""Coordinates, shape (n, 2), and radii, shape (n,), in metres."""

_STRIPS = 1024

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

    @classmethod
    def of(cls, discs: Discs) -> Blockers:
        """Return discs that are known everywhere."""
        xy, radius = discs

        def find(box: Bounds) -> Discs:
            inside = box.contains(xy[:, 0], xy[:, 1])
            return xy[inside], radius[inside]

        return cls(find, float(radius.max(initial=0.0)))


class Known:
    """Discs, known in some boxes and found elsewhere when they are asked about.

    Parameters
    ----------
    find
        Returns all discs whose middle lies in a box.
    keep
        Whether what was found is worth keeping.
    """

    def __init__(self, find: Callable[[Bounds], Discs], keep: bool = True) -> None:
        self._find = find
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
    exact = (xy - metric.origin) / metric.unit
    place = np.rint(exact)
    # what does not stand on a place is moved by less than one; its disc grows by as much
    size = metric.lengths(radius) + (place != exact).any(axis=1)
    corner = np.array([frame.i0 * frame.cell_x, frame.j0 * frame.cell_y], np.int64)
    x, y = (place.astype(np.int64) - corner).T.copy()
    start = np.zeros(frame.width * frame.height + 1, np.int32)
    nothing = np.empty(0, np.int64)
    sizes = size.astype(np.int64)
    _sort(frame, cells, x, y, sizes, conflict, 0, Fixed(start, nothing, nothing, nothing))
    _sort(frame, cells, x, y, sizes, conflict, 1, Fixed(start, nothing, nothing, nothing))
    np.cumsum(start, out=start)
    count = int(start[-1])
    fixed = Fixed(start, np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64))
    _sort(frame, cells, x, y, sizes, conflict, 2, fixed)
    start[1:] = start[:-1]  # each start has moved to its end
    start[0] = 0
    return fixed


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
