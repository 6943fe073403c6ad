"""What stands in a box before it is dressed, and the discs around it that something else keeps off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.geometry import Bounds
from weald.sampling.fixed import Blockers
from weald.scatter.standing import Standing

Array = NDArray[np.float64]

MARGIN = 2.01
"""Discs are looked for this multiple of the largest radius beyond the places that are asked about: see `Standing`."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What stands in a box: places, spacing radii, ids, and numbers of species, one entry an instance."""

    xy: Array
    radius: Array
    id: NDArray[np.uint64]
    species: NDArray[np.uint16]

    @classmethod
    def empty(cls) -> Stand:
        """Return a stand of nothing."""
        return cls(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), np.empty(0, np.uint16))

    def inside(self, box: Bounds) -> Stand:
        """Return the part that stands in a box."""
        inside = box.contains(self.xy[:, 0], self.xy[:, 1])
        if inside.all():
            return self
        return Stand(self.xy[inside], self.radius[inside], self.id[inside], self.species[inside])


class Kept:
    """The discs around earlier instances that later ones keep off.

    Parameters
    ----------
    find
        Returns the earlier instances in a box.
    radii
        Returns how far to keep off each of them; 0 for not at all.
    least, most
        Between these lie the radii that are not 0.
    """

    def __init__(
        self, find: Callable[[Bounds], Stand], radii: Callable[[Stand], Array], least: float, most: float
    ) -> None:
        self._find = find
        self.radii = radii
        # a scale in float32 may be rounded up
        self.least, self.most = least, 1.000001 * most
        self.standing = Standing(self.discs, self.most)

    def discs(self, box: Bounds) -> tuple[Array, Array]:
        """Return all discs whose middle lies in a box."""
        stand = self._find(box)
        radii = self.radii(stand)
        wide = radii > 0.0
        return (stand.xy, radii) if wide.all() else (stand.xy[wide], radii[wide])


def blockers(kept: Sequence[Kept], alone: bool) -> Blockers | None:
    """Return discs as the sampler takes them; None if there are none."""
    if not kept:
        return None

    def find(box: Bounds) -> tuple[Array, Array]:
        parts = [one.discs(box) for one in kept]
        return np.concatenate([xy for xy, _ in parts]), np.concatenate([radii for _, radii in parts])

    return Blockers(find, max(one.most for one in kept), alone)


def keeps_each(kept: Sequence[Sequence[Kept]]) -> Callable[[Array, Array], NDArray[np.bool_]]:
    """Return a function that tells for places, (k, n), where each of k species keeps off all that it should."""
    different = list(dict.fromkeys(one for of_species in kept for one in of_species))

    def fits(x: Array, y: Array) -> NDArray[np.bool_]:
        free = {one: ~one.standing.near(x, y) for one in different}
        result = np.ones((len(kept), len(x)), np.bool_)
        for row, of_species in zip(result, kept, strict=True):
            for one in of_species:
                row &= free[one]
        return result

    return fits
