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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.geometry import Bounds
from weald.sampling import boxes as finer_kernel
from weald.sampling import darts as kernel
from weald.sampling.classes import Opening, RadiusClass
from weald.sampling.collect import collect, foggy
from weald.sampling.cover import cover_table
from weald.sampling.extent import UNBOUNDED, Extent
from weald.sampling.fixed import NONE, Known, fix
from weald.sampling.lattice import REACH, Lattice, Metric
from weald.sampling.limits import check_halo
from weald.sampling.mask import Allowed, Mask
from weald.sampling.state import (
    EMPTY,
    FINER,
    LAST_LEVEL,
    MASK_LEVEL,
    OUTSIDE,
    STEPS,
    Cells,
    Fixed,
    Frame,
    near_cells,
)
from weald.sampling.workspace import Workspace
from weald.threads import cores


class Round(NamedTuple):
    """One of the first rounds: its level, the odds of each further dart of a box, and slices of time."""

    level: int
    odds: NDArray[np.uint32]
    slices: int


def poisson_odds(mean: int) -> NDArray[np.uint32]:
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
    Round(0, poisson_odds(1), slices=8),
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
TILE_VARIED = 512
"""The same where radii vary: the halo is wider, and what is of one class comes in spots that should not be cut."""
HALO = 10
"""Cells computed around a tile at first. Fog gets through ten in about one tile of two, and then into one block."""
HALO_VARIED = 18
"""The same where radii vary: a point reaches over more cells of its class, and fog does as well."""
ASKED_BEYOND = (REACH + HALO + 1) / math.sqrt(2)
"""Radii beyond a window within which ``allowed`` is asked; rarely, where fog gets further, beyond that too."""
_BLOCK = 16
_DARTS_A_SLICE = 1000
"""No thinner slices: each has its fixed cost. The outcome does not hang on how many there are."""

EVERYWHERE = Extent(-UNBOUNDED, -UNBOUNDED, UNBOUNDED, UNBOUNDED)


@dataclass(frozen=True)
class Rules:
    """Everything that the points depend on; ``depth`` is the last level, less than 16 only in tests.

    With a ``radius`` class, each point has its own radius; with ``fixed`` discs, points keep off
    those as well; ``fixed_alone`` if by the radii of the discs alone.
    """

    lattice: Lattice
    key: int
    domain: Extent
    allowed: Allowed | None = None
    depth: int = LAST_LEVEL
    torus: Metric | None = None
    radius: RadiusClass | None = None
    fixed: tuple[Known, ...] = ()
    fixed_alone: bool = False

    @functools.cached_property
    def metric(self) -> Metric:
        """How places become coordinates."""
        return Metric.of_plane(self.lattice) if self.torus is None else self.torus

    @property
    def reach(self) -> int:
        """Points whose cells are further apart than this never conflict."""
        return REACH if self.radius is None else REACH + 1

    @property
    def halo(self) -> int:
        """Cells computed around a tile at first."""
        return HALO if self.radius is None else HALO_VARIED

    @property
    def tile(self) -> int:
        """Side of a tile in cells."""
        return TILE if self.radius is None else TILE_VARIED

    @property
    def widest(self) -> float:
        """No point keeps another further away than this, in metres."""
        return math.sqrt(self.lattice.conflict) * max(self.metric.unit) if self.radius is None else self.radius.high

    @property
    def turns(self) -> tuple[float, float]:
        """The metres along x and y after which the world repeats."""
        across, up = (
            side * period if period else math.inf
            for side, period in zip(self.metric.side, self.metric.period, strict=True)
        )
        return across, up


@functools.lru_cache(maxsize=64)
def _covers(limits: tuple[int, ...], quanta: int, reach: int, cell: tuple[int, int]) -> NDArray[np.uint64]:
    near = np.array(near_cells(reach), np.int32) * np.array(cell, np.int32)
    return cover_table(np.array(limits, np.int64), quanta, near[:, 0].copy(), near[:, 1].copy())


def _frame(rules: Rules, block: Extent, halo: int) -> Frame:
    box = block.grown(rules.reach + halo)
    height, width = box.shape
    near = np.array(near_cells(rules.reach), np.int32)
    least, conflict, farthest = 0, rules.lattice.conflict, rules.lattice.conflict
    limits: tuple[int, ...] = (conflict,)
    quanta = 16
    if rules.radius is not None:
        least = int(rules.radius.places(np.array([rules.radius.low]))[0])
        farthest = int(rules.radius.places(np.array([rules.radius.high]))[0]) ** 2 + 1
        steps = FINER * STEPS
        limits = tuple((least * (steps + step) // steps) ** 2 + 1 for step in range(steps))
        conflict = limits[0]
    return Frame(
        np.uint64(rules.key),
        box.xmin,
        box.ymin,
        width,
        height,
        *rules.metric.cell,
        *rules.metric.period,
        *rules.domain.shifted(box.xmin, box.ymin, rules.metric.cell),
        rules.reach,
        () if rules.radius is None else (True,),
        least,
        conflict,
        farthest,
        near[:, 1] * np.int32(width) + near[:, 0],
        near[:, 0] * np.int32(rules.metric.cell[0]),
        near[:, 1] * np.int32(rules.metric.cell[1]),
        quanta,
        _covers(limits, quanta, rules.reach, rules.metric.cell),
    )


def compute(
    rules: Rules, block: Extent, halo: int, space: Workspace, opening: Opening | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the places of the points of a block of cells, shape (rows, columns), or EMPTY where a cell has none.

    ``opening``, if known, must hold the block and its halo.

    Proved: no cell of the block depends on anything that was not computed.
    """
    check_halo(halo)
    computed = block.grown(halo)
    if rules.radius is not None:  # nothing stands where nothing may be of the class
        if opening is None:
            opening = rules.radius.opening(computed.grown(rules.reach))
        computed = block.around(opening.needed(computed))
    frame = _frame(rules, computed, 0)
    cells = space.cells(frame.width * frame.height, frame.varied)
    _run(rules, frame, cells, opening, space)

    inner = block.xmin - frame.i0, block.ymin - frame.j0, block.xmax - frame.i0, block.ymax - frame.j0
    where = slice(inner[1], inner[3]), slice(inner[0], inner[2])
    x, y = (a[: frame.width * frame.height].reshape(frame.height, frame.width)[where].copy() for a in cells[:2])
    marks = np.zeros((-(-x.shape[0] // _BLOCK), -(-x.shape[1] // _BLOCK)), np.bool_)
    if foggy(frame, cells, inner, _BLOCK, marks):
        for row, column in np.argwhere(marks).tolist():
            corner = block.xmin + column * _BLOCK, block.ymin + row * _BLOCK
            part = Extent(*corner, corner[0] + _BLOCK, corner[1] + _BLOCK).intersection(block)
            rows = slice(part.ymin - block.ymin, part.ymax - block.ymin)
            where = rows, slice(part.xmin - block.xmin, part.xmax - block.xmin)
            x[where], y[where] = compute(rules, part, max(2 * halo, REACH), space)
    return x, y


def _open(
    rules: Rules, frame: Frame, cells: Cells, opening: Opening | None, todo: NDArray[np.int32]
) -> tuple[Fixed, NDArray[np.bool_], int]:
    """Set the cells to their state before the first round; return which are sure to be allowed (or nothing) too."""
    opened = sure = np.empty(0, np.bool_)
    if opening is not None:
        box = Extent(frame.i0, frame.j0, frame.i0 + frame.width, frame.j0 + frame.height)
        opening = opening.over(box)
        opened = opening.wanted.ravel()
        cells.floor[: frame.width * frame.height] = opening.step.ravel()
        if rules.allowed is None:
            sure = opening.sure.ravel()
    count = kernel.open_cells(frame, cells, opened, todo)
    if not rules.fixed:
        return NONE, sure, count
    (x, y), (across, up) = rules.metric.origin, rules.metric.side
    ground = Bounds(
        x + frame.i0 * across,
        y + frame.j0 * up,
        x + (frame.i0 + frame.width) * across,
        y + (frame.j0 + frame.height) * up,
    )
    found = [known.around(ground, rules.widest, rules.turns) for known in rules.fixed]
    discs = np.concatenate([xy for xy, _ in found]), np.concatenate([r for _, r in found])
    return fix(frame, cells, rules.metric, discs, rules.fixed_alone), sure, count


def _run(rules: Rules, frame: Frame, cells: Cells, opening: Opening | None, space: Workspace) -> None:
    """Run all rounds over the cells of a frame."""
    todo = space.take("todo", np.int32, frame.width * frame.height)
    fixed, sure, count = _open(rules, frame, cells, opening, todo)
    mask = None
    if rules.allowed is not None or rules.radius is not None:
        mask = Mask(rules.allowed, rules.radius, rules.metric, frame, cells, sure, space)
    number = 0
    for level, odds, slices in ROUNDS:
        thrown = space.darts("thrown", (count * len(odds)) << (2 * level), frame.varied)
        count, n = kernel.throw(frame, cells, number, level, odds, todo, count, thrown)
        if mask is not None:
            mask.after_throw(cells, number, level, todo[:count], thrown, n)
        slices = max(1, min(slices, n // _DARTS_A_SLICE))
        darts, start = space.darts("darts", n, frame.varied), space.take("slice", np.int32, slices + 1)
        kernel.arrange(frame, thrown, n, slices, start, darts)
        waiting = space.take("waiting", np.int32, n)
        for first, end in itertools.pairwise(start[: slices + 1].tolist()):
            asked = mask is None or mask.asks_at_once(level)
            end = kernel.sift(frame, cells, fixed, darts, first, end, asked)
            if mask is not None and not asked:
                mask.void(darts, np.arange(first, end))
                if frame.varied:  # only now are their radii known
                    end = kernel.sift(frame, cells, fixed, darts, first, end, True)
            kernel.settle(frame, cells, darts, first, end, waiting)
        number += 1

    boxes = space.boxes(MASK_LEVEL % 2, count, count << (2 * MASK_LEVEL))
    count, n = finer_kernel.list_boxes(cells, todo, count, boxes)
    discs = space.discs(len(frame.near) + (int(np.diff(fixed.start).max()) if len(fixed.start) > 1 else 0))
    for level in range(MASK_LEVEL + 1, rules.depth + 1):
        if count == 0:
            break
        finer = space.boxes(level % 2, count, 4 * n)
        darts = space.darts("darts", 4 * n, frame.varied)
        count, n = finer_kernel.refine(frame, cells, fixed, number, level, boxes, count, finer, darts, discs)
        boxes = finer
        if mask is not None:
            # A box whose own dart fell on forbidden ground is given up: else the edge of every
            # mask would be cut into boxes down to the last level. It is asked about even where a
            # point has voided the dart, so that giving up hangs on the place alone.
            inside = np.flatnonzero(darts.state[:n] != OUTSIDE)
            given_up = np.zeros(n, np.bool_)
            given_up[mask.void(darts, inside)] = True
            if frame.varied:
                finer_kernel.judge(frame, cells, fixed, level, darts, n, discs, given_up)
            count = finer_kernel.drop_boxes(boxes, count, given_up)
        kernel.settle(frame, cells, darts, 0, n, space.take("waiting", np.int32, n))
        n = int(boxes.start[count])
        number += 1


def tiles(cells: Extent, side: int) -> Iterator[Extent]:
    """Cut a box of cells along the world's tiles, row by row from the south-west."""
    for row in range(cells.ymin // side, -(-cells.ymax // side)):
        for column in range(cells.xmin // side, -(-cells.xmax // side)):
            tile = Extent(column * side, row * side, (column + 1) * side, (row + 1) * side)
            yield tile.intersection(cells)


def sample(rules: Rules, window: Extent, threads: int | None) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
    """Return coordinates (n, 2) and ids (n,) of the points in a window of places.

    The order is the world's: by tile, then by row and column of the cell.
    """
    seen = rules.domain.intersection(window)
    if seen.empty:
        return np.empty((0, 2)), np.empty(0, np.uint64)
    across, up = rules.metric.cell
    cells = Extent(seen.xmin // across, seen.ymin // up, -(-seen.xmax // across), -(-seen.ymax // up))
    id_key = np.uint64(hashing.key(rules.key, "id"))
    spaces: list[Workspace] = []
    outline = None if rules.radius is None else rules.radius.outline(cells.grown(rules.reach + rules.halo))

    def points(block: Extent, opening: Opening | None) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        try:
            space = spaces.pop()
        except IndexError:
            space = Workspace()
        x, y = compute(rules, block, rules.halo, space, opening)
        spaces.append(space)
        most = int(np.count_nonzero(x != EMPTY))
        places, ids = np.empty((most, 2), np.int64), np.empty(most, np.uint64)
        window, n = (seen.xmin, seen.ymin, seen.xmax, seen.ymax), 0
        for part in tiles(block, rules.tile):
            here = (
                slice(part.ymin - block.ymin, part.ymax - block.ymin),
                slice(part.xmin - block.xmin, part.xmax - block.xmin),
            )
            of_x, of_y = np.ascontiguousarray(x[here]), np.ascontiguousarray(y[here])
            n += collect(part.xmin, part.ymin, across, up, of_x, of_y, window, id_key, places[n:], ids[n:])
        return places[:n], ids[:n]

    def one(tile: Extent) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
        if rules.radius is None or outline is None:
            places, ids = points(tile, None)
        else:
            found = []
            for spot in rules.radius.spots(tile, outline, rules.reach + rules.halo):
                opening = rules.radius.opening(spot.grown(rules.reach + rules.halo), outline)
                part = opening.needed(spot)
                if not part.empty:
                    found.append(points(part, opening))
            if not found:
                return np.empty((0, 2)), np.empty(0, np.uint64)
            places, ids = found[0]
            if len(found) > 1:
                places, ids = (np.concatenate(column) for column in zip(*found, strict=True))
                order = np.lexsort((places[:, 0] // across, places[:, 1] // up))
                places, ids = places[order], ids[order]
        return np.column_stack(rules.metric.xy(*places.T)), ids

    # a small window is one block, wherever the tiles' edges run: each block has its halo, and its fixed cost
    small = rules.radius is None and max(cells.shape) <= rules.tile
    work = [cells] if small else list(tiles(cells, rules.tile))
    workers = min(threads or cores(), len(work))
    if workers == 1:
        parts = [one(tile) for tile in work]
    else:
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(one, work))
    return np.concatenate([xy for xy, _ in parts]), np.concatenate([ids for _, ids in parts])
