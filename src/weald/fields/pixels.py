"""Pixels: one channel of an image file or an array, as codes.

Whatever is wrong with a file comes out as an InputError that names it; its size is judged before
its pixels are read.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, JpegImagePlugin, PngImagePlugin, TiffImagePlugin

from weald.arguments import array_of
from weald.errors import InputError, nearest
from weald.fields.png16 import deep_mode, deep_pixels
from weald.files import check_memory, readable_file

Channel: TypeAlias = Literal["gray", "red", "green", "blue", "alpha", "luminance"]

# not Image.open, whose guard against large images is a warning about a limit that is not ours
_READERS = (
    (b"\x89PNG", PngImagePlugin.PngImageFile),
    (b"\xff\xd8\xff", JpegImagePlugin.JpegImageFile),
    (b"II", TiffImagePlugin.TiffImageFile),
    (b"MM", TiffImagePlugin.TiffImageFile),
)
_BITS_PER_SAMPLE, _SAMPLE_FORMAT = 258, 339
_RED, _GREEN = 0.2126, 0.7152
"""Weights in luminance by ITU-R BT.709; blue has the rest."""
_TOPS = {"bool": 1.0, "uint8": 255.0, "uint16": 65535.0}
_NAMES = {
    "LA": ["gray", "alpha"],
    "RGB": ["red", "green", "blue", "luminance"],
    "RGBA": ["red", "green", "blue", "alpha", "luminance"],
}


class Pixels(NamedTuple):
    """Codes of one channel, shape (ny, nx), rows as they came, and the code of full brightness.

    ``top`` is None for floats, which are values of their own.
    """

    codes: NDArray[Any]
    top: float | None


def pixels_of_file(path: str | PathLike[str], channel: str | None, max_pixels: int) -> Pixels:
    """Read one channel of a PNG, TIFF or JPEG file."""
    file = readable_file(path)
    try:
        with file.open("rb") as stream, _opened(file, stream) as image:
            width, height = image.size
            if width * height > max_pixels:
                raise InputError(
                    f"{file}: holds {width} x {height} = {width * height:,} pixels, more than max_pixels = "
                    f"{max_pixels:,}; make it smaller, or raise max_pixels if there is memory for 20 bytes a pixel"
                )
            check_memory(file, width * height, 20 if len(image.getbands()) == 1 else 50, "pixels", "make it smaller")
            place = stream.tell()
            stream.seek(0)
            deep = deep_mode(stream.read(29))
            if deep is not None:
                return Pixels(_picked(deep_pixels(stream), str(file), deep, channel), 65535.0)
            stream.seek(place)
            return _decoded(file, image, channel)
    except InputError:
        raise
    except MemoryError:
        raise InputError(f"{file}: does not fit into memory") from None
    except Exception as error:
        # decoders of damaged files raise whatever they stumble on, from struct.error to SyntaxError
        raise InputError(f"{file}: cannot be read, it is damaged or not an image ({error})") from error


def pixels_of_array(values: Any, channel: str | None) -> Pixels:
    """Return one channel of an array of shape (ny, nx) or (ny, nx, channels)."""
    array = array_of("image", values)
    kind = array.dtype.name
    if kind not in _TOPS and array.dtype.kind != "f":
        raise InputError(f"image: got values of type {kind}; give uint8, uint16, bool or floats")
    if array.ndim == 3 and array.shape[2] in (3, 4):
        array = _picked(array, "image", "RGBA"[: array.shape[2]], channel)
    elif array.ndim == 2:
        _refuse_channel("image", channel)
    else:
        raise InputError(f"image: got shape {array.shape}; give (ny, nx), or (ny, nx, 3 or 4) with a channel")
    return Pixels(array, _TOPS.get(kind))


def _opened(file: Path, stream: IO[bytes]) -> Image.Image:
    start = stream.read(4)
    stream.seek(0)
    for signature, reader in _READERS:
        if start.startswith(signature):
            return reader(stream)
    raise InputError(f"{file}: is no PNG, TIFF or JPEG file; it starts with {start!r}")


def _decoded(file: Path, image: Image.Image, channel: str | None) -> Pixels:
    mode = image.mode
    if mode in ("1", "L", "F") or mode.startswith("I"):
        _refuse_channel(str(file), channel)
        codes = np.asarray(image)
        if mode == "F":
            return Pixels(codes, None)
        if mode.startswith("I") and not _is_16_bits(image):
            raise InputError(f"{file}: holds integers of 32 bits or with a sign; save 8 or 16 bits, or floats")
        return Pixels(codes, {"1": 1.0, "L": 255.0}.get(mode, 65535.0))
    if mode in ("P", "PA", "CMYK", "YCbCr"):
        image = image.convert("RGBA" if mode == "PA" or "transparency" in image.info else "RGB")
    if _has_16_bits(image):
        raise InputError(f"{file}: has colours of 16 bits, of which only 8 would be read; save it as PNG")
    if image.mode not in _NAMES:
        raise InputError(f"{file}: has colours of the mode {image.mode}; save it as gray, RGB or RGBA")
    return Pixels(_picked(np.asarray(image), str(file), image.mode, channel), 255.0)


def _is_16_bits(image: Image.Image) -> bool:
    if not isinstance(image, TiffImagePlugin.TiffImageFile):
        return True  # PNG has no more
    bits, signs = image.tag_v2.get(_BITS_PER_SAMPLE, (1,)), image.tag_v2.get(_SAMPLE_FORMAT, (1,))
    return bool(bits[0] == 16 and signs[0] == 1)


def _has_16_bits(image: Image.Image) -> bool:
    return isinstance(image, TiffImagePlugin.TiffImageFile) and max(image.tag_v2.get(_BITS_PER_SAMPLE, (8,))) > 8


def _picked(colors: NDArray[Any], name: str, mode: str, channel: str | None) -> NDArray[Any]:
    names = _NAMES[mode]
    if not isinstance(channel, str) or channel not in names:
        raise InputError(
            f"{name}: has several channels, and channel is {channel!r}{nearest(str(channel), names)}; "
            f"give one of {', '.join(names)}"
        )
    if channel != "luminance":
        picked: NDArray[Any] = colors[..., names.index(channel)]
        return picked
    red, green, blue = (colors[..., k].astype(np.float64) for k in range(3))
    # of a gray pixel exactly its code
    blue += _RED * (red - blue) + _GREEN * (green - blue)
    luminance: NDArray[Any] = np.clip(blue, colors[..., :3].min(axis=2), colors[..., :3].max(axis=2))
    return luminance


def _refuse_channel(name: str, channel: object) -> None:
    if not (channel is None or (isinstance(channel, str) and channel == "gray")):
        raise InputError(f"{name}: is gray, and channel is {channel!r}; leave channel out")
