"""Beds of rivers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import perlin
from weald.geometry import Grid
from weald.terrain.hydrology import carve, drainage
from weald.terrain.terrain import Terrain

LEAST = 25 * 400.0


def hills(seed, voids=0.0, n=50):
    grid = Grid(1e6, -2e6, 20, n, n)
    heights = (perlin(seed, frequency=1 / 500).fbm(octaves=6) * 200).sample(grid)
    heights[np.random.default_rng(seed).random((n, n)) < voids] = np.nan
    return Terrain(grid, heights)


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.02]), st.sampled_from([0.0, 2.0]))
@settings(max_examples=20)
def test_rivers_lie_lower_never_rise_and_flow_as_they_did(seed, voids, depth):
    terrain = hills(seed, voids)
    water = drainage(terrain)
    rivers = water.rivers(LEAST)
    carved = carve(water, LEAST, depth=depth)
    same = ~rivers.mask
    np.testing.assert_array_equal(carved.heights[same], terrain.heights[same])
    assert (carved.heights[rivers.mask] <= terrain.heights[rivers.mask]).all()
    for reach in rivers.reaches:
        j, i = (np.rint((reach.xy[:, axis] - low) / 20).astype(int) for axis, low in ((1, -2e6), (0, 1e6)))
        assert (np.diff(carved.heights[j, i]) <= 0).all()
    # no river crosses a lake any more
    again = drainage(carved)
    np.testing.assert_array_equal(again.filled[rivers.mask], carved.heights[rivers.mask])


def test_larger_rivers_have_deeper_beds():
    slope = Terrain(Grid(0, 0, 10, 5, 40), np.add.outer(np.arange(40.0) * 5, [20, 10, 0, 10, 20]))
    water = drainage(slope)
    cut = slope.heights - carve(water, 1000, depth=2.0).heights
    area = water.area[:, 2]
    np.testing.assert_allclose(cut[:, 2], np.where(area >= 1000, 2.0 * np.sqrt(area / 1000), 0.0))


def test_a_bed_below_the_sky_is_refused():
    with pytest.raises(InputError, match="depth: got -1; give metres from 0"):
        carve(drainage(hills(1)), LEAST, depth=-1)
