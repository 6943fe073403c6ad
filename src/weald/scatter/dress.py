"""From points to instances: every attribute is a hash of the id, for a purpose of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.scatter.growth import Growth
from weald.scatter.orientation import compose, facing, tilted, upright_to, yaw
from weald.scatter.placements import Placements
from weald.scatter.rules import Measure
from weald.scatter.species import Species
from weald.scatter.stand import Stand

Array = NDArray[np.float64]
Normal = Callable[[Array, Array], Array]
"""The upward unit normal of the ground at places (x, y): shape (n, 3)."""

_BLOCK = 1 << 16
"""Instances dressed at a time, so that what is needed on the way stays small."""


def dress(growth: Growth, stand: Stand, height: Measure, normal: Normal | None = None) -> Placements:
    """Return the instances of a stand, its points on the ground; ``normal`` is needed if a species knows the slope."""
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
        ids, species, (x, y) = stand.id[part], stand.species[part], stand.xy[part].T
        scale = growth.scale(species, ids)
        placed.xyz[part, :2] = stand.xy[part]
        placed.xyz[part, 2] = _shaped("height", height(x, y), x.shape) - _each(growth.table, "sink")[species] * scale
        placed.rotation[part] = _stance(growth.table, species, ids, growth.seed, x, y, normal)
        placed.scale[part] = scale
        placed.radius[part] = _rounded_down(stand.radius[part])
    return placed


def _stance(
    table: Sequence[Species],
    species: NDArray[np.uint16],
    ids: NDArray[np.uint64],
    seed: hashing.Seed,
    x: Array,
    y: Array,
    normal: Normal | None,
) -> Array:
    """Return rotations: about the own axis, then leaning by chance, then with the ground."""
    low, high = np.array([one.turns for one in table]).T
    turns = low[species] + (high - low)[species] * hashing.unit(ids, seed, "yaw")
    away = np.array([one.facing != "any" for one in table])[species]
    up = None
    if normal is not None and any(one.knows_slope for one in table):
        up = _shaped("normal", normal(x, y), (len(x), 3))
        level = (up[:, 0] == 0) & (up[:, 1] == 0)
        # nowhere is downhill on the level
        turns = np.where(away & level, hashing.unit(ids, seed, "yaw"), turns)
    rotation = yaw(turns)
    if up is not None and away.any():
        towards = np.where([one.facing == "uphill" for one in table], -1.0, 1.0)[species]
        downhill = np.where(away[:, None], up[:, :2] * towards[:, None], 0.0)
        rotation = compose(facing(downhill), rotation)
    tilt = _each(table, "tilt_deg")[species] / 360.0
    if tilt.any():
        lean = tilted(tilt * hashing.unit(ids, seed, "tilt"), hashing.unit(ids, seed, "tilt towards"))
        rotation = compose(lean, rotation)
    alignment = _each(table, "alignment")[species]
    if up is not None and alignment.any():
        rotation = compose(upright_to(up, alignment), rotation)
    return rotation


def _shaped(name: str, answer: NDArray[np.floating], shape: tuple[int, ...]) -> Array:
    given = np.asarray(answer, np.float64)
    if given.shape not in ((), shape):
        raise InputError(
            f"{name}: the function was given {shape[0]} places and returned shape {given.shape}; return shape {shape}"
        )
    return np.broadcast_to(given, shape)


def _each(table: Sequence[Species], name: str) -> Array:
    return np.array([getattr(one, name) for one in table], np.float64)


def _rounded_down(radius: Array) -> NDArray[np.float32]:
    """Return radii in float32, never above what they were: the spacing holds for what is written, too."""
    with np.errstate(over="ignore"):
        rounded = radius.astype(np.float32)
    return np.where(rounded > radius, np.nextafter(rounded, np.float32(0)), rounded)
