"""A crystal: a cluster of six-sided points that lean out of one foot."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, sine
from weald.scatter.shapes.skin import TURN, Skin, hashed, join
from weald.scatter.shapes.tube import tube
from weald.scatter.species import Species

_POINTS = 7


def crystal(species: Species) -> list[Skin]:
    """Return points of unlike sizes, the tallest in the middle."""
    uneven = hashed(species.name, "points", 4 * _POINTS).reshape(4, _POINTS)
    skins = []
    for k in range(_POINTS):
        outer = k / (_POINTS - 1)
        turn = TURN * k + uneven[0, k]
        aside = np.array([cosine(turn), sine(turn), 0])
        foot = aside * (0.30 * min(2 * outer, 1.0))
        lean = aside * (0.08 + 0.55 * outer) + np.array([0, 0, 1.0])
        length = (1 - 0.62 * outer) * (0.85 + 0.25 * uneven[1, k])
        wide = (0.25 - 0.11 * outer) * (0.85 + 0.3 * uneven[2, k])
        path = foot + lean * np.array([-0.09, length * 0.74, length])[:, None]
        skin = tube(path, [0.8 * wide, wide, 0], 6, turn=uneven[3, k])
        # clear towards the tips, dark at the foot
        skin.light = np.concatenate([np.repeat([0.66, 0.98, 1.22], 6), [0.6, 1.22]])
        skin.grain, skin.softness = 0.11, 0.0
        skins.append(skin)
    return [join(skins)]
