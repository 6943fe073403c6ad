"""The sampler of space: from a rule set and a window to points, block by block, proved exact.

As in the plane (`weald.sampling.plane`), each block of cells is computed with a halo, and parts of
it that fog reaches are computed again with half as much again. What was decided in the halo of one
block is given to the next (see `weald.sampling.volume.known`); no result depends on it. Memory is that
of a block a thread and of one layer of cells. The blocks are groups of the world's tiles, and the
points come in the order of the tiles, however those were grouped.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.sampling.lattice import PLACES, REACH, Lattice
from weald.sampling.mask import AllowedInSpace
from weald.sampling.plane import poisson_odds
from weald.sampling.state import LAST_LEVEL, PENDING, near_cells
from weald.sampling.volume import darts as kernel
from weald.sampling.volume.block import Block, Whole
from weald.sampling.volume.collect import collect
from weald.sampling.volume.known import Known
from weald.sampling.volume.mask import GIVE_UP_LEVEL, Mask, drop_boxes
from weald.sampling.volume.state import (
    NO_POINT,
    UNDECIDED,
    Cells,
    Darts,
    Discs,
    Frame,
    room_for_boxes,
    room_for_cells,
    room_for_darts,
)
from weald.sampling.workspace import Workspace
from weald.threads import cores

Found = tuple[NDArray[np.float64], NDArray[np.uint64]]
"""Coordinates, shape (n, 3), and ids, shape (n,)."""

TILE = 32
"""Side of a tile in cells. Points come tile by tile; tiles are anchored to the world."""
TOGETHER = 4
"""So many tiles along each axis are computed in one block: more take less time in halos, and more memory."""
HALO = 12
"""Cells computed around a tile at first. Fog gets deeper than in the plane, but rarely through twelve."""
KNOWN_HALO = 2
"""Cells computed beyond a face where all is known: fog comes around the edges only."""
_BLOCK = 16
_SLICES = 16, 8, 4, 2
"""Slices of time in the first rounds; a matter of speed alone."""
_DARTS_A_SLICE = 1000
_NEAR = np.array(near_cells(REACH, 3), np.int32)
_ODDS = poisson_odds(1)


@dataclass(frozen=True)
class Rules:
    """Everything that the points depend on; ``depth`` is the last level, less than 16 only in tests."""

    lattice: Lattice
    key: int
    domain: Block
    allowed: AllowedInSpace | None = None
    depth: int = LAST_LEVEL


def _frame(rules: Rules, box: Block) -> Frame:
    nz, ny, nx = box.shape
    i, j, k = _NEAR.T
    offsets = (i + nx * (j + ny * k)).astype(np.int32)
    near_x, near_y, near_z = np.ascontiguousarray(_NEAR.T * np.int32(PLACES))
    return Frame(
        np.uint64(rules.key),
        *box.low,
        nx,
        ny,
        nz,
        *rules.domain.places(box.low),
        rules.lattice.conflict,
        offsets,
        near_x,
        near_y,
        near_z,
    )


def compute(rules: Rules, block: Block, halo: int, space: Workspace, known: Known | None = None) -> NDArray[np.int64]:
    """Return the places of the points of a block of cells, shape (layers, rows, columns), or NO_POINT.

    Cells that are ``known`` are taken from there, and all cells that were decided are added.
    Proved: no cell of the block depends on anything that was not computed.
    """
    box = _around(block, halo, known).intersection(rules.domain.cells().grown(REACH))
    if known is None:
        known = Known(box)
    frame = _frame(rules, box)
    size = frame.nx * frame.ny * frame.nz
    cells = room_for_cells(space, size)
    place, fog = cells.place[:size].reshape(box.shape), cells.fog[:size].reshape(box.shape)
    place.fill(UNDECIDED)
    known.read(box, place)
    _run(rules, frame, cells, space)

    inside = box.intersection(block)
    if inside != block:  # it reaches out of the domain
        found = np.full(block.shape, NO_POINT, np.int64)
        found[block.slices(inside)] = place[box.slices(inside)]
    else:
        found = place[box.slices(block)].copy()
    missing = np.argwhere(fog[box.slices(inside)])
    place[fog != 0] = UNDECIDED
    known.learn(box, place)
    for index in np.unique(missing[:, ::-1] // _BLOCK, axis=0).tolist():
        low: Whole = tuple(first + _BLOCK * n for first, n in zip(inside.low, index, strict=True))
        part = Block(low, (low[0] + _BLOCK, low[1] + _BLOCK, low[2] + _BLOCK)).intersection(inside)
        found[block.slices(part)] = compute(rules, part, halo + max(halo // 2, REACH), space, known)
    return found


def _around(block: Block, halo: int, known: Known | None) -> Block:
    """Return a block with its halo and rim: narrow where the cells beyond a face are known."""
    low, high = list(block.low), list(block.high)
    for axis in range(3):
        for end, sign in ((low, -1), (high, 1)):
            face_low, face_high = list(block.low), list(block.high)
            if sign < 0:
                face_low[axis], face_high[axis] = block.low[axis] - REACH, block.low[axis]
            else:
                face_low[axis], face_high[axis] = block.high[axis], block.high[axis] + REACH
            face = Block((face_low[0], face_low[1], face_low[2]), (face_high[0], face_high[1], face_high[2]))
            narrow = max(min(KNOWN_HALO, halo), halo - HALO)  # where that was not enough, it grows too
            wide = REACH + (narrow if known is not None and known.decided(face) else halo)
            end[axis] += sign * wide
    return Block((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _run(rules: Rules, frame: Frame, cells: Cells, space: Workspace) -> None:
    """Run all rounds over the cells of a frame."""
    size = frame.nx * frame.ny * frame.nz
    mask = None if rules.allowed is None else Mask(rules.allowed, rules.lattice.unit, frame)
    closed = np.empty(0, np.bool_) if mask is None else mask.closed()
    boxes = room_for_boxes(space, 0, size, size)
    count = n = kernel.open_cells(frame, cells, closed, boxes)

    thrown = room_for_darts(space, "thrown", count * len(_ODDS))
    _decide(frame, cells, thrown, kernel.throw(frame, _ODDS, boxes, count, thrown), 0, mask, space)

    discs = Discs(*(space.take(f"disc {axis}", np.int64, len(frame.near)) for axis in "xyz"))
    for level in range(1, rules.depth + 1):
        if count == 0:
            break
        finer = room_for_boxes(space, level % 2, count, 8 * n)
        thrown = room_for_darts(space, "thrown", 8 * n)
        count, n = kernel.halve(frame, cells, level, boxes, count, finer, thrown, discs)
        boxes = finer
        if mask is not None and level >= GIVE_UP_LEVEL:
            # Else the edge of every mask would be cut into boxes down to the last level. A dart is
            # asked about even where a point has voided it, so that giving up hangs on the place alone;
            # and where it fell outside the domain, since most boxes along a face have such darts.
            given_up = np.zeros(n, np.bool_)
            given_up[mask.void(thrown, np.arange(n))] = True
            count = drop_boxes(boxes, count, given_up)
        _decide(frame, cells, thrown, n, level, mask if level < GIVE_UP_LEVEL else None, space)
        n = int(boxes.start[count])


def _decide(frame: Frame, cells: Cells, thrown: Darts, n: int, level: int, mask: Mask | None, space: Workspace) -> None:
    """Decide the pending darts of a round, slice by slice of time; ask the mask, if given, about those that matter."""
    most = _SLICES[level] if level < len(_SLICES) else 1
    slices = max(1, min(most, n // _DARTS_A_SLICE))
    darts, start = room_for_darts(space, "darts", n), space.take("slice", np.int32, slices + 1)
    waiting = space.take("waiting", np.int32, n)
    kernel.arrange(thrown, n, slices, start, darts)
    for first, end in itertools.pairwise(start[: slices + 1].tolist()):
        if slices > 1 or level == 0 or mask is not None:  # of round 0, since known points stand before it
            kernel.sift(frame, cells, darts, first, end)
        if mask is not None:
            mask.void(darts, first + np.flatnonzero(darts.state[first:end] == PENDING))
        kernel.settle(frame, cells, darts, first, end, waiting)


def _layers(cells: Block, together: int) -> list[list[Block]]:
    """Return the blocks that are computed at once, layer by layer."""
    blocks = cells.parts(TILE, together)
    return [list(layer) for _, layer in itertools.groupby(blocks, lambda block: block.low[2])]


def sample(rules: Rules, window: Block, threads: int | None) -> Found:
    """Return coordinates and ids of the points in a window of places.

    The order is the world's: by tile, then by layer, row and column of the cell.
    """
    seen = rules.domain.intersection(window)
    if seen.empty:
        return np.empty((0, 3)), np.empty(0, np.uint64)
    id_key = np.uint64(hashing.key(rules.key, "id"))
    spaces: list[Workspace] = []

    def one(block: Block, known: Known) -> dict[Block, Found]:
        try:
            space = spaces.pop()
        except IndexError:
            space = Workspace()
        place = compute(rules, block, HALO, space, known)
        spaces.append(space)
        found = {}
        for tile in block.parts(TILE):
            inside = np.ascontiguousarray(place[block.slices(tile)])
            most = int(np.count_nonzero(inside != NO_POINT))
            xyz, ids = np.empty((most, 3)), np.empty(most, np.uint64)
            n = collect(*tile.low, inside, window.places(tile.low), rules.lattice.unit, id_key, xyz, ids)
            found[tile] = xyz[:n], ids[:n]
        return found

    cells = seen.cells()
    workers = threads or cores()
    together = TOGETHER
    layers = _layers(cells, together)
    # smaller blocks take more time in all, but more threads; a mask would be asked about every halo again
    while rules.allowed is None and together > 1 and len(layers[0]) < workers:
        together //= 2
        layers = _layers(cells, together)
    workers = min(workers, len(layers[0]))
    found: dict[Block, Found] = {}
    known: Known | None = None
    reach = rules.domain.cells().grown(REACH)
    with ThreadPoolExecutor(workers) as pool:
        for blocks in layers:
            layer = Block((*cells.low[:2], blocks[0].low[2]), (*cells.high[:2], blocks[0].high[2]))
            box = layer.grown(HALO + REACH).intersection(reach)
            known = Known(box) if known is None else known.moved(box)
            run = map if workers == 1 else pool.map
            for part in run(one, blocks, itertools.repeat(known)):
                found |= part
    in_order = [found[tile] for tile in cells.parts(TILE)]
    return np.concatenate([xyz for xyz, _ in in_order]), np.concatenate([ids for _, ids in in_order])
