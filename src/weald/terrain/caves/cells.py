"""Caves of cells: what asks a condition at the middles of cells, and changes them patch by patch."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields import Condition, ConditionLike
from weald.fields.evaluate import at_points
from weald.fields.expression import Expression, Places
from weald.numbers import number_in
from weald.terrain.patches import Around, around, cells_of
from weald.terrain.tile_cache import TileCache

Cells: TypeAlias = NDArray[np.uint8]
Change: TypeAlias = Callable[[Cells, NDArray[np.int64], NDArray[np.int64]], None]
"""Changes the cells of patches in place, shape (m, size, size), 1 where they are open. It is told the column and the
row of the south-westernmost cell of each, of shape (m,)."""

_MOST_NESTED = 8
_MOST_BYTES = 16 << 20
"""Of the cache of one cave: as many cells, some hundred chunks."""


def _cell_cache() -> TileCache[Cells]:
    """Return a cache for the patches of one cave."""
    return TileCache(_MOST_BYTES, _size)


def _size(cells: Cells) -> int:
    return cells.nbytes + 200  # what an array and its key take besides


def checked_cell(cell: float) -> float:
    """Return the side of a cell, or say what is wrong with it."""
    return number_in("cell", cell, "metres above 0", above=0.0)


def checked_cave(cave: ConditionLike) -> Expression:
    """Return a condition of the plane as an expression, or say what is wrong with it."""
    condition = Condition.of(cave)
    if condition.dimensions > 2:
        raise InputError(f"cave: `{condition!r}` is a function of more than (x, y); give a condition of the plane")
    expression = condition.expression
    if nested(expression) >= _MOST_NESTED:
        raise InputError(
            f"cave: it would be the {_MOST_NESTED + 1}th cave made of another; give fewer, at most {_MOST_NESTED}"
        )
    return expression


def nested(cave: Expression) -> int:
    """Return how many caves of cells are made of one another in an expression."""
    most, seen, waiting = 0, {id(cave)}, [cave]
    while waiting:
        part = waiting.pop()
        most = max(most, getattr(part, "nests", 0))
        fresh = [each for each in part.parts if id(each) not in seen]
        seen.update(map(id, fresh))
        waiting += fresh
    return most


@dataclass(frozen=True, slots=True, eq=False)
class CaveOfCells(Expression):
    """A cave that is made of another one, cell by cell."""

    cave: Expression
    cell: float
    cache: TileCache[Cells] = field(default_factory=_cell_cache, kw_only=True, repr=False)
    nests: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nests", nested(self.cave) + 1)


def changed(
    places: Places, cave: Expression, cell: float, side: int, halo: int, change: Change, cache: TileCache[Cells]
) -> NDArray[np.bool_]:
    """Return which places are open in a cave whose cells are changed by patches of ``side`` cells and a halo.

    Patches that are in the cache are not computed again.
    """
    out = np.empty(math.prod(places.shape), np.bool_)
    for part in around(places, cell, side, halo):
        cells = _patches(part, cave, cell, side, halo, change, cache)
        columns = part.cell_x - part.first_x[part.patch] - halo
        rows = part.cell_y - part.first_y[part.patch] - halo
        out[part.which] = cells[part.patch, rows, columns] == 1
    return out.reshape(places.shape)


def _patches(
    part: Around, cave: Expression, cell: float, side: int, halo: int, change: Change, cache: TileCache[Cells]
) -> Cells:
    """Return the cells of patches without their halos, shape (m, side, side)."""
    keys = list(zip(part.first_x.tolist(), part.first_y.tolist(), strict=True))
    cells = np.empty((len(keys), side, side), np.uint8)
    missing = []
    for number, place in enumerate(keys):
        patch = cache.get(place)
        if patch is None:
            missing.append(number)
        else:
            cells[number] = patch
    if missing:
        first_x, first_y = part.first_x[missing], part.first_y[missing]
        x, y = cells_of(first_x, first_y, part.size)
        wide = at_points(cave, np.bool_, (x + 0.5) * cell, (y + 0.5) * cell).astype(np.uint8)
        change(wide, first_x, first_y)
        for number, patch in zip(missing, wide[:, halo : halo + side, halo : halo + side], strict=True):
            cells[number] = patch
            cache.put(keys[number], patch.copy())
    return cells
