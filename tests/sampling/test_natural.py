"""Natural edges of `poisson_disk`: the plane's own points, cut."""

import numpy as np
import pytest

import weald
from weald import poisson_disk
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling.asked import SATURATION

BOX = Bounds(-30, 10, 70, 90)


def ring(x, y):
    return np.abs(np.hypot(x - 20, y - 50) - 25) < 4


def growing(x, y):
    assert (x >= BOX.xmin).all()
    assert (x < BOX.xmax).all()
    return 2 + 0.03 * (x + 30)


@pytest.mark.parametrize("given", [{"radius": 3.0}, {"radius": lambda x, y: 2.5 + 0 * x, "radius_range": (2, 3)}])
def test_they_are_the_points_of_the_plane_that_stand_on_allowed_ground(given):
    plane = poisson_disk(None, seed=4, window=BOX, **given)
    natural = poisson_disk(BOX, seed=4, edge="natural", allowed=ring, **given)
    inside = ring(*plane.xy.T)
    np.testing.assert_array_equal(natural.id, plane.id[inside])
    np.testing.assert_array_equal(natural.xy, plane.xy[inside])
    np.testing.assert_array_equal(natural.radius, plane.radius[inside])
    assert 30 < len(natural) < len(poisson_disk(BOX, seed=4, edge="fill", allowed=ring, **given))


@pytest.mark.parametrize("radius", [3.0, growing])
def test_a_window_is_the_crop_of_the_whole(radius):
    given = {"seed": 4, "edge": "natural", "allowed": ring}
    if callable(radius):
        given["radius_range"] = (2, 5)
    whole = poisson_disk(BOX, radius, **given)
    window = Bounds(-40, 30, 20, 70)
    part = poisson_disk(BOX, radius, window=window, **given)
    inside = window.contains(*whole.xy.T)
    np.testing.assert_array_equal(part.xy, whole.xy[inside])
    np.testing.assert_array_equal(part.id, whole.id[inside])
    assert 0 < len(part) < len(whole)


def test_edges_are_as_dense_as_the_inside():
    """Strips of half a radius along both kinds of edge, 20 by 2,000 radii; filled edges are twice as dense there."""
    strip = Bounds(0, 0, 2000, 20)
    found = {}
    for edge in ("natural", "fill"):
        y = np.concatenate([poisson_disk(strip, 1.0, seed=k, edge=edge).xy[:, 1] for k in range(6)])
        found[edge] = np.count_nonzero((y < 0.5) | (y >= 19.5)) / (6 * 2000 * SATURATION)
    assert found["natural"] == pytest.approx(1.0, abs=0.03)
    assert found["fill"] > 1.5


def test_a_shape_is_cut_and_computed_in_its_box_alone():
    hedge = weald.inside([[(0, 0), (40, 0), (40, 3), (0, 3)]])
    points = poisson_disk((-1e8, -1e8, 1e8, 1e8), 1.0, seed=2, allowed=hedge, edge="natural")
    assert hedge(*points.xy.T).all()
    assert 60 < len(points) < 110


def test_space_too():
    box = (0, 0, 0, 12, 10, 8)
    natural = poisson_disk(box, 2.0, seed=3, edge="natural", allowed=lambda x, y, z: x > 4)
    plane = poisson_disk(None, 2.0, seed=3, window=box)
    np.testing.assert_array_equal(natural.xyz, plane.xyz[plane.xyz[:, 0] > 4])
    assert 20 < len(natural) < len(plane)


def test_a_radius_may_be_unknown_where_nothing_stands():
    def radius(x, y):
        return np.where(ring(x, y), 2.0, np.nan)

    points = poisson_disk(BOX, radius, radius_range=(1, 4), seed=1, edge="natural", allowed=ring)
    assert len(points) > 30
    assert set(points.radius.tolist()) == {2.0}
    with pytest.raises(InputError, match=r"radius: the function returned NaN at \(.*\); return a number for every"):
        poisson_disk(BOX, radius, radius_range=(1, 4), seed=1, edge="natural")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"edge": "sharp"}, "edge: got 'sharp'; give 'fill' or 'natural'"),
        ({"edge": None}, "edge: got None; give 'fill' or 'natural'"),
        (
            {"edge": "natural", "periodic": True},
            'periodic: a tile has no edge where it repeats; leave out edge="natural"',
        ),
        (
            {"edge": "natural", "blockers": ([[0, 0]], 3.0)},
            'blockers: with edge="natural" points grow without them; take away what is too near afterwards',
        ),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError) as raised:
        poisson_disk(BOX, 3.0, seed=1, **given)
    assert str(raised.value) == message
