"""Varying radii and blockers: the oracle, the laws, the errors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import weald
from tests import naive
from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling import plane, probing, varying
from weald.sampling.classes import Radius, RadiusClass
from weald.sampling.extent import Extent
from weald.sampling.fixed import Known
from weald.sampling.lattice import Lattice
from weald.sampling.poisson import poisson_disk

BOX = (0, 0, 120, 90)


def smooth(x, y):
    return 3 + 2 * np.sin(x / 20) * np.cos(y / 25)


def steps(x, y):
    return np.where(x < 70, 1.0, np.where(y < 45, 20.0, 4.7))


def rough(x, y):
    return 10 + 9 * np.sin(x / 7) * np.cos(y / 9)


def one_or_twice(x, y):
    """Radii of the least and of exactly twice that, side by side: one class holds both."""
    return np.where(np.floor(x / 13) % 2 == np.floor(y / 9) % 2, 2.5, 5.0)


FIELDS = {
    "smooth": (smooth, (1, 5)),
    "steps": (steps, (1, 20)),
    "rough": (rough, (1, 19)),
    "one or twice": (one_or_twice, (2.5, 5)),
}
fields = pytest.mark.parametrize(("radius", "limits"), FIELDS.values(), ids=FIELDS)


def pairs_that_conflict(points):
    """Look at every pair, in float64, without a tolerance."""
    xy, radius = points.xy, points.radius
    found = 0
    for k in range(len(xy) - 1):
        d = xy[k + 1 :] - xy[k]
        found += int((np.sqrt((d * d).sum(axis=1)) < np.maximum(radius[k], radius[k + 1 :])).sum())
    return found


def uncovered(points, places, radius):
    """Return which places lie at least the larger radius from every point."""
    tree = cKDTree(points.xy)
    candidates = np.flatnonzero(tree.query(places)[0] >= radius)
    holes = []
    for k in candidates:
        near = tree.query_ball_point(places[k], points.radius.max())
        gap = np.hypot(*(points.xy[near] - places[k]).T)
        if (gap >= np.maximum(points.radius[near], radius[k])).all():
            holes.append(k)
    return holes


def same(points, expected):
    np.testing.assert_array_equal(points.xy, expected.xy)
    np.testing.assert_array_equal(points.id, expected.id)
    np.testing.assert_array_equal(points.radius, expected.radius)


def test_equals_throwing_every_dart_in_order():
    def radius(x, y):
        return 1.1 if x < 3 else (2.6 if y < 4 else 5.5)

    low, domain = 1.0, (-2.0, -1.0, 14.0, 12.5)
    varied = Radius(np.vectorize(radius, otypes=[float]), low, 6.0)
    key = hashing.key("oracle")
    unit = Lattice.for_radius(low).unit
    with pytest.MonkeyPatch.context() as patch:
        original = plane.Rules
        patch.setattr(varying, "Rules", lambda *a, **k: original(*a, **k, depth=3))
        box = Bounds(*domain)
        xy, _, _ = varying.sample_varying(varied, key, box, box, None, None, 1)
    keys = [hashing.key(key, "class", number) for number in range(3)]
    oracle = naive.poisson_disk_varying(keys, unit, domain, 3, radius, low)
    got = sorted(map(tuple, np.rint(xy / unit).astype(int).tolist()))
    assert len(got) > 30
    assert got == sorted((x, y) for _, x, y in oracle)


@fields
def test_spacing_is_exact(radius, limits):
    points = poisson_disk(BOX, radius, radius_range=limits, seed=1)
    assert pairs_that_conflict(points) == 0
    np.testing.assert_array_equal(points.radius, np.clip(radius(*points.xy.T), *limits))
    assert len(set(points.id.tolist())) == len(points)


@fields
def test_nothing_more_fits_on_a_fine_grid(radius, limits):
    points = poisson_disk(BOX, radius, radius_range=limits, seed=2)
    x, y = np.meshgrid(np.linspace(0, 120, 601)[:-1], np.linspace(0, 90, 451)[:-1])
    places = np.column_stack([x.ravel(), y.ravel()])
    assert uncovered(points, places, np.clip(radius(*places.T), *limits)) == []


@fields
@pytest.mark.parametrize("allowed", [None, lambda x, y: np.sin(x / 9) * np.cos(y / 8) > 0])
def test_any_window_is_the_crop_of_the_whole(radius, limits, allowed):
    whole = poisson_disk(None, radius, radius_range=limits, seed=2, window=(-60, -40, 90, 80), allowed=allowed)
    for window in [(0, 0, 50, 50), (-60, -40, -30, 60), (40, 20, 44, 24)]:
        part = poisson_disk(None, radius, radius_range=limits, seed=2, window=window, allowed=allowed, threads=1)
        inside = Bounds(*window).contains(*whole.xy.T)
        order, other = np.argsort(whole.id[inside]), np.argsort(part.id)
        np.testing.assert_array_equal(whole.xy[inside][order], part.xy[other])
        np.testing.assert_array_equal(whole.id[inside][order], part.id[other])


@pytest.mark.parametrize(("tile", "halo"), [(50, 3), (100, 0), (384, 20)])
def test_tiles_halos_and_threads_do_not_matter(monkeypatch, tile, halo):
    expected = poisson_disk(BOX, smooth, radius_range=(1, 5), seed=4, threads=1)
    for name in ("TILE", "TILE_VARIED"):
        monkeypatch.setattr(plane, name, tile)
    monkeypatch.setattr(plane, "HALO_VARIED", halo)
    other = poisson_disk(BOX, smooth, radius_range=(1, 5), seed=4, threads=8)
    assert set(zip(expected.id.tolist(), map(tuple, expected.xy.tolist()), strict=True)) == set(
        zip(other.id.tolist(), map(tuple, other.xy.tolist()), strict=True)
    )


@settings(max_examples=15)
@given(st.sampled_from([0.0, -1e6, 3e8]), st.floats(0.5, 4), st.floats(1, 30), st.integers())
def test_far_places_and_any_range(corner, low, spread, seed):
    high = low * spread

    def radius(x, y):
        return low + (high - low) * (0.5 + 0.5 * np.sin((x - corner) / (3 * high)))

    box = (corner, corner, corner + 12 * high, corner + 8 * high)
    points = poisson_disk(box, radius, radius_range=(low, high), seed=seed)
    assert len(points) > 10
    assert pairs_that_conflict(points) == 0


def test_a_constant_function_is_as_good_as_a_number():
    points = poisson_disk(
        None, lambda x, y: np.full(x.shape, 1.9), radius_range=(1, 50), seed=1, window=(0, 0, 300, 300)
    )
    assert len(points) * math.pi / 4 * 1.9**2 / 300**2 == pytest.approx(0.547, abs=0.004)


def test_a_field_brings_its_range():
    field = weald.perlin(3, 0.02) * 2 + 4
    points = poisson_disk((0, 0, 100, 100), field, seed=1)
    assert pairs_that_conflict(points) == 0
    assert points.radius.min() < 3.5
    assert points.radius.max() > 4.5


def test_radius_beyond_the_domain():
    points = poisson_disk((0, 0, 5, 5), lambda x, y: 40.0 + x, radius_range=(1, 100), seed=1)
    assert len(points) == 1
    assert points.radius[0] == 40.0 + points.xy[0, 0]


def test_cells_are_opened_alike_in_any_box():
    of_class = RadiusClass(Radius(rough, 1.0, 19.0), 1, Lattice.for_radius(1.0), None, 7)
    big = Extent(-60, -50, 70, 80)
    whole = of_class.opening(big).over(big)
    assert 0.02 < whole.wanted.mean() < 0.9
    for box in [Extent(-10, -10, 20, 20), Extent(33, -50, 34, -20), Extent(5, 5, 6, 6)]:
        rows, columns = slice(box.ymin + 50, box.ymax + 50), slice(box.xmin + 60, box.xmax + 60)
        part = of_class.opening(box).over(box)
        np.testing.assert_array_equal(part.wanted, whole.wanted[rows, columns])
        np.testing.assert_array_equal(part.sure, whole.sure[rows, columns])
        np.testing.assert_array_equal(part.step[part.wanted], whole.step[rows, columns][part.wanted])


def islands(x, y):
    return 10 + 9 * np.sin(x / 70) * np.cos(y / 90)


def test_spots_hold_all_that_is_wanted_and_do_not_overlap():
    of_class = RadiusClass(Radius(islands, 1.0, 19.0), 0, Lattice.for_radius(1.0), None, 7)
    box = Extent(-500, -300, 900, 1000)
    spots = of_class.spots(box, of_class.outline(box.grown(30)), 20)
    wanted = of_class.opening(box).over(box).wanted
    held = np.zeros(box.shape, int)
    for spot in spots:
        assert spot.intersection(box) == spot
        held[spot.ymin + 300 : spot.ymax + 300, spot.xmin + 500 : spot.xmax + 500] += 1
    assert held.max() == 1
    assert held[wanted].min() == 1
    assert len(spots) > 4
    assert held.mean() < 0.5


@pytest.mark.parametrize("window", [(-400, -300, 300, 400), (-80, -60, 500, 450)])
def test_spots_leave_the_order_alone(window):
    whole = poisson_disk(None, islands, radius_range=(1, 19), seed=3, window=(-500, -400, 600, 500))
    part = poisson_disk(None, islands, radius_range=(1, 19), seed=3, window=window)
    inside = Bounds(*window).contains(*whole.xy.T)
    same(part, weald.PointSet(whole.xy[inside], whole.radius[inside], whole.id[inside], 3))


def around(values, row, column):
    """Return the numbers among an entry and its eight neighbours."""
    part = values[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    return part[~np.isnan(part)]


def test_probes_speak_for_their_cell_and_its_neighbours():
    rng = np.random.default_rng(3)
    kept, radius = rng.random((13, 17)) < 0.5, 1 + 4 * rng.random((13, 17, 2, 2))
    probes = radius[kept].ravel()
    least = np.where(kept, radius.min(axis=(2, 3)), np.nan)
    near = np.empty(kept.shape, bool)
    box = probing.narrow(kept, probes, 1.3, near)
    expected = np.array([[kept[j, i] and around(least, j, i).min() < 1.3 for i in range(17)] for j in range(13)])
    np.testing.assert_array_equal(near, expected)
    rows, columns = np.flatnonzero(expected.any(axis=1)), np.flatnonzero(expected.any(axis=0))
    assert box == (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
    assert 20 < near.sum() < kept.sum()

    found = np.empty((28, 36))
    probing.spread(kept, 2, probes, 0, 0, found)
    parts = np.where(kept[:, :, None, None], radius, np.nan).swapaxes(1, 2).reshape(26, 34)
    np.testing.assert_array_equal(found[1:-1, 1:-1], parts)
    finer = np.repeat(np.repeat(kept, 2, axis=0), 2, axis=1)
    wanted, sure, step = np.empty((26, 34), bool), np.empty((26, 34), bool), np.empty((26, 34), np.uint8)
    probing.decide(finer, found, 1.4, 2.8, wanted, sure, step)
    for j, i in np.argwhere(finer):
        radii = around(parts, j, i)
        assert wanted[j, i] == (radii.max() >= 1.4 and radii.min() < 2.8)
        assert sure[j, i] == (radii.min() >= 1.4 and radii.max() < 2.8)
        if wanted[j, i]:
            assert step[j, i] == max(0, int((radii.min() / 1.4 - 1) * 8))
    assert not wanted[~finer].any()
    assert not sure[~finer].any()


def test_known_discs_are_found_in_any_box():
    rng = np.random.default_rng(4)
    xy, radius = rng.random((2_000, 2)) * (30, 20) - 5, rng.random(2_000)
    xy[:3, 1] = -5, 0, 14.999
    known = Known(lambda box: pytest.fail("what is known is not looked for"), 1.0)
    known.know(Bounds(-5, -5, 25, 15), (xy, radius))
    for box in [Bounds(-5, -5, 25, 15), Bounds(0, 0, 3, 0.01), Bounds(-5, 14.9, 25, 15), Bounds(1, 2, 9, 13)]:
        found, size = known.within(box)
        inside = box.contains(*xy.T)
        assert sorted(zip(found.tolist(), size.tolist(), strict=True)) == sorted(
            zip(xy[inside].tolist(), radius[inside].tolist(), strict=True)
        )


# -- blockers --------------------------------------------------------------------------------


def blockers(seed=0, n=300):
    rng = np.random.default_rng(seed)
    return rng.random((n, 2)) * (160, 130) - 20, rng.random(n) * 6


@pytest.mark.parametrize("radius", [2.0, 0.9, smooth])
def test_blockers_repel_by_the_larger_radius_and_all_else_is_filled(radius):
    xy, size = blockers()
    limits = (1, 5) if callable(radius) else None
    points = poisson_disk(BOX, radius, radius_range=limits, seed=3, blockers=(xy, size))
    gap = np.hypot(points.xy[:, None, 0] - xy[:, 0], points.xy[:, None, 1] - xy[:, 1])
    assert (gap >= np.maximum(points.radius[:, None], size)).all()
    assert pairs_that_conflict(points) == 0
    rng = np.random.default_rng(5)
    places = rng.random((3_000, 2)) * (120, 90)
    wanted = np.clip(radius(*places.T), *limits) if limits else np.full(len(places), radius)
    free = (
        np.hypot(places[:, None, 0] - xy[:, 0], places[:, None, 1] - xy[:, 1]) >= np.maximum(wanted[:, None], size)
    ).all(1)
    left = uncovered(points, places[free], wanted[free] * (1 + 2**-14))
    assert free.sum() > 10
    assert left == []


def test_blockers_obey_the_window_law_and_may_be_a_point_set():
    stand = poisson_disk(None, 6, seed=1, window=(-50, -50, 150, 150))
    trees = weald.PointSet(stand.xy, stand.radius / 2, stand.id, 1)
    whole = poisson_disk(None, 2, seed=2, window=(0, 0, 100, 100), blockers=trees)
    part = poisson_disk(None, 2, seed=2, window=(30, 10, 70, 90), blockers=trees)
    inside = Bounds(30, 10, 70, 90).contains(*whole.xy.T)
    np.testing.assert_array_equal(whole.xy[inside], part.xy)
    assert cKDTree(trees.xy).query(whole.xy)[0].min() >= 3
    assert len(whole) > 300


def test_far_and_no_blockers_change_nothing():
    plain = poisson_disk(BOX, 2, seed=1)
    same(poisson_disk(BOX, 2, seed=1, blockers=(np.empty((0, 2)), 1.0)), plain)
    same(poisson_disk(BOX, 2, seed=1, blockers=([[1e5, 0]], [3.0])), plain)


def test_blockers_do_not_hang_on_what_was_in_memory(monkeypatch):
    rng = np.random.default_rng(0)
    arguments = {"bounds": (0, 0, 60, 50), "radius": 0.9, "seed": 3}
    arguments["blockers"] = rng.random((300, 2)) * (60, 50), rng.random(300) * 1.5
    expected = poisson_disk(**arguments, threads=1)

    def filled(shape, dtype=float):
        return np.full(shape, (1 << 22) * (dtype is np.int64), dtype)  # of places and radii: a disc of 64 cells

    monkeypatch.setattr(np, "empty", filled)
    same(poisson_disk(**arguments, threads=1), expected)


def test_dense_blockers_leave_no_room():
    x, y = np.meshgrid(np.arange(-2, 123, 0.5), np.arange(-2, 93, 0.5))
    points = poisson_disk(BOX, 2, seed=1, blockers=(np.column_stack([x.ravel(), y.ravel()]), 0.0))
    assert len(points) == 0


# -- errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"radius": smooth}, "radius_range: radius is a function; give its smallest"),
        ({"radius": smooth, "radius_range": (0, 3)}, r"radius_range: got \(0.0, 3.0\)"),
        ({"radius": smooth, "radius_range": (3, 1)}, r"radius_range: got \(3.0, 1.0\)"),
        ({"radius": smooth, "radius_range": (1, math.nan)}, "radius_range: got"),
        ({"radius": smooth, "radius_range": 3}, "radius_range: got 3"),
        ({"radius": smooth, "radius_range": "19"}, "radius_range: got '19'"),
        ({"radius": smooth, "radius_range": (1, "9")}, "radius_range: got .*'9'"),
        ({"radius": smooth, "radius_range": (True, 9)}, "radius_range: got"),
        (
            {"radius": smooth, "radius_range": (1e-3, 1), "bounds": None, "window": (0, 1e12, 1, 1e12 + 1)},
            "window: 1000000000000.0 is more than",
        ),
        ({"radius": smooth, "radius_range": (1e-3, 1e3)}, "spans a factor of 1e"),
        ({"radius": 2.0, "radius_range": (1, 3)}, "radius_range: .* radius is a number"),
        ({"radius": weald.perlin(1, 0.1)}, "radius_range: got"),
        ({"radius": lambda x, y: np.where(x > 20, np.nan, 2.0), "radius_range": (1, 3)}, r"returned NaN at \("),
        ({"radius": lambda x, y: np.ones(3), "radius_range": (1, 3)}, r"radius: .* shape \(3,\)"),
        ({"radius": lambda x, y: x > 1, "radius_range": (1, 3)}, "radius: the function returned bool"),
        ({"blockers": 3}, "blockers: got int"),
        ({"blockers": ([[0, 0, 0]], 1)}, "blockers: got tuple"),
        ({"blockers": ([[0, 0]], [1, 2, 3])}, "blockers: got tuple"),
        ({"blockers": ([[0, 0], [1, math.nan]], 1)}, r"blockers: number 1 stands at \(1.0, nan\)"),
        ({"blockers": ([[0, 0]], -1)}, "blockers: number 0 .* radius -1.0"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        poisson_disk(**{"bounds": (0, 0, 50, 50), "radius": 1.0, "seed": 1, **arguments})
