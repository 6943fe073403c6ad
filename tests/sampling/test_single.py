"""Coordinates in float32: half-open boxes stay half-open."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weald
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.sampling.single import ends, safe

lows = st.one_of(
    st.sampled_from([0.0, -0.0, -5.0, 0.1, -1e6, 1e6, 999_999.9, 16_777_216.0, -1e-3, 1e-40]), st.floats(-1e7, 1e7)
)
sizes = st.one_of(st.sampled_from([1.0, 100.0, 0.3, 1e-3, 1e5]), st.floats(1e-6, 1e6))


def inside(p, low, high):
    """Return whether float32 are in [low, high): by exact numbers, and as NumPy compares with a Python float."""
    exact = p.astype(np.float64)
    return bool(((exact >= low) & (exact < high)).all() and ((p >= np.float32(low)) & (p < np.float32(high))).all())


def corners(points, box):
    """Return points with some in the very corners of their box."""
    low = np.array(box[: len(box) // 2], float)
    high = np.nextafter(np.array(box[len(box) // 2 :], float), -np.inf)
    return np.concatenate([np.asarray(points), [low, high, np.maximum(low, high - 1e-9)]])


@given(lows, sizes)
def test_ends_are_the_outermost_float32(low, size):
    high = low + size
    first, last = ends(low, high)
    if first <= last:
        assert inside(np.array([first, last]), low, high)
    assert not inside(np.array([np.nextafter(first, np.float32(-np.inf))]), low, high)
    assert not inside(np.array([np.nextafter(last, np.float32(np.inf))]), low, high)


@given(lows, sizes)
def test_safe_is_what_rounds_inside(low, size):
    high = low + size
    begin, end = safe(low, high, size)
    first, last = ends(low, high)
    if first < last:
        assert low <= begin < end <= high
        edges = np.array([begin, np.nextafter(end, -np.inf)])
        assert inside(edges.astype(np.float32), low, high)
        # half-way between two float32, either may be taken
        before, after = np.nextafter(np.nextafter(begin, -np.inf), -np.inf), np.nextafter(end, np.inf)
        out = [v for v in (before, after) if low <= v < high]
        assert not any(inside(np.array([v]).astype(np.float32), low, high) for v in out)
    else:
        assert (begin, end) == (low, high)


def test_an_end_that_would_cost_more_than_the_slack_stays():
    assert safe(0.1, 1e6, 1e-9) == (0.1, 1e6)
    assert safe(0.1, 1e6, 0.1)[1] == 1e6 - 2**-5
    assert safe(0.0, 1.0, 2**-26) == (0.0, 1.0)


@given(lows, sizes, lows, sizes, st.sampled_from([None, "corner", (0.1, -7.3)]))
def test_any_points_are_inside_in_float32(xmin, width, ymin, depth, origin):
    box = (xmin, ymin, xmin + width, ymin + depth)
    xy = corners(np.empty((0, 2)), box)
    points = PointSet(xy, np.ones(3), np.arange(3, dtype=np.uint64), 0, bounds=Bounds(*box))
    start = box[:2] if origin == "corner" else origin
    shift = np.zeros(2) if start is None else np.array(start)
    if any(first > last for first, last in (ends(box[k], box[k + 2], float(shift[k])) for k in (0, 1))):
        assert origin != "corner"
        with pytest.raises(InputError, match="no float32 lies between"):
            points.float32(start)
        return
    local = points.float32(start)
    assert local.dtype == np.float32
    for axis in (0, 1):
        low, high = (Fraction(box[axis + k]) - Fraction(float(shift[axis])) for k in (0, 2))
        assert all(low <= Fraction(float(v)) < high for v in local[:, axis])
    if start is None:
        assert inside(local[:, 0], box[0], box[2])
        np.testing.assert_array_equal(np.asarray(points, np.float32), local)
        np.testing.assert_array_equal(points.__array__(np.dtype("f4")), local)


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize(
    ("box", "radius"),
    [
        ((0, 7_990, 4_000, 8_000), 1.0),
        ((999_000.3, -5_150_020.7, 1_000_000.1, -5_150_000.3), 2.0),
        ((1e6 - 4, 1e6 - 4, 1e6, 1e6), 0.01),
        ((-0.3, -0.3, 0.1, 0.1), 0.0123),
    ],
)
def test_points_of_ugly_domains(box, radius, periodic):
    radius = min(radius, 0.9) if periodic else radius  # at least ten to a side
    for seed in range(3):
        points = poisson_disk(box, radius, seed=seed, periodic=periodic)
        assert (points.xy >= box[:2]).all()
        assert (points.xy < box[2:]).all()
        assert inside(np.asarray(points, np.float32)[:, 0], box[0], box[2])
        assert inside(np.asarray(points, np.float32)[:, 1], box[1], box[3])
        local = points.float32(box[:2])
        assert (local >= 0).all()
        assert (local < np.subtract(box[2:], box[:2])).all()
        assert points.bounds == Bounds(*box)


def test_plain_rounding_would_leave_a_window():
    """The tests above prove nothing unless some points really round to the upper bound."""
    window = (1e6 - 300, 1e6 - 3, 1e6, 1e6)
    points = poisson_disk(None, 1.0, seed=1, window=window)
    assert (points.xy < 1e6).all()
    assert (points.xy.astype(np.float32) == 1e6).any()
    assert (points.float32() < 1e6).all()
    moved = np.abs(points.float32().astype(np.float64) - points.xy).max()
    assert moved <= 2**-4


def test_a_domain_near_enough_is_safe_in_plain_rounding():
    box = (0, 7_990, 4_000, 8_000)
    for seed in range(4):
        xy = poisson_disk(box, 1.0, seed=seed).xy
        assert inside(xy.astype(np.float32)[:, 0], 0, 4_000)
        assert inside(xy.astype(np.float32)[:, 1], 7_990, 8_000)


def test_space():
    box = (0, 0, 1e6 - 20, 30, 30, 1e6)
    points = poisson_disk(box, 1.0, seed=1)
    plain = poisson_disk(None, 1.0, seed=1, window=box)
    assert (plain.xyz.astype(np.float32)[:, 2] == 1e6).any()
    for found in (points, plain):
        assert found.float32().shape == (len(found), 3)
        assert inside(found.float32()[:, 2], 1e6 - 20, 1e6)
        assert inside(np.asarray(found, np.float32)[:, 0], 0, 30)
    box = (0, 0, 7_998, 30, 30, 8_000)
    assert inside(poisson_disk(box, 0.5, seed=1).xyz.astype(np.float32)[:, 2], 7_998, 8_000)


def test_bad_origins():
    points = poisson_disk((5e7, 0, 5e7 + 1, 5), 0.5, seed=1)
    with pytest.raises(InputError, match=r"origin: no float32 lies between 50000000.0 and 50000001.0"):
        points.float32()
    with pytest.raises(InputError, match="origin: no float32"):
        np.asarray(points, np.float32)
    assert points.float32((5e7, 0)).max() < 5
    for origin in [(1, 2, 3), "here", (np.nan, 0), [[1, 2], [3, 4]]]:
        with pytest.raises(InputError, match="origin: got"):
            points.float32(origin)
    assert weald.PointSet(points.xy, points.radius, points.id, 1).float32().dtype == np.float32
