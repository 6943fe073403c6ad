"""Contour lines, shores, and what is under water."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.geometry import Grid
from weald.terrain.terrain import Terrain

FAR = (500_000.0, 5_150_000.0)


def hill(origin=(0.0, 0.0), n=81):
    grid = Grid(origin[0] - 200, origin[1] - 200, 5, n, n)
    x, y = np.meshgrid(grid.x - origin[0], grid.y - origin[1])
    return Terrain(grid, 100 - 0.5 * np.hypot(x, y))


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR])
def test_a_cone_has_circles(origin):
    lines = hill(origin).contours(20)
    assert [line.level for line in lines[:4]] == [-40, -40, -40, -40]
    rings = [line for line in lines if line.level >= 20]
    assert [line.level for line in rings] == [20, 40, 60, 80]
    for line in rings:
        assert line.closed
        assert (line.xy[0] == line.xy[-1]).all()
        radius = np.hypot(*(line.xy - origin).T)
        assert np.allclose(radius, (100 - line.level) / 0.5, atol=0.1)


def area(xy):
    x, y = (xy - xy[0]).T
    return 0.5 * float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def test_higher_ground_lies_to_the_left():
    """So a summit is run around counter-clockwise, and a lake clockwise."""
    assert area(hill().contours(levels=[50])[0].xy) == pytest.approx(math.pi * 100**2, rel=0.01)
    lake = Terrain(hill().grid, -hill().heights)
    assert area(lake.shore(-50)[0].xy) == pytest.approx(-math.pi * 100**2, rel=0.01)


@given(seed=st.integers(0, 2**32 - 1), interval=st.floats(0.05, 3))
def test_vertices_stand_on_the_ground_at_their_level(seed, interval):
    rng = np.random.default_rng(seed)
    heights = rng.normal(size=(12, 15))
    heights[rng.random(heights.shape) < 0.05] = np.nan
    terrain = Terrain(Grid(*FAR, 3, 15, 12), heights)
    lines = terrain.contours(interval)
    for line in lines:
        assert np.allclose(terrain.height(*line.xy.T), line.level, atol=1e-6) or np.isnan(heights).any()
        assert len(line.xy) >= 2
    # all crossings of edges are there: as many vertices as edges between samples on either side
    if lines and not np.isnan(heights).any():
        level = lines[0].level
        above = heights > level
        crossed = (above[1:] != above[:-1]).sum() + (above[:, 1:] != above[:, :-1]).sum()
        found = sum(len(line.xy) - line.closed for line in lines if line.level == level)
        assert found == crossed


def test_voids_break_lines():
    heights = np.fromfunction(lambda j, i: j + 0.0 * i, (9, 20))
    whole = Terrain(Grid(0, 0, 1, 20, 9), heights).contours(levels=[4.5])
    assert [len(line.xy) for line in whole] == [20]
    heights[4, 10] = np.nan
    west, east = sorted(Terrain(Grid(0, 0, 1, 20, 9), heights).contours(levels=[4.5]), key=lambda c: c.xy[0, 0])
    assert (west.xy[:, 0].max(), east.xy[:, 0].min()) == (9, 11)
    assert not west.closed
    assert not east.closed


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR, (-1e9, 1e9)])
def test_contours_of_a_crop_are_those_of_the_whole(origin):
    rng = np.random.default_rng(9)
    grid = Grid(*origin, 2, 50, 40)
    x, y = np.meshgrid(np.arange(50), np.arange(40))
    heights = np.sin(x * 0.3) * 10 + np.cos(y * 0.21) * 8 + rng.normal(size=grid.shape)
    heights[20:22, 30] = np.nan
    whole = Terrain(grid, heights)
    part = whole.crop((origin[0] + 21, origin[1] + 13, origin[0] + 77, origin[1] + 60))
    box = part.grid.bounds

    def places(terrain):
        """Return vertices in the crop's box, each with its level."""
        rows = np.concatenate([np.column_stack([c.xy, np.full(len(c.xy), c.level)]) for c in terrain.contours(1.5)])
        x, y = rows[:, 0], rows[:, 1]
        return rows[(x >= box.xmin) & (x <= box.xmax) & (y >= box.ymin) & (y <= box.ymax)] - [*origin, 0]

    ours, theirs = places(part), places(whole)
    assert len(ours) > 300
    apart = np.abs(ours[:, None] - theirs).max(axis=-1)
    rounding = 4 * np.spacing(max(map(abs, origin)) + 100)
    # each vertex has its other, both ways
    assert apart.min(axis=1).max() < rounding
    assert apart.min(axis=0).max() < rounding


def test_water_and_its_shore():
    lake = Terrain(Grid(0, 0, 1, 41, 41), np.hypot(*np.meshgrid(np.arange(41) - 20, np.arange(41) - 20)) - 10)
    x, y = np.random.default_rng(3).uniform(0, 40, (2, 4000))
    under = lake.below(0, x, y)
    assert under.dtype == bool
    assert under.mean() == pytest.approx(math.pi * 100 / 1600, rel=0.1)
    (shore,) = lake.shore(0)
    assert shore.closed
    # the shore parts wet from dry: no place inside of it is dry
    from matplotlib.path import Path

    assert (Path(shore.xy).contains_points(np.stack([x, y], -1)) == under).mean() > 0.999
    assert not lake.below(0, [-5, np.nan], [3, 3]).any()
    # ground at the level itself is not under water
    assert not Terrain(Grid(0, 0, 1, 2, 2), np.zeros((2, 2))).below(0, 0.5, 0.5)
    assert lake.shore(-50) == lake.shore(99) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "contours: give interval, the metres between lines, or levels"),
        ({"interval": 1, "levels": [1]}, "and not both"),
        ({"interval": 0}, "interval: got 0; give a finite number of metres above 0"),
        ({"interval": math.nan}, "interval: got nan"),
        ({"interval": 1e-3}, r"interval: 0.001 m gives .* levels, more than 10,000; give more"),
        ({"levels": [1, math.inf]}, r"levels: got \[1, inf\]; give finite heights"),
    ],
)
def test_bad_levels_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        hill().contours(**given)


def test_levels_are_whole_multiples_and_sorted():
    assert sorted({c.level for c in hill().contours(25)}) == [-25, 0, 25, 50, 75]
    assert [c.level for c in hill().contours(levels=[80, 60, 80])] == [60, 80]
    assert hill().contours(levels=[]) == []
