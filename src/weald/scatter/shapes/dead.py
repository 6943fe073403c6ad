"""A dead tree: a broken trunk with bare limbs."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, follow, sine
from weald.scatter.shapes.skin import TURN, Skin, hashed, join
from weald.scatter.shapes.tube import tube
from weald.scatter.species import Species

_LIMBS = 7


def dead(species: Species) -> list[Skin]:
    """Return a trunk that ends in a splinter, and limbs that fork once or break off."""
    height, radius = species.height, species.crown_radius
    thick = min(0.034 * height, 0.16 * radius)
    uneven = hashed(species.name, "limbs", 6 * _LIMBS).reshape(6, _LIMBS)
    sway = (hashed(species.name, "sway", 4).reshape(2, 2) - 0.5) * 0.4 * radius
    at = np.array([-0.05, 0.05, 0.4, 0.75, 1.0])
    path = np.column_stack([follow(at, [0, 0.4, 0.75, 1], [0, *sway[axis], 1.6 * sway[axis, 1]]) for axis in (0, 1)])
    path = np.column_stack([path, at * height])
    skins = [tube(path, thick * np.array([1.7, 1.1, 0.8, 0.5, 0.0]), 6)]
    for k in range(_LIMBS):
        share = 0.34 + 0.58 * (k + 0.5 * uneven[0, k]) / _LIMBS
        turn = TURN * k + uneven[1, k]
        out = np.array([cosine(turn), sine(turn), 0.0])
        foot = np.array([*(follow(share, at, path[:, axis]) for axis in (0, 1)), share * height])
        reach = radius * (1.05 - 0.6 * share) * (0.6 + 0.4 * uneven[2, k])
        rise = reach * (0.35 + 0.5 * uneven[3, k])
        elbow = foot + out * reach * 0.55 + [0, 0, 0.3 * rise]
        tip = foot + out * reach + [0, 0, rise]
        wide = thick * (0.8 - 0.42 * share)
        broken = uneven[4, k] < 0.3
        skins.append(tube([foot, elbow] if broken else [foot, elbow, tip], [wide, 0.6 * wide, 0][: 3 - broken], 4))
        if not broken:
            side = np.array([-out[1], out[0], 0.0]) * (1 if uneven[5, k] < 0.5 else -1)
            twig = elbow + 0.32 * reach * (side + 0.6 * out) + [0, 0, 0.5 * rise]
            skins.append(tube([elbow, twig], [0.45 * wide, 0], 3))
    whole = join(skins)
    whole.light = 0.78 + 0.3 * np.clip(whole.points[:, 2] / height, 0, 1)
    whole.softness = 0.5
    return [whole]
