"""Names of a spec: long chains of fields, circles, and the parts of a formula."""

import pytest

from weald.errors import InputError
from weald.world.world import World


def world(fields, formula="hills", **more):
    return World.parse(
        {
            "weald": 1,
            "seed": 7,
            "noise": {"hills": {"scale": 100}},
            "fields": fields,
            "ground": {"formula": formula, "spacing": 4},
            "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
            "layer": [{"name": "pines", "species": "pine", "radius": 8, **more}],
        }
    )


@pytest.mark.parametrize("upwards", [True, False])
def test_six_hundred_fields_in_a_chain(upwards):
    order = range(600) if upwards else reversed(range(600))
    chain = {f"f{k}": f"f{k - 1} + 0.25" if k else "hills" for k in order}
    chained = world(chain, "f599")
    chained.check()
    plain = world({}, "hills")
    low, high = plain.ground.height(10.0, 20.0), chained.ground.height(10.0, 20.0)
    assert high == pytest.approx(low + 599 * 0.25)


def test_a_circle_is_told_briefly():
    with pytest.raises(InputError, match=r"^a -> b -> a is a circle"):
        world({"a": "b + 1", "b": "a + 1"}).names["a"]
    circle = {f"f{k}": f"f{(k + 1) % 600} + 1" for k in range(600)}
    with pytest.raises(InputError, match=r"f0 -> f1 -> f2 -> f3 -> \.\.\. 594 more \.\.\. -> f598 -> f599 -> f0 is"):
        world(circle).check()


def test_formulas_of_four_hundred_terms():
    terms = world({}, " + ".join(["hills"] * 400), share=" + ".join(["0.1 * hills"] * 400))
    terms.check()
    assert terms.ground.height(10.0, 20.0) == pytest.approx(400 * world({}).ground.height(10.0, 20.0))
    assert len(terms.layers((0, 0, 200, 200), threads=1)["pines"]) > 10


def test_parts_are_named_as_they_are_written():
    cave = "inside('a') and speckle( 'x',\n rock=0.4) and hills > 0"
    made = world({}, where="hills > 0")
    names = made.names
    assert [*names.parts("speckle( 'x',\n rock=0.4) and hills > 0")] == ["speckle( 'x', rock=0.4)", "hills"]
    with pytest.raises(InputError, match="area 'a' is unknown"):
        names.parts(cave)
