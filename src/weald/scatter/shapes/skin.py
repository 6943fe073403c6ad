"""Skins: surfaces with shared corners, and the facets that they are cut into."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.exact import lengths
from weald.hashing import unit

TURN = math.pi * (3 - math.sqrt(5))
"""The golden angle: directions a multiple of it apart never line up."""

Array = NDArray[np.float64]
Corners = NDArray[np.intp]


@dataclass(slots=True)
class Skin:
    """A surface before it gets its facets: shared corners, with a brightness and a soft normal for each.

    ``softness`` is how much of the soft normals shows: 0 is a cut stone. ``color`` is sRGB, 0 to 1, the species' own if
    None. Each facet is lighter or darker by up to ``grain``. ``stretched`` skins are brought to the species' sizes.
    """

    points: Array
    corners: Corners
    light: Array
    soft: Array
    softness: float = 0.7
    grain: float = 0.09
    color: tuple[float, float, float] | None = None
    stretched: bool = True


def join(skins: list[Skin]) -> Skin:
    """Return several skins as one, which looks like the first of them."""
    starts = np.cumsum([0] + [len(skin.points) for skin in skins[:-1]])
    return Skin(
        np.concatenate([skin.points for skin in skins]),
        np.concatenate([skin.corners + start for skin, start in zip(skins, starts, strict=True)]),
        np.concatenate([skin.light for skin in skins]),
        np.concatenate([skin.soft for skin in skins]),
        skins[0].softness,
        skins[0].grain,
        skins[0].color,
        skins[0].stretched,
    )


def facets(skin: Skin, color: Array, name: str) -> tuple[Array, Array, NDArray[np.uint8]]:
    """Give each triangle its own three corners, so that facets stay visible; return positions, normals, colours."""
    places = skin.points[skin.corners]
    across = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    size = lengths(across)
    real = size > 1e-9 * size.max()
    places, corners, flat = places[real], skin.corners[real], across[real] / size[real, None]
    # half facet, half foliage: a crown is not a cut stone
    normals = flat[:, None] + skin.softness * skin.soft[corners]
    normals /= lengths(normals)[..., None]

    facet = 1 + skin.grain * (2 * hashed(name, "facet", len(corners)) - 1)
    light = (skin.light[corners] * facet[:, None])[..., None]
    # lit leaves turn yellow, shaded ones blue
    warm = 1 + (light - 1) * np.array([0.3, 0.06, -0.2])
    rgb = np.clip((color if skin.color is None else np.array(skin.color)) * light * warm, 0, 1)
    rgba = np.concatenate([rgb, np.ones_like(light)], axis=2)
    return places.reshape(-1, 3), normals.reshape(-1, 3), np.rint(rgba * 255).astype(np.uint8).reshape(-1, 4)


def hashed(name: str, purpose: str, n: int) -> Array:
    """Return ``n`` numbers from 0 to 1 that belong to a species' name."""
    return unit(np.arange(n, dtype=np.uint64), name, f"shape {purpose}")
