"""Clearances: which distance holds between whom, who comes first, and what is refused."""

import pytest

from tests.stands import BIRCH, FERN, OAK, PINE
from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.clearances import Clearances, in_order
from weald.scatter.layer import Layer
from weald.scatter.scatter import scatter

TREES = Layer("trees", {OAK: 1, BIRCH: 1}, 8.0)
BUSHES = Layer("bushes", {FERN: 1, PINE: 1}, 3.0, keep_off={"oak": 4.0})


def between(pairs, new=FERN, old=OAK, later=None, **options):
    later = Layer("bushes", {FERN: 1, PINE: 1}, 3.0) if later is None else later
    return Clearances(pairs, **options).between(later, new, TREES, old)


# -- which distance --------------------------------------------------------------------------


def test_the_more_particular_of_two_distances_holds():
    pairs = {("trees", "bushes"): 1.0}
    assert between(pairs) == 1.0
    pairs["trees", "fern"] = 2.0
    assert between(pairs) == 2.0
    assert between(pairs, new=PINE) == 1.0
    pairs["bushes", "oak"] = 1.5  # of two as particular, the larger
    assert between(pairs) == 2.0
    pairs["oak", "fern"] = 0.5
    assert between(pairs) == 0.5
    assert between(pairs, later=BUSHES) == 4.0
    assert between(pairs, old=BIRCH, later=BUSHES) == 2.0
    both = Layer("bushes", {FERN: 1}, 3.0, keep_off={"trees": 6.0, "oak": 5.0})
    assert between(pairs, later=both) == 5.0
    assert between(pairs, old=BIRCH, later=both) == 6.0


def test_pairs_have_no_direction():
    assert between({("oak", "fern"): 2.5}) == between({("fern", "oak"): 2.5}) == 2.5


def test_nothing_stands_in_a_stem_unless_told():
    assert between({}) == pytest.approx(0.02 * OAK.height + 0.3 * FERN.crown_radius)
    assert between({}, default=0.0) == 0.0
    assert between({}, default=7.0) == 7.0
    assert between({("oak", "fern"): 0.0}) == 0.0
    from dataclasses import replace

    rock = replace(FERN, stem_radius=2.0)
    assert between({}, new=rock) == pytest.approx(2.0 + 0.02 * OAK.height)


@pytest.mark.parametrize("radius", [-1.0, float("nan"), float("inf")])
def test_stems_that_cannot_be(radius):
    from dataclasses import replace

    with pytest.raises(InputError, match=rf"species 'fern': stem_radius is {radius}; give a finite number, 0 or more"):
        replace(FERN, stem_radius=radius)


# -- who comes first -------------------------------------------------------------------------


def test_a_layer_comes_after_all_that_it_keeps_off():
    a, b = Layer("a", {OAK: 1}, 9.0, keep_off={"c": 2}), Layer("b", {BIRCH: 1}, 9.0)
    c, d = Layer("c", {FERN: 1}, 9.0), Layer("d", {PINE: 1}, 9.0, keep_off={"oak": 1, "c": 0})
    assert [layer.name for layer in in_order([a, b, c, d])] == ["b", "c", "a", "d"]
    assert [layer.name for layer in in_order([d, a, b, c])] == ["b", "c", "a", "d"]
    # nought is no rule, and puts nothing first
    assert [layer.name for layer in in_order([Layer("e", {PINE: 1}, 9.0, keep_off={"c": 0}), c])] == ["e", "c"]


def test_the_result_keeps_the_order_given():
    told = []
    layers = [Layer("a", {OAK: 1}, 9.0, keep_off={"c": 2}), Layer("c", {FERN: 1}, 9.0)]
    placed = scatter(layers, lambda x, y: 0 * x, Bounds(0, 0, 50, 50), 1, report=told.append)
    assert list(placed) == ["a", "c"]
    assert told == ["c", "a"]


# -- what is refused -------------------------------------------------------------------------


def refusal(call):
    with pytest.raises(InputError) as raised:
        call()
    return str(raised.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pairs": {"oak": 1.0}}, "clearances: got 'oak'; give pairs of names, such as ('oak', 'bushes')"),
        ({"pairs": {("a", 3): 1.0}}, "clearances: got ('a', 3); give pairs of names, such as ('oak', 'bushes')"),
        (
            {"pairs": {("a", "b"): -1.0}},
            "clearances: ('a', 'b') is -1.0; give a distance in metres, from 0 to 1e+100",
        ),
        (
            {"pairs": {("a", "b"): 1.0, ("b", "a"): 2.0}},
            "clearances: ('a', 'b') is 1.0 and ('b', 'a') is 2.0; a distance has no direction: give the pair once",
        ),
        (
            {"default": "crowns"},
            "clearances: default is 'crowns'; give 'stems' or a distance in metres, from 0 to 1e+100",
        ),
        ({"default": -1.0}, "clearances: default is -1.0; give 'stems' or a distance in metres, from 0 to 1e+100"),
    ],
)
def test_clearances_that_cannot_be(given, message):
    assert refusal(lambda: Clearances(**given)) == message


def test_names_that_stand_for_nothing():
    assert refusal(lambda: Clearances({("oak", "ferm"): 1}).check([TREES, BUSHES])) == (
        "clearances: ('oak', 'ferm') names 'ferm', which is neither a layer nor a species (did you mean 'fern'?); "
        "layers: trees, bushes; species: oak, birch, fern, pine"
    )
    for pair in [("oak", "birch"), ("oak", "oak"), ("oak", "trees"), ("trees", "trees")]:
        assert refusal(lambda pair=pair: Clearances({pair: 1}).check([TREES, BUSHES])) == (
            f"clearances: {pair} both stand in layer 'trees' alone, and within a layer spacing comes from its radius; "
            "put them into two layers, or give the layer a radius for each species"
        )
    more = Layer("more", {OAK: 1}, 3.0)
    Clearances({("oak", "oak"): 1, ("oak", "birch"): 1}).check([TREES, BUSHES, more])


def test_circles_are_named():
    a = Layer("a", {OAK: 1}, 9.0, keep_off={"b": 1})
    b = Layer("b", {BIRCH: 1}, 9.0, keep_off={"fern": 1})
    c = Layer("c", {FERN: 1}, 9.0, keep_off={"oak": 1})
    d = Layer("d", {PINE: 1}, 9.0, keep_off={"c": 1})
    assert refusal(lambda: in_order([d, a, b, c])) == (
        "layer 'c': layers keep off each other in a circle, c -> a -> b -> c; of two layers the later keeps off the "
        "earlier, so take one keep_off of the circle away"
    )
