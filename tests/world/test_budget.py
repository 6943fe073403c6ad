"""The budget: estimates near what comes out, and refusals with numbers before anything is made."""

import math
import re

import pytest

from weald.builder import build
from weald.errors import InputError
from weald.export.glb_size import refuse_too_large
from weald.world.budget import Budget, Cost
from weald.world.world import World


def content(ground=None, worms=None, **layer):
    return {
        "weald": 1,
        "seed": 7,
        "chunk": 200,
        "noise": {"hills": {"scale": 100}},
        "worms": worms or {},
        "ground": ground or {"formula": "30 * hills", "spacing": 4, "window": [0, 0, 800, 600]},
        "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
        "layer": [{"name": "pines", "species": "pine", "radius": 6, **layer}],
    }


@pytest.mark.parametrize(
    ("rules", "off"),
    [
        ({}, 0.1),
        ({"radius": 3, "height": {"above": 0}}, 0.35),
        ({"radius": None, "density": 300}, 0.25),
        ({"cover": 0.25}, 0.1),
        ({"radius": "lerp(4, 9, clamp(hills, 0, 1))"}, 0.35),
        ({"sizes": [{"factor": 2, "cover": 0.5}, {"factor": 1}]}, 1.0),
    ],
)
def test_instances_are_about_as_many_as_estimated(rules, off):
    given = content(**rules)
    given["layer"][0] = {key: value for key, value in given["layer"][0].items() if value is not None}
    if isinstance(rules.get("radius"), str):
        given["layer"][0]["radius_range"] = [4, 9]
    world = World.parse(given)
    cost = world.cost()
    count = len(world.layers(threads=1)["pines"])
    assert count == pytest.approx(cost.instances, rel=off)
    assert cost.area == 800 * 600
    assert cost.samples == pytest.approx(world.terrain.heights.size, rel=0.02)


def test_a_window_and_a_chunk_are_estimated_alone():
    world = World.parse(content())
    whole, part = world.cost(), world.cost((0, 0, 400, 300))
    assert part.instances == pytest.approx(whole.instances / 4)
    endless = World.parse(content({"formula": "hills", "spacing": 4}))
    assert endless.cost().area == 200**2


@pytest.mark.parametrize(
    ("ground", "layer", "said"),
    [
        (
            None,
            {"radius": 0.001},
            r"about 3\.\de\+11 instances on 0\.48 km² .* for layer 'pines'",
        ),
        (None, {"radius": None, "density": 1e9}, r"budget: about 4\.\de\+10 instances"),
        (
            {"formula": "hills", "spacing": 0.001, "window": [0, 0, 8000, 6000]},
            {},
            r"4\.8e\+13 samples of ground take .* a larger `ground.spacing`",
        ),
        (
            {"formula": "hills", "spacing": 1, "window": [0, 0, 4000, 4000], "erosion": {"iterations": 10_000}},
            {},
            "16,000,000 samples of ground take 7 hours .*fewer iterations of erosion",
        ),
        ({"sample": "jacksboro", "resample": 0.01}, {}, r"resample: 0.01 m gives 3,.* samples, 71,104\.0 GiB"),
    ],
)
def test_what_is_far_too_much_is_refused_at_once(ground, layer, said, tmp_path):
    given = content(ground, **layer)
    given["layer"][0] = {key: value for key, value in given["layer"][0].items() if value is not None}
    with pytest.raises(InputError, match=said):
        World.parse(given).check()
    with pytest.raises(InputError, match=said):
        build(World.parse(given), tmp_path / "out", threads=1)
    assert not (tmp_path / "out").exists()


def test_the_budget_can_be_raised_by_what_the_refusal_says(tmp_path):
    given = content(radius=2)
    small = Budget(minutes=0.001, memory=0.1)
    with pytest.raises(InputError, match=r"at most 1 second and 0\.1 GiB are allowed") as refused:
        build(World.parse(given, budget=small), tmp_path / "out", threads=1)
    minutes, memory = re.search(r"--most-minutes ([\d.]+) --most-memory ([\d.]+)", str(refused.value)).groups()
    raised = Budget(float(minutes), float(memory))
    assert World.parse(given, budget=raised).afford() == World.parse(given).cost()
    for name, wrong in [("minutes", 0), ("memory", math.nan), ("minutes", "60")]:
        with pytest.raises(InputError, match=f"most {name}: got"):
            Budget(**{name: wrong})


@pytest.mark.parametrize(
    ("spacing", "radius", "side", "said"),
    [
        (
            1,
            30,
            9000,
            r"81,000,000 samples of ground and .* take 4\.2 GiB.* in 2 windows or more.*ground spacing",
        ),
        (8, 0.5, 6000, r".* about 1\d\d,\d{3},\d{3} instances would take 4\.\d GiB, .*, or give larger radii"),
    ],
)
def test_a_scene_too_large_for_its_format_is_refused_before_anything_is_placed(spacing, radius, side, said, tmp_path):
    given = content({"formula": "hills", "spacing": spacing}, radius=radius)
    stages = []
    with pytest.raises(InputError, match=r"scene\.glb: " + said):
        build(
            World.parse(given, budget=Budget(1e4, 1e3)),
            tmp_path / "out",
            window=(0, 0, side, side),
            report=stages.append,
        )
    assert stages == ["ground"]
    assert not (tmp_path / "out").exists()


def test_the_size_of_a_scene_is_estimated_well(tmp_path, monkeypatch):
    world = World.parse(content({"formula": "30 * hills", "spacing": 1, "window": [0, 0, 500, 500]}, radius=2))
    build(world, tmp_path / "out", threads=1)
    size = (tmp_path / "out" / "scene.glb").stat().st_size
    cost = world.cost()
    for limit, fits in [(0.9 * size, False), (1.1 * size, True)]:
        monkeypatch.setattr("weald.export.glb_size.MAX_BYTES", limit)
        if fits:
            refuse_too_large("scene.glb", cost.samples, cost.instances, tinted=False)
        else:
            with pytest.raises(InputError, match="a GLB holds 4 at most"):
                refuse_too_large("scene.glb", cost.samples, cost.instances, tinted=False)


def test_costs_are_told_in_words():
    assert str(Cost(2e6, 1500, 2e9, 9e7)) == (
        "about 2e+09 instances on 2 km² and 1,500 samples of ground take 1,042 days of one core and "
        "1,676.7 GiB of memory"
    )
    assert "take 2 minutes of one core" in str(Cost(1, 1, 1, 100))


def test_worms_too_dense_to_walk_are_refused_with_the_numbers():
    worms = {"w": {"cell": 4.0, "per_cell": 1.3, "steps": 260, "step": 1.5, "radius": [3.5, 7.0]}}
    with pytest.raises(InputError, match=r"worms\.w: to know one place, 1\.\de\+07 steps must be walked \(4 s\)"):
        World.parse(content(worms=worms)).check()
