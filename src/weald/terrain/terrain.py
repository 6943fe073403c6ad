"""The ground: heights on a grid, and the surface between them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import of_kind, shown
from weald.errors import InputError
from weald.exact import arctangent_deg, length
from weald.fields import Field, FieldLike
from weald.geometry import BoundsLike, Grid
from weald.numbers import metres, number_in, places
from weald.terrain import cubic, curvature, surface
from weald.terrain.contours import Contour, contour_lines
from weald.terrain.fills import refuse_fill
from weald.terrain.formats.sheet import ByteOrder, RowOrder, UpAxis
from weald.terrain.span import Span, covering, slack
from weald.terrain.surround import Surround

if TYPE_CHECKING:
    from trimesh import Scene, Trimesh

Array = NDArray[np.float64]

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
    crs
        Coordinate reference system of the grid, such as ``"EPSG:32632"`` or WKT, if it is known. It is
        carried along and never acted upon.

    Raises
    ------
    InputError
        If the shape is not the grid's, a height is infinite, every sample is void, or samples hold a fill value,
        such as -9999, far from all heights.

    Examples
    --------
    >>> ground = Terrain(Grid(xmin=0, ymin=0, spacing=10, nx=2, ny=2), [[0, 10], [0, 10]])
    >>> float(ground.height(2.5, 5)), float(ground.slope_deg(2.5, 5)), float(ground.aspect_deg(2.5, 5))
    (2.5, 45.0, 270.0)
    """

    grid: Grid
    heights: Array
    crs: str | None = None
    _around: Surround = field(init=False, repr=False)

    def __post_init__(self) -> None:
        grid = of_kind("grid", self.grid, Grid, "a Grid")
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
        refuse_fill(heights, "put NaN there, as in np.where(heights == {}, np.nan, heights)")
        heights.flags.writeable = False
        object.__setattr__(self, "heights", heights)
        object.__setattr__(self, "_around", Surround(grid.xmin, grid.ymin, 0, 0, heights))

    def __repr__(self) -> str:
        voids = int(np.isnan(self.heights).sum())
        words = f"{np.nanmin(self.heights):.6g} to {np.nanmax(self.heights):.6g} m"
        words += f", {voids:,} of {self.heights.size:,} samples void" * (voids > 0)
        words += f", {self.crs}" * (self.crs is not None and len(self.crs) < 20)
        return f"Terrain({self.grid!r}, {words})"

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        spacing: float | None = None,
        origin: tuple[float, float] | None = None,
        crs: str | None = None,
        window: BoundsLike | None = None,
        low: float | None = None,
        high: float | None = None,
        rows: RowOrder | None = None,
        void: float | None = None,
        key: str | None = None,
        size: tuple[int, int] | None = None,
        byte_order: ByteOrder | None = None,
        band: int | None = None,
        vertical_unit: str | None = None,
        up: UpAxis | None = None,
        node: str | None = None,
        max_samples: int = MOST_SAMPLES,
    ) -> Terrain:
        """Read ground from a GeoTIFF, ASCII grid, HGT, PNG, RAW, NPY, NPZ or mesh file.

        Which file takes which parameter, and what each means, is told in `weald.terrain.sources.open_terrain`.
        """
        from weald.terrain.sources import open_terrain

        return open_terrain(
            path,
            spacing=spacing,
            origin=origin,
            crs=crs,
            window=window,
            low=low,
            high=high,
            rows=rows,
            void=void,
            key=key,
            size=size,
            byte_order=byte_order,
            band=band,
            vertical_unit=vertical_unit,
            up=up,
            node=node,
            max_samples=max_samples,
        )

    @classmethod
    def from_field(cls, field: FieldLike, grid: Grid) -> Terrain:
        """Return the ground whose heights are the values of a field, or of a NumPy function of (x, y), in metres.

        >>> import weald
        >>> hills = weald.perlin(seed=1, frequency=1 / 200).fbm(octaves=4) * 40
        >>> Terrain.from_field(hills, Grid(xmin=0, ymin=0, spacing=10, nx=4, ny=3)).heights.shape
        (3, 4)
        """
        return cls(grid, Field.of(field).sample(of_kind("grid", grid, Grid, "a Grid")))

    @classmethod
    def from_mesh(
        cls,
        mesh: str | PathLike[str] | Trimesh | Scene,
        spacing: float,
        *,
        up: UpAxis | None = None,
        node: str | None = None,
        origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> Terrain:
        """Return the ground that rays from above meet first on a mesh, at every sample of a grid; void where none.

        For the parameters, and for caves and overhangs, see `weald.terrain.mesh.MeshGround`.
        """
        from weald.terrain.mesh import MeshGround

        return MeshGround.open(mesh, up=up, node=node, origin=origin).terrain(spacing)

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
        surface.heights_at(*self._asked(u, v), out)
        return _shaped(self._cut(u, v, out), shape)

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
        return _shaped(arctangent_deg(length(east, north)), east.shape)

    def aspect_deg(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return where the slope faces, downhill: degrees clockwise from north, in ``[0, 360)``.

        NaN on level ground, which faces nowhere. See `normal` for what is smoothed.
        """
        east, north = self._gradient(x, y)
        aspect = arctangent_deg(-east, -north) % 360.0
        # a direction a hair west of north rounds up to the full turn
        aspect = np.where((east == 0.0) & (north == 0.0), np.nan, np.where(aspect == 360.0, 0.0, aspect))
        return _shaped(aspect, east.shape)

    def profile_curvature(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the curvature of the smooth ground down the slope, 1/m; see `weald.terrain.curvature`.

        Above 0 where the ground is convex and water speeds up, below 0 where it is concave.
        """
        return self._curvature(x, y, curvature.PROFILE)

    def tangential_curvature(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the curvature of the smooth ground across the slope, 1/m; see `weald.terrain.curvature`.

        Above 0 on noses and ridges, which water leaves, below 0 in hollows, where it gathers.
        """
        return self._curvature(x, y, curvature.TANGENTIAL)

    def below(self, level: float, x: ArrayLike, y: ArrayLike) -> NDArray[np.bool_]:
        """Return which places lie below a level, as under water; places without ground do not."""
        level = number_in("level", level, "a finite height in metres")
        # NaN compares as False
        return np.asarray(self.height(x, y) < level)

    def contours(self, interval: float | None = None, *, levels: ArrayLike | None = None) -> list[Contour]:
        """Return contour lines, from the lowest level to the highest.

        Parameters
        ----------
        interval
            Metres between lines: they run at its whole multiples.
        levels : array_like, shape (n,)
            Or the heights of the lines themselves.

        Returns
        -------
        list of Contour
            Each with ``level``, ``xy`` of shape (n, 2) and ``closed``; higher ground lies to the left. Lines
            end at the edge of the ground and at cells that touch a void. See `weald.terrain.contours`.
        """
        return contour_lines(self.grid, self.heights, interval, levels)

    def shore(self, water_level: float) -> list[Contour]:
        """Return the lines along which level water meets the ground, which lies to their left."""
        return self.contours(levels=[number_in("water_level", water_level, "a finite height in metres")])

    def resample(self, spacing: float) -> Terrain:
        """Return the same ground on a grid of another spacing, by Catmull-Rom cubics.

        The new grid starts at the same corner and stays inside the old one, so up to one new
        spacing is lost in the east and the north. Voids never leak: where one lies among the four
        by four samples around a place the nearest four are interpolated bilinearly, and where one
        lies among those the result is void. Made for finer grids: a much coarser one picks heights
        and does not average them.
        """
        spacing = metres("spacing", spacing)
        ny, nx = self.grid.shape
        step = spacing / self.grid.spacing
        if step * MOST_SAMPLES < max(nx, ny):  # one row alone would have more
            raise InputError(f"spacing: {spacing:g} m makes more than {MOST_SAMPLES:,} samples; give more")
        # a whole number of steps must survive rounding
        columns, rows = (math.floor((n - 1) / step + 1e-9) + 1 for n in (nx, ny))
        if min(columns, rows) < 2:
            width, depth = self.grid.bounds.size
            raise InputError(f"spacing: {spacing:g} m is more than the ground has, {width:g} x {depth:g} m; give less")
        if columns * rows > MOST_SAMPLES:
            raise InputError(
                f"spacing: {spacing} m gives {columns} x {rows} samples, more than {MOST_SAMPLES:,}; "
                "give more, or crop the ground first"
            )
        u = np.minimum(np.arange(columns) * step, nx - 1)
        v = np.minimum(np.arange(rows) * step, ny - 1)
        heights = np.empty((rows, columns))
        cubic.resample(self.heights, u, v, heights)
        return Terrain(Grid(self.grid.xmin, self.grid.ymin, spacing, columns, rows), heights, self.crs)

    def crop(self, bounds: BoundsLike) -> Terrain:
        """Return the part of the ground that covers a box: its samples, and no others, unchanged.

        Where the box does not lie on samples the next ones outside are kept, as far as the ground
        goes, so every place of the box that had a height still has it. The part remembers one more sample
        on each side: heights, slopes and curvatures are those of the whole up to the edge, bit for bit.
        """
        return self.part(covering(self.grid, bounds))

    def part(self, span: Span) -> Terrain:
        """Return some of the rows and columns; as `crop`."""
        return Terrain.surrounded(span.of(self.grid), self._around.part(span), self.crs)

    @classmethod
    def surrounded(cls, grid: Grid, around: Surround, crs: str | None = None) -> Terrain:
        """Return the ground of a grid, with what lies around it."""
        terrain = cls(grid, around.own(grid.shape), crs)
        object.__setattr__(terrain, "_around", around)
        return terrain

    @property
    def rimmed(self) -> Array:
        """Heights with one more sample on each side, shape (ny + 2, nx + 2); NaN where the ground has none."""
        return self._around.rimmed(self.grid.shape)

    def _positions(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array, tuple[int, ...]]:
        """Return places as flat positions in samples, and the shape they broadcast to."""
        east, north = places(x=x, y=y)
        # counted from where the whole counts, and only then from the part: the same bits in both
        u = (east - self._around.x) / self.grid.spacing
        v = (north - self._around.y) / self.grid.spacing
        return np.ravel(u), np.ravel(v), east.shape

    def _gradient(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """Return the rise per metre towards east and towards north."""
        u, v, shape = self._positions(x, y)
        east, north = np.empty_like(u), np.empty_like(v)
        surface.gradients_at(*self._asked(u, v), self.grid.spacing, east, north)
        return self._cut(u, v, east).reshape(shape), self._cut(u, v, north).reshape(shape)

    def _curvature(self, x: ArrayLike, y: ArrayLike, kind: int) -> Array:
        u, v, shape = self._positions(x, y)
        out = np.empty_like(u)
        curvature.curvature_at(*self._asked(u, v), self.grid.spacing, kind, out)
        return _shaped(self._cut(u, v, out), shape)

    def _asked(self, u: Array, v: Array) -> tuple[Array, Array, Array, int, int, float]:
        """Return what kernels take: heights, positions in samples, the numbers of the first samples, the slack."""
        around = self._around
        return around.heights, u, v, around.i, around.j, slack(self.grid)

    def _cut(self, u: Array, v: Array, values: Array) -> Array:
        """Take away the values beside the ground, where it only remembers samples."""
        outside = self._around.outside(u, v, self.grid.shape, slack(self.grid))
        if outside is not None:
            values[outside] = np.nan
        return values


def _as_heights(values: ArrayLike) -> Array:
    """Return a float64 copy in C order, masked samples as NaN."""
    if np.ma.isMaskedArray(values):
        values = np.ma.asarray(values, dtype=np.float64).filled(np.nan)
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"heights: got {shown(values)}; give an array of metres, rows of one length") from None
    if array.dtype.kind not in "iuf":
        raise InputError(f"heights: got values of type {array.dtype}; give numbers, in metres")
    return np.array(array, dtype=np.float64, order="C")


def _shaped(flat: Array, shape: tuple[int, ...]) -> Array:
    """Return the array in its shape; as NumPy does, a scalar for scalars."""
    scalar_or_array: Array = flat.reshape(shape)[()]
    return scalar_or_array
