"""From the coordinates of a file to metres on a map, by PROJ."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.gdal import rasterio
from weald.numbers import plain

Array = NDArray[np.float64]

_WGS84 = "EPSG:4326"
_WEB_MERCATOR = "Popular Visualisation Pseudo Mercator"
_PURPOSE = "projecting (crs)"


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
    return in_metres("crs", crs, "'utm', ")


def in_metres(name: str, crs: str, also: str = "") -> str:
    """Return the name of a projected system in metres; errors begin with ``name`` and offer what else is allowed."""
    asked = _system(name, crs, also)
    unit = units(asked)[0]
    if unit != "metre":
        raise InputError(f"{name}: {crs} is in {unit}; give {also}{'or ' * bool(also)}a projected system in metres")
    return name_of(asked)


def _system(name: str, crs: str, also: str = "") -> Any:
    """Return a system of rasterio."""
    with rasterio(_PURPOSE) as rio:
        try:
            return rio.crs.CRS.from_user_input(crs)
        except (rio.errors.CRSError, ValueError) as error:  # half a character is no text that PROJ can be given
            raise InputError(f"{name}: got {crs!r}; give {also}an EPSG code such as 'EPSG:32632', or WKT") from error


def name_of(crs: Any) -> str:
    """Return ``EPSG:code`` if a system of rasterio has one, else its WKT.

    weald's heights are in metres, so a vertical part in any other unit is left out: the label must not say feet.
    """
    upward = units(crs)[1]
    if upward is not None and not is_metre(upward):
        crs = _flat(crs)
    code = crs.to_epsg()
    return f"EPSG:{code}" if code is not None else str(crs.to_wkt())


def is_metre(unit: str) -> bool:
    """Return whether a unit's name means metres.

    >>> is_metre("metre"), is_metre("US survey foot")
    (True, False)
    """
    return unit.strip().lower() in ("metre", "meter", "metres", "meters", "m")


def _flat(crs: Any) -> Any:
    """Return the horizontal part of a system of rasterio."""
    described = crs.to_dict(projjson=True)
    flat = described.get("components", [described])[0]
    with rasterio(_PURPOSE) as rio:
        if len(axes := flat.get("coordinate_system", {}).get("axis", ())) > 2:
            # its name, and its code if it has one, are those of three axes
            flat["coordinate_system"]["axis"] = axes[:2]
            flat.pop("id", None)
        return rio.crs.CRS.from_user_input(json.dumps(flat))


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
        axes = system.get("axis", ())
        if system.get("subtype") == "vertical" or len(axes) > 2:
            unit = axes[-1]["unit"]
            return along, str(unit["name"] if isinstance(unit, dict) else unit)
    return along, None


def same(one: str, other: str) -> bool:
    """Return whether two names mean the same system."""
    if one == other:
        return True
    return bool(_system("crs", one) == _system("crs", other))


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
    return f"{plain(float(values.min()))}..{plain(float(values.max()))}"
