"""Perlin noise and its fractal sums against the textbook, at the places where noises go wrong."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald.hashing import GOLDEN, key
from weald.noise import fbm2_grid, fbm2_points, perlin2, perlin_octaves
from weald.noise.lattice import fade, step
from weald.noise.perlin import NORMALISE, gradient

GOLDEN_FILE = Path(__file__).parents[1] / "golden" / "perlin2.json"
MASK = 2**64 - 1
coordinate = st.floats(-1e9, 1e9, allow_nan=False)
seeds = st.integers(-(2**70), 2**70) | st.text(max_size=5)


# --- the oracle: plain Python, corner by corner, as the papers write it -----------------------------------


def naive_mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def naive_gradient(noise_key, cell_x, cell_y):
    row = naive_mix((noise_key + cell_y * GOLDEN) & MASK)
    h = naive_mix((row + cell_x * GOLDEN) & MASK)
    angle = math.radians(11.25 if h & 1 else 33.75)
    gx, gy = math.cos(angle), math.sin(angle)
    if not h & 2:
        gx, gy = gy, gx
    return gx if h & 4 else -gx, gy if h & 8 else -gy


def naive_perlin(noise_key, x, y):
    cell_x, cell_y = math.floor(x), math.floor(y)
    fx, fy = x - cell_x, y - cell_y
    weight_x, weight_y = (6 * t**5 - 15 * t**4 + 10 * t**3 for t in (fx, fy))
    total = 0.0
    for i, wx in ((0, 1 - weight_x), (1, weight_x)):
        for j, wy in ((0, 1 - weight_y), (1, weight_y)):
            gx, gy = naive_gradient(noise_key, cell_x + i, cell_y + j)
            total += wx * wy * (gx * (fx - i) + gy * (fy - j))
    return total


def naive_fbm(seed, frequency, octaves, gain, lacunarity, x, y):
    total = 0.0
    for k in range(octaves):
        shift_x, shift_y = ((key(seed, "perlin", k, axis) >> 11) / 2**53 for axis in "xy")
        scale = frequency * lacunarity**k
        total += gain**k * naive_perlin(key(seed, "perlin", k), x * scale + shift_x, y * scale + shift_y)
    return math.sqrt(2) * total / sum(gain**k for k in range(octaves))


# --- helpers ----------------------------------------------------------------------------------------------


def corner(noise_key, i, j):
    return gradient(np.uint64(step(np.uint64(noise_key), np.int64(j))), np.int64(i))


def on_points(octaves, x, y):
    x, y = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    out = np.empty(x.size)
    fbm2_points(x.ravel(), y.ravel(), octaves, out)
    return out.reshape(x.shape)


def on_grid(octaves, x, y):
    out = np.empty((len(y), len(x)))
    fbm2_grid(np.asarray(x, float), np.asarray(y, float), octaves, out)
    return out


# --- the basis --------------------------------------------------------------------------------------------


@given(seeds, coordinate, coordinate)
def test_perlin_is_the_textbook_sum(seed, x, y):
    assert perlin2(np.uint64(key(seed)), x, y) == pytest.approx(naive_perlin(key(seed), x, y), abs=1e-13)


def test_the_gradients_are_sixteen_unit_vectors_evenly_turned_and_evenly_drawn():
    drawn = [corner(key(5), i, -3) for i in range(16_000)]
    assert all(gx * gx + gy * gy == pytest.approx(1.0, abs=1e-15) for gx, gy in drawn)
    angles, counts = np.unique(np.round(np.degrees([math.atan2(gy, gx) for gx, gy in drawn]), 6), return_counts=True)
    assert angles.tolist() == [-168.75 + 22.5 * i for i in range(16)]
    # chi squared with 15 degrees of freedom: above 37.7 once in a thousand
    assert ((counts - 1000) ** 2 / 1000).sum() < 37.7


def test_gradients_of_neighbouring_rows_and_columns_are_unrelated():
    field = np.array([[corner(key("rows"), i, j) for i in range(150)] for j in range(150)])
    for a, b in ((field[1:], field[:-1]), (field[:, 1:], field[:, :-1]), (field[1:, 1:], field[:-1, :-1])):
        # the dot product of unrelated directions has mean 0 and variance 1/2
        assert abs((a * b).sum(-1).mean()) < 4 * math.sqrt(0.5 / a[..., 0].size)


def test_no_place_can_leave_the_bound_whatever_the_gradients():
    """The proof of the range, run: the worst gradients at every corner, at 400² places of a cell."""
    directions = np.array(sorted({corner(key(0), i, 0) for i in range(400)}))
    assert len(directions) == 16
    t = np.linspace(0, 1, 401)
    u = np.array([fade(at) for at in t])
    worst, any_direction = 0.0, 0.0
    for i, wx in ((0, 1 - u), (1, u)):
        for j, wy in ((0, 1 - u), (1, u)):
            away = np.stack(np.broadcast_arrays(t[None, :] - i, t[:, None] - j), -1)
            worst = worst + wy[:, None] * wx * (away @ directions.T).max(-1)
            any_direction = any_direction + wy[:, None] * wx * np.hypot(away[..., 0], away[..., 1])
    assert np.max(any_direction) * NORMALISE <= 1 + 1e-15
    assert 0.98 < np.max(worst) * NORMALISE < 0.99


@pytest.mark.parametrize("centre", [0.0, 1.0, -1.0, 3.0, -1e6, 1e6])
def test_noise_is_continuous_across_the_lattice(centre):
    """Case 2: the same from both sides of 0, and of every line of the lattice."""
    noise_key = np.uint64(key(9))
    for eps in (1e-6, 1e-9):
        for y in (0.3, 0.0, -2.7):
            # no gradient is longer than 1, and fade adds its slope of at most 15/8 times a difference of at most 2
            assert abs(perlin2(noise_key, centre - eps, y) - perlin2(noise_key, centre + eps, y)) <= 10 * eps
            assert abs(perlin2(noise_key, y, centre - eps) - perlin2(noise_key, y, centre + eps)) <= 10 * eps


def test_noise_is_not_mirrored_nor_symmetric():
    """Case 2: n(-x) has nothing to do with n(x)."""
    rng = np.random.default_rng(1)
    octaves = perlin_octaves(3, 1.0, 1, 0.5, 2.0)
    x, y = rng.uniform(0, 500, (2, 20_000))
    here = on_points(octaves, x, y)
    for other in (
        on_points(octaves, -x, y),
        on_points(octaves, x, -y),
        on_points(octaves, -x, -y),
        on_points(octaves, y, x),
    ):
        assert abs(np.corrcoef(here, other)[0, 1]) < 0.04


@pytest.mark.parametrize("far", [256.0, 65536.0, 2.0**31, 2.0**32, -(2.0**32)])
def test_noise_does_not_repeat(far):
    x = np.arange(400) * 0.37
    octaves = perlin_octaves(3, 1.0, 1, 0.5, 2.0)
    assert abs(np.corrcoef(on_points(octaves, x, 0.4), on_points(octaves, x + far, 0.4))[0, 1]) < 0.25


def test_seeds_are_independent():
    x, y = np.random.default_rng(2).uniform(-500, 500, (2, 20_000))
    values = [on_points(perlin_octaves(seed, 1.0, 3, 0.5, 2.0), x, y) for seed in (0, 1, 2, -1, "0", "1")]
    correlation = np.corrcoef(values)
    assert np.abs(correlation - np.eye(6)).max() < 0.04


def test_not_a_number_gives_nan_and_huge_places_give_numbers():
    octaves = perlin_octaves(3, 1.0, 4, 0.5, 2.0)
    assert np.isnan(on_points(octaves, [np.nan, np.inf, -np.inf, 0.0], [0.0, 0.0, 0.0, np.nan])).all()
    huge = on_points(octaves, [1e19, -1e200, 2.0**63, -(2.0**63)], 0.1)
    assert (np.abs(huge) <= 1).all()


# --- octaves ----------------------------------------------------------------------------------------------


@given(seeds, st.integers(1, 8), st.floats(0.2, 1.5), st.floats(1.0, 4.0), coordinate, coordinate)
@settings(max_examples=60)
def test_fbm_is_the_textbook_sum(seed, octaves, gain, lacunarity, x, y):
    # close to the origin: the order in which oracle and kernel multiply would show at 1e9
    x, y = x / 1e6, y / 1e6
    expected = naive_fbm(seed, 0.01, octaves, gain, lacunarity, x, y)
    assert on_points(perlin_octaves(seed, 0.01, octaves, gain, lacunarity), x, y) == pytest.approx(expected, abs=1e-10)


@given(
    seeds,
    st.integers(1, 7),
    st.floats(1e-4, 5.0),
    st.lists(coordinate, min_size=1, max_size=12),
    st.lists(coordinate, min_size=1, max_size=12),
)
def test_the_grid_path_gives_the_bits_of_the_point_path(seed, octaves, frequency, x, y):
    terms = perlin_octaves(seed, frequency, octaves, 0.6, 2.1)
    assert np.array_equal(on_grid(terms, x, y), on_points(terms, np.array(x)[None, :], np.array(y)[:, None]))


@pytest.mark.parametrize("frequency", [0.0031, 0.4, 3.7])
def test_the_grid_path_gives_the_bits_of_the_point_path_in_long_runs(frequency):
    terms = perlin_octaves("runs", frequency, 5, 0.5, 2.0)
    x, y = np.arange(-700, 1500) * 0.5, np.arange(-60, 61) * 1.5
    assert np.array_equal(on_grid(terms, x, y), on_points(terms, x[None, :], y[:, None]))


@pytest.mark.parametrize("octaves", [1, 6])
def test_noise_at_whole_metres_is_not_constant(octaves):
    terms = perlin_octaves(0, 1.0, octaves, 0.5, 2.0)
    values = on_grid(terms, np.arange(50), np.arange(50))
    assert values.std() > 0.1
    assert len(np.unique(values)) > 100


def test_zeros_of_octaves_do_not_pile_up_at_the_origin():
    spread = [float(on_points(perlin_octaves(seed, 1.0, 6, 0.5, 2.0), 0.0, 0.0)) for seed in range(400)]
    assert np.std(spread) == pytest.approx(
        np.std(on_grid(perlin_octaves(1, 0.37, 6, 0.5, 2.0), range(300), range(300))), rel=0.35
    )


@pytest.mark.parametrize("octaves", range(1, 13))
@pytest.mark.parametrize("gain", [0.3, 0.5, 0.7, 1.0])
def test_a_million_places_stay_within_the_range_and_fill_the_share_documented(octaves, gain):
    x, y = np.random.default_rng(octaves).uniform(-1500, 1500, (2, 1_000_000))
    values = on_points(perlin_octaves("case 3", 0.37, octaves, gain, 2.0), x, y)
    amplitudes = gain ** np.arange(octaves)
    share = 0.9 * math.sqrt((amplitudes**2).sum()) / amplitudes.sum()
    assert -1 <= values.min() <= -share
    assert share <= values.max() <= 1


def test_more_octaves_leave_the_coarse_ones_as_they_are():
    few, many = (perlin_octaves(4, 0.01, count, 0.5, 2.0) for count in (3, 9))
    for name in ("keys", "shift_x", "shift_y", "frequencies"):
        assert np.array_equal(getattr(few, name), getattr(many, name)[:3])
    assert len(set(many.keys.tolist())) == 9


def test_far_from_the_origin_noise_looks_as_it_does_near():
    """Steps of a centimetre at 1e9 m: smooth, and as lively as at the origin."""
    octaves = perlin_octaves(8, 0.25, 4, 0.5, 2.0)
    steps = np.arange(4096) / 128  # whole binary steps, so that 1e9 + step is exact
    for start in (0.0, 1e9, -1e9, 2.0**33):
        line = on_points(octaves, start + steps, -start + 0.5)
        assert line.std() > 0.08
        # slope of the sum, at most, times the step: the amplitudes fall as the frequencies grow
        assert np.abs(np.diff(line)).max() < 0.03


# --- stability --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", json.loads(GOLDEN_FILE.read_text())["cases"], ids=lambda case: str(case["seed"]))
def test_golden_values(case):
    """The same bits for ever, on every machine; a change here is a new version of the algorithm."""
    terms = perlin_octaves(case["seed"], case["frequency"], case["octaves"], case["gain"], case["lacunarity"])
    expected = [float.fromhex(value) for value in case["values"]]
    x, y = np.array(case["places"]).T
    assert on_points(terms, x, y).tolist() == expected
    assert [on_grid(terms, x[i : i + 1], y[i : i + 1])[0, 0] for i in range(len(x))] == expected
