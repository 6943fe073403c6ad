"""Shapes as they come: shapely geometries, GeoJSON and arrays, checked. The one file that imports shapely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError, require_extra
from weald.fields.systems import Systems, Way, stated_by
from weald.numbers import floats

Floats = NDArray[np.float64]

_FARTHEST = 1e100
"""Largest coordinate of a corner: its square is an ordinary number, which geometry libraries count on."""
Kind: TypeAlias = Literal["points", "line", "polygon"]


@dataclass(slots=True)
class Shapes:
    """Shapes, sorted: points and lines as arrays of x, y, shape (n, 2), and polygons as shapely ones."""

    points: list[Floats] = field(default_factory=list)
    lines: list[Floats] = field(default_factory=list)
    polygons: list[Any] = field(default_factory=list)
    systems: Systems = field(default_factory=Systems)

    @classmethod
    def of(cls, value: Any, kind: Kind, noun: str = "shape", systems: Systems | None = None) -> Shapes:
        """Return what was given as shapes, sorted; ``kind`` says what an array is, ``noun`` what errors call one."""
        shapes = cls(systems=systems or Systems())
        if _is_single(value):
            value = [value]
        elif not isinstance(value, Iterable) or isinstance(value, (str, bytes)):
            raise InputError(f"{noun}s: got {value!r}; give shapely geometries, GeoJSON, or arrays of x, y")
        for number, each in enumerate(value):
            shapes._add(each, kind, f"{noun} {number}")
        if not (shapes.points or shapes.lines or shapes.polygons):
            raise InputError(f"{noun}s: got none; give at least one")
        return shapes

    def _add(self, value: Any, kind: Kind, name: str) -> None:
        if _is_table(value):
            self._add_table(value, name)
        elif _is_geometry(value):
            self._add_geometry(value, name, self.systems.way(None, name))
        elif isinstance(value, Mapping):
            self._add_mapping(value, name)
        elif hasattr(value, "__geo_interface__"):
            self._add_mapping(value.__geo_interface__, name)
        elif kind == "polygon":
            self.polygons.append(checked_polygon(value, name, self.systems.way(None, name)))
        else:
            xy = _moved(np.atleast_2d(_coordinates(value, name)), self.systems.way(None, name), name)
            if kind == "line" and len(xy) < 2:
                raise InputError(f"{name}: a line of {len(xy)} points; give at least 2")
            (self.points if kind == "points" else self.lines).append(xy)

    def _add_table(self, table: Any, name: str) -> None:
        """Add the geometries of a GeoDataFrame or a GeoSeries, or of what is built like one."""
        way = self.systems.way(stated_by(table), name)
        for number, geometry in enumerate(table.geometry):
            if not _is_geometry(geometry):
                raise InputError(f"{name}: row {number} has no geometry, but {_short(geometry)}; leave it out")
            self._add_geometry(geometry, f"{name}: row {number}", way)

    def _add_mapping(self, mapping: Mapping[str, Any], name: str) -> None:
        found = list(_geometries(mapping, name))
        if not found:
            return
        xy = np.concatenate([shapely().get_coordinates(geometry) for geometry, _ in found])
        way = self.systems.way(self.systems.of_geojson(mapping, xy, name), name)
        for geometry, own in found:
            self._add_geometry(geometry, own, way)

    def _add_geometry(self, geometry: Any, name: str, way: Way | None) -> None:
        if geometry.is_empty:
            raise InputError(f"{name}: the {geometry.geom_type} is empty; leave it out")
        for part in shapely().get_parts(geometry):
            if part.geom_type == "Polygon":
                self.polygons.append(checked_polygon(part, name, way))
            elif part.geom_type in ("Point", "LineString", "LinearRing"):
                xy = _moved(_finite(shapely().get_coordinates(part), name), way, name)
                (self.points if part.geom_type == "Point" else self.lines).append(xy)
            else:
                self._add_geometry(part, name, way)


def checked_polygon(polygon: Any, name: str, way: Way | None = None) -> Any:
    """Return a polygon as a valid shapely one in the world's metres, or say what is wrong with it."""
    library = shapely()
    if isinstance(polygon, library.Geometry):
        _finite(library.get_coordinates(polygon), name)
        shape = library.force_2d(polygon)
    else:
        shape = library.Polygon(_outline(polygon, name))
    if way is not None:
        shape = library.transform(shape, lambda xy: _moved(xy, way, name))
    if not library.is_valid(shape):
        # such as "Self-intersection[5 5]"
        raise InputError(
            f"{name}: {library.is_valid_reason(shape)}; give an outline that does not cross or touch itself"
        )
    return shape


def _geometries(mapping: Mapping[str, Any], name: str) -> Iterator[tuple[Any, str]]:
    """Return the geometries of GeoJSON, each with the name that errors call it."""
    what = mapping.get("type")
    if what == "FeatureCollection":
        features = mapping.get("features", ())
        if not (isinstance(features, Sequence) and all(isinstance(feature, Mapping) for feature in features)):
            raise InputError(f"{name}: features is {_short(features)}; give a list of features")
        for number, feature in enumerate(features):
            yield from _geometries(feature, f"{name}: feature {number}")
    elif what == "Feature":
        if not isinstance(mapping.get("geometry"), Mapping):
            raise InputError(f"{name}: the feature has no geometry; leave it out")
        yield from _geometries(mapping["geometry"], name)
    else:
        try:
            geometry = shapely().geometry.shape(mapping)
        except Exception as error:  # whatever it stumbles on: KeyError, GeometryTypeError, GEOSException
            raise InputError(f"{name}: got {_short(mapping)}, which is no GeoJSON geometry ({error})") from error
        if geometry.is_empty:
            raise InputError(f"{name}: the {geometry.geom_type} is empty; leave it out")
        yield geometry, name


def _moved(xy: Floats, way: Way | None, name: str) -> Floats:
    """Return corners in the world's metres."""
    if way is None:
        return xy
    try:
        moved = way(xy)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    lost = np.flatnonzero(~np.isfinite(moved).all(axis=1))
    if lost.size:
        x, y = xy[lost[0]].tolist()
        raise InputError(f"{name}: the place ({x}, {y}) has none in the world's system; check crs and shapes_crs")
    return moved


def rings(polygons: Any) -> list[Floats]:
    """Return the outlines of polygons, holes as well, as closed arrays of x, y."""
    library = shapely()
    return [library.get_coordinates(ring) for ring in library.get_rings(library.get_parts(polygons))]


def is_outline(value: Any) -> bool:
    """Return whether a value is one array of x, y, rather than a sequence of them."""
    try:
        array = np.asarray(value)
    except ValueError:  # corners of several outlines of different lengths
        return False
    return array.ndim == 2 and array.dtype.kind in "iuf"


def shapely() -> Any:
    """Return the library, or say how to get it."""
    return require_extra("shapely", "vector", "a polygon rule")


def _is_geometry(value: Any) -> bool:
    return isinstance(getattr(value, "geom_type", None), str)


def _is_table(value: Any) -> bool:
    """Return whether a value is a table of geometries, as GeoDataFrames and GeoSeries are."""
    return hasattr(value, "crs") and hasattr(value, "geometry")


def _is_single(value: Any) -> bool:
    if _is_table(value) or _is_geometry(value) or isinstance(value, Mapping):
        return True
    if hasattr(value, "__geo_interface__") or is_outline(value):
        return True
    if isinstance(value, np.ndarray) and value.ndim == 0:  # it has no length
        return True
    return isinstance(value, (tuple, list, np.ndarray)) and len(value) == 2 and all(map(np.isscalar, value))


def _coordinates(value: Any, name: str) -> Floats:
    xy = floats(value)
    if xy is None:
        raise InputError(f"{name}: got {_short(value)}; give (x, y) corners, in metres")
    if xy.ndim not in (1, 2) or xy.shape[-1] != 2:
        raise InputError(f"{name}: got corners of shape {xy.shape}; give (n, 2): x and y of each")
    if not xy.size:
        raise InputError(f"{name}: it is empty; leave it out")
    return _finite(xy.reshape(-1, 2), name)


def _outline(polygon: Any, name: str) -> Floats:
    corners = _coordinates(polygon, name)
    distinct = len(np.unique(corners, axis=0))
    if distinct < 3:
        raise InputError(f"{name}: has {distinct} different corners; give at least 3")
    return corners


def _finite(corners: Floats, name: str) -> Floats:
    bad = np.flatnonzero(~(np.abs(corners) <= _FARTHEST).all(axis=1))
    if bad.size:
        x, y = corners[bad[0], :2].tolist()
        raise InputError(
            f"{name}: corner {bad[0]} is ({x}, {y}); give finite coordinates, up to {_FARTHEST:g} from the origin"
        )
    return corners


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
