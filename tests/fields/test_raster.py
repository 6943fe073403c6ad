"""Rasters as fields: exact at their samples, voids that never leak, ranges that hold."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import RegularGridInterpolator

from weald.errors import InputError
from weald.fields import raster
from weald.geometry import Grid

METHODS = ("nearest", "bilinear", "cubic")
ORIGINS = [(0, 0, 1), (-7, 3, 0.1), (1e9, -1e9, 0.1), (500000.3, 5150000.7, 0.01), (0.1, 0.2, 0.3)]


def ground(grid, voids=0.0, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.normal(100, 30, grid.shape)
    values[rng.random(grid.shape) < voids] = np.nan
    return values


def inner_places(grid, count=2000, seed=1):
    box = grid.bounds
    return np.random.default_rng(seed).uniform((box.xmin, box.ymin), (box.xmax, box.ymax), (count, 2)).T


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("xmin", "ymin", "spacing"), ORIGINS)
def test_samples_are_found_again_bit_for_bit_voids_and_edges_included(method, xmin, ymin, spacing):
    grid = Grid(xmin, ymin, spacing, 37, 23)
    values = ground(grid, voids=0.2)
    field = raster(grid, values, method=method)
    assert np.array_equal(field.sample(grid), values, equal_nan=True)
    assert np.array_equal(field(*np.meshgrid(grid.x, grid.y)), values, equal_nan=True)


@pytest.mark.parametrize("method", METHODS)
def test_outside_there_is_no_ground(method):
    field = raster(Grid(10, 20, 2, 4, 3), np.ones((3, 4)), method=method)
    just = np.nextafter
    assert np.isnan(
        field(
            [just(10, 0), just(16, 99), 12, 12, np.nan, np.inf, -1e300], [21, 21, just(20, 0), just(24, 99), 21, 21, 21]
        )
    ).all()
    assert field([10, 16, 10, 16], [20, 20, 24, 24]).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(("xmin", "ymin", "spacing"), ORIGINS)
def test_bilinear_is_scipys(xmin, ymin, spacing):
    grid = Grid(xmin, ymin, spacing, 20, 11)
    values = ground(grid)
    x, y = inner_places(grid)
    expected = RegularGridInterpolator((grid.y, grid.x), values)(np.stack([y, x], -1))
    # at 1e9 a coordinate is known to 1e-7 m, of a spacing of 0.1 m, and neighbours differ by some 100
    assert raster(grid, values)(x, y) == pytest.approx(expected, abs=1e-9 if abs(xmin) < 1e3 else 1e-3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("level", [0.3, -0.7, 1234.567])
def test_flat_ground_is_flat(method, level):
    grid = Grid(0, 0, 1, 5, 4)
    x, y = inner_places(grid)
    field = raster(grid, np.full(grid.shape, level), method=method)
    assert field.range == (level, level)
    assert (field(x, y) == level).all()


def test_nearest_takes_the_nearest():
    grid = Grid(-3, 5, 0.5, 20, 11)
    values = ground(grid)
    x, y = inner_places(grid)
    expected = values[np.round((y - 5) / 0.5).astype(int), np.round((x + 3) / 0.5).astype(int)]
    assert np.array_equal(raster(grid, values, method="nearest")(x, y), expected)
    assert raster(Grid(0, 0, 2, 2, 1), [[7, 8]], method="nearest")([0.9, 1, 1.1], 0).tolist() == [7, 8, 8]


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_cubic_reproduces_what_it_should(coefficients):
    """Planes everywhere, the edges too; and, away from the edges, products of quadratics."""
    a, b, c, d = coefficients
    grid = Grid(-2, 1, 0.5, 9, 8)
    x, y = inner_places(grid, 400)
    column, row = np.meshgrid(grid.x, grid.y)
    assert raster(grid, a + b * column + c * row, method="cubic")(x, y) == pytest.approx(a + b * x + c * y, abs=1e-12)

    def curved(x, y):
        return (a + b * x + x * x) * (c + d * y - y * y)

    inner = (x > grid.x[1]) & (x < grid.x[-2]) & (y > grid.y[1]) & (y < grid.y[-2])
    values = raster(grid, curved(column, row), method="cubic")(x[inner], y[inner])
    assert values == pytest.approx(curved(x[inner], y[inner]), abs=1e-10)


@pytest.mark.parametrize("voids", [0.0, 0.1])
def test_bilinear_and_cubic_are_continuous_across_cells(voids):
    grid = Grid(0, 0, 1, 30, 30)
    values = ground(grid, voids)
    along = np.random.default_rng(4).uniform(0, 29, 3000)
    line = np.random.default_rng(5).integers(1, 29, 3000).astype(float)
    for method in ("bilinear", "cubic"):
        field = raster(grid, values, method=method)
        for before, after in (
            (field(line - 1e-7, along), field(line + 1e-7, along)),
            (field(along, line - 1e-7), field(along, line + 1e-7)),
        ):
            both = ~np.isnan(before) & ~np.isnan(after)
            assert both.sum() > 800
            assert np.abs(before - after)[both].max() < 1e-3


def test_the_slope_of_cubic_is_continuous_inside():
    grid = Grid(0, 0, 1, 30, 30)
    field = raster(grid, ground(grid), method="cubic")
    line, along, h = np.arange(3.0, 26.0), np.linspace(3, 26, 23), 1e-4
    west = (field(line, along) - field(line - h, along)) / h
    east = (field(line + h, along) - field(line, along)) / h
    assert east == pytest.approx(west, abs=0.2)
    bilinear = raster(grid, ground(grid))
    kink = (bilinear(line + h, along) + bilinear(line - h, along) - 2 * bilinear(line, along)) / h
    assert np.abs(kink).max() > 10


@pytest.mark.parametrize("method", METHODS)
def test_one_void_empties_what_touches_it_and_no_more(method):
    grid = Grid(0, 0, 1, 9, 9)
    values = np.ones(grid.shape)
    values[4, 4] = np.nan
    places = Grid(0, 0, 0.25, 33, 33)
    here = np.isnan(raster(grid, values, method=method).sample(places))
    x, y = np.meshgrid(places.x, places.y)
    if method == "nearest":
        expected = (x >= 3.5) & (x < 4.5) & (y >= 3.5) & (y < 4.5)
    else:
        expected = (np.abs(x - 4) < 1) & (np.abs(y - 4) < 1)
    assert np.array_equal(here, expected)
    assert not (~np.isnan(values) & np.isnan(raster(grid, values, method=method).sample(grid))).any()


@pytest.mark.parametrize("method", ["nearest", "bilinear"])
def test_what_is_left_beside_voids_is_what_the_whole_ground_gives(method):
    grid = Grid(0, 0, 1, 12, 12)
    whole = ground(grid)
    holed = np.where(np.random.default_rng(3).random(grid.shape) < 0.15, np.nan, whole)
    x, y = inner_places(grid)
    values = raster(grid, holed, method=method)(x, y)
    known = ~np.isnan(values)
    assert 0.2 < known.mean() < 0.95
    assert np.array_equal(values[known], raster(grid, whole, method=method)(x, y)[known])


@given(
    st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6), st.sampled_from(METHODS), st.sampled_from([0.0, 0.3])
)
@settings(max_examples=150)
def test_ranges_hold(seed, nx, ny, method, voids):
    grid = Grid(-3, 1e6, 0.5, nx, ny)
    values = np.random.default_rng(seed).choice([-1.0, 1.0, 0.3], grid.shape)
    values[np.random.default_rng(seed + 1).random(grid.shape) < voids] = np.nan
    field = raster(grid, values, method=method)
    found = field.sample(Grid(-3, 1e6, 0.0625, max(8 * (nx - 1) + 1, 1), max(8 * (ny - 1) + 1, 1)))
    found = found[~np.isnan(found)]
    assert ((found >= field.range[0]) & (found <= field.range[1])).all()


def test_the_bound_of_cubic_holds_for_the_worst_samples():
    """All signs of the samples around one cell, with the grid ending near it: nothing reaches the stated bound."""
    t = np.linspace(0, 1, 17)
    for nx, ny, column, row in ((4, 4, 1, 1), (3, 4, 0, 1), (4, 3, 1, 1), (3, 3, 0, 0), (2, 2, 0, 0)):
        grid = Grid(0, 0, 1, nx, ny)
        x, y = np.meshgrid(column + t, row + t)
        # values are linear in the samples: the worst case at each place has the sign of each sample's weight
        weights = []
        for j, i in itertools.product(range(ny), range(nx)):
            unit = np.zeros(grid.shape)
            unit[j, i] = 1.0
            weights.append(raster(grid, unit, method="cubic")(x, y))
        worst = np.abs(weights).sum(0).max()
        assert worst <= 1.875
    assert raster(Grid(0, 0, 1, 4, 4), np.arange(16).reshape(4, 4), method="cubic").range == (-6.5625, 21.5625)


def test_ranges_are_of_the_field_not_of_the_window():
    field = raster(Grid(0, 0, 1, 5, 1), [[5, np.nan, -2, 7, 1]])
    assert field.range == (-2, 7)
    field.sample(Grid(0, 0, 1, 1, 1))
    assert field.range == (-2, 7)
    assert raster(Grid(0, 0, 1, 2, 1), [[np.nan, np.nan]]).range == (0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_a_window_is_cut_from_the_whole_and_threads_change_nothing(method):
    grid = Grid(-1000, 2000, 8, 120, 80)
    field = raster(grid, ground(grid, 0.05), method=method)
    whole = field.sample(Grid(-1010, 1990, 0.5, 1100, 300), threads=1)
    part = field.sample(Grid(-910, 2040, 0.5, 700, 100), threads=8)
    assert np.array_equal(part, whole[100:200, 200:900], equal_nan=True)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1)])
def test_single_rows_and_columns(method, shape):
    grid = Grid(0, 0, 1, shape[1], shape[0])
    values = ground(grid)
    field = raster(grid, values, method=method)
    assert np.array_equal(field.sample(grid), values)
    if shape == (1, 5):
        assert not np.isnan(field([0.5, 2.25, 3.9], 0)).any()
        assert np.isnan(field(0.5, 0.5))


def test_float32_and_integers_give_the_float64_values():
    grid = Grid(0, 0, 1, 6, 5)
    values = ground(grid).astype(np.float32)
    x, y = inner_places(grid, 300)
    for method in METHODS:
        assert np.array_equal(
            raster(grid, values, method=method)(x, y), raster(grid, values.astype(float), method=method)(x, y)
        )
    whole = np.arange(30, dtype=np.uint8).reshape(5, 6)
    assert raster(grid, whole)(2.5, 3.5) == 23.5
    assert raster(grid, whole > 9, method="nearest")(0, 2) == 1.0


def test_the_values_are_copied_and_travel():
    values = np.ones((2, 2))
    field = raster(Grid(0, 0, 1, 2, 2), values)
    values[:] = 9
    assert field(0.5, 0.5) == 1
    assert pickle.loads(pickle.dumps(field))(0.5, 0.5) == 1
    assert repr(field) == "raster(Grid(xmin=0.0, ymin=0.0, spacing=1.0, nx=2, ny=2), ..., method='bilinear')"


@pytest.mark.parametrize(
    ("values", "method", "says"),
    [
        (np.ones((3, 2)), "bilinear", r"values: got shape \(3, 2\); give \(2, 3\)"),
        (np.ones((2, 3)), "bicubic", r"method: got 'bicubic' \(did you mean 'cubic'\?\)"),
        (np.ones((2, 3)), None, "method: got None"),
        (np.array([[1, 2, 3], [4, np.inf, 6]]), "bilinear", "values: inf in row 1, column 1; mark voids as NaN"),
        (np.ones((2, 3)) * 1j, "bilinear", "values: got type complex128"),
        ([["a"] * 3] * 2, "bilinear", "values: got type"),
    ],
)
def test_bad_rasters_are_refused(values, method, says):
    with pytest.raises(InputError, match=says):
        raster(Grid(0, 0, 1, 3, 2), values, method=method)
