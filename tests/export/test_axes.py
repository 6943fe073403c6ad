from __future__ import annotations

import numpy as np
import pytest

from weald.export.axes import GLTF, Axes

# another program's axes, to test the rules of a mirror: left-handed, y up
LEFT = Axes(source=(0, 2, 1), sign=(1, 1, 1))
BOTH = pytest.mark.parametrize("axes", [GLTF, LEFT])


def rotate(quaternion: np.ndarray, vector: np.ndarray) -> np.ndarray:
    axis, w = quaternion[:3], quaternion[3]
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)


def test_east_north_up_in_gltf() -> None:
    east_north_up = GLTF.vectors(np.array([[2.0, 3.0, 5.0]]))
    assert east_north_up.dtype == np.float32
    assert east_north_up.tolist() == [[2.0, 5.0, -3.0]]


def test_yaw_of_90_degrees_case_15() -> None:
    half = np.radians(90) / 2
    out = GLTF.quaternions(np.array([[0, 0, np.sin(half), np.cos(half)]]))
    assert out[0] == pytest.approx([0, np.sqrt(0.5), 0, np.sqrt(0.5)], abs=1e-7)


def test_handedness() -> None:
    assert not GLTF.mirrored
    assert LEFT.mirrored


@BOTH
def test_turning_and_converting_commute(axes: Axes) -> None:
    rng = np.random.default_rng(1)
    turns = rng.normal(size=(20, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    for turn, place in zip(turns, rng.normal(size=(20, 3)), strict=True):
        first_turned = axes.vectors(rotate(turn, place)[None])[0]
        first_converted = rotate(axes.quaternions(turn[None])[0].astype(float), axes.vectors(place[None])[0])
        assert first_converted == pytest.approx(first_turned, abs=1e-5)


@BOTH
def test_triangles_still_face_outwards(axes: Axes) -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    a, b, c = axes.vectors(corners)[axes.triangles(np.array([[0, 1, 2]], np.uint32))[0]]
    # the cross product of edges follows the winding in either frame: it must still be up
    side = np.cross(b - a, c - a)
    assert side == pytest.approx(axes.vectors(np.array([[0.0, 0, 1]]))[0])


@BOTH
@pytest.mark.parametrize("rows", [3, 4])
def test_matrices_take_converted_meshes_to_converted_places(axes: Axes, rows: int) -> None:
    rng = np.random.default_rng(1)
    given = rng.normal(size=(9, 4, 4))
    given[:, 3] = [0, 0, 0, 1]
    corners = rng.normal(size=(5, 3))
    one = np.ones((5, 1))
    there = axes.matrices(given[:, :rows])
    assert there.dtype == np.float32
    assert there.shape == (9, rows, 4)
    for before, after in zip(given, there, strict=True):
        expected = axes.vectors((np.hstack([corners, one]) @ before.T)[:, :3])
        found = (np.hstack([axes.vectors(corners), one]) @ after.T)[:, :3]
        np.testing.assert_allclose(found, expected, atol=1e-5)
