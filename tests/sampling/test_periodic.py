"""Tiles that repeat: spacing and coverage across the edges, in any window."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from tests import naive
from weald.errors import InputError
from weald.sampling import plane, torus
from weald.sampling.poisson import poisson_disk


def repeated(points, box, axes=(True, True)):
    size = np.array([box[2] - box[0], box[3] - box[1]])
    turns = [(-1, 0, 1) if repeats else (0,) for repeats in axes]
    return np.concatenate([points.xy + size * (i, j) for i in turns[0] for j in turns[1]])


BOXES = [
    ((0, 0, 100, 73.3), 4.0),
    ((-5, 17, 40.1, 61), 1.03),
    ((0, 0, 0.1, 0.3), 0.007),
    ((1e6, -1e6, 1e6 + 50, -1e6 + 33), 2),
]


@pytest.mark.parametrize(("box", "radius"), BOXES)
def test_spacing_and_coverage_across_the_edges(box, radius):
    points = poisson_disk(box, radius, seed=1, periodic=True)
    around = repeated(points, box)
    tree = cKDTree(around)
    assert tree.query(points.xy, k=2)[0][:, 1].min() >= radius
    places = np.array(box[:2]) + np.random.default_rng(0).random((200_000, 2)) * (box[2] - box[0], box[3] - box[1])
    assert tree.query(places)[0].max() < radius * (1 + 4e-5)
    assert (points.xy >= box[:2]).all()
    assert (points.xy < box[2:]).all()
    assert len(set(points.id.tolist())) == len(points)


@given(st.floats(10, 60), st.floats(10, 60), st.floats(-1e4, 1e4), st.integers())
def test_any_tile(width, depth, corner, seed):
    box = (corner, -corner, corner + width, -corner + depth)
    points = poisson_disk(box, 1.0, seed=seed, periodic=True)
    assert cKDTree(repeated(points, box)).query(points.xy, k=2)[0][:, 1].min() >= 1.0
    assert len(points) * math.pi / 4 / (width * depth) == pytest.approx(0.547, abs=0.04)


def test_density_is_that_of_the_plane():
    points = poisson_disk((0, 0, 300, 290), 1.0, seed=2, periodic=True)
    assert len(points) * math.pi / 4 / (300 * 290) == pytest.approx(0.547, abs=0.0015)


@pytest.mark.parametrize(("axis", "axes"), [("x", (True, False)), ("y", (False, True))])
def test_one_axis(axis, axes):
    box = (0, 0, 60, 47.7)
    points = poisson_disk(box, 1.5, seed=3, periodic=axis)
    assert cKDTree(repeated(points, box, axes)).query(points.xy, k=2)[0][:, 1].min() >= 1.5
    both = repeated(points, box)
    assert cKDTree(both).query(points.xy, k=2)[0][:, 1].min() < 1.5  # the other axis does not repeat
    places = np.random.default_rng(0).random((100_000, 2)) * (60, 47.7)
    assert cKDTree(repeated(points, box, axes)).query(places)[0].max() < 1.5 * (1 + 4e-5)


def test_windows_tiles_and_threads_do_not_matter(monkeypatch):
    box = (-7, 3, 83, 70.5)
    whole = poisson_disk(box, 1.2, seed=4, periodic=True)
    for window in [(0, 10, 30, 30), (-7, 3, 0, 70.5), (80, 60, 200, 200), (41, 41, 42.5, 42.5)]:
        part = poisson_disk(box, 1.2, seed=4, periodic=True, window=window)
        inside = ((whole.xy >= window[:2]) & (whole.xy < window[2:])).all(axis=1)
        np.testing.assert_array_equal(part.xy, whole.xy[inside])
        np.testing.assert_array_equal(part.id, whole.id[inside])
    monkeypatch.setattr(plane, "TILE", 30)
    other = poisson_disk(box, 1.2, seed=4, periodic=True, threads=8)
    assert set(map(tuple, other.xy.tolist())) == set(map(tuple, whole.xy.tolist()))


def test_a_mask_is_asked_inside_the_tile_only():
    def allowed(x, y):
        assert ((x >= 0) & (x < 50) & (y >= 0) & (y < 40)).all()
        return (x - 25) ** 2 + (y - 20) ** 2 > 100

    points = poisson_disk((0, 0, 50, 40), 1, seed=5, periodic=True, allowed=allowed)
    assert len(points) > 900
    assert allowed(*points.xy.T).all()
    assert cKDTree(repeated(points, (0, 0, 50, 40))).query(points.xy, k=2)[0][:, 1].min() >= 1


def test_a_small_tile_warns_and_still_holds():
    with pytest.warns(UserWarning, match="only 5 radii long in x"):
        points = poisson_disk((0, 0, 10, 40), 2, seed=6, periodic=True)
    assert cKDTree(repeated(points, (0, 0, 10, 40))).query(points.xy, k=2)[0][:, 1].min() >= 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        poisson_disk((0, 0, 20, 20), 2, seed=6, periodic=True)


# -- against every dart of the tile ----------------------------------------------------------


def thrown_in_order(rules, depth, discs=()):
    """Throw every dart of a tile in order of arrival; distances are those of the torus, in places."""
    metric = rules.torus
    size = [cell * period for cell, period in zip(metric.cell, metric.period, strict=True)]
    darts = []
    for j in range(metric.period[1]):
        for i in range(metric.period[0]):
            for number, time, x, y in naive.darts(rules.key, i, j, depth):
                if x < metric.cell[0] and y < metric.cell[1]:
                    darts.append((number, time, j, i, i * metric.cell[0] + x, j * metric.cell[1] + y))

    def square(a, b):
        away = [abs(p - q) % length for p, q, length in zip(a, b, size, strict=True)]
        return sum(min(d, length - d) ** 2 for d, length in zip(away, size, strict=True))

    kept = []
    for *_, x, y in sorted(darts):
        if all(square((x, y), disc) >= limit for *disc, limit in discs) and all(
            square((x, y), other) >= rules.lattice.conflict for other in kept
        ):
            kept.append((x, y))
    return sorted(kept)


@pytest.mark.parametrize("blocked", [False, True])
@pytest.mark.parametrize("box", [(0, 0, 6, 5), (-3.25, 7.5, 2.8, 13.9)])
def test_equals_throwing_every_dart_of_the_tile(monkeypatch, box, blocked):
    made = []
    original = torus.Rules

    def shallow(*arguments, **named):
        made.append(original(*arguments, **named, depth=4))
        return made[-1]

    monkeypatch.setattr(torus, "Rules", shallow)
    blockers, discs = None, []
    if blocked:  # one at the very corner: it reaches into all four; its place is on the lattice
        blockers = [box[:2]], [1.7]
    with pytest.warns(UserWarning, match="radii long"):
        points = poisson_disk(box, 1.0, seed=9, periodic=True, blockers=blockers)
    metric = made[0].torus
    if blocked:
        discs = [(0, 0, math.ceil(1.7 / min(metric.unit) * (1 + 1e-9)) ** 2 + 1)]
    got = np.rint((points.xy - metric.origin) / metric.unit).astype(int)
    expected = thrown_in_order(made[0], 4, discs)
    assert len(expected) > 10
    assert sorted(map(tuple, got.tolist())) == expected


# -- blockers and varying radii --------------------------------------------------------------

TILE = (-7, 3, 83, 70.5)


def waves(x, y):
    """Return radii that fit at the edges of the tile."""
    return 3 + 2 * np.sin((x + 7) / 90 * 4 * np.pi) * np.cos((y - 3) / 67.5 * 2 * np.pi)


def steps(x, y):
    """Return radii that do not: the tile has seams in its radius."""
    return np.where(x < 30, 1.0, np.where(y < 45, 5.0, 2.7))


def stones():
    rng = np.random.default_rng(0)
    return rng.random((60, 2)) * (90, 67.5) + (-7, 3), rng.random(60) * 8


def near(places, sizes, xy, radius, factor=1.0):
    """Return the pairs that are nearer than the larger radius, by the first's number, without a tolerance."""
    which, other = (
        cKDTree(places)
        .sparse_distance_matrix(cKDTree(xy), max(sizes.max(), radius.max()) + 1, output_type="coo_matrix")
        .coords
    )
    away = np.hypot(*(places[which] - xy[other]).T)
    return which[(away < np.maximum(sizes[which], radius[other]) * factor) & (away > 0)]


def too_near(points, xy, radius):
    return len(near(points.xy, points.radius, xy, radius))


def free(places, sizes, xy, radius):
    room = np.ones(len(places), bool)
    room[near(places, sizes, xy, radius, 1 + 1e-4)] = False
    return room


@pytest.mark.parametrize("blocked", [False, True])
@pytest.mark.parametrize(("periodic", "axes"), [(True, (True, True)), ("x", (True, False)), ("y", (False, True))])
@pytest.mark.parametrize(("radius", "limits"), [(waves, (1, 5)), (steps, (1, 5)), (1.2, None)])
def test_blockers_and_varying_radii_across_the_edges(radius, limits, periodic, axes, blocked):
    blockers = stones() if blocked else None
    points = poisson_disk(TILE, radius, radius_range=limits, seed=1, periodic=periodic, blockers=blockers)
    all_xy = repeated(points, TILE, axes)
    all_radii = np.tile(points.radius, len(all_xy) // len(points))
    assert too_near(points, all_xy, all_radii) == 0
    assert len(set(points.id.tolist())) == len(points)
    places = np.random.default_rng(3).random((8_000, 2)) * (90, 67.5) + (-7, 3)
    sizes = np.full(len(places), radius) if limits is None else np.clip(radius(*places.T), *limits)
    room = free(places, sizes, all_xy, all_radii)
    if blocked:
        xy = np.concatenate([blockers[0] + (90 * i, 67.5 * j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
        turns = np.repeat([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)], 60, axis=0)
        repeats = ((turns == 0) | np.array(axes)).all(axis=1)
        xy, sizes_of = xy[repeats], np.tile(blockers[1], 9)[repeats]
        assert too_near(points, xy, sizes_of) == 0
        room &= free(places, sizes, xy, sizes_of)
    assert not room.any()


def test_a_blocker_counts_the_same_in_any_copy_of_the_tile():
    xy, size = stones()
    near = poisson_disk(TILE, 1.2, seed=4, periodic=True, blockers=(xy, size))
    away = poisson_disk(TILE, 1.2, seed=4, periodic=True, blockers=(xy + np.array([90 * 7, -67.5 * 2]), size))
    np.testing.assert_array_equal(near.id, away.id)


@pytest.mark.parametrize(("tile", "halo", "threads"), [(20, 3, 8), (100, 25, 1)])
def test_varying_radii_do_not_hang_on_windows_tiles_and_threads(monkeypatch, tile, halo, threads):
    def allowed(x, y):
        assert ((x >= -7) & (x < 83) & (y >= 3) & (y < 70.5)).all()
        return np.hypot(x - 80, y - 5) > 10

    arguments = {"radius": waves, "radius_range": (1, 5), "seed": 2, "periodic": True, "allowed": allowed}
    whole = poisson_disk(TILE, **arguments)
    assert allowed(*whole.xy.T).all()
    part = poisson_disk(TILE, **arguments, window=(70, 60, 200, 200))
    assert part == whole[(whole.xy >= (70, 60)).all(axis=1)]
    assert len(part) > 5
    for name in ("TILE", "TILE_VARIED"):
        monkeypatch.setattr(plane, name, tile)
    monkeypatch.setattr(plane, "HALO_VARIED", halo)
    other = poisson_disk(TILE, **arguments, threads=threads)
    order, expected = np.argsort(other.id), np.argsort(whole.id)
    np.testing.assert_array_equal(other.xy[order], whole.xy[expected])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bounds": (0, 0, 5, 50)}, "periodic: the domain is 5 long in x, 2.5 radii; give at least 3"),
        ({"periodic": "z"}, "periodic: got 'z'; give True, False, 'x' or 'y'"),
        ({"periodic": 1.5}, "periodic: got 1.5"),
        ({"bounds": None, "window": (0, 0, 9, 9)}, "periodic: bounds is None"),
        (
            {"radius": lambda x, y: x, "radius_range": (1, 4)},
            "50 long in x, 12 of the largest radius; give at",
        ),
        ({"radius": 2.0, "radius_range": (1, 2)}, "radius_range: .* radius is a number"),
        ({"radius": -1}, "radius: got -1"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        poisson_disk(**{"bounds": (0, 0, 50, 50), "radius": 2.0, "seed": 1, "periodic": True, **arguments})
