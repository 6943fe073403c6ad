"""What is printed of ground and water, and what is said to those who give a thing of another kind."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.fields import Condition, perlin, where
from weald.geometry import Grid
from weald.terrain.biomes import Tiles
from weald.terrain.caves import cheese, join, regions, roofed, smoothed
from weald.terrain.endless import EndlessTerrain
from weald.terrain.erosion import erode, thermal
from weald.terrain.hydrology import carve, drainage
from weald.terrain.mesh import MeshGround
from weald.terrain.terrain import Terrain

VALLEY = Terrain(Grid(0, 0, 10, 4, 3), [[9, 8, 7, 6], [5, 4, 1, 2], [np.nan, 8, 7, 6]], "EPSG:32632")
HILLS = perlin(seed=1, frequency=1 / 50)


def test_what_is_printed_fits_on_a_line_and_holds_no_array():
    valley = "Terrain(Grid(xmin=0.0, ymin=0.0, spacing=10.0, nx=4, ny=3), 1 to 9 m, 1 of 12 samples void, EPSG:32632)"
    water = drainage(VALLEY)
    rivers = water.rivers(200)
    assert repr(VALLEY) == valley
    assert repr(water) == f"Drainage({valley}, water_level=None)"
    assert repr(water.lakes()) == "Lakes(1, 100 m², up to 1 m deep)"
    assert repr(rivers).startswith(f"Rivers({len(rivers.reaches)} reaches, of order up to ")
    assert repr(rivers.reaches[0]).startswith("River(from (")
    mask = [[1, 0, 0, 1], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert repr(regions(mask)) == "Regions(3 regions; the largest has 33.3 % of 3 m²)"
    assert repr(join(mask)) == "Joined(3 regions; 3 cells dug, 0 filled)"
    assert repr(Tiles.from_table()) == "Tiles(water < 0.3, sand < 0.5, grass < 0.7, forest < 0.85, mountain)"
    assert repr(MeshGround([[0, 0, 0], [9, 0, 0], [9, 9, 3]], [[0, 1, 2]])) == (
        "MeshGround(1 triangles in Bounds(xmin=0.0, ymin=0.0, xmax=9.0, ymax=9.0), 0 to 3 m)"
    )
    caves = cheese(perlin("a", scale=20, dimensions=3))
    assert repr(caves) == "0.65 - (perlin(seed='a', scale=20.0, dimensions=3) + 1) * 0.5"
    assert "- elevation).min(" in repr(roofed(caves, HILLS))


def test_a_field_is_no_condition():
    for use in (Condition.of, smoothed, lambda field: where(field, 1, 2), lambda field: (HILLS > 0) & field):
        with pytest.raises(InputError, match=r"condition: got the field `perlin\(.*\)`; compare it with something"):
            use(HILLS)


def test_ground_may_come_from_a_function():
    ground = Terrain.from_field(lambda x, y: x + y, Grid(0, 0, 1, 3, 2))
    assert ground.heights.tolist() == [[0, 1, 2], [1, 2, 3]]


@pytest.mark.parametrize("process", [erode, thermal, drainage])
def test_a_field_is_no_ground(process):
    with pytest.raises(InputError, match=r"terrain: got perlin\(seed=1, .*\); .*give a Terrain"):
        process(HILLS)


def test_water_gathers_from_all_of_the_ground():
    with pytest.raises(InputError, match=r"terrain: got EndlessTerrain\(.*; water gathers .* a part, by crop\(\)"):
        drainage(EndlessTerrain(HILLS, 5))


@pytest.mark.parametrize("wrong", ["7", None, True, [3.0]])
def test_what_is_no_number_is_refused(wrong):
    water = drainage(VALLEY)
    for name, use in {
        "spacing": lambda: EndlessTerrain(HILLS, wrong),
        "strength": lambda: erode(VALLEY, strength=wrong),
        "creep": lambda: erode(VALLEY, creep=wrong),
        "talus_deg": lambda: thermal(VALLEY, talus_deg=wrong),
        "least_area": lambda: water.rivers(wrong),
        "least_slope_deg": lambda: water.wetness(least_slope_deg=wrong),
        "depth": lambda: carve(water, 400, depth=wrong),
    }.items():
        with pytest.raises(InputError, match=f"{name}: got "):
            use()
