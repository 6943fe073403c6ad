"""Endless ground: the same ground whatever part is asked for, and the ground of its crops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import Field, perlin
from weald.terrain.endless import EndlessTerrain
from weald.terrain.terrain import Terrain

HILLS = perlin(seed=3, frequency=1 / 90).fbm(octaves=4) * 40

ORIGINS = [(0, 0), (-5_000, 700), (1e6, -1e6), (-1e9, 1e9)]
QUESTIONS = ["height", "slope_deg", "aspect_deg", "normal", "profile_curvature", "tangential_curvature"]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("spacing", [1.0, 0.3, 7.0])
def test_it_is_the_ground_of_its_crops(origin, spacing):
    ground = EndlessTerrain(HILLS, spacing)
    x0, y0 = origin
    side = 300 * spacing  # several tiles
    part = ground.crop((x0 - side, y0 - side, x0 + side, y0 + side))
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-0.9 * side, 0.9 * side, (2, 500)) + np.array(origin)[:, None]
    away = 1e-6 if abs(x0) > 1e8 else 1e-9
    np.testing.assert_allclose(ground.height(x, y), part.height(x, y), atol=away * 100, rtol=0)
    np.testing.assert_allclose(ground.slope_deg(x, y), part.slope_deg(x, y), atol=away * 100, rtol=0)
    np.testing.assert_allclose(ground.normal(x, y), part.normal(x, y), atol=away * 100, rtol=0)
    for name in ("profile_curvature", "tangential_curvature"):
        ours, theirs = getattr(ground, name)(x, y), getattr(part, name)(x, y)
        np.testing.assert_allclose(ours, theirs, atol=max(away * 100, 1e-6) / spacing, rtol=1e-4)


@given(st.sampled_from(ORIGINS), st.integers(0, 2**32), st.sampled_from([0.3, 1.0]), st.sampled_from([15, 60, 900]))
def test_answers_are_of_the_place_alone(origin, seed, spacing, spread):
    """Whatever else is asked in one go, in one tile, a few or many, and from a fresh object: the same bits."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-spread, spread, (2, 60)) * spacing + np.array(origin)[:, None]
    x[7], y[8], x[9] = np.nan, np.inf, 1e300  # nowhere
    one, other = EndlessTerrain(HILLS, spacing), EndlessTerrain(HILLS, spacing)
    order = rng.permutation(60)
    for name in QUESTIONS:
        whole = getattr(one, name)(x, y)
        parts = np.concatenate([getattr(other, name)(x[some], y[some]) for some in np.array_split(order, 7)])
        assert whole[order].tobytes() == parts.tobytes()


@pytest.mark.parametrize("origin", ORIGINS)
def test_crops_overlap_bit_for_bit(origin):
    x0, y0 = origin
    for spacing in (0.3, 1.0, 7.0):
        ground = EndlessTerrain(HILLS, spacing)
        wide = ground.crop((x0 - 60, y0 - 60, x0 + 60, y0 + 60))
        part = ground.crop((x0 - 20, y0 + 7, x0 + 33, y0 + 50))
        i = round((part.grid.xmin - wide.grid.xmin) / spacing)
        j = round((part.grid.ymin - wide.grid.ymin) / spacing)
        ny, nx = part.grid.shape
        assert part.heights.tobytes() == wide.heights[j : j + ny, i : i + nx].tobytes()


def test_neighbouring_tiles_meet():
    """On and around the seam of two tiles heights and slopes go on without a step."""
    ground = EndlessTerrain(HILLS, 0.5)
    seam = 64.0
    y = np.linspace(-100, 100, 301)
    for name, step in (("height", 1e-4), ("slope_deg", 1e-2)):
        ask = getattr(ground, name)
        np.testing.assert_allclose(ask(seam - 1e-6, y), ask(seam, y), atol=step)
        np.testing.assert_allclose(ask(y, seam - 1e-6), ask(y, seam), atol=step)


def test_case_14_plane():
    ground = EndlessTerrain(Field.of(lambda x, y: 0.5 * x + 0.25 * y), 2.0)
    rng = np.random.default_rng(4)
    x, y = rng.uniform(-1e4, 1e4, (2, 1000))
    np.testing.assert_allclose(ground.height(x, y), 0.5 * x + 0.25 * y, atol=1e-5)
    np.testing.assert_allclose(ground.slope_deg(x, y), np.degrees(np.arctan(np.hypot(0.5, 0.25))), atol=1e-6)


def test_shapes_voids_and_nowhere():
    ground = EndlessTerrain(Field.of(lambda x, y: x) * 1.0, 1.0)
    assert ground.height(3.25, 1.0) == 3.25
    assert ground.height(np.zeros((2, 1)), np.zeros(3)).shape == (2, 3)
    assert ground.normal(np.zeros((2, 1)), np.zeros(3)).shape == (2, 3, 3)
    assert np.isnan(ground.height([np.nan, np.inf, 1e300], 0)).all()
    assert ground.height([], []).shape == (0,)


def test_crop_on_samples_takes_no_more():
    part = EndlessTerrain(HILLS, 0.1).crop((0.3, 0.3, 1.2, 1.2))
    assert part.grid.shape == (10, 10)
    assert isinstance(part, Terrain)


@pytest.mark.parametrize("spacing", [0, -1, np.nan, np.inf])
def test_bad_spacing(spacing):
    with pytest.raises(InputError, match=r"spacing: got .*give a finite number of metres above 0"):
        EndlessTerrain(HILLS, spacing)


def test_too_large_a_part():
    with pytest.raises(InputError, match=r"bounds: .* samples 1 m apart are more than 200,000,000"):
        EndlessTerrain(HILLS, 1.0).crop((0, 0, 1e5, 1e5))
