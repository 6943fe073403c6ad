"""Tiles that repeat: spacing and coverage across the edges, in any window."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from weald.errors import InputError
from weald.sampling import plane
from weald.sampling.poisson import poisson_disk


def repeated(points, box, axes=(True, True)):
    size = np.array([box[2] - box[0], box[3] - box[1]])
    turns = [(-1, 0, 1) if repeats else (0,) for repeats in axes]
    return np.concatenate([points.xy + size * (i, j) for i in turns[0] for j in turns[1]])


BOXES = [
    ((0, 0, 100, 73.3), 4.0),
    ((-5, 17, 40.1, 61), 1.03),
    ((0, 0, 0.1, 0.3), 0.007),
    ((1e6, -1e6, 1e6 + 50, -1e6 + 33), 2),
]


@pytest.mark.parametrize(("box", "radius"), BOXES)
def test_spacing_and_coverage_across_the_edges(box, radius):
    points = poisson_disk(box, radius, seed=1, periodic=True)
    around = repeated(points, box)
    tree = cKDTree(around)
    assert tree.query(points.xy, k=2)[0][:, 1].min() >= radius
    places = np.array(box[:2]) + np.random.default_rng(0).random((200_000, 2)) * (box[2] - box[0], box[3] - box[1])
    assert tree.query(places)[0].max() < radius * (1 + 4e-5)
    assert (points.xy >= box[:2]).all()
    assert (points.xy < box[2:]).all()
    assert len(set(points.id.tolist())) == len(points)


@given(st.floats(10, 60), st.floats(10, 60), st.floats(-1e4, 1e4), st.integers())
def test_any_tile(width, depth, corner, seed):
    box = (corner, -corner, corner + width, -corner + depth)
    points = poisson_disk(box, 1.0, seed=seed, periodic=True)
    assert cKDTree(repeated(points, box)).query(points.xy, k=2)[0][:, 1].min() >= 1.0
    assert len(points) * math.pi / 4 / (width * depth) == pytest.approx(0.547, abs=0.04)


def test_density_is_that_of_the_plane():
    points = poisson_disk((0, 0, 300, 290), 1.0, seed=2, periodic=True)
    assert len(points) * math.pi / 4 / (300 * 290) == pytest.approx(0.547, abs=0.0015)


@pytest.mark.parametrize(("axis", "axes"), [("x", (True, False)), ("y", (False, True))])
def test_one_axis(axis, axes):
    box = (0, 0, 60, 47.7)
    points = poisson_disk(box, 1.5, seed=3, periodic=axis)
    assert cKDTree(repeated(points, box, axes)).query(points.xy, k=2)[0][:, 1].min() >= 1.5
    both = repeated(points, box)
    assert cKDTree(both).query(points.xy, k=2)[0][:, 1].min() < 1.5  # the other axis does not repeat
    places = np.random.default_rng(0).random((100_000, 2)) * (60, 47.7)
    assert cKDTree(repeated(points, box, axes)).query(places)[0].max() < 1.5 * (1 + 4e-5)


def test_windows_tiles_and_threads_do_not_matter(monkeypatch):
    box = (-7, 3, 83, 70.5)
    whole = poisson_disk(box, 1.2, seed=4, periodic=True)
    for window in [(0, 10, 30, 30), (-7, 3, 0, 70.5), (80, 60, 200, 200), (41, 41, 42.5, 42.5)]:
        part = poisson_disk(box, 1.2, seed=4, periodic=True, window=window)
        inside = ((whole.xy >= window[:2]) & (whole.xy < window[2:])).all(axis=1)
        np.testing.assert_array_equal(part.xy, whole.xy[inside])
        np.testing.assert_array_equal(part.id, whole.id[inside])
    monkeypatch.setattr(plane, "TILE", 30)
    other = poisson_disk(box, 1.2, seed=4, periodic=True, threads=8)
    assert set(map(tuple, other.xy.tolist())) == set(map(tuple, whole.xy.tolist()))


def test_a_mask_is_asked_inside_the_tile_only():
    def allowed(x, y):
        assert ((x >= 0) & (x < 50) & (y >= 0) & (y < 40)).all()
        return (x - 25) ** 2 + (y - 20) ** 2 > 100

    points = poisson_disk((0, 0, 50, 40), 1, seed=5, periodic=True, allowed=allowed)
    assert len(points) > 900
    assert allowed(*points.xy.T).all()
    assert cKDTree(repeated(points, (0, 0, 50, 40))).query(points.xy, k=2)[0][:, 1].min() >= 1


def test_a_small_tile_warns_and_still_holds():
    with pytest.warns(UserWarning, match="only 5 radii long in x"):
        points = poisson_disk((0, 0, 10, 40), 2, seed=6, periodic=True)
    assert cKDTree(repeated(points, (0, 0, 10, 40))).query(points.xy, k=2)[0][:, 1].min() >= 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        poisson_disk((0, 0, 20, 20), 2, seed=6, periodic=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bounds": (0, 0, 5, 50)}, "periodic: the domain is 5 long in x, 2.5 radii; give at least 3"),
        ({"periodic": "z"}, "periodic: got 'z'; give True, False, 'x' or 'y'"),
        ({"periodic": 1.5}, "periodic: got 1.5"),
        ({"bounds": None, "window": (0, 0, 9, 9)}, "periodic: bounds is None"),
        ({"radius": lambda x, y: x, "radius_range": (1, 2)}, "periodic: goes with a number"),
        ({"blockers": ([[0, 0]], 1)}, "periodic: goes with a number"),
        ({"radius": -1}, "radius: got -1"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(InputError, match=message):
        poisson_disk(**{"bounds": (0, 0, 50, 50), "radius": 2.0, "seed": 1, "periodic": True, **arguments})
