"""Sets of points: how they are counted, indexed, compared and shown."""

import pickle

import numpy as np
import pytest

from weald.sampling.poisson import poisson_disk

BOX, SPACE = (0, 0, 30, 30), (0, 0, 0, 9, 9, 9)
both = pytest.mark.parametrize("bounds", [BOX, SPACE], ids=["plane", "space"])


@both
def test_the_same_call_gives_an_equal_set(bounds):
    points = poisson_disk(bounds, 2, seed=1)
    assert points == poisson_disk(bounds, 2.0, seed=1, threads=1)
    assert points != poisson_disk(bounds, 2, seed=2)
    assert points != poisson_disk(bounds, 2, seed="1")
    assert points != points[::-1]
    assert points != points[:-1]
    assert points != "points"
    assert (points == poisson_disk(BOX, 2, seed=1)) is (bounds == BOX)
    with pytest.raises(TypeError, match="unhashable"):
        hash(points)


def test_a_window_equals_the_crop_of_the_whole():
    points = poisson_disk(BOX, 2, seed=1)
    assert points[(points.xy < 15).all(axis=1)] == poisson_disk(BOX, 2, seed=1, window=(0, 0, 15, 15))


@both
def test_one_index_gives_a_place_and_several_give_a_set(bounds):
    points = poisson_disk(bounds, 2, seed=1)
    places = np.asarray(points)
    for k in (0, -1, np.int64(3)):
        np.testing.assert_array_equal(points[k], places[k])
    np.testing.assert_array_equal(list(points), places)
    for which in (slice(2, 9), [4, 1], np.array([4, 1]), places[:, 0] > 5, []):
        some = points[np.array(which, int) if which == [] else which] if isinstance(which, list) else points[which]
        picked = np.array(which, int) if isinstance(which, list) else which
        assert type(some) is type(points)
        np.testing.assert_array_equal(np.asarray(some), places[picked])
        np.testing.assert_array_equal(some.id, points.id[picked])
        np.testing.assert_array_equal(some.radius, points.radius[picked])
        assert (some.seed, some.bounds) == (points.seed, points.bounds)
    with pytest.raises(IndexError):
        points[len(points)]
    with pytest.raises(TypeError, match=r"points take one index.*use \.xy"):
        points[:, 0]


@both
def test_length_truth_show_and_pickle(bounds):
    points = poisson_disk(bounds, 2, seed=1)
    assert len(points) == len(np.asarray(points)) == len(points.id) == len(points.radius)
    assert points
    assert not points[:0]
    name = "PointSet" if bounds == BOX else "SpacePoints"
    assert repr(points) == f"{name}({len(points)} points, seed=1)"
    assert repr(points[:0]) == f"{name}(0 points, seed=1)"
    assert pickle.loads(pickle.dumps(points)) == points


def test_an_array_compares_by_element():
    points = poisson_disk(BOX, 2, seed=1)
    assert (points.xy == points).all()
    assert (points == points.xy).all()
