"""NumPy arrays of heights: NPY, and one array of an NPZ."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import IO

import numpy as np

from weald.errors import InputError, nearest
from weald.terrain.formats.sheet import PLACED_BY_CALLER, Array, Format, Given, Samples, Sheet, check_size, mapped
from weald.terrain.formats.units import metres_in


def _npy(file: Path, given: Given) -> Sheet:
    given.southern_first(file)
    with file.open("rb") as stream:
        _check(file, stream)
    values: Samples = np.load(file, mmap_mode="r", allow_pickle=False)
    return _sheet(file, given, values)


def _npz(file: Path, given: Given) -> Sheet:
    given.southern_first(file)
    key = given.key
    with zipfile.ZipFile(file) as archive:
        names = [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]
        if key is None:
            if len(names) != 1:
                raise InputError(f"{file}: holds {len(names)} arrays, {', '.join(names)}; give key, one of them")
            key = names[0]
        if key not in names:
            raise InputError(f"{file}: key is {key!r}; give one of {', '.join(names)}{nearest(key, names)}")
        with archive.open(f"{key}.npy") as stream:
            check_size(file, _check(file, stream), given.max_samples, whole=True)
            stream.seek(0)
            return _sheet(file, given, np.lib.format.read_array(stream, allow_pickle=False))


def _sheet(file: Path, given: Given, values: Samples) -> Sheet:
    unit = metres_in(given.vertical_unit or "metre")

    def heights(part: Samples) -> Array:
        metres: Array = part.astype(np.float64) * unit
        if given.void is not None:
            metres[part == given.void] = np.nan
        return metres

    grid = given.grid(file, (values.shape[0], values.shape[1]))
    return mapped(grid, values, heights, given.southern_first(file), unit=unit)


def _check(file: Path, stream: IO[bytes]) -> tuple[int, ...]:
    """Judge the header of an array before its data is touched, and return its shape."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
    else:
        raise InputError(f"{file}: has NPY format {version}; save it with numpy.save, as plain numbers")
    if dtype.kind not in "iuf":
        raise InputError(f"{file}: holds values of type {dtype}; give numbers")
    if len(shape) != 2:
        raise InputError(f"{file}: has shape {shape}; give a two-dimensional array (ny, nx)")
    return shape


NPY = Format("an NPY array", (".npy",), PLACED_BY_CALLER | {"vertical_unit"}, _npy)
NPZ = Format("an NPZ archive", (".npz",), PLACED_BY_CALLER | {"vertical_unit", "key"}, _npz)
