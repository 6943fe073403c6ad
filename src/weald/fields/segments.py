"""Segments: how far the nearest of many is, found with a tree of boxes.

A point is a segment without length. The segments are put in the order of a Z-curve and paired up, and
the pairs again, up to one root; every node knows the box around what is below it. A search walks down
to the nearer box first and leaves out boxes that are farther than what it has found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAF = 4
"""Segments in a box of the lowest level."""
_DEEPEST = 64
"""Nodes that wait at most: one a level."""


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Segments in the order of the tree, and the tree.

    Attributes
    ----------
    ends : ndarray of float64, shape (n, 4)
        ``x, y`` of both ends of each segment.
    boxes : ndarray of float64, shape (2 * leaves, 4)
        ``xmin, ymin, xmax, ymax`` of the nodes, the root at 1, the children of i at 2i and 2i + 1. Leaf
        k, at ``leaves + k``, holds the segments from ``4 k``.
    slack : float
        More than rounding can err in the distance to one of the segments, when that distance is small.
    """

    ends: Floats
    boxes: Floats
    slack: float

    @classmethod
    def of(cls, ends: Floats) -> Segments:
        """Return the tree of segments, given as x, y of one end and x, y of the other, shape (n, 4)."""
        ends = np.ascontiguousarray(ends[_along_curve(ends)])
        leaves = 1
        while leaves * _LEAF < len(ends):
            leaves *= 2
        boxes = np.empty((2 * leaves, 4))
        boxes[:, :2], boxes[:, 2:] = np.inf, -np.inf  # nothing is near an empty box
        leaf = leaves + np.arange(len(ends)) // _LEAF
        for low, high in ((0, 2), (1, 3)):
            np.minimum.at(boxes[:, low], leaf, np.minimum(ends[:, low], ends[:, high]))
            np.maximum.at(boxes[:, high], leaf, np.maximum(ends[:, low], ends[:, high]))
        level = leaves
        while level > 1:
            pairs = boxes[level : 2 * level].reshape(-1, 2, 4)
            level //= 2
            boxes[level : 2 * level, :2] = pairs[:, :, :2].min(axis=1)
            boxes[level : 2 * level, 2:] = pairs[:, :, 2:].max(axis=1)
        longest = float(np.abs(ends[:, 2:] - ends[:, :2]).max())
        for array in (ends, boxes):
            array.setflags(write=False)
        return cls(ends, boxes, 1e-14 * longest)

    def distance(self, x: Floats, y: Floats, within: float) -> Floats:
        """Return the distance from places to the nearest segment, and ``within`` where none is nearer.

        NaN where a place is not finite.
        """
        out = np.empty(x.size)
        _nearest(x, y, self.ends, self.boxes, self.slack, within, out)
        return out


def _along_curve(ends: Floats) -> NDArray[np.intp]:
    """Return the order of the middles of segments along a Z-curve."""
    middles = 0.5 * ends[:, :2] + 0.5 * ends[:, 2:]
    low = middles.min(axis=0)
    side = float((middles.max(axis=0) - low).max())
    steps = ((middles - low) * (65535.0 / side if side > 0 else 0.0)).astype(np.uint64)
    code = np.zeros(len(ends), np.uint64)
    for bit in range(16):
        for axis in (0, 1):
            code |= (steps[:, axis] >> np.uint64(bit) & np.uint64(1)) << np.uint64(2 * bit + axis)
    return np.argsort(code, kind="stable")


@njit(nogil=True, cache=True)
def _square_to_segment(
    x: float, y: float, ax: float, ay: float, bx: float, by: float
) -> float:  # pragma: no cover - compiled
    """Return the square of the distance from a place to a segment."""
    dx, dy = bx - ax, by - ay
    px, py = x - ax, y - ay
    qx, qy = x - bx, y - by
    if px * dx + py * dy <= 0.0:
        return px * px + py * py
    if qx * dx + qy * dy >= 0.0:
        return qx * qx + qy * qy
    # from the nearer end, whose differences are rounded less
    if px * px + py * py > qx * qx + qy * qy:
        px, py = qx, qy
    across = px * dy - py * dx
    return across * across / (dx * dx + dy * dy)


@njit(nogil=True, cache=True)
def _square_to_box(boxes: NDArray[np.float64], node: int, x: float, y: float) -> float:  # pragma: no cover - compiled
    dx: float = max(boxes[node, 0] - x, x - boxes[node, 2], 0.0)
    dy: float = max(boxes[node, 1] - y, y - boxes[node, 3], 0.0)
    return dx * dx + dy * dy


@njit(nogil=True, cache=True)
def _nearest(
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
    ends: NDArray[np.float64],
    boxes: NDArray[np.float64],
    slack: float,
    within: float,
    out: NDArray[np.float64],
) -> None:  # pragma: no cover - compiled
    leaves = len(boxes) // 2
    nodes = np.empty(_DEEPEST, np.int64)
    squares = np.empty(_DEEPEST)
    last = 0
    for k in range(out.size):
        x, y = xs[k], ys[k]
        if not (np.isfinite(x) and np.isfinite(y)):
            out[k] = np.nan
            continue
        best = within * within
        # what was nearest to the place before is near to this one: a good bound to start from
        square = _square_to_segment(x, y, ends[last, 0], ends[last, 1], ends[last, 2], ends[last, 3])
        best = min(best, square)
        # A box is left out if nothing in it could round to less than the best: so the least of all
        # squares is found, whatever the search started from and whichever way it went.
        reach = np.sqrt(best) * (1.0 + 1e-14) + slack
        reach *= reach
        nodes[0], squares[0] = 1, _square_to_box(boxes, 1, x, y)
        waiting = 1
        while waiting > 0:
            waiting -= 1
            if squares[waiting] > reach:
                continue
            node = nodes[waiting]
            while node < leaves:
                first, second = 2 * node, 2 * node + 1
                near, far = _square_to_box(boxes, first, x, y), _square_to_box(boxes, second, x, y)
                if far < near:
                    first, second = second, first
                    near, far = far, near
                if near > reach:
                    break
                if far <= reach:
                    nodes[waiting], squares[waiting] = second, far
                    waiting += 1
                node = first
            if node < leaves:
                continue
            start = (node - leaves) * _LEAF
            for j in range(start, min(start + _LEAF, len(ends))):
                square = _square_to_segment(x, y, ends[j, 0], ends[j, 1], ends[j, 2], ends[j, 3])
                if square < best:
                    best, last = square, j
                    reach = np.sqrt(best) * (1.0 + 1e-14) + slack
                    reach *= reach
        out[k] = min(np.sqrt(best), within)
