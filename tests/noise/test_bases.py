"""Every basis against its oracle, its proved bounds, and its own differences."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.noise.bases import ALL, SMOOTH, WORLEY, filled
from weald.hashing import key

KEY = key("bases")
keys = st.integers(0, 2**64 - 1)
coordinate = st.floats(-1e6, 1e6) | st.integers(-8, 8).map(float) | st.floats(-3, 3)


def places(basis, count, spread=40.0, seed=1):
    return np.random.default_rng(seed).uniform(-spread, spread, (basis.dimensions, count))


@pytest.mark.parametrize("name", ALL)
@given(data=st.data(), noise_key=keys)
@settings(max_examples=25)
def test_a_basis_is_what_its_oracle_says(name, data, noise_key):
    basis, oracle = ALL[name]
    place = data.draw(st.tuples(*[coordinate] * basis.dimensions))
    found = filled(basis, noise_key, np.array(place)[:, None])[0, 0]
    # a skewed lattice is found to the rounding of the coordinates
    near = 1e-6 if basis.skewed and max(map(abs, place)) > 100 else 1e-9
    assert found == pytest.approx(oracle(noise_key, place, [None] * basis.dimensions), abs=near)


@pytest.mark.parametrize("name", [name for name in ALL if "simplex" not in name])
@given(data=st.data(), noise_key=keys)
@settings(max_examples=15)
def test_with_a_period_too(name, data, noise_key):
    basis, oracle = ALL[name]
    periods = data.draw(st.tuples(*[st.none() | st.integers(1, 6)] * basis.dimensions))
    place = [data.draw(st.floats(0, 5 if n is None else n)) for n in periods]
    found = filled(basis, noise_key, np.array(place)[:, None], periods)[0, 0]
    assert found == pytest.approx(oracle(noise_key, place, periods), abs=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_values_fill_their_range_and_never_leave_it(name):
    basis, _ = ALL[name]
    values = filled(basis, KEY, places(basis, 300_000, 1500))[0]
    assert values.min() >= basis.low
    assert values.max() <= basis.high
    share = {"perlin3": 0.65, "perlin4": 0.5}.get(
        name, 0.55 if "worley3" in name else 0.7 if "worley" in name else 0.85
    )
    assert values.max() >= share * basis.high
    assert values.min() <= share * basis.low + 0.5 * (basis.low == 0)


@pytest.mark.parametrize("name", [name for name in ALL if "id" not in name])
def test_derivatives_are_those_of_the_values(name):
    basis, _ = ALL[name]
    at = places(basis, 3000)
    jets = filled(basis, KEY, at, slopes=True)
    assert np.array_equal(jets[0], filled(basis, KEY, at)[0]) or name == "perlin2"
    assert np.allclose(jets[0], filled(basis, KEY, at)[0], rtol=0, atol=1e-14)
    step = 1e-5
    for axis in range(basis.dimensions):
        ahead, behind = at.copy(), at.copy()
        ahead[axis] += step
        behind[axis] -= step
        differences = (filled(basis, KEY, ahead)[0] - filled(basis, KEY, behind)[0]) / (2 * step)
        wrong = np.abs(differences - jets[1 + axis]) > 2e-7 * basis.steepest
        # distances have creases, which few steps cross
        assert wrong.mean() <= (0.002 if "worley" in name else 0.0)


@pytest.mark.parametrize("name", ALL)
def test_derivatives_stay_below_their_bound(name):
    basis, _ = ALL[name]
    slopes = filled(basis, KEY, places(basis, 50_000), slopes=True)[1:]
    assert np.abs(slopes).max() <= basis.steepest
    assert np.abs(slopes).max() > 0.1 * basis.steepest or not basis.sloped


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("centre", [0.0, 1.0, -1.0, -16.0, 1e6])
def test_noise_and_its_slope_are_continuous_across_the_lattice(name, centre):
    basis, _ = ALL[name]
    at = places(basis, 200, 3)
    for axis in range(basis.dimensions):
        for eps in (1e-6, 1e-8):
            ahead, behind = at.copy(), at.copy()
            ahead[axis], behind[axis] = centre + eps, centre - eps
            jump = np.abs(filled(basis, KEY, ahead, slopes=True) - filled(basis, KEY, behind, slopes=True)).max(axis=1)
            assert jump[0] <= 3 * eps * basis.steepest
            # curvature is at most some 10 times the slope
            assert jump[1:].max() <= 40 * eps * basis.steepest


@pytest.mark.parametrize("name", SMOOTH)
def test_noise_is_not_mirrored_nor_turned(name):
    """Case 2, for every basis."""
    basis, _ = ALL[name]
    at = places(basis, 20_000, 100)
    here = filled(basis, KEY, at)[0]
    for other in (-at, at * np.array([-1.0] + [1.0] * (basis.dimensions - 1))[:, None], at[::-1]):
        assert abs(np.corrcoef(here, filled(basis, KEY, other)[0])[0, 1]) < 0.05


@pytest.mark.parametrize("name", [name for name in SMOOTH if name != "classic"])
@pytest.mark.parametrize("far", [256.0, 65536.0, 2.0**31, -(2.0**32)])
def test_noise_does_not_repeat(name, far):
    basis, _ = ALL[name]
    at = places(basis, 3000, 30)
    here = filled(basis, KEY, at)[0]
    for axis in range(basis.dimensions):
        away = at.copy()
        away[axis] += far
        assert abs(np.corrcoef(here, filled(basis, KEY, away)[0])[0, 1]) < 0.2


def test_the_classic_noise_does_repeat():
    basis, _ = ALL["classic"]
    at = np.round(places(basis, 100) * 64) / 64
    assert np.array_equal(filled(basis, KEY, at), filled(basis, KEY, at + 256))


@pytest.mark.parametrize("name", ALL)
def test_not_a_number_gives_nan_and_huge_places_give_numbers(name):
    basis, _ = ALL[name]
    at = np.zeros((basis.dimensions, 4))
    at[0, 0], at[1, 1], at[0, 2], at[1, 3] = np.nan, np.nan, np.inf, -np.inf
    assert np.isnan(filled(basis, KEY, at)).all()
    huge = np.full((basis.dimensions, 4), 0.25)
    huge[0] = 1e19, -1e200, 2.0**63, -(2.0**63)
    values = filled(basis, KEY, huge)
    assert ((values >= basis.low) & (values <= basis.high)).all()


# --- Worley -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in WORLEY if "-1.0" in name and "id" not in name])
def test_the_nearest_are_found_where_the_cells_around_do_not_hold_them(name):
    """Among many places near corners of cells, a search of 3 x 3 fails at some; weald's at none."""
    basis, oracle = ALL[name]
    rng, size = np.random.default_rng(4), (basis.dimensions, 400_000)
    at = rng.integers(-3000, 3000, size) + rng.uniform(-0.1, 0.1, size)
    values = filled(basis, KEY, at)[0]
    # the farther the nearest points are, the likelier they lie outside of the cells around
    suspects = np.argsort(values)[-130:]
    periods = [None] * basis.dimensions
    exact = [oracle(KEY, at[:, k], periods, reach=2) for k in suspects]
    assert values[suspects] == pytest.approx(exact, abs=1e-12)
    if "f2-f1" not in name:
        small = [oracle(KEY, at[:, k], periods, reach=1) for k in suspects]
        assert np.max(np.array(small) - exact) > 1e-3


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("jitter", [0.0, 0.3, 1.0])
def test_no_points_can_be_farther_than_the_range_says(d, jitter):
    """The proof of the range, run: at places all over a cell, every point as far away as its cell allows."""
    from weald.noise.worley import worley_basis

    margin = (1 - jitter) / 2
    t = np.linspace(0, 1, 41 if d == 2 else 13)
    at = np.stack(np.meshgrid(*[t] * d), -1).reshape(-1, d)
    reach = np.arange(-2, 3)
    cells = np.stack(np.meshgrid(*[reach] * d), -1).reshape(-1, d)
    ends = np.maximum(np.abs(at[:, None] - cells - margin), np.abs(at[:, None] - cells - (1 - margin)))
    farthest = np.sort(np.sqrt((ends**2).sum(-1)), axis=1)
    for feature, order in (("f1", 0), ("f2", 1)):
        high = worley_basis(d, feature, jitter).high
        assert farthest[:, order].max() == pytest.approx(high, abs=1e-9)
        assert high < 2


# --- simplex ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "greatest"), [(2, 0.010080), (3, 0.009289), (4, 0.009210)])
def test_no_gradients_can_take_simplex_noise_out_of_its_range(d, greatest):
    """The proof of the range, run: boxes of the simplex are halved until none can hold too great a sum."""
    from weald.noise.simplex import SCALE

    unskew = (1 - 1 / math.sqrt(d + 1)) / d
    corners = np.tril(np.ones((d + 1, d)), -1)
    corners -= unskew * corners.sum(1, keepdims=True)
    turns = np.stack(np.meshgrid(*[[-1.0, 1.0]] * d), -1).reshape(-1, d)

    def weighed(distance):
        return np.maximum(0.5 - distance**2, 0.0) ** 4 * distance

    top = math.sqrt(0.5) / 3  # where one corner counts most
    half, boxes, found = 0.5, np.full((1, d), 0.5), 0.0
    while len(boxes):
        half /= 2
        assert half > 1e-5
        boxes = (boxes[:, None] + half * turns).reshape(-1, d)
        boxes = boxes[(np.diff(boxes, axis=1) <= 2 * half).all(1)]  # x >= y >= z: one simplex
        away = np.sqrt(((boxes - unskew * boxes.sum(1, keepdims=True))[:, None] - corners) ** 2 @ np.ones(d))
        inside = (np.diff(boxes, axis=1) <= 0).all(1)
        found = max(found, weighed(away[inside]).sum(1).max(initial=0.0))
        # unskewing shortens no way by less than it lengthens any: a box reaches this far from its middle
        radius = half * math.sqrt(d)
        most = weighed(np.clip(top, np.maximum(away - radius, 0), away + radius)).sum(1)
        boxes = boxes[most > 1 / SCALE[d - 2]]
    assert found == pytest.approx(greatest, rel=2e-3)
