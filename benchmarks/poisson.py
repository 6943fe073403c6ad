"""Question: how fast and how good is `poisson_disk` beside its peers, on one core, in one run.

    python benchmarks/poisson.py [--sides 200 500 1000] [--runs 5] [--json FILE]

Every sampler fills a square of side x side with points at least 1 apart. Peers that are not
installed are left out, with a line that says how to get them.

How to read the table:

==============  ==============================================================================
side, runs      the square, and how often it was filled
points          how many points there were (median over the runs)
M points/s      millions of points a second (median)
x Bridson       speed in points a second, as a multiple of the textbook Bridson at the same side
weald is        how many times faster weald fills that side, in points a second
density         N r^2 / A: points a square radius. 0.696 is what random dart throwing ends at
                when no more fits (edges add to it); less means gaps, more means that the
                points are not spread at random but lean on each other at exactly r
uncovered       share of random probe places that are at least 1 from every point, so that
                another point would have fitted there
pairs < r       pairs of points closer than 1 in float64, no tolerance
worst           by how much the closest of them falls short of 1
==============  ==============================================================================

The samplers of one side take turns (A B C A B C ...), so that whatever else the machine does
falls on all of them; both ratios are medians over turns, each within one turn. Compilers and
caches are warmed up first. Quality is measured on the points of the last turn.
"""

from __future__ import annotations

import argparse
import atexit
import importlib.metadata
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from bridson import bridson
from numpy.typing import NDArray

from weald.sampling.poisson import poisson_disk

Points: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = Callable[[Points, Points], NDArray[np.bool_]]

THREAD_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
FAR = (123_456.5, -98_765.25)  # the south-west corner of the window on the infinite plane


class MissingError(Exception):
    """A peer is not there; the message says how to get it."""


@dataclass(frozen=True)
class Sampler:
    """One row of a table.

    ``fill(side, seed)`` returns points, and seconds if it has measured them itself. ``corner``
    is the south-west corner of the square in the coordinates that it returns.
    """

    name: str
    fill: Callable[[int, int], tuple[Points, float | None]]
    most: int | None = None  # the largest side that it fills in bearable time
    runs: int | None = None
    corner: tuple[float, float] = (0.0, 0.0)
    mask: Mask | None = None
    open_edge: bool = False  # points beyond the edge take part too


@dataclass(frozen=True)
class Row:
    """What was measured of one sampler at one side; see the head of this file."""

    sampler: str
    side: int
    runs: int
    points: int
    seconds: float
    mega_points_a_second: float
    times_bridson: float
    weald_is: float
    density: float
    uncovered: float
    pairs_too_near: int
    worst: float


# ------------------------------------------------------------------------------ samplers


def weald(side: int, seed: int) -> tuple[Points, None]:
    return poisson_disk((0, 0, side, side), 1.0, seed=seed, threads=1).xy, None


def weald_on_the_plane(side: int, seed: int) -> tuple[Points, None]:
    x, y = FAR
    return poisson_disk(None, 1.0, seed=seed, window=(x, y, x + side, y + side), threads=1).xy, None


def glades(x: Points, y: Points) -> NDArray[np.bool_]:
    """Forbid round clearings, one every 50 m each way: 28 % of the ground."""
    return np.hypot(x % 50 - 25, y % 50 - 25) > 15


def weald_masked(side: int, seed: int) -> tuple[Points, None]:
    return poisson_disk((0, 0, side, side), 1.0, seed=seed, allowed=glades, threads=1).xy, None


def weald_two_threads(side: int, seed: int) -> tuple[Points, None]:
    return poisson_disk((0, 0, side, side), 1.0, seed=seed, threads=2).xy, None


def textbook(side: int, seed: int) -> tuple[Points, None]:
    return bridson(float(side), 1.0, seed), None


def scipy_sampler() -> Sampler:
    from scipy.stats import qmc

    def fill(side: int, seed: int) -> tuple[Points, None]:
        rng = np.random.default_rng(seed)
        return qmc.PoissonDisk(2, radius=1.0, rng=rng, l_bounds=[0, 0], u_bounds=[side, side]).fill_space(), None

    return Sampler("SciPy qmc.PoissonDisk", fill, most=200)


def polydisc_sampler() -> Sampler:
    try:
        import polydisc
    except ImportError:
        raise MissingError("polydisc: pip install polydisc (needs Python 3.13)") from None

    def fill(side: int, seed: int) -> tuple[Points, None]:
        # its discs stay inside the box, so a box wider by a disc gives their centres the whole square
        return polydisc.sample([side + 1.0, side + 1.0], 0.5, seed=seed).points, None

    return Sampler("polydisc", fill, most=500, corner=(0.5, 0.5))


def cloud_sampler() -> Sampler:
    try:
        import point_cloud_utils as pcu
    except ImportError:
        raise MissingError("point-cloud-utils: pip install point-cloud-utils") from None

    def fill(side: int, seed: int) -> tuple[Points, None]:
        corners = np.array([[0, 0, 0], [side, 0, 0], [side, side, 0], [0, side, 0]], np.float64)
        faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
        found = pcu.sample_mesh_poisson_disk(
            corners, faces, -1, radius=1.0, use_geodesic_distance=False, random_seed=seed + 1
        )
        return pcu.interpolate_barycentric_coords(faces, *found, corners)[:, :2], None

    return Sampler("point-cloud-utils, mesh of 2 triangles", fill, most=200)


FAST_2D = """
const fs = require("fs"), Sampler = require("fast-2d-poisson-disk-sampling");
function put(bytes) { for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at); }
require("readline").createInterface({input: process.stdin}).on("line", line => {
    const side = Number(line);
    const began = process.hrtime.bigint();
    const points = new Sampler({shape: [side, side], radius: 1}).fill();
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    put(Buffer.from(JSON.stringify([seconds, points.length]) + "\\n"));
    put(Buffer.from(Float64Array.from(points.flat()).buffer));
});
"""


def fast_2d_sampler() -> Sampler:
    """Return the npm package, at work in a process of its own that times itself."""
    node = shutil.which("node")
    package = "require.resolve('fast-2d-poisson-disk-sampling')"
    if node is None or subprocess.run([node, "-e", package], capture_output=True, check=False).returncode:
        raise MissingError(
            "fast-2d-poisson-disk-sampling: npm install fast-2d-poisson-disk-sampling, "
            "in this folder or in one whose node_modules NODE_PATH names"
        )
    # one core is the question, so its garbage is not to be collected on another
    process = subprocess.Popen(
        [node, "--single-threaded-gc", "-e", FAST_2D], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    atexit.register(process.terminate)
    assert process.stdin is not None
    assert process.stdout is not None
    ask, answer = process.stdin, process.stdout

    def fill(side: int, seed: int) -> tuple[Points, float]:
        ask.write(f"{side}\n".encode())
        ask.flush()
        seconds, count = json.loads(answer.readline())
        return np.frombuffer(answer.read(16 * count), np.float64).reshape(count, 2), seconds

    for _ in range(3):  # its compiler needs more warming than ours
        fill(200, 0)
    return Sampler("fast-2d-poisson-disk-sampling (Node)", fill, most=500)


def peers() -> Iterable[Sampler]:
    for peer in (polydisc_sampler, fast_2d_sampler, cloud_sampler, scipy_sampler):
        try:
            yield peer()
        except MissingError as how:
            print(f"left out: {how}")


# ----------------------------------------------------------------------------- measuring


def timed(sampler: Sampler, side: int, seed: int) -> tuple[Points, float]:
    began = time.perf_counter()
    points, seconds = sampler.fill(side, seed)
    return points, time.perf_counter() - began if seconds is None else seconds


def quality(sampler: Sampler, points: Points, side: int, probes: int) -> tuple[float, float, int, float]:
    """Return density, uncovered share, pairs too near, and the worst shortfall."""
    from scipy.spatial import cKDTree

    tree = cKDTree(points)
    pairs = tree.query_pairs(1.0 + 1e-9, output_type="ndarray")  # a superset; exact below
    step = points[pairs[:, 0]] - points[pairs[:, 1]]
    squares = (step**2).sum(axis=1)
    worst = 1.0 - float(np.sqrt(squares.min(initial=1.0)))

    # next to an open edge a place may be covered by a point that was not asked for
    inset = 1.0 if sampler.open_edge else 0.0
    places = np.random.default_rng(0).uniform(inset, side - inset, (probes, 2)) + sampler.corner
    share = 1.0
    if sampler.mask is not None:
        allowed = sampler.mask(places[:, 0], places[:, 1])
        share = float(allowed.mean())
        places = places[allowed]
    nearest, _ = tree.query(places, distance_upper_bound=1.0, workers=1)  # inf: nothing nearer than 1
    return len(points) / (side * side * share), float(np.isinf(nearest).mean()), int((squares < 1.0).sum()), worst


def measure(samplers: list[Sampler], side: int, runs: int, probes: int) -> list[Row]:
    """Let the samplers take turns at one side. The first is weald and the second Bridson."""
    turns = min(sampler.runs or runs for sampler in samplers)
    seconds: dict[str, list[float]] = {sampler.name: [] for sampler in samplers}
    counts: dict[str, list[int]] = {sampler.name: [] for sampler in samplers}
    last: dict[str, Points] = {}
    for turn in range(turns):
        for sampler in samplers:
            last[sampler.name], spent = timed(sampler, side, turn)
            seconds[sampler.name].append(spent)
            counts[sampler.name].append(len(last[sampler.name]))
    speed = {name: [n / s for n, s in zip(counts[name], seconds[name], strict=True)] for name in seconds}

    def ratio(above: str, below: str) -> float:
        return statistics.median(a / b for a, b in zip(speed[above], speed[below], strict=True))

    ours, theirs = samplers[0].name, samplers[1].name
    return [
        Row(
            name,
            side,
            turns,
            round(statistics.median(counts[name])),
            statistics.median(seconds[name]),
            statistics.median(speed[name]) / 1e6,
            ratio(name, theirs),
            ratio(ours, name),
            *quality(sampler, last[name], side, probes),
        )
        for sampler in samplers
        for name in [sampler.name]
    ]


def groups(sides: list[int], others: list[Sampler]) -> Iterable[tuple[int, list[Sampler]]]:
    """Yield each side with the samplers that take turns at it; slow peers get a side of their own."""
    base = [Sampler("weald", weald), Sampler("Bridson, textbook, Numba", textbook)]
    variants = [
        Sampler("weald, window of the infinite plane", weald_on_the_plane, corner=FAR, open_edge=True),
        Sampler("weald, NumPy mask", weald_masked, mask=glades),
        Sampler("weald, two threads", weald_two_threads),
    ]
    slow = {peer.most for peer in others if peer.most is not None and peer.most < min(sides)}
    for side in sorted({*sides, *slow}):
        fit = [p for p in others if (p.most == side if side in slow else p.most is None or side <= p.most)]
        yield side, base + fit + (variants if side == max(sides) else [])


# ------------------------------------------------------------------------------- showing

COLUMNS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("sampler", lambda row: row.sampler),
    ("side", lambda row: f"{row.side}"),
    ("runs", lambda row: f"{row.runs}"),
    ("points", lambda row: f"{row.points:,}"),
    ("M points/s", lambda row: f"{row.mega_points_a_second:.3g}"),
    ("x Bridson", lambda row: f"{row.times_bridson:.3g}"),
    ("weald is", lambda row: f"{row.weald_is:.3g}x"),
    ("density", lambda row: f"{row.density:.4f}"),
    ("uncovered", lambda row: f"{row.uncovered:.1e}" if row.uncovered else "0"),
    ("pairs < r", lambda row: f"{row.pairs_too_near:,}"),
    ("worst", lambda row: f"{row.worst:.0e}" if row.pairs_too_near else "-"),
)


def table(rows: list[Row]) -> str:
    """Return the rows as an aligned Markdown table."""
    cells = [[title for title, _ in COLUMNS], *([text(row) for _, text in COLUMNS] for row in rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(COLUMNS))]
    cells.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    lines = []
    for line in cells:
        first, *others = zip(line, widths, strict=True)
        lines.append(" | ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in others)]))
    return "\n".join(f"| {line} |" for line in lines)


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("weald", "numpy", "numba", "scipy", "polydisc", "point-cloud-utils"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", type=int, nargs="+", default=[200, 500, 1000], help="sides of the squares")
    parser.add_argument("--runs", type=int, default=5, help="turns of each sampler; slow ones have fewer")
    parser.add_argument("--probes", type=int, default=1_000_000, help="random places that look for gaps")
    parser.add_argument("--only-weald", action="store_true", help="leave the peers out, but for the textbook")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to a file too")
    options = parser.parse_args(arguments)
    if min(options.sides) < 10 or options.runs < 1 or options.probes < 1:
        parser.error("sides must be at least 10; runs and probes at least 1")

    for name in THREAD_LIMITS:  # before the peers are imported, which read them then
        os.environ[name] = "1"
    others = [] if options.only_weald else list(peers())
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    rows: list[Row] = []
    for side, samplers in groups(options.sides, others):
        for sampler in samplers:  # a first call compiles, loads or warms up
            sampler.fill(max(20, min(side, 50)), 0)
        print(f"side {side}: {len(samplers)} samplers ...", file=sys.stderr)
        rows += measure(samplers, side, options.runs, options.probes)
    print(table(rows))
    if options.json is not None:
        document = {"versions": versions(), "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(document, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
