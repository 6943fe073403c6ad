"""Fill values without a tag are refused with their value and count; odd heights are told in numbers."""

import warnings

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from weald.errors import InputError
from weald.geometry import Grid
from weald.terrain.terrain import Terrain
from weald.world.world import World

HILLS = 200 + 50 * np.sin(np.arange(20) / 3)[:, None] + np.arange(24)


def filled(value, where=((0, 0), (7, 3), (19, 23)), dtype=np.float32):
    values = HILLS.astype(dtype)
    for place in where:
        values[place] = value
    return values


def tiff(path, values, crs="EPSG:32632", **profile):
    ny, nx = values.shape
    place = {"crs": crs, "transform": Affine(10, 0, 500_000, 0, -10, 5_200_000)} if crs else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        data = rasterio.open(path, "w", driver="GTiff", count=1, height=ny, width=nx, dtype=values.dtype,
                             **place, **profile)  # fmt: skip
    with data:
        data.write(values, 1)
    return path


@pytest.mark.parametrize(
    ("value", "dtype", "void"),
    [
        (-9999, np.float32, "-9999"),
        (-9999, np.int16, "-9999"),
        (-999, np.float64, "-999"),
        (-32767, np.int16, "-32767"),
        (-32768, np.int16, "-32768"),
        (-99999, np.int32, "-99999"),
        (np.finfo(np.float32).min, np.float32, "-3.4028234663852886e+38"),
        (np.finfo(np.float32).max, np.float32, "3.4028234663852886e+38"),
        (9.96921e36, np.float32, "9.969209968386869e+36"),
        (1e20, np.float64, "1e+20"),
        (65535, np.uint16, "65535"),
    ],
)
@pytest.mark.parametrize("resampled", [False, True])
def test_a_fill_value_is_refused_and_void_takes_it(tmp_path, value, dtype, void, resampled):
    file = tiff(tmp_path / "a.tif", filled(value, dtype=dtype))
    spacing = {"spacing": 7.0} if resampled else {}
    with pytest.raises(InputError) as caught:
        Terrain.open(file, **spacing)
    says = str(caught.value)
    assert says.startswith(f"{file}: heights: ")
    assert f"3 of 480 samples are {void}, and the others span 1" in says
    assert says.endswith(f"give void={void}")
    ground = Terrain.open(file, void=float(void), **spacing)
    assert 140 < np.nanmin(ground.heights)
    assert np.nanmax(ground.heights) < 280
    assert np.isnan(ground.heights).any()


def test_one_sample_is_enough_of_a_usual_value(tmp_path):
    np.save(tmp_path / "a.npy", filled(-9999, [(3, 3)]))
    with pytest.raises(InputError, match=r"1 of 480 samples is -9999, .*; give void=-9999"):
        Terrain.open(tmp_path / "a.npy", spacing=1, rows="south-first")
    ground = Terrain.open(tmp_path / "a.npy", spacing=1, rows="south-first", void=-9999)
    assert np.isnan(ground.heights).sum() == 1


def test_the_value_is_that_of_the_file_whatever_its_unit(tmp_path):
    np.save(tmp_path / "a.npy", filled(-9999))
    with pytest.raises(InputError, match=r"3 of 480 samples are -9999, and the others span 45.* m: .*give void=-9999"):
        Terrain.open(tmp_path / "a.npy", spacing=1, rows="south-first", vertical_unit="foot")


def test_arrays_are_told_to_mark_it(tmp_path):
    grid = Grid(0, 0, 5, 24, 20)
    with pytest.raises(
        InputError, match=r"heights: 3 of 480 samples are -9999, .*np\.where\(heights == -9999, np\.nan"
    ):
        Terrain(grid, filled(-9999))
    assert Terrain(grid, np.where(filled(-9999) == -9999, np.nan, HILLS)).heights.shape == (20, 24)


def test_a_part_without_it_is_good(tmp_path):
    file = tiff(tmp_path / "a.tif", filled(-9999, [(0, 0)]))
    assert Terrain.open(file, window=(500_050, 5_199_850, 500_150, 5_199_900)).heights.min() > 140


def test_check_refuses_what_would_be_a_pit(tmp_path):
    tiff(tmp_path / "a.tif", filled(-9999))
    oak = {"shape": "broadleaf", "height": 17, "crown_radius": 4, "color": "#6f8f3c"}
    layer = {"name": "oaks", "species": "oak", "radius": 9}
    ground = {"file": str(tmp_path / "a.tif")}
    world = World.parse({"weald": 1, "seed": 1, "ground": ground, "species": {"oak": oak}, "layer": [layer]})
    with pytest.raises(InputError, match=r"3 of 480 samples are -9999.*give void=-9999"):
        world.check()


@pytest.mark.parametrize(
    "heights",
    [
        np.linspace(-10_900, -9_000, 480).reshape(20, 24).round(),  # a trench, with a sample at -9999 or so
        np.where(HILLS > 200, -9999.0, -9800.0),
        np.where(HILLS > 200, 8848.0, 200.0),
        np.full((20, 24), -430.0),
        np.linspace(0, 21_900, 480).reshape(20, 24),  # Mars
    ],
)
def test_ground_is_no_fill_value(heights):
    assert Terrain(Grid(0, 0, 5, 24, 20), heights).heights.shape == (20, 24)


def test_heights_that_no_place_has_are_told(tmp_path):
    np.save(tmp_path / "a.npy", HILLS * 40)
    with pytest.warns(UserWarning, match=r"a\.npy: heights: \d+ of 480 samples lie below -11,100 m or above 9,000 m"):
        ground = Terrain.open(tmp_path / "a.npy", spacing=1, rows="south-first")
    assert ground.heights.max() > 9000
    for ends in (-11_100, 9_000):
        np.save(tmp_path / "a.npy", np.linspace(0, ends, 480).reshape(20, 24))
        assert Terrain.open(tmp_path / "a.npy", spacing=1, rows="south-first").heights.size == 480


def test_codes_without_a_place_are_no_metres(tmp_path):
    codes = np.array([[0, 65_535], [13_107, 6]], np.uint16)
    file = tiff(tmp_path / "a.tif", codes, crs=None)
    with pytest.raises(InputError, match=r"holds codes from 0 to 65535 and does not say .* give the metres at code 0"):
        Terrain.open(file, spacing=2)
    with pytest.raises(InputError, match="low is 5 and high is None"):
        Terrain.open(file, spacing=2, low=5)
    ground = Terrain.open(file, spacing=2, low=100, high=200)
    assert np.allclose(ground.heights[::-1], [[100, 200], [120, 100 + 600 / 65_535]])
    assert Terrain.open(file, spacing=2, low=100, high=200, void=6).heights.tolist()[0][1] != 100
    file = tiff(tmp_path / "b.tif", np.array([[0, 255], [51, 0]], np.uint8), crs=None)
    assert np.allclose(Terrain.open(file, spacing=2, low=0, high=10).heights, [[2, 0], [0, 10]])
    # who says the unit has said that they are heights
    assert Terrain.open(file, spacing=2, vertical_unit="metre").heights.max() == 255
    # and a file that says where it lies is a map
    assert Terrain.open(tiff(tmp_path / "c.tif", codes // 10)).heights.max() == 6553
    with pytest.raises(InputError, match="low and high are given, but its values of type uint16 are heights already"):
        Terrain.open(tmp_path / "c.tif", low=0, high=1)
