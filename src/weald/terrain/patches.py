"""Patches: what lies around places on a square lattice of cells, for operations that look at neighbours.

The plane is cut into cells of one size, anchored at the origin, and cells into square patches of a
fixed number. A place belongs to the patch of its cell, whatever else is asked, and a patch is worked
out together with a halo of cells around it. So what is found for a place never depends on the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald.fields.expression import Places

Cells = NDArray[np.int64]

_MOST_CELLS = 1 << 20
"""Cells worked out at a time, so that memory stays bounded when places lie far apart."""


_FEW_PATCHES = 1 << 12
"""A table of so many patches is quicker than sorting, however few the places."""


class Around(NamedTuple):
    """Some of the places of a request, and the patches they lie in.

    Attributes
    ----------
    which : ndarray of int64, shape (n,)
        The places, counted row after row.
    patch : ndarray of int64, shape (n,)
        The patch of each, from 0.
    cell_x, cell_y : ndarray of int64, shape (n,)
        The cell of each.
    inside_x, inside_y : ndarray of float64, shape (n,)
        The place in its cell, in [0, 1).
    first_x, first_y : ndarray of int64, shape (m,)
        The south-westernmost cell of each patch, halo included.
    size : int
        Cells along each side of a patch, halo included.
    """

    which: Cells
    patch: Cells
    cell_x: Cells
    cell_y: Cells
    inside_x: NDArray[np.float64]
    inside_y: NDArray[np.float64]
    first_x: Cells
    first_y: Cells
    size: int

    def cells(self) -> tuple[Cells, Cells]:
        """Return column and row of every cell of the patches, each of shape (m, size, size)."""
        return cells_of(self.first_x, self.first_y, self.size)


def cells_of(first_x: Cells, first_y: Cells, size: int) -> tuple[Cells, Cells]:
    """Return column and row of every cell of square patches, each of shape (m, size, size)."""
    steps = np.arange(size)
    shape = (len(first_x), size, size)
    x = np.broadcast_to(first_x[:, None, None] + steps, shape)
    y = np.broadcast_to(first_y[:, None, None] + steps[:, None], shape)
    return x, y


def around(places: Places, cell: float, side: int, halo: int) -> Iterator[Around]:
    """Yield the places of a request with the patches that they lie in, some patches at a time.

    Parameters
    ----------
    places
        What is asked for.
    cell
        Side of a cell, in metres.
    side
        Cells along each side of a patch.
    halo
        Cells around a patch that it needs.
    """
    column, inside_x = _located(places.x, cell)
    row, inside_y = _located(places.y, cell)
    if places.is_block:
        # a block of a grid has few columns and rows, and many places
        across, at_x = np.unique(column // side, return_inverse=True)
        up, at_y = np.unique(row // side, return_inverse=True)
        patch = (at_y.reshape(row.shape) * len(across) + at_x.reshape(column.shape)).reshape(-1)
        found_x, found_y = np.tile(across, len(up)), np.repeat(up, len(across))
    else:
        found_x, found_y, patch = _patches(column // side, row // side)
    first_x, first_y = found_x * side - halo, found_y * side - halo
    cell_x, cell_y = _flat(column, places), _flat(row, places)
    flat_x, flat_y = _flat(inside_x, places), _flat(inside_y, places)
    size = side + 2 * halo
    step = max(_MOST_CELLS // size**2, 1)
    count = len(found_x)
    for start in range(0, count, step):
        which = np.arange(len(patch)) if count <= step else np.flatnonzero((patch >= start) & (patch < start + step))
        here = slice(start, start + step)
        yield Around(
            which, patch[which] - start, cell_x[which], cell_y[which], flat_x[which], flat_y[which],
            first_x[here], first_y[here], size,
        )  # fmt: skip


def _patches(column: Cells, row: Cells) -> tuple[Cells, Cells, Cells]:
    """Return the patches that places lie in, column and row of each, and which of them each place lies in."""
    if not column.size:
        return column, row, column
    west, south = int(column.min()), int(row.min())
    wide, high = int(column.max()) - west + 1, int(row.max()) - south + 1
    if wide * high <= max(4 * column.size, _FEW_PATCHES):
        # places close together: a table of all patches in their box is quicker than sorting
        number = (row - south) * wide + (column - west)
        there = np.zeros(wide * high, np.bool_)
        there[number] = True
        found = np.flatnonzero(there)
        return found % wide + west, found // wide + south, (np.cumsum(there) - 1)[number]
    across, at_x = np.unique(column, return_inverse=True)
    up, at_y = np.unique(row, return_inverse=True)
    found, patch = np.unique(at_y * len(across) + at_x, return_inverse=True)
    return across[found % len(across)], up[found // len(across)], patch


def _flat(values: NDArray[Any], places: Places) -> NDArray[Any]:
    return np.broadcast_to(values, places.shape).reshape(-1)


def _located(at: NDArray[np.float64], cell: float) -> tuple[Cells, NDArray[np.float64]]:
    """Return the cell of coordinates and the place in the cell; NaN and the like lie in cell 0."""
    position: NDArray[Any] = at / cell
    position = np.where(np.abs(position) < 2.0**52, position, 0.0)
    corner = np.floor(position)
    return corner.astype(np.int64), position - corner
