"""The dart process in space: the kernels that decide where points stand.

The definition is that of `weald.sampling.darts`, with 8**e boxes in a cell at level e. All boxes
are kept in lists from the first level on; a box is dropped once a single point covers it.

**Fog** is finer than in the plane, as in space it spreads further: one bit a box of level 2 tells
whether a point of which nothing is known may stand there. In a round, the darts that could not be
decided put up fog, each in its own box; after it, fog fills what is left uncovered of their cells,
and those are closed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, njit, uint32, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.lattice import PLACES, REACH
from weald.sampling.state import ALL, LAST_LEVEL, NOTHING, OUTSIDE, PENDING, STANDS, VOID, at, round_key
from weald.sampling.volume.state import (
    FOG_NEAR,
    NO_POINT,
    UNDECIDED,
    UNKNOWN,
    Boxes,
    Cells,
    Darts,
    Discs,
    Frame,
    box_bits,
    cell_key,
    clip,
    corner,
    dart_time,
    discs_near,
    fog_bits,
    hit,
    in_fog,
    land,
    note,
    place_x,
    place_y,
    place_z,
)

_PLACE = (1 << 48) - 1


@njit(cache=True, nogil=True, error_model="numpy")
def open_cells(frame: Frame, cells: Cells, closed: NDArray[np.bool_], boxes: Boxes) -> int:
    """Set all cells to their state before the first round; list those that the domain touches, one box each.

    Cells whose place is not UNDECIDED are known, and stay as they are; nor do cells open that are ``closed``
    (an empty array closes none). Cells of the rim are foggy if they would be open.
    """
    count = 0
    c = -1
    known = False
    for k in range(frame.nz):
        for j in range(frame.ny):
            for i in range(frame.nx):
                c += 1
                cells.near[2 * c] = 0
                cells.near[2 * c + 1] = 0
                cells.head[c] = NOTHING
                cells.open[c] = False
                cells.fog[c] = 0
                if cells.place[c] != UNDECIDED:
                    known |= cells.place[c] != NO_POINT
                    continue
                cells.place[c] = NO_POINT
                xmin, xmax, ymin, ymax, zmin, zmax = clip(frame, i, j, k)
                if max(xmin, ymin, zmin) >= PLACES or min(xmax, ymax, zmax) <= 0:
                    continue
                if len(closed) > 0 and closed[c]:
                    continue
                inward = min(min(i, frame.nx - 1 - i), min(j, frame.ny - 1 - j), min(k, frame.nz - 1 - k))
                if inward < 2 * REACH:
                    cells.near[2 * c + 1] = uint64(FOG_NEAR)
                if inward < REACH:
                    cells.fog[c] = uint64(ALL)
                    continue
                cells.open[c] = True
                boxes.cell[count] = c
                boxes.start[count] = count
                boxes.x[count] = 0
                boxes.y[count] = 0
                boxes.z[count] = 0
                count += 1
    boxes.start[count] = count
    if known:
        _note_known(frame, cells)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _note_known(frame: Frame, cells: Cells) -> None:
    """Let the open cells know of the points that stand before the first round."""
    near_x, near_y, near_z = frame.near_x, frame.near_y, frame.near_z
    c = -1
    for k in range(frame.nz):
        for j in range(frame.ny):
            for i in range(frame.nx):
                c += 1
                if cells.place[c] == NO_POINT:
                    continue
                for b in range(len(near_x)):
                    x, y, z = i + near_x[b] // PLACES, j + near_y[b] // PLACES, k + near_z[b] // PLACES
                    if x < 0 or x >= frame.nx or y < 0 or y >= frame.ny or z < 0 or z >= frame.nz:
                        continue
                    o = at(c, frame.near[b])
                    if cells.open[o]:
                        note(cells, o, b ^ 1)


@njit(cache=True, nogil=True, error_model="numpy")
def throw(frame: Frame, odds: NDArray[np.uint32], boxes: Boxes, count: int, darts: Darts) -> int:
    """Throw the darts of round 0; return how many fell into the domain.

    A cell throws as many darts as there are ``odds`` not above a hashed 32-bit number.
    """
    of_round = round_key(frame.key, 0)
    n = 0
    for a in range(count):
        c = boxes.cell[a]
        i, j, k = corner(frame, c)
        xmin, xmax, ymin, ymax, zmin, zmax = clip(frame, i, j, k)
        bits = mix(cell_key(of_round, i + frame.i0, j + frame.j0, k + frame.k0))
        dart = 0
        while dart < len(odds) and uint32(bits) >= odds[dart]:
            dart += 1
            place = land(mix(bits + uint64(dart) * uint64(GOLDEN)), 0, 0, 0, 0)
            x, y, z = place_x(place), place_y(place), place_z(place)
            if xmin <= x and x < xmax and ymin <= y and y < ymax and zmin <= z and z < zmax:
                darts.cell[n] = c
                darts.bits[n] = place
                darts.state[n] = PENDING
                n += 1
    return n


@njit(inline="always")
def _far(at: Any, first: Any, last: Any) -> Any:
    """Return the squared distance to the farther end, along one axis."""
    away = max(last - at, at - first)
    return away * away


@njit(error_model="numpy", forceinline=True)
def _open_children(limit: Any, discs: Discs, points: Any, x: Any, y: Any, z: Any, side: Any, ends: Any) -> Any:
    """Return which of the eight boxes of a side, the first at (x, y, z), no single disc covers, one bit each.

    Only the part inside the domain, ``ends``, needs to be covered.
    """
    xmin, xmax, ymin, ymax, zmin, zmax = ends
    x0, y0, z0 = max(x, xmin), max(y, ymin), max(z, zmin)
    x3, y3, z3 = min(x + 2 * side, xmax) - 1, min(y + 2 * side, ymax) - 1, min(z + 2 * side, zmax) - 1
    x1, y1, z1 = min(x + side - 1, x3), min(y + side - 1, y3), min(z + side - 1, z3)
    x2, y2, z2 = max(x + side, x0), max(y + side, y0), max(z + side, z0)
    bits = 0xFF
    bits &= (0x55 if x0 <= x1 else 0) | (0xAA if x2 <= x3 else 0)
    bits &= (0x33 if y0 <= y1 else 0) | (0xCC if y2 <= y3 else 0)
    bits &= (0x0F if z0 <= z1 else 0) | (0xF0 if z2 <= z3 else 0)
    p = 0
    while p < points and bits != 0:
        ax, bx = _far(discs.x[p], x0, x1), _far(discs.x[p], x2, x3)
        ay, by = _far(discs.y[p], y0, y1), _far(discs.y[p], y2, y3)
        az, bz = limit - _far(discs.z[p], z0, z1), limit - _far(discs.z[p], z2, z3)
        covered = (
            int64(ax + ay < az)
            | (int64(bx + ay < az) << 1)
            | (int64(ax + by < az) << 2)
            | (int64(bx + by < az) << 3)
            | (int64(ax + ay < bz) << 4)
            | (int64(bx + ay < bz) << 5)
            | (int64(ax + by < bz) << 6)
            | (int64(bx + by < bz) << 7)
        )
        bits &= ~covered
        p += 1
    return bits


@njit(error_model="numpy", forceinline=True)
def _fate(limit: Any, discs: Discs, points: Any, bits: Any, ends: Any) -> Any:
    """Return the state of a fresh dart."""
    x, y, z = place_x(bits), place_y(bits), place_z(bits)
    xmin, xmax, ymin, ymax, zmin, zmax = ends
    if x < xmin or x >= xmax or y < ymin or y >= ymax or z < zmin or z >= zmax:
        return OUTSIDE
    for p in range(points):
        dx, dy, dz = discs.x[p] - x, discs.y[p] - y, discs.z[p] - z
        if dx * dx + dy * dy + dz * dz < limit:
            return VOID
    return PENDING


@njit(error_model="numpy", forceinline=True)
def _fog_left(limit: Any, level: Any, discs: Discs, points: Any, ends: Any, boxes: Boxes, first: Any, end: Any) -> Any:
    """Return the fog of a cell: bits of what is uncovered of its boxes ``first : end``, halved."""
    side = 1 << (LAST_LEVEL - level)
    fog = uint64(0)
    for s in range(first, end):
        x, y, z = 2 * int64(boxes.x[s]) * side, 2 * int64(boxes.y[s]) * side, 2 * int64(boxes.z[s]) * side
        left = _open_children(limit, discs, points, x, y, z, side, ends)
        for child in range(8):
            if (left >> child) & 1:
                fog |= fog_bits(x + (child & 1) * side, y + ((child >> 1) & 1) * side, z + (child >> 2) * side, level)
    return fog


@njit(error_model="numpy", forceinline=True)
def _halve(
    limit: Any,
    of_cell: Any,
    level: Any,
    c: Any,
    discs: Discs,
    points: Any,
    ends: Any,
    old: Boxes,
    first: Any,
    end: Any,
    new: Boxes,
    darts: Darts,
    n: Any,
) -> Any:
    """Halve the boxes ``first : end`` of cell ``c``; append what is not covered, from ``n`` on, with a dart each."""
    side = 1 << (LAST_LEVEL - level)
    for s in range(first, end):
        x, y, z = 2 * int64(old.x[s]), 2 * int64(old.y[s]), 2 * int64(old.z[s])
        left = _open_children(limit, discs, points, x * side, y * side, z * side, side, ends)
        for child in range(8):
            if (left >> child) & 1:
                bx, by, bz = x + (child & 1), y + ((child >> 1) & 1), z + (child >> 2)
                bits = box_bits(of_cell, level, bx, by, bz)
                new.x[n] = bx
                new.y[n] = by
                new.z[n] = bz
                darts.cell[n] = c
                darts.bits[n] = bits
                darts.state[n] = _fate(limit, discs, points, bits, ends)
                n += 1
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def halve(
    frame: Frame, cells: Cells, level: int, old: Boxes, count: int, new: Boxes, darts: Darts, discs: Discs
) -> tuple[int, int]:
    """Halve the boxes of the open cells, drop those that a point covers, and throw a dart from each other.

    Foggy cells are closed, with fog in all that is left of them. Dart number k comes from box k.
    Returns the number of cells and of boxes that stay.
    """
    of_round = round_key(frame.key, level)
    limit = frame.conflict
    # outside the loop, else Numba counts references to them inside
    fog, unfinished, start = cells.fog, cells.open, old.start
    kept, n = 0, 0
    new.start[0] = 0
    for a in range(count):
        c = old.cell[a]
        if not unfinished[c]:
            continue
        points = discs_near(frame, cells, c, discs)
        i, j, k = corner(frame, c)
        ends = clip(frame, i, j, k)
        first, end = start[a], start[a + 1]
        if fog[c] != uint64(0):
            unfinished[c] = False
            if points >= 0:
                fog[c] |= _fog_left(limit, level, discs, points, ends, old, first, end)
            continue
        before = n
        if points >= 0:
            of_cell = cell_key(of_round, i + frame.i0, j + frame.j0, k + frame.k0)
            n = _halve(limit, of_cell, level, c, discs, points, ends, old, first, end, new, darts, n)
        if n > before:
            new.cell[kept] = c
            kept += 1
            new.start[kept] = n
    return kept, n


@njit(cache=True, nogil=True, error_model="numpy")
def arrange(darts: Darts, n: int, slices: int, start: NDArray[np.int32], by_time: Darts) -> int:
    """Sort the pending darts of a round into slices of time, keeping the order of cells inside a slice."""
    start[: slices + 1] = 0
    for k in range(n):
        if darts.state[k] == PENDING:
            start[((dart_time(darts.bits[k]) * uint64(slices)) >> uint64(16)) + uint64(1)] += 1
    for s in range(slices):
        start[s + 1] += start[s]
    for k in range(n):
        if darts.state[k] == PENDING:
            s = (dart_time(darts.bits[k]) * uint64(slices)) >> uint64(16)
            place = start[s]
            start[s] += 1
            by_time.cell[place] = darts.cell[k]
            by_time.bits[place] = darts.bits[k]
            by_time.state[place] = PENDING
    for s in range(slices, 0, -1):  # each start has moved to its end
        start[s] = start[s - 1]
    start[0] = 0
    return start[slices]


@njit(cache=True, nogil=True, error_model="numpy")
def sift(frame: Frame, cells: Cells, darts: Darts, first: int, end: int) -> None:
    """Void the darts ``first : end`` that a point which stands is too near to, or that fell into closed cells."""
    for k in range(first, end):
        c = darts.cell[k]
        if not cells.open[c] or hit(frame, cells, c, darts.bits[k]):
            darts.state[k] = VOID


@njit(error_model="numpy", forceinline=True)
def _verdict(frame: Frame, cells: Cells, darts: Darts, end: int, k: int) -> int:
    """Return what can be said of dart ``k`` now: it stands, it is void, or its state is what it was."""
    c, bits = darts.cell[k], darts.bits[k]
    x, y, z, time = place_x(bits), place_y(bits), place_z(bits), dart_time(bits)
    before = darts.state[k]
    verdict = before if before == UNKNOWN else STANDS
    f = cells.head[c]
    while f < end and darts.cell[f] == c:  # all darts of one cell conflict; of one time, the lower place is first
        if darts.state[f] != VOID and darts.bits[f] < bits:
            if darts.state[f] == STANDS:
                return VOID
            verdict = before
        f += 1
    for b in range(len(frame.near)):
        o = at(c, frame.near[b])
        f = cells.head[o]
        if f == NOTHING:
            continue
        ox, oy, oz = int64(frame.near_x[b]) - x, int64(frame.near_y[b]) - y, int64(frame.near_z[b]) - z
        while f < end and darts.cell[f] == int64(o):
            other = darts.bits[f]
            # equal times are told apart by the order of the cells, which no window changes
            if darts.state[f] != VOID and (dart_time(other) < time or (dart_time(other) == time and darts.cell[f] < c)):
                dx, dy, dz = place_x(other) + ox, place_y(other) + oy, place_z(other) + oz
                if dx * dx + dy * dy + dz * dz < frame.conflict:
                    if darts.state[f] == STANDS:
                        return VOID
                    verdict = before
            f += 1
    return verdict


@njit(cache=True, nogil=True, error_model="numpy")
def settle(frame: Frame, cells: Cells, darts: Darts, first: int, end: int, waiting: NDArray[np.int32]) -> int:
    """Decide the darts ``first : end``: those stand that no earlier one that stands is too near to.

    A dart waits for earlier darts in its reach, so each pass over the waiting settles some. What
    still waits when nothing changes hangs on something outside, and puts up fog in its box. Darts that
    fog may void can at most be voided, and few are; so they are looked at only when the others are through.
    Returns the number of darts that were left.
    """
    left, doubtful, top = 0, 0, end - first - 1  # doubtful ones are listed from the end of the room
    fog, head, near = cells.fog, cells.head, frame.near  # outside the loops, as in halve
    for k in range(first, end):
        c, bits = darts.cell[k], darts.bits[k]
        if darts.state[k] == PENDING and fog[c] != uint64(0):
            # no dart of a foggy cell can be decided: mark it before any other dart looks for fog
            fog[c] |= fog_bits(place_x(bits), place_y(bits), place_z(bits), 2)
            darts.state[k] = VOID
    for k in range(first, end):
        c, bits = darts.cell[k], darts.bits[k]
        if darts.state[k] == PENDING:
            if in_fog(frame, cells, c, bits):
                darts.state[k] = UNKNOWN
                waiting[top - doubtful] = k
                doubtful += 1
            else:
                waiting[left] = k
                left += 1
            if head[c] == NOTHING:
                head[c] = k
    freed = True
    while freed:
        before = left + 1
        while left < before:
            before = left
            kept = 0
            for a in range(before):
                k = waiting[a]
                verdict = _verdict(frame, cells, darts, end, k)
                darts.state[k] = verdict
                if verdict != STANDS and verdict != VOID:
                    waiting[kept] = k
                    kept += 1
                elif verdict == STANDS:
                    c = darts.cell[k]
                    cells.place[c] = int64(darts.bits[k] & uint64(_PLACE))
                    cells.open[c] = False
                    for b in range(len(near)):
                        note(cells, at(c, near[b]), b ^ 1)
            left = kept
        kept = 0
        for a in range(doubtful):
            k = waiting[top - a]
            darts.state[k] = _verdict(frame, cells, darts, end, k)
            if darts.state[k] != VOID:
                waiting[top - kept] = k
                kept += 1
        freed = kept < doubtful and left > 0
        doubtful = kept
    for k in range(first, end):
        head[darts.cell[k]] = NOTHING
    for a in range(left + doubtful):
        k = waiting[a] if a < left else waiting[top - (a - left)]
        c, bits = darts.cell[k], darts.bits[k]
        fog[c] |= fog_bits(place_x(bits), place_y(bits), place_z(bits), 2)
        for b in range(len(near)):
            cells.near[uint64(2) * at(c, near[b]) + uint64(1)] |= uint64(FOG_NEAR)
    return left + doubtful
