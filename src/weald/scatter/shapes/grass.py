"""Grass: a tuft of a few bent blades, each seen from both sides."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, sine
from weald.scatter.shapes.skin import TURN, Skin, hashed
from weald.scatter.species import Species

_BLADES = 9


def grass(species: Species) -> list[Skin]:
    """Return blades that rise from one foot and bow outwards: each a point, a wide bend, and a tip."""
    uneven = hashed(species.name, "blades", 4 * _BLADES).reshape(4, _BLADES)
    turn = TURN * np.arange(_BLADES) + 0.7 * uneven[0]
    out = np.column_stack([cosine(turn), sine(turn), np.zeros(_BLADES)])
    aside = np.column_stack([-sine(turn), cosine(turn), np.zeros(_BLADES)])
    up = np.array([0.0, 0.0, 1.0])
    # the first blades stand, the last ones hang over
    inner = np.arange(_BLADES) / _BLADES
    far = (0.25 + 0.55 * inner + 0.2 * uneven[1])[:, None]
    tall = (1 - 0.5 * inner - 0.14 * uneven[2])[:, None]
    wide = (0.085 + 0.045 * uneven[3])[:, None]
    foot = 0.12 * out * inner[:, None] - 0.05 * up
    bend = out * (0.12 + 0.36 * far) + 0.66 * tall * up
    tip = out * far + tall * (1 - 0.22 * inner)[:, None] * up
    k = np.arange(_BLADES)
    left, right, end = (k + row * _BLADES for row in (1, 2, 3))
    front = np.concatenate([np.column_stack([k, right, left]), np.column_stack([left, right, end])])
    light = np.repeat([0.6, 0.98, 0.98, 1.22], _BLADES)
    points = np.concatenate([foot, bend - wide * aside, bend + wide * aside, tip])
    # lit from above on both sides, like what light shines through
    soft = np.tile(up, (len(points), 1))
    return [Skin(points, np.concatenate([front, front[:, ::-1]]), light, soft, softness=1.1)]
