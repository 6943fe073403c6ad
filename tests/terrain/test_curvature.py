"""Curvature against surfaces whose curvature is known."""

import math

import numpy as np
import pytest

from weald.geometry import Grid
from weald.terrain.terrain import Terrain

FAR = (500_000.0, 5_150_000.0)


def ground(function, origin=(0.0, 0.0), spacing=1.0, half=40):
    grid = Grid(origin[0] - half * spacing, origin[1] - half * spacing, spacing, 2 * half + 1, 2 * half + 1)
    x, y = np.meshgrid(grid.x - origin[0], grid.y - origin[1])
    return Terrain(grid, function(x, y) + 0.0 * x)


def places(n=200, reach=30):
    return np.round(np.random.default_rng(1).uniform(-reach, reach, (2, n)))


@pytest.mark.parametrize("radius", [150.0, 600.0])
@pytest.mark.parametrize(("sign", "name"), [(1, "dome"), (-1, "bowl")])
@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR])
def test_on_a_ball_both_curvatures_are_one_over_its_radius(radius, sign, name, origin):
    ball = ground(lambda x, y: sign * np.sqrt(radius**2 - x**2 - y**2), origin)
    x, y = places() + np.array(origin)[:, None]
    assert np.allclose(ball.profile_curvature(x, y), sign / radius, rtol=2e-3)
    assert np.allclose(ball.tangential_curvature(x, y), sign / radius, rtol=2e-3)
    # the summit too, where no direction is down
    assert float(ball.profile_curvature(*origin)) == pytest.approx(sign / radius, rel=1e-3)


@pytest.mark.parametrize("turn_deg", [0, 30, 90, 200])
def test_on_a_cylinder_it_bends_one_way_only(turn_deg):
    """A valley of radius R bends by 1/R across, and along its axis not at all."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    valley = ground(lambda x, y: 500 - np.sqrt(300**2 - (c * x + s * y) ** 2))
    x, y = places()
    away = np.abs(c * x + s * y) > 3
    assert np.allclose(valley.profile_curvature(x, y)[away], -1 / 300, rtol=3e-3)
    assert np.allclose(valley.tangential_curvature(x, y)[away], 0, atol=1e-5)


@pytest.mark.parametrize("steepness", [0.2, 1.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_on_a_cone_contours_bend_by_one_over_their_radius(steepness, sign):
    """Tangential is the contour's curvature times the sine of the slope; straight down a cone there is none."""
    cone = ground(lambda x, y: -sign * steepness * np.hypot(x, y), spacing=0.5, half=90)
    x, y = places(reach=40)
    r = np.hypot(x, y)
    x, y, r = x[r > 12], y[r > 12], r[r > 12]
    sine = steepness / math.sqrt(1 + steepness**2)
    assert np.allclose(cone.tangential_curvature(x, y), sign * sine / r, rtol=5e-3)
    assert np.allclose(cone.profile_curvature(x, y), 0, atol=1e-4)


def test_signs_are_those_of_water():
    """A ridge sheds water to its sides, a hollow gathers it; a toe slope slows it down."""
    ridge = ground(lambda x, y: -0.3 * y - 0.002 * x**2)
    hollow = ground(lambda x, y: -0.3 * y + 0.002 * x**2)
    toe = ground(lambda x, y: 0.3 * y + 0.002 * y**2)
    assert ridge.tangential_curvature(0, 0) > 1e-3 > -1e-3 > hollow.tangential_curvature(0, 0)
    assert toe.profile_curvature(0, 10) < -1e-3
    # 1/m: the second derivative along the fall line over (1 + slope^2)^1.5
    assert float(toe.profile_curvature(0, 0)) == pytest.approx(-0.004 / 1.09**1.5, rel=1e-9)
    assert float(hollow.tangential_curvature(0, 0)) == pytest.approx(-0.004 / 1.09**0.5, rel=1e-9)


def test_planes_and_level_ground_do_not_bend_edges_included():
    for a, b in ((0, 0), (0.5, 0.25), (-3, 0.1)):
        plane = ground(lambda x, y, a=a, b=b: a * x + b * y, half=3)
        x, y = np.meshgrid(plane.grid.x, plane.grid.y)
        assert np.allclose(plane.profile_curvature(x, y), 0, atol=1e-12)
        assert np.allclose(plane.tangential_curvature(x, y), 0, atol=1e-12)


def test_a_voids_neighbours_go_on_straight_and_voids_have_none():
    heights = np.fromfunction(lambda j, i: 0.2 * i + 0.1 * j, (7, 7))
    heights[3, 3] = np.nan
    terrain = Terrain(Grid(0, 0, 1, 7, 7), heights)
    x, y = np.meshgrid(np.arange(7), np.arange(7))
    bend = terrain.profile_curvature(x + 0.0, y + 0.0)
    assert np.isnan(bend[2:4, 2:4]).all()
    assert np.allclose(bend[~np.isnan(bend)], 0, atol=1e-12)
    assert np.isnan(terrain.profile_curvature(-1, 3))


def test_a_crop_with_a_ring_of_one_sample_bends_as_the_whole_does():
    rng = np.random.default_rng(2)
    whole = Terrain(Grid(-1e6, 1e6, 2, 60, 50), rng.normal(size=(50, 60)))
    part = whole.crop((-1e6 + 20, 1e6 + 30, -1e6 + 80, 1e6 + 70))
    box = part.grid.bounds
    x, y = rng.uniform([[box.xmin + 2], [box.ymin + 2]], [[box.xmax - 2], [box.ymax - 2]], (2, 500))
    assert part.profile_curvature(x, y).tolist() == whole.profile_curvature(x, y).tolist()
    assert part.tangential_curvature(x, y).tolist() == whole.tangential_curvature(x, y).tolist()


def test_units_of_slope_aspect_and_normal_agree_with_them():
    """Metres over metres: the same plane at another spacing and place has the same slope."""
    for spacing in (0.01, 1.0, 90.0):
        plane = ground(lambda x, y: 0.75 * x, FAR, spacing, 5)
        assert float(plane.slope_deg(*FAR)) == pytest.approx(math.degrees(math.atan(0.75)))
        assert float(plane.aspect_deg(*FAR)) == 270
        assert plane.normal(*FAR) == pytest.approx([-0.6, 0, 0.8])
        bowl = ground(lambda x, y, s=spacing: (x**2 + y**2) / (200 * s), FAR, spacing, 5)
        assert float(bowl.profile_curvature(*FAR)) == pytest.approx(-0.01 / spacing, rel=1e-3)
