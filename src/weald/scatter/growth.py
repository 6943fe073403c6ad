"""One layer, or one size class of it, in the making: which of its instances stand in a box, for any box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
from weald.scatter.mixture import Fits, Mixture
from weald.scatter.rules import Rule, share
from weald.scatter.soft import HALO, soften
from weald.scatter.spacing import spacing_of
from weald.scatter.species import Species
from weald.scatter.standing import Find, Standing

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stand:
    """What stands in a box: places, spacing radii, ids, and numbers of species, one entry an instance."""

    xy: Array
    radius: Array
    id: NDArray[np.uint64]
    species: NDArray[np.uint16]

    def inside(self, box: Bounds) -> Stand:
        """Return the part that stands in a box."""
        inside = box.contains(self.xy[:, 0], self.xy[:, 1])
        if inside.all():
            return self
        return Stand(self.xy[inside], self.radius[inside], self.id[inside], self.species[inside])


class Growth:
    """A layer, or one size class of it, in a world.

    Parameters
    ----------
    layer
        What is placed.
    seed
        The world's.
    domain
        Where there is a world at all.
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
        domain: Bounds,
        earlier: Sequence[Growth],
        clearances: Clearances,
        size: Size | None = None,
        larger: Sequence[Growth] = (),
    ) -> None:
        self.layer = layer
        self.seed = hashing.key(seed, "layer", layer.name)
        self.table: tuple[Species, ...] = tuple(layer.species)
        self.factor = 1.0 if size is None else size.factor
        self.off: list[tuple[Growth, Standing]] = []
        self._domain = domain
        self._size = size
        self._points_seed = self.seed if size is None else hashing.key(self.seed, "size", len(larger))
        self._patches: list[tuple[Bounds, Stand]] = []
        self._all_keep = [self._from_sibling(other) for other in larger]
        groups = self._keep_off(earlier, clearances)
        self._mixture = Mixture(layer, self.seed, self._fits(groups) if groups else None)
        spacing = spacing_of(layer, self._mixture)
        self._own = spacing.times(self.factor)
        wide = self._own if size is None else self._own.times(1 / math.sqrt(size.cover))
        self._spacing = wide if layer.soft is None else wide.times(layer.soft.core)
        self._rules: list[Rule] = [*layer.rules]
        if layer.clumps is not None:
            self._rules.append(Clumped(layer.clumps, self.seed))
        if spacing.thinner is not None:
            self._rules.append(spacing.thinner)

    @property
    def asked_beyond(self) -> float:
        """Metres beyond a window within which places are asked about; rarely beyond that too."""
        low, high = self._spacing.range
        beyond = ASKED_BEYOND * high
        if callable(self._spacing.radius):
            top = low * 2 ** (Radius(self._spacing.radius, low, high).classes - 1)
            beyond = high + (HALO_VARIED + 5) / math.sqrt(2) * top
        return beyond if self.layer.soft is None else beyond + HALO * high / self.layer.soft.core

    def find(self, box: Bounds, threads: int | None = 1, keep: bool = True) -> Stand:
        """Return all instances that stand in a box; ``keep`` what was found, for who asks again."""
        for known, stand in list(self._patches):  # a copy: other threads may add to it
            if known.holds(box):
                return stand.inside(box)
        if self._domain.intersection(box) is not None:
            for _, standing in self.off:
                standing.prepare(box.grown(self.asked_beyond))
        stand = self._stand(box, threads)
        if keep:
            self._patches.append((box, stand))
        return stand

    def scale(self, species: NDArray[np.uint16], ids: NDArray[np.uint64]) -> Array:
        """Return the size factors of instances, shape (n,)."""
        low, high = self.factor * np.array([one.scale for one in self.table]).T
        scale: Array = low[species] + (high - low)[species] * hashing.unit(ids, self.seed, "scale")
        return scale

    # -- what it keeps off ------------------------------------------------------------------------

    def _from_sibling(self, other: Growth) -> Standing:
        """Return the discs that a larger size class keeps free: half the sum of the radii."""
        part = (self.factor + other.factor) / (2 * other.factor)

        def discs(box: Bounds) -> tuple[Array, Array]:
            stand = other.find(box)
            return stand.xy, part * stand.radius

        return self._standing(other, discs, part * other._own.range[1])

    def _from_other(self, other: Growth, distances: Sequence[float], scaled: bool) -> Standing:
        """Return the discs that an earlier layer keeps free, a distance for each of its species."""
        by_species = np.array(distances)

        def discs(box: Bounds) -> tuple[Array, Array]:
            stand = other.find(box)
            reach = by_species[stand.species]
            return stand.xy, reach * other.scale(stand.species, stand.id) if scaled else reach

        most = max(distances)
        if scaled:
            most = other.factor * max(d * s.scale[1] for d, s in zip(distances, other.table, strict=True))
        return self._standing(other, discs, most)

    def _standing(self, other: Growth, discs: Find, most: float) -> Standing:
        standing = Standing(discs, most)
        self.off.append((other, standing))
        return standing

    def _keep_off(self, earlier: Sequence[Growth], clearances: Clearances) -> list[list[Standing]]:
        """Note what all species keep off; return, if they differ, what each of them keeps off by itself."""
        each: list[list[Standing]] = [[] for _ in self.table]
        for other in earlier:
            by_new = [
                tuple(clearances.between(self.layer, new, other.layer, old) for old in other.table)
                for new in self.table
            ]
            made = {
                distances: self._from_other(other, distances, clearances.scaled)
                for distances in dict.fromkeys(by_new)
                if max(distances) > 0
            }
            if len(set(by_new)) == 1:
                self._all_keep += made.values()
                continue
            for own, distances in zip(each, by_new, strict=True):
                own += [made[distances]] if distances in made else []
        return each if any(each) else []

    def _fits(self, each: list[list[Standing]]) -> Fits:
        def fits(x: Array, y: Array) -> NDArray[np.bool_]:
            answers: dict[int, NDArray[np.bool_]] = {}
            result = np.ones((len(each), len(x)), np.bool_)
            for row, standings in zip(result, each, strict=True):
                for standing in standings:
                    if id(standing) not in answers:
                        answers[id(standing)] = ~standing.near(x, y)
                    row &= answers[id(standing)]
            return result

        return fits

    # -- its own instances ------------------------------------------------------------------------

    def _stand(self, window: Bounds, threads: int | None) -> Stand:
        seen = self._domain.intersection(window)
        if seen is None:
            return Stand(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), np.empty(0, np.uint16))
        soft = self.layer.soft
        try:
            if soft is None:
                points = self._candidates(seen, threads)
            else:
                points = soften(
                    soft,
                    lambda box: self._candidates(box, threads),
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
            own_radius, limits = self._own.radius, self._own.range
            radius = (
                np.clip(own_radius(xy[:, 0], xy[:, 1]), *limits)
                if callable(own_radius)
                else np.full(len(xy), own_radius)
            )
        return Stand(xy, radius, ids, self._mixture.species(xy[:, 0], xy[:, 1], ids))

    def _candidates(self, box: Bounds, threads: int | None) -> PointSet:
        limited = self._all_keep or self._rules or self._mixture.limits
        radius = self._spacing.radius
        return poisson_disk(
            self._domain,
            radius,
            seed=self._points_seed,
            radius_range=self._spacing.range if callable(radius) else None,
            allowed=self._allowed if limited else None,
            window=box,
            threads=threads,
        )

    def _allowed(self, x: Array, y: Array) -> NDArray[np.bool_]:
        free = np.ones(x.shape, np.bool_)
        for standing in self._all_keep:
            free &= ~standing.near(x, y)
        rules = [*self._rules, self._mixture] if self._mixture.limits else self._rules
        if rules:
            everywhere = free.all()
            free[free] = (share(rules, x, y) if everywhere else share(rules, x[free], y[free])) > 0.0
        return free
