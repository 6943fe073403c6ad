"""Ground from files.

Whatever is wrong with a file comes out as an InputError that names it: nothing is guessed, and
nothing is allocated before the size that the file states has been checked.
"""

from __future__ import annotations

import dataclasses
import typing
import warnings
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from weald.errors import InputError, WealdError
from weald.files import readable_file, regular_file
from weald.geometry import BoundsLike
from weald.numbers import is_number, metres
from weald.terrain.fills import implausible, refuse_fill
from weald.terrain.formats import arrays, exr, geotiff, hgt, mesh, png, raw
from weald.terrain.formats.sheet import MAX_SAMPLES, Array, ByteOrder, Format, Given, RowOrder, Sheet, UpAxis
from weald.terrain.regrid import ground_of
from weald.terrain.span import Span
from weald.terrain.terrain import Terrain

FORMATS: tuple[Format, ...] = (
    geotiff.GEOTIFF,
    geotiff.ASCII,
    hgt.HGT,
    png.PNG,
    raw.RAW,
    arrays.NPY,
    arrays.NPZ,
    exr.EXR,
    mesh.MESH,
)
"""Every format that can be opened; the suffix of the file decides."""


def open_terrain(
    path: str | PathLike[str],
    *,
    spacing: float | None = None,
    origin: tuple[float, float] | None = None,
    crs: str | None = None,
    window: BoundsLike | None = None,
    low: float | None = None,
    high: float | None = None,
    rows: RowOrder | None = None,
    void: float | None = None,
    key: str | None = None,
    size: tuple[int, int] | None = None,
    byte_order: ByteOrder | None = None,
    band: int | None = None,
    vertical_unit: str | None = None,
    up: UpAxis | None = None,
    node: str | None = None,
    max_samples: int = MAX_SAMPLES,
) -> Terrain:
    """Read ground from a file; its suffix says which kind it is.

    GeoTIFF (``.tif``) and ESRI ASCII grids (``.asc``) need the extra ``geo``, and so does ``crs``; EXR needs ``exr``.
    A PNG or RAW with the sidecar that weald wrote beside it needs no parameters at all. A mesh (``.glb``, ``.obj`` ...;
    extra ``mesh``) gives what rays from above meet first.

    Parameters
    ----------
    path
        A ``.tif``, ``.tiff``, ``.asc``, ``.hgt``, ``.png``, ``.exr``, ``.raw``, ``.r16``, ``.npy``, ``.npz``, ``.glb``,
        ``.gltf``, ``.obj``, ``.ply`` or ``.stl`` file.
    spacing
        Metres between samples of the result. Files that do not say where they lie need it. In others it asks
        for a grid of that spacing, interpolated by cubics; left out, a file in square cells is taken as it is,
        and any other comes at the shorter side of its cells (rounded to two figures if it is projected).
    origin
        Place of the south-westernmost sample, in metres, for a file that does not say; of a mesh, where the
        file's (0, 0) lies. (0, 0) if left out.
    crs
        Project to this system: ``"utm"`` for the zone that the middle of the file lies in (on WGS84; a file that
        is in UTM already stays as it is), or an EPSG code or WKT of a system in metres. A file in degrees needs it.
    window
        ``(xmin, ymin, xmax, ymax)`` in metres of the result: this part only. It equals the same crop of the
        whole, bit for bit. PNG, EXR, NPZ and meshes are read whole all the same.
    low, high
        PNG and RAW, and TIFF that says nothing of its place and its codes: metres at code 0 and at the top code, 255
        or 65535.
    rows
        Whether the first row is the ``"north-first"`` or ``"south-first"``. Arrays and RAW need it said; a
        picture is north-first unless said otherwise.
    void
        The code or value that means "no ground here", besides NaN and what the file itself declares. A value such as
        -9999 that stands alone, far from all heights, is refused until it is named here.
    key
        NPZ: the name of the array; may be left out if there is but one. EXR: the channel with the heights; if left
        out, the only one, or Y, Z, height or R.
    size
        RAW: (nx, ny), if it is not a square.
    byte_order
        RAW: ``"little-endian"``, which it is if left out, or ``"big-endian"``.
    band
        GeoTIFF: the band with the heights, counted from 1, if there are several.
    vertical_unit
        Unit of heights where the file does not say or says wrong: ``"metre"``, ``"foot"``,
        ``"US survey foot"``, ``"decimetre"``, ``"centimetre"``, ...
    up, node
        Mesh: the axis that points up, ``"y"`` or ``"z"``, and the name of the nodes that are ground; see
        `weald.terrain.mesh.MeshGround`.
    max_samples
        Refuse to read or make more.

    Returns
    -------
    Terrain
        Heights in metres, NaN where void, and the system it is in as ``crs``, if the file says.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large or not what its name says, or if a parameter is
        missing or does not belong to this kind of file, or if heights hold an undeclared fill value.

    Warns
    -----
    UserWarning
        If heights lie below -11,100 m or above 9,000 m, where no place on Earth does.

    MissingExtraError
        If rasterio, trimesh or OpenEXR is needed and not installed.
    """
    file = regular_file(path)
    given = Given(
        spacing, origin, low, high, rows, void, key, size, byte_order, band, vertical_unit, up, node, max_samples
    )
    _check(given)
    kind = _format(file)
    for field in dataclasses.fields(given):
        if field.name != "max_samples":
            _refuse_foreign(file, kind, field.name, getattr(given, field.name))
    readable_file(file)

    try:
        sheet = _judged(kind.sheet(file, given), kind)
        ground = ground_of(file, sheet, spacing=spacing, crs=crs, window=window, max_samples=max_samples)
    except MemoryError:
        raise InputError(f"{file}: does not fit into memory") from None
    except InputError as error:
        named = str(error).startswith(f"{file}")
        raise error if named else InputError(f"{file}: {error}") from None
    except WealdError:
        raise
    except Exception as error:
        # decoders of damaged files raise whatever they stumble on, from struct.error to tokenize.TokenError
        raise InputError(f"{file}: cannot be read, it is damaged or not {kind.name} ({error})") from error
    odd = implausible(ground.heights)
    if odd is not None:
        words = {"low": "low and high", "vertical_unit": "vertical_unit", "void": "void"}
        check = ", ".join(words[name] for name in words if name in kind.takes)
        warnings.warn(f"{file}: {odd}" + f"; check {check}" * bool(check), UserWarning, stacklevel=3)
    return ground


def _judged(sheet: Sheet, kind: Format) -> Sheet:
    """Return a sheet that refuses fill values when they are read."""
    advice = "give void={}" if "void" in kind.takes else "write the file again, with its voids declared"

    def read(span: Span) -> Array:
        heights = sheet.read(span)
        refuse_fill(heights, advice, sheet.scale)
        return heights

    return dataclasses.replace(sheet, read=read)


def _format(file: Path) -> Format:
    suffix = file.suffix.lower()
    for kind in FORMATS:
        if suffix in kind.suffixes:
            return kind
    known = ", ".join(suffix for kind in FORMATS for suffix in kind.suffixes)
    raise InputError(f"{file}: cannot read {suffix or 'a file without suffix'}; give one of {known}")


def _refuse_foreign(file: Path, kind: Format, name: str, value: object) -> None:
    if value is not None and name not in kind.takes:
        raise InputError(f"{file}: {name} is {value!r}, but {kind.name} takes no {name}; leave it out")


def _check(given: Given) -> None:
    """Refuse values that no file could take."""
    spacing, origin, size = given.spacing, given.origin, given.size
    if spacing is not None:
        metres("spacing", spacing)
    if origin is not None and not (isinstance(origin, Sequence) and len(origin) == 2 and all(map(is_number, origin))):
        raise InputError(f"origin: got {origin}; give two finite numbers, x and y of the south-westernmost sample")
    if size is not None and not (
        isinstance(size, Sequence) and len(size) == 2 and all(isinstance(n, int) and n > 0 for n in size)
    ):
        raise InputError(f"size: got {size}; give two whole numbers above 0, (nx, ny)")
    for name, value, known in (("rows", given.rows, RowOrder), ("byte_order", given.byte_order, ByteOrder)):
        first, second = typing.get_args(known)
        if value is not None and not (isinstance(value, str) and value in (first, second)):
            raise InputError(f"{name}: got {value!r}; give {first!r} or {second!r}")
