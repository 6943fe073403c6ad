"""Crowns are to scale, where they stand, and lit from the north-west."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.preview.crowns import draw_crowns


def draw(discs, size=80, color=(0.0, 0.0, 0.0), shadow=0.0, away=0.0, ground=1.0):
    """Draw (x, y, radius) on a bright square; black crowns stay black under any light."""
    image = np.full((size, size, 3), ground, np.float32)
    x, y, radius = np.array(discs, np.float32).T.copy()
    colors = np.tile(np.array(color, np.float32), (len(discs), 1))
    draw_crowns(image, np.ones_like(image), x, y, radius, np.full_like(x, away), colors, shadow)
    return image


def naive_coverage(x, y, radius, size, parts=32):
    """Share of each pixel inside the disc, by counting sub-pixels."""
    at = (np.arange(size * parts) + 0.5) / parts
    inside = (at[None, :] - x) ** 2 + (at[:, None] - y) ** 2 < radius**2
    return inside.reshape(size, parts, size, parts).mean(axis=(1, 3))


@pytest.mark.parametrize("radius", [0.05, 0.2, 0.5, 0.577, 0.6, 1.0, 1.7, 2.5, 6.0, 20.0])
def test_the_area_of_a_disc_is_to_scale(radius):
    rng = np.random.default_rng(1)
    areas = [1 - draw([(40 + a, 40 + b, radius)])[..., 0] for a, b in rng.random((200, 2))]
    assert np.sum(areas) / 200 == pytest.approx(math.pi * radius**2, rel=0.02)
    if radius >= 2:
        assert np.sum(areas, axis=(1, 2)) == pytest.approx(math.pi * radius**2, rel=0.02)


@given(st.floats(20, 30), st.floats(20, 30), st.floats(1.0, 12.0))
def test_coverage_is_near_the_true_one_in_every_pixel(x, y, radius):
    cover = 1 - draw([(x, y, radius)], size=50)[..., 0]
    assert np.abs(cover - naive_coverage(x, y, radius, 50)).max() < 0.2
    assert 0 <= cover.min() <= cover.max() <= 1


def test_a_disc_at_the_edge_is_cut_and_outside_nothing_is_drawn():
    assert (1 - draw([(0, 40, 10)])[..., 0]).sum() == pytest.approx(math.pi * 50, rel=0.02)
    for place in [(-20, 40), (100, 40), (40, -20), (40, 100), (1e6, 1e6)]:
        assert (draw([(*place, 10.0)]) == 1).all()


def test_what_comes_last_lies_on_top():
    image = np.ones((20, 20, 3), np.float32)
    x = np.full(2, 10, np.float32)
    radius = np.array([8, 4], np.float32)
    colors = np.array([[0, 0, 0], [1, 0, 0]], np.float32)
    draw_crowns(image, np.ones_like(image), x, x, radius, x * 0, colors, 0.0)
    assert image[10, 10, 0] > 0.9
    assert image[10, 4, 0] == 0


def test_the_north_west_of_a_crown_is_bright_and_its_shadow_falls_south_east():
    image = draw([(40, 40, 12)], color=(0.5, 0.5, 0.5), shadow=0.5, away=6.0)[..., 0]
    assert image[34, 34] > image[34, 46] > image[46, 46]
    # beyond the crown: shaded in the south-east only
    assert image[51, 51] == pytest.approx(0.5)
    assert image[28, 28] == image[28, 52] == image[52, 28] == 1.0


def test_the_light_on_a_crown_averages_one():
    # so that a forest seen from afar has the colour of its species
    image = draw([(40, 40, 30)], color=(0.5, 0.5, 0.5), ground=0.0)[..., 0]
    assert image.sum() / (math.pi * 30**2) == pytest.approx(0.5, rel=0.03)


def test_ground_light_is_that_of_the_foot():
    image = np.zeros((40, 40, 3), np.float32)
    light = np.ones_like(image)
    light[:, :20] = 0.0
    x = np.array([10, 30], np.float32)
    draw_crowns(image, light, x, x * 0 + 20, x * 0 + 5, x * 0, np.ones((2, 3), np.float32), 0.0)
    assert image[:, :20].max() == 0
    assert image[20, 30].min() > 0.9


@given(st.floats(5, 15), st.floats(5, 15), st.floats(0.05, 0.499))
def test_the_middle_of_a_speck_is_where_it_stands(x, y, radius):
    cover = 1 - draw([(x, y, radius)], size=20)[..., 0].astype(np.float64)
    middles = np.arange(20) + 0.5
    assert cover.sum() == pytest.approx(math.pi * radius**2, rel=1e-3)
    assert (cover.sum(axis=0) @ middles, cover.sum(axis=1) @ middles) == pytest.approx(
        (x * cover.sum(), y * cover.sum()), rel=1e-3
    )


def test_a_speck_has_its_own_colour_and_a_shadow():
    red = draw([(10.5, 10.5, 0.4)], size=20, color=(0.8, 0.2, 0.1))
    share = math.pi * 0.4**2
    assert red[10, 10] == pytest.approx(1 - share * (1 - np.array([0.8, 0.2, 0.1])), abs=1e-5)
    shaded = draw([(10.5, 10.5, 0.4)], size=20, shadow=0.5, away=2.0)
    assert shaded[12, 12] == pytest.approx(np.full(3, 1 - 0.5 * share), abs=1e-5)
