"""Rules: which share of the places may carry something, from 0 (none) to 1 (all).

A layer's rules are multiplied. Where the product is 0 nothing is placed, and the sampler knows
before it sets a point, so stands reach up to the edge. Where it lies between, each point draws a
number from its own id and stays if that is below the share: so stands thin out, and changing a
share moves no point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields import Condition
from weald.geometry import Bounds

Array = NDArray[np.float64]
Measure: TypeAlias = Callable[[Array, Array], Array]
"""Something measured at places (x, y): a Field, or a method of the terrain. NaN means: no ground."""


class Rule(Protocol):
    """What a rule must offer. It may have a ``text`` too, which says it in words: see `told`."""

    def share(self, x: Array, y: Array) -> Array:
        """Return the share of places that may carry something, in [0, 1]; x and y have shape (n,)."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a rule tells of itself to who asks why nothing stands somewhere.

    Parameters
    ----------
    text
        The rule in a few words.
    parts
        What it is made of, by name: functions of x and y, both of shape (n,).
    """

    text: str = field(default="", compare=False)
    parts: Mapping[str, Callable[[Array, Array], NDArray[Any]]] = field(default_factory=dict, compare=False, repr=False)


def told(rule: Rule) -> str:
    """Return a rule in words: its text, or the name of its kind.

    >>> told(Share(lambda x, y: x, text="share `x`")), told(Share(lambda x, y: x))
    ('share `x`', 'Share')
    """
    return getattr(rule, "text", "") or type(rule).__name__


@dataclass(frozen=True)
class Ramp(Told):
    """The share rises with a measure: 0 at ``none_at`` and beyond, 1 at ``all_at`` and beyond.

    It rises smoothly (a cubic), and falls if ``none_at`` is the larger. If both are equal the edge
    is sharp, and ``rising`` tells its direction: the edge itself then belongs to the allowed side.

    >>> Ramp(lambda x, y: x, none_at=400, all_at=500).share(np.array([350., 450, 500]), np.zeros(3)).tolist()
    [0.0, 0.5, 1.0]
    """

    measure: Measure
    none_at: float
    all_at: float
    rising: bool = True

    def share(self, x: Array, y: Array) -> Array:
        """Return the share at places; 0 where the measure is NaN."""
        value = self.measure(x, y)
        if self.none_at == self.all_at:
            allowed = value >= self.all_at if self.rising else value <= self.all_at
            return allowed.astype(np.float64)
        with np.errstate(over="ignore"):  # a ramp may be as narrow as floats get
            t = np.clip((value - self.none_at) / (self.all_at - self.none_at), 0.0, 1.0)
        return np.nan_to_num(t * t * (3.0 - 2.0 * t), nan=0.0)


@dataclass(frozen=True)
class Only(Told):
    """Only where a condition holds."""

    condition: Condition

    @property
    def bounds(self) -> Bounds | None:
        """A box outside of which the condition never holds, as `weald.inside(polygon)` states it; None if unknown."""
        bounds = getattr(self.condition, "bounds", None)
        return bounds if isinstance(bounds, Bounds) else None

    def share(self, x: Array, y: Array) -> Array:
        """Return 1 where the condition holds, else 0."""
        return self.condition(x, y).astype(np.float64)


@dataclass(frozen=True)
class Share(Told):
    """The share is a measure itself: 0 or less for none, 1 or more for all."""

    measure: Measure

    def share(self, x: Array, y: Array) -> Array:
        """Return the measure held within [0, 1]; 0 where it is NaN."""
        return np.nan_to_num(np.clip(self.measure(x, y), 0.0, 1.0), nan=0.0)


@dataclass(frozen=True)
class Ground(Told):
    """Only where there is ground: a measured height that is not NaN."""

    height: Measure

    def share(self, x: Array, y: Array) -> Array:
        """Return 1 where there is ground, else 0."""
        return np.isfinite(self.height(x, y)).astype(np.float64)


def within(rules: Sequence[Rule], box: Bounds | None) -> Bounds | None:
    """Return the part of a box in which rules may allow anything, as far as they state ``bounds``; None for nothing."""
    for rule in rules:
        bounds = getattr(rule, "bounds", None)
        if box is not None and isinstance(bounds, Bounds):
            box = box.intersection(bounds)
    return box


def share(rules: Sequence[Rule], x: Array, y: Array) -> Array:
    """Return the product of the rules; a rule is asked only where those before it leave something."""
    total = np.ones(x.shape)
    left = np.arange(x.size)
    for rule in rules:
        everywhere = len(left) == len(total)
        here_x, here_y = (x, y) if everywhere else (x[left], y[left])
        part = np.asarray(rule.share(here_x, here_y))
        if part.shape != here_x.shape:
            raise InputError(
                f"rule {told(rule)!r}: was given {len(here_x)} places and returned shape {part.shape}; "
                f"return one share a place, shape {here_x.shape}"
            )
        if everywhere:
            total *= part
        else:
            total[left] *= part
        some = part > 0.0
        if not some.all():
            left = left[some]
    return total
