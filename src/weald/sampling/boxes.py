"""Boxes below level 3: what is left uncovered, halved from round to round until nothing is.

See `weald.sampling.darts` for the process that these kernels carry to its end.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.state import (
    LAST_LEVEL,
    OUTSIDE,
    PENDING,
    VOID,
    WORD_SIDE,
    Boxes,
    Cells,
    Darts,
    Fixed,
    Frame,
    at,
    cell_key,
    dart_x,
    dart_y,
    first_bit,
    in_world,
    land,
    limit,
    own,
    round_key,
    row_key,
    step_radius,
)


@njit(cache=True, nogil=True, error_model="numpy")
def list_boxes(cells: Cells, todo: NDArray[np.int32], count: int, boxes: Boxes) -> tuple[int, int]:
    """Turn the live bits of the open cells into a list of level-3 boxes."""
    kept, n = 0, 0
    boxes.start[0] = 0
    for a in range(count):
        c = todo[a]
        live = cells.live[c]
        if live == uint64(0):
            continue
        while live != uint64(0):
            k = first_bit(live)
            live &= live - uint64(1)
            boxes.x[n] = k % uint64(WORD_SIDE)
            boxes.y[n] = k // uint64(WORD_SIDE)
            n += 1
        boxes.cell[kept] = c
        kept += 1
        boxes.start[kept] = n
    return kept, n


class Discs(NamedTuple):
    """Room for the discs that reach into one cell: places counted from it, and squared radii."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    limit: NDArray[np.int64]


@njit(error_model="numpy", forceinline=True)
def _discs(frame: Frame, cells: Cells, fixed: Fixed, c: Any, discs: Discs) -> Any:
    """Fill in the discs of what stands near cell ``c``; return how many there are."""
    least = step_radius(frame.least, own(frame, cells.floor, c))
    n = 0
    points = cells.near[c]
    while points != uint64(0):
        b = first_bit(points)
        points = uint64(points & (points - uint64(1)))
        o = at(c, frame.near[b])
        discs.x[n] = cells.x[o] + frame.near_x[b]
        discs.y[n] = cells.y[o] + frame.near_y[b]
        discs.limit[n] = limit(frame.conflict, least, own(frame, cells.radius, o))
        n += 1
    # not behind an `if`, else Numba counts references: without fixed points, the loop runs from 0 to 0
    some = int64(len(fixed.start) > 1)
    j = c // frame.width
    left, low = int64(c - j * frame.width) * frame.cell_x, int64(j) * frame.cell_y
    for f in range(fixed.start[some * c], fixed.start[some * (c + 1)]):
        discs.x[n] = fixed.x[f] - left
        discs.y[n] = fixed.y[f] - low
        discs.limit[n] = limit(fixed.limit[f], least, 0)
        n += 1
    return n


@njit(error_model="numpy", forceinline=True)
def _holds(discs: Discs, n: Any, x: Any, y: Any) -> Any:
    """Return whether one of the discs holds a place."""
    for p in range(n):
        dx, dy = discs.x[p] - x, discs.y[p] - y
        if dx * dx + dy * dy < discs.limit[p]:
            return True
    return False


@njit(error_model="numpy", forceinline=True)
def _covered_quarters(discs: Discs, n: Any, left: Any, low: Any, right: Any, high: Any, x_cut: Any, y_cut: Any) -> Any:
    """Return one bit a quarter of a box, row by row: nothing of it is left, or one of the discs holds all of it.

    The quarters are tested together, since a disc that holds one often holds others. The box is
    what the domain has left of it, so a cut may lie outside.
    """
    covered = (
        0b0101 * int64(x_cut <= left)
        | 0b1010 * int64(x_cut >= right)
        | 0b0011 * int64(y_cut <= low)
        | 0b1100 * int64(y_cut >= high)
    )
    p = 0
    while p < n and covered != 0b1111:
        x, y, square = discs.x[p], discs.y[p], discs.limit[p]
        # the larger distance, along an axis, to the two sides of each half
        west, east = max(min(x_cut, right) - x, x - left), max(right - x, x - max(x_cut, left))
        south, north = max(min(y_cut, high) - y, y - low), max(high - y, y - max(y_cut, low))
        covered |= (
            int64(west * west + south * south < square)
            | int64(east * east + south * south < square) << 1
            | int64(west * west + north * north < square) << 2
            | int64(east * east + north * north < square) << 3
        )
        p += 1
    return covered


@njit(error_model="numpy", forceinline=True)
def _halve(
    frame: Frame,
    of_cell: Any,
    level: Any,
    c: Any,
    discs: Discs,
    count: Any,
    old: Boxes,
    first: Any,
    end: Any,
    new: Boxes,
    darts: Darts,
    n: Any,
) -> Any:
    """Halve the boxes ``first : end`` of cell ``c``; append what is not covered, from ``n`` on, with a dart each."""
    side = 1 << (LAST_LEVEL - level)
    j = c // frame.width
    i = c - j * frame.width
    xmin, ymin = frame.xmin - int64(i) * frame.cell_x, frame.ymin - int64(j) * frame.cell_y
    xmax = min(frame.xmax - int64(i) * frame.cell_x, frame.cell_x)
    ymax = min(frame.ymax - int64(j) * frame.cell_y, frame.cell_y)
    for s in range(first, end):
        bx, by = 2 * int64(old.x[s]), 2 * int64(old.y[s])
        # only the part of a box inside the domain needs to be covered
        left, right = max(bx * side, xmin), min((bx + 2) * side, xmax)
        low, high = max(by * side, ymin), min((by + 2) * side, ymax)
        covered = _covered_quarters(discs, count, left, low, right, high, (bx + 1) * side, (by + 1) * side)
        for quarter in range(4):
            if (covered >> quarter) & 1:
                continue
            qx, qy = bx + quarter % 2, by + quarter // 2
            box = (uint64(qy) << uint64(20)) | uint64(qx)
            bits = land(mix(of_cell + box * uint64(GOLDEN)), level, qx, qy)
            x, y = int64(dart_x(bits)), int64(dart_y(bits))
            state = PENDING
            if x < xmin or x >= xmax or y < ymin or y >= ymax:
                state = OUTSIDE
            elif _holds(discs, count, x, y):
                state = VOID
            new.x[n] = qx
            new.y[n] = qy
            darts.cell[n] = c
            darts.bits[n] = bits
            darts.state[n] = state
            n += 1
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def refine(
    frame: Frame,
    cells: Cells,
    fixed: Fixed,
    number: int,
    level: int,
    old: Boxes,
    count: int,
    new: Boxes,
    darts: Darts,
    discs: Discs,
) -> tuple[int, int]:
    """Halve the boxes of the open cells, drop those that a point covers, and throw a dart from each other.

    Dart k comes from box k. Returns the number of cells and of boxes that stay.
    """
    of_round = round_key(frame.key, number)
    # not the literal 0, for which Numba would compile `_halve` a second time
    kept, n = int64(0), int64(0)
    new.start[0] = 0
    for a in range(count):
        c = old.cell[a]
        if cells.live[c] == uint64(0):
            continue
        points = _discs(frame, cells, fixed, c, discs)
        j = c // frame.width
        of_cell = mix(
            cell_key(
                row_key(of_round, in_world(j, frame.j0, frame.period_j)),
                in_world(c - j * frame.width, frame.i0, frame.period_i),
            )
        )
        first = n
        n = _halve(frame, of_cell, level, c, discs, points, old, old.start[a], old.start[a + 1], new, darts, n)
        if n > first:
            new.cell[kept] = c
            kept += 1
            new.start[kept] = n
    return int(kept), int(n)


@njit(cache=True, nogil=True, error_model="numpy")
def judge(
    frame: Frame,
    cells: Cells,
    fixed: Fixed,
    level: int,
    darts: Darts,
    n: int,
    discs: Discs,
    given_up: NDArray[np.bool_],
) -> None:
    """Void darts that conflict by radii of their own; give up boxes that are as good as covered.

    A box is given up if the dart's place is so far inside a disc that every place of the box is,
    were the radius to change between places by no more than their distance.
    """
    reach = math.ceil(math.sqrt(2.0) * (1 << (LAST_LEVEL - level)))  # from the dart to anywhere in its box
    points, last = 0, int64(-1)
    for k in range(n):
        if darts.state[k] == OUTSIDE or given_up[k]:
            continue
        c = int64(darts.cell[k])
        if c != last:
            points = _discs(frame, cells, fixed, c, discs)
            last = c
        x, y, radius = int64(dart_x(darts.bits[k])), int64(dart_y(darts.bits[k])), int64(darts.radius[k])
        low = max(radius - reach, int64(0))
        for p in range(points):
            dx, dy = discs.x[p] - x, discs.y[p] - y
            distance = dx * dx + dy * dy
            if distance <= max(radius * radius, discs.limit[p] - 1):
                darts.state[k] = VOID
                if math.sqrt(distance) + reach <= max(float(low), math.sqrt(discs.limit[p] - 1)):
                    given_up[k] = True
                    break


@njit(cache=True, nogil=True, error_model="numpy")
def drop_boxes(boxes: Boxes, count: int, forbidden: NDArray[np.bool_]) -> int:
    """Drop the boxes that are marked, and cells without a box; return the number of cells that stay."""
    kept, n, s = 0, 0, 0
    for a in range(count):
        first = n
        end = boxes.start[a + 1]  # read before it is overwritten
        while s < end:
            if not forbidden[s]:
                boxes.x[n] = boxes.x[s]
                boxes.y[n] = boxes.y[s]
                n += 1
            s += 1
        if n > first:
            boxes.cell[kept] = boxes.cell[a]
            kept += 1
            boxes.start[kept] = n
    return kept
