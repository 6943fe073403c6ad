"""Points of space as a user asks for them: the three-dimensional half of `weald.poisson_disk`."""

from __future__ import annotations

import numpy as np

from weald import hashing
from weald.errors import InputError
from weald.geometry import SpaceBounds, SpaceBoundsLike
from weald.hashing import Seed
from weald.sampling.asked import check_threads, diameter, positive, refuse_if_too_large
from weald.sampling.lattice import Lattice
from weald.sampling.mask import AllowedInSpace, ask
from weald.sampling.natural import Edge
from weald.sampling.pointset import SpacePoints
from weald.sampling.single import safe_ends
from weald.sampling.volume.block import EVERYWHERE, Block, Whole
from weald.sampling.volume.sampler import Rules, sample


def points_of_space(
    bounds: SpaceBoundsLike | None,
    radius: float,
    seed: Seed | None,
    allowed: AllowedInSpace | None,
    edge: Edge,
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
    radius = positive("radius", radius)
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "poisson_disk", "space")
    seen = domain if wanted is None else wanted if domain is None else domain.intersection(wanted)
    if seen is None:
        return SpacePoints(np.empty((0, 3)), np.empty(0), np.empty(0, np.uint64), seed)
    refuse_if_too_large(seen.size, radius, sure=allowed is None or edge == "natural")
    natural = edge == "natural"
    fits = radius if domain is None or natural else min(radius, diameter(domain.size))
    lattice = Lattice.for_radius(fits, dimension=3)
    view = _block(lattice, seen, "bounds" if wanted is None else "window")
    if domain is not None:  # what rounds to float32 outside is left out, if that is next to nothing
        x, y, z = safe_ends(domain.low, domain.high, radius)
        domain = SpaceBounds((x[0], y[0], z[0]), (x[1], y[1], z[1]))
    if natural:
        xyz, ids = sample(Rules(lattice, key, EVERYWHERE, None), view, threads)
        stays = np.ones(len(xyz), np.bool_)
        if domain is not None:
            stays &= ((xyz >= domain.low) & (xyz < domain.high)).all(axis=1)
        if allowed is not None and stays.any():
            stays[stays] = ask(allowed, *xyz[stays].T)
        xyz, ids = xyz[stays], ids[stays]
    else:
        xyz, ids = sample(Rules(lattice, key, _block(lattice, domain), allowed), view, threads)
    return SpacePoints(xyz, np.broadcast_to(radius, len(xyz)), ids, seed, bounds=seen)


def _block(lattice: Lattice, box: SpaceBounds | None, name: str = "bounds") -> Block:
    """Return a box as places; ``name`` is what an error calls it."""
    if box is None:
        return EVERYWHERE
    low, high = (_places(lattice, end, name) for end in (box.low, box.high))
    return Block(low, high)


def _places(lattice: Lattice, end: tuple[float, float, float], name: str) -> Whole:
    return lattice.ceil(end[0], name), lattice.ceil(end[1], name), lattice.ceil(end[2], name)
