"""The torus: a tile whose points fit at its edges, so that it can be repeated without end.

The world's darts repeat with the tile, and so does what becomes of them; nothing else is needed.
Cells must fit a whole number of times, so they are not quite square, and a place is not quite as
wide as it is high: up to 2 parts in 100,000. Distances are compared with the shorter unit.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling.extent import UNBOUNDED, Extent
from weald.sampling.lattice import PLACES, Lattice, Metric
from weald.sampling.mask import Allowed
from weald.sampling.plane import Rules, sample

_FEWEST_RADII = 3.0
_GOOD_RADII = 10.0
_ROUNDING = 1e-9  # of squares: far more than float64 loses in coordinates


def sample_torus(
    bounds: Bounds,
    radius: float,
    axes: tuple[bool, bool],
    key: int,
    allowed: Allowed | None,
    window: Bounds,
    threads: int | None,
) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
    """Return coordinates and ids of the points of a tile that repeats along some axes."""
    for name, side, repeats in zip(("x", "y"), bounds.size, axes, strict=True):
        if repeats and side < _FEWEST_RADII * radius:
            raise InputError(
                f"periodic: the domain is {side:g} long in {name}, {side / radius:.2g} radii; give at least "
                f"{_FEWEST_RADII:g}, and better {_GOOD_RADII:g}"
            )
        if repeats and side < _GOOD_RADII * radius:
            warnings.warn(
                f"periodic: the domain is only {side / radius:.2g} radii long in {name}; "
                f"below {_GOOD_RADII:g} the repetition shows in the pattern",
                stacklevel=3,
            )
    metric, conflict = _metric(bounds, radius, axes)
    far = [math.ceil(side / unit) for side, unit in zip(bounds.size, metric.unit, strict=True)]
    domain = Extent(
        -UNBOUNDED if axes[0] else 0,
        -UNBOUNDED if axes[1] else 0,
        UNBOUNDED if axes[0] else far[0],
        UNBOUNDED if axes[1] else far[1],
    )
    # the tile itself, or what of it the window touches; the last place may lie just outside
    view = []
    for low, high, start, unit, places in zip(
        (window.xmin, window.ymin),
        (window.xmax, window.ymax),
        metric.origin,
        metric.unit,
        (metric.cell[k] * metric.period[k] if axes[k] else far[k] for k in (0, 1)),
        strict=True,
    ):
        view.append((max(math.floor((low - start) / unit), 0), min(math.ceil((high - start) / unit) + 1, places)))
    (left, right), (bottom, top) = view
    rules = Rules(Lattice(0.0, 0.0, conflict), key, domain, allowed, torus=metric)
    xy, ids = sample(rules, Extent(left, bottom, right, top), threads)
    inside = window.contains(xy[:, 0], xy[:, 1])
    return xy[inside], ids[inside]


def _metric(bounds: Bounds, radius: float, axes: tuple[bool, bool]) -> tuple[Metric, int]:
    """Return cells that fit the tile, and the squared distance, in places, below which two points conflict."""
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
    conflict = math.ceil((radius / min(unit)) ** 2 * (1 + _ROUNDING))
    metric = Metric((bounds.xmin, bounds.ymin), (unit[0], unit[1]), (cell[0], cell[1]), (counts[0], counts[1]))
    return metric, conflict
