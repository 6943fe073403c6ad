"""The ground about Jacksboro against its geography."""

import math

import numpy as np
import pytest

from weald.errors import InputError
from weald.terrain.degrees import EQUATORIAL_RADIUS, FLATTENING, metres_per_degree
from weald.terrain.samples import JACKSBORO, jacksboro


@pytest.fixture(scope="module")
def ground():
    return jacksboro(60.0)


def height(ground, longitude_deg, latitude_deg):
    return float(ground.height(*JACKSBORO.xy(longitude_deg, latitude_deg)))


def test_the_size_is_in_metres(ground):
    width, depth = ground.grid.bounds.size
    # 402 by 343 steps of three arc seconds; taken for metres or for equal lengths this fails
    assert width == pytest.approx(402 * 74.86, abs=60)
    assert depth == pytest.approx(343 * 92.48, abs=60)
    assert (ground.grid.xmin, ground.grid.ymin) == (0.0, 0.0)
    assert 234 < ground.heights.min() < 240
    assert 1070 < ground.heights.max() < 1080


def test_the_highest_ground_is_cross_mountain():
    """The array is neither flipped nor shifted: its summit is where the mountain is.

    Cross Mountain, 36 deg 11' 54" N 84 deg 13' 50" W, is 1077 m high and the highest mountain of
    Tennessee west of the Blue Ridge. Turned upside down the summit would lie 23 km further north,
    mirrored 2.7 km further west, and with the file's own latitudes 32 km off the ground.
    """
    fine = jacksboro(20.0)
    j, i = np.unravel_index(fine.heights.argmax(), fine.grid.shape)
    x, y = JACKSBORO.xy(-(84 + 13 / 60 + 50 / 3600), 36 + 11 / 60 + 54 / 3600)
    assert math.hypot(fine.grid.x[i] - x, fine.grid.y[j] - y) < 100


def test_norris_lake_ends_at_its_dam(ground):
    """The lake, drawn down to 305 m in February 2000, stands behind the dam at 36.2242 N 84.0914 W.

    The Clinch below it runs some 50 m lower. Only with east in the east and north in the north does
    level water lie just upstream (north-east) of the dam and the river just downstream (south).
    """
    assert height(ground, -84.089, 36.2290) == pytest.approx(305, abs=1)
    assert height(ground, -84.0905, 36.2215) < 265


def test_towns_lie_in_the_valley_and_mountains_do_not(ground):
    """Jacksboro and LaFollette are valley towns; Cumberland Mountain rises at once to their north-west."""
    assert 300 < height(ground, -84.184, 36.330) < 350
    assert 300 < height(ground, -84.120, 36.383) < 350
    assert height(ground, -84.214, 36.353) > 420
    # the Cumberland Mountains fill the south-west, the Clinch and Powell lowland the south-east
    third = ground.grid.nx // 3
    assert (
        ground.heights[: ground.grid.ny // 2, :third].mean()
        > ground.heights[: ground.grid.ny // 2, -third:].mean() + 200
    )


def test_heights_between_samples_pass_through_the_samples():
    from matplotlib import cbook

    with np.load(cbook.get_sample_data("jacksboro_fault_dem.npz", asfileobj=False)) as file:
        raw = file["elevation"]
    fine = jacksboro(10.0)
    rows, columns = np.array([5, 100, 250, 340]), np.array([3, 60, 222, 400])
    x, y = JACKSBORO.xy(-84.41375 + (columns + 0.5) / 1200, 36.44625 - (rows + 0.5) / 1200)
    assert np.abs(fine.height(x, y) - raw[rows, columns]).max() < 1.5


@pytest.mark.parametrize("latitude_deg", [-60.0, 0.0, 36.3, 80.0])
def test_a_degree_is_as_long_as_the_ellipsoid_says(latitude_deg):
    def place(longitude_deg, latitude_deg):
        """Earth-centred coordinates on the ellipsoid, an independent way to the same lengths."""
        lon, lat = np.radians([longitude_deg, latitude_deg])
        e2 = FLATTENING * (2 - FLATTENING)
        n = EQUATORIAL_RADIUS / math.sqrt(1 - e2 * math.sin(lat) ** 2)
        return np.array(
            [n * math.cos(lat) * math.cos(lon), n * math.cos(lat) * math.sin(lon), n * (1 - e2) * math.sin(lat)]
        )

    step = 1e-3
    east = np.linalg.norm(place(step, latitude_deg) - place(-step, latitude_deg)) / (2 * step)
    north = np.linalg.norm(place(0, latitude_deg + step) - place(0, latitude_deg - step)) / (2 * step)
    assert metres_per_degree(latitude_deg) == pytest.approx((east, north), rel=1e-7)


def test_published_lengths_of_a_degree():
    # 110.574 and 111.320 km at the equator, 111.132 and 78.847 km at 45 degrees
    assert metres_per_degree(0.0) == pytest.approx((111_319.5, 110_574.3), abs=1)
    assert metres_per_degree(45.0) == pytest.approx((78_846.8, 111_131.8), abs=1)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="latitude_deg: got 90; give degrees between"):
        metres_per_degree(90)
    for spacing in (0, -5, math.nan):
        with pytest.raises(InputError, match=r"spacing: got .*above 0"):
            jacksboro(spacing)
    with pytest.raises(InputError, match="spacing: 40000 m is more than the ground has"):
        jacksboro(40_000)


def test_more_samples_than_there_is_room_for_are_refused_before_anything_is_made():
    with pytest.raises(
        InputError, match=r"gives 3,\d{3},\d{3} x 3,\d{3},\d{3} samples, [67]\d,\d{3}\.\d GiB; give more"
    ):
        jacksboro(0.01)
