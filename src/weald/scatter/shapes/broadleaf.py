"""A broadleaf: a crown of one closed skin, the outer hull of a few overlapping balls, on a trunk."""

from __future__ import annotations

import numpy as np

from weald.scatter.shapes.parts import hull, trunk
from weald.scatter.shapes.skin import Skin
from weald.scatter.species import Species


def broadleaf(species: Species) -> list[Skin]:
    """Return a trunk and a crown of about three quarters of the height."""
    height, radius = species.height, species.crown_radius
    # the crown takes the upper three quarters, less if that would make it a tall sausage
    depth = min(0.76 * height, 2.7 * radius)
    crown = hull(species.name, fineness=3, rings=((5, -0.25, 0.56), (4, 0.25, 0.42)), top=0.52, core=0.66)
    z = crown.points[:, 2] = np.maximum(crown.points[:, 2], 0.3 * crown.points[:, 2] - 0.43)
    crown.points[:, 2] = height - depth * (z.max() - z) / np.ptp(z)
    crown.points[:, :2] *= radius
    return [trunk(min(0.06 * radius + 0.012 * height, 0.2 * radius), height - 0.6 * depth, 0.62), crown]
