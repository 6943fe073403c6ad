"""Discs sorted into square bins, and which places lie in one."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
_Index = NDArray[np.int32]

_BINS_A_DISC = 12
_SLACK = 1e-6
"""Part of a bin by which rounding may misplace a place: a bin counts as covered or missed only beyond it."""


class Discs:
    """A fixed set of discs, each with a radius of its own, that can be asked about places.

    Most bins are covered by one disc or missed by all, and are answered without looking at any.
    Distances are ``sqrt(dx * dx + dy * dy)`` in float64, and compared without a tolerance.

    Parameters
    ----------
    xy
        Middles, shape (n, 2), in metres.
    reach
        Radii, shape (n,); discs of radius 0 hold nothing.

    >>> discs = Discs(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([5.0, 1.0]))
    >>> discs.hold(np.array([3.0, -3.0, 3.0]), np.array([4.0, -4.0, 5.0])).tolist()
    [True, False, False]
    """

    def __init__(self, xy: Array, reach: Array) -> None:
        wide = reach > 0.0
        self._xy, self._reach = np.ascontiguousarray(xy[wide]), np.ascontiguousarray(reach[wide], np.float64)
        count = len(self._xy)
        if not count:
            self._bins = (0.0, 0.0, 1.0, 0, 0)
            self._covered, self._start, self._item = np.empty(0, np.bool_), np.zeros(1, np.int32), np.empty(0, np.int32)
            return
        low = (self._xy - self._reach[:, None]).min(axis=0)
        width, depth = ((self._xy + self._reach[:, None]).max(axis=0) - low).tolist()
        # a few bins a disc's radius; never many more than discs, however small or strung out they are
        most = _BINS_A_DISC * count + 1024
        side = max(float(np.median(self._reach)) / 3, math.sqrt(width * depth / most), max(width, depth) / most)
        nx, ny = int(width / side) + 1, int(depth / side) + 1
        self._bins = (float(low[0]), float(low[1]), side, nx, ny)
        self._covered = np.zeros(nx * ny, np.bool_)
        self._start = np.zeros(nx * ny + 1, np.int32)
        _sort(self._xy, self._reach, *self._bins, self._covered, self._start, np.empty(0, np.int32))
        np.cumsum(self._start, out=self._start)
        self._item = np.empty(self._start[-1], np.int32)
        _sort(self._xy, self._reach, *self._bins, self._covered, self._start, self._item)
        self._start[1:] = self._start[:-1]  # each start has moved to its end
        self._start[0] = 0

    def __len__(self) -> int:
        return len(self._xy)

    def hold(self, x: Array, y: Array) -> NDArray[np.bool_]:
        """Return for each place, x and y of shape (n,), whether a disc holds it: it is nearer than the radius."""
        found = np.zeros(x.shape, np.bool_)
        if len(self._xy):
            _hold(x, y, self._xy, self._reach, *self._bins, self._covered, self._start, self._item, found)
        return found

    def bump(self, x: Array, y: Array) -> Array:
        """Return for each place the highest of the discs' bumps ``(1 - (distance / radius)²)²``; 0 outside all."""
        height = np.zeros(x.shape)
        if len(self._xy):
            _bump(x, y, self._xy, self._reach, *self._bins, self._start, self._item, height)
        return height


@njit(cache=True, nogil=True, error_model="numpy")
def _sort(
    xy: Array,
    reach: Array,
    xmin: float,
    ymin: float,
    side: float,
    nx: int,
    ny: int,
    covered: NDArray[np.bool_],
    start: _Index,
    item: _Index,
) -> None:
    """Count the discs that each bin meets, and mark the bins that one covers; with ``item``, write them down."""
    for p in range(len(xy)):
        cx, cy = (xy[p, 0] - xmin) / side, (xy[p, 1] - ymin) / side
        radius = reach[p] / side
        # a disc may be so wide that it is the only thing within a million bins
        left, right = max(int(cx - radius - _SLACK), 0), min(int(cx + radius + _SLACK), nx - 1)
        low, high = max(int(cy - radius - _SLACK), 0), min(int(cy + radius + _SLACK), ny - 1)
        within, beyond = max(radius - _SLACK, 0.0), radius + _SLACK
        for j in range(low, high + 1):
            near_y = max(j - cy, cy - j - 1.0, 0.0)
            far_y = max(cy - j, j + 1.0 - cy)
            for i in range(left, right + 1):
                near_x = max(i - cx, cx - i - 1.0, 0.0)
                if near_x * near_x + near_y * near_y > beyond * beyond:
                    continue
                b = j * nx + i
                if len(item) > 0:
                    item[start[b]] = p
                    start[b] += 1
                    continue
                far_x = max(cx - i, i + 1.0 - cx)
                if far_x * far_x + far_y * far_y < within * within:
                    covered[b] = True
                start[b + 1] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def _hold(
    x: Array,
    y: Array,
    xy: Array,
    reach: Array,
    xmin: float,
    ymin: float,
    side: float,
    nx: int,
    ny: int,
    covered: NDArray[np.bool_],
    start: _Index,
    item: _Index,
    found: NDArray[np.bool_],
) -> None:
    for k in range(len(x)):
        u, v = (x[k] - xmin) / side, (y[k] - ymin) / side
        if not (u >= 0.0 and u < nx and v >= 0.0 and v < ny):
            continue
        b = int(v) * nx + int(u)
        if covered[b]:
            found[k] = True
            continue
        for at in range(start[b], start[b + 1]):
            p = item[at]
            dx, dy = xy[p, 0] - x[k], xy[p, 1] - y[k]
            if math.sqrt(dx * dx + dy * dy) < reach[p]:
                found[k] = True
                break


@njit(cache=True, nogil=True, error_model="numpy")
def _bump(
    x: Array,
    y: Array,
    xy: Array,
    reach: Array,
    xmin: float,
    ymin: float,
    side: float,
    nx: int,
    ny: int,
    start: _Index,
    item: _Index,
    height: Array,
) -> None:
    for k in range(len(x)):
        u, v = (x[k] - xmin) / side, (y[k] - ymin) / side
        if not (u >= 0.0 and u < nx and v >= 0.0 and v < ny):
            continue
        b = int(v) * nx + int(u)
        best = 0.0
        for at in range(start[b], start[b + 1]):
            p = item[at]
            dx, dy = xy[p, 0] - x[k], xy[p, 1] - y[k]
            best = max(best, 1.0 - (dx * dx + dy * dy) / (reach[p] * reach[p]))
        height[k] = best * best
