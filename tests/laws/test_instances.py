"""The laws of the design, for instances. Each can be run by anyone; none has a tolerance."""

import functools
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import naive, worlds
from tests.worlds import SIZE, assert_same, crop
from weald._version import ALGORITHM
from weald.sampling import plane
from weald.scatter import growth as growth_module
from weald.scatter.growth import Growth

GOLDEN = Path(__file__).parents[1] / "golden" / "instances.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ground")


@functools.cache
def whole(folder, origin=(0.0, 0.0)):
    world = worlds.world(folder, worlds.content(origin))
    return world, world.layers()


def assert_worlds_equal(one, other):
    assert list(one) == list(other)
    for name in one:
        assert_same(one[name], other[name])


# -- window ----------------------------------------------------------------------------------


@given(
    st.sampled_from([(0.0, 0.0), (-3e6, 5e6)]),
    st.floats(-30, SIZE),
    st.floats(-30, SIZE),
    st.floats(0.5, 70),
    st.floats(0.5, 70),
)
def test_any_window_is_the_crop_of_the_whole(folder, origin, dx, dy, width, depth):
    world, layers = whole(folder, origin)
    window = (origin[0] + dx, origin[1] + dy, origin[0] + dx + width, origin[1] + dy + depth)
    assert_worlds_equal(world.layers(window=window), {name: crop(placed, window) for name, placed in layers.items()})


@pytest.mark.parametrize(
    "window",
    [
        (0, 0, SIZE, SIZE),
        (-1e6, -1e6, 1e6, 1e6),
        (-50, -50, 1e-9, SIZE),  # a sliver along the edge
        (SIZE - 5, SIZE - 5, SIZE + 100, SIZE + 100),
        (100, 0, 100.001, SIZE),
        (60, 60, 80, 80),  # at the pond
        (SIZE, 0, SIZE + 1, 1),  # beyond
        (1e8, 1e8, 1e8 + 1, 1e8 + 1),
    ],
)
def test_windows_at_the_edges(folder, window):
    world, layers = whole(folder)
    assert_worlds_equal(world.layers(window=window), {name: crop(placed, window) for name, placed in layers.items()})


def test_chunks_put_together_are_the_whole(folder):
    world, layers = whole(folder)
    side = 45.0
    chunks = [
        world.layers(window=(i * side, j * side, (i + 1) * side, (j + 1) * side)) for j in range(8) for i in range(8)
    ]
    for name, placed in layers.items():
        together = [part[name] for part in chunks]
        ids = np.concatenate([part.id for part in together])
        assert sorted(ids.tolist()) == sorted(placed.id.tolist())
        xy = np.concatenate([part.xyz for part in together])
        np.testing.assert_array_equal(xy[np.argsort(ids)], placed.xyz[np.argsort(placed.id)])


def test_one_instance_can_be_asked_for_alone(folder):
    world, layers = whole(folder)
    x, y = layers["bushes"].xyz[1234, :2]
    window = (x, y, np.nextafter(x, np.inf), np.nextafter(y, np.inf))
    assert world.layers(window=window)["bushes"].id.tolist() == [layers["bushes"].id[1234]]


def test_how_much_is_known_beforehand_is_a_matter_of_speed(folder, monkeypatch):
    """Where the sampler looks beyond what is known of earlier layers, that is found."""
    world, layers = whole(folder)
    monkeypatch.setattr(growth_module, "MARGIN", 0.0)
    asked = []
    stand = Growth._stand
    monkeypatch.setattr(Growth, "_stand", lambda self, *box: asked.append(box) or stand(self, *box))
    for window in [(100, 100, 130, 140), (300, 10, 330, 90)]:
        part = world.layers(window=window)
        assert_worlds_equal(part, {name: crop(placed, window) for name, placed in layers.items()})
    assert len(asked) > 2 * 3  # each of three layers is grown once beforehand


# -- threads and order -----------------------------------------------------------------------


def test_any_number_of_threads(folder, monkeypatch):
    for name in ("TILE", "TILE_VARIED"):
        monkeypatch.setattr(plane, name, 24)  # so that there is work for many threads
    world = worlds.world(folder)
    one = world.layers(threads=1)
    for threads in (2, 8, None):
        assert_worlds_equal(world.layers(threads=threads), one)
    window = (30, 30, 200, 220)
    assert_worlds_equal(world.layers(window=window, threads=8), world.layers(window=window, threads=1))


def test_any_order_of_asking(folder):
    windows = [(50 * i, 50 * j, 50 * i + 50, 50 * j + 50) for i in range(3) for j in range(3)]
    world = worlds.world(folder)
    forward = [world.layers(window=w) for w in windows]
    backward = [worlds.world(folder).layers(window=w) for w in reversed(windows)][::-1]
    for one, other in zip(forward, backward, strict=True):
        assert_worlds_equal(one, other)


def test_global_generators_play_no_part(folder):
    _, layers = whole(folder)
    np.random.seed(3)  # noqa: NPY002
    assert_worlds_equal(worlds.world(folder).layers(), layers)


# -- spacing ---------------------------------------------------------------------------------


def closest_between(one, other):
    least = np.inf
    for x, y, _ in one.xyz:
        dx, dy = other.xyz[:, 0] - x, other.xyz[:, 1] - y
        least = min(least, np.sqrt(dx * dx + dy * dy).min())
    return least


@pytest.mark.parametrize("origin", [(0.0, 0.0), (-3e6, 5e6)])
def test_spacing_inside_and_between_layers_by_brute_force(folder, origin):
    world, layers = whole(folder, origin)
    for layer in world.spec.layer:
        placed = layers[layer.name]
        assert len(placed) > 300
        assert naive.closest_pair(placed.xyz[:, :2]) >= layer.radius
        assert naive.closest_pair(placed.xyz[:, :2]) >= placed.radius.astype(np.float64).max()
        for other, distance in layer.keep_off.items():
            least = closest_between(placed, layers[other])
            assert distance <= least < 1.1 * distance


def test_every_rule_is_kept_everywhere(folder):
    world, layers = whole(folder)
    for name, placed in layers.items():
        x, y, z = placed.xyz.T
        np.testing.assert_array_equal(z, world.terrain.height(x, y))
        assert world.terrain.grid.bounds.contains(x, y).all()
        if name != "conifers":
            assert not world.areas["pond"](x, y).any()
    z = layers["oaks"].xyz[:, 2]
    assert 12.5 < z.min() < 20
    assert 135 < z.max() < 147.5
    x, y, _ = layers["conifers"].xyz.T
    assert world.noise["groves"](x, y).min() > -0.4


# -- independence ----------------------------------------------------------------------------


def changed(folder, change):
    spec = worlds.content()
    change(spec)
    return worlds.world(folder, spec).layers()


def test_weights_of_species_move_nothing(folder):
    _, before = whole(folder)
    after = changed(folder, lambda spec: spec["layer"][0]["species"].update(pine=1, spruce=3))
    for name in ("id", "xyz", "rotation", "radius"):
        np.testing.assert_array_equal(getattr(before["conifers"], name), getattr(after["conifers"], name))
    assert not np.array_equal(before["conifers"].species, after["conifers"].species)
    for name in ("oaks", "bushes"):
        assert_same(before[name], after[name])


def test_a_further_species_moves_nothing(folder):
    _, before = whole(folder)
    after = changed(folder, lambda spec: spec["layer"][0]["species"].update(oak=2))
    for name in ("id", "xyz", "rotation", "radius"):
        np.testing.assert_array_equal(getattr(before["conifers"], name), getattr(after["conifers"], name))
    assert set(after["conifers"].species.tolist()) == {0, 1, 2}
    for name in ("oaks", "bushes"):
        assert_same(before[name], after[name])


def test_sizes_of_a_species_change_its_sizes_only(folder):
    _, before = whole(folder)
    after = changed(folder, lambda spec: spec["species"]["pine"].update(scale=[1.5, 3.0], height=50))
    for name in ("id", "xyz", "rotation", "radius", "species"):
        np.testing.assert_array_equal(getattr(before["conifers"], name), getattr(after["conifers"], name))
    spruce = before["conifers"].species == 1
    np.testing.assert_array_equal(before["conifers"].scale[spruce], after["conifers"].scale[spruce])
    assert (before["conifers"].scale[~spruce] < after["conifers"].scale[~spruce]).all()
    for name in ("oaks", "bushes"):
        assert_same(before[name], after[name])


def test_thinning_moves_no_survivor(folder):
    _, before = whole(folder)
    after = changed(folder, lambda spec: spec["layer"][0]["thin"].update(all_at=0.9))["conifers"]
    stayed = np.isin(before["conifers"].id, after.id)
    assert 0.2 * len(stayed) < stayed.sum() < 0.8 * len(stayed)
    assert_same(before["conifers"].take(stayed), after)  # and none is new


def test_a_later_layer_never_changes_an_earlier_one(folder):
    _, before = whole(folder)
    for change in (
        lambda spec: spec["layer"].pop(),
        lambda spec: spec["layer"][2].update(radius=20, keep_off={}),
        lambda spec: spec["layer"][2].update(name="other", keep_off={"oaks": 60}),
        lambda spec: spec["layer"].append({"name": "more", "species": "oak", "radius": 2, "keep_off": {"bushes": 9}}),
    ):
        after = changed(folder, change)
        for name in ("conifers", "oaks"):
            assert_same(before[name], after[name])


def test_other_layers_do_not_hang_on_the_name_or_order_of_those_they_ignore(folder):
    def shift(spec):
        for layer in spec["layer"]:
            layer.setdefault("keep_off", {})["first"] = 0
        spec["layer"].insert(0, {"name": "first", "species": "oak", "radius": 30})
        spec["noise"]["unused"] = {"frequency": 1.0}

    _, before = whole(folder)
    after = changed(folder, shift)
    for name, placed in before.items():
        assert_same(placed, after[name])


# -- locality --------------------------------------------------------------------------------


def test_a_clearing_changes_nothing_far_away(folder):
    """The stated reach: 16 radii a layer, and the distance kept, added up along keep_off."""

    def small(spec, clearing):
        spec["areas"] = {"clearing": [[176, 176], [184, 176], [184, 184], [176, 184]]}
        for layer, radius in zip(spec["layer"], (4.0, 3.0, 2.0), strict=True):
            layer.update(radius=radius, outside=[], keep_off=dict.fromkeys(layer.get("keep_off", {}), 2.0))
        if clearing:
            spec["layer"][0]["outside"] = ["clearing"]

    before = changed(folder, lambda spec: small(spec, clearing=False))
    after = changed(folder, lambda spec: small(spec, clearing=True))
    reach = 4 * 2**0.5
    for name, radius in (("conifers", 4.0), ("oaks", 3.0), ("bushes", 2.0)):
        reach += 16 * radius + (0 if name == "conifers" else 2.0)
        far = [
            placed[name].take(np.hypot(placed[name].xyz[:, 0] - 180, placed[name].xyz[:, 1] - 180) > reach)
            for placed in (before, after)
        ]
        assert len(far[0]) > 100
        assert_same(*far)
        assert not np.array_equal(before[name].id, after[name].id)


# -- identity --------------------------------------------------------------------------------


def test_ids_are_unique_within_and_between_layers_and_worlds(folder):
    def twins(spec):
        for layer in spec["layer"]:
            layer.update(radius=4.0, keep_off={}, outside=[])
            for rule in ("thin", "height", "slope_deg"):
                layer.pop(rule, None)

    ids = [placed.id for placed in changed(folder, twins).values()]
    ids += [p.id for p in changed(folder, lambda spec: (twins(spec), spec.update(seed="other"))).values()]
    together = np.concatenate(ids)
    assert len(together) > 6 * 4500
    assert len(np.unique(together)) == len(together)


def test_layers_of_other_names_are_other_layers(folder):
    _, before = whole(folder)
    after = changed(folder, lambda spec: spec["layer"][2].update(name="shrubs"))
    places = set(map(tuple, before["bushes"].xyz.tolist())) & set(map(tuple, after["shrubs"].xyz.tolist()))
    assert not places


# -- stability -------------------------------------------------------------------------------


def golden_world():
    with tempfile.TemporaryDirectory() as folder:
        layers = worlds.world(Path(folder)).layers(window=(60, 60, 105, 105))
    return {
        name: {
            key: [
                [float(v).hex() for v in np.atleast_1d(row)] if values.dtype.kind == "f" else int(row) for row in values
            ]
            for key, values in worlds.parts(placed).items()
        }
        for name, placed in layers.items()
    }


def test_golden_vectors():
    """Changed results need a new ALGORITHM: then run ``python -m tests.golden.regenerate instances``."""
    golden = json.loads(GOLDEN.read_text())
    assert golden.pop("algorithm") == ALGORITHM
    assert golden == golden_world()
    assert all(len(layer["id"]) > 3 for layer in golden.values())
