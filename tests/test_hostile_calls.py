"""Arguments that nobody should give: each is refused in a sentence that names it. The fuzzer finds more."""

import json
import math

import numpy as np
import pytest

import weald
from weald.errors import InputError
from weald.export.glb import write_glb
from weald.export.heightmap import write_heightmap
from weald.preview.why import draw_why
from weald.sampling import quality
from weald.sampling.neighbours import Neighbours
from weald.scatter.arrow import to_arrow
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.color import codes, tints
from weald.scatter.edits import Edits, Pin
from weald.scatter.inventory import take_inventory
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.terrain.caves import cheese, regions
from weald.terrain.mesh import MeshGround
from weald.terrain.shade import hillshade
from weald.world.edits import load_edits, save_edits
from weald.world.explain import explain

HUGE = 10**400
RAGGED = [[1, 2], [3]]
BOX = (0, 0, 20, 20)
OAK = Species("oak", "broadleaf", 12, 3, "#446633")
GRID = weald.Grid(0, 0, 4, 7, 6)
FIELD = weald.perlin(1, scale=20).fbm(octaves=2)
GROUND = weald.Terrain.from_field(FIELD, GRID)
TREES = Layer("trees", {OAK: 1}, 3)
PLACED = Placements.upright([OAK], [[1, 2, 0], [5, 6, 0]])
NEAR = Neighbours([[1, 2], [3, 4]], 2.0)
WORLD = {
    "weald": 1,
    "seed": 1,
    "noise": {"hills": {"scale": 20}},
    "ground": {"formula": "5 * hills", "spacing": 4, "window": [0, 0, 24, 20]},
    "species": {"oak": {"shape": "broadleaf", "height": 9, "crown_radius": 2, "color": "#446633"}},
    "layer": [{"name": "trees", "species": "oak", "radius": 4}],
}

CALLS = {
    "bounds": lambda: weald.Bounds.of((0, 0, 1, HUGE)),
    "bounds a function": lambda: weald.poisson_disk(lambda x, y: x, 2, seed=1),
    "other": lambda: weald.Bounds(*BOX).holds([]),
    "by": lambda: weald.Bounds(*BOX).grown(HUGE),
    "grid": lambda: FIELD.sample(BOX),
    "radius": lambda: weald.poisson_disk(BOX, HUGE, seed=1),
    "blockers": lambda: weald.poisson_disk(BOX, 2, seed=1, blockers=([[1, HUGE]], 2)),
    "points": lambda: quality.minimum_distance(RAGGED, BOX),
    "points beyond floats": lambda: quality.minimum_distance([[1, HUGE], [2, 3]], BOX),
    "reach": lambda: quality.pair_correlation([[1, 2], [3, 4]], BOX, reach="a"),
    "power": lambda: quality.effective_nyquist([1, 2], RAGGED),
    "correlation": lambda: quality.power_from_correlation(None, 1.0),
    "highest": lambda: quality.power_spectrum([[1, 2], [3, 4]], BOX, highest=None),
    "count": lambda: quality.hexagonal_spacing(math.nan, 2.0),
    "xy": lambda: Neighbours([1, 2, 3], 2.0),
    "cell": lambda: Neighbours([[1, 2]], None),
    "x": lambda: NEAR.nearest([math.nan], [1.0]),
    "y": lambda: NEAR.within(0.0, RAGGED, 1.0),
    "distance": lambda: NEAR.within(0.0, 0.0, "far"),
    "height of a place": lambda: GROUND.height(0.0, RAGGED),
    "shapes of x and y": lambda: GROUND.slope_deg([1, 2], [1, 2, 3]),
    "level": lambda: GROUND.below(None, 0, 0),
    "heights": lambda: weald.Terrain(GRID, RAGGED),
    "grid of a terrain": lambda: weald.Terrain("grid", np.ones((6, 7))),
    "terrain": lambda: hillshade(FIELD),
    "path": lambda: weald.Terrain.open(3),
    "path with a zero": lambda: weald.World.load("a\0b"),
    "vertices": lambda: MeshGround(RAGGED, [[0, 1, 2]]),
    "mask": lambda: regions(RAGGED),
    "threshold": lambda: cheese(FIELD, threshold="a"),
    "number": lambda: FIELD + HUGE,
    "dimensions": lambda: weald.perlin(1, scale=2, dimensions=[2]),
    "method": lambda: weald.raster(GRID, np.ones(GRID.shape), method=["cubic"]),
    "scale": lambda: Species("oak", "broadleaf", 12, 3, "#446633", scale=1.0),
    "tree height": lambda: Species("oak", "broadleaf", "tall", 3, "#446633"),
    "shape": lambda: Species("oak", ["broadleaf"], 12, 3, "#446633"),
    "yaw_deg": lambda: Species("oak", "broadleaf", 12, 3, "#446633", yaw_deg=5),
    "soft": lambda: Layer("trees", {OAK: 1}, 3, soft=0.5),
    "sizes": lambda: Layer("trees", {OAK: 1}, 3, sizes=[0.5]),
    "keep_off": lambda: Layer("trees", {OAK: 1}, 3, keep_off=["ferns"]),
    "vary": lambda: Clumps(9, 3, vary=1.0),
    "pairs": lambda: Clearances([("oak", "fern")]),
    "height": lambda: scatter([TREES], GROUND, BOX, 1),
    "layers": lambda: scatter(None, GROUND.height, BOX, 1),
    "clearances": lambda: scatter([TREES], GROUND.height, BOX, 1, clearances=0.5),
    "xyz": lambda: Placements.upright([OAK], RAGGED),
    "species_table": lambda: Placements.upright(OAK, [[1, 2, 3]]),
    "which": lambda: PLACED.take([7]),
    "parts": lambda: Placements.concat([None]),
    "layers of an inventory": lambda: take_inventory(PLACED, BOX),
    "color": lambda: codes(3),
    "ids": lambda: tints(None, 0.5),
    "rotation": lambda: Pin(layer="a", id=1, at=(0, 0), species="oak", z=0, rotation=None, scale=1, radius=0),
    "edits": lambda: Edits((1, 2)),
    "edits to write": lambda: save_edits("edits.toml", None),
    "path of edits": lambda: load_edits(None),
    "origin": lambda: write_glb("a.glb", PLACED, origin=1.5),
    "placements": lambda: write_glb("a.glb", [1, 2]),
    "heights to write": lambda: write_heightmap("a.png", RAGGED, GRID),
    "world": lambda: explain(None, 0, 0),
    "world to draw": lambda: draw_why("a.png", None, (0, 0)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_is_refused_in_a_sentence(call):
    with pytest.raises(InputError, match=r"(?s)\w.*[:;] .*\w") as caught:
        call()
    assert len(str(caught.value)) < 1000


def test_infinite_places_are_near_nothing():
    assert NEAR.within([math.inf, 1.0], 2.0, 1.0).tolist() == [False, True]


# -- what mutation found that no test held ---------------------------------------------------------


def test_files_of_plants_alone_count_from_the_middle_of_them(tmp_path):
    plants = Placements.upright([OAK], [[101, 52, 3], [109, 40, 1], [102, 41, 2]])
    write_glb(tmp_path / "plants.glb", plants)
    data = (tmp_path / "plants.glb").read_bytes()
    about = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])["asset"]["extras"]["weald"]
    assert about["origin"] == [105.0, 46.0, 0.0]


def test_tables_keep_layers_in_which_nothing_stands():
    table = {"ferns": PLACED[:0], "trees": PLACED, "rocks": PLACED[:0]}
    arrow = to_arrow(table)
    assert arrow["layer"].to_pylist() == ["trees", "trees"]
    assert len(to_arrow({"ferns": PLACED[:0]})) == 0


@pytest.mark.parametrize("reach", [0.99, 100_001, math.nan])
def test_reach_of_a_drawing_of_reasons(reach, tmp_path):
    world = weald.World.parse(WORLD)
    with pytest.raises(InputError, match="reach: got"):
        draw_why(tmp_path / "a.png", world, (5, 5), reach=reach)
    draw_why(tmp_path / "a.png", world, (5, 5), reach=1)
    assert (tmp_path / "a.png").stat().st_size > 1000
