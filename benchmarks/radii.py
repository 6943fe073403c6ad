"""Question: what do varying radii and blockers cost a point, beside one radius, on one core.

    python benchmarks/radii.py [--runs 5]

How to read the table:

==============  ==============================================================================
points          how many points there were (median over the runs)
M points/s      millions of points a second (median)
x Bridson       speed in points a second, as a multiple of the textbook Bridson at one radius
x uniform time  time a point, as a multiple of that of weald with one radius and nothing else, which is
                measured anew just before each row of each turn
pairs           pairs of points, or of a point and a blocker, nearer than the larger of the two
                radii, in float64 without tolerance (looked at around 20,000 points)
==============  ==============================================================================

Time is processor time, so that other work on the machine counts for less. All rows take turns; ratios are medians
over turns, each within one turn. The time of the radius functions, which are NumPy, is in the figures.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from bridson import bridson
from numpy.typing import NDArray

from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk

Array: TypeAlias = NDArray[np.float64]

RNG = np.random.default_rng(0)
STONES = RNG.random((30_000, 2)) * 500, RNG.random(30_000) * 2  # one every 8 square metres, radius up to 2


def waves(x: Array, y: Array) -> Array:
    """Return radii from 1 to 50 that change by at most 1.6 cm a metre."""
    return 25.5 + 24.5 * np.sin(x / 1500) * np.cos(y / 1700)


def hills(x: Array, y: Array) -> Array:
    """Return radii from 1 to 50 with ten times the slope: the small ones stand in small spots."""
    return 25.5 + 24.5 * np.sin(x / 150) * np.cos(y / 170)


def edge(x: Array, y: Array) -> Array:
    """Return radius 1 in the west, 20 in the east."""
    return np.where(x < 500, 1.0, 20.0)


def sharper(x: Array, y: Array) -> Array:
    """Return radius 1 in the west, 50 in the east."""
    return np.where(x < 500, 1.0, 50.0)


def constant(x: Array, y: Array) -> Array:
    """Return the same radius everywhere."""
    return np.full(x.shape, 1.9)


CASES: dict[str, Callable[[int], PointSet]] = {
    "one radius, 500 m": lambda seed: poisson_disk((0, 0, 500, 500), 1.0, seed=seed, threads=1),
    "one radius, 30,000 blockers, 500 m": lambda seed: poisson_disk(
        (0, 0, 500, 500), 1.0, seed=seed, blockers=STONES, threads=1
    ),
    "step from 1 to 20, 1 km": lambda seed: poisson_disk(
        (0, 0, 1000, 1000), edge, radius_range=(1, 20), seed=seed, threads=1
    ),
    "step from 1 to 50, 1 km": lambda seed: poisson_disk(
        (0, 0, 1000, 1000), sharper, radius_range=(1, 50), seed=seed, threads=1
    ),
    "constant 1.9 in a range of 1 to 50, 500 m": lambda seed: poisson_disk(
        (0, 0, 500, 500), constant, radius_range=(1, 50), seed=seed, threads=1
    ),
    "smooth 1 to 50, 9 km": lambda seed: poisson_disk(
        (0, 0, 9000, 9000), waves, radius_range=(1, 50), seed=seed, threads=1
    ),
    "smooth 1 to 50, 20 km": lambda seed: poisson_disk(
        (0, 0, 20000, 20000), waves, radius_range=(1, 50), seed=seed, threads=1
    ),
    "steep 1 to 50, 3 km": lambda seed: poisson_disk(
        (0, 0, 3000, 3000), hills, radius_range=(1, 50), seed=seed, threads=1
    ),
}


def too_near(points: PointSet, blockers: tuple[Array, Array] | None) -> int:
    """Return how many pairs are nearer than the larger of their radii."""
    from scipy.spatial import cKDTree

    xy, radius = points.xy, np.asarray(points.radius)
    some = np.random.default_rng(1).choice(len(xy), min(len(xy), 20_000), replace=False)
    found = 0
    for others, sizes, own in [(xy, radius, True), *([(*blockers, False)] if blockers is not None else [])]:
        tree = cKDTree(others)
        # a smaller neighbour lies within the radius of the point; a larger one finds the point when it is drawn
        reach = np.maximum(radius[some], 0.0 if own else sizes.max())
        for k, near in zip(some, tree.query_ball_point(xy[some], reach * (1 + 1e-9)), strict=True):
            ids = np.array([i for i in near if not (own and i == k)], np.intp)
            gap = np.hypot(*(others[ids] - xy[k]).T)
            found += int((gap < np.maximum(radius[k], sizes[ids])).sum())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="turns of each row")
    runs = parser.parse_args().runs
    bridson(20.0, 1.0, 0)
    poisson_disk((0, 0, 50, 50), waves, radius_range=(1, 50), seed=0, threads=1)
    poisson_disk((0, 0, 50, 50), 1.0, seed=0, blockers=STONES, threads=1)

    uniform = CASES["one radius, 500 m"]
    seconds: dict[str, list[float]] = {name: [] for name in CASES}  # a point
    beside: dict[str, list[float]] = {name: [] for name in CASES}  # one radius, just before
    textbook: list[float] = []
    counts: dict[str, list[int]] = {name: [] for name in CASES}
    last: dict[str, PointSet] = {}
    for turn in range(runs):
        began = time.process_time()
        count = len(bridson(200.0, 1.0, turn))
        textbook.append((time.process_time() - began) / count)
        for name, fill in CASES.items():
            began = time.process_time()
            count = len(uniform(turn))
            middle = time.process_time()
            last[name] = fill(turn)
            end = time.process_time()
            counts[name].append(len(last[name]))
            beside[name].append((middle - began) / count)
            seconds[name].append((end - middle) / len(last[name]))

    def median_ratio(above: list[float], below: list[float]) -> float:
        return statistics.median(a / b for a, b in zip(above, below, strict=True))

    print("| case | points | M points/s | x Bridson | x uniform time | pairs |")
    print("| --- | --: | --: | --: | --: | --: |")
    for name, spent in seconds.items():
        blockers = STONES if "blockers" in name else None
        print(
            f"| {name} | {round(statistics.median(counts[name])):,} | {1e-6 / statistics.median(spent):.3g} "
            f"| {median_ratio(textbook, spent):.3g} | {median_ratio(spent, beside[name]):.3g} "
            f"| {too_near(last[name], blockers)} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
