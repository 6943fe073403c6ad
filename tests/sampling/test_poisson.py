"""The public function: its domain, mask, arguments and errors."""

import math
import tracemalloc

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Voronoi, cKDTree

import weald
from weald.errors import InputError
from weald.sampling.asked import SATURATION
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk


def test_a_point_set_is_an_array_of_coordinates():
    points = poisson_disk((0, 0, 50, 50), 3, seed=1)
    assert isinstance(points, PointSet)
    assert np.asarray(points).shape == (len(points), 2)
    assert np.asarray(points).dtype == np.float64
    assert np.asarray(points, dtype=np.float32).dtype == np.float32
    assert points.radius.shape == (len(points),)
    assert set(points.radius.tolist()) == {3.0}
    assert points.id.dtype == np.uint64
    assert len(set(points.id.tolist())) == len(points)
    assert repr(points) == f"PointSet({len(points)} points, seed=1)"
    assert len(list(points)) == len(points)
    with pytest.raises(ValueError, match="needs a copy"):
        points.__array__(np.float32, copy=False)


def test_density_is_that_of_random_saturation():
    # 0.547 is the packing of random sequential adsorption of discs at saturation
    points = poisson_disk(None, 1.0, seed="density", window=(0, 0, 600, 600))
    packing = len(points) * math.pi / 4 / 600**2
    assert packing == pytest.approx(0.547, abs=0.001)
    assert len(points) / 600**2 == pytest.approx(SATURATION, rel=0.002)


def test_points_have_no_preferred_direction_and_forget_the_cells():
    points = poisson_disk(None, 1.0, seed=3, window=(0, 0, 400, 400))
    pairs = cKDTree(points.xy).query_pairs(1.3, output_type="ndarray")
    d = points.xy[pairs[:, 0]] - points.xy[pairs[:, 1]]
    angle = 4 * np.arctan2(d[:, 1], d[:, 0])
    n = len(angle)
    assert np.hypot(np.cos(angle).mean(), np.sin(angle).mean()) < 4 / math.sqrt(n)
    cell = np.mod(points.xy[:, 0], 0.703125) / 0.703125
    counts, _ = np.histogram(cell, 10, (0, 1))
    assert abs(counts / len(points) - 0.1).max() < 0.004


def test_half_open_neighbours_share_no_point_and_leave_none_out():
    whole = poisson_disk(None, 2.0, seed=9, window=(-20, -20, 20, 20)).id
    parts = [
        poisson_disk(None, 2.0, seed=9, window=w).id
        for w in [(-20, -20, 3.3, 20), (3.3, -20, 20, 1.7), (3.3, 1.7, 20, 20)]
    ]
    assert sorted(np.concatenate(parts).tolist()) == sorted(whole.tolist())


@given(
    st.floats(-1e5, 1e5),
    st.floats(-1e5, 1e5),
    st.floats(0.01, 60),
    st.floats(0.01, 60),
    st.floats(0.8, 30),
    st.integers(),
)
def test_any_domain_is_filled_and_respected(x, y, width, depth, radius, seed):
    xmax, ymax = x + width, y + depth
    xy = poisson_disk((x, y, xmax, ymax), radius, seed=seed).xy
    assert len(xy) >= 1
    assert (xy >= (x, y)).all()
    assert (xy < (xmax, ymax)).all()
    if len(xy) > 1:
        assert cKDTree(xy).query(xy, k=2)[0][:, 1].min() >= radius
    grid = np.stack(np.meshgrid(np.linspace(x, xmax, 40), np.linspace(y, ymax, 40)), -1).reshape(-1, 2)
    assert cKDTree(xy).query(grid)[0].max() < radius * (1 + 2**-16)


@pytest.mark.parametrize("radius", [5, 1e3, 1e9])
def test_a_radius_larger_than_the_domain_gives_one_point(radius):
    for seed in range(20):
        points = poisson_disk((0, 0, 1, 1), radius, seed=seed)
        assert len(points) == 1
        assert points.radius.tolist() == [radius]


def test_the_one_point_is_anywhere():
    xy = np.concatenate([poisson_disk((10, 20, 11, 21), 50, seed=s).xy for s in range(400)])
    assert abs(xy.mean(axis=0) - (10.5, 20.5)).max() < 0.06
    assert xy.min(axis=0) == pytest.approx((10, 20), abs=0.02)


def test_no_run_of_a_long_domain_stops_early():
    counts = [len(poisson_disk((0, 0, 100, 20), 4, seed=s)) for s in range(300)]
    assert min(counts) >= 0.7 * np.median(counts)


def test_forbidden_everywhere_gives_nothing():
    points = poisson_disk((0, 0, 100, 100), 2, seed=1, allowed=lambda x, y: np.zeros(x.shape, bool))
    assert len(points) == 0
    assert points.xy.shape == (0, 2)


def test_mask_is_respected_and_filled_to_its_edge_and_across_a_river():
    def allowed(x, y):
        return (np.abs(x - 50) > 4) & (np.hypot(x - 20, y - 50) > 12)

    points = poisson_disk((0, 0, 100, 100), 1.5, seed=5, allowed=allowed)
    assert allowed(*points.xy.T).all()
    grid = np.stack(np.meshgrid(np.linspace(0, 100, 700), np.linspace(0, 100, 700)), -1).reshape(-1, 2)
    grid = grid[allowed(*grid.T)]
    # boxes of the edge that are given up are smaller than radius / 23
    assert cKDTree(points.xy).query(grid)[0].max() < 1.5 * (1 + math.sqrt(2) / 23)


def test_islands_and_narrow_strips_are_found():
    points = poisson_disk((0, 0, 200, 200), 2.0, seed=5, allowed=lambda x, y: np.abs(np.mod(x, 20) - 10) < 0.4)
    strips = np.unique((points.xy[:, 0] // 20).astype(int))
    assert strips.tolist() == list(range(10))
    for strip in range(10):  # each is filled along its length
        y = np.sort(points.xy[points.xy[:, 0] // 20 == strip][:, 1])
        assert np.diff(y).max() < 4.1


def test_voronoi_corners_show_no_hole():
    points = poisson_disk(None, 1.0, seed=8, window=(-5, -5, 125, 125))
    diagram = Voronoi(points.xy)
    corners = diagram.vertices[((diagram.vertices > 2) & (diagram.vertices < 118)).all(axis=1)]
    assert len(corners) > 15_000
    assert cKDTree(points.xy).query(corners)[0].max() < 1 + 2**-16


def test_a_shape_as_domain():
    diamond = weald.inside([(50, 0), (100, 50), (50, 100), (0, 50)])
    points = poisson_disk(diamond, 2, seed=1)
    assert diamond(*points.xy.T).all()
    grid = np.stack(np.meshgrid(np.linspace(0, 100, 400), np.linspace(0, 100, 400)), -1).reshape(-1, 2)
    assert cKDTree(points.xy).query(grid[diamond(*grid.T)])[0].max() < 2 * (1 + math.sqrt(2) / 23)
    west = poisson_disk(diamond, 2, seed=1, allowed=lambda x, y: x < 40)
    assert 0 < len(west) < len(points)
    assert (west.xy[:, 0] < 40).all()
    part = poisson_disk(diamond, 2, seed=1, window=(20, 20, 60, 60))
    inside = ((points.xy >= 20) & (points.xy < 60)).all(axis=1)
    np.testing.assert_array_equal(points.xy[inside], part.xy)


def test_a_small_allowed_patch_of_a_huge_domain_costs_what_the_patch_costs():
    patch = weald.inside([(4e5, 7e5), (4e5 + 100, 7e5), (4e5 + 100, 7e5 + 100), (4e5, 7e5 + 100)])
    tracemalloc.start()
    points = poisson_disk((0, 0, 1e6, 1e6), 0.5, seed=1, allowed=patch)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 27_000 < len(points) < 30_000
    assert patch(*points.xy.T).all()
    assert peak < 2e8


def test_window_outside_the_domain_is_empty():
    points = poisson_disk((0, 0, 10, 10), 1, seed=1, window=(20, 20, 30, 30))
    assert len(points) == 0


def test_seeds():
    box = (0, 0, 40, 40)
    first = poisson_disk(box, 2, seed=7)
    np.random.seed(3)  # noqa: NPY002 - the global generator must not matter
    assert np.array_equal(first.xy, poisson_disk(box, 2, seed=7).xy)
    assert not np.array_equal(first.xy[:5], poisson_disk(box, 2, seed=8).xy[:5])
    assert not np.array_equal(first.xy[:5], poisson_disk(box, 2, seed="7").xy[:5])
    drawn = poisson_disk(box, 2, seed=None)
    assert np.array_equal(drawn.xy, poisson_disk(box, 2, seed=drawn.seed).xy)
    assert drawn.seed != poisson_disk(box, 2, seed=None).seed
    assert len(poisson_disk(box, 2, seed=-(10**40))) > 100


@pytest.mark.parametrize(
    "radius", [0, -1, math.nan, math.inf, -math.inf, "4", True, np.True_, np.ones(1), None, 1e-200]
)
def test_bad_radius(radius):
    with pytest.raises(InputError, match="radius: got"):
        poisson_disk((0, 0, 1, 1), radius, seed=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bounds": (0, 0, 0, 1)}, "bounds: .* is empty"),
        ({"bounds": (0, 0, 1)}, "bounds: got"),
        ({"bounds": (0, 0, math.nan, 1)}, "bounds: xmax is nan"),
        ({"bounds": "here"}, "bounds: got"),
        ({"bounds": [(0, 0), (9, 0), (9, 9)]}, r"bounds: got 3 places; a polygon is weald.inside\(places\)"),
        ({"bounds": np.zeros((7, 2))}, r"bounds: got 7 places; a polygon is weald.inside\(places\)"),
        (
            {"allowed": np.ones((5, 5), bool)},
            r"allowed: got ndarray; give a function .* weald.raster\(grid, array\) > 0",
        ),
        ({"radius": np.ones((5, 4))}, r"radius: got an array of shape \(5, 4\); give .* weald.raster\(grid, array\)"),
        ({"bounds": None}, "window: bounds is None"),
        ({"window": (1, 1, 0, 0)}, "window: .* is empty"),
        ({"seed": 1.5}, "seed: got 1.5"),
        ({"seed": True}, "seed: got True"),
        ({"allowed": 3}, "allowed: got int"),
        ({"allowed": lambda x, y: x}, "allowed: the function returned float64"),
        ({"allowed": lambda x, y: np.ones(3, bool)}, r"allowed: .* array of shape \(3,\)"),
        ({"threads": 0}, "threads: got 0"),
        ({"threads": 1.0}, "threads: got 1.0"),
        ({"radius": 1e-9, "bounds": (0, 0, 1e4, 1e4)}, "GiB are free"),
        ({"bounds": (0, 0, 1e6, 1e6), "radius": 0.5, "allowed": lambda x, y: x < 9}, "an `allowed` that has bounds"),
        ({"bounds": shapely.box(0, 0, 9, 9)}, r"bounds: .* give weald.inside\(geometry\)"),
        ({"radius": 1e-3, "bounds": (1e12, 0, 1e12 + 1, 1)}, "bounds: 1000000000000.0 is more than .* from the origin"),
        ({"radius": 1e-3, "bounds": None, "window": (1e12, 0, 1e12 + 1, 1)}, "window: 1000000000000.0 is more than"),
    ],
)
def test_bad_arguments(arguments, message):
    good = {"bounds": (0, 0, 50, 50), "radius": 1.0, "seed": 1}
    with pytest.raises(InputError, match=message):
        poisson_disk(**{**good, **arguments})


def test_an_error_in_the_mask_comes_through():
    def broken(x, y):
        raise RuntimeError("my own")

    with pytest.raises(RuntimeError, match="my own"):
        poisson_disk((0, 0, 9, 9), 1, seed=1, allowed=broken)
