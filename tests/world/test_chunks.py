"""Worlds without edges, and their chunks: each made alone, each the crop of the whole."""

import copy
import dataclasses
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import pytest

from tests import worlds
from weald import fields, hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.world import names as names_module
from weald.world.explain import explain
from weald.world.world import World

CONTENT = {
    "weald": 1,
    "seed": "chunks",
    "chunk": 64,
    "ground": {"formula": "40 * hills - 2", "spacing": 4},
    "noise": {"hills": {"frequency": 0.006}, "wet": {"frequency": 0.01}},
    "fields": {"moist": "clamp(wet - height / 90, -1, 1)"},
    "water": {"level": -10},
    "biomes": {
        "climate": {"height": "height", "wet": "moist"},
        "blend_radius": 20,
        "biome": [
            {"name": "marsh", "color": "#336655", "where": {"height": {"below": 0}, "wet": {"from": 0}}},
            {"name": "heath", "color": "#aa9977"},
        ],
    },
    "areas": {"meadow": [[-40, -40], [50, -30], [30, 60]]},
    "lines": {"road": [[-300, -20], [0, 10], [300, 90]]},
    "species": {
        "pine": worlds.species(scale=[0.7, 1.2], alignment=0.3, tilt_deg=4),
        "oak": worlds.species(shape="broadleaf"),
        "stone": worlds.species(shape="bush", height=1, facing="downhill"),
    },
    "layer": [
        {
            "name": "trees",
            "species": {"pine": "smoothstep(height, -10, 20)", "oak": 0.5},
            "radius": "curve(moist, (-0.3, 8), (0.3, 5))",
            "radius_range": [5, 8],
            "where": "not inside('meadow') and distance('road') > 6",
        },
        {"name": "stones", "species": "stone", "radius": 4, "share": "0.3 + biome_weight('heath')", "soft": {}},
        {"name": "deep", "species": "stone", "radius": 6, "where": "height < -10", "in_water": True},
    ],
}


def world(**changes):
    return World.parse({**copy.deepcopy(CONTENT), **changes})


@pytest.fixture(scope="module")
def endless():
    return world()


@pytest.mark.parametrize("corner", [(0, 0), (-2, 1), (400, -90), (-15_000, 20_000)])
def test_a_chunk_is_the_crop_of_the_whole(endless, corner):
    """Each chunk made alone, by a fresh world, in another order; ids never repeat."""
    i0, j0 = corner
    side = endless.spec.chunk
    whole = endless.layers((i0 * side, j0 * side, (i0 + 2) * side, (j0 + 2) * side))
    assert sum(len(placed) for placed in whole.values()) > 100
    alone = world()
    ids = []
    for i, j in ((1, 1), (0, 1), (1, 0), (0, 0)):
        chunk = alone.chunk(i0 + i, j0 + j)
        b = Bounds((i0 + i) * side, (j0 + j) * side, (i0 + i + 1) * side, (j0 + j + 1) * side)
        assert chunk.bounds == b
        for name, placed in chunk.layers.items():
            worlds.assert_same(placed, whole[name].inside(b))
        ids += chunk.placements.id.tolist()
    assert len(set(ids)) == len(ids) == sum(len(placed) for placed in whole.values())


def test_heights_and_biomes_of_neighbours_share_their_edge(endless):
    for i, j in ((0, 0), (-3, -1), (900, 4)):
        here, east, north = endless.chunk(i, j), endless.chunk(i + 1, j), endless.chunk(i, j + 1)
        assert here.heights.shape == here.biomes.shape == (17, 17)
        np.testing.assert_array_equal(here.heights[:, -1], east.heights[:, 0])
        np.testing.assert_array_equal(here.heights[-1], north.heights[0])
        np.testing.assert_array_equal(here.biomes[:, -1], east.biomes[:, 0])
        np.testing.assert_array_equal(here.biomes[-1], north.biomes[0])


QUESTIONS = ["height", "slope_deg", "aspect_deg", "normal", "profile_curvature", "tangential_curvature"]


@pytest.mark.parametrize("corner", [(0, 0), (-1, -1), (900, -40)])
@pytest.mark.parametrize("edges", ["none", "of the ground"])
def test_ground_of_a_chunk_is_that_of_the_whole_up_to_its_edge(corner, edges):
    """All that is derived from the ground, at and between samples, with the last bit."""
    spacing, side = 4.2, 64
    i, j = corner
    ground = {"formula": "40 * hills - 2", "spacing": spacing}
    if edges != "none":
        ground["window"] = [(i - 1) * side, (j - 1) * side, (i + 2) * side, (j + 2) * side]
    made = world(ground=ground, biomes=None, layer=[], fields={}, species={}, areas={}, lines={})
    rng = np.random.default_rng(3)
    for di, dj in ((0, 0), (1, 0), (0, 1)):
        part = made.chunk(i + di, j + dj).terrain
        x, y = rng.uniform(0, side, (2, 200))
        x[:50], y[50:100] = 0.0, side  # on the edges of the chunk
        x, y = x + (i + di) * side, y + (j + dj) * side
        x, y = np.append(x, part.grid.x[[0, -1, 5]]), np.append(y, part.grid.y[[0, 3, -1]])
        for name in QUESTIONS:
            ours, whole = getattr(part, name)(x, y), getattr(made.ground, name)(x, y)
            assert np.isfinite(ours).all(), name
            assert ours.tobytes() == whole.tobytes(), name


def test_chunks_are_equal_if_their_content_is(endless):
    one, again = endless.chunk(2, 3), world().chunk(2, 3)
    assert one == one
    assert one == again
    assert len({one, again}) == 1
    assert one != endless.chunk(3, 2)
    assert one != world(seed="other").chunk(2, 3)
    assert one != "chunk"
    layers = {name: placed.take(np.arange(len(placed) - (name == "trees"))) for name, placed in one.layers.items()}
    assert dataclasses.replace(one, layers=layers) != one


def test_a_part_ends_where_it_was_cut(endless):
    part = endless.chunk(2, 3).terrain
    b = part.grid.bounds
    x, y = [b.xmin - 0.1, b.xmax + 0.1, b.xmin, b.xmax], [b.ymin, b.ymax, b.ymin - 0.1, b.ymax + 0.1]
    for name in QUESTIONS:
        assert np.isnan(getattr(part, name)(x, y)).all(), name
    assert part.rimmed.shape == (part.grid.ny + 2, part.grid.nx + 2)
    assert part.rimmed[1:-1, 1:-1].tobytes() == part.heights.tobytes()
    sent = pickle.loads(pickle.dumps(part))
    assert sent.rimmed.tobytes() == part.rimmed.tobytes()


def test_what_stands_obeys_the_formulas(endless):
    placed = endless.layers((-200, -200, 200, 200))
    ground, names = endless.ground, endless.names
    x, y, _ = placed["trees"].xyz.T
    assert not endless.names.inside("meadow")(x, y).any()
    assert (names.distance("road")(x, y) > 6).all()
    assert (ground.height(x, y) > -10).all()
    moist = names["moist"]
    expected = np.interp(moist(x, y), [-0.3, 0.3], [8, 5])
    np.testing.assert_allclose(placed["trees"].radius, expected, rtol=1e-6)
    assert (ground.height(*placed["deep"].xyz[:, :2].T) < -10).all()
    assert len(placed["deep"]) > 10


def test_sea_and_road_are_asked_while_placing_not_afterwards(endless):
    """No bare strip along the road: trees stand up to it as densely as anywhere."""
    x, y, _ = endless.layers((-300, -300, 300, 300))["trees"].xyz.T
    distance = endless.names.distance("road")(x, y)
    near, far = ((distance > 6) & (distance < 12)).sum() / 6, ((distance > 30) & (distance < 60)).sum() / 30
    assert near > far


def test_a_window_of_an_endless_formula_has_edges():
    bounded = world(ground={"formula": "40 * hills", "spacing": 4, "window": [0, 0, 128, 128]})
    assert bounded.bounds == Bounds(0, 0, 128, 128)
    assert bounded.terrain.grid.shape == (33, 33)
    np.testing.assert_array_equal(
        bounded.terrain.heights,
        world(ground={"formula": "40 * hills", "spacing": 4}).ground.crop((0, 0, 128, 128)).heights,
    )
    assert bounded.chunk(5, 5).terrain is None
    assert len(bounded.chunk(5, 5).placements) == 0


def test_eroded_windows_agree():
    """A formula knows what lies beyond its window, so erosion sees no edge there."""
    ground = {"formula": "40 * hills", "spacing": 4, "erosion": {"iterations": 12}}
    wide, part = (world(ground={**ground, "window": box}) for box in ([0, 0, 256, 256], [64, 64, 192, 160]))
    assert wide.terrain.crop((64, 64, 192, 160)).heights.tobytes() == part.terrain.heights.tobytes()
    assert (
        wide.terrain.heights
        != world(ground={**ground, "window": [0, 0, 256, 256], "erosion": {"iterations": 0}}).terrain.heights
    ).any()


def test_water_on_ground_with_edges():
    layer = {"name": "reeds", "species": "stone", "radius": 3, "where": "water_distance < 20", "in_water": True}
    water = {"level": -5, "river_catchment": 3000, "lake_depth": 0.5}
    wet = world(ground={"formula": "40 * hills", "spacing": 4, "window": [0, 0, 400, 400]}, water=water, layer=[layer])
    x, y, _ = wet.layers()["reeds"].xyz.T
    assert len(x) > 100
    distance = wet.drainage.field(wet.drainage.distance_to_water(3000, least_depth=0.5))
    assert (distance(x, y) < 20).all()
    for name in ("wetness", "catchment"):
        assert np.isfinite(wet.names[name](x, y)).all()


@pytest.mark.parametrize(("where", "stands"), [("water_distance < 20", False), ("water_distance > 1e9", True)])
def test_without_water_every_place_is_infinitely_far_from_it(where, stands):
    dry = world(
        ground={"formula": "x / 1000", "spacing": 4, "window": [0, 0, 100, 100]},
        water={"river_catchment": 1e9},
        layer=[{"name": "reeds", "species": "stone", "radius": 3, "where": where}],
    )
    dry.check()
    assert (len(dry.layers()["reeds"]) > 100) == stands
    asked = explain(dry, 50.0, 50.0).layers[0]
    assert [rule.share for rule in asked.rules if "water_distance" in rule.text] == [float(stands)]
    distance = dry.names["water_distance"]([50.0, 500.0], 50.0)
    assert np.isinf(distance[0])
    assert np.isnan(distance[1])


# -- what cannot be --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fields": {"moist": "wett + 1"}}, r"spec: fields.moist: 'wett' is unknown \(did you mean 'wet'\?\)"),
        ({"fields": {"moist": "b", "b": "moist * 2"}}, "moist -> b -> moist is a circle"),
        ({"ground": {"formula": "hills + height", "spacing": 4}}, "ground.formula: 'height' is measured on the ground"),
        ({"ground": {"formula": "hills > 0", "spacing": 4}}, "ground.formula: 'hills > 0' is a condition"),
        (
            {"water": {"river_catchment": 9}, "fields": {"moist": "wetness"}},
            "where it flows is a property of the whole",
        ),
    ],
)
def test_formulas_that_cannot_be(changes, message):
    with pytest.raises(InputError, match=message):
        world(**changes).layers((0, 0, 64, 64))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"where": "distance('rood') > 3"},
            r"layer\[0\].where: .*'rood' is no line and no area \(did you mean 'road'\?\)",
        ),
        ({"where": "moist"}, r"layer\[0\].where: 'moist' is a number at every place; give a condition"),
        ({"where": "biome('marshes')"}, r"layer\[0\].where: .*marshes"),
        ({"share": "height > 3"}, r"layer\[0\].share: 'height > 3' is a condition"),
        ({"species": {"pine": "hight"}}, r"layer\[0\].species.pine: 'hight' is unknown \(did you mean 'height'\?\)"),
        ({"where": "slope > 3"}, r"layer\[0\].where: 'slope' is unknown \(did you mean 'slope_deg'\?\)"),
    ],
)
def test_rules_that_cannot_be(change, message):
    content = copy.deepcopy(CONTENT)
    content["layer"] = [{**content["layer"][0], **change}]
    with pytest.raises(InputError, match=message):
        World.parse(content).check()


def test_a_world_without_edges_needs_a_window(endless):
    with pytest.raises(InputError, match="window: is not given, and the world has no edges"):
        endless.layers()
    with pytest.raises(InputError, match=r"the world has no edges; give `ground.window`"):
        endless.terrain  # noqa: B018
    for wrong in (1.5, True, "3"):
        with pytest.raises(InputError, match=r"i: got .*; give a whole number"):
            endless.chunk(wrong, 0)
    with pytest.raises(InputError, match=r"j: got 1.*0; float64 has no places so far away; give less"):
        endless.chunk(0, 10**400)


def test_check_finds_faults_without_placing(endless):
    endless.check()
    content = copy.deepcopy(CONTENT)
    content["fields"]["unused"] = "1 +"
    with pytest.raises(InputError, match=r"fields.unused: '1 \+' is no formula"):
        World.parse(content).check()


@pytest.mark.parametrize(
    ("noise", "expected"),
    [
        ({"scale": 50}, lambda seed: fields.perlin(seed, scale=50).fbm()),
        (
            {"frequency": 0.02, "basis": "simplex", "form": "ridged", "octaves": 3, "weighted_strength": 0.5},
            lambda seed: fields.simplex(seed, 0.02).ridged(octaves=3, weighted_strength=0.5),
        ),
        (
            {"scale": 30, "basis": "worley", "feature": "f2-f1", "octaves": 1},
            lambda seed: fields.worley(seed, scale=30, feature="f2-f1"),
        ),
        ({"scale": 30, "basis": "worley", "feature": "id"}, lambda seed: fields.worley(seed, scale=30, feature="id")),
        (
            {"scale": 30, "basis": "worley", "jitter": 0.3, "period": 90, "octaves": 1},
            lambda seed: fields.worley(seed, scale=30, jitter=0.3, period=90),
        ),
        (
            {"scale": 30, "basis": "value", "form": "billow", "gain": 0.7, "lacunarity": 3},
            lambda seed: fields.value(seed, scale=30).billow(gain=0.7, lacunarity=3),
        ),
        ({"scale": 30, "basis": "perlin_classic"}, lambda seed: fields.perlin_classic(seed, scale=30).fbm()),
    ],
)
def test_noise_is_what_the_library_makes(noise, expected):
    found = world(noise={"hills": {"frequency": 0.006}, "wet": noise}).names["wet"]
    x, y = np.random.default_rng(1).uniform(-500, 500, (2, 200))
    np.testing.assert_array_equal(found(x, y), expected(hashing.key("chunks", "noise", "wet"))(x, y))


def test_noise_with_a_period_repeats_when_it_is_warped_too():
    wet = {"scale": 40, "period": 160, "warp": {"strength": 20, "scale": 80}}
    found = world(noise={"hills": {"scale": 9}, "wet": wet}).names["wet"]
    x, y = np.random.default_rng(1).integers(-500, 500, (2, 200)) / 8
    np.testing.assert_allclose(found(x, y), found(x + 160, y - 320), rtol=0, atol=1e-12)
    with pytest.raises(InputError, match=r"noise\.wet: period: 160 m is 2\.28571 cells of 70 m; give a whole number"):
        world(noise={"hills": {"scale": 9}, "wet": {"scale": 70, "period": 160}}).names["wet"]
    with pytest.raises(InputError, match=r"noise\.wet: `period` goes with every basis but 'simplex'"):
        world(noise={"hills": {"scale": 9}, "wet": {"scale": 40, "basis": "simplex", "period": 160}})


def test_warped_noise_is_moved_by_no_more_than_its_strength():
    plain, bent = ({"scale": 200, "octaves": 1, **warp} for warp in ({}, {"warp": {"strength": 5, "scale": 80}}))
    one, other = (world(noise={"hills": {"scale": 9}, "wet": noise}).names["wet"] for noise in (plain, bent))
    x, y = np.random.default_rng(1).uniform(-500, 500, (2, 200))
    steepest = np.hypot(*[np.abs(part(x, y)).max() for part in fields.perlin(1, scale=200).gradient])
    difference = np.abs(one(x, y) - other(x, y))
    assert 0 < difference.max() < 5 * 2**0.5 * 2 * steepest


def test_worms_are_names_for_formulas():
    dug = {"dug": {"cell": 60, "steps": 90, "step": 1.5, "radius": [2, 4]}}
    made = world(worms=dug, ground={"formula": "20 * hills - 9 * dug", "spacing": 4})
    wide = made.layers((-64, 0, 128, 128))
    for name, placed in made.chunk(-1, 1).layers.items():
        worlds.assert_same(placed, worlds.crop(wide[name], (-64, 64, 0, 128)))
    values = made.names["dug"](np.arange(0, 300.0), 40.0)
    assert values.min() == 0
    assert 0.5 < values.max() <= 1
    two = world(worms={"dug": dug["dug"], "bored": dug["dug"]}).names
    other = world(worms=dug, seed="another").names
    for different in (two["bored"], other["dug"]):
        assert not np.array_equal(different(np.arange(0, 300.0), 40.0), values)
    with pytest.raises(InputError, match=r"worms.dug: step: got 1.5; give at most the least radius"):
        world(worms={"dug": {"step": 1.5, "radius": [1, 4]}}).check()
    with pytest.raises(InputError, match=r"worms.hills: the name is taken by noise.hills"):
        world(worms={"hills": {}})


def test_a_world_may_be_sent_to_another_process(endless):
    sent = pickle.loads(pickle.dumps(endless))
    assert repr(sent) == repr(endless)
    one, other = pickle.loads(pickle.dumps(sent.chunk(-2, 1))), endless.chunk(-2, 1)
    assert one.layers == other.layers
    assert one.heights.tobytes() == other.heights.tobytes()


def test_threads_may_ask_a_world_at_once(monkeypatch):
    """While one thread makes the ground of noise, a name of the ground is no circle to another."""
    parse, started, go = names_module.parse_field, threading.Event(), threading.Event()

    def slowly(*arguments, **options):
        started.set()
        go.wait(5)
        return parse(*arguments, **options)

    fresh, alone = world(), world().chunk(0, 0)
    with ThreadPoolExecutor(3) as pool:
        monkeypatch.setattr(names_module, "parse_field", slowly)
        ground = pool.submit(lambda: fresh.ground)
        started.wait(5)
        height = pool.submit(lambda: fresh.names["height"])
        wait([height], timeout=0.05)
        go.set()
        ground.result()
        height.result()
        for chunk in pool.map(lambda k: fresh.chunk(0, 0, threads=k), (1, 2, 1)):
            assert chunk.placements == alone.placements
