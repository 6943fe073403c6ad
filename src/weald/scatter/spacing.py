"""Spacing: from a layer's radius or density, and its cover, to what the sampler is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields import Field
from weald.fields.field import FieldLike
from weald.geometry import Bounds
from weald.sampling.asked import SATURATION
from weald.sampling.classes import RadiusFunction
from weald.sampling.natural import everywhere
from weald.scatter.layer import Layer
from weald.scatter.mixture import Mixture

Array = NDArray[np.float64]

HECTARE = 1e4
SLOPE_COSTS = 0.585
"""Part of its density that a stand loses where its radius rises by a metre per metre: the larger radius counts."""
STEEPEST = 0.5
"""A radius that rises more steeply is not evened out any further."""
SPARSEST = 4.0
"""A radius grows up to so many times its smallest to thin out; what must be thinner is thinned by chance."""


def radius_of_density(density: float, per_square: float = SATURATION) -> float:
    """Return the radius at which ``density`` instances stand on a hectare, if ``per_square`` stand in a square radius.

    >>> round(radius_of_density(400), 2)
    4.17
    """
    return math.sqrt(per_square * HECTARE / density)


@dataclass(frozen=True)
class Spacing:
    """What the sampler is asked for: a radius, or one for each place within a range, and what is thinned afterwards."""

    radius: float | RadiusFunction
    range: tuple[float, float]
    thinner: Thinner | None = None

    def at(self, x: Array, y: Array) -> Array:
        """Return the radius at places, x and y of shape (n,)."""
        if not callable(self.radius):
            return np.full(x.shape, float(self.radius))
        return np.clip(self.radius(x, y), *self.range)

    def times(self, factor: float) -> Spacing:
        """Return the same with every radius larger by a factor."""
        low, high = self.range
        radius = self.radius
        scaled: float | RadiusFunction = (
            (lambda x, y: factor * np.clip(radius(x, y), low, high)) if callable(radius) else factor * radius
        )
        return replace(self, radius=scaled, range=(factor * low, factor * high))


@dataclass(frozen=True)
class Thinner:
    """A share of the saturated density that varies: partly met by a larger radius, the rest by chance.

    ``measure`` gives, at places, a share or a density, ``full`` of which is saturation.
    """

    layer: str
    name: str
    measure: Field
    full: float
    allowed: str
    domain: Bounds | None = None

    @property
    def text(self) -> str:
        """The rule in words."""
        return f"{self.name}, thinned by chance where it is low"

    def stretch(self, x: Array, y: Array) -> Array:
        """Return how much larger the radius must be, 1 or more, without limit; beyond the domain as at its edge."""
        if self.domain is not None:
            x, y = self.domain.nearest(x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            stretch: Array = np.sqrt(self.full / self.measure(x, y))
        return stretch

    def share(self, x: Array, y: Array) -> Array:
        """Return the share that is left to chance where the radius has reached its limit; the thinner as a rule."""
        value = self.measure(x, y)
        wrong = ~((value >= 0.0) & (value <= self.full * (1 + 1e-9)))
        if wrong.any():
            first = int(np.argmax(wrong))
            raise InputError(
                f"layer {self.layer!r}: {self.name} is {value[first]} at x = {float(x[first])!r}, "
                f"y = {float(y[first])!r}; give {self.allowed} at every place that the rules allow"
            )
        return np.minimum(value / self.full * (SPARSEST * SPARSEST), 1.0)


def spacing_of(layer: Layer, mixture: Mixture, domain: Bounds | None, per_square: float = SATURATION) -> Spacing:
    """Return the spacing that a layer asks for, before soft cores and size classes.

    ``domain`` is where there is a world, None for everywhere. A layer with natural edges grows beyond it too: there
    every field is as at the nearest place inside. ``per_square``: instances in a square radius.
    """
    base = _of_density(layer, domain, per_square) if layer.density is not None else _of_radius(layer, mixture, domain)
    if callable(layer.cover):
        thinner = Thinner(layer.name, "cover", Field.of(layer.cover), 1.0, "a share from 0 to 1", domain)
        return _thinned(base, thinner)
    # at a cover of 0 nothing stands, and any radius will do
    return base.times(1.0 / math.sqrt(layer.cover)) if 0 < layer.cover < 1 else base


def _of_radius(layer: Layer, mixture: Mixture, domain: Bounds | None) -> Spacing:
    if isinstance(layer.radius, Mapping):
        low, high = min(layer.radius.values()), max(layer.radius.values())
        return Spacing(mixture.radius if mixture.by_territory else high, (low, high))
    if callable(layer.radius):
        radius = layer.radius
        low, high = _range(layer, radius)
        if layer.edge == "fill":
            return Spacing(lambda x, y: np.asarray(radius(x, y)), (low, high))
        return Spacing(lambda x, y: everywhere(radius, x, y, domain, high), (low, high))
    assert layer.radius is not None
    return Spacing(float(layer.radius), (float(layer.radius), float(layer.radius)))


def _of_density(layer: Layer, domain: Bounds | None, per_square: float) -> Spacing:
    assert layer.density is not None
    if not callable(layer.density):
        radius = radius_of_density(layer.density, per_square)
        return Spacing(radius, (radius, radius))
    density = Field.of(layer.density)
    full = density.range[1]
    if not 0 < full < math.inf:
        raise InputError(
            f"layer {layer.name!r}: density has the range ({density.range[0]:g}, {full:g}); "
            "give a Field whose range ends above 0, such as Field.of(function, range=(0, 400)), or clamp it"
        )
    least = radius_of_density(full, per_square)
    thinner = Thinner(layer.name, "density", density, full, f"a number from 0 to {full:g}", domain)
    return _thinned(Spacing(least, (least, least)), thinner, max((size.factor for size in layer.sizes), default=1.0))


def _thinned(base: Spacing, thinner: Thinner, evened: float = 0.0) -> Spacing:
    """Return a spacing stretched by a share that varies.

    ``evened``, if above 0, makes up for what the slope costs instances whose radius is that multiple of the layer's.
    """
    low, high = base.range
    radius = base.radius

    def stretch_at(x: Array, y: Array) -> Array:
        # where the share is void or 0 nothing will stand, and any radius will do
        stretch: Array = np.clip(np.nan_to_num(thinner.stretch(x, y), nan=SPARSEST), 1.0, SPARSEST)
        return stretch

    def stretched(x: Array, y: Array) -> Array:
        stretch = stretch_at(x, y)
        if evened:
            east, north = stretch_at(x + low, y) - stretch, stretch_at(x, y + low) - stretch
            slope = np.sqrt(east * east + north * north)  # of the radius, since the step is the least radius
            stretch = stretch * np.sqrt(1.0 - SLOPE_COSTS * np.minimum(evened * slope, STEEPEST))
        return stretch * (np.clip(radius(x, y), low, high) if callable(radius) else radius)

    if base.thinner is not None:
        raise InputError(f"layer {thinner.layer!r}: density and cover both vary; fold the cover into the density")
    return Spacing(stretched, (low, SPARSEST * high), thinner)


def _range(layer: Layer, radius: FieldLike) -> tuple[float, float]:
    low, high = layer.radius_range or (radius.range if isinstance(radius, Field) else (0.0, math.inf))
    if not 0 < low <= high < math.inf:
        raise InputError(
            f"layer {layer.name!r}: radius has the range ({low:g}, {high:g}); give radius_range, the smallest and the "
            "largest radius, both above 0"
        )
    if isinstance(radius, Field) and not (radius.range[0] <= high and radius.range[1] >= low):
        raise InputError(
            f"layer {layer.name!r}: radius lies between {radius.range[0]:g} and {radius.range[1]:g}, all outside its "
            f"radius_range ({low:g}, {high:g}), to which it is clamped; change one of them"
        )
    return low, high
