"""Images of several channels of 16 bits: every code as it was written, and those with a transparent entry."""

import struct
import zlib

import numpy as np
import pytest
import rasterio
from PIL import Image

from weald.errors import InputError
from weald.fields import image
from weald.world.world import World

BOX = (0, 0, 9, 7)
X, Y = np.meshgrid(np.arange(9) + 0.5, np.arange(7)[::-1] + 0.5)
KINDS = {"LA": 4, "RGB": 2, "RGBA": 6}
NAMES = {"LA": ["gray", "alpha"], "RGB": ["red", "green", "blue"], "RGBA": ["red", "green", "blue", "alpha"]}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def filtered(line, above, kind, step):
    """Return a row as the filters of the specification leave it: plain Python, byte by byte."""
    out = bytearray([kind])
    for i, value in enumerate(line):
        a = line[i - step] if i >= step else 0
        b = above[i]
        c = above[i - step] if i >= step else 0
        p = a + b - c
        paeth = min((a, b, c), key=lambda v: abs(p - v))
        out.append((value - (0, a, b, (a + b) // 2, paeth)[kind]) % 256)
    return bytes(out)


def png(path, codes, mode, interlaced=0):
    ny, nx, channels = codes.shape
    lines = [row.astype(">u2").tobytes() for row in codes]
    above = [bytes(len(lines[0])), *lines]
    raw = b"".join(filtered(line, above[j], j % 5, 2 * channels) for j, line in enumerate(lines))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", nx, ny, 16, KINDS[mode], 0, 0, interlaced))
    packed = zlib.compress(raw)
    middle = len(packed) // 2
    body = chunk(b"IDAT", packed[:middle]) + chunk(b"tEXt", b"a\0b") + chunk(b"IDAT", packed[middle:])
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b""))
    return path


def some(mode):
    return np.random.default_rng(3).integers(0, 65_536, (7, 9, len(mode)), np.uint16)


@pytest.mark.parametrize("mode", list(KINDS))
def test_every_channel_keeps_all_its_bits(tmp_path, mode):
    codes = some(mode)
    file = png(tmp_path / "a.png", codes, mode)
    for number, name in enumerate(NAMES[mode]):
        field = image(file, BOX, channel=name, high=65_535)
        assert np.array_equal(np.rint(field(X, Y)), codes[..., number])
    if mode != "LA":
        luminance = image(file, BOX, channel="luminance", high=65_535)(X, Y)
        assert np.allclose(luminance, codes[..., :3] @ [0.2126, 0.7152, 0.0722], atol=0.1)
    with pytest.raises(InputError, match=f"has several channels, and channel is None; give one of {NAMES[mode][0]}"):
        image(file, BOX)


def test_what_is_damaged_or_interlaced_is_refused(tmp_path):
    file = png(tmp_path / "a.png", some("LA"), "LA", interlaced=1)
    with pytest.raises(InputError, match=r"a\.png: .*interlaced; save it without"):
        image(file, BOX, channel="gray")
    whole = png(file, some("LA"), "LA").read_bytes()
    for end in range(0, len(whole) - 12, 7):
        file.write_bytes(whole[:end])
        with pytest.raises(InputError, match=r"a\.png: "):
            image(file, BOX, channel="gray")
    for place in range(29, len(whole) - 12, 5):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        with pytest.raises(InputError, match=r"a\.png: "):
            image(file, BOX, channel="gray")


def test_a_tiff_of_deep_colors_is_refused(tmp_path):
    place = {"crs": "EPSG:32632", "transform": rasterio.Affine(1, 0, 0, 0, -1, 7)}
    size = {"width": 9, "height": 7, "count": 3, "dtype": "uint16", "photometric": "RGB"}
    with rasterio.open(tmp_path / "a.tif", "w", driver="GTiff", **size, **place) as data:
        data.write(np.moveaxis(some("RGB"), 2, 0))
    with pytest.raises(InputError, match=r"a\.tif: "):
        image(tmp_path / "a.tif", BOX, channel="red")


def test_a_palette_with_a_transparent_entry_has_alpha(tmp_path):
    picture = Image.fromarray((np.arange(63) % 3).astype(np.uint8).reshape(7, 9), "L").convert("P")
    picture.putpalette([200, 0, 0, 0, 100, 0, 0, 0, 50])
    picture.save(tmp_path / "a.png", transparency=1)
    picture.save(tmp_path / "b.png")
    alpha = image(tmp_path / "a.png", BOX, channel="alpha")(X, Y)
    assert np.array_equal(alpha, np.arange(63).reshape(7, 9) % 3 != 1)
    assert image(tmp_path / "a.png", BOX, channel="red", high=255)(X, Y).max() == 200
    with pytest.raises(InputError, match="channel is 'alpha'"):
        image(tmp_path / "b.png", BOX, channel="alpha")
    assert image(tmp_path / "b.png", BOX, channel="green", high=255)(X, Y).max() == 100


@pytest.mark.parametrize(
    ("extra", "values"),
    [({"channel": "gray"}, "gray"), ({"channel": "alpha", "low": -3.0, "high": 5.0, "method": "nearest"}, "alpha")],
)
def test_a_spec_names_an_image(tmp_path, extra, values):
    codes = some("LA")
    png(tmp_path / "a.png", codes, "LA")
    (tmp_path / "world.toml").write_text(
        'weald = 1\nseed = 1\nground = { formula = "x", spacing = 1 }\n'
        "[images.painted]\n"
        f'file = "a.png"\nbounds = {list(BOX)}\n' + "".join(f"{key} = {value!r}\n" for key, value in extra.items()) +
        '[species.oak]\nshape = "broadleaf"\nheight = 17\ncrown_radius = 4\ncolor = "#6f8f3c"\n'
        '[[layer]]\nname = "oaks"\nspecies = "oak"\nradius = 2\nwhere = "painted > 0.2"\n'
    )  # fmt: skip
    world = World.load(tmp_path / "world.toml")
    world.check()
    low, high = extra.get("low", 0.0), extra.get("high", 1.0)
    expected = low + codes[..., NAMES["LA"].index(values)] / 65_535 * (high - low)
    assert np.allclose(world.names["painted"](X, Y), expected, atol=1e-6)
    between = world.names["painted"](5.9, 3.5) == world.names["painted"](5.5, 3.5)
    assert between == (extra.get("method") == "nearest")
