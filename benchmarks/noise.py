"""How fast is noise on one core? Perlin and six octaves of it on 2048², beside other libraries.

Run it as ``python benchmarks/noise.py``. Peers that are not installed are left out, with a line that
says so: ``pip install pyfastnoisesimd opensimplex noise``. Figures are medians; the ratio is how many
times longer than weald a peer takes for a place. weald computes and returns float64, with 64-bit
lattice cells; pyfastnoisesimd a slice of three-dimensional float32 noise; noise is
asked place by place, as it has no arrays.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from weald.fields import perlin
from weald.geometry import Grid

SIDE, FREQUENCY, OCTAVES, RUNS = 2048, 0.01, 6, 9


def main() -> None:
    grid = Grid(0, 0, 1, SIDE, SIDE)
    single = perlin(seed=1, frequency=FREQUENCY)
    fractal = single.fbm(octaves=OCTAVES)
    x, y = np.random.default_rng(1).uniform(0, SIDE, (2, SIDE * SIDE))

    started = time.perf_counter()
    single.sample(Grid(0, 0, 1, 2, 2), threads=1)
    single(x[:2], y[:2])
    print(f"first calls (compiling, or loading what was compiled before): {time.perf_counter() - started:.2f} s\n")

    for title, field, octaves in (("2D Perlin, one octave", single, 1), (f"fBm, {OCTAVES} octaves", fractal, OCTAVES)):
        own = rate(lambda field=field: field.sample(grid, threads=1), SIDE * SIDE)
        rows = [("weald, grid", own), ("weald, scattered places", rate(lambda field=field: field(x, y), SIDE * SIDE))]
        rows += [(name, found) for name, peer in PEERS.items() if (found := peer(octaves)) is not None]
        print(f"{title}: million places a second on one core")
        for name, found in rows:
            print(f"  {name:32s} {found / 1e6:10.2f}   {own / found:8.1f} x")
        print()


def rate(work: Callable[[], object], places: int, runs: int = RUNS) -> float:
    """Return places a second: the median of several runs after one that does not count."""
    work()
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return places / statistics.median(times)


def optional(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  ({name} is not installed: left out)", file=sys.stderr)
        return None


def pyfastnoisesimd(octaves: int) -> float | None:
    library = optional("pyfastnoisesimd")
    if library is None:
        return None
    noise = library.Noise(seed=1, numWorkers=1)
    noise.frequency = FREQUENCY
    noise.noiseType = library.NoiseType.Perlin if octaves == 1 else library.NoiseType.PerlinFractal
    noise.fractal.octaves = octaves
    return rate(lambda: noise.genAsGrid([1, SIDE, SIDE]), SIDE * SIDE)


def opensimplex(octaves: int) -> float | None:
    library = optional("opensimplex")
    if library is None:
        return None
    library.seed(1)
    axis = np.arange(SIDE // 4) * FREQUENCY  # a sixteenth of the places

    def work() -> object:
        total = np.zeros((axis.size, axis.size))
        for octave in range(octaves):
            total += 0.5**octave * library.noise2array(axis * 2.0**octave, axis * 2.0**octave)
        return total

    return rate(work, axis.size**2, runs=3)


def noise(octaves: int) -> float | None:
    library = optional("noise")
    if library is None:
        return None
    side = SIDE // 16
    axis = [i * FREQUENCY for i in range(side)]
    return rate(lambda: [library.pnoise2(x, y, octaves) for y in axis for x in axis], side**2, runs=3)


PEERS = {"pyfastnoisesimd": pyfastnoisesimd, "opensimplex": opensimplex, "noise": noise}

if __name__ == "__main__":
    # this file is called noise.py: keep its folder from hiding the library of that name
    here = Path(__file__).resolve().parent
    sys.path = [place for place in sys.path if Path(place).resolve() != here]
    main()
