"""A spec in words: nothing that it says is left out."""

import numpy as np
import pytest

from tests import worlds
from weald.world.spec import LayerSpec, parse_spec
from weald.world.words import LAYER_KEYS, describe, describe_layer, saturated

PLAIN = {"name": "trees", "species": "oak", "radius": 5.0}

SAID = {
    "name": ("shrubs", "shrubs: "),
    "species": ({"oak": 3, "elm": "wet"}, "oak (3) and elm (`wet`), "),
    "radius": ({"oak": 4}, "at least 4 m (oak) apart; at most about 435 a hectare."),
    "radius_range": ((2, 9), ", 2 to 9 m"),
    "density": (120.0, "spaced for 120 a hectare"),
    "count": (1500, "oak, 1,500 in the whole world, at least 5 m apart."),
    "cover": (0.4, "filled to 40 %; at most about 111 a hectare"),
    "height": (
        {"above": 3, "below": 70, "fade": 8},
        "Only where the ground is above 3 m and below 70 m, thinning out ",
    ),
    "slope_deg": ({"below": 30}, "Only where the slope is below 30°."),
    "inside": (["meadow", "park"], "Only in meadow and park."),
    "outside": (["road", "pond"], "Not in road or pond."),
    "where": ("height > 2", "Only where `height > 2`."),
    "share": ("wet / 2", "Of the places, the share `wet / 2`."),
    "thin": ({"noise": "groves", "none_at": 0.5, "all_at": -0.1}, "Thinned by groves: all at -0.1, none above 0.5."),
    "in_water": (True, "In water too."),
    "soft": ({"core": 0.4, "closer": 0.3}, "Soft spacing: 30 % stay beside one that is nearer, down to 40 %"),
    "clumps": (
        {"spacing": 30, "radius": 10, "between": 0.1},
        "In clumps of 5 to 15 m radius, their middles at least 30",
    ),
    "sizes": ([{"factor": 0.5}, {"factor": 2, "cover": 0.3}], "In sizes of 2 times (filled to 30 %) and 0.5 times"),
    "patches": ({"size": 60, "purity": 0.8}, "Species gather in patches of 60 m, 80 % pure."),
    "edge": ("fill", "Fills its ground up to the edge."),
    "keep_off": ({"rocks": 2.5, "elm": 1}, "Keeps off rocks 2.5 m and elm 1 m."),
}


def test_a_share_may_be_a_number():
    assert "Of the places, 50 %." in describe_layer(LayerSpec.model_validate({**PLAIN, "share": 0.5}))


def test_every_key_of_a_layer_is_told():
    """A new key fails here until it is."""
    assert set(LAYER_KEYS) == set(LayerSpec.model_fields) == set(SAID)


@pytest.mark.parametrize("key", SAID)
def test_what_a_key_says_is_told(key):
    value, words = SAID[key]
    changed = {**PLAIN, key: value}
    if key == "density":
        del changed["radius"]
    assert words in describe_layer(LayerSpec.model_validate(changed))
    if key not in ("name", "species", "radius"):
        assert words not in describe_layer(LayerSpec.model_validate(PLAIN))


def test_a_world_has_a_paragraph_a_part():
    content = worlds.content()
    content["water"] = {"level": 3}
    content["biomes"] = {
        "climate": {"h": "height"},
        "biome": [{"name": n, "color": "#445566", "at": {"h": k}} for k, n in enumerate(("low", "high"))],
    }
    told = describe(parse_spec(content, "spec"))
    assert [paragraph.split(":")[0] for paragraph in told] == [
        "ground", "water", "biomes", "conifers", "oaks", "bushes",
    ]  # fmt: skip
    assert told[0] == "ground: the file ground.npy, a sample every 10 m."
    assert told[2] == "biomes: low and high, by h; sharp borders."


@pytest.mark.parametrize(
    "layer",
    [{"radius": 3.0}, {"density": 400.0}, {"radius": 3.0, "cover": 0.3}, {"radius": {"oak": 3.5, "laurel": 2.0}}],
)
def test_a_full_layer_has_about_as_many_as_is_told(tmp_path, layer):
    species = ["oak"] if "radius" not in layer or isinstance(layer["radius"], float) else [*layer["radius"]]
    content = worlds.content()
    content["layer"] = [{"name": "a", "species": dict.fromkeys(species, 1), **layer}]
    world = worlds.world(tmp_path, content)
    low, high = saturated(world.spec.layer[0])
    found = len(world.layers((100, 100, 300, 300))["a"]) / 4
    assert low * 0.97 <= found <= high * 1.03


def test_what_a_layer_may_have_where_its_words_leave_it_open():
    def layer(**keys):
        return LayerSpec.model_validate({"name": "a", "species": "oak", **keys})

    assert saturated(layer(density="9 * wet")) == (0, np.inf)
    assert "spaced for `9 * wet` a hectare; as many as that says" in describe_layer(layer(density="9 * wet"))
    assert saturated(layer(radius=10, cover="wet"))[0] == 0
    sized = saturated(layer(radius=10, sizes=[{"factor": 2, "cover": 0.5}, {"factor": 1}]))
    assert sized == pytest.approx((69.62 / 8, 69.62))
    assert saturated(layer(radius=10, soft={"core": 0.5})) == pytest.approx((69.62, 4 * 69.62))
