"""RAW and R16: bare 16-bit codes, row by row, with no header at all."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from weald.errors import InputError
from weald.terrain.formats import sidecar
from weald.terrain.formats.png import scale_of_codes
from weald.terrain.formats.sheet import PLACED_BY_CALLER, Format, Given, Sheet, mapped


def _sheet(file: Path, given: Given) -> Sheet:
    beside = sidecar.beside(file, given)
    nx, ny = (beside.grid.nx, beside.grid.ny) if beside else _size(file, given)
    bytes_there = file.stat().st_size
    if bytes_there != 2 * nx * ny:
        raise InputError(
            f"{file}: holds {bytes_there:,} bytes, but {nx} x {ny} samples of 16 bits take {2 * nx * ny:,}; "
            f"{'it is not the file that its sidecar was written for' if beside else 'check size'}"
        )
    order = beside.byte_order if beside else given.byte_order or "little-endian"
    codes = np.memmap(file, ">u2" if order == "big-endian" else "<u2", "r", shape=(ny, nx))
    if beside is not None:
        return mapped(beside.grid, codes, beside.heights, beside.south_first, beside.crs)
    scale = scale_of_codes(file, given, 65535)
    return mapped(given.grid(file, (ny, nx)), codes, scale, given.southern_first(file))


def _size(file: Path, given: Given) -> tuple[int, int]:
    """Return the size that the caller gave, or that of a square."""
    if given.size is not None:
        return given.size
    samples, odd = divmod(file.stat().st_size, 2)
    side = math.isqrt(samples)
    if odd or side * side != samples:
        raise InputError(
            f"{file}: holds {file.stat().st_size:,} bytes, which is no square of 16-bit samples; give size, (nx, ny)"
        )
    return side, side


RAW = Format("a RAW", (".raw", ".r16"), PLACED_BY_CALLER | {"low", "high", "size", "byte_order"}, _sheet)
