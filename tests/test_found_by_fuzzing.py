"""What long runs of the fuzzer found, beyond the fixed seeds of the tests: each is an error of weald now."""

import json

import numpy as np
import pytest

import weald
from weald.errors import InputError
from weald.export.glb import write_glb
from weald.export.heightmap import read_heightmap, write_heightmap
from weald.fields import Condition, image
from weald.geometry import Grid
from weald.preview.map import draw_map
from weald.preview.points import draw_points
from weald.scatter.asset import read_asset
from weald.scatter.clearances import Clearances
from weald.scatter.edits import Edits, Remove
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.terrain.caves import Worms, join, regions
from weald.terrain.hydrology import carve
from weald.terrain.hydrology.drainage import drainage
from weald.terrain.shade import hillshade
from weald.world.edits import save_edits
from weald.world.spec.reading import parse_spec

GRID = Grid.over((0, 0, 8, 8), 1.0)
OAK = Species("oak", "broadleaf", height=15, crown_radius=4, color="#556633")
GROUND = weald.Terrain(GRID, np.ones(GRID.shape))
PLACED = Placements.upright([OAK], [[1.0, 2.0, 3.0]])


def test_a_corner_of_an_asset_beyond_any_number(tmp_path):
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1e400 0\nf 1 2 3\n")
    with pytest.raises(InputError, match=r"m\.obj: some coordinates are not finite"):
        read_asset(tmp_path / "m.obj", up="z")


def test_a_corner_of_a_polygon_too_far_to_be_squared():
    with pytest.raises(InputError, match=r"corner 0 is \(0\.0, 1e\+308\); give finite coordinates, up to 1e\+100"):
        weald.inside([(0, 1e308), (9, 0), (9, 8)])


def test_a_picture_of_heights_that_ends_in_its_header(tmp_path):
    path = tmp_path / "a.png"
    write_heightmap(path, np.ones(GRID.shape), GRID)
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\x05IHDR\0\0\0\x06\0")
    with pytest.raises(InputError, match=r"a\.png: cannot be read as a PNG"):
        read_heightmap(path)


def test_ground_at_no_spacing_at_all():
    with pytest.raises(InputError, match=r"spacing: .*e-321 m makes more than"):
        weald.Terrain(GRID, np.ones(GRID.shape)).resample(1e-320)


def test_rivers_of_no_catchment_at_all():
    y, x = np.mgrid[:9, :9]
    water = drainage(weald.Terrain(GRID, (x + 0.3 * y).astype(float)))
    assert water.rivers(5e-324).mask.all()
    assert water.rivers(5e-324).mask.shape == GRID.shape


def test_a_path_of_nothing():
    with pytest.raises(InputError, match="path: got ''; give the path of a file"):
        save_edits("", Edits())


NOTHING = np.array(None)
"""An array without axes: it has no length."""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Edits().add("a", "b", species="oak", at=NOTHING), "at: got"),
        (lambda: PLACED.to_matrices(origin=NOTHING), "origin: got"),
        (lambda: draw_points("p.png", [[1, 2]], 2.0, (0, 0, 9, 9), width_px=np.full((3, 2), 99)), "width_px: got"),
        (lambda: write_heightmap("h.png", np.ones(GRID.shape), GRID, height_range=0.5), "height_range: got 0.5"),
        (lambda: weald.distance_to([(0, 0), (1, 1)], kind=np.zeros(0)), "kind: got"),
        (lambda: weald.worley(1, dimensions=np.zeros(0)), "dimensions: got"),
        (lambda: weald.worley(1, feature=np.zeros(0)), "feature: got"),
        (lambda: weald.perlin(1, frequency=5, period=NOTHING), "period: got"),
        (lambda: weald.perlin(1, frequency=5).remap(np.ones((3, 2), complex)), "points|curve|pairs"),
        (lambda: weald.perlin(1, frequency=5)(1.0, None), "y: got"),
        (lambda: weald.perlin(1, frequency=5).sample(GRID, dtype="\ud800"), "dtype: got"),
        (lambda: weald.distance_to([(0, 0), (1, 1)], shapes_crs=np.arange(3)), "shapes_crs: got"),
        (lambda: weald.inside([(0, 0), (1, 1), (1, 0)], crs="\ud800"), "crs: got"),
        (lambda: Clearances(default=np.ones(2)), "clearances: default is"),
        (lambda: scatter(NOTHING, lambda x, y: x, (0, 0, 9, 9), 7), "layers: got"),
        (lambda: Worms(1, cell=1e-320), "cell"),
        (lambda: regions([[True, False]], diagonal=np.zeros(2)), "diagonal: got"),
        (lambda: image([[1, 2], [3]], (0, 0, 9, 9), rows="north-first"), "image: got"),
        (lambda: write_glb("a.glb", heights=np.ones(GRID.shape), grid=GRID, rimmed=""), "rimmed: got"),
        (lambda: draw_points("p.png", [[1, 2]], [2.0], (0, 0, 9, 9), radius_at=OAK), "radius_at: got"),
        (lambda: draw_map("m.png", GROUND, PLACED, water_level=NOTHING), "water_level: got"),
        (lambda: draw_map("m.png", GROUND, PLACED, water_level=1e155), "water_level: got"),
        (lambda: hillshade(GROUND, exaggeration=1e155), "exaggeration: got"),
        (lambda: PLACED.to_matrices(compact=np.zeros(0)), "compact: got"),
        (lambda: list(PLACED.cells(1e-320)), "size: got"),
        (lambda: weald.distance_to(np.ones((3, 2), complex)), "give .x, y. corners"),
        (lambda: weald.perlin(1, frequency=5).remap([(0, 1), (1, 2)], smooth=np.ones(2)), "smooth: got"),
        (lambda: Layer("a", {OAK: 1}, radius={OAK: -1}), "radius names"),
        (lambda: GROUND.contours(interval=5e-324), "interval: 5e-324 m is too little"),
        (lambda: Condition.of(lambda x, y: x > 3, dimensions=np.ones(3)), "dimensions: got"),
        (lambda: write_glb("a.glb", placements=PLACED, cell=5e-324), "cell: got"),
        (lambda: weald.distance_to([(0, 0), (4, 0), (4, 4)], kind="polygon", signed=np.ones(3, bool)), "signed: got"),
        (lambda: write_heightmap("h.png", np.ones(GRID.shape), GRID, voids=object()), "voids: got"),
        (lambda: draw_map("m.png", GROUND, PLACED, title=np.arange(3)), "title: got"),
        (lambda: draw_points("p.png", np.zeros((0, 2)), 3.5, (0, 0, 1e-320, 1e-320)), "bounds: the box is"),
        (lambda: join([[True, False]], fill_below=10**400), "fill_below: got"),
        (lambda: carve(drainage(GROUND), 5e-324), "least_area: got"),
        (lambda: image(np.ones((4, 5)), (0, 0, 9, 9), rows="north-first", channel=np.ones(2)), "image: is gray"),
        (lambda: weald.inside(NOTHING), "polygon"),
        (lambda: Edits((Remove(layer=[], id=1, at=(0, 0)),)), "layer: got"),
        (lambda: Worms(1).within((1e300, 0, 1.5e300, 1)), "window: .* steps must be walked"),
        (lambda: Worms(1).within((1e20, 0, 1e20 + 1e5, 9)), "window: .* within 8.6e.17 m of the origin"),
    ],
)
def test_values_of_a_wrong_kind_or_size(call, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("step", ["-Infinity", "1" + 400 * "0", "true"])
def test_a_sidecar_with_steps_of_no_size(step, tmp_path):
    path = tmp_path / "a.png"
    write_heightmap(path, np.linspace(0, 9, GRID.nx * GRID.ny).reshape(GRID.shape), GRID)
    beside = json.loads(path.with_suffix(".json").read_text())
    beside["heights"]["step"] = "STEP"
    path.with_suffix(".json").write_text(json.dumps(beside).replace('"STEP"', step))
    with pytest.raises(InputError, match=r"a\.json: has a value that cannot be used \(heights of low"):
        read_heightmap(path)


def test_half_a_character_in_a_spec():
    with pytest.raises(InputError, match="no text that a file can hold"):
        parse_spec({"layer": [{"share": {"\ud800": 0.5}}]}, "spec")


def test_a_distance_in_float32():
    assert Clearances(default=np.float32(5)).default == 5
