from __future__ import annotations

import numpy as np
import pytest

from weald.errors import InputError
from weald.export.ground import Ground
from weald.geometry import Grid
from weald.terrain.span import Span
from weald.terrain.terrain import Terrain


def test_each_cell_is_split_from_south_west_to_north_east() -> None:
    ground = Ground.of(Grid(0, 0, 1, 3, 2), np.zeros((2, 3)))
    #  3 4 5
    #  0 1 2
    assert ground.triangles().tolist() == [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]


def test_a_saddle_is_what_the_diagonal_makes_of_it_case_14() -> None:
    ground = Ground.of(Grid(0, 0, 1, 2, 2), np.array([[1.0, 0.0], [0.0, 1.0]]))
    places = ground.positions((0, 0, 0)).astype(float)[ground.triangles()]
    # on the ridge between the two high corners, the middle is high
    middles = places[:, [0, 1, 2]].mean(axis=1)
    assert middles[:, 2] == pytest.approx([2 / 3, 2 / 3])


def test_positions_are_relative_to_the_origin() -> None:
    grid = Grid(500_000, 5_150_000, 0.01, 3, 2)
    heights = np.array([[1000.0, 1001, 1002], [1003, 1004, 1005.5]])
    xyz = Ground.of(grid, heights).positions((500_000, 5_150_000, 1000))
    assert xyz.dtype == np.float32
    assert xyz[5] == pytest.approx([0.02, 0.01, 5.5], abs=1e-6)
    assert xyz[1] == pytest.approx([0.01, 0, 1], abs=1e-6)


def test_normals_of_a_plane() -> None:
    grid = Grid(-3, 7, 0.5, 6, 5)
    x, y = np.meshgrid(grid.x, grid.y)
    normals = Ground.of(grid, 0.5 * x + 0.25 * y).normals()
    across = np.array([-0.5, -0.25, 1])
    assert normals == pytest.approx(np.broadcast_to(across / np.linalg.norm(across), normals.shape), abs=1e-6)


def test_normals_are_the_mean_of_the_triangles_that_meet() -> None:
    rng = np.random.default_rng(4)
    heights = rng.uniform(0, 3, (7, 8))
    heights[rng.random((7, 8)) < 0.15] = np.nan
    ground = Ground.of(Grid(0, 0, 0.7, 8, 7), heights)
    places = ground.positions((0, 0, 0)).astype(float)
    mean = np.zeros_like(places)
    for corners in ground.triangles():
        a, b, c = places[corners]
        mean[corners] += np.cross(b - a, c - a)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    assert ground.normals() == pytest.approx(mean, abs=1e-5)
    assert (mean[:, 2] > 0).all()


def test_cells_that_touch_a_void_are_left_out() -> None:
    heights = np.arange(20.0).reshape(4, 5)
    heights[1, 1] = np.nan  # takes the four cells around it, and leaves the south-west sample without any
    ground = Ground.of(Grid(0, 0, 1, 5, 4), heights)
    assert ground.triangle_count == 2 * (12 - 4)
    assert ground.vertex_count == 20 - 4  # the void, and three whose only cells touched it
    positions, triangles = ground.positions((0, 0, 0)), ground.triangles()
    assert len(positions) == ground.vertex_count
    assert len(triangles) == ground.triangle_count
    assert np.isfinite(positions).all()
    # every sample that is left is used, and lies where its height says: height = 5 row + column
    assert sorted(set(triangles.ravel().tolist())) == list(range(len(positions)))
    assert (positions[:, 2] == 5 * positions[:, 1] + positions[:, 0]).all()
    assert [0.0, 0.0] not in positions[:, :2].tolist()
    reach = np.ptp(positions[triangles], axis=1)
    assert (reach[:, :2] == 1).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1)])
def test_one_row_has_no_triangles(shape: tuple[int, int]) -> None:
    ground = Ground.of(Grid(0, 0, 1, shape[1], shape[0]), np.zeros(shape))
    assert (ground.vertex_count, ground.triangle_count) == (0, 0)


def test_normals_of_neighbours_are_equal_along_their_edge() -> None:
    heights = np.random.default_rng(3).normal(0, 2, (9, 12))
    heights[6, 7] = np.nan
    whole = Terrain(Grid(0, 0, 0.7, 12, 9), heights)
    normals = np.full((9, 12, 3), np.nan, np.float32)
    used = Ground.of(whole.grid, heights).used
    normals[used] = Ground.of(whole.grid, heights).normals()
    for rows, columns in [((0, 9), (0, 6)), ((0, 9), (5, 12)), ((2, 7), (3, 9))]:
        part = whole.part(Span(*rows, *columns))
        ground = Ground.of(part.grid, part.heights, part.rimmed)
        here = normals[rows[0] : rows[1], columns[0] : columns[1]]
        assert ground.normals().tobytes() == here[ground.used].tobytes()
    with pytest.raises(InputError, match=r"rimmed: got shape \(9, 12\); give the heights with one more sample"):
        Ground.of(whole.grid, heights, heights)


def test_what_is_no_ground() -> None:
    with pytest.raises(InputError, match=r"heights: shape is \(3, 2\); the grid has \(2, 3\)"):
        Ground.of(Grid(0, 0, 1, 3, 2), np.zeros((3, 2)))
    with pytest.raises(InputError, match="heights: some are infinite"):
        Ground.of(Grid(0, 0, 1, 3, 2), np.full((2, 3), -np.inf))
