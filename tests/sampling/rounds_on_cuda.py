"""The plane's dart process driven as a GPU would drive it: the sampler's own functions, one thread a cell or a dart.

For tests. Each phase of a round is a kernel whose threads may run in any order, without a lock or an atomic operation;
between phases the host adds up how much each cell has written. Only this glue is written here: darts are thrown by
`darts.throw`, voided by `darts.sift`, judged by `darts._verdict`, boxes halved by `boxes.refine`, the functions that
the CPU runs over all cells at once.

    NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.sampling.rounds_on_cuda    in the simulator
    python -m tests.sampling.rounds_on_cuda        on a GPU; needs numba-cuda
    python -m tests.sampling.rounds_on_cuda ptx    compiles for a GPU that need not be there; needs numba-cuda[cu13]
"""

from __future__ import annotations

import json
import re
import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba import cuda, typeof, uint64, void

from weald import hashing
from weald.sampling import boxes as finer
from weald.sampling import darts as kernel
from weald.sampling.boxes import Discs
from weald.sampling.extent import Extent
from weald.sampling.fixed import NONE
from weald.sampling.lattice import PLACES, Lattice
from weald.sampling.plane import ROUNDS, Rules, _frame
from weald.sampling.state import (
    EMPTY,
    MASK_LEVEL,
    NOTHING,
    PENDING,
    STANDS,
    VOID,
    Boxes,
    Cells,
    Darts,
    at,
    dart_x,
    dart_y,
)
from weald.sampling.workspace import Workspace

THREADS = 32


class Case(NamedTuple):
    """A domain to fill, and the order of the threads."""

    radius: float
    seed: int
    domain: Extent
    block: Extent
    depth: int
    shuffle: int | None

    @property
    def rules(self) -> Rules:
        return Rules(Lattice.for_radius(self.radius), hashing.key(self.seed), self.domain, depth=self.depth)


AROUND = Extent(12_345, 54_321, 6 * PLACES, 5 * PLACES + 999), Extent(0, 0, 6, 6)
FAR = Extent((1 << 30) * PLACES + 7, 0, ((1 << 30) + 5) * PLACES, 4 * PLACES), Extent(1 << 30, 0, (1 << 30) + 5, 4)
CASES = (
    Case(1.0, 1, *AROUND, 16, None),
    Case(1.0, 1, *AROUND, 16, 7),
    Case(1.03, 2, *FAR, 16, 8),
)


# -- phases: each thread has an item of its own, chosen by `turn`, so that tests can shuffle them -----------------


def throw(frame, cells, number, level, odds, todo, room, darts, thrown, turn):
    """Throw the darts of one cell into its own part of the list."""
    t = cuda.grid(1)
    if t < len(turn):
        a = turn[t]
        first, end = a * room, (a + 1) * room
        mine = Darts(darts.cell[first:end], darts.bits[first:end], darts.state[first:end], darts.radius)
        thrown[a] = kernel.throw(frame, cells, number, level, odds, todo[a : a + 1], 1, mine)[1]


def refine(frame, cells, fixed, number, level, old, new, darts, discs, most, scratch, thrown, turn):
    """Halve the boxes of one cell into its own part of the list."""
    t = cuda.grid(1)
    if t < len(turn):
        a = turn[t]
        # old.start counts on from old.x; what is written is at four times that
        first, end = 4 * old.start[a], 4 * old.start[a + 1]
        before = Boxes(old.cell[a : a + 1], old.start[a : a + 2], old.x, old.y)
        after = Boxes(scratch[3 * a : 3 * a + 1], scratch[3 * a + 1 : 3 * a + 3], new.x[first:end], new.y[first:end])
        mine = Darts(darts.cell[first:end], darts.bits[first:end], darts.state[first:end], darts.radius)
        low, high = a * most, (a + 1) * most
        near = Discs(discs.x[low:high], discs.y[low:high], discs.limit[low:high])
        thrown[a] = finer.refine(frame, cells, fixed, number, level, before, 1, after, mine, near)[1]


def sift(frame, cells, fixed, darts, turn):
    """Void one dart if a point of an earlier round is too near to it."""
    t = cuda.grid(1)
    if t < len(turn):
        k = turn[t]
        if kernel.sift(frame, cells, fixed, darts, k, k + 1, True) == k:
            darts.state[k] = VOID


def head(cells, darts, n, turn):
    """Note the first pending dart of a cell."""
    t = cuda.grid(1)
    if t < len(turn):
        k = turn[t]
        if k == 0 or darts.cell[k - 1] != darts.cell[k]:
            while k < n and darts.cell[k] == darts.cell[turn[t]] and darts.state[k] != PENDING:
                k += 1
            if k < n and darts.cell[k] == darts.cell[turn[t]]:
                cells.head[darts.cell[k]] = k


def judge(frame, cells, fixed, darts, n, changed, turn):
    """Say of one dart what can be said now; other threads may or may not have had their say yet."""
    t = cuda.grid(1)
    if t < len(turn):
        k = turn[t]
        if darts.state[k] == PENDING:
            verdict = kernel._verdict(frame, cells, darts, n, k)
            darts.state[k] = verdict
            if verdict != PENDING:
                changed[0] = 1


def stand(cells, darts, turn):
    """Let a dart that stands be its cell's point; no other dart of the cell can."""
    t = cuda.grid(1)
    if t < len(turn):
        k = turn[t]
        if darts.state[k] == STANDS:
            c = darts.cell[k]
            cells.x[c] = dart_x(darts.bits[k])
            cells.y[c] = dart_y(darts.bits[k])
            cells.live[c] = uint64(0)


def learn(frame, cells, todo, turn):
    """Let one cell look at its near cells for points: what `settle` writes from the point's side."""
    t = cuda.grid(1)
    if t < len(turn):
        o = todo[turn[t]]
        cells.head[o] = NOTHING
        quantum = PLACES // frame.quanta
        for b in range(len(frame.near)):
            c = at(o, frame.near[b])
            if cells.x[c] != EMPTY:
                square = (cells.y[c] // quantum) * frame.quanta + cells.x[c] // quantum
                cells.live[o] &= ~frame.covers[0, square, b ^ 1]
                cells.near[o] |= uint64(1) << uint64(b)


PHASES = throw, refine, sift, head, judge, stand, learn


# -- the host ------------------------------------------------------------------------------------------------------


class Device:
    """Runs phases, their threads in a shuffled order; arrays stay where the simulator or a driver finds them."""

    def __init__(self, shuffle: int | None) -> None:
        self._kernels = {phase: cuda.jit(phase) for phase in PHASES}
        self._rng = None if shuffle is None else np.random.default_rng(shuffle)

    def run(self, phase: Any, items: int, *arguments: Any) -> None:
        if items:
            turn = np.arange(items, dtype=np.int32)
            if self._rng is not None:
                turn = self._rng.permutation(turn)
            self._kernels[phase][-(-items // THREADS), THREADS](*arguments, turn)


def rounds(rules: Rules, block: Extent, shuffle: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the points of a block that holds the whole domain; without a mask, radius classes or fog."""
    device = Device(shuffle)
    frame = _frame(rules, block, 0)
    size = frame.width * frame.height
    space = Workspace()
    cells = space.cells(size, ())
    cells = Cells(*(part[: max(1, min(size, len(part)))] for part in cells))
    todo = np.empty(size, np.int32)
    count = kernel.open_cells(frame, cells, np.empty(0, np.bool_), todo)
    everyone = todo[:count].copy()
    todo = everyone.copy()

    for number, (level, odds, _) in enumerate(ROUNDS):
        room = len(odds) << (2 * level)
        darts = _darts(len(todo) * room)
        thrown = np.zeros(len(todo), np.int32)
        device.run(throw, len(todo), frame, cells, number, level, odds, todo, room, darts, thrown)
        _settle(device, frame, cells, _together(darts, room * np.arange(len(todo)), thrown), everyone)
        todo = todo[cells.live[todo] != 0]

    old = Boxes(np.empty(count, np.int32), np.empty(count + 1, np.int32), *_places(count << (2 * MASK_LEVEL)))
    count, n = finer.list_boxes(cells, todo, len(todo), old)
    most = len(frame.near)
    for level in range(MASK_LEVEL + 1, rules.depth + 1):
        if count == 0:
            break
        number, starts = level, 4 * old.start[:count].astype(np.int64)
        new, darts, thrown = _places(4 * n), _darts(4 * n), np.zeros(count, np.int32)
        discs = Discs(*(np.empty(count * most, np.int64) for _ in range(3)))
        scratch = np.zeros(3 * count, np.int32)
        finer_boxes = Boxes(scratch, scratch, *new)
        arguments = frame, cells, NONE, number, level, old, finer_boxes, darts, discs, most, scratch, thrown
        device.run(refine, count, *arguments)
        which = _kept(starts, thrown)
        _settle(device, frame, cells, Darts(*(part[which] for part in darts[:3]), darts.radius), everyone)
        some = thrown > 0
        start = np.concatenate([[0], np.cumsum(thrown[some])]).astype(np.int32)
        old = Boxes(old.cell[:count][some], start, new[0][which], new[1][which])
        count, n = int(some.sum()), len(which)
    rim = frame.reach
    inner = slice(rim, frame.height - rim), slice(rim, frame.width - rim)
    x, y = (part.reshape(frame.height, frame.width)[inner] for part in (cells.x, cells.y))
    return x, y


def _settle(device: Device, frame: Any, cells: Cells, darts: Darts, everyone: np.ndarray) -> None:
    n = len(darts.cell)
    device.run(sift, n, frame, cells, NONE, darts)
    device.run(head, n, cells, darts, n)
    changed = np.ones(1, np.int32)
    while n and changed[0]:
        changed[0] = 0
        device.run(judge, n, frame, cells, NONE, darts, n, changed)
    assert not (darts.state == PENDING).any(), "without fog, every dart can be decided"
    device.run(stand, n, cells, darts)
    device.run(learn, len(everyone), frame, cells, everyone)


def _darts(n: int) -> Darts:
    return Darts(np.empty(n, np.int32), np.empty(n, np.uint64), np.empty(n, np.uint8), np.zeros(1, np.int32))


def _places(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty(n, np.uint16), np.empty(n, np.uint16)


def _kept(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return where the parts of a list are that cells have written: a prefix sum, on a GPU."""
    parts = [np.arange(first, first + n) for first, n in zip(starts.tolist(), counts.tolist(), strict=True)]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _together(darts: Darts, starts: np.ndarray, counts: np.ndarray) -> Darts:
    which = _kept(starts, counts)
    return Darts(*(part[which] for part in darts[:3]), darts.radius)


# -- by hand, or from a test ---------------------------------------------------------------------------------------


def on_device() -> list[list[Any]]:
    """Return the places of all cases, x and y, row by row."""
    return [[part.tolist() for part in rounds(case.rules, case.block, case.shuffle)] for case in CASES]


def to_ptx(capability: tuple[int, int] = (9, 0)) -> dict[str, dict[str, Any]]:
    """Compile all phases for a GPU; return how many instructions each has, and those that work on floats."""
    import numba.cuda.dispatcher

    # functions of the CPU are compiled anew, as part of the kernels, for the device at hand: here for one that is not
    numba.cuda.dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    case = CASES[0]
    frame = _frame(case.rules, case.block, 0)
    cells, darts, numbers = Workspace().cells(1, ()), _darts(1), np.zeros(1, np.int32)
    boxes = Boxes(numbers, numbers, *_places(1))
    discs = Discs(*(np.zeros(1, np.int64) for _ in range(3)))
    arguments = {
        throw: (frame, cells, 0, 0, ROUNDS[0].odds, numbers, 1, darts, numbers),
        refine: (frame, cells, NONE, 4, 4, boxes, boxes, darts, discs, 24, numbers, numbers),
        sift: (frame, cells, NONE, darts),
        head: (cells, darts, 1),
        judge: (frame, cells, NONE, darts, 1, numbers),
        stand: (cells, darts),
        learn: (frame, cells, numbers),
    }
    found = {}
    for phase in PHASES:
        signature = void(*(typeof(value) for value in (*arguments[phase], numbers)))
        ptx, _ = cuda.compile(phase, signature, device=False, cc=capability, abi="numba", output="ptx")
        operations = re.findall(r"^\s+(?:@%?\w+ )?([a-z][\w.]*)\s", ptx, re.MULTILINE)
        floats = sorted({name for name in operations if re.search(r"\.b?f(16|32|64)", name)})
        found[phase.__name__] = {"instructions": len(operations), "floats": floats}
    return found


if __name__ == "__main__":
    if hasattr(hashing.mix, "disable_compile"):
        hashing.mix.disable_compile(False)  # it has one signature, declared; a GPU needs code of its own
    print(json.dumps(to_ptx() if sys.argv[1:] == ["ptx"] else on_device()))  # noqa: T201
