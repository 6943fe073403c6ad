"""Orientation: against sines, against matrices, and at the places where quaternions break."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.scatter.orientation import compose, facing, rotation_matrices, sine_cosine, tilted, upright_to, yaw

angles = st.floats(-1e6, 1e6)
parts = st.floats(-1e150, 1e150)


def turned(q, vector):
    return rotation_matrices(q) @ np.asarray(vector, float)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=20))
def test_sines_are_right_to_the_last_digits(turns):
    sine, cosine = sine_cosine(np.array(turns))
    np.testing.assert_allclose(sine, [math.sin(2 * math.pi * t) for t in turns], atol=2e-15, rtol=0)
    np.testing.assert_allclose(cosine, [math.cos(2 * math.pi * t) for t in turns], atol=2e-15, rtol=0)


def test_quarter_turns_are_exact():
    sine, cosine = sine_cosine(np.arange(-8, 9) / 4)
    assert sine.tolist() == [0, 1, 0, -1] * 4 + [0]
    assert cosine.tolist() == [1, 0, -1, 0] * 4 + [1]


@given(angles)
def test_yaw_turns_counter_clockwise_about_up(turns):
    q = yaw(np.array([turns]))
    sine, cosine = sine_cosine(np.array([turns]))
    np.testing.assert_allclose(turned(q, [1, 0, 0])[0], [cosine[0], sine[0], 0], atol=1e-9)
    np.testing.assert_allclose(turned(q, [0, 0, 1])[0], [0, 0, 1], atol=1e-12)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_the_front_looks_along_the_direction(x, y):
    q = facing(np.array([[x, y]]))
    assert np.linalg.norm(q) == pytest.approx(1, abs=1e-12)
    length = math.sqrt(x * x + y * y)
    front = turned(q, [0, -1, 0])[0]
    np.testing.assert_allclose(front, [x / length, y / length, 0] if length > 0 else [0, -1, 0], atol=1e-9)


def test_all_directions_of_the_compass():
    around = np.arange(720) / 720
    sine, cosine = sine_cosine(around)
    direction = np.column_stack([cosine, sine])
    np.testing.assert_allclose(turned(facing(direction), [0, -1, 0])[:, :2], direction, atol=1e-12)


@given(st.floats(0, 0.25), st.floats(0, 1))
def test_a_tilt_leans_so_far_and_that_way(angle, towards):
    up = turned(tilted(np.array([angle]), np.array([towards])), [0, 0, 1])[0]
    lean, azimuth = 2 * math.pi * angle, 2 * math.pi * towards
    expected = [math.sin(lean) * math.cos(azimuth), math.sin(lean) * math.sin(azimuth), math.cos(lean)]
    np.testing.assert_allclose(up, expected, atol=1e-12)


@given(st.tuples(parts, parts, parts), st.floats(0, 1))
def test_leaning_is_never_nan_and_goes_between_up_and_the_normal(normal, alignment):
    q = upright_to(np.array([normal]), alignment)
    assert np.isfinite(q).all()
    assert np.linalg.norm(q) == pytest.approx(1, abs=1e-12)
    assert q[0, 2] == 0  # no turn about the vertical comes in by leaning
    up = turned(q, [0, 0, 1])[0]
    size = max(abs(part) for part in normal)
    if size > 1e-9:
        n = np.array(normal) / size
        n /= np.linalg.norm(n)
        wanted = (1 - alignment) * np.array([0, 0, 1]) + alignment * n
        if np.linalg.norm(wanted) > 1e-6 and wanted[2] / np.linalg.norm(wanted) > -1 + 1e-6:
            np.testing.assert_allclose(up, wanted / np.linalg.norm(wanted), atol=1e-6)


@pytest.mark.parametrize("alignment", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_normals_near_straight_up_or_down_do_not_flip(alignment, sign):
    """A normal an ulp off the vertical leans no other way than the vertical itself, but straight down."""
    tiny = 1e-12
    normals = np.array([[0, 0, sign], [tiny, 0, sign], [-tiny, 0, sign], [0, tiny, sign], [0, -0.0, sign]])
    up = turned(upright_to(normals, alignment), [0, 0, 1])
    assert np.isfinite(up).all()
    np.testing.assert_allclose(up, np.broadcast_to(up[0], up.shape), atol=1e-6)


@pytest.mark.parametrize("normal", [[0, 0, 0], [math.nan, 0, 1], [math.inf, 0, 0]])
def test_no_normal_leaves_things_upright(normal):
    assert upright_to(np.array([normal], float), 1.0).tolist() == [[0, 0, 0, 1]]


@given(st.tuples(angles, st.floats(0, 0.5), angles, st.floats(-1, 1), st.floats(-1, 1)))
def test_composed_is_one_after_the_other_and_never_mirrors(values):
    first = yaw(np.array([values[0]]))
    second = compose(upright_to(np.array([[values[3], values[4], 0.5]]), 0.7), tilted(*np.array(values[1:3])[:, None]))
    both = rotation_matrices(compose(second, first))[0]
    np.testing.assert_allclose(both, rotation_matrices(second)[0] @ rotation_matrices(first)[0], atol=1e-9)
    assert np.linalg.det(both) == pytest.approx(1, abs=1e-9)


def test_each_row_is_on_its_own():
    """Bits depend on the instance alone, not on how many are oriented at once."""
    rng = np.random.default_rng(5)
    normal, turns = rng.normal(size=(1001, 3)), rng.uniform(size=1001)
    whole = compose(upright_to(normal, 0.4), yaw(turns))
    for k in (0, 1, 7, 500, 1000):
        assert whole[k].tobytes() == compose(upright_to(normal[k : k + 1], 0.4), yaw(turns[k : k + 1]))[0].tobytes()
