"""Caves in space, as densities: above 0 is rock, below 0 is open.

The three forms and their names are common knowledge since Minecraft 1.18 (2021): *cheese*, halls where a
noise is high; *spaghetti*, long tubes around the lines where two noises are both 0; *noodles*, thinner tubes
that come and go. Densities combine: the smaller of two is open where either is, the larger where both
are. They are fields, so a box is sampled with ``(density < 0).sample(grid, z=heights)``, of shape (nz, ny, nx).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields import Field, FieldLike
from weald.numbers import number_in
from weald.terrain.caves.pockets import unit

Array = NDArray[np.float64]


def cheese(noise: Field, *, threshold: float = 0.65) -> Field:
    """Return the density of halls: open where a noise, its range taken as 0 to 1, is above the threshold.

    Examples
    --------
    >>> layers = Field.of(lambda x, y, z: np.sin(z / 9), range=(-1, 1), dimensions=3)
    >>> halls = cheese(layers)
    >>> halls.dimensions, halls([0.0, 0.0], 0.0, [0.0, 14.0]).round(3).tolist()
    (3, [0.15, -0.35])
    """
    threshold = number_in("threshold", threshold, "a number from 0 to 1", least=0.0, most=1.0)
    return threshold - unit(noise, "noise")


def spaghetti(a: Field, b: Field, *, width: float = 0.12) -> Field:
    """Return the density of tubes: open where ``a² + b² < width²``.

    Parameters
    ----------
    a, b
        Two noises about 0, of seeds of their own: each is 0 on sheets, and two sheets meet in lines.
    width
        How far from 0 both may be. With gradient noise of frequency f, tubes are about ``width / f`` metres
        thick. Either a number above 0, or a Field of positive values for a width that changes.
    """
    limit = _width(width)
    a, b = Field.of(a), Field.of(b)
    return a * a + b * b - limit * limit


def noodles(a: Field, b: Field, where: Field, *, width: float = 0.06) -> Field:
    """Return the density of thin tubes that come and go: `spaghetti` where a third noise is above 0."""
    return spaghetti(a, b, width=width).max(-Field.of(where))


def roofed(caves: Field, surface: FieldLike, *, roof: float = 4.0) -> Field:
    """Return the density of the ground with caves in it: air above the surface, and rock right below it.

    Parameters
    ----------
    caves
        A density of caves.
    surface
        Height of the ground, in metres: a field of (x, y).
    roof
        Metres below the surface that caves do not reach; 0 lets them break out.

    Returns
    -------
    Field
        Of (x, y, z): below 0 in the air and in caves.
    """
    roof = number_in("roof", roof, "metres, 0 or more", least=0.0)
    caves = Field.of(caves)
    depth = Field.of(surface) - Field.of(elevation, dimensions=3)
    # a roof keeps caves shut; without one they may open to the air
    closed = caves.max(roof - depth) if roof > 0 else caves
    return depth.min(closed)


def elevation(x: Array, y: Array, z: Array) -> Array:
    """Return the height of places; fields print it by its name."""
    return z


def _width(width: float) -> Field:
    field = Field.of(width)
    if not field.range[0] > 0.0:
        raise InputError(f"width: got {width!r}; give a number above 0, or a field that is above 0 everywhere")
    return field
