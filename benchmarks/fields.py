"""What does the algebra of fields cost? Each node alone, and a graph of ten beside the sum of its nodes.

Run it as ``python benchmarks/fields.py``. Everything is sampled on 128 x 1024 places, on one core, into an array
that is there already; figures are the least of many short runs, which other work on the machine disturbs
little, in nanoseconds a place. A node's own cost is that of a field with it less that of the field without
it. Then the memory that a large sample takes beside its result, and the speed of `distance_to`.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from weald.fields import Field, distance_to, image, lerp, perlin, where
from weald.geometry import Grid

RUNS, ROUNDS = 12, 12
GRID = Grid(0, 0, 1, 1024, 128)

hills = perlin(seed="hills", frequency=1 / 300).fbm(octaves=5)
bends = perlin(seed="bends", frequency=1 / 200)
moisture = perlin(seed="moisture", frequency=1 / 500).fbm(octaves=3)


def main() -> None:
    graph, parts = ten_nodes()
    nodes = single_nodes()
    wanted = [graph, *(field for _, field, _ in parts + nodes), *(before for *_, before in parts + nodes if before)]
    times = least(wanted)

    def own(field: Field, before: Field | None) -> float:
        return max(times[id(field)] - (times[id(before)] if before is not None else 0.0), 0.0)

    print("one node, ns a place (one core)")
    for name, field, before in nodes:
        print(f"  {name:34s} {own(field, before):8.2f}")
    print("\na graph of ten nodes, ns a place")
    for name, field, before in parts:
        print(f"  {name:34s} {own(field, before):8.2f}")
    total = sum(own(field, before) for _, field, before in parts)
    print(f"  {'sum of the nodes':34s} {total:8.2f}")
    print(f"  {'the graph':34s} {times[id(graph)]:8.2f}   {times[id(graph)] / total:.2f} x the sum")
    memory(graph)
    distances()


Node = tuple[str, Field, Field | None]


def ten_nodes() -> tuple[Field, list[Node]]:
    """Return a graph of ten nodes, and each node as a field with it beside the field without it."""
    raised = hills * 300
    wet = moisture + 0.2
    graph = where(wet > 0.1, raised.max(0), raised.terrace(40)) - abs(bends).smoothstep(0.1, 0.6) * 25
    flat = hills * 1.0
    nodes: list[Node] = [
        ("hills, five octaves", hills, None),
        ("moisture, three octaves", moisture, None),
        ("bends, one octave", bends, None),
        ("hills * 300", raised, hills),
        ("moisture + 0.2", wet, moisture),
        ("max", flat.max(0), flat),
        ("terrace", flat.terrace(0.13), flat),
        ("where, with its comparison", where(flat > 0.1, flat, flat), flat),
        ("abs and smoothstep", abs(bends).smoothstep(0.1, 0.6), bends),
        ("* 25, and the difference", flat - flat * 25, flat),
    ]
    return graph, nodes


def single_nodes() -> list[Node]:
    """Return one node each beside what it is made of."""
    codes = np.random.default_rng(1).integers(0, 256, (512, 512), np.uint8)
    points = [(-1, 0), (-0.2, 0.1), (0.1, 0.7), (1, 1)]
    lift = (hills + 1) * 0.5
    return [
        ("perlin", bends, None),
        ("perlin, five octaves", hills, None),
        ("* 2", hills * 2, hills),
        ("clamp", hills.clamp(-0.4, 0.4), hills),
        ("smoothstep", hills.smoothstep(-0.4, 0.4), hills),
        ("remap, four points", hills.remap(points), hills),
        ("remap, four points, smooth", hills.remap(points, smooth=True), hills),
        ("terrace", hills.terrace(0.1), hills),
        ("** 3", hills**3, hills),
        ("** 0.5", lift**0.5, lift),
        ("** 0.3", lift**0.3, lift),
        ("where", where(hills > 0, hills, 0), hills),
        ("lerp", lerp(9, 3, hills), hills),
        ("translate", hills.translate(3, 4), hills),
        ("rotate_deg, with noise at points", bends.rotate_deg(30), bends),
        ("warp, with noise at points", bends.warp(5, 0), bends),
        ("image, bilinear", image(codes, GRID.bounds, rows="north-first"), None),
    ]


def least(fields: list[Field]) -> dict[int, float]:
    """Return the least time of each field in nanoseconds a place, measured in turns."""
    out = np.empty(GRID.shape)
    found = dict.fromkeys(map(id, fields), np.inf)
    for _ in range(ROUNDS):
        for field in fields:
            found[id(field)] = min(found[id(field)], *timed(lambda field=field: field.sample(GRID, 1, out=out), RUNS))
    return {key: seconds * 1e9 / out.size for key, seconds in found.items()}


def timed(work: Callable[[], object], runs: int) -> list[float]:
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return times


def memory(graph: Field) -> None:
    """Print how much memory a large sample takes, its result included."""
    scale = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
    result = graph.sample(Grid(0, 0, 1, 16384, 16384), dtype=np.float32)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
    print(f"\na sample of 16384 x 16384 as float32: {result.nbytes / 2**20:.0f} MiB")
    rose = after - before
    print(f"  the peak of the process rose by {rose / 2**20:.0f} MiB: {rose / result.nbytes:.2f} x")


def distances() -> None:
    """Print the speed of distances to a network of 300 roads, 18,000 segments, on 10 x 10 km."""
    generator = np.random.default_rng(1)
    roads = distance_to([road(generator) for _ in range(300)], kind="line")
    near = distance_to([road(generator) for _ in range(300)], kind="line", within=50)
    x, y = generator.uniform(0, 10_000, (2, 1_000_000))
    grid = Grid(0, 0, 10, 1000, 1000)
    print("\na million distances to 300 roads of 60 segments, s (one core)")
    for name, work in {
        "on a grid": lambda: roads.sample(grid, 1),
        "at random places": lambda: roads(x, y),
        "on a grid, within 50 m": lambda: near.sample(grid, 1),
    }.items():
        print(f"  {name:34s} {min(timed(work, 3)):8.2f}")


def road(generator: np.random.Generator) -> NDArray[np.float64]:
    """Return a road of 60 pieces of 20 m that winds."""
    heading = generator.uniform(0, 6.3) + np.cumsum(generator.normal(0, 0.2, 61))
    steps = 20 * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    return generator.uniform(0, 10_000, 2) + np.cumsum(steps, axis=0)


if __name__ == "__main__":
    main()
