"""Question: what do erosion and drainage cost on one core, and what would a library cost.

    python benchmarks/erosion.py [--side 1024] [--runs 5]

How to read the table:

=========  ==============================================================================
seconds    of processor time for the whole ground (median over the runs)
ns/sample  the same for each sample; of erosion, for each sample and iteration
weald is   time of the row over the time of weald's row above it (medians of each turn)
=========  ==============================================================================

All rows take turns, in one run. The ground is noise, 20 m between samples. Peers that are missing are left out:
`pip install pyflwdir scipy` brings them. pyflwdir floods in float32, so its depressions may differ by rounding.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from weald.fields import perlin
from weald.geometry import Grid
from weald.terrain.erosion import erode, thermal
from weald.terrain.hydrology import drainage
from weald.terrain.hydrology.nearest import squared_distances
from weald.terrain.terrain import Terrain

LEAST_AREA = 400_000.0
ITERATIONS = 100


def cases(side: int) -> list[tuple[str, int, Callable[[], object]]]:
    """Return names, iterations and what to time; a peer stands below what it is compared with, and has a dash."""
    grid = Grid(0, 0, 20, side, side)
    ground = Terrain(grid, (perlin("bench", frequency=1 / 4000).fbm(octaves=9) * 900).sample(grid))
    water = drainage(ground)
    wet = water.rivers(LEAST_AREA).mask
    rows: list[tuple[str, int, Callable[[], object]]] = [
        (f"erode, {ITERATIONS} iterations", ITERATIONS, lambda: erode(ground, iterations=ITERATIONS)),
        (f"thermal, {ITERATIONS} iterations", ITERATIONS, lambda: thermal(ground, iterations=ITERATIONS)),
        ("drainage: fill, flow, gather", 1, lambda: drainage(ground)),
    ]
    if importlib.util.find_spec("pyflwdir"):
        import pyflwdir

        north_first = np.ascontiguousarray(ground.heights[::-1])

        def peer() -> object:
            _, d8 = pyflwdir.dem.fill_depressions(north_first, outlets="edge")
            return pyflwdir.from_array(d8, ftype="d8", check_ftype=False).upstream_area(unit="cell")

        rows.append(("- pyflwdir", 1, peer))
    else:
        print("pyflwdir is left out: pip install pyflwdir", file=sys.stderr)
    rows.append(("rivers, with orders and courses", 1, lambda: water.rivers(LEAST_AREA)))
    rows.append(("lakes", 1, water.lakes))
    rows.append(("wetness", 1, water.wetness))
    squares = np.empty(wet.shape, np.int64)
    rows.append(("squared distances to rivers", 1, lambda: squared_distances(wet, squares)))
    if importlib.util.find_spec("scipy"):
        from scipy import ndimage

        rows.append(("- SciPy, distances", 1, lambda: ndimage.distance_transform_edt(~wet)))
    else:
        print("SciPy is left out: pip install scipy", file=sys.stderr)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=1024, help="samples along each side")
    parser.add_argument("--runs", type=int, default=5, help="turns of each row")
    given = parser.parse_args()
    for _, _, run in cases(16):
        run()  # compile
    rows = cases(given.side)
    seconds: dict[str, list[float]] = {name: [] for name, _, _ in rows}
    for _ in range(given.runs):
        for name, _, run in rows:
            began = time.process_time()
            run()
            seconds[name].append(time.process_time() - began)
    print("| what | seconds | ns/sample | weald is |")
    print("| --- | --: | --: | --: |")
    own = ""
    for name, iterations, _ in rows:
        peer = name.startswith("-")
        own = own if peer else name
        spent = statistics.median(seconds[name])
        ratio = statistics.median(a / b for a, b in zip(seconds[name], seconds[own], strict=True))
        faster = f"{ratio:.2g}x" if peer else "1x"
        each = spent / given.side**2 / iterations * 1e9
        print(f"| {name.removeprefix('- ')} | {spent:.3g} | {each:.3g} | {faster} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
