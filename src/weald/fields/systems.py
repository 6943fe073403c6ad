"""Coordinate systems of shapes: which system each is given in, and the way from there to the world's metres.

GeoJSON is in longitude and latitude by its standard (RFC 7946, section 4), unless an older file says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald import projection
from weald.errors import InputError
from weald.numbers import shown_box

Floats = NDArray[np.float64]
Way: TypeAlias = Callable[[Floats], Floats]
"""From coordinates of shape (n, 2) to metres of the world."""

WORLD = "world"
"""What ``shapes_crs`` says of shapes that are in the world's metres, whatever they claim."""
_DEGREES = "EPSG:4326"


@dataclass(frozen=True, slots=True)
class Systems:
    """What the caller said.

    Attributes
    ----------
    world
        The system of the world's metres, None if it was not given.
    told
        The system of the shapes, which counts more than what they say; None if they are to be believed.
    """

    world: str | None = None
    told: str | None = None

    @classmethod
    def of(cls, world: Any, told: Any) -> Systems:
        """Return the systems that were given, checked."""
        if told is not None and not (isinstance(told, str) and told == WORLD):
            told = _named("shapes_crs", told)
        if world is not None:
            named = _named("crs", world)
            projection.in_metres("crs", named)
            world = named
        elif told not in (None, WORLD):
            raise InputError(
                f"shapes_crs: is {told[:60]}, and crs is not given; give crs as well, the system of the world's "
                "metres, such as terrain.crs"
            )
        return cls(world, told)

    def way(self, stated: str | None, name: str) -> Way | None:
        """Return the way from the system that shapes state; None if they are in the world's metres."""
        source = stated if self.told is None else self.told
        if source in (None, WORLD):
            return None
        assert source is not None
        if self.world is None:
            raise InputError(
                f"{name}: is in {source[:60]}, and crs is not given; give crs, the system of the world's metres, "
                f"such as terrain.crs, or shapes_crs={WORLD!r} if the numbers are the world's metres already"
            )
        if projection.same(source, self.world):
            return None
        step = projection.Projection(source, self.world)

        def forward(xy: Floats) -> Floats:
            return np.column_stack(step.forward(xy[:, 0], xy[:, 1]))

        return forward

    def of_geojson(self, mapping: Mapping[str, Any], xy: Floats, name: str) -> str | None:
        """Return the system of GeoJSON that has these coordinates; None if it is in the world's metres."""
        if self.told is not None:
            return self.told
        stated = _of_member(mapping, name)
        if stated is not None:
            return stated
        # all that a place can have, and longitudes from 0 to 360
        degrees = bool((np.abs(xy) <= (360.0, 90.0)).all())
        spans = shown_box(*xy.min(axis=0).tolist(), *xy.max(axis=0).tolist())
        if self.world is None and degrees:
            raise InputError(
                f"{name}: GeoJSON is in degrees by its standard, and spans {spans}; give crs, the system of the "
                f"world's metres, such as terrain.crs, or shapes_crs={WORLD!r} if the numbers are the world's metres"
            )
        if self.world is not None and not degrees:
            raise InputError(
                f"{name}: GeoJSON is in degrees by its standard, and {spans} are none; give shapes_crs, the system "
                f"that it is in, or {WORLD!r} if that is the world's"
            )
        return _DEGREES if degrees else None


def stated_by(value: Any) -> str | None:
    """Return the system that a table of geometries states in its ``crs``, as GeoDataFrames do; None if it has none."""
    return None if value.crs is None else _named("shapes", value.crs)


def _named(name: str, crs: Any) -> str:
    """Return a system as text: an EPSG code or WKT, from text, a number, or an object that offers WKT."""
    if isinstance(crs, str) and crs.strip():
        return crs
    if isinstance(crs, int) and not isinstance(crs, bool):
        return f"EPSG:{crs}"
    if callable(getattr(crs, "to_wkt", None)):
        return str(crs.to_wkt())
    raise InputError(f"{name}: got {crs!r} as coordinate system; give an EPSG code such as 'EPSG:32632', or WKT")


def _of_member(mapping: Mapping[str, Any], name: str) -> str | None:
    """Return what the member ``crs`` of older GeoJSON says."""
    member = mapping.get("crs")
    if member is None:
        return None
    try:
        return _named(name, member["properties"]["name"])
    except (KeyError, TypeError):
        raise InputError(f"{name}: has a member crs, {member!r}, which names no system; give shapes_crs") from None
