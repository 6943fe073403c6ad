"""A checksum of all that weald computes: the same bits with every Python, NumPy, processor and number of threads.

``python -m tests.bits.checksums`` prints a line for each item; ``--threads N`` asks for so many. `.ci/run` compares the
lines of every interpreter on the machine, of a plain processor (``NUMBA_CPU_NAME=generic``), of NumPy without AVX
(``NPY_DISABLE_CPU_FEATURES``), and of one and two threads, with ``tests/golden/checksums.json``, by ``--compare``.

Where results are meant to change, ``python -m tests.golden.regenerate`` writes that file anew with the others.
What goes in is made by weald's hashes and by plain arithmetic: NumPy's sines would have other bits elsewhere.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests import stands, worlds
from weald import bridson, dart_throwing, exact, jittered_grid, poisson_disk
from weald.export.heightmap import write_heightmap
from weald.fields import Field, distance_to, inside, lerp, perlin, perlin_classic, raster, simplex, value, where, worley
from weald.geometry import Grid
from weald.hashing import unit
from weald.sampling.elimination import weighted_sample_elimination
from weald.sampling.kernels import box_kernel, disc_kernel, hemisphere_kernel
from weald.sampling.progressive import progressive_order
from weald.scatter.scatter import scatter
from weald.scatter.shapes import shape_mesh
from weald.scatter.species import SHAPES, Species
from weald.terrain.biomes import CLASSIC, Biomes
from weald.terrain.caves import Worms, connected, pockets, smoothed, speckle
from weald.terrain.erosion import erode, thermal
from weald.terrain.hydrology import drainage
from weald.terrain.mesh import MeshGround
from weald.terrain.shade import hillshade, soft_hillshade
from weald.terrain.terrain import Terrain
from weald.world.world import World

GOLDEN = Path(__file__).parents[1] / "golden" / "checksums.json"
GRIDS = (Grid(-31.5, 12.25, 0.75, 150, 90), Grid(-1e9, 1e9, 7.0, 40, 30))

Item = tuple[str, Any]


def numbers(purpose: str, n: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
    """Return hashed numbers between two."""
    return low + (high - low) * unit(np.arange(n, dtype=np.uint64), "checksums", purpose)


def sampled(field: Any, threads: int) -> list[np.ndarray]:
    """Return a field's values on grids, and at places."""
    extra = {"z": 3.25, "w": -7.5}
    extra = dict(list(extra.items())[: max(field.dimensions - 2, 0)])
    x, y = numbers("x", 500, -1e4, 1e4), numbers("y", 500, -1e4, 1e4)
    return [*(field.sample(grid, threads=threads, **extra) for grid in GRIDS), field(x, y, **extra)]


def functions(threads: int) -> Iterator[Item]:
    values = numbers("values", 5000, -40, 40)
    yield "sine and cosine", [*exact.sine_cosine(values), *exact.sine_cosine_deg(values), exact.sine(values)]
    yield "arctangent", [exact.arctangent(values, values[::-1]), exact.arctangent_deg(values)]
    yield "logarithm", exact.logarithm(np.abs(values))
    yield "powers", [exact.raised(np.abs(values), e) for e in (1 / 3, 0.85, 2.4)]


def noises(threads: int) -> Iterator[Item]:
    bases: dict[str, Callable[..., Any]] = {"perlin": perlin, "simplex": simplex, "value": value, "worley": worley}
    for name, basis in bases.items():
        for dimensions in (2, 3, 4) if basis is not worley else (2, 3):
            for seed in (0, "valley", 2**70):
                noise = basis(seed, scale=37, dimensions=dimensions)
                forms = {
                    "plain": noise,
                    "fbm": noise.fbm(octaves=4),
                    "ridged": noise.ridged(octaves=3, weighted_strength=0.6),
                    "billow": noise.billow(octaves=3),
                }
                for form, field in forms.items():
                    yield f"{name} {dimensions}D {form} {seed}", sampled(field, threads)
                yield f"{name} {dimensions}D slopes {seed}", [sampled(slope, threads) for slope in noise.gradient]
    for feature in ("f2", "f2-f1", "id"):
        yield f"worley {feature}", sampled(worley(3, scale=20, feature=feature, jitter=0.8), threads)
    yield "perlin tile", sampled(perlin(3, scale=20, period=200).fbm(octaves=3), threads)
    yield "perlin classic", sampled(perlin_classic(3, scale=20).fbm(octaves=3), threads)
    yield "perlin in float32", perlin(3, scale=20).fbm(octaves=5).sample(GRIDS[0], dtype=np.float32, threads=threads)


def fields(threads: int) -> Iterator[Item]:
    a, b = perlin("a", scale=30).fbm(octaves=3), simplex("b", scale=50)
    heights = numbers("raster", 30 * 40, 0, 9).reshape(30, 40)
    kinds = {
        "arithmetic": (a + 2) * b / (abs(a) + 0.5) - a.min(b).max(-0.4),
        "powers": abs(a) ** 0.3 + (b + 1) ** 2.5 + a**3 + abs(b).sqrt(),
        "shaping": a.clamp(-0.5, 0.5) + (b * 5).floor() + a.terrace(0.3) + b.smoothstep(-0.3, 0.6),
        "curve": a.remap([(-1, 0.1), (0, 0.7), (0.3, -0.2), (1, 2)]),
        "smooth curve": a.remap([(-1, 0.1), (0, 0.7), (0.3, -0.2), (1, 2)], smooth=True),
        "moves": a.translate(3.3, -7).scale((0.9, 1.2)).rotate_deg(33.3, about=(5, 6)),
        "warp": a.warp(b * 12, a * 9),
        "choice": where((a > b) & ~(b < 0.1), lerp(a, b, a.smoothstep(0, 1)), b + 1),
        "function": Field.of(lambda x, y: x * 0.01 - y * 0.02),
        "distance to points": distance_to(np.column_stack([numbers("px", 50, -40, 80), numbers("py", 50, 0, 90)])),
        "distance to lines": distance_to(np.array([(0, 0), (70, 30), (10, 90)]), kind="line"),
        "polygon": inside([[(0, 0), (60, 10), (30, 80)]]),
        **{
            f"raster {method}": raster(Grid(-30, 10, 3, 40, 30), heights, method=method)
            for method in ("nearest", "bilinear", "cubic")
        },
    }
    for name, field in kinds.items():
        yield f"field {name}", sampled(field, threads)


@functools.cache
def ground() -> Terrain:
    """Return rough ground with a void and a plain."""
    grid = Grid(-1e6, 3e5, 8.0, 70, 60)
    heights = (perlin("ground", scale=300).fbm(octaves=6) * 400).max(-60).sample(grid, threads=1)
    heights[20:25, 30:36] = np.nan
    return Terrain(grid, heights)


def terrains(threads: int) -> Iterator[Item]:
    terrain = ground()
    grid = terrain.grid
    x = grid.xmin + numbers("tx", 20_000, 0, 8.0 * 69)
    y = grid.ymin + numbers("ty", 20_000, 0, 8.0 * 59)
    for name in ("height", "normal", "slope_deg", "aspect_deg", "profile_curvature", "tangential_curvature"):
        yield f"terrain {name}", getattr(terrain, name)(x, y)
    yield "terrain resampled", terrain.resample(5.0).heights
    yield "terrain contours", [line.xy for line in terrain.contours(20.0)]
    yield "terrain hillshade", [hillshade(terrain, azimuth_deg=301.7, altitude_deg=37.1), soft_hillshade(terrain)]
    yield "erosion by water", erode(terrain, iterations=30).heights
    yield "erosion by slides", thermal(terrain, iterations=30, talus_deg=31.3).heights
    corners = np.column_stack([numbers(axis, 300, 0, 50) for axis in "uvw"])
    mesh = MeshGround(corners, np.arange(300).reshape(-1, 3))
    at = numbers("mx", 3000, 0, 50), numbers("my", 3000, 0, 50)
    yield "mesh", [mesh.height(*at), mesh.normal(*at), mesh.slope_deg(*at), mesh.hits(*at)]
    water = drainage(terrain)
    yield "water", [water.area, water.filled, water.spread_area(), water.wetness(least_slope_deg=0.3)]
    yield "water lines", [water.distance_to_water(12000.0), water.rivers(12000.0).order, water.lakes().depth]
    with tempfile.TemporaryDirectory() as folder:
        write_heightmap(Path(folder) / "h.png", np.nan_to_num(terrain.heights), grid)
        yield "heightmap", np.fromfile(Path(folder) / "h.png", np.uint8)


def zones(threads: int) -> Iterator[Item]:
    height = perlin("height", 1 / 90).fbm(octaves=4).remap([(-0.5, 0), (0.5, 1)])
    moisture = perlin("moisture", 1 / 60).fbm(octaves=3).remap([(-0.5, 0), (0.5, 1)])
    biomes = Biomes.from_table(
        {**CLASSIC, "blend_radius": 12.0, "seed": "soft"}, {"height": height, "moisture": moisture}
    )
    grid = GRIDS[0]
    yield "biomes", biomes(*np.meshgrid(grid.x, grid.y))
    yield "shares of biomes", [biomes.weight(name).sample(grid, threads=threads) for name in biomes.names]
    automaton = smoothed(speckle("deep", rock=0.5), steps=5)
    worms = Worms("mole", cell=40.0, per_cell=0.7, steps=90, bend=60.0)
    caves = {
        "pockets": pockets(perlin("halls", 1 / 17).fbm(octaves=2), rough=perlin("walls", 1 / 4)),
        "speckle": speckle("deep", cell=3.0),
        "smoothed": automaton,
        "connected": connected(automaton, tile=24, fill_below=5),
        "worms": worms.inside,
        "depth": worms.profile,
    }
    for name, cave in caves.items():
        yield f"caves {name}", cave.sample(grid, threads=threads)


def points(threads: int) -> Iterator[Item]:
    box, cube = (0.0, 0.0, 60.0, 50.0), (0.0, 0.0, 0.0, 12.0, 11.0, 9.0)
    field = perlin("radius", scale=20) + 2
    blockers = np.column_stack([numbers("bx", 9, 0, 60), numbers("by", 9, 0, 50)]), numbers("br", 9, 1, 5)
    asked: dict[str, tuple[Any, float | Field, dict[str, Any]]] = {
        "plane": (box, 1.3, {}),
        "plane, natural edge": (box, 1.3, {"edge": "natural"}),
        "plane without end": (None, 1.3, {"window": (1e7, -1e7, 1e7 + 40, -1e7 + 30)}),
        "tile": (box, 1.5, {"periodic": True}),
        "tile along x": (box, 1.5, {"periodic": "x"}),
        "mask": (box, 1.1, {"allowed": lambda x, y: x * y < 900}),
        "blockers": (box, 1.3, {"blockers": blockers}),
        "varying radius": (box, field, {"radius_range": (1, 3)}),
        "varying radius, blockers, tile": (box, field, {"radius_range": (1, 3), "blockers": blockers}),
        "space": (cube, 1.2, {}),
        "space, mask": (cube, 1.0, {"allowed": lambda x, y, z: x * y * z < 300}),
        "space without end": (None, 1.1, {"window": (1e6, -1e6, 1e6, 1e6 + 7, -1e6 + 7, 1e6 + 7)}),
    }
    for name, (bounds, radius, more) in asked.items():
        found = poisson_disk(bounds, radius, seed="sum", threads=threads, **more)
        yield f"points {name}", [np.asarray(found), found.id]
    yield "points bridson", np.asarray(bridson(box, 2.0, seed=1))
    yield "points dart throwing", np.asarray(dart_throwing(box, 2.0, seed=1))
    yield "points jittered", np.asarray(jittered_grid(box, 90, seed=1))
    xy = np.column_stack([numbers("ex", 600), numbers("ey", 600)])
    xyz = np.column_stack([xy, numbers("ez", 600)])
    yield "points elimination", [weighted_sample_elimination(places, 150) for places in (xy, xyz)]
    yield "points progressive", progressive_order(xy)
    yield "kernels", [disc_kernel(64, seed=1), hemisphere_kernel(64, seed=1, cosine=True), box_kernel(box, 64, seed=1)]


def placements(threads: int) -> Iterator[Item]:
    for kind, layers in stands.KINDS.items():
        clearances = stands.MATRIX if kind == "kept off by species" else None
        box = (0.0, 0.0, 70.0, 60.0)
        placed = scatter(layers, stands.flat, box, "sum", clearances=clearances, threads=threads)
        yield f"stand {kind}", [list(worlds.parts(part).values()) for part in placed.values()]
    with tempfile.TemporaryDirectory() as folder:
        world: World = worlds.world(Path(folder))
        for name, placed in world.layers(window=(100, 100, 220, 220)).items():
            yield f"world {name}", list(worlds.parts(placed).values())
    for shape in SHAPES:
        mesh = shape_mesh(Species("one", shape, 9.0, 2.5, "#336644"))
        yield f"shape {shape}", [mesh.positions, mesh.normals, mesh.colors, mesh.triangles]


PARTS = (functions, noises, fields, terrains, zones, points, placements)


def _fed(digest: Any, value: Any) -> None:
    if isinstance(value, list | tuple):
        for item in value:
            _fed(digest, item)
        return
    array = np.ascontiguousarray(value)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)  # NaN has many bits
    digest.update(f"{array.dtype.str}{array.shape}".encode())
    digest.update(array.tobytes())


def checksums(threads: int) -> dict[str, str]:
    """Return the checksum of each item, by name."""
    found = {}
    for part in PARTS:
        for name, made in part(threads):
            digest = hashlib.blake2b(digest_size=8)
            _fed(digest, made)
            assert name not in found, name
            found[name] = digest.hexdigest()
    return found


def main() -> int:
    """Print the checksums, or compare them with the golden ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compare", action="store_true", help="with the golden file: print what differs, and fail")
    asked = parser.parse_args()
    found = checksums(asked.threads)
    if not asked.compare:
        sys.stdout.writelines(f"{checksum}  {name}\n" for name, checksum in found.items())
        return 0
    golden = json.loads(GOLDEN.read_text())["checksums"]
    odd = [name for name in {**golden, **found} if golden.get(name) != found.get(name)]
    what = f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {asked.threads} threads"
    for name in ("NUMBA_CPU_NAME", "NPY_DISABLE_CPU_FEATURES"):
        what += f", {name}={os.environ[name]}" if name in os.environ else ""
    sys.stdout.writelines(f"differs: {name}\n" for name in odd)
    sys.stdout.write(f"{len(found) - len(odd)} of {len(golden)} checksums are equal ({what})\n")
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
