"""The ground: heights on a grid, and the surface between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from os import PathLike
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike, Grid
from weald.terrain import cubic, surface

Array = NDArray[np.float64]

RowOrder: TypeAlias = Literal["north-first", "south-first"]
"""Which row of a file comes first; grids have the southernmost first."""


MOST_SAMPLES = 200_000_000
"""No larger ground is made by resampling: 1.6 GB of heights."""


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """Ground given by its heights on a grid.

    Each cell of the grid is two triangles, split along the diagonal from its south-west to its
    north-east sample. Queries take any two arrays that broadcast and give float64, NaN off the
    ground and on every cell that touches a void. The outermost samples belong to the ground.

    Parameters
    ----------
    grid
        Where the samples are; at least 2 by 2.
    heights : array_like, shape (ny, nx)
        Metres, row 0 the southernmost. NaN, or the mask of a masked array, marks a void. A copy is
        kept, float64 and read-only.

    Raises
    ------
    InputError
        If the shape is not the grid's, a height is infinite, or every sample is void.

    Examples
    --------
    >>> ground = Terrain(Grid(xmin=0, ymin=0, spacing=10, nx=2, ny=2), [[0, 10], [0, 10]])
    >>> float(ground.height(2.5, 5)), float(ground.slope_deg(2.5, 5)), float(ground.aspect_deg(2.5, 5))
    (2.5, 45.0, 270.0)
    """

    grid: Grid
    heights: Array

    def __post_init__(self) -> None:
        grid = self.grid
        if min(grid.shape) < 2:
            raise InputError(f"grid: {grid.nx} x {grid.ny} samples span no surface; give at least 2 x 2")
        heights = _as_heights(self.heights)
        if heights.shape != grid.shape:
            turned = "; the array looks transposed" if heights.shape == grid.shape[::-1] else ""
            raise InputError(
                f"heights: shape is {heights.shape}; the grid needs (ny, nx) = {grid.shape}, "
                f"rows south to north{turned}"
            )
        infinite = int(np.isinf(heights).sum())
        if infinite:
            j, i = np.argwhere(np.isinf(heights))[0].tolist()
            raise InputError(
                f"heights: {infinite} of {heights.size} samples are infinite, the first in row {j}, column {i}; "
                "give finite metres, or NaN for a void"
            )
        if np.isnan(heights).all():
            raise InputError(f"heights: no ground: all {heights.size} samples are void; check the void value")
        heights.flags.writeable = False
        object.__setattr__(self, "heights", heights)

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        spacing: float,
        origin: tuple[float, float] = (0.0, 0.0),
        low: float | None = None,
        high: float | None = None,
        rows: RowOrder | None = None,
        void: float | None = None,
        key: str | None = None,
        max_samples: int = 200_000_000,
    ) -> Terrain:
        """Read ground from a PNG, NPY or NPZ file; see `weald.terrain.sources.open_terrain`."""
        from weald.terrain.sources import open_terrain

        return open_terrain(
            path,
            spacing=spacing,
            origin=origin,
            low=low,
            high=high,
            rows=rows,
            void=void,
            key=key,
            max_samples=max_samples,
        )

    def height(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the height of the ground in metres, on the triangles of the exported mesh.

        Parameters
        ----------
        x, y : array_like, shape (...)
            Places, in metres; any two arrays that broadcast.

        Returns
        -------
        ndarray of float64, shape (...)
            NaN off the ground and on a cell that touches a void.
        """
        u, v, shape = self._positions(x, y)
        out = np.empty_like(u)
        surface.heights_at(self.heights, u, v, self._slack, out)
        return _shaped(out, shape)

    def normal(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the upward unit normal of the smooth ground, shape ``(..., 3)``.

        Smooth means: from central differences at the samples (one-sided beside the edge and
        voids), interpolated bilinearly. It is not the normal of the triangle underfoot, so rules
        and tilted instances change gradually across a facet's edge.
        """
        east, north = self._gradient(x, y)
        length = np.sqrt(1.0 + east * east + north * north)
        return np.stack([-east / length, -north / length, 1.0 / length], axis=-1)

    def slope_deg(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the steepness of the smooth ground in degrees, 0 to below 90; see `normal`."""
        east, north = self._gradient(x, y)
        return _shaped(np.degrees(np.arctan(np.hypot(east, north))), east.shape)

    def aspect_deg(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return where the slope faces, downhill: degrees clockwise from north, in ``[0, 360)``.

        NaN on level ground, which faces nowhere. See `normal` for what is smoothed.
        """
        east, north = self._gradient(x, y)
        aspect = np.degrees(np.arctan2(-east, -north)) % 360.0
        # a direction a hair west of north rounds up to the full turn
        aspect = np.where((east == 0.0) & (north == 0.0), np.nan, np.where(aspect == 360.0, 0.0, aspect))
        return _shaped(aspect, east.shape)

    def resample(self, spacing: float) -> Terrain:
        """Return the same ground on a grid of another spacing, by Catmull-Rom cubics.

        The new grid starts at the same corner and stays inside the old one, so up to one new
        spacing is lost in the east and the north. Voids never leak: where one lies among the four
        by four samples around a place the nearest four are interpolated bilinearly, and where one
        lies among those the result is void. Made for finer grids: a much coarser one picks heights
        and does not average them.
        """
        if not (math.isfinite(spacing) and spacing > 0):
            raise InputError(f"spacing: got {spacing}; give a finite number of metres above 0")
        ny, nx = self.grid.shape
        step = spacing / self.grid.spacing
        # a whole number of steps must survive rounding
        columns, rows = (math.floor((n - 1) / step + 1e-9) + 1 for n in (nx, ny))
        if min(columns, rows) < 2:
            width, depth = self.grid.bounds.size
            raise InputError(f"spacing: {spacing} m is more than the ground has, {width} x {depth} m; give less")
        if columns * rows > MOST_SAMPLES:
            raise InputError(
                f"spacing: {spacing} m gives {columns} x {rows} samples, more than {MOST_SAMPLES:,}; "
                "give more, or crop the ground first"
            )
        u = np.minimum(np.arange(columns) * step, nx - 1)
        v = np.minimum(np.arange(rows) * step, ny - 1)
        heights = np.empty((rows, columns))
        cubic.resample(self.heights, u, v, heights)
        return Terrain(Grid(self.grid.xmin, self.grid.ymin, spacing, columns, rows), heights)

    def crop(self, bounds: BoundsLike) -> Terrain:
        """Return the part of the ground that covers a box: its samples, and no others, unchanged.

        Where the box does not lie on samples the next ones outside are kept, as far as the ground
        goes, so every place of the box that had a height still has it.
        """
        box = Bounds.of(bounds)
        ground = self.grid.bounds
        if ground.intersection(box) is None:
            raise InputError(
                f"bounds: {_corners(box)} does not meet the ground, which spans {_corners(ground)}; "
                "give a box that does"
            )
        i0, i1 = self._span(box.xmin - ground.xmin, box.xmax - ground.xmin, self.grid.nx)
        j0, j1 = self._span(box.ymin - ground.ymin, box.ymax - ground.ymin, self.grid.ny)
        step = self.grid.spacing
        grid = Grid(ground.xmin + i0 * step, ground.ymin + j0 * step, step, i1 - i0 + 1, j1 - j0 + 1)
        return Terrain(grid, self.heights[j0 : j1 + 1, i0 : i1 + 1])

    def _span(self, low: float, high: float, count: int) -> tuple[int, int]:
        """Return the first and last sample needed to cover a stretch; always two samples at least."""
        first = math.floor(low / self.grid.spacing + self._slack)
        last = math.ceil(high / self.grid.spacing - self._slack)
        first = min(max(first, 0), count - 2)
        return first, max(min(last, count - 1), first + 1)

    @property
    def _slack(self) -> float:
        """How far rounding may carry an outermost sample off the ground, in samples."""
        box = self.grid.bounds
        far = max(abs(box.xmin), abs(box.ymin), abs(box.xmax), abs(box.ymax))
        return 2.0 * float(np.spacing(far)) / self.grid.spacing

    def _positions(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array, tuple[int, ...]]:
        """Return places as flat positions in samples, and the shape they broadcast to."""
        east, north = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
        u = (east - self.grid.xmin) / self.grid.spacing
        v = (north - self.grid.ymin) / self.grid.spacing
        return np.ravel(u), np.ravel(v), east.shape

    def _gradient(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """Return the rise per metre towards east and towards north."""
        u, v, shape = self._positions(x, y)
        east, north = np.empty_like(u), np.empty_like(v)
        surface.gradients_at(self.heights, u, v, self._slack, self.grid.spacing, east, north)
        return east.reshape(shape), north.reshape(shape)


def _as_heights(values: ArrayLike) -> Array:
    """Return a float64 copy in C order, masked samples as NaN."""
    if np.ma.isMaskedArray(values):
        values = np.ma.asarray(values, dtype=np.float64).filled(np.nan)
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise InputError(f"heights: got values of type {array.dtype}; give numbers, in metres")
    return np.array(array, dtype=np.float64, order="C")


def _shaped(flat: Array, shape: tuple[int, ...]) -> Array:
    """Return the array in its shape; as NumPy does, a scalar for scalars."""
    scalar_or_array: Array = flat.reshape(shape)[()]
    return scalar_or_array


def _corners(box: Bounds) -> str:
    return f"({box.xmin}, {box.ymin}, {box.xmax}, {box.ymax})"
