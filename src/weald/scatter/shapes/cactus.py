"""A cactus: a ribbed column with arms that bend upwards."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, sine
from weald.scatter.shapes.skin import Skin, hashed, join
from weald.scatter.shapes.tube import tube
from weald.scatter.species import Species


def cactus(species: Species) -> list[Skin]:
    """Return a column and two or three arms, the lower the longer."""
    height, radius = species.height, species.crown_radius
    thick = min(0.28 * radius, 0.11 * height)
    uneven = hashed(species.name, "arms", 12).reshape(3, 4)
    z = np.array([-0.04, 0.05, 0.55, 0.9, 0.97, 1.0]) * height
    column = np.column_stack([0 * z, 0 * z, z])
    skins = [tube(column, thick * np.array([0.9, 0.95, 1.05, 0.92, 0.6, 0.0]), 12, ribs=0.24)]
    count = 2 if uneven[0, 3] < 0.5 else 3
    first = 2 * np.pi * uneven[1, 3]
    for k in range(count):
        turn = first + 2 * np.pi * k / count + 0.8 * (uneven[k, 0] - 0.5)
        out = np.array([cosine(turn), sine(turn), 0.0])
        low = height * (0.3 + 0.11 * k + 0.1 * uneven[k, 1])
        arm = 0.62 * thick
        reach = radius - arm if k == 0 else (radius - arm) * (0.7 + 0.25 * uneven[k, 2])
        top = min(low + (0.34 + 0.2 * uneven[k, 2]) * height, 0.86 * height)
        bend = 0.35 * (reach - thick)
        places = [(0.5 * thick, 0.0), (reach - bend, 0.02 * height), (reach, 0.02 * height + bend)]
        path = [out * r + [0, 0, low + up] for r, up in places]
        path += [out * reach + [0, 0, top - 0.6 * arm], out * reach + [0, 0, top]]
        skins.append(tube(path, arm * np.array([0.85, 0.9, 1.0, 0.9, 0.0]), 8, ribs=0.22))
    whole = join(skins)
    # the furrows are dark
    whole.light = (0.42 + 0.5 * whole.light) + 0.22 * np.clip(whole.points[:, 2] / height, 0, 1)
    whole.softness = 0.35
    return [whole]
