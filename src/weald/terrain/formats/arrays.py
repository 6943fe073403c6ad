"""NumPy arrays of heights: NPY, and one array of an NPZ."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError, nearest
from weald.terrain.formats.sheet import PLACED_BY_CALLER, Format, Given, Sheet, check_size, in_memory
from weald.terrain.formats.units import metres_in

Samples = NDArray[np.integer | np.floating]


def _npy(file: Path, given: Given) -> Sheet:
    given.southern_first(file)
    with file.open("rb") as stream:
        return _sheet(file, given, _read(file, stream, given.max_samples))


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
            return _sheet(file, given, _read(file, stream, given.max_samples))


def _sheet(file: Path, given: Given, values: Samples) -> Sheet:
    heights = values.astype(np.float64) * metres_in(given.vertical_unit or "metre")
    if given.void is not None:
        heights[values == given.void] = np.nan
    return in_memory(given.grid(file, heights.shape), heights if given.southern_first(file) else heights[::-1])


def _read(file: Path, stream: IO[bytes], most: int) -> Samples:
    """Read one array; its header is judged before its data is touched."""
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
    check_size(file, shape, most)
    stream.seek(0)
    values: Samples = np.lib.format.read_array(stream, allow_pickle=False)
    return values


NPY = Format("an NPY array", (".npy",), PLACED_BY_CALLER | {"vertical_unit"}, _npy)
NPZ = Format("an NPZ archive", (".npz",), PLACED_BY_CALLER | {"vertical_unit", "key"}, _npz)
