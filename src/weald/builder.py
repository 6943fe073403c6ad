"""Build a world into a folder: everything it exports, a picture, and a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.export.files import recover_folder, staged_folder
from weald.export.glb import write_glb
from weald.export.glb_size import refuse_too_large
from weald.export.heightmap import write_heightmap
from weald.export.table import write_parquet
from weald.geometry import Bounds, BoundsLike
from weald.numbers import shown_box
from weald.preview.ground import tint
from weald.preview.map import draw_map
from weald.sampling.neighbours import Neighbours
from weald.scatter.arrow import check_installed
from weald.scatter.placements import Placements
from weald.terrain.terrain import Terrain
from weald.world.world import SPEC_HEAD, World

_GROUND_IN_SCENE = np.array([0.60, 0.62, 0.50], np.float32)


@dataclass(frozen=True)
class LayerReport:
    """What stands in one layer."""

    name: str
    radius: tuple[float, float]
    """Smallest and largest spacing radius of what grew in it, in metres; NaN if nothing did."""
    count: int
    per_hectare: float
    closest: float
    """Least distance found between two instances, in metres; infinite if there are fewer than two."""


@dataclass(frozen=True)
class BuildReport:
    """What a build made, and how long each stage took."""

    layers: tuple[LayerReport, ...]
    seconds: dict[str, float]
    """By stage, from ``start`` to ``write``; together, all the time that `build` took."""
    files: tuple[Path, ...]
    bounds: Bounds
    """The part of the world that was built."""
    stale: tuple[str, ...] = ()
    """A line for each edit that does not apply any more."""

    @property
    def count(self) -> int:
        """Instances in all layers."""
        return sum(layer.count for layer in self.layers)


@dataclass
class _Stages:
    """Time by stage, without gaps: the clock is read once between two stages."""

    report: Callable[[str], object]
    seconds: dict[str, float] = field(default_factory=lambda: {"start": 0.0})
    _since: float = field(default_factory=lambda: perf_counter())
    _running: str = "start"

    def start(self, name: str) -> None:
        self.stop()
        self._running = name
        self.seconds.setdefault(name, 0.0)
        self.report(name)

    def stop(self) -> None:
        now = perf_counter()
        self.seconds[self._running] += now - self._since
        self._since = now


OUTPUTS = ("heightmap.json", "heightmap.png", "placements.parquet", "preview.png", "scene.glb", "world.toml")
"""The files of a build."""


def build(
    world: World | str | Path,
    out: str | Path,
    *,
    window: BoundsLike | None = None,
    height_range: tuple[float, float] | None = None,
    threads: int | None = None,
    report: Callable[[str], object] = lambda stage: None,
) -> BuildReport:
    """Build a world into a folder.

    Writes ``preview.png``, ``placements.parquet``, ``heightmap.png`` with its sidecar
    ``heightmap.json``, ``scene.glb``, and ``world.toml``, the spec as it was understood, which names the files that
    it is made from by their places relative to ``out``. The files
    appear together when all are complete; if anything fails, the folder is as it was. If the process is killed while
    they take their places, each file is whole, and the next build into the folder completes or undoes the change.

    Parameters
    ----------
    world
        What to build; or the path of its spec.
    out
        The folder; made if it does not exist. Other files in it are left alone, and an earlier build
        is replaced.
    window
        The part of the world to build, in metres; all of it if not given. A world without edges needs one.
    height_range
        Heights, in metres, of the lowest and the highest code of ``heightmap.png``. If it is not given, they are the
        lowest and highest of the whole ground, or those that its formula is proved to keep: the same for every
        window, so that parts share the codes of their common edge. The sidecar says which.
    threads
        How many threads place points; one a core if not given.
    report
        Called with the name of each stage when it starts.

    Raises
    ------
    InputError
        If the spec cannot be met or asks for more than the world's budget, if ``scene.glb`` is estimated to become
        larger than the 4 GiB that a GLB can hold, if the folder cannot be written to or
        another build runs in it, or if it holds files of these names that are not an earlier build's.
    MissingExtraError
        If a library is missing; this is found before anything is computed.
    """
    stages = _Stages(report)
    if not isinstance(world, World):
        world = World.load(world)
    recover_folder(out)
    _refuse_to_overwrite(world, out)
    check_installed()
    with staged_folder(out) as folder:
        stages.start("ground")
        bounds = _bounds(world, window)
        cost = world.afford(bounds)
        tinted = any(species.color_variation > 0 for species in world.spec.species.values())
        refuse_too_large("scene.glb", cost.samples, cost.instances, tinted=tinted)
        terrain = world.ground if isinstance(world.ground, Terrain) and window is None else world.ground.crop(bounds)
        stale: list[str] = []
        layers = world.layers(
            None if window is None and world.bounds is not None else bounds,
            threads=threads,
            report=lambda name: stages.start(f"place {name}"),
            stale=stale.append,
        )
        stages.start("measure")
        reports = tuple(_layer_report(world, name, placed, bounds) for name, placed in layers.items())
        everything = Placements.concat(list(layers.values()))
        stages.start("table")
        write_parquet(folder / "placements.parquet", layers, crs=terrain.crs)
        stages.start("heightmap")
        scale = _scale(world, height_range)
        write_heightmap(
            folder / "heightmap.png",
            terrain.heights,
            terrain.grid,
            height_range=scale.height_range,
            range_of=scale.range_of,
            voids=scale.voids,
            crs=terrain.crs,
        )
        stages.start("scene")
        write_glb(
            folder / "scene.glb",
            everything,
            grid=terrain.grid,
            heights=terrain.heights,
            rimmed=terrain.rimmed,
            colors=_colors(terrain, scale.height_range),
            crs=terrain.crs,
        )
        stages.start("preview")
        draw_map(
            folder / "preview.png", terrain, everything, title=world.name, bounds=bounds, water_level=world.water_level
        )
        stages.start("write")  # and, as the block ends, all files to the disk and into their places
        (folder / "world.toml").write_text(world.to_toml(out), "utf-8")
        names = sorted(path.name for path in folder.iterdir())
    stages.stop()
    return BuildReport(reports, stages.seconds, tuple(Path(out) / name for name in names), bounds, tuple(stale))


def _refuse_to_overwrite(world: World, out: str | Path) -> None:
    """Refuse a folder in which the build would replace what the user made."""
    if not str(out):
        raise InputError("out: is empty; give a folder to write to")
    folder = Path(out)
    try:
        there = [folder / name for name in OUTPUTS if (folder / name).exists()]
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(f"{out}: cannot be written ({why}); choose a folder that you may write to") from None
    for mine in world.inputs:
        if any(path.samefile(mine) for path in there):
            raise InputError(f"{out}: the build would overwrite {mine}, which it is made from; give another folder")
    spec = folder / "world.toml"
    if there and not (spec.is_file() and spec.read_bytes().startswith(SPEC_HEAD.encode())):
        raise InputError(f"{out}: has a {there[0].name} that weald did not build; give another folder, or remove it")


def _bounds(world: World, window: BoundsLike | None) -> Bounds:
    """Return the part to build: the window, as far as there is a world."""
    if window is None:
        if world.bounds is None:
            raise InputError(
                "window: is not given, and the world has no edges; give the part to build, such as (0, 0, 1000, 1000), "
                "or set `window` in the spec's [ground]"
            )
        return world.bounds
    box = Bounds.of(window, "window")
    if world.bounds is None:
        return box
    part = world.bounds.intersection(box)
    if part is None:
        b = world.bounds
        raise InputError(
            f"window: {shown_box(box.xmin, box.ymin, box.xmax, box.ymax)} does not meet the world, which spans "
            f"{shown_box(b.xmin, b.ymin, b.xmax, b.ymax)}; give one that does"
        )
    return part


def _layer_report(world: World, name: str, placed: Placements, bounds: Bounds) -> LayerReport:
    spec = next(layer for layer in world.spec.layer if layer.name == name)
    if not len(placed):
        return LayerReport(name, (np.nan, np.nan), 0, 0.0, np.inf)
    grown = placed.radius[placed.radius > 0]  # what was added by hand keeps no distance
    low, high = (float(end) for end in (grown.min(), grown.max())) if len(grown) else (np.nan, np.nan)
    nearest = Neighbours(placed.xyz[:, :2], max(float(np.nan_to_num(low)), 1e-3)).nearest_distance()
    closest = float(nearest.min(initial=np.inf))
    by_hand = any(edit.layer == name for edit in world.edits)
    if closest < low and spec.soft is None and not spec.sizes and not by_hand:
        # the sampler's own law: never sell a broken world
        raise AssertionError(f"layer {name!r}: two instances are {closest} apart, less than {low:.7g}")
    return LayerReport(name, (low, high), len(placed), len(placed) / (bounds.area / 10_000), closest)


class _Scale(NamedTuple):
    """What the codes of heights mean: the same in every part of a world, if that can be."""

    height_range: tuple[float, float] | None
    range_of: str
    voids: bool | None


def _scale(world: World, given: tuple[float, float] | None) -> _Scale:
    ground = world.ground
    if isinstance(ground, Terrain):
        heights, of = (float(np.nanmin(ground.heights)), float(np.nanmax(ground.heights))), "of the whole ground"
        voids = bool(np.isnan(ground.heights).any())
    else:
        heights, of = ground.field.range, "proved of the formula"
        voids = True  # what lies elsewhere is not known, and a code kept for voids costs nothing
    if given is not None:
        return _Scale(given, "given", voids)
    if not (np.isfinite(heights).all() and heights[0] < heights[1]):
        return _Scale(None, "", voids)  # level ground, or a formula without bounds
    return _Scale(heights, of, voids)


def _colors(terrain: Terrain, height_range: tuple[float, float] | None) -> NDArray[np.uint8]:
    """Return the map's colours of the ground, darkened: lit by a scene's sun, a map's tints look like snow."""
    low, high = height_range or (float(np.nanmin(terrain.heights)), float(np.nanmax(terrain.heights)))
    share = np.clip(np.nan_to_num((terrain.heights - low) / max(high - low, 1e-9)), 0.0, 1.0)
    colors: NDArray[np.uint8] = np.rint(255 * _GROUND_IN_SCENE * tint(share)).astype(np.uint8)
    return colors


def demo_spec() -> Path:
    """Return the path of the demo's spec, ``examples/cumberland.toml``."""
    here = Path(__file__)
    for path in (here.with_name("cumberland.toml"), here.parents[2] / "examples" / "cumberland.toml"):
        if path.is_file():
            return path
    raise InputError("the demo's spec is missing from this installation; install weald again")
