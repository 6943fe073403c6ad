"""``weald demo`` and ``weald build``: a world into a folder, and what was made."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from weald.cli.options import MostMemory, MostMinutes, SpecFile, Threads, Window, box, budget, numbers
from weald.cli.progress import Progress, note_first_run

if TYPE_CHECKING:
    from weald.builder import BuildReport
    from weald.world.world import World

Out = Annotated[Path, typer.Option("--out", "-o", help="Folder to write to; made if it does not exist.")]
_STAGES = 7
"""Stages of a build that are shown besides its layers."""


def demo(out: Out = Path("out"), threads: Threads = None) -> None:
    """Build the demo: forest on the real mountains about Jacksboro, Tennessee."""
    from weald.builder import demo_spec

    _build(demo_spec(), out, None, threads)


def build(
    spec: SpecFile,
    out: Out = Path("out"),
    window: Window = None,
    height_range: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Heights of the lowest and highest code of heightmap.png, in metres; those of the whole world if not "
            "given, so that windows fit together.",
        ),
    ] = None,
    threads: Threads = None,
    most_minutes: MostMinutes = None,
    most_memory: MostMemory = None,
) -> None:
    """Build a world from its spec."""
    _build(spec, out, window, threads, most_minutes, most_memory, height_range)


def _build(
    path: Path,
    out: Path,
    window: str | None,
    threads: int | None,
    most_minutes: float | None = None,
    most_memory: float | None = None,
    height_range: str | None = None,
) -> None:
    started = perf_counter()
    from weald.builder import build
    from weald.world.world import World

    part = box(window)
    ends = None
    if height_range is not None:
        low, high = numbers(height_range, 2, "--height-range", "0,900")
        ends = low, high
    world = World.load(path, budget=budget(most_minutes, most_memory))
    note_first_run()
    try:
        with Progress(len(world.spec.layer) + _STAGES) as advance:
            report = build(world, out, window=part, height_range=ends, threads=threads, report=advance)
    except KeyboardInterrupt:
        typer.echo("stopped; nothing was written", err=True)
        raise typer.Exit(130) from None
    _summary(world, path, report, out, perf_counter() - started)


def _summary(world: World, spec: Path, report: BuildReport, out: Path, seconds: float) -> None:
    import numpy as np
    from rich.console import Console
    from rich.table import Table

    # names and paths are shown as they are: "[x]" is no markup, ":x:" no emoji
    console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
    title = f"{world.name}: {report.count:,} instances on {report.bounds.area / 1e6:.4g} km²"
    console.print(f"\n{title}\n", style="bold")
    table = Table(box=None, pad_edge=False)
    table.add_column("layer")
    for heading in ("count", "per ha", "spacing m", "closest m"):
        table.add_column(heading, justify="right")
    for layer in report.layers:
        table.add_row(
            layer.name,
            f"{layer.count:,}",
            f"{layer.per_hectare:,.1f}",
            _spacing(layer.radius),
            f"{layer.closest:.5f}" if layer.count > 1 else "-",
        )
    console.print(table)
    for layer in report.layers:
        if layer.count == 0:
            heights = world.ground.crop(report.bounds).heights
            low, high = (float(limit(heights)) for limit in (np.nanmin, np.nanmax))
            console.print(
                f"Nothing stands in layer {layer.name!r}: no place meets its rules "
                f"(the ground is {low:g} to {high:g} m high).",
                markup=False,
            )
    for line in report.stale:
        console.print(f"Edit that does not apply: {line}", markup=False)
    # modules and the spec were loaded before the build looked at its clock
    loading = seconds - sum(report.seconds.values())
    spent = report.seconds | {"start": report.seconds["start"] + loading}
    parts = ", ".join(f"{name} {took:.2f}" for name, took in spent.items())
    console.print(f"\nBuilt in {seconds:.2f} s ({parts}):")
    for path in report.files:
        console.print(f"  {path!s:<32} {_size(path.stat().st_size):>9}")
    console.print(f"\nNext: look at {out / 'preview.png'}; open {out / 'scene.glb'} in a glTF viewer that knows")
    console.print("EXT_mesh_gpu_instancing, such as three.js or Blender; read the Parquet file with pandas.")
    console.print(f"weald explain {spec} --at X,Y tells why something stands at a place, or nothing does.")
    console.print(f"To change the world, copy {out / 'world.toml'} to a file beside it, edit the copy, and build that.")


def _spacing(radius: tuple[float, float]) -> str:
    low, high = radius
    if low != low:
        return "-"
    return f"{low:.4g}" if low == high else f"{low:.3g}-{high:.3g}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"
