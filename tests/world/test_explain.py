"""Why something stands, or nothing does: what is told agrees with what grows."""

import numpy as np
import pytest

from tests import worlds
from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.edits import Edits
from weald.world.edits import save_edits
from weald.world.explain import explain


@pytest.fixture(scope="module")
def valley(tmp_path_factory):
    content = worlds.content()
    content["layer"][1]["where"] = "height > 10 and not inside('pond')"
    content["layer"][2]["species"] = {"laurel": "smoothstep(x, 20, 90)", "oak": "smoothstep(y, 100, 200)"}
    return worlds.world(tmp_path_factory.mktemp("valley"), content)


def reason(world, x, y, layer):
    return next(one for one in explain(world, x, y).layers if one.layer == layer)


def test_whoever_stands_is_told_where_he_stands(valley):
    for name, placed in valley.layers((100, 100, 200, 200)).items():
        for k in range(0, len(placed), max(len(placed) // 4, 1)):
            x, y = placed.xyz[k, :2]
            found = explain(valley, x, y)
            species = placed.species_table[placed.species[k]].name
            assert (found.nearest.layer, found.nearest.species, found.nearest.id) == (name, species, placed.id[k])
            assert found.nearest.distance == 0
            assert found.height == pytest.approx(placed.xyz[k, 2])
            told = next(one for one in found.layers if one.layer == name)
            assert told.why == f"{species} {placed.id[k]:016x} stands here, 0.00 m away"
            assert told.share > 0
            assert told.kept_off is None


@pytest.mark.parametrize(("layer", "radius"), [("conifers", 6.3), ("oaks", 7.1), ("bushes", 3.3)])
def test_one_stands_here_within_a_quarter_of_the_radius(valley, layer, radius):
    placed = valley.layers((120, 120, 240, 240))[layer]
    assert len(placed) > 0
    for k in range(min(len(placed), 3)):
        species = placed.species_table[placed.species[k]].name
        for part, here in ((0.24, True), (0.26, False)):
            x, y = placed.xyz[k, :2] + (0.6 * part * radius, -0.8 * part * radius)
            told = reason(valley, x, y, layer)
            words = f"{species} {placed.id[k]:016x} stands here, {part * radius:.2f} m away"
            assert (told.why == words) == here
            assert told.nearest.id == placed.id[k]
            assert ("stands here" in told.why) == here


def test_every_empty_place_has_a_true_reason(valley):
    """What is told is checked against all that stands, found by brute force."""
    wide, grown = valley.layers((-100, -100, 460, 460)), valley.growths()
    rng = np.random.default_rng(1)
    kinds = set()
    for x, y in rng.uniform(5, 355, (100, 2)):
        for told in explain(valley, x, y).layers:
            own = wide[told.layer]
            distance = np.hypot(*(own.xyz[:, :2] - (x, y)).T)
            radius = {"conifers": 6.3, "oaks": 7.1, "bushes": 3.3}[told.layer]
            if "stands here" in told.why:
                kinds.add("stands")
                assert distance.min() < 0.25 * radius
            elif "and was cut" in told.why:
                kinds.add("cut")
                assert told.nearest is None or distance.min() >= told.nearest.keeps
                (growth,) = grown[told.layer]
                stems = growth.candidates(Bounds.around(np.array([x]), np.array([y]), 10.0))
                away = np.hypot(*(stems.xy - (x, y)).T)
                stem = int(np.argmin(away))
                assert f"its stem {away[stem]:.3g} m away" in told.why
                assert away[stem] < radius
                assert stems.id[stem] not in own.id
                if "outside the world" in told.why:
                    assert not valley.bounds.contains(*stems.xy[stem : stem + 1].T).any()
                else:
                    at = reason(valley, *stems.xy[stem], told.layer)
                    assert at.share == 0 if "where the rule" in told.why else at.kept_off is not None
            elif "the rule" in told.why:
                kinds.add("rule")
                assert told.share == 0
            elif "it keeps" in told.why:
                kinds.add("kept off")
                other = wide[told.kept_off.layer]
                off = np.hypot(*(other.xyz[:, :2] - (x, y)).T)
                assert told.kept_off.distance == pytest.approx(off.min())
                assert off.min() < told.kept_off.keeps
            elif "apart" in told.why:
                kinds.add("spacing")
                assert told.nearest.distance == pytest.approx(distance.min())
                assert distance.min() < radius
            elif "thinned out by chance" in told.why:
                kinds.add("thinned")
                assert distance.min(initial=np.inf) >= radius
            else:
                raise AssertionError(told.why)
    assert kinds >= {"rule", "kept off", "spacing", "thinned", "cut"}


def test_rules_are_told_with_their_values(valley):
    found = explain(valley, 70, 60)  # in the pond
    oaks = found.layers[1]
    assert [rule.text for rule in oaks.rules] == [
        "outside pond", "height above 20 m, fading over 15 m", "height below 140 m, fading over 15 m",
        "where height > 10 and not inside('pond')",
    ]  # fmt: skip
    assert [rule.share for rule in oaks.rules] == pytest.approx([0, 0.41, 1, 0], abs=0.3)
    assert oaks.rules[1].parts == {"height": pytest.approx(found.height)}
    assert oaks.rules[3].parts == {"height": pytest.approx(found.height), "inside('pond')": True}
    assert oaks.why == ('nothing: the rules "outside pond" and "where height > 10 and not inside(\'pond\')" forbid it')
    weights = reason(valley, 15, 50, "bushes").rules[-1]
    assert weights.text.startswith("some species suits the place")
    assert weights.parts == {"laurel": 0, "oak": 0}
    assert weights.share == 0


def test_soft_spacing_and_sizes_are_told(tmp_path):
    content = worlds.content()
    content["layer"] = [
        {"name": "soft", "species": "pine", "radius": 9, "soft": {"core": 0.4, "closer": 0}},
        {"name": "sized", "species": "oak", "radius": 6, "sizes": [{"factor": 2, "cover": 0.5}, {"factor": 1}]},
    ]
    world = worlds.world(tmp_path, content)
    told = [one.why for k in range(30) for one in explain(world, 150 + 1.7 * k, 120).layers]
    assert any(why.endswith("m away, was thinned out by soft spacing") for why in told)
    assert any("off oak (sized), and one stands" in why for why in told)


def test_edits_count_for_what_is_nearest(tmp_path):
    world = worlds.world(tmp_path)
    x, y = world.layers((150, 150, 200, 200))["oaks"].xyz[0, :2]
    content = worlds.content()
    content["edits"] = "edits.toml"
    save_edits(tmp_path / "edits.toml", Edits().add("bushes", "mine", species="laurel", at=(x + 0.5, y + 0.1)))
    edited = worlds.world(tmp_path, content)
    near = explain(edited, x + 0.5, y).nearest
    assert (near.layer, near.species, near.distance) == ("bushes", "laurel", pytest.approx(0.1))
    # no rule accounts for it, so it is told
    assert near.by_hand
    assert not explain(edited, x, y).nearest.by_hand


def test_places_that_are_none(valley):
    with pytest.raises(InputError, match=r"place: \(400, 5\) is not in the world, which spans x 0 to 360, y 0 to 360"):
        explain(valley, 400, 5)
    with pytest.raises(InputError, match=r"place: .*give finite metres"):
        explain(valley, np.nan, 5)


def test_the_endless_plane_far_away():
    from tests.world.test_chunks import world

    found = explain(world(), -4e6 + 3, 7e6)
    assert found.biome in ("marsh", "heath")
    assert np.isfinite(found.height)
