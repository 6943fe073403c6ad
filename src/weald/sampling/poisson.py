"""`poisson_disk`: blue-noise points, exactly spaced, with no gap left, the same in any window."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.hashing import Seed
from weald.sampling.classes import Radius, RadiusFunction
from weald.sampling.fixed import Discs, Known
from weald.sampling.lattice import Lattice
from weald.sampling.mask import Allowed, ask
from weald.sampling.plane import Rules, sample
from weald.sampling.pointset import PointSet
from weald.sampling.torus import sample_torus
from weald.sampling.varying import extent, sample_varying

SATURATION = 0.6962
"""Points a square radius of a maximal random set: 0.547 (its packing) times 4 / pi."""

_MOST_POINTS = 3e10
_BYTES_A_POINT = 2 * 24  # coordinates and id, once in the parts and once joined
_MOST_SPREAD = 4096
_RADII = (1e-100, 1e100)  # squares of these, and lattices for them, are ordinary float64 numbers


class Shape(Protocol):
    """A domain that is not a box: what `weald.inside` returns, for instance."""

    @property
    def bounds(self) -> Bounds:
        """A box around it."""

    def __call__(self, x: NDArray[np.float64], y: NDArray[np.float64], /) -> NDArray[np.bool_]:
        """Return which places lie inside."""


def poisson_disk(
    bounds: BoundsLike | Shape | None,
    radius: float | RadiusFunction,
    *,
    seed: Seed | None,
    radius_range: tuple[float, float] | None = None,
    allowed: Allowed | None = None,
    blockers: tuple[ArrayLike, ArrayLike] | PointSet | None = None,
    periodic: bool | Literal["x", "y"] = False,
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
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open: lower edges belong to it. Or a
        shape, such as ``weald.inside(polygon)``. ``None`` is the whole plane; then ``window`` is
        required.
    radius
        Least distance between two points, in metres: a number, or a function of two float64 arrays
        ``x`` and ``y``, shape (k,), that returns a radius for each place. Two points are at least the
        larger of their radii apart. A Field is such a function.
    radius_range
        Smallest and largest radius, to which a function is clamped; needed with a function, unless
        it is a Field whose range lies above 0.
    seed
        Any integer or string. ``None`` draws one; the result's ``seed`` tells which.
    allowed
        A function of two float64 arrays ``x`` and ``y``, shape (k,), that returns which of these
        places may hold a point: booleans, shape (k,). It must depend on the place alone. It is
        asked from several threads, with batches of places, before a point is set; so points fill
        the allowed ground up to its edge, and islands too. If it has ``bounds``, as
        ``weald.inside(polygon)`` has, nothing is computed outside them, however large the domain.
        ``None`` allows every place.
    blockers
        What stands already: coordinates, shape (m, 2), and radii, shape (m,) or one for all; or a
        PointSet. New points keep off a blocker by the larger of its radius and their own. Blockers
        may stand anywhere, as close to each other as they like, and are not returned.
    periodic
        Whether the domain is a tile that repeats: along both axes, or along ``"x"`` or ``"y"`` alone.
        Points then keep their distance across its edges too. Below ten radii a side there is a
        warning. For now with a number as radius and without blockers.
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
    them is forbidden; and cells of side ``radius / 1.45`` are taken for forbidden where four tries in
    them and in each neighbour, or four and then sixteen in them, all miss.

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
    domain, allowed = _domain(bounds, allowed)
    wanted = None if window is None else Bounds.of(window, "window")
    if domain is None and wanted is None:
        raise InputError("window: bounds is None, the whole plane; give the window that is wanted now")
    if allowed is not None and not callable(allowed):
        raise InputError(f"allowed: got {type(allowed).__name__}; give a function of (x, y) that returns booleans")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads: got {threads!r}; give a whole number of at least 1, or None for one a core")
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "poisson_disk")
    discs = _blockers(blockers)
    seen = domain if wanted is None else wanted if domain is None else domain.intersection(wanted)
    if seen is not None and isinstance(box := getattr(allowed, "bounds", None), Bounds):
        seen = seen.intersection(box)
    if seen is None:
        return PointSet(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), seed)
    if periodic is not False:
        return _periodic(domain, radius, periodic, key, allowed, radius_range, discs, seen, threads, seed)
    if callable(radius):
        varying = Radius(radius, *_range(radius, radius_range))
        _refuse_if_too_large(seen, varying.high, sure=allowed is None and discs is None)
        xy, radii, ids = sample_varying(varying, key, domain, seen, allowed, discs, threads)
        return PointSet(xy, radii, ids, seed)

    if radius_range is not None:
        raise InputError(f"radius_range: got {radius_range!r}, but radius is a number; give a range for functions only")
    radius = _radius(radius)
    _refuse_if_too_large(seen, radius, sure=allowed is None and discs is None)
    lattice = Lattice.for_radius(radius if domain is None else min(radius, _diameter(domain)))
    rules = Rules(lattice, key, extent(lattice, domain), allowed)
    if discs is not None:
        rules = replace(rules, fixed=Known.all(discs), fixed_reach=float(discs[1].max(initial=0.0)))
    xy, ids = sample(rules, extent(lattice, seen), threads)
    return PointSet(xy, np.broadcast_to(radius, len(xy)), ids, seed)


def _periodic(
    domain: Bounds | None,
    radius: float | RadiusFunction,
    periodic: object,
    key: int,
    allowed: Allowed | None,
    radius_range: object,
    blockers: Discs | None,
    window: Bounds,
    threads: int | None,
    seed: Seed,
) -> PointSet:
    axes = {True: (True, True), "x": (True, False), "y": (False, True)}.get(
        periodic if isinstance(periodic, (bool, str)) else ""
    )
    if axes is None:
        raise InputError(f"periodic: got {periodic!r}; give True, False, 'x' or 'y'")
    if domain is None:
        raise InputError("periodic: bounds is None, the whole plane; give the tile that repeats")
    if callable(radius) or radius_range is not None or blockers is not None:
        raise InputError("periodic: goes with a number as radius and without blockers, for now; leave the others out")
    size = _radius(radius)
    _refuse_if_too_large(window, size, sure=allowed is None)
    xy, ids = sample_torus(domain, size, axes, key, allowed, window, threads)
    return PointSet(xy, np.broadcast_to(size, len(xy)), ids, seed)


def _blockers(blockers: tuple[ArrayLike, ArrayLike] | PointSet | None) -> Discs | None:
    if blockers is None:
        return None
    if isinstance(blockers, PointSet):
        return blockers.xy, np.asarray(blockers.radius)
    try:
        places, sizes = blockers
        xy = np.asarray(places, np.float64).reshape(-1, 2)
        radius = np.broadcast_to(np.asarray(sizes, np.float64), len(xy))
    except (TypeError, ValueError):
        raise InputError(
            f"blockers: got {type(blockers).__name__}; give (xy, radius) with xy of shape (m, 2) and radius of "
            "shape (m,) or one number, or a PointSet"
        ) from None
    wrong = ~(np.isfinite(xy).all(axis=1) & np.isfinite(radius) & (radius >= 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InputError(
            f"blockers: number {first} stands at {tuple(xy[first].tolist())} with radius {radius[first]}; "
            "give finite coordinates and radii of 0 or more"
        )
    return xy, radius


def _range(radius: RadiusFunction, radius_range: tuple[float, float] | None) -> tuple[float, float]:
    """Return the range of a varying radius: as given, or as a Field states it."""
    given = getattr(radius, "range", None) if radius_range is None else radius_range
    if given is None:
        raise InputError("radius_range: radius is a function; give its smallest and largest value")
    try:
        low, high = (float(value) for value in given)
    except (TypeError, ValueError):
        raise InputError(f"radius_range: got {given!r}; give the smallest and the largest radius") from None
    if not (_RADII[0] <= low <= high <= _RADII[1]):
        raise InputError(f"radius_range: got ({low}, {high}); give 0 < smallest <= largest, both finite")
    if high / low > _MOST_SPREAD:
        raise InputError(f"radius_range: ({low}, {high}) spans a factor of {high / low:g}; give at most {_MOST_SPREAD}")
    return low, high


def _radius(radius: object) -> float:
    try:
        value = float(radius)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"radius: got {radius!r}; give a number of metres above 0") from None
    if not (math.isfinite(value) and _RADII[0] <= value <= _RADII[1]):
        raise InputError(f"radius: got {value}; give a number of metres above 0 (at least 1e-100, at most 1e100)")
    return value


def _diameter(domain: Bounds) -> float:
    """Return a length above every distance inside the domain: a larger radius changes nothing."""
    return 1.001 * math.hypot(*domain.size)


def _domain(bounds: BoundsLike | Shape | None, allowed: Allowed | None) -> tuple[Bounds | None, Allowed | None]:
    """Return the box of a domain, and with a shape what is allowed inside it."""
    if bounds is None:
        return None, allowed
    if hasattr(bounds, "geom_type"):
        raise InputError("bounds: got a shapely geometry; give weald.inside(geometry)")
    if isinstance(bounds, Bounds) or not callable(bounds):
        return Bounds.of(bounds), allowed
    shape = bounds
    if not callable(allowed):
        return shape.bounds, shape if allowed is None else allowed  # what is no function is refused by the caller
    also = allowed

    def both(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        inside = np.array(shape(x, y), np.bool_)
        inside[inside] = ask(also, x[inside], y[inside])
        return inside

    return shape.bounds, both


def _refuse_if_too_large(box: Bounds, radius: float, sure: bool) -> None:
    """Refuse what cannot fit in memory; or what would take days, where a mask may leave almost nothing."""
    points = SATURATION * (box.size[0] / radius) * (box.size[1] / radius)
    free = _free_memory()
    if sure and points * _BYTES_A_POINT > free:
        raise InputError(
            f"radius: {radius} in {box.size[0]:g} x {box.size[1]:g} gives about {points:.3g} points, "
            f"which need {points * _BYTES_A_POINT / 2**30:.3g} GiB ({free / 2**30:.3g} GiB are free); "
            "ask for one window after another, or use a larger radius"
        )
    if points > _MOST_POINTS:
        raise InputError(
            f"radius: {radius} in {box.size[0]:g} x {box.size[1]:g} has room for about {points:.3g} points, more than "
            f"can be gone through in one call ({_MOST_POINTS:.0e}); ask for one window after another, use a larger "
            "radius, or give an `allowed` that has bounds, such as weald.inside(polygon)"
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
