"""The world: ground from files, windows, areas, and what cannot be met."""

import numpy as np
import pytest
from PIL import Image

from tests import worlds
from weald.builder import build
from weald.errors import InputError
from weald.geometry import Bounds
from weald.terrain.terrain import Terrain
from weald.world.world import World


def on(folder, *, name="valley.toml", species=None, areas=None, lines=None, layers=None, **ground):
    """Write a spec file with a ground and return its world."""
    import tomli_w

    content = {
        "weald": 1,
        "seed": 5,
        "ground": ground,
        "areas": areas or {},
        "lines": lines or {},
        "species": species or {"oak": worlds.species()},
        "layer": [{"name": "oaks", "species": "oak", "radius": 6.0}] if layers is None else layers,
    }
    (folder / name).write_text(tomli_w.dumps(content), "utf-8")
    return World.load(folder / name)


def refused(world):
    """Return what a world says when it is grown, without the folder."""
    with pytest.raises(InputError) as raised:
        world.layers()
    return str(raised.value).replace(f"{world.folder}/", "")


@pytest.fixture
def codes():
    """Heights as 16-bit codes, first row in the north, the peak in the north-east."""
    codes = np.zeros((21, 31), np.uint16)
    codes[:] = 100 * np.arange(31) + 10 * np.arange(21)[::-1, None]
    codes[2, 28] = 8000
    return codes


# -- own ground ------------------------------------------------------------------------------


def test_a_16_bit_png_beside_the_spec(tmp_path, codes, monkeypatch):
    codes[2, 28] = 65535
    Image.fromarray(codes).save(tmp_path / "dem.png")
    monkeypatch.chdir("/")  # the file is looked for beside the spec, not here
    ground = {"file": "dem.png", "spacing": 10.0, "origin": [500_000, 5_150_000], "low": -50, "high": 2000}
    world = on(tmp_path, **ground)
    box = world.bounds
    assert (box.xmin, box.ymin, box.xmax, box.ymax) == (500_000, 5_150_000, 500_300, 5_150_200)
    expected = -50 + 2050 * (codes[::-1].astype(np.float64) / 65535)
    np.testing.assert_array_equal(world.terrain.heights, expected)
    assert world.terrain.height(500_280, 5_150_180) == 2000  # north-east
    oaks = world.layers()["oaks"]
    assert len(oaks) > 1000
    np.testing.assert_array_equal(oaks.xyz[:, 2], world.terrain.height(*oaks.xyz[:, :2].T))
    assert box.contains(*oaks.xyz[:, :2].T).all()


def test_an_array_of_an_npz(tmp_path, codes):
    np.savez(tmp_path / "dem.npz", dem=codes, other=codes[:5])
    world = on(tmp_path, file="dem.npz", key="dem", rows="north-first", spacing=10)
    np.testing.assert_array_equal(world.terrain.heights, codes[::-1])
    turned = on(tmp_path, file="dem.npz", key="dem", rows="south-first", spacing=10)
    np.testing.assert_array_equal(turned.terrain.heights, codes)


def test_an_absolute_path_and_a_path_below(tmp_path, codes):
    (tmp_path / "data").mkdir()
    np.save(tmp_path / "data" / "dem.npy", codes)
    (tmp_path / "specs").mkdir()
    for path in ("../data/dem.npy", str(tmp_path / "data" / "dem.npy")):
        world = on(tmp_path / "specs", file=path, rows="north-first", spacing=10)
        assert world.terrain.grid.shape == (21, 31)


def test_ground_resampled_and_cropped(tmp_path, codes):
    np.save(tmp_path / "dem.npy", codes)
    ground = {"file": "dem.npy", "rows": "north-first", "spacing": 10}
    world = on(tmp_path, **ground, resample=5, window=[33, 41, 122, 97])
    assert world.bounds == Bounds(33, 41, 122, 97)
    grid = world.terrain.grid
    assert (grid.xmin, grid.ymin, grid.spacing) == (30, 40, 5)
    oaks = world.layers()["oaks"]
    assert world.bounds.contains(*oaks.xyz[:, :2].T).all()
    # a window that reaches beyond is the ground as far as there is any
    assert on(tmp_path, **ground, window=[-100, 50, 100, 1e6]).bounds == Bounds(0, 50, 100, 200)


def test_the_window_of_the_spec_is_a_domain_not_a_crop(tmp_path, codes):
    """It says where the world ends: nothing beyond takes part in spacing."""
    np.save(tmp_path / "dem.npy", codes)
    whole = on(tmp_path, file="dem.npy", rows="north-first", spacing=10).layers()["oaks"]
    part = on(tmp_path, file="dem.npy", rows="north-first", spacing=10, window=[50, 50, 150, 150]).layers()["oaks"]
    middle = [set(worlds.crop(p, (98, 98, 102, 102)).id.tolist()) for p in (whole, part)]
    assert middle[0] == middle[1]


def test_nothing_stands_on_a_void(tmp_path):
    heights = np.zeros((21, 21))
    heights[8:13, 5:15] = -9999
    np.save(tmp_path / "dem.npy", heights)
    ground = {"file": "dem.npy", "rows": "south-first", "spacing": 10.0, "void": -9999}
    rules = [{}, {"height": {"above": -10}}, {"height": {"below": 5, "fade": 2}}, {"slope_deg": {"below": 89}}]
    rules += [{"outside": ["far"]}, {"height": {"below": 5}, "outside": ["far"]}]
    layers = [{"name": str(n), "species": "oak", "radius": 5.0, **rule} for n, rule in enumerate(rules)]
    world = on(tmp_path, **ground, layers=layers, areas={"far": [[0, 0], [1, 0], [0, 1]]})
    for placed in world.layers().values():
        assert len(placed) > 500
        x, y, z = placed.xyz.T
        assert np.isfinite(z).all()
        # cells that touch a void are no ground either
        assert not ((x > 40) & (x < 150) & (y > 70) & (y < 130)).any()
        # but stands reach up to it
        assert ((x > 35) & (x <= 40) & (y > 70) & (y < 130)).sum() > 2


def test_layers_can_keep_to_hollows(tmp_path):
    x, y = np.meshgrid(np.arange(40.0), np.arange(40.0))
    np.save(tmp_path / "dem.npy", 5 * np.sin(x / 4) + 0.8 * y)
    layers = [{"name": "ferns", "species": "oak", "radius": 3.0, "where": "tangential_curvature < -0.001"}]
    world = on(tmp_path, file="dem.npy", rows="south-first", spacing=10, layers=layers)
    x, y, _ = world.layers()["ferns"].xyz.T
    assert len(x) > 500
    assert (world.terrain.tangential_curvature(x, y) < -0.001).all()
    # the troughs of the sine
    assert (np.sin(x / 40) < 0).all()


def test_ground_in_degrees_is_projected(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    profile = {"count": 1, "height": 40, "width": 50, "dtype": "int16", "crs": "EPSG:4326"}
    transform = rasterio.transform.Affine(0.0004, 0, 7.0, 0, -0.0003, 46.0)
    with rasterio.open(tmp_path / "dem.tif", "w", driver="GTiff", transform=transform, **profile) as file:
        file.write(np.full((1, 40, 50), 1200, np.int16))
    with pytest.raises(InputError, match=r"valley\.toml: ground: .*dem\.tif: its places are in degrees"):
        on(tmp_path, file="dem.tif").terrain.heights  # noqa: B018
    world = on(tmp_path, file="dem.tif", crs="utm")
    assert world.terrain.crs == "EPSG:32632"
    (oaks,) = world.layers().values()
    assert len(oaks) > 100
    assert (oaks.xyz[:, 2] == 1200).all()
    # every file says where it is
    build(world, tmp_path / "out")
    again = Terrain.open(tmp_path / "out" / "heightmap.png")
    assert (again.grid, again.crs) == (world.terrain.grid, "EPSG:32632")
    for name in ("scene.glb", "placements.parquet"):
        assert b"EPSG:32632" in (tmp_path / "out" / name).read_bytes()


# -- ground that cannot be -------------------------------------------------------------------


def test_ground_files_that_cannot_be_read(tmp_path, codes):
    Image.fromarray(codes).save(tmp_path / "dem.png")
    whole = (tmp_path / "dem.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[:100])
    (tmp_path / "text.png").write_text("hello")
    np.savez(tmp_path / "two.npz", a=codes, b=codes)
    np.save(tmp_path / "void.npy", np.full((9, 9), np.nan))
    png = {"spacing": 10, "low": 0, "high": 1}
    array = {"spacing": 10, "rows": "north-first"}
    for ground, message in [
        ({"file": "no.png", **png}, "ground: no.png: there is no such file"),
        ({"file": "text.png", **png}, "ground: text.png: is not a PNG file"),
        ({"file": "cut.png", **png}, "ground: cut.png: cannot be read, it is damaged or not a PNG"),
        ({"file": "dem.xyz", **array}, "ground: dem.xyz: cannot read .xyz; give one of .tif, "),
        ({"file": "dem.png", "low": 0, "high": 1}, "ground: dem.png: spacing is not given, and the file does not say"),
        ({"file": "dem.png", **png, "band": 1}, "ground: dem.png: band is 1, but a PNG takes no band"),
        ({"file": "dem.png", "spacing": 10}, "ground: dem.png: low is None and high is None; give"),
        ({"file": "dem.png", **png, "high": -1}, "ground: dem.png: low is 0.0 and high is -1.0; give"),
        ({"file": "two.npz", **array}, "ground: two.npz: holds 2 arrays, a, b; give key, one of them"),
        ({"file": "two.npz", **array, "key": "c"}, "ground: two.npz: key is 'c'; give one of a, b"),
        ({"file": "void.npy", "spacing": 1}, "ground: void.npy: rows is not given; say 'north-first'"),
        ({"file": "void.npy", **array}, "ground: void.npy: heights: no ground: all 81 samples are void"),
    ]:
        assert refused(on(tmp_path, **ground)).startswith(f"valley.toml: {message}")


def test_windows_without_ground(tmp_path, codes):
    heights = codes.astype(np.float64)
    heights[:, :15] = np.nan
    np.save(tmp_path / "dem.npy", heights)
    ground = {"file": "dem.npy", "rows": "north-first", "spacing": 10.0}
    assert refused(on(tmp_path, **ground, window=[400, 0, 500, 100])) == (
        "valley.toml: ground.window: (400.0, 0.0, 500.0, 100.0) does not meet the ground, "
        "which spans (0.0, 0.0, 300.0, 200.0); give a box that does"
    )
    assert refused(on(tmp_path, **ground, window=[300, 0, 500, 100])).startswith("valley.toml: ground.window: (300.0")
    message = refused(on(tmp_path, **ground, window=[0, 0, 100, 100]))
    assert message.startswith("valley.toml: ground: dem.npy: heights: no ground: all 121 samples are void")


def test_of_a_file_only_the_window_is_read(tmp_path, codes, monkeypatch):
    """Files may be larger than memory; the part is that of the whole, bit for bit."""
    np.save(tmp_path / "dem.npy", codes)
    ground = {"file": "dem.npy", "rows": "north-first", "spacing": 10.0}
    whole = on(tmp_path, **ground).terrain
    part = on(tmp_path, **ground, window=[35, 41, 122, 97]).terrain
    assert part.heights.tobytes() == whole.crop((35, 41, 122, 97)).heights.tobytes()
    opened = []
    monkeypatch.setattr(Terrain, "open", lambda *_, **given: opened.append(given["window"]) or part)
    _ = on(tmp_path, **ground, window=[35, 41, 122, 97]).terrain
    assert opened == [(35.0, 41.0, 122.0, 97.0)]


@pytest.mark.parametrize("used", [True, False])
def test_areas_that_cannot_be(tmp_path, used):
    worlds.write_ground(tmp_path)
    layers = [{"name": "oaks", "species": "oak", "radius": 6.0, "inside": ["a"] if used else []}]
    for corners, message in [
        ([[0, 0], [0, 0], [9, 9]], "has 2 different corners; give at least 3"),
        (
            [[0, 0], [9, 9], [9, 0], [0, 9]],
            "Self-intersection[4.5 4.5]; give an outline that does not cross or touch itself",
        ),
        (
            [[500, 500], [510, 500], [510, 520]],
            "the polygon spans x 500 to 510, y 500 to 520, all outside the ground, which spans x 0 to 360, "
            "y 0 to 360; move the polygon, or leave it out; coordinates are in metres of the ground, x before y",
        ),
    ]:
        world = on(tmp_path, file="ground.npy", rows="south-first", spacing=10, areas={"a": corners}, layers=layers)
        assert refused(world) == f"valley.toml: areas.a: {message}"


def test_lines_in_degrees_are_no_lines_of_the_ground(tmp_path):
    worlds.write_ground(tmp_path)
    place = {"file": "ground.npy", "rows": "south-first", "spacing": 10, "origin": [500_000.0, 5_150_620.0]}
    world = on(tmp_path, **place, lines={"road": [[9.0, 46.5], [9.01, 46.5]]})
    assert refused(world) == (
        "valley.toml: lines.road: the line spans x 9 to 9.01, y 46.5 to 46.5, all outside the ground, which spans "
        "x 500000 to 500360, y 5150620 to 5150980; move the line, or leave it out; coordinates are in metres of the "
        "ground, x before y"
    )
    # beside the ground it may still be asked how far it is
    on(tmp_path, **place, lines={"road": [[500_000.0, 5_150_600], [500_360, 5_150_600]]}).check()


def test_areas_hold(tmp_path):
    worlds.write_ground(tmp_path)
    areas = {"field": [[20, 20], [300, 40], [150, 333]], "pond": [[100, 80], [180, 90], [140, 150]]}
    layers = [
        {"name": "in", "species": "oak", "radius": 5, "inside": ["field"], "outside": ["pond"]},
        {"name": "both", "species": "oak", "radius": 5, "inside": ["field", "pond"]},
    ]
    world = on(tmp_path, file="ground.npy", rows="south-first", spacing=10, areas=areas, layers=layers)
    placed = world.layers()
    for name, pond in (("in", False), ("both", True)):
        x, y, _ = placed[name].xyz.T
        assert len(x) > 50
        assert world.areas["field"](x, y).all()
        assert (world.areas["pond"](x, y) == pond).all()


def test_errors_of_the_sampler_name_file_and_layer(tmp_path):
    worlds.write_ground(tmp_path)
    far = on(tmp_path, file="ground.npy", rows="south-first", spacing=10, origin=[1e12, 0])
    assert refused(far).startswith("valley.toml: layer 'oaks': window: 1000000000000.0 is more than")


# -- the odd ones ----------------------------------------------------------------------------


def test_worlds_with_little_in_them(tmp_path):
    worlds.write_ground(tmp_path)
    layers = [
        {"name": "one", "species": "oak", "radius": 1e5, "edge": "fill"},
        {"name": "none", "species": "oak", "radius": 5, "height": {"above": 1e6}},
        {"name": "rest", "species": "oak", "radius": 30, "keep_off": {"one": 50, "none": 10}},
    ]
    placed = on(tmp_path, file="ground.npy", rows="south-first", spacing=10, layers=layers).layers()
    assert [len(placed[name]) for name in ("one", "none")] == [1, 0]
    assert len(placed["rest"]) > 50
    distance = np.hypot(*(placed["rest"].xyz[:, :2] - placed["one"].xyz[0, :2]).T)
    assert distance.min() >= 50
    assert on(tmp_path, file="ground.npy", rows="south-first", spacing=10, layers=[]).layers() == {}


def test_a_world_tells_its_name_and_seed(tmp_path):
    world = worlds.world(tmp_path)
    assert repr(world) == "World('Three layers', seed='laws')"
    assert world.name == "Three layers"
    with pytest.raises(InputError, match=r"window: got \(0, 1\); give \(xmin, ymin, xmax, ymax\)"):
        world.layers(window=(0, 1))


def test_noise_fields_have_seeds_of_their_own(tmp_path):
    spec = worlds.content()
    spec["noise"]["other"] = dict(spec["noise"]["groves"])
    world = worlds.world(tmp_path, spec)
    x, y = np.random.default_rng(0).uniform(0, 360, (2, 2000))
    one, other = world.noise["groves"](x, y), world.noise["other"](x, y)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.3
    assert not np.isclose(one, other).all()


# -- checking ----------------------------------------------------------------------------------


def test_a_check_finds_every_fault_at_once(tmp_path):
    content = worlds.content()
    content["fields"] = {"wet": "groves +", "dry": "1 - wett"}
    content["layer"][1]["where"] = "heigth > 3"
    content["layer"][2]["share"] = "groves > 2"
    with pytest.raises(InputError) as raised:
        worlds.world(tmp_path, content).check()
    lines = str(raised.value).split("\n")
    assert [line.split(": ")[1] for line in lines] == ["fields.wet", "fields.dry", "layer[1].where", "layer[2].share"]
    worlds.world(tmp_path).check()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda content: content["layer"][0].update(keep_off={"bushes": 2}), "circle"),
        (lambda content: content.update(clearances={"between": {"pine": {"spruce": 2}}}), "clearances"),
        (lambda content: content["areas"].update(far=[[9e3, 0], [9e3, 9], [9.1e3, 9]]), "outside the ground"),
        (lambda content: content["ground"].update(file="none.npy"), "none.npy"),
    ],
)
def test_a_check_finds_what_only_the_whole_shows(tmp_path, change, told):
    content = worlds.content()
    change(content)
    with pytest.raises(InputError, match=told):
        worlds.world(tmp_path, content).check()
