from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from weald._version import ALGORITHM, __version__
from weald.errors import InputError
from weald.export.heightmap import read_heightmap, write_heightmap
from weald.geometry import Grid


def decode_png16(path: Path) -> np.ndarray:
    """Decode a 16-bit grayscale PNG by the letter of its specification, without Pillow."""
    data, at, packed = path.read_bytes(), 8, b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        (size,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color, *rest = struct.unpack(">IIBBBBB", body)
            assert (depth, color, rest) == (16, 0, [0, 0, 0])
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    raw = zlib.decompress(packed)
    rows, above = [], [0] * (2 * width)
    for j in range(height):
        kind, *line = raw[j * (2 * width + 1) : (j + 1) * (2 * width + 1)]
        for i in range(2 * width):
            a, b, c = (line[i - 2] if i > 1 else 0), above[i], (above[i - 2] if i > 1 else 0)
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) % 256
        rows.append(line)
        above = line
    return np.array(rows, np.uint8).view(">u2")


def side(path: Path) -> dict:
    return json.loads(path.with_suffix(".json").read_text())


def test_exact_codes_north_first_big_endian(tmp_path: Path) -> None:
    path = tmp_path / "heightmap.png"
    south, north = [0, 1, 258], [1000, 30000, 65535]
    assert (
        write_heightmap(path, [south, north], Grid(10, 20, 0.5, 3, 2), crs="EPSG:32632") == tmp_path / "heightmap.json"
    )
    assert decode_png16(path).tolist() == [north, south]
    assert side(path) == {
        "format": "weald heightmap",
        "format_version": 1,
        "weald_version": __version__,
        "algorithm": ALGORITHM,
        "image": "heightmap.png",
        "width": 3,
        "height": 2,
        "bits": 16,
        "byte_order": "big-endian",
        "row_order": "north first",
        "spacing": 0.5,
        "origin": {"x": 10.0, "y": 20.0, "of": "south-west sample"},
        "crs": "EPSG:32632",
        "heights": {
            "unit": "metre",
            "rule": "height = low + code * step",
            "low": 0.0,
            "step": 1.0,
            "range": "of these heights",
            "min": 0.0,
            "max": 65535.0,
        },
        "void_code": None,
    }


def test_full_ramp_is_lossless_case_18(tmp_path: Path) -> None:
    path = tmp_path / "ramp.png"
    ramp = np.arange(65536.0).reshape(256, 256)
    write_heightmap(path, ramp, Grid(0, 0, 1, 256, 256))
    with Image.open(path) as image:
        assert image.mode == "I;16"
        assert (np.asarray(image)[::-1] == ramp).all()
    assert (read_heightmap(path)[0] == ramp).all()


@pytest.mark.parametrize("height", [0.0, -50.0, 0.1, 4808.73])
@pytest.mark.parametrize("with_void", [False, True])
def test_all_equal_case_18(tmp_path: Path, height: float, with_void: bool) -> None:
    heights = np.full((4, 5), height)
    if with_void:
        heights[1, 2] = np.nan
    write_heightmap(tmp_path / "flat.png", heights, Grid(0, 0, 1, 5, 4))
    np.testing.assert_allclose(read_heightmap(tmp_path / "flat.png")[0], heights, rtol=1e-12)


def test_below_zero_does_not_wrap_case_18(tmp_path: Path) -> None:
    path = tmp_path / "low.png"
    heights = np.array([[-50.0, 0.0], [25.0, 50.0]])
    write_heightmap(path, heights, Grid(0, 0, 1, 2, 2))
    assert decode_png16(path)[1].tolist() == [0, 32768]
    assert decode_png16(path)[0].tolist() == [49151, 65535]
    back, _ = read_heightmap(path)
    assert np.abs(back - heights).max() <= 100 / 65535 / 2 * 1.001


def test_round_trip_within_half_a_step(tmp_path: Path) -> None:
    heights = np.random.default_rng(3).uniform(-123.4, 567.8, (37, 53))
    grid = Grid(500_000.25, 5_150_000.5, 0.01, 53, 37)
    write_heightmap(tmp_path / "h.png", heights, grid)
    back, back_grid = read_heightmap(tmp_path / "h.png")
    assert back_grid == grid
    assert np.abs(back - heights).max() <= np.ptp(heights) / 65535 / 2 * 1.001


def test_peak_in_the_north_east_case_17(tmp_path: Path) -> None:
    heights = np.zeros((20, 30))
    heights[17, 26] = 80.0
    write_heightmap(tmp_path / "peak.png", heights, Grid(0, 0, 1, 30, 20))
    with Image.open(tmp_path / "peak.png") as image:
        row, column = np.unravel_index(np.asarray(image).argmax(), (20, 30))
    assert (row, column) == (2, 26)  # near the top of the picture, and to the right
    back, _ = read_heightmap(tmp_path / "peak.png")
    assert np.unravel_index(back.argmax(), back.shape) == (17, 26)


def test_code_0_is_kept_for_voids(tmp_path: Path) -> None:
    path = tmp_path / "void.png"
    heights = np.array([[5.0, np.nan, 7.0], [np.nan, 6.0, 9.0]])
    write_heightmap(path, heights, Grid(0, 0, 1, 3, 2))
    codes = decode_png16(path)[::-1]
    assert ((codes == 0) == np.isnan(heights)).all()
    assert codes[0, 0] == 1
    assert codes[1, 2] == 65535
    assert side(path)["void_code"] == 0
    back, _ = read_heightmap(path)
    np.testing.assert_allclose(back, heights, atol=4 / 65534 / 2 * 1.001)


def test_all_void(tmp_path: Path) -> None:
    write_heightmap(tmp_path / "void.png", np.full((2, 3), np.nan), Grid(0, 0, 1, 3, 2))
    assert side(tmp_path / "void.png")["heights"]["max"] is None
    assert np.isnan(read_heightmap(tmp_path / "void.png")[0]).all()


def test_tiles_of_one_range_meet_bit_for_bit(tmp_path: Path) -> None:
    heights = np.random.default_rng(5).uniform(0, 90, (5, 9))
    heights[2, 1] = np.nan  # in one tile only
    for name, part in (("west", heights[:, :5]), ("east", heights[:, 4:])):
        write_heightmap(tmp_path / f"{name}.png", part, Grid(0, 0, 1, 5, 5), height_range=(-10, 100), voids=True)
    west, east = (decode_png16(tmp_path / f"{name}.png") for name in ("west", "east"))
    assert west[:, -1].tolist() == east[:, 0].tolist()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"path": "h.tif"}, "ends in .png"),
        ({"heights": np.zeros((3, 2))}, r"shape is \(3, 2\); the grid has \(2, 3\)"),
        ({"heights": np.full((2, 3), np.inf)}, "infinite"),
        ({"heights": np.full((2, 3), np.nan), "voids": False}, "voids: is False, but some heights are NaN"),
        ({"height_range": (1, 5)}, "does not hold all heights"),
        ({"height_range": (5, 5)}, "lowest < highest"),
        ({"height_range": (0, float("nan"))}, "two finite heights"),
    ],
)
def test_what_cannot_be_written_says_why(tmp_path: Path, change: dict, says: str) -> None:
    given = {"path": "h.png", "heights": np.zeros((2, 3)), "grid": Grid(0, 0, 1, 3, 2)} | change
    given["path"] = tmp_path / given["path"]
    with pytest.raises(InputError, match=says):
        write_heightmap(**given)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        write_heightmap(tmp_path / "none" / "h.png", np.zeros((2, 3)), Grid(0, 0, 1, 3, 2))
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "h.png"
    with pytest.raises(InputError, match="needs its sidecar"):
        read_heightmap(path)
    write_heightmap(path, np.zeros((2, 3)), Grid(0, 0, 1, 3, 2))
    beside, good = tmp_path / "h.json", side(path)

    for text, says in (
        ("{", "not JSON"),
        ("[]", "not a sidecar"),
        (json.dumps(good | {"format_version": 2}), "version 1"),
        (json.dumps({key: value for key, value in good.items() if key != "spacing"}), "lacks the key 'spacing'"),
        (json.dumps(good | {"spacing": -1}), "spacing is -1"),
        (json.dumps(good | {"width": 4}), r"has 3 x 2 pixels, but its sidecar says 4 x 2"),
    ):
        beside.write_text(text)
        with pytest.raises(InputError, match=says):
            read_heightmap(path)

    beside.write_text(json.dumps(good))
    Image.new("L", (3, 2)).save(path)
    with pytest.raises(InputError, match="8 bits"):
        read_heightmap(path)
    path.write_bytes(b"no picture")
    with pytest.raises(InputError, match="cannot be read as a PNG"):
        read_heightmap(path)
