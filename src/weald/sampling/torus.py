"""The torus: a tile whose points fit at its edges, so that it can be repeated without end.

The world's darts repeat with the tile, and so does what becomes of them; nothing else is needed.
Cells must fit the tile a whole number of times, so they are not quite square, and a place is not quite as
wide as it is high: up to 2 parts in 100,000. Distances are compared with the shorter unit.

A user's functions are asked inside the tile alone, and hold for its copies; blockers are repeated with it. Where
radii vary, the cells of all classes must fit: those of the largest do, and the others' are halves of them.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling import limits
from weald.sampling.classes import Radius, RadiusClass
from weald.sampling.extent import UNBOUNDED, Extent
from weald.sampling.fixed import Discs, Known
from weald.sampling.lattice import PLACES, REACH, Lattice, Metric
from weald.sampling.mask import Allowed
from weald.sampling.plane import Rules, sample
from weald.sampling.varying import Found

Axes = tuple[bool, bool]

_FEWEST_RADII = 3.0
_FEWEST_VARIED = 13.0
"""Largest radii along a side: then cells that fit are so little smaller than they may be that three hold a radius."""
_GOOD_RADII = 10.0
_FAR = 1e300
_ROUNDING = 1e-9
"""Part by which lengths are longer at least, wherever the tile lies."""
_MOVED = 2.0**-4
"""A blocker is not on a place if it is further away from it than this: rounding makes less of a difference."""


def sample_torus(
    bounds: Bounds,
    radius: float | Radius,
    axes: Axes,
    key: int,
    allowed: Allowed | None,
    blockers: Discs | None,
    window: Bounds,
    threads: int | None,
) -> Found:
    """Return coordinates, radii and ids of the points of a tile that repeats along some axes."""
    _check_sides(bounds, radius, axes)
    if isinstance(radius, Radius):
        xy, radii, ids = _varying(bounds, radius, axes, key, allowed, blockers, threads)
    else:
        metric = _checked(_metric(bounds, radius, axes), bounds, axes, blockers, radius)
        units = radius / min(metric.unit)
        conflict = math.ceil(units * units * (1 + max(_ROUNDING, 2.1 * metric.rounding / radius)))
        rules = Rules(
            Lattice(0.0, 0.0, conflict),
            key,
            _domain(bounds, metric),
            allowed,
            torus=metric,
            fixed=_fixed(bounds, metric, blockers),
        )
        xy, ids = sample(rules, _view(bounds, metric, window), threads)
        radii = np.broadcast_to(radius, len(xy))
    inside = window.contains(xy[:, 0], xy[:, 1])
    return xy[inside], radii[inside], ids[inside]


def _varying(
    bounds: Bounds,
    radius: Radius,
    axes: Axes,
    key: int,
    allowed: Allowed | None,
    blockers: Discs | None,
    threads: int | None,
) -> Found:
    """Return the points of the whole tile, class after class, the larger first; see `weald.sampling.varying`."""
    top = radius.classes - 1
    largest = _metric(bounds, radius.low * 2.0**top, axes)
    smallest = _checked(largest.enlarged(-top), bounds, axes, blockers, radius.low)
    largest = smallest.enlarged(top)
    low = bounds.xmin if not axes[0] else -_FAR, bounds.ymin if not axes[1] else -_FAR
    high = bounds.xmax if not axes[0] else _FAR, bounds.ymax if not axes[1] else _FAR
    parts: list[Found] = []
    for number in reversed(range(radius.classes)):
        metric = largest.enlarged(number - top)
        of_class = RadiusClass(
            radius, number, Lattice(0.0, 0.0, 0), Bounds(*low, *high), hashing.key(key, "probe"), smallest
        )
        assert min(metric.side) * (REACH + 1) >= of_class.high
        stand = [part[:2] for part in parts] + ([] if blockers is None else [blockers])
        larger = (np.concatenate([xy for xy, _ in stand]), np.concatenate([r for _, r in stand])) if stand else None
        rules = Rules(
            Lattice(0.0, 0.0, 0),
            hashing.key(key, "class", number),
            _domain(bounds, metric),
            allowed,
            torus=metric,
            radius=of_class,
            fixed=_fixed(bounds, metric, larger),
        )
        xy, ids = sample(rules, _view(bounds, metric, bounds), threads)
        parts.append((xy, radius.of(xy), ids))
    xy, radii, ids = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return xy, radii, ids


def _check_sides(bounds: Bounds, radius: float | Radius, axes: Axes) -> None:
    varied = isinstance(radius, Radius)
    size = radius.high if isinstance(radius, Radius) else radius
    fewest, what = (_FEWEST_VARIED, "of the largest radius") if varied else (_FEWEST_RADII, "radii")
    for name, side, repeats in zip(("x", "y"), bounds.size, axes, strict=True):
        if repeats and side < fewest * size:
            better = "" if varied else f", and better {_GOOD_RADII:g}"
            raise InputError(
                f"periodic: the domain is {side:g} long in {name}, {side / size:.2g} {what}; "
                f"give at least {fewest:g}{better}"
            )
        if repeats and side < _GOOD_RADII * size:
            warnings.warn(
                f"periodic: the domain is only {side / size:.2g} radii long in {name}; "
                f"below {_GOOD_RADII:g} the repetition shows in the pattern",
                stacklevel=4,
            )


def _checked(metric: Metric, bounds: Bounds, axes: Axes, blockers: Discs | None, radius: float) -> Metric:
    """Return a metric whose lengths make up for what coordinates are rounded by; refuse what is too far out."""
    corners = bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax
    limits.check_tile(corners, min(metric.side))
    farthest = max(map(abs, corners)) + max(bounds.size)
    if blockers is not None and len(blockers[0]):
        repeated = blockers[0][:, list(axes)]
        limits.check_repeated(repeated, min(metric.side))
        farthest = max(farthest, float(np.abs(repeated).max()))
    rounding = limits.rounding(farthest)
    return replace(metric, stretch=1.0 + max(_ROUNDING, 1.01 * rounding / radius), rounding=rounding)


def _fixed(bounds: Bounds, metric: Metric, discs: Discs | None) -> tuple[Known, ...]:
    """Return discs, repeated as the tile is.

    They are moved to places first, and their copies by whole places: so all copies stand alike in their tiles.
    """
    if discs is None or len(discs[0]) == 0:
        return ()
    xy, radius = discs
    with np.errstate(over="ignore"):
        exact = (xy - metric.origin) / metric.unit
    place = np.rint(exact)
    with np.errstate(invalid="ignore"):  # of what is infinitely far
        moved = (np.abs(place - exact) > _MOVED).any(axis=1)
    radius = radius + moved * max(metric.unit)
    turns = [float(cell * period) for cell, period in zip(metric.cell, metric.period, strict=True)]

    def find(box: Bounds) -> Discs:
        which: NDArray[np.intp] = np.arange(len(place))
        where = place
        for axis, turn in enumerate(turns):
            if not turn:
                continue
            low, high = ((box.xmin, box.xmax), (box.ymin, box.ymax))[axis]
            low, high = ((end - metric.origin[axis]) / metric.unit[axis] for end in (low, high))
            first = np.ceil((low - where[:, axis]) / turn)
            count = np.maximum(np.floor((high - where[:, axis]) / turn) - first + 1, 0).astype(np.intp)
            each = np.repeat(np.arange(len(where)), count)
            number = first[each] + np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
            which, where = which[each], where[each]
            where[:, axis] += number * turn
        at = np.where(metric.period, where * metric.unit + metric.origin, xy[which])
        inside = box.contains(at[:, 0], at[:, 1])
        return at[inside], radius[which[inside]]

    return (Known(find, float(radius.max()), keep=False),)


def _metric(bounds: Bounds, radius: float, axes: Axes) -> Metric:
    """Return cells that fit the tile, none larger than a radius allows."""
    largest = radius / math.sqrt(2.0)
    counts = [
        math.ceil(side / largest * (1 + 1e-12)) if repeats else 0
        for side, repeats in zip(bounds.size, axes, strict=True)
    ]
    sides = [side / count if count else 0.0 for side, count in zip(bounds.size, counts, strict=True)]
    sides = [side or max(sides) for side in sides]
    width = max(sides) / PLACES
    cell = [min(round(side / width), PLACES) for side in sides]
    unit = [side / places for side, places in zip(sides, cell, strict=True)]
    return Metric((bounds.xmin, bounds.ymin), (unit[0], unit[1]), (cell[0], cell[1]), (counts[0], counts[1]))


def _far(bounds: Bounds, metric: Metric) -> tuple[int, int]:
    """Return the places along the sides of the tile."""
    across, up = (
        cell * period if period else math.ceil(side / unit)
        for side, unit, cell, period in zip(bounds.size, metric.unit, metric.cell, metric.period, strict=True)
    )
    return across, up


def _domain(bounds: Bounds, metric: Metric) -> Extent:
    """Return the tile as places; without end along an axis that repeats."""
    ends = [
        (-UNBOUNDED, UNBOUNDED) if period else (0, far)
        for period, far in zip(metric.period, _far(bounds, metric), strict=True)
    ]
    return Extent(ends[0][0], ends[1][0], ends[0][1], ends[1][1])


def _view(bounds: Bounds, metric: Metric, window: Bounds) -> Extent:
    """Return the tile, or what of it the window touches; the last place may lie just outside."""
    view = []
    for low, high, start, unit, places in zip(
        (window.xmin, window.ymin),
        (window.xmax, window.ymax),
        metric.origin,
        metric.unit,
        _far(bounds, metric),
        strict=True,
    ):
        view.append((max(math.floor((low - start) / unit), 0), min(math.ceil((high - start) / unit) + 1, places)))
    return Extent(view[0][0], view[1][0], view[0][1], view[1][1])
