"""Heights as a 16-bit grayscale PNG with a JSON sidecar that says how to read it back."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, PngImagePlugin

from weald._version import ALGORITHM, __version__
from weald.arguments import flag_of, of_kind, path_of
from weald.errors import InputError
from weald.export.files import FilePath, atomic_file
from weald.geometry import Grid
from weald.numbers import pair, reals
from weald.terrain.formats.sidecar import FORMAT, FORMAT_VERSION
from weald.terrain.formats.sidecar import read as read_sidecar

_TOP = 65535


def write_heightmap(
    path: FilePath,
    heights: ArrayLike,
    grid: Grid,
    *,
    height_range: tuple[float, float] | None = None,
    range_of: str = "given",
    voids: bool | None = None,
    crs: str | None = None,
) -> Path:
    """Write heights as a 16-bit PNG, and beside it a sidecar of the same name ending in ``.json``.

    The picture is north-up: its first row is the northernmost. The sidecar states size, spacing, origin, row
    and byte order, and the two numbers of ``height = low + code * step``.

    Parameters
    ----------
    path
        Of the PNG; its folder must exist.
    heights : array_like, shape (ny, nx)
        In metres, row 0 the southernmost; NaN where there is no ground.
    grid
        Where the heights are.
    height_range
        Heights of the lowest and highest code; None takes the lowest and highest height of ``heights``.
    range_of
        What to note in the sidecar about where ``height_range`` is from.
    voids
        Whether code 0 is kept for voids, so that heights start at code 1; None if there are any. For all tiles of
        a map give the same ``height_range`` and the same ``voids``, or they will not meet at their edges.
    crs
        Coordinate reference system to note in the sidecar, such as ``"EPSG:32632"``.

    Returns
    -------
    Path
        Of the sidecar.

    Raises
    ------
    InputError
        If the shape is not that of the grid, a height is infinite or outside of ``height_range``, there are voids
        and ``voids`` is False, or the file cannot be written.
    """
    path = path_of("path", path)
    if path.suffix.lower() != ".png":
        raise InputError(f"path: {path} is to be a PNG; give a name that ends in .png")
    of_kind("grid", grid, Grid, "a Grid")
    if crs is not None:
        of_kind("crs", crs, str, "a text, such as 'EPSG:32632'")
    values = reals("heights", heights, "metres, shape (ny, nx)")
    if values.shape != grid.shape:
        raise InputError(f"heights: shape is {values.shape}; the grid has {grid.shape}, that is (ny, nx)")
    void = np.isnan(values)
    voids = None if voids is None else flag_of("voids", voids)
    if voids is False and void.any():
        raise InputError("voids: is False, but some heights are NaN; leave it out, or fill the voids first")
    first = int(void.any() if voids is None else voids)
    low, step = _scale(values, void, height_range, first)

    with np.errstate(invalid="ignore"):
        codes = np.rint((values - low) / step)
    # a height at the very edge of the range may round to just outside of it
    codes = np.where(void, 0, np.clip(codes, first, _TOP)).astype(np.uint16)

    known = values[~void]
    sidecar = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "weald_version": __version__,
        "algorithm": ALGORITHM,
        "image": path.name,
        "width": grid.nx,
        "height": grid.ny,
        "bits": 16,
        "byte_order": "big-endian",
        "row_order": "north first",
        "spacing": grid.spacing,
        "origin": {"x": grid.xmin, "y": grid.ymin, "of": "south-west sample"},
        "crs": crs,
        "heights": {
            "unit": "metre",
            "rule": "height = low + code * step",
            "low": low,
            "step": step,
            "range": "of these heights" if height_range is None else range_of,
            "min": float(known.min()) if known.size else None,
            "max": float(known.max()) if known.size else None,
        },
        "void_code": 0 if first else None,
    }
    beside = path.with_suffix(".json")
    with atomic_file(path) as picture, atomic_file(beside) as text:
        # PNG itself is big-endian: Pillow swaps the bytes
        Image.fromarray(np.ascontiguousarray(codes[::-1])).save(picture, format="PNG")
        text.write_text(json.dumps(sidecar, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    return beside


def read_heightmap(path: FilePath) -> tuple[NDArray[np.float64], Grid]:
    """Read a heightmap that weald wrote: the PNG and, beside it, its sidecar.

    Returns
    -------
    heights : ndarray of float64, shape (ny, nx)
        In metres, row 0 the southernmost, NaN where void; within half a step of what was written.
    grid : Grid
        Where they are.

    Raises
    ------
    InputError
        If a file is missing or damaged, or the two do not belong together.
    """
    path = path_of("path", path)
    beside = read_sidecar(path.with_suffix(".json"))
    try:
        # not Image.open: it warns of large pictures, and how large this one is the sidecar says
        with PngImagePlugin.PngImageFile(path) as image:
            beside.check(path, image.size[::-1], bits=16 if image.mode.startswith("I") else 8)
            return beside.heights(beside.southward(np.asarray(image))), beside.grid
    except InputError:
        raise
    except (OSError, SyntaxError, ValueError, struct.error, MemoryError) as error:
        raise InputError(f"{path}: cannot be read as a PNG ({error})") from error


def _scale(
    values: NDArray[np.float64], void: NDArray[np.bool_], height_range: tuple[float, float] | None, first: int
) -> tuple[float, float]:
    """Return the height of code 0, and the height of one code."""
    if np.isinf(values).any():
        raise InputError("heights: some are infinite; give finite heights, and NaN where there is no ground")
    if void.all():
        lowest = highest = 0.0
    else:
        lowest, highest = float(np.nanmin(values)), float(np.nanmax(values))
    if height_range is not None:
        bottom, top = pair(height_range)
        if not (math.isfinite(bottom) and math.isfinite(top) and bottom < top):
            raise InputError(f"height_range: got {height_range}; give two finite heights, lowest < highest")
        if not void.all() and (lowest < bottom or highest > top):
            raise InputError(
                f"height_range: ({bottom}, {top}) does not hold all heights, which reach from {lowest} to {highest}"
            )
        lowest, highest = bottom, top
    step = (highest - lowest) / (_TOP - first)
    if step == 0:  # one height only: any step will do, but one that a reader can divide by
        step = 1.0
    return lowest - first * step, step
