"""The plane sampler: from a rule set and a window to points, tile by tile, proved exact.

The plane is worked in tiles of cells that are anchored to the world. Each tile is computed with
a halo of cells around it. Where fog (see `weald.sampling.darts`) reaches through the halo into
the tile, the blocks it reaches are computed again with twice the halo, until no fog is left. So
the halo is a matter of speed, never of the result, and no tile depends on any other: tiles can
be made in any order, on any number of threads.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.sampling import darts as kernel
from weald.sampling.darts import Cells, Frame
from weald.sampling.lattice import PLACES, REACH, Lattice
from weald.sampling.mask import ASKED_AT_ONCE, Allowed, Mask
from weald.sampling.workspace import Workspace


class Round(NamedTuple):
    """One of the first rounds: its level, the odds of each further dart of a box, and slices of time."""

    level: int
    odds: NDArray[np.uint32]
    slices: int


def _poisson_odds(mean: int) -> NDArray[np.uint32]:
    """Return, in 32 bits, the chances that a Poisson number is at most 0, 1, 2 and so on."""
    terms = [Fraction(1)]
    while terms[-1] > Fraction(1, 1 << 40):
        terms.append(terms[-1] * mean / len(terms))
    below, odds = Fraction(0), []
    for term in terms:
        below += term / sum(terms)
        odds.append(int(below * (1 << 32)))
    return np.array([chance for chance in odds if chance < (1 << 32) - 1], np.uint32)


_ONE_DART = np.zeros(1, np.uint32)

ROUNDS = (
    Round(0, _poisson_odds(1), slices=8),
    Round(1, _ONE_DART, slices=4),
    Round(2, _ONE_DART, slices=2),
    Round(3, _ONE_DART, slices=1),
)
"""The first rounds; after them, each round goes one level deeper, to the last, with one dart a box.

The first round is a Poisson process: with one dart a cell the points would remember the cells,
and 0.3 % of them would be missing (see ``docs/decisions/0002-dart-process.md``). The slices
matter for speed alone. `weald.sampling.mask` relies on levels 1 and 2 having one dart a box.
"""

TILE = 384
"""Side of a tile in cells: large enough that its halo costs little, small enough for a cache."""
HALO = 8
"""Cells computed around a tile at first. Fog rarely gets through eight."""
ASKED_BEYOND = (REACH + HALO + 1) / math.sqrt(2)
"""Radii beyond a window within which ``allowed`` is asked; rarely, where fog gets further, beyond that too."""
_BLOCK = 16
_UNBOUNDED = 1 << 62


class Extent(NamedTuple):
    """A half-open box of whole numbers: of cells, or of places counted from the origin."""

    xmin: int
    ymin: int
    xmax: int
    ymax: int

    def intersection(self, other: Extent) -> Extent:
        """Return the common part; empty if a maximum is not above its minimum."""
        return Extent(
            max(self.xmin, other.xmin),
            max(self.ymin, other.ymin),
            min(self.xmax, other.xmax),
            min(self.ymax, other.ymax),
        )

    def shifted(self, i: int, j: int) -> tuple[int, int, int, int]:
        """Return the box of places as counted from cell (i, j), clamped to what 64 bits hold."""

        def clamp(place: int) -> int:
            return max(-_UNBOUNDED, min(_UNBOUNDED, place))

        return (
            clamp(self.xmin - i * PLACES),
            clamp(self.ymin - j * PLACES),
            clamp(self.xmax - i * PLACES),
            clamp(self.ymax - j * PLACES),
        )


EVERYWHERE = Extent(-_UNBOUNDED, -_UNBOUNDED, _UNBOUNDED, _UNBOUNDED)


@dataclass(frozen=True)
class Rules:
    """Everything that the points depend on; ``depth`` is the last level, less than 16 only in tests."""

    lattice: Lattice
    key: int
    domain: Extent
    allowed: Allowed | None = None
    depth: int = kernel.LAST_LEVEL


@functools.lru_cache(maxsize=64)
def _covers(conflict: int) -> NDArray[np.uint64]:
    near = np.array(kernel.NEAR, np.int32) * np.int32(PLACES)
    return kernel.cover_table(conflict, near[:, 0].copy(), near[:, 1].copy())


def compute(rules: Rules, block: Extent, halo: int, space: Workspace) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the places of the points of a block of cells, shape (rows, columns), or EMPTY where a cell has none.

    Proved: no cell of the block depends on anything that was not computed.
    """
    rim = REACH + halo
    i0, j0 = block.xmin - rim, block.ymin - rim
    width, height = block.xmax - block.xmin + 2 * rim, block.ymax - block.ymin + 2 * rim
    near = np.array(kernel.NEAR, np.int32)
    frame = Frame(
        np.uint64(rules.key),
        i0,
        j0,
        width,
        *rules.domain.shifted(i0, j0),
        rules.lattice.conflict,
        near[:, 1] * np.int32(width) + near[:, 0],
        near[:, 0] * np.int32(PLACES),
        near[:, 1] * np.int32(PLACES),
        _covers(rules.lattice.conflict),
    )
    cells = space.cells(width * height)
    _run(rules, frame, cells, height, space)

    inner = slice(rim, height - rim), slice(rim, width - rim)
    x = cells.x[: width * height].reshape(height, width)[inner].copy()
    y = cells.y[: width * height].reshape(height, width)[inner].copy()
    marks = np.zeros((-(-x.shape[0] // _BLOCK), -(-x.shape[1] // _BLOCK)), np.bool_)
    if kernel.foggy(frame, cells, height, halo, _BLOCK, marks):
        for row, column in np.argwhere(marks).tolist():
            part = Extent(
                block.xmin + column * _BLOCK,
                block.ymin + row * _BLOCK,
                min(block.xmin + (column + 1) * _BLOCK, block.xmax),
                min(block.ymin + (row + 1) * _BLOCK, block.ymax),
            )
            where = np.s_[
                part.ymin - block.ymin : part.ymax - block.ymin, part.xmin - block.xmin : part.xmax - block.xmin
            ]
            x[where], y[where] = compute(rules, part, max(2 * halo, REACH), space)
    return x, y


def _run(rules: Rules, frame: Frame, cells: Cells, height: int, space: Workspace) -> None:
    """Run all rounds over the cells of a frame."""
    todo = space.take("todo", np.int32, frame.width * height)
    count = kernel.open_cells(frame, cells, height, todo)
    mask = None if rules.allowed is None else Mask(rules.allowed, rules.lattice.unit, frame, height, space)
    number = 0
    for level, odds, slices in ROUNDS:
        thrown = space.darts("thrown", (count * len(odds)) << (2 * level))
        count, n = kernel.throw(frame, cells, number, level, odds, todo, count, thrown)
        if mask is not None:
            mask.after_throw(cells, number, level, todo[:count], thrown, n)
        darts, start = space.darts("darts", n), space.take("slice", np.int32, slices + 1)
        kernel.arrange(thrown, n, slices, start, darts)
        waiting = space.take("waiting", np.int32, n)
        for first, end in itertools.pairwise(start[: slices + 1].tolist()):
            kernel.sift(frame, cells, darts, first, end)
            if mask is not None and level not in ASKED_AT_ONCE:
                mask.void(darts, first + np.flatnonzero(darts.state[first:end] == kernel.PENDING))
            kernel.settle(frame, cells, darts, first, end, waiting)
        number += 1
    boxes = space.boxes(kernel.MASK_LEVEL % 2, count, count << (2 * kernel.MASK_LEVEL))
    count, n = kernel.list_boxes(cells, todo, count, boxes)
    for level in range(kernel.MASK_LEVEL + 1, rules.depth + 1):
        if count == 0:
            break
        finer = space.boxes(level % 2, count, 4 * n)
        darts = space.darts("darts", 4 * n)
        count, n = kernel.refine(frame, cells, number, level, boxes, count, finer, darts)
        boxes = finer
        if mask is not None:
            # A box whose own dart fell on forbidden ground is given up: else the edge of every
            # mask would be cut into boxes down to the last level. It is asked about even where a
            # point has voided the dart, so that giving up hangs on the place alone.
            inside = np.flatnonzero(darts.state[:n] != kernel.OUTSIDE)
            given_up = np.zeros(n, np.bool_)
            given_up[mask.void(darts, inside)] = True
            count = kernel.drop_boxes(boxes, count, given_up)
        kernel.settle(frame, cells, darts, 0, n, space.take("waiting", np.int32, n))
        n = int(boxes.start[count])
        number += 1


def tiles(cells: Extent) -> Iterator[Extent]:
    """Cut a box of cells along the world's tiles, row by row from the south-west."""
    for row in range(cells.ymin // TILE, -(-cells.ymax // TILE)):
        for column in range(cells.xmin // TILE, -(-cells.xmax // TILE)):
            tile = Extent(column * TILE, row * TILE, (column + 1) * TILE, (row + 1) * TILE)
            yield tile.intersection(cells)


def sample(rules: Rules, window: Extent, threads: int | None) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
    """Return coordinates (n, 2) and ids (n,) of the points in a window of places.

    The order is the world's: by tile, then by row and column of the cell.
    """
    seen = rules.domain.intersection(window)
    if seen.xmin >= seen.xmax or seen.ymin >= seen.ymax:
        return np.empty((0, 2)), np.empty(0, np.uint64)
    cells = Extent(seen.xmin // PLACES, seen.ymin // PLACES, -(-seen.xmax // PLACES), -(-seen.ymax // PLACES))
    id_key = np.uint64(hashing.key(rules.key, "id"))
    spaces: list[Workspace] = []

    def one(tile: Extent) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
        try:
            space = spaces.pop()
        except IndexError:
            space = Workspace()
        x, y = compute(rules, tile, HALO, space)
        spaces.append(space)
        most = int(np.count_nonzero(x != kernel.EMPTY))
        xy, ids = np.empty((most, 2)), np.empty(most, np.uint64)
        limits = window.shifted(tile.xmin, tile.ymin)
        n = kernel.collect(tile.xmin, tile.ymin, x, y, limits, rules.lattice.unit, id_key, xy, ids)
        return xy[:n], ids[:n]

    work = list(tiles(cells))
    workers = min(threads or os.cpu_count() or 1, len(work))
    if workers == 1:
        parts = [one(tile) for tile in work]
    else:
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(one, work))
    return np.concatenate([xy for xy, _ in parts]), np.concatenate([ids for _, ids in parts])
