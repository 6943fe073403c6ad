"""Ripley's L: against counting pairs, and against what white noise, darts and clusters must show."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.sampling.quality import l_function


def test_on_a_torus_it_counts_pairs():
    rng = np.random.default_rng(1)
    xy = rng.uniform(0, 10, (60, 2))
    found = l_function(xy, (0, 0, 10, 10), periodic=True, reach=3.0, bins=30)
    gap = np.abs(xy[:, None] - xy[None])
    gap = np.minimum(gap, 10 - gap)
    distance = np.sqrt((gap**2).sum(axis=2))[~np.eye(60, dtype=bool)]
    for r, excess in zip(found.distance, found.excess, strict=True):
        k = (distance < r).sum() * 100 / (60 * 59)
        assert excess == pytest.approx(np.sqrt(k / np.pi) - r, abs=1e-9)


def test_white_noise_stays_within_the_tolerance_about_nineteen_times_of_twenty():
    rng = np.random.default_rng(2)
    tolerance = l_function(rng.uniform(0, 1, (80, 2)), (0, 0, 1, 1), bins=60, simulations=19).tolerance
    # of one tolerance the true level is itself a draw: 1 in 20 on average, seldom above 3 in 20
    deviations = [
        np.abs(l_function(rng.uniform(0, 1, (80, 2)), (0, 0, 1, 1), bins=60).excess).max() for _ in range(200)
    ]
    assert 0 < (np.array(deviations) > tolerance).sum() < 30
    assert np.isnan(l_function(rng.uniform(0, 1, (80, 2)), (0, 0, 1, 1)).tolerance)


def test_clusters_are_above_and_spacing_is_below():
    rng = np.random.default_rng(3)
    parents = rng.uniform(0, 100, (30, 2))
    clusters = (parents[:, None] + rng.normal(0, 1.5, (30, 20, 2))).reshape(-1, 2) % 100
    assert l_function(clusters, (0, 0, 100, 100)).excess.max() > 3
    lattice = np.stack(np.meshgrid(np.arange(20), np.arange(20)), -1).reshape(-1, 2) * 5 + rng.uniform(0, 1, (400, 2))
    found = l_function(lattice, (0, 0, 100, 100), reach=4.0)
    assert found.excess.min() < -2.5


def test_bad_reach():
    with pytest.raises(InputError, match="reach: got 200"):
        l_function([(1, 1), (2, 2)], (0, 0, 10, 10), reach=200)
    with pytest.raises(InputError, match="simulations: got -1; give a whole number, 0 or more"):
        l_function([(1, 1), (2, 2)], (0, 0, 10, 10), simulations=-1)
