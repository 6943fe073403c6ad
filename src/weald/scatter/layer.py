"""Layers: what is placed together, one after the other, the large before the small."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from weald.arguments import shown
from weald.errors import InputError, nearest
from weald.exact import total
from weald.fields.field import FieldLike
from weald.numbers import is_number, lies_in, whole_in
from weald.sampling.limits import RADII
from weald.scatter.clumps import Clumps
from weald.scatter.rules import Rule
from weald.scatter.soft import Soft
from weald.scatter.species import Species

MOST = 100_000_000
"""The largest count: about what a machine has memory for."""


@dataclass(frozen=True)
class Size:
    """A size class: how large its instances are, and how dense they stand when their turn comes.

    Parameters
    ----------
    factor
        Of the layer's radius, and of the scale of its species.
    cover
        Share of the saturated density at the class's own radius that is placed, above 0, at most 1.
    """

    factor: float
    cover: float = 1.0

    def __post_init__(self) -> None:
        if not (is_number(self.factor) and self.factor > 0):
            raise InputError(f"size: factor is {self.factor}; give a finite number above 0")
        if not (is_number(self.cover) and 0 < self.cover <= 1):
            raise InputError(f"size: cover is {self.cover}; give a share above 0, at most 1")


@dataclass(frozen=True)
class Patches:
    """Let species gather in patches instead of standing mixed.

    Parameters
    ----------
    size
        Of a patch, in metres across.
    purity
        Share of the instances that follow their patch, 0 to 1; the others draw their species for themselves.
    """

    size: float
    purity: float = 0.9

    def __post_init__(self) -> None:
        if not (is_number(self.size) and self.size > 0):
            raise InputError(f"patches: size is {self.size}; give a finite number of metres above 0")
        if not (is_number(self.purity) and 0 <= self.purity <= 1):
            raise InputError(f"patches: purity is {self.purity}; give a share from 0 to 1")


@dataclass(frozen=True)
class Layer:
    """One layer of a scatter.

    Parameters
    ----------
    name
        Unique within a world; the layer's randomness comes from the world's seed and this name.
    species
        What is placed, and its weight: a number, or a Field or NumPy function of (x, y), 0 or more, that tells how
        well it suits a place. A species gets a place with the chance weight / sum of weights; where all are 0
        nothing is placed.
    radius
        Least distance between two instances of the layer, in metres: a number, a Field or a NumPy function of (x, y);
        or a number for each species, by name. Two instances keep apart by the larger of their radii.
    rules
        Where: see `weald.scatter.rules`.
    keep_off
        Least distance to the instances of other layers, by name of layer or species, in metres. The layer
        is placed after those. What is not named here is kept off by the scatter's `Clearances`.
    radius_range
        Smallest and largest radius, to which a function is clamped; needed unless it is a Field whose range lies
        above 0.
    density
        Instead of ``radius``: instances a hectare of the ground that rules and clearances allow, as expected, whatever
        its shape, and whatever else is given here: a number, or a Field whose range is finite. Rules with a share
        between 0 and 1, and ``cover``, thin this out.
    count
        Instances in the whole of a world with edges, exactly, before edits: a whole number. With a ``radius`` those
        with the lowest hashes of what grows at that radius are kept; else a radius is found that leaves a few too many.
    cover
        Share of the saturated density that is placed, 0 to 1: a number, Field or function. The fewer, the wider they
        are spaced: the radius grows by ``1 / sqrt(cover)``, up to four times; below that, chance thins them.
    soft
        Lets some pairs stand closer than the radius.
    clumps
        Gathers instances around hidden middles.
    sizes
        Size classes, placed from the largest factor to the smallest, all by the same rules. Instances of different
        classes keep apart by half the sum of their radii.
    patches
        Lets species gather in patches.
    edge
        What happens along every edge: of the world, of the ground that rules allow, of what earlier layers keep free.
        ``"natural"``: the layer grows as if the ground went on, and is then cut, so that it is as dense at an edge
        as inside. ``"fill"``: what is forbidden competes with nothing, so instances crowd along edges, until no
        more fit anywhere.
    """

    name: str
    species: Mapping[Species, FieldLike]
    radius: FieldLike | Mapping[str, float] | None = None
    rules: Sequence[Rule] = ()
    keep_off: Mapping[str, float] = field(default_factory=dict)
    radius_range: tuple[float, float] | None = None
    density: FieldLike | None = None
    cover: FieldLike = 1.0
    soft: Soft | None = None
    clumps: Clumps | None = None
    sizes: Sequence[Size] = ()
    patches: Patches | None = None
    edge: Literal["natural", "fill"] = "natural"
    count: int | None = None

    def __post_init__(self) -> None:
        self._check_names()
        self._check_species()
        self._check_radius()
        self._check_range()
        self._check_parts()
        if not callable(self.cover) and not (is_number(self.cover) and 0 <= self.cover <= 1):
            raise self._fault(f"cover is {self.cover}; give a share from 0 to 1, or a Field")
        if not isinstance(self.keep_off, Mapping):
            raise self._fault(f"keep_off is {shown(self.keep_off)}; give distances by name, such as {{'trees': 2.5}}")
        for other, distance in self.keep_off.items():
            if not lies_in(distance, 0, RADII[1]):
                raise self._fault(f"keep_off of {other!r} is {distance}; give a distance from 0 to {RADII[1]:g} m")
        if self.sizes and self.soft is not None:
            raise self._fault("soft and sizes are both given; give one of them")
        if self.edge not in ("natural", "fill"):
            raise self._fault(f"edge is {self.edge!r}; give 'natural' or 'fill'")
        if self.density is not None and self.edge == "fill":
            raise self._fault("density is kept with natural edges only; leave out edge='fill', or give a radius")
        factors = [size.factor for size in self.sizes]
        if len(set(factors)) < len(factors):
            raise self._fault(f"sizes have the factors {factors}; give each class its own")

    def _fault(self, reason: str) -> InputError:
        return InputError(f"layer {self.name!r}: {reason}")

    def _check_parts(self) -> None:
        for name, kind in (("soft", Soft), ("clumps", Clumps), ("patches", Patches)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise self._fault(f"{name} is {shown(value)}; give {kind.__name__}")
        if not (isinstance(self.sizes, Sequence) and all(isinstance(size, Size) for size in self.sizes)):
            raise self._fault(f"sizes is {shown(self.sizes)}; give a list of Size")

    def _check_names(self) -> None:
        if not (isinstance(self.name, str) and self.name):
            raise InputError(f"layer: name is {self.name!r}; give a text, which its randomness comes from")
        if not isinstance(self.species, Mapping) or not all(isinstance(one, Species) for one in self.species):
            raise self._fault(f"species is {self.species!r}; give a dict of Species and weights, such as {{oak: 1}}")
        if not (
            isinstance(self.rules, Sequence) and all(callable(getattr(rule, "share", None)) for rule in self.rules)
        ):
            raise self._fault(f"rules is {self.rules!r}; give a list of rules, such as [Only(condition)]")

    def _check_species(self) -> None:
        if not self.species:
            raise self._fault("species is empty; name at least one")
        names = [species.name for species in self.species]
        for species, weight in self.species.items():
            if names.count(species.name) > 1:
                raise self._fault(f"species {species.name!r} is given twice; give each its own name")
            if not callable(weight) and not (is_number(weight) and weight >= 0):
                raise self._fault(f"the weight of {species.name!r} is {weight}; give a finite number, 0 or more")
        numbers = [weight for weight in self.species.values() if not callable(weight)]
        if len(numbers) == len(names):
            weights = total(numbers)
            if not 0 < weights < math.inf:
                raise self._fault(
                    f"the weights of its species sum to {weights:g}; give at least one above 0, and none so large"
                )

    def _check_radius(self) -> None:
        if self.count is not None:
            whole_in(
                f"layer {self.name!r}: count", self.count, f"a whole number from 0 to {MOST:,}", least=0, most=MOST
            )
            if self.density is not None:
                raise self._fault("count and density are both given; leave one out")
        elif self.radius is None and self.density is None:
            raise self._fault("give a radius, a density or a count")
        if self.radius is not None and self.density is not None:
            raise self._fault("give a radius or a density, one of them")
        if isinstance(self.radius, Mapping):
            names = [species.name for species in self.species]
            for name, radius in self.radius.items():
                if name not in names:
                    raise self._fault(f"radius names {name!r}, which is none of its species{nearest(name, names)}")
                self._check_length("radius of " + repr(name), radius)
            missing = [name for name in names if name not in self.radius]
            if missing:
                raise self._fault(f"radius has no entry for {missing[0]!r}; give one for each species, or one number")
        elif self.radius is not None and not callable(self.radius):
            self._check_length("radius", self.radius)
        if self.density is not None and not callable(self.density):
            self._check_length("density", self.density, "instances a hectare")

    def _check_range(self) -> None:
        if self.radius_range is None:
            return
        if not callable(self.radius):
            raise self._fault(f"radius_range is {self.radius_range}, but radius is no function; leave it out")
        if not (
            isinstance(self.radius_range, Sequence)
            and len(self.radius_range) == 2
            and all(map(is_number, self.radius_range))
            and 0 < self.radius_range[0] <= self.radius_range[1]
        ):
            raise self._fault(f"radius_range is {self.radius_range}; give 0 < smallest <= largest")

    def _check_length(self, name: str, value: float, unit: str = "metres") -> None:
        if not (is_number(value) and value > 0):
            raise self._fault(f"{name} is {value}; give a finite number of {unit} above 0")
