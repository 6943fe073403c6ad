"""The mistakes that articles warn of, by their names: those of noise, biomes and caves.

Those of points and layers are in test_mistakes_of_points.py.
"""

import warnings

import numpy as np
import pytest

import weald
from tests import worlds
from weald.fields import perlin_classic
from weald.geometry import Grid
from weald.terrain.biomes import CLASSIC, Biomes
from weald.terrain.caves import connected, join, pockets, regions
from weald.world.world import World

GRID = Grid(0.5, 0.5, 1, 96, 96)


def test_zero_at_every_lattice_point():
    """Case 1: noise asked at whole cells, which the textbook's is zero at."""
    for maker in (weald.perlin, weald.simplex, perlin_classic):
        for octaves in (1, 5):
            noise = maker(seed=4, frequency=1 / 8).fbm(octaves=octaves)
            corners = noise(*(8.0 * np.random.default_rng(1).integers(-500, 500, (2, 400))))
            assert corners.std() > 0.05


def test_period_of_256():
    x = np.arange(600) * 0.37
    for noise, repeats in ((weald.perlin(seed=4, frequency=1.0), False), (perlin_classic(seed=4, frequency=1.0), True)):
        again = np.corrcoef(noise(x, 0.4), noise(x + 256, 0.4))[0, 1]
        assert (again > 0.999) == repeats
        assert repeats or abs(again) < 0.25


def test_per_window_normalisation():
    """A window of low ground stays low: nothing is stretched to what happens to be in view."""
    land = weald.perlin(seed=4, frequency=1 / 400).fbm(octaves=4) * 0.5 + 0.5
    small = land.sample(Grid(40.5, 30.5, 1, 8, 8))
    assert np.ptp(small) < 0.2
    assert np.array_equal(small, land.sample(GRID)[30:38, 40:48])
    assert np.array_equal(pockets(land).sample(Grid(40.5, 30.5, 1, 8, 8)), pockets(land).sample(GRID)[30:38, 40:48])


def test_noise_offset_not_tied_to_the_seed(tmp_path):
    """Groves move with the seed of a world, and of one world each noise has a seed of its own."""
    content = worlds.content()
    content["noise"] = {"groves": {"frequency": 0.011}, "wet": {"frequency": 0.011}}
    worlds.write_ground(tmp_path)
    here, there = (World.parse({**content, "seed": seed}, tmp_path).noise for seed in ("a", "b"))
    x, y = np.random.default_rng(1).uniform(-9e4, 9e4, (2, 4000))
    values = [noise[name](x, y) for noise in (here, there) for name in ("groves", "wet")]
    assert np.abs(np.corrcoef(values) - np.eye(4)).max() < 0.07


def test_same_seed_and_scale_for_two_biome_maps():
    height = weald.perlin(seed=4, frequency=1 / 60) * 0.5 + 0.5
    with pytest.warns(UserWarning, match="height and moisture are made of the same noise"):
        same = Biomes.from_table(CLASSIC, {"height": height, "moisture": height})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        moisture = weald.perlin(seed=5, frequency=1 / 90) * 0.5 + 0.5
        apart = Biomes.from_table(CLASSIC, {"height": height, "moisture": moisture})
    everywhere = Grid(0, 0, 20, 120, 120)
    assert len(np.unique(apart.codes(everywhere))) == len(apart.names)
    assert len(np.unique(same.codes(everywhere))) < len(same.names)


def test_caves_assumed_connected():
    cave = pockets(weald.perlin(seed=4, frequency=1 / 12), threshold=0.55)
    found = regions(cave.sample(GRID))
    assert len(found) > 5
    assert not found.connected
    assert regions(join(cave.sample(GRID)).mask).connected
    assert regions(connected(cave, tile=32).sample(GRID)).connected
