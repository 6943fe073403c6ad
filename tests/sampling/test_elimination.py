"""Sample elimination against its definition, and the kernels made with it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial import cKDTree

from weald.errors import InputError
from weald.sampling.elimination import _eliminate, _measured, _reach, weighted_sample_elimination
from weald.sampling.kernels import box_kernel, disc_kernel, hemisphere_kernel
from weald.sampling.poisson import poisson_disk


def uniform(n, seed, dimension=2):
    return np.random.default_rng(seed).random((n, dimension))


def tightest(size, n, dimension=2):
    """Distance of n points in the tightest packing of an area or volume."""
    return 2 * (
        math.sqrt(size / n / (2 * math.sqrt(3))) if dimension == 2 else (size / n / (4 * math.sqrt(2))) ** (1 / 3)
    )


def spacing(xy):
    return cKDTree(xy).query(xy, k=2)[0][:, 1].min()


def assert_heaviest_first(xy, gone, reach, least):
    """Oracle: sum all weights anew before each removal; what goes must weigh most, up to rounding."""
    left = list(range(len(xy)))
    d = np.sqrt(((xy[:, None] - xy) ** 2).sum(axis=-1))
    pair = (1 - np.clip(d, least, reach) / reach) ** 8
    np.fill_diagonal(pair, 0)
    for k in gone:
        weight = pair[left][:, left].sum(axis=1)
        assert weight[left.index(k)] >= weight.max() - 1e-13
        left.remove(k)


@pytest.mark.parametrize(("n", "goal"), [(150, 30), (150, 75), (60, 50), (40, 1), (40, 0)])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_heaviest_goes_first(n, goal, dimension):
    xy = np.zeros((n, 3))
    xy[:, :dimension] = uniform(n, n + goal, dimension)
    reach = _reach(1.0, goal, dimension == 3)
    gone = _eliminate(xy, goal, reach)
    if goal:
        assert reach == pytest.approx(tightest(1.0, goal, dimension), rel=1e-8)
        assert_heaviest_first(xy, gone, reach, reach * (1 - (goal / n) ** 1.5) * 0.65)
    assert len(set(gone.tolist())) == n - goal


@pytest.mark.parametrize("kind", ["area", "volume", "surface"])
def test_the_order_is_elimination_by_halves(kind):
    xy = uniform(300, 5, 2 if kind == "area" else 3)
    packing = 3 if kind == "volume" else 2
    chosen = weighted_sample_elimination(xy, 70, **{"volume" if kind == "volume" else "area": 0.8})
    for n in (70, 35, 17, 8, 4, 2):
        goal = n // 2
        reach = tightest(0.8, goal, packing)
        gone = np.arange(n - 1, goal - 1, -1)
        assert_heaviest_first(xy[chosen[:n]], gone, reach, reach * (1 - (goal / n) ** 1.5) * 0.65)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 1000))
def test_exactly_so_many(n, count, seed):
    count = min(n, count)
    # places of a lattice: ties, and equal points
    xy = np.random.default_rng(seed).integers(0, 5, (n, 2)) / 4.0
    chosen = weighted_sample_elimination(xy, count)
    assert len(set(chosen.tolist())) == count
    assert all(0 <= k < n for k in chosen)


def test_the_order_in_which_points_are_given_does_not_matter():
    lattice = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), -1).reshape(-1, 2)
    shuffled = np.random.default_rng(1).permutation(lattice)
    for count in (1, 37, 150):
        np.testing.assert_array_equal(
            lattice[weighted_sample_elimination(lattice, count)],
            shuffled[weighted_sample_elimination(shuffled, count)],
        )


def test_all_equal_points():
    assert len(weighted_sample_elimination(np.ones((50, 2)), 20)) == 20


@pytest.mark.parametrize("dimension", [2, 3])
def test_chosen_points_are_well_apart(dimension):
    xy = uniform(20_000, 1, dimension)
    chosen = xy[weighted_sample_elimination(xy, 4000)]
    assert spacing(chosen) > 0.65 * tightest(1.0, 4000, dimension)
    # thirty times what chance gives
    assert spacing(chosen) > 30 ** (2 / dimension) * spacing(xy[:4000]) / 2
    for n in (3000, 2000, 1000, 300, 50):
        assert spacing(chosen[:n]) > 0.55 * tightest(1.0, n, dimension)


def test_a_point_set_can_be_thinned_to_a_number():
    points = poisson_disk((0, 0, 100, 100), 1.5, seed=1)
    chosen = weighted_sample_elimination(points, 500)
    assert spacing(points.xy[chosen]) > 0.65 * tightest(1e4, 500)


def test_scale_and_place_do_not_matter():
    xy = np.round(uniform(500, 3) * 2**20) / 2**20
    here = weighted_sample_elimination(xy, 100, area=1.0)
    far = weighted_sample_elimination(xy * 1024 + 2.0**20, 100, area=1024.0**2)
    assert sorted(here.tolist()) == sorted(far.tolist())


def test_the_area_is_measured_where_the_points_are():
    def area(xy):
        padded = np.zeros((len(xy), 3))
        padded[:, : xy.shape[1]] = xy
        return _measured(padded, xy.shape[1])

    assert area(uniform(5000, 1) * [40, 10]) == pytest.approx(400, rel=0.02)
    assert area(uniform(5000, 1, 3) * [4, 1, 10]) == pytest.approx(40, rel=0.05)
    # two islands in a wide sea, a disc, a strip along the diagonal
    assert area(np.concatenate([uniform(4000, 1), uniform(4000, 2) + 1000])) == pytest.approx(2, rel=0.25)
    disc = uniform(9000, 1) * 2 - 1
    assert area(disc[np.hypot(*disc.T) < 1]) == pytest.approx(math.pi, rel=0.25)
    assert area(np.ones((9, 2))) == 0
    assert area(np.array([[0.0, 0], [1, 0], [2, 0]])) > 0


def test_islands_are_thinned_evenly():
    xy = np.concatenate([uniform(4000, 1), uniform(4000, 2) + 1000])
    chosen = weighted_sample_elimination(xy, 1000)
    assert (chosen < 4000).sum() == pytest.approx(500, abs=15)
    assert spacing(xy[chosen]) > 0.6 * tightest(2.0, 1000)


BAD = [
    ({"points": [[0, 0], [1, math.nan]]}, r"points: point 1 is \(1.0, nan\); give finite coordinates"),
    ({"points": [1.0, 2.0]}, r"points: got an array of shape \(2,\); give shape \(n, 2\) or \(n, 3\)"),
    ({"points": "here"}, "points: got str; give an array"),
    ({"count": 5}, "count: got 5; give a whole number from 0 to 2, the number of points"),
    ({"count": -1}, "count: got -1; give a whole number from 0 to 2"),
    ({"count": 1.0}, "count: got 1.0; give a whole number"),
    ({"count": True}, "count: got True; give a whole number"),
    ({"area": 0}, "area: got 0; give a finite number above 0"),
    ({"area": -1.5}, "area: got -1.5; give a finite number above 0"),
    ({"area": math.nan}, "area: got nan; give a finite number above 0"),
    ({"area": "wide"}, "area: got 'wide'; give a finite number above 0"),
    ({"volume": math.inf}, "volume: got inf; give a finite number above 0"),
    ({"volume": 1.0}, "volume: got 1.0, but the points lie in the plane; give"),
    ({"volume": 1.0, "area": 1.0}, "volume: got 1.0, but area is given too; give at most one"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        weighted_sample_elimination(**{"points": [[0, 0], [1, 1]], "count": 1, **arguments})


# -- kernels -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 16, 64, 1000])
def test_kernels_have_exactly_n_points_where_they_belong(count):
    disc = disc_kernel(count, seed=1)
    assert disc.shape == (count, 2)
    assert (np.hypot(*disc.T) < 1).all()
    for cosine in (False, True):
        half = hemisphere_kernel(count, seed=1, cosine=cosine)
        assert half.shape == (count, 3)
        assert np.linalg.norm(half, axis=1) == pytest.approx(np.ones(count), abs=1e-15)
        assert (half[:, 2] >= 0).all()
    box = box_kernel((-1, 2, 5, 3), count, seed=1)
    assert box.shape == (count, 2)
    assert ((box >= (-1, 2)) & (box < (5, 3))).all()
    solid = box_kernel((-1, 2, 0, 5, 3, 9), count, seed=1)
    assert solid.shape == (count, 3)
    assert ((solid >= (-1, 2, 0)) & (solid < (5, 3, 9))).all()


def lower(half):
    """Turn a cosine-weighted hemisphere into the disc below it."""
    return half[:, :2]


@pytest.mark.parametrize(
    ("points", "size", "dimension"),
    [
        (lambda n: disc_kernel(n, seed=1), math.pi, 2),
        (lambda n: hemisphere_kernel(n, seed=1), 2 * math.pi, 2),
        (lambda n: lower(hemisphere_kernel(n, seed=1, cosine=True)), math.pi, 2),
        (lambda n: box_kernel((0, 0, 5, 3), n, seed=1), 15, 2),
        (lambda n: box_kernel((0, 0, 0, 5, 3, 2), n, seed=1), 30, 3),
    ],
    ids=["disc", "hemisphere", "cosine", "box", "solid"],
)
def test_kernels_are_well_spread_and_so_is_every_prefix(points, size, dimension):
    for n in (16, 64, 500):
        kernel = points(n)
        assert spacing(kernel) > 0.7 * tightest(size, n, dimension)
        for prefix in (n // 2, n // 3, n // 4):
            assert spacing(kernel[:prefix]) > 0.55 * tightest(size, prefix, dimension)


def test_kernels_are_uniform_in_their_measure():
    # the rim is a little denser: points there have neighbours on one side only
    r = np.hypot(*disc_kernel(2000, seed=2).T)
    assert stats.kstest(r**2, "uniform").statistic < 0.045
    z = hemisphere_kernel(2000, seed=2)[:, 2]
    assert stats.kstest(z, "uniform").statistic < 0.045
    z = hemisphere_kernel(2000, seed=2, cosine=True)[:, 2]
    assert stats.kstest(z**2, "uniform").statistic < 0.045
    assert stats.kstest(z, "uniform").statistic > 0.2
    angle = np.arctan2(*disc_kernel(2000, seed=2).T)
    assert stats.kstest(angle, stats.uniform(-math.pi, 2 * math.pi).cdf).statistic < 0.045


@pytest.mark.parametrize(
    "kernel",
    [disc_kernel, hemisphere_kernel, lambda n, seed: box_kernel((0, 0, 1, 1), n, seed=seed)],
    ids=["disc", "hemisphere", "box"],
)
def test_kernels_come_from_the_seed_alone(kernel):
    first = kernel(64, seed=7)
    np.random.seed(3)  # noqa: NPY002 - the global generator must not matter
    np.testing.assert_array_equal(first, kernel(64, seed=7))
    assert not np.array_equal(first, kernel(64, seed=8))
    assert not np.array_equal(first, kernel(64, seed="7"))
    for count in (0, -1, 2.0, True, 1 << 21):
        with pytest.raises(InputError, match=f"count: got {count}; give a whole number from 1 to 1048576"):
            kernel(count, seed=1)
    with pytest.raises(InputError, match="seed: got None; give an integer or a string"):
        kernel(4, seed=None)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ((0, 0, 1), "bounds: got"),
        ((0, 0, 0, 1, 1, 0), "bounds: .* is empty; give xmin < xmax"),
        ((0, 0, 0, 1), "bounds: .* is empty"),
        (None, "bounds: got None"),
    ],
)
def test_bad_boxes(bounds, message):
    with pytest.raises(InputError, match=message):
        box_kernel(bounds, 4, seed=1)
