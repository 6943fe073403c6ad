"""One layer, or one size class of it, in the making: which of its instances stand in a box, for any box."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling.classes import Radius
from weald.sampling.plane import ASKED_BEYOND, HALO_VARIED
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumped
from weald.scatter.layer import Layer, Size
from weald.scatter.mixture import Mixture
from weald.scatter.rules import Rule, share
from weald.scatter.soft import HALO, soften
from weald.scatter.spacing import spacing_of
from weald.scatter.species import Species
from weald.scatter.stand import Kept, Stand, blockers, keeps_each

Array = NDArray[np.float64]


class Growth:
    """A layer, or one size class of it, in a world.

    Parameters
    ----------
    layer
        What is placed.
    seed
        The world's.
    domain
        Where there is a world at all; None for everywhere.
    earlier
        What has been placed before, of other layers.
    clearances
        How far to keep off those.
    size
        The size class, if the layer has any.
    larger
        The larger size classes of the layer.
    """

    def __init__(
        self,
        layer: Layer,
        seed: hashing.Seed,
        domain: Bounds | None,
        earlier: Sequence[Growth],
        clearances: Clearances,
        size: Size | None = None,
        larger: Sequence[Growth] = (),
    ) -> None:
        self.layer = layer
        self.seed = hashing.key(seed, "layer", layer.name)
        self.table: tuple[Species, ...] = tuple(layer.species)
        self.factor = 1.0 if size is None else size.factor
        self._domain = domain
        self._size = size
        self._points_seed = self.seed if size is None else hashing.key(self.seed, "size", len(larger))
        self._patches: list[tuple[Bounds, Stand]] = []
        # what the layer keeps off, and the part of it that all of its species keep off
        self.off: list[tuple[Growth, Kept]] = []
        for other in larger:
            self.off.append((other, self._kept_by_sibling(other)))
        by_all, by_some = self._kept_by_others(earlier, clearances)
        by_all += [kept for _, kept in self.off[: len(larger)]]
        self.kept = [(other, kept) for other, kept in self.off if kept in by_all]

        self._mixture = Mixture(layer, self.seed, keeps_each(by_some) if any(by_some) else None)
        spacing = spacing_of(layer, self._mixture)
        self._own = spacing.times(self.factor)
        wide = self._own if size is None else self._own.times(1 / math.sqrt(size.cover))
        self._spacing = wide if layer.soft is None else wide.times(layer.soft.core)
        self._rules: list[Rule] = [*layer.rules]
        clumped = None if layer.clumps is None else Clumped(layer.clumps, self.seed)
        if clumped is not None:
            self._rules.append(clumped)
        if spacing.thinner is not None:
            self._rules.append(spacing.thinner)

        # The sampler keeps off discs faster than a rule does; where radii vary, by the larger of two radii only.
        varies = callable(self._spacing.radius)
        in_sampler = [kept for kept in by_all if not varies or kept.least >= self._spacing.range[1]]
        self._blockers = blockers(in_sampler, alone=not varies)
        self._masks = [kept.standing for kept in by_all if kept not in in_sampler]
        self._asked = [kept.standing for _, kept in self.off if kept not in in_sampler]
        if clumped is not None:
            self._asked.append(clumped.parents)

    @property
    def asked_beyond(self) -> float:
        """Metres beyond a window within which places are asked about; rarely beyond that too."""
        low, high = self._spacing.range
        beyond = ASKED_BEYOND * high
        if callable(self._spacing.radius):
            top = low * 2 ** (Radius(self._spacing.radius, low, high).classes - 1)
            beyond = high + (HALO_VARIED + 5) / math.sqrt(2) * top
        return beyond if self.layer.soft is None else beyond + HALO * high / self.layer.soft.core

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that a place must meet: the layer's own, its clumps, what thins it, and that a species fits."""
        return (*self._rules, self._mixture) if self._mixture.limits else tuple(self._rules)

    def radius(self, x: Array, y: Array) -> Array:
        """Return the spacing radius that an instance would have at places, shape (n,)."""
        return self._own.at(x, y)

    def spacing(self, x: Array, y: Array) -> Array:
        """Return the radius that candidates are spaced by at places, shape (n,): what `candidates` fills."""
        return self._spacing.at(x, y)

    @property
    def widest(self) -> float:
        """The largest radius that candidates are spaced by."""
        return self._spacing.range[1]

    def find(self, box: Bounds, threads: int | None = 1, keep: bool = True) -> Stand:
        """Return all instances that stand in a box; ``keep`` what was found, for who asks again."""
        for known, stand in list(self._patches):  # a copy: other threads may add to it
            if known.holds(box):
                return stand.inside(box)
        seen = box if self._domain is None else self._domain.intersection(box)
        if seen is not None:
            asked = seen.grown(self.asked_beyond)
            if self._domain is not None:  # nobody asks beyond it
                asked = self._domain.intersection(asked) or asked
            for standing in self._asked:
                standing.prepare(asked)
        stand = self._stand(box, threads)
        if keep:
            self._patches.append((box, stand))
        return stand

    def scale(self, species: NDArray[np.uint16], ids: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the size factors of instances, shape (n,), as they are written."""
        low, high = self.factor * np.array([one.scale for one in self.table]).T
        scale: Array = low[species] + (high - low)[species] * hashing.unit(ids, self.seed, "scale")
        return scale.astype(np.float32)

    # -- what it keeps off ------------------------------------------------------------------------

    def _kept_by_sibling(self, other: Growth) -> Kept:
        """Return the discs that a larger size class keeps free: half the sum of the radii."""
        part = (self.factor + other.factor) / (2 * other.factor)
        low, high = other._own.range
        return Kept(other.find, lambda stand: part * stand.radius, part * low, part * high)

    def _kept_by_other(self, other: Growth, distances: Sequence[float], scaled: bool) -> Kept:
        """Return the discs that an earlier layer keeps free, a distance for each of its species."""
        by_species = np.array(distances)
        if not scaled:
            positive = [distance for distance in distances if distance > 0]
            return Kept(other.find, lambda stand: by_species[stand.species], min(positive), max(positive))
        ends = [
            other.factor * distance * end
            for distance, one in zip(distances, other.table, strict=True)
            for end in one.scale
            if distance > 0
        ]
        return Kept(
            other.find,
            lambda stand: by_species[stand.species] * other.scale(stand.species, stand.id),
            min(ends),
            max(ends),
        )

    def _kept_by_others(self, earlier: Sequence[Growth], clearances: Clearances) -> tuple[list[Kept], list[list[Kept]]]:
        """Return what all species keep off, and what each of them keeps off where they differ; note them all."""
        by_all: list[Kept] = []
        by_some: list[list[Kept]] = [[] for _ in self.table]
        for other in earlier:
            distances = [
                tuple(clearances.between(self.layer, new, other.layer, old) for old in other.table)
                for new in self.table
            ]
            made = {
                each: self._kept_by_other(other, each, clearances.scaled)
                for each in dict.fromkeys(distances)
                if max(each) > 0
            }
            self.off += [(other, kept) for kept in made.values()]
            if len(set(distances)) == 1:
                by_all += made.values()
                continue
            for own, each in zip(by_some, distances, strict=True):
                own += [made[each]] if each in made else []
        return by_all, by_some

    # -- its own instances ------------------------------------------------------------------------

    def _stand(self, window: Bounds, threads: int | None) -> Stand:
        seen = window if self._domain is None else self._domain.intersection(window)
        if seen is None:
            return Stand.empty()
        soft = self.layer.soft
        try:
            if soft is None:
                points = self.candidates(seen, threads)
            else:
                points = soften(
                    soft,
                    lambda box: self.candidates(box, threads),
                    seen,
                    self._domain,
                    self._spacing.range[1] / soft.core,
                    self.seed,
                )
        except InputError as error:
            text = str(error)
            own = f"layer {self.layer.name!r}: "
            raise InputError(text if text.startswith(own) else own + text) from error
        xy, ids = points.xy, points.id
        radius = points.radius
        if self._rules:
            stays = hashing.unit(ids, self.seed, "share") < share(self._rules, xy[:, 0], xy[:, 1])
            xy, ids, radius = xy[stays], ids[stays], radius[stays]
        if self._size is not None:
            radius = self.radius(xy[:, 0], xy[:, 1])
        return Stand(xy, radius, ids, self._mixture.species(xy[:, 0], xy[:, 1], ids))

    def candidates(self, box: Bounds, threads: int | None = 1) -> PointSet:
        """Return the points of a box before soft spacing and chance have thinned them."""
        limited = self._masks or self.rules
        radius = self._spacing.radius
        return poisson_disk(
            self._domain,
            radius,
            seed=self._points_seed,
            radius_range=self._spacing.range if callable(radius) else None,
            allowed=self._allowed if limited else None,
            blockers=self._blockers,
            window=box,
            threads=threads,
        )

    def _allowed(self, x: Array, y: Array) -> NDArray[np.bool_]:
        free = np.ones(x.shape, np.bool_)
        for standing in self._masks:
            free &= ~standing.near(x, y)
        rules = self.rules
        if rules and free.all():
            free = share(rules, x, y) > 0.0
        elif rules:
            free[free] = share(rules, x[free], y[free]) > 0.0
        return free
