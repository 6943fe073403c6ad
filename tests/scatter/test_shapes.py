from __future__ import annotations

import numpy as np
import pytest

from weald.errors import InputError
from weald.scatter.shapes import Mesh, shape_mesh
from weald.scatter.species import SHAPES, Species

SPECIES = [
    Species("spruce", "conifer", height=22, crown_radius=2.6, color="#2f5d43"),
    Species("dwarf pine", "conifer", height=2, crown_radius=3, color="#48703f"),
    Species("oak", "broadleaf", height=15, crown_radius=5.5, color="#5c8a3a"),
    Species("poplar", "broadleaf", height=30, crown_radius=0.7, color="#8aa84e"),
    Species("hazel", "bush", height=2.4, crown_radius=1.8, color="#6c8f3c"),
    Species("heath", "bush", height=0.3, crown_radius=1.2, color="#705060"),
    Species("boulder", "rock", height=1.6, crown_radius=1.7, color="#8b8a85"),
    Species("slab", "rock", height=0.3, crown_radius=2.2, color="#b89a72"),
    Species("sedge", "grass", height=0.9, crown_radius=0.5, color="#7f9a4c"),
    Species("date palm", "palm", height=8, crown_radius=3, color="#6f9a45"),
    Species("seedling", "palm", height=0.5, crown_radius=1, color="#6f9a45"),
    Species("saguaro", "cactus", height=6, crown_radius=1.6, color="#5f8a58"),
    Species("snag", "dead", height=9, crown_radius=2.5, color="#8a8a80"),
    Species("bolete", "mushroom", height=0.2, crown_radius=0.15, color="#8a5a36"),
    Species("quartz", "crystal", height=1.6, crown_radius=1, color="#a9c7d6"),
    Species("needle", "crystal", height=6, crown_radius=0.5, color="#a9c7d6"),
]
SHEETS = ("grass", "palm")
CLOSED = pytest.mark.parametrize(
    "species", [species for species in SPECIES if species.shape not in SHEETS], ids=lambda species: species.name
)
ALL = pytest.mark.parametrize("species", SPECIES, ids=lambda species: species.name)


TREES = ("conifer", "broadleaf", "palm")


def corners(mesh: Mesh) -> np.ndarray:
    return mesh.positions.astype(np.float64)[mesh.triangles]


def facing(mesh: Mesh) -> np.ndarray:
    a, b, c = np.moveaxis(corners(mesh), 1, 0)
    return np.cross(b - a, c - a)


def is_bark(mesh: Mesh) -> np.ndarray:
    """Which triangles are trunk: redder than green."""
    color = mesh.colors[mesh.triangles].astype(int)
    return (color[..., 0] > color[..., 1]).all(axis=1)


def test_every_shape_is_tried() -> None:
    assert {species.shape for species in SPECIES} == set(SHAPES)


@ALL
def test_sizes_are_as_promised(species: Species) -> None:
    x, y, z = shape_mesh(species).positions.astype(np.float64).T
    assert z.max() == pytest.approx(species.height, rel=1e-6)
    assert np.hypot(x, y).max() == pytest.approx(species.crown_radius, rel=1e-6)
    # the foot is at the origin, its root a little below; and the crown is around the stem
    assert -0.15 * species.height - 0.3 * species.crown_radius < z.min() <= 0
    least = {"rock": 0.3, "cactus": 0.08, "dead": 0.25}.get(species.shape, 0.4)  # some are long, some have few arms
    for axis in (x, y):
        assert axis.min() < -least * species.crown_radius
        assert axis.max() > least * species.crown_radius


@ALL
def test_arrays_are_as_documented(species: Species) -> None:
    mesh = shape_mesh(species)
    n = len(mesh.positions)
    assert (mesh.positions.dtype, mesh.normals.dtype) == (np.float32, np.float32)
    assert (mesh.colors.dtype, mesh.triangles.dtype) == (np.uint8, np.uint32)
    assert (mesh.positions.shape, mesh.normals.shape, mesh.colors.shape) == ((n, 3), (n, 3), (n, 4))
    assert (30 if species.shape == "grass" else 60) <= len(mesh.triangles) <= (39 if species.shape == "grass" else 320)
    assert mesh.triangles.max() < n
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1, abs=1e-5)
    assert (mesh.colors[:, 3] == 255).all()


@CLOSED
def test_winding_and_normals_are_outwards(species: Species) -> None:
    mesh = shape_mesh(species)
    across = facing(mesh)
    assert (np.linalg.norm(across, axis=1) > 0).all()
    # a surface that faces outwards holds a positive volume, and more of it than a spindle would
    volume = np.einsum("ij,ij->i", corners(mesh)[:, 0], across).sum() / 6
    slim = {"cactus": 0.1, "dead": 0.01}.get(species.shape, 1.0)
    assert volume > slim * 0.15 * species.crown_radius**2 * species.height * 0.5
    # and its normals lean to the side that it faces
    toward = np.einsum("tcd,td->tc", mesh.normals[mesh.triangles], across)
    assert (toward > 0).mean() > 0.95


@CLOSED
def test_each_edge_of_a_closed_skin_is_met_from_both_sides(species: Species) -> None:
    mesh = shape_mesh(species)
    _, place = np.unique(mesh.positions.round(5), axis=0, return_inverse=True)
    a, b, c = place.ravel()[mesh.triangles].T
    edges = np.concatenate([np.column_stack(edge) for edge in ((a, b), (b, c), (c, a))])
    there = {tuple(edge) for edge in edges.tolist()}
    assert len(there) == len(edges)  # no edge runs twice in one direction
    open_edges = [edge for edge in there if edge[::-1] not in there]
    height = {int(p): float(z) for p, z in zip(place.ravel(), mesh.positions[:, 2], strict=True)}
    rooted = {p for edge in open_edges for p in edge}
    # only roots, and the end of a trunk inside of its crown, are open
    assert bool(open_edges) == (species.shape in ("conifer", "broadleaf", "bush"))
    crown = species.height * (0.25 if species.shape == "conifer" else 0.3)
    assert all(height[p] < 0 or height[p] > crown for p in rooted)


@ALL
def test_crown_has_the_color_of_the_species_and_is_darker_below(species: Species) -> None:
    mesh = shape_mesh(species)
    bark = is_bark(mesh) if species.shape in TREES else np.zeros(len(mesh.triangles), bool)
    crown = mesh.triangles[~bark].ravel()
    color = np.array(list(bytes.fromhex(species.color[1:])))
    if species.shape != "mushroom":  # whose stem and gills are pale
        assert np.abs(mesh.colors[crown, :3].mean(axis=0) - color).max() < 0.15 * 255
    if species.shape in ("palm", "mushroom"):  # fronds hang, gills are bright
        return
    light = mesh.colors[crown, :3].sum(axis=1).astype(float)
    up = facing(mesh)[~bark, 2].repeat(3)
    if species.shape not in ("conifer", "broadleaf", "bush", "rock"):  # a sheet has no underside, a column hardly one
        up = mesh.positions[crown, 2] - np.quantile(mesh.positions[crown, 2], 0.3)
    assert light[up > 0].mean() > 1.1 * light[up < 0].mean()
    assert len(np.unique(light)) > 20


def test_trees_have_trunks_and_bushes_do_not() -> None:
    for species in (*SPECIES[:5], SPECIES[9]):
        bark = is_bark(shape_mesh(species))
        assert bark.any() == (species.shape in TREES)


def test_silhouettes() -> None:
    """How wide a plant is, by height: what tells the three shapes apart at a distance."""

    def widths(species: Species, at: list[float]) -> list[float]:
        mesh = shape_mesh(species)
        x, y, z = mesh.positions.astype(np.float64).T
        wide = np.hypot(x, y) / species.crown_radius
        return [float(wide[np.abs(z / species.height - h) < 0.1].max()) for h in at]

    low, middle, high = widths(SPECIES[0], [0.2, 0.5, 0.85])
    assert low > 0.9
    assert low > middle > high
    stem, crown, top = widths(SPECIES[2], [0.1, 0.6, 0.95])
    assert stem < 0.2
    assert crown > 0.8
    assert top > 0.2
    ground, top = widths(SPECIES[4], [0.1, 0.9])
    assert ground > 0.6
    assert top > 0.15


def test_a_blade_of_grass_is_seen_from_both_sides() -> None:
    mesh = shape_mesh(SPECIES[8])
    front, back = np.split(corners(mesh), 2)
    assert (front == back[:, ::-1]).all()
    toward = np.einsum("tcd,td->tc", mesh.normals[mesh.triangles], facing(mesh))
    # both sides are lit from above, so a side that looks at the ground may lean away from it
    assert (toward > 0).mean() > 0.5
    assert (mesh.normals[:, 2] > 0).all()
    assert (mesh.positions[:, 2] < 0).sum() > 10  # each blade is rooted


def test_a_rock_is_angular_and_partly_in_the_ground() -> None:
    for rock in SPECIES[6:8]:
        mesh = shape_mesh(rock)
        across = facing(mesh)
        flat = across / np.linalg.norm(across, axis=1)[:, None]
        # normals are those of the facets, not of a ball
        assert np.einsum("tcd,td->tc", mesh.normals[mesh.triangles], flat).min() > 0.99
        assert mesh.positions[:, 2].min() < -0.2 * rock.height
        # flat sides: many neighbours nearly share their plane
        assert ((flat @ flat.T > 0.99).sum(axis=1) > 3).mean() > 0.5


def test_stems_go_with_the_shape() -> None:
    stems = {species.name: species.stem for species in SPECIES}
    assert stems["oak"] == pytest.approx(0.3)
    assert stems["hazel"] == pytest.approx(0.54)
    assert stems["boulder"] == pytest.approx(1.19)
    assert stems["sedge"] == 0


def test_same_species_same_mesh_other_name_other_mesh() -> None:
    oak = SPECIES[2]
    again = shape_mesh(Species("oak", "broadleaf", 15, 5.5, "#5c8a3a"))
    assert (shape_mesh(oak).positions == again.positions).all()
    assert (shape_mesh(oak).colors == again.colors).all()
    beech = shape_mesh(Species("beech", "broadleaf", 15, 5.5, "#5c8a3a"))
    assert np.abs(beech.positions - again.positions).max() > 0.1


@pytest.mark.parametrize("color", ["green", "#12345", "#12345g", "123456", "#1234567", "# 1 2 3"])
def test_a_color_that_is_none(color: str) -> None:
    with pytest.raises(InputError, match=r"species 'oak': color is .*; give '#rrggbb'"):
        shape_mesh(Species("oak", "broadleaf", 15, 5.5, color))
