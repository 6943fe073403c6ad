"""The JSON beside a heightmap that weald wrote: size, place, order, and what a code means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from weald.arguments import shown
from weald.errors import InputError
from weald.files import regular_file
from weald.geometry import Grid
from weald.numbers import number
from weald.terrain.formats.sheet import Array, ByteOrder, Given, Samples

FORMAT = "weald heightmap"
FORMAT_VERSION = 1

_ROWS = {"north first": False, "south first": True}
_BYTES: tuple[ByteOrder, ...] = ("little-endian", "big-endian")
_FARTHEST = 1e30
"""Metres: no height, and no step of codes, is larger."""


class Sidecar(NamedTuple):
    """What a sidecar says."""

    path: Path
    grid: Grid
    south_first: bool
    byte_order: ByteOrder
    low: float
    step: float
    void_code: int | None
    crs: str | None

    def southward(self, codes: Samples) -> Samples:
        """Return codes of the whole file with the southernmost row first."""
        return codes if self.south_first else codes[::-1]

    def heights(self, codes: Samples) -> Array:
        """Return metres for codes, NaN where void."""
        heights: Array = self.low + codes.astype(np.float64) * self.step
        if self.void_code is not None:
            heights[codes == self.void_code] = np.nan
        return heights

    def check(self, file: Path, shape: tuple[int, ...], bits: int) -> None:
        """Refuse a picture that is not the one that the sidecar was written for."""
        if shape != self.grid.shape:
            raise InputError(
                f"{file}: has {shape[1]} x {shape[0]} pixels, but its sidecar says "
                f"{self.grid.nx} x {self.grid.ny}; give the two files that were written together"
            )
        if bits != 16:
            raise InputError(f"{file}: has {bits} bits a pixel, not 16; it was saved again by another program")


def beside(file: Path, given: Given) -> Sidecar | None:
    """Return the sidecar of a heightmap if weald wrote one: ``name.json`` or ``name.suffix.json`` beside it.

    Other JSON is passed over. What the sidecar says cannot be said again.
    """
    for path in (file.with_name(file.name + ".json"), file.with_suffix(".json")):
        if path.is_file() and _is_ours(path):
            break
    else:
        return None
    said = ("spacing", "origin", "low", "high", "rows", "void", "size", "byte_order")
    twice = [name for name in said if getattr(given, name) is not None]
    if twice:
        raise InputError(
            f"{file}: {', '.join(twice)} is given, but the sidecar {path.name} says so already; "
            "leave it out, or move the sidecar away"
        )
    return read(path)


def read(path: Path) -> Sidecar:
    """Read a sidecar."""
    regular_file(path)
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); a heightmap needs its sidecar beside it"
        ) from error
    except ValueError as error:
        raise InputError(f"{path}: is not JSON ({error})") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("format_version") != FORMAT_VERSION:
        raise InputError(f"{path}: is not a sidecar of {FORMAT}, version {FORMAT_VERSION}")
    try:
        grid = Grid(data["origin"]["x"], data["origin"]["y"], data["spacing"], data["width"], data["height"])
        low, step, void_code = number(data["heights"]["low"]), number(data["heights"]["step"]), data["void_code"]
        if low is None or step is None or not max(abs(low), abs(step)) <= _FARTHEST:
            raise ValueError(f"heights of low {shown(low)} and step {shown(step)}")
        rows, order, crs = data["row_order"], data["byte_order"], data["crs"]
        if rows not in _ROWS or order not in _BYTES:
            raise ValueError(f"row_order {rows!r}, byte_order {order!r}")
        void = None if void_code is None else int(void_code)
        return Sidecar(path, grid, _ROWS[rows], order, low, step, void, None if crs is None else str(crs))
    except KeyError as error:
        raise InputError(f"{path}: lacks the key {error}") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{path}: has a value that cannot be used ({error})") from error


def _is_ours(path: Path) -> bool:
    """Return whether a JSON file is a sidecar of ours, of whatever version."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and data.get("format") == FORMAT
