"""`count`: an exact number of instances of a layer in a bounded world.

The layer grows over the whole world first, at a radius that leaves a few too many, and those whose ids have the lowest
hashes are kept. What a window shows is cut from that, so the whole is grown once a world, whatever is asked of it.

A radius that is given is used as it is. Else it is found: rules and cover are asked at hashed places what share of the
ground they allow, the radius is the one at which a density fills that share with 5 % more than are wanted, and while
what stands there is too few or far too many, the radius is changed by the square root of the ratio. All of that depends
on whole numbers and hashes alone, so every machine finds the same.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.exact import total
from weald.fields import Field
from weald.fields.field import FieldLike
from weald.geometry import Bounds
from weald.scatter.calibration import per_square_radius
from weald.scatter.clearances import Clearances
from weald.scatter.growth import Growth, size_classes
from weald.scatter.layer import Layer, Size
from weald.scatter.rules import share, within
from weald.scatter.spacing import HECTARE, radius_of_density
from weald.scatter.stand import Stand

Array = NDArray[np.float64]
_Value = TypeVar("_Value")

_OVER = 1.05
"""The multiple of the count that should grow. More would leave gaps, since what is left out is chosen by chance."""
_CLOSE, _FEW = 1.12, 3
"""If more than this multiple of the count grows, plus a few, a wider radius is tried."""
_STRATA = 64
"""Boxes along each side of the world; rules are asked at one place in each box."""
_MOST_TIMES, _MOST = 64, 1 << 18
"""The smallest radius tried has room for this multiple of the count, or for this number if it is larger."""
_REFINED, _TRIES = 3, 24
"""Tries after which any radius that leaves enough is taken; tries after which the count is refused."""


class Once(Generic[_Value]):
    """Values by name, each made once, whichever thread asks first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._made: dict[str, _Value] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._made

    def get(self, name: str, make: Callable[[], _Value]) -> _Value:
        """Return a value, which is made if nobody has asked before."""
        if name not in self._made:
            with self._lock:
                lock = self._locks.setdefault(name, threading.Lock())
            with lock:
                if name not in self._made:
                    self._made[name] = make()
        return self._made[name]


@dataclass(frozen=True, slots=True)
class Settled:
    """The radius at which a counted layer has grown, and what is kept of each of its size classes."""

    radius: FieldLike | Mapping[str, float]
    stands: tuple[Stand, ...]


class Counts:
    """What has been found of the counted layers of a world, by their names: for all windows of it."""

    def __init__(self) -> None:
        self.guesses: Once[float] = Once()
        self.settled: Once[Settled] = Once()


class Counting:
    """A counted layer in a world: the parameters are those of `Growth`, and what is known already."""

    def __init__(
        self,
        layer: Layer,
        seed: hashing.Seed,
        domain: Bounds | None,
        earlier: Sequence[Growth],
        clearances: Clearances,
        counts: Counts,
    ) -> None:
        if domain is None:
            raise InputError(
                f"layer {layer.name!r}: count is {layer.count}, and the world has no edges; give the world bounds (in "
                "a spec `ground.window`), or the layer a density instead"
            )
        assert layer.count is not None
        self.layer, self.count, self.domain = layer, layer.count, domain
        self._seed = seed
        self._earlier = earlier
        self._clearances = clearances
        self._counts = counts

    @property
    def guess(self) -> FieldLike | Mapping[str, float]:
        """The radius that is given, or tried first."""
        if self.layer.radius is not None:
            return self.layer.radius
        return self._counts.guesses.get(self.layer.name, self._guess)

    def settle(self, threads: int | None = 1) -> Settled:
        """Return what is kept in the whole world."""
        name = self.layer.name
        if name not in self._counts.settled:
            # their locks are taken one after the other, and none while the sampler's threads wait for this layer
            for other in self._earlier:
                if isinstance(other, Counted):
                    other.counting.settle(threads)
        return self._counts.settled.get(name, lambda: self._settle(threads))

    def grown(self, radius: FieldLike | Mapping[str, float], make: Callable[..., Growth] = Growth) -> list[Growth]:
        """Return the layer, without its count, at a radius: each of its size classes."""
        layer = replace(self.layer, count=None, radius=radius)
        return size_classes(layer, self._seed, self.domain, self._earlier, self._clearances, make=make)

    @functools.cached_property
    def classes(self) -> list[Growth]:
        """The layer as it has grown, before those too many were left out."""
        return self.grown(self.settle().radius)

    def _guess(self) -> float:
        box = self._box
        cells = np.arange(_STRATA * _STRATA, dtype=np.uint64)
        x, y = (
            low + (number + hashing.unit(cells, self._seed, f"count {axis}")) * (side / _STRATA)
            for axis, low, side, number in zip(
                "xy", (box.xmin, box.ymin), box.size, np.divmod(cells, np.uint64(_STRATA)), strict=True
            )
        )
        x, y = box.nearest(x, y)
        allowed = share(self.layer.rules, x, y)
        some = np.flatnonzero(allowed > 0.0)
        cover = Field.of(self.layer.cover)(x[some], y[some])
        mean = total((allowed[some] * np.clip(np.nan_to_num(cover), 0.0, 1.0)).tolist()) / len(cells)
        return max(self._radius(self._wanted / max(mean, 0.5 / len(cells))), self._least)

    @property
    def _box(self) -> Bounds:
        return within(self.layer.rules, self.domain) or self.domain

    @property
    def _wanted(self) -> float:
        return _OVER * self.count + 1

    @property
    def _least(self) -> float:
        """The smallest radius that is tried."""
        return self._radius(max(_MOST_TIMES * self.count, _MOST))

    def _radius(self, number: float) -> float:
        """Return the radius at which a number of instances stand where rules may allow anything."""
        return radius_of_density(number / self._box.area * HECTARE, per_square_radius(self.layer))

    def _settle(self, threads: int | None) -> Settled:
        if self.count == 0:
            return Settled(self.guess, tuple(Stand.empty() for _ in self.layer.sizes or (None,)))
        radius = self.guess
        stands = self._find(radius, threads)
        found = _number(stands)
        if self.layer.radius is not None:
            if found < self.count:
                raise self._full(found, "", "a smaller radius, or rules and clearances that allow more ground")
            return Settled(radius, self._kept(stands))
        assert isinstance(radius, float)
        most, at = found, radius
        best = (found, radius, stands) if found >= self.count else None
        for tries in range(1, _TRIES):
            if best is not None and (best[0] <= _CLOSE * self.count + _FEW or tries > _REFINED):
                break
            if found < self.count and radius <= self._least:
                break
            radius = max(radius * min(max(math.sqrt(found / self._wanted), 0.5), 2.0), self._least)
            stands = self._find(radius, threads)
            found = _number(stands)
            most, at = max((most, at), (found, radius))
            if found >= self.count and (best is None or found < best[0]):
                best = found, radius, stands
        if best is None:
            raise self._full(most, f" at {at:.3g} m apart", "rules and clearances that allow more ground, or a radius")
        return Settled(best[1], self._kept(best[2]))

    def _find(self, radius: FieldLike | Mapping[str, float], threads: int | None) -> list[Stand]:
        return [growth.find(self.domain, threads, keep=False) for growth in self.grown(radius)]

    def _kept(self, stands: Sequence[Stand]) -> tuple[Stand, ...]:
        """Return those of each class whose ids have the lowest hashes of all."""
        ids = np.concatenate([stand.id for stand in stands])
        of_class = np.repeat(np.arange(len(stands)), [len(stand.id) for stand in stands])
        rank = hashing.mix_array(ids, hashing.key(self._seed, "layer", self.layer.name, "count"))
        stays = np.zeros(len(ids), np.bool_)
        stays[np.lexsort((of_class, ids, rank))[: self.count]] = True
        kept = []
        for number, stand in enumerate(stands):
            own = stays[of_class == number]
            kept.append(Stand(stand.xy[own], stand.radius[own], stand.id[own], stand.species[own]))
        return tuple(kept)

    def _full(self, found: int, where: str, change: str) -> InputError:
        return InputError(
            f"layer {self.layer.name!r}: count is {self.count}, and the world has room for {found}{where}; "
            f"give at most {found}, {change}"
        )


class Counted(Growth):
    """A size class of a counted layer: what is kept of it in the whole world, cropped.

    Parameters
    ----------
    counting
        The layer.
    layer, seed, domain, earlier, clearances, size, larger
        As of `Growth`; the layer is the one without its count, at the radius that is tried first.
    """

    def __init__(
        self,
        counting: Counting,
        layer: Layer,
        seed: hashing.Seed,
        domain: Bounds | None,
        earlier: Sequence[Growth],
        clearances: Clearances,
        size: Size | None,
        larger: Sequence[Growth],
        per_square: float,
    ) -> None:
        super().__init__(layer, seed, domain, earlier, clearances, size, larger, per_square)
        self.counting = counting
        self._number = len(larger)

    def find(self, box: Bounds, threads: int | None = 1, keep: bool = True) -> Stand:
        """Return all instances that are kept in a box; the whole is kept once it is known."""
        return self.counting.settle(threads).stands[self._number].inside(box)

    @property
    def settled(self) -> Growth:
        """The class as it has grown, before those too many were left out."""
        return self.counting.classes[self._number]


def counted(
    layer: Layer,
    seed: hashing.Seed,
    domain: Bounds | None,
    earlier: Sequence[Growth],
    clearances: Clearances,
    counts: Counts,
) -> list[Growth]:
    """Return each size class of a layer with a count."""
    counting = Counting(layer, seed, domain, earlier, clearances, counts)
    return counting.grown(counting.guess, functools.partial(Counted, counting))


def _number(stands: Sequence[Stand]) -> int:
    return sum(len(stand.id) for stand in stands)
