"""Triangle meshes as heights: what rays from above meet first."""

from __future__ import annotations

from pathlib import Path

from weald.errors import InputError
from weald.terrain.formats.sheet import Format, Given, Sheet, in_memory
from weald.terrain.mesh import MeshGround


def _sheet(file: Path, given: Given) -> Sheet:
    if given.spacing is None:
        raise InputError(f"{file}: spacing is not given; give the metres between rays")
    x, y = given.origin or (0.0, 0.0)
    terrain = MeshGround.open(file, up=given.up, node=given.node, origin=(x, y, 0.0)).terrain(given.spacing)
    return in_memory(terrain.grid, terrain.heights)


MESH = Format(
    "a mesh", (".glb", ".gltf", ".obj", ".ply", ".stl"), frozenset({"spacing", "origin", "up", "node"}), _sheet
)
