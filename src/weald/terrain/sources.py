"""Ground from files: grayscale PNG, NPY and NPZ.

Whatever is wrong with a file comes out as an InputError that names it: nothing is guessed, and
nothing is allocated before the size that the file states has been checked.
"""

from __future__ import annotations

import math
import struct
import typing
import zipfile
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray
from PIL import PngImagePlugin

from weald.errors import InputError, nearest
from weald.geometry import Grid
from weald.terrain.terrain import RowOrder, Terrain

MAX_SAMPLES = 200_000_000
"""Larger files are refused unless the caller allows them: 1.6 GB as float64."""

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_KINDS = {2: "RGB", 3: "palette", 4: "gray with alpha", 6: "RGB with alpha"}

Samples = NDArray[np.integer | np.floating]


def open_terrain(
    path: str | PathLike[str],
    *,
    spacing: float,
    origin: tuple[float, float] = (0.0, 0.0),
    low: float | None = None,
    high: float | None = None,
    rows: RowOrder | None = None,
    void: float | None = None,
    key: str | None = None,
    max_samples: int = MAX_SAMPLES,
) -> Terrain:
    """Read ground from a file.

    Parameters
    ----------
    path
        A grayscale ``.png`` of 8 or 16 bits, or a ``.npy`` or ``.npz`` array of heights in metres.
    spacing
        Metres between samples. (Degrees are not metres: project first.)
    origin
        Place of the south-westernmost sample, in metres.
    low, high
        PNG only, and needed there: metres at code 0 and at the top code, 255 or 65535.
    rows
        Whether the first row is the ``"north-first"`` or ``"south-first"``. Arrays need it said; a
        PNG is north-first unless said otherwise.
    void
        The code (PNG) or value (arrays) that means "no ground here". NaN always does.
    key
        NPZ only: the name of the array; may be left out if there is but one.
    max_samples
        Refuse files that hold more.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large or not what its name says, or if a parameter is
        missing or does not belong to this kind of file.
    """
    file = Path(path)
    if not (math.isfinite(spacing) and spacing > 0):
        raise InputError(f"spacing: got {spacing}; give a finite number of metres above 0")
    if rows is not None and rows not in typing.get_args(RowOrder):
        raise InputError(f"rows: got {rows!r}; give 'north-first' or 'south-first'")
    kind = file.suffix.lower()
    if kind not in (".png", ".npy", ".npz"):
        raise InputError(f"{file}: cannot read {kind or 'a file without suffix'}; give a .png, .npy or .npz file")
    if key is not None and kind != ".npz":
        raise InputError(f"{file}: key is {key!r}, but only .npz files hold named arrays; leave it out")

    try:
        if kind == ".png":
            heights = _png_heights(file, low, high, void, max_samples)
        else:
            if low is not None or high is not None:
                raise InputError(f"{file}: low and high belong to PNG codes; this array is in metres, leave them out")
            if rows is None:
                raise InputError(f"{file}: rows is not given; say 'north-first' or 'south-first'")
            heights = _array_heights(file, key, void, max_samples)
    except FileNotFoundError:
        raise InputError(f"{file}: there is no such file") from None
    except InputError:
        raise
    except MemoryError:
        raise InputError(f"{file}: does not fit into memory") from None
    except Exception as error:
        # decoders of damaged files raise whatever they stumble on, from struct.error to tokenize.TokenError
        raise InputError(f"{file}: cannot be read, it is damaged or not a {kind} file ({error})") from error

    south_first = heights if rows == "south-first" else heights[::-1]
    ny, nx = heights.shape
    try:
        return Terrain(Grid(origin[0], origin[1], spacing, nx, ny), south_first)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _png_heights(
    file: Path, low: float | None, high: float | None, void: float | None, max_samples: int
) -> NDArray[np.float64]:
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(
            f"{file}: low is {low} and high is {high}; give the metres at code 0 and at the top code, low < high"
        )
    with file.open("rb") as stream:
        header = stream.read(26)
        if header[:8] != _PNG_SIGNATURE:
            raise InputError(f"{file}: is not a PNG file; it starts with {header[:8]!r}")
        if len(header) < 26 or header[12:16] != b"IHDR":
            raise InputError(f"{file}: is cut off or damaged: it has no PNG header")
        nx, ny, depth, kind = struct.unpack(">IIBB", header[16:])
        if kind != 0:
            raise InputError(
                f"{file}: is a {_PNG_KINDS.get(kind, 'unknown')} image; give a grayscale PNG of 8 or 16 bits"
            )
        if depth not in (8, 16):
            raise InputError(f"{file}: has {depth} bits a sample; give a grayscale PNG of 8 or 16 bits")
        _check_size(file, (ny, nx), max_samples)
        stream.seek(0)
        # not Image.open, whose guard against large images is a warning about a limit that is not ours
        with PngImagePlugin.PngImageFile(stream) as image:
            codes = np.asarray(image)
    if codes.shape != (ny, nx):
        raise InputError(f"{file}: is damaged: the header states {nx} x {ny} samples, the image has {codes.shape}")
    top = 255 if depth == 8 else 65535
    heights = low + (high - low) * (codes.astype(np.float64) / top)
    if void is not None:
        heights[codes == void] = np.nan
    return heights


def _array_heights(file: Path, key: str | None, void: float | None, max_samples: int) -> NDArray[np.float64]:
    if file.suffix.lower() == ".npy":
        with file.open("rb") as stream:
            values = _read_npy(file, stream, max_samples)
    else:
        with zipfile.ZipFile(file) as archive:
            names = [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]
            if key is None:
                if len(names) != 1:
                    raise InputError(f"{file}: holds {len(names)} arrays, {', '.join(names)}; give key, one of them")
                key = names[0]
            if key not in names:
                raise InputError(f"{file}: key is {key!r}; give one of {', '.join(names)}{nearest(key, names)}")
            with archive.open(f"{key}.npy") as stream:
                values = _read_npy(file, stream, max_samples)
    heights = values.astype(np.float64)
    if void is not None:
        heights[values == void] = np.nan
    return heights


def _read_npy(file: Path, stream: IO[bytes], max_samples: int) -> Samples:
    """Read one array; its header is judged before its data is touched."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
    else:
        raise InputError(f"{file}: has NPY format {version}; save it with numpy.save, as plain numbers")
    if dtype.kind not in "iuf":
        raise InputError(f"{file}: holds values of type {dtype}; give numbers, in metres")
    if len(shape) != 2:
        raise InputError(f"{file}: has shape {shape}; give a two-dimensional array (ny, nx)")
    _check_size(file, shape, max_samples)
    stream.seek(0)
    values: Samples = np.lib.format.read_array(stream, allow_pickle=False)
    return values


def _check_size(file: Path, shape: tuple[int, ...], max_samples: int) -> None:
    ny, nx = shape
    if nx * ny > max_samples:
        raise InputError(
            f"{file}: holds {nx} x {ny} = {nx * ny:,} samples, more than max_samples = {max_samples:,}; "
            "crop it, or raise max_samples if there is memory for 8 bytes a sample several times over"
        )
    if nx < 2 or ny < 2:
        raise InputError(f"{file}: holds {nx} x {ny} samples; give at least 2 x 2")
