"""A palm: a bowed trunk with a crown of hanging fronds, each seen from both sides."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, sine
from weald.scatter.shapes.skin import TURN, Array, Skin, hashed, join
from weald.scatter.shapes.tube import tube
from weald.scatter.species import Species

_FRONDS = 9
_BARK = (0.52, 0.44, 0.35)
"""Colour of the trunk: sRGB, 0 to 1."""


def palm(species: Species) -> list[Skin]:
    """Return a trunk and fronds: the upper ones rise, the lower ones hang."""
    height, radius = species.height, species.crown_radius
    hang = min(0.42 * radius, 0.3 * height)
    top = height - hang
    bow = 2 * np.pi * hashed(species.name, "bow", 1)[0]
    thick = min(0.03 * height, 0.09 * radius)
    at = np.array([-0.04, 0.04, 0.35, 0.7, 1.0])
    aside = 0.55 * radius * (at * at * (1 - at * 0.4))[:, None] * np.array([cosine(bow), sine(bow)])
    path = np.column_stack([aside, at * top])
    trunk = tube(path, thick * np.array([1.9, 1.5, 1.05, 0.9, 0.95]), 7)
    trunk.light = 0.72 + 0.28 * np.clip(trunk.points[:, 2] / top, 0, 1)
    trunk.color = _BARK
    heart = path[-1]
    fronds = join([_frond(species.name, k, heart, radius, hang) for k in range(_FRONDS)])
    return [trunk, fronds]


def _frond(name: str, k: int, heart: Array, radius: float, hang: float) -> Skin:
    uneven = hashed(name, f"frond {k}", 3)
    lower = k / (_FRONDS - 1)
    turn = TURN * k + 0.6 * uneven[0]
    out = np.array([cosine(turn), sine(turn), 0.0])
    side = np.array([-sine(turn), cosine(turn), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    reach = radius * (0.86 + 0.14 * uneven[1] - 0.12 * lower)
    rise = hang * (1.0 - 0.75 * lower)
    fall = hang * (0.35 + 1.1 * lower + 0.2 * uneven[2])
    step = np.array([0.0, 0.3, 0.68, 1.0])
    spine = (
        heart
        + out * reach * step[:, None]
        + up * (rise * np.sqrt(step) * 1.2 - (fall + 0.2 * rise) * step * step)[:, None]
    )
    wide = radius * 0.13 * np.array([0.25, 1.0, 0.85, 0.0])
    # leaflets hang from the rib: a roof with its ridge above
    left, right = (spine + sign * side * wide[:, None] - up * 0.55 * wide[:, None] for sign in (1, -1))
    points = np.concatenate([spine, left, right])
    front = []
    for j in range(3):
        front += [(j, j + 1, 4 + j + 1), (j, 4 + j + 1, 4 + j), (j, 8 + j, 8 + j + 1), (j, 8 + j + 1, j + 1)]
    sheet = np.array(front)
    light = np.concatenate([[0.62, 0.95, 1.05, 1.12], [0.5, 0.74, 0.86, 1.12], [0.5, 0.74, 0.86, 1.12]])
    soft = np.tile(up, (12, 1))
    return Skin(points, np.concatenate([sheet, sheet[:, ::-1]]), light, soft, softness=1.05)
