"""A bush: a crown like a broadleaf's, cut off by the ground."""

from __future__ import annotations

import numpy as np

from weald.scatter.shapes.parts import hull
from weald.scatter.shapes.skin import Skin
from weald.scatter.species import Species


def bush(species: Species) -> list[Skin]:
    """Return a crown that is open below the ground."""
    crown = hull(species.name, fineness=3, rings=((5, -0.1, 0.68), (3, 0.3, 0.36)), top=0.42, core=0.52)
    # what would be deep in the ground is left out
    ground = -0.36
    crown.corners = crown.corners[(crown.points[crown.corners, 2] > ground).any(axis=1)]
    z = np.maximum(crown.points[:, 2], ground - 0.1) - ground
    crown.points = np.column_stack([crown.points[:, :2] * species.crown_radius, z * species.height])
    return [crown]
