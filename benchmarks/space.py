"""Question: how fast and how good is `poisson_disk` in space beside Bridson's method and SciPy, on one core.

    python benchmarks/space.py [--sides 25 55 75 110] [--runs 3]

Every sampler fills a cube of side x side x side with points at least 1 apart. How to read the table:

==========  ==================================================================================
points      how many points there were (median over the runs)
us a point  CPU time a point, in microseconds (median); CPU time, since a machine is seldom quiet
weald is    how many times less CPU time a point weald needs in the same domain (median of ratios
            within one turn)
density     points a cubed radius: 0.733 is what random dart throwing ends at when no more fits
uncovered   share of random probe places that are at least 1 from every point
pairs < r   pairs of points closer than 1 in float64, no tolerance
==========  ==================================================================================

The samplers take turns. SciPy is left out above side 25, where it would take minutes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.sampling.poisson import poisson_disk
from weald.sampling.textbook.bridson import bridson_3d

Points: TypeAlias = NDArray[np.float64]
FAR = (123_456.5, -98_765.25, 1_000.0)
LARGEST_FOR_SCIPY = 25


def weald(side: int, seed: int) -> Points:
    return poisson_disk((0, 0, 0, side, side, side), 1.0, seed=seed, threads=1).xyz


def weald_of_endless_space(side: int, seed: int) -> Points:
    x, y, z = FAR
    window = x, y, z, x + side, y + side, z + side
    return poisson_disk(None, 1.0, seed=seed, window=window, threads=1).xyz - FAR


def bridson(side: int, seed: int) -> Points:
    return bridson_3d((0, 0, 0, side, side, side), 1.0, seed=seed).xyz


def scipy(side: int, seed: int) -> Points:
    from scipy.stats import qmc

    sampler = qmc.PoissonDisk(3, radius=1.0, rng=np.random.default_rng(seed), l_bounds=[0] * 3, u_bounds=[side] * 3)
    return sampler.fill_space()


SAMPLERS: dict[str, Callable[[int, int], Points]] = {
    "weald": weald,
    "weald, window of endless space": weald_of_endless_space,
    "Bridson, weald.bridson_3d": bridson,
    "SciPy qmc.PoissonDisk": scipy,
}


def quality(points: Points, side: int) -> tuple[float, float, int]:
    """Return density, uncovered share and pairs too near; a margin of one radius is left out of the probes."""
    from scipy.spatial import cKDTree

    tree = cKDTree(points)
    a, b = tree.query_pairs(1.0 + 1e-9, output_type="ndarray").T
    near = int((((points[a] - points[b]) ** 2).sum(axis=1) < 1.0).sum())
    places = np.random.default_rng(0).uniform(1, side - 1, (200_000, 3))
    uncovered = np.isinf(tree.query(places, distance_upper_bound=1.0)[0]).mean()
    return len(points) / side**3, float(uncovered), near


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="+", default=[25, 55, 75, 110])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = "1"
    print("| sampler | side | runs | points | us a point | weald is | density | uncovered | pairs < r |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for side in options.sides:
        names = [name for name in SAMPLERS if name != "SciPy qmc.PoissonDisk" or side <= LARGEST_FOR_SCIPY]
        cost: dict[str, list[float]] = {name: [] for name in names}
        counts: dict[str, list[int]] = {name: [] for name in names}
        last = {name: SAMPLERS[name](8, 0) for name in names}  # a first call compiles or loads
        for turn in range(options.runs):
            for name in names:
                began = time.process_time()
                last[name] = SAMPLERS[name](side, turn)
                counts[name].append(len(last[name]))
                cost[name].append((time.process_time() - began) / len(last[name]))
        for name in names:
            times = statistics.median(a / b for a, b in zip(cost[name], cost["weald"], strict=True))
            density, uncovered, pairs = quality(last[name], side)
            print(
                f"| {name} | {side} | {options.runs} | {statistics.median(counts[name]):,.0f} "
                f"| {1e6 * statistics.median(cost[name]):.3g} | {times:.3g}x "
                f"| {density:.3f} | {uncovered:.1e} | {pairs} |"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
