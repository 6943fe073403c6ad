"""Building a world: every file is there and whole, or none is."""

import hashlib
import json
import shutil
import struct
import tomllib
from contextlib import contextmanager

import numpy as np
import pytest
import tomli_w
from PIL import Image

from tests import worlds
from weald import builder
from weald._version import ALGORITHM, __version__
from weald.errors import InputError
from weald.export.heightmap import read_heightmap
from weald.scatter.placements import Placements
from weald.world.world import World

FILES = ["heightmap.json", "heightmap.png", "placements.parquet", "preview.png", "scene.glb", "world.toml"]


def digests(folder):
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files(folder)}


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def scene(path):
    """Return the JSON of a GLB after checking its header."""
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack("<4sIII4s", data[:20])
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
    return json.loads(data[20 : 20 + size])


def instance_count(gltf):
    instancing = [n["extensions"]["EXT_mesh_gpu_instancing"] for n in gltf["nodes"] if "extensions" in n]
    return sum(gltf["accessors"][i["attributes"]["TRANSLATION"]]["count"] for i in instancing)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    stages = []
    world = worlds.world(folder)
    report = builder.build(world, folder / "out", report=stages.append)
    return world, report, folder / "out", stages


# -- what is made ----------------------------------------------------------------------------


def test_all_files_are_there_and_nothing_else(built):
    _, report, out, _ = built
    assert [path.name for path in files(out)] == FILES
    assert report.files == tuple(out / name for name in FILES)


def test_the_table_is_what_was_placed(built):
    pq = pytest.importorskip("pyarrow.parquet")
    world, report, out, _ = built
    table = pq.read_table(out / "placements.parquet")
    everything = Placements.concat(list(world.layers().values()))
    assert table.num_rows == len(everything) == report.count
    np.testing.assert_array_equal(table["id"].to_numpy(), everything.id)
    xyz = np.column_stack([table[name].to_numpy() for name in "xyz"])
    np.testing.assert_array_equal(xyz, everything.xyz)
    # every foot is on the ground, to the last bit
    np.testing.assert_array_equal(xyz[:, 2], world.terrain.height(xyz[:, 0], xyz[:, 1]))
    names = [species.name for species in everything.species_table]
    assert table["species"].to_pylist() == [names[k] for k in everything.species]
    about = json.loads(table.schema.metadata[b"weald"])
    assert (about["version"], about["algorithm"]) == (__version__, ALGORITHM)


def test_the_heightmap_is_the_ground(built):
    world, _, out, _ = built
    heights, grid = read_heightmap(out / "heightmap.png")
    assert grid == world.terrain.grid
    assert np.abs(heights - world.terrain.heights).max() < 0.51 * np.ptp(heights) / 65535
    with Image.open(out / "heightmap.png") as image:
        assert image.size == (37, 37)
        codes = np.asarray(image)
    assert codes[0, -1] == 65535  # the peak, north-east
    assert codes[-1, 0] == 0


def test_the_scene_holds_ground_and_every_instance(built):
    _, report, out, _ = built
    gltf = scene(out / "scene.glb")
    assert instance_count(gltf) == report.count
    assert {mesh["name"] for mesh in gltf["meshes"]} == {"ground", "pine", "spruce", "oak", "laurel"}


def test_the_preview_is_a_picture(built):
    _, _, out, _ = built
    with Image.open(out / "preview.png") as image:
        image.load()
        assert image.format == "PNG"
        assert min(image.size) > 600
        assert len(np.unique(np.asarray(image).reshape(-1, 3), axis=0)) > 1000


def test_the_preview_shows_the_world_and_no_more(tmp_path, monkeypatch):
    """Ground is kept up to the next samples beyond the window; the map ends at the window."""
    shown = {}
    monkeypatch.setattr(builder, "draw_map", lambda path, *_, **options: path.touch() or shown.update(options))
    spec = worlds.content()
    spec["ground"]["window"] = [33, 41, 122, 97]
    world = worlds.world(tmp_path, spec)
    builder.build(world, tmp_path / "out")
    assert (shown["bounds"], shown["title"]) == (world.bounds, "Three layers")
    assert world.bounds != world.terrain.grid.bounds


def test_the_spec_as_understood(built):
    world, _, out, _ = built
    text = (out / "world.toml").read_text("utf-8")
    assert text == world.to_toml(out)
    content = tomllib.loads(text)
    assert (content["name"], content["ground"]["file"]) == ("Three layers", "../ground.npy")
    assert f"weald {__version__} (algorithm {ALGORITHM})" in text


def test_the_report(built):
    world, report, _, stages = built
    layers = world.layers()
    assert [layer.name for layer in report.layers] == list(layers)
    for layer in report.layers:
        assert layer.count == len(layers[layer.name])
        assert layer.per_hectare == pytest.approx(layer.count / 12.96)
        low, high = layer.radius
        assert low == high <= layer.closest < 1.02 * low
    placing = [f"place {name}" for name in layers]
    assert stages == ["ground", *placing, "measure", "table", "heightmap", "scene", "preview", "write"]
    assert list(report.seconds) == ["start", *stages]
    assert all(spent >= 0 for spent in report.seconds.values())


def test_stages_take_all_the_time_there_is(tmp_path, monkeypatch):
    """By a clock that goes on by itself and jumps wherever something is done outside the named stages."""
    now = [0.0]
    read = []

    def clock():
        now[0] += 0.5
        read.append(now[0])
        return now[0]

    def slow(name, seconds):
        real = getattr(builder, name)

        def slowed(*args, **options):
            now[0] += seconds
            return real(*args, **options)

        monkeypatch.setattr(builder, name, slowed)

    monkeypatch.setattr(builder, "perf_counter", clock)
    slow("recover_folder", 16.0)
    slow("check_installed", 32.0)
    slow("write_glb", 64.0)
    real = builder.staged_folder

    @contextmanager
    def slowly(out):
        with real(out) as folder:
            yield folder
            now[0] += 128.0

    monkeypatch.setattr(builder, "staged_folder", slowly)
    spec = worlds.content()
    spec["layer"] = []
    report = builder.build(worlds.world(tmp_path, spec), tmp_path / "out")
    assert sum(report.seconds.values()) == read[-1] - read[0]
    jumps = {name: took for name, took in report.seconds.items() if took != 0.5}
    assert jumps == {"start": 48.5, "scene": 64.5, "write": 128.5}


# -- parts of a world ------------------------------------------------------------------------


def endless(tmp_path, formula="40 * hills - 2"):
    spec = worlds.content()
    spec |= {"ground": {"formula": formula, "spacing": 4}, "noise": {"hills": {"frequency": 0.006}}}
    spec |= {"areas": {}, "layer": []}
    return worlds.world(tmp_path, spec)


def codes_of(folder):
    with Image.open(folder / "heightmap.png") as image:
        return np.asarray(image).astype(int), json.loads((folder / "heightmap.json").read_text())["heights"]


def ground_of(folder):
    """Positions in the world and normals of the ground in a scene."""
    data = (folder / "scene.glb").read_bytes()
    gltf = scene(folder / "scene.glb")
    start = 20 + struct.unpack_from("<I", data, 12)[0] + 8
    mesh = next(mesh for mesh in gltf["meshes"] if mesh["name"] == "ground")
    arrays = []
    for name in ("POSITION", "NORMAL", "COLOR_0"):
        accessor = gltf["accessors"][mesh["primitives"][0]["attributes"][name]]
        view = gltf["bufferViews"][accessor["bufferView"]]
        dtype, width = ("<f4", 3) if name != "COLOR_0" else ("<u2", 4)
        offset = start + view["byteOffset"]
        arrays.append(np.frombuffer(data, dtype, accessor["count"] * width, offset).reshape(-1, width))
    positions, normals, colors = arrays
    east = positions[:, 0] + gltf["asset"]["extras"]["weald"]["origin"][0]
    return {
        tuple(key): values for key, values in zip(np.c_[east, positions[:, 2]], np.c_[normals, colors], strict=True)
    }


@pytest.mark.parametrize("edges", ["none", "of the ground"])
def test_windows_share_codes_normals_and_colours_along_their_edge(tmp_path, edges):
    if edges == "none":
        world = endless(tmp_path)
        west, east = (-32, 0, 64, 96), (64, 0, 160, 96)
    else:
        spec = worlds.content()
        spec |= {"areas": {}, "layer": []}
        world = worlds.world(tmp_path, spec)
        middle = world.terrain.grid.x[18]
        b = world.bounds
        west, east = (b.xmin, b.ymin, middle, b.ymax), (middle, b.ymin, b.xmax, b.ymax)
    builder.build(world, tmp_path / "west", window=west)
    builder.build(world, tmp_path / "east", window=east)
    (a, of_a), (b, of_b) = codes_of(tmp_path / "west"), codes_of(tmp_path / "east")
    assert np.array_equal(a[:, -1], b[:, 0])
    assert len(np.unique(a)) > 100
    assert [of_a[key] for key in ("low", "step", "range")] == [of_b[key] for key in ("low", "step", "range")]
    assert of_a["range"] == ("proved of the formula" if edges == "none" else "of the whole ground")
    one, other = ground_of(tmp_path / "west"), ground_of(tmp_path / "east")
    shared = one.keys() & other.keys()
    assert len(shared) == len(a)
    assert all(one[place].tobytes() == other[place].tobytes() for place in shared)


def test_the_range_of_codes_may_be_given(tmp_path):
    world = endless(tmp_path)
    builder.build(world, tmp_path / "out", window=(0, 0, 96, 96), height_range=(-100, 200))
    codes, of = codes_of(tmp_path / "out")
    assert of["range"] == "given"
    assert of["step"] == pytest.approx(300 / 65534)
    assert np.ptp(codes) < 30_000
    with pytest.raises(InputError, match=r"height_range: \(0.0, 1.0\) does not hold all heights"):
        builder.build(world, tmp_path / "other", window=(0, 0, 96, 96), height_range=(0, 1))


# -- again and again -------------------------------------------------------------------------


def test_building_again_gives_the_same_bytes(built):
    world, _, out, _ = built
    before = digests(out)
    (out / "notes.txt").write_text("mine")
    (out / "heightmap.png").write_bytes(b"spoilt")
    builder.build(worlds.world(world.folder), out, threads=2)
    after = digests(out)
    assert after.pop("notes.txt") == hashlib.sha256(b"mine").hexdigest()
    assert after == before
    (out / "notes.txt").unlink()


def test_the_resolved_spec_builds_the_same_files_wherever_both_are_moved(built, tmp_path):
    world, _, out, _ = built
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    shutil.copytree(out, moved / "out")
    shutil.copy(world.folder / "ground.npy", moved)
    builder.build(moved / "out" / "world.toml", moved / "again")
    assert digests(moved / "again") == digests(out)
    # from a folder of another depth the same ground has another path, and all else is equal
    builder.build(moved / "out" / "world.toml", moved / "c" / "deep")
    deep = digests(moved / "c" / "deep")
    assert tomllib.loads((moved / "c" / "deep" / "world.toml").read_text())["ground"]["file"] == "../../ground.npy"
    assert {**deep, "world.toml": ""} == {**digests(out), "world.toml": ""}


def test_paths_lead_through_links_and_from_the_current_folder(tmp_path, monkeypatch):
    world = worlds.world(tmp_path)
    (tmp_path / "far" / "away").mkdir(parents=True)
    try:
        (tmp_path / "link").symlink_to(tmp_path / "far" / "away", target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "far" / "away" / "world.toml").write_text(world.to_toml("link"), "utf-8")
    again = World.load("link/world.toml")
    assert again.spec.ground.file == "../../ground.npy"
    np.testing.assert_array_equal(again.terrain.heights, world.terrain.heights)


def test_on_another_drive_paths_are_whole(tmp_path, monkeypatch):
    def nowhere(path, start):
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    world = worlds.world(tmp_path)
    monkeypatch.setattr("os.path.relpath", nowhere)
    file = tomllib.loads(world.to_toml(tmp_path / "out"))["ground"]["file"]
    assert file == (tmp_path / "ground.npy").resolve().as_posix()


# -- failure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["write_parquet", "write_heightmap", "write_glb", "draw_map"])
def test_a_failure_leaves_nothing(tmp_path, monkeypatch, stage):
    real = getattr(builder, stage)

    def fail(path, *args, **options):
        real(path, *args, **options)
        raise RuntimeError("the plug was pulled")

    world = worlds.world(tmp_path)
    monkeypatch.setattr(builder, stage, fail)
    with pytest.raises(RuntimeError, match="the plug was pulled"):
        builder.build(world, tmp_path / "a" / "b" / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["ground.npy"]


def test_a_failure_keeps_what_was_there(tmp_path, monkeypatch):
    world = worlds.world(tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    (out / "scene.glb").write_bytes(b"of yesterday")
    (out / "world.toml").write_text("# The world as weald 0.0.1 understood it.")
    before = digests(out)

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "draw_map", stop)
    with pytest.raises(KeyboardInterrupt):
        builder.build(world, out)
    assert digests(out) == before
    assert sorted(path.name for path in out.iterdir()) == ["notes.txt", "scene.glb", "world.toml"]


def test_what_the_user_made_is_not_overwritten(tmp_path):
    world = worlds.world(tmp_path)
    out = tmp_path / "mine"
    out.mkdir()
    (out / "heightmap.png").write_bytes(b"my own")
    with pytest.raises(InputError, match=r"has a heightmap\.png that weald did not build"):
        builder.build(world, out)
    assert (out / "heightmap.png").read_bytes() == b"my own"


def test_a_build_does_not_overwrite_what_it_is_made_from(tmp_path):
    codes = np.arange(65 * 65, dtype=np.uint16).reshape(65, 65)
    Image.fromarray(codes).save(tmp_path / "heightmap.png")
    content = worlds.content()
    content["ground"] = {"file": "heightmap.png", "spacing": 5.0, "low": 0.0, "high": 100.0}
    spec = tmp_path / "world.toml"
    spec.write_text("# The world as weald likes it\n" + tomli_w.dumps(content))
    before = digests(tmp_path)
    with pytest.raises(InputError, match=r"would overwrite .*heightmap.png, which it is made from"):
        builder.build(spec, tmp_path)
    assert digests(tmp_path) == before
    content["ground"]["file"] = "../heightmap.png"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "world.toml").write_text(tomli_w.dumps(content))
    with pytest.raises(InputError, match=r"would overwrite .*world.toml"):
        builder.build(tmp_path / "in" / "world.toml", tmp_path / "in")


def test_a_spec_that_cannot_be_met_leaves_nothing(tmp_path):
    spec = worlds.content()
    spec["areas"]["pond"] = [[900, 900], [910, 900], [910, 920]]
    with pytest.raises(InputError, match="all outside the ground"):
        builder.build(worlds.world(tmp_path, spec), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["ground.npy"]


def test_a_folder_that_cannot_be(tmp_path):
    with pytest.raises(InputError, match=r"ground\.npy is a file, not a folder"):
        builder.build(worlds.world(tmp_path), tmp_path / "ground.npy" / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["ground.npy"]


def test_a_broken_spacing_is_never_sold(tmp_path, monkeypatch):
    world = worlds.world(tmp_path)
    layers = world.layers()
    twice = np.repeat(np.arange(len(layers["oaks"])), 2)
    monkeypatch.setattr(world, "layers", lambda *_, **__: {**layers, "oaks": layers["oaks"].take(twice)})
    with pytest.raises(AssertionError, match=r"layer 'oaks': two instances are 0\.0 apart, less than 7\.1"):
        builder.build(world, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# -- the odd ones ----------------------------------------------------------------------------


def nothing_grows(spec, which):
    for n in which:
        spec["layer"][n]["height"] = {"above": 1e6}


@pytest.mark.parametrize("empty", [[1], [0, 1, 2], "no layers"])
def test_worlds_with_nothing_in_them_are_built_too(tmp_path, empty):
    spec = worlds.content()
    if empty == "no layers":
        spec["layer"] = []
    else:
        nothing_grows(spec, empty)
    report = builder.build(worlds.world(tmp_path, spec), tmp_path / "out")
    assert [path.name for path in files(tmp_path / "out")] == FILES
    assert [layer.count == 0 for layer in report.layers] == [n in empty for n in range(len(spec["layer"]))]
    assert all((layer.closest == np.inf) == (layer.count == 0) for layer in report.layers)
    gltf = scene(tmp_path / "out" / "scene.glb")
    assert instance_count(gltf) == report.count
    pq = pytest.importorskip("pyarrow.parquet")
    assert pq.read_table(tmp_path / "out" / "placements.parquet").num_rows == report.count
    with Image.open(tmp_path / "out" / "preview.png") as image:
        image.load()


def test_ground_that_is_flat_small_or_full_of_holes(tmp_path):
    holed = np.zeros((12, 12))
    holed[3:8, 4:9] = np.nan
    scattered = np.zeros((4, 4))
    scattered[1::2, 1::2] = np.nan  # samples, but no whole cell
    for name, heights in [("flat", np.zeros((2, 2))), ("holed", holed), ("scattered", scattered)]:
        np.save(tmp_path / "ground.npy", heights)
        spec = worlds.content()
        spec["areas"] = {}
        spec["layer"] = [{"name": "oaks", "species": "oak", "radius": 3.0}]
        report = builder.build(worlds.world(tmp_path, spec), tmp_path / name)
        assert [path.name for path in files(tmp_path / name)] == FILES
        assert (report.count > 0) == (name != "scattered")
        heights_back, _ = read_heightmap(tmp_path / name / "heightmap.png")
        np.testing.assert_array_equal(heights_back, heights)


def test_the_demo_spec_is_found():
    assert builder.demo_spec().name == "cumberland.toml"
