"""Orientation: which way each instance faces, and how it leans, as quaternions.

Everything here is sums, products, quotients and square roots, which every machine rounds alike; see `weald.exact`.

The steps of an instance, in order: it turns about its own axis (`yaw`), leans a little by chance
(`tilted`), and leans towards the normal of the ground (`upright_to`). Quaternions are x, y, z, w;
right-handed, z up. Ken Shoemake, "Animating rotation with quaternion curves", 1985, has the algebra.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.exact import sine_cosine

Array = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])


def yaw(turns: Array) -> Array:
    """Return quaternions, shape (n, 4), that turn about the vertical: counter-clockwise seen from above.

    >>> yaw(np.array([0.25])).round(4).tolist()
    [[0.0, 0.0, 0.7071, 0.7071]]
    """
    sine, cosine = sine_cosine(np.asarray(turns, np.float64) / 2)
    zero = np.zeros_like(sine)
    return np.column_stack([zero, zero, sine, cosine])


def facing(direction: Array) -> Array:
    """Return quaternions, shape (n, 4), that turn about the vertical until the front looks along a direction.

    Parameters
    ----------
    direction : ndarray, shape (n, 2)
        East and north parts, of any length. Where both are 0 nothing turns.

    Notes
    -----
    The front of a model is its -y side: in glTF, whose z is weald's -y, the side that looks at the viewer.

    >>> facing(np.array([[0.0, -2.0], [3.0, 0.0], [0.0, 1.0]])).round(3).tolist()
    [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.707, 0.707], [0.0, 0.0, 1.0, 0.0]]
    """
    x, y = np.asarray(direction, np.float64).T
    length = np.sqrt(x * x + y * y)
    some = length > 0
    safe = np.where(some, length, 1.0)
    sine, cosine = np.where(some, x / safe, 0.0), np.where(some, -y / safe, 1.0)
    # half angles: the one of the two formulas that does not cancel is found from the other
    wide = cosine < 0
    half = np.sqrt((1.0 + np.abs(cosine)) / 2)
    other = sine / (2 * half)
    zero = np.zeros_like(sine)
    turn = np.where(wide, np.where(sine < 0, -half, half), other)
    rest = np.where(wide, np.abs(other), half)
    return np.column_stack([zero, zero, turn, rest])


def tilted(angle_turns: Array, towards_turns: Array) -> Array:
    """Return quaternions, shape (n, 4), that lean the vertical by an angle towards a compass direction.

    Parameters
    ----------
    angle_turns, towards_turns : ndarray, shape (n,)
        How far, and towards where, counted from east counter-clockwise.
    """
    half, rest = sine_cosine(np.asarray(angle_turns, np.float64) / 2)
    north, east = sine_cosine(towards_turns)
    # leaning towards a direction is a turn about the horizontal axis to the left of it
    return np.column_stack([-north * half, east * half, np.zeros_like(half), rest])


def upright_to(normal: Array, alignment: NDArray[np.floating] | float) -> Array:
    """Return quaternions, shape (n, 4), that lean the vertical towards normals, by the shortest way.

    The new up direction is ``(1 - alignment) * up + alignment * normal``, made a unit vector. So 0 leaves
    things upright, and 1 puts them at right angles to the ground. It is continuous everywhere but
    at the one place where it cannot be: a normal straight down.

    Parameters
    ----------
    normal : ndarray, shape (n, 3)
        Of any length above 0. Where it is not finite, or 0, things stay upright.
    alignment : float or ndarray, shape (n,)
        From 0 to 1.

    >>> upright_to(np.array([[1.0, 0.0, 1.0], [0, 0, -1], [0, 0, 1]]), 1.0).round(4).tolist()
    [[0.0, 0.3827, 0.0, 0.9239], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    """
    n = np.asarray(normal, np.float64)
    share = np.broadcast_to(np.asarray(alignment, np.float64), len(n))[:, None]
    up = (1.0 - share) * UP + share * _unit(n, UP)
    up = _unit(up, UP)
    # half-way vector: (up × new, 1 + up · new), whose length fails only where new points straight down
    dot = up[:, 2]
    q = np.column_stack([0.0 - up[:, 1], up[:, 0], np.zeros_like(dot), 1.0 + dot])
    length = _length(q)
    down = length < 1e-9
    q[down] = [1.0, 0.0, 0.0, 0.0]
    length[down] = 1.0
    return q / length[:, None]


def compose(second: Array, first: Array) -> Array:
    """Return the rotations that do ``first``, then ``second``; both of shape (n, 4).

    >>> compose(yaw(np.array([0.125])), yaw(np.array([0.125]))).round(4).tolist()
    [[0.0, 0.0, 0.7071, 0.7071]]
    """
    ax, ay, az, aw = np.asarray(second, np.float64).T
    bx, by, bz, bw = np.asarray(first, np.float64).T
    return np.column_stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    )


def rotation_matrices(xyzw: NDArray[np.floating]) -> Array:
    """Return rotations as matrices, shape (n, 3, 3), that act on column vectors; determinant 1.

    >>> (rotation_matrices(yaw(np.array([0.25])))[0] @ [1, 0, 0]).round(6).tolist()
    [0.0, 1.0, 0.0]
    """
    q = np.asarray(xyzw, np.float64)
    # what was rounded to float32 is a unit quaternion to seven digits only
    x, y, z, w = (q / _length(q)[:, None]).T
    out = np.empty((len(q), 3, 3))
    out[:, 0, 0], out[:, 0, 1], out[:, 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    out[:, 1, 0], out[:, 1, 1], out[:, 1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
    return out


def _length(vectors: Array) -> Array:
    """Return lengths; added up in one order, which a sum along an axis does not promise."""
    total = np.zeros(len(vectors))
    for column in vectors.T:
        total += column * column
    return np.sqrt(total)


def _unit(vectors: Array, instead: Array) -> Array:
    """Return vectors of length 1; ``instead`` where they have no direction."""
    # scaled first, so that squares neither overflow nor vanish
    with np.errstate(invalid="ignore"):
        size = np.abs(vectors).max(axis=1, initial=0.0)
        usable = np.isfinite(vectors).all(axis=1) & (size > 1e-12)
    scaled = np.where(usable[:, None], vectors, instead) / np.where(usable, size, 1.0)[:, None]
    return scaled / _length(scaled)[:, None]
