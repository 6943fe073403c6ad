"""How instances stand: what each attribute of a species does, and that none touches another."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.layer import Layer
from weald.scatter.orientation import rotation_matrices
from weald.scatter.scatter import scatter
from weald.scatter.species import Species

AREA = Bounds(-60, -60, 60, 60)


def species(**changes):
    return Species("stone", "bush", height=1, crown_radius=1, color="#888888", **changes)


def slope(x, y):
    return 0.5 * x - 0.25 * y


def slope_normal(x, y):
    n = np.array([-0.5, 0.25, 1.0])
    return np.broadcast_to(n / np.linalg.norm(n), (len(x), 3))


def flat_normal(x, y):
    return np.broadcast_to([0.0, 0.0, 1.0], (len(x), 3))


def stood(normal=slope_normal, window=None, **changes):
    layer = Layer("stones", {species(**changes): 1}, 3.0)
    return scatter([layer], slope, AREA, 7, normal=normal, window=window)["stones"]


def axes(placed):
    """Return where each instance's own x, y and z axes point."""
    return np.moveaxis(rotation_matrices(placed.rotation), 2, 0)


def test_upright_and_turned_all_ways_by_default():
    placed = stood(normal=None)
    east, _, up = axes(placed)
    np.testing.assert_allclose(up, np.broadcast_to([0, 0, 1], up.shape), atol=1e-6)
    turns = np.arctan2(east[:, 1], east[:, 0]) / (2 * np.pi) % 1
    counts = np.histogram(turns, 8, (0, 1))[0]
    assert counts.min() > 0.6 * counts.mean()


@pytest.mark.parametrize("alignment", [0.0, 0.5, 1.0])
def test_alignment_goes_from_the_vertical_to_the_normal(alignment):
    placed = stood(alignment=alignment)
    _, _, up = axes(placed)
    wanted = (1 - alignment) * np.array([0, 0, 1]) + alignment * slope_normal(np.zeros(1), None)[0]
    np.testing.assert_allclose(up, np.broadcast_to(wanted / np.linalg.norm(wanted), up.shape), atol=1e-6)


def test_tilt_is_at_most_so_much_and_to_all_sides():
    _, _, up = axes(stood(tilt_deg=10))
    lean = np.degrees(np.arccos(np.clip(up[:, 2], -1, 1)))
    assert lean.max() <= 10.001
    assert 4.5 < lean.mean() < 5.5
    np.testing.assert_allclose(up[:, :2].mean(axis=0), 0, atol=0.01)


@pytest.mark.parametrize(("facing", "sign"), [("downhill", 1), ("uphill", -1)])
def test_facing_the_slope(facing, sign):
    _, north, _ = axes(stood(facing=facing, yaw_deg=(-5, 5)))
    downhill = slope_normal(np.zeros(1), None)[0, :2]
    downhill = sign * downhill / np.linalg.norm(downhill)
    away = np.degrees(np.arccos(np.clip(-north[:, :2] @ downhill, -1, 1)))
    assert away.max() <= 5.001
    assert away.max() > 4


def test_on_the_level_there_is_no_downhill():
    east, _, _ = axes(stood(normal=flat_normal, facing="downhill"))
    turns = np.arctan2(east[:, 1], east[:, 0]) / (2 * np.pi) % 1
    assert np.histogram(turns, 4, (0, 1))[0].min() > 0.7 * len(turns) / 4


def test_sink_is_of_the_size():
    placed = stood(sink=0.4, scale=(0.5, 2.0))
    ground = slope(placed.xyz[:, 0], placed.xyz[:, 1])
    np.testing.assert_allclose(ground - placed.xyz[:, 2], 0.4 * placed.scale, rtol=1e-5)


def test_no_attribute_touches_another():
    plain = stood()
    for changes in ({"tilt_deg": 20}, {"alignment": 1}, {"sink": 1}, {"scale": (1, 3)}, {"color_variation": 0.5}):
        other = stood(**changes)
        for name in ("id", "species", "radius"):
            np.testing.assert_array_equal(getattr(other, name), getattr(plain, name))
        np.testing.assert_array_equal(other.xyz[:, :2], plain.xyz[:, :2])
        if "scale" not in changes:
            np.testing.assert_array_equal(other.scale, plain.scale)
        if not {"tilt_deg", "alignment"} & set(changes):
            np.testing.assert_array_equal(other.rotation, plain.rotation)


def test_windows_are_crops_whatever_the_stance():
    changes = {"tilt_deg": 8, "alignment": 0.7, "facing": "downhill", "sink": 0.1}
    window = Bounds(-13, -31, 22, 17)
    assert stood(window=window, **changes) == stood(**changes).inside(window)


def test_unit_quaternions_without_mirrors():
    placed = stood(tilt_deg=90, alignment=1, facing="uphill")
    np.testing.assert_allclose(np.linalg.norm(placed.rotation, axis=1), 1, atol=1e-6)
    assert (np.linalg.det(placed.to_matrices()[:, :3, :3].astype(float)) > 0).all()


def test_a_slope_must_be_known():
    with pytest.raises(InputError, match="normal: is not given, and species 'stone' stands by the slope"):
        stood(normal=None, alignment=0.2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alignment": 1.5}, "species 'stone': alignment is 1.5; give a number from 0 to 1"),
        ({"alignment": np.nan}, "alignment is nan"),
        ({"tilt_deg": -1}, "tilt_deg is -1; give a number from 0 to 90"),
        ({"sink": np.inf}, "sink is inf; give a finite number of metres"),
        (
            {"facing": "downhil"},
            r"facing is 'downhil'; give one of any, downhill, uphill \(did you mean 'downhill'\?\)",
        ),
        ({"yaw_deg": (10, 5)}, r"yaw_deg is \(10, 5\); give smallest <= largest, in degrees"),
        ({"color_variation": 2}, "color_variation is 2; give a number from 0 to 1"),
    ],
)
def test_bad_stances(changes, message):
    with pytest.raises(InputError, match=message):
        species(**changes)
