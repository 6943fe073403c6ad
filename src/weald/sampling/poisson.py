"""`poisson_disk`: blue-noise points, exactly spaced, with no gap left, the same in any window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike, SpaceBounds, SpaceBoundsLike
from weald.hashing import Seed
from weald.numbers import floats, number
from weald.sampling.asked import check_threads, diameter, positive, refuse_if_too_large
from weald.sampling.classes import Radius, RadiusFunction
from weald.sampling.extent import Extent
from weald.sampling.fixed import Blockers, Discs, Known
from weald.sampling.lattice import Lattice
from weald.sampling.limits import RADII, SPREAD, check_blockers
from weald.sampling.mask import Allowed, AllowedInSpace, ask
from weald.sampling.natural import Edge, check_edge, check_radii, everywhere
from weald.sampling.plane import Rules, sample
from weald.sampling.pointset import PointSet, SpacePoints
from weald.sampling.single import safe_ends
from weald.sampling.torus import sample_torus
from weald.sampling.varying import extent, sample_varying
from weald.sampling.volume.points import points_of_space


class Shape(Protocol):
    """A domain that is not a box: what `weald.inside` returns, for instance."""

    @property
    def bounds(self) -> Bounds:
        """A box around it."""

    def __call__(self, x: NDArray[np.float64], y: NDArray[np.float64], /) -> NDArray[np.bool_]:
        """Return which places lie inside."""


# Six numbers are a sequence of numbers too, so types alone cannot tell space from the plane.
@overload
def poisson_disk(  # type: ignore[overload-overlap]
    bounds: SpaceBoundsLike,
    radius: float,
    *,
    seed: Seed | None,
    allowed: AllowedInSpace | None = None,
    edge: Edge = "fill",
    window: SpaceBoundsLike | None = None,
    threads: int | None = None,
) -> SpacePoints: ...


@overload
def poisson_disk(  # type: ignore[overload-overlap]
    bounds: None,
    radius: float,
    *,
    seed: Seed | None,
    allowed: AllowedInSpace | None = None,
    edge: Edge = "fill",
    window: SpaceBoundsLike,
    threads: int | None = None,
) -> SpacePoints: ...


@overload
def poisson_disk(
    bounds: BoundsLike | Shape | None,
    radius: float | RadiusFunction,
    *,
    seed: Seed | None,
    radius_range: tuple[float, float] | None = None,
    allowed: Allowed | None = None,
    blockers: tuple[ArrayLike, ArrayLike] | PointSet | Blockers | None = None,
    periodic: bool | Literal["x", "y"] = False,
    edge: Edge = "fill",
    window: BoundsLike | None = None,
    threads: int | None = None,
) -> PointSet: ...


def poisson_disk(
    bounds: BoundsLike | SpaceBoundsLike | Shape | None,
    radius: float | RadiusFunction,
    *,
    seed: Seed | None,
    radius_range: tuple[float, float] | None = None,
    allowed: Allowed | AllowedInSpace | None = None,
    blockers: tuple[ArrayLike, ArrayLike] | PointSet | Blockers | None = None,
    periodic: bool | Literal["x", "y"] = False,
    edge: Edge = "fill",
    window: BoundsLike | SpaceBoundsLike | None = None,
    threads: int | None = None,
) -> PointSet | SpacePoints:
    """Return points at least ``radius`` apart, so dense that nothing more fits.

    The points are those of random dart throwing carried to its end: unbiased, about 0.7 points a
    square radius. They are a pure function of the arguments but for ``window`` and ``threads``:
    a smaller window returns exactly the points of a larger one that lie in it.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open: lower edges belong to it. Or a
        shape, such as ``weald.inside(polygon)``. Or a box of space, ``(xmin, ymin, zmin, xmax, ymax,
        zmax)``: then ``radius`` is a number, ``allowed`` takes x, y and z, and there are no blockers
        and no ``periodic``, for now. ``None`` is the whole plane, or all of space; then ``window`` is
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
        PointSet; or `weald.sampling.fixed.Blockers`, which are found when asked about. New points keep
        off a blocker by the larger of its radius and their own. Blockers may stand anywhere, as close
        to each other as they like, with radii from 0 to 1e100 m, and are not returned.
    periodic
        Whether the domain is a tile that repeats: along both axes, or along ``"x"`` or ``"y"`` alone.
        Points then keep their distance across its edges too. ``radius`` and ``allowed`` are asked inside
        the tile alone, and blockers are repeated with it. A side that repeats must be at least three radii long;
        below ten there is a warning. With a function as radius it must be 13 of the largest.
    edge
        What happens along the edges of domain and mask. ``"fill"``: points stand on allowed ground until no more
        fit; along every edge, where nothing competes from beyond, they crowd: 3.5 times as dense in the first
        tenth of a radius. ``"natural"``: points are those of the whole plane that happen to stand on allowed ground, as
        dense at an edge as inside. Then ``allowed`` is asked about points alone, and moves none; there are no
        ``blockers`` and no ``periodic``; and a radius function is asked at the nearest place of the domain beyond it.
    window
        The part of the domain that is wanted now; ``None`` is all of it.
    threads
        How many threads to use; ``None`` is one a core. The result is the same for any number.

    Returns
    -------
    PointSet
        ``.xy`` float64 (n, 2), ``.radius`` float64 (n,), ``.id`` uint64 (n,). In space, SpacePoints
        with ``.xyz`` float64 (n, 3) instead. ``.float32(origin)`` gives coordinates in float32 that are
        still inside the bounds.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Notes
    -----
    *Spacing* is exact: for any two points the distance computed in float64 is at least ``radius``,
    with no tolerance, wherever the lattice reaches: about 1e9 radii from the origin.

    *Maximality* is proved by the computation, not sampled. Points live on a lattice of pitch
    below ``radius / 92000``. Without a mask, no place of the lattice inside the domain is left
    that would take another point, so no hole of the plane is wider than ``radius * (1 + 2**-16)``.
    What would round to float32 outside the domain counts as outside, if it is a strip of less than
    ``radius / 1024`` along an edge; see `PointSet.float32`.
    With a mask, the same holds where the ground is allowed throughout a neighbourhood. Along the edge of
    a mask, boxes of a side of ``radius / 23`` or less are given up when the place that was tried in
    them is forbidden; and cells of side ``radius / 1.45`` are taken for forbidden where four tries in
    them and in each neighbour, or four and then sixteen in them, all miss.

    *Space*: about 0.73 points a cubed radius. All of the above holds with other numbers; for them, and for what
    is given up along a mask, see `weald.sampling.volume`.

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
    >>> poisson_disk((0, 0, 0, 20, 20, 20), 4.0, seed=42).xyz.shape
    (131, 3)
    """
    check_edge(edge)
    if SpaceBounds.fits(bounds) or SpaceBounds.fits(window):
        for name, value in [("radius_range", radius_range), ("blockers", blockers)]:
            if value is not None:
                raise InputError(f"{name}: works in the plane only, for now; bounds of six numbers go without")
        if periodic is not False:
            raise InputError("periodic: works in the plane only, for now; bounds of six numbers go without")
        return points_of_space(bounds, radius, seed, allowed, edge, window, threads)  # type: ignore[arg-type]
    domain, allowed = _domain(bounds, allowed)  # type: ignore[arg-type]
    wanted = None if window is None else Bounds.of(window, "window")  # type: ignore[arg-type]
    if domain is None and wanted is None:
        raise InputError("window: bounds is None, the whole plane; give the window that is wanted now")
    if allowed is not None and not callable(allowed):
        raise InputError(
            f"allowed: got {type(allowed).__name__}; give a function of (x, y) that returns booleans, such as "
            "weald.inside(polygon), or weald.raster(grid, array) > 0"
        )
    check_threads(threads)
    axes = _axes(periodic, domain)
    if edge == "natural" and periodic is not False:
        raise InputError('periodic: a tile has no edge where it repeats; leave out edge="natural"')
    if edge == "natural" and blockers is not None:
        raise InputError(
            'blockers: with edge="natural" points grow without them; take away what is too near afterwards'
        )
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "poisson_disk")
    discs = _blockers(blockers)
    varying = Radius(radius, *_range(radius, radius_range)) if callable(radius) else None
    if varying is None and radius_range is not None:
        raise InputError(f"radius_range: got {radius_range!r}, but radius is a number; give a range for functions only")
    if np.ndim(given := np.asarray(radius, object)):
        raise InputError(
            f"radius: got an array of shape {given.shape}; give a number of metres above 0, or a function of (x, y), "
            "such as weald.raster(grid, array)"
        )
    size = positive("radius", radius) if varying is None else varying.high
    asked = domain if wanted is None else wanted if domain is None else domain.intersection(wanted)
    seen = asked
    if seen is not None and isinstance(box := getattr(allowed, "bounds", None), Bounds):
        seen = seen.intersection(box)
    if seen is None:
        return PointSet(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), seed, bounds=asked)
    refuse_if_too_large(seen.size, size, sure=edge == "natural" or (allowed is None and discs is None))
    if isinstance(discs, Blockers) and (axes != (False, False) or (discs.alone and varying is not None)):
        raise InputError(
            "blockers: Blockers go with a domain that does not repeat, and `alone` with a number as radius; "
            "give coordinates and radii"
        )
    if axes != (False, False):
        assert domain is not None
        assert not isinstance(discs, Blockers)
        xy, radii, ids = sample_torus(domain, varying or size, axes, key, allowed, discs, seen, threads)
        return PointSet(xy, radii, ids, seed, bounds=asked)

    least = size if varying is None else varying.low
    if edge == "natural":
        return _natural(domain, allowed, varying or size, key, seed, asked, seen, threads)
    lattice = Lattice.for_radius(least if domain is None else min(least, diameter(domain.size)))
    if domain is not None:  # what rounds to float32 outside is left out, if that is next to nothing
        (xmin, xmax), (ymin, ymax) = safe_ends((domain.xmin, domain.ymin), (domain.xmax, domain.ymax), least)
        domain = Bounds(xmin, ymin, xmax, ymax)
        seen = seen.intersection(domain)
    view = Extent(0, 0, 0, 0) if seen is None else extent(lattice, seen, "bounds" if wanted is None else "window")
    if seen is None or view.empty:
        return PointSet(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), seed, bounds=asked)
    if discs is not None and not isinstance(discs, Blockers):
        discs = Blockers.of(discs)
    if varying is not None:
        xy, radii, ids = sample_varying(varying, key, domain, seen, allowed, discs, threads)
        return PointSet(xy, radii, ids, seed, bounds=asked)
    rules = Rules(lattice, key, extent(lattice, domain), allowed)
    if discs is not None:
        if domain is not None and size > diameter(domain.size) and not discs.alone:
            discs = discs.at_least(size)  # they may stand further away than the domain is wide
        rules = replace(rules, fixed=(Known(discs.find, discs.most, keep=False),), fixed_alone=discs.alone)
    xy, ids = sample(rules, view, threads)
    return PointSet(xy, np.broadcast_to(size, len(xy)), ids, seed, bounds=asked)


def _natural(
    domain: Bounds | None,
    allowed: Allowed | None,
    radius: float | Radius,
    key: int,
    seed: Seed,
    asked: Bounds | None,
    seen: Bounds,
    threads: int | None,
) -> PointSet:
    """Return the points of the plane that stand in a window, in the domain and on allowed ground."""
    varying = radius if isinstance(radius, Radius) else None
    least = radius if not isinstance(radius, Radius) else radius.low
    part: Bounds | None = seen
    if domain is not None:  # as below: what rounds to float32 outside is left out
        (xmin, xmax), (ymin, ymax) = safe_ends((domain.xmin, domain.ymin), (domain.xmax, domain.ymax), least)
        part = seen.intersection(Bounds(xmin, ymin, xmax, ymax))
    if part is None:
        return PointSet(np.empty((0, 2)), np.empty(0), np.empty(0, np.uint64), seed, bounds=asked)
    if varying is None:
        lattice = Lattice.for_radius(least)
        view = extent(lattice, part, "window")
        xy, ids = sample(Rules(lattice, key, extent(lattice, None), None), view, threads)
        radii = np.broadcast_to(least, len(xy))
    else:
        function = varying.function
        grown = replace(varying, function=lambda x, y: everywhere(function, x, y, domain, varying.high))
        xy, radii, ids = sample_varying(grown, key, None, part, None, None, threads)
    if allowed is not None and len(xy):
        stays = ask(allowed, xy[:, 0], xy[:, 1])
        xy, radii, ids = xy[stays], radii[stays], ids[stays]
    if varying is not None:
        check_radii(varying.function, xy[:, 0], xy[:, 1], radii, varying.high)
    return PointSet(xy, radii, ids, seed, bounds=asked)


def _axes(periodic: object, domain: Bounds | None) -> tuple[bool, bool]:
    """Return along which axes the domain repeats."""
    choices = {False: (False, False), True: (True, True), "x": (True, False), "y": (False, True)}
    axes = choices.get(periodic) if isinstance(periodic, (bool, str)) else None
    if axes is None:
        raise InputError(f"periodic: got {periodic!r}; give True, False, 'x' or 'y'")
    if periodic is not False and domain is None:
        raise InputError("periodic: bounds is None, the whole plane; give the tile that repeats")
    return axes


def _blockers(blockers: tuple[ArrayLike, ArrayLike] | PointSet | Blockers | None) -> Discs | Blockers | None:
    if blockers is None or isinstance(blockers, Blockers):
        return blockers
    try:
        places, sizes = (blockers.xy, blockers.radius) if isinstance(blockers, PointSet) else blockers
        found, radii = floats(places), floats(sizes)
        if found is None or radii is None:
            raise TypeError
        xy, radius = found.reshape(-1, 2), np.broadcast_to(radii, len(found.reshape(-1, 2)))
    except (TypeError, ValueError):
        raise InputError(
            f"blockers: got {type(blockers).__name__}; give (xy, radius) with xy of shape (m, 2) and radius of "
            "shape (m,) or one number, or a PointSet"
        ) from None
    check_blockers(xy, radius)
    return xy, radius


def _range(radius: RadiusFunction, radius_range: tuple[float, float] | None) -> tuple[float, float]:
    """Return the range of a varying radius: as given, or as a Field states it."""
    given = getattr(radius, "range", None) if radius_range is None else radius_range
    if given is None:
        raise InputError("radius_range: radius is a function; give its smallest and largest value")
    listed = list(given) if isinstance(given, Sequence) or (isinstance(given, np.ndarray) and given.ndim) else []
    ends = [number(value) for value in listed]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        raise InputError(f"radius_range: got {given!r}; give the smallest and the largest radius")
    low, high = ends[0], ends[1]
    if not (RADII[0] <= low <= high <= RADII[1]):
        raise InputError(f"radius_range: got ({low}, {high}); give 0 < smallest <= largest, both finite")
    if high / low > SPREAD:
        raise InputError(f"radius_range: ({low}, {high}) spans a factor of {high / low:g}; give at most {SPREAD}")
    return low, high


def _domain(bounds: BoundsLike | Shape | None, allowed: Allowed | None) -> tuple[Bounds | None, Allowed | None]:
    """Return the box of a domain, and with a shape what is allowed inside it."""
    if bounds is None:
        return None, allowed
    if hasattr(bounds, "geom_type"):
        raise InputError("bounds: got a shapely geometry; give weald.inside(geometry)")
    if (given := floats(bounds)) is not None and given.ndim == 2 and len(given) > 2:
        raise InputError(f"bounds: got {len(given)} places; a polygon is weald.inside(places)")
    if isinstance(bounds, Bounds) or not callable(bounds):
        return Bounds.of(bounds), allowed
    shape = bounds
    if not isinstance(getattr(shape, "bounds", None), Bounds):
        raise InputError(
            f"bounds: got {type(shape).__name__}; give (xmin, ymin, xmax, ymax), or a shape with bounds, such as "
            "weald.inside(polygon)"
        )
    if not callable(allowed):
        return shape.bounds, shape if allowed is None else allowed  # what is no function is refused by the caller
    also = allowed

    def both(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        inside = np.array(shape(x.copy(), y.copy()), np.bool_)
        inside[inside] = ask(also, x[inside], y[inside])
        return inside

    return shape.bounds, both
