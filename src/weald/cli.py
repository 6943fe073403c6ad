"""The ``weald`` command. Heavy modules are imported where they are used, so that ``--help`` is quick."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weald._version import ALGORITHM, __version__

if TYPE_CHECKING:
    from weald.builder import BuildReport
    from weald.world.world import World

app = typer.Typer(
    help="Grow natural worlds: terrain, and plants that stand where they would.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Out = Annotated[Path, typer.Option("--out", "-o", help="Folder to write to; made if it does not exist.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads to use; one a core if not given.")]


@app.command()
def demo(out: Out = Path("out"), threads: Threads = None) -> None:
    """Build the demo: forest on the real mountains about Jacksboro, Tennessee."""
    from weald.builder import demo_spec

    _build(demo_spec(), out, threads)


@app.command()
def build(
    spec: Annotated[Path, typer.Argument(help="The world's spec: a TOML file.")],
    out: Out = Path("out"),
    threads: Threads = None,
) -> None:
    """Build a world from its spec."""
    _build(spec, out, threads)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    """Answer ``--version``."""
    if show:
        typer.echo(f"weald {__version__} (algorithm {ALGORITHM})")
        raise typer.Exit


def main() -> None:
    """Run the command; an unusable input ends it with one clear message and exit code 2."""
    from weald.errors import WealdError

    for name in ("SIGTERM", "SIGHUP"):  # end like Ctrl-C, so that nothing is left behind
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        app()
    except WealdError as error:
        typer.secho(f"error: {error}", fg=typer.colors.RED, err=True)
        sys.exit(2)


def _build(path: Path, out: Path, threads: int | None) -> None:
    started = time.perf_counter()
    from weald.builder import build
    from weald.world.world import World

    world = World.load(path)
    _note_first_run()
    try:
        with _progress(len(world.spec.layer)) as advance:
            report = build(world, out, threads=threads, report=advance)
    except KeyboardInterrupt:
        typer.echo("stopped; nothing was written", err=True)
        raise typer.Exit(130) from None
    _summary(world, report, out, time.perf_counter() - started)


class _Progress:
    """Shows which stage runs: a bar on a terminal, a line a stage elsewhere."""

    def __init__(self, stages: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._bar = Progress(
            TextColumn("{task.description:<28}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("spec", total=stages)
        self._plain = not self._bar.console.is_terminal
        self._begun = False

    def __enter__(self) -> _Progress:
        if not self._plain:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._plain:
            self._bar.stop()

    def __call__(self, stage: str) -> None:
        if self._plain:
            typer.echo(f"  {stage} ...", err=True)
        else:
            self._bar.update(self._task, description=stage, advance=1 if self._begun else 0)
        self._begun = True


@contextmanager
def _progress(layers: int) -> Iterator[_Progress]:
    with _Progress(layers + 6) as progress:
        yield progress


def _note_first_run() -> None:
    """Say why the first run takes longer: kernels are compiled once, then kept beside the package."""
    import weald.sampling.darts as kernels

    cache = Path(kernels.__file__).with_name("__pycache__")
    if not any(cache.glob("darts.throw-*.nbi")):
        typer.echo("First run here: compiling kernels once, about 20 s.", err=True)


def _summary(world: World, report: BuildReport, out: Path, seconds: float) -> None:
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
    spent = ", ".join(f"{name} {took:.2f}" for name, took in report.seconds.items())
    console.print(f"\nBuilt in {seconds:.1f} s ({spent}):")
    for path in report.files:
        console.print(f"  {path!s:<32} {_size(path.stat().st_size):>9}")
    console.print(f"\nNext: look at {out / 'preview.png'}; open {out / 'scene.glb'} in a glTF viewer that knows")
    console.print("EXT_mesh_gpu_instancing, such as three.js or Blender; read the Parquet file with pandas.")
    console.print(f"To change the world, copy {out / 'world.toml'}, edit the copy, and build that.")


def _spacing(radius: tuple[float, float]) -> str:
    low, high = radius
    if low != low:
        return "-"
    return f"{low:.4g}" if low == high else f"{low:.3g}-{high:.3g}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"
