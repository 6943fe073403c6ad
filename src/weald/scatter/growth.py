"""One layer, or one size class of it, in the making: which of its instances stand in a box, for any box."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling.asked import SATURATION
from weald.sampling.classes import Radius
from weald.sampling.natural import check_radii
from weald.sampling.plane import ASKED_BEYOND, HALO_VARIED
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.sampling.single import safe_ends
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumped
from weald.scatter.layer import Layer, Size
from weald.scatter.mixture import Mixture
from weald.scatter.rules import Rule, Share, share, within
from weald.scatter.soft import HALO, soften
from weald.scatter.spacing import spacing_of
from weald.scatter.species import Species
from weald.scatter.stand import MARGIN, Kept, Stand, blockers, keeps_each

Array = NDArray[np.float64]


class Growth:
    """A layer, or one size class of it, in a world.

    With natural edges the layer is *grown* first, all its size classes, on the plane without end; then it is *cut* by
    the domain, the rules and what earlier layers keep free. With filled edges all of that is asked in the sampler.

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
    per_square
        How many instances of the layer, of all sizes, stand in a square radius: what turns a density into a radius.
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
        per_square: float = SATURATION,
    ) -> None:
        self.layer = layer
        self.seed = hashing.key(seed, "layer", layer.name)
        self.table: tuple[Species, ...] = tuple(layer.species)
        self.factor = 1.0 if size is None else size.factor
        self._natural = layer.edge == "natural"
        self.domain = domain
        self._size = size
        self._points_seed = self.seed if size is None else hashing.key(self.seed, "size", len(larger))
        self._patches: list[tuple[Bounds, Stand]] = []
        self._grown: list[tuple[Bounds, Stand]] = []
        self._smaller: list[tuple[Growth, Kept]] = []
        # what the layer keeps off, and the part of it that all of its species keep off
        self.off: list[tuple[Growth, Kept]] = []
        siblings = [self._kept_by_sibling(other) for other in larger]
        self.off += zip(larger, siblings, strict=True)
        by_all, by_some = self._kept_by_others(earlier, clearances)
        self.kept = [(other, kept) for other, kept in self.off if kept in by_all or kept in siblings]
        for other, kept in zip(larger, siblings, strict=True):
            other._smaller.append((self, kept))

        self._mixture = Mixture(layer, self.seed, keeps_each(by_some) if any(by_some) else None, domain)
        spacing = spacing_of(layer, self._mixture, domain, per_square)
        self._own = spacing.times(self.factor)
        wide = self._own if size is None else self._own.times(1 / math.sqrt(size.cover))
        self._spacing = wide if layer.soft is None else wide.times(layer.soft.core)
        self._rules: list[Rule] = [*layer.rules]
        if not callable(layer.cover) and layer.cover == 0:
            self._rules.append(Share(lambda x, y: np.zeros(x.shape), text="a cover of 0"))
        clumped = None if layer.clumps is None else Clumped(layer.clumps, self.seed)
        if clumped is not None:
            self._rules.append(clumped)
        if spacing.thinner is not None:
            self._rules.append(spacing.thinner)

        # The sampler keeps off discs faster than a rule does; where radii vary, by the larger of two radii only.
        varies = callable(self._spacing.radius)
        in_growth = siblings if self._natural else siblings + by_all
        in_sampler = [kept for kept in in_growth if not varies or kept.least >= self._spacing.range[1]]
        self._blockers = blockers(in_sampler, alone=not varies)
        self._masks = [kept.standing for kept in in_growth if kept not in in_sampler]
        self._cuts = [kept.standing for kept in by_all if kept not in in_growth]
        self.siblings = siblings
        beforehand = in_growth if self._natural else in_sampler
        self._asked = [kept.standing for _, kept in self.off if kept not in beforehand]
        if clumped is not None:
            self._asked.append(clumped.parents)
        self._inside = domain
        if domain is not None:  # as the sampler does: what rounds to float32 outside is left out
            ends = safe_ends((domain.xmin, domain.ymin), (domain.xmax, domain.ymax), self._spacing.range[0])
            (xmin, xmax), (ymin, ymax) = ends
            self._inside = Bounds(xmin, ymin, xmax, ymax)

    @property
    def asked_beyond(self) -> float:
        """Metres beyond a window within which places are asked about; rarely beyond that too."""
        low, high = self._spacing.range
        beyond = ASKED_BEYOND * high
        if callable(self._spacing.radius):
            top = low * 2 ** (Radius(self._spacing.radius, low, high).classes - 1)
            beyond = high + (HALO_VARIED + 5) / math.sqrt(2) * top
        return beyond if self.layer.soft is None else beyond + HALO * high / self.layer.soft.core

    def margin(self, kept: Kept) -> float:
        """Return metres beyond a window within which what the layer keeps off must be known, if it has to be cut."""
        if self._natural:
            return 0.0 if kept in self.siblings else MARGIN * kept.most
        return self.asked_beyond + MARGIN * kept.most

    @functools.cached_property
    def _grown_beyond(self) -> float:
        """Metres beyond a window within which smaller size classes ask what has grown."""
        return max(
            (one.asked_beyond + one._grown_beyond + MARGIN * kept.most for one, kept in self._smaller), default=0.0
        )

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
        seen = box if self._inside is None else self._inside.intersection(box)
        seen = within(self._rules, seen)
        stand = Stand.empty() if seen is None else self._stand(seen, threads)
        if keep:
            self._patches.append((box, stand))
        return stand

    def scale(self, species: NDArray[np.uint16], ids: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the size factors of instances, shape (n,), as they are written."""
        low, high = self.factor * np.array([one.scale for one in self.table]).T
        scale: Array = low[species] + (high - low)[species] * hashing.unit(ids, self.seed, "scale")
        return scale.astype(np.float32)

    @property
    def settled(self) -> Growth:
        """The growth that explains what stands: itself, unless instances are counted."""
        return self

    # -- what it keeps off ------------------------------------------------------------------------

    def _kept_by_sibling(self, other: Growth) -> Kept:
        """Return the discs that a larger size class keeps free: half the sum of the radii."""
        part = (self.factor + other.factor) / (2 * other.factor)
        low, high = other._own.range
        find = other.grow if self._natural else other.find
        return Kept(find, lambda stand: part * stand.radius, part * low, part * high)

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
        """Return what stands in a window that lies in the domain."""
        if self._natural:
            for standing in self._asked:
                standing.prepare(window)
            grown = self.grow(window.grown(self._grown_beyond) if self._smaller else window, threads).inside(window)
            stays = self._uncut(grown)
        else:
            asked = window.grown(self.asked_beyond)
            if self.domain is not None:  # nobody asks beyond it
                asked = self.domain.intersection(asked) or asked
            for standing in self._asked:
                standing.prepare(asked)
            grown = self._grow(window, threads)
            stays = self._unthinned(grown)
        if not stays.all():
            grown = Stand(grown.xy[stays], grown.radius[stays], grown.id[stays], grown.species[stays])
        species = self._mixture.species(grown.xy[:, 0], grown.xy[:, 1], grown.id)
        return Stand(grown.xy, grown.radius, grown.id, species)

    def _unthinned(self, stand: Stand) -> NDArray[np.bool_]:
        """Return which instances chance leaves."""
        if not self._rules:
            return np.ones(len(stand.id), np.bool_)
        return hashing.unit(stand.id, self.seed, "share") < share(self._rules, stand.xy[:, 0], stand.xy[:, 1])

    def _uncut(self, stand: Stand) -> NDArray[np.bool_]:
        """Return which instances stand on ground that is theirs, and are left by chance."""
        stays = self._unthinned(stand)
        x, y = stand.xy.T
        for standing in self._cuts:
            stays[stays] = ~standing.near(x[stays], y[stays])
        if self._mixture.limits:
            stays[stays] = self._mixture.share(x[stays], y[stays]) > 0.0
        if callable(self.layer.radius):
            spacing = self._spacing if self._size is None else self._own
            try:
                check_radii(self.layer.radius, x[stays], y[stays], stand.radius[stays], spacing.range[1])
            except InputError as error:
                raise InputError(f"layer {self.layer.name!r}: {error}") from error
        return stays

    def grow(self, box: Bounds, threads: int | None = 1) -> Stand:
        """Return what has grown in a box before it is cut, of no species yet; kept for who asks again."""
        for known, stand in list(self._grown):  # a copy: other threads may add to it
            if known.holds(box):
                return stand.inside(box)
        for standing in self._masks:
            standing.prepare(box.grown(self.asked_beyond))
        stand = self._grow(box, threads)
        if self._smaller:
            self._grown.append((box, stand))
        return stand

    def _grow(self, box: Bounds, threads: int | None) -> Stand:
        soft = self.layer.soft
        try:
            if soft is None:
                points = self.candidates(box, threads)
            else:
                points = soften(
                    soft,
                    lambda wider: self.candidates(wider, threads),
                    box,
                    None if self._natural else self.domain,
                    self._spacing.range[1] / soft.core,
                    self.seed,
                )
        except InputError as error:
            text = str(error)
            own = f"layer {self.layer.name!r}: "
            raise InputError(text if text.startswith(own) else own + text) from error
        radius = points.radius
        if self._size is not None:
            radius = self.radius(points.xy[:, 0], points.xy[:, 1])
        return Stand(points.xy, radius, points.id, np.zeros(len(points), np.uint16))

    def candidates(self, box: Bounds, threads: int | None = 1) -> PointSet:
        """Return the points of a box before soft spacing, chance and cuts have thinned them."""
        limited = self._masks or (self.rules and not self._natural)
        radius = self._spacing.radius
        return poisson_disk(
            None if self._natural else self.domain,
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
        rules = () if self._natural else self.rules
        if rules and free.all():
            free = share(rules, x, y) > 0.0
        elif rules:
            free[free] = share(rules, x[free], y[free]) > 0.0
        return free


def size_classes(
    layer: Layer,
    seed: hashing.Seed,
    domain: Bounds | None,
    earlier: Sequence[Growth],
    clearances: Clearances,
    per_square: float = SATURATION,
    make: Callable[..., Growth] = Growth,
) -> list[Growth]:
    """Return what is in the making of a layer: one, or one for each of its sizes, the largest first."""
    classes: list[Growth] = []
    for size in sorted(layer.sizes, key=lambda size: -size.factor) or (None,):
        classes.append(make(layer, seed, domain, earlier, clearances, size, list(classes), per_square))
    return classes
