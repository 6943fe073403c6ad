"""The budget: what a build will take is estimated before anything is made, and refused if it is too much.

Estimates are counts: samples of ground by its size, instances by the density of each layer times the share of some
hashed places that its rules allow, seconds by what each part of a formula usually takes. They are the same on every
machine, good to a factor of about two, and meant to tell minutes from months.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.fields import Field
from weald.fields.expression import price
from weald.geometry import Bounds
from weald.numbers import number_in
from weald.sampling.asked import SATURATION
from weald.scatter.counting import Counted
from weald.scatter.growth import Growth
from weald.terrain.endless import EndlessTerrain
from weald.world.spec import GroundSpec

if TYPE_CHECKING:
    from weald.world.world import World

Array = NDArray[np.float64]

_GIB = 2.0**30
_ALWAYS = 0.3e9
"""Bytes that Python and the libraries take."""
_BYTES_A_SAMPLE, _BYTES_AN_INSTANCE, _BYTES_LEFT_OUT = 100, 900, 150
"""In the stage of a build that takes most: heights with their colours and mesh; instances with their tables; those that
grow in the whole world before a count leaves them out."""
_NS_A_SAMPLE, _NS_AN_INSTANCE, _NS_LEFT_OUT, _NS_AN_ITERATION = 300, 15_000, 3_000, 150
"""CPU time of a build, besides formulas: of ground, of placing and writing, of growing alone, of erosion for each
sample."""
_ASKED = 20
"""Places a layer's rules are asked about, for each instance that its radius has room for."""
_STRATA, _NEAR, _SIDE = 4, 16, 32.0
"""Places asked about: boxes along each side of the window, places in each, and metres that those lie apart at most.
Places that lie close together share what is kept of ground and caves."""


@dataclass(frozen=True)
class Budget:
    """What a build may take at most.

    Parameters
    ----------
    minutes
        Of CPU time on one core.
    memory
        In GiB.

    Examples
    --------
    >>> Budget(memory=64)
    Budget(minutes=60.0, memory=64)
    """

    minutes: float = 60.0
    memory: float = 16.0

    def __post_init__(self) -> None:
        number_in("most minutes", self.minutes, "a number of minutes above 0", above=0.0)
        number_in("most memory", self.memory, "a number of GiB above 0", above=0.0)

    def check(self, cost: Cost) -> None:
        """Refuse what costs more."""
        if cost.minutes <= self.minutes and cost.memory <= self.memory:
            return
        raise InputError(
            f"budget: {cost}; at most {_duration(60 * self.minutes)} and {self.memory:g} GiB are allowed. Give "
            f"{cost.advice}; or allow more: --most-minutes {_rounded(cost.minutes)} --most-memory "
            f"{_rounded(cost.memory)}, in Python Budget(minutes=..., memory=...)"
        )


@dataclass(frozen=True)
class Cost:
    """What a build of a part of a world will take, about.

    Attributes
    ----------
    area
        Square metres.
    samples, instances
        Of ground, and in all layers.
    seconds
        CPU time on one core.
    advice
        What to change to make it less.
    left_out
        Instances that grow before a count leaves them out.
    """

    area: float
    samples: float
    instances: float
    seconds: float
    advice: str = "a smaller window, larger radii, or a coarser ground"
    left_out: float = 0.0

    @property
    def minutes(self) -> float:
        """CPU time on one core, in minutes."""
        return self.seconds / 60.0

    @property
    def memory(self) -> float:
        """In GiB."""
        of_instances = self.instances * _BYTES_AN_INSTANCE + self.left_out * _BYTES_LEFT_OUT
        return (_ALWAYS + self.samples * _BYTES_A_SAMPLE + of_instances) / _GIB

    def __str__(self) -> str:
        return (
            f"about {_count(self.instances)} instances on {self.area / 1e6:.3g} km² and {_count(self.samples)} samples "
            f"of ground take {_duration(self.seconds)} of one core and {_size(self.memory)}"
        )


def ground_cost(spec: GroundSpec, field: Field | None, samples: float, area: float) -> Cost:
    """Return what the ground costs: its samples, and the field that makes them if it has a formula."""
    formula = 0.0 if field is None else price(field.expression).nanoseconds
    erosion = spec.erosion
    rounds = 0 if erosion is None else erosion.iterations + erosion.slides
    seconds = samples * (_NS_A_SAMPLE + formula + rounds * _NS_AN_ITERATION) * 1e-9
    advice = "a smaller `ground.window`, or a larger `ground.spacing`" if field is not None else "a coarser ground"
    if rounds:
        advice += ", or fewer iterations of erosion"
    return Cost(area, samples, 0.0, seconds, advice)


def cost_of(world: World, window: Bounds | None = None) -> Cost:
    """Return what it costs to build a world, or a window of it; one chunk of a world without edges."""
    box = window if window is not None else world.bounds
    if box is None:
        box = Bounds(0.0, 0.0, world.spec.chunk, world.spec.chunk)
    ground = world.ground
    if isinstance(ground, EndlessTerrain):
        samples, field = box.area / ground.spacing**2, ground.field
    else:
        samples, field = box.area / ground.grid.spacing**2, None
    made = ground_cost(world.spec.ground, field, samples, box.area)
    x, y = _places(box, world.spec.seed)
    instances = seconds = left_out = 0.0
    most, thirsty = 0.0, ""
    for name, classes in world.growths().items():
        for growth in classes:
            asked = sum(_nanoseconds(rule) for rule in growth.layer.rules)
            if isinstance(growth, Counted):  # it grows in the whole world, whatever part is wanted
                domain = growth.counting.domain
                full, grown = _counted(growth, *_places(domain, world.spec.seed), domain.area)
                seen = domain.intersection(box)
                allowed = growth.counting.count / len(classes) * (0.0 if seen is None else seen.area / domain.area)
                left_out += grown
                seconds += 1e-9 * grown * _NS_LEFT_OUT
            else:
                full, allowed = _counted(growth, x, y, box.area)
                grown = allowed
            instances += allowed
            seconds += 1e-9 * (allowed * _NS_AN_INSTANCE + full * _ASKED * asked)
            if max(allowed, grown) > most:
                most, thirsty = max(allowed, grown), name
    advice = made.advice if made.samples > 5 * (instances + left_out) else "a smaller window, or a larger radius"
    if thirsty and advice != made.advice:
        advice += f" for layer {thirsty!r}, which has {_count(most)}"
    return Cost(box.area, samples, instances, made.seconds + seconds, advice, left_out)


def _places(box: Bounds, seed: hashing.Seed) -> tuple[Array, Array]:
    """Return places to ask about: near each other in hashed parts of each box of a coarse grid."""
    cells = np.arange(_STRATA * _STRATA, dtype=np.uint64)
    near = np.arange(cells.size * _NEAR, dtype=np.uint64)
    axes = []
    for axis, (low, extent) in enumerate(zip((box.xmin, box.ymin), box.size, strict=True)):
        stratum = extent / _STRATA
        side = min(stratum, _SIDE)
        number = (cells % _STRATA if axis == 0 else cells // _STRATA).astype(np.float64)
        corner = low + number * stratum + hashing.unit(cells, seed, f"budget {axis}") * (stratum - side)
        axes.append(np.repeat(corner, _NEAR) + side * hashing.unit(near, seed, f"budget near {axis}"))
    return axes[0], axes[1]


def _counted(growth: Growth, x: Array, y: Array, area: float) -> tuple[float, float]:
    """Return how many instances have room for their radius in an area, and how many of them the rules allow."""
    # where the radius is void nothing stands
    density = np.nan_to_num(SATURATION / growth.spacing(x, y) ** 2)
    share = np.ones(len(x))
    for rule in growth.layer.rules:
        left = np.flatnonzero(share > 0)
        if left.size:
            share[left] *= np.nan_to_num(np.asarray(rule.share(x[left], y[left]), np.float64))
    full = area * float(density.mean())
    allowed = area * float((density * share).mean())
    return full, max(allowed, full / (2 * len(x)))  # none of so few places says little


def _nanoseconds(rule: object) -> float:
    """Return what a rule takes to ask about a place."""
    asked = [value for value in vars(rule).values() if hasattr(value, "expression")]
    return 20.0 + sum(price(value.expression).nanoseconds for value in asked)


def _count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e9 else f"{number:.2g}"


def _rounded(number: float) -> str:
    """Return a number a little larger, with two digits."""
    if number < 1:
        return "1"
    digits = 10.0 ** (math.floor(math.log10(number)) - 1)
    return f"{math.ceil(1.1 * number / digits) * digits:.15g}"


def _size(gib: float) -> str:
    return f"{gib * 1024:.0f} MiB of memory" if gib < 1 else f"{gib:,.1f} GiB of memory"


def _duration(seconds: float) -> str:
    """Return a time in words.

    >>> _duration(0.2), _duration(90), _duration(7200), _duration(1e9)
    ('1 second', '2 minutes', '2 hours', '11,574 days')
    """
    count, unit = seconds, "second"
    for next_unit, length, least in (("minute", 60.0, 60.0), ("hour", 60.0, 60.0), ("day", 24.0, 48.0)):
        if count < least:
            break
        count, unit = count / length, next_unit
    whole = max(round(count), 1)
    return f"{whole:,} {unit}{'s' * (whole != 1)}"
