"""`white_noise`: independent uniform points, with the clumps and holes that chance makes."""

from __future__ import annotations

import numpy as np

from weald import hashing
from weald.geometry import Bounds, BoundsLike
from weald.hashing import Seed
from weald.sampling.pointset import PointSet
from weald.sampling.textbook.box import Box, whole
from weald.sampling.textbook.stream import stream


def white_noise(bounds: BoundsLike, count: int, *, seed: Seed | None) -> PointSet:
    """Return ``count`` points, each anywhere in the domain, whatever the others do.

    For comparison. There is no spacing: most points have a neighbour nearer than half the mean
    distance of a grid, and the widest hole grows, in such distances, with the count. `poisson_disk`
    has neither fault.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open.
    count
        Number of points, 0 or more.
    seed
        Any integer or string. ``None`` draws one; the result's ``seed`` tells which.

    Returns
    -------
    PointSet
        With radius 0, as no distance is kept. The first k points are those of ``count=k``. Ids are
        hashes of the points' numbers in that order.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> points = white_noise((0, 0, 100, 100), 500, seed=1)
    >>> len(points), bool((points.xy[:20] == white_noise((0, 0, 100, 100), 20, seed=1).xy).all())
    (500, True)
    """
    box = Box.of_plane(bounds)
    count = whole("count", count, 0)
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "white_noise")
    xy = box.places(stream(key), count)[:, :2].copy()
    return PointSet(
        xy, np.zeros(count), hashing.mix_array(np.arange(count, dtype=np.uint64), key), seed, bounds=Bounds.of(bounds)
    )
