"""Polygons as conditions: against the textbook crossing test, and what is refused."""

import pickle
import sys

import numpy as np
import pytest
import shapely

from weald import poisson_disk
from weald.errors import InputError, MissingExtraError
from weald.fields import Condition, Field, inside
from weald.geometry import Bounds, Grid

L_SHAPE = [(0, 0), (8, 0), (8, 3), (3, 3), (3, 9), (0, 9)]
TRIANGLE = [(10.0, 1.0), (14.0, 2.0), (11.0, 6.0)]


def crossings(corners, x, y):
    odd = np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if ay != by:
            odd ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) / (by - ay) * (bx - ax))
    return odd


@pytest.mark.parametrize("far", [0.0, 5e6])
def test_inside_is_an_odd_number_of_crossings(far):
    outlines = [[(px + far, py - far) for px, py in outline] for outline in (L_SHAPE, TRIANGLE)]
    x, y = np.random.default_rng(0).uniform(-2, 16, (2, 20_000))
    x, y = x + far, y - far
    expected = crossings(outlines[0], x, y) | crossings(outlines[1], x, y)
    assert 0.1 < expected.mean() < 0.5
    assert np.array_equal(inside(outlines)(x, y), expected)
    assert np.array_equal(inside([outlines[1][::-1], outlines[0] + outlines[0][:1]])(x, y), expected)


def test_every_way_to_give_polygons_means_the_same():
    grid = Grid(-1.03, -0.98, 0.25, 70, 45)
    expected = inside([L_SHAPE]).sample(grid)
    assert expected.any()
    for way in (
        L_SHAPE,
        np.array(L_SHAPE),
        [np.array(L_SHAPE)],
        (L_SHAPE,),
        shapely.Polygon(L_SHAPE),
        [shapely.Polygon(L_SHAPE)],
        shapely.MultiPolygon([shapely.Polygon(L_SHAPE)]),
        iter([L_SHAPE]),
        shapely.force_3d(shapely.Polygon(L_SHAPE), 7.0),
    ):
        assert np.array_equal(inside(way).sample(grid, threads=4), expected)
    outline = {"type": "Polygon", "coordinates": [[*L_SHAPE, L_SHAPE[0]]]}
    feature = {"type": "Feature", "properties": {}, "geometry": outline}
    assert np.array_equal(inside(feature, shapes_crs="world").sample(grid, threads=4), expected)


def test_holes_overlaps_and_shared_edges():
    lake = shapely.Polygon([(0, 0), (10, 0), (10, 10), (0, 10)], [[(4, 4), (6, 4), (6, 6), (4, 6)]])
    assert inside(lake)([5, 2], 5).tolist() == [False, True]
    assert inside([lake, [(4, 4), (5.5, 4), (5.5, 6), (4, 6)]])([5, 5.9, 2], 5).tolist() == [True, False, True]
    halves = inside([[(0, 0), (5, 0), (5, 5), (0, 5)], [(5, 0), (9, 0), (9, 5), (5, 5)]])
    assert halves([4, 5, 6, 9.5], 2).tolist() == [True, True, True, False]


def test_it_is_a_condition_with_bounds():
    condition = inside([L_SHAPE, TRIANGLE])
    assert isinstance(condition, Condition)
    assert condition.bounds == Bounds(0, 0, 14, 9)
    assert repr(condition & (Field.of(0) > 1)) == "inside(<2 polygons>) & (0 > 1)"
    assert (~condition)(-5, -5)
    assert not condition(np.nan, 1)
    assert condition(np.arange(3)[:, None], [1, 2]).shape == (3, 2)


def test_it_travels_and_stays_fast():
    again = pickle.loads(pickle.dumps(inside([L_SHAPE])))
    # before the first call: preparing during one, in several threads, would be a race
    assert shapely.is_prepared(again.expression.shape)
    assert again(1, 1)
    assert again.bounds == Bounds(0, 0, 8, 9)


@pytest.mark.parametrize(
    ("polygons", "says"),
    [
        ([[(0, 0), (4, 4), (4, 0), (0, 4)]], r"polygon 0: Self-intersection\[2 2\]"),
        ([L_SHAPE, [(0, 0), (4, 4), (4, 0), (0, 4)]], r"polygon 1: Self-intersection"),
        (shapely.Polygon([(0, 0), (4, 4), (4, 0), (0, 4)]), r"Self-intersection\[2 2\]"),
        ([[(0, 0), (1, 1)]], "polygon 0: has 2 different corners; give at least 3"),
        ([[(0, 0), (1, 1), (0, 0), (1, 1)]], "has 2 different corners"),
        ([[(0, 0), (1, 1), (2, 2)]], "polygon 0"),
        ([L_SHAPE, [(0, 0), (np.nan, 1), (2, 2)]], r"polygon 1: corner 1 is \(nan, 1\.0\)"),
        ([[(0, 0), (np.inf, 1), (2, 2)]], r"corner 1 is \(inf, 1\.0\)"),
        ([], "polygons: got none"),
        (shapely.Polygon(), "empty"),
        (shapely.Point(1, 2), "got a Point"),
        ({"type": "LineString", "coordinates": [(0, 0), (100, 100)]}, "got a LineString, which has no inside"),
        ([shapely.LineString([(0, 0), (1, 1)])], "got a LineString"),
        (5, "polygons: got 5"),
        ("abc", "polygons: got 'abc'"),
        (["abc"], "polygon 0: got 'abc'"),
        ([[(0, 0, 0), (1, 1, 1), (1, 0, 0)]], r"shape \(3, 3\); give \(n, 2\)"),
        ([3, "x"], "polygon 0"),
    ],
)
def test_what_is_no_polygon_is_refused(polygons, says):
    with pytest.raises(InputError, match=says):
        inside(polygons)


def test_without_shapely_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(MissingExtraError, match=r"a polygon rule needs shapely: pip install 'weald\[vector\]'"):
        inside([L_SHAPE])


# --- the box of what polygons are combined with, and moved by -------------------------------------------------

EAST = Field.of(lambda x, y: x)
SWAY = Field.of(lambda x, y: np.sign(y - 4) * 3.0, range=(-3, 3))


@pytest.mark.parametrize(
    ("make", "box"),
    [
        (lambda p, q: p & (EAST > 4), (0, 0, 8, 9)),
        (lambda p, q: (EAST > 4) & p, (0, 0, 8, 9)),
        (lambda p, q: True & p & ~q, (0, 0, 8, 9)),
        (lambda p, q: (lambda x, y: x > 4) & p, (0, 0, 8, 9)),
        (lambda p, q: p & q.translate(-6, 2), (4, 3, 8, 8)),
        (lambda p, q: p & q, (0, 0, 8, 9)),  # nothing: any box will do
        (lambda p, q: p | q, (0, 0, 14, 9)),
        (lambda p, q: (p | q) & (EAST > 4) | q, (0, 0, 14, 9)),
        (lambda p, q: p.translate(100, -20), (100, -20, 108, -11)),
        (lambda p, q: p.scale((2, -1), about=(8, 0)), (-8, -9, 8, 0)),
        (lambda p, q: p.rotate_deg(90), (-9, 0, 0, 8)),
        (lambda p, q: p.rotate_deg(33, about=(7e8, -1)), None),
        (lambda p, q: p.warp(SWAY, 2), (-3, -2, 11, 7)),
        (lambda p, q: p.warp(SWAY, 0).warp(SWAY, 0), (-6, 0, 14, 9)),
    ],
)
def test_what_is_combined_and_moved_keeps_a_box(make, box):
    made = make(inside(L_SHAPE), inside(TRIANGLE))
    if box is not None:
        assert np.allclose(tuple(getattr(made.bounds, end) for end in ("xmin", "ymin", "xmax", "ymax")), box, atol=1e-9)
    width, depth = made.bounds.size
    x, y = np.random.default_rng(5).uniform(-1, 2, (2, 40_000))
    x, y = made.bounds.xmin + x * width, made.bounds.ymin + y * depth
    outside = ~made.bounds.contains(x, y)
    assert 0.5 < outside.mean() < 0.95
    assert not made(x[outside], y[outside]).any()


def test_boxes_are_not_made_up():
    p = inside(L_SHAPE)
    for without in (~p, p | (EAST > 4), p.warp(EAST, 0), p.warp(lambda x, y: x, 0), ~(p & (EAST > 4))):
        assert not hasattr(without, "bounds")


def test_a_polygon_with_conditions_is_a_domain():
    points = poisson_disk(inside(L_SHAPE) & (EAST > 2), 0.5, seed=1)
    x, y = points.xy.T
    assert len(points) > 50
    assert (inside(L_SHAPE)(x, y) & (x > 2)).all()
