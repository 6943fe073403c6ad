"""``weald new``, ``weald check`` and ``weald schema``: specs without their worlds."""

from __future__ import annotations

import os
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weald.cli.options import MostMemory, MostMinutes, SpecFile, budget
from weald.errors import InputError

if TYPE_CHECKING:
    from weald.world.world import World

SCHEMA_FILE = "weald.schema.json"
"""Name of the schema beside a starter, as the starters call it."""


def new(
    path: Annotated[Path, typer.Argument(metavar="WORLD.TOML", help="The spec to write.")],
    template: Annotated[
        str, typer.Option(help="temperate, alpine, desert, archipelago, plantation or caves.")
    ] = "temperate",
    force: Annotated[bool, typer.Option("--force", help="Replace a file of that name.")] = False,
) -> None:
    """Write a starter spec to change into a world of your own, and the schema that lets editors help with it."""
    from weald.templates import template as starter

    text = starter(template)
    # unlike Path.exists, it says no where it may not look; to write says why
    if os.path.exists(path) and not force:  # noqa: PTH110
        raise InputError(f"{path}: is there already; give another name, or --force to replace it")
    written = [path]
    _write(path, text)
    schema = path.with_name(SCHEMA_FILE)
    if not os.path.exists(schema):  # noqa: PTH110
        from weald.world.spec.schema import schema_text

        _write(schema, schema_text())
        written.append(schema)
    typer.echo("\n".join(f"wrote {one}" for one in written))
    typer.echo(f"\nNext: weald build {path}   builds it into the folder out")
    typer.echo(f"      weald check {path}   tells in words what it says")
    typer.echo("Editors that know #:schema lines (Even Better TOML, Taplo) complete its keys and mark mistakes.")


def check(spec: SpecFile, most_minutes: MostMinutes = None, most_memory: MostMemory = None) -> None:
    """Check a spec without building it; tell in words what it says, and what a build will take."""
    from weald.world.words import describe
    from weald.world.world import World

    world = World.load(spec, budget=budget(most_minutes, most_memory))
    world.check()
    typer.echo(f"{world.name}, from the seed {world.spec.seed!r}\n")
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    for paragraph in describe(world.spec):
        typer.echo(textwrap.fill(paragraph, width, subsequent_indent="  ", break_long_words=False) + "\n")
    part = "A build" if world.bounds is not None else f"A chunk of {world.spec.chunk:g} m"
    typer.echo(textwrap.fill(f"{part}: {world.cost()}.", width, subsequent_indent="  ") + "\n")
    typer.echo(f"No fault was found. Next: weald build {spec}{example_window(world)}")


def schema(
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; printed if not given.")] = None,
) -> None:
    """Print the grammar of specs as a JSON Schema, for editors."""
    from weald.world.spec.schema import schema_text

    if out is None:
        typer.echo(schema_text(), nl=False)
        return
    _write(out, schema_text())
    typer.echo(f'wrote {out}; begin a spec with the line "#:schema {out}", and editors that know TOML will use it')


def example_window(world: World) -> str:
    """Return an option that a world without edges needs."""
    return " --window 0,0,1000,1000" if world.bounds is None else ""


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); give a file in a folder that exists") from None
