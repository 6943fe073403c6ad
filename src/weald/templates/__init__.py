"""Starter specs: worlds of a square kilometre to change into one's own."""

from __future__ import annotations

from pathlib import Path

from weald.errors import InputError, nearest

TEMPLATES = ("temperate", "alpine", "desert", "archipelago", "plantation", "caves")
"""Names of the starter specs."""


def template(name: str) -> str:
    """Return the text of a starter spec.

    >>> template("alpine").splitlines()[-1] != ""
    True
    """
    if name not in TEMPLATES:
        raise InputError(f"template: got {name!r}{nearest(name, TEMPLATES)}; give one of {', '.join(TEMPLATES)}")
    return Path(__file__).with_name(f"{name}.toml").read_text("utf-8")
