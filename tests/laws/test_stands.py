"""The laws of the design, for every kind of stand. None has a tolerance."""

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stands import KINDS, MATRIX, SIDE, TREES, flat, place
from weald._version import ALGORITHM
from weald.geometry import Bounds
from weald.sampling import plane
from weald.scatter import growth, soft
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.rules import Only
from weald.scatter.scatter import scatter
from weald.scatter.soft import Soft

GOLDEN = Path(__file__).parents[1] / "golden" / "stands.json"
ORIGINS = [(0.0, 0.0), (-1e6, 7e5), (1e9, -1e9)]


@functools.cache
def whole(kind, origin=(0.0, 0.0)):
    return place(kind, origin)


def assert_crops(kind, origin, window):
    part = place(kind, origin, window)
    for name, placed in whole(kind, origin).items():
        assert part[name] == placed.inside(window)


# -- window ----------------------------------------------------------------------------------


@settings(max_examples=12)
@given(st.sampled_from(ORIGINS), st.floats(-10, SIDE), st.floats(-10, SIDE), st.floats(0.5, 40), st.floats(0.5, 40))
@pytest.mark.parametrize("kind", KINDS)
def test_any_window_is_the_crop_of_the_whole(kind, origin, dx, dy, width, depth):
    x, y = origin[0] + dx, origin[1] + dy
    assert_crops(kind, origin, Bounds(x, y, x + width, y + depth))


@pytest.mark.parametrize("kind", KINDS)
def test_windows_of_the_endless_plane(kind):
    one, other = Bounds(-20, 1000, 25, 1040), Bounds(5, 1010, 50, 1060)
    both = one.intersection(other)
    parts = [place(kind, window=window, endless=True) for window in (one, other)]
    for name in parts[0]:
        assert len(parts[0][name].inside(both)) > 0
        assert parts[0][name].inside(both) == parts[1][name].inside(both)


@pytest.mark.parametrize("kind", ["soft", "soft with a radius by a field", "soft and thinned"])
@pytest.mark.parametrize("halo", [0.0, 1.0])
def test_the_halo_of_softening_is_a_matter_of_speed(kind, halo, monkeypatch):
    """A halo of nothing leaves everything in doubt: doubled from one radius on, it must still be found out."""
    whole(kind)
    monkeypatch.setattr(soft, "HALO", max(halo, 1e-3))
    for window in (Bounds(20, 20, 60, 70), Bounds(0, 80, 15, SIDE)):
        assert_crops(kind, (0.0, 0.0), window)


def test_what_is_known_beforehand_is_a_matter_of_speed(monkeypatch):
    expected = {kind: whole(kind) for kind in KINDS if kind.startswith("kept")}
    monkeypatch.setattr(growth.Growth, "asked_beyond", property(lambda self: 0.0))
    for kind in expected:
        assert_crops(kind, (0.0, 0.0), Bounds(30, 40, 60, 55))


@pytest.mark.parametrize("kind", ["kept off by species", "soft", "a radius a species, in patches", "clumps"])
def test_any_number_of_threads(kind, monkeypatch):
    for name in ("TILE", "TILE_VARIED"):
        monkeypatch.setattr(plane, name, 24)  # so that there is work for many threads
    assert place(kind, threads=4) == place(kind, threads=1)


# -- spacing ---------------------------------------------------------------------------------


def distances(one, other):
    dx, dy = (one.xyz[:, k, None] - other.xyz[:, k] for k in (0, 1))
    return np.sqrt(dx * dx + dy * dy)


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_pair_is_nearer_than_the_larger_radius(kind, origin):
    placed = whole(kind, origin)["a"]
    assert len(placed) > 80
    radius = placed.radius.astype(np.float64)
    least = np.maximum(radius, radius[:, None])
    if kind in ("sizes", "filled, sizes"):  # between classes half the sum; rounded down in float32
        least = (radius + radius[:, None]) / 2
    elif kind.startswith("sizes"):
        least[:] = radius.min()
    apart = distances(placed, placed)
    np.fill_diagonal(apart, np.inf)
    assert (apart >= least).all()
    assert apart.min() < 1.5 * radius.min()  # and they do get about that near


@pytest.mark.parametrize("seed", [1, 2, "three"])
def test_clearances_by_brute_force_over_all_pairs(seed):
    layers = {layer.name: layer for layer in KINDS["kept off by species"]}
    placed = place("kept off by species", seed=seed)
    names = list(layers)
    close = 0
    for a, name in enumerate(names):
        for other in names[:a]:
            apart = distances(placed[name], placed[other])
            for k, new in enumerate(placed[name].species_table):
                for m, old in enumerate(placed[other].species_table):
                    least = MATRIX.between(layers[name], new, layers[other], old)
                    pairs = apart[np.ix_(placed[name].species == k, placed[other].species == m)]
                    reach = least * placed[other].of(m).scale.astype(np.float64)
                    assert (pairs >= reach).all()
                    close += (pairs < 1.2 * reach).any() and least > 0
    assert close >= 4  # kinds of pairs do get near, and each by its own distance


# -- independence ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["strict", "patches", "soft", "sizes", "clumps", "density by a field", "kept off by distance"]
)
def test_a_weight_moves_nothing_and_turns_places_to_or_from_its_species_only(kind):
    before = whole(kind)
    layers = [replace(one, species={s: 5.0 if k == 1 else w for k, (s, w) in enumerate(one.species.items())})
              if len(one.species) == 3 else one for one in KINDS[kind]]  # fmt: skip
    after = place(layers)
    changed = 0
    for name in before:
        for part in ("id", "xyz", "radius"):
            np.testing.assert_array_equal(getattr(before[name], part), getattr(after[name], part))
        other = before[name].species != after[name].species
        assert (after[name].species[other] == 1).all()  # its weight has grown
        changed += other.sum()
    assert changed > 5


def test_a_new_species_takes_places_and_moves_none():
    before = whole("patches")["a"]
    more = replace(KINDS["patches"][0], species={**TREES, replace(next(iter(TREES)), name="ash"): 2.0})
    after = place([more])["a"]
    np.testing.assert_array_equal(before.xyz, after.xyz)
    other = before.species != after.species
    assert 0.2 < other.mean() < 0.6
    assert (after.species[other] == 3).all()


def test_thinning_a_soft_stand_moves_no_survivor():
    full, thinned = whole("soft")["a"], whole("soft and thinned")["a"]
    stays = np.isin(full.id, thinned.id)
    assert 0.2 < stays.mean() < 0.8
    np.testing.assert_array_equal(full.xyz[stays], thinned.xyz)


def test_two_layers_under_one_seed_do_not_know_of_each_other():
    """Two layers that differ in nothing but their names stand as two worlds would: no pull, and no push."""
    layers = [Layer(name, TREES, 2.0) for name in ("one", "two")]
    placed = scatter(layers, flat, Bounds(0, 0, 300, 300), 5, clearances=Clearances(default=0.0))
    one, two = placed.values()
    xy = two.xyz[:, :2]
    inner = Bounds(4, 4, 296, 296).contains(xy[:, 0], xy[:, 1])
    within = [(one.index(1.0).within(xy[inner, 0], xy[inner, 1], r)).mean() for r in (0.2, 0.5, 1.0)]
    density = len(one) / 9e4  # discs about points 2 m apart do not overlap below 1 m: shares of ground are exact
    assert within == pytest.approx([density * np.pi * r * r for r in (0.2, 0.5, 1.0)], rel=0.06)


# -- locality --------------------------------------------------------------------------------

REACH = {
    "strict": (Layer("a", TREES, 2.0), 6 * 2.0),
    "soft": (Layer("a", TREES, 2.0, soft=Soft(0.5, 0.2)), 6 * 1.0 + 6 * 2.0),
    "clumps": (Layer("a", TREES, 2.0, clumps=Clumps(20, 9, between=0.3)), 6 * 2.0),
    "sizes": (Layer("a", TREES, 1.5, sizes=[Size(2.0, 0.6), Size(1.0)]), 6 * 3.9 + 6 * 1.5 + 2.3),
    "patches": (Layer("a", TREES, 2.0, patches=Patches(25)), 6 * 2.0),
    "a radius a species": (Layer("a", TREES, {"oak": 3.5, "birch": 2.0, "pine": 2.5}), 6 * 3.5),
}


@pytest.mark.parametrize("kind", REACH)
def test_a_road_changes_nothing_beyond_the_stated_reach(kind):
    """Six radii a layer, a size class or a softening, added up. docs/scatter.md tells what was measured."""
    layer, reach = REACH[kind]
    layer = replace(layer, edge="fill")
    road = Only(_Off(60.0, 64.0))
    for seed in (1, 2):
        before, after = (place([one], seed=seed)["a"] for one in (layer, replace(layer, rules=[road])))
        gone = np.setxor1d(before.id, after.id)
        both = np.concatenate([before.xyz, after.xyz])[np.isin(np.concatenate([before.id, after.id]), gone)]
        assert len(gone) > 20
        away = np.maximum(60.0 - both[:, 0], both[:, 0] - 64.0).max()
        assert 0 < away <= reach


@pytest.mark.parametrize("kind", KINDS)
def test_a_natural_edge_moves_nothing(kind):
    """What stands off a road stood there without the road: the stand has grown first, and is then cut."""
    *others, layer = KINDS[kind]
    layer = replace(layer, edge="natural")
    road = replace(layer, rules=[*layer.rules, Only(_Off(60.0, 64.0))])
    without, cut = (place([*others, one])["a"] for one in (layer, road))
    x = without.xyz[:, 0]
    beside = (x < 60.0) | (x >= 64.0)
    assert 0 < len(cut) < len(without)
    np.testing.assert_array_equal(cut.id, without.id[beside])
    np.testing.assert_array_equal(cut.xyz, without.xyz[beside])
    np.testing.assert_array_equal(cut.species, without.species[beside])


@pytest.mark.parametrize("kind", ["strict", "density", "soft", "clumps", "sizes", "patches", "a radius a species"])
def test_a_natural_edge_of_the_world_moves_nothing(kind):
    """A layer of a world is the crop of that of the endless plane, as long as nothing but its radius shapes it."""
    layers = [replace(KINDS[kind][-1], edge="natural")]
    bounded, endless = (place(layers, window=Bounds(0, 0, SIDE, SIDE), endless=endless) for endless in (False, True))
    assert bounded == endless


class _Off:
    """True outside a strip from south to north."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, x, y):
        return (x < self.low) | (x >= self.high)


# -- stability -------------------------------------------------------------------------------


def golden_stands():
    stands = {}
    for kind in KINDS:
        placed = place(kind, window=Bounds(30, 40, 110, 110))["a"]
        stands[kind] = [
            [int(i), int(s), float(x).hex(), float(y).hex()]
            for i, s, x, y in zip(placed.id, placed.species, *placed.xyz[:, :2].T, strict=True)
        ][:6]
    return stands


def test_golden_vectors():
    """Changed results need a new ALGORITHM: then run ``python -m tests.golden.regenerate stands``."""
    golden = json.loads(GOLDEN.read_text())
    assert golden.pop("algorithm") == ALGORITHM
    assert golden == golden_stands()
    assert all(len(stand) >= 3 for stand in golden.values())
