"""Grayscale PNG of 8 or 16 bits: codes, whose heights the caller or a sidecar gives."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import PngImagePlugin

from weald.errors import InputError
from weald.numbers import is_number
from weald.terrain.formats import sidecar
from weald.terrain.formats.sheet import (
    PLACED_BY_CALLER,
    Array,
    Format,
    Given,
    Samples,
    Sheet,
    check_size,
    in_memory,
)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KINDS = {2: "RGB", 3: "palette", 4: "gray with alpha", 6: "RGB with alpha"}


def _sheet(file: Path, given: Given) -> Sheet:
    codes, top = _codes(file, given.max_samples)
    beside = sidecar.beside(file, given)
    if beside is not None:
        beside.check(file, codes.shape, bits=16 if top > 255 else 8)
        return in_memory(beside.grid, beside.heights(beside.southward(codes)), beside.crs)
    # a picture shows north on top
    rows = codes if given.rows == "south-first" else codes[::-1]
    return in_memory(given.grid(file, codes.shape), scale_of_codes(file, given, top)(rows))


def scale_of_codes(file: Path, given: Given, top: int) -> Callable[[Samples], Array]:
    """Return what turns codes from 0 to ``top`` into metres, by the two heights that the caller gave."""
    low, high = given.low, given.high
    if low is None or high is None or not (is_number(low) and is_number(high) and low < high):
        raise InputError(
            f"{file}: low is {low} and high is {high}; give the metres at code 0 and at the top code, low < high"
        )
    bottom, span = low, high - low

    def heights(codes: Samples) -> Array:
        metres: Array = bottom + span * (codes.astype(np.float64) / top)
        if given.void is not None:
            metres[codes == given.void] = np.nan
        return metres

    return heights


def _codes(file: Path, most: int) -> tuple[NDArray[np.unsignedinteger], int]:
    """Return the codes in the order of the file, and the largest that there can be."""
    with file.open("rb") as stream:
        header = stream.read(26)
        if header[:8] != _SIGNATURE:
            raise InputError(f"{file}: is not a PNG file; it starts with {header[:8]!r}")
        if len(header) < 26 or header[12:16] != b"IHDR":
            raise InputError(f"{file}: is cut off or damaged: it has no PNG header")
        nx, ny, depth, kind = struct.unpack(">IIBB", header[16:])
        if kind != 0:
            raise InputError(f"{file}: is a {_KINDS.get(kind, 'unknown')} image; give a grayscale PNG of 8 or 16 bits")
        if depth not in (8, 16):
            raise InputError(f"{file}: has {depth} bits a sample; give a grayscale PNG of 8 or 16 bits")
        check_size(file, (ny, nx), most, whole=True)
        stream.seek(0)
        # not Image.open, whose guard against large images is a warning about a limit that is not ours
        with PngImagePlugin.PngImageFile(stream) as image:
            codes = np.asarray(image)
    if codes.shape != (ny, nx):
        raise InputError(f"{file}: is damaged: the header states {nx} x {ny} samples, the image has {codes.shape}")
    return codes, 255 if depth == 8 else 65535


PNG = Format("a PNG", (".png",), PLACED_BY_CALLER | {"low", "high"}, _sheet)
