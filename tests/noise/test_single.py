"""Noise in single precision: float64 as far as float32 can tell it, of the same bits however it is asked for."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald.fields import perlin, simplex, value
from weald.geometry import Grid
from weald.noise import fbm2_grid, perlin_octaves
from weald.noise.lattice import fade, lattice, step
from weald.noise.perlin import lattice_line

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "perlin2_single.json").read_text())
coordinate = st.floats(-1e9, 1e9) | st.floats(-3, 3) | st.integers(-5, 5).map(float)


def single(octaves, x, y):
    out = np.full((len(y), len(x)), np.nan, np.float32)
    fbm2_grid(np.array(x, float), np.array(y, float), octaves, out)
    return out


def one_by_one(octaves, x, y):
    """Return what the head of `weald.noise.fractal` says, place by place, in NumPy's float32."""
    f = np.float32
    total = f(0)
    for key, shift_x, shift_y, frequency, amplitude in zip(*octaves, strict=True):
        (i, fx), (j, fy) = lattice(x * frequency + shift_x), lattice(y * frequency + shift_y)
        below, above = (step(np.uint64(key), np.int64(j + side)) for side in (0, 1))
        (a0, b0), (a1, b1) = (lattice_line(np.uint64(row), np.int64(i), fx, fade(fx)) for row in (below, above))
        low = f(a0) + f(b0) * f(fy)
        high = f(a1) + f(b1) * f(fy - 1)
        total = total + f(amplitude) * (low + f(fade(fy)) * (high - low))
    return total


@given(
    st.integers(0, 99),
    st.integers(1, 5),
    st.floats(1e-4, 5),
    st.lists(coordinate, min_size=1, max_size=5),
    st.lists(coordinate, min_size=1, max_size=5),
)
@settings(max_examples=30)
def test_each_value_is_that_of_its_place_computed_in_float32(seed, octaves, frequency, x, y):
    terms = perlin_octaves(seed, frequency, octaves, 0.6, 2.1)
    expected = [[one_by_one(terms, east, north) for east in x] for north in y]
    assert np.array_equal(single(terms, x, y), np.array(expected, np.float32))


@pytest.mark.parametrize(("octaves", "gain"), [(1, 0.5), (6, 0.5), (12, 0.9), (32, 1.0)])
@pytest.mark.parametrize("corner", [0.0, -1e6, 1e9])
def test_a_value_differs_from_the_float64_one_by_less_than_a_millionth(octaves, gain, corner):
    field = perlin("single", frequency=0.37).fbm(octaves, gain, 1.3)
    grid = Grid(corner, -corner, 0.25, 1200, 300)
    exact, found = field.sample(grid), field.sample(grid, dtype=np.float32)
    assert found.dtype == np.float32
    error = np.abs(found - exact)
    assert 0 < error.max() < 1e-6
    assert np.sqrt(np.mean(error**2)) < 1e-7
    assert np.abs(found).max() <= 1


@pytest.mark.parametrize("threads", [1, 3])
def test_arrays_of_the_user_hold_the_same_bits(threads):
    field, grid = perlin(3, frequency=0.21).fbm(3), Grid(-40, 7, 0.5, 1100, 140)
    found = field.sample(grid, dtype=np.float32)
    given_array = np.full(grid.shape, np.nan, np.float32)
    assert field.sample(grid, threads, out=given_array) is given_array
    assert np.array_equal(given_array, found)
    wide = np.zeros((grid.ny + 9, 2 * grid.nx), np.float32)
    field.sample(grid, threads, out=wide[5:-4, ::2])
    assert np.array_equal(wide[5:-4, ::2], found)
    assert not wide[:, 1::2].any()
    turned = np.empty(grid.shape[::-1], np.float32).T
    field.sample(grid, threads, out=turned)
    assert np.array_equal(turned, found)
    box = field.sample(grid, threads, z=[0.0, 5.0], dtype=np.float32)
    assert all(np.array_equal(level, found) for level in box)


@pytest.mark.parametrize(
    "field",
    [
        perlin(1, 0.13) * 300 + 5,
        perlin(1, 0.13).translate(3, 4),
        perlin(1, 0.13).ridged(3),
        perlin(1, 0.125, period=64).fbm(2),
        simplex(1, 0.13).fbm(2),
        value(1, 0.13),
    ],
    ids=repr,
)
def test_all_else_is_computed_in_float64_and_rounded_once(field):
    grid = Grid(-9, 4, 1, 530, 70)
    assert np.array_equal(field.sample(grid, dtype=np.float32), field.sample(grid).astype(np.float32))


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: str(case["seed"]))
def test_golden_values(case):
    """The same bits for ever, on every machine."""
    field = perlin(case["seed"], case["frequency"]).fbm(case["octaves"])
    values = field.sample(Grid(*case["grid"]), dtype=np.float32)
    assert [float(value).hex() for value in values.reshape(-1)] == case["values"]
