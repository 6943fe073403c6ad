"""The laws of the design, for points. Each can be run by anyone; none has a tolerance."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from tests import naive
from weald._version import ALGORITHM
from weald.sampling import plane
from weald.sampling.lattice import Lattice
from weald.sampling.poisson import poisson_disk

GOLDEN = Path(__file__).parents[1] / "golden" / "poisson_disk.json"


def groves(x, y):
    return np.sin(x / 7) + np.cos(y / 5) > 0.2


def crop(points, window):
    xmin, ymin, xmax, ymax = window
    x, y = points.xy.T
    inside = (x >= xmin) & (x < xmax) & (y >= ymin) & (y < ymax)
    return points.xy[inside], points.id[inside]


def assert_same(points, expected):
    np.testing.assert_array_equal(points.xy, expected[0])
    np.testing.assert_array_equal(points.id, expected[1])


# -- spacing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [1.0, 0.1, 3.7, 1e-3, 12345.678])
@pytest.mark.parametrize("corner", [0.0, -1e7, 1e7, 3e8])
def test_spacing_by_brute_force(radius, corner):
    window = (corner * radius, -corner * radius, (corner + 50) * radius, (-corner + 50) * radius)
    points = poisson_disk(None, radius, seed="spacing", window=window)
    assert len(points) > 1600
    assert naive.closest_pair(points.xy) >= radius


@pytest.mark.parametrize("radius", [1.0, 0.3, 7.77])
def test_spacing_by_tree(radius):
    side = 700 * radius
    points = poisson_disk((-side / 2, -side / 2, side / 2, side / 2), radius, seed=2)
    assert len(points) > 330_000
    assert cKDTree(points.xy).query(points.xy, k=2)[0][:, 1].min() >= radius


def test_spacing_in_every_way_a_user_may_compute_it():
    points = poisson_disk(None, 0.7, seed=4, window=(1e6, 1e6, 1e6 + 150, 1e6 + 150))
    a, b = cKDTree(points.xy).query_pairs(0.9, output_type="ndarray").T
    d = points.xy[a] - points.xy[b]
    assert len(d) > 10_000
    assert (np.sqrt((d**2).sum(axis=1)) >= 0.7).all()
    assert ((d**2).sum(axis=1) >= 0.7**2).all()
    assert (np.linalg.norm(d, axis=1) >= 0.7).all()


def test_chunks_put_together_keep_the_spacing():
    chunks = [
        poisson_disk(None, 2.0, seed=6, window=(16 * i, 16 * j, 16 * i + 16, 16 * j + 16)).xy
        for j in (-2, -1, 0)
        for i in (-1, 0, 1)
    ]
    assert naive.closest_pair(np.concatenate(chunks)) >= 2.0


@given(st.integers(0, 39))
def test_small_domain_around_the_origin(seed):
    assert naive.closest_pair(poisson_disk((-5, -5, 5, 5), 2, seed=seed).xy) >= 2


# -- maximality ------------------------------------------------------------------------------


@pytest.mark.parametrize("corner", [0.0, -1e7])
def test_nothing_more_fits(corner):
    radius = 1.5
    points = poisson_disk((corner, corner, corner + 120, corner + 90), radius, seed=3)
    rng = np.random.default_rng(0)
    probes = corner + rng.random((400_000, 2)) * (120, 90)
    assert cKDTree(points.xy - corner).query(probes - corner)[0].max() < radius


# -- window ----------------------------------------------------------------------------------

far = st.sampled_from([0.0, -3.0, 1e7, -1e7, 2.5e8])


@given(far, far, st.floats(0, 60), st.floats(0, 60), st.floats(1, 50), st.floats(1, 50), st.booleans())
def test_any_window_is_the_crop_of_any_other(x0, y0, dx, dy, width, depth, masked):
    allowed = groves if masked else None
    big = (x0 - 10, y0 - 10, x0 + 110, y0 + 110)
    small = (x0 + dx, y0 + dy, x0 + dx + width, y0 + dy + depth)
    whole = poisson_disk(None, 1.0, seed="window", allowed=allowed, window=big)
    assert_same(poisson_disk(None, 1.0, seed="window", allowed=allowed, window=small), crop(whole, small))


def test_windows_of_a_domain_and_its_edges():
    domain = (-30.5, 11.25, 64.0, 71.0)
    whole = poisson_disk(domain, 0.9, seed=1)
    for window in [(-40, 0, 0, 30), (-1, 20, 1, 22), (50, 60, 100, 100), (-30.5, 11.25, 64.0, 71.0)]:
        assert_same(poisson_disk(domain, 0.9, seed=1, window=window), crop(whole, window))


@pytest.mark.parametrize("masked", [False, True])
def test_small_windows_on_the_corner_of_four_tiles(masked):
    """They are made in one go, and come in the order of the tiles all the same."""
    allowed = groves if masked else None
    side = plane.TILE * Lattice.for_radius(1.0).cell
    for x, y in ((0.0, 0.0), (side, -side)):
        whole = poisson_disk(None, 1.0, seed=3, allowed=allowed, window=(x - 290, y - 9, x + 10, y + 12))
        small = (x - 9, y - 8, x + 5, y + 7)
        assert_same(poisson_disk(None, 1.0, seed=3, allowed=allowed, window=small), crop(whole, small))


def test_window_across_many_tiles(monkeypatch):
    whole = poisson_disk(None, 1.0, seed=1, window=(-70, -70, 80, 60))
    for side in (16, 57, 200):
        monkeypatch.setattr(plane, "TILE", side)
        other = poisson_disk(None, 1.0, seed=1, window=(-70, -70, 80, 60))
        assert sorted(other.id.tolist()) == sorted(whole.id.tolist())
        assert set(map(tuple, other.xy.tolist())) == set(map(tuple, whole.xy.tolist()))


# -- order and threads -----------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [None, groves])
def test_any_number_of_threads(monkeypatch, allowed):
    monkeypatch.setattr(plane, "TILE", 48)  # so that there is work for many threads
    one = poisson_disk((0, 0, 200, 150), 0.8, seed=5, allowed=allowed, threads=1)
    for threads in (2, 8):
        other = poisson_disk((0, 0, 200, 150), 0.8, seed=5, allowed=allowed, threads=threads)
        assert_same(other, (one.xy, one.id))


def test_any_order_of_asking():
    windows = [(16 * i, 16 * j, 16 * i + 16, 16 * j + 16) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    forward = [poisson_disk(None, 1.1, seed=8, window=w) for w in windows]
    backward = [poisson_disk(None, 1.1, seed=8, window=w) for w in reversed(windows)][::-1]
    for one, other in zip(forward, backward, strict=True):
        assert_same(one, (other.xy, other.id))


# -- locality, identity ----------------------------------------------------------------------


def test_an_edit_of_the_mask_changes_nothing_far_away():
    """The stated reach is 16 radii; what changes beyond is nothing, and inside it something does."""
    radius, reach = 1.0, 16.0
    for seed in range(12):
        before = poisson_disk((0, 0, 100, 100), radius, seed=seed)
        after = poisson_disk((0, 0, 100, 100), radius, seed=seed, allowed=lambda x, y: np.hypot(x - 50, y - 50) > 6)
        away = [np.hypot(*(p.xy - 50).T) > 6 + reach for p in (before, after)]
        assert_same(
            type(after)(after.xy[away[1]], after.radius, after.id[away[1]], seed),
            (before.xy[away[0]], before.id[away[0]]),
        )
        assert not np.array_equal(before.xy, after.xy)


def test_points_that_stay_keep_their_ids():
    before = poisson_disk((0, 0, 80, 80), 1.0, seed=4)
    after = poisson_disk((0, 0, 80, 80), 1.0, seed=4, allowed=lambda x, y: x + y > 40)
    place = dict(zip(map(tuple, before.xy.tolist()), before.id.tolist(), strict=True))
    stayed = [
        (place[tuple(p)], i) for p, i in zip(after.xy.tolist(), after.id.tolist(), strict=True) if tuple(p) in place
    ]
    assert len(stayed) > 0.8 * len(after)
    assert all(a == b for a, b in stayed)


# -- stability -------------------------------------------------------------------------------


def cases():
    yield "plain", poisson_disk((0, 0, 30, 30), 2.0, seed=1)
    yield "string seed, negative, odd radius", poisson_disk((-100, -50, -80, -30), 1.37, seed="weald")
    yield "far", poisson_disk(None, 1.0, seed=3, window=(1e7, -1e7, 1e7 + 15, -1e7 + 15))
    yield "mask", poisson_disk((0, 0, 40, 40), 1.5, seed=4, allowed=lambda x, y: x * y < 400)


def test_golden_vectors():
    """Changed results need a new ALGORITHM: then run ``python -m tests.golden.regenerate poisson_disk``."""
    golden = json.loads(GOLDEN.read_text())
    assert golden["algorithm"] == ALGORITHM
    for name, points in cases():
        assert [[float(v).hex() for v in p] for p in points.xy] == golden[name]["xy"], name
        assert points.id.tolist() == golden[name]["id"], name
