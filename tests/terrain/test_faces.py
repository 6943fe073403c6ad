"""Faces of any number of corners, fans and strips, levels of detail: nothing between, nothing lost, nothing twice."""

import json
import struct

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.scatter.species import Species
from weald.terrain.mesh import MeshGround
from weald.terrain.polygons import triangles_of

L = np.array([(0, 0, 1), (8, 0, 1), (8, 3, 1), (3, 3, 1), (3, 9, 1), (0, 9, 1)], float)


def area(places, triangles):
    a, b, c = np.moveaxis(places[triangles], 1, 0)
    return 0.5 * np.cross(b - a, c - a)


@pytest.mark.parametrize("turn", range(6))
@pytest.mark.parametrize("back", [1, -1])
def test_an_l_keeps_its_notch(turn, back):
    places = np.roll(L, turn, axis=0)[::back]
    areas = area(places, triangles_of(places))[:, 2] * back
    assert (areas > 0).all()
    assert areas.sum() == pytest.approx(42)


@given(st.lists(st.integers(1, 9), min_size=4, max_size=14), st.integers(0, 2))
def test_any_simple_outline_is_covered_once(reach, upright):
    turn = np.arange(len(reach)) * 2 * np.pi / len(reach)
    corners = np.column_stack([np.cos(turn), np.sin(turn)]) * np.array(reach)[:, None]
    outline = shapely.Polygon(corners)
    places = np.insert(corners, upright, 3.0, axis=1)
    triangles = triangles_of(places)
    assert len(triangles) == len(corners) - 2
    areas = np.linalg.norm(area(places, triangles), axis=1)
    assert areas.sum() == pytest.approx(outline.area)
    parts = [shapely.Polygon(corners[t]) for t in triangles[areas > 0]]
    assert shapely.union_all(parts).symmetric_difference(outline).area < 1e-6


def test_a_star_that_crosses_itself_ends():
    turn = np.arange(5) * 4 * np.pi / 5
    assert len(triangles_of(np.column_stack([np.cos(turn), np.sin(turn), 0 * turn]))) == 3


def test_a_convex_face_may_have_any_number_of_corners_and_another_may_not():
    turn = np.arange(5000) * 2 * np.pi / 5000
    round_ = np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    assert area(round_, triangles_of(round_))[:, 2].sum() == pytest.approx(np.pi, rel=1e-5)
    round_[7] *= 0.5
    with pytest.raises(InputError, match="a face has 5,000 corners and is not convex; cut it"):
        triangles_of(round_)


def obj(path):
    path.write_bytes(b"".join(b"v %g %g %g\n" % tuple(v) for v in L) + b"f 1 2 3 4 5 6\n")
    return path


def ply(path, binary, mixed=False):
    kind = "binary_little_endian" if binary else "ascii"
    faces = [list(range(6))] + [[0, 1, 2]] * mixed
    head = f"ply\nformat {kind} 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
    head += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    if binary:
        body = L.astype("<f4").tobytes() + b"".join(struct.pack(f"<B{len(f)}i", len(f), *f) for f in faces)
    else:
        rows = [" ".join(f"{v:g}" for v in row) for row in L] + [" ".join(map(str, [len(f), *f])) for f in faces]
        body = ("\n".join(rows) + "\n").encode()
    path.write_bytes(head.encode() + body)
    return path


@pytest.mark.parametrize("kind", ["obj", "binary.ply", "ascii.ply", "mixed.ply"])
def test_the_notch_of_a_file_has_no_ground(tmp_path, kind):
    file = tmp_path / f"l.{kind}"
    obj(file) if kind == "obj" else ply(file, "binary" in kind, "mixed" in kind)
    if kind == "mixed.ply":
        return  # the second face covers a part of the notch; that it opens is enough
    ground = MeshGround.open(file, up="z")
    assert np.array_equal(
        ground.height([1, 6, 1, 6, 3.5], [1, 1, 8, 8, 3.5]), [1, 1, 1, np.nan, np.nan], equal_nan=True
    )
    species = Species("l", asset=file, asset_up="z").mesh
    assert area(species.positions.astype(float), species.triangles)[:, 2].sum() == pytest.approx(42)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"v 1 2\n", r"line 1: corner '1 2' is not of three numbers"),
        (b"v 1 2 x\n", r"line 1: corner '1 2 x' is not of three numbers"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", r"line 4: face '1 2 4' names corners that are not there"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", r"line 4: face '1 2 0' names corners"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", r"line 4: face '1 2 -4' names corners"),
        (b"v 0 0 0\nv 1 0 0\nf 1 2\n", r"line 3: face '1 2' has 2 corners; give at least 3"),
    ],
)
def test_lines_of_an_obj_that_cannot_be(tmp_path, text, says):
    (tmp_path / "a.obj").write_bytes(text)
    with pytest.raises(InputError, match=r"a\.obj: " + says):
        MeshGround.open(tmp_path / "a.obj", up="z")


def test_comments_in_latin_1_and_lines_that_go_on(tmp_path):
    file = tmp_path / "a.obj"
    file.write_bytes(b"# f\xfcr alle\no Stra\xdfe\nv 0 0 0 \\\n 1\nv 2 0 0\nv 0 2 0\nf -3 \\\r\n -2 -1\n")
    assert MeshGround.open(file, up="z").height(0.5, 0.5) == 0


# --- glTF ------------------------------------------------------------------------------------------------------

RING = np.array([[0, 1, 0], [2, 1, 0], [2, 1, -2], [0, 1, -2], [-2, 1, 0]], np.float32)  # y up
STRIP = np.array([[0, 1, 0], [2, 1, 0], [0, 1, -2], [2, 1, -2], [0, 1, -4]], np.float32)


def glb(path, corners, mode, indices=None, nodes=None, version=2):
    data = corners.tobytes()
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": len(data)}]
    accessors = [{"bufferView": 0, "componentType": 5126, "count": len(corners), "type": "VEC3"}]
    primitive = {"attributes": {"POSITION": 0}, "mode": mode}
    if indices is not None:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": indices.nbytes})
        code = {"B": 5121, "H": 5123, "I": 5125}[indices.dtype.char]
        accessors.append({"bufferView": 1, "componentType": code, "count": len(indices), "type": "SCALAR"})
        primitive["indices"] = 1
        data += indices.tobytes() + bytes(-indices.nbytes % 4)
    nodes = nodes or [{"mesh": 0}]
    content = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": nodes,
               "meshes": [{"primitives": [primitive]}], "accessors": accessors, "bufferViews": views,
               "buffers": [{"byteLength": len(data)}]}  # fmt: skip
    if path.suffix == ".gltf":
        content["buffers"][0]["uri"] = "a b.bin"
        path.with_name("a b.bin").write_bytes(data)
        path.write_text(json.dumps(content))
        return path
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    path.write_bytes(struct.pack("<4sII", b"glTF", version, 12 + len(chunks)) + chunks)
    return path


@pytest.mark.parametrize("name", ["a.glb", "a.gltf"])
@pytest.mark.parametrize("kind", [None, np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize(("mode", "corners", "size"), [(6, RING, 6.0), (5, STRIP, 6.0)])
def test_fans_and_strips_are_whole_and_face_up(tmp_path, name, kind, mode, corners, size):
    if kind is not None:  # numbered backwards in the file
        corners, indices = corners[::-1].copy(), np.arange(len(corners), dtype=kind)[::-1].copy()
    file = glb(tmp_path / name, corners, mode, None if kind is None else indices)
    mesh = Species("fan", asset=file).mesh
    up = area(mesh.positions.astype(float), mesh.triangles)[:, 2]
    assert (up > 0).all()
    assert up.sum() == pytest.approx(size)
    assert MeshGround.open(file).height(1.0, 0.5) == 1


def test_a_fan_of_two_corners_is_damaged(tmp_path):
    with pytest.raises(InputError, match=r"a\.glb: cannot be read.*a triangle fan has 2 corners"):
        MeshGround.open(glb(tmp_path / "a.glb", RING[:2], 6))


LEVELS = [{"name": f"tree_LOD{k}", "mesh": 0, "translation": [10.0 * k, 0, 0]} for k in (1, 0, 2)]


def test_the_finest_level_of_detail_is_used_and_said(tmp_path):
    file = glb(tmp_path / "a.glb", RING, 6, nodes=[*LEVELS, {"name": "rock", "mesh": 0, "translation": [0, 0, 50]}])
    says = (
        r"a\.glb: holds levels of detail; tree_LOD0 is used, and 2 coarser nodes are left out \(tree_LOD1, tree_LOD2\)"
    )
    with pytest.warns(UserWarning, match=says):
        mesh = Species("tree", asset=file).mesh
    assert len(mesh.triangles) == 6
    assert mesh.positions[:, 0].max() == 2
    with pytest.warns(UserWarning, match=says):
        ground = MeshGround.open(file)
    assert np.isnan(ground.height(11, 0.5))
    assert MeshGround.open(file, node="tree_LOD1").height(11, 0.5) == 1  # who asks for one has it


def test_groups_of_levels(tmp_path):
    nodes = [{"name": "tree_LOD0", "children": [2]}, {"name": "tree_LOD1", "children": [3]},
             {"name": "bark", "mesh": 0}, {"name": "card", "mesh": 0, "translation": [9, 0, 0]}]  # fmt: skip

    file = glb(tmp_path / "a.glb", RING, 6, nodes=nodes)
    data = file.read_bytes().replace(b'"nodes": [0, 1, 2, 3]', b'"nodes": [0, 1]      ')
    file.write_bytes(data)
    with pytest.warns(UserWarning, match=r"1 coarser node is left out \(card\)"):
        assert len(Species("tree", asset=file).mesh.triangles) == 3


def test_gltf_1_says_what_it_is(tmp_path):
    says = r"is glTF 1\.0, and weald reads glTF 2\.0; export it again"
    with pytest.raises(InputError, match=r"a\.glb: " + says):
        MeshGround.open(glb(tmp_path / "a.glb", RING, 4, version=1))
    (tmp_path / "a.gltf").write_text(json.dumps({"asset": {"version": "1.0"}, "meshes": {"m": {}}}))
    with pytest.raises(InputError, match=r"a\.gltf: " + says):
        Species("a", asset=tmp_path / "a.gltf").mesh  # noqa: B018
