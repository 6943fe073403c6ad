"""Distances to shapes: against exact brute force and shapely, from anywhere, in any order."""

import math
import pickle
import sys

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError, MissingExtraError
from weald.fields import distance_to, perlin
from weald.fields.segments import Segments
from weald.geometry import Grid

rng = np.random.default_rng(8)
X, Y = rng.uniform(-30, 130, (2, 4000))
L_SHAPE = [(0, 0), (80, 0), (80, 30), (30, 30), (30, 90), (0, 90)]
RING = shapely.Polygon([(0, 0), (60, 0), (60, 60), (0, 60)], [[(20, 20), (40, 20), (40, 40), (20, 40)]])


def walk(seed, steps=40, far=0.0):
    generator = np.random.default_rng(seed)
    return generator.uniform(0, 100, 2) + np.cumsum(generator.normal(0, 4, (steps, 2)), axis=0) + far


def brute_force(ends, x, y):
    """Return the distance to the nearest segment, in extended precision, each against each."""
    ends, x, y = (np.asarray(part, np.longdouble) for part in (ends, x, y))
    ax, ay, bx, by = ends.T
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    px, py = x[:, None] - ax, y[:, None] - ay
    t = np.clip((px * dx + py * dy) / np.where(length == 0, 1, length), 0, 1)
    return np.sqrt((px - t * dx) ** 2 + (py - t * dy) ** 2).min(axis=1)


def pairs(line):
    return np.hstack([line[:-1], line[1:]])


# --- exactness --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("far", [0.0, -3e5, 1e8])
def test_distances_are_exact_to_rounding(far):
    lines = [walk(seed, far=far) for seed in range(12)]
    x, y = X[:1500] + far, Y[:1500] + far
    expected = brute_force(np.concatenate([pairs(line) for line in lines]), x, y)
    assert np.abs(distance_to(lines, kind="line")(x, y) - expected).max() < 5e-14
    points = np.concatenate(lines)
    expected = brute_force(np.hstack([points, points]), x, y)
    assert (np.abs(distance_to(points)(x, y) - expected) <= 4e-16 * expected).all()


coordinates = st.integers(-20, 20) | st.floats(-20, 20)


@given(st.lists(st.tuples(*[coordinates] * 4), min_size=1, max_size=40), st.floats(0.1, 50) | st.just(math.inf))
def test_any_segments(ends, within):
    ends = np.array(ends, np.float64)
    x, y = X[:300] / 3, Y[:300] / 3
    # places on ends and on middles as well
    x = np.concatenate([x, ends[:, 0], (ends[:, 0] + ends[:, 2]) / 2])
    y = np.concatenate([y, ends[:, 1], (ends[:, 1] + ends[:, 3]) / 2])
    found = Segments.of(ends).distance(x, y, within)
    assert np.abs(found - np.minimum(brute_force(ends, x, y), within)).max() < 1e-13
    assert (found[300 : 300 + len(ends)] == 0).all()


@given(st.permutations(range(200)))
def test_the_order_of_asking_changes_no_bit(order):
    segments = Segments.of(np.concatenate([pairs(walk(seed)) for seed in range(30)]))
    x, y = X[:200], Y[:200]
    found = segments.distance(x, y, math.inf)
    assert np.array_equal(segments.distance(x[order], y[order], math.inf), found[order])


def test_of_distances_that_differ_by_rounding_the_least_is_found():
    # midway between level segments, as far from each of their boxes: nothing may be left out too soon
    generator = np.random.default_rng(2)
    differ = 0
    for _ in range(300):
        height, length = generator.uniform(0.1, 9), generator.uniform(1, 60, 12)
        rows = np.where(np.arange(12) % 2, 0.0, 2 * height)
        ends = np.stack([50 - length, rows, 50 + length, rows], axis=1)
        alone = [
            Segments.of(ends[k : k + 1]).distance(np.array([50.3]), np.array([height]), math.inf) for k in range(12)
        ]
        assert Segments.of(ends).distance(np.array([50.3]), np.array([height]), math.inf) == min(alone)
        differ += len(np.unique(alone)) > 2
    assert differ > 10


def test_shapely_says_the_same():
    shapes = shapely.from_wkt(
        "GEOMETRYCOLLECTION (POINT (-20 100), LINESTRING (90 0, 100 50, 120 60), "
        "POLYGON ((0 0, 60 0, 60 60, 0 60, 0 0), (20 20, 40 20, 40 40, 20 40, 20 20)), "
        "MULTIPOINT ((110 110), (90 120)), MULTIPOLYGON (((70 70, 80 70, 75 80, 70 70))))"
    )
    expected = shapely.distance(shapes, shapely.points(X, Y))
    field = distance_to(shapes)
    assert field(X, Y) == pytest.approx(expected, abs=1e-12)
    assert (field(X, Y) == 0).any()
    assert repr(field) == "distance_to(<3 points, 1 line, 2 polygons>)"


# --- polygons ---------------------------------------------------------------------------------------------


def test_inside_a_polygon_the_distance_is_zero_and_in_its_hole_not():
    field = distance_to(RING)
    assert field([10, 30, 23, 70, 60], [10, 30, 25, 10, 10]).tolist() == [0, 10, 3, 10, 0]
    assert field.range == (0, math.inf)


def test_signed_distances():
    field = distance_to(RING, signed=True)
    assert field([10, 30, 23, 70, 60], [10, 30, 25, 10, 10]).tolist() == [-10, 10, 3, 10, 0]
    assert field.range == (-30, math.inf)
    outline = shapely.distance(RING.boundary, shapely.points(X, Y))
    expected = np.where(shapely.contains_xy(RING, X, Y), -outline, outline)
    assert field(X, Y) == pytest.approx(expected, abs=1e-12)
    near = distance_to(RING, signed=True, within=4)
    assert near.range == (-4, 4)
    assert np.array_equal(near(X, Y), np.clip(field(X, Y), -4, 4))


def test_overlapping_polygons_have_one_outline():
    left, right = [(0, 0), (60, 0), (60, 40), (0, 40)], [(40, 0), (100, 0), (100, 40), (40, 40)]
    field = distance_to([left, right], kind="polygon", signed=True)
    assert field([50, 50], [20, 50]).tolist() == [-20, 10]
    assert field.range == (-20, math.inf)
    assert distance_to([left, right], kind="polygon")([50, 50], [20, 50]).tolist() == [0, 10]


@given(st.integers(0, 10**6), st.floats(1, 60))
def test_values_keep_to_their_range(seed, within):
    corners = np.random.default_rng(seed).uniform(0, 100, (3, 2))
    for signed in (False, True):
        field = distance_to(corners, kind="polygon", signed=signed, within=within)
        values = field(X[:500], Y[:500])
        assert field.range[0] <= values.min()
        assert values.max() <= field.range[1]


# --- ways to give shapes ----------------------------------------------------------------------------------


def test_every_way_to_give_a_line_means_the_same():
    line = walk(1)
    expected = distance_to(line, kind="line")(X, Y)
    geometry = shapely.LineString(line)
    feature = {"type": "Feature", "properties": {}, "geometry": geometry.__geo_interface__}

    class Road:
        __geo_interface__ = feature

    for way in (
        geometry,
        [geometry],
        shapely.MultiLineString([geometry]),
        shapely.force_3d(geometry, 5.0),
        np.array([geometry], object),
    ):
        assert np.array_equal(distance_to(way)(X, Y), expected)
    for way in (
        geometry.__geo_interface__,
        feature,
        {"type": "FeatureCollection", "features": [feature, feature]},
        Road(),
        iter([Road()]),
    ):
        assert np.array_equal(distance_to(way, shapes_crs="world")(X, Y), expected)
    for way in (line, line.tolist(), [line], np.array([line, line]), tuple(map(tuple, line))):
        assert np.array_equal(distance_to(way, kind="line")(X, Y), expected)


def test_points_one_or_many():
    assert distance_to((3, 4))(0, 0) == 5
    assert distance_to([[3, 4], [0, 1]])(0, 0) == 1
    assert repr(distance_to(np.zeros((7, 2)))) == "distance_to(<7 points>)"
    assert distance_to([(3, 4), (5, 12), (8, 15)])(0, 0) == 5


def test_arrays_of_points_and_lines_need_no_shapely(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    assert distance_to([(0, 0), (10, 0)], kind="line")(5, 3) == 3
    assert distance_to([(0, 0), (10, 0)])(5, 0) == 5
    with pytest.raises(MissingExtraError, match=r"weald\[vector\]"):
        distance_to(L_SHAPE, kind="polygon")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: distance_to([]), "shapes: got none"),
        (lambda: distance_to(5), "shapes: got 5; give shapely geometries"),
        (lambda: distance_to("road.shp"), "shapes: got 'road.shp'"),
        (lambda: distance_to([(0, 0, 0)]), r"shape 0: got corners of shape \(1, 3\)"),
        (lambda: distance_to(["a"]), "shape 0: got 'a'"),
        (lambda: distance_to(np.zeros((0, 2))), "shape 0: it is empty"),
        (lambda: distance_to([(0, 0)], kind="line"), "shape 0: a line of 1 points; give at least 2"),
        (lambda: distance_to([[(0, 0), (1, 1)], [(0, math.nan), (1, 1), (2, 1)]]), r"shape 1: corner 0 is \(0.0, nan"),
        (lambda: distance_to([(0, 0), (1, 1)], kind="polygon"), "2 different corners"),
        (lambda: distance_to([(0, 0), (1, 1), (0, 1), (1, 0)], kind="polygon"), "Self-intersection"),
        (lambda: distance_to([(0, 0)], kind="lines"), r"kind: got 'lines' \(did you mean 'line'\?\)"),
        (lambda: distance_to(shapely.Point()), "shape 0: the Point is empty"),
        (lambda: distance_to(shapely.LineString([(0, 0), (1, math.inf)])), r"corner 1 is \(1.0, inf\)"),
        (lambda: distance_to({"type": "Line"}), "shape 0: got .*'Line'.*, which is no GeoJSON geometry"),
        (lambda: distance_to({"type": "Feature", "geometry": None}), "the feature has no geometry"),
        (lambda: distance_to([(0, 0)], signed=True), "signed: got 1 point, and only polygons"),
        (lambda: distance_to([(0, 0)], within=0), "within: got 0; give metres above 0"),
        (lambda: distance_to([(0, 0)], within=math.nan), "within: got nan"),
        (lambda: distance_to([(0, 0)], within="2"), "within: got '2'"),
    ],
)
def test_what_is_no_shape_is_refused(make, says):
    with pytest.raises(InputError, match=says):
        make()


# --- as a field -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corner", [-40.25, 1e9])
def test_a_window_is_cut_from_the_whole(corner):
    lines = [walk(seed, far=corner + 40) for seed in range(5)]
    ring = shapely.transform(RING, lambda xy: xy + corner + 40)
    for field in (distance_to(lines, kind="line"), distance_to([ring, *map(shapely.LineString, lines)], within=50)):
        whole = field.sample(Grid(corner, corner, 0.25, 700, 90))
        assert np.array_equal(field.sample(Grid(corner + 150, corner + 5, 0.25, 77, 60)), whole[20:80, 600:677])
        mixed = whole.reshape(-1)[::-1]
        grid = Grid(corner, corner, 0.25, 700, 90)
        x, y = (axis.reshape(-1)[::-1] for axis in np.meshgrid(grid.x, grid.y))
        assert np.array_equal(field(x, y), mixed)


def test_no_place_has_no_distance():
    assert np.isnan(distance_to((0, 0))([math.nan, math.inf, 0], [0, 0, -math.inf])).all()
    assert np.isnan(distance_to(RING, signed=True)(math.nan, 0))


def test_distances_combine_and_travel():
    river = distance_to(walk(3), kind="line", within=200)
    bank = (1 - river / 20).max(0) ** 2
    assert bank.range == (0, 1)
    ragged = river.warp(perlin("bank", 1 / 15) * 4, 0)
    assert repr(ragged).startswith("distance_to(<1 line>, within=200).warp(")
    for field in (bank, ragged, distance_to(RING, signed=True)):
        assert np.array_equal(pickle.loads(pickle.dumps(field))(X, Y), field(X, Y))
