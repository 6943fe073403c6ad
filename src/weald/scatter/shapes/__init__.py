"""What a species looks like: its asset, or a low-poly shape, a pure function of its name, sizes and colour.

What is irregular is hashed from the species' name, so two species of one shape look related, not equal.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weald.arguments import of_kind
from weald.exact import length
from weald.scatter.color import codes
from weald.scatter.mesh import Mesh
from weald.scatter.shapes.broadleaf import broadleaf
from weald.scatter.shapes.bush import bush
from weald.scatter.shapes.cactus import cactus
from weald.scatter.shapes.conifer import conifer
from weald.scatter.shapes.crystal import crystal
from weald.scatter.shapes.dead import dead
from weald.scatter.shapes.grass import grass
from weald.scatter.shapes.mushroom import mushroom
from weald.scatter.shapes.palm import palm
from weald.scatter.shapes.rock import rock
from weald.scatter.shapes.skin import Skin, facets
from weald.scatter.species import Species

__all__ = ["Mesh", "shape_mesh"]

_MAKERS: dict[str, Callable[[Species], list[Skin]]] = {
    "conifer": conifer,
    "broadleaf": broadleaf,
    "bush": bush,
    "rock": rock,
    "grass": grass,
    "palm": palm,
    "cactus": cactus,
    "dead": dead,
    "mushroom": mushroom,
    "crystal": crystal,
}


def shape_mesh(species: Species) -> Mesh:
    """Return the mesh of a species at scale 1: its asset, or a built-in shape.

    Built-in shapes are as tall as ``height`` and as wide as ``crown_radius``: the highest point is at ``height``, and
    the point farthest from the axis is ``crown_radius`` away from it.

    Parameters
    ----------
    species
        Its shape, sizes, colour, and its name, from which irregularities are hashed.

    Returns
    -------
    Mesh
        Some 150 to 320 triangles, and fewer than 40 for grass. All are closed, a bush but for its root, and trunks at
        their ends; blades of grass and fronds of palms are sheets with two sides. That of an asset is the same object
        for all species that share it.

    Examples
    --------
    >>> mesh = shape_mesh(Species("spruce", "conifer", height=22, crown_radius=2.6, color="#2f5d43"))
    >>> float(mesh.positions[:, 2].max()), 60 <= len(mesh.triangles) <= 250
    (22.0, True)
    """
    of_kind("species", species, Species, "a Species")
    if species.mesh is not None or species.shape is None:
        assert species.mesh is not None, "a species without a shape has an asset"
        return species.mesh
    color = codes(species.color) / 255
    skins = _MAKERS[species.shape](species)
    _stretch([skin for skin in skins if skin.stretched], species)
    parts = [facets(skin, color, species.name) for skin in skins]
    positions, normals, colors = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    triangles = np.arange(len(positions), dtype=np.uint32).reshape(-1, 3)
    return Mesh(positions.astype(np.float32), normals.astype(np.float32), colors, triangles)


def _stretch(skins: list[Skin], species: Species) -> None:
    """Bring skins to a species' sizes, whatever their bumps came to: sizes are promises."""
    seen = np.concatenate([skin.points[skin.corners].reshape(-1, 3) for skin in skins])
    wide = species.crown_radius / length(seen[:, 0], seen[:, 1]).max()
    tall = species.height / seen[:, 2].max()
    for skin in skins:
        skin.points *= [wide, wide, tall]
