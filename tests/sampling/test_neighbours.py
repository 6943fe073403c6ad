import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.sampling.neighbours import Neighbours


@given(
    st.integers(0, 60), st.integers(0, 2**32 - 1), st.floats(0.01, 5), st.floats(0.01, 3), st.sampled_from([0, -1e6])
)
def test_against_all_pairs(n, seed, cell, distance, origin):
    rng = np.random.default_rng(seed)
    xy = origin + rng.random((n, 2)) * (10, 3)
    places = origin + rng.random((50, 2)) * (14, 7) - 2
    near = Neighbours(xy, cell)
    gaps = np.sqrt(((places[:, None] - xy[None]) ** 2).sum(axis=2))
    np.testing.assert_array_equal(near.within(*places.T, distance), (gaps < distance).any(axis=1))
    between = np.sqrt(((xy[:, None] - xy[None]) ** 2).sum(axis=2))
    np.fill_diagonal(between, np.inf)
    np.testing.assert_array_equal(near.nearest_distance(), between.min(axis=1, initial=np.inf))


def test_far_places_and_shapes():
    near = Neighbours([[0.0, 0.0]], 1.0)
    x = np.array([[1e300, -1e300], [0.5, np.inf]])
    assert near.within(x, 0.0, 1.0).tolist() == [[False, False], [True, False]]


def test_a_tiny_distance_over_a_wide_plane_needs_little_memory():
    near = Neighbours(np.array([[0, 0], [1e9, 1e9], [1e9, 0]]), 1e-3)
    assert near.nearest_distance().tolist() == [1e9, 1e9, 1e9]


def test_errors():
    with pytest.raises(InputError, match=r"xy: point 1 is \(nan, 0.0\)"):
        Neighbours([[0, 0], [np.nan, 0]], 1)
    with pytest.raises(InputError, match="cell: got 0"):
        Neighbours([[0, 0]], 0)


@given(
    st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), max_size=30),
    st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=1, max_size=10),
    st.sampled_from([0.3, 1.0, 2.5, 50.0]),
    st.sampled_from([0.0, 1e6, -3e8]),
)
def test_nearest_is_the_first_of_the_nearest(points, places, cell, away):
    xy = np.array(points, float).reshape(-1, 2) + away
    x, y = np.array(places, float).T / 2 + away
    which, distance = Neighbours(xy, cell).nearest(x, y)
    if not len(xy):
        assert which.tolist() == [-1] * len(x)
        assert np.isinf(distance).all()
        return
    all_ = np.sqrt((xy[None, :, 0] - x[:, None]) ** 2 + (xy[None, :, 1] - y[:, None]) ** 2)
    np.testing.assert_array_equal(which, all_.argmin(axis=1))
    np.testing.assert_array_equal(distance, all_.min(axis=1))
