"""Mixtures: who wins a place, how often, and in what patches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stands import BIRCH, OAK, PINE, flat
from weald.errors import InputError
from weald.fields import Field
from weald.geometry import Bounds
from weald.scatter.layer import Layer, Patches
from weald.scatter.mosaic import Mosaic
from weald.scatter.race import NOBODY, exponential, race
from weald.scatter.rules import Only
from weald.scatter.scatter import scatter

FIELD = Bounds(0, 0, 300, 300)


def place(layer, domain=FIELD, seed=1, **options):
    return scatter([layer], flat, domain, seed, **options)[layer.name]


# -- races -----------------------------------------------------------------------------------


def test_arrivals_are_exponential():
    bits = np.random.default_rng(1).integers(0, 2**64, 20_000, dtype=np.uint64)
    times = np.array([exponential(b) for b in bits])
    u = ((bits >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52
    np.testing.assert_allclose(times, -np.log(u), rtol=0, atol=2e-9)
    assert (times > 0).all()
    for extreme in (0, 2**64 - 1):
        assert 0 < exponential(np.uint64(extreme)) < 38


weights = st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.0, 50.0]), min_size=1, max_size=6)


@given(weights, st.integers(0, 2**63))
def test_a_race_is_won_by_the_first_and_one_weight_moves_one_runner(given_weights, key):
    places = np.random.default_rng(key % 1000).integers(0, 2**64, 50, dtype=np.uint64)
    keys = np.random.default_rng(7).integers(0, 2**64, len(given_weights), dtype=np.uint64)
    table = np.array(given_weights)[:, None]
    winner = np.empty(50, np.uint16)
    race(places, keys, table, winner)
    varied = np.empty(50, np.uint16)
    race(places, keys, np.broadcast_to(table, (len(keys), 50)).copy(), varied)
    np.testing.assert_array_equal(winner, varied)
    if not table.any():
        assert (winner == NOBODY).all()
        return
    assert (table[winner] > 0).all()
    for k in range(len(keys)):
        changed = table.copy()
        changed[k] = 0.0
        after = np.empty(50, np.uint16)
        race(places, keys, changed, after)
        np.testing.assert_array_equal(after[winner != k], winner[winner != k])


def test_shares_are_the_weights():
    placed = place(Layer("a", {OAK: 6, BIRCH: 3, PINE: 1}, 2.0))
    for patches in (None, Patches(12.0, 0.8)):
        placed = place(Layer("a", {OAK: 6, BIRCH: 3, PINE: 1}, 2.0, patches=patches))
        shares = np.bincount(placed.species, minlength=3) / len(placed)
        assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.012 if patches is None else 0.04)


def test_weights_by_fields_rule_where_a_species_stands():
    east = Field.of(lambda x, y: x / 300, range=(0, 1))
    placed = place(Layer("a", {OAK: east, BIRCH: 1 - east}, 2.0))
    for k, low in ((0, 0.0), (1, 1.0)):
        x = placed.of(k).xyz[:, 0]
        counts, edges = np.histogram(x, 6, (0, 300))
        of_all, _ = np.histogram(placed.xyz[:, 0], 6, (0, 300))
        middle = (edges[1:] + edges[:-1]) / 600
        assert counts / of_all == pytest.approx(np.abs(low - middle), abs=0.04)


def test_where_no_species_suits_nothing_stands_and_stands_reach_up_to_it():
    suits = Layer("a", {OAK: lambda x, y: np.where(x < 100, 2.0, 0.0), BIRCH: lambda x, y: 1.0 * (x < 140)}, 3.0)
    placed = place(suits)
    same = place(Layer("a", {OAK: 1, BIRCH: 1}, 3.0, [Only(lambda x, y: x < 140)]))
    np.testing.assert_array_equal(placed.xyz, same.xyz)
    assert (placed.species[placed.xyz[:, 0] >= 100] == 1).all()


# -- patches and territories -----------------------------------------------------------------


@pytest.mark.parametrize("patches", [None, Patches(15.0)])
def test_each_of_three_species_is_spread_over_the_whole(patches):
    """Case 13, with patches too: they are small beside the whole."""
    domain = Bounds(0, 0, 900, 900)
    placed = place(Layer("a", {OAK: 1, BIRCH: 1, PINE: 1}, 4.0, patches=patches), domain)
    for k in range(3):
        mean = placed.of(k).xyz[:, :2].mean(axis=0)
        assert np.abs(mean - 450).max() < 0.05 * 450
        quarter = (placed.of(k).xyz[:, :2] > 450) @ [1, 2]
        assert np.bincount(quarter) / len(quarter) == pytest.approx(np.full(4, 0.25), abs=0.035)


def like_neighbours(placed):
    """Return which share of nearest neighbours are of one species."""
    from scipy.spatial import KDTree

    _, nearest = KDTree(placed.xyz[:, :2]).query(placed.xyz[:, :2], k=2)
    return (placed.species[nearest[:, 1]] == placed.species).mean()


def test_species_gather_in_patches():
    share = [like_neighbours(place(Layer("a", {OAK: 1, BIRCH: 1}, 3.0, patches=p))) for p in (None, Patches(40, 0.8))]
    assert share[0] == pytest.approx(0.5, abs=0.03)
    # both of a pair follow their patch with chance 0.64, and most pairs stand in one patch; else it is a coin
    assert 0.75 < share[1] < 0.82


def test_pieces_of_a_mosaic_are_the_nearest_seeds_and_about_as_large_as_told():
    mosaic = Mosaic(10.0, seed=3)
    rng = np.random.default_rng(1)
    for x0, y0 in [(0.0, 0.0), (-3e6, 1e9)]:
        x, y = x0 + rng.uniform(0, 200, 4000), y0 + rng.uniform(0, 200, 4000)
        pieces = mosaic.at(x, y)
        seeds = np.unique(np.column_stack([pieces.x, pieces.y]), axis=0)
        distance = np.hypot(seeds[:, 0] - x[:, None], seeds[:, 1] - y[:, None])
        own = np.hypot(pieces.x - x, pieces.y - y)
        assert (own <= distance.min(axis=1) + 1e-6).all()
        assert len(np.unique(pieces.id)) == len(seeds) == pytest.approx(430, abs=60)


def test_a_radius_a_species_is_kept_by_both_of_a_pair_and_ground_is_shared_about_by_weight():
    radii = {"oak": 7.0, "birch": 4.0, "pine": 5.5}
    layer = Layer("a", {OAK: 1, BIRCH: 1, PINE: 1}, radii)
    placed = place(layer, Bounds(0, 0, 350, 350))
    own = np.array(list(radii.values()))[placed.species]
    np.testing.assert_array_equal(placed.radius, own.astype(np.float32))
    dx, dy = (placed.xyz[:, k, None] - placed.xyz[:, k] for k in (0, 1))
    apart = np.sqrt(dx * dx + dy * dy)
    np.fill_diagonal(apart, np.inf)
    assert (apart >= np.maximum(own, own[:, None])).all()
    ground = np.array([(own[placed.species == k] ** 2).sum() for k in range(3)])
    assert ground / ground.sum() == pytest.approx([1 / 3] * 3, abs=0.07)


def test_equal_radii_are_one_radius():
    one, other = (place(Layer("a", {OAK: 1, BIRCH: 1}, r)) for r in (4.0, {"oak": 4.0, "birch": 4}))
    assert one == other


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(("bad", "shown"), [(np.nan, "nan"), (-2.0, "-2.0"), (np.inf, "inf")])
@pytest.mark.parametrize("radius", [4.0, {"oak": 4.0, "birch": 6.0}])
def test_a_weight_that_cannot_be_used_names_its_place(bad, shown, radius):
    from weald.fields import raster
    from weald.geometry import Grid

    def weight(x, y):
        return np.where(x < 200, 1.0, bad)

    if shown == "nan":
        heights = np.ones((31, 31))
        heights[:, 20:] = np.nan
        weight = raster(Grid(0, 0, 10, 31, 31), heights)
    with pytest.raises(InputError, match=rf"layer 'a': the weight of 'oak' is {shown} at x = \d+.*, y = \d+.*; give a"):
        place(Layer("a", {OAK: weight, BIRCH: 1}, radius))
    # where the rules exclude the place, nobody asks
    assert len(place(Layer("a", {OAK: weight, BIRCH: 1}, radius, [Only(lambda x, y: x < 180)]))) > 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "patches: size is 0; give a finite number of metres above 0"),
        ({"size": 9, "purity": 1.5}, "patches: purity is 1.5; give a share from 0 to 1"),
    ],
)
def test_patches_that_cannot_be(options, message):
    with pytest.raises(InputError) as raised:
        Patches(**options)
    assert str(raised.value) == message
