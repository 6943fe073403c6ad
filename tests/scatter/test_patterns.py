"""Patterns beyond maximal: soft spacing, cover, densities, clumps and size classes, each measured."""

import math

import numpy as np
import pytest

from tests.stands import BIRCH, FERN, OAK, flat
from weald import hashing, poisson_disk
from weald.errors import InputError
from weald.fields import Field, raster
from weald.geometry import Bounds, Grid
from weald.sampling import quality
from weald.sampling.asked import SATURATION
from weald.scatter.clumps import Clumped, Clumps
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.rules import Ramp
from weald.scatter.scatter import scatter
from weald.scatter.soft import Soft, soften

FIELD = Bounds(0, 0, 400, 400)
EAST = Field.of(lambda x, y: np.clip(x / 400, 0, 1), range=(0, 1))


def place(seed=1, domain=FIELD, **options):
    layer = Layer("a", **{"species": {OAK: 1}, "radius": 4.0, **options})
    return scatter([layer], flat, domain, seed)["a"]


def evenness(placed):
    return quality.clark_evans(placed.xyz[:, :2], FIELD, correction="donnelly")


def saturated(radius, domain=FIELD):
    return SATURATION * domain.area / radius**2


def columns(placed):
    return np.histogram(placed.xyz[:, 0], 8, (0, 400))[0]


STRICT = place()


# -- density and cover -----------------------------------------------------------------------


def test_a_density_is_met():
    assert len(place(radius=None, density=300.0)) == pytest.approx(300 * 16, rel=0.02)
    field = place(radius=None, density=EAST * 400)
    middle = (np.arange(8) + 0.5) / 8
    assert columns(field) == pytest.approx(middle * 400 * 2, rel=0.12, abs=12)


def test_a_cover_is_met_and_stays_well_spread():
    for cover in (0.5, 0.2):
        thin = place(cover=cover)
        by_chance = place(rules=[Ramp(lambda x, y, cover=cover: np.full_like(x, cover), 0, 1)])
        assert len(thin) == pytest.approx(cover * saturated(4.0), rel=0.035)
        assert evenness(thin) > 1.4
        assert evenness(by_chance) < evenness(thin) - 0.15
    assert evenness(STRICT) > 1.4


def test_a_cover_by_a_field_is_met_down_to_nothing():
    field = place(cover=EAST)
    middle = (np.arange(8) + 0.5) / 8
    assert columns(field) == pytest.approx(middle * saturated(4.0) / 8, rel=0.12, abs=10)
    nothing = place(cover=lambda x, y: np.where(x < 200, 0.0, 1.0))
    assert nothing.xyz[:, 0].min() >= 200
    assert nothing.xyz[:, 0].min() < 203  # and up to the edge


# -- soft ------------------------------------------------------------------------------------


def closer_pairs(placed, radius):
    distance = quality.nearest_distances(placed.xyz[:, :2], FIELD)
    return (distance < radius).mean(), distance.min()


def test_soft_stands_have_some_closer_pairs_and_none_within_the_core():
    last = -1.0
    for closer in (0.0, 0.1, 0.3, 1.0):
        placed = place(soft=Soft(0.5, closer))
        share, least = closer_pairs(placed, 4.0)
        assert least >= 2.0
        assert share > last or share == 0.0 == closer
        last = share
    assert last == 1.0
    usual = place(soft=Soft(0.5, 0.2))
    assert 0.25 < closer_pairs(usual, 4.0)[0] < 0.75
    assert len(usual) == pytest.approx(len(STRICT), rel=0.1)
    assert 1.05 < evenness(usual) < evenness(STRICT) - 0.05


def test_the_pair_correlation_of_a_soft_stand_rises_within_the_radius():
    soft_stand = place(soft=Soft(0.5, 0.2))
    near, far = (pairs_within(soft_stand, low, high) for low, high in ((2.0, 3.9), (4.1, 6.0)))
    assert pairs_within(soft_stand, 0.0, 1.99) == 0
    assert 0.3 < near < 0.9 < far < 1.6
    assert pairs_within(STRICT, 0.0, 3.99) == 0
    assert pairs_within(STRICT, 4.0, 4.5) > 1.5


def pairs_within(placed, low, high):
    """Return the pair correlation between two distances: pairs found over pairs expected without any order."""
    from scipy.spatial import KDTree

    tree = KDTree(placed.xyz[:, :2])
    inner = placed.xyz[FIELD.grown(-high).contains(*placed.xyz[:, :2].T)][:, :2]
    counts = [tree.query_ball_point(inner, r, return_length=True).sum() - len(inner) for r in (low, high)]
    expected = len(inner) * len(placed) / FIELD.area * math.pi * (high**2 - low**2)
    return (counts[1] - counts[0]) / expected


def test_softening_is_what_its_definition_says():
    """The oracle: one candidate after the other, in the order of their hashes, against all that have stayed."""
    rule, seed, box = Soft(0.5, 0.3), 9, Bounds(0, 0, 60, 60)

    def candidates(part):
        return poisson_disk(box, 2.0, seed=5, window=(part.xmin, part.ymin, part.xmax, part.ymax))

    got = soften(rule, candidates, box, box, 4.0, seed)
    points = candidates(box)
    rank = hashing.mix_array(points.id, hashing.key(seed, "soft order"))
    draw = hashing.unit(points.id, seed, "soft")
    stay = np.zeros(len(points), bool)
    for k in np.argsort(rank):
        dx, dy = (points.xy[stay] - points.xy[k]).T
        stay[k] = draw[k] < 0.3 ** (np.sqrt(dx * dx + dy * dy) < 4.0).sum()
    np.testing.assert_array_equal(got.id, points.id[stay])
    assert 0.1 < stay.mean() < 0.6


# -- clumps ----------------------------------------------------------------------------------


def test_clumps_gather_around_their_middles():
    clumps = Clumps(40, 20, between=0.05)
    placed = place(radius=2.0, clumps=clumps)
    assert evenness(placed) < 0.95 * evenness(place(radius=2.0))
    middles = poisson_disk(None, 40.0, seed=clumped()._seed, window=(-60, -60, 460, 460))
    size = 20 * (0.5 + hashing.unit(middles.id, clumped()._seed, "size"))

    def share(x, y):
        dx, dy = middles.xy[:, 0] - x[:, None], middles.xy[:, 1] - y[:, None]
        return 0.05 + 0.95 * np.maximum(1 - (dx * dx + dy * dy) / (size * size), 0).max(axis=1) ** 2

    x, y = np.random.default_rng(3).uniform(0, 400, (2, 3000))
    np.testing.assert_allclose(clumped().share(x, y), share(x, y), rtol=0, atol=1e-12)
    # as many as the share says: with none between, few stand outside
    expected = share(x, y).mean() * saturated(2.0)
    assert len(placed) == pytest.approx(expected, rel=0.08)
    counts, _, _ = np.histogram2d(*placed.xyz[:, :2].T, bins=40)
    assert counts.var() / counts.mean() > 4  # white noise has 1


def clumped():
    return Clumped(Clumps(40, 20, between=0.05), hashing.key(1, "layer", "a"))


# -- sizes -----------------------------------------------------------------------------------


def test_sizes_large_ones_far_apart_and_small_ones_between():
    sizes = [Size(0.5, 0.6), Size(1.0, 0.5), Size(2.0, 0.5)]
    placed = place(radius=3.0, sizes=sizes)
    assert set(placed.radius.tolist()) == {6.0, 3.0, 1.5}
    large, middle, small = (placed.take(placed.radius == r) for r in (6.0, 3.0, 1.5))
    assert len(large) == pytest.approx(0.5 * saturated(6.0), rel=0.03)
    assert len(large) < len(middle) < len(small)
    assert quality.minimum_distance(large.xyz[:, :2], FIELD) >= 6 * math.sqrt(2)
    for one, other, least in ((middle, large, 4.5), (small, large, 3.75), (small, middle, 2.25)):
        near = one.index(3.0).within(other.xyz[:, 0], other.xyz[:, 1], least)
        assert not near.any()
        assert one.index(3.0).within(other.xyz[:, 0], other.xyz[:, 1], 1.05 * least).any()
    # the scale follows
    assert large.scale.mean() == pytest.approx(4 * small.scale.mean(), rel=0.05)
    assert large.scale.max() <= 2 * 1.2 + 1e-6
    assert len(np.unique(placed.id)) == len(placed)


def test_a_class_of_its_own_is_the_layer_scaled():
    one = place(sizes=[Size(1.0)])
    assert len(one) == pytest.approx(len(STRICT), rel=0.02)
    assert quality.minimum_distance(one.xyz[:, :2], FIELD) >= 4.0


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"density": 3.0}, "layer 'a': give a radius or a density, one of them"),
        ({"radius": None}, "layer 'a': give a radius, a density or a count"),
        (
            {"radius": None, "density": 0.0},
            "layer 'a': density is 0.0; give a finite number of instances a hectare above 0",
        ),
        (
            {"radius": {"oak": 3.0, "oack": 2.0}},
            "layer 'a': radius names 'oack', which is none of its species (did you mean 'oak'?)",
        ),
        ({"radius": {"oak": -3.0}}, "layer 'a': radius of 'oak' is -3.0; give a finite number of metres above 0"),
        (
            {"radius": {"oak": 3.0}, "species": {OAK: 1, BIRCH: 1}},
            "layer 'a': radius has no entry for 'birch'; give one for each species, or one number",
        ),
        ({"cover": -0.1}, "layer 'a': cover is -0.1; give a share from 0 to 1, or a Field"),
        ({"cover": 1.5}, "layer 'a': cover is 1.5; give a share from 0 to 1, or a Field"),
        ({"radius": "4"}, "layer 'a': radius is 4; give a finite number of metres above 0"),
        ({"radius": True}, "layer 'a': radius is True; give a finite number of metres above 0"),
        ({"species": {OAK: None}}, "layer 'a': the weight of 'oak' is None; give a finite number, 0 or more"),
        ({"radius_range": (1, 2)}, "layer 'a': radius_range is (1, 2), but radius is no function; leave it out"),
        (
            {"radius": EAST, "radius_range": (0, 2)},
            "layer 'a': radius_range is (0, 2); give 0 < smallest <= largest",
        ),
        ({"soft": Soft(), "sizes": [Size(1)]}, "layer 'a': soft and sizes are both given; give one of them"),
        ({"sizes": [Size(1), Size(1, 0.5)]}, "layer 'a': sizes have the factors [1, 1]; give each class its own"),
        (
            {"species": {OAK: 1, BIRCH: 1, OAK.__class__("oak", "bush", 1, 1, "#000000"): 2}},
            "layer 'a': species 'oak' is given twice; give each its own name",
        ),
    ],
)
def test_layers_that_cannot_be(given, message):
    with pytest.raises(InputError) as raised:
        place(**given)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Soft(core=1.0), "soft: core is 1.0; give a part of the radius, above 0 and below 1"),
        (lambda: Soft(closer=-0.1), "soft: closer is -0.1; give a chance from 0 to 1"),
        (lambda: Size(0.0), "size: factor is 0.0; give a finite number above 0"),
        (lambda: Size(1.0, 0.0), "size: cover is 0.0; give a share above 0, at most 1"),
        (lambda: Clumps(0.0, 3.0), "clumps: spacing is 0.0; give a finite number of metres above 0"),
        (lambda: Clumps(9.0, math.nan), "clumps: radius is nan; give a finite number of metres above 0"),
        (lambda: Clumps(9.0, 3.0, between=2.0), "clumps: between is 2.0; give a share from 0 to 1"),
        (
            lambda: Clumps(9.0, 3.0, vary=(2.0, 1.0)),
            "clumps: vary is (2.0, 1.0); give 0 < smallest <= largest, both finite",
        ),
    ],
)
def test_patterns_that_cannot_be(make, message):
    with pytest.raises(InputError) as raised:
        make()
    assert str(raised.value) == message


def test_fields_that_cannot_be_used():
    with pytest.raises(InputError, match=r"layer 'a': radius has the range \(0, inf\); give radius_range"):
        place(radius=lambda x, y: 3 + 0 * x)
    with pytest.raises(InputError, match=r"layer 'a': density has the range \(-inf, inf\); give a Field whose range"):
        place(radius=None, density=lambda x, y: 3 + 0 * x)
    with pytest.raises(InputError, match=r"radius lies between -1 and -1, all outside its radius_range \(4, 8\)"):
        place(radius=EAST * 0 - 1, radius_range=(4, 8))
    with pytest.raises(InputError, match=r"layer 'a': cover is 1\.5 at x = .*, y = .*; give a share from 0 to 1"):
        place(cover=lambda x, y: np.where(x > 350, 1.5, 0.5))
    heights = np.full((41, 41), 0.5)
    heights[:10] = np.nan
    cover = raster(Grid(0, 0, 10, 41, 41), heights)
    with pytest.raises(InputError, match=r"layer 'a': cover is nan at x = .*, y = .*; give a share from 0 to 1"):
        place(cover=cover)
    assert len(place(cover=cover, rules=[Ramp(lambda x, y: y, 120, 121)])) > 100
    with pytest.raises(InputError, match="layer 'a': density and cover both vary; fold the cover into the density"):
        place(radius=None, density=EAST * 100, cover=EAST)


def test_a_cover_of_nothing_is_nothing():
    assert len(place(cover=0.0)) == len(place(cover=0)) == 0


def test_everything_at_once():
    layers = [
        Layer(
            "a",
            {OAK: EAST, BIRCH: 1.0},
            {"oak": 6.0, "birch": 4.0},
            cover=0.8,
            patches=Patches(50),
            clumps=Clumps(60, 40),
        ),
        Layer("b", {FERN: 1}, density=EAST * 500, soft=Soft(0.4, 0.2)),
    ]
    whole = scatter(layers, flat, FIELD, 3)
    window = Bounds(100, 150, 170, 190)
    part = scatter(layers, flat, FIELD, 3, window=window)
    for name, placed in whole.items():
        assert len(placed) > 100
        assert part[name] == placed.inside(window)
