"""``weald report``: what a forester would write down of a world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weald.cli.options import SpecFile, Threads, Window, box
from weald.cli.progress import Progress, note_first_run

if TYPE_CHECKING:
    from weald.geometry import Bounds
    from weald.sampling.quality import LFunction
    from weald.scatter.inventory import Inventory
    from weald.world.world import World


def report(
    spec: SpecFile,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="A .png or .json to write, with L functions; may be repeated."
        ),
    ] = None,
    window: Window = None,
    threads: Threads = None,
) -> None:
    """Count and measure what stands in a world: an inventory by layer and species."""
    from weald.errors import InputError

    files = out or []
    for path in files:
        if path.suffix not in (".png", ".json"):
            raise InputError(f"--out: got {path}; give a name that ends in .png or .json")
    from weald.scatter.inventory import l_functions, take_inventory
    from weald.world.world import World

    part, world = box(window), World.load(spec)
    bounds = _bounds(world, part, spec)
    note_first_run()
    with Progress(len(world.spec.layer) + 2) as advance:
        layers = world.layers(part, threads=threads, report=lambda name: advance(f"place {name}"))
        advance("measure")
        inventory = take_inventory(layers, bounds)
        curves = {}
        if files:
            advance("L functions")
            curves = l_functions(layers, bounds)
    typer.echo(f"\n{world.name}: {inventory.bounds.area / 1e6:.4g} km²\n\n{inventory}\n")
    for path in files:
        _write(path, world, inventory, curves)
        typer.echo(f"wrote {path}")
    if not files:
        typer.echo("Next: -o report.png draws it, with the L function of each layer; -o report.json keeps the numbers.")


def _bounds(world: World, part: tuple[float, float, float, float] | None, spec: Path) -> Bounds:
    """Return the part to report on, as far as there is a world."""
    from weald.errors import InputError
    from weald.geometry import Bounds

    window = world.bounds if part is None else Bounds.of(part, "--window")
    if window is None:
        raise InputError(f"{spec}: the world has no edges; give the part to report on, such as --window 0,0,1000,1000")
    there = window if world.bounds is None else window.intersection(world.bounds)
    if there is None:
        raise InputError(f"--window: {part} does not meet the world, which spans {world.bounds}; give one that does")
    return there


def _write(path: Path, world: World, inventory: Inventory, curves: dict[str, LFunction]) -> None:
    if path.suffix == ".png":
        from weald.preview.stand import draw_stand

        draw_stand(path, inventory, curves, title=world.name)
        return
    from weald.errors import InputError

    try:
        path.write_text(json.dumps(_content(world, inventory, curves), indent=1, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); give a file in a folder that exists") from None


def _content(world: World, inventory: Inventory, curves: dict[str, LFunction]) -> dict[str, Any]:
    from weald._version import ALGORITHM, __version__

    b = inventory.bounds
    return {
        "world": world.name,
        "seed": world.spec.seed,
        "weald": __version__,
        "algorithm": ALGORITHM,
        "bounds": [b.xmin, b.ymin, b.xmax, b.ymax],
        "entries": [entry.as_dict() for entry in inventory.entries],
        "l_functions": {
            name: {
                "distance": curve.distance.round(6).tolist(),
                "excess": curve.excess.round(6).tolist(),
                "tolerance": round(curve.tolerance, 6),
            }
            for name, curve in curves.items()
        },
    }
