"""The GLB, read back by a parser that knows only the specification."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weald._version import ALGORITHM, __version__
from weald.errors import InputError
from weald.export import gltf
from weald.export.glb import write_glb
from weald.export.gltf import FLOAT, VERTICES, Gltf
from weald.geometry import Grid
from weald.scatter.placements import Placements

Plants = Callable[..., Placements]
INSTANCING = "EXT_mesh_gpu_instancing"


class Glb:
    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, total = struct.unpack_from("<4sII", data)
        assert (magic, version, total) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert (kind, size % 4) == (b"JSON", 0)
        self.json: dict[str, Any] = json.loads(data[20 : 20 + size])
        self.bytes = b""
        if "buffers" in self.json:
            count, kind = struct.unpack_from("<I4s", data, 20 + size)
            assert kind == b"BIN\0"
            self.bytes = data[28 + size :]
            assert len(self.bytes) == count == self.json["buffers"][0]["byteLength"]

    def accessor(self, index: int) -> np.ndarray:
        item = self.json["accessors"][index]
        view = self.json["bufferViews"][item["bufferView"]]
        assert item["count"] > 0
        dtype = np.dtype({5126: "<f4", 5125: "<u4", 5123: "<u2"}[item["componentType"]])
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[item["type"]]
        start, size = item.get("byteOffset", 0), item["count"] * width * dtype.itemsize
        assert "byteStride" not in view
        assert (dtype.itemsize * width) % 4 == 0
        assert view["byteOffset"] % 4 == start % 4 == 0
        assert start + size <= view["byteLength"]
        assert view["byteOffset"] + view["byteLength"] <= len(self.bytes)
        at = view["byteOffset"] + start
        return np.frombuffer(self.bytes[at : at + size], dtype).reshape(-1, width)

    def mesh(self, index: int) -> dict[str, np.ndarray]:
        (primitive,) = self.json["meshes"][index]["primitives"]
        arrays = {name: self.accessor(at) for name, at in primitive["attributes"].items()}
        position = self.json["accessors"][primitive["attributes"]["POSITION"]]
        assert position["min"] == arrays["POSITION"].min(axis=0).tolist()
        assert position["max"] == arrays["POSITION"].max(axis=0).tolist()
        for at in primitive["attributes"].values():
            assert self.json["bufferViews"][self.json["accessors"][at]["bufferView"]]["target"] == 34962
        indices = self.json["accessors"][primitive["indices"]]
        assert indices["componentType"] == 5125
        assert self.json["bufferViews"][indices["bufferView"]]["target"] == 34963
        return arrays | {"indices": self.accessor(primitive["indices"]).reshape(-1, 3)}

    @property
    def origin(self) -> np.ndarray:
        assert self.json["asset"]["extras"] == self.json["scenes"][0]["extras"]
        return np.array(self.json["asset"]["extras"]["weald"]["origin"])

    @property
    def nodes(self) -> list[dict[str, Any]]:
        return [self.json["nodes"][k] for k in self.json["scenes"][0].get("nodes", [])]

    @property
    def groups(self) -> list[tuple[dict[str, Any], dict[str, np.ndarray]]]:
        """The nodes with instances, and the attributes of these."""
        return [
            (node, {k: self.accessor(at) for k, at in node["extensions"][INSTANCING]["attributes"].items()})
            for node in self.nodes
            if "extensions" in node
        ]

    def world(self, node: dict[str, Any], local: np.ndarray) -> np.ndarray:
        """Places in the world: the rule of the file's extras, worked out in float64."""
        x, y, z = (local.astype(np.float64) + node.get("translation", [0, 0, 0])).T
        return np.column_stack([x, -z, y]) + self.origin


@pytest.fixture
def grown(plants: Plants) -> Placements:
    rng = np.random.default_rng(8)
    xyz = rng.uniform([500_000, 5_150_000, 700], [500_600, 5_150_400, 900], (400, 3))
    return plants(xyz, rng.integers(0, 3, 400), rng.uniform(0, 2 * np.pi, 400))


def test_every_instance_comes_back(tmp_path: Path, grown: Placements) -> None:
    write_glb(tmp_path / "w.glb", grown, crs="EPSG:32632")
    glb = Glb(tmp_path / "w.glb")
    assert glb.json["extensionsUsed"] == glb.json["extensionsRequired"] == [INSTANCING]
    at = {int(id_): k for k, id_ in enumerate(grown.id)}
    seen = []
    for node, group in glb.groups:
        assert {kind: (a.dtype.str, a.shape[1]) for kind, a in group.items()} == {
            "TRANSLATION": ("<f4", 3),
            "ROTATION": ("<f4", 4),
            "SCALE": ("<f4", 3),
            "_ID": ("<u2", 4),
        }
        assert len({len(values) for values in group.values()}) == 1
        ids = (group["_ID"].astype(np.uint64) << np.arange(0, 64, 16, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
        which = np.array([at[int(id_)] for id_ in ids])
        seen += which.tolist()

        assert glb.world(node, group["TRANSLATION"]) == pytest.approx(grown.xyz[which], abs=2e-5)
        # a turn about weald's up is one about glTF's
        x, y, z, w = grown.rotation[which].T
        assert (group["ROTATION"] == np.column_stack([x, z, -y, w])).all()
        assert np.linalg.norm(group["ROTATION"], axis=1) == pytest.approx(1, abs=1e-6)
        assert (group["SCALE"] == grown.scale[which][:, None]).all()

        # a group is one species in one cell, drawn with the mesh of that species
        (species,) = {int(index) for index in grown.species[which]}
        name = grown.species_table[species].name
        assert glb.json["meshes"][node["mesh"]]["name"] == node["extras"]["species"] == name
        cells = {tuple(cell) for cell in np.floor(grown.xyz[which, :2] / 256).astype(int).tolist()}
        assert cells == {tuple(node["extras"]["cell"])}
        assert all(value == int(value) for value in node["translation"])
    assert sorted(seen) == list(range(len(grown)))
    assert len(glb.json["meshes"]) == 3
    assert len({node["name"] for node in glb.nodes}) == len(glb.nodes)


def test_what_the_file_says_of_itself(tmp_path: Path, grown: Placements) -> None:
    write_glb(tmp_path / "w.glb", grown, crs="EPSG:32632")
    about = Glb(tmp_path / "w.glb").json["asset"]
    assert about["version"] == "2.0"
    weald = about["extras"]["weald"]
    assert (weald["version"], weald["algorithm"], weald["crs"]) == (__version__, ALGORITHM, "EPSG:32632")
    assert weald["axes"] == "world x = origin x + x, world y = origin y - z, world z = origin z + y"


def test_meshes_face_outwards_and_are_lit_in_linear_light(tmp_path: Path, plants: Plants) -> None:
    write_glb(tmp_path / "w.glb", plants(np.zeros((3, 3)), np.array([0, 1, 2])))
    glb = Glb(tmp_path / "w.glb")
    for index, species in enumerate(plants(np.zeros((1, 3))).species_table):
        mesh = glb.mesh(index)
        a, b, c = np.moveaxis(mesh["POSITION"].astype(float)[mesh["indices"]], 1, 0)
        assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() > 0
        assert mesh["POSITION"][:, 1].max() == pytest.approx(species.height, rel=1e-6)
        assert mesh["COLOR_0"].dtype == np.uint16
        # the middle of the crown's colours, back in sRGB, is near the species' own
        light = np.median(mesh["COLOR_0"][:, :3].astype(float), axis=0) / 65535
        srgb = np.where(light > 0.0031308, 1.055 * light ** (1 / 2.4) - 0.055, 12.92 * light)
        assert srgb * 255 == pytest.approx(list(bytes.fromhex(species.color[1:])), abs=35)


def test_utm_and_centimetres_case_16(tmp_path: Path, plants: Plants) -> None:
    column, row = np.meshgrid(np.arange(30), np.arange(30))
    xy = np.column_stack([column.ravel(), row.ravel()]) * 0.01 + [500_000, 5_150_000]
    placed = plants(np.column_stack([xy, np.full(900, 2961.23)]))
    grid = Grid(500_000, 5_150_000, 0.01, 30, 30)
    write_glb(tmp_path / "w.glb", placed, grid=grid, heights=np.full(grid.shape, 2961.23))
    glb = Glb(tmp_path / "w.glb")
    ((node, group),) = glb.groups
    back = glb.world(node, group["TRANSLATION"])
    order = np.lexsort((back[:, 0], back[:, 1].round(3)))
    assert back[order] == pytest.approx(placed.xyz, abs=1e-6)
    apart = np.hypot(*(back[:, None, :2] - back[None, :, :2]).transpose(2, 0, 1)) + np.eye(900)
    assert apart.min() > 0.01 - 1e-7
    ground = next(node for node in glb.nodes if node["name"] == "ground")
    assert glb.world(ground, glb.mesh(ground["mesh"])["POSITION"]) == pytest.approx(placed.xyz, abs=2e-4)


def test_cells_below_zero_case_7(tmp_path: Path, plants: Plants) -> None:
    x = [-1.0, -16.0, -16.001, 0.0, 15.999, 16.0]
    write_glb(tmp_path / "w.glb", plants([[value, 0, 0] for value in x]), cell=16)
    cells = {node["extras"]["cell"][0]: len(group["SCALE"]) for node, group in Glb(tmp_path / "w.glb").groups}
    assert cells == {-2: 1, -1: 2, 0: 2, 1: 1}


def test_yaw_of_90_degrees_case_15(tmp_path: Path, plants: Plants) -> None:
    write_glb(tmp_path / "w.glb", plants([[0, 0, 0]], yaw=np.pi / 2))
    ((_, group),) = Glb(tmp_path / "w.glb").groups
    assert group["ROTATION"][0] == pytest.approx([0, np.sqrt(0.5), 0, np.sqrt(0.5)], abs=1e-6)


def test_peak_in_the_north_east_case_17(tmp_path: Path, plants: Plants) -> None:
    grid = Grid(0, 0, 10, 31, 21)
    heights = np.zeros(grid.shape)
    heights[18, 27] = 80.0
    colors = np.zeros((*grid.shape, 3), np.uint8)
    colors[18, 27] = 188, 255, 0
    write_glb(tmp_path / "w.glb", plants([[270.0, 180.0, 80.0]]), grid=grid, heights=heights, colors=colors)
    glb = Glb(tmp_path / "w.glb")
    node = next(node for node in glb.nodes if node["name"] == "ground")
    mesh = glb.mesh(node["mesh"])
    top = mesh["POSITION"][:, 1].argmax()
    # seen from above with north up, x is to the right and -z to the top
    assert mesh["POSITION"][top].tolist() == [270 - 150, 80, -(180 - 100)]
    assert mesh["COLOR_0"][top] == pytest.approx([65535 * 0.503, 65535, 0, 65535], abs=65535 * 0.01)
    assert (mesh["COLOR_0"][np.arange(len(mesh["COLOR_0"])) != top, :3] == 0).all()
    assert mesh["NORMAL"][0] == pytest.approx([0, 1, 0])
    a, b, c = np.moveaxis(mesh["POSITION"].astype(float)[mesh["indices"]], 1, 0)
    assert (np.cross(b - a, c - a)[:, 1] > 0).all()
    ((plant, group),) = glb.groups
    assert (group["TRANSLATION"][0] + plant["translation"]).tolist() == [120, 80, -80]


def test_voids_are_left_out(tmp_path: Path) -> None:
    heights = np.arange(20.0).reshape(4, 5)
    heights[1, 1] = np.nan
    grid = Grid(0, 0, 1, 5, 4)
    colors = np.repeat(np.arange(20, dtype=np.uint8).reshape(4, 5, 1) + 100, 3, axis=2)
    write_glb(tmp_path / "w.glb", grid=grid, heights=heights, colors=colors)
    glb = Glb(tmp_path / "w.glb")
    mesh = glb.mesh(0)
    assert len(mesh["indices"]) == 16
    assert np.isfinite(mesh["POSITION"]).all()
    assert len({len(mesh[kind]) for kind in ("POSITION", "NORMAL", "COLOR_0")}) == 1
    # colours stay with their samples: both grow with height
    assert (np.argsort(mesh["COLOR_0"][:, 0]) == np.argsort(mesh["POSITION"][:, 1])).all()
    assert "extensionsRequired" not in glb.json


def test_a_given_origin(tmp_path: Path, plants: Plants) -> None:
    grid = Grid(1000, 2000, 1, 3, 3)
    placed = plants([[1001.5, 2001.25, 30.5]])
    write_glb(tmp_path / "w.glb", placed, grid=grid, heights=np.full((3, 3), 30.0), origin=(900, 1800, 10))
    glb = Glb(tmp_path / "w.glb")
    assert glb.origin.tolist() == [900, 1800, 10]
    ((node, group),) = glb.groups
    assert (group["TRANSLATION"][0] + node["translation"]).tolist() == [101.5, 20.5, -201.25]
    assert glb.world(glb.nodes[0], glb.mesh(0)["POSITION"])[0].tolist() == [1000, 2000, 30]


def test_the_origin_without_ground_is_the_middle_of_the_plants(tmp_path: Path, plants: Plants) -> None:
    placed = plants([[1000.2, -40.0, 5.0], [1031.0, 2000.4, 90.0], [1010.0, 7.0, 8.0]])
    write_glb(tmp_path / "w.glb", placed)
    assert Glb(tmp_path / "w.glb").origin.tolist() == [1016, 980, 0]
    write_glb(tmp_path / "none.glb", placed.take(np.zeros(3, bool)))
    assert Glb(tmp_path / "none.glb").origin.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("size", "fits"), [(2**32 - 1000, True), (2**32, False)])
def test_a_glb_holds_four_gibibytes(tmp_path: Path, size: int, fits: bool) -> None:
    def reached() -> np.ndarray:
        raise ZeroDivisionError

    gltf = Gltf({})
    gltf.array(size // 4, FLOAT, "SCALAR", reached, VERTICES)
    with pytest.raises(ZeroDivisionError if fits else InputError):  # what fits is asked for
        gltf.write(tmp_path / "w.glb")
    assert list(tmp_path.iterdir()) == []


def test_a_glb_may_reach_its_limit_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    struct.pack("<I", gltf.MAX_BYTES)  # the header of a GLB holds its length in 32 bits
    with pytest.raises(struct.error):
        struct.pack("<I", gltf.MAX_BYTES + 1)
    ground = {"grid": Grid(0, 0, 1, 4, 4), "heights": np.zeros((4, 4))}
    file = tmp_path / "w.glb"
    write_glb(file, **ground)
    whole = file.read_bytes()
    file.unlink()
    monkeypatch.setattr(gltf, "MAX_BYTES", len(whole) - 1)
    with pytest.raises(InputError, match="a GLB holds 4 at most"):
        write_glb(file, **ground)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(gltf, "MAX_BYTES", len(whole))
    write_glb(file, **ground)
    assert file.read_bytes() == whole


def test_the_order_of_instances_does_not_matter(tmp_path: Path, grown: Placements) -> None:
    write_glb(tmp_path / "a.glb", grown)
    write_glb(tmp_path / "b.glb", grown.take(np.random.default_rng(1).permutation(len(grown))))
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_nothing_leaves_no_empty_accessors(tmp_path: Path, plants: Plants) -> None:
    void = {"grid": Grid(0, 0, 1, 2, 2), "heights": np.full((2, 2), np.nan)}
    write_glb(tmp_path / "w.glb", plants(np.empty((0, 3))), **void)
    glb = Glb(tmp_path / "w.glb")
    assert glb.nodes == []
    assert {"accessors", "bufferViews", "buffers", "meshes", "extensionsUsed"}.isdisjoint(glb.json)


def test_only_species_that_stand_somewhere_have_a_mesh(tmp_path: Path, plants: Plants) -> None:
    write_glb(tmp_path / "w.glb", plants(np.zeros((2, 3)), 2))
    assert [mesh["name"] for mesh in Glb(tmp_path / "w.glb").json["meshes"]] == ["hazel"]


def test_half_a_million_instances_are_written_at_vector_speed(tmp_path: Path, plants: Plants) -> None:
    rng = np.random.default_rng(6)
    placed = plants(rng.uniform(0, 8192, (500_000, 3)) * [1, 1, 0.1], rng.integers(0, 3, 500_000))
    start = time.perf_counter()
    write_glb(tmp_path / "w.glb", placed)
    # 0.3 s on one slow core; a Python loop over instances would take ten times what is allowed here
    assert time.perf_counter() - start < 3


FLAT = {"grid": Grid(0, 0, 1, 3, 2), "heights": np.zeros((2, 3))}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "nothing to write"),
        ({"grid": FLAT["grid"]}, "grid and heights together"),
        ({"colors": np.zeros((2, 3, 3), np.uint8)}, "colors and rimmed only with both"),
        (FLAT | {"heights": np.zeros((3, 2))}, r"the grid has \(2, 3\)"),
        (FLAT | {"colors": np.zeros((2, 3, 3))}, "colors: float64 .* give uint8"),
        (FLAT | {"colors": np.zeros((2, 3, 4), np.uint8)}, r"give uint8 of shape \(2, 3, 3\)"),
        (FLAT | {"cell": 0}, "cell: got 0"),
        (FLAT | {"cell": float("inf")}, "cell: got inf"),
        (FLAT | {"origin": (0, 0)}, "origin: .* three finite numbers"),
        (FLAT | {"origin": (0, 0, float("nan"))}, "origin: .* three finite numbers"),
    ],
)
def test_what_cannot_be_written_says_why(tmp_path: Path, given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        write_glb(tmp_path / "w.glb", **given)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [("xyz", np.nan, "not finite"), ("rotation", 0, "unit quaternions"), ("scale", 0, "not above 0")],
)
def test_broken_placements_are_not_written(tmp_path: Path, plants: Plants, name: str, value: float, says: str) -> None:
    placed = plants(np.zeros((3, 3)))
    getattr(placed, name)[1] = value
    with pytest.raises(InputError, match=says):
        write_glb(tmp_path / "w.glb", placed)
    assert list(tmp_path.iterdir()) == []


def test_more_than_a_glb_can_hold_says_so_before_it_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weald.export.gltf.MAX_BYTES", 1000)
    with pytest.raises(InputError, match=r"w\.glb: would be .* GiB, and a GLB holds 4 at most"):
        write_glb(tmp_path / "w.glb", grid=Grid(0, 0, 1, 30, 30), heights=np.zeros((30, 30)))
    assert list(tmp_path.iterdir()) == []
