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

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling.classes import Radius, RadiusClass
from weald.sampling.extent import UNBOUNDED, Extent
from weald.sampling.fixed import Discs, Known
from weald.sampling.lattice import PLACES, REACH, ROUNDING, Lattice, Metric
from weald.sampling.mask import Allowed
from weald.sampling.plane import Rules, sample
from weald.sampling.varying import Found

Axes = tuple[bool, bool]

_FEWEST_RADII = 3.0
_FEWEST_VARIED = 13.0
"""Largest radii along a side: then cells that fit are so little smaller than they may be that three hold a radius."""
_GOOD_RADII = 10.0
_FAR = 1e300


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
        metric = _metric(bounds, radius, axes)
        conflict = math.ceil((radius / min(metric.unit)) ** 2 * (1 + ROUNDING))
        fixed, reach = _fixed(bounds, axes, blockers)
        rules = Rules(
            Lattice(0.0, 0.0, conflict),
            key,
            _domain(bounds, metric),
            allowed,
            torus=metric,
            fixed=fixed,
            fixed_reach=reach,
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
    low = bounds.xmin if not axes[0] else -_FAR, bounds.ymin if not axes[1] else -_FAR
    high = bounds.xmax if not axes[0] else _FAR, bounds.ymax if not axes[1] else _FAR
    parts: list[Found] = []
    for number in reversed(range(radius.classes)):
        metric = largest.enlarged(number - top)
        of_class = RadiusClass(
            radius, number, Lattice(0.0, 0.0, 0), Bounds(*low, *high), hashing.key(key, "probe"), largest.enlarged(-top)
        )
        assert min(metric.side) * (REACH + 1) >= of_class.high
        stand = [part[:2] for part in parts] + ([] if blockers is None else [blockers])
        larger = (np.concatenate([xy for xy, _ in stand]), np.concatenate([r for _, r in stand])) if stand else None
        fixed, reach = _fixed(bounds, axes, larger)
        rules = Rules(
            Lattice(0.0, 0.0, 0),
            hashing.key(key, "class", number),
            _domain(bounds, metric),
            allowed,
            torus=metric,
            radius=of_class,
            fixed=fixed,
            fixed_reach=reach,
        )
        xy, ids = sample(rules, _view(bounds, metric, bounds), threads)
        parts.append((xy, radius(xy[:, 0], xy[:, 1]) if len(xy) else np.empty(0), ids))
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


def _fixed(bounds: Bounds, axes: Axes, discs: Discs | None) -> tuple[Known | None, float]:
    """Return discs, repeated as the tile is, and the largest of their radii."""
    if discs is None or len(discs[0]) == 0:
        return None, 0.0
    xy, radius = discs

    def find(box: Bounds) -> Discs:
        which: NDArray[np.intp] = np.arange(len(xy))
        where = xy
        for axis, (side, repeats) in enumerate(zip(bounds.size, axes, strict=True)):
            low, high = ((box.xmin, box.xmax), (box.ymin, box.ymax))[axis]
            if repeats:
                first = np.ceil((low - where[:, axis]) / side)
                count = np.maximum(np.floor((high - where[:, axis]) / side) - first + 1, 0).astype(np.intp)
                each = np.repeat(np.arange(len(where)), count)
                turn = first[each] + np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
                which, where = which[each], where[each]
                where[:, axis] += turn * side
        inside = box.contains(where[:, 0], where[:, 1])
        return where[inside], radius[which[inside]]

    return Known(find, keep=False), float(radius.max())


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
