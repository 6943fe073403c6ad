"""A conifer: a stack of drooping, jagged skirts."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, raised, sine
from weald.scatter.shapes.parts import trunk
from weald.scatter.shapes.skin import TURN, Skin, hashed, join
from weald.scatter.species import Species


def conifer(species: Species) -> list[Skin]:
    """Return a trunk and its skirts."""
    height, radius = species.height, species.crown_radius
    tiers, around = 5, 7
    lowest = 0.12 * height
    skins = []
    for tier in range(tiers):
        # skirts shrink towards the tip and overlap by half, as whorls of branches do
        share = tier / tiers
        wide = radius * float(raised(1 - share, 0.85))
        bottom = lowest + (height - lowest) * (share * 0.92)
        top = height if tier == tiers - 1 else lowest + (height - lowest) * (share * 0.92 + 0.34)
        skins.append(_skirt(species.name, tier, around, wide, bottom, min(top, height)))
    stem = trunk(min(0.055 * radius + 0.008 * height, 0.2 * radius), 0.3 * height, 0.6)
    return [stem, join(skins)]


def _skirt(name: str, tier: int, around: int, wide: float, bottom: float, top: float) -> Skin:
    """Return one tier: a cone that flares towards a jagged rim, closed by a hollow underside."""
    turn = TURN * tier + 2 * np.pi * np.arange(2 * around) / (2 * around)
    tips = np.arange(2 * around) % 2 == 0
    ragged = hashed(name, f"skirt {tier}", 2 * around)
    reach = wide * np.where(tips, 0.9 + 0.1 * ragged, 0.66 + 0.12 * ragged)
    rise = top - bottom
    droop = bottom + rise * np.where(tips, 0.06 * ragged, 0.14 + 0.06 * ragged)
    inner = turn[tips]
    middle = 0.44 * wide * (0.94 + 0.12 * ragged[tips])
    rim = np.column_stack([reach * cosine(turn), reach * sine(turn), droop])
    waist = np.column_stack([middle * cosine(inner), middle * sine(inner), np.full(around, bottom + 0.44 * rise)])
    apex, hollow = [[0.0, 0.0, top]], [[0.0, 0.0, bottom + 0.3 * rise]]
    # the rim twice: the underside is dark up to its edge
    points = np.concatenate([rim, waist, apex, rim, hollow])

    k = np.arange(around)
    tip, notch, tip_next = 2 * k, 2 * k + 1, 2 * (k + 1) % (2 * around)
    waist_k, waist_next = 2 * around + k, 2 * around + (k + 1) % around
    top_k, hollow_k = np.full(around, 3 * around), np.full(around, 5 * around + 1)
    under = 3 * around + 1
    corners = np.concatenate(
        [
            np.column_stack(triangle)
            for triangle in (
                (waist_k, waist_next, top_k),
                (tip, notch, waist_k),
                (notch, waist_next, waist_k),
                (notch, tip_next, waist_next),
                (hollow_k, under + notch, under + tip),
                (hollow_k, under + tip_next, under + notch),
            )
        ]
    )
    light = np.concatenate([np.where(tips, 1.2, 0.84), np.full(around, 0.74), [1.05], np.full(2 * around, 0.6), [0.4]])
    # needles catch the light from the side, not only from above
    soft = points * [1, 1, 0] / wide
    soft[:under, 2], soft[under:, 2] = 0.6, -0.6
    return Skin(points, corners, light, soft)
