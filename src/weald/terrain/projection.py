"""From the coordinates of a file to metres on a map, by PROJ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.terrain.gdal import rasterio

Array = NDArray[np.float64]

_WGS84 = "EPSG:4326"
_WEB_MERCATOR = "Popular Visualisation Pseudo Mercator"
_PURPOSE = "projecting ground (crs)"


@dataclass(frozen=True)
class Projection:
    """The way from one coordinate reference system to another, place by place.

    Parameters
    ----------
    source, target
        EPSG codes or WKT; x comes before y, longitude before latitude.
    """

    source: str
    target: str

    def forward(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return places of the source in the target."""
        return _transform(self.source, self.target, x, y)

    def back(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Return places of the target in the source."""
        return _transform(self.target, self.source, x, y)


def metric(crs: str, centre: tuple[float, float], source: str) -> str:
    """Return the name of a projected system in metres, or refuse what is none.

    Parameters
    ----------
    crs
        What the caller asked for: ``"utm"``, an EPSG code or WKT. Ground that is in UTM stays as it is.
    centre, source
        The middle of the ground and the system it is given in, which tell the zone for ``"utm"``.
    """
    if crs.strip().lower() == "utm":
        return source if _is_utm(source) else _utm(centre, source)
    with rasterio(_PURPOSE) as rio:
        try:
            asked = rio.crs.CRS.from_user_input(crs)
        except rio.errors.CRSError as error:
            raise InputError(f"crs: got {crs!r}; give 'utm', an EPSG code such as 'EPSG:32632', or WKT") from error
        unit = units(asked)[0]
        if unit != "metre":
            raise InputError(f"crs: {crs} is in {unit}; give 'utm', or a projected system in metres")
        return name_of(asked)


def name_of(crs: Any) -> str:
    """Return ``EPSG:code`` if a system of rasterio has one, else its WKT."""
    code = crs.to_epsg()
    return f"EPSG:{code}" if code is not None else str(crs.to_wkt())


def units(crs: Any) -> tuple[str, str | None]:
    """Return the units of a system of rasterio: along the ground, and of heights if it says."""
    described = crs.to_dict(projjson=True)
    parts = described.get("components", [described])
    if crs.is_geographic:
        along = "degrees"
    elif any(part.get("conversion", {}).get("method", {}).get("name") == _WEB_MERCATOR for part in parts):
        along = "metres of Web Mercator, too long by 1 / cos(latitude)"
    else:
        name, factor = crs.units_factor
        along = "metre" if abs(factor - 1.0) < 1e-9 else str(name)
    for part in parts:
        system = part.get("coordinate_system", {})
        if system.get("subtype") == "vertical":
            unit = system["axis"][0]["unit"]
            return along, str(unit["name"] if isinstance(unit, dict) else unit)
    return along, None


def same(one: str, other: str) -> bool:
    """Return whether two names mean the same system."""
    if one == other:
        return True
    with rasterio(_PURPOSE) as rio:
        return bool(rio.crs.CRS.from_user_input(one) == rio.crs.CRS.from_user_input(other))


def _is_utm(source: str) -> bool:
    """Return whether a system is a zone of UTM already, on whatever datum."""
    with rasterio(_PURPOSE) as rio:
        described = rio.crs.CRS.from_user_input(source).to_dict(projjson=True)
    parts = described.get("components", [described])
    return any(str(part.get("conversion", {}).get("name", "")).startswith("UTM zone") for part in parts)


def _utm(centre: tuple[float, float], source: str) -> str:
    """Return the zone of Universal Transverse Mercator, six degrees wide, on WGS84, that holds a place."""
    longitude, latitude = (
        float(value[0]) for value in _transform(source, _WGS84, np.array([centre[0]]), np.array([centre[1]]))
    )
    if not -80 <= latitude <= 84:
        raise InputError(f"crs: utm ends at 80 S and 84 N, and the ground lies at {latitude:.3f}; give an EPSG code")
    zone = math.floor((longitude + 180.0) / 6.0) % 60 + 1
    return f"EPSG:{(32600 if latitude >= 0 else 32700) + zone}"


def _transform(source: str, target: str, x: Array, y: Array) -> tuple[Array, Array]:
    """Transform places; one that has no counterpart is infinite."""
    with rasterio(_PURPOSE) as rio:
        try:
            east, north = rio.warp.transform(source, target, x.ravel(), y.ravel())
        except Exception as error:  # GDAL raises a class of its own for each kind of trouble
            raise InputError(
                f"crs: places between {_shown(x)}, {_shown(y)} in {source[:40]} have none in {target[:40]} ({error}); "
                "choose a system made for that part of the world"
            ) from error
    return np.array(east, np.float64).reshape(x.shape), np.array(north, np.float64).reshape(x.shape)


def _shown(values: Array) -> str:
    return f"{float(values.min()):.6g}..{float(values.max()):.6g}"
