"""Discs of half the radius: what touches, what overlaps, and where one more would fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from weald.errors import InputError
from weald.preview.conflicts import conflicting, mark_covered
from weald.preview.points import draw_points
from weald.sampling.poisson import poisson_disk


def naive_conflicts(xy, radius):
    d = np.sqrt(((xy[:, None] - xy[None]) ** 2).sum(axis=-1))
    near = d < np.maximum(radius[:, None], radius[None])
    np.fill_diagonal(near, False)
    return near.any(axis=1)


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 120),
    spread=st.sampled_from([1.0, 3.0, 50.0]),
    flat=st.sampled_from([1.0, 0.01, 0.0]),
    origin=st.sampled_from([0.0, -5e6]),
)
def test_conflicts_are_those_of_all_pairs(seed, n, spread, flat, origin):
    rng = np.random.default_rng(seed)
    xy = rng.random((n, 2)) * [40, 40 * flat] + origin
    radius = spread ** rng.random(n) * 0.5
    assert np.array_equal(conflicting(xy, radius), naive_conflicts(xy, radius))


def test_a_pair_at_just_its_distance_is_no_conflict():
    xy = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert not conflicting(xy, np.array([5.0, 1.0])).any()
    assert conflicting(xy, np.array([np.nextafter(5.0, 6), 1.0])).all()
    assert conflicting(np.zeros((2, 2)), np.ones(2)).all()


@given(st.integers(0, 10**6))
def test_covered_pixels_are_those_near_a_point(seed):
    rng = np.random.default_rng(seed)
    x, y, radius = rng.uniform(-5, 30, 12), rng.uniform(-5, 25, 12), rng.uniform(0.1, 6, 12)
    i, j = np.meshgrid(np.arange(25) + 0.5, np.arange(20) + 0.5)
    for own in (np.zeros((20, 25)), rng.uniform(0, 8, (20, 25))):
        covered = np.zeros((20, 25), bool)
        mark_covered(x, y, radius, own, covered)
        keeps = np.maximum(radius, own[..., None])
        assert np.array_equal(covered, (((i[..., None] - x) ** 2 + (j[..., None] - y) ** 2) < keeps**2).any(axis=-1))


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image)


def kinds(path):
    """Return which pixels are red, blue and green."""
    red, green, blue = np.moveaxis(pixels(path).astype(int), -1, 0)
    return (
        (red > green + 60) & (red > blue + 60) & (green < 110),
        (blue > red + 90) & (blue > green + 40),
        green > red + 10,
    )


def test_touching_discs_are_sound_and_too_near_ones_are_red(tmp_path):
    path = tmp_path / "a.png"
    hexagons = np.array([[10.0 * (i + 0.5 * (j % 2)), 8.6603 * j] for i in range(-1, 12) for j in range(-1, 14)])
    draw_points(path, hexagons, 9.99, (0, 0, 100, 100), width_px=400)
    red, blue, green = kinds(path)
    assert not red.any()
    assert not blue.any()
    # touching discs in a hexagonal lattice cover 0.907 of the plane
    assert 0.7 < green.mean() < 0.92
    assert pixels(path).shape == (400, 400, 3)

    draw_points(path, hexagons, 10.01, (0, 0, 100, 100), width_px=400)
    assert kinds(path)[0].mean() > 0.7


def test_a_gap_that_would_take_one_more_is_blue_where_it_is(tmp_path):
    path = tmp_path / "a.png"
    hexagons = np.array([[10.0 * (i + 0.5 * (j % 2)), 8.6603 * j] for i in range(-1, 12) for j in range(-1, 14)])
    missing = np.hypot(*(hexagons - [70, 86.603]).T).argmin()
    draw_points(path, np.delete(hexagons, missing, axis=0), 8.5, (0, 0, 100, 100), width_px=400)
    blue = np.argwhere(kinds(path)[1])
    # north is up: y = 86.6 is 13.4 m below the upper edge, at 4 pixels a metre
    assert blue.mean(axis=0) == pytest.approx((53.6, 280), abs=2)
    # with a radius a point nobody can tell what would fit
    draw_points(path, np.delete(hexagons, missing, axis=0), np.full(len(hexagons) - 1, 8.5), (0, 0, 100, 100))
    assert not kinds(path)[1].any()


def test_holes_between_points_of_many_radii_need_the_radius_of_the_place(tmp_path):
    points = poisson_disk((0, 0, 100, 100), lambda x, y: 4 + x / 10, radius_range=(4, 14), seed=2)
    xy, radius = points.xy, points.radius
    draw_points(tmp_path / "full.png", xy, radius, (20, 20, 80, 80), radius_at=lambda x, y: 4 + x / 10, width_px=400)
    assert not kinds(tmp_path / "full.png")[1].any()
    gone = np.hypot(*(xy - 50).T).argmin()
    xy, radius = np.delete(xy, gone, axis=0), np.delete(radius, gone)
    draw_points(tmp_path / "a.png", xy, radius, (20, 20, 80, 80), radius_at=lambda x, y: 4 + x / 10, width_px=400)
    blue = np.argwhere(kinds(tmp_path / "a.png")[1])
    assert len(blue) > 50
    assert np.hypot(*(blue.mean(axis=0) - 200)) < 60
    draw_points(tmp_path / "a.png", xy, radius, (20, 20, 80, 80), width_px=400)
    assert not kinds(tmp_path / "a.png")[1].any()


def test_an_empty_set_is_one_large_gap(tmp_path):
    draw_points(tmp_path / "a.png", [], 5.0, (0, 0, 10, 5), width_px=40)
    assert kinds(tmp_path / "a.png")[1].all()
    assert pixels(tmp_path / "a.png").shape == (20, 40, 3)


def test_bad_points_are_refused(tmp_path):
    for xy, radius, bounds, width, message in [
        (np.zeros((3, 3)), 1.0, (0, 0, 1, 1), 100, r"points_xy: got an array of shape \(3, 3\)"),
        ([[0.0, np.nan]], 1.0, (0, 0, 1, 1), 100, "points_xy: .*give finite places"),
        (
            [[0.0, 0.0]],
            [1.0, 2.0],
            (0, 0, 1, 1),
            100,
            r"radius: has shape \(2,\); give one number, or one for each",
        ),
        ([[0.0, 0.0]], 0.0, (0, 0, 1, 1), 100, r"radius: spans 0\.0 to 0\.0; give finite numbers above 0"),
        ([[0.0, 0.0]], [np.nan], (0, 0, 1, 1), 100, "radius: spans nan"),
        ([[0.0, 0.0]], 1.0, (0, 0, 0, 1), 100, "bounds: .* is empty"),
        ([[0.0, 0.0]], 1.0, (0, 0, 1, 1), 5, "width_px: got 5; give a whole number from 16 to 8000"),
        ([[0.0, 0.0]], 1.0, (0, 0, 1, 1e4), 100, "width_px: 100 makes the picture 1000000 high"),
    ]:
        with pytest.raises(InputError, match=message):
            draw_points(tmp_path / "a.png", xy, radius, bounds, width_px=width)
    assert not list(tmp_path.iterdir())
