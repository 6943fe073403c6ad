"""OpenEXR pictures of heights, 16 or 32 bits of floats, as terrain tools write them; read by OpenEXR."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from weald.errors import InputError, nearest, require_extra
from weald.terrain.formats.sheet import PLACED_BY_CALLER, Array, Format, Given, Samples, Sheet, check_size, mapped
from weald.terrain.formats.units import metres_in

_USUAL = ("Y", "Z", "height", "R")
"""Channels that hold heights, if a file has several and none is named."""


def _exr(file: Path, given: Given) -> Sheet:
    openexr = require_extra("OpenEXR", "exr", "reading EXR")
    with openexr.File(str(file), header_only=True) as stream:
        low, high = stream.header()["dataWindow"]
    columns, rows = (int(last) - int(first) + 1 for first, last in zip(low, high, strict=True))
    check_size(file, (rows, columns), given.max_samples, whole=True)
    with openexr.File(str(file), separate_channels=True) as stream:
        pixels = {name: channel.pixels for name, channel in stream.channels().items()}
    values: Samples = pixels[_channel(file, given.key, list(pixels))]
    if values.shape != (rows, columns):
        raise InputError(
            f"{file}: the channel has shape {values.shape}, the picture {(rows, columns)}; do not subsample"
        )
    unit = metres_in(given.vertical_unit or "metre")

    def heights(part: Samples) -> Array:
        metres: Array = part.astype(np.float64) * unit
        if given.void is not None:
            metres[part == given.void] = np.nan
        return metres

    return mapped(given.grid(file, (rows, columns)), values, heights, given.rows == "south-first", unit=unit)


def _channel(file: Path, key: str | None, names: list[str]) -> str:
    if key is None:
        usual = [name for name in _USUAL if name in names]
        if len(names) == 1 or usual:
            return names[0] if len(names) == 1 else usual[0]
        raise InputError(f"{file}: has the channels {', '.join(names)}; give key, the one with the heights")
    if key not in names:
        raise InputError(f"{file}: key is {key!r}; give one of {', '.join(names)}{nearest(key, names)}")
    return key


EXR = Format("an OpenEXR picture", (".exr",), PLACED_BY_CALLER | {"vertical_unit", "key"}, _exr)
