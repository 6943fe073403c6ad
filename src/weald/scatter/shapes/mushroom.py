"""A mushroom: a cap on a stem."""

from __future__ import annotations

import numpy as np

from weald.exact import arctangent, cosine
from weald.scatter.shapes.skin import Skin, hashed
from weald.scatter.shapes.tube import lathe, tube
from weald.scatter.species import Species

_STEM = (0.86, 0.81, 0.72)
"""Colour of stems and gills: sRGB, 0 to 1."""


def mushroom(species: Species) -> list[Skin]:
    """Return a stem that bulges at its foot, and a cap of the species' colour with pale gills under it."""
    height, radius = species.height, species.crown_radius
    uneven = hashed(species.name, "cap", 6)
    thick = min(0.2 * radius, 0.16 * height) * (0.85 + 0.3 * uneven[0])
    depth = min(height * (0.36 + 0.16 * uneven[1]), 1.3 * radius)
    rim = height - depth
    lean = 0.12 * radius * (uneven[2:4] - 0.5)
    z = np.array([-0.08, 0.06, 0.3, 0.75]) * (rim + 0.3 * depth)
    stem = tube(
        np.column_stack([lean[0] * z / height, lean[1] * z / height, z]), thick * np.array([1.2, 1.45, 1.0, 0.85]), 7
    )
    stem.light = 0.74 + 0.3 * np.clip(stem.points[:, 2] / height, 0, 1)
    stem.color = _STEM
    # the outside, from the edge to the top, and the underside from the stem to the edge
    arc = np.array([[1.0, 0.0], [0.97, 0.2], [0.8, 0.58], [0.46, 0.88], [0.0, 1.0]])
    under = lathe([[0, 0.34], [0.16, 0.3], [0.9, 0.04], [1.0, 0.0], [0.0, 0.36]], 11)
    cap = lathe(arc, 11)
    for skin in (under, cap):
        skin.points *= [radius, radius, depth]
        wobble = 1 + 0.05 * cosine(3 * arctangent(skin.points[:, 1], skin.points[:, 0]) + 6 * uneven[4])
        skin.points[:, :2] *= wobble[:, None]
        skin.points += [*lean, rim]
    up = (cap.points[:, 2] - rim) / depth
    cap.light, cap.softness = 0.68 + 0.4 * up, 0.9
    cap.soft = np.column_stack([cap.soft[:, :2] * (1 - up)[:, None], up])
    under.color, under.light, under.softness = _STEM, np.full(len(under.points), 0.62), 0.0
    # the underside is open to the cap above it
    under.corners = under.corners[: 6 * 11]
    cap.corners = cap.corners[: 8 * 11]
    return [stem, under, cap]
