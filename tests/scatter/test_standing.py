"""What stands already: discs of any size, and the finding of those that are missing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.geometry import Bounds
from weald.scatter.discs import Discs
from weald.scatter.standing import Standing

TREES = np.random.default_rng(4).uniform(0, 100, (300, 2))


def discs(places, reach=1.0):
    xy = np.asarray(places, np.float64).reshape(-1, 2)
    return xy, np.broadcast_to(np.float64(reach), len(xy))


def held(xy, reach, x, y):
    """The oracle: every disc against every place."""
    dx, dy = xy[:, 0] - x[:, None], xy[:, 1] - y[:, None]
    return (np.sqrt(dx * dx + dy * dy) < reach).any(axis=1)


# -- discs -----------------------------------------------------------------------------------


@given(
    st.integers(0, 2**32),
    st.integers(0, 60),
    st.floats(0.01, 30),
    st.floats(1, 60),
    st.sampled_from([(0.0, 0.0), (-7e5, 3e6), (1e9, -1e9)]),
)
def test_discs_hold_what_every_disc_against_every_place_says(seed, count, small, spread, origin):
    rng = np.random.default_rng(seed)
    xy = rng.uniform(0, 50, (count, 2)) + origin
    reach = small * spread ** rng.random(count) * rng.integers(0, 4, count).clip(0, 1)
    x, y = (rng.uniform(-20, 70, 400) + corner for corner in origin)
    built = Discs(xy, reach)
    assert len(built) == (reach > 0).sum()
    np.testing.assert_array_equal(built.hold(x, y), held(xy, reach, x, y))
    if count:  # on the edge, exactly
        x, y = xy[:, 0] + reach, xy[:, 1]
        np.testing.assert_array_equal(built.hold(x, y), held(xy, reach, x, y))
        squares = (xy[:, 0] - x[:, None]) ** 2 + (xy[:, 1] - y[:, None]) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            bumps = np.nan_to_num(np.maximum(1 - squares / (reach * reach), 0), neginf=0).max(axis=1) ** 2
        np.testing.assert_array_equal(built.bump(x, y), bumps)


def test_a_disc_holds_what_is_nearer_and_no_more():
    x = np.array([0.0, 1e-9, 3.0, 8.0, 9.0, np.nextafter(8.0, 0)])
    y = np.array([0.0, 0, 4, 4, 4, 4])
    assert Discs(*discs([(3, 4)], 5.0)).hold(x, y).tolist() == [False, True, True, False, False, True]


def test_one_wide_disc_among_small_ones_stays_cheap():
    xy, reach = np.vstack([TREES, [50, 50]]), np.append(np.full(300, 0.01), 1e6)
    built = Discs(xy, reach)
    assert len(built._covered) < 50 * len(xy)
    x, y = np.random.default_rng(1).uniform(-2e6, 2e6, (2, 1000))
    np.testing.assert_array_equal(built.hold(x, y), held(xy, reach, x, y))


# -- what is missing -------------------------------------------------------------------------


def find(distance):
    return lambda box: discs(TREES[box.contains(*TREES.T)], distance)


@pytest.mark.parametrize("distance", [0.5, 3.0, 40.0])
def test_what_is_missing_is_found(distance):
    standing = Standing(find(distance), distance)
    standing.know(Bounds(30, 30, 60, 70), find(distance)(Bounds(30, 30, 60, 70)))
    rng = np.random.default_rng(1)
    for low, high in ((40, 50), (20, 80), (-20, 120), (0, 10)):
        x, y = rng.uniform(low, high, (2, 500))
        np.testing.assert_array_equal(standing.near(x, y), held(*discs(TREES, distance), x, y))
    assert standing.near(x[:0], y[:0]).shape == (0,)


def test_what_stands_just_beyond_the_known_box_counts():
    standing = Standing(lambda box: discs([(10.001, 5)], 2.0), 2.0)
    standing.know(Bounds(0, 0, 10, 10), discs([]))
    x = np.array([8.0, 8.0010001, 8.01, 8.1, 9.999, 10.5, 5.0])
    assert standing.near(x, np.full(7, 5.0)).tolist() == [False, True, True, True, True, True, False]


def test_what_is_known_is_not_asked_for_again():
    asked = []
    standing = Standing(lambda box: asked.append(box) or find(2.0)(box), 2.0)
    standing.prepare(Bounds(0, 0, 100, 100))
    assert len(asked) == 1
    standing.prepare(Bounds(10, 10, 20, 100))
    x, y = np.random.default_rng(2).uniform(3, 97, (2, 200))
    standing.near(x, y)
    assert len(asked) == 1
    standing.near(x - 50, y)
    standing.near(x - 50, y)
    assert len(asked) == 2
