"""Points whose radii vary: the classes of radius one after the other, the larger first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.exact import diagonal
from weald.geometry import Bounds
from weald.sampling.classes import Radius, RadiusClass
from weald.sampling.extent import Extent
from weald.sampling.fixed import Blockers, Discs, Known
from weald.sampling.lattice import REACH, Lattice
from weald.sampling.limits import WIDER
from weald.sampling.mask import Allowed, ask
from weald.sampling.neighbours import Neighbours
from weald.sampling.plane import EVERYWHERE, HALO_VARIED, Rules, sample

Found = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint64]]
"""Coordinates, radii and ids."""


def sample_varying(
    radius: Radius,
    key: int,
    domain: Bounds | None,
    window: Bounds,
    allowed: Allowed | None,
    blockers: Blockers | None,
    threads: int | None,
) -> Found:
    """Return the points in a window, class after class, the larger first."""
    if domain is not None:  # a radius beyond the domain's diameter acts like one that is just beyond
        widest = 1.001 * diagonal(domain.size)
        low, high = min(radius.low, widest), min(radius.high, widest)
    else:
        low, high = radius.low, radius.high
    clamped = Radius(radius.function, low, high)
    base = Lattice.for_radius(low)
    if blockers is not None and clamped != radius:  # they know of no diameter
        allowed = _clear_of(blockers, radius, domain, allowed)

    # each class is asked about a little beyond the window of the next smaller one
    margins = [0.0]
    for number in range(clamped.classes - 1):
        cell = base.enlarged(number).cell
        margins.append(margins[-1] + (HALO_VARIED + REACH + 2) * cell + high)

    larger: list[Known] = [] if blockers is None else [Known(blockers.find, blockers.most, keep=False)]
    parts: list[Found] = []
    for number in reversed(range(clamped.classes)):
        of_class = RadiusClass(clamped, number, base, domain, hashing.key(key, "probe"))
        finder = _Finder(of_class, key, domain, allowed, tuple(larger))
        view = _grown(window, margins[number])
        xy, radii, ids = finder.points(view, threads)
        known = Known(finder.discs, high)
        known.know(view, (xy, radii))
        larger.append(known)
        inside = window.contains(xy[:, 0], xy[:, 1])
        parts.append((xy[inside], radii[inside], ids[inside]))
    xy = np.concatenate([part[0] for part in parts])
    ids = np.concatenate([part[2] for part in parts])
    radii = np.concatenate([part[1] for part in parts])
    if clamped != radius:  # what is reported goes beyond the diameter of the domain
        radii = radius.of(xy)
    return xy, radii, ids


def _clear_of(blockers: Blockers, radius: Radius, domain: Bounds | None, allowed: Allowed | None) -> Allowed:
    """Return a rule that also keeps points off blockers by their own radii, however far beyond the domain that is."""
    assert domain is not None
    xy, _ = blockers.find(domain.grown(WIDER * radius.high))
    index = Neighbours(xy, diagonal(domain.size))

    def clear(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        free = np.ones(x.shape, np.bool_) if allowed is None else ask(allowed, x.copy(), y.copy()).copy()
        free[free] = index.nearest(x[free], y[free])[1] >= radius(x[free], y[free])
        return free

    return clear


class _Finder:
    """The points of one class, in any window."""

    def __init__(
        self,
        of_class: RadiusClass,
        key: int,
        domain: Bounds | None,
        allowed: Allowed | None,
        larger: tuple[Known, ...],
    ) -> None:
        self._class = of_class
        self._lattice = of_class.lattice
        self._rules = Rules(
            self._lattice,
            hashing.key(key, "class", of_class.number),
            extent(self._lattice, domain),
            allowed,
            radius=of_class,
            fixed=larger,
        )

    def points(self, window: Bounds, threads: int | None) -> Found:
        """Return the points of the class in a window."""
        xy, ids = sample(self._rules, extent(self._lattice, window), threads)
        return xy, self._class.radius.of(xy), ids

    def discs(self, window: Bounds) -> Discs:
        """Return them as discs, from a thread that is one of many already."""
        xy, radius, _ = self.points(window, 1)
        return xy, radius


def extent(lattice: Lattice, box: Bounds | None, name: str = "bounds") -> Extent:
    """Return a box as places; ``name`` is what an error calls it."""
    if box is None:
        return EVERYWHERE
    xmin, ymin, xmax, ymax = (lattice.ceil(side, name) for side in (box.xmin, box.ymin, box.xmax, box.ymax))
    return Extent(xmin, ymin, xmax, ymax)


def _grown(box: Bounds, by: float) -> Bounds:
    return Bounds(box.xmin - by, box.ymin - by, box.xmax + by, box.ymax + by)
