"""Layers: what is refused, and what the instances look like."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.layer import Layer
from weald.scatter.rules import Ramp, Share
from weald.scatter.scatter import scatter
from weald.scatter.species import Species

PINE = Species("pine", "conifer", 20, 2.5, "#335544", (0.7, 1.2))
OAK = Species("oak", "broadleaf", 15, 4, "#778844", (0.3, 0.3))
FERN = Species("fern", "bush", 1, 1, "#66aa44", (1e-6, 1e6))
FIELD = Bounds(0, 0, 300, 300)


def flat(x, y):
    return 0 * x


def place(*layers, domain=FIELD, seed=1, **options):
    return scatter(layers, flat, domain, seed, **options)


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"species": {}}, "layer 'a': species is empty; name at least one"),
        ({"name": ""}, "layer: name is ''; give a text, which its randomness comes from"),
        ({"name": 3}, "layer: name is 3; give a text, which its randomness comes from"),
        ({"species": ["pine"]}, "layer 'a': species is ['pine']; give a dict of Species and weights, such as {oak: 1}"),
        (
            {"species": {"pine": 1}},
            "layer 'a': species is {'pine': 1}; give a dict of Species and weights, such as {oak: 1}",
        ),
        ({"rules": 3}, "layer 'a': rules is 3; give a list of rules, such as [Only(condition)]"),
        ({"rules": [flat]}, f"layer 'a': rules is {[flat]}; give a list of rules, such as [Only(condition)]"),
        ({"species": {PINE: -1}}, "layer 'a': the weight of 'pine' is -1; give a finite number, 0 or more"),
        ({"species": {PINE: 1, OAK: np.nan}}, "layer 'a': the weight of 'oak' is nan; give a finite number, 0 or more"),
        ({"species": {PINE: np.inf}}, "layer 'a': the weight of 'pine' is inf; give a finite number, 0 or more"),
        (
            {"species": {PINE: 0, OAK: 0.0}},
            "layer 'a': the weights of its species sum to 0; give at least one above 0, and none so large",
        ),
        (
            {"species": {PINE: 1e308, OAK: 1e308}},
            "layer 'a': the weights of its species sum to inf; give at least one above 0, and none so large",
        ),
        ({"keep_off": {"b": -1}}, "layer 'a': keep_off of 'b' is -1; give a distance from 0 to 1e+100 m"),
        ({"keep_off": {"b": np.nan}}, "layer 'a': keep_off of 'b' is nan; give a distance from 0 to 1e+100 m"),
        ({"radius": 0}, "layer 'a': radius is 0; give a finite number of metres above 0"),
        ({"radius": -2.0}, "layer 'a': radius is -2.0; give a finite number of metres above 0"),
        ({"radius": np.inf}, "layer 'a': radius is inf; give a finite number of metres above 0"),
        ({"radius": np.nan}, "layer 'a': radius is nan; give a finite number of metres above 0"),
    ],
)
def test_layers_that_cannot_be(given, message):
    with pytest.raises(InputError) as raised:
        Layer(**{"name": "a", "species": {PINE: 1}, "radius": 3.0, **given})
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        (
            [("trees", {}), ("bushes", {"tres": 1})],
            "layer 'bushes': keep_off names 'tres', which is no other layer and stands in none "
            "(did you mean 'trees'?); known: trees, pine",
        ),
        (
            [("trees", {"trees": 1})],
            "layer 'trees': keep_off names 'trees', which stands in no other layer; "
            "within a layer spacing comes from its radius",
        ),
        (
            [("x", {}), ("trees", {"bushes": 1}), ("stones", {"trees": 1}), ("bushes", {"stones": 1})],
            "layer 'trees': layers keep off each other in a circle, trees -> bushes -> stones -> trees; of two layers "
            "the later keeps off the earlier, so take one keep_off of the circle away",
        ),
        ([("trees", {}), ("trees", {})], "layer 'trees': the name is used twice; give each layer its own"),
    ],
)
def test_names_that_do_not_fit(layers, message):
    with pytest.raises(InputError) as raised:
        place(*[Layer(name, {PINE: 1}, 50.0, keep_off=off) for name, off in layers])
    assert str(raised.value) == message


@pytest.mark.parametrize("scale", [(0, 1), (1.2, 1), (-1, 1), (1e-50, 1), (1, 1e300), (np.nan, 1), (1, np.inf)])
def test_species_of_sizes_that_cannot_be(scale):
    with pytest.raises(InputError, match=r"species 'x': scale is .*; give smallest <= largest, from 1e-06 to 1e\+06"):
        Species("x", "bush", 1, 1, "#000000", scale)


def test_functions_of_a_wrong_shape_are_named():
    three = np.ones((3, 1))
    rock = Species("rock", "rock", 1, 1, "#888888", alignment=1)
    with pytest.raises(
        InputError, match=r"rule 'Share': was given \d+ places and returned shape \(3, 1\); return one share"
    ):
        place(Layer("a", {PINE: 1}, 9, rules=[Share(lambda x, y: three)]))
    with pytest.raises(
        InputError, match=r"height: the function was given \d+ places and returned shape \(3, 1\); return"
    ):
        scatter([Layer("a", {PINE: 1}, 25)], lambda x, y: three, FIELD, 1)
    with pytest.raises(InputError, match=r"normal: the function .* returned shape \(3, 1\); return shape \(\d+, 3\)"):
        place(Layer("a", {rock: 1}, 25), normal=lambda x, y: three)
    with pytest.raises(InputError, match=r"the weight of 'pine': .*returned shape \(3, 1\)"):
        place(Layer("a", {PINE: lambda x, y: three}, 25))
    with pytest.raises(InputError, match=r"layer 'a': radius: .*returned an array of shape \(3, 1\)"):
        place(Layer("a", {PINE: 1}, lambda x, y: three, radius_range=(2, 4)))


def test_a_radius_rule_outside_its_range_is_clamped():
    for given, expected in ((0.0, 2.0), (100.0, 4.0), (np.inf, 4.0)):
        placed = place(
            Layer("a", {PINE: 1}, lambda x, y, r=given: 0 * x + r, radius_range=(2, 4)), domain=(0, 0, 50, 50)
        )
        assert set(placed["a"].radius.tolist()) == {expected}
    with pytest.raises(InputError, match=r"layer 'a': radius: the function returned NaN at \(.*\); return a number"):
        place(Layer("a", {PINE: 1}, lambda x, y: np.where(x > 40, np.nan, 3), radius_range=(2, 4)))


def test_boxes_may_be_tuples_and_layers_must_be_layers():
    layer = Layer("a", {PINE: 1}, 9)
    assert place(layer, domain=(0, 0, 60, 60), window=(0, 0, 30, 30)) == place(
        layer, domain=Bounds(0, 0, 60, 60), window=Bounds(0, 0, 30, 30)
    )
    with pytest.raises(InputError, match="layers: got 'a'; give a list of Layer"):
        scatter({"a": layer}, flat, FIELD, 1)


def test_an_error_of_the_sampler_names_the_layer():
    with pytest.raises(InputError, match="layer 'a': radius: got 1e-200; give a number of metres above 0"):
        place(Layer("a", {PINE: 1}, 1e-200))
    with pytest.raises(InputError, match=r"layer 'a': window: 1000000000000000\.0 is more than .* from the origin"):
        place(Layer("a", {PINE: 1}, 1.0), domain=Bounds(1e15, 0, 1e15 + 100, 100))


# -- attributes ------------------------------------------------------------------------------


def test_scales_lie_in_the_range_of_their_species():
    species = {PINE: 1, OAK: 1, FERN: 1}
    placed = place(Layer("a", species, 4.0))["a"]
    for k, kind in enumerate(species):
        scale = placed.of(k).scale
        assert scale.dtype == np.float32
        low, high = np.float32(kind.scale)
        assert (scale > 0).all()
        assert low <= scale.min()
        assert scale.max() <= high
    pine = placed.of(0).scale.astype(np.float64)
    assert pine.mean() == pytest.approx(0.95, abs=0.01)
    assert pine.std() == pytest.approx(0.5 / 12**0.5, rel=0.05)


def test_rotations_are_unit_quaternions_about_z_alone_and_even():
    placed = place(Layer("a", {PINE: 1}, 4.0))["a"]
    x, y, z, w = placed.rotation.T
    assert placed.rotation.dtype == np.float32
    assert not x.any()
    assert not y.any()
    assert np.abs(np.hypot(z.astype(np.float64), w.astype(np.float64)) - 1).max() < 1e-7
    yaw = 2 * np.arctan2(z, w) % (2 * np.pi)
    counts, _ = np.histogram(yaw, 12, (0, 2 * np.pi))
    assert len(placed) > 3500
    assert np.abs(counts / len(placed) - 1 / 12).max() < 0.02


def test_radii_are_never_above_the_spacing_that_was_kept():
    for radius in (6.3, 0.1 + 5, 5.0, 7.7, 300.0001):
        placed = place(Layer("a", {PINE: 1}, radius))["a"]
        assert (placed.radius.astype(np.float64) <= radius).all()
        assert (placed.radius.astype(np.float64) > radius * (1 - 1e-6)).all()


def test_shares_of_species_are_near_their_weights():
    placed = place(Layer("a", {PINE: 6, OAK: 3, FERN: 1, Species("never", "bush", 1, 1, "#000000"): 0}, 2.0))["a"]
    assert len(placed) > 14_000
    shares = np.bincount(placed.species, minlength=4) / len(placed)
    assert shares == pytest.approx([0.6, 0.3, 0.1, 0.0], abs=0.012)
    assert shares[3] == 0


def test_each_species_is_spread_over_the_whole():
    """Case 13: choosing species by position or by order would shift their middles."""
    placed = place(Layer("a", {PINE: 1, OAK: 1, FERN: 1}, 3.0))["a"]
    for k in range(3):
        mean = placed.of(k).xyz[:, :2].mean(axis=0)
        assert np.abs(mean - 150).max() < 0.05 * 150
        # and in each quarter as many
        quarter = (placed.of(k).xyz[:, :2] > 150) @ [1, 2]
        assert np.bincount(quarter) / len(quarter) == pytest.approx(np.full(4, 0.25), abs=0.03)


def test_attributes_do_not_hang_on_each_other():
    placed = place(Layer("a", {PINE: 1, OAK: 1}, 2.0))["a"].of(0)
    yaw = np.arctan2(placed.rotation[:, 2], placed.rotation[:, 3])
    columns = np.vstack([placed.scale, yaw, *placed.xyz[:, :2].T])
    assert np.abs(np.corrcoef(columns) - np.eye(4)).max() < 0.05


def test_thinning_keeps_the_share_asked_for():
    half = [Ramp(lambda x, y: np.full_like(x, 0.5), 0, 1)]
    thin, full = (place(Layer("a", {PINE: 1}, 2.0, rules))["a"] for rules in (half, []))
    assert len(thin) == pytest.approx(len(full) / 2, rel=0.03)
    assert set(thin.id.tolist()) < set(full.id.tolist())


# -- the odd ones ----------------------------------------------------------------------------


def test_a_radius_larger_than_the_domain_gives_one_instance():
    for radius in (500.0, 1e6, 1e100):
        for rules in ([], [Ramp(lambda x, y: x, 0, 0)]):
            layers = [
                Layer("a", {PINE: 1}, radius, rules, edge="fill"),
                Layer("b", {OAK: 1}, 20.0, keep_off={"a": 30.0}),
            ]
            placed = place(*layers)
            assert len(placed["a"]) == 1
            assert len(placed["b"]) > 100
            window = (100.0, 100.0, 200.0, 200.0)
            part = place(*layers, window=Bounds(*window))
            inside = FIELD.intersection(Bounds(*window)).contains(*placed["b"].xyz[:, :2].T)
            np.testing.assert_array_equal(part["b"].xyz, placed["b"].xyz[inside])


def test_no_layers_and_empty_layers():
    assert place() == {}
    nowhere = [Ramp(lambda x, y: x, 1e9, 1e9)]
    placed = place(Layer("a", {PINE: 1}, 5.0, nowhere), Layer("b", {PINE: 1}, 40.0, keep_off={"a": 10}))
    assert len(placed["a"]) == 0
    assert placed["a"].xyz.shape == (0, 3)
    alone = place(Layer("b", {PINE: 1}, 40.0))["b"]
    np.testing.assert_array_equal(placed["b"].xyz, alone.xyz)


def test_a_distance_of_nought_is_no_rule():
    two = place(Layer("a", {PINE: 1}, 5.0), Layer("b", {OAK: 1}, 5.0, keep_off={"a": 0}))["b"]
    np.testing.assert_array_equal(two.xyz, place(Layer("b", {OAK: 1}, 5.0))["b"].xyz)


def test_layers_are_reported_in_their_order():
    told = []
    place(*[Layer(name, {PINE: 1}, 90.0) for name in "cab"], report=told.append)
    assert told == ["c", "a", "b"]
