"""What each basis of noise costs beside Perlin noise of the plane, on one core.

Run it as ``python benchmarks/bases.py``. Each is one octave on a grid of 1024², with 1/100 cycle a metre
at a metre's spacing; the last column is the exact gradient along x. Figures are medians, in million places
a second.
"""

from __future__ import annotations

import statistics
import time

from weald.fields import Field, perlin, perlin_classic, simplex, value, worley
from weald.geometry import Grid

GRID, RUNS = Grid(0, 0, 1, 1024, 1024), 5


def main() -> None:
    bases = {
        **{f"perlin, {d} dimensions": perlin(1, 0.01, dimensions=d) for d in (2, 3, 4)},
        "perlin, with a period": perlin(1, 0.01, period=1000),
        "perlin_classic": perlin_classic(1, 0.01),
        **{f"simplex, {d} dimensions": simplex(1, 0.01, dimensions=d) for d in (2, 3, 4)},
        **{f"value, {d} dimensions": value(1, 0.01, dimensions=d) for d in (2, 3, 4)},
        **{f"worley f1, {d} dimensions": worley(1, 0.01, dimensions=d) for d in (2, 3)},
        **{f"worley f2-f1, {d} dimensions": worley(1, 0.01, feature="f2-f1", dimensions=d) for d in (2, 3)},
    }
    print(f"{'million places a second':28s} {'values':>8s} {'gradient':>9s}")
    for name, noise in bases.items():
        print(f"{name:28s} {rate(noise):8.1f} {rate(noise.gradient[0]):9.1f}")


def rate(field: Field) -> float:
    """Return million places a second: the median of several runs after one that does not count."""
    more = {"z": 7.25} if field.dimensions == 3 else {"z": 7.25, "w": 3.5} if field.dimensions == 4 else {}
    times = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        field.sample(GRID, threads=1, **more)
        times.append(time.perf_counter() - started)
    return GRID.nx * GRID.ny / statistics.median(times[1:]) / 1e6


if __name__ == "__main__":
    main()
