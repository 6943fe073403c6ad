"""From points to instances: every attribute is a hash of the id, for a purpose of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.scatter.growth import Growth, Stand
from weald.scatter.placements import Placements
from weald.scatter.rules import Measure

Array = NDArray[np.float64]

_BLOCK = 1 << 16
"""Instances dressed at a time, so that what is needed on the way stays small."""


def dress(growth: Growth, stand: Stand, height: Measure) -> Placements:
    """Return the instances of a stand, its points on the ground."""
    n = len(stand.id)
    placed = Placements(
        growth.table,
        stand.id,
        stand.species,
        np.empty((n, 3)),
        np.zeros((n, 4), np.float32),
        np.empty(n, np.float32),
        np.empty(n, np.float32),
    )
    for first in range(0, n, _BLOCK):
        part = slice(first, first + _BLOCK)
        ids, (x, y) = stand.id[part], stand.xy[part].T
        placed.xyz[part, :2] = stand.xy[part]
        placed.xyz[part, 2] = height(x, y)
        half_yaw = np.pi * hashing.unit(ids, growth.seed, "yaw")
        placed.rotation[part, 2], placed.rotation[part, 3] = np.sin(half_yaw), np.cos(half_yaw)
        placed.scale[part] = growth.scale(stand.species[part], ids)
        placed.radius[part] = _rounded_down(stand.radius[part])
    return placed


def _rounded_down(radius: Array) -> NDArray[np.float32]:
    """Return radii in float32, never above what they were: the spacing holds for what is written, too."""
    with np.errstate(over="ignore"):
        rounded = radius.astype(np.float32)
    return np.where(rounded > radius, np.nextafter(rounded, np.float32(0)), rounded)
