"""Biomes: rules, the nearest climate, blended borders, and tables that cannot be used."""

import json
import math
import pickle
import tomllib
import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.naive import GOLDEN, mix
from weald.errors import InputError
from weald.fields import Field, perlin, raster
from weald.geometry import Grid
from weald.hashing import key
from weald.terrain.biomes import CLASSIC, Biomes, paint

VECTORS = Path(__file__).parents[2] / "golden" / "biomes.json"
height = perlin("height", 1 / 90).fbm(octaves=4).remap([(-0.5, 0), (0.5, 1)])
moisture = perlin("moisture", 1 / 60).fbm(octaves=3).remap([(-0.5, 0), (0.5, 1)])
climate = {"height": height, "moisture": moisture}
blended = Biomes.from_table({**CLASSIC, "blend_radius": 12.0, "seed": "soft"}, climate)
nearest_table = {
    "weights": {"moisture": 0.5},
    "biome": [
        {"name": "a", "color": "#111111", "at": {"height": 0.25, "moisture": 0.25}},
        {"name": "b", "color": "#222222", "at": {"height": 0.75, "moisture": 0.25}},
        {"name": "c", "color": "#333333", "at": {"height": 0.5, "moisture": 0.9}},
    ],
}


def constant_axes(h, m):
    return {"height": Field.of(h), "moisture": Field.of(m)}


@pytest.mark.parametrize(
    ("h", "m", "name"),
    [
        (0.1, 0.9, "water"),  # extremes of height come first, whatever the moisture
        (0.9, 0.1, "snow"),
        (0.85, 0.9, "snow"),
        (0.4, 0.7, "marsh"),
        (0.4, 0.1, "desert"),
        (0.4, 0.5, "grassland"),
        (0.7, 0.8, "dense forest"),
        (0.7, 0.2, "rocky mountains"),
        (0.3, 0.6, "marsh"),  # a lower end is inside
        (0.55, 0.6, "dense forest"),  # an upper end is not
    ],
)
def test_height_first_then_moisture(h, m, name):
    biomes = Biomes.from_table(CLASSIC, constant_axes(h, m))
    assert biomes.names[int(biomes(0, 0))] == name
    assert biomes.is_(name)(0, 0)


def test_rules_equal_a_walk_through_the_table():
    x, y = np.random.default_rng(4).uniform(-900, 900, (2, 600))
    codes = Biomes.from_table(CLASSIC, climate)(x, y)
    values = {axis: field(x, y) for axis, field in climate.items()}
    for k in range(x.size):
        holding = [
            number
            for number, row in enumerate(CLASSIC["biome"])
            if all(
                limit.get("from", -math.inf) <= values[axis][k] < limit.get("below", math.inf)
                for axis, limit in row.get("where", {}).items()
            )
        ]
        assert codes[k] == holding[0]
    assert len(np.unique(codes)) >= 5


def test_the_nearest_climate_equals_a_search():
    x, y = np.random.default_rng(5).uniform(-900, 900, (2, 500))
    codes = Biomes.from_table(nearest_table, climate)(x, y)
    h, m = height(x, y), moisture(x, y)
    for k in range(x.size):
        away = [
            (h[k] - row["at"]["height"]) ** 2 + 0.5 * (m[k] - row["at"]["moisture"]) ** 2
            for row in nearest_table["biome"]
        ]
        assert codes[k] == away.index(min(away))
    assert len(np.unique(codes)) == 3


def test_ties_go_to_the_first_and_voids_to_none():
    assert Biomes.from_table(nearest_table, constant_axes(0.5, 0.25))(0, 0) == 0
    swapped = {**nearest_table, "biome": nearest_table["biome"][::-1]}
    assert Biomes.from_table(swapped, constant_axes(0.5, 0.25)).names[1] == "b"
    assert Biomes.from_table(swapped, constant_axes(0.5, 0.25))(0, 0) == 1
    ground = raster(Grid(0, 0, 1, 3, 2), [[0.7, 0.7, np.nan]] * 2)
    for table in (nearest_table, CLASSIC):
        biomes = Biomes.from_table(table, {"height": ground, "moisture": 0.2})
        assert biomes([0, 2], 0)[1] == 255
        assert biomes([0, 2], 0)[0] < 8


def test_a_table_in_toml():
    text = """
    blend_radius = 20
    [[biome]]
    name = "shore"
    color = "#ccbb88"
    where.height = { below = 0.35 }
    [[biome]]
    name = "wood"
    color = "#446644"
    """
    biomes = Biomes.from_table(tomllib.loads(text), climate)
    assert biomes.names == ("shore", "wood")
    assert np.array_equal(biomes.is_("shore")(np.arange(99), 0), height(np.arange(99), 0) < 0.35)
    assert repr(biomes) == "biomes(shore, wood)"


def weights_by_hand(biomes, x, y, radius, seed):
    """All scattered points of a wide neighbourhood, one by one."""
    cell, lattice = radius / 3, key(seed, "biome blend")
    totals = np.zeros(len(biomes.names))
    for j in range(math.floor(y / cell) - 6, math.floor(y / cell) + 7):
        row = mix(lattice + j * GOLDEN)
        for i in range(math.floor(x / cell) - 6, math.floor(x / cell) + 7):
            bits = mix(row + i * GOLDEN)
            px, py = (i + (bits >> 32) * 2.0**-32) * cell, (j + (bits & 0xFFFFFFFF) * 2.0**-32) * cell
            near = 1 - ((px - x) ** 2 + (py - y) ** 2) / radius**2
            totals[int(biomes(px, py))] += max(near, 0) ** 2
    return totals / totals.sum()


def test_weights_equal_a_sum_over_all_points():
    for x, y in np.random.default_rng(6).uniform(-300, 300, (12, 2)):
        expected = weights_by_hand(blended, x, y, 12.0, "soft")
        got = [float(blended.weight(name)(x, y)) for name in blended.names]
        assert np.allclose(got, expected, atol=1e-9)


def test_weights_sum_to_1_and_are_smooth():
    grid = Grid(-100, 50, 0.25, 160, 150)
    weights = blended.weights(grid)
    assert weights.shape == (7, 150, 160)
    assert np.abs(weights.sum(axis=0) - 1).max() < 1e-14
    assert ((weights >= 0) & (weights <= 1)).all()
    step = max(np.abs(np.diff(weights, axis=axis)).max() for axis in (1, 2))
    assert 0.001 < step < 0.25 * 4.0 / 12.0  # a sharp border would step by 1
    assert ((weights > 0.05) & (weights < 0.95)).any()


def test_far_from_a_border_a_place_is_all_one_biome():
    east = Field.of(lambda x, y: x, range=(-1e6, 1e6))
    table = {
        "blend_radius": 10,
        "biome": [
            {"name": "west", "color": "#000000", "where": {"x": {"below": 0}}},
            {"name": "east", "color": "#ffffff"},
        ],
    }
    halves = Biomes.from_table(table, {"x": east})
    weight = halves.weight("east")
    x = np.array([-400.0, -10.001, 10.0, 4000.0])
    assert weight(x, 7.0).tolist() == [0, 0, 1, 1]
    y = np.linspace(-500, 500, 2001)
    assert abs(weight(0.0, y).mean() - 0.5) < 0.03
    assert 0.02 < weight(-5.0, y).mean() < 0.25


@pytest.mark.parametrize("far", [(0, 0), (-4800, 2400), (3 * 2**28, -(2**29))])
def test_a_window_is_cut_from_the_whole(far):
    x, y = far
    field = blended.weight("grassland")
    ground = blended.blend({name: height * (10 * k) for k, name in enumerate(blended.names)})
    nearest_ones = Biomes.from_table(nearest_table, climate)
    whole, part = Grid(x - 60, y - 40, 0.5, 240, 170), Grid(x - 21, y - 13.5, 0.5, 77, 50)
    crop = slice(53, 103), slice(78, 155)
    for one in (field.sample, ground.sample, blended.codes, nearest_ones.codes, blended.is_("marsh").sample):
        values = one(whole)
        assert np.array_equal(one(part, threads=1), values[crop])
        assert len(np.unique(values)) > 1
    points = field(*(axis.ravel() for axis in np.meshgrid(part.x, part.y)))
    assert np.array_equal(points, field.sample(part).ravel())
    assert np.array_equal(field(part.x[3], part.y[7]), field.sample(part)[7, 3])


def test_points_all_over_the_world_equal_single_ones():
    x, y = np.random.default_rng(8).uniform(-1e9, 1e9, (2, 2500))
    together = blended.weight("marsh")(x, y)
    assert [float(blended.weight("marsh")(x[k], y[k])) for k in range(0, 2500, 250)] == together[::250].tolist()


def test_blended_values_lie_between_those_of_the_biomes():
    values = {name: float(k * k) for k, name in enumerate(blended.names)}
    ground = blended.blend(values)
    assert ground.range == (0.0, 36.0)
    grid = Grid(-100, 50, 2, 60, 60)
    expected = np.tensordot([values[name] for name in blended.names], blended.weights(grid), axes=1)
    assert np.allclose(ground.sample(grid), expected, atol=1e-12)
    with pytest.raises(InputError, match="marsh missing"):
        blended.blend({name: 1 for name in blended.names if name != "marsh"})
    with pytest.raises(InputError, match="did you mean 'marsh'"):
        blended.blend({"march": 1})
    with pytest.raises(InputError, match="no blend_radius"):
        Biomes.from_table(CLASSIC, climate).weight("marsh")


def test_voids_have_no_vote():
    samples = np.full((3, 40), 0.1)
    samples[:, 20:] = np.nan
    ground = raster(Grid(0, 0, 1, 40, 3), samples)
    biomes = Biomes.from_table({**CLASSIC, "blend_radius": 6}, {"height": ground, "moisture": 0.5})
    weight = biomes.weight("water")
    assert weight(10, 1) == 1
    assert np.isnan(weight(35, 1))


def test_an_edit_of_the_climate_changes_no_weight_beyond_the_radius():
    edited = {**climate, "height": height + Field.of(lambda x, y: ((x - 20) ** 2 + y**2 < 64) * 0.4, range=(0, 1))}
    other = Biomes.from_table({**CLASSIC, "blend_radius": 12.0, "seed": "soft"}, edited)
    grid = Grid(-40, -60, 1, 120, 120)
    changed = (blended.weights(grid) != other.weights(grid)).any(axis=0)
    rows, columns = np.nonzero(changed)
    assert 8 < np.hypot(grid.x[columns] - 20, grid.y[rows]).max() < 8 + 12


def test_another_seed_moves_the_points_only():
    other = Biomes.from_table({**CLASSIC, "blend_radius": 12.0, "seed": 2}, climate)
    grid = Grid(-100, 50, 2, 60, 60)
    assert np.array_equal(other.codes(grid), blended.codes(grid))
    assert not np.array_equal(other.weights(grid), blended.weights(grid))


def test_biomes_pickle():
    again = pickle.loads(pickle.dumps(blended))
    grid = Grid(-100, 50, 2, 30, 30)
    assert np.array_equal(again.weight("marsh").sample(grid), blended.weight("marsh").sample(grid))


def test_a_blended_picture_has_the_mean_colours():
    grid = Grid(-100, 50, 2, 30, 30)
    picture = paint(blended, grid, blended=True)[::-1]
    expected = np.tensordot(blended.weights(grid), blended.kinds.colors.astype(float), axes=(0, 0))
    assert np.abs(picture - expected).max() <= 0.501


# --- one map for two -------------------------------------------------------------------------------------


def test_two_maps_of_one_noise_are_warned_of():
    same = perlin("height", 1 / 90).fbm(octaves=2) * 3
    with pytest.warns(
        UserWarning, match=r"height and moisture are made of the same noise .*'height'.*a seed and a scale"
    ):
        Biomes.from_table(CLASSIC, {"height": height, "moisture": same})


def test_frequency_and_scale_are_the_same_said_twice():
    with pytest.warns(UserWarning, match="made of the same noise"):
        Biomes.from_table(CLASSIC, {"height": perlin(1, 1 / 400).fbm(), "moisture": perlin(1, scale=400).ridged()})


def test_maps_with_noise_of_their_own_are_not():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Biomes.from_table(CLASSIC, {"height": height, "moisture": perlin("height", 1 / 60).fbm()})
        Biomes.from_table(CLASSIC, {"height": height, "moisture": moisture - height * 0.5})
        Biomes.from_table(CLASSIC, {"height": 0.5, "moisture": 0.5})


# --- what is refused -------------------------------------------------------------------------------------


def biome(name="a", **more):
    return {"name": name, "color": "#123456", **more}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({}, "biome is None"),
        ({"biome": []}, "give a list of at least one"),
        ({"biomes": [biome()]}, "did you mean 'biome'"),
        ({"biome": [biome(wehre={})]}, "did you mean 'where'"),
        ({"biome": [biome(where={"hieght": {"below": 1}}), biome("b")]}, "did you mean 'height'"),
        ({"biome": [biome(where={"height": {"blow": 1}}), biome("b")]}, "did you mean 'below'"),
        ({"biome": [biome(where={"height": {}}), biome("b")]}, "height of 'a': is empty"),
        ({"biome": [biome(where={"height": {"from": 2, "below": 1}}), biome("b")]}, "from 2 below 1 is empty"),
        ({"biome": [biome(where={"height": {"from": "2"}}), biome("b")]}, "from: got '2'"),
        ({"biome": [biome(where={"height": 3}), biome("b")]}, "got 3; give a table with from, below"),
        ({"biome": [biome(where={"height": {"below": 1}})]}, "'a' is the last and has where"),
        ({"biome": [biome(), biome("b")]}, "'b' never occurs: 'a' comes before it"),
        (
            {"biome": [biome(where={"height": {"below": 1}}), biome("b", where={"height": {"below": 0}}), biome("c")]},
            "'b' never occurs",
        ),
        ({"biome": [biome(at={"height": 1, "moisture": 1}), biome("b")]}, "'b' has neither where nor at"),
        ({"biome": [biome(at={"height": 1})]}, "has no moisture"),
        ({"biome": [biome(at={"height": 1, "moisture": float("inf")})]}, "moisture of 'a': got inf"),
        ({"weights": {"moisture": 2}, "biome": [biome()]}, "weights are for biomes told by at"),
        (
            {"weights": {"moisture": -2}, "biome": [biome(at={"height": 1, "moisture": 1})]},
            "weight of moisture: got -2",
        ),
        (
            {"weights": {"moisture": 0, "height": 0}, "biome": [biome(at={"height": 1, "moisture": 1})]},
            "weights are 0",
        ),
        ({"blend_radius": 0, "biome": [biome()]}, "blend_radius: got 0"),
        ({"seed": 1.5, "biome": [biome()]}, "seed: got 1.5"),
    ],
)
def test_tables_that_cannot_be_used(table, words):
    with pytest.raises(InputError) as error:
        Biomes.from_table(table, climate)
    assert words in str(error.value)


def test_climates_that_cannot_be_used():
    with pytest.raises(InputError, match=r"climate: got \{\}"):
        Biomes.from_table(CLASSIC, {})
    with pytest.raises(InputError, match="climate: height: field: got 'high'"):
        Biomes.from_table(CLASSIC, {"height": "high"})
    with pytest.raises(InputError, match="more than"):
        Biomes.from_table(CLASSIC, {"height": Field.of(lambda x, y, z: z, dimensions=3), "moisture": 1})


# --- golden vectors --------------------------------------------------------------------------------------

PLACES = [(0.0, 0.0), (12.5, -7.25), (-300.75, 41.0), (1e6 + 0.5, -1e6), (-1e9, 1e9)]


def golden():
    x, y = np.array(PLACES).T
    return {
        "codes": Biomes.from_table(CLASSIC, climate)(x, y).tolist(),
        "nearest": Biomes.from_table(nearest_table, climate)(x, y).tolist(),
        "weights": {name: [v.hex() for v in blended.weight(name)(x, y).tolist()] for name in blended.names},
    }


def test_golden_vectors():
    assert json.loads(VECTORS.read_text()) == golden()
