"""Ground from OpenEXR: floats in metres, the right channel, and what cannot be read."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.terrain.terrain import Terrain

OpenEXR = pytest.importorskip("OpenEXR")

# north on top, the peak in the north-east
HEIGHTS = np.linspace(-50, 300, 54, dtype=np.float32).reshape(6, 9)
HEIGHTS[1, 7] = 1234.5625


def write(path, **channels):
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, channels) as file:
        file.write(str(path))
    return path


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("name", ["Y", "R", "height", "anything"])
def test_floats_come_as_they_are_with_north_on_top(tmp_path, kind, name):
    values = HEIGHTS.astype(kind)
    ground = Terrain.open(write(tmp_path / "dem.exr", **{name: values}), spacing=10, origin=(500_000, 5_150_000))
    np.testing.assert_array_equal(ground.heights, values[::-1])
    assert ground.height(500_070, 5_150_040) == values[1, 7]
    south = Terrain.open(tmp_path / "dem.exr", spacing=10, rows="south-first")
    np.testing.assert_array_equal(south.heights, values)


def test_the_channel_is_the_usual_one_or_named(tmp_path):
    path = write(tmp_path / "dem.exr", A=np.ones_like(HEIGHTS), Y=HEIGHTS)
    np.testing.assert_array_equal(Terrain.open(path, spacing=10).heights, HEIGHTS[::-1])
    assert (Terrain.open(path, spacing=10, key="A").heights == 1).all()
    path = write(tmp_path / "two.exr", a=HEIGHTS, b=HEIGHTS)
    with pytest.raises(InputError, match=r"two\.exr: has the channels a, b; give key, the one with the heights"):
        Terrain.open(path, spacing=10)
    with pytest.raises(InputError, match=r"two\.exr: key is 'c'; give one of a, b"):
        Terrain.open(path, spacing=10, key="c")


def test_voids_and_units(tmp_path):
    values = HEIGHTS.copy()
    values[0, 0], values[0, 1] = np.nan, -9999
    ground = Terrain.open(write(tmp_path / "dem.exr", Y=values), spacing=10, void=-9999, vertical_unit="foot")
    assert np.isnan(ground.heights[-1, :2]).all()
    np.testing.assert_allclose(ground.heights[0], HEIGHTS[-1].astype(float) * 0.3048)


def test_a_window_is_the_crop_of_the_whole(tmp_path):
    path = write(tmp_path / "dem.exr", Y=HEIGHTS)
    part = Terrain.open(path, spacing=10, window=(12, 8, 47, 33))
    np.testing.assert_array_equal(part.heights, Terrain.open(path, spacing=10).crop((12, 8, 47, 33)).heights)


def test_what_cannot_be_read(tmp_path):
    path = write(tmp_path / "dem.exr", Y=HEIGHTS)
    with pytest.raises(InputError, match=r"dem\.exr: spacing is not given"):
        Terrain.open(path)
    with pytest.raises(InputError, match="54"):
        Terrain.open(path, spacing=1, max_samples=50)
    with pytest.raises(InputError, match=r"dem\.exr: low is 0.*takes no low"):
        Terrain.open(path, spacing=1, low=0)
    (tmp_path / "cut.exr").write_bytes(path.read_bytes()[:200])
    (tmp_path / "text.exr").write_text("hello")
    for name in ("cut", "text"):
        with pytest.raises(InputError, match=rf"{name}\.exr: cannot be read, it is damaged or not an OpenEXR picture"):
            Terrain.open(tmp_path / f"{name}.exr", spacing=1)
