"""Drainage of bounded ground: computed once for all of it, then any part is a crop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.exact import length, logarithm, tangent_deg
from weald.fields.field import Field
from weald.fields.raster import Method, raster
from weald.numbers import number_in
from weald.terrain import surface
from weald.terrain.hydrology import flow
from weald.terrain.hydrology.around import LENGTHS, offsets, ringed, unringed
from weald.terrain.hydrology.flood import flood
from weald.terrain.hydrology.lakes import Lakes, find_lakes
from weald.terrain.hydrology.nearest import squared_distances
from weald.terrain.hydrology.rivers import Rivers, trace
from weald.terrain.terrain import Terrain

Array = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Drainage:
    """Where water goes; made by `drainage`.

    What it offers are arrays on the grid of the ground, shape (ny, nx), NaN on voids; `field` makes
    any of them a Field that rules can use.

    Attributes
    ----------
    terrain : Terrain
        The ground.
    water_level : float or None
        Height of the sea.
    filled : ndarray of float64, shape (ny, nx)
        The ground with all depressions filled to the brim: from everywhere a way that never rises
        leads off it, or into the sea.
    area : ndarray of float64, shape (ny, nx)
        Ground that drains through each sample, its own included, in m²: a whole number of samples.
    receiver, source, order : ndarray of int64
        For the kernels, as places (see `weald.terrain.hydrology.around`): where each flows to, -1 where
        it leaves; where the flood came from; and all ground in the order of the flood.
    """

    terrain: Terrain
    water_level: float | None
    filled: Array
    area: Array
    receiver: Places
    source: Places
    order: Places

    def __repr__(self) -> str:
        return f"Drainage({self.terrain!r}, water_level={self.water_level})"

    def field(self, values: NDArray[np.generic], *, method: Method = "bilinear") -> Field:
        """Return an array on the grid as a Field; for masks and codes, and for ``area``, by ``"nearest"``.

        >>> from weald.geometry import Grid
        >>> water = drainage(Terrain(Grid(0, 0, 10, 3, 3), [[3, 2, 1]] * 3))
        >>> float(water.field(water.area, method="nearest")(20, 10))
        300.0
        """
        return raster(self.terrain.grid, values, method=method)

    def rivers(self, least_area: float) -> Rivers:
        """Return the rivers: samples through which at least ``least_area`` m² drain, and their courses.

        Rivers run on through lakes, and end where the sea begins.
        """
        least = number_in("least_area", least_area, "a number above 0, in square metres", above=0.0)
        grid = self.terrain.grid
        cells = ringed(np.where(self._sea() | np.isnan(self.area), 0.0, self.area / (grid.spacing * grid.spacing)), 0.0)
        return trace(
            grid, np.rint(cells).astype(np.int64), self.receiver, self.order, least / (grid.spacing * grid.spacing)
        )

    def lakes(self, *, least_depth: float = 0.0, least_area: float = 0.0) -> Lakes:
        """Return the filled depressions that are somewhere ``least_depth`` metres deep and ``least_area`` m² large.

        Measured ground is full of small depressions that are errors; ask for some depth.
        """
        number_in("least_depth", least_depth, "metres from 0", least=0.0)
        number_in("least_area", least_area, "a number from 0, in square metres", least=0.0)
        cell = self.terrain.grid.spacing * self.terrain.grid.spacing
        return find_lakes(self.terrain.heights, self.filled, cell, least_depth, least_area)

    def water(self, least_area: float, *, least_depth: float = 1.0, least_lake_area: float = 0.0) -> NDArray[np.bool_]:
        """Return where there is water: rivers of ``least_area`` m², lakes, and the sea."""
        lakes = self.lakes(least_depth=least_depth, least_area=least_lake_area)
        mask: NDArray[np.bool_] = self.rivers(least_area).mask | (lakes.number > 0) | self._sea()
        return mask

    def distance_to_water(self, least_area: float, *, least_depth: float = 1.0, least_lake_area: float = 0.0) -> Array:
        """Return how far the nearest sample of `water` is, in metres: exact between samples, straight over voids.

        Infinite everywhere if there is no water; NaN on voids.
        """
        wet = self.water(least_area, least_depth=least_depth, least_lake_area=least_lake_area)
        if not wet.any():
            return np.where(np.isnan(self.terrain.heights), np.nan, np.inf)
        squares = np.empty(wet.shape, np.int64)
        squared_distances(wet, squares)
        distances: Array = np.sqrt(squares) * self.terrain.grid.spacing
        distances[np.isnan(self.terrain.heights)] = np.nan
        return distances

    def wetness(self, *, least_slope_deg: float = 0.1) -> Array:
        """Return the topographic wetness index, ln(a / tan b): high where much water comes and little leaves.

        ``a`` is the ground that drains through a sample, in m² a metre of width, when water divides
        among all lower neighbours (`weald.terrain.hydrology.flow.spread`); ``b`` is the slope of the
        filled ground, by central differences, and at least ``least_slope_deg``. So level
        ground, lakes too, is as wet as the water that reaches it, and never infinitely. (Beven and Kirkby, "A
        physically based, variable contributing area model of basin hydrology", 1979.)
        """
        least_slope_deg = number_in(
            "least_slope_deg", least_slope_deg, "degrees above 0 and below 90", above=0.0, below=90.0
        )
        grid = self.terrain.grid
        east, north = np.empty(grid.shape), np.empty(grid.shape)
        surface.sample_gradients(self.filled, grid.spacing, east, north)
        slope = np.maximum(length(east, north), tangent_deg(least_slope_deg))
        wetness: Array = logarithm(self.spread_area() / grid.spacing / slope)
        return wetness

    def spread_area(self) -> Array:
        """Return the ground that drains through each sample if water divides among all lower neighbours, in m².

        It has no single lines of flow where slopes are even; for rivers use ``area``.
        """
        grid = self.terrain.grid
        level, sea = ringed(self.filled, np.nan), ringed(self._sea(), False)
        out = np.full(level.size, np.nan)
        flow.spread(level, ~np.isnan(level), sea, self.source, self.order, offsets(grid.shape), LENGTHS, out)
        area: Array = unringed(out, grid.shape) * (grid.spacing * grid.spacing)
        return area

    def _sea(self) -> NDArray[np.bool_]:
        return _below(self.terrain.heights, self.water_level)


def drainage(terrain: Terrain, *, water_level: float | None = None) -> Drainage:
    """Return where water goes on the ground.

    Depressions are filled until they spill over (priority flood), each sample flows to the
    neighbour down the steepest slope (D8), and level water to where it spills over, by a short way.

    Drainage is a property of the whole ground, not of a neighbourhood: what falls in the farthest
    corner may pass through here. So there is no halo that would make a window of it right. Compute
    it once for the whole world; any window of the result is a crop. Rain from beyond the edge is
    unknown: a river that enters there starts anew.

    Parameters
    ----------
    terrain
        The ground. Water leaves it over its edge, and into voids.
    water_level
        Height of the sea, metres: lower ground is under water, and water leaves there too.

    Notes
    -----
    Equal slopes and levels are decided by place, the southernmost, then the westernmost first, so
    there is one result. For sources see `weald.terrain.hydrology.flood` and
    `weald.terrain.hydrology.flow`. A million samples take half a second.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> valley = Terrain(Grid(xmin=0, ymin=0, spacing=10, nx=4, ny=3), [[9, 8, 7, 6], [5, 4, 1, 2], [9, 8, 7, 6]])
    >>> water = drainage(valley)
    >>> water.area.astype(int).tolist()
    [[100, 100, 100, 100], [300, 400, 900, 1200], [100, 100, 100, 100]]
    >>> water.lakes().levels.tolist(), float(water.filled[1, 2])
    ([2.0], 2.0)
    """
    if not isinstance(terrain, Terrain):
        raise InputError(
            f"terrain: got {terrain!r}; water gathers from all of the ground, so give a Terrain: "
            "of endless ground or a field a part, by crop() or Terrain.from_field()"
        )
    if water_level is not None:
        number_in("water_level", water_level, "a finite number of metres")
    shape = terrain.grid.shape
    heights = ringed(terrain.heights, np.nan)
    ground = ~np.isnan(heights)
    ways = offsets(shape)
    sea = ringed(_below(terrain.heights, water_level), False)
    outlets = ground & (sea | ringed(_beside_nothing(terrain.heights), False))
    level, source = np.full(heights.size, np.nan), np.full(heights.size, -1, np.int64)
    order = np.empty(int(ground.sum()), np.int64)
    flood(heights, ground, outlets, ways, level, source, order)
    receiver, cells = np.full(heights.size, -1, np.int64), np.zeros(heights.size, np.int64)
    flow.steepest(level, ground, sea, source, order, ways, LENGTHS, receiver)
    flow.gathered(receiver, order, cells)
    area = np.where(ground, cells * (terrain.grid.spacing * terrain.grid.spacing), np.nan)
    filled, on_grid = unringed(level, shape), unringed(area, shape)
    for array in (filled, on_grid):
        array.flags.writeable = False
    return Drainage(terrain, water_level, filled, on_grid, receiver, source, order)


def _below(heights: Array, water_level: float | None) -> NDArray[np.bool_]:
    below = np.zeros(heights.shape, np.bool_)
    if water_level is not None:
        below[:] = heights < water_level
    return below


def _beside_nothing(heights: Array) -> NDArray[np.bool_]:
    """Return which samples have one without ground among their eight neighbours."""
    nothing = np.pad(np.isnan(heights), 1, constant_values=True)
    return np.asarray(np.lib.stride_tricks.sliding_window_view(nothing, (3, 3)).any(axis=(2, 3)))
