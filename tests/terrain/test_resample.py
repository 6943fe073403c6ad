"""Other grids for the same ground: resampling and cropping."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.geometry import Bounds, Grid
from weald.terrain import cubic
from weald.terrain.terrain import Terrain

FAR = (500_000.0, 5_150_000.0)


def ground(function, origin=(0.0, 0.0), spacing=10.0, nx=12, ny=9):
    grid = Grid(*origin, spacing, nx, ny)
    x, y = np.meshgrid(grid.x - origin[0], grid.y - origin[1])
    return Terrain(grid, function(x, y) + 0.0 * x)


def naive_cubic(heights, u, v):
    """Keys' kernel with a = -1/2 over a sheet continued straight beyond its edges; voids by the rule."""

    def kernel(d):
        d = abs(d)
        return 1.5 * d**3 - 2.5 * d**2 + 1 if d <= 1 else -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2 if d < 2 else 0.0

    sheet = np.pad(heights, 1, mode="reflect", reflect_type="odd")
    ny, nx = heights.shape
    for weight, reach in ((kernel, 2), (lambda d: max(0.0, 1 - abs(d)), 1)):
        total = 0.0
        for j, i in itertools.product(range(ny + 2), range(nx + 2)):
            w = weight(v - (j - 1)) * weight(u - (i - 1))
            if w and abs(v - (j - 1)) < reach and abs(u - (i - 1)) < reach:
                total += w * sheet[j, i]
        if not math.isnan(total):
            return total
    return math.nan


@pytest.mark.parametrize("voids", [0.0, 0.08])
def test_the_kernel_agrees_with_the_naive_one(voids):
    rng = np.random.default_rng(5)
    heights = rng.normal(size=(9, 12))
    heights[rng.random(heights.shape) < voids] = np.nan
    u, v = np.append(rng.uniform(0, 11, 20), [0, 3, 11]), np.append(rng.uniform(0, 8, 20), [0, 5, 8])
    out = np.empty((v.size, u.size))
    cubic.resample(heights, u, v, out)
    naive = [[naive_cubic(heights, a, b) for a in u] for b in v]
    assert np.allclose(out, naive, atol=1e-12, equal_nan=True)
    assert np.isnan(out).any() == bool(voids)


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR])
def test_planes_stay_planes(origin):
    finer = ground(lambda x, y: 0.5 * x + 0.25 * y, origin).resample(3.0)
    assert finer.grid == Grid(*origin, 3.0, 37, 27)
    x, y = np.meshgrid(finer.grid.x - origin[0], finer.grid.y - origin[1])
    assert np.abs(finer.heights - (0.5 * x + 0.25 * y)).max() < 1e-6


def test_a_parabola_is_exact_away_from_the_edge_where_a_bilinear_surface_is_not():
    # a central difference is exact for a parabola, and so is the cubic through it
    coarse = ground(lambda x, y: 0.01 * (x - 50) ** 2)
    finer = coarse.resample(2.5)
    inner = (finer.grid.x >= 10) & (finer.grid.x <= 100)
    assert np.allclose(finer.heights[:, inner], 0.01 * (finer.grid.x[inner] - 50) ** 2, atol=1e-9)


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR])
def test_the_same_spacing_changes_nothing_voids_included(origin):
    rng = np.random.default_rng(1)
    heights = rng.normal(size=(9, 12))
    heights[rng.random(heights.shape) < 0.2] = np.nan
    terrain = Terrain(Grid(*origin, 0.3, 12, 9), heights)
    again = terrain.resample(0.3)
    assert again.grid == terrain.grid
    assert np.array_equal(again.heights, heights, equal_nan=True)


def test_a_void_stays_where_it_is_and_pulls_nothing_down():
    heights = np.full((9, 12), 500.0)
    heights[4, 6] = np.nan
    finer = Terrain(Grid(0, 0, 10, 12, 9), heights).resample(2.0)
    x, y = np.meshgrid(finer.grid.x, finer.grid.y)
    near = (np.abs(x - 60) < 10) & (np.abs(y - 40) < 10)
    assert np.isnan(finer.heights[near]).all()
    assert (finer.heights[~near] == 500.0).all()


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR])
def test_samples_beside_a_void_survive_a_finer_grid_that_meets_them_up_to_rounding(origin):
    rng = np.random.default_rng(2)
    heights = rng.normal(size=(60, 70))
    heights[rng.random(heights.shape) < 0.3] = np.nan
    # binary fractions of 0.3 add up to a hair more or less than it
    for parts in (3, 7, 13):
        finer = Terrain(Grid(*origin, 0.3, 70, 60), heights).resample(0.3 / parts)
        assert np.allclose(finer.heights[::parts, ::parts], heights, atol=1e-6, equal_nan=True)


def test_resampling_stays_on_the_ground():
    terrain = ground(lambda x, y: x)
    assert terrain.resample(7.0).grid == Grid(0, 0, 7.0, 16, 12)
    assert terrain.resample(40.0).grid == Grid(0, 0, 40.0, 3, 3)
    for spacing in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(InputError, match=r"spacing: got .*above 0"):
            terrain.resample(spacing)
    with pytest.raises(InputError, match="81 m is more than the ground has, 110 x 80 m"):
        terrain.resample(81.0)


@given(st.lists(st.floats(-20, 130), min_size=4, max_size=4), st.sampled_from([(0.0, 0.0), FAR, (0.1, -0.7)]))
def test_a_crop_keeps_every_height_in_the_box(corners, origin):
    terrain = ground(lambda x, y: np.sin(x * 0.7) * 9 + np.cos(x * y * 0.003) * 5, origin)
    x0, x1 = sorted(corners[:2])
    y0, y1 = sorted(corners[2:])
    full = terrain.grid.bounds
    if x1 - x0 < 1e-6 or y1 - y0 < 1e-6:
        return
    box = Bounds(origin[0] + x0, origin[1] + y0, origin[0] + x1, origin[1] + y1)
    if full.intersection(box) is None:
        return
    part = terrain.crop(box)
    x, y = np.meshgrid(np.linspace(box.xmin, box.xmax, 13), np.linspace(box.ymin, box.ymax, 13))
    assert np.allclose(part.height(x, y), terrain.height(x, y), atol=1e-6, equal_nan=True)
    # and no more than the cells that the box needs
    assert part.grid.nx <= (x1 - x0) / 10 + 3
    assert part.grid.ny <= (y1 - y0) / 10 + 3


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR, (0.1, 0.7)])
def test_a_crop_along_samples_has_just_those(origin):
    terrain = ground(lambda x, y: x + 100 * y, origin)
    g = terrain.grid
    part = terrain.crop((g.x[2], g.y[1], g.x[7], g.y[4]))
    assert np.array_equal(part.heights, terrain.heights[1:5, 2:8])
    assert part.grid.xmin == pytest.approx(g.x[2], abs=1e-9)


def test_bad_crops_are_refused():
    heights = np.zeros((9, 12))
    heights[:5, :5] = np.nan
    terrain = Terrain(Grid(0, 0, 10, 12, 9), heights)
    with pytest.raises(InputError, match=r"\(200\.0, 0\.0, 300\.0, 10\.0\) does not meet the ground"):
        terrain.crop((200, 0, 300, 10))
    with pytest.raises(InputError, match="no ground: all 9 samples are void"):
        terrain.crop((0, 0, 20, 20))
