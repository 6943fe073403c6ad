"""Caves of cells: what asks a condition at the middles of cells, and changes them patch by patch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields import Condition, ConditionLike
from weald.fields.evaluate import at_points
from weald.fields.expression import Expression, Places
from weald.numbers import number_in
from weald.terrain.patches import Around, around

Change: TypeAlias = Callable[[NDArray[np.uint8], Around], None]
"""Changes the cells of patches in place, shape (m, size, size), 1 where they are open."""


def checked_cell(cell: float) -> float:
    """Return the side of a cell, or say what is wrong with it."""
    return number_in("cell", cell, "metres above 0", above=0.0)


def checked_cave(cave: ConditionLike) -> Expression:
    """Return a condition of the plane as an expression, or say what is wrong with it."""
    condition = Condition.of(cave)
    if condition.dimensions > 2:
        raise InputError(f"cave: `{condition!r}` is a function of more than (x, y); give a condition of the plane")
    return condition.expression


def changed(places: Places, cave: Expression, cell: float, side: int, halo: int, change: Change) -> NDArray[np.bool_]:
    """Return which places are open in a cave whose cells are changed by patches of ``side`` cells and a halo."""
    out = np.empty(math.prod(places.shape), np.bool_)
    for part in around(places, cell, side, halo):
        x, y = part.cells()
        cells = at_points(cave, np.bool_, (x + 0.5) * cell, (y + 0.5) * cell).astype(np.uint8)
        change(cells, part)
        columns, rows = part.cell_x - part.first_x[part.patch], part.cell_y - part.first_y[part.patch]
        out[part.which] = cells[part.patch, rows, columns] == 1
    return out.reshape(places.shape)
