"""Light on the ground."""

import math

import numpy as np
import pytest

from weald.errors import InputError
from weald.geometry import Grid
from weald.terrain.shade import hillshade, soft_hillshade
from weald.terrain.terrain import Terrain


def plane(a, b, origin=0.0):
    grid = Grid(origin, -origin, 10, 6, 5)
    x, y = np.meshgrid(grid.x - origin, grid.y + origin)
    return Terrain(grid, a * x + b * y)


@pytest.mark.parametrize("facing", [0, 45, 90, 200, 315])
@pytest.mark.parametrize("origin", [0.0, 5_000_000.0])
def test_a_slope_is_lit_by_the_angle_between_it_and_the_sun(facing, origin):
    slope_deg, sun_deg, azimuth_deg = 25.0, 40.0, 315.0
    # rises away from where it faces
    rise = math.tan(math.radians(slope_deg))
    ground = plane(-rise * math.sin(math.radians(facing)), -rise * math.cos(math.radians(facing)), origin)
    # spherical cosine rule between the normal and the sun
    tilt, zenith = math.radians(slope_deg), math.radians(90 - sun_deg)
    expected = math.cos(tilt) * math.cos(zenith) + math.sin(tilt) * math.sin(zenith) * math.cos(
        math.radians(facing - azimuth_deg)
    )
    light = hillshade(ground, azimuth_deg, sun_deg)
    assert light.dtype == np.float32
    assert light.shape == (5, 6)
    assert np.allclose(light, max(expected, 0.0), atol=1e-6)


def test_the_north_west_flank_of_a_hill_is_the_bright_one():
    grid = Grid(0, 0, 10, 41, 41)
    x, y = np.meshgrid(grid.x - 200, grid.y - 200)
    hill = Terrain(grid, 80 * np.exp(-(x**2 + y**2) / 80**2))
    for light in (hillshade(hill), soft_hillshade(hill)):
        assert light[26, 14] > light[20, 0] > light[14, 26]
        assert light.min() >= 0
        assert light.max() <= 1


def test_soft_light_is_the_same_on_level_ground_and_shows_ridges_along_the_light():
    assert np.allclose(soft_hillshade(plane(0, 0)), math.sin(math.radians(45)), atol=1e-6)
    # two flanks of a ridge that runs north-west are alike under one sun, and not under three
    flanks = plane(0.3, 0.3), plane(-0.3, -0.3)
    single = [float(hillshade(f)[2, 2]) for f in flanks]
    soft = [float(soft_hillshade(f)[2, 2]) for f in flanks]
    assert single[0] == pytest.approx(single[1], abs=1e-6)
    assert soft[0] > soft[1] + 0.08


def test_exaggeration_is_higher_ground():
    assert np.allclose(hillshade(plane(0.1, 0.2), exaggeration=3), hillshade(plane(0.3, 0.6)), atol=1e-6)


def test_voids_have_no_light_and_dim_nothing_beside_them():
    heights = np.zeros((5, 6))
    heights[2, 3] = np.nan
    light = hillshade(Terrain(Grid(0, 0, 1, 6, 5), heights))
    expected = np.full((5, 6), np.float32(math.sin(math.radians(45))))
    expected[2, 3] = np.nan
    assert np.allclose(light, expected, equal_nan=True)


def test_bad_light_is_refused():
    for given, message in [
        ({"azimuth_deg": math.inf}, "azimuth_deg: got inf"),
        ({"altitude_deg": 91}, "altitude_deg: got 91; give degrees from 0 to 90"),
        ({"exaggeration": 0}, "exaggeration: got 0; give a factor above 0, at most 1e6"),
    ]:
        with pytest.raises(InputError, match=message):
            hillshade(plane(0, 0), **given)
