"""Blockers that are found when asked about, and those that count by their own radius alone."""

import numpy as np
import pytest

from weald import poisson_disk
from weald.errors import InputError
from weald.sampling.fixed import Blockers

BOX = (0.0, 0.0, 60.0, 50.0)
RNG = np.random.default_rng(5)
XY, REACH = RNG.uniform(-5, 65, (150, 2)), RNG.uniform(0.2, 4.0, 150)


def find(box):
    inside = box.contains(*XY.T)
    return XY[inside], REACH[inside]


def gaps(points):
    dx, dy = (points.xy[:, k, None] - XY[:, k] for k in (0, 1))
    return np.sqrt(dx * dx + dy * dy)


@pytest.mark.parametrize("radius", [1.5, lambda x, y: 1.5 + 0.5 * np.sin(x)])
def test_what_is_found_is_what_is_given(radius):
    options = {"seed": 1, "radius_range": (1.0, 2.0) if callable(radius) else None}
    given = poisson_disk(BOX, radius, blockers=(XY, REACH), **options)
    found = poisson_disk(BOX, radius, blockers=Blockers(find, 4.0), **options)
    np.testing.assert_array_equal(given.xy, found.xy)
    assert len(given) > 300


def test_alone_points_keep_off_by_the_discs_radius_and_fill_all_that_is_left():
    points = poisson_disk(BOX, 1.5, seed=1, blockers=Blockers(find, 4.0, alone=True))
    assert (gaps(points) >= REACH).all()
    small = REACH < 1.4
    assert (gaps(points)[:, small] < 1.5).any(axis=0).sum() > 10  # nearer than their own radius
    dx, dy = (points.xy[:, k, None] - points.xy[:, k] for k in (0, 1))
    apart = np.sqrt(dx * dx + dy * dy)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() >= 1.5
    # nothing more fits: every place is near a point, or in a disc
    x, y = RNG.uniform(0, 60, 40_000), RNG.uniform(0, 50, 40_000)
    near = np.zeros(len(x), bool)
    middles = np.vstack([points.xy, XY])
    reaches = np.append(np.full(len(points), 1.5 * (1 + 2**-16)), REACH + 1e-4)
    for (px, py), r in zip(middles, reaches, strict=True):
        near |= np.hypot(x - px, y - py) < r
    assert near.all()


def test_alone_any_window_is_the_crop_of_the_whole():
    blockers = Blockers(find, 4.0, alone=True)
    whole = poisson_disk(BOX, 1.5, seed=2, blockers=blockers)
    part = poisson_disk(BOX, 1.5, seed=2, blockers=blockers, window=(10, 20, 31, 33))
    inside = (whole.xy >= [10, 20]).all(axis=1) & (whole.xy < [31, 33]).all(axis=1)
    np.testing.assert_array_equal(part.xy, whole.xy[inside])


def test_alone_goes_with_one_radius_and_no_repetition():
    blockers = Blockers(find, 4.0, alone=True)
    message = "blockers: Blockers go with a domain that does not repeat, and `alone` with a number as radius"
    with pytest.raises(InputError, match=message):
        poisson_disk(BOX, lambda x, y: 1 + 0 * x, radius_range=(1, 2), seed=1, blockers=blockers)
    with pytest.raises(InputError, match=message):
        poisson_disk(BOX, 1.0, seed=1, blockers=Blockers(find, 4.0), periodic=True)
