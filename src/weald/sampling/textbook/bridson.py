"""`bridson` and `bridson_3d`: points grow from a first one, each next to one that stands already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from weald import geometry, hashing
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.hashing import GOLDEN, Seed, mix
from weald.numbers import floats
from weald.sampling.asked import positive
from weald.sampling.mask import Allowed, AllowedInSpace, ask
from weald.sampling.pointset import PointSet, SpacePoints
from weald.sampling.textbook.box import Box, SpaceBounds, callable_or_none, whole
from weald.sampling.textbook.grid import Array, Grid, accept, fits
from weald.sampling.textbook.stream import next_below, next_unit, stream

First: TypeAlias = Literal["random", "centre"] | Sequence[float] | NDArray[np.float64]
_Ask: TypeAlias = Callable[[Array], NDArray[np.bool_]]

_REDRAWS = 32
"""Tries to hit the part of the ring that lies in the domain, a candidate; above half of them do."""
_FIRST_TRIES = 1 << 16


def bridson(
    bounds: BoundsLike,
    radius: float,
    *,
    seed: Seed | None,
    candidates: int = 30,
    first: First = "random",
    allowed: Allowed | None = None,
) -> PointSet:
    """Grow points from a first one: a random active point proposes candidates around it until none fits.

    The best known of the methods, and quick. What it lacks: it leaves gaps (about 0.62 points a
    square radius at 30 candidates, where nothing more fits at about 0.70); what stands at a place
    depends on the first point and every pick since, so the domain cannot be computed in parts;
    and it does not cross forbidden ground wider than ``2 * radius``, so areas behind a river stay
    bare. `poisson_disk` has none of these limits.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open.
    radius
        Least distance between two points, in metres; exact in float64. A radius larger than the
        domain gives one point.
    seed
        Any integer or string. ``None`` draws one; the result's ``seed`` tells which.
    candidates
        How many places an active point proposes before it is retired. With fewer than 10, growth
        can die out where the domain is only a few radii wide.
    first
        The first point: ``"random"``, ``"centre"``, or a place ``(x, y)`` of the domain.
    allowed
        A function of two float64 arrays ``x`` and ``y``, shape (k,), that returns which of these
        places may hold a point. It is asked about the candidates of one active point at a time, those
        that fit. ``None`` allows every place. If 65536 random places are all forbidden, there is
        no first point and the result is empty.

    Returns
    -------
    PointSet
        In the order of acceptance. Ids are hashes of the points' numbers in that order.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Notes
    -----
    Bridson, "Fast Poisson disk sampling in arbitrary dimensions" (2007). Points are kept in cells of
    side ``radius / sqrt(2)``, at most one a cell, and the 5 x 5 cells around a candidate are
    searched. The active point is picked at random, not last in, and is removed by moving the last
    into its place. Candidates are uniform *by area* in the ring from ``radius`` to ``2 * radius``: the
    distance is not uniform, outer circles being longer. The textbook takes the square root of a
    number between the two squares; here places of the square around the ring are drawn until one is
    in the ring, which is the same distribution with no sine whose last bit differs between
    machines. The ring is cut to the domain, so points along the edge get all their candidates; the
    textbook's first point, in a corner, would waste three quarters of them.

    Examples
    --------
    >>> points = bridson((0, 0, 100, 100), 4.0, seed=42)
    >>> len(points), bridson((0, 0, 100, 100), 4.0, seed=42, first=(3, 50)).xy[0].tolist()
    (394, [3.0, 50.0])
    """
    box = Box.of_plane(bounds)
    callable_or_none(allowed)
    rule = None if allowed is None else lambda p: ask(allowed, p[:, 0].copy(), p[:, 1].copy())
    xyz, radii, ids, seed = _run(box, radius, seed, candidates, first, rule, "bridson")
    return PointSet(np.ascontiguousarray(xyz[:, :2]), radii, ids, seed, bounds=Bounds.of(bounds))


def bridson_3d(
    bounds: SpaceBounds,
    radius: float,
    *,
    seed: Seed | None,
    candidates: int = 30,
    first: First = "random",
    allowed: AllowedInSpace | None = None,
) -> SpacePoints:
    """Grow points in a box of space; see `bridson` for the method, its limits and its parameters.

    Cells have side ``radius / sqrt(3)``, 5 x 5 x 5 of them are searched, and candidates are uniform
    *by volume* in the shell from ``radius`` to ``2 * radius``.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, zmin, xmax, ymax, zmax)`` in metres, half-open.
    radius, seed, candidates
        As for `bridson`.
    first
        ``"random"``, ``"centre"``, or a place ``(x, y, z)`` of the domain.
    allowed
        A function of three float64 arrays ``x``, ``y`` and ``z``, shape (k,).

    Returns
    -------
    SpacePoints
        ``.xyz`` float64 (n, 3), ``.radius`` float64 (n,), ``.id`` uint64 (n,).

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> stars = bridson_3d((0, 0, 0, 10, 10, 10), 2.0, seed=42)
    >>> stars.xyz.shape
    (100, 3)
    """
    box = Box.of_space(bounds)
    callable_or_none(allowed)

    def rule(p: Array) -> NDArray[np.bool_]:
        assert allowed is not None
        return ask(allowed, *np.ascontiguousarray(p.T))

    found = _run(box, radius, seed, candidates, first, None if allowed is None else rule, "bridson_3d")
    return SpacePoints(*found, bounds=geometry.SpaceBounds.of(bounds))  # type: ignore[arg-type]


def _run(
    box: Box, radius: float, seed: Seed | None, candidates: int, first: First, rule: _Ask | None, name: str
) -> tuple[Array, Array, NDArray[np.uint64], Seed]:
    radius = positive("radius", radius)
    candidates = whole("candidates", candidates, 1, 1 << 20)
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, name)
    start = _first(box, first, rule, hashing.key(seed, name, "first"))
    grid = Grid(box, radius)
    if start is None:
        return np.empty((0, 3)), np.empty(0), np.empty(0, np.uint64), seed
    accept(start[0], start[1], start[2], 0, grid.points, grid.holder, box.first, grid.cell)
    count = _grow(box, grid, radius, candidates, np.uint64(key), rule)
    ids = hashing.mix_array(np.arange(count, dtype=np.uint64), key)
    return grid.points[:count].copy(), np.full(count, radius), ids, seed


def _first(box: Box, first: First, rule: _Ask | None, key: int) -> Array | None:
    """Return the first point, shape (3,); None if no allowed place is found."""
    if isinstance(first, str) and first == "random":
        state = stream(key)
        for tries in (1, _FIRST_TRIES):
            places = box.places(state, tries)
            good = np.ones(tries, np.bool_) if rule is None else rule(places)
            if good.any():
                place: Array = places[np.argmax(good)]
                return place
        return None
    place = np.zeros(3)
    place[: box.dimension] = _given(box, first)
    if rule is not None and not rule(place[None])[0]:
        raise InputError(f"first: {place[: box.dimension].tolist()} is not allowed ground; give a place that is")
    return place


def _given(box: Box, first: First) -> Array:
    low, high = box.first[: box.dimension], box.last[: box.dimension]
    if isinstance(first, str) and first == "centre":
        return low + (high - low) / 2
    place = floats(first)
    if place is None or place.shape != low.shape or not np.isfinite(place).all():
        raise InputError(f"first: got {first!r}; give 'random', 'centre', or {box.dimension} finite coordinates")
    if (place < low).any() or (place > high).any():
        raise InputError(f"first: {place.tolist()} is outside the bounds; give a place from {low} to {high}")
    return place


def _grow(box: Box, grid: Grid, radius: float, candidates: int, key: np.uint64, rule: _Ask | None) -> int:
    """Grow until no point is active; return the number of points."""
    ends = box.first, box.last, box.dimension, radius, grid.limit
    store = grid.points, grid.holder, grid.cell
    active = np.zeros(len(grid.points), np.int32)
    if rule is None:
        return _grow_freely(key, candidates, *ends, *store, active)
    found = np.empty((candidates, 3))
    count, alive, step = 1, 1, 0
    while alive:
        picked, n = _propose(key, step, candidates, active, alive, *ends, *store, found, candidates)
        good = rule(found[:n]) if n else np.zeros(0, np.bool_)
        if good.any():
            x, y, z = found[np.argmax(good)]
            accept(x, y, z, count, grid.points, grid.holder, box.first, grid.cell)
            active[alive] = count
            count, alive = count + 1, alive + 1
        else:
            alive -= 1
            active[picked] = active[alive]
        step += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _grow_freely(
    key: Any, candidates: int, first: Array, last: Array, dimension: int, radius: float, limit: float,
    points: Array, holder: NDArray[np.int32], cell: float, active: NDArray[np.int32],
) -> int:  # pragma: no cover - compiled  # fmt: skip
    """Grow where every place is allowed, so that the first candidate that fits is taken."""
    found = np.empty((1, 3))
    count, alive, step = 1, 1, 0
    while alive > 0:
        picked, n = _propose(
            key, step, candidates, active, alive, first, last, dimension, radius, limit, points, holder, cell, found, 1
        )
        if n > 0:
            accept(found[0, 0], found[0, 1], found[0, 2], count, points, holder, first, cell)
            active[alive] = count
            count += 1
            alive += 1
        else:
            alive -= 1
            active[picked] = active[alive]
        step += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _propose(
    key: Any, step: int, candidates: int, active: NDArray[np.int32], alive: int,
    first: Array, last: Array, dimension: int, radius: float, limit: float,
    points: Array, holder: NDArray[np.int32], cell: float, found: Array, most: int,
) -> tuple[int, int]:  # pragma: no cover - compiled  # fmt: skip
    """Pick an active point and find those of its candidates that fit, at most ``most``.

    Returns the place of the point in ``active`` and how many were found. The numbers of each step are a
    stream of their own, so it does not matter to the next step how many were drawn.
    """
    state = np.empty(1, np.uint64)
    state[0] = mix(uint64(key) + uint64(step + 1) * uint64(GOLDEN))
    picked = next_below(state, alive)
    parent = active[picked]
    place, low, width = np.zeros(3), np.zeros(3), np.zeros(3)
    for axis in range(dimension):
        low[axis] = max(first[axis], points[parent, axis] - 2.0 * radius)
        width[axis] = min(last[axis], points[parent, axis] + 2.0 * radius) - low[axis]
    n = 0
    for _candidate in range(candidates):
        for _redraw in range(_REDRAWS):
            square = 0.0
            for axis in range(dimension):
                place[axis] = min(low[axis] + next_unit(state) * width[axis], last[axis])
                away = place[axis] - points[parent, axis]
                square += away * away
            if limit <= square < 4.0 * limit:
                if fits(place[0], place[1], place[2], points, holder, first, cell, limit):
                    found[n] = place
                    n += 1
                break
        if n == most:
            break
    return picked, n
