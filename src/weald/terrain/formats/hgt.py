"""HGT: one degree by one degree of the Shuttle Radar Topography Mission, placed by the name of the file.

Big-endian 16-bit metres, rows from north to south, -32768 where void; the outermost samples lie on whole
degrees, so neighbours share them. (NASA, "SRTM Topography", documentation of version 2.1, 2009.)
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from weald.errors import InputError
from weald.terrain.formats.sheet import Affine, Array, Format, Given, Sheet
from weald.terrain.span import Span

_SIDES = (1201, 3601)
_VOID = -32768


def _sheet(file: Path, given: Given) -> Sheet:
    west, south = _corner(file)
    count = file.stat().st_size
    side = next((side for side in _SIDES if 2 * side * side == count), None)
    if side is None:
        raise InputError(
            f"{file}: holds {count:,} bytes; an HGT file has 1201 x 1201 or 3601 x 3601 samples of 2 bytes, "
            "2,884,802 or 25,934,402 in all"
        )
    values = np.memmap(file, ">i2", "r", shape=(side, side))[::-1]

    def read(span: Span) -> Array:
        part = values[span.slices]
        return np.where(part == _VOID, np.nan, part.astype(np.float64))

    step = 1.0 / (side - 1)
    return Sheet((side, side), Affine(step, 0.0, west, 0.0, step, south), read, "EPSG:4326", unit="degrees")


def _corner(file: Path) -> tuple[float, float]:
    """Return longitude and latitude of the south-western sample, from a name such as ``N46E007.hgt``."""
    name = re.fullmatch(r"([NS])(\d\d)([EW])(\d\d\d)", file.stem[:7].upper())
    if name is None:
        raise InputError(
            f"{file}: an HGT file is placed by its name, south and west edge in degrees, such as N46E007.hgt; rename it"
        )
    latitude, longitude = int(name[2]), int(name[4])
    if latitude > 90 or longitude > 180:
        raise InputError(f"{file}: the name puts it at {name[0]}, which is not on the globe; rename it")
    return float(longitude if name[3] == "E" else -longitude), float(latitude if name[1] == "N" else -latitude)


HGT = Format("an HGT file", (".hgt",), frozenset({"spacing"}), _sheet)
