"""Question: how fast is a scatter, from rules to finished instances in memory, and how much memory does it take.

    python benchmarks/scatter.py [--runs 3] [--side 1000]

On smooth ground stand conifers, 4 to 8 m apart by a field; bushes, 2 m apart, that keep 1.5 m off the trees; and grass,
0.5 m apart, that keeps 0.6 m off trees and 0.5 m off bushes: 2.8 million instances a square kilometre. One thread; the
clock counts its seconds on a core, so others on the machine matter less; every kernel is compiled before it starts.

How to read the first table:

===========  ==================================================================================
instances    how many there were
seconds      on a core, median over the runs, for all layers up to and including this one
M/s          millions of instances a second, of all that were made in that time
===========  ==================================================================================

The second table compares natural with filled edges, by turns, of stands of one radius on ground with a road
of 6 m every 40 m: trees 6 m apart, then with bushes 2 m apart that keep off them. Its ratio, natural over filled, is
the median over the pairs.

The third table is for chunks of 256 m, trees and bushes alone, each asked for by itself, at different places: first
by `scatter`, then by `World.chunk`, the heights of the ground included, with one radius a layer. *Formulas* are a
weight, a slope, a height and a share. The fourth gives the memory at its peak, above the result itself, by tracemalloc,
in a run of its own.
"""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from typing import Literal

import numpy as np

from weald.fields import perlin
from weald.geometry import Bounds
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.rules import Only
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.world.world import World

PINE = Species("pine", "conifer", 20, 2.5, "#335544")
SPRUCE = Species("spruce", "conifer", 24, 2.5, "#224444")
LAUREL = Species("laurel", "bush", 1.8, 1.0, "#54774a")
GRASS = Species("grass", "bush", 0.4, 0.2, "#7a9a4a")

TREES = Layer("trees", {PINE: 2, SPRUCE: 1}, perlin("groves", 1 / 200) * 2 + 6)
BUSHES = Layer("bushes", {LAUREL: 1}, 2.0, keep_off={"trees": 1.5})
MEADOW = Layer("grass", {GRASS: 1}, 0.5, keep_off={"trees": 0.6, "bushes": 0.5})


def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a ground that costs next to nothing."""
    return 0.01 * x * (y * 1e-3)


def place(layers: list[Layer], bounds: Bounds, window: Bounds | None = None) -> dict[str, Placements]:
    """Scatter on one core."""
    return scatter(layers, height, bounds, "benchmark", window=window, threads=1)


def roads(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return where there is no road."""
    return x % 40 >= 6


def edged(edge: Literal["natural", "fill"]) -> list[Layer]:
    """Return trees and bushes beside roads, with edges of a kind."""
    return [
        Layer("trees", {PINE: 2, SPRUCE: 1}, 6.0, [Only(roads)], edge=edge),
        Layer("bushes", {LAUREL: 1}, 2.0, [Only(roads)], keep_off={"trees": 1.5}, edge=edge),
    ]


def compare_edges(domain: Bounds, runs: int) -> None:
    """Print how long natural and filled edges take."""
    print("\n| edges, beside roads | natural | filled | natural s | filled s | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for many in (1, 2):
        seconds: dict[str, list[float]] = {"natural": [], "fill": []}
        counts: dict[str, int] = {}
        for edge in ("natural", "fill"):
            place(edged(edge)[:many], Bounds(0, 0, 60, 60))
        for _ in range(runs):
            for edge in ("natural", "fill"):
                start = time.process_time()
                placed = place(edged(edge)[:many], domain)
                seconds[edge].append(time.process_time() - start)
                counts[edge] = sum(map(len, placed.values()))
        ratio = statistics.median(a / b for a, b in zip(seconds["natural"], seconds["fill"], strict=True))
        natural, filled = (statistics.median(times) for times in seconds.values())
        names = " + ".join(layer.name for layer in edged("fill")[:many])
        print(f"| {names} | {counts['natural']:,} | {counts['fill']:,} | {natural:.3f} | {filled:.3f} | {ratio:.2f} |")


def woods(ground: dict[str, object], formulas: bool) -> World:
    """Return a world of trees, 6 m apart, and bushes, 2 m apart, that keep off them."""
    trees: dict[str, object] = {"name": "trees", "species": {"pine": 2, "spruce": 1}, "radius": 6}
    bushes: dict[str, object] = {"name": "bushes", "species": "laurel", "radius": 2, "keep_off": {"trees": 2.5}}
    if formulas:
        trees["species"] = {"pine": "0.5 + 0.4 * wet", "spruce": 1}
        trees["where"] = "slope_deg < 40 and height > 20"
        bushes["share"] = "0.7 + 0.5 * wet"
    looks = {"height": 9, "crown_radius": 2, "color": "#335544"}
    species = {one.name: {"shape": one.shape, **looks} for one in (PINE, SPRUCE, LAUREL)}
    noise = {"hills": {"scale": 250}, "wet": {"scale": 200, "octaves": 3}}
    return World.parse(
        {
            "weald": 1,
            "seed": "benchmark",
            "ground": ground,
            "noise": noise,
            "species": species,
            "layer": [trees, bushes],
        }
    )


def chunks(one: World, runs: int) -> tuple[list[float], int]:
    """Return seconds on a core for each of some chunks in the middle of the ground, and what stood in the last."""
    one.chunk(20, 30, threads=1)
    times, count = [], 0
    for k in range(5 * runs):
        start = time.process_time()
        chunk = one.chunk(21 + k % 5, 31 + k // 5, threads=1)
        times.append(time.process_time() - start)
        count = len(chunk.placements)
    return times, count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--side", type=float, default=1000.0)
    options = parser.parse_args()
    domain = Bounds(0, 0, options.side, options.side)
    place([TREES, BUSHES, MEADOW], Bounds(0, 0, 60, 60))

    print("| layers | instances | seconds | M/s |\n| --- | ---: | ---: | ---: |")
    for layers in ([TREES], [TREES, BUSHES], [TREES, BUSHES, MEADOW]):
        seconds = []
        for _ in range(options.runs):
            start = time.process_time()
            placed = place(layers, domain)
            seconds.append(time.process_time() - start)
        count, middle = sum(map(len, placed.values())), statistics.median(seconds)
        print(f"| {' + '.join(placed)} | {count:,} | {middle:.2f} | {count / middle / 1e6:.2f} |")
        del placed

    compare_edges(domain, max(options.runs, 5))

    world = Bounds(-1e5, -1e5, 1e5, 1e5)
    times, count = [], 0
    for k in range(5 * options.runs):
        x, y = 1000.0 * k, -3000.0 * k
        start = time.process_time()
        placed = place([TREES, BUSHES], world, Bounds(x, y, x + 256, y + 256))
        times.append(time.process_time() - start)
        count = sum(map(len, placed.values()))
    print("\n| chunk of 256 m | instances | median ms | worst ms |\n| --- | ---: | ---: | ---: |")
    print(f"| `scatter`, varying radii | {count:,} | {1e3 * statistics.median(times):.1f} | {1e3 * max(times):.1f} |")
    endless = {"formula": "60 * hills + 100", "spacing": 4}
    for name, ground in (("ground from a file", {"sample": "jacksboro"}), ("endless ground", endless)):
        for formulas in (False, True):
            times, count = chunks(woods(ground, formulas), options.runs)
            what = f"`World.chunk`, {name}{', formulas' if formulas else ''}"
            print(f"| {what} | {count:,} | {1e3 * statistics.median(times):.1f} | {1e3 * max(times):.1f} |")

    tracemalloc.start()
    placed = place([TREES, BUSHES, MEADOW], domain)
    now, peak = tracemalloc.get_traced_memory()
    count = sum(map(len, placed.values()))
    print("\n| memory | bytes an instance |\n| --- | ---: |")
    print(f"| the result | {now / count:.0f} |\n| peak above it | {(peak - now) / count:.0f} |")


if __name__ == "__main__":
    main()
