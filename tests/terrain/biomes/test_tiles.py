"""Tiles: thresholds, their edges, and tables that cannot be used."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import Condition, Field, perlin, raster
from weald.geometry import Grid
from weald.terrain.biomes import LAND, Tiles, Zones, paint

ramp = Field.of(lambda x, y: x, range=(0.0, 1.0))
noise = perlin("tiles", 1 / 30).fbm(octaves=3) * 0.5 + 0.5


def test_the_table_of_the_tutorials_and_its_edges():
    land = Tiles.from_table().classify(ramp)
    below = [np.nextafter(t, 0) for t in (0.3, 0.5, 0.7, 0.85)]
    assert land([0, 0.3, 0.5, 0.7, 0.85, 1], 0).tolist() == [0, 1, 2, 3, 4, 4]
    assert land(below, 0).tolist() == [0, 1, 2, 3]  # a threshold is of the tile above it
    assert land.names == ("water", "sand", "grass", "forest", "mountain")
    assert land.codes(Grid(0, 0, 0.25, 5, 2)).tolist() == [[0, 0, 2, 3, 4]] * 2
    assert land.codes(Grid(0, 0, 0.25, 5, 2)).dtype == np.uint8
    assert repr(land.is_("sand")) == "tiles(<lambda>).is_('sand')"


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=8, unique=True), st.lists(st.floats(0, 1), min_size=1))
def test_codes_equal_a_walk_through_the_table(ends, values):
    ends = sorted(ends)
    table = [{"name": f"t{k}", "color": "#102030", "below": end} for k, end in enumerate(ends)]
    tiles = Tiles.from_table([*table, {"name": "rest", "color": "#ffffff"}])
    walked = [next((k for k, end in enumerate(ends) if value < end), len(ends)) for value in values]
    assert tiles.classify(ramp)(values, 0).tolist() == walked


def test_many_kinds_take_16_bits_and_voids_have_a_code_of_their_own():
    table = [{"name": f"t{k}", "color": "#000000", "below": (k + 1) / 400} for k in range(399)]
    many = Tiles.from_table([*table, {"name": "rest", "color": "#000000"}])
    ground = raster(Grid(0, 0, 1, 3, 2), [[0.0, 0.5, np.nan], [1.0, 1.0, 1.0]])
    codes = many.classify(ground).codes(Grid(0, 0, 1, 3, 1))
    assert codes.dtype == np.uint16
    assert codes.tolist() == [[0, 200, 65535]]
    few = Tiles.from_table().classify(ground)
    assert few([0, 2], 0).tolist() == [0, 255]
    assert not few.is_("water")(2, 0)
    assert not few.is_("mountain")(2, 0)


def row(name, below=None, color="#aabbcc", **more):
    return {"name": name, "color": color, **({} if below is None else {"below": below}), **more}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([], "tiles: got none"),
        ("water", "give a list of rows"),
        (["water"], "row 0 is 'water'"),
        ([row("a", 0.5), row("b", 0.3), row("c")], "'b' ends at 0.3, but 'a' ends at 0.5"),
        ([row("a", 0.5), row("b", 0.5), row("c")], "nothing is left for it; sort the rows"),
        ([row("a", 0.0), row("b")], "the range starts at 0"),
        ([row("a", 1.0), row("b")], "the range ends at 1, so nothing is left for 'b'"),
        ([row("a", 0.5), row("b", 0.8)], "'b' is the last and has below = 0.8"),
        ([row("a"), row("b")], "'a' has below = None"),
        ([row("a", "0.3"), row("b")], "'a' has below = '0.3'"),
        ([row("a", float("nan")), row("b")], "'a' has below = nan"),
        ([row("a", 0.3), row("a")], "'a' occurs twice"),
        ([row("a", 0.3), row("b", color="green")], "the color of 'b' is 'green'; give '#rrggbb'"),
        ([row("a", 0.3, belwo=3), row("b")], "did you mean 'below'"),
        ([row("", 0.3), row("b")], "the name of number 0 is ''"),
    ],
)
def test_tables_that_cannot_be_used(table, words):
    with pytest.raises(InputError) as error:
        Tiles.from_table(table)
    assert words in str(error.value)


def test_fields_that_leave_the_table():
    signed = perlin(1, 0.1)
    with pytest.raises(InputError, match=r"range \(-1, 1\), and the tiles are made for \(0, 1\); give field.remap"):
        Tiles.from_table().classify(signed)
    assert Tiles.from_table(LAND, range=(-1, 1)).classify(signed)(0, 0) < 5
    with pytest.raises(InputError, match=r"range: got \(1, 0\)"):
        Tiles.from_table(range=(1, 0))
    with pytest.raises(InputError, match="more than"):
        Tiles.from_table().classify(Field.of(lambda x, y, z: z, dimensions=3, range=(0, 1)))


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InputError, match=r"did you mean 'forest'"):
        Tiles.from_table().classify(ramp).is_("forrest")


def test_ordered_rules_give_the_first_that_holds():
    east = Field.of(lambda x, y: x)
    zones = Zones.first([("a", "#000000", east < 2), ("b", "#000000", east < 4), ("c", "#000000", lambda x, y: x < 6)])
    assert zones([1, 2, 4, 6], 0).tolist() == [0, 1, 2, 255]
    assert isinstance(zones.is_("b"), Condition)


@pytest.mark.parametrize("far", [0, -4096, 2**30])
def test_a_window_is_cut_from_the_whole(far):
    land = Tiles.from_table().classify(noise)
    whole = land.codes(Grid(far - 60, far - 40, 0.5, 240, 160))
    part = land.codes(Grid(far - 20, far - 10, 0.5, 100, 50), threads=1)
    assert np.array_equal(part, whole[60:110, 80:180])
    assert len(np.unique(whole)) >= 3


@pytest.mark.parametrize("exaggeration", [0.0, 2.0])
def test_a_picture_of_a_part_is_the_crop_of_the_whole(exaggeration):
    land = Tiles.from_table().classify(noise)
    whole = paint(land, Grid(-64, -64, 1, 96, 80), height=noise * 40, exaggeration=exaggeration)
    part = paint(land, Grid(-32, -48, 1, 32, 16), height=noise * 40, exaggeration=exaggeration)
    assert whole.shape == (80, 96, 3)
    assert whole.dtype == np.uint8
    assert np.array_equal(part, whole[::-1][16:32, 32:64][::-1])
    flat = paint(land, Grid(-64, -64, 1, 96, 80))
    assert np.array_equal(flat, land.kinds.colors[land.codes(Grid(-64, -64, 1, 96, 80))][::-1])
    assert np.array_equal(flat, whole) == (exaggeration == 0)


def test_pictures_light_slopes_that_face_north_west():
    slope = Zones.first([("a", "#808080", True)])
    grid = Grid(0, 0, 1, 2, 2)
    lit = paint(slope, grid, height=lambda x, y: x - y)[0, 0, 0]
    dark = paint(slope, grid, height=lambda x, y: y - x)[0, 0, 0]
    assert lit > 128 > dark
    with pytest.raises(InputError, match="exaggeration: got -1"):
        paint(slope, grid, exaggeration=-1)
    with pytest.raises(InputError, match="no blended borders"):
        paint(slope, grid, blended=True)
