"""`count` in a spec: chunks are crops of the whole, what is left out is explained, and the budget knows."""

import numpy as np
import pytest

from weald.builder import build
from weald.errors import InputError
from weald.world.explain import explain
from weald.world.world import World


def content(window=(0, 0, 400, 300), **layer):
    ground = {"formula": "30 * hills", "spacing": 4}
    pine = {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}
    return {
        "weald": 1,
        "seed": 7,
        "chunk": 150,
        "noise": {"hills": {"scale": 100}},
        "ground": ground if window is None else {**ground, "window": list(window)},
        "species": {"pine": pine},
        "layer": [{"name": "pines", "species": "pine", **layer}],
    }


def test_chunks_are_crops_and_the_file_is_read_again(tmp_path):
    world = World.parse(content(count=500, height={"above": 0}))
    world.check()
    whole = world.layers(threads=1)["pines"]
    assert len(whole) == 500
    chunk = World.parse(content(count=500, height={"above": 0})).chunk(1, 0, threads=1)
    assert chunk.layers["pines"] == whole.inside(chunk.bounds)
    assert world.chunk(1, 0, threads=1) == chunk
    build(world, tmp_path / "out", threads=1)
    again = World.load(tmp_path / "out" / "world.toml")
    assert again.spec.layer[0].count == 500
    assert again.layers((100, 50, 300, 200), threads=1)["pines"] == whole.inside((100, 50, 300, 200))


def test_the_whole_grows_once_a_world():
    world = World.parse(content(count=100, radius=6))
    world.chunk(0, 0, threads=1)
    known = world.growths()["pines"][0].counting.settle()
    world.chunk(1, 1, threads=1)
    assert world.growths()["pines"][0].counting.settle() is known


def test_what_was_left_out_is_explained():
    world, free = World.parse(content(count=40, radius=9)), World.parse(content(radius=9))
    kept, grown = (one.layers(threads=1)["pines"] for one in (world, free))
    stays = np.isin(grown.id, kept.id)
    assert stays.sum() == 40
    for k in np.flatnonzero(~stays)[:5]:
        why = explain(world, *grown.xyz[k, :2]).layers[0].why
        said = "grew 0.00 m away and was left out, since the layer's count of 40 was full"
        assert why == f"nothing: pine {grown.id[k]:016x} {said}"
    for k in np.flatnonzero(stays)[:5]:
        why = explain(world, *grown.xyz[k, :2]).layers[0].why
        assert why == f"pine {grown.id[k]:016x} stands here, 0.00 m away"


def test_the_budget_counts():
    world = World.parse(content(count=500))
    assert world.cost().instances == 500
    assert world.cost((0, 0, 200, 300)).instances == pytest.approx(250)
    free = World.parse(content(radius=4)).cost()
    few = World.parse(content(count=5, radius=4)).cost()
    assert few.instances == 5
    assert few.left_out == pytest.approx(free.instances)
    with pytest.raises(InputError, match=r"budget: .* or a larger radius for layer 'pines', which has 8\.4e\+10;"):
        World.parse(content(count=5, radius=0.001)).afford((0, 0, 10, 10))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"count": 5, "density": 40}, r"layer\[0\]: `count` and `density` are both given; leave one out"),
        ({}, r"layer\[0\]: give `radius`, .* or `count`, instances in all"),
        ({"count": 5.0}, r"layer\[0\]\.count: got 5\.0; give a whole number"),
        ({"count": -1}, r"layer\[0\]\.count: got -1; give "),
        ({"count": True}, r"layer\[0\]\.count: got true; give a whole number"),
        ({"count": "5"}, r"layer\[0\]\.count: got \"5\"; give a whole number"),
        ({"count": 10**400}, r"layer\[0\]\.count: "),
    ],
)
def test_counts_that_are_none_are_refused(given, said):
    with pytest.raises(InputError, match=said):
        World.parse(content(**given))


def test_a_world_without_edges_has_no_count():
    with pytest.raises(InputError, match=r"count is 5, and the world has no edges; give .* `ground\.window`"):
        World.parse(content(None, count=5)).check()
