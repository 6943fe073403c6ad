"""Low-poly plants: a mesh for each built-in shape, a pure function of its species.

Crowns of broadleaves and bushes are one closed skin each: the outer hull of a few overlapping balls, seen from the
middle. Conifers are a stack of drooping, jagged skirts. What is irregular is hashed from the species' name,
so two species of one shape look related, not equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.hashing import unit
from weald.scatter.species import Species

BARK = (0.36, 0.27, 0.20)
"""Colour of trunks: sRGB, 0 to 1."""
_TURN = math.pi * (3 - math.sqrt(5))
"""The golden angle: directions a multiple of it apart never line up."""

_Points = NDArray[np.float64]
_Corners = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles with normals and colours. Right-handed, z up, metres; the foot is at the origin.

    Attributes
    ----------
    positions : ndarray of float32, shape (n, 3)
        What lies below z = 0 is rooted in the ground, so that no gap shows on a slope.
    normals : ndarray of float32, shape (n, 3)
        Unit vectors, outwards.
    colors : ndarray of uint8, shape (n, 4)
        sRGB and alpha, like ``Species.color``: not linear light.
    triangles : ndarray of uint32, shape (m, 3)
        Corners, counter-clockwise seen from outside.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    colors: NDArray[np.uint8]
    triangles: NDArray[np.uint32]


def shape_mesh(species: Species) -> Mesh:
    """Return the mesh of a species at scale 1: as tall as ``height``, as wide as ``crown_radius``.

    Parameters
    ----------
    species
        Its shape, sizes, colour, and its name, from which irregularities are hashed.

    Returns
    -------
    Mesh
        Some 150 to 250 triangles, closed but for the root of a bush. Its highest point is at
        ``height``, and the point farthest from the axis is ``crown_radius`` away from it.

    Raises
    ------
    InputError
        If the colour is not ``"#rrggbb"``.

    Examples
    --------
    >>> mesh = shape_mesh(Species("spruce", "conifer", height=22, crown_radius=2.6, color="#2f5d43"))
    >>> float(mesh.positions[:, 2].max()), 60 <= len(mesh.triangles) <= 250
    (22.0, True)
    """
    leaf = _rgb(species)
    trunk, crown = {"conifer": _conifer, "broadleaf": _broadleaf, "bush": _bush}[species.shape](species)
    # sizes are promises: stretch the crown to them, whatever its bumps came to
    seen = crown.points[crown.corners].reshape(-1, 3)
    crown.points[:, :2] *= species.crown_radius / np.hypot(seen[:, 0], seen[:, 1]).max()
    crown.points[:, 2] *= species.height / seen[:, 2].max()
    parts = [_facets(crown, leaf, species.name)]
    if trunk is not None:
        parts.insert(0, _facets(trunk, np.array(BARK), species.name))
    positions, normals, colors = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    triangles = np.arange(len(positions), dtype=np.uint32).reshape(-1, 3)
    return Mesh(positions.astype(np.float32), normals.astype(np.float32), colors, triangles)


@dataclass(slots=True)
class _Skin:
    """A surface before it gets its facets: shared corners, with a brightness and a soft normal for each."""

    points: _Points
    corners: _Corners
    light: _Points
    soft: _Points


def _conifer(species: Species) -> tuple[_Skin, _Skin]:
    height, radius = species.height, species.crown_radius
    tiers, around = 5, 7
    lowest = 0.12 * height
    skins = []
    for tier in range(tiers):
        # skirts shrink towards the tip and overlap by half, as whorls of branches do
        share = tier / tiers
        wide = radius * (1 - share) ** 0.85
        bottom = lowest + (height - lowest) * (share * 0.92)
        top = height if tier == tiers - 1 else lowest + (height - lowest) * (share * 0.92 + 0.34)
        skins.append(_skirt(species.name, tier, around, wide, bottom, min(top, height)))
    crown = _join(skins)
    return _trunk(min(0.055 * radius + 0.008 * height, 0.2 * radius), 0.3 * height, 0.6), crown


def _skirt(name: str, tier: int, around: int, wide: float, bottom: float, top: float) -> _Skin:
    """Return one tier: a cone that flares towards a jagged rim, closed by a hollow underside."""
    turn = _TURN * tier + 2 * np.pi * np.arange(2 * around) / (2 * around)
    tips = np.arange(2 * around) % 2 == 0
    ragged = _hash(name, f"skirt {tier}", 2 * around)
    reach = wide * np.where(tips, 0.9 + 0.1 * ragged, 0.66 + 0.12 * ragged)
    rise = top - bottom
    droop = bottom + rise * np.where(tips, 0.06 * ragged, 0.14 + 0.06 * ragged)
    inner = turn[tips]
    middle = 0.44 * wide * (0.94 + 0.12 * ragged[tips])
    rim = np.column_stack([reach * np.cos(turn), reach * np.sin(turn), droop])
    waist = np.column_stack([middle * np.cos(inner), middle * np.sin(inner), np.full(around, bottom + 0.44 * rise)])
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
    return _Skin(points, corners, light, soft)


def _broadleaf(species: Species) -> tuple[_Skin, _Skin]:
    height, radius = species.height, species.crown_radius
    # the crown takes the upper three quarters, less if that would make it a tall sausage
    depth = min(0.76 * height, 2.7 * radius)
    crown = _hull(species.name, fineness=3, rings=((5, -0.25, 0.56), (4, 0.25, 0.42)), top=0.52, core=0.66)
    z = crown.points[:, 2] = np.maximum(crown.points[:, 2], 0.3 * crown.points[:, 2] - 0.43)
    crown.points[:, 2] = height - depth * (z.max() - z) / np.ptp(z)
    crown.points[:, :2] *= radius
    return _trunk(min(0.06 * radius + 0.012 * height, 0.2 * radius), height - 0.6 * depth, 0.62), crown


def _bush(species: Species) -> tuple[None, _Skin]:
    crown = _hull(species.name, fineness=3, rings=((5, -0.1, 0.68), (3, 0.3, 0.36)), top=0.42, core=0.52)
    # what would be deep in the ground is left out
    ground = -0.36
    crown.corners = crown.corners[(crown.points[crown.corners, 2] > ground).any(axis=1)]
    z = np.maximum(crown.points[:, 2], ground - 0.1) - ground
    crown.points = np.column_stack([crown.points[:, :2] * species.crown_radius, z * species.height])
    return None, crown


def _hull(name: str, fineness: int, rings: tuple[tuple[int, float, float], ...], top: float, core: float) -> _Skin:
    """Return the outer hull of some balls around the origin, as seen from there; about one in radius.

    Each ring is a number of balls, the height of their centres and their distance from the axis, all uneven; one
    ball at height ``top`` crowns them, and one of radius ``core`` fills the middle.
    """
    directions, corners = _sphere(fineness)
    balls = []
    for n, (count, up, out) in enumerate(rings):
        uneven = _hash(name, f"ring {n}", 4 * count).reshape(4, count)
        turn = _TURN * n + 2 * np.pi * (np.arange(count) + 0.5 * uneven[0]) / count
        away = out * (0.85 + 0.3 * uneven[1])
        height = up + 0.3 * (uneven[2] - 0.5)
        balls.append(np.column_stack([away * np.cos(turn), away * np.sin(turn), height, 0.34 + 0.12 * uneven[3]]))
    aside = _hash(name, "top", 2) * 0.3 - 0.15
    balls.append(np.array([[aside[0], aside[1], top, 0.4], [0, 0, 0.05, core]]))
    centres, size = np.split(np.concatenate(balls), [3], axis=1)

    # where a ray from the middle leaves the last ball: |t d - c| = s
    along = directions @ centres.T
    inside = along**2 - (centres**2).sum(axis=1) + size[:, 0] ** 2
    leave = np.where(inside > 0, along + np.sqrt(np.maximum(inside, 0)), 0).max(axis=1)
    leave *= 0.97 + 0.06 * _hash(name, "skin", len(leave))
    points = directions * leave[:, None]

    # bumps catch light, creases and undersides do not
    bump = (leave - leave.min()) / np.ptp(leave)
    up = (points[:, 2] - points[:, 2].min()) / np.ptp(points[:, 2])
    return _Skin(points, corners, 0.54 + 0.32 * up + 0.32 * bump, directions)


def _trunk(radius: float, top: float, taper: float) -> _Skin:
    """Return a tapered trunk with a flared foot, its end hidden in the crown, its root in the ground."""
    sides = 6
    turn = 2 * np.pi * np.arange(sides) / sides
    rings = [(-1.5 * radius, 1.6), (1.2 * radius, 1.0), (top, taper)]
    points = np.concatenate(
        [
            np.column_stack([np.cos(turn) * wide * radius, np.sin(turn) * wide * radius, np.full(sides, z)])
            for z, wide in rings
        ]
    )
    k = np.arange(sides)
    nxt = (k + 1) % sides
    corners = np.concatenate(
        [
            np.column_stack(triangle)
            for ring in (0, sides)
            for triangle in (
                (ring + k, ring + nxt, ring + sides + nxt),
                (ring + k, ring + sides + nxt, ring + sides + k),
            )
        ]
    )
    light = np.repeat([0.75, 1.0, 0.6], sides)
    soft = points * [1, 1, 0] / np.hypot(points[:, 0], points[:, 1])[:, None]
    return _Skin(points, corners, light, soft)


def _sphere(parts: int) -> tuple[_Points, _Corners]:
    """Return a unit icosahedron, each edge cut into ``parts``: 10 parts² + 2 points, 20 parts² triangles."""
    # a pole, two staggered rings of five, a pole
    turn = np.concatenate([[0], np.arange(5), np.arange(5) + 0.5, [0]]) * 2 * np.pi / 5
    z = np.repeat([1, 5**-0.5, -(5**-0.5), -1], [1, 5, 5, 1])
    flat = np.sqrt(1 - z**2)
    base = np.column_stack([flat * np.cos(turn), flat * np.sin(turn), z])
    k = np.arange(5)
    after = (k + 1) % 5
    zero, last = np.zeros(5, int), np.full(5, 11)
    faces = np.concatenate(
        [
            np.column_stack([zero, 1 + k, 1 + after]),
            np.column_stack([1 + k, 6 + k, 1 + after]),
            np.column_stack([1 + after, 6 + k, 6 + after]),
            np.column_stack([last, 6 + after, 6 + k]),
        ]
    )
    weights = [(i, j, parts - i - j) for i in range(parts + 1) for j in range(parts + 1 - i)]
    number = {(i, j): n for n, (i, j, _) in enumerate(weights)}
    small = [[number[i, j], number[i + 1, j], number[i, j + 1]] for i, j, k in weights if k > 0]
    small += [[number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]] for i, j, k in weights if k > 1]

    points = np.einsum("wk,fkd->fwd", np.array(weights) / parts, base[faces]).reshape(-1, 3)
    corners = (np.array(small)[None] + (np.arange(len(faces)) * len(weights))[:, None, None]).reshape(-1, 3)
    # faces share their edges: one point for each place
    _, keep, same = np.unique(points.round(9) + 0.0, axis=0, return_index=True, return_inverse=True)
    points = points[keep]
    corners = same.ravel()[corners][:, [2, 0, 1]]
    return points / np.linalg.norm(points, axis=1)[:, None], corners


def _join(skins: list[_Skin]) -> _Skin:
    starts = np.cumsum([0] + [len(skin.points) for skin in skins[:-1]])
    return _Skin(
        np.concatenate([skin.points for skin in skins]),
        np.concatenate([skin.corners + start for skin, start in zip(skins, starts, strict=True)]),
        np.concatenate([skin.light for skin in skins]),
        np.concatenate([skin.soft for skin in skins]),
    )


def _facets(skin: _Skin, color: _Points, name: str) -> tuple[_Points, _Points, NDArray[np.uint8]]:
    """Give each triangle its own three corners, so that facets stay visible; return positions, normals, colours."""
    places = skin.points[skin.corners]
    across = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    size = np.linalg.norm(across, axis=1)
    real = size > 1e-9 * size.max()
    places, corners, flat = places[real], skin.corners[real], across[real] / size[real, None]
    # half facet, half foliage: a crown is not a cut stone
    normals = flat[:, None] + 0.7 * skin.soft[corners]
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)

    facet = 0.91 + 0.18 * _hash(name, "facet", len(corners))
    light = (skin.light[corners] * facet[:, None])[..., None]
    # lit leaves turn yellow, shaded ones blue
    warm = 1 + (light - 1) * np.array([0.3, 0.06, -0.2])
    rgb = np.clip(color * light * warm, 0, 1)
    rgba = np.concatenate([rgb, np.ones_like(light)], axis=2)
    return places.reshape(-1, 3), normals.reshape(-1, 3), np.rint(rgba * 255).astype(np.uint8).reshape(-1, 4)


def _hash(name: str, purpose: str, n: int) -> _Points:
    return unit(np.arange(n, dtype=np.uint64), name, f"shape {purpose}")


def _rgb(species: Species) -> _Points:
    text = species.color
    try:
        if len(text) != 7 or text[0] != "#":
            raise ValueError(text)
        return np.array(list(bytes.fromhex(text[1:])), float) / 255
    except ValueError:
        raise InputError(f"species {species.name!r}: color is {text!r}; give '#rrggbb'") from None
