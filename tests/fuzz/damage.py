"""Sound bytes, damaged."""

import struct
import zlib
from random import Random

_NUMBERS = (b"nan", b"inf", b"-1", b"1e400", b"9" * 400, b"1e-320", b"0", b"null", b"", b"[]", b'"a"')


def damaged(random: Random, content: bytes) -> bytes:
    """Return bytes with a few places changed: flipped, overwritten, left out, doubled, cut off, or numbers replaced."""
    data = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 4))):
        if not data:
            break
        at = random.randrange(len(data))
        if random.random() < 0.5:  # headers
            at = min(at, random.randrange(200))
        kind = random.randrange(8)
        if kind == 0:
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            data[at] = random.choice((0, 1, 0x7F, 0x80, 0xFF, 0x0A, random.randrange(256)))
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at : at + random.choice((1, 2, 4, 100))]
        elif kind == 4:
            data[at:at] = data[at : at + random.choice((1, 4, 64))]
        elif kind == 5:  # a length, perhaps
            value = random.choice((0, 1, 255, 65535, 2**31 - 1, 2**31, 2**32 - 1))
            data[at : at + 4] = struct.pack(random.choice(("<I", ">I")), value)
        elif kind == 6:
            data[at : at + 8] = struct.pack(random.choice(("<d", ">d")), random.choice((1e308, -1e300, float("nan"))))
        else:
            end = at
            while end < len(data) and chr(data[end]) in "0123456789.-+eE":
                end += 1
            data[at:end] = random.choice(_NUMBERS)
    return bytes(data)


def resealed(content: bytes) -> bytes:
    """Return a PNG with the checksums that its chunks should have: else nothing but those would be looked at."""
    out, at = content[:8], 8
    while at + 12 <= len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        if size > len(content):
            break
        body = content[at + 4 : at + 8 + size]
        out += content[at : at + 4] + body + struct.pack(">I", zlib.crc32(body))
        at += 12 + size
    return out + content[at:]
