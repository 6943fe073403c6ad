"""Shapes in degrees, or in another system than the world's: projected or refused, never taken for metres."""

import numpy as np
import pytest
import shapely

from weald import distance_to, inside
from weald.errors import InputError
from weald.projection import Projection

UTM = "EPSG:32632"
# a square kilometre of the world, in metres, and the same corners in degrees
METRES = np.array([(500_000.0, 5_200_000.0), (501_000, 5_200_000), (501_000, 5_201_000), (500_000, 5_201_000)])
DEGREES = np.column_stack(Projection(UTM, "EPSG:4326").forward(*METRES.T))
OUTLINE = {"type": "Polygon", "coordinates": [[*DEGREES.tolist(), DEGREES[0].tolist()]]}
WEB = np.column_stack(Projection(UTM, "EPSG:3857").forward(*METRES.T))
X, Y = np.array([500_001.0, 500_999, 499_999, 501_001]), np.full(4, 5_200_500.0)
WITHIN = [True, True, False, False]


class Table:
    """Built as a GeoDataFrame is, as far as weald looks."""

    def __init__(self, geometries, crs):
        self.geometry, self.crs = geometries, crs

    @property
    def __geo_interface__(self):
        features = [{"type": "Feature", "properties": {}, "geometry": g.__geo_interface__} for g in self.geometry]
        return {"type": "FeatureCollection", "features": features}


class System:
    """A system as pyproj has it."""

    def to_wkt(self):
        import rasterio

        return rasterio.crs.CRS.from_epsg(4326).to_wkt()


@pytest.mark.parametrize(
    "given",
    [
        OUTLINE,
        {"type": "Feature", "properties": {}, "geometry": OUTLINE},
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": OUTLINE}]},
        Table([shapely.Polygon(DEGREES)], "EPSG:4326"),
        Table([shapely.Polygon(DEGREES)], 4326),
        Table([shapely.Polygon(DEGREES)], System()),
        [Table([shapely.Polygon(DEGREES)], "EPSG:4326")],
        Table([shapely.Polygon(WEB)], "EPSG:3857"),
        {"type": "Polygon", "coordinates": [[*WEB.tolist(), WEB[0].tolist()]],
         "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}},
    ],
)  # fmt: skip
def test_what_states_its_system_is_projected_or_refused(given):
    area = inside(given, crs=UTM)
    assert area(X, Y).tolist() == WITHIN
    assert np.allclose([area.bounds.xmin, area.bounds.ymax], [500_000, 5_201_000], atol=1e-3)
    road = distance_to(given, crs=UTM)
    assert np.allclose(road(X, Y), [0, 0, 1, 1], atol=1e-3)
    for make in (inside, distance_to):
        with pytest.raises(InputError, match=r"give crs, the system of the world's metres, such as terrain\.crs"):
            make(given)


def test_the_refusal_says_what_the_numbers_are():
    with pytest.raises(InputError, match=r"polygon 0: GeoJSON is in degrees .* spans x 9 to 9\.013\d+, y 46\.9\d+ to"):
        inside(OUTLINE)
    with pytest.raises(InputError, match=r"polygon 0: is in EPSG:25832, and crs is not given"):
        inside(Table([shapely.Polygon(METRES)], "EPSG:25832"))


@pytest.mark.parametrize("given", [METRES, shapely.Polygon(METRES), [METRES], Table([shapely.Polygon(METRES)], None)])
def test_what_states_no_system_is_in_metres_of_the_world(given):
    assert inside(given)(X, Y).tolist() == WITHIN
    assert inside(given, crs=UTM)(X, Y).tolist() == WITHIN
    with pytest.raises(InputError, match=r"shapes_crs: is EPSG:25832, and crs is not given"):
        inside(given, shapes_crs="EPSG:25832")


def test_the_caller_knows_best():
    assert inside(DEGREES, crs=UTM, shapes_crs="EPSG:4326")(X, Y).tolist() == WITHIN
    assert inside(shapely.Polygon(DEGREES), crs=UTM, shapes_crs="EPSG:4326")(X, Y).tolist() == WITHIN
    assert np.allclose(
        distance_to(DEGREES[:2], kind="line", crs=UTM, shapes_crs="EPSG:4326")(500_500, 5_200_007), 7, atol=1e-3
    )
    metres = {"type": "Polygon", "coordinates": [[*METRES.tolist(), METRES[0].tolist()]]}
    assert inside(metres)(X, Y).tolist() == WITHIN  # no degrees are so large
    assert inside(metres, crs=UTM, shapes_crs="world")(X, Y).tolist() == WITHIN
    with pytest.raises(InputError, match=r"x 500000 to 501000, y 5200000 to 5201000 are none; give shapes_crs"):
        inside(metres, crs=UTM)
    small = {"type": "Polygon", "coordinates": [[[0, 0], [8, 0], [8, 8], [0, 0]]]}
    assert inside(small, shapes_crs="world")(7, 2)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"crs": "EPSG:4326"}, "crs: EPSG:4326 is in degrees; give a projected system in metres"),
        ({"crs": "EPSG:0"}, "crs: got 'EPSG:0'; give an EPSG code"),
        ({"crs": "utm"}, "crs: got 'utm'; give an EPSG code"),
        ({"crs": 7.5}, "crs: got 7.5 as coordinate system"),
        ({"crs": UTM, "shapes_crs": ""}, "shapes_crs: got '' as coordinate system"),
    ],
)
def test_systems_that_cannot_be(options, says):
    with pytest.raises(InputError, match=says):
        inside(OUTLINE, **options)


def test_tables_and_members_that_say_nothing():
    with pytest.raises(InputError, match="row 1 has no geometry, but None"):
        inside(Table([shapely.Polygon(METRES), None], None))
    with pytest.raises(InputError, match=r"has a member crs, .*which names no system"):
        inside(OUTLINE | {"crs": {"type": "link"}}, crs=UTM)
    with pytest.raises(InputError, match=r"polygon 0: .* have none in EPSG:32632"):
        inside({"type": "Polygon", "coordinates": [[[0, 91.0], [200, 89], [1, 89]]]}, crs=UTM, shapes_crs="EPSG:4326")
