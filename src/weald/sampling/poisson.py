"""`poisson_disk`: blue-noise points, exactly spaced, with no gap left, the same in any window."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.hashing import Seed
from weald.sampling.lattice import Lattice
from weald.sampling.mask import Allowed
from weald.sampling.plane import EVERYWHERE, Extent, Rules, sample
from weald.sampling.pointset import PointSet

SATURATION = 0.6962
"""Points a square radius of a maximal random set: 0.547 (its packing) times 4 / pi."""

_BYTES_A_POINT = 2 * 24  # coordinates and id, once in the parts and once joined
_RADII = (1e-100, 1e100)  # squares of these, and lattices for them, are ordinary float64 numbers


def poisson_disk(
    bounds: BoundsLike | None,
    radius: float,
    *,
    seed: Seed | None,
    allowed: Allowed | None = None,
    window: BoundsLike | None = None,
    threads: int | None = None,
) -> PointSet:
    """Return points at least ``radius`` apart, so dense that nothing more fits.

    The points are those of random dart throwing carried to its end: unbiased, about 0.7 points a
    square radius. They are a pure function of the arguments but for ``window`` and ``threads``:
    a smaller window returns exactly the points of a larger one that lie in it.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open: lower edges belong to it.
        ``None`` is the whole plane; then ``window`` is required.
    radius
        Least distance between two points, in metres.
    seed
        Any integer or string. ``None`` draws one; the result's ``seed`` tells which.
    allowed
        A function of two float64 arrays ``x`` and ``y``, shape (k,), that returns which of these
        places may hold a point: booleans, shape (k,). It must depend on the place alone. It is
        asked from several threads, with batches of places, before a point is set; so points fill
        the allowed ground up to its edge, and islands too. ``None`` allows every place.
    window
        The part of the domain that is wanted now; ``None`` is all of it.
    threads
        How many threads to use; ``None`` is one a core. The result is the same for any number.

    Returns
    -------
    PointSet
        ``.xy`` float64 (n, 2), ``.radius`` float64 (n,), ``.id`` uint64 (n,).

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Notes
    -----
    *Spacing* is exact: for any two points the distance computed in float64 is at least ``radius``,
    with no tolerance, anywhere.

    *Maximality* is proved by the computation, not sampled. Points live on a lattice of pitch
    below ``radius / 92000``. Without a mask, no place of the lattice inside the domain is left
    that would take another point, so no hole of the plane is wider than ``radius * (1 + 2**-16)``.
    With a mask, the same holds where the ground is allowed throughout a neighbourhood. Along the edge of
    a mask, boxes of a side of ``radius / 23`` or less are given up when the place that was tried in
    them is forbidden; and allowed ground that all of 16 tries, spread over a cell of side
    ``radius / 1.46``, miss is taken for forbidden.

    Method: random sequential adsorption of hashed darts; see `weald.sampling.darts` for sources.

    Examples
    --------
    >>> points = poisson_disk((0, 0, 100, 100), 4.0, seed=42)
    >>> len(points), points.xy.shape == (len(points), 2)
    (455, True)
    >>> corner = poisson_disk((0, 0, 100, 100), 4.0, seed=42, window=(0, 0, 20, 20))
    >>> inside = (points.xy < 20).all(axis=1)
    >>> bool((points.xy[inside] == corner.xy).all())
    True
    >>> lake = poisson_disk((0, 0, 100, 100), 4.0, seed=42, allowed=lambda x, y: np.hypot(x - 50, y - 50) > 30)
    >>> len(lake)
    349
    """
    radius = _radius(radius)
    domain = None if bounds is None else Bounds.of(bounds)
    wanted = None if window is None else Bounds.of(window, "window")
    if domain is None and wanted is None:
        raise InputError("window: bounds is None, the whole plane; give the window that is wanted now")
    if allowed is not None and not callable(allowed):
        raise InputError(f"allowed: got {type(allowed).__name__}; give a function of (x, y) that returns booleans")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads: got {threads!r}; give a whole number of at least 1, or None for one a core")
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "poisson_disk")

    seen = domain if wanted is None else wanted if domain is None else domain.intersection(wanted)
    if seen is not None and allowed is None:
        _refuse_if_too_large(seen, radius)
    lattice = Lattice.for_radius(radius if domain is None else min(radius, _diameter(domain)))
    xy, ids = sample(Rules(lattice, key, _extent(lattice, domain), allowed), _extent(lattice, wanted), threads)
    return PointSet(xy, np.broadcast_to(radius, len(xy)), ids, seed)


def _radius(radius: float) -> float:
    try:
        value = float(radius)
    except (TypeError, ValueError):
        raise InputError(f"radius: got {radius!r}; give a number of metres above 0") from None
    if not (math.isfinite(value) and _RADII[0] <= value <= _RADII[1]):
        raise InputError(f"radius: got {value}; give a number of metres above 0 (at least 1e-100, at most 1e100)")
    return value


def _diameter(domain: Bounds) -> float:
    """Return a length above every distance inside the domain: a larger radius changes nothing."""
    return 1.001 * math.hypot(*domain.size)


def _extent(lattice: Lattice, box: Bounds | None) -> Extent:
    if box is None:
        return EVERYWHERE
    return Extent(lattice.ceil(box.xmin), lattice.ceil(box.ymin), lattice.ceil(box.xmax), lattice.ceil(box.ymax))


def _refuse_if_too_large(box: Bounds, radius: float) -> None:
    points = SATURATION * (box.size[0] / radius) * (box.size[1] / radius)
    free = _free_memory()
    if points * _BYTES_A_POINT > free:
        raise InputError(
            f"radius: {radius} in {box.size[0]:g} x {box.size[1]:g} gives about {points:.3g} points, "
            f"which need {points * _BYTES_A_POINT / 2**30:.3g} GiB ({free / 2**30:.3g} GiB are free); "
            "ask for one window after another, or use a larger radius"
        )


def _free_memory() -> float:
    """Return the memory that can be had without swapping, in bytes; unlimited where the system does not say."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
    except OSError:
        pass
    return math.inf
