"""Meshes of one's own in a spec."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

from weald.errors import InputError
from weald.world.world import World


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "meshes").mkdir()
    box = trimesh.creation.box((2.0, 6.0, 2.0))
    box.apply_translation((0, 3, 0))
    box.export(tmp_path / "meshes" / "oak.glb")
    return tmp_path


def spec(asset: dict[str, Any]) -> dict[str, Any]:
    return {
        "weald": 1,
        "seed": 3,
        "ground": {"formula": "0 * x", "spacing": 4, "window": [0, 0, 40, 40]},
        "species": {"oak": asset},
        "layer": [{"name": "trees", "species": "oak", "radius": 5}],
    }


def test_a_spec_needs_no_more_than_the_file(folder: Path) -> None:
    world = World.parse(spec({"asset": "meshes/oak.glb"}), folder)
    world.check()
    oak = world.species["oak"]
    assert (oak.height, oak.crown_radius) == (6.0, pytest.approx(2**0.5))
    (table,) = {placed.species_table for placed in world.layers().values()}
    assert table == (oak,)
    # looks do not move anything
    plain = World.parse(spec({"shape": "bush", "height": 3.0, "crown_radius": 1.0, "color": "#123456"}), folder)
    assert (plain.layers()["trees"].xyz == world.layers()["trees"].xyz).all()


def test_an_asset_is_an_input_and_found_from_anywhere(folder: Path) -> None:
    world = World.parse(spec({"asset": "meshes/oak.glb", "color_variation": 0.5}), folder)
    assert folder / "meshes" / "oak.glb" in world.inputs
    (folder / "out").mkdir()
    (folder / "out" / "world.toml").write_text(world.to_toml(), "utf-8")
    again = World.load(folder / "out" / "world.toml")
    assert again.species == {"oak": again.species["oak"]}
    assert np.array_equal(again.species["oak"].mesh.positions, world.species["oak"].mesh.positions)  # type: ignore[union-attr]


def test_every_bad_asset_is_found_before_anything_grows(folder: Path) -> None:
    (folder / "bad.glb").write_bytes(b"no mesh at all, far from it")
    content = spec({"asset": "meshes/elm.glb"})
    content["species"]["old oak"] = {"asset": "bad.glb"}
    content["species"]["ply"] = {"asset": "bad.ply"}
    with pytest.raises(InputError) as error:
        World.parse(content, folder).check()
    lines = str(error.value).split("\n")
    assert len(lines) == 3
    assert lines[0] == f"spec: species.oak.asset: {folder / 'meshes' / 'elm.glb'}: there is no such file"
    assert lines[1].startswith(f'spec: species."old oak".asset: {folder / "bad.glb"}: cannot be read, it is damaged')
    assert "bad.ply: does not say which axis points up; give asset_up" in lines[2]


@pytest.mark.parametrize(
    ("oak", "says"),
    [
        ({}, "species.oak.shape: is missing; give a built-in shape, or an `asset`"),
        ({"asset": 3}, "species.oak.asset: got 3; give text in quotes"),
        ({"asset": "a.glb", "asset_up": "x"}, "species.oak.asset_up: got \"x\"; give 'y' or 'z'"),
        ({"asset": "a.glb", "height": -1.0}, "species.oak.height: got -1.0; give a number above 0"),
        ({"asset": "a.glb", "color": "red"}, 'species.oak.color: got "red"; give a color as "#rrggbb"'),
    ],
)
def test_what_a_spec_may_not_say(oak: dict[str, Any], says: str) -> None:
    content = copy.deepcopy(spec(oak))
    with pytest.raises(InputError) as error:
        World.parse(content)
    assert f"spec: {says}" in str(error.value).split("\n")
