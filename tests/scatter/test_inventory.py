"""Inventory: counts, areas and distances against plain sums."""

import math

import numpy as np
import pytest

from weald.errors import InputError
from weald.sampling.poisson import poisson_disk
from weald.sampling.quality import l_function
from weald.sampling.textbook.white_noise import white_noise
from weald.scatter.inventory import l_functions, take_inventory
from weald.scatter.placements import Placements
from weald.scatter.species import Species

OAK = Species("oak", "broadleaf", height=15, crown_radius=4, color="#556633", stem_radius=0.3)
ELM = Species("elm", "broadleaf", height=10, crown_radius=3, color="#556633")
BOX = (-50.0, 100.0, 250.0, 300.0)


def placed(xy, table=(OAK, ELM), seed=0):
    rng = np.random.default_rng(seed)
    n = len(xy)
    return Placements.upright(
        table,
        np.column_stack([xy, np.zeros(n)]),
        species=rng.integers(0, len(table), n),
        scale=rng.uniform(0.5, 1.5, n),
    )


def test_entries_are_those_of_plain_sums():
    xy = np.random.default_rng(1).uniform((-80, 80), (280, 320), (400, 2))
    stand = placed(xy)
    found = take_inventory({"trees": stand}, BOX).entries
    assert [(entry.layer, entry.species) for entry in found] == [("trees", ""), ("trees", "oak"), ("trees", "elm")]
    inside = (xy >= BOX[:2]).all(axis=1) & (xy < BOX[2:]).all(axis=1)
    for entry, of in zip(found, (stand.species >= 0, stand.species == 0, stand.species == 1), strict=True):
        mine = inside & of
        assert entry.count == mine.sum()
        assert entry.per_hectare == pytest.approx(mine.sum() / 6)
        stems = np.array([0.3, 0.2])[stand.species[mine]] * stand.scale[mine]
        assert entry.basal_area == pytest.approx(math.pi * (stems**2).sum() / 6, rel=1e-5)
        d = np.sqrt(((xy[mine][:, None] - xy[mine]) ** 2).sum(axis=-1))
        np.fill_diagonal(d, np.inf)
        assert entry.nearest_mean == pytest.approx(d.min(axis=1).mean())
        assert entry.nearest_least == pytest.approx(d.min())


def test_clark_evans_tells_noise_from_spacing():
    even = poisson_disk(BOX, 4.0, seed=3).xy
    random = white_noise(BOX, len(even), seed=3).xy
    spaced, noise = take_inventory({"a": placed(even, (OAK,)), "b": placed(random, (OAK,))}, BOX).entries
    assert spaced.clark_evans > 1.6
    assert noise.clark_evans == pytest.approx(1, abs=0.06)
    assert spaced.nearest_least >= 4


def test_few_and_none():
    one, none = take_inventory(
        {"one": placed([[0, 150]], (OAK,)), "none": placed(np.empty((0, 2)), (OAK,))}, BOX
    ).entries
    assert (one.count, none.count) == (1, 0)
    assert math.isnan(one.nearest_mean)
    assert one.as_dict()["clark_evans"] is None
    assert none.as_dict() == {
        "layer": "none", "species": "", "count": 0, "per_hectare": 0, "basal_area": 0,
        "nearest_mean": None, "nearest_least": None, "clark_evans": None,
    }  # fmt: skip
    row = str(take_inventory({"one": placed([[0, 150]], (OAK,))}, BOX)).splitlines()[1].split()
    assert row[:4] + row[5:] == ["one", "all", "1", "0.2", "-", "-", "-"]
    assert l_functions({"none": placed(np.empty((0, 2)), (OAK,))}, BOX) == {}


def test_l_functions_are_those_of_the_middle_of_large_layers():
    few = white_noise(BOX, 300, seed=1).xy
    (curve,) = l_functions({"a": placed(few)}, BOX, simulations=2).values()
    reach = 8 * math.sqrt(60_000 / 300)
    assert curve.distance[-1] == pytest.approx(min(reach, 50))
    same = l_function(few, BOX, reach=min(reach, 50), simulations=2)
    assert curve.tolerance == same.tolerance
    np.testing.assert_array_equal(curve.excess, same.excess)
    many = white_noise(BOX, 20_000, seed=1).xy
    (curve,) = l_functions({"a": placed(many)}, BOX, simulations=0).values()
    assert curve.distance[-1] == pytest.approx(8 * math.sqrt(3), rel=0.05)
    assert math.isnan(curve.tolerance)


def test_boulders_have_no_basal_area():
    boulder = Species("boulder", "rock", 1.0, 1.0, "#888888")
    entry = take_inventory({"a": Placements.upright([boulder], [[5.0, 5, 0], [9.0, 5, 0]])}, (0, 0, 10, 10)).entries[0]
    assert entry.count == 2
    assert entry.basal_area == 0


@pytest.mark.parametrize("bounds", [(0, 0, 1.0, 1e-320), (0, 0, 1e-6, 0.999e-6), (0, 0, 1e200, 1e200)])
@pytest.mark.parametrize("measure", [take_inventory, l_functions])
def test_boxes_without_a_measurable_area(measure, bounds):
    with pytest.raises(InputError, match=r"^bounds: .* is an area of .*; give a box of 1e-12 m2 or more"):
        measure({}, bounds)


def test_the_least_box_that_is_measured():
    assert take_inventory({}, (0, 0, 1.001e-6, 1.001e-6)).entries == ()
