"""Caves that hang together in a world without an end: joined tile by tile, with doors between.

The plane is cut into square tiles. In the middle part of every side of a tile, at a hashed place, there
is a door: the cell on either side of it is open. Then every tile is joined within itself, by digging inside
of it alone. A tile is one region, with its doors; through them so is the world. And what a tile
becomes depends on the cave in it and on its own place, so any window is the crop of any other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.fields import Condition, ConditionLike
from weald.fields.expression import Places, Values, price
from weald.hashing import Seed, key
from weald.noise.lattice import step as hashed
from weald.numbers import whole_in
from weald.terrain.caves.cells import CaveOfCells, Cells, changed, checked_cave, checked_cell
from weald.terrain.caves.joining import dig, fill


def connected(
    cave: ConditionLike, *, cell: float = 1.0, tile: int = 64, bore: int = 0, fill_below: int = 0, seed: Seed = 0
) -> Condition:
    """Return a cave that is one region everywhere: each tile joined within itself, with a door to its neighbours.

    Parameters
    ----------
    cave
        Open where it holds; a condition of (x, y). A cell is open if its middle is.
    cell
        Side of a cell, in metres.
    tile
        Cells along each side of a tile, 8 to 1024.
    bore
        Cells by which tunnels are widened on all sides.
    fill_below
        Parts of a tile of fewer cells are filled instead of being joined.
    seed
        Of the places of the doors.

    Returns
    -------
    Condition
        Constant in each cell ``[i * cell, (i + 1) * cell)``; sample it at the middles. In every tile, and
        in every rectangle of tiles, the open cells hang together by their sides.

    Notes
    -----
    It digs more than `join` does: caves that cross the side of a tile are joined on both sides of it, and
    solid tiles get passages between their doors.
    """
    condition = checked_cave(cave)
    for name, value, least, most in (
        ("tile", tile, 8, 1024),
        ("bore", bore, 0, 64),
        ("fill_below", fill_below, 0, 2**20),
    ):
        whole_in(name, value, f"a whole number of cells from {least} to {most}", least=least, most=most)
    key(seed)  # refuses what is no seed
    return Condition(_Connected(condition, checked_cell(cell), int(tile), int(bore), int(fill_below), seed))


@dataclass(frozen=True, slots=True, eq=False)
class _Connected(CaveOfCells):
    tile: int
    bore: int
    fewest: int
    seed: Seed

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes, where most cells are asked about."""
        return 150.0 + price(self.cave).nanoseconds

    def at(self, places: Places) -> Values:
        doors = np.uint64(key(self.seed, "cave doors"))

        def change(cells: Cells, first_x: NDArray[np.int64], first_y: NDArray[np.int64]) -> None:
            _connect(cells, first_x // self.tile, first_y // self.tile, doors, self.bore, self.fewest)

        return changed(places, self.cave, self.cell, self.tile, 0, change, self.cache)

    def text(self, depth: int = 0) -> str:
        extras = f", bore={self.bore}" * (self.bore > 0) + f", fill_below={self.fewest}" * (self.fewest > 0)
        extras += f", seed={self.seed!r}" * (self.seed != 0)
        return f"connected({self.cave.text(depth + 1)}, cell={self.cell:g}, tile={self.tile}{extras})"


@njit(nogil=True, cache=True)
def _connect(
    cells: NDArray[np.uint8],
    tile_x: NDArray[np.int64],
    tile_y: NDArray[np.int64],
    key: np.uint64,
    bore: int,
    fewest: int,
) -> None:  # pragma: no cover - compiled
    """Open the doors of tiles, shape (m, size, size), and join each within itself."""
    size = cells.shape[1]
    for k in range(cells.shape[0]):
        fill(cells[k : k + 1], fewest)
        x, y = tile_x[k], tile_y[k]
        # a door belongs to the side it is in, so the tiles on both sides find it at the same place
        cells[k, _door(key, x, y, 0, size), 0] = 1
        cells[k, _door(key, x + 1, y, 0, size), size - 1] = 1
        cells[k, 0, _door(key, x, y, 1, size)] = 1
        cells[k, size - 1, _door(key, x, y + 1, 1, size)] = 1
        dig(cells[k : k + 1], bore)


@njit(nogil=True, cache=True)
def _door(key: np.uint64, x: int, y: int, side: int, size: int) -> int:  # pragma: no cover - compiled
    """Return where the door in the western (0) or southern (1) side of a tile is: in its middle half."""
    bits = hashed(hashed(key, np.int64(2 * y + side)), np.int64(x))
    return size // 4 + int(bits % np.uint64(size - 2 * (size // 4)))
