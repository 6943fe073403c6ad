"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from weald.world.budget import Budget

SpecFile = Annotated[Path, typer.Argument(help="The world's spec: a TOML file.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads to use; one a core if not given.")]
Window = Annotated[
    str | None,
    typer.Option(
        metavar="XMIN,YMIN,XMAX,YMAX",
        help="The part of the world, in metres; all of it if not given. A world without edges needs one.",
    ),
]

MostMinutes = Annotated[
    float | None,
    typer.Option(metavar="MINUTES", help="Minutes of one core that a build may take by estimate; 60 if not given."),
]
MostMemory = Annotated[
    float | None, typer.Option(metavar="GIB", help="Memory that a build may take by estimate; 16 if not given.")
]


def budget(minutes: float | None, memory: float | None) -> Budget:
    """Return what a build may take, with what is usual for what is not given."""
    from weald.world.budget import Budget

    usual = Budget()
    return Budget(usual.minutes if minutes is None else minutes, usual.memory if memory is None else memory)


def numbers(text: str, count: int, name: str, example: str) -> tuple[float, ...]:
    """Return numbers written with commas between them.

    >>> numbers("0,-5, 100,1e3", 4, "--window", "0,0,1000,1000")
    (0.0, -5.0, 100.0, 1000.0)
    """
    from weald.errors import InputError

    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    if len(values) != count:
        raise InputError(f"{name}: got {text!r}; give {count} numbers with commas between them, such as {example}")
    return values


def box(window: str | None) -> tuple[float, float, float, float] | None:
    """Return the window as four numbers; None if it is not given."""
    if window is None:
        return None
    xmin, ymin, xmax, ymax = numbers(window, 4, "--window", "0,0,1000,1000")
    return xmin, ymin, xmax, ymax
