"""Polygons as conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from weald.errors import InputError
from weald.fields.condition import Bounded
from weald.fields.expression import Expression, Places, Values
from weald.fields.shapes import Shapes, shapely
from weald.fields.systems import Systems
from weald.geometry import Bounds


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inside(Bounded):
    """The places inside polygons, made by `inside`; its ``bounds`` are the box around them."""

    @property
    def area(self) -> Area:
        """The polygons, all together."""
        assert isinstance(self.expression, Area)
        return self.expression


def inside(polygons: Any, *, crs: Any = None, shapes_crs: Any = None) -> Inside:
    """Return the condition that a place is inside polygons; an edge is not inside.

    Parameters
    ----------
    polygons
        One polygon or a sequence of them, each a sequence of (x, y) corners in metres, in either direction,
        closed or not; or a shapely Polygon or MultiPolygon, which may have holes; or as in GeoJSON, a
        geometry, Feature or FeatureCollection. Polygons may touch and overlap: a place is inside if it is
        inside any. Or a GeoDataFrame or a GeoSeries.
    crs
        The system of the world's metres, such as ``terrain.crs``: an EPSG code or WKT. Polygons that state
        another are projected to it, corner by corner: GeoJSON is in degrees, as its standard says, and a
        GeoDataFrame in its own ``crs``. Without it such polygons are refused. Arrays and plain shapely
        geometries are in the world's metres.
    shapes_crs
        The system that the polygons are in, where they do not say so, or say it wrong; ``"world"``: that of
        the world.

    Raises
    ------
    InputError
        If there is no polygon, one has fewer than three corners, a corner is not finite, or an outline
        crosses itself (the message says where), or if polygons are in another system than the world's and ``crs``
        is not given.
    MissingExtraError
        If shapely is not installed, or rasterio, which is needed to project.

    Examples
    --------
    >>> garden = inside([[(0, 0), (10, 0), (10, 5), (0, 5)]])
    >>> garden([5, 15], 2).tolist(), garden.bounds
    ([True, False], Bounds(xmin=0.0, ymin=0.0, xmax=10.0, ymax=5.0))
    """
    shapely()  # needed for arrays as well
    given = Shapes.of(polygons, "polygon", "polygon", Systems.of(crs, shapes_crs))
    for kind, others in (("Point", given.points), ("LineString", given.lines)):
        if others:
            raise InputError(f"polygons: got a {kind}, which has no inside; give polygons only")
    shape = given.polygons[0] if len(given.polygons) == 1 else shapely().union_all(given.polygons)
    return Inside(Area(shape), Bounds(*shape.bounds))


@dataclass(frozen=True, slots=True, eq=False)
class Area(Expression):
    """The inside of one shapely geometry."""

    shape: Any

    def __post_init__(self) -> None:
        shapely().prepare(self.shape)

    def __reduce__(self) -> tuple[type[Area], tuple[Any]]:
        # made anew from its shape: what was prepared is not pickled, and preparing it later, in several threads, would
        # be a race. Not by __setstate__, which dataclasses with slots replace by their own before Python 3.11.4
        return Area, (self.shape,)

    @property
    def inradius(self) -> float:
        """No less than the radius of the largest disc that fits in: half the narrower side of a polygon's box."""
        boxes = shapely().bounds(shapely().get_parts(self.shape))
        return float(0.5 * (boxes[:, 2:] - boxes[:, :2]).min(axis=1).max())

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 100.0

    def at(self, places: Places) -> Values:
        """Ask shapely about every place in the box around the polygons."""
        x, y = places.points()
        xmin, ymin, xmax, ymax = self.shape.bounds
        answers: Values = (x >= xmin) & (x <= xmax) & (y >= ymin) & (y <= ymax)
        answers[answers] = shapely().contains_xy(self.shape, x[answers], y[answers])
        return answers.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the call that made it, without the corners."""
        count = int(shapely().get_num_geometries(self.shape))
        return f"inside(<{count} polygon{'s' * (count != 1)}>)"
