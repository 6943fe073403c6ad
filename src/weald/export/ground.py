"""The ground as triangles: what a mesh needs, from heights on a grid.

Each cell of the grid is split along the diagonal from its south-west to its north-east sample; between samples the
ground is that triangle. Cells that touch a void are left out, and so are samples that no cell uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.geometry import Grid
from weald.numbers import reals

_Scalar = TypeVar("_Scalar", bound=np.generic)
_Corners: TypeAlias = tuple[NDArray[_Scalar], NDArray[_Scalar], NDArray[_Scalar], NDArray[_Scalar]]


@dataclass(frozen=True, slots=True)
class Ground:
    """Heights on a grid, seen as a mesh; its vertices are the samples in use, from the south-west on, by rows.

    Attributes
    ----------
    grid : Grid
        Where the samples are.
    heights : ndarray of float64, shape (ny, nx)
        In metres; NaN where void.
    cells : ndarray of bool, shape (ny - 1, nx - 1)
        Which cells have four known corners.
    used : ndarray of bool, shape (ny, nx)
        Which samples are a corner of such a cell.
    """

    grid: Grid
    heights: NDArray[np.float64]
    cells: NDArray[np.bool_]
    used: NDArray[np.bool_]
    rimmed: NDArray[np.float64] | None = None
    """Heights with one more sample on each side, NaN where there is none: shape (ny + 2, nx + 2)."""

    @classmethod
    def of(cls, grid: Grid, heights: NDArray[np.floating], rimmed: NDArray[np.floating] | None = None) -> Ground:
        """Look at heights as a mesh; ``rimmed`` are the same with one more sample on each side.

        Raises
        ------
        InputError
            If the shape is not that of the grid, a height is infinite, or ``rimmed`` does not hold the heights.
        """
        values = np.asarray(heights, np.float64)
        if values.shape != grid.shape:
            raise InputError(f"heights: shape is {values.shape}; the grid has {grid.shape}, that is (ny, nx)")
        if np.isinf(values).any():
            raise InputError("heights: some are infinite; give finite heights, and NaN where there is no ground")
        known = ~np.isnan(values)
        cells = known[:-1, :-1] & known[:-1, 1:] & known[1:, :-1] & known[1:, 1:]
        used = np.zeros(grid.shape, bool)
        for corner in _corners(used):
            corner |= cells
        rim = None if rimmed is None else reals("rimmed", rimmed)
        if rim is not None:
            ny, nx = grid.shape
            if rim.shape != (ny + 2, nx + 2) or not np.array_equal(rim[1:-1, 1:-1], values, equal_nan=True):
                raise InputError(
                    f"rimmed: got shape {rim.shape}; give the heights with one more sample on each side, "
                    f"shape {(ny + 2, nx + 2)}, NaN where there is none"
                )
        return cls(grid, values, cells, used, rim)

    @property
    def vertex_count(self) -> int:
        """How many samples are in use."""
        return int(np.count_nonzero(self.used))

    @property
    def triangle_count(self) -> int:
        """How many triangles there are."""
        return 2 * int(np.count_nonzero(self.cells))

    def positions(self, origin: tuple[float, float, float]) -> NDArray[np.float32]:
        """Return the vertices relative to ``origin``, in weald's axes: shape (n, 3)."""
        xyz = np.empty((*self.grid.shape, 3), np.float32)
        # the difference of float64: what is left is small enough for float32
        xyz[..., 0] = (self.grid.x - origin[0])[None, :]
        xyz[..., 1] = (self.grid.y - origin[1])[:, None]
        xyz[..., 2] = self.heights - origin[2]
        return self.at_vertices(xyz)

    def normals(self) -> NDArray[np.float32]:
        """Return smooth unit normals, in weald's axes: shape (n, 3).

        Each is the mean of its triangles, by area; with a rim, of those beyond the edge, too.
        """
        if self.rimmed is not None:
            ny, nx = self.rimmed.shape
            grid = Grid(0.0, 0.0, self.grid.spacing, nx, ny)
            total = _normals(Ground.of(grid, self.rimmed))[1:-1, 1:-1]
        else:
            total = _normals(self)
        flat = self.at_vertices(np.ascontiguousarray(total))
        x, y, z = flat.T
        flat /= np.sqrt(x * x + y * y + z * z)[:, None]
        return flat

    def triangles(self) -> NDArray[np.uint32]:
        """Return the corners of triangles, counter-clockwise seen from above: shape (m, 3)."""
        if self.used.all():
            number = np.arange(self.used.size, dtype=np.uint32).reshape(self.used.shape)
        else:
            number = (np.cumsum(self.used, dtype=np.uint32) - np.uint32(1)).reshape(self.used.shape)
        sw, se, nw, ne = (corner[self.cells] for corner in _corners(number))
        corners = np.empty((len(sw), 6), np.uint32)
        for column, corner in enumerate((sw, se, ne, sw, ne, nw)):
            corners[:, column] = corner
        return corners.reshape(-1, 3)

    def at_vertices(self, values: NDArray[_Scalar]) -> NDArray[_Scalar]:
        """Return an array on the grid, shape (ny, nx, k), at the vertices: shape (n, k)."""
        if self.used.all():
            return values.reshape(self.used.size, -1)
        return values[self.used]


def _normals(ground: Ground) -> NDArray[np.float32]:
    """Return the sum of the normals of the triangles that meet at each sample, by area: shape (ny, nx, 3)."""
    north_east, south_east, north_west = (
        np.where(ground.cells, ground.heights[corner] - ground.heights[:-1, :-1], 0.0)
        for corner in ((np.s_[1:], np.s_[1:]), (np.s_[:-1], np.s_[1:]), (np.s_[1:], np.s_[:-1]))
    )
    # cross products of edges, divided by the spacing: (dx, dy, spacing) below and above the diagonal
    below = -south_east, south_east - north_east
    above = north_west - north_east, -north_west
    total = np.zeros((*ground.grid.shape, 3), np.float32)
    for axis in (0, 1):
        sw, se, nw, ne = _corners(total[..., axis])
        for corner in (sw, se, ne):
            corner += below[axis]
        for corner in (sw, ne, nw):
            corner += above[axis]
    sw, se, nw, ne = _corners(total[..., 2])
    up = np.where(ground.cells, np.float32(ground.grid.spacing), np.float32(0))
    for corner, count in ((sw, 2), (ne, 2), (se, 1), (nw, 1)):
        corner += count * up
    return total


def _corners(values: NDArray[_Scalar]) -> _Corners[_Scalar]:
    """Return views of an array on the grid, one a corner of cells: south-west, south-east, north-west, north-east."""
    return values[:-1, :-1], values[:-1, 1:], values[1:, :-1], values[1:, 1:]
