"""Layers: what is placed together, one after the other, the large before the small."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError, nearest
from weald.geometry import Bounds
from weald.hashing import Seed
from weald.sampling.plane import ASKED_BEYOND
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.scatter.placements import Placements
from weald.scatter.rules import KeepOff, Measure, Rule, share
from weald.scatter.species import Species
from weald.scatter.standing import Standing

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Layer:
    """One layer of a scatter.

    Parameters
    ----------
    name
        Unique within a world; the layer's randomness comes from the world's seed and this name.
    species
        What is placed, and how often each in proportion to the others.
    radius
        Least distance between two instances of the layer, in metres.
    rules
        Where: see `weald.scatter.rules`.
    keep_off
        Least distance to the instances of earlier layers, by layer name, in metres.
    """

    name: str
    species: Mapping[Species, float]
    radius: float
    rules: Sequence[Rule] = ()
    keep_off: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.species:
            raise InputError(f"layer {self.name!r}: species is empty; name at least one")
        for species, weight in self.species.items():
            if not (math.isfinite(weight) and weight >= 0):
                raise InputError(
                    f"layer {self.name!r}: the weight of {species.name!r} is {weight}; give a finite number, 0 or more"
                )
        total = sum(self.species.values())
        if not 0 < total < math.inf:
            raise InputError(
                f"layer {self.name!r}: the weights of its species sum to {total:g}; "
                "give at least one above 0, and none so large"
            )
        if not (math.isfinite(self.radius) and self.radius > 0):
            raise InputError(f"layer {self.name!r}: radius is {self.radius}; give a finite number of metres above 0")
        for other, distance in self.keep_off.items():
            if not (math.isfinite(distance) and distance >= 0):
                raise InputError(
                    f"layer {self.name!r}: keep_off of {other!r} is {distance}; give a finite distance, 0 or more"
                )


def scatter(
    layers: Sequence[Layer],
    height: Measure,
    domain: Bounds,
    seed: Seed,
    *,
    window: Bounds | None = None,
    threads: int | None = None,
    report: Callable[[str], object] = lambda name: None,
) -> dict[str, Placements]:
    """Place all layers, in order. A later layer never moves an earlier one.

    Parameters
    ----------
    layers
        The large before the small: each keeps off those before it, not after.
    height
        Of the ground at places (x, y): what everything stands on. Put a `Ground` rule into layers
        that meet voids.
    domain
        Where there is a world at all.
    seed
        Of the world.
    window
        The part that is wanted; the result is exactly the part of the whole that lies in it.
    report
        Called with the name of each layer when its turn comes.

    Returns
    -------
    dict of Placements
        One entry a layer, in order.
    """
    margins = _margins(layers)
    wanted = domain if window is None else window
    places: dict[str, Callable[[Bounds], PointSet]] = {}
    placed: dict[str, Placements] = {}
    wide: dict[str, tuple[Bounds, PointSet]] = {}
    for layer in layers:
        report(layer.name)
        off = []
        for other, distance in layer.keep_off.items():
            if distance > 0:
                standing = Standing(places[other], distance)
                standing.know(*wide[other])
                off.append(KeepOff(standing))
        place = functools.partial(_place, layer, [*layer.rules, *off], domain, hashing.key(seed, "layer", layer.name))
        # later layers ask about what stands a little outside the window
        margin = margins[layer.name]
        view = Bounds(wanted.xmin - margin, wanted.ymin - margin, wanted.xmax + margin, wanted.ymax + margin)
        points = place(view, threads)
        places[layer.name] = functools.partial(place, threads=1)
        wide[layer.name] = view, points
        placed[layer.name] = _dress(layer, _some(points, wanted.contains(*points.xy.T)), height)
    return placed


def _margins(layers: Sequence[Layer]) -> dict[str, float]:
    """Return how far beyond a window each layer must be known; check the names on the way."""
    margins: dict[str, float] = {}
    for layer in layers:
        if layer.name in margins:
            raise InputError(f"layer {layer.name!r}: the name is used twice; give each layer its own")
        for other in layer.keep_off:
            if other not in margins:
                raise InputError(
                    f"layer {layer.name!r}: keep_off names {other!r}, which is not an earlier layer"
                    + nearest(other, margins)
                    + (f"; earlier: {', '.join(margins)}" if margins else "; it is the first")
                )
        margins[layer.name] = 0.0
    for layer in reversed(layers):
        for other, distance in layer.keep_off.items():
            margins[other] = max(margins[other], margins[layer.name] + ASKED_BEYOND * layer.radius + 2 * distance)
    return margins


def _place(
    layer: Layer, rules: Sequence[Rule], domain: Bounds, seed: Seed, window: Bounds, threads: int | None
) -> PointSet:
    """Return the places of a layer's instances in a window; ``seed`` is the layer's."""
    seen = domain.intersection(window)
    if seen is None:
        return PointSet(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), seed)
    try:
        points = poisson_disk(
            domain,
            layer.radius,
            seed=seed,
            allowed=(lambda x, y: share(rules, x, y) > 0.0) if rules else None,
            window=seen,
            threads=threads,
        )
    except InputError as error:
        raise InputError(f"layer {layer.name!r}: {error}") from error
    if not rules:
        return points
    return _some(points, hashing.unit(points.id, seed, "share") < share(rules, points.xy[:, 0], points.xy[:, 1]))


def _some(points: PointSet, which: NDArray[np.bool_]) -> PointSet:
    return PointSet(points.xy[which], points.radius[which], points.id[which], points.seed)


def _dress(layer: Layer, points: PointSet, height: Measure) -> Placements:
    """Turn points into instances; every attribute is a hash of the id, for a purpose of its own."""
    seed = points.seed
    table = tuple(layer.species)
    weights = np.cumsum(list(layer.species.values()))
    pick = hashing.unit(points.id, seed, "species") * weights[-1]
    species = np.minimum(np.searchsorted(weights, pick, side="right"), len(table) - 1).astype(np.uint16)

    low, high = np.array([s.scale for s in table]).T
    scale = low[species] + (high - low)[species] * hashing.unit(points.id, seed, "scale")
    half_yaw = np.pi * hashing.unit(points.id, seed, "yaw")
    rotation = np.zeros((len(points), 4), np.float32)
    rotation[:, 2], rotation[:, 3] = np.sin(half_yaw), np.cos(half_yaw)
    x, y = points.xy.T
    return Placements(
        table,
        points.id,
        species,
        np.column_stack([x, y, height(x, y)]),
        rotation,
        scale.astype(np.float32),
        _rounded_down(points.radius),
    )


def _rounded_down(radius: Array) -> NDArray[np.float32]:
    """Return radii in float32, never above what they were: the spacing holds for what is written, too."""
    with np.errstate(over="ignore"):
        rounded = radius.astype(np.float32)
    return np.where(rounded > radius, np.nextafter(rounded, np.float32(0)), rounded)
