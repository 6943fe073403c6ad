"""Points of space as a user asks for them: the three-dimensional half of `weald.poisson_disk`."""

from __future__ import annotations

import numpy as np

from weald import hashing
from weald.errors import InputError
from weald.geometry import SpaceBounds, SpaceBoundsLike
from weald.hashing import Seed
from weald.sampling.asked import check_threads, diameter, refuse_if_too_large, spacing
from weald.sampling.lattice import Lattice
from weald.sampling.mask import AllowedInSpace
from weald.sampling.pointset import SpacePoints
from weald.sampling.volume.block import EVERYWHERE, Block, Whole
from weald.sampling.volume.sampler import Rules, sample


def points_of_space(
    bounds: SpaceBoundsLike | None,
    radius: float,
    seed: Seed | None,
    allowed: AllowedInSpace | None,
    window: SpaceBoundsLike | None,
    threads: int | None,
) -> SpacePoints:
    """Return points of space at least ``radius`` apart, with room for no other; see `weald.poisson_disk`."""
    domain = None if bounds is None else SpaceBounds.of(bounds)
    wanted = None if window is None else SpaceBounds.of(window, "window")
    if callable(radius):
        raise InputError("radius: a function works in the plane only, for now; give a number of metres")
    if allowed is not None and not callable(allowed):
        raise InputError(f"allowed: got {type(allowed).__name__}; give a function of (x, y, z) that returns booleans")
    check_threads(threads)
    radius = spacing(radius)
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "poisson_disk", "space")
    seen = domain if wanted is None else wanted if domain is None else domain.intersection(wanted)
    if seen is None:
        return SpacePoints(np.empty((0, 3)), np.empty(0), np.empty(0, np.uint64), seed)
    refuse_if_too_large(seen.size, radius, sure=allowed is None)
    lattice = Lattice.for_radius(radius if domain is None else min(radius, diameter(domain.size)), dimension=3)
    rules = Rules(lattice, key, _block(lattice, domain), allowed)
    xyz, ids = sample(rules, _block(lattice, seen), threads)
    return SpacePoints(xyz, np.broadcast_to(radius, len(xyz)), ids, seed)


def _block(lattice: Lattice, box: SpaceBounds | None) -> Block:
    """Return a box as places."""
    if box is None:
        return EVERYWHERE
    low, high = (_places(lattice, end) for end in (box.low, box.high))
    return Block(low, high)


def _places(lattice: Lattice, end: tuple[float, float, float]) -> Whole:
    return lattice.ceil(end[0]), lattice.ceil(end[1]), lattice.ceil(end[2])
