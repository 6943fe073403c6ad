"""The commands together, and how each of them ends."""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Annotated

import typer

from weald._version import ALGORITHM, __version__
from weald.cli.building import build, demo
from weald.cli.explaining import explain
from weald.cli.reporting import report
from weald.cli.specs import check, new, schema

app = typer.Typer(
    help="Grow natural worlds: terrain, and plants that stand where they would.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (demo, new, check, build, explain, report, schema):
    app.command()(command)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    """Answer ``--version``."""
    if show:
        typer.echo(f"weald {__version__} (algorithm {ALGORITHM})")
        raise typer.Exit


def main() -> None:
    """Run the command; an unusable input ends it with one clear message and exit code 2.

    Output that cannot be written ends it with exit code 1: with a message, or in silence if the reader has gone
    (``weald schema | head``).
    """
    from weald.errors import WealdError

    for name in ("SIGTERM", "SIGHUP"):  # end like Ctrl-C, so that nothing is left behind
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    # where it finds no folder for its cache it makes one for the time being, and tells of it at length
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # now, while what fails can be told
    except WealdError as error:
        typer.secho(f"error: {error}", fg=typer.colors.RED, err=True)
        sys.exit(2)
    except OSError as error:
        if error.filename is not None:  # about a file, not about what is printed
            raise
        _stop_printing()
        if error.errno == errno.EPIPE:
            sys.exit(1)
        reason = error.strerror or str(error)
        typer.secho(f"error: the output cannot be written ({reason}); send it elsewhere", fg=typer.colors.RED, err=True)
        sys.exit(1)


def _stop_printing() -> None:
    """Let what is left in the buffer vanish: else the interpreter tries to write it once more as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
