"""Meshes from files: written here by hand, from the glTF, OBJ and PLY specifications alone."""

from __future__ import annotations

import json
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from weald.errors import InputError
from weald.scatter import asset
from weald.scatter.mesh import Mesh
from weald.scatter.shapes import shape_mesh
from weald.scatter.species import Species

# glTF axes: y up, z to the viewer. A tetrahedron with a corner far in front, one to the right, one up.
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 3], [0, 2, 0]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], np.uint16)[:, ::-1]
HERE = [[0, 0, 0], [1, 0, 0], [0, -3, 0], [0, 0, 2]]
"""The same in weald's axes: the front is -y."""


def write(path: Path, change: Any = None, corners: np.ndarray = CORNERS, colors: np.ndarray | None = None) -> Path:
    """Write a GLB with one mesh and one node; ``change`` may edit its JSON."""
    arrays = {"POSITION": (corners, "VEC3"), "indices": (FACES.reshape(-1, 1), "SCALAR")}
    if colors is not None:
        arrays["COLOR_0"] = (colors, f"VEC{colors.shape[1]}")
    kinds = {"f": 5126, "H": 5123, "B": 5121, "h": 5122}
    data, views, accessors, place = b"", [], [], {}
    for name, (array, kind) in arrays.items():
        place[name] = len(views)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        accessors.append({"bufferView": len(views) - 1, "count": len(array), "type": kind})
        accessors[-1]["componentType"] = kinds[array.dtype.char]
        if array.dtype != np.float32 and kind != "SCALAR":
            accessors[-1]["normalized"] = True
        data += array.tobytes() + bytes(-array.nbytes % 4)
    indices = place.pop("indices")
    content: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": place, "indices": indices}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    if change is not None:
        change(content)
    if path.suffix == ".gltf":
        content["buffers"][0].setdefault("uri", "its corners.bin")
        path.with_name("its corners.bin").write_bytes(data)
        path.write_text(json.dumps(content))
        return path
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data))
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    path.write_bytes(head + chunks)
    return path


def volume(mesh: Mesh) -> float:
    a, b, c = np.moveaxis(mesh.positions.astype(float)[mesh.triangles], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def places(mesh: Mesh) -> list[list[float]]:
    return np.unique(mesh.positions.round(5), axis=0).tolist()


def test_the_front_up_and_right_of_a_gltf(tmp_path: Path) -> None:
    mesh = Species("wedge", asset=write(tmp_path / "a.glb")).mesh
    assert mesh is not None
    assert places(mesh) == sorted(HERE)
    assert volume(mesh) == pytest.approx(1.0)  # facing outwards
    assert (mesh.positions.dtype, mesh.normals.dtype) == (np.float32, np.float32)
    assert (mesh.colors.dtype, mesh.triangles.dtype) == (np.uint8, np.uint32)
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1, abs=1e-6)
    # what has no normals is shaded flat
    a, b, c = np.moveaxis(mesh.positions.astype(float)[mesh.triangles], 1, 0)
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    assert mesh.normals[mesh.triangles] == pytest.approx(np.repeat(across[:, None], 3, axis=1), abs=1e-6)


def test_normals_of_a_file_are_kept_and_turned_with_their_nodes(tmp_path: Path) -> None:
    given = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [3, 4, 0]], np.float32)

    def change(content: dict[str, Any]) -> None:
        content["nodes"][0]["scale"] = [1, 2, 1]

    file = write(tmp_path / "a.glb", change, colors=given)  # in the place of colours, and then renamed
    data = file.read_bytes().replace(b'"COLOR_0"', b'"NORMAL" ')
    file.write_bytes(data)
    mesh = Species("a", asset=file).mesh
    assert mesh is not None
    assert len(mesh.positions) == 4
    found = {tuple(place): normal for place, normal in zip(mesh.positions.tolist(), mesh.normals.tolist(), strict=True)}
    assert found[0, 0, 0] == [0, -1, 0]
    assert found[1, 0, 0] == [1, 0, 0]
    assert found[0, -3, 0] == [0, 0, 1]
    assert found[0, 0, 4] == pytest.approx(np.array([6, 0, 4]) / 52**0.5)  # flatter where the mesh is taller


def test_a_gltf_in_two_files_is_the_same(tmp_path: Path) -> None:
    one = Species("a", asset=write(tmp_path / "a.glb")).mesh
    two = Species("a", asset=write(tmp_path / "a.gltf")).mesh
    assert one is not None
    assert two is not None
    assert (one.positions == two.positions).all()
    assert (one.triangles == two.triangles).all()


def test_nodes_are_joined_where_the_scene_puts_them(tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        half = 0.5**0.5
        content["scenes"][0]["nodes"] = [0, 2, 3]
        content["nodes"] = [
            {"mesh": 0, "children": [1], "translation": [10, 0, 0]},
            {"mesh": 0, "translation": [0, 5, 0], "rotation": [0, half, 0, half], "scale": [2, 2, 2]},
            {"mesh": 0, "scale": [-1, 1, 1]},
            {"name": "nothing"},
        ]

    mesh = Species("three", asset=write(tmp_path / "a.glb", change)).mesh
    assert mesh is not None
    turn = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]])  # a quarter about y takes z to x
    expected = [CORNERS + np.array([10, 0, 0]), 2 * CORNERS @ turn.T + [10, 5, 0], CORNERS * [-1, 1, 1]]
    x, y, z = np.concatenate(expected).T
    assert places(mesh) == sorted(np.column_stack([x, 0.0 - z, y]).tolist())
    # the mirrored one still faces outwards
    assert volume(mesh) == pytest.approx(1 + 8 + 1)
    a, b, c = np.moveaxis(mesh.positions.astype(float)[mesh.triangles], 1, 0)
    toward = np.einsum("tcd,td->tc", mesh.normals[mesh.triangles], np.cross(b - a, c - a))
    assert (toward > 0).all()


def test_sizes_are_those_of_the_mesh_unless_given(tmp_path: Path) -> None:
    file = write(tmp_path / "a.glb")
    own = Species("a", asset=file)
    assert (own.height, own.crown_radius, own.stem) == (2.0, 3.0, 0.04)
    given = Species("a", "bush", height=1.5, crown_radius=1, color="#123456", asset=str(file))
    assert (given.height, given.crown_radius, given.color, given.stem) == (1.5, 1, "#123456", 0.3)
    # nothing is stretched: it stands as it was modelled
    assert shape_mesh(given) is given.mesh
    assert shape_mesh(given).positions is shape_mesh(own).positions


def test_colors_are_linear_light_times_the_base_color(tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 1, 1]}}]
        content["meshes"][0]["primitives"][0]["material"] = 0

    light = np.array([[0, 1, 0.5, 1]] * 4, np.float32)
    for n, colors in enumerate((light, np.rint(light * 65535).astype(np.uint16), (light * 255).astype(np.uint8))):
        species = Species("a", asset=write(tmp_path / f"{n}.glb", change, colors=colors))
        assert species.mesh is not None
        assert species.mesh.colors[0].tolist() == pytest.approx([0, 188, 188, 255], abs=1)
        assert species.color == "#" + bytes(species.mesh.colors[0, :3].tolist()).hex()
    alone = Species("a", asset=write(tmp_path / "alone.glb", colors=light)).mesh
    assert alone is not None
    assert alone.colors[0].tolist() == [0, 255, 188, 255]
    factor = Species("a", asset=write(tmp_path / "factor.glb", change)).mesh
    assert factor is not None
    assert factor.colors[0].tolist() == [255, 188, 255, 255]


def test_what_has_no_color_takes_that_of_the_species(tmp_path: Path) -> None:
    file = write(tmp_path / "a.glb")
    red, also, grey = (Species("a", asset=file, color=color) for color in ("#aa2211", "#aa2211", ""))
    assert (shape_mesh(red).colors == [0xAA, 0x22, 0x11, 255]).all()
    assert (shape_mesh(grey).colors == [0xCC, 0xCC, 0xCC, 255]).all()
    assert grey.color == "#cccccc"
    assert red.mesh is also.mesh
    assert shape_mesh(red).positions is shape_mesh(grey).positions
    painted = write(tmp_path / "b.glb", colors=np.ones((4, 4), np.float32))
    assert (shape_mesh(Species("a", asset=painted, color="#aa2211")).colors == 255).all()
    with pytest.raises(InputError, match="species 'a': color is 'red'; give '#rrggbb'"):
        Species("a", asset=file, color="red")


OBJ = """mtllib a.mtl
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vt 0.01 0.01
vt 0.99 0.01
vt 0.01 0.99
usemtl leaf
f 1/1 3/3 2/2
f 1/1 2/2 4/3
f 2/2 3/3 4/1
f 1/1 4/3 3/3
"""


def test_obj_with_a_material_and_with_a_texture(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text(OBJ)
    (tmp_path / "a.mtl").write_text("newmtl leaf\nKd 0.2 0.6 0.4\n")
    mesh = Species("a", asset=tmp_path / "a.obj", asset_up="z").mesh
    assert mesh is not None
    assert mesh.colors[0].tolist() == [51, 153, 102, 255]
    assert volume(mesh) == pytest.approx(1 / 6)
    pixels = np.zeros((8, 8, 3), np.uint8)
    pixels[:4], pixels[4:, :4], pixels[4:, 4:] = (9, 8, 7), (200, 100, 50), (20, 30, 40)
    Image.fromarray(pixels).save(tmp_path / "leaf.png")
    (tmp_path / "b.mtl").write_text("newmtl leaf\nKd 1 1 1\nmap_Kd leaf.png\n")
    (tmp_path / "b.obj").write_text(OBJ.replace("a.mtl", "b.mtl"))
    mesh = Species("b", asset=tmp_path / "b.obj", asset_up="y").mesh
    assert mesh is not None
    seen = {
        tuple(place): tuple(color[:3])
        for place, color in zip(mesh.positions.tolist(), mesh.colors.tolist(), strict=True)
    }
    assert seen[0, 0, 0] == (200, 100, 50)  # the texture's lower left
    assert seen[1, 0, 0] == (20, 30, 40)
    assert seen[0, 0, 1] in ((9, 8, 7), (200, 100, 50))
    assert places(mesh)[0] == [0, -1, 0]  # z of the file


def test_ply_with_colors_and_its_axis(tmp_path: Path) -> None:
    rows = [f"{x} {y} {z} 10 200 30" for x, y, z in HERE]
    faces = [f"3 {a} {b} {c}" for a, b, c in FACES]
    colors = [f"property uchar {name}" for name in ("red", "green", "blue")]
    head = ["ply", "format ascii 1.0", "element vertex 4", *(f"property float {axis}" for axis in "xyz"), *colors]
    head += ["element face 4", "property list uchar int vertex_indices", "end_header"]
    (tmp_path / "a.ply").write_text("\n".join([*head, *rows, *faces]) + "\n")
    species = Species("a", asset=tmp_path / "a.ply", asset_up="z")
    assert species.mesh is not None
    assert places(species.mesh) == sorted(HERE)
    assert species.color == "#0ac81e"
    with pytest.raises(
        InputError, match=r"species 'a': asset: .*a\.ply: does not say which axis points up; give asset_up"
    ):
        Species("a", asset=tmp_path / "a.ply")


def test_triangles_without_area_and_corners_without_triangles_are_left_out(tmp_path: Path) -> None:
    corners = np.concatenate([CORNERS, [[np.nan] * 3]]).astype(np.float32)
    corners[1] = corners[0]
    mesh = Species("a", asset=write(tmp_path / "a.glb", corners=corners)).mesh
    assert mesh is not None
    assert len(mesh.triangles) == 2
    assert np.isfinite(mesh.positions).all()


def test_a_file_is_read_once_and_again_when_it_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(asset, "load_scene", lambda file, load=asset.load_scene: read.append(file) or load(file))
    file = write(tmp_path / "a.glb")
    one, two = Species("a", asset=file), Species("b", asset=file)
    assert one.mesh is two.mesh
    assert len(read) == 1
    assert one == Species("a", asset=str(file))
    assert pickle.loads(pickle.dumps(one)) == one
    write(file, corners=2 * CORNERS)
    os.utime(file, (5, 5))
    assert Species("a", asset=file).height == 4
    # what was read stays as it was, whatever becomes of the file
    file.unlink()
    assert shape_mesh(one) is two.mesh


def extension(name: str, required: bool = True) -> Any:
    def change(content: dict[str, Any]) -> None:
        content["extensionsUsed"] = [name]
        if required:
            content["extensionsRequired"] = [name]

    return change


def without_data(content: dict[str, Any]) -> None:
    del content["accessors"][0]["bufferView"]


def sparse(content: dict[str, Any]) -> None:
    content["accessors"][0]["sparse"] = {"count": 1, "indices": {}, "values": {}}


def no_mesh(content: dict[str, Any]) -> None:
    content["nodes"] = [{"name": "empty"}]


def only_lines(content: dict[str, Any]) -> None:
    content["meshes"][0]["primitives"][0]["mode"] = 1


def short(content: dict[str, Any]) -> None:
    content["accessors"][0]["count"] = 1000


def wild(content: dict[str, Any]) -> None:
    content["accessors"][0]["count"] = 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            extension("KHR_draco_mesh_compression"),
            r"is compressed \(KHR_draco_mesh_compression\).* without compression",
        ),
        (extension("KHR_draco_mesh_compression", required=False), r"is compressed \(KHR_draco_mesh_compression\)"),
        (extension("EXT_meshopt_compression"), r"is compressed \(EXT_meshopt_compression\)"),
        (extension("KHR_mesh_quantization"), r"is compressed \(KHR_mesh_quantization\)"),
        (extension("ACME_voxels"), "requires the glTF extension ACME_voxels, which weald does not know"),
        (extension("EXT_mesh_gpu_instancing"), "holds instances of meshes; give a file with one thing"),
        (without_data, "has sparse or absent corners"),
        (sparse, "has sparse or absent corners"),
        (no_mesh, "holds no triangles"),
        (only_lines, "holds no triangles"),
        (short, "cannot be read, it is damaged"),
        (wild, "name corners that it does not have"),
    ],
)
def test_a_gltf_that_cannot_be_read_whole(tmp_path: Path, change: Any, says: str) -> None:
    with pytest.raises(InputError, match=rf"species 'oak': asset: .*oak\.glb: .*{says}"):
        Species("oak", asset=write(tmp_path / "oak.glb", change))


def test_looks_that_a_file_requires_do_no_harm(tmp_path: Path) -> None:
    file = write(tmp_path / "a.glb", extension("KHR_materials_unlit"))
    assert Species("a", asset=file).height == 2


def test_broken_coordinates(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="some coordinates are not finite"):
        Species("a", asset=write(tmp_path / "a.glb", corners=CORNERS * np.float32("nan")))
    with pytest.raises(InputError, match="none of its 4 triangles has an area"):
        Species("a", asset=write(tmp_path / "b.glb", corners=CORNERS * np.float32(0)))
    with pytest.raises(InputError, match="reaches from -2 to 0 m, nothing of it above the ground; model it with"):
        Species("a", asset=write(tmp_path / "c.glb", corners=-CORNERS))
    # where that is meant, sizes are given
    assert Species("a", asset=tmp_path / "c.glb", height=0.5).height == 0.5


def test_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"species 'oak': asset: .*oak\.glb: there is no such file"):
        Species("oak", asset=tmp_path / "oak.glb")
    (tmp_path / "folder.glb").mkdir()
    with pytest.raises(InputError, match="is a folder, not a file"):
        Species("oak", asset=tmp_path / "folder.glb")
    for name, content in (
        ("a.glb", b""),
        ("b.glb", b"\x89PNG" * 9),
        ("c.gltf", b"[]"),
        ("d.gltf", b"{"),
        ("e.blend", b"BLENDER"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=rf"{name}: cannot be read, it is damaged or no mesh that trimesh knows"):
            Species("oak", asset=tmp_path / name, asset_up="z")
    (tmp_path / "f.obj").write_text("v 0 0 0\n")
    with pytest.raises(InputError, match=r"f\.obj: (holds no triangles|cannot be read)"):
        Species("oak", asset=tmp_path / "f.obj", asset_up="z")
    file = write(tmp_path / "g.gltf")
    (tmp_path / "its corners.bin").unlink()
    with pytest.raises(InputError, match=r"g\.gltf: needs its corners\.bin, which is not beside it"):
        Species("oak", asset=file)
    with pytest.raises(InputError, match="up is 'x'; give 'y' or 'z'"):
        Species("oak", asset=file, asset_up="x")  # type: ignore[arg-type]
    monkeypatch.setattr(asset, "MOST_TRIANGLES", 3)
    with pytest.raises(InputError, match=r"h\.glb: has 4 triangles, and 3 are the most; give a simpler mesh"):
        Species("oak", asset=write(tmp_path / "h.glb"))


def test_16_bit_colors_that_trimesh_would_cut_off(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has 16-bit vertex colours and no material"):
        Species("a", asset=write(tmp_path / "a.glb", colors=np.full((4, 4), 32768, np.uint16)))


def test_neither_shape_nor_asset() -> None:
    with pytest.raises(InputError, match=r"species 'oak': shape is None; give one of conifer, .*, or an asset"):
        Species("oak", height=3, crown_radius=1, color="#123456")
    with pytest.raises(InputError, match="species 'oak': height is nan; give a finite number above 0"):
        Species("oak", "broadleaf", color="#123456")


def test_a_leaf_card_takes_the_color_of_its_leaves(tmp_path: Path) -> None:
    """A card's corners lie where its texture is transparent, and black: the leaves are in the middle."""
    picture = np.zeros((16, 32, 4), np.uint8)
    picture[4:12, 4:12] = (40, 160, 20, 255)  # the left card's leaf
    picture[4:12, 20:28] = (200, 90, 30, 255)  # the right one's
    picture[0, 0] = (255, 255, 255, 1)
    Image.fromarray(picture).save(tmp_path / "leaf.png")
    (tmp_path / "a.mtl").write_text("newmtl leaf\nKd 1 1 1\nmap_Kd leaf.png\n")
    lines = ["mtllib a.mtl", "usemtl leaf"]
    for card in (0, 1):
        for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
            lines += [f"v {3 * card + u} 0 {v + 0.5}", f"vt {(card + u * 0.999) / 2} {v * 0.999}"]
    for first in (1, 5):
        lines.append("f " + " ".join(f"{first + k}/{first + k}" for k in range(4)))
    (tmp_path / "a.obj").write_text("\n".join(lines) + "\n")
    mesh = asset.read_asset(tmp_path / "a.obj", up="z")
    left = mesh.positions[:, 0] < 2
    assert np.abs(mesh.colors[left, :3].astype(int) - (40, 160, 20)).max() <= 1
    assert np.abs(mesh.colors[~left, :3].astype(int) - (200, 90, 30)).max() <= 1


def test_what_a_texture_shows_at_a_corner_is_what_it_takes(tmp_path: Path) -> None:
    picture = np.full((8, 8, 4), 255, np.uint8)
    picture[:4] = (10, 20, 30, 128)  # half transparent counts
    picture[4:, :, :3] = (200, 100, 50)
    Image.fromarray(picture).save(tmp_path / "t.png")
    (tmp_path / "a.mtl").write_text("newmtl t\nKd 1 1 1\nmap_Kd t.png\n")
    (tmp_path / "a.obj").write_text(
        "mtllib a.mtl\nusemtl t\nv 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0.1 0.1\nvt 0.9 0.1\nvt 0.1 0.9\nf 1/1 2/2 3/3\n"
    )
    mesh = asset.read_asset(tmp_path / "a.obj", up="z")
    assert {tuple(c) for c in mesh.colors[mesh.positions[:, 2] == 0, :3].tolist()} == {(200, 100, 50)}
    assert {tuple(c) for c in mesh.colors[mesh.positions[:, 2] == 1, :3].tolist()} == {(10, 20, 30)}
