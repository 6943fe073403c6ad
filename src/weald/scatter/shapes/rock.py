"""A rock: a ball cut by flat planes, squashed, its lowest part in the ground."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, products, sine
from weald.scatter.shapes.parts import sphere
from weald.scatter.shapes.skin import TURN, Skin, hashed
from weald.scatter.species import Species

_CUTS = 11
"""Planes that cut the stone: more make it a pebble, fewer a splinter."""


def rock(species: Species) -> list[Skin]:
    """Return one closed stone, a quarter of it below the ground."""
    directions, corners = sphere(3)
    uneven = hashed(species.name, "cuts", 3 * _CUTS).reshape(3, _CUTS)
    # faces spread over the ball by the golden angle, each turned aside and set back a little
    z = 1 - (2 * np.arange(_CUTS) + 1 + 1.2 * (uneven[0] - 0.5)) / _CUTS
    turn = TURN * np.arange(_CUTS) + 1.4 * uneven[1] + 2 * np.pi * hashed(species.name, "turn", 1)
    flat = np.sqrt(np.maximum(1 - z * z, 0))
    normals = np.column_stack([flat * cosine(turn), flat * sine(turn), z])
    away = 0.56 + 0.36 * uneven[2]

    # where a ray from the middle meets the nearest plane ahead, or the ball
    along = products(directions, normals)
    with np.errstate(divide="ignore"):
        reach = np.where(along > 0, away / np.maximum(along, 1e-9), np.inf).min(axis=1)
    reach = np.minimum(reach, 1.05) * (0.994 + 0.012 * hashed(species.name, "skin", len(directions)))
    points = directions * reach[:, None]

    # not round from above either: twice as long as wide at most
    longer = 1 + 0.5 * hashed(species.name, "long", 1)[0]
    points[:, 1] /= longer
    bottom, top = points[:, 2].min(), points[:, 2].max()
    points[:, 2] -= bottom + 0.25 * (top - bottom)
    up = (points[:, 2] - points[:, 2].min()) / (top - bottom)
    return [Skin(points, corners, 0.74 + 0.36 * up, directions, softness=0.05, grain=0.05)]
