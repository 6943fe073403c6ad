"""PNG with several channels of 16 bits, read here because Pillow keeps the upper 8 of them only.

After the PNG specification (ISO/IEC 15948:2004), sections 9 (filters) and 11 (chunks).
"""

from __future__ import annotations

import struct
import zlib
from typing import IO

import numpy as np
from numba import njit
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MODES = {2: "RGB", 4: "LA", 6: "RGBA"}


def deep_mode(start: bytes) -> str | None:
    """Return the mode of a PNG with several channels of 16 bits, from its first 29 bytes; None for all else."""
    if len(start) < 29 or start[:8] != _SIGNATURE or start[12:16] != b"IHDR" or start[24] != 16:
        return None
    return _MODES.get(start[25])


def deep_pixels(stream: IO[bytes]) -> NDArray[np.uint16]:
    """Return the codes of a PNG of which `deep_mode` knows the mode, shape (ny, nx, channels).

    Raises
    ------
    ValueError
        If it is damaged, or interlaced.
    """
    stream.seek(8)
    header, packed = b"", []
    while True:
        length, kind = struct.unpack(">I4s", stream.read(8))
        data = stream.read(length)
        (check,) = struct.unpack(">I", stream.read(4))
        if len(data) != length or zlib.crc32(kind + data) != check:
            raise ValueError(f"the chunk {kind!r} is damaged")
        if kind == b"IHDR":
            header = data
        elif kind == b"IDAT":
            packed.append(data)
        elif kind == b"IEND":
            break
    nx, ny, _, color, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if interlaced:
        raise ValueError("it is interlaced; save it without")
    channels = len(_MODES[color])
    row = 1 + 2 * channels * nx
    raw = zlib.decompressobj().decompress(b"".join(packed), ny * row)
    if len(raw) != ny * row:
        raise ValueError("it is truncated")
    lines = np.frombuffer(raw, np.uint8).reshape(ny, row).copy()
    if lines[:, 0].max() > 4:
        raise ValueError(f"it has a filter {lines[:, 0].max()}")
    _unfilter(lines, 2 * channels)
    codes: NDArray[np.uint16] = lines[:, 1:].copy().view(">u2").astype(np.uint16)
    return codes.reshape(ny, nx, channels)


@njit(nogil=True, cache=True)
def _unfilter(lines: NDArray[np.uint8], step: int) -> None:  # pragma: no cover - compiled
    """Undo the filters of rows in place; each row begins with the number of its filter."""
    ny, width = lines.shape
    for j in range(ny):
        kind = lines[j, 0]
        for i in range(1, width):
            left = np.int64(lines[j, i - step]) if i > step else np.int64(0)
            up = np.int64(lines[j - 1, i]) if j > 0 else np.int64(0)
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) >> 1
            elif kind == 4:
                corner = np.int64(lines[j - 1, i - step]) if i > step and j > 0 else np.int64(0)
                away_left, away_up = abs(up - corner), abs(left - corner)
                away = abs(left + up - 2 * corner)
                second = up if away_up <= away else corner
                guess = left if away_left <= away_up and away_left <= away else second
            else:
                guess = np.int64(0)
            lines[j, i] = (np.int64(lines[j, i]) + guess) & 255
