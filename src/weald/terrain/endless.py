"""Endless ground: the surface of a field, sampled where it is asked about and nowhere else."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.fields import Field
from weald.geometry import Bounds, BoundsLike, Grid
from weald.numbers import metres, places
from weald.terrain.surround import MARGIN, Surround
from weald.terrain.terrain import MOST_SAMPLES, Terrain

Array = NDArray[np.float64]

_TILE = 128
"""Cells along the side of a tile: small enough for a cache, large enough for the field's blocks."""
_KEPT = 512
"""Tiles kept, 70 MB: what was asked about last."""
_FEW_TILES = 9
"""So many tiles are told apart by comparing, which is quicker than sorting; more are sorted."""
_FARTHEST = 2.0**50
"""Samples from the origin: beyond, float64 has no room left for a place inside a cell."""


class EndlessTerrain:
    """Ground without edges: a field of heights, sampled at every whole multiple of a spacing.

    It answers as `Terrain` does: heights lie on the triangles between the samples, so what stands
    on them stands on the mesh of any part that is exported. Every answer is a function of the place alone.

    Parameters
    ----------
    field
        Heights in metres; NaN marks a void.
    spacing
        Metres between samples.

    Examples
    --------
    >>> from weald.fields import perlin
    >>> ground = EndlessTerrain(perlin(seed=1, frequency=1 / 400) * 80, spacing=4.0)
    >>> ground.height([1e6, -1e6], 0.0).shape
    (2,)
    >>> ground.crop((100, 100, 200, 150)).grid
    Grid(xmin=100.0, ymin=100.0, spacing=4.0, nx=26, ny=14)
    """

    def __init__(self, field: Field, spacing: float) -> None:
        self.field = Field.of(field)
        self.spacing = metres("spacing", spacing)
        self._tiles: OrderedDict[tuple[int, int], Terrain | None] = OrderedDict()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"EndlessTerrain({self.field!r}, spacing={self.spacing:g})"

    def height(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the height of the ground in metres, on the triangles of the exported mesh; as `Terrain.height`."""
        return self._ask(lambda tile, x, y: tile.height(x, y), x, y)

    def slope_deg(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the steepness of the smooth ground in degrees; as `Terrain.slope_deg`."""
        return self._ask(lambda tile, x, y: tile.slope_deg(x, y), x, y)

    def aspect_deg(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return where the slope faces, degrees clockwise from north; as `Terrain.aspect_deg`."""
        return self._ask(lambda tile, x, y: tile.aspect_deg(x, y), x, y)

    def normal(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the upward unit normal of the smooth ground, shape ``(..., 3)``; as `Terrain.normal`."""
        return self._ask(lambda tile, x, y: tile.normal(x, y), x, y, 3)

    def profile_curvature(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the curvature down the slope, 1/m; as `Terrain.profile_curvature`."""
        return self._ask(lambda tile, x, y: tile.profile_curvature(x, y), x, y)

    def tangential_curvature(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the curvature across the slope, 1/m; as `Terrain.tangential_curvature`."""
        return self._ask(lambda tile, x, y: tile.tangential_curvature(x, y), x, y)

    def crop(self, bounds: BoundsLike) -> Terrain:
        """Return the part of the ground that covers a box, sampled at whole multiples of the spacing.

        The next two samples on each side are read as well, and remembered: heights, slopes and curvatures are those
        of the whole up to the edge, bit for bit.
        """
        i0, j0, columns, rows = self._covering(bounds)
        return self._terrain(self._surround(i0, j0, columns, rows), columns, rows)

    def bare(self, bounds: BoundsLike) -> Terrain:
        """Return the samples of `crop` alone: nothing beyond them is read, and slopes along the edge are one-sided."""
        i0, j0, columns, rows = self._covering(bounds)
        grid = Grid(i0 * self.spacing, j0 * self.spacing, self.spacing, columns, rows)
        return Terrain(grid, self._samples(i0, j0, columns, rows))

    def _covering(self, bounds: BoundsLike) -> tuple[int, int, int, int]:
        """Return the numbers of the first column and row, and how many cover a box."""
        box = Bounds.of(bounds)
        # a corner that is a whole multiple but for rounding is one
        i0, j0 = (math.floor(low / self.spacing + 1e-9) for low in (box.xmin, box.ymin))
        i1, j1 = (math.ceil(high / self.spacing - 1e-9) for high in (box.xmax, box.ymax))
        columns, rows = max(i1, i0 + 1) - i0 + 1, max(j1, j0 + 1) - j0 + 1
        if columns * rows > MOST_SAMPLES:
            raise InputError(
                f"bounds: {columns} x {rows} samples {self.spacing:g} m apart are more than {MOST_SAMPLES:,}; "
                "give a smaller box, or go chunk by chunk"
            )
        return i0, j0, columns, rows

    def _surround(self, i0: int, j0: int, columns: int, rows: int) -> Surround:
        """Return some samples and those around them."""
        heights = self._samples(i0 - MARGIN, j0 - MARGIN, columns + 2 * MARGIN, rows + 2 * MARGIN)
        heights.flags.writeable = False
        return Surround(0.0, 0.0, i0 - MARGIN, j0 - MARGIN, heights, MARGIN, MARGIN)

    def _terrain(self, around: Surround, columns: int, rows: int) -> Terrain:
        x, y = (around.i + around.west) * self.spacing, (around.j + around.south) * self.spacing
        return Terrain.surrounded(Grid(x, y, self.spacing, columns, rows), around)

    def _samples(self, i0: int, j0: int, columns: int, rows: int) -> Array:
        """Return heights by the numbers of samples: each place is one product, whichever window it is in."""
        x = np.arange(i0, i0 + columns) * self.spacing
        y = np.arange(j0, j0 + rows) * self.spacing
        return self.field(x[None, :], y[:, None])

    def _ask(
        self, question: Callable[[Terrain, Array, Array], Array], x: ArrayLike, y: ArrayLike, parts: int = 0
    ) -> Array:
        east, north = places(x=x, y=y)
        shape = east.shape
        east, north = east.ravel(), north.ravel()
        out = np.full((east.size, parts) if parts else east.size, np.nan)
        # the tile is given by the sample, as the cell is: dividing by a power of two does not round
        for column, row, which in _by_tile(east / self.spacing, north / self.spacing, _TILE, _FARTHEST):
            tile = self._tile(column, row)
            if tile is not None:
                out[which] = question(tile, east[which], north[which])
        result: Array = out.reshape((*shape, parts) if parts else shape)[()]
        return result

    def _tile(self, column: int, row: int) -> Terrain | None:
        """Return one tile, which knows the samples around it; None if all of it is void."""
        place = column, row
        with self._lock:
            if place in self._tiles:
                self._tiles.move_to_end(place)
                return self._tiles[place]
        count = _TILE + 1
        around = self._surround(column * _TILE, row * _TILE, count, count)
        void = bool(np.isnan(around.own((count, count))).all())
        tile = None if void else self._terrain(around, count, count)
        with self._lock:
            self._tiles[place] = tile
            while len(self._tiles) > _KEPT:
                self._tiles.popitem(last=False)
        return tile


def _by_tile(x: Array, y: Array, side: int, farthest: float) -> Iterator[tuple[int, int, NDArray[np.intp] | slice]]:
    """Go through the tiles that places lie in: column, row, and which of the places."""
    with np.errstate(invalid="ignore"):
        usable = (np.abs(x) < farthest) & (np.abs(y) < farthest)
    known: NDArray[np.intp] | slice = slice(None) if usable.all() else np.flatnonzero(usable)
    column, row = np.floor(x[known] / side), np.floor(y[known] / side)
    if not column.size:
        return
    west, south, east, north = (int(end) for end in (column.min(), row.min(), column.max(), row.max()))
    if (west, south) == (east, north):
        yield west, south, known
        return
    known = np.arange(x.size) if isinstance(known, slice) else known
    if (east - west + 1) * (north - south + 1) <= _FEW_TILES:
        for j in range(south, north + 1):
            for i in range(west, east + 1):
                here = known[(column == i) & (row == j)]
                if here.size:
                    yield i, j, here
        return
    order = np.lexsort((column, row))
    changes = (np.diff(column[order]) != 0) | (np.diff(row[order]) != 0)
    for group in np.split(order, np.flatnonzero(changes) + 1):
        yield int(column[group[0]]), int(row[group[0]]), known[group]
