"""Sample patterns of exactly n points: in a disc, on a hemisphere, in a box.

For soft shadows, ambient occlusion, depth of field, spawn points around a place: compute once,
upload, and use as many as the budget allows, as every beginning of a pattern is well spread.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.geometry import SpaceBounds as Space
from weald.hashing import Seed
from weald.sampling.elimination import weighted_sample_elimination
from weald.sampling.textbook.box import Box, SpaceBounds, whole
from weald.sampling.textbook.stream import stream, units

Array = NDArray[np.float64]

_MOST = 1 << 20
_DENSE, _FEWEST = 10, 2000
"""Points to choose from: so many a chosen one, and at least so many."""


def disc_kernel(count: int, *, seed: Seed) -> Array:
    """Return exactly ``count`` points of the unit disc, well apart.

    Parameters
    ----------
    count
        Number of points, 1 to 1048576.
    seed
        Any integer or string.

    Returns
    -------
    ndarray of float64, shape (count, 2)
        Uniform by area; every prefix is well spread. ``x**2 + y**2 < 1``.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> disc = disc_kernel(16, seed=1)
    >>> disc.shape, bool((np.hypot(*disc.T) < 1).all())
    ((16, 2), True)
    """
    disc = _disc(whole("count", count, 1, _MOST), hashing.key(seed, "disc_kernel"))
    return disc[weighted_sample_elimination(disc, count, area=math.pi)]


def hemisphere_kernel(count: int, *, seed: Seed, cosine: bool = False) -> Array:
    """Return exactly ``count`` unit vectors with ``z >= 0``, well apart.

    Parameters
    ----------
    count
        Number of points, 1 to 1048576.
    seed
        Any integer or string.
    cosine
        False: uniform by solid angle. True: their density falls with the cosine of the angle to the
        z axis, the pattern for diffuse light (Malley's method: a disc, lifted).

    Returns
    -------
    ndarray of float64, shape (count, 3)
        Every prefix is well spread.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> half = hemisphere_kernel(16, seed=1)
    >>> half.shape, bool(np.allclose(np.linalg.norm(half, axis=1), 1)), bool((half[:, 2] >= 0).all())
    ((16, 3), True, True)
    """
    if not isinstance(cosine, bool | np.bool_):
        raise InputError(f"cosine: got {cosine!r}; give True or False")
    a, b = _disc(whole("count", count, 1, _MOST), hashing.key(seed, "hemisphere_kernel")).T
    square = a * a + b * b
    if cosine:
        chosen = weighted_sample_elimination(np.stack([a, b], axis=1), count, area=math.pi)
        return np.stack([a, b, np.sqrt(1 - square)], axis=1)[chosen]
    # the area of a sphere between two heights is that of the disc between two squared radii
    wide = np.sqrt(2 - square)
    sphere = np.stack([a * wide, b * wide, 1 - square], axis=1)
    return sphere[weighted_sample_elimination(sphere, count, area=2 * math.pi)]


def box_kernel(bounds: Bounds | SpaceBounds, count: int, *, seed: Seed) -> Array:
    """Return exactly ``count`` points of a box, well apart.

    Parameters
    ----------
    bounds
        ``(xmin, ymin, xmax, ymax)`` or ``(xmin, ymin, zmin, xmax, ymax, zmax)``, in metres, half-open.
    count
        Number of points, 1 to 1048576.
    seed
        Any integer or string.

    Returns
    -------
    ndarray of float64, shape (count, 2) or (count, 3)
        Uniform; every prefix is well spread.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> box_kernel((0, 0, 0, 8, 8, 2), 20, seed=1).shape
    (20, 3)
    """
    box = Box.of_space(bounds) if Space.fits(bounds) else Box.of_plane(bounds)  # type: ignore[arg-type]
    count = whole("count", count, 1, _MOST)
    places = box.places(stream(hashing.key(seed, "box_kernel")), _dense(count))[:, : box.dimension].copy()
    size = math.prod(box.size)
    if box.dimension == 2:
        return places[weighted_sample_elimination(places, count, area=size)]
    return places[weighted_sample_elimination(places, count, volume=size)]


def _dense(count: int) -> int:
    return max(_DENSE * count, _FEWEST)


def _disc(count: int, key: int) -> Array:
    """Return a dense set of the disc, uniform: places of the square around it, those inside."""
    wanted = _dense(count)
    state, found = stream(key), np.empty((0, 2))
    while len(found) < wanted:
        square = 2 * units(state, 2 * wanted).reshape(-1, 2) - 1
        found = np.concatenate([found, square[square[:, 0] * square[:, 0] + square[:, 1] * square[:, 1] < 1]])
    return found[:wanted]
