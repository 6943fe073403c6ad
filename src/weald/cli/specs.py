"""``weald check``: a spec without its world."""

from __future__ import annotations

import shutil
import textwrap

import typer

from weald.cli.options import SpecFile


def check(spec: SpecFile) -> None:
    """Check a spec without building it, and tell in words what it says."""
    from weald.world.words import describe
    from weald.world.world import World

    world = World.load(spec)
    world.check()
    typer.echo(f"{world.name}, from the seed {world.spec.seed!r}\n")
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    for paragraph in describe(world.spec):
        typer.echo(textwrap.fill(paragraph, width, subsequent_indent="  ", break_long_words=False) + "\n")
    part = " --window 0,0,1000,1000" if world.bounds is None else ""
    typer.echo(f"No fault was found. Next: weald build {spec}{part}")
