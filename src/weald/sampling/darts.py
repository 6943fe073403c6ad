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

Where radii vary, points come in classes, the larger radii first (`weald.sampling.classes`); the
kernels see one class at a time, and the points of larger ones as *fixed*.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, njit, uint32, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.lattice import PLACES
from weald.sampling.state import (
    ALL,
    BOX,
    EMPTY,
    FINER,
    FOG,
    HAZY,
    MASK_LEVEL,
    NOTHING,
    OUTSIDE,
    PENDING,
    STANDS,
    STEPS,
    VOID,
    WORD_SIDE,
    Cells,
    Darts,
    Fixed,
    Frame,
    at,
    cell_key,
    dart_time,
    dart_x,
    dart_y,
    first_bit,
    hit,
    hit_fixed,
    in_world,
    is_varied,
    land,
    limit,
    near_count,
    own,
    round_key,
    row_key,
    step_radius,
)


@njit(inline="always")
def _lit(live: Any, x: Any, y: Any) -> Any:
    """Return whether the bit of the level-3 box at a place is set."""
    return (live >> uint64((y // BOX) * WORD_SIDE + x // BOX)) & uint64(1) != uint64(0)


@njit(inline="always")
def _inside(frame: Frame, x: Any, y: Any) -> Any:
    return (frame.xmin <= x) & (x < frame.xmax) & (frame.ymin <= y) & (y < frame.ymax)


@njit(error_model="numpy", forceinline=True)
def _whole(frame: Frame, left: Any, low: Any) -> Any:
    """Return whether every place that 16 bits can name, from a cell's corner on, is of the cell and the domain."""
    return (
        frame.cell_x == PLACES
        and frame.cell_y == PLACES
        and _inside(frame, left, low)
        and _inside(frame, left + PLACES - 1, low + PLACES - 1)
    )


@njit(cache=True, nogil=True, error_model="numpy")
def open_cells(frame: Frame, cells: Cells, opened: NDArray[np.bool_], todo: NDArray[np.int32]) -> int:
    """Set all cells to their state before the first round; list those that the domain touches.

    Boxes outside the domain are not live, nor is any box of a cell that is not ``opened`` (an empty
    array opens all). Cells of the rim are foggy if they would be open.
    """
    count = 0
    for j in range(frame.height):
        for i in range(frame.width):
            c = j * frame.width + i
            cells.x[c] = EMPTY
            cells.y[c] = EMPTY
            cells.near[c] = 0
            cells.head[c] = NOTHING
            cells.live[c] = 0
            if len(opened) > 0 and not opened[c]:
                continue
            left, low = int64(i) * frame.cell_x, int64(j) * frame.cell_y
            word = uint64(ALL)
            if not _whole(frame, left, low):
                word = uint64(0)
                right = min(left + int64(frame.cell_x), int64(frame.xmax))
                high = min(low + int64(frame.cell_y), int64(frame.ymax))
                for k in range(64):
                    bx, by = left + (k % WORD_SIDE) * BOX, low + (k // WORD_SIDE) * BOX
                    if bx < right and frame.xmin < bx + BOX and by < high and frame.ymin < by + BOX:
                        word |= uint64(1) << uint64(k)
            if word == uint64(0):
                continue
            if min(i, j, frame.width - 1 - i, frame.height - 1 - j) < frame.reach:
                cells.head[c] = FOG
                continue
            cells.live[c] = word
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
    of_round = round_key(frame.key, number)
    side = WORD_SIDE >> level
    corners = uint64(0)  # the first bit of each box of the level
    for k in range(64):
        if k % WORD_SIDE % side == 0 and k // WORD_SIDE % side == 0:
            corners |= uint64(1) << uint64(k)
    kept, n = 0, 0
    j, row_end, of_row = -1, 0, uint64(0)
    for a in range(count):
        c = todo[a]
        live = cells.live[at(c, 0)]
        if live == uint64(0):
            continue
        todo[kept] = c
        kept += 1
        while c >= row_end:  # the cells come row by row
            j += 1
            row_end += frame.width
            of_row = row_key(of_round, in_world(j, frame.j0, frame.period_j))
        i = c - (row_end - frame.width)
        of_cell = cell_key(of_row, in_world(i, frame.i0, frame.period_i))
        # the places of the cell that lie in the domain: all that 16 bits can name, but at its edge
        west, south = frame.xmin - int64(i) * frame.cell_x, frame.ymin - int64(j) * frame.cell_y
        east = min(frame.xmax - int64(i) * frame.cell_x, int64(frame.cell_x))
        north = min(frame.ymax - int64(j) * frame.cell_y, int64(frame.cell_y))
        whole = max(west, south) <= 0 and min(east, north) >= PLACES
        boxes = live  # each box's bits are folded into its first
        step = 1
        while step < side:
            boxes |= boxes >> uint64(step)
            boxes |= boxes >> uint64(step * WORD_SIDE)
            step *= 2
        boxes &= corners
        while boxes != uint64(0):
            box = first_bit(boxes)
            boxes &= boxes - uint64(1)
            bx = (box % uint64(WORD_SIDE)) >> uint64(MASK_LEVEL - level)
            by = (box // uint64(WORD_SIDE)) >> uint64(MASK_LEVEL - level)
            bits = mix(of_cell + box * uint64(GOLDEN))
            dart = 0
            while dart < len(odds) and uint32(bits) >= odds[dart]:
                dart += 1
                place = land(mix(bits + uint64(dart) * uint64(GOLDEN)), level, bx, by)  # as in box_darts
                x, y = dart_x(place), dart_y(place)
                # written first and counted then: what is as likely as not should be no branch
                darts.cell[n] = c
                darts.bits[n] = place
                darts.state[n] = PENDING
                counts = int64(_lit(live, x, y))
                if not whole:
                    counts &= int64(west <= x) & int64(x < east) & int64(south <= y) & int64(y < north)
                n += counts
    return kept, n


@njit(cache=True, nogil=True, error_model="numpy")
def box_darts(frame: Frame, number: int, level: int, which: NDArray[np.int32], darts: Darts) -> None:
    """Throw one dart from every box of some cells, whether or not it is covered, box after box."""
    of_round = round_key(frame.key, number)
    boxes = 1 << level
    n = 0
    for a in range(len(which)):
        c = which[a]
        j = c // frame.width
        i = c - j * frame.width
        of_cell = cell_key(
            row_key(of_round, in_world(j, frame.j0, frame.period_j)), in_world(i, frame.i0, frame.period_i)
        )
        for by in range(boxes):
            for bx in range(boxes):
                box = (by * WORD_SIDE + bx) * (WORD_SIDE >> level)
                bits = mix(of_cell + uint64(box) * uint64(GOLDEN))
                place = land(mix(bits + uint64(GOLDEN)), level, bx, by)
                x, y = dart_x(place), dart_y(place)
                inside = int64(_inside(frame, int64(i) * frame.cell_x + x, int64(j) * frame.cell_y + y))
                inside &= int64(x < frame.cell_x) & int64(y < frame.cell_y)
                darts.cell[n] = c
                darts.bits[n] = place
                darts.state[n] = inside * PENDING + (1 - inside) * OUTSIDE  # a choice here would count references
                n += 1


@njit(cache=True, nogil=True, error_model="numpy")
def arrange(frame: Frame, darts: Darts, n: int, slices: int, start: NDArray[np.int32], by_time: Darts) -> None:
    """Sort the darts of a round into slices of time, keeping the order of cells inside a slice."""
    start[: slices + 1] = 0
    for k in range(n):
        start[((uint64(dart_time(darts.bits[k])) * uint64(slices)) >> uint64(32)) + uint64(1)] += 1
    for s in range(slices):
        start[s + 1] += start[s]
    for k in range(n):
        s = (uint64(dart_time(darts.bits[k])) * uint64(slices)) >> uint64(32)
        place = start[s]
        start[s] += 1
        by_time.cell[place] = darts.cell[k]
        by_time.bits[place] = darts.bits[k]
        by_time.state[place] = darts.state[k]
        by_time.radius[is_varied(frame) * place] = darts.radius[is_varied(frame) * k]
    for s in range(slices, 0, -1):  # each start has moved to its end
        start[s] = start[s - 1]
    start[0] = 0


@njit(cache=True, nogil=True, error_model="numpy")
def sift(frame: Frame, cells: Cells, fixed: Fixed, darts: Darts, first: int, end: int, asked: bool) -> int:
    """Drop the darts ``first : end`` that are void or too near to a point that stands; return where the others end.

    Until they are ``asked``, all that is known of their radii is the least that their cells may have.
    """
    some_fixed = len(fixed.start) > 1
    kept = first
    for k in range(first, end):
        c, bits = darts.cell[k], darts.bits[k]
        x, y = dart_x(bits), dart_y(bits)
        if darts.state[k] != PENDING or not _lit(cells.live[at(c, 0)], x, y):
            continue
        radius = own(frame, darts.radius, k)
        if not asked:
            radius = step_radius(frame.least, own(frame, cells.floor, c))
        if hit(frame, cells, c, x, y, radius) or (some_fixed and hit_fixed(frame, fixed, c, x, y, radius)):
            continue
        darts.cell[kept] = c
        darts.bits[kept] = bits
        darts.state[kept] = PENDING
        darts.radius[is_varied(frame) * kept] = darts.radius[is_varied(frame) * k]
        kept += 1
    return kept


@njit(error_model="numpy", forceinline=True)
def _verdict(frame: Frame, cells: Cells, darts: Darts, end: int, k: int) -> int:
    """Return what can be said of dart ``k`` now: it stands, is void or hazy, or is still pending."""
    c, bits = darts.cell[k], darts.bits[k]
    x, y, time = dart_x(bits), dart_y(bits), dart_time(bits)
    radius = own(frame, darts.radius, k)
    verdict = STANDS
    f = cells.head[c]
    while f < end and darts.cell[f] == c:  # all darts of one cell conflict
        other = darts.bits[f]
        if darts.state[f] <= STANDS and (dart_time(other) < time or (dart_time(other) == time and f < k)):
            if darts.state[f] == STANDS:
                return VOID
            verdict = min(verdict, int64(darts.state[f]))
        f += 1
    busy = uint64(0)  # collected without a branch: few near cells have a dart, and none can tell which
    for b in range(near_count(frame)):
        busy |= uint64(cells.head[at(c, frame.near[b])] != NOTHING) << uint64(b)
    while busy != uint64(0):
        b = first_bit(busy)
        busy &= busy - uint64(1)
        o = at(c, frame.near[b])
        f = cells.head[o]
        ox, oy = frame.near_x[b], frame.near_y[b]
        if f == FOG:
            # anything may stand there: is the nearest corner or edge of that cell within reach?
            dx = int64(max(ox - x, x - ox - (frame.cell_x - 1), 0))
            dy = int64(max(oy - y, y - oy - (frame.cell_y - 1), 0))
            if dx * dx + dy * dy < frame.farthest:
                verdict = min(verdict, HAZY)
            continue
        while f < end and darts.cell[f] == int64(o):
            other = darts.bits[f]
            # equal times are told apart by the order of the cells, which no window changes
            if darts.state[f] <= STANDS and (
                dart_time(other) < time or (dart_time(other) == time and darts.cell[f] < c)
            ):
                dx = int64(dart_x(other) + ox - x)
                dy = int64(dart_y(other) + oy - y)
                if dx * dx + dy * dy < limit(frame.conflict, radius, own(frame, darts.radius, f)):
                    if darts.state[f] == STANDS:
                        return VOID
                    verdict = min(verdict, int64(darts.state[f]))
            f += 1
    return verdict


@njit(cache=True, nogil=True, error_model="numpy")
def settle(frame: Frame, cells: Cells, darts: Darts, first: int, end: int, waiting: NDArray[np.int32]) -> int:
    """Decide the darts ``first : end``: those stand that no earlier one that stands is too near to.

    A dart waits for earlier darts in its reach, so each pass over the waiting settles some, the earliest
    for sure. The passes may go through them in any order. What hangs on something outside is hazy, and
    its cell turns foggy. Returns the number of hazy darts.
    """
    quantum = PLACES // frame.quanta
    left = 0
    for k in range(first, end):
        if darts.state[k] == PENDING:
            waiting[left] = k
            left += 1
            if cells.head[darts.cell[k]] == NOTHING:
                cells.head[darts.cell[k]] = k
    while left > 0:
        kept = 0
        for a in range(left):
            k = waiting[a]
            verdict = _verdict(frame, cells, darts, end, k)
            darts.state[k] = verdict
            if verdict == PENDING:
                waiting[kept] = k
                kept += 1
            elif verdict == STANDS:
                c, x, y = darts.cell[k], dart_x(darts.bits[k]), dart_y(darts.bits[k])
                cells.x[c] = x
                cells.y[c] = y
                cells.live[c] = uint64(0)
                radius = own(frame, darts.radius, k)
                cells.radius[is_varied(frame) * c] = radius
                step = 0
                if is_varied(frame):
                    step = radius * (FINER * STEPS) // frame.least - FINER * STEPS
                    step = min(max(step, 0), FINER * STEPS - 1)
                square = (y // quantum) * frame.quanta + x // quantum
                # let the near cells know of the new point, and put out the boxes that it covers
                for b in range(near_count(frame)):
                    o = at(c, frame.near[b])
                    known = max(step, FINER * own(frame, cells.floor, o))
                    cells.live[o] &= ~frame.covers[known, square, b]
                    cells.near[o] |= uint64(1) << uint64(b ^ 1)
        left = kept
    for k in range(first, end):
        if cells.head[darts.cell[k]] >= 0:
            cells.head[darts.cell[k]] = NOTHING
    hazy = 0
    for k in range(first, end):
        if darts.state[k] == HAZY:
            cells.head[darts.cell[k]] = FOG
            cells.live[darts.cell[k]] = uint64(0)
            hazy += 1
    return hazy
