"""How fast is noise? Perlin noise in the plane and six octaves of it on 4096², beside other libraries.

Run it as ``python benchmarks/noise.py``, on a quiet machine. Peers that are not installed are left out, with
a line that says so: ``pip install pyfastnoisesimd opensimplex noise``. All take turns in one run, and results
are allocated anew each time. Speeds are medians in million places a second of processor time, so that other
work on the machine counts little; "weald is" is the median, over the turns, of how many times longer than
weald's float32 sample the row takes for a place.

pyfastnoisesimd computes a slice of three-dimensional noise in float32, coordinates too; weald's coordinates
are float64 and its cells 64-bit integers, in both precisions. opensimplex has arrays, in float64, and is
asked for a sixteenth of the places a side; noise is asked place by place, for as many.

Last, threads: the least wall-clock times over the turns. They need two cores with nothing else to do; the
processor time of both threads together, beside that of one, says what threads themselves cost.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np

from weald.fields import perlin
from weald.geometry import Grid

FREQUENCY, OCTAVES = 0.01, 6


class Row(NamedTuple):
    """Who takes part, with how many places."""

    name: str
    places: int
    work: Callable[[], object]


class Time(NamedTuple):
    """Seconds of one run."""

    wall: float
    processor: float


def main() -> None:
    parser = argparse.ArgumentParser(description="The speed of noise.")
    parser.add_argument("--side", type=int, default=4096)
    parser.add_argument("--turns", type=int, default=9)
    options = parser.parse_args()
    for octaves in (1, OCTAVES):
        print(f"\n{'2D Perlin, one octave' if octaves == 1 else f'fBm, {octaves} octaves'}, {options.side}²\n")
        compare(octaves, options.side, options.turns)


def compare(octaves: int, side: int, turns: int) -> None:
    """Print a table of one kind of noise."""
    field = perlin(seed=1, frequency=FREQUENCY).fbm(octaves=octaves)
    grid, places = Grid(0, 0, 1, side, side), side * side
    x, y = np.random.default_rng(1).uniform(0, side, (2, places // 16))
    rows = [
        Row("weald, float32", places, lambda: field.sample(grid, 1, dtype=np.float32)),
        *peers(octaves, side),
        Row("weald, float64", places, lambda: field.sample(grid, 1)),
        Row("weald, scattered places, float64", x.size, lambda: field(x, y)),
        Row("weald, float32, two threads", places, lambda: field.sample(grid, 2, dtype=np.float32)),
    ]
    for row in rows:
        row.work()
    found: list[list[Time]] = [[] for _ in rows]
    for _ in range(turns):
        for times, row in zip(found, rows, strict=True):
            times.append(timed(row.work))

    own, both = found[0], found[-1]
    print("| what | M places/s | weald is |")
    print("| --- | ---: | ---: |")
    for row, times in list(zip(rows, found, strict=True))[:-1]:
        speed = row.places / statistics.median(time.processor for time in times) / 1e6
        ratio = statistics.median(a.processor / b.processor for a, b in zip(times, own, strict=True))
        print(f"| {row.name} | {speed:.4g} | {ratio * places / row.places:.3g}x |")
    faster = min(time.wall for time in own) / min(time.wall for time in both)
    more = statistics.median(a.processor / b.processor for a, b in zip(both, own, strict=True))
    print(f"\nTwo threads: {faster:.2f} times as fast as one by the clock, for {more:.2f} times its processor time.")


def timed(work: Callable[[], object]) -> Time:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Time(time.perf_counter() - wall, time.process_time() - processor)


def peers(octaves: int, side: int) -> list[Row]:
    """Return the peers that are installed."""
    rows = []
    if library := optional("pyfastnoisesimd"):
        noise = library.Noise(seed=1, numWorkers=1)
        noise.frequency = FREQUENCY
        noise.noiseType = library.NoiseType.Perlin if octaves == 1 else library.NoiseType.PerlinFractal
        noise.fractal.octaves = octaves
        rows.append(Row("pyfastnoisesimd", side * side, lambda: noise.genAsGrid([1, side, side])))
    axis = np.arange(side // 16) * FREQUENCY
    if library := optional("opensimplex"):
        rows.append(Row("opensimplex", axis.size**2, lambda library=library: simplex_sum(library, axis, octaves)))
    if library := optional("noise"):
        line, ask = axis.tolist(), library.pnoise2
        rows.append(Row("noise", axis.size**2, lambda: [ask(x, y, octaves) for y in line for x in line]))
    return rows


def simplex_sum(library: ModuleType, axis: np.ndarray, octaves: int) -> object:
    total = np.zeros((axis.size, axis.size))
    for octave in range(octaves):
        total += 0.5**octave * library.noise2array(axis * 2.0**octave, axis * 2.0**octave)
    return total


def optional(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  ({name} is not installed: left out)", file=sys.stderr)
        return None


if __name__ == "__main__":
    # pyfastnoisesimd still asks NumPy for a function that NumPy 2 no longer has
    vars(np).setdefault("product", np.prod)
    # this file is called noise.py: keep its folder from hiding the library of that name
    here = Path(__file__).resolve().parent
    sys.path = [place for place in sys.path if Path(place).resolve() != here]
    main()
