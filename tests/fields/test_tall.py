"""Expressions of many parts: hundreds of terms work, and what would take for ever is refused with numbers."""

import sys

import numpy as np
import pytest

from weald.errors import InputError
from weald.fields import Field, perlin
from weald.fields.expression import price, survey
from weald.fields.formula import parse_field, parse_formula
from weald.geometry import Grid

NOISE = perlin(seed=1, scale=50).fbm(octaves=2)
NAMES = {"h": NOISE, "x": Field.of(lambda x, y: x)}
X = np.linspace(-90, 90, 41)


def _chain(rounds, step):
    field = NOISE
    for number in range(rounds):
        field = step(field, number)
    return field


@pytest.mark.parametrize("terms", [2, 99, 101, 400, 700])
def test_a_sum_of_many_terms_is_the_sum(terms):
    field = parse_field(" + ".join(["h"] + ["0.5 * x"] * (terms - 1)), NAMES)
    expected = NOISE(X, 3.0)
    for _ in range(terms - 1):
        expected = expected + 0.5 * X
    assert np.array_equal(field(X, 3.0), expected)
    grid = Grid(0, 0, 1, 5, 3)
    assert np.array_equal(field.sample(grid, threads=1), field(grid.x[None], grid.y[:, None]))


def test_differences_and_quotients_keep_their_order():
    assert float(parse_field("x - 1 - 2 - 3", NAMES)(10, 0)) == 4
    assert float(parse_field("x / 2 / 5 * 3", NAMES)(20, 0)) == 6
    assert float(parse_field("x - (1 - 2) - 3 ** 2", NAMES)(10, 0)) == 2
    with pytest.raises(InputError, match="'1 / 0' cannot be"):
        parse_field("x + 1 / 0 + 2", NAMES)


def test_a_tall_expression_takes_few_frames_of_python():
    field = _chain(1200, lambda field, number: (field + 1) * 0.5)
    shallow = NOISE(X, 3.0)
    for _ in range(1200):
        shallow = (shallow + 1) * 0.5
    assert np.array_equal(field(X, 3.0), shallow)
    assert (field > 0.5)(X, 3.0).tolist() == (shallow > 0.5).tolist()
    assert max(map(len, survey(field.expression).landings.values())) == 2400 // 8


def test_a_tall_expression_may_move_and_be_moved():
    def step(field, number):
        return field.translate(1, 0) + 1 if number % 40 == 0 else field + 1

    assert np.allclose(_chain(600, step)(X, 3.0), NOISE(X - 15, 3.0) + 600, rtol=0, atol=1e-9)
    tall = _chain(600, lambda field, number: field + 1)
    assert np.array_equal(tall.translate(2, 0)(X, 3.0), tall(X - 2, 3.0))


def test_conditions_of_many_parts():
    condition = parse_formula(" and ".join(f"x > {-k}" for k in range(400)), NAMES)
    assert np.array_equal(condition(X, 0.0), X > 0)


def test_the_price_counts_what_is_evaluated():
    calls = []

    def counted(x, y):
        calls.append(len(x))
        return x * 0.125

    leaf = Field.of(counted, range=(-1e9, 1e9))
    field = leaf
    for rounds in range(1, 7):
        field = field.warp(field, field)
        calls.clear()
        field(X, 3.0)
        assert len(calls) == 2**rounds  # a leaf at every place of its own
        assert price(field.expression).evaluations == 2 ** (rounds + 1) - 1
    assert price(field.expression, 50).evaluations > 50
    assert price((leaf + leaf).expression).evaluations == 2
    assert price(NOISE.translate(1, 0).translate(2, 0).expression).moves == 2


def test_warps_of_warps_are_refused_before_they_take_for_ever():
    names = dict(NAMES)
    for _ in range(10):
        names["h"] = parse_field("warp(h, h, h)", names)
    names["h"] = names["h"].warp(names["h"], names["h"])
    with pytest.raises(InputError, match=r"where: 'warp\(h, h, h\)' asks for more than 4,000 values at every place"):
        parse_field("warp(h, h, h)", names, name="where")
    names = dict(NAMES)
    for _ in range(24):
        names["h"] = parse_field("translate(h, 1, 0)", names)
    assert np.allclose(names["h"](X + 24, 3.0), NOISE(X, 3.0), rtol=0, atol=1e-9)
    with pytest.raises(InputError, match="moves places 25 times"):
        parse_field("translate(h, 1, 0)", names)


def test_texts_of_warps_of_warps_stay_short():
    field = NOISE
    for _ in range(40):
        field = field.warp(field, field)
    assert len(repr(field)) < 100_000
    assert sys.getrecursionlimit() <= 1100  # nothing here has raised it
