"""Caves, ore and tiles from a spec alone: what they mean is what the API means, in any chunk."""

import numpy as np
import pytest

from tests import worlds
from weald import hashing
from weald.errors import InputError
from weald.geometry import Grid
from weald.terrain.biomes import LAND, Tiles
from weald.terrain.caves import connected, regions, smoothed, speckle
from weald.world.spec import parse_spec
from weald.world.world import World

CAVE = "connected(smoothed(speckle('halls'), steps=5), tile=24, fill_below=6)"


def spec(**changes):
    return {
        "weald": 1,
        "seed": "under ground",
        "chunk": 48,
        "ground": {"formula": "where(cave, 0, 5) + where(passages > 0, -1, 0)", "spacing": 1},
        "noise": {"veins": {"scale": 9, "octaves": 1}, "hills": {"scale": 60}},
        "worms": {"passages": {"cell": 40, "steps": 90}},
        "fields": {"cave": CAVE, "ore": "pockets(veins, 0.7) and not cave", "level": "hills * 0.5 + 0.5"},
        "species": {"fern": worlds.species(shape="bush", height=1, crown_radius=0.4)},
        "layer": [{"name": "ferns", "species": "fern", "radius": 3, "where": "cave"}],
        **changes,
    }


def world(**changes):
    return World(parse_spec(spec(**changes), "caves.toml"))


def test_a_cave_in_a_spec_is_that_of_the_api():
    seed = "under ground"
    halls = speckle(hashing.key(seed, "speckle", "halls"))
    cave = connected(smoothed(halls, steps=5), tile=24, fill_below=6, seed=hashing.key(seed, "doors"))
    grid = Grid(-71.5, 24.5, 1, 72, 48)
    found = world().names.condition("cave", "test")
    assert np.array_equal(found.sample(grid), cave.sample(grid))
    assert regions(found.sample(grid)).connected
    ore = world().names.condition("ore", "test").sample(grid)
    assert 0.02 < ore.mean() < 0.4
    assert not (ore & cave.sample(grid)).any()


def test_chunks_of_a_cave_are_cut_from_the_whole():
    chunk = world().chunk(-3, 2)  # from (-144, 96) to (-96, 144)
    whole = world().ground.crop((-192, 48, -48, 192))
    assert np.array_equal(chunk.heights, whole.heights[48:97, 48:97])
    assert {-1.0, 0.0, 5.0} <= set(np.unique(chunk.heights))
    ferns = chunk.placements
    assert len(ferns) > 5
    assert world().names.condition("cave", "test")(*ferns.xyz[:, :2].T).all()


def test_another_seed_makes_other_caves():
    grid = Grid(0.5, 0.5, 1, 96, 96)
    one, other = (world(seed=seed).names.condition("cave", "test").sample(grid) for seed in (1, 2))
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.1


def test_tiles_are_biomes_of_one_measure():
    rows = [
        {"name": row["name"], "color": row["color"], **({"where": {"level": {"below": row["below"]}}} if n < 4 else {})}
        for n, row in enumerate(LAND)
    ]
    tiled = world(biomes={"climate": {"level": "level"}, "biome": rows})
    level = tiled.names.field("level", "test")
    grid = Grid(-1e6, 1e6, 3, 80, 60)
    assert np.array_equal(tiled.names.biomes.codes(grid), Tiles.from_table().classify(level).codes(grid))


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (
            "smoothed(level)",
            r"fields\.cave: 'smoothed\(level\)' cannot be: condition: got the field .*; compare it",
        ),
        ("smoothed(level > 0, steps=99)", r"cannot be: steps: got 99; give a whole number from 0 to 64"),
        ("connected(level > 0, tile=3)", r"cannot be: tile: got 3; give a whole number of cells from 8 to 1024"),
        ("pockets(level, 2)", r"cannot be: threshold: got 2; give a number from 0 to 1"),
        ("speckle(3, rok=1)", r"'speckle\(3, rok=1\)' cannot be: got an unexpected keyword argument 'rok'"),
    ],
)
def test_what_is_wrong_with_a_cave_is_said_where_it_stands(formula, message):
    with pytest.raises(InputError, match=message):
        world(fields={"cave": formula, "level": "hills"}).names.condition("cave", "test")
