"""From a file's own samples to a square grid in metres.

Samples that stand on a square grid already are taken as they are, bit for bit. All others are
interpolated by Catmull-Rom cubics (see `weald.terrain.cubic`) at the places of a grid whose
coordinates are whole multiples of its spacing: so neighbouring files meet, and a window is
the crop of the whole.

Projecting is the slow part, so places are projected at nodes of at most 500 m, whole multiples again, and
in between linearly. A map bends over a node by about 500^2 / 8 / 6,400,000 m times the tangent of the
latitude: a centimetre at 60 degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald import projection
from weald.errors import InputError
from weald.exact import length
from weald.geometry import BoundsLike, Grid
from weald.projection import Projection
from weald.terrain import cubic
from weald.terrain.formats.sheet import Array, Sheet, check_size
from weald.terrain.span import Span, covering
from weald.terrain.terrain import Terrain

Counts = NDArray[np.int64]

_ROWS_AT_ONCE = 256
_NODE = 500.0
_MARGIN = 3
"""Samples around a place that the cubic may look at, and one for rounding."""


def ground_of(
    file: Path, sheet: Sheet, *, spacing: float | None, crs: str | None, window: BoundsLike | None, max_samples: int
) -> Terrain:
    """Read a sheet, or the part of it that a window needs, onto a square grid.

    For the parameters see `weald.terrain.sources.open_terrain`.
    """
    if crs is not None and sheet.crs is None:
        raise InputError(
            f"{file}: crs is {crs!r}, but the file does not say in which system it is itself; leave crs out"
        )
    target = sheet.crs if crs is None or sheet.crs is None else projection.metric(crs, _centre(sheet), sheet.crs)
    moved = target is not None and sheet.crs is not None and crs is not None and not projection.same(target, sheet.crs)
    if sheet.unit != "metre" and not moved:
        raise InputError(
            f"{file}: its places are in {sheet.unit}, weald's in metres; give crs='utm' to project it to the zone that "
            "it lies in, or crs='EPSG:...' for a projected system of your choice"
        )
    way = Projection(str(sheet.crs), str(target)) if moved else None
    source = _Source(file, sheet, way)

    own = None if way else _square(sheet)
    if own is not None and (spacing is None or spacing == own.spacing):
        span = Span.whole(own.shape) if window is None else covering(own, window, "window")
        check_size(file, (span.j1 - span.j0, span.i1 - span.i0), max_samples)
        return Terrain(own if window is None else span.of(own), sheet.read(span), target)

    check_size(file, sheet.shape, sheet.shape[0] * sheet.shape[1])
    lattice = _lattice(file, source, spacing or source.spacing)
    whole = lattice.grid
    span = Span.whole(whole.shape) if window is None else covering(whole, window, "window")
    part = span.of(whole)
    if part.nx * part.ny > max_samples:
        raise InputError(
            f"{file}: spacing {whole.spacing:g} m gives {part.nx} x {part.ny} samples, more than "
            f"max_samples = {max_samples:,}; give a larger spacing, a window, or raise max_samples"
        )
    heights = np.empty(part.shape)
    columns = np.arange(span.i0, span.i1) + lattice.i0
    for first in range(0, part.ny, _ROWS_AT_ONCE):
        rows = np.arange(span.j0 + first, min(span.j0 + first + _ROWS_AT_ONCE, span.j1)) + lattice.j0
        source.fill(columns, rows, whole.spacing, heights[first : first + rows.size], max_samples)
    return Terrain(part, heights, target)


class _Lattice(NamedTuple):
    """A grid whose first sample is number (i0, j0) of those at whole multiples of the spacing."""

    grid: Grid
    i0: int
    j0: int


@dataclass(frozen=True)
class _Source:
    """A sheet as it lies on the map."""

    file: Path
    sheet: Sheet
    way: Projection | None

    def places(self, i: Array, j: Array) -> tuple[Array, Array]:
        """Return where samples stand, on the map."""
        x, y = self.sheet.places.place(i, j)
        return self.way.forward(x, y) if self.way else (x, y)

    def samples(self, columns: Counts, rows: Counts, spacing: float) -> tuple[Array, Array]:
        """Return multiples of the spacing, east and north, as columns and rows of the sheet, with fractions."""
        if self.way is None:
            return self.sheet.places.sample(*np.meshgrid(columns * spacing, rows * spacing))
        every = max(math.floor(_NODE / spacing), 1)
        i, s = _nodes(columns, every)
        j, t = _nodes(rows, every)
        x, y = self.way.back(*np.meshgrid(i * (every * spacing), j * (every * spacing)))
        if self.sheet.unit == "degrees":
            # some files count longitude from 0 to 360
            x = x + 360.0 * np.round((_centre(self.sheet)[0] - x) / 360.0)
        u, v = self.sheet.places.sample(x, y)
        columns, rows = columns // every - i[0], rows // every - j[0]
        return _between(u, columns, rows, s, t), _between(v, columns, rows, s, t)

    @property
    def spacing(self) -> float:
        """The shorter side of a cell in the middle of the sheet; of a projected one, to two figures."""
        i, j = (self.sheet.shape[1] - 1) / 2, (self.sheet.shape[0] - 1) / 2
        x, y = self.places(np.array([i, i + 1, i]), np.array([j, j, j + 1]))
        side = float(min(length(x[1:] - x[0], y[1:] - y[0])))
        return float(f"{side:.2g}") if self.way else side

    def fill(self, columns: Counts, rows: Counts, spacing: float, out: Array, max_samples: int) -> None:
        """Interpolate at multiples of the spacing."""
        u, v = self.samples(columns, rows, spacing)
        ny, nx = self.sheet.shape
        near = (u > -1) & (u < nx) & (v > -1) & (v < ny)
        if not near.any():
            out[:] = np.nan
            return
        i0, i1 = _reach(u[near], nx)
        j0, j1 = _reach(v[near], ny)
        check_size(self.file, (j1 - j0, i1 - i0), max_samples)
        heights = np.ascontiguousarray(self.sheet.read(Span(j0, j1, i0, i1)))
        cubic.resample_at(heights, u - i0, v - j0, out)


def _nodes(counts: Counts, every: int) -> tuple[Counts, Array]:
    """Return the nodes around samples, and how far from the node before it each sample lies, of the way to the next."""
    return np.arange(counts[0] // every, counts[-1] // every + 2), (counts % every) / every


def _between(nodes: Array, i: Counts, j: Counts, s: Array, t: Array) -> Array:
    """Interpolate values at nodes along x, then y."""
    rows = nodes[:, i] + s * (nodes[:, i + 1] - nodes[:, i])
    below, above = rows[j], rows[j + 1]
    between: Array = below + t[:, None] * (above - below)
    return between


def _reach(samples: Array, count: int) -> tuple[int, int]:
    first = max(math.floor(samples.min()) - _MARGIN, 0)
    return first, min(math.floor(samples.max()) + _MARGIN + 1, count)


def _centre(sheet: Sheet) -> tuple[float, float]:
    x, y = sheet.places.place(np.array([(sheet.shape[1] - 1) / 2]), np.array([(sheet.shape[0] - 1) / 2]))
    return float(x[0]), float(y[0])


def _square(sheet: Sheet) -> Grid | None:
    """Return the grid that the samples stand on, or None if they stand on none."""
    a, b, c, d, e, f = sheet.places
    ny, nx = sheet.shape
    # a drift of a thousandth of a cell over the whole sheet is the rounding of whoever wrote the file
    if b != 0 or d != 0 or abs(a - e) * max(nx, ny) > 1e-3 * a:
        return None
    return Grid(c, f, a, nx, ny)


def _lattice(file: Path, source: _Source, spacing: float) -> _Lattice:
    """Return the grid of whole multiples of the spacing that fits the sheet."""
    ny, nx = source.sheet.shape
    # straight edges bend when they are projected, so look along them
    way = np.linspace(0.0, 1.0, 65)
    i = np.concatenate([way, way, 0 * way, 0 * way + 1]) * (nx - 1)
    j = np.concatenate([0 * way, 0 * way + 1, way, way]) * (ny - 1)
    x, y = source.places(i, j)
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError(f"{file}: crs: not all of the file has a place there; choose a system made for that region")
    i0, j0 = (math.ceil(low / spacing - 1e-6) for low in (x.min(), y.min()))
    i1, j1 = (math.floor(high / spacing + 1e-6) for high in (x.max(), y.max()))
    if i1 <= i0 or j1 <= j0:
        raise InputError(
            f"spacing: {spacing:g} m is more than the ground has, {np.ptp(x):g} x {np.ptp(y):g} m; give less"
        )
    return _Lattice(Grid(i0 * spacing, j0 * spacing, spacing, i1 - i0 + 1, j1 - j0 + 1), i0, j0)
