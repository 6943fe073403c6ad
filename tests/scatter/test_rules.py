"""Rules: where their edges lie, what they make of voids, and how they multiply."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.fields import Condition
from weald.scatter.rules import Ground, Only, Ramp, share, told

BELOW, ABOVE = np.nextafter(5.0, 0), np.nextafter(5.0, 9)


def at(rule, *values):
    """Return the share where the measure is ``x`` itself."""
    x = np.array(values, np.float64)
    got = rule.share(x, np.zeros_like(x))
    assert got.dtype == np.float64
    assert got.shape == x.shape
    return got.tolist()


def east(x, y):
    return x


# -- ramps -----------------------------------------------------------------------------------


def test_a_sharp_edge_belongs_to_the_allowed_side():
    assert at(Ramp(east, 5, 5), -np.inf, BELOW, 5, ABOVE, np.inf) == [0, 0, 1, 1, 1]
    assert at(Ramp(east, 5, 5, rising=False), -np.inf, BELOW, 5, ABOVE, np.inf) == [1, 1, 1, 0, 0]


def test_a_soft_edge_rises_or_falls_as_a_smooth_cubic():
    assert at(Ramp(east, 2, 6), 1, 2, 3, 4, 5, 6, 7) == [0, 0, 0.15625, 0.5, 0.84375, 1, 1]
    assert at(Ramp(east, 6, 2), 1, 2, 3, 4, 5, 6, 7) == [1, 1, 0.84375, 0.5, 0.15625, 0, 0]
    # for a soft edge the order of its ends tells the direction, not `rising`
    assert at(Ramp(east, 6, 2, rising=True), 1, 7) == at(Ramp(east, 6, 2, rising=False), 1, 7) == [1, 0]
    assert at(Ramp(east, 0, 1), 1e-9)[0] > 0
    assert at(Ramp(east, 0, 1), 1 - 1e-6)[0] < 1


@pytest.mark.parametrize("rule", [Ramp(east, 5, 5), Ramp(east, 5, 5, rising=False), Ramp(east, 1, 2), Ramp(east, 2, 1)])
def test_nothing_stands_on_a_void(rule):
    assert at(rule, np.nan, 1.5)[0] == 0


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.lists(st.floats(-2e6, 2e6), min_size=2))
def test_ramps_are_monotone_and_stay_between_0_and_1(none_at, all_at, values):
    shares = at(Ramp(east, none_at, all_at), *sorted(values))
    assert all(0 <= s <= 1 for s in shares)
    # rounding may make a cubic dip by a few units in the last place
    assert all(s <= t + 1e-12 for s, t in itertools.pairwise(shares)) or none_at > all_at
    assert at(Ramp(east, none_at, all_at), none_at, all_at) == ([0, 1] if none_at != all_at else [1, 1])


def test_only_and_ground():
    west = Condition.of(lambda x, y: x < 5)
    assert at(Only(west), 4, 5, np.nan) == [1, 0, 0]
    assert at(Only(~west), 4, 5) == [0, 1]
    assert at(Ground(east), -3, np.nan, 0) == [1, 0, 1]


def test_what_a_rule_tells_changes_nothing_of_what_it_is():
    assert told(Ramp(east, 1, 2, text="east of 1")) == "east of 1"
    assert told(Table([1])) == "Table"
    assert Ramp(east, 1, 2, text="a", parts={"x": east}) == Ramp(east, 1, 2)


# -- products --------------------------------------------------------------------------------


class Table:
    """A rule that looks up its shares, and notes what it was asked."""

    def __init__(self, shares):
        self.shares, self.asked = np.array(shares, np.float64), []

    def share(self, x, y):
        self.asked += x.tolist()
        return self.shares[x.astype(int)]


levels = st.sampled_from([0.0, 0.0, 0.25, 0.7, 1.0])


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(levels, min_size=n, max_size=n), max_size=4)))
def test_the_short_cut_equals_the_plain_product(tables):
    n = len(tables[0]) if tables else 3
    plain = np.ones(n)
    for shares in tables:
        plain *= shares
    x = np.arange(n, dtype=np.float64)
    np.testing.assert_array_equal(share([Table(shares) for shares in tables], x, x), plain)


def test_rules_are_asked_only_where_something_is_left():
    rules = [Table([1, 0, 0.5, 0.0]), Table([0, 1, 1, 1]), Table([1, 1, 1, 1])]
    x = np.arange(4.0)
    assert share(rules, x, x).tolist() == [0, 0, 0.5, 0]
    assert [rule.asked for rule in rules] == [[0, 1, 2, 3], [0, 2], [2]]
    assert share([], x, x).tolist() == [1, 1, 1, 1]
    assert share(rules, x[:0], x[:0]).tolist() == []
