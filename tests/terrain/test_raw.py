"""RAW, R16, HGT, and the sidecars that weald writes: exact bytes in, exact ground out."""

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from weald.errors import InputError
from weald.export.heightmap import write_heightmap
from weald.geometry import Grid
from weald.terrain.terrain import Terrain


def test_3_by_2_known_values_in_every_order(tmp_path):
    south, north = [1, 2, 258], [772, 5, 65_535]
    for order, letter in (("little-endian", "<"), ("big-endian", ">")):
        for rows, values in (("south-first", [south, north]), ("north-first", [north, south])):
            file = tmp_path / "a.raw"
            file.write_bytes(np.array(values, letter + "u2").tobytes())
            ground = Terrain.open(file, spacing=2, size=(3, 2), low=0, high=6553.5, rows=rows, byte_order=order)
            assert np.allclose(ground.heights * 10, [south, north], rtol=1e-14)
            assert ground.grid == Grid(0, 0, 2, 3, 2)


def test_a_square_says_its_size_itself_and_unity_writes_the_south_first(tmp_path):
    side = 33
    codes = np.zeros((side, side), "<u2")
    codes[28, 30] = 65_535  # in the north-east: Unity's first row is the southernmost
    codes[0, 0] = 7
    (tmp_path / "unity.raw").write_bytes(codes.tobytes())
    given = {"spacing": 2, "low": -10, "high": 590, "rows": "south-first"}
    ground = Terrain.open(tmp_path / "unity.raw", origin=(100, 200), **given)
    assert ground.height(160, 256) == 590
    assert ground.heights[0, 0] == pytest.approx(-10 + 600 * 7 / 65_535)
    assert np.isnan(Terrain.open(tmp_path / "unity.raw", void=7, **given).heights[0, 0])
    (tmp_path / "unity.r16").write_bytes(codes.tobytes())
    assert Terrain.open(tmp_path / "unity.r16", **given).height(60, 56) == 590


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": None}, r"holds 12 bytes, which is no square of 16-bit samples; give size, \(nx, ny\)"),
        ({"size": (4, 2)}, "holds 12 bytes, but 4 x 2 samples of 16 bits take 16; check size"),
        ({"size": (3, 0)}, r"size: got \(3, 0\); give two whole numbers above 0"),
        ({"size": (3.0, 2)}, r"size: got \(3\.0, 2\)"),
        ({"rows": None}, "rows is not given; say 'north-first' or 'south-first'"),
        ({"low": None}, "low is None and high is 9"),
        ({"spacing": None}, "spacing is not given, and the file does not say"),
        ({"byte_order": "middle"}, "byte_order: got 'middle'; give 'little-endian' or 'big-endian'"),
        ({"band": 1}, "band is 1, but a RAW takes no band"),
        ({"max_samples": 5}, "3 x 2 = 6 samples, more than max_samples = 5"),
        ({"origin": (0, float("nan"))}, r"origin: got \(0, nan\); give two finite numbers"),
        ({"crs": "utm"}, "crs is 'utm', but the file does not say in which system it is itself"),
    ],
)
def test_what_does_not_fit_says_why(tmp_path, change, message):
    (tmp_path / "a.raw").write_bytes(bytes(12))
    given = {"spacing": 1, "size": (3, 2), "rows": "south-first", "low": 0, "high": 9} | change
    with pytest.raises(InputError, match=message):
        Terrain.open(tmp_path / "a.raw", **given)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    xmin=st.sampled_from([0.0, -0.7, 500_000.3, -1e9]),
    spacing=st.sampled_from([0.01, 0.1, 1 / 3, 30.0]),
    heights=st.lists(st.one_of(st.floats(-11_000, 9_000), st.just(np.nan)), min_size=12, max_size=12),
    crs=st.sampled_from([None, "EPSG:32632"]),
)
def test_what_weald_wrote_opens_as_the_same_ground(tmp_path, xmin, spacing, heights, crs):
    values = np.array(heights).reshape(3, 4)
    if np.isnan(values).all():
        return
    grid = Grid(xmin, -xmin + 0.1, spacing, 4, 3)
    write_heightmap(tmp_path / "heightmap.png", values, grid, crs=crs)
    ground = Terrain.open(tmp_path / "heightmap.png")
    assert (ground.grid, ground.crs) == (grid, crs)
    step = np.ptp(values[~np.isnan(values)]) / 65_534
    assert np.array_equal(np.isnan(ground.heights), np.isnan(values))
    assert np.nanmax(np.abs(ground.heights - values)) <= step * 0.5 + 1e-8
    # and once more without any loss
    write_heightmap(tmp_path / "again.png", ground.heights, grid, crs=crs)
    assert np.nanmax(np.abs(Terrain.open(tmp_path / "again.png").heights - ground.heights)) < 1e-8


def write_sidecar(path, file, **changes):
    content = {
        "format": "weald heightmap", "format_version": 1, "image": file, "width": 3, "height": 2, "bits": 16,
        "byte_order": "little-endian", "row_order": "south first", "spacing": 5.0,
        "origin": {"x": 10.0, "y": 20.0, "of": "south-west sample"}, "crs": "EPSG:32632",
        "heights": {"unit": "metre", "rule": "height = low + code * step", "low": -100.0, "step": 0.5},
        "void_code": 0,
    } | changes  # fmt: skip
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("rows", ["south first", "north first"])
@pytest.mark.parametrize("order", ["little-endian", "big-endian"])
def test_a_raw_with_a_sidecar_needs_nothing_said(tmp_path, rows, order):
    codes = np.array([[1, 2, 3], [0, 500, 6]], "<u2" if order == "little-endian" else ">u2")
    (tmp_path / "h.raw").write_bytes((codes if rows == "south first" else codes[::-1]).tobytes())
    for name in ("h.json", "h.raw.json"):
        write_sidecar(tmp_path / name, "h.raw", row_order=rows, byte_order=order)
        ground = Terrain.open(tmp_path / "h.raw")
        assert (ground.grid, ground.crs) == (Grid(10, 20, 5, 3, 2), "EPSG:32632")
        assert np.array_equal(ground.heights, [[-99.5, -99, -98.5], [np.nan, 150, -97]], equal_nan=True)
        (tmp_path / name).unlink()


def test_a_sidecar_is_believed_and_not_contradicted(tmp_path):
    (tmp_path / "h.raw").write_bytes(bytes(12))
    write_sidecar(tmp_path / "h.json", "h.raw", void_code=None)
    with pytest.raises(InputError, match=r"h\.raw: spacing, low is given, but the sidecar h\.json says so already"):
        Terrain.open(tmp_path / "h.raw", spacing=5, low=0)
    write_sidecar(tmp_path / "h.json", "h.raw", width=4)
    with pytest.raises(
        InputError, match=r"holds 12 bytes, but 4 x 2 samples .* take 16; it is not the file that its side"
    ):
        Terrain.open(tmp_path / "h.raw")
    write_sidecar(tmp_path / "h.json", "h.raw", row_order="sideways")
    with pytest.raises(InputError, match=r"h\.json: has a value that cannot be used \(row_order 'sideways'"):
        Terrain.open(tmp_path / "h.raw")
    write_sidecar(tmp_path / "h.json", "h.raw", format_version=9)
    with pytest.raises(InputError, match="is not a sidecar of weald heightmap, version 1"):
        Terrain.open(tmp_path / "h.raw")
    # JSON of somebody else is not about us
    (tmp_path / "h.json").write_text('{"format": "other"}')
    with pytest.raises(InputError, match="give size"):
        Terrain.open(tmp_path / "h.raw")


def test_a_window_of_a_picture_is_the_crop(tmp_path):
    values = np.random.default_rng(1).uniform(0, 90, (9, 12))
    write_heightmap(tmp_path / "h.png", values, Grid(5, 6, 2, 12, 9))
    part = Terrain.open(tmp_path / "h.png", window=(9, 8, 14, 16))
    whole = Terrain.open(tmp_path / "h.png").crop((9, 8, 14, 16))
    assert part.grid == whole.grid == Grid(9, 8, 2, 4, 5)
    assert np.array_equal(part.heights, whole.heights)


@pytest.mark.parametrize("kind", ["raw", "npy"])
def test_a_window_reads_only_its_part_of_a_huge_file(tmp_path, kind):
    """400 million samples, most of them never written."""
    side, file = 20_000, tmp_path / f"huge.{kind}"
    codes = (
        np.lib.format.open_memmap(file, "w+", "<u2", (side, side))
        if kind == "npy"
        else np.memmap(file, "<u2", "w+", shape=(side, side))
    )
    codes[19_000:19_010, 500:520] = np.arange(20)
    del codes
    said = {"spacing": 2, "rows": "north-first"} | ({"low": 0, "high": 65_535} if kind == "raw" else {})
    with pytest.raises(InputError, match=r"400,000,000 samples, more than .*read a part by window"):
        Terrain.open(file, **said)
    # row 19,009 from the north is row 990 from the south
    ground = Terrain.open(file, window=(1000, 1980, 1038, 1998), **said)
    assert ground.grid == Grid(1000, 1980, 2, 20, 10)
    assert (ground.heights == np.arange(20)).all()


def hgt(path, side=1201, peak=(0.7, 0.8)):
    """A tile with one peak, at shares of a degree east and north, and one void."""
    values = np.full((side, side), 100, ">i2")
    step = side - 1
    values[round(step * (1 - peak[1])), round(step * peak[0])] = 3000
    values[step // 2, step // 2] = -32_768
    values.tofile(path)
    return path


@pytest.mark.parametrize(
    ("name", "zone", "longitude", "latitude"),
    [("N46E007.hgt", 32632, 7, 46), ("s34w071.hgt", 32719, -71, -34), ("N36W085.SRTMGL1.hgt", 32616, -85, 36)],
)
def test_an_hgt_tile_lies_where_its_name_says(tmp_path, name, zone, longitude, latitude):
    from rasterio.warp import transform

    file = hgt(tmp_path / name)
    with pytest.raises(InputError, match=r"its places are in degrees, weald's in metres; give crs='utm'"):
        Terrain.open(file)
    x, y = transform("EPSG:4326", f"EPSG:{zone}", [longitude + 0.7], [latitude + 0.8])
    x, y = x[0], y[0]
    ground = Terrain.open(file, crs="utm", spacing=20, window=(x - 500, y - 500, x + 500, y + 500))
    assert ground.crs == f"EPSG:{zone}"
    j, i = np.unravel_index(np.nanargmax(ground.heights), ground.grid.shape)
    assert np.hypot(ground.grid.x[i] - x, ground.grid.y[j] - y) < 15
    assert ground.heights.max() > 2600
    x, y = transform("EPSG:4326", f"EPSG:{zone}", [longitude + 0.5], [latitude + 0.5])
    ground = Terrain.open(file, crs="utm", window=(x[0] - 500, y[0] - 500, x[0] + 500, y[0] + 500))
    assert np.isnan(ground.height(x, y)).all()
    assert np.nanmin(ground.heights) > 99


def test_files_that_are_no_hgt(tmp_path):
    (tmp_path / "N46E007.hgt").write_bytes(bytes(2 * 1201 * 1200))
    with pytest.raises(InputError, match=r"holds 2,882,400 bytes; an HGT file has 1201 x 1201 or 3601 x 3601"):
        Terrain.open(tmp_path / "N46E007.hgt", crs="utm")
    for name in ("alps.hgt", "N95E007.hgt", "N46E190.hgt"):
        (tmp_path / name).write_bytes(bytes(10))
        with pytest.raises(InputError, match=r"placed by its name|not on the globe"):
            Terrain.open(tmp_path / name, crs="utm")
    with pytest.raises(InputError, match=r"origin is .*but an HGT file takes no origin"):
        Terrain.open(hgt(tmp_path / "N46E007.hgt"), origin=(0, 0), crs="utm")
    np.full((1201, 1201), -32_768, ">i2").tofile(tmp_path / "N46E007.hgt")
    with pytest.raises(InputError, match="no ground: all"):
        Terrain.open(tmp_path / "N46E007.hgt", crs="utm", spacing=2000)


def test_the_system_is_carried_along():
    ground = Terrain(Grid(0, 0, 1, 5, 5), np.zeros((5, 5)), "EPSG:32632")
    assert ground.crop((1, 1, 3, 3)).crs == ground.resample(0.5).crs == "EPSG:32632"
    assert dataclasses.replace(ground, crs=None).crs is None


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"", b"[1, 2]", b'"weald heightmap"'])
def test_json_that_is_no_sidecar_is_passed_over(tmp_path, content):
    (tmp_path / "h.raw").write_bytes(bytes(8))
    for name in ("h.json", "h.raw.json"):
        (tmp_path / name).write_bytes(content)
    ground = Terrain.open(tmp_path / "h.raw", spacing=1, low=5, high=9, rows="south-first")
    assert (ground.heights == 5).all()
