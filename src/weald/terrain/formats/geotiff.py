"""GeoTIFF and ESRI ASCII grids, through rasterio.

GDAL's transform leads to the corner of a sample's cell, whether the file says pixel-is-area or
pixel-is-point; the sample stands half a cell further in.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from weald import projection
from weald.errors import InputError
from weald.gdal import rasterio
from weald.numbers import is_number
from weald.terrain.fills import Scale
from weald.terrain.formats.sheet import PLACED_BY_CALLER, Affine, Array, Format, Given, Sheet
from weald.terrain.formats.units import metres_in
from weald.terrain.span import Span

_PURPOSE = {"GTiff": "reading GeoTIFF", "AAIGrid": "reading ESRI ASCII grids"}


def _sheet(driver: str, file: Path, given: Given) -> Sheet:
    with rasterio(_PURPOSE[driver]) as rio, rio.open(file, driver=driver) as data:
        band = _band(file, given.band, data)
        shape = int(data.height), int(data.width)
        system = data.crs or None
        along, upward = projection.units(system) if system else ("metre", None)
        name = projection.name_of(system) if system else None
        unit = _metres(file, given.vertical_unit, data.units[band - 1] or upward, along)
        scale, offset = data.scales[band - 1] * unit, data.offsets[band - 1] * unit
        corner = None if data.transform.is_identity else Affine(*tuple(data.transform)[:6])
        said = given.vertical_unit or data.units[band - 1] or system or (scale, offset) != (1.0, 0.0)
        if not said or (given.low, given.high) != (None, None):
            scale, offset = _of_codes(file, given, np.dtype(data.dtypes[band - 1]), placed=corner is not None)
        if corner is None and data.gcps[0]:
            raise InputError(f"{file}: is placed by ground control points, not by a grid; warp it first (gdalwarp)")

    if corner is None:
        places, turned = Affine.of(given.grid(file, shape)), (given.rows != "south-first", False)
    else:
        for argument in ("rows", "origin"):
            if getattr(given, argument) is not None:
                raise InputError(f"{file}: {argument} is given, but the file says where it lies; leave it out")
        places, turned = _upright(corner, shape)
        if system is None:
            _refuse_degrees_unsaid(file, places, shape)

    def read(span: Span) -> Array:
        rows = _turned((span.j0, span.j1), shape[0]) if turned[0] else (span.j0, span.j1)
        columns = _turned((span.i0, span.i1), shape[1]) if turned[1] else (span.i0, span.i1)
        with rasterio(_PURPOSE[driver]) as rio, rio.open(file, driver=driver) as data:
            values = data.read(band, window=(rows, columns), masked=True)
        void = np.ma.getmaskarray(values)
        if given.void is not None:
            void = void | (values.data == given.void)
        with np.errstate(invalid="ignore"):  # NaN of a kind that signals
            heights: Array = values.data.astype(np.float64)
        if (scale, offset) != (1.0, 0.0):
            heights = heights * scale + offset
        heights[void] = np.nan
        return heights[:: -1 if turned[0] else 1, :: -1 if turned[1] else 1]

    return Sheet(shape, places, read, name, along, Scale(scale, offset))


def _band(file: Path, band: int | None, data: Any) -> int:
    """Return the band that holds heights, counted from 1."""
    kinds = [kind.name for kind in data.colorinterp]
    count = sum(kind != "alpha" for kind in kinds)
    if band is None:
        if count != 1:
            raise InputError(f"{file}: holds {count} bands; give band, the one with the heights, counted from 1")
        band = 1 + next(i for i, kind in enumerate(kinds) if kind != "alpha")
    if not 1 <= band <= len(kinds):
        raise InputError(f"{file}: band is {band}; the file has {len(kinds)}, counted from 1")
    if kinds[band - 1] in ("palette", "alpha"):
        raise InputError(f"{file}: band {band} is {kinds[band - 1]}, not heights; give a file of heights")
    if np.dtype(data.dtypes[band - 1]).kind not in "iuf":
        raise InputError(f"{file}: holds values of type {data.dtypes[band - 1]}; give numbers")
    return band


def _metres(file: Path, given: str | None, stated: str | None, along: str) -> float:
    """Return the metres in the unit of heights: the caller's word, else the file's, else metres."""
    if given is not None:
        return metres_in(given)
    if stated is None and "foot" in along.lower():
        raise InputError(
            f"{file}: places are in {along} and the file does not say in what its heights are; "
            "give vertical_unit, such as 'metre' or 'foot'"
        )
    try:
        return metres_in(stated or "metre")
    except InputError:
        raise InputError(f"{file}: heights are in {stated!r}; give vertical_unit, such as 'metre' or 'foot'") from None


def _of_codes(file: Path, given: Given, kind: np.dtype[Any], *, placed: bool) -> tuple[float, float]:
    """Return the metres in a code and at code 0, of a file that says nothing of its heights.

    One that says nowhere where it lies, in whole numbers without a sign, is a picture: 65535 is white, not 65 km.
    """
    picture = not placed and kind.kind == "u"
    if (given.low, given.high) == (None, None) and not picture:
        return 1.0, 0.0
    top = np.iinfo(kind).max if kind.kind == "u" else 0
    if not picture:
        raise InputError(
            f"{file}: low and high are given, but its values of type {kind} are heights already; leave them out, and "
            "give vertical_unit if they are not metres"
        )
    low, high = given.low, given.high
    if low is None or high is None or not (is_number(low) and is_number(high) and low < high):
        raise InputError(
            f"{file}: holds codes from 0 to {top} and does not say where it lies or what they mean; low is {low} and "
            f"high is {high}: give the metres at code 0 and at code {top}, low < high; if the codes are metres, "
            "vertical_unit='metre'"
        )
    return (high - low) / top, low


def _upright(corner: Affine, shape: tuple[int, int]) -> tuple[Affine, tuple[bool, bool]]:
    """Return where samples stand once rows run north and columns east, and which of the two had to be turned."""
    a, b, c, d, e, f = corner
    c, f = c + 0.5 * a + 0.5 * b, f + 0.5 * d + 0.5 * e
    if b != 0 or d != 0:
        return Affine(a, b, c, d, e, f), (False, False)
    if e < 0:
        f += e * (shape[0] - 1)
    if a < 0:
        c += a * (shape[1] - 1)
    return Affine(abs(a), 0.0, c, 0.0, abs(e), f), (e < 0, a < 0)


def _turned(ends: tuple[int, int], count: int) -> tuple[int, int]:
    return count - ends[1], count - ends[0]


def _refuse_degrees_unsaid(file: Path, places: Affine, shape: tuple[int, int]) -> None:
    """Refuse a file without a coordinate system whose places may well be longitude and latitude."""
    x, y = places.place(np.array([0.0, shape[1] - 1.0]), np.array([0.0, shape[0] - 1.0]))
    if abs(x).max() <= 360 and abs(y).max() <= 90 and max(abs(places.a), abs(places.e)) < 1:
        raise InputError(
            f"{file}: states no coordinate system, and its places, {x[0]:g} to {x[1]:g} by {y[0]:g} to {y[1]:g} in "
            f"steps of {places.a:g}, look like degrees; write the system into the file "
            "(rio edit-info --crs EPSG:4326 FILE), or read the array yourself and use Terrain(grid, heights)"
        )


_TAKES = PLACED_BY_CALLER | {"band", "vertical_unit"}
GEOTIFF = Format("a GeoTIFF", (".tif", ".tiff"), _TAKES | {"low", "high"}, partial(_sheet, "GTiff"))
ASCII = Format("an ESRI ASCII grid", (".asc",), _TAKES, partial(_sheet, "AAIGrid"))
