"""What every reader returns: samples in the order of a grid, where they stand, and how to read a part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.files import check_memory
from weald.geometry import Grid
from weald.terrain.fills import METRES, Scale
from weald.terrain.span import Span

Array = NDArray[np.float64]
Samples = NDArray[np.integer | np.floating]

RowOrder: TypeAlias = Literal["north-first", "south-first"]
"""Which row of a file comes first; grids have the southernmost first."""

ByteOrder: TypeAlias = Literal["little-endian", "big-endian"]

UpAxis: TypeAlias = Literal["y", "z"]
"""The axis of a mesh file that points up."""

WHOLE_BYTES = 24
"""Memory that a sample takes of a file that is read whole, measured: code, metres in the making, what is kept."""
MAX_SAMPLES = 200_000_000
"""Larger files are refused unless the caller allows them: 1.6 GB as float64."""


class Affine(NamedTuple):
    """Where sample (column i, row j) stands: ``x = a i + b j + c``, ``y = d i + e j + f``."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    @classmethod
    def of(cls, grid: Grid) -> Affine:
        """Return the places of a grid."""
        return cls(grid.spacing, 0.0, grid.xmin, 0.0, grid.spacing, grid.ymin)

    def place(self, i: Array, j: Array) -> tuple[Array, Array]:
        """Return where samples stand."""
        return self.a * i + self.b * j + self.c, self.d * i + self.e * j + self.f

    def sample(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return places as columns and rows, with fractions."""
        x, y, area = x - self.c, y - self.f, self.a * self.e - self.b * self.d
        return (self.e * x - self.b * y) / area, (self.a * y - self.d * x) / area


@dataclass(frozen=True)
class Sheet:
    """A file of heights, its samples still to be read.

    Rows that run along x are given from south to north, and columns that run along y from west to east,
    whatever the file does. Sheets that lie askew keep the file's order.
    """

    shape: tuple[int, int]
    places: Affine
    read: Callable[[Span], Array]
    """Return the heights of a part in metres, NaN where void."""
    crs: str | None = None
    unit: str = "metre"
    """Of places: ``"metre"``, ``"degrees"``, or a unit that only projecting turns into metres."""
    scale: Scale = METRES
    """From the numbers of the file to metres."""


@dataclass(frozen=True)
class Given:
    """What the caller said about a file; None is what was left out."""

    spacing: float | None = None
    origin: tuple[float, float] | None = None
    low: float | None = None
    high: float | None = None
    rows: RowOrder | None = None
    void: float | None = None
    key: str | None = None
    size: tuple[int, int] | None = None
    byte_order: ByteOrder | None = None
    band: int | None = None
    vertical_unit: str | None = None
    up: UpAxis | None = None
    node: str | None = None
    max_samples: int = MAX_SAMPLES

    def grid(self, file: Path, shape: tuple[int, int]) -> Grid:
        """Return the grid of a file that does not say where it lies."""
        if self.spacing is None:
            raise InputError(
                f"{file}: spacing is not given, and the file does not say; give the metres between samples"
            )
        x, y = self.origin or (0.0, 0.0)
        return Grid(x, y, self.spacing, shape[1], shape[0])

    def southern_first(self, file: Path) -> bool:
        """Return whether the first row is the southernmost, which must have been said."""
        if self.rows is None:
            raise InputError(f"{file}: rows is not given; say 'north-first' or 'south-first'")
        return self.rows == "south-first"


class Format(NamedTuple):
    """A kind of file, the suffixes that name it, and the arguments that it takes."""

    name: str
    suffixes: tuple[str, ...]
    takes: frozenset[str]
    sheet: Callable[[Path, Given], Sheet]


PLACED_BY_CALLER = frozenset({"spacing", "origin", "rows", "void"})
"""What a file without a place of its own takes."""


def in_memory(grid: Grid, heights: Array, crs: str | None = None) -> Sheet:
    """Return a sheet of heights that are read already, row 0 the southernmost."""
    return Sheet(grid.shape, Affine.of(grid), lambda span: heights[span.slices], crs)


def mapped(
    grid: Grid,
    values: Samples,
    heights: Callable[[Samples], Array],
    south_first: bool,
    crs: str | None = None,
    unit: float = 1.0,
) -> Sheet:
    """Return a sheet of values that stay in the file until a part is read, and then become heights."""
    southward: Samples = values if south_first else values[::-1]
    scale = Scale(unit)
    return Sheet(grid.shape, Affine.of(grid), lambda span: heights(southward[span.slices]), crs, scale=scale)


def check_size(file: Path, shape: tuple[int, ...], most: int, *, whole: bool = False) -> None:
    """Refuse what is too large before anything is allocated, and what spans no surface.

    ``whole`` says that files of this kind cannot be read in part.
    """
    ny, nx = shape
    if nx * ny > most:
        advice = "crop it" if whole else "read a part by window"
        raise InputError(
            f"{file}: holds {nx} x {ny} = {nx * ny:,} samples, more than max_samples = {most:,}; "
            f"{advice}, or raise max_samples if there is memory for 8 bytes a sample several times over"
        )
    if nx < 2 or ny < 2:
        raise InputError(f"{file}: holds {nx} x {ny} samples; give at least 2 x 2")
    if whole:
        advice = "crop it, or save it as NPY or GeoTIFF, of which a window can be read"
        check_memory(file, nx * ny, WHOLE_BYTES, "samples", advice)
