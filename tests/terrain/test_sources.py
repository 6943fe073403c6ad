"""Ground from files: orders of rows, codes, voids, and files that are not what they claim."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from weald.errors import InputError
from weald.terrain.sources import open_terrain
from weald.terrain.terrain import Terrain

# a single peak in the north-east of a wide ground, as an image shows it: north on top
NORTH_UP = np.zeros((6, 9), np.uint16)
NORTH_UP[1, 7] = 4_000


def png(path, codes):
    Image.fromarray(codes).save(path)
    return path


def peak(terrain):
    j, i = np.unravel_index(np.nanargmax(terrain.heights), terrain.grid.shape)
    return float(terrain.grid.x[i]), float(terrain.grid.y[j])


def test_a_peak_in_the_north_east_stays_there_in_every_kind_of_file(tmp_path):
    """Case 17."""
    codes = png(tmp_path / "peak.png", NORTH_UP)
    np.save(tmp_path / "north.npy", NORTH_UP)
    np.save(tmp_path / "south.npy", NORTH_UP[::-1])
    np.savez(tmp_path / "north.npz", NORTH_UP)
    np.savez_compressed(tmp_path / "south.npz", a=np.zeros((2, 2)), dem=NORTH_UP[::-1].astype(">f4"))
    grounds = [
        open_terrain(codes, spacing=10, low=0, high=65535),
        open_terrain(png(tmp_path / "down.png", NORTH_UP[::-1].copy()), spacing=10, low=0, high=1, rows="south-first"),
        open_terrain(tmp_path / "north.npy", spacing=10, rows="north-first"),
        open_terrain(str(tmp_path / "south.npy"), spacing=10, rows="south-first"),
        open_terrain(tmp_path / "north.npz", spacing=10, rows="north-first"),
        Terrain.open(tmp_path / "south.npz", spacing=10, rows="south-first", key="dem"),
    ]
    for terrain in grounds:
        assert peak(terrain) == (70.0, 40.0)
        assert terrain.grid.shape == (6, 9)
    assert grounds[0].height(70, 40) == pytest.approx(4_000)


def test_a_16_bit_ramp_keeps_every_code(tmp_path):
    ramp = np.arange(65_536, dtype=np.uint16).reshape(256, 256)
    terrain = open_terrain(png(tmp_path / "ramp.png", ramp), spacing=1, low=-50.0, high=605.35)
    assert np.allclose(terrain.heights[::-1], -50 + ramp * 0.01, atol=1e-9)
    assert (terrain.heights[-1, 0], terrain.heights[0, -1]) == (-50.0, 605.35)


def test_8_bits_span_the_same_range_and_all_zeros_are_low_ground(tmp_path):
    codes = np.array([[0, 255], [51, 0]], np.uint8)
    terrain = open_terrain(png(tmp_path / "a.png", codes), spacing=2, origin=(500_000, 5_150_000), low=100, high=200)
    assert terrain.heights.tolist() == [[120, 100], [100, 200]]
    assert (terrain.grid.xmin, terrain.grid.ymin, terrain.grid.spacing) == (500_000, 5_150_000, 2)
    flat = open_terrain(png(tmp_path / "b.png", np.zeros((3, 3), np.uint16)), spacing=2, low=-50, high=0)
    assert (flat.heights == -50).all()


def test_void_codes_and_values_are_voids(tmp_path):
    codes = np.array([[0, 65_535, 7], [1, 2, 3]], np.uint16)
    terrain = open_terrain(png(tmp_path / "a.png", codes), spacing=1, low=0, high=65_535, void=65_535)
    assert np.array_equal(terrain.heights, [[1, 2, 3], [0, np.nan, 7]], equal_nan=True)
    np.save(tmp_path / "a.npy", np.array([[-32_768, 5], [np.nan, 6]], np.float32))
    terrain = open_terrain(tmp_path / "a.npy", spacing=1, rows="south-first", void=-32_768)
    assert np.array_equal(terrain.heights, [[np.nan, 5], [np.nan, 6]], equal_nan=True)
    with pytest.raises(InputError, match=r"a\.png: heights: no ground: all 4 samples are void"):
        open_terrain(png(tmp_path / "a.png", np.zeros((2, 2), np.uint8)), spacing=1, low=0, high=1, void=0)


def test_the_order_of_rows_must_be_said_for_arrays(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 2)))
    with pytest.raises(InputError, match=r"a\.npy: rows is not given; say 'north-first' or 'south-first'"):
        open_terrain(tmp_path / "a.npy", spacing=1)
    with pytest.raises(InputError, match=r"rows: got 'top'; give 'north-first'"):
        open_terrain(tmp_path / "a.npy", spacing=1, rows="top")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"low": None}, "low is None and high is 9.*low < high"),
        ({"low": 9.0}, r"low is 9\.0 and high is 9"),
        ({"low": float("nan")}, "low is nan"),
        ({"key": "dem"}, r"key is 'dem', but a PNG takes no key; leave it out"),
        ({"spacing": 0.0}, r"spacing: got 0\.0; give a finite number of metres"),
        ({"spacing": float("inf")}, "spacing: got inf"),
        ({"max_samples": 53}, r"9 x 6 = 54 samples, more than max_samples = 53"),
    ],
)
def test_parameters_that_do_not_fit_a_png(tmp_path, given, message):
    path = png(tmp_path / "a.png", NORTH_UP)
    with pytest.raises(InputError, match=message):
        open_terrain(path, **{"spacing": 1, "low": 0, "high": 9, **given})


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("RGB", "is a RGB image; give a grayscale PNG"),
        ("RGBA", "is a RGB with alpha image"),
        ("P", "is a palette image"),
        ("LA", "is a gray with alpha image"),
        ("1", "has 1 bits a sample"),
    ],
)
def test_images_that_are_not_gray_heights(tmp_path, mode, message):
    Image.new(mode, (4, 3)).save(tmp_path / "a.png")
    with pytest.raises(InputError, match=rf"a\.png: {message}"):
        open_terrain(tmp_path / "a.png", spacing=1, low=0, high=1)


def test_files_that_are_not_what_they_claim(tmp_path):
    def refused(name, content, message, **given):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=message) as caught:
            open_terrain(tmp_path / name, spacing=1, **given)
        assert name in str(caught.value)

    jpeg = io.BytesIO()
    Image.new("L", (4, 4)).save(jpeg, "JPEG")
    codes = {"low": 0, "high": 1}
    refused("a.png", jpeg.getvalue(), r"is not a PNG file; it starts with b'\\xff\\xd8", **codes)
    refused("b.png", b"", "is not a PNG file", **codes)
    refused("c.png", b"\x89PNG\r\n\x1a\n\0\0", "it has no PNG header", **codes)
    refused("d.xyz", b"II*\0", r"cannot read \.xyz; give one of \.tif, \.tiff, \.asc, \.hgt, \.png")
    refused("e", b"II*\0", "cannot read a file without suffix")
    rows = {"rows": "north-first"}
    refused("a.npy", b"nothing", "damaged or not an NPY array", **rows)
    refused("a.npz", b"nothing", "damaged or not an NPZ archive", **rows)
    refused("b.npy", b"\x93NUMPY\x01\x00", "damaged or not an NPY array", **rows)
    with pytest.raises(InputError, match=r"gone\.png: there is no such file"):
        open_terrain(tmp_path / "gone.png", spacing=1, **codes)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InputError, match=r"folder\.png: is a folder, not a file"):
        open_terrain(tmp_path / "folder.png", spacing=1, **codes)


def test_arrays_that_are_not_heights(tmp_path):
    def refused(array, message, **given):
        np.save(tmp_path / "a.npy", array, allow_pickle=True)
        with pytest.raises(InputError, match=message):
            open_terrain(tmp_path / "a.npy", spacing=1, rows="north-first", **given)

    refused(np.zeros((2, 3, 4)), r"has shape \(2, 3, 4\); give a two-dimensional array")
    refused(np.zeros((1, 3)), "holds 3 x 1 samples; give at least 2 x 2")
    refused(np.array([[{}, 1], [2, 3]], object), "holds values of type object; give numbers")
    refused(np.array([["a"] * 2] * 2), "holds values of type <U1")
    refused(np.zeros((2, 2)), "low is 0.0, but an NPY array takes no low", low=0.0, high=1.0)
    refused(np.full((2, 2), np.inf), r"a\.npy: heights: 4 of 4 samples are infinite")


def test_a_size_is_judged_before_anything_is_allocated(tmp_path):
    def header(shape):
        stream = io.BytesIO()
        np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": shape})
        return stream.getvalue()

    (tmp_path / "a.npy").write_bytes(header((10**9, 10**9)))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("z.npy", header((20_000, 20_000)))
    with pytest.raises(InputError, match=r"a\.npy: cannot be read, it is damaged or not an NPY array"):
        open_terrain(tmp_path / "a.npy", spacing=1, rows="north-first")
    with pytest.raises(InputError, match=r"20000 x 20000 = 400,000,000 samples, more than .* crop it, or raise max"):
        open_terrain(tmp_path / "a.npz", spacing=1, rows="north-first")
    # 16 bytes of header data are enough to claim any size of image
    claimed = io.BytesIO()
    Image.fromarray(NORTH_UP).save(claimed, "PNG")
    data = bytearray(claimed.getvalue())
    data[16:24] = (60_000).to_bytes(4, "big") * 2
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(InputError, match="60000 x 60000 = 3,600,000,000 samples"):
        open_terrain(tmp_path / "a.png", spacing=1, low=0, high=1)


def test_a_png_past_pillows_own_limit_is_a_matter_of_ours(tmp_path, monkeypatch):
    path = png(tmp_path / "a.png", NORTH_UP)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    assert peak(open_terrain(path, spacing=10, low=0, high=1)) == (70.0, 40.0)


def test_an_archive_of_several_arrays_needs_a_key(tmp_path):
    np.savez(tmp_path / "a.npz", elevation=np.zeros((2, 2)), slope=np.ones((2, 2)))
    with pytest.raises(InputError, match="holds 2 arrays, elevation, slope; give key"):
        open_terrain(tmp_path / "a.npz", spacing=1, rows="north-first")
    with pytest.raises(
        InputError, match=r"key is 'elevaton'; give one of elevation, slope \(did you mean 'elevation'\?\)"
    ):
        open_terrain(tmp_path / "a.npz", spacing=1, rows="north-first", key="elevaton")


@pytest.mark.parametrize("kind", ["png", "npy", "npz"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_by_name(tmp_path, kind, data):
    rng = np.random.default_rng(0)
    path = tmp_path / f"a.{kind}"
    codes = rng.integers(0, 65_536, (12, 15), dtype=np.uint16)
    {"png": lambda: png(path, codes), "npy": lambda: np.save(path, codes), "npz": lambda: np.savez(path, codes)}[kind]()
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans(), "cut off"):
        content = content[: data.draw(st.integers(0, len(content) - 20))]
    for _ in range(data.draw(st.integers(0, 4))):
        if content:
            content[data.draw(st.integers(0, min(len(content), 160) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    given = {"low": 0, "high": 1} if kind == "png" else {"rows": "north-first", "vertical_unit": "cm"}
    refusal = ""
    try:
        open_terrain(path, spacing=1, **given)
    except InputError as error:
        refusal = str(error)
    assert not refusal or f"a.{kind}" in refusal


def test_a_cut_off_png_is_refused(tmp_path):
    path = png(tmp_path / "a.png", np.random.default_rng(0).integers(0, 65_536, (64, 64), dtype=np.uint16))
    path.write_bytes(path.read_bytes()[:4000])
    with pytest.raises(InputError, match=r"a\.png: cannot be read.*truncated"):
        open_terrain(path, spacing=1, low=0, high=1)
