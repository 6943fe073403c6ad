"""The laws of the design, for erosion. Each can be run by anyone; none has a tolerance."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from weald._version import ALGORITHM
from weald.fields import Field, perlin
from weald.geometry import Bounds, Grid
from weald.terrain.endless import EndlessTerrain
from weald.terrain.erosion import erode, reach, thermal
from weald.terrain.terrain import Terrain

GOLDEN = Path(__file__).parents[1] / "golden" / "erosion.json"
HILLS = perlin("erosion", frequency=1 / 300).fbm(octaves=6) * 120

PROCESSES = pytest.mark.parametrize("process", [erode, thermal])


def ground(x, y, spacing, nx, ny):
    grid = Grid(x, y, spacing, nx, ny)
    return Terrain(grid, HILLS.sample(grid, threads=1))


def assert_same(a, b):
    assert a.grid == b.grid
    np.testing.assert_array_equal(a.heights, b.heights)


@PROCESSES
@given(
    st.sampled_from([(0.0, 0.0), (-3e6, 5e6), (0.3, -1e9)]),
    st.sampled_from([8.0, 0.7, 12.3]),
    st.sampled_from([0.0, 0.02, 0.3]),
    st.integers(1, 12),
    st.floats(-0.1, 0.95),
    st.floats(-0.1, 0.95),
    st.floats(0.01, 0.6),
    st.floats(0.01, 0.6),
)
@settings(max_examples=60)
def test_any_window_is_the_crop_of_the_whole(process, origin, spacing, voids, iterations, x, y, width, depth):
    terrain = ground(*origin, spacing, 60, 50)
    heights = np.where(np.random.default_rng(1).random(terrain.grid.shape) < voids, np.nan, terrain.heights)
    terrain = Terrain(terrain.grid, heights * 5)
    (w, d), box = terrain.grid.bounds.size, terrain.grid.bounds
    window = (box.xmin + x * w, box.ymin + y * d, box.xmin + (x + width) * w, box.ymin + (y + depth) * d)
    assume(box.intersection(Bounds(*window)) is not None)
    part = terrain.crop(window)
    if np.isnan(part.heights).all():
        return
    assert_same(
        process(terrain, iterations=iterations, window=window), process(terrain, iterations=iterations).crop(window)
    )


@PROCESSES
@pytest.mark.parametrize("spacing", [8.0, 0.7])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (-1_000_000, 2_000_000), (10**9, -(10**9))])
def test_windows_of_endless_ground_fit(process, x, y, spacing):
    """Any two windows agree on what they share, each eroded alone."""
    endless = EndlessTerrain(HILLS * 3, spacing)
    one = process(endless, iterations=20, window=(x, y, x + 60 * spacing, y + 40 * spacing))
    other = process(
        endless, iterations=20, window=(x + 24 * spacing, y - 9 * spacing, x + 77 * spacing, y + 30 * spacing)
    )
    assert np.abs(one.heights - endless.crop(one.grid.bounds).heights[: one.grid.ny, : one.grid.nx]).max() > 0.01
    i, j = (round(d / spacing) for d in (other.grid.xmin - one.grid.xmin, one.grid.ymin - other.grid.ymin))
    rows, columns = other.grid.ny - j, one.grid.nx - i
    assert min(rows, columns) >= 30
    np.testing.assert_array_equal(one.heights[:rows, i:], other.heights[j:, :columns])


@PROCESSES
def test_windows_of_endless_ground_read_the_stated_reach_and_no_more(process):
    spacing, iterations = 8.0, 12
    asked = []

    def field(x, y):
        asked.append((x.min(), y.min(), x.max(), y.max()))
        return 40 * np.sin(x / 50) * np.cos(y / 70)

    process(EndlessTerrain(Field.of(field), spacing), iterations=iterations, window=(0, 0, 400, 400))
    least, most = np.min(asked, axis=0)[:2], np.max(asked, axis=0)[2:]
    assert (least >= -reach(spacing, iterations)).all()
    assert (most <= 400 + reach(spacing, iterations)).all()


@PROCESSES
def test_what_lies_beyond_the_reach_does_not_matter_and_what_lies_within_does(process):
    terrain = ground(0, 0, 8.0, 80, 80)
    terrain = Terrain(terrain.grid, terrain.heights * 4)
    changed = terrain.heights.copy()
    changed[40, 40] += 300
    iterations = 10
    before, after = (
        process(t, iterations=iterations, talus_deg=20.0).heights for t in (terrain, Terrain(terrain.grid, changed))
    )
    j, i = np.nonzero(before != after)
    farthest = np.maximum(np.abs(j - 40), np.abs(i - 40)).max() * 8.0
    assert 0.5 * reach(8.0, iterations) < farthest <= reach(8.0, iterations)


@PROCESSES
def test_threads_do_not_matter(process):
    terrain = ground(0, 0, 8.0, 60, 60)
    windows = [(i, j, i + 100, j + 100) for i in (0, 150, 300) for j in (0, 150, 300)]

    def part(window):
        return process(terrain, iterations=10, window=window)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(part, windows))
    for window, made in zip(windows, together, strict=True):
        assert_same(made, part(window))


def golden_ground():
    terrain = ground(-1e6, 3e5, 8.0, 48, 40)
    terrain = Terrain(terrain.grid, terrain.heights * 4)
    return {
        name: [float(h).hex() for h in process(terrain, iterations=40).heights[::9, ::11].ravel()]
        for name, process in (("erode", erode), ("thermal", thermal))
    }


def test_values_have_not_changed():
    golden = json.loads(GOLDEN.read_text())
    assert golden["algorithm"] == ALGORITHM
    for name, made in golden_ground().items():
        assert made == golden[name], name
