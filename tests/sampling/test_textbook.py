"""The textbook methods against their definitions, and the mistakes that articles warn of."""

import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial import cKDTree

from tests import naive
from weald import hashing
from weald.errors import InputError
from weald.sampling.asked import SATURATION
from weald.sampling.poisson import poisson_disk
from weald.sampling.textbook import box as box_module
from weald.sampling.textbook.box import Box
from weald.sampling.textbook.bridson import SpacePoints, bridson, bridson_3d
from weald.sampling.textbook.dart_throwing import dart_throwing
from weald.sampling.textbook.grid import squared_limit
from weald.sampling.textbook.jittered_grid import jittered_grid
from weald.sampling.textbook.stream import next_below, stream, units
from weald.sampling.textbook.white_noise import white_noise

SQUARE = (0, 0, 100, 100)
CUBE = (0, 0, 0, 12, 12, 12)
METHODS = {
    "white_noise": lambda bounds, seed: white_noise(bounds, 300, seed=seed),
    "jittered_grid": lambda bounds, seed: jittered_grid(bounds, (bounds[2] - bounds[0]) / 20, seed=seed),
    "dart_throwing": lambda bounds, seed: dart_throwing(bounds, (bounds[2] - bounds[0]) / 20, seed=seed),
    "bridson": lambda bounds, seed: bridson(bounds, (bounds[2] - bounds[0]) / 20, seed=seed),
}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())

GOLDEN = {
    "white_noise": [[83.4232694216382, 58.45892339313566], [58.58114176483206, 98.32662236914715]],
    "jittered_grid": [[5.9459035523103365, 30.82533383236974], [61.03390610914911, 36.72567975229264]],
    "dart_throwing": [[7.3217310999290985, 2.2927768377352926], [75.26769506097375, 12.346471302750759]],
    "bridson": [[99.21803469005867, 70.79515533064908], [90.80699862773373, 42.06247869348141]],
    "bridson_3d": [[0.5739885385855156, 1.2791178343860807, 0.830362360123972]],
}


def groves(x, y):
    return np.sin(x / 7) + np.cos(y / 5) > -0.2


def nearest(points):
    xy = np.asarray(points)
    return cKDTree(xy).query(xy, k=2)[0][:, 1]


# -- oracles: the same methods with no grid, one number at a time ------------------------------


class Numbers:
    def __init__(self, key):
        self.state = key

    def bits(self):
        self.state = (self.state + naive.GOLDEN) & naive.M64
        return naive.mix(self.state)

    def unit(self):
        return (self.bits() >> 11) * 2.0**-53


def distance(p, q):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)))


def naive_darts(bounds, radius, seed, max_failures, allowed=lambda x, y: True):
    numbers, points, failures = Numbers(hashing.key(seed, "dart_throwing")), [], 0
    xmin, ymin, xmax, ymax = bounds
    while failures < max_failures:
        p = xmin + numbers.unit() * (xmax - xmin), ymin + numbers.unit() * (ymax - ymin)
        if allowed(*p) and all(distance(p, q) >= radius for q in points):
            points.append(p)
            failures = 0
        else:
            failures += 1
    return np.array(points)


def naive_bridson(low, high, radius, seed, name, first, candidates, *, allowed=lambda *p: True, pick="random"):
    points, active, step = [tuple(first)], [0], 0
    while active:
        numbers = Numbers(naive.mix(hashing.key(seed, name) + (step + 1) * naive.GOLDEN))
        n = (numbers.bits() >> 32) * len(active) >> 32
        n = n if pick == "random" else len(active) - 1
        parent = points[active[n]]
        for _ in range(candidates):
            for _ in range(32):
                p = []
                for a, b, c in zip(low, high, parent, strict=True):
                    least, most = max(a, c - 2 * radius), min(b, c + 2 * radius)
                    p.append(min(least + numbers.unit() * (most - least), b))
                if radius <= distance(p, parent) < 2 * radius:
                    break
            else:
                continue
            if allowed(*p) and all(distance(p, q) >= radius for q in points):
                active.append(len(points))
                points.append(tuple(p))
                break
        else:
            active[n] = active[-1]
            active.pop()
        step += 1
    return np.array(points)


# float32 and float64 agree on these bounds, so the greatest place is the float32 below
def ends(bounds):
    half = len(bounds) // 2
    return bounds[:half], [float(np.nextafter(np.float32(b), np.float32(-np.inf))) for b in bounds[half:]]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("max_failures", [1, 30, 400])
def test_darts_equal_the_quadratic_form(seed, max_failures):
    bounds = (-30, 5, 20, 40)
    points = dart_throwing(bounds, 2.5, seed=seed, max_failures=max_failures)
    # the box ends a float32 below its upper edge
    low, high = ends(bounds)
    expected = naive_darts((*low, *high), 2.5, seed, max_failures)
    np.testing.assert_array_equal(points.xy, expected)


def test_darts_on_allowed_ground_equal_the_quadratic_form():
    low, high = ends((0, 0, 40, 40))
    expected = naive_darts((*low, *high), 1.5, 7, 300, lambda x, y: bool(groves(np.array(x), np.array(y))))
    points = dart_throwing((0, 0, 40, 40), 1.5, seed=7, max_failures=300, allowed=groves)
    np.testing.assert_array_equal(points.xy, expected)
    assert groves(*points.xy.T).all()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("candidates", [1, 5, 30])
def test_bridson_equals_the_form_without_a_grid(seed, candidates):
    bounds = (-30, 5, 20, 40)
    points = bridson(bounds, 2.5, seed=seed, candidates=candidates)
    expected = naive_bridson(*ends(bounds), 2.5, seed, "bridson", points.xy[0], candidates)
    np.testing.assert_array_equal(points.xy, expected)


def test_bridson_on_allowed_ground_equals_the_form_without_a_grid():
    first = (5.0, 4.0)
    points = bridson((0, 0, 40, 40), 1.5, seed=7, first=first, allowed=groves)
    rule = lambda x, y: bool(groves(np.array(x), np.array(y)))  # noqa: E731
    expected = naive_bridson(*ends((0, 0, 40, 40)), 1.5, 7, "bridson", first, 30, allowed=rule)
    np.testing.assert_array_equal(points.xy, expected)
    assert groves(*points.xy.T).all()


def test_bridson_in_space_equals_the_form_without_a_grid():
    points = bridson_3d(CUBE, 2.0, seed=5, candidates=10)
    expected = naive_bridson(*ends(CUBE), 2.0, 5, "bridson_3d", points.xyz[0], 10)
    np.testing.assert_array_equal(points.xyz, expected)
    flat = bridson_3d(CUBE, 2.0, seed=5, allowed=lambda x, y, z: z < 6)
    assert 0 < len(flat) < len(points)
    assert (flat.xyz[:, 2] < 6).all()


# -- spacing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [1.0, 0.1, 3.7])
@pytest.mark.parametrize("corner", [0.0, -1e7, 1e6])
@pytest.mark.parametrize("method", [dart_throwing, bridson])
def test_spacing_by_brute_force(method, radius, corner):
    bounds = (corner * radius, -corner * radius, (corner + 50) * radius, (-corner + 50) * radius)
    points = method(bounds, radius, seed="spacing")
    assert len(points) > 1400
    assert naive.closest_pair(points.xy) >= radius
    d = points.xy[:, None] - points.xy
    assert (d**2).sum(axis=-1)[np.triu_indices(len(d), 1)].min() >= radius**2
    assert points.radius.tolist() == [radius] * len(points)


def test_spacing_in_space_by_brute_force():
    points = bridson_3d((-9, -9, -9, 9, 9, 9), 1.3, seed="spacing")
    assert len(points) > 1500
    assert naive.closest_pair(points.xyz) >= 1.3


@pytest.mark.parametrize("method", [dart_throwing, bridson])
def test_small_domain_around_the_origin(method):  # case 8
    for seed in range(40):
        assert naive.closest_pair(method((-5, -5, 5, 5), 2, seed=seed).xy) >= 2


@given(st.floats(1e-90, 1e90))
def test_the_limit_serves_who_compares_distances_and_who_compares_squares(radius):
    limit = squared_limit(radius)
    assert math.sqrt(limit) >= radius
    assert limit >= radius * radius
    below = math.nextafter(limit, 0)
    assert math.sqrt(below) < radius or below < radius * radius


def test_a_place_that_fits_is_not_lost_to_a_point_in_its_cell():
    # cells of side r, or a list that forgets the first point of a cell, leave pairs that are too near
    points = bridson((0, 0, 600, 600), 4.0, seed=1)
    assert len(points) > 13_000
    assert nearest(points).min() >= 4.0
    cell = 4.0 / math.sqrt(2)
    assert len(np.unique(np.floor(points.xy / cell), axis=0)) == len(points)


# -- white noise and the jittered grid ---------------------------------------------------------


def test_white_noise_is_uniform_and_independent():
    xy = white_noise((-10, 20, 30, 30), 20_000, seed=1).xy
    counts, _, _ = np.histogram2d(*xy.T, bins=(20, 10), range=((-10, 30), (20, 30)))
    assert stats.chisquare(counts.ravel()).pvalue > 1e-3
    assert abs(np.corrcoef(xy.T)[0, 1]) < 0.03
    # independent points have neighbours at any distance: the mean is half that of the square grid
    assert nearest(xy).mean() == pytest.approx(0.5 * math.sqrt(400 / 20_000), rel=0.02)
    assert len(white_noise(SQUARE, 0, seed=1)) == 0


def test_jittered_grid_has_one_point_a_cell():
    xy = jittered_grid((-50, 0, 50, 100), 5, seed=1).xy
    assert len(np.unique(np.floor(xy / 5), axis=0)) == len(xy) == 400
    u = (xy / 5 % 1).ravel()
    assert stats.kstest(u, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("jitter", [0, 0.3, 0.8])
def test_limited_jitter(jitter):
    xy = jittered_grid((0, 0, 300, 300), 3, seed=1, jitter=jitter).xy
    off = xy / 3 % 1 - 0.5
    assert abs(off).max() <= jitter / 2 + 1e-12
    assert abs(off).max() >= 0.98 * jitter / 2
    assert nearest(xy).min() >= 3 * (1 - jitter) * (1 - 1e-9)


def test_full_jitter_keeps_no_distance():
    assert nearest(jittered_grid((0, 0, 300, 300), 3, seed=1)).min() < 0.1 * 3


def test_jittered_grids_of_neighbours_fit():
    whole = jittered_grid((-20, -20, 20, 20), 3.3, seed=2)
    parts = [jittered_grid(b, 3.3, seed=2) for b in [(-20, -20, 1, 20), (1, -20, 20, 7), (1, 7, 20, 20)]]
    assert sorted(np.concatenate([p.id for p in parts])) == sorted(whole.id)
    assert sorted(map(tuple, np.concatenate([p.xy for p in parts]))) == sorted(map(tuple, whole.xy))


# -- bridson's ring, picks, first point ---------------------------------------------------------


def second_points(run, n):
    """Places of the first accepted candidates, from the first point, which has nothing else around it."""
    return np.array([np.diff(np.asarray(run(seed))[:2], axis=0)[0] for seed in range(n)])


def test_candidates_are_uniform_by_area():
    away = second_points(lambda s: bridson((0, 0, 8.2, 8.2), 2.0, seed=s, candidates=1, first="centre"), 2000)
    d = np.hypot(*away.T)
    assert stats.kstest(d**2, stats.uniform(4, 12).cdf).pvalue > 1e-3
    # the test sees the usual mistake: uniform by radius
    wrong = np.linspace(2, 4, 2000)
    assert stats.kstest(wrong**2, stats.uniform(4, 12).cdf).pvalue < 1e-9
    assert stats.kstest(np.arctan2(*away.T), stats.uniform(-math.pi, 2 * math.pi).cdf).pvalue > 1e-3


def test_candidates_are_uniform_by_volume():
    away = second_points(
        lambda s: bridson_3d((0, 0, 0, 8.2, 8.2, 8.2), 2.0, seed=s, candidates=1, first="centre"), 2000
    )
    d = np.linalg.norm(away, axis=1)
    assert stats.kstest(d**3, stats.uniform(8, 56).cdf).pvalue > 1e-3
    assert stats.kstest(away[:, 2] / d, stats.uniform(-1, 2).cdf).pvalue > 1e-3


def followers(xy, radius):
    """Share of points that stand next to the one accepted just before them."""
    return (np.hypot(*np.diff(xy, axis=0).T) < 2 * radius).mean()


def test_growth_is_a_front_and_not_a_worm():
    bounds, radius = (0, 0, 60, 60), 3.0
    points = bridson(bounds, radius, seed=3, first="centre")
    assert followers(points.xy, radius) < 0.2
    worm = naive_bridson(*ends(bounds), radius, 3, "bridson", (30, 30), 30, pick="last")
    assert followers(worm, radius) > 0.6


def test_first_point():
    assert bridson(SQUARE, 9, seed=1, first=(0, 0)).xy[0].tolist() == [0, 0]
    assert bridson(SQUARE, 9, seed=1, first="centre").xy[0] == pytest.approx([50, 50], abs=1e-5)
    assert bridson_3d(CUBE, 3, seed=1, first=np.array([1, 2, 3])).xyz[0].tolist() == [1, 2, 3]
    firsts = np.array([bridson(SQUARE, 200, seed=s).xy[0] for s in range(500)])
    assert stats.kstest(firsts.ravel() / 100, "uniform").pvalue > 1e-3


def test_no_run_of_a_long_domain_stops_early():  # case 9
    for candidates in (10, 30):
        counts = [len(bridson((0, 0, 100, 20), 4, seed=s, candidates=candidates)) for s in range(300)]
        assert min(counts) >= 0.7 * np.median(counts)


def test_a_run_does_not_die_in_a_corner():
    # three quarters of the ring are outside; ten candidates drawn from all of it would miss in 17 of these runs
    counts = [len(bridson((0, 0, 30, 30), 3, seed=s, candidates=10, first=(0, 0))) for s in range(300)]
    assert min(counts) > 30


def test_one_first_point_leaves_the_far_bank_bare_and_poisson_disk_does_not():
    def allowed(x, y):
        return abs(x - 50) > 10

    points = bridson(SQUARE, 4, seed=1, first=(10, 10), allowed=allowed)
    assert (points.xy[:, 0] < 40).all()
    assert len(points) > 100
    assert (poisson_disk(SQUARE, 4, seed=1, allowed=allowed).xy[:, 0] > 60).sum() > 100


def test_gaps():
    # what each leaves of the points that would fit
    side = 200
    counts = {
        "bridson": len(bridson((0, 0, side, side), 1, seed=1)),
        "few": len(dart_throwing((0, 0, side, side), 1, seed=1, max_failures=100)),
        "many": len(dart_throwing((0, 0, side, side), 1, seed=1, max_failures=3000)),
    }
    share = {name: count / side**2 / SATURATION for name, count in counts.items()}
    assert 0.86 < share["bridson"] < 0.92
    assert share["few"] < 0.8
    assert 0.88 < share["many"] < 0.97


# -- masks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [dart_throwing, bridson])
def test_a_mask_that_allows_everything_changes_nothing(method):
    batches = []

    def everywhere(x, y):
        batches.append(x.size)
        assert x.flags.c_contiguous
        assert x.dtype == y.dtype == np.float64
        return np.ones(x.shape, bool)

    free = method(SQUARE, 2.0, seed=1)
    masked = method(SQUARE, 2.0, seed=1, allowed=everywhere)
    np.testing.assert_array_equal(free.xy, masked.xy)
    np.testing.assert_array_equal(free.id, masked.id)
    assert max(batches) > 20  # in batches, not place by place
    assert min(batches) >= 1


@pytest.mark.parametrize("method", [dart_throwing, bridson])
def test_forbidden_everywhere_gives_nothing(method):
    points = method(SQUARE, 2, seed=1, allowed=lambda x, y: np.zeros(x.shape, bool))
    assert points.xy.shape == (0, 2)
    assert len(points.radius) == len(points.id) == 0


def test_the_first_point_of_bridson_finds_small_allowed_ground():
    points = bridson(SQUARE, 2, seed=1, allowed=lambda x, y: np.hypot(x - 90, y - 5) < 1.5)
    assert len(points) >= 1
    assert np.hypot(*(points.xy - (90, 5)).T).max() < 1.5


# -- domains -----------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [5, 1e3, 1e9])
def test_a_radius_larger_than_the_domain_gives_one_point(radius):  # case 11
    for seed in range(20):
        assert len(bridson((0, 0, 1, 1), radius, seed=seed)) == 1
        assert len(dart_throwing((0, 0, 1, 1), radius, seed=seed)) == 1
        assert len(bridson_3d((0, 0, 0, 1, 1, 1), radius, seed=seed)) == 1


numbers = st.floats(-1e5, 1e5)
lengths = st.floats(0.01, 1e5)


@given(numbers, numbers, lengths, lengths, st.integers())
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())
def test_half_open(method, x, y, width, depth, seed):  # case 10
    bounds = (x, y, x + width, y + min(depth, 3 * width))
    xy = method(bounds, seed).xy
    assert (xy >= bounds[:2]).all()
    assert (xy < bounds[2:]).all()


@given(st.floats(-1e3, 1e3), st.floats(30, 1e4))
def test_places_stay_inside_in_float32_too(low, length):  # case 10
    high = low + length
    box = Box.of_plane((low, low, high, high))
    for end in (box.first[0], box.last[0]):
        assert low <= end < high
        assert low <= np.float32(end).astype(np.float64) < high
    assert box.last[0] - box.first[0] > length * (1 - 1e-4)


def test_the_greatest_number_below_one_stays_inside(monkeypatch):  # case 10
    monkeypatch.setattr(box_module, "units", lambda state, n: np.full(n, 1 - 2.0**-53))
    for bounds in [(0, 0, 100, 0.3), (-3, 1e6, 1e-3, 1e6 + 7), (5e5, 5.15e6, 5e5 + 1, 5.15e6 + 1)]:
        box = Box.of_plane(bounds)
        assert (box.places(stream(1), 1)[0, :2] < bounds[2:]).all()


def test_far_from_the_origin_no_strip_is_lost():
    # float32 is coarser than half a metre here; the domain is filled to its edge all the same
    xy = bridson((5e5, 5.15e6, 5e5 + 20, 5.15e6 + 20), 0.2, seed=1).xy
    assert xy.max(axis=0) == pytest.approx((5e5 + 20, 5.15e6 + 20), abs=0.05)


# -- seeds -------------------------------------------------------------------------------------


@every_method
def test_seeds(method):  # case 12
    first = method(SQUARE, 7)
    np.random.seed(3)  # noqa: NPY002 - the global generator must not matter
    np.random.random(5)  # noqa: NPY002
    seed_numba(3)
    state = np.random.get_state()[1].tolist()  # noqa: NPY002
    again = method(SQUARE, 7)
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002 - nor be touched
    np.testing.assert_array_equal(first.xy, again.xy)
    np.testing.assert_array_equal(first.id, again.id)
    assert len(set(first.id.tolist())) == len(first)
    for other in (8, "7", -(10**40)):
        assert not np.array_equal(first.xy[:5], method(SQUARE, other).xy[:5])
    drawn = method(SQUARE, None)
    np.testing.assert_array_equal(drawn.xy, method(SQUARE, drawn.seed).xy)
    assert drawn.seed != method(SQUARE, None).seed


@numba.njit
def seed_numba(n):
    np.random.seed(n)  # noqa: NPY002 - Numba has a global generator of its own


def test_white_noise_with_more_points_keeps_the_first():
    np.testing.assert_array_equal(white_noise(SQUARE, 500, seed=1).xy[:99], white_noise(SQUARE, 99, seed=1).xy)


def test_methods_do_not_share_numbers():
    # the same seed in two methods must not put points at the same places
    noise = white_noise(SQUARE, 100, seed=1).xy
    assert not np.isin(noise, dart_throwing(SQUARE, 0.1, seed=1, max_failures=1).xy[:1]).any()


def test_the_stream_is_that_of_splitmix():
    numbers = Numbers(hashing.key(1))
    assert units(stream(hashing.key(1)), 5).tolist() == [numbers.unit() for _ in range(5)]
    state = stream(9)
    counts = np.bincount([next_below(state, 7) for _ in range(7000)], minlength=7)
    assert stats.chisquare(counts).pvalue > 1e-3


def test_golden():
    # output changes only on purpose
    assert np.asarray(white_noise(SQUARE, 2, seed=1)).tolist() == GOLDEN["white_noise"]
    assert np.asarray(jittered_grid(SQUARE, 40, seed=1))[:2].tolist() == GOLDEN["jittered_grid"]
    assert np.asarray(dart_throwing(SQUARE, 4, seed=1))[-2:].tolist() == GOLDEN["dart_throwing"]
    assert np.asarray(bridson(SQUARE, 4, seed=1))[-2:].tolist() == GOLDEN["bridson"]
    assert np.asarray(bridson_3d(CUBE, 4, seed=1))[-1:].tolist() == GOLDEN["bridson_3d"]


def test_points_of_space_are_an_array():
    points = bridson_3d(CUBE, 3, seed=1)
    assert isinstance(points, SpacePoints)
    assert np.asarray(points).shape == points.xyz.shape == (len(points), 3)
    assert np.asarray(points, dtype=np.float32).dtype == np.float32
    assert repr(points) == f"SpacePoints({len(points)} points, seed=1)"
    assert len(set(points.id.tolist())) == len(points)
    with pytest.raises(ValueError, match="needs a copy"):
        points.__array__(np.float32, copy=False)


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [0, -1, math.nan, math.inf, -math.inf, "wide", None, 1e-200])
def test_bad_lengths(radius):  # case 11
    for method in (dart_throwing, bridson):
        with pytest.raises(InputError, match=r"radius: got .*; give a number of metres above 0"):
            method((0, 0, 1, 1), radius, seed=1)
    with pytest.raises(InputError, match=r"radius: got .*; give"):
        bridson_3d((0, 0, 0, 1, 1, 1), radius, seed=1)
    with pytest.raises(InputError, match=r"spacing: got .*; give a number of metres above 0"):
        jittered_grid((0, 0, 1, 1), radius, seed=1)


BAD = [
    (bridson, {"bounds": (0, 0, 0, 1)}, "bounds: .* is empty; give xmin < xmax"),
    (bridson, {"bounds": None}, "bounds: got None; give"),
    (bridson, {"bounds": CUBE}, "bounds: got .*; give"),
    (bridson, {"candidates": 0}, "candidates: got 0; give a whole number from 1 to"),
    (bridson, {"candidates": 2.0}, "candidates: got 2.0; give a whole number"),
    (bridson, {"candidates": True}, "candidates: got True; give a whole number"),
    (bridson, {"first": "corner"}, "first: got 'corner'; give 'random', 'centre', or 2 finite coordinates"),
    (bridson, {"first": (1, 2, 3)}, r"first: got \(1, 2, 3\); give 'random', 'centre', or 2"),
    (bridson, {"first": 5}, "first: got 5; give 'random'"),
    (bridson, {"first": None}, "first: got None; give 'random'"),
    (bridson, {"first": (math.nan, 1)}, r"first: got \(nan, 1\); give"),
    (bridson, {"first": (100, 1)}, r"first: \[100.0, 1.0\] is outside the bounds; give a place from"),
    (bridson, {"first": (1, 1), "allowed": lambda x, y: x > 50}, r"first: \[1.0, 1.0\] is not allowed ground; give"),
    (bridson, {"seed": 1.5}, "seed: got 1.5; give an integer or a string"),
    (bridson, {"allowed": 3}, "allowed: got int; give a function"),
    (bridson, {"allowed": lambda x, y: x}, "allowed: the function returned float64"),
    (bridson, {"allowed": lambda x, y: np.ones(3, bool)}, r"allowed: .* array of shape \(3,\)"),
    (bridson, {"radius": 1e-5}, r"radius: 1e-05 in .* cells, more than \d+; give a larger radius"),
    (bridson, {"radius": 1e-3, "bounds": (1e12, 0, 1e12 + 1, 1)}, "radius: got 0.001 at 1e.12 from the origin; give"),
    (bridson_3d, {"bounds": SQUARE}, "bounds: got .*; give six finite numbers"),
    (bridson_3d, {"bounds": (0, 0, 0, 1, 1, math.inf)}, "bounds: got .*; give six finite numbers"),
    (bridson_3d, {"bounds": (0, 0, 5, 1, 1, 4)}, "bounds: .* is empty; give xmin < xmax"),
    (bridson_3d, {"bounds": "here"}, "bounds: got 'here'; give six"),
    (bridson_3d, {"first": (1, 2)}, r"first: got \(1, 2\); give .* 3 finite coordinates"),
    (bridson_3d, {"allowed": lambda x, y, z: z}, "allowed: the function returned float64"),
    (dart_throwing, {"max_failures": 0}, "max_failures: got 0; give a whole number from 1 to"),
    (dart_throwing, {"max_failures": 1.5}, "max_failures: got 1.5; give a whole number"),
    (dart_throwing, {"allowed": "sea"}, "allowed: got str; give a function"),
    (dart_throwing, {"seed": True}, "seed: got True; give an integer or a string"),
    (dart_throwing, {"radius": 1e-5}, "radius: .* give a larger radius"),
    (jittered_grid, {"jitter": 1.1}, "jitter: got 1.1; give a number from 0.* to 1"),
    (jittered_grid, {"jitter": -0.1}, "jitter: got -0.1; give"),
    (jittered_grid, {"jitter": math.nan}, "jitter: got nan; give"),
    (jittered_grid, {"jitter": "some"}, "jitter: got 'some'; give"),
    (jittered_grid, {"spacing": 1e-5}, "spacing: 1e-05 in .* points, more than .*; give a larger spacing"),
    (jittered_grid, {"spacing": 1e-3, "bounds": (1e12, 0, 1e12 + 1, 1)}, "spacing: got 0.001 at .* from the origin"),
    (jittered_grid, {"seed": 1.5}, "seed: got 1.5"),
    (white_noise, {"count": -1}, "count: got -1; give a whole number from 0 to"),
    (white_noise, {"count": 10**12}, "count: got 1000000000000; give a whole number"),
    (white_noise, {"count": 3.0}, "count: got 3.0; give a whole number"),
    (white_noise, {"bounds": (0, 0, 1)}, "bounds: got"),
    (white_noise, {"seed": []}, r"seed: got \[\]"),
]


@pytest.mark.parametrize(("method", "arguments", "message"), BAD)
def test_bad_arguments(method, arguments, message):
    size = {"white_noise": "count", "jittered_grid": "spacing"}.get(method.__name__, "radius")
    good = {"bounds": CUBE if method is bridson_3d else SQUARE, size: 5, "seed": 1}
    with pytest.raises(InputError, match=message):
        method(**{**good, **arguments})


def test_an_error_in_the_mask_comes_through():
    def broken(x, y):
        raise RuntimeError("my own")

    for method in (dart_throwing, bridson):
        with pytest.raises(RuntimeError, match="my own"):
            method((0, 0, 9, 9), 1, seed=1, allowed=broken)
