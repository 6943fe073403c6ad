"""Caves in space: what the densities mean, how they combine, and boxes of them."""

import numpy as np
import pytest

from weald.errors import InputError
from weald.fields import Field
from weald.geometry import Grid
from weald.terrain.caves import cheese, noodles, pockets, roofed, spaghetti


def wave(a, b, c):
    """A smooth field of space in [-1, 1], 0 on wavy sheets."""
    return Field.of(lambda x, y, z: np.sin(x / a + np.sin(y / b)) * np.cos(z / c), range=(-1, 1), dimensions=3)


one, two, three = wave(7, 9, 11), wave(13, 6, 8), wave(15, 14, 9)
GRID, Z = Grid(-20, 30, 1, 60, 50), np.arange(-15.0, 25.0)
X = GRID.x[None, None, :], GRID.y[None, :, None], Z[:, None, None]


def test_a_box_has_the_shape_of_its_axes_and_open_is_below_0():
    density = cheese(one, threshold=0.7)
    mask = (density < 0).sample(GRID, z=Z)
    assert mask.shape == (40, 50, 60)
    assert np.array_equal(mask, one(*X) * 0.5 + 0.5 > 0.7)
    assert np.array_equal(mask, pockets(one, threshold=0.7).sample(GRID, z=Z))
    shares = [(cheese(one, threshold=t) < 0).sample(GRID, z=Z).mean() for t in (0.4, 0.5, 0.6)]
    assert shares[0] > shares[1] > shares[2] > 0


def test_tubes_are_where_both_are_near_0():
    a, b = one(*X), two(*X)
    mask = (spaghetti(one, two, width=0.2) < 0).sample(GRID, z=Z)
    assert np.array_equal(mask, a * a + b * b - 0.2 * 0.2 < 0)
    assert 0 < mask.mean() < 0.2
    wide = (spaghetti(one, two, width=0.4) < 0).sample(GRID, z=Z)
    assert (wide[mask]).all()
    thin = (noodles(one, two, three, width=0.2) < 0).sample(GRID, z=Z)
    assert np.array_equal(thin, mask & (three(*X) > 0))
    growing = Field.of(lambda x, y, z: 0.2 + 0.001 * (z + 15), range=(0.1, 1), dimensions=3)
    assert (spaghetti(one, two, width=growing) < 0).sample(GRID, z=Z)[mask].all()


def test_the_smaller_of_two_is_open_where_either_is():
    both = cheese(one).min(spaghetti(one, two))
    either = (cheese(one) < 0).sample(GRID, z=Z) | (spaghetti(one, two) < 0).sample(GRID, z=Z)
    assert np.array_equal((both < 0).sample(GRID, z=Z), either)


@pytest.mark.parametrize("roof", [0.0, 4.0])
def test_ground_with_caves_and_a_roof(roof):
    def hills(x, y):
        return 12 + 3 * np.sin(x / 17)

    halls = cheese(one, threshold=0.6)
    open_ = (roofed(halls, hills, roof=roof) < 0).sample(GRID, z=Z)
    depth = hills(*X[:2]) - X[2] + np.zeros((1, 50, 1))
    cave = (halls < 0).sample(GRID, z=Z)
    assert open_[depth < 0].all()
    below = depth > roof
    assert np.array_equal(open_[below], cave[below])
    if roof:
        assert not open_[(depth > 0) & (depth < roof)].any()
    else:
        assert (open_ & (depth > 0) & (depth < 1)).any()


@pytest.mark.parametrize("corner", [(0, 0, 0), (-4096, 10**6, -512)])
def test_a_box_is_cut_from_the_whole(corner):
    x, y, z = corner
    cave = cheese(one).min(noodles(two, three, one)) < 0
    heights = np.arange(z, z + 30.0)
    whole = cave.sample(Grid(x, y, 0.5, 70, 66), z=heights)
    part = cave.sample(Grid(x + 10, y + 4, 0.5, 31, 40), z=heights[7:12], threads=1)
    assert np.array_equal(part, whole[7:12, 8:48, 20:51])
    assert 0 < whole.mean() < 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cheese(one, threshold=2), "threshold: got 2"),
        (lambda: cheese(Field.of(lambda x, y, z: z, dimensions=3)), "give a field with a finite range"),
        (lambda: spaghetti(one, two, width=0), "width: got 0; give a number above 0"),
        (lambda: noodles(one, two, three, width=one), "or a field that is above 0 everywhere"),
        (lambda: roofed(one, 5, roof=-1), "roof: got -1"),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(InputError) as error:
        call()
    assert words in str(error.value)
