"""Clumps: instances gather around hidden middles, as offspring do around parents.

After Neyman and Scott, "Statistical approach to problems of cosmology" (1958), with parents that keep their
distance. The share of places that may carry something is a pure function of the place: it falls from the middle of
a clump to its edge, so the spacing between instances is kept as ever.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.numbers import is_number, pair
from weald.sampling.poisson import poisson_disk
from weald.scatter.standing import Standing

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Clumps:
    """Gather instances around hidden middles.

    Parameters
    ----------
    spacing
        Least distance between two middles, in metres.
    radius
        Of a clump of usual size, in metres: from its middle, where all places may carry something, to where none may.
    between
        Share of the places outside all clumps that may carry something: 0 to 1.
    vary
        Smallest and largest size of a clump, as a factor of ``radius``; each clump draws its own.

    >>> Clumps(spacing=30, radius=12)
    Clumps(spacing=30, radius=12, between=0.0, vary=(0.5, 1.5))
    """

    spacing: float
    radius: float
    between: float = 0.0
    vary: tuple[float, float] = (0.5, 1.5)

    def __post_init__(self) -> None:
        for name in ("spacing", "radius"):
            value = getattr(self, name)
            if not (is_number(value) and value > 0):
                raise InputError(f"clumps: {name} is {value}; give a finite number of metres above 0")
        if not (is_number(self.between) and 0 <= self.between <= 1):
            raise InputError(f"clumps: between is {self.between}; give a share from 0 to 1")
        low, high = pair(self.vary)
        if not 0 < low <= high < math.inf:
            raise InputError(f"clumps: vary is {self.vary}; give 0 < smallest <= largest, both finite")


class Clumped:
    """The rule of clumps under a seed: the share of places that may carry something."""

    text = "clumps"

    def __init__(self, clumps: Clumps, seed: hashing.Seed) -> None:
        self._clumps = clumps
        self._seed = hashing.key(seed, "clumps")
        self.parents = Standing(self._find, clumps.radius * clumps.vary[1])

    def share(self, x: Array, y: Array) -> Array:
        """Return the share at places, x and y of shape (n,)."""
        between = self._clumps.between
        share: Array = between + (1.0 - between) * self.parents.bump(x, y)
        return share

    def _find(self, box: Bounds) -> tuple[Array, Array]:
        middles = poisson_disk(None, self._clumps.spacing, seed=self._seed, window=box, threads=1)
        low, high = self._clumps.vary
        return middles.xy, self._clumps.radius * (low + (high - low) * hashing.unit(middles.id, self._seed, "size"))
