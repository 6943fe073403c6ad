"""The dart process: the kernels that decide where points stand.

The set of points is defined without any order of computing. Time runs in rounds. In each round
every box of the round's level (level e cuts a cell into 2**e x 2**e boxes) throws one dart with
a given chance; where the dart lands and when within the round it arrives are hashes of (seed,
round, cell, box). A dart that finds an earlier point nearer than the radius is void; every
other dart becomes a point. That is random sequential adsorption, the process behind dart
throwing, so the points are as random as exact spacing permits.

Two facts make it fast and final. A box that lies inside the disc of one point can never hold
another, so its darts need not be thrown; and boxes get smaller by half from round to round, so
that whatever is left uncovered soon has boxes, and darts, inside it. The last level has one box
a place: after it, every place is either a point or too near to one.

Method: rounds with hashed darts on a grid with one point a cell follow Wei, "Parallel Poisson
disk sampling" (2008); the shrinking boxes follow White, Cline and Egbert, "Poisson disk point
sets by hierarchical dart throwing" (2007), and Ebeida et al., "A simple algorithm for maximal
Poisson-disk sampling in high dimensions" (2012). Deciding by arrival time alone, and
the fog (below), are weald's own.

**Fog** marks what a bounded computation cannot know. A cell is foggy if a dart of it could not
be decided without points that lie outside the computed cells. Fog starts in the rim and spreads
only through darts that truly depend on it. A cell without fog is proved to be what it would be
on the infinite plane.

Every function here works on plain integers, one cell, dart or box at a time; distances are
squared in 64 bits and never rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int32, int64, njit, uint32, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.lattice import PLACES, REACH

EMPTY = 1 << 30
"""Position of a cell that holds no point: further than any conflict, without a branch."""

NOTHING, FOG = -1, -2
"""Values of ``Cells.head`` that are not the index of a dart."""

PENDING, STANDS, VOID, OUTSIDE = 0, 1, 2, 3
"""States of a dart; one outside the domain is void too, and no rule is asked about its place."""

LAST_LEVEL = 16
MASK_LEVEL = 3
"""Down to this level, a cell's uncovered boxes are the bits of one 64-bit word; then they are lists."""

NEAR = tuple(
    cell
    for half in sorted(
        ((i, j) for j in range(REACH + 1) for i in range(-REACH, REACH + 1) if (j, i) > (0, 0)),
        key=lambda cell: cell[0] ** 2 + cell[1] ** 2,
    )
    for cell in (half, (-half[0], -half[1]))
)
"""Offsets to the 24 cells whose points can conflict with those of a cell, nearest first.

Opposite offsets stand in pairs, so the opposite of number b is number ``b ^ 1``.
"""

_BRUIJN = 0x077CB531  # every run of 5 of its bits is another number
_BIT = np.zeros(32, np.int64)
for _bit_number in range(32):
    _BIT[((_BRUIJN << _bit_number) & 0xFFFFFFFF) >> 27] = _bit_number
_STEP = 0xD1342543DE82EF95
_ALL = 0xFFFFFFFFFFFFFFFF
_WORD_SIDE = 1 << MASK_LEVEL
_BOX = PLACES >> MASK_LEVEL
_QUANTA = 16
_QUANTUM = PLACES // _QUANTA


class Frame(NamedTuple):
    """The constants of one computation. Coordinates are places counted from its first cell."""

    key: np.uint64
    i0: int
    j0: int
    width: int
    xmin: int
    ymin: int
    xmax: int
    ymax: int
    conflict: int
    near: NDArray[np.int32]  # (24,) offsets in the cell arrays
    near_x: NDArray[np.int32]  # (24,) offsets in places
    near_y: NDArray[np.int32]
    covers: NDArray[np.uint64]  # (256, 24) see cover_table


class Cells(NamedTuple):
    """One entry a cell, row by row, rim included."""

    x: NDArray[np.int32]  # place of the cell's point inside the cell, or EMPTY
    y: NDArray[np.int32]
    live: NDArray[np.uint64]  # one bit a box of level 3: not known to be covered
    near: NDArray[np.uint32]  # one bit a near cell that holds a point
    head: NDArray[np.int32]  # first dart of this round, or NOTHING, or FOG


class Darts(NamedTuple):
    """The darts of one round; those of a cell stand side by side."""

    cell: NDArray[np.int32]
    bits: NDArray[np.uint64]  # place in the cell and arrival time: x, y and time << 32
    state: NDArray[np.uint8]


class Boxes(NamedTuple):
    """Uncovered boxes of one level, below level 3: those of cell k are ``start[k] : start[k + 1]``."""

    cell: NDArray[np.int32]
    start: NDArray[np.int32]
    x: NDArray[np.uint16]
    y: NDArray[np.uint16]


@njit(cache=True, nogil=True, error_model="numpy")
def cover_table(conflict: int, near_x: NDArray[np.int32], near_y: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return which level-3 boxes of each near cell a point covers, wherever it stands in a 1/16 of its cell.

    Row ``16 * qy + qx``, column near cell: the boxes that lie inside the disc of every point of
    that small square. With it, a new point covers its surroundings in 24 table look-ups.
    """
    table = np.zeros((_QUANTA * _QUANTA, len(near_x)), np.uint64)
    for q in range(_QUANTA * _QUANTA):
        x0, y0 = (q % _QUANTA) * _QUANTUM, (q // _QUANTA) * _QUANTUM
        for b in range(len(near_x)):
            word = uint64(0)
            for k in range(64):
                left, low = near_x[b] + (k % _WORD_SIDE) * _BOX, near_y[b] + (k // _WORD_SIDE) * _BOX
                far_x = max(left + _BOX - x0, x0 + _QUANTUM - 1 - left)
                far_y = max(low + _BOX - y0, y0 + _QUANTUM - 1 - low)
                if far_x * far_x + far_y * far_y < conflict:
                    word |= uint64(1) << uint64(k)
            table[q, b] = word
    return table


@njit(inline="always")
def _cell_key(round_key: int, i: int, j: int) -> int:
    row = mix(uint64(round_key) ^ (uint64(j) * uint64(GOLDEN)))
    return uint64(row + uint64(i) * uint64(_STEP))


@njit(inline="always")
def _round_key(key: int, number: int) -> int:
    return mix(uint64(key) + uint64(number + 1) * uint64(GOLDEN))


@njit(error_model="numpy")
def _hit(frame: Frame, cells: Cells, c: int, x: int, y: int) -> bool:
    """Return whether a place of cell ``c`` conflicts with a point that stands."""
    points = cells.near[c]
    while points != uint32(0):
        b = _bit(points)
        points = uint32(points & (points - uint32(1)))
        o = _at(c, frame.near[b])
        dx = int64(cells.x[o] + frame.near_x[b] - x)
        dy = int64(cells.y[o] + frame.near_y[b] - y)
        if dx * dx + dy * dy < frame.conflict:
            return True
    return False


@njit(inline="always")
def _bit(word: int) -> int:
    """Return the number of the lowest set bit of 32."""
    return _BIT[uint32(uint32(word & -word) * uint32(_BRUIJN)) >> uint32(27)]


@njit(inline="always")
def _at(cell: int, offset: int) -> int:
    """Return the index of a near cell. Unsigned, so that Numba need not ask whether it counts from the end."""
    return uint64(int64(cell) + int64(offset))


@njit(inline="always")
def _x(bits: int) -> int:
    return int32(bits & uint64(0xFFFF))


@njit(inline="always")
def _y(bits: int) -> int:
    return int32((bits >> uint64(16)) & uint64(0xFFFF))


@njit(inline="always")
def _time(bits: int) -> int:
    return uint32(bits >> uint64(32))


@njit(inline="always")
def _land(bits: int, level: int, bx: int, by: int) -> int:
    """Return a hash with its place moved into box (bx, by) of a level."""
    x = (uint64(bx) << uint64(LAST_LEVEL - level)) | ((bits & uint64(0xFFFF)) >> uint64(level))
    y = (uint64(by) << uint64(LAST_LEVEL - level)) | (((bits >> uint64(16)) & uint64(0xFFFF)) >> uint64(level))
    return x | (y << uint64(16)) | (bits & uint64(0xFFFFFFFF00000000))


@njit(inline="always")
def _lit(live: int, x: int, y: int) -> bool:
    """Return whether the bit of the level-3 box at a place is set."""
    return (live >> uint64((y // _BOX) * _WORD_SIDE + x // _BOX)) & uint64(1) != uint64(0)


@njit(inline="always")
def _inside(frame: Frame, x: int, y: int) -> bool:
    return frame.xmin <= x and x < frame.xmax and frame.ymin <= y and y < frame.ymax


@njit(cache=True, nogil=True, error_model="numpy")
def open_cells(frame: Frame, cells: Cells, height: int, todo: NDArray[np.int32]) -> int:
    """Set all cells to their state before the first round; list those that the domain touches.

    Boxes outside the domain are not live. Cells of the rim are foggy if the domain reaches them.
    """
    count = 0
    for j in range(height):
        for i in range(frame.width):
            c = j * frame.width + i
            cells.x[c] = EMPTY
            cells.y[c] = EMPTY
            cells.near[c] = 0
            cells.head[c] = NOTHING
            left, low = int64(i) * PLACES, int64(j) * PLACES
            word = uint64(0)
            if frame.xmin <= left and left + PLACES <= frame.xmax and frame.ymin <= low and low + PLACES <= frame.ymax:
                word = uint64(_ALL)
            elif left < frame.xmax and frame.xmin < left + PLACES and low < frame.ymax and frame.ymin < low + PLACES:
                for k in range(64):
                    bx, by = left + (k % _WORD_SIDE) * _BOX, low + (k // _WORD_SIDE) * _BOX
                    if bx < frame.xmax and frame.xmin < bx + _BOX and by < frame.ymax and frame.ymin < by + _BOX:
                        word |= uint64(1) << uint64(k)
            rim = i < REACH or j < REACH or i >= frame.width - REACH or j >= height - REACH
            if rim and word != uint64(0):
                cells.head[c] = FOG
            if rim:
                word = uint64(0)
            cells.live[c] = word
            if word != uint64(0):
                todo[count] = c
                count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def throw(
    frame: Frame,
    cells: Cells,
    number: int,
    level: int,
    odds: NDArray[np.uint32],
    todo: NDArray[np.int32],
    count: int,
    darts: Darts,
) -> tuple[int, int]:
    """Throw the darts of round ``number`` at a level down to 3.

    A box throws as many darts as there are ``odds`` not above a hashed 32-bit number. Returns how
    many cells are still open (``todo`` is shortened to them) and how many darts were thrown at
    places that are not known to be covered.
    """
    key = _round_key(frame.key, number)
    boxes = 1 << level
    side = _WORD_SIDE >> level
    corner = uint64(0)  # the bits of a level's first box
    for k in range(64):
        if k % _WORD_SIDE < side and k // _WORD_SIDE < side:
            corner |= uint64(1) << uint64(k)
    kept, n = 0, 0
    for a in range(count):
        c = todo[a]
        live = cells.live[c]
        if live == uint64(0):
            continue
        todo[kept] = c
        kept += 1
        j = c // frame.width
        i = c - j * frame.width
        cell_key = _cell_key(key, i + frame.i0, j + frame.j0)
        for by in range(boxes):
            for bx in range(boxes):
                box = (by * _WORD_SIDE + bx) * side
                if live & (corner << uint64(box)) == uint64(0):
                    continue
                bits = mix(cell_key + uint64(box) * uint64(GOLDEN))
                dart = 0
                while dart < len(odds) and uint32(bits) >= odds[dart]:
                    dart += 1
                    place = _land(mix(bits + uint64(dart) * uint64(GOLDEN)), level, bx, by)  # as in box_darts
                    x, y = _x(place), _y(place)
                    if _lit(live, x, y) and _inside(frame, int64(i) * PLACES + x, int64(j) * PLACES + y):
                        darts.cell[n] = c
                        darts.bits[n] = place
                        darts.state[n] = PENDING
                        n += 1
    return kept, n


@njit(cache=True, nogil=True, error_model="numpy")
def arrange(darts: Darts, n: int, slices: int, start: NDArray[np.int32], by_time: Darts) -> None:
    """Sort the darts of a round into slices of time, keeping the order of cells inside a slice."""
    start[: slices + 1] = 0
    for k in range(n):
        start[((uint64(_time(darts.bits[k])) * uint64(slices)) >> uint64(32)) + uint64(1)] += 1
    for s in range(slices):
        start[s + 1] += start[s]
    for k in range(n):
        s = (uint64(_time(darts.bits[k])) * uint64(slices)) >> uint64(32)
        place = start[s]
        start[s] += 1
        by_time.cell[place] = darts.cell[k]
        by_time.bits[place] = darts.bits[k]
        by_time.state[place] = darts.state[k]
    for s in range(slices, 0, -1):  # each start has moved to its end
        start[s] = start[s - 1]
    start[0] = 0


@njit(cache=True, nogil=True, error_model="numpy")
def sift(frame: Frame, cells: Cells, darts: Darts, first: int, end: int) -> None:
    """Void the darts ``first : end`` that a point which stands is too near to."""
    for k in range(first, end):
        c, x, y = darts.cell[k], _x(darts.bits[k]), _y(darts.bits[k])
        if not _lit(cells.live[c], x, y) or _hit(frame, cells, c, x, y):
            darts.state[k] = VOID


@njit(error_model="numpy")
def _verdict(frame: Frame, cells: Cells, darts: Darts, end: int, k: int) -> int:
    """Return what can be said of dart ``k`` now: it stands, it is void, or it is still pending."""
    c, bits = darts.cell[k], darts.bits[k]
    x, y, time = _x(bits), _y(bits), _time(bits)
    verdict = STANDS
    f = cells.head[c]
    while f < end and darts.cell[f] == c:  # all darts of one cell conflict
        other = darts.bits[f]
        if darts.state[f] <= STANDS and (_time(other) < time or (_time(other) == time and f < k)):
            if darts.state[f] == STANDS:
                return VOID
            verdict = PENDING
        f += 1
    for b in range(len(frame.near)):
        o = _at(c, frame.near[b])
        f = cells.head[o]
        if f == NOTHING:
            continue
        ox, oy = frame.near_x[b], frame.near_y[b]
        if f == FOG:
            # anything may stand there: is the nearest corner or edge of that cell within reach?
            dx = int64(max(ox - x, x - ox - (PLACES - 1), 0))
            dy = int64(max(oy - y, y - oy - (PLACES - 1), 0))
            if dx * dx + dy * dy < frame.conflict:
                verdict = PENDING
            continue
        while f < end and darts.cell[f] == int64(o):
            other = darts.bits[f]
            # equal times are told apart by the order of the cells, which no window changes
            if darts.state[f] <= STANDS and (_time(other) < time or (_time(other) == time and darts.cell[f] < c)):
                dx = int64(_x(other) + ox - x)
                dy = int64(_y(other) + oy - y)
                if dx * dx + dy * dy < frame.conflict:
                    if darts.state[f] == STANDS:
                        return VOID
                    verdict = PENDING
            f += 1
    return verdict


@njit(cache=True, nogil=True, error_model="numpy")
def settle(frame: Frame, cells: Cells, darts: Darts, first: int, end: int, waiting: NDArray[np.int32]) -> int:
    """Decide the darts ``first : end``: those stand that no earlier one that stands is too near to.

    A dart waits for earlier darts in its reach, so each pass over the waiting settles some. The
    passes may go through them in any order. What still waits when nothing changes hangs on
    something outside, and its cell turns foggy. Returns the number of foggy darts.
    """
    left = 0
    for k in range(first, end):
        if darts.state[k] == PENDING:
            waiting[left] = k
            left += 1
            if cells.head[darts.cell[k]] == NOTHING:
                cells.head[darts.cell[k]] = k
    before = left + 1
    while left < before:
        before = left
        kept = 0
        for a in range(before):
            k = waiting[a]
            verdict = _verdict(frame, cells, darts, end, k)
            darts.state[k] = verdict
            if verdict == PENDING:
                waiting[kept] = k
                kept += 1
            elif verdict == STANDS:
                c, x, y = darts.cell[k], _x(darts.bits[k]), _y(darts.bits[k])
                cells.x[c] = x
                cells.y[c] = y
                cells.live[c] = uint64(0)
                quantum = (y // _QUANTUM) * _QUANTA + x // _QUANTUM
                for b in range(len(frame.near)):
                    o = _at(c, frame.near[b])
                    cells.live[o] &= ~frame.covers[quantum, b]
                    cells.near[o] |= uint32(1) << uint32(b ^ 1)
        left = kept
    for k in range(first, end):
        if cells.head[darts.cell[k]] >= 0:
            cells.head[darts.cell[k]] = NOTHING
    for a in range(left):
        c = darts.cell[waiting[a]]
        cells.head[c] = FOG
        cells.live[c] = uint64(0)
    return left


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
        for k in range(64):
            if (live >> uint64(k)) & uint64(1):
                boxes.x[n] = k % _WORD_SIDE
                boxes.y[n] = k // _WORD_SIDE
                n += 1
        boxes.cell[kept] = c
        kept += 1
        boxes.start[kept] = n
    return kept, n


@njit(error_model="numpy")
def _neighbours(frame: Frame, cells: Cells, c: int, x: NDArray[np.int64], y: NDArray[np.int64]) -> int:
    """Fill in the points of the near cells, as seen from cell ``c``; return how many there are."""
    count = 0
    points = cells.near[c]
    while points != uint32(0):
        b = _bit(points)
        points = uint32(points & (points - uint32(1)))
        o = _at(c, frame.near[b])
        x[count] = cells.x[o] + frame.near_x[b]
        y[count] = cells.y[o] + frame.near_y[b]
        count += 1
    return count


@njit(error_model="numpy")
def _covered(
    conflict: int, points: int, x: NDArray[np.int64], y: NDArray[np.int64], left: int, low: int, right: int, high: int
) -> bool:
    """Return whether the disc of one of the points holds a whole box."""
    for p in range(points):
        far_x = max(right - x[p], x[p] - left)
        far_y = max(high - y[p], y[p] - low)
        if far_x * far_x + far_y * far_y < conflict:
            return True
    return False


@njit(error_model="numpy")
def _halve(
    frame: Frame,
    cell_key: int,
    level: int,
    c: int,
    points: int,
    near_x: NDArray[np.int64],
    near_y: NDArray[np.int64],
    old: Boxes,
    first: int,
    end: int,
    new: Boxes,
    darts: Darts,
    n: int,
) -> int:
    """Halve the boxes ``first : end`` of cell ``c``; append what is not covered, from ``n`` on, with a dart each."""
    side = 1 << (LAST_LEVEL - level)
    j = c // frame.width
    i = c - j * frame.width
    xmin, xmax = frame.xmin - int64(i) * PLACES, frame.xmax - int64(i) * PLACES
    ymin, ymax = frame.ymin - int64(j) * PLACES, frame.ymax - int64(j) * PLACES
    for s in range(first, end):
        for quarter in range(4):
            bx, by = 2 * int64(old.x[s]) + quarter % 2, 2 * int64(old.y[s]) + quarter // 2
            # only the part of the box inside the domain needs to be covered
            left, right = max(bx * side, xmin), min(bx * side + side, xmax)
            low, high = max(by * side, ymin), min(by * side + side, ymax)
            if left >= right or low >= high:
                continue
            if _covered(frame.conflict, points, near_x, near_y, left, low, right, high):
                continue
            box = (uint64(by) << uint64(20)) | uint64(bx)
            bits = _land(mix(cell_key + box * uint64(GOLDEN)), level, bx, by)
            x, y = _x(bits), _y(bits)
            state = PENDING
            if x < xmin or x >= xmax or y < ymin or y >= ymax:
                state = OUTSIDE
            elif _covered(frame.conflict, points, near_x, near_y, x, y, x, y):
                state = VOID
            new.x[n] = bx
            new.y[n] = by
            darts.cell[n] = c
            darts.bits[n] = bits
            darts.state[n] = state
            n += 1
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def refine(
    frame: Frame, cells: Cells, number: int, level: int, old: Boxes, count: int, new: Boxes, darts: Darts
) -> tuple[int, int]:
    """Halve the boxes of the open cells, drop those that a point covers, and throw a dart from each other.

    Dart k comes from box k. Returns the number of cells and of boxes that stay.
    """
    key = _round_key(frame.key, number)
    near_x, near_y = np.empty(len(frame.near), np.int64), np.empty(len(frame.near), np.int64)
    kept, n = 0, 0
    new.start[0] = 0
    for a in range(count):
        c = old.cell[a]
        if cells.live[c] == uint64(0):
            continue
        points = _neighbours(frame, cells, c, near_x, near_y)
        j = c // frame.width
        i = c - j * frame.width
        cell_key = mix(_cell_key(key, i + frame.i0, j + frame.j0))
        first = n
        start, end = old.start[a], old.start[a + 1]
        n = _halve(frame, cell_key, level, c, points, near_x, near_y, old, start, end, new, darts, n)
        if n > first:
            new.cell[kept] = c
            kept += 1
            new.start[kept] = n
    return kept, n


@njit(cache=True, nogil=True, error_model="numpy")
def box_darts(frame: Frame, number: int, level: int, which: NDArray[np.int32], darts: Darts) -> None:
    """Throw one dart from every box of some cells, whether or not it is covered, box after box."""
    key = _round_key(frame.key, number)
    boxes = 1 << level
    n = 0
    for a in range(len(which)):
        c = which[a]
        j = c // frame.width
        i = c - j * frame.width
        cell_key = _cell_key(key, i + frame.i0, j + frame.j0)
        for by in range(boxes):
            for bx in range(boxes):
                box = (by * _WORD_SIDE + bx) * (_WORD_SIDE >> level)
                bits = mix(cell_key + uint64(box) * uint64(GOLDEN))
                place = _land(mix(bits + uint64(GOLDEN)), level, bx, by)
                inside = _inside(frame, int64(i) * PLACES + _x(place), int64(j) * PLACES + _y(place))
                darts.cell[n] = c
                darts.bits[n] = place
                darts.state[n] = PENDING if inside else OUTSIDE
                n += 1


@njit(cache=True, nogil=True, error_model="numpy")
def places(
    frame: Frame,
    unit: float,
    darts: Darts,
    which: NDArray[np.intp],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> None:
    """Fill in where some of the darts landed, in metres; exact, see `weald.sampling.lattice`."""
    for a in range(len(which)):
        k = which[a]
        j = darts.cell[k] // frame.width
        i = darts.cell[k] - j * frame.width
        x[a] = float((i + frame.i0) * PLACES + _x(darts.bits[k])) * unit
        y[a] = float((j + frame.j0) * PLACES + _y(darts.bits[k])) * unit


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


@njit(cache=True, nogil=True, error_model="numpy")
def foggy(frame: Frame, cells: Cells, height: int, halo: int, block: int, found: NDArray[np.bool_]) -> bool:
    """Mark the blocks of ``block`` x ``block`` cells, inside the halo, that hold a foggy cell."""
    rim = REACH + halo
    some = False
    for j in range(rim, height - rim):
        for i in range(rim, frame.width - rim):
            if cells.head[j * frame.width + i] == FOG:
                found[(j - rim) // block, (i - rim) // block] = True
                some = True
    return some


@njit(cache=True, nogil=True, error_model="numpy")
def collect(
    i0: int,
    j0: int,
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    window: tuple[int, int, int, int],
    unit: float,
    id_key: np.uint64,
    xy: NDArray[np.float64],
    ids: NDArray[np.uint64],
) -> int:
    """Write the points of a block of cells that lie in a window; (i0, j0) is the block's first cell.

    The id of a point is a bijection of its cell, so no two points of a layer share one.
    """
    n = 0
    xmin, ymin, xmax, ymax = window
    for j in range(x.shape[0]):
        for i in range(x.shape[1]):
            if x[j, i] == EMPTY:
                continue
            gx, gy = int64(i) * PLACES + x[j, i], int64(j) * PLACES + y[j, i]
            if gx < xmin or gx >= xmax or gy < ymin or gy >= ymax:
                continue
            column, row = int64(i + i0), int64(j + j0)
            xy[n, 0] = float(column * PLACES + x[j, i]) * unit
            xy[n, 1] = float(row * PLACES + y[j, i]) * unit
            cell = uint64(uint32(column)) | (uint64(uint32(row)) << uint64(32))
            ids[n] = mix(cell ^ uint64(id_key))
            n += 1
    return n
