"""Tubes: what goes round an axis, straight or bent: stems, limbs, caps, crystals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from weald.exact import cosine, lengths, mean_of, products, sine
from weald.scatter.shapes.skin import Array, Skin


def tube(path: ArrayLike, radii: ArrayLike, sides: int, *, ribs: float = 0.0, turn: float = 0.0) -> Skin:
    """Return a closed tube along a path, round or ribbed; a radius of 0 at an end makes a point.

    Parameters
    ----------
    path : array_like, shape (k, 3)
        The axis; it must not run straight back.
    radii : array_like, shape (k,)
    sides
        Corners around; an even number with ribs.
    ribs
        How much further in every other corner lies, as a share of the radius.
    turn
        Of the first corner around the axis, in radians.
    """
    axis, wide = np.asarray(path, np.float64), np.asarray(radii, np.float64)
    along = _unit(np.gradient(axis, axis=0))
    # the frame is carried along the path, so that nothing twists
    start = np.array([1.0, 0.0, 0.0]) if abs(along[0, 0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    frames = []
    for direction in along:
        start = start - direction * products([start], [direction])[0, 0]
        start = start / lengths(start)
        frames.append((start, np.cross(direction, start)))
    angle = turn + 2 * np.pi * np.arange(sides) / sides
    spokes = np.array([cosine(angle)[:, None] * a + sine(angle)[:, None] * b for a, b in frames])
    near = np.where(np.arange(sides) % 2, 1 - ribs, 1.0)[:, None]
    rings = axis[:, None] + spokes * near * wide[:, None, None]
    return _rings(rings, axis[0], axis[-1], spokes, near[:, 0])


def lathe(profile: ArrayLike, sides: int, *, turn: float = 0.0) -> Skin:
    """Return a closed body of revolution about the vertical.

    Parameters
    ----------
    profile : array_like, shape (k, 2)
        Radius and height, from the lower end of the axis round the outside to the upper one.
    """
    radius, z = np.asarray(profile, np.float64).T
    angle = turn + 2 * np.pi * np.arange(sides) / sides
    spokes = np.column_stack([cosine(angle), sine(angle), np.zeros(sides)])
    rings = spokes * radius[:, None, None] + np.array([0, 0, 1.0]) * z[:, None, None]
    return _rings(rings, [0, 0, z[0]], [0, 0, z[-1]], np.broadcast_to(spokes, rings.shape), np.ones(sides))


def _rings(rings: Array, first: ArrayLike, last: ArrayLike, soft: Array, light: Array) -> Skin:
    """Join rings, shape (k, sides, 3), counter-clockwise seen from the last one, and close both ends."""
    count, sides = rings.shape[:2]
    k = np.arange(sides)
    after = (k + 1) % sides
    corners = []
    for low in range(0, (count - 1) * sides, sides):
        corners += [np.column_stack([low + k, low + after, low + sides + after])]
        corners += [np.column_stack([low + k, low + sides + after, low + sides + k])]
    end = (count - 1) * sides
    bottom, top = np.full(sides, count * sides), np.full(sides, count * sides + 1)
    corners += [np.column_stack([bottom, after, k]), np.column_stack([top, end + k, end + after])]
    return Skin(
        np.concatenate([rings.reshape(-1, 3), np.array([first, last], float)]),
        np.concatenate(corners),
        np.concatenate([np.tile(light, count), [mean_of(light)] * 2]),
        np.concatenate([soft.reshape(-1, 3), [[0, 0, -1.0], [0, 0, 1.0]]]),
    )


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / lengths(vectors)[:, None]
    return unit
