"""Fields of three and four coordinates: what they give, the bits of it, and what they refuse."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.fields import Condition, Field
from weald.geometry import Grid

GRID = Grid(xmin=-7, ymin=3, spacing=0.5, nx=700, ny=90)
ground = Field.of(lambda x, y: 0.5 * x + y)
height = Field.of(lambda x, y, z: z, dimensions=3)
wave = Field.of(lambda x, y, z: x * z - y, dimensions=3)
time = Field.of(lambda x, y, z, w: w - z, dimensions=4)
HEIGHTS = np.array([-2.0, 0.25, 9.0])


def test_a_field_has_the_dimensions_of_what_needs_most():
    assert (ground.dimensions, height.dimensions, time.dimensions) == (2, 3, 4)
    assert (ground - height).dimensions == 3
    assert (ground * 2 + 1).dimensions == 2
    assert ((ground > height) & (time > 0)).dimensions == 4
    assert Condition.of(True).dimensions == 2
    assert Condition.of(lambda x, y, z: z > 0, dimensions=3).dimensions == 3


def test_fields_of_the_plane_ignore_the_other_coordinates():
    assert float(ground(4, 1, 99)) == float(ground(4, 1)) == 3.0
    assert float((ground - height)(4, 1, 2)) == 1.0
    assert ground(4, 1, HEIGHTS).tolist() == [3.0] * 3
    assert Field.of(5)(1, 2, 3, 4) == 5.0


def test_coordinates_broadcast_together():
    assert wave(np.arange(5), np.zeros((4, 1)), np.zeros((3, 1, 1))).shape == (3, 4, 5)
    assert isinstance(wave(1, 2, 3), np.float64)
    assert wave(1.0, 2.0, 3.0) == 1.0
    assert time(0, 0, 2, [5, 6]).tolist() == [3.0, 4.0]


@pytest.mark.parametrize("field", [wave, ground - height, (wave + ground > 0) & (height > 0)])
def test_slices_and_boxes_and_points_are_the_same_bits(field):
    box = field.sample(GRID, z=HEIGHTS)
    assert box.shape == (3, *GRID.shape)
    assert np.array_equal(box, field(GRID.x, GRID.y[:, None], HEIGHTS[:, None, None]))
    for z, level in zip(HEIGHTS, box, strict=True):
        assert np.array_equal(level, field.sample(GRID, z=z))
        assert np.array_equal(level, field(GRID.x, GRID.y[:, None], z))
    for threads in (1, 3):
        assert np.array_equal(box, field.sample(GRID, threads, z=HEIGHTS))


def test_four_coordinates_on_a_grid():
    assert (time.sample(GRID, z=1.0, w=3.5) == 2.5).all()
    assert np.array_equal(time.sample(GRID, z=HEIGHTS, w=1)[:, 0, 0], 1 - HEIGHTS)
    assert (time(GRID.x, GRID.y[:, None], 1, 2) == 1).all()


def test_progress_counts_all_slices():
    calls = []
    wave.sample(GRID, threads=1, z=HEIGHTS, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (3 * GRID.nx * GRID.ny,) * 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wave(1, 2), r"z: not given, but `<lambda>` is a function of x, y and z; give z"),
        (lambda: (ground > wave).sample(GRID), r"z: not given, but `<lambda> > <lambda>` is a function of x, y and z"),
        (lambda: time(1, 2, 3), r"w: not given, but `<lambda>` is a function of x, y, z and w; give w"),
        (lambda: time(1, 2, w=3), "z: not given"),
        (lambda: ground(1, 2, w=3), "w: given without z; give both"),
        (lambda: wave([1, 2], 2, [1, 2, 3]), r"x, y and z: shapes \(2,\), \(\) and \(3,\) do not broadcast"),
        (lambda: wave(1, 2, "high"), "z: got values of type"),
        (lambda: wave.sample(GRID, z=np.zeros((2, 2))), r"z: got shape \(2, 2\); give one height, or a sequence"),
        (lambda: time.sample(GRID, z=1, w=[1, 2]), r"w: got shape \(2,\); give one number"),
        (lambda: Field.of(lambda x: x, dimensions=1), r"dimensions: got 1; give 2 for \(x, y\), 3"),
        (
            lambda: Field.of(lambda x, y, z: z, range=(0, 1), dimensions=3)(1, 2, 3),
            r"returned 3.0 at x = 1.0, y = 2.0, z = 3.0, outside its range",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
