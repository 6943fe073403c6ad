"""The functions of `weald.exact` are right to a few units in the last place, and their special values are right."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald import exact

RNG = np.random.default_rng(1)
N = 20_000


def off(found, right):
    """Return how far results are off, in units of the last place of the right ones, at most."""
    right = np.asarray(right)
    return float(np.max(np.abs(found - right) / np.spacing(np.abs(right))))


def wide(n=N):
    """Return numbers of either sign and many sizes."""
    return RNG.normal(0, 1, n) * 10.0 ** RNG.integers(-12, 12, n)


def test_arctangents():
    y, x = wide(), wide()
    assert off(exact.arctangent(y, x), [math.atan2(*place) for place in zip(y, x, strict=True)]) <= 4
    assert off(exact.arctangent(y), [math.atan(each) for each in y]) <= 4
    assert exact.arctangent([0.0, 0.0, 2.0, -2.0, 0.0], [0.0, -1.0, 0.0, 0.0, 3.0]).tolist() == [
        0.0,
        math.pi,
        math.pi / 2,
        -math.pi / 2,
        0.0,
    ]
    assert exact.arctangent(math.inf, 1.0) == math.pi / 2
    assert np.isnan(exact.arctangent([math.nan, 1.0, math.inf], [1.0, math.nan, math.inf])).all()
    assert exact.arctangent_deg(1.0) == pytest.approx(45, abs=1e-13)
    assert exact.arctangent(np.ones((2, 3)), np.ones((3,))).shape == (2, 3)


def test_sines_of_degrees():
    angle = RNG.uniform(-720, 720, N)
    sine, cosine = exact.sine_cosine_deg(angle)
    with localcontext() as context:
        context.prec = 60  # 4e-16 of the angle is lost by what turns degrees into radians in the reference otherwise
        turn = [float(Decimal(each) % 360) for each in angle]
    assert np.abs(sine - np.sin(np.radians(turn))).max() < 2e-15
    assert np.abs(cosine - np.cos(np.radians(turn))).max() < 2e-15
    assert np.abs(sine * sine + cosine * cosine - 1).max() < 5e-16
    quarters = np.arange(-8, 9)
    sine, cosine = exact.sine_cosine_deg(90.0 * quarters)
    assert sine.tolist() == [[0.0, 1.0, 0.0, -1.0][q % 4] for q in quarters]
    assert cosine.tolist() == [[1.0, 0.0, -1.0, 0.0][q % 4] for q in quarters]
    assert not np.signbit(sine[sine == 0]).any()


def test_sines_and_tangents_near_zero_keep_their_digits():
    angle = 10.0 ** RNG.uniform(-12, 1.6, N)
    assert off(exact.sine_cosine_deg(angle)[0], [math.sin(math.radians(each)) for each in angle]) <= 4
    small = angle[::50]
    assert off([exact.tangent_deg(each) for each in small], [math.tan(math.radians(each)) for each in small]) <= 6


def test_sines_of_radians():
    angle = RNG.uniform(-50, 50, N)
    assert np.abs(exact.sine(angle) - np.sin(angle)).max() < 2e-14
    assert np.abs(exact.cosine(angle) - np.cos(angle)).max() < 2e-14


def test_logarithms():
    values = np.abs(wide())
    assert off(exact.logarithm(values), [math.log(each) for each in values]) <= 4
    near = 1 + RNG.normal(0, 1, N) * 10.0 ** RNG.integers(-15, -1, N)
    near = near[near != 1]
    assert off(exact.logarithm(near), [math.log(each) for each in near]) <= 4
    assert exact.logarithm([5e-324, 1.0, math.inf]).tolist() == [math.log(5e-324), 0.0, math.inf]
    assert exact.logarithm([0.0, -0.0]).tolist() == [-math.inf, -math.inf]
    assert np.isnan(exact.logarithm([-1.0, -math.inf, math.nan])).all()


@pytest.mark.parametrize("exponent", [1 / 3, 0.85, 2.4, 7.3])
def test_powers(exponent):
    values = np.abs(wide())
    error = np.abs(exact.raised(values, exponent) / [math.pow(each, exponent) for each in values] - 1)
    assert (error < 2e-15 + 2e-16 * np.abs(exponent * np.log(values))).all()
    assert exact.raised([0.0, 1.0, math.inf], exponent).tolist() == [0.0, 1.0, math.inf]


def test_lengths():
    vectors = wide(3 * N).reshape(-1, 3)
    right = [math.hypot(*vector) for vector in vectors]
    assert off(exact.lengths(vectors), right) <= 3
    assert np.array_equal(exact.length(*vectors.T), exact.lengths(vectors))
    assert exact.diagonal((3e-200, 4e-200)) == pytest.approx(5e-200)
    assert exact.diagonal((0.0, 0.0)) == 0.0
    assert exact.diagonal((math.inf, 1.0)) == math.inf


def test_sums_are_taken_from_the_left():
    assert exact.total([1.0, 1e100, 1.0, -1e100]) == 0.0
    assert exact.mean_of([1.0, 1e100, 1.0, -1e100]) == 0.0
    assert exact.total([]) == 0.0


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_doublings_are_the_ceiling_of_the_logarithm(ratio):
    n = exact.doublings(ratio)
    assert math.ldexp(1.0, n) >= ratio > math.ldexp(1.0, n - 1)


def test_products_and_transforms():
    a, b, matrix = (RNG.normal(size=shape) for shape in ((7, 3), (5, 3), (3, 4)))
    assert np.allclose(exact.products(a, b), a @ b.T)
    assert np.allclose(exact.transformed(a, matrix), a @ matrix[:, :3].T + matrix[:, 3])
    assert np.allclose(exact.transformed(a, matrix[:, :3]), a @ matrix[:, :3].T)


def test_lines_through_knots():
    at = RNG.uniform(-1, 5, 200)
    assert np.allclose(exact.follow(at, [0, 1, 2.5, 4], [3, -1, 0, 8]), np.interp(at, [0, 1, 2.5, 4], [3, -1, 0, 8]))
