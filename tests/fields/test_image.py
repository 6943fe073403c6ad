"""Images as fields: every kind of file, placed, turned the right way up, and refused if damaged."""

import math
import pickle
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from weald.errors import InputError
from weald.fields import image, raster
from weald.geometry import Grid

BOX = (100.0, 200.0, 180.0, 260.0)  # 4 x 3 pixels of 20 m
CODES = np.array([[0, 10, 20, 30], [100, 110, 120, 130], [200, 210, 220, 255]], np.uint8)  # the north comes first
COLORS = np.stack([CODES, CODES[::-1], 255 - CODES, np.full_like(CODES, 7)], axis=-1)
MIDDLES_X, MIDDLES_Y = np.arange(110.0, 180, 20), np.arange(210.0, 260, 20)


def at_pixels(field):
    """Return the values at the middles of pixels, the north first."""
    return field(MIDDLES_X[None, :], MIDDLES_Y[:, None])[::-1]


def saved(folder, array, name="image.png", mode=None):
    path = folder / name
    picture = Image.fromarray(array)
    (picture if mode is None else picture.convert(mode)).save(path)
    return path


# --- what a pixel means -----------------------------------------------------------------------------------


def test_gray_files_of_8_and_16_bits(tmp_path):
    assert np.array_equal(at_pixels(image(saved(tmp_path, CODES), BOX)), CODES / 255)
    deep = CODES.astype(np.uint16) * 257 + (CODES < 255) * np.uint16(3)
    for name in ("deep.png", "deep.tif"):
        field = image(saved(tmp_path, deep, name), BOX)
        assert at_pixels(field) == pytest.approx(deep / 65535, abs=1e-15)
        assert field.range == (3 / 65535, 1)
    assert np.array_equal(at_pixels(image(saved(tmp_path, CODES > 105, "bits.png"), BOX)), CODES > 105)
    assert at_pixels(image(saved(tmp_path, CODES, "soft.jpg"), BOX)) == pytest.approx(CODES / 255, abs=0.1)


def test_floats_are_values(tmp_path):
    heights = np.linspace(-3.5, 812.25, 12, dtype=np.float32).reshape(3, 4)
    field = image(saved(tmp_path, heights, "heights.tiff"), BOX)
    assert at_pixels(field) == pytest.approx(heights, rel=1e-6)
    assert field.range == (-3.5, 812.25)
    heights[1, 1] = np.nan
    field = image(heights, BOX, rows="north-first")
    assert np.array_equal(np.isnan(at_pixels(field)), np.isnan(heights))


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_channels(tmp_path, mode):
    path = saved(tmp_path, COLORS[..., : len(mode)])
    for number, channel in enumerate(["red", "green", "blue", "alpha"][: len(mode)]):
        expected = COLORS[..., number] / 255
        assert np.array_equal(at_pixels(image(path, BOX, channel=channel)), expected)
        array = image(COLORS[..., : len(mode)], BOX, rows="north-first", channel=channel)
        assert np.array_equal(at_pixels(array), expected)
    bright = at_pixels(image(path, BOX, channel="luminance"))
    assert bright == pytest.approx(COLORS[..., :3] @ [0.2126, 0.7152, 0.0722] / 255, abs=1e-6)


def test_luminance_of_gray_is_gray():
    gray = np.repeat(np.arange(256, dtype=np.uint8).reshape(16, 16, 1), 3, axis=2)
    assert image(gray, (0, 0, 16, 16), rows="south-first", channel="luminance").range == (0, 1)
    places = np.arange(16) + 0.5
    field = image(gray, (0, 0, 16, 16), rows="south-first", channel="luminance")
    assert np.array_equal(field(places[None, :], places[:, None]), gray[..., 0] / 255)


def test_other_modes(tmp_path):
    assert np.array_equal(at_pixels(image(saved(tmp_path, CODES, "p.png", "P"), BOX, channel="red")), CODES / 255)
    faded = saved(tmp_path, COLORS, "la.png", "LA")
    assert (at_pixels(image(faded, BOX, channel="alpha")) == 7 / 255).all()
    with pytest.raises(InputError, match="channel is None; give one of gray, alpha"):
        image(faded, BOX)


def test_low_high_and_polarity(tmp_path):
    path = saved(tmp_path, CODES)
    field = image(path, BOX, low=200, high=900)
    assert field.range == (200, 900)
    assert at_pixels(field) == pytest.approx(200 + CODES / 255 * 700)
    dark = image(path, BOX, low=200, high=900, polarity="dark")
    assert dark.range == (200, 900)
    assert at_pixels(dark) == pytest.approx(900 - CODES / 255 * 700)
    assert (at_pixels(dark)[0, 0], at_pixels(dark)[2, 3]) == (900, 200)


def test_a_radius_from_a_density(tmp_path):
    radius = image(saved(tmp_path, CODES), BOX).remap([(0, 9.0), (1, 3.0)])
    assert radius.range == (3, 9)
    assert (at_pixels(radius)[0, 0], at_pixels(radius)[2, 3]) == (9, 3)


# --- where a pixel is -------------------------------------------------------------------------------------


def test_rows_have_names(tmp_path):
    path = saved(tmp_path, CODES)
    assert np.array_equal(at_pixels(image(path, BOX, rows="south-first")), CODES[::-1] / 255)
    assert np.array_equal(at_pixels(image(CODES, BOX, rows="north-first")), CODES / 255)
    with pytest.raises(InputError, match="rows: not given"):
        image(CODES, BOX)


@pytest.mark.parametrize("method", ["bilinear", "nearest", "cubic"])
def test_the_box_is_covered_and_nothing_else(method):
    field = image(CODES, BOX, rows="north-first", method=method)
    xmin, ymin, xmax, ymax = BOX
    just = np.nextafter
    inside = field([xmin, xmax, xmin, xmax, 140], [ymin, ymin, ymax, ymax, ymax])
    assert inside[:4] == pytest.approx(np.array([200, 255, 0, 30]) / 255)
    assert not np.isnan(inside).any()
    out_x = [just(xmin, 0), just(xmax, 999), xmin, xmin, np.nan]
    assert np.isnan(field(out_x, [ymin, ymin, just(ymin, 0), just(ymax, 999), 230])).all()
    assert field([100, 105, 110], 210) == pytest.approx(200 / 255)  # level to the edge


def test_between_the_middles_it_is_a_raster():
    values = CODES[::-1] / 255
    for method in ("bilinear", "cubic"):
        expected = raster(Grid(110, 210, 20, 4, 3), values, method=method)
        x, y = np.random.default_rng(1).uniform((130, 210), (150, 250), (500, 2)).T
        field = image(CODES, BOX, rows="north-first", method=method)
        if method == "bilinear":
            assert field(x, y) == pytest.approx(expected(x, y), abs=1e-12)
        assert field.range[0] <= field(x, y).min()


def test_nearest_takes_the_pixel_that_the_place_is_in():
    x, y = np.random.default_rng(1).uniform(BOX[:2], BOX[2:], (500, 2)).T
    field = image(CODES, BOX, rows="north-first", method="nearest")
    column, row = ((x - 100) // 20).astype(int), ((260 - y) // 20).astype(int)
    assert np.array_equal(field(x, y), CODES[row, column] / 255)


def test_pixels_need_not_be_square():
    field = image(CODES, (0, 0, 4, 300), rows="north-first", method="nearest")
    assert field([0.5, 3.5], [250, 50]).tolist() == [0, 1]


@given(st.integers(0, 10**6), st.sampled_from(["bilinear", "nearest", "cubic"]), st.sampled_from(["bright", "dark"]))
def test_values_keep_to_their_range(seed, method, polarity):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 256, (5, 7), np.uint8)
    field = image(codes, (0, 0, 1, 1), rows="south-first", method=method, low=0.1, high=0.7, polarity=polarity)
    values = field(*generator.uniform(0, 1, (2, 500)))
    assert field.range[0] <= values.min()
    assert values.max() <= field.range[1]


@pytest.mark.parametrize("corner", [-30.0, 1e9])
def test_a_window_is_cut_from_the_whole(corner):
    codes = np.random.default_rng(1).integers(0, 65536, (50, 80), np.uint16)
    field = image(codes, (corner, corner, corner + 333, corner + 55), rows="north-first", method="cubic")
    whole = field.sample(Grid(corner - 5, corner - 5, 0.5, 700, 90))
    part = field.sample(Grid(corner + 145, corner + 5, 0.5, 77, 60))
    assert np.array_equal(part, whole[20:80, 300:377], equal_nan=True)
    assert 0 < np.isnan(whole).mean() < 0.3


# --- faces ------------------------------------------------------------------------------------------------


def test_text_and_travel(tmp_path):
    path = saved(tmp_path, COLORS[..., :3], "a{b}.png")
    field = image(path, BOX, channel="red", polarity="dark", low=1, high=2.5, method="nearest")
    assert repr(field * 2) == (
        f"image({str(path)!r}, (100, 200, 180, 260), channel='red', polarity='dark', low=1, high=2.5, "
        "method='nearest') * 2"
    )
    assert repr(image(CODES, BOX, rows="north-first")) == "image(..., (100, 200, 180, 260), rows='north-first')"
    again = pickle.loads(pickle.dumps(field))
    assert np.array_equal(at_pixels(again), at_pixels(field))


def test_too_many_pixels_are_refused_before_they_are_read(tmp_path):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    path = tmp_path / "bomb.png"
    header = struct.pack(">IIBBBBB", 200_000, 200_000, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"x") + chunk(b"IEND", b""))
    with pytest.raises(InputError, match="200000 x 200000 = 40,000,000,000 pixels, more than max_pixels"):
        image(path, BOX)
    with pytest.raises(InputError, match="max_pixels = 11"):
        image(saved(tmp_path, CODES), BOX, max_pixels=11)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rows": "north"}, r"rows: got 'north' \(did you mean 'north-first'\?\)"),
        ({"polarity": "black"}, "polarity: got 'black'.*; give one of bright, dark"),
        ({"channel": "red"}, "is gray, and channel is 'red'; leave channel out"),
        ({"low": 3, "high": 3}, "low, high: got 3.0 and 3.0; give finite low < high"),
        ({"high": math.inf}, "low, high"),
        ({"method": "linear"}, "method: got 'linear'"),
    ],
)
def test_bad_options_are_refused(tmp_path, options, says):
    with pytest.raises(InputError, match=says):
        image(saved(tmp_path, CODES), BOX, **options)


@pytest.mark.parametrize(
    ("array", "options", "says"),
    [
        (COLORS, {}, "channel is None; give one of red, green, blue, alpha, luminance"),
        (COLORS[..., :3], {"channel": "grean"}, r"channel is 'grean' \(did you mean 'green'\?\)"),
        (CODES.astype(np.int64), {}, "values of type int64; give uint8"),
        (CODES.astype(complex), {}, "values of type complex128"),
        (CODES[0], {}, r"got shape \(4,\)"),
        (CODES[:0], {}, r"got shape \(0, 4\)"),
        (CODES / 255, {"low": 0}, "holds floats, which are values already"),
        (np.full((2, 2), np.inf), {}, "mark voids as NaN"),
    ],
)
def test_bad_arrays_are_refused(array, options, says):
    with pytest.raises(InputError, match=says):
        image(array, BOX, rows="north-first", **options)


def test_bad_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        image(tmp_path / "none.png", BOX)
    with pytest.raises(InputError, match="bounds"):
        image(saved(tmp_path, CODES), (0, 0, 0, 1))
    good = saved(tmp_path, CODES).read_bytes()
    bad = tmp_path / "bad.png"
    for data, says in [
        (b"GIF89a", "is no PNG, TIFF or JPEG file; it starts with b'GIF8'"),
        (b"", "is no PNG, TIFF or JPEG"),
        (good[:40], "cannot be read"),
        (good[:50] + b"xxxx" + good[54:], "cannot be read"),
        (b"II*\0" + b"\xff" * 40, "cannot be read"),
    ]:
        bad.write_bytes(data)
        with pytest.raises(InputError, match=says):
            image(bad, BOX)
    signed = tmp_path / "signed.tif"
    Image.fromarray(np.arange(6, dtype=np.int32).reshape(2, 3)).save(signed)
    with pytest.raises(InputError, match="32 bits or with a sign"):
        image(signed, BOX)
