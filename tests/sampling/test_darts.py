"""The sampler against the naive oracle, and the proofs that its certificate gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from weald import hashing
from weald.sampling import plane
from weald.sampling.cover import cover_table
from weald.sampling.lattice import PLACES, Lattice
from weald.sampling.plane import EVERYWHERE, Extent, Rules, compute, sample
from weald.sampling.state import near_cells
from weald.sampling.workspace import Workspace

RADII = (1.0, 1.03, 1.4, 0.9999)  # cells from almost radius / sqrt(2) to 3 % less


def places(rules, xy):
    return sorted(map(tuple, np.rint(xy / rules.lattice.unit).astype(int).tolist()))


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("depth", [3, 5])
def test_equals_throwing_every_dart_in_order(radius, depth):
    lattice = Lattice.for_radius(radius)
    for seed, corner in [(1, (-3, -2)), (2, (2**20, -(2**20)))]:
        x, y = corner[0] * PLACES + 12345, corner[1] * PLACES + 54321
        rules = Rules(lattice, hashing.key(seed), Extent(x, y, x + 5 * PLACES, y + 4 * PLACES + 999), depth=depth)
        xy, _ = sample(rules, EVERYWHERE, 1)
        assert places(rules, xy) == naive.poisson_disk(rules.key, lattice.conflict, rules.domain, depth)


@settings(max_examples=10)
@given(st.integers(0, 2**64 - 1), st.integers(-(2**30), 2**30), st.integers(-(2**30), 2**30))
def test_equals_the_oracle_for_any_seed_and_place(key, i, j):
    lattice = Lattice.for_radius(1.2)
    domain = Extent(i * PLACES + 7, j * PLACES + 7, (i + 4) * PLACES, (j + 3) * PLACES)
    rules = Rules(lattice, key, domain, depth=4)
    assert places(rules, sample(rules, EVERYWHERE, 1)[0]) == naive.poisson_disk(key, lattice.conflict, domain, 4)


def test_a_mask_that_is_asked_equals_darts_that_were_never_thrown():
    # down to level 3, before boxes along the mask's edge are given up
    lattice = Lattice.for_radius(1.0)
    rules = Rules(lattice, 77, Extent(0, 0, 6 * PLACES, 6 * PLACES), allowed=lambda x, y: x + y < 4.0, depth=3)
    unit = lattice.unit
    oracle = naive.poisson_disk(77, lattice.conflict, rules.domain, 3, lambda x, y: x * unit + y * unit < 4.0)
    assert places(rules, sample(rules, EVERYWHERE, 1)[0]) == oracle


@pytest.mark.parametrize("allowed", [None, lambda x, y: np.sin(x / 3) * np.sin(y / 4) > 0])
def test_a_halo_that_is_too_small_is_noticed_and_mended(allowed):
    rules = Rules(Lattice.for_radius(1.0), hashing.key("halo"), EVERYWHERE, allowed)
    block = Extent(-40, 100, 24, 148)
    reference = compute(rules, block, 40, Workspace())
    for halo in (0, 1, 2, 3, 5, 8, 13):
        x, y = compute(rules, block, halo, Workspace())
        np.testing.assert_array_equal(x, reference[0])
        np.testing.assert_array_equal(y, reference[1])


def test_fog_comes_through_a_small_halo_at_all():
    """The test above proves nothing unless a small halo really is not enough."""
    rules = Rules(Lattice.for_radius(1.0), hashing.key("halo"), EVERYWHERE)
    seen = []
    original = plane.foggy

    def spy(*arguments):
        seen.append(original(*arguments))
        return seen[-1]

    plane.foggy = spy
    try:
        compute(rules, Extent(0, 0, 64, 64), 2, Workspace())
    finally:
        plane.foggy = original
    assert seen[0]
    assert len(seen) > 1


def test_a_workspace_remembers_nothing():
    rules = Rules(Lattice.for_radius(1.0), 5, EVERYWHERE, lambda x, y: x > y)
    used = Workspace()
    compute(Rules(Lattice.for_radius(1.3), 9, EVERYWHERE), Extent(5, 5, 90, 80), 4, used)
    block = Extent(-20, -20, 30, 25)
    for mine, fresh in zip(compute(rules, block, 8, used), compute(rules, block, 8, Workspace()), strict=True):
        np.testing.assert_array_equal(mine, fresh)


def test_cover_table_is_never_too_generous():
    lattice = Lattice.for_radius(1.0)
    near = np.array(near_cells(2), np.int32) * np.int32(PLACES)
    table = cover_table(np.array([lattice.conflict]), 16, near[:, 0].copy(), near[:, 1].copy())[0]
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(3000):
        q, b, k = int(rng.integers(256)), int(rng.integers(24)), int(rng.integers(64))
        if not (int(table[q, b]) >> k) & 1:
            continue
        covered += 1
        point = np.array([q % 16, q // 16]) * 4096 + rng.choice([0, 4095], 2)
        box = near[b] + np.array([k % 8, k // 8]) * 8192
        corner = box + rng.choice([0, 8192], 2)
        assert ((point - corner).astype(np.int64) ** 2).sum() < lattice.conflict
    assert covered > 500


def test_opposite_cells_stand_in_pairs():
    for reach in (2, 3):
        cells = near_cells(reach)
        assert len(set(cells)) == (2 * reach + 1) ** 2 - 1
        for b, (i, j) in enumerate(cells):
            assert cells[b ^ 1] == (-i, -j)
