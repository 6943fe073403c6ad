"""How dense a layer stands at a given radius: what its `density` needs to be kept.

A stand has no length of its own but its radius: at twice the radius there is a quarter of it on the same ground. So one
number says how many instances there are in a square radius, whatever the radius; and since stands grow on the plane
without end before they are cut, it holds for ground of every shape. Of a strict stand it is known. For soft spacing and
size classes the layer's own process runs once, at a radius of 1 m in a fixed square, and its instances are counted: a
whole number, so every machine finds the same radius. Clumps thin by chance, and their mean share is a factor.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from weald.errors import InputError
from weald.exact import total
from weald.geometry import Bounds
from weald.sampling.asked import SATURATION
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumped, Clumps
from weald.scatter.growth import size_classes
from weald.scatter.layer import Layer, Size
from weald.scatter.soft import Soft
from weald.scatter.species import Species

_SEED = "calibration"
_CANDIDATES = 40_000
_SOFTEST = 0.1
"""A softer core asks for more candidates than can be gone through before a layer is placed."""
_POINTS, _LARGEST, _MOST = 100_000, 1_000, 1_500_000
"""For size classes: instances to count; the fewest of the largest class; the most in all."""
_MIDDLES, _PLACES = 20_000, 800


def per_square_radius(layer: Layer) -> float:
    """Return how many instances stand in a square radius of ground that rules allow, before cover thins them.

    Raises
    ------
    InputError
        If the layer's density cannot be kept, since this would take too long to find.
    """
    asked = "density" if layer.count is None else "count"
    count = SATURATION
    if layer.soft is not None:
        if layer.soft.core < _SOFTEST:
            raise InputError(
                f"layer {layer.name!r}: {asked} cannot be kept with soft.core {layer.soft.core:g}; give a core of at "
                f"least {_SOFTEST}, or a radius {'instead of the density' if layer.count is None else 'too'}"
            )
        count = _softened(layer.soft)
    elif layer.sizes:
        large = max(layer.sizes, key=lambda size: size.factor)
        wanted = (
            _LARGEST
            * (large.factor * large.factor)
            / large.cover
            * total([size.cover / (size.factor * size.factor) for size in layer.sizes])
        )
        if wanted > _MOST:
            raise InputError(
                f"layer {layer.name!r}: {asked} cannot be kept with sizes from "
                f"{min(size.factor for size in layer.sizes):g} to {large.factor:g}; give factors nearer to each "
                f"other, or a radius {'instead of the density' if layer.count is None else 'too'}"
            )
        count = _sized(tuple(sorted(layer.sizes, key=lambda size: -size.factor)))
    return count if layer.clumps is None else count * _mean_share(layer.clumps)


@functools.lru_cache(64)
def _softened(soft: Soft) -> float:
    if soft.closer == 1:
        return SATURATION / (soft.core * soft.core)
    side = max(math.sqrt(_CANDIDATES * (soft.core * soft.core) / SATURATION), 50.0)
    return _counted(Layer("a", {_ANY: 1}, 1.0, soft=soft), side)


@functools.lru_cache(64)
def _sized(sizes: tuple[Size, ...]) -> float:
    density = [SATURATION * size.cover / (size.factor * size.factor) for size in sizes]
    side = math.sqrt(max(_LARGEST / density[0], _POINTS / total(density)))
    return _counted(Layer("a", {_ANY: 1}, 1.0, sizes=sizes), side)


def _counted(layer: Layer, side: float) -> float:
    box = Bounds(0.0, 0.0, side, side)
    classes = size_classes(layer, _SEED, None, (), Clearances())
    return sum(len(growth.find(box).id) for growth in classes) / box.area


@functools.lru_cache(64)
def _mean_share(clumps: Clumps) -> float:
    """Return the mean share of ground that clumps leave."""
    low, high = clumps.vary
    reach = clumps.radius / clumps.spacing
    if 2 * reach * high <= 1:  # no two overlap: a bump is a third of its disc
        bump = SATURATION * math.pi * reach * reach * (low * low + low * high + high * high) / 9
    else:
        side = math.sqrt(_MIDDLES / SATURATION)
        x, y = ((part + 0.5) * (side / _PLACES) for part in np.divmod(np.arange(_PLACES * _PLACES), _PLACES))
        bumps = Clumped(Clumps(1.0, reach, 0.0, clumps.vary), _SEED).share(x, y)
        # a sum of whole numbers has no order
        bump = int(np.rint(bumps * 2.0**32).astype(np.int64).sum()) / (2.0**32 * len(x))
    return clumps.between + (1.0 - clumps.between) * bump


_ANY = Species("any", "bush", 1.0, 1.0, "#000000")
