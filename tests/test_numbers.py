import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from weald.errors import InputError
from weald.fields import perlin
from weald.geometry import Grid
from weald.numbers import is_number, metres, number, number_in, ordered, whole_in

NUMBERS = (2, 2.0, np.float32(2), np.int64(2), np.uint8(2), np.array(2.0), Fraction(2))
NO_NUMBERS = (True, np.True_, "2", b"2", None, 2j, Decimal(2), [2.0], np.array([2.0]))


@pytest.mark.parametrize("value", NUMBERS)
def test_numbers_of_every_kind_are_numbers(value):
    assert number(value) == number_in("a", value, "2", least=2, most=2) == metres("a", value) == 2.0
    assert type(number(value)) is float
    assert is_number(value)


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_only_looks_like_a_number_is_none(value):
    assert number(value) is None
    assert not is_number(value)
    for check in (number_in, whole_in):
        with pytest.raises(InputError, match=r"^depth: got .*; give metres$"):
            check("depth", value, "metres", least=0)


def test_what_is_not_finite_is_refused():
    assert number(10**400) == math.inf
    assert number(-(10**400)) == -math.inf
    for value in (math.nan, math.inf, -math.inf, 10**400):
        assert not is_number(value)
        with pytest.raises(InputError, match="finite number of metres above 0"):
            metres("spacing", value)
        with pytest.raises(InputError, match="a pair"):
            ordered("range", (0, value), "a pair")


def test_ends_are_what_they_are_called():
    for ends, inside, outside in [
        ({"least": 0, "most": 1}, (0, 1), (-1e-9, 1 + 1e-9)),
        ({"above": 0, "below": 1}, (1e-9, 1 - 1e-9), (0, 1)),
    ]:
        for value in inside:
            assert number_in("a", value, "it", **ends) == value
        for value in outside:
            with pytest.raises(InputError, match="a: got"):
                number_in("a", value, "it", **ends)


def test_whole_numbers():
    assert type(whole_in("n", np.int64(3), "", least=0)) is int
    for value in (2.0, -1, 5, np.float64(2)):
        with pytest.raises(InputError, match=r"n: got .*; give 0 to 4"):
            whole_in("n", value, "0 to 4", least=0, most=4)


def test_pairs():
    assert ordered("depth", np.array([-4, 0]), "") == (-4.0, 0.0)
    for value in (3, (1, 0), (1, 2, 3), ("1", 2), None, "ab"):
        with pytest.raises(InputError, match="depth: got"):
            ordered("depth", value, "a pair")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nx": 2.5}, r"grid: nx: got 2\.5; give a whole number of at least 1"),
        ({"ny": "3"}, "grid: ny: got '3'"),
        ({"nx": 0}, "grid: nx: got 0"),
        ({"spacing": "a"}, "grid: spacing is 'a'; give a finite number above 0"),
        ({"xmin": None}, "grid: xmin is None; give a finite number"),
    ],
)
def test_grids_take_numbers(change, message):
    with pytest.raises(InputError, match=message):
        Grid(**{"xmin": 0, "ymin": 0, "spacing": 1, "nx": 3, "ny": 3, **change})


@pytest.mark.parametrize("side", [2**24, 2**40])
def test_samples_that_fit_nowhere_are_refused_with_their_size(side):
    """At once: nothing is computed, and no coordinates are made."""
    with pytest.raises(
        InputError, match=rf"grid: {side} x {side} samples need [0-9,]+ GiB, more than there is; sample"
    ):
        perlin(1, 1.0).sample(Grid(0, 0, 1, side, side))
