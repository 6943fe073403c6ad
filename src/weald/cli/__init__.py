"""The ``weald`` command. Heavy modules are imported where they are used, so that ``--help`` is quick."""

from weald.cli.app import app, main

__all__ = ["app", "main"]
