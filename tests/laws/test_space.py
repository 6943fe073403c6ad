"""The laws of the design, for points of space. None has a tolerance."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from tests import naive
from weald._version import ALGORITHM
from weald.sampling.poisson import poisson_disk
from weald.sampling.volume import sampler

GOLDEN = Path(__file__).parents[1] / "golden" / "poisson_disk_space.json"


def veins(x, y, z):
    return np.sin(x / 3) + np.cos(y / 2) + np.sin(z / 4) > 0.3


def crop(points, window):
    inside = ((points.xyz >= window[:3]) & (points.xyz < window[3:])).all(axis=1)
    return points.xyz[inside], points.id[inside]


def assert_same(points, expected):
    np.testing.assert_array_equal(points.xyz, expected[0])
    np.testing.assert_array_equal(points.id, expected[1])


def cube(corner, side):
    return (*corner, *(along + side for along in corner))


# -- spacing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [1.0, 0.1, 3.7, 1e-3, 12345.678])
@pytest.mark.parametrize("far", [0.0, 1e6, 3e8])
def test_spacing_by_brute_force(radius, far):
    window = cube((-far * radius, far * radius, -6 * radius), 12 * radius)
    points = poisson_disk(None, radius, seed="spacing", window=window)
    assert len(points) > 1150
    assert naive.closest_pair(points.xyz) >= radius


def test_spacing_by_tree():
    points = poisson_disk((-18, -18, -18, 18, 18, 18), 0.7, seed=2)
    assert len(points) > 100_000
    assert cKDTree(points.xyz).query(points.xyz, k=2)[0][:, 1].min() >= 0.7


def test_chunks_put_together_keep_the_spacing():
    chunks = [
        poisson_disk(None, 2.0, seed=6, window=cube((12 * i, 12 * j, 12 * k), 12)).xyz
        for i in (-1, 0)
        for j in (-1, 0)
        for k in (-1, 0)
    ]
    assert naive.closest_pair(np.concatenate(chunks)) >= 2.0


# -- maximality ------------------------------------------------------------------------------


@pytest.mark.parametrize("corner", [0.0, -1e6])
def test_nothing_more_fits(corner):
    points = poisson_disk(cube((corner,) * 3, 24.0), 1.5, seed=3)
    probes = np.random.default_rng(0).random((400_000, 3)) * 24
    assert cKDTree(points.xyz - corner).query(probes)[0].max() < 1.5


# -- window ----------------------------------------------------------------------------------

far = st.sampled_from([0.0, -3.0, 1e6, -1e6, 2.5e8])
part = st.floats(0, 9)


@settings(max_examples=8)
@given(far, far, far, part, part, part, st.floats(1, 9), st.booleans())
def test_any_window_is_the_crop_of_any_other(x, y, z, dx, dy, dz, side, masked):
    allowed = veins if masked else None
    big, small = cube((x, y, z), 15.0), cube((x + dx, y + dy, z + dz), side)
    whole = poisson_disk(None, 1.0, seed="window", allowed=allowed, window=big)
    both = (*small[:3], *np.minimum(small[3:], big[3:]))
    assert_same(poisson_disk(None, 1.0, seed="window", allowed=allowed, window=both), crop(whole, both))


@pytest.mark.parametrize("allowed", [None, veins])
def test_windows_of_a_domain_and_its_faces(allowed):
    domain = (-9.5, 1.25, -4.0, 6.0, 17.0, 9.1)
    whole = poisson_disk(domain, 0.9, seed=1, allowed=allowed)
    for window in [(-20, 0, -9, 0, 5, 3), (-1, 4, 0, 1, 6, 2.5), (3, 12, 5, 30, 30, 30), domain]:
        assert_same(poisson_disk(domain, 0.9, seed=1, allowed=allowed, window=window), crop(whole, window))


def test_window_across_many_tiles(monkeypatch):
    window = cube((-9, -9, -9), 16)
    whole = poisson_disk(None, 1.0, seed=1, window=window)
    for together in (1, 2):  # the order is that of the tiles, however many are computed at once
        monkeypatch.setattr(sampler, "TOGETHER", together)
        assert_same(poisson_disk(None, 1.0, seed=1, window=window), (whole.xyz, whole.id))
    for side in (11, 24):
        monkeypatch.setattr(sampler, "TILE", side)
        other = poisson_disk(None, 1.0, seed=1, window=window)
        assert sorted(other.id.tolist()) == sorted(whole.id.tolist())
        assert set(map(tuple, other.xyz.tolist())) == set(map(tuple, whole.xyz.tolist()))


def test_blocks_that_are_given_what_others_decided(monkeypatch):
    # 72 cells: the last block of a row is so narrow that its darts make one slice of time only
    box = cube((0, 0, 0), 40)
    monkeypatch.setattr(sampler, "TOGETHER", 4)
    whole = poisson_disk(box, 1.0, seed=1, threads=1)
    monkeypatch.setattr(sampler, "TOGETHER", 1)
    assert_same(poisson_disk(box, 1.0, seed=1, threads=1), (whole.xyz, whole.id))


# -- threads ---------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [None, veins])
def test_any_number_of_threads(monkeypatch, allowed):
    monkeypatch.setattr(sampler, "TOGETHER", 1)  # so that there is work for many threads
    box = cube((0, 0, 0), 22)
    one = poisson_disk(box, 0.8, seed=5, allowed=allowed, threads=1)
    for threads in (2, 4):
        assert_same(poisson_disk(box, 0.8, seed=5, allowed=allowed, threads=threads), (one.xyz, one.id))


# -- locality --------------------------------------------------------------------------------


def test_an_edit_of_the_mask_stays_local():
    def edited(x, y, z):
        return np.hypot(np.hypot(x - 10, y - 10), z - 10) > 2

    before = poisson_disk(cube((0, 0, 0), 30), 1.0, seed=8)
    after = poisson_disk(cube((0, 0, 0), 30), 1.0, seed=8, allowed=edited)
    changed = set(map(tuple, before.xyz.tolist())) ^ set(map(tuple, after.xyz.tolist()))
    assert len(changed) > 20
    assert np.linalg.norm(np.array(list(changed)) - 10, axis=1).max() < 2 + 8
    assert set(before.id[crop_index(before, 20)].tolist()) == set(after.id[crop_index(after, 20)].tolist())


def crop_index(points, beyond):
    return (points.xyz > beyond).all(axis=1)


# -- stability -------------------------------------------------------------------------------


def cases():
    yield "plain", poisson_disk((0, 0, 0, 9, 8, 7), 2.0, seed=1)
    yield "string seed, negative, odd radius", poisson_disk((-100, -50, -9, -94, -45, -3), 1.37, seed="weald")
    yield "far", poisson_disk(None, 1.0, seed=3, window=cube((1e6, -1e6, 1e6), 4))
    yield "mask", poisson_disk((0, 0, 0, 6, 6, 6), 1.0, seed=4, allowed=lambda x, y, z: x * y * z < 9)


def test_golden_vectors():
    """Changed results need a new ALGORITHM: then run ``python -m tests.golden.regenerate poisson_disk_space``."""
    golden = json.loads(GOLDEN.read_text())
    assert golden["algorithm"] == ALGORITHM
    for name, points in cases():
        assert len(points) > 40, name
        assert [[float(v).hex() for v in p] for p in points.xyz] == golden[name]["xyz"], name
        assert points.id.tolist() == golden[name]["id"], name
