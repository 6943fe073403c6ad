"""Rays straight down on meshes: seams, overhangs, misses, axes, and other readers' files."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.export.glb import write_glb
from weald.geometry import Bounds, Grid
from weald.sampling.poisson import poisson_disk
from weald.scatter.layer import Layer
from weald.scatter.rules import Ground
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.terrain.mesh import MeshGround
from weald.terrain.terrain import Terrain

SQUARE = np.array([[0, 0, 1], [10, 0, 2], [10, 10, 5], [0, 10, 3]], float)
HALVES = [[0, 1, 2], [0, 2, 3]]


def sheet(grid, heights):
    """Return the mesh of a heightmap, cells split from south-west to north-east."""
    x, y = np.meshgrid(grid.x, grid.y)
    n = np.arange(grid.nx * grid.ny).reshape(grid.shape)
    a, b, c, d = n[:-1, :-1], n[:-1, 1:], n[1:, 1:], n[1:, :-1]
    faces = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return np.stack([x, y, heights], -1).reshape(-1, 3), faces


def naive_hits(vertices, faces, x, y):
    """All heights over a place by exact fractions, seams as one hit."""
    found = set()
    x, y = Fraction(x), Fraction(y)
    for face in faces:
        a, b, c = ([Fraction(v) for v in vertices[k]] for k in face)
        u = (b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)
        v = (c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)
        w = (a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x)
        if (min(u, v, w) >= 0 or max(u, v, w) <= 0) and u + v + w:
            found.add((u * a[2] + v * b[2] + w * c[2]) / (u + v + w))
    return sorted(map(float, found), reverse=True)


def test_two_triangles_have_no_seam():
    ground = MeshGround(SQUARE, HALVES)
    t = np.linspace(0, 10, 10_001)
    assert np.allclose(ground.height(t, t), 1 + 0.4 * t)
    for x, y, height in ((0, 0, 1), (10, 0, 2), (10, 10, 5), (0, 10, 3)):
        assert ground.height(x, y) == height
    assert not np.isnan(ground.height(*np.random.default_rng(0).uniform(0, 10, (2, 20_000)))).any()
    # and next to it lies nothing
    assert np.isnan(ground.height([-1e-3, 10.001, 5, 5], [5, 5, -1e-3, 10.001])).all()


@pytest.mark.parametrize("origin", [(0.0, 0.0), (500_000.1, 5_150_000.7), (-1e7, 3.3)])
@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_a_sheet_has_no_holes_at_corners_edges_or_anywhere(origin, angle):
    rng = np.random.default_rng(2)
    grid = Grid(0, 0, 0.7, 30, 25)
    vertices, faces = sheet(grid, rng.normal(size=grid.shape))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    vertices[:, :2] = vertices[:, :2] @ turn.T + origin
    ground = MeshGround(vertices, faces)
    assert np.allclose(ground.height(vertices[:, 0], vertices[:, 1]), vertices[:, 2], atol=1e-5)
    # places on edges, up to rounding; those of the rim may fall off it
    a, b = vertices[faces[:, [0, 1, 2]]], vertices[faces[:, [1, 2, 0]]]
    t = rng.random((len(faces), 3, 1))
    x, y = ((a + t * (b - a)).reshape(-1, 3)[:, k] for k in (0, 1))
    local = (np.stack([x, y], -1) - origin) @ turn
    inner = (local > 1e-6).all(-1) & (local < np.array([29, 24]) * 0.7 - 1e-6).all(-1)
    assert not np.isnan(ground.height(x, y)[inner]).any()
    x, y = (rng.uniform(0.001, [29 * 0.7 - 0.001, 24 * 0.7 - 0.001], (50_000, 2)) @ turn.T + origin).T
    assert not np.isnan(ground.height(x, y)).any()


def test_a_mesh_of_a_heightmap_is_the_heightmap_case_14():
    grid = Grid(500_000, 5_150_000, 10, 20, 15)
    plane = Terrain(grid, 0.5 * (grid.x - 500_000) + 0.25 * (grid.y - 5_150_000)[:, None])
    bumpy = Terrain(grid, np.random.default_rng(3).normal(size=grid.shape) * 20)
    for terrain in (plane, bumpy):
        ground = MeshGround(*sheet(grid, terrain.heights))
        again = ground.terrain(10)
        assert again.grid == grid
        assert np.abs(again.heights - terrain.heights).max() < 1e-5
        x, y = np.random.default_rng(4).uniform([[500_000], [5_150_000]], [[500_190], [5_150_140]], (2, 3000))
        assert np.abs(ground.height(x, y) - terrain.height(x, y)).max() < 1e-5
    assert np.allclose(MeshGround(*sheet(grid, plane.heights)).slope_deg(x, y), plane.slope_deg(x, y))
    assert np.allclose(MeshGround(*sheet(grid, plane.heights)).normal(x, y), plane.normal(x, y))


@given(
    corners=st.lists(st.tuples(*[st.integers(0, 16)] * 3), min_size=9, max_size=24),
    place=st.tuples(st.integers(-1, 34), st.integers(-1, 34)),
)
def test_any_soup_of_triangles_is_met_where_exact_fractions_say(corners, place):
    # the corners of the box make the steps powers of two: nothing is rounded
    vertices = np.array([*corners, (0, 0, -5), (16, 0, -5), (16, 16, -5)], float)
    faces = np.append(np.arange(len(corners) // 3 * 3).reshape(-1, 3), [np.arange(3) + len(corners)], axis=0)
    x, y = place[0] / 2, place[1] / 2
    ground = MeshGround(vertices, faces)
    expected = naive_hits(vertices, faces, x, y)
    assert np.allclose(ground.hits(x, y), expected, atol=1e-9)
    assert np.allclose(ground.height(x, y), expected[0] if expected else np.nan, equal_nan=True)


def bridge():
    """A deck 5 m over a valley floor, with upright sides, and a hole in the floor."""
    floor, faces = sheet(Grid(0, 0, 1, 11, 11), np.zeros((11, 11)))
    middle = floor[faces].mean(axis=1)
    faces = faces[~((np.abs(middle[:, 0] - 8) < 1) & (np.abs(middle[:, 1] - 5) < 1))]
    deck = trimesh.creation.box(extents=[4, 10, 1])
    deck.apply_translation([3, 5, 5.5])
    return MeshGround(np.concatenate([floor, deck.vertices]), np.concatenate([faces, deck.faces + len(floor)]))


def test_overhangs_are_met_from_above_and_all_hits_are_sorted():
    ground = bridge()
    assert ground.height([3.3, 6.2, 0.4, 8.0], [5.1, 5.1, 5.1, 5.0]).tolist()[:3] == [6, 0, 0]
    assert np.isnan(ground.height(8.0, 5.0))
    assert ground.hits(3.3, 5.1).tolist() == [6, 5, 0]
    hits = ground.hits([3.3, 6.2, 8.0], 5.1)
    assert np.array_equal(hits, [[6, 5, 0], [0, np.nan, np.nan], [np.nan] * 3], equal_nan=True)
    # on its upright side the deck is met along its upper and lower edges; a corner of the floor is one hit
    assert ground.hits(1.0, 5.0).tolist() == [6, 5, 0]
    assert ground.hits(50, 50).shape == (0,)
    assert ground.slope_deg(3.3, 5.1) == 0
    assert np.isnan(ground.normal(8.0, 5.0)).all()
    assert ground.height(np.zeros((3, 1)), np.zeros(4)).shape == (3, 4)
    assert ground.hits(np.full((3, 1), 3.3), np.full(4, 5.1)).shape == (3, 4, 3)


def test_a_miss_places_nothing():
    ground = bridge()
    tree = Species("tree", "bush", 1.0, 0.2, "#446633")
    placed = scatter(
        [Layer("trees", {tree: 1.0}, 0.3, [Ground(ground.height)])], ground.height, Bounds(-3, -3, 13, 13), seed=1
    )["trees"]
    x, y, z = placed.xyz.T
    assert len(placed) > 500
    assert np.array_equal(ground.height(x, y), z)
    assert not ((np.abs(x - 8) < 1) & (np.abs(y - 5) < 1)).any()
    assert set(z) == {0.0, 6.0}
    # and as a mask of the sampler alone
    points = poisson_disk((-3, -3, 13, 13), 0.5, seed=1, allowed=lambda x, y: ~np.isnan(ground.height(x, y)))
    assert not np.isnan(ground.height(*points.xy.T)).any()


@pytest.mark.parametrize("kind", ["glb", "obj", "ply", "stl"])
def test_files_and_their_axes(tmp_path, kind):
    """A landmark that no turn or mirror leaves alone, written by trimesh."""
    vertices, faces = sheet(Grid(100, 200, 1, 5, 4), np.zeros((4, 5)))
    vertices[13, 2] = 7.0  # x 103, y 202
    for up in ("y", "z"):
        stored = np.stack([vertices[:, 0], vertices[:, 2], -vertices[:, 1]], -1) if up == "y" else vertices
        file = tmp_path / f"a.{kind}"
        trimesh.Trimesh(stored, faces, process=False).export(file)
        terrain = Terrain.open(file, spacing=1, up=up)
        assert terrain.grid == Grid(100, 200, 1, 5, 4)
        assert np.argwhere(terrain.heights > 1).tolist() == [[2, 3]]
        assert terrain.height(103, 202) == 7
    if kind != "glb":
        with pytest.raises(InputError, match=rf"a\.{kind}: up is not given; say which axis points up, 'y' or 'z'"):
            MeshGround.open(file)


def test_the_scene_that_weald_writes_opens_as_its_ground(tmp_path):
    grid = Grid(1000, 2000, 5, 12, 9)
    heights = np.random.default_rng(7).uniform(100, 150, grid.shape)
    heights[4, 6] = np.nan
    middle = (1028, 2020, 0)
    write_glb(tmp_path / "scene.glb", None, grid=grid, heights=heights, origin=middle)
    ground = MeshGround.open(tmp_path / "scene.glb", node="ground", origin=middle)
    assert np.allclose(ground.terrain(5).heights, heights, atol=1e-4, equal_nan=True)
    x, y = np.random.default_rng(1).uniform([[1000], [2000]], [[1055], [2040]], (2, 2000))
    assert np.allclose(ground.height(x, y), Terrain(grid, heights).height(x, y), atol=1e-3, equal_nan=True)


def test_a_mesh_opens_like_any_other_file(tmp_path):
    file = tmp_path / "a.ply"
    trimesh.Trimesh(SQUARE, HALVES, process=False).export(file)
    ground = Terrain.open(file, spacing=2, up="z", origin=(500_000, 5_150_000))
    assert ground.grid == Grid(500_000, 5_150_000, 2, 6, 6)
    assert np.allclose(np.diagonal(ground.heights), np.linspace(1, 5, 6))
    part = Terrain.open(file, spacing=2, up="z", window=(3, 3, 7, 7))
    assert part.grid == Grid(2, 2, 2, 4, 4)
    direct = Terrain.from_mesh(trimesh.load_scene(file), 2, up="z")
    assert np.array_equal(direct.crop((3, 3, 7, 7)).heights, part.heights)
    for said, message in [
        ({}, r"a\.ply: spacing is not given; give the metres between rays"),
        ({"spacing": 2}, r"a\.ply: up is not given"),
        ({"spacing": 2, "up": "z", "low": 0}, "low is 0, but a mesh takes no low"),
        ({"spacing": 20, "up": "z"}, r"a\.ply: spacing: 20 m is more than the mesh has"),
        ({"spacing": 2, "up": "z", "node": "ground"}, r"node is 'ground'; give one of"),
    ]:
        with pytest.raises(InputError, match=message):
            Terrain.open(file, **said)


def test_nodes_of_a_scene():
    scene = trimesh.Scene()
    tile = trimesh.Trimesh(SQUARE, HALVES, process=False)
    scene.add_geometry(tile, node_name="ground", geom_name="tile")
    up = trimesh.transformations.translation_matrix([0, 0, 50])
    scene.graph.update(frame_to="roof", geometry="tile", matrix=up)
    assert MeshGround.open(scene, up="z").height(0, 0) == 51
    assert MeshGround.open(scene, up="z", node="ground").height(0, 0) == 1
    assert MeshGround.open(scene, up="z", node="tile").hits(0, 0).tolist() == [51, 1]
    assert MeshGround.open(tile, up="z", origin=(5, 0, 2)).height(5, 0) == 3
    with pytest.raises(InputError, match=r"node is 'grund'; give one of ground, roof, tile \(did you mean 'ground'"):
        MeshGround.open(scene, up="z", node="grund")
    with pytest.raises(InputError, match="node is 'ground', but a single mesh has no nodes"):
        MeshGround.open(tile, up="z", node="ground")


def test_what_is_no_mesh_says_why(tmp_path):
    for vertices, faces, message in [
        (np.zeros((3, 2)), [[0, 1, 2]], r"vertices: shape is \(3, 2\); give \(n, 3\)"),
        (SQUARE, [[0, 1, 4]], "faces: corners reach from 0 to 4; there are 4"),
        (SQUARE, [[0.0, 1.0, 2.0]], "faces: got shape .* of float64; give whole numbers"),
        (SQUARE, np.zeros((0, 3), int), "faces: got shape"),
        (SQUARE * np.nan, HALVES, "vertices: some are not finite"),
        (SQUARE * [1, 0, 1], HALVES, "none has an area seen from above; check which axis is up"),
        (SQUARE * [0, 0, 1], HALVES, "all lie above one place"),
    ]:
        with pytest.raises(InputError, match=message):
            MeshGround(vertices, faces)
    (tmp_path / "a.glb").write_bytes(b"no mesh at all, but long enough to have a header")
    with pytest.raises(InputError, match=r"a\.glb: cannot be read, it is damaged or no mesh"):
        MeshGround.open(tmp_path / "a.glb")
    with pytest.raises(InputError, match=r"b\.glb: there is no such file"):
        MeshGround.open(tmp_path / "b.glb")
    with pytest.raises(InputError, match="up: got 'x'; give 'y' or 'z'"):
        MeshGround.open(tmp_path / "a.glb", up="x")
    with pytest.raises(InputError, match="mesh: got int; give a path, a trimesh"):
        MeshGround.open(3, up="z")
    trimesh.PointCloud(SQUARE).export(tmp_path / "points.ply")
    with pytest.raises(InputError, match=r"points\.ply: holds no triangles"):
        MeshGround.open(tmp_path / "points.ply", up="z")
    ground = MeshGround(SQUARE, HALVES)
    for spacing, message in (
        (0, "above 0"),
        (11, "more than the mesh has, 10 x 10 m"),
        (1e-5, "more than 200,000,000"),
    ):
        with pytest.raises(InputError, match=f"spacing: .*{message}"):
            ground.terrain(spacing)


def test_large_and_small_triangles_together_need_no_more_than_their_share():
    """A sheet of small triangles on a huge one: cells are sized so that neither costs much."""
    vertices, faces = sheet(Grid(0, 0, 1, 60, 60), np.ones((60, 60)))
    big = np.array([[-1e4, -1e4, 0], [1e4, -1e4, 0], [0, 2e4, 0]])
    ground = MeshGround(
        np.concatenate([vertices, big]), np.concatenate([faces, [[len(vertices) + k for k in range(3)]]])
    )
    assert ground._members.size < 4 * len(faces)
    assert ground.height([30.5, 5000], [20.2, -3000]).tolist() == [1, 0]
    assert list(itertools.chain(*ground.hits([30.5], [20.2]).tolist())) == [1, 0]


def test_compressed_ground_is_not_read_as_zeros(tmp_path):
    content = trimesh.exchange.gltf.export_gltf(trimesh.Trimesh(SQUARE, HALVES, process=False))
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    assert MeshGround.open(tmp_path / "model.gltf").bounds.size[0] == 10
    spec = json.loads((tmp_path / "model.gltf").read_text())
    spec["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    (tmp_path / "model.gltf").write_text(json.dumps(spec))
    with pytest.raises(InputError, match=r"model\.gltf: is compressed \(KHR_draco_mesh_compression\)"):
        MeshGround.open(tmp_path / "model.gltf")
