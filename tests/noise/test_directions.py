"""Gradients: of length 1, evenly drawn, and even in all directions."""

import itertools
import math

import numpy as np
import pytest

from tests.noise import oracles
from weald.hashing import key, mix_array
from weald.noise.directions import DIRECTIONS3, DIRECTIONS4, direction3, direction4


@pytest.mark.parametrize("table", [DIRECTIONS3, DIRECTIONS4])
def test_directions_are_different_unit_vectors(table):
    assert len(np.unique(table, axis=0)) == len(table)
    assert (table**2).sum(1) == pytest.approx(np.ones(len(table)), abs=1e-15)


def moment_of_the_sphere(powers):
    """Folland's formula, over the area."""
    if any(p % 2 for p in powers):
        return 0.0
    halves = [(p + 1) / 2 for p in powers]
    d = len(powers)
    return math.gamma(d / 2) / math.pi ** (d / 2) * math.prod(map(math.gamma, halves)) / math.gamma(sum(halves))


@pytest.mark.parametrize("table", [DIRECTIONS3, DIRECTIONS4])
def test_directions_average_polynomials_as_the_sphere_does(table):
    degree = 7
    for powers in itertools.product(range(degree + 1), repeat=table.shape[1]):
        if sum(powers) <= degree:
            average = np.prod(table ** np.array(powers), axis=1).mean()
            assert average == pytest.approx(moment_of_the_sphere(powers), abs=1e-14)


@pytest.mark.parametrize(("draw", "table"), [(direction3, DIRECTIONS3), (direction4, DIRECTIONS4)])
def test_hashes_draw_them_evenly_and_as_the_oracle_does(draw, table):
    hashes = mix_array(np.arange(200 * len(table), dtype=np.uint64), key("draw"))
    drawn = np.array([draw(h) for h in hashes])
    for h, found in list(zip(hashes, drawn, strict=True))[:50]:
        assert found == pytest.approx(oracles.direction(int(h), table.shape[1]), abs=1e-12)
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == len(table)
    # chi squared: mean n - 1, variance 2 (n - 1); five deviations
    freedom = len(table) - 1
    assert ((counts - 200) ** 2 / 200).sum() < freedom + 5 * math.sqrt(2 * freedom)
