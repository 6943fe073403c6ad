"""`dart_throwing`: uniform darts; one that lands too near to an earlier point is thrown away."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald import hashing
from weald.geometry import Bounds, BoundsLike
from weald.hashing import Seed
from weald.sampling.asked import positive
from weald.sampling.mask import Allowed, ask
from weald.sampling.pointset import PointSet
from weald.sampling.textbook.box import Box, callable_or_none, whole
from weald.sampling.textbook.grid import Array, Grid, accept, fits
from weald.sampling.textbook.stream import stream

_BATCHES = (1 << 10, 1 << 16)


def dart_throwing(
    bounds: BoundsLike,
    radius: float,
    *,
    seed: Seed | None,
    max_failures: int = 1000,
    allowed: Allowed | None = None,
) -> PointSet:
    """Throw uniform darts, keep those at least ``radius`` from all kept before, and stop when they keep missing.

    The purest of the methods: its points are unbiased, and any seed tells the same story. What it
    lacks is an end. Gaps get rarer with every dart but never go, most darts near the end are
    wasted, and what is kept depends on the order of all darts, so the domain cannot be computed in
    parts. `poisson_disk` carries the same process to its true end, and in any window.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open.
    radius
        Least distance between two points, in metres; exact in float64. A radius larger than the
        domain gives one point.
    seed
        Any integer or string. ``None`` draws one; the result's ``seed`` tells which.
    max_failures
        Stop after so many misses in a row. A dart on forbidden ground is a miss.
    allowed
        A function of two float64 arrays ``x`` and ``y``, shape (k,), that returns which of these
        places may hold a point. It is asked about whole batches of darts. ``None`` allows every place.

    Returns
    -------
    PointSet
        In the order of acceptance. Ids are hashes of the numbers of their darts.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Notes
    -----
    Cook, "Stochastic sampling in computer graphics" (1986). The textbook compares each dart with
    all points; here with those of the 5 x 5 cells around it (see `weald.sampling.textbook.grid`),
    which gives the same points.

    Examples
    --------
    >>> points = dart_throwing((0, 0, 100, 100), 4.0, seed=42)
    >>> len(points), bool(points.radius[0] == 4.0)
    (402, True)
    """
    radius = positive("radius", radius)
    box = Box.of_plane(bounds)
    max_failures = whole("max_failures", max_failures, 1, 1 << 40)
    callable_or_none(allowed)
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "dart_throwing")

    grid = Grid(box, radius)
    darts, number = stream(key), np.empty(len(grid.points), np.uint64)
    count, failures, thrown, batch = 0, 0, 0, _BATCHES[0]
    while failures < max_failures:
        places = box.places(darts, batch)
        x, y, _ = places.T
        open_to = np.ones(batch, np.bool_) if allowed is None else ask(allowed, x.copy(), y.copy())
        count, failures = _throw(
            places, open_to, thrown, count, failures, max_failures,
            grid.points, grid.holder, box.first, grid.cell, grid.limit, number,
        )  # fmt: skip
        thrown += batch
        batch = min(2 * batch, _BATCHES[1])
    xy = grid.points[:count, :2].copy()
    return PointSet(xy, np.full(count, radius), hashing.mix_array(number[:count], key), seed, bounds=Bounds.of(bounds))


@njit(cache=True, nogil=True, error_model="numpy")
def _throw(
    places: Array,
    allowed: NDArray[np.bool_],
    thrown: int,
    count: int,
    failures: int,
    max_failures: int,
    points: Array,
    holder: NDArray[np.int32],
    low: Array,
    cell: float,
    limit: float,
    number: NDArray[np.uint64],
) -> tuple[int, int]:  # pragma: no cover - compiled
    """Throw a batch of darts; return the number of points and of misses in a row."""
    for dart in range(len(places)):
        x, y, z = places[dart, 0], places[dart, 1], places[dart, 2]
        if allowed[dart] and fits(x, y, z, points, holder, low, cell, limit):
            accept(x, y, z, count, points, holder, low, cell)
            number[count] = thrown + dart
            count += 1
            failures = 0
        else:
            failures += 1
            if failures >= max_failures:
                break
    return count, failures
