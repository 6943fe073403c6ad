"""Parts that several shapes share: a trunk, a sphere, and the hull of some balls."""

from __future__ import annotations

import numpy as np

from weald.exact import cosine, length, lengths, products, sine
from weald.scatter.shapes.skin import TURN, Array, Corners, Skin, hashed

BARK = (0.36, 0.27, 0.20)
"""Colour of trunks: sRGB, 0 to 1."""


def trunk(radius: float, top: float, taper: float) -> Skin:
    """Return a tapered trunk with a flared foot, its end hidden in the crown, its root in the ground."""
    sides = 6
    turn = 2 * np.pi * np.arange(sides) / sides
    rings = [(-1.5 * radius, 1.6), (1.2 * radius, 1.0), (top, taper)]
    points = np.concatenate(
        [
            np.column_stack([cosine(turn) * wide * radius, sine(turn) * wide * radius, np.full(sides, z)])
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
    soft = points * [1, 1, 0] / length(points[:, 0], points[:, 1])[:, None]
    return Skin(points, corners, light, soft, color=BARK, stretched=False)


def hull(name: str, fineness: int, rings: tuple[tuple[int, float, float], ...], top: float, core: float) -> Skin:
    """Return the outer hull of some balls around the origin, as seen from there; about one in radius.

    Each ring is a number of balls, the height of their centres and their distance from the axis, all uneven; one
    ball at height ``top`` crowns them, and one of radius ``core`` fills the middle.
    """
    directions, corners = sphere(fineness)
    balls = []
    for n, (count, up, out) in enumerate(rings):
        uneven = hashed(name, f"ring {n}", 4 * count).reshape(4, count)
        turn = TURN * n + 2 * np.pi * (np.arange(count) + 0.5 * uneven[0]) / count
        away = out * (0.85 + 0.3 * uneven[1])
        height = up + 0.3 * (uneven[2] - 0.5)
        balls.append(np.column_stack([away * cosine(turn), away * sine(turn), height, 0.34 + 0.12 * uneven[3]]))
    aside = hashed(name, "top", 2) * 0.3 - 0.15
    balls.append(np.array([[aside[0], aside[1], top, 0.4], [0, 0, 0.05, core]]))
    centres, size = np.split(np.concatenate(balls), [3], axis=1)

    # where a ray from the middle leaves the last ball: |t d - c| = s
    along = products(directions, centres)
    inside = along * along - products(centres, centres).diagonal() + size[:, 0] * size[:, 0]
    leave = np.where(inside > 0, along + np.sqrt(np.maximum(inside, 0)), 0).max(axis=1)
    leave *= 0.97 + 0.06 * hashed(name, "skin", len(leave))
    points = directions * leave[:, None]

    # bumps catch light, creases and undersides do not
    bump = (leave - leave.min()) / np.ptp(leave)
    up = (points[:, 2] - points[:, 2].min()) / np.ptp(points[:, 2])
    return Skin(points, corners, 0.54 + 0.32 * up + 0.32 * bump, directions)


def sphere(parts: int) -> tuple[Array, Corners]:
    """Return a unit icosahedron, each edge cut into ``parts``: 10 parts² + 2 points, 20 parts² triangles."""
    # a pole, two staggered rings of five, a pole
    turn = np.concatenate([[0], np.arange(5), np.arange(5) + 0.5, [0]]) * 2 * np.pi / 5
    z = np.repeat([1, np.sqrt(0.2), -(np.sqrt(0.2)), -1], [1, 5, 5, 1])
    flat = np.sqrt(1 - z * z)
    base = np.column_stack([flat * cosine(turn), flat * sine(turn), z])
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

    points = _shared(np.array(weights) / parts, base[faces]).reshape(-1, 3)
    corners = (np.array(small)[None] + (np.arange(len(faces)) * len(weights))[:, None, None]).reshape(-1, 3)
    # faces share their edges: one point for each place
    _, keep, same = np.unique(points.round(9) + 0.0, axis=0, return_index=True, return_inverse=True)
    points = points[keep]
    corners = same.ravel()[corners][:, [2, 0, 1]]
    return points / lengths(points)[:, None], corners


def _shared(weights: Array, corners: Array) -> Array:
    """Return places between corners: weights of shape (w, 3), corners of shape (f, 3, 3); shape (f, w, 3)."""
    return np.add.accumulate(weights[None, :, :, None] * corners[:, None], axis=2)[:, :, -1]
