"""Cellular smoothing: caves by an automaton on the cells of a world-wide lattice.

After every step a cell is rock or open by how many of its eight neighbours are rock, all at once. So a
cell after n steps depends on the cells at most n away: that is the halo, and no window can show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.fields import Condition, ConditionLike
from weald.fields.expression import Expression, Places, Values, price
from weald.hashing import Seed, key
from weald.noise.lattice import step as hashed
from weald.numbers import number_in, whole_in
from weald.terrain.caves.cells import CaveOfCells, Cells, changed, checked_cave, checked_cell

_MOST_STEPS = 64
_PATCH = 32


def speckle(seed: Seed, *, rock: float = 0.48, cell: float = 1.0) -> Condition:
    """Return cells open at random: what an automaton starts from.

    Parameters
    ----------
    seed
        Any integer or string.
    rock
        Share of the cells that are rock, in [0, 1].
    cell
        Side of a cell, in metres.
    """
    share = number_in("rock", rock, "a share from 0 to 1", least=0.0, most=1.0)
    key(seed)  # refuses what is no seed
    return Condition(_Speckle(seed, share, checked_cell(cell)))


def smoothed(cave: ConditionLike, *, cell: float = 1.0, steps: int = 4, survival: int = 4, birth: int = 5) -> Condition:
    """Return a cave smoothed by a cellular automaton: walls round off, specks vanish.

    The plane is cut into cells of one size, from the origin; a cell starts as its middle is. Then, for a
    number of steps, rock stays rock if at least ``survival`` of its eight neighbours are rock, and an open
    cell becomes rock if at least ``birth`` are. 4 and 5 are the usual rule; Johnson, Yannakakis and
    Togelius, "Cellular automata for real-time generation of infinite cave levels" (2010).

    Parameters
    ----------
    cave
        Open where it holds: `speckle`, `pockets`, or any condition of (x, y).
    cell
        Side of a cell, in metres.
    steps
        0 to 64; also the halo, in cells.
    survival, birth
        0 to 9.

    Returns
    -------
    Condition
        Constant in each cell ``[i * cell, (i + 1) * cell)``; sample it at the middles.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> cave = smoothed(speckle("deep"), steps=5)
    >>> middles = Grid(xmin=0.5, ymin=0.5, spacing=1, nx=64, ny=64)
    >>> cave.sample(middles).shape
    (64, 64)
    """
    condition = checked_cave(cave)
    for name, value, most in (("steps", steps, _MOST_STEPS), ("survival", survival, 9), ("birth", birth, 9)):
        whole_in(name, value, f"a whole number from 0 to {most}", least=0, most=most)
    return Condition(_Smoothed(condition, checked_cell(cell), int(steps), int(survival), int(birth)))


@dataclass(frozen=True, slots=True, eq=False)
class _Speckle(Expression):
    seed: Seed
    rock: float
    cell: float

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 20.0

    def at(self, places: Places) -> Values:
        x, y = places.points()
        out = np.empty(x.size, np.bool_)
        _speckle(np.uint64(key(self.seed, "speckle")), np.floor(x / self.cell), np.floor(y / self.cell), self.rock, out)
        return out.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        return f"speckle({self.seed!r}, rock={self.rock:g}, cell={self.cell:g})"


@dataclass(frozen=True, slots=True, eq=False)
class _Smoothed(CaveOfCells):
    steps: int
    survival: int
    birth: int

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes, where most cells are asked about."""
        return 50.0 + (1.0 + 2.0 * self.steps / _PATCH) ** 2 * (20.0 * self.steps + price(self.cave).nanoseconds)

    def at(self, places: Places) -> Values:
        def change(cells: Cells, first_x: NDArray[np.int64], first_y: NDArray[np.int64]) -> None:
            _run(cells, self.steps, self.survival, self.birth)

        return changed(places, self.cave, self.cell, _PATCH, self.steps, change, self.cache)

    def text(self, depth: int = 0) -> str:
        rule = (self.survival, self.birth)
        extras = "" if rule == (4, 5) else f", survival={rule[0]}, birth={rule[1]}"
        return f"smoothed({self.cave.text(depth + 1)}, cell={self.cell:g}, steps={self.steps}{extras})"


@njit(nogil=True, cache=True)
def _speckle(
    key: np.uint64, x: NDArray[np.float64], y: NDArray[np.float64], rock: float, out: NDArray[np.bool_]
) -> None:  # pragma: no cover - compiled
    for k in range(out.size):
        near = abs(x[k]) < 2.0**62 and abs(y[k]) < 2.0**62  # also keeps NaN from a conversion without a result
        i, j = (np.int64(x[k]), np.int64(y[k])) if near else (np.int64(0), np.int64(0))
        bits = hashed(hashed(key, j), i)
        out[k] = float(bits >> np.uint64(11)) * 2.0**-53 >= rock


@njit(nogil=True, cache=True)
def _run(cells: NDArray[np.uint8], steps: int, survival: int, birth: int) -> None:  # pragma: no cover - compiled
    """Run the automaton in place on patches, shape (m, size, size); each step spoils one more ring at the edge."""
    size = cells.shape[1]
    before = np.empty((size, size), np.uint8)
    for patch in range(cells.shape[0]):
        for step in range(steps):
            for j in range(size):  # a slice would do, but its check of shapes takes seconds to compile
                for i in range(size):
                    before[j, i] = cells[patch, j, i]
            for j in range(step + 1, size - step - 1):
                for i in range(step + 1, size - step - 1):
                    rock = 8 + before[j, i]
                    for dj in range(-1, 2):
                        for di in range(-1, 2):
                            rock -= before[j + dj, i + di]
                    cells[patch, j, i] = rock < (birth if before[j, i] == 1 else survival)
