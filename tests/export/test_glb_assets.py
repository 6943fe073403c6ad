"""Assets, colours and stances in the GLB: read back by the rules of the specification, and followed by a landmark."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import trimesh

from tests.export.test_glb import Glb
from weald.builder import build
from weald.export.glb import write_glb
from weald.geometry import Bounds
from weald.scatter.layer import Layer
from weald.scatter.orientation import rotation_matrices
from weald.scatter.placements import Placements
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.world.world import World

FRONT, RIGHT, TOP = [0.0, 0.0, 3.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]
"""Corners of the landmark in glTF's axes: it looks at the viewer, +z."""


@pytest.fixture
def landmark(tmp_path: Path) -> Path:
    mesh = trimesh.Trimesh([[0, 0, 0], FRONT, RIGHT, TOP], [[0, 1, 2], [0, 2, 3], [1, 3, 2], [0, 3, 1]], process=False)
    mesh.fix_normals()
    mesh.visual.vertex_colors = [[0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]
    mesh.export(tmp_path / "landmark.glb")
    return tmp_path / "landmark.glb"


def corners_in_the_world(glb: Glb) -> dict[int, np.ndarray]:
    """Where the landmark's front, right and top are in the world, by id: the rules of glTF, in float64."""
    found = {}
    for node, group in glb.groups:
        mesh = glb.mesh(node["mesh"])
        colors = mesh["COLOR_0"][:, :3] > 30_000
        local = np.array([mesh["POSITION"][colors[:, k]][0] for k in range(3)], float)
        for k in range(len(group["SCALE"])):
            x, y, z, w = group["ROTATION"][k].astype(float)
            turn = np.array(
                [
                    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
                ]
            )
            places = (local * group["SCALE"][k]) @ turn.T + group["TRANSLATION"][k]
            words = group["_ID"][k].astype(object)
            found[int(sum(int(word) << (16 * n) for n, word in enumerate(words)))] = glb.world(node, places)
    return found


def test_the_mesh_comes_back_as_it_was_modelled(tmp_path: Path, landmark: Path) -> None:
    thing = Species("thing", asset=landmark)
    write_glb(tmp_path / "w.glb", Placements.upright((thing,), [[5, 7, 1]], id=[9]), origin=(0, 0, 0))
    glb = Glb(tmp_path / "w.glb")
    mesh = glb.mesh(0)
    want = trimesh.load_scene(landmark).to_mesh()
    assert np.unique(mesh["POSITION"], axis=0).tolist() == sorted(want.vertices.tolist())
    again = trimesh.Trimesh(mesh["POSITION"], mesh["indices"], process=False)
    assert again.volume == pytest.approx(want.volume)
    assert again.volume > 0
    # seen by weald, the front is -y
    front, right, top = corners_in_the_world(glb)[9]
    assert front.tolist() == [5, 4, 1]
    assert right.tolist() == [6, 7, 1]
    assert top.tolist() == [5, 7, 3]


def test_facing_alignment_and_tilt_survive(tmp_path: Path, landmark: Path) -> None:
    def slope(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 0.5 * x  # up to the east

    def normal(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.tile(np.array([-0.5, 0, 1]) / 1.25**0.5, (len(x), 1))

    down = Species("down", asset=landmark, facing="downhill", yaw_deg=(0, 0), alignment=1.0)
    tilted = Species("tilted", asset=landmark, tilt_deg=40, alignment=0.5, scale=(0.5, 2))
    layers = [Layer("a", {down: 1}, 20.0), Layer("b", {tilted: 1}, 20.0)]
    grown = scatter(layers, slope, Bounds(0, 0, 100, 100), seed=2, normal=normal)
    placed = Placements.concat([*grown.values()])
    write_glb(tmp_path / "w.glb", placed)
    places = corners_in_the_world(Glb(tmp_path / "w.glb"))
    assert len(places) == len(placed) > 30
    local = np.array([[0, -3, 0], [1, 0, 0], [0, 0, 2]])
    expected = np.einsum("nij,cj->nci", rotation_matrices(placed.rotation), local) * placed.scale[:, None, None]
    expected += placed.xyz[:, None]
    for id_, want in zip(placed.id.tolist(), expected, strict=True):
        assert places[id_] == pytest.approx(want, abs=1e-4)
    # what that means on the ground: the front lies down the slope, to the west, the top along its normal
    for k in np.flatnonzero(placed.species == 0).tolist():
        front, _, top = (places[int(placed.id[k])] - placed.xyz[k]) / placed.scale[k]
        assert front == pytest.approx(np.array([-1, 0, -0.5]) / 1.25**0.5 * 3, abs=1e-4)
        assert top == pytest.approx(np.array([-0.5, 0, 1]) / 1.25**0.5 * 2, abs=1e-4)


def test_species_with_one_asset_share_its_mesh(tmp_path: Path, landmark: Path) -> None:
    table = (
        Species("small", asset=landmark, scale=(0.5, 0.5)),
        Species("oak", "broadleaf", height=15, crown_radius=5, color="#5c8a3a"),
        Species("large", asset=str(landmark), scale=(2, 2)),
    )
    placed = Placements.upright(table, [[5, 7, 1], [9, 7, 1], [11, 7, 1]], species=[0, 1, 2])
    write_glb(tmp_path / "w.glb", placed)
    glb = Glb(tmp_path / "w.glb")
    assert [mesh["name"] for mesh in glb.json["meshes"]] == ["landmark", "oak"]
    assert [node["mesh"] for node, _ in glb.groups] == [0, 1, 0]
    assert [node["extras"]["species"] for node, _ in glb.groups] == ["small", "oak", "large"]


def test_variation_is_what_colors_are_multiplied_by(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    rng = np.random.default_rng(4)
    placed = plants(rng.uniform(0, 600, (300, 3)), rng.integers(0, 3, 300))
    write_glb(tmp_path / "plain.glb", placed)
    assert all("_COLOR_0" not in group for _, group in Glb(tmp_path / "plain.glb").groups)
    table = [*placed.species_table]
    old = table[1]
    table[1] = Species("oak", "broadleaf", old.height, old.crown_radius, old.color, color_variation=0.7)
    varied = Placements(
        tuple(table), placed.id, placed.species, placed.xyz, placed.rotation, placed.scale, placed.radius
    )
    write_glb(tmp_path / "w.glb", varied)
    tints = {int(id_): tint for id_, tint in zip(varied.id, varied.tints(), strict=True)}
    seen = 0
    for node, group in Glb(tmp_path / "w.glb").groups:
        assert ("_COLOR_0" in group) == (node["extras"]["species"] == "oak")
        if "_COLOR_0" in group:
            ids = (group["_ID"].astype(np.uint64) << np.arange(0, 64, 16, dtype=np.uint64)).sum(1, dtype=np.uint64)
            assert (group["_COLOR_0"] == np.array([tints[int(id_)] for id_ in ids])).all()
            seen += len(ids)
    assert seen == (placed.species == 1).sum() > 50


def test_a_build_with_assets_rocks_and_grass(tmp_path: Path, landmark: Path) -> None:
    species = {
        "thing": {"asset": landmark.name, "color_variation": 0.5, "alignment": 1.0, "facing": "downhill"},
        "stone": {"shape": "rock", "height": 1.0, "crown_radius": 1.2, "color": "#8b8a85", "alignment": 0.8},
        "sedge": {"shape": "grass", "height": 0.5, "crown_radius": 0.4, "color": "#7f9a4c"},
    }
    spec = {
        "weald": 1,
        "seed": 3,
        "ground": {"formula": "0.2 * x + 0.1 * y", "spacing": 4, "window": [0, 0, 60, 60]},
        "species": species,
        "layer": [{"name": name, "species": name, "radius": 5.0 - k} for k, name in enumerate(species)],
    }
    for name in ("a", "b"):
        report = build(World.parse(spec, tmp_path), tmp_path / name)
    assert all(layer.count > 30 for layer in report.layers)
    glb = Glb(tmp_path / "a" / "scene.glb")
    assert {mesh["name"] for mesh in glb.json["meshes"]} == {"ground", "landmark", "stone", "sedge"}
    table = pq.read_table(tmp_path / "a" / "placements.parquet")
    about = {one["name"]: one for one in json.loads(table.schema.metadata[b"weald"])["species"]}
    assert (about["thing"]["asset"], about["thing"]["height"]) == ("landmark.glb", 2.0)
    assert "mesh" not in about["thing"]
    for file in ("scene.glb", "placements.parquet", "preview.png"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
