"""The progressive order: what holds for each of its beginnings."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from tests import naive
from weald.errors import InputError
from weald.sampling import progressive
from weald.sampling.cells import Cells, rank
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.sampling.progressive import progressive_order


def uniform(n, seed, dimension=2):
    return np.random.default_rng(seed).random((n, dimension))


def tightest(area, n):
    """Distance of n points in the tightest packing of an area."""
    return math.sqrt(area / n * 2 / math.sqrt(3))


def farthest_first(xy, rank_of):
    """Oracle: look at all points each time; ``rank_of`` settles ties."""
    middle = (xy.min(axis=0) + xy.max(axis=0)) / 2
    near = ((xy - middle) ** 2).sum(axis=1)
    order = [min(range(len(xy)), key=lambda k: (near[k], rank_of[k]))]
    near = np.full(len(xy), np.inf)
    while len(order) < len(xy):
        near = np.minimum(near, ((xy - xy[order[-1]]) ** 2).sum(axis=1))
        left = set(range(len(xy))) - set(order)
        order.append(min(left, key=lambda k: (-near[k], rank_of[k])))
    return order


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 300])
def test_it_is_farthest_first(n, dimension):
    xy = uniform(n, n, dimension)
    assert progressive_order(xy).tolist() == farthest_first(xy, range(n))


@given(st.integers(1, 60), st.integers(0, 2**32 - 1), st.sampled_from([1, 4, 1000]))
def test_ties_go_to_the_lower_id(n, seed, steps):
    # places of a lattice, many of them equal, so that nearly everything is a tie
    rng = np.random.default_rng(seed)
    xy = rng.integers(0, steps + 1, (n, 2)) / 4
    ids = rng.permutation(n).astype(np.uint64)
    order = progressive_order(xy, ids=ids)
    assert ids[order].tolist() == ids[farthest_first(xy, ids)].tolist()


def test_the_order_in_which_points_are_given_does_not_matter():
    lattice = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), -1).reshape(-1, 2)
    ids = np.arange(400, dtype=np.uint64) * np.uint64(77)
    shuffle = np.random.default_rng(1).permutation(400)
    np.testing.assert_array_equal(
        lattice[progressive_order(lattice)], lattice[shuffle][progressive_order(lattice[shuffle])]
    )
    np.testing.assert_array_equal(
        ids[progressive_order(lattice, ids=ids)], ids[shuffle][progressive_order(lattice[shuffle], ids=ids[shuffle])]
    )
    negative = lattice * [1, -1]
    negative[negative == 0] = -0.0
    np.testing.assert_array_equal(progressive_order(negative), progressive_order(negative + 0.0))


@pytest.mark.parametrize("scene", ["even", "white", "islands"])
def test_each_prefix_is_spaced_and_maximal(scene):
    xy = {
        "even": poisson_disk((0, 0, 90, 90), 1.0, seed=1).xy,
        "white": uniform(4000, 1) * 90,
        "islands": np.concatenate([uniform(2000, 2) * 10, uniform(2000, 3) * 0.01 + 80]),
    }[scene]
    order = progressive_order(xy)
    assert sorted(order.tolist()) == list(range(len(xy)))
    for n in (2, 3, 7, 50, 400, len(xy) // 2):
        chosen = xy[order[:n]]
        spacing = naive.closest_pair(chosen)
        assert cKDTree(chosen).query(xy)[0].max() <= spacing


def test_no_choice_is_more_than_twice_as_far_apart():
    for seed in range(20):
        xy = uniform(12, seed)
        order = progressive_order(xy)
        for n in (2, 3, 4, 5):
            best = max(naive.closest_pair(xy[list(c)]) for c in itertools.combinations(range(12), n))
            assert naive.closest_pair(xy[order[:n]]) >= best / 2


def test_prefixes_are_far_better_than_chance_and_near_the_best():
    points = poisson_disk((0, 0, 1000, 1000), 2.64, seed=1)
    ordered = points.progressive()
    assert len(points) > 90_000
    shuffled = np.random.default_rng(1).permutation(points.xy)
    for n in (10, 100, 1000, 10_000, 30_000, 60_000):
        spacing = cKDTree(ordered.xy[:n]).query(ordered.xy[:n], k=2)[0][:, 1].min()
        chance = cKDTree(shuffled[:n]).query(shuffled[:n], k=2)[0][:, 1].min()
        # 0.7 is the mark of a good blue-noise set
        assert spacing > 0.6 * tightest(1e6, n)
        assert spacing > (4 if n <= 1000 else 1.02) * chance
    # evenly dense: the north has half of any prefix
    assert abs((ordered.xy[:1000, 1] > 500).mean() - 0.5) < 0.03


def test_a_point_set_keeps_its_points():
    points = poisson_disk((0, 0, 60, 60), 2.0, seed=4)
    each = PointSet(points.xy, points.radius + np.arange(len(points)), points.id, points.seed)
    ordered = each.progressive()
    assert isinstance(ordered, PointSet)
    assert ordered.seed == points.seed
    back = np.argsort(ordered.id)
    there = np.argsort(each.id)
    for name in ("xy", "radius", "id"):
        np.testing.assert_array_equal(getattr(ordered, name)[back], getattr(each, name)[there])
    assert ordered.id[:9].tolist() == [points.id[k] for k in progressive_order(points, ids=points.id)[:9]]
    assert np.hypot(*(ordered.xy[0] - 30)) < 2.0
    empty = poisson_disk((0, 0, 9, 9), 1, seed=1, allowed=lambda x, y: x < 0)
    assert len(empty.progressive()) == 0


def test_few_equal_and_aligned_points():
    assert progressive_order([]).tolist() == []
    assert progressive_order(np.empty((0, 3))).tolist() == []
    assert progressive_order([[3, 4]]).tolist() == [0]
    assert progressive_order([[3, 4]] * 5, ids=[9, 3, 5, 1, 7]).tolist() == [3, 1, 2, 4, 0]
    line = np.stack([np.arange(9.0), np.full(9, 2.0)], axis=1)
    assert progressive_order(line)[:3].tolist() in ([4, 0, 8], [4, 8, 0])
    assert sorted(progressive_order(line[[0, 0, 8, 8]])[:2].tolist()) in ([0, 2], [0, 3], [1, 2], [1, 3])


def test_clusters_at_very_different_scales():
    # neither a level a point nor a cell with everything in it
    parts = [uniform(10_000, k) * 10.0**-k + [10.0**k, 0] for k in range(5)]
    xy = np.concatenate(parts)
    begun = time.perf_counter()
    order = progressive_order(xy)
    assert time.perf_counter() - begun < 10
    assert len({int(k) // 10_000 for k in order[:30]}) >= 3
    wide = np.concatenate([uniform(1000, 1) * 1e-6, [[1e12, 1e12]]])
    assert sorted(progressive_order(wide).tolist()) == list(range(1001))


def test_cells_need_no_more_memory_than_points():
    cells = Cells(np.array([[0, 0, 0], [1e9, 1e9, 0.0]]), 1e-3)
    assert len(cells.key) == 2
    assert cells.side < 1.0
    assert np.all(np.diff(cells.key) > 0)


def test_rank_has_no_direction():
    lattice = np.zeros((900, 3))
    lattice[:, :2] = np.stack(np.meshgrid(np.arange(30.0), np.arange(30.0)), -1).reshape(-1, 2)
    position = np.argsort(rank(lattice))
    assert abs(np.corrcoef(position, lattice[:, 0])[0, 1]) < 0.15
    assert abs(np.corrcoef(position, lattice[:, 1])[0, 1]) < 0.15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"xy": [[0, 0], [1, math.nan]]}, r"xy: point 1 is \(1.0, nan\); give finite coordinates"),
        ({"xy": [[0, 0], [math.inf, 1]]}, r"xy: point 1 is \(inf, 1.0\); give finite"),
        ({"xy": [1, 2, 3]}, r"xy: got an array of shape \(3,\); give shape \(n, 2\) or \(n, 3\)"),
        ({"xy": np.zeros((2, 4))}, r"xy: got an array of shape \(2, 4\)"),
        ({"xy": "here"}, "xy: got str; give an array"),
        ({"ids": [1]}, r"ids: got int64 of shape \(1,\); give one integer a point, shape \(2,\)"),
        ({"ids": [1.0, 2.0]}, "ids: got float64 of shape"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        progressive.progressive_order(**{"xy": [[0, 0], [1, 1]], **arguments})
