"""Caves of cells: automata, regions, repairs; each against the most obvious code."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from scipy.sparse.csgraph import minimum_spanning_tree

from weald.errors import InputError
from weald.fields import Condition, Field, perlin
from weald.geometry import Grid
from weald.terrain.caves import connected, join, pockets, regions, smoothed, speckle

masks = st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(
    lambda shape: st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]).map(
        lambda bits: np.array(bits).reshape(shape)
    )
)


def middles(i, j, nx, ny, cell=1.0):
    return Grid((i + 0.5) * cell, (j + 0.5) * cell, cell, nx, ny)


# --- the automaton ---------------------------------------------------------------------------------------


def automaton(mask, steps, survival, birth):
    for _ in range(steps):
        rock = (~mask).astype(int)
        beside = np.zeros_like(rock)
        for dj, di in itertools.product((-1, 0, 1), repeat=2):
            if dj or di:
                beside += np.roll(rock, (dj, di), (0, 1))
        mask = np.where(mask, beside < birth, beside < survival)
    return mask


@pytest.mark.parametrize(
    ("steps", "survival", "birth"), [(0, 4, 5), (1, 4, 5), (5, 4, 5), (4, 3, 6), (2, 0, 9), (2, 9, 0)]
)
def test_the_automaton_equals_the_obvious_one(steps, survival, birth):
    start = speckle("life", rock=0.5)
    whole = automaton(start.sample(middles(-60, -50, 120, 100)), steps, survival, birth)
    got = smoothed(start, steps=steps, survival=survival, birth=birth).sample(middles(-60, -50, 120, 100))
    inner = slice(steps, 100 - steps), slice(steps, 120 - steps)
    assert np.array_equal(got[inner], whole[inner])


def test_speckles_are_open_at_random():
    grid = middles(-500, 10**9, 300, 200)
    for rock in (0.0, 0.3, 0.48, 1.0):
        assert abs(speckle(3, rock=rock).sample(grid).mean() - (1 - rock)) < 0.012
    assert not np.array_equal(speckle(3).sample(grid), speckle(4).sample(grid))
    open_ = speckle(3, cell=2.5)
    assert open_(2.49, 0) == open_(0, 2.49) == open_(1, 1)


def test_smoothing_makes_fewer_and_larger_regions():
    grid = middles(0, 0, 200, 200)
    rough, fine = (regions(cave.sample(grid)) for cave in (speckle(1), smoothed(speckle(1))))
    assert len(fine) < len(rough) / 5


def test_a_cell_is_what_its_middle_was():
    half = Field.of(lambda x, y: x) < 1.2  # the middle of the cell [0, 3) is 1.5
    cave = smoothed(half, cell=3.0, steps=0)
    assert cave([-3, -0.001, 0, 2.999], 7.0).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: smoothed(speckle(1), steps=65), "steps: got 65; give a whole number from 0 to 64"),
        (lambda: smoothed(speckle(1), birth=10), "birth: got 10"),
        (lambda: smoothed(speckle(1), survival=True), "survival: got True"),
        (lambda: smoothed(speckle(1), cell=0), "cell: got 0; give metres above 0"),
        (lambda: smoothed(Field.of(lambda x, y, z: z, dimensions=3) > 0), "more than"),
        (lambda: speckle(1, rock=1.2), "rock: got 1.2"),
        (lambda: connected(speckle(1), tile=4), "tile: got 4; give a whole number of cells from 8 to 1024"),
        (lambda: connected(speckle(1), bore=-1), "bore: got -1"),
        (lambda: connected(Field.of(lambda x, y, z: z, dimensions=3) > 0), "more than"),
        (lambda: join([[1, 0]], fill_below=-1), "fill_below: got -1"),
        (lambda: join([1, 0]), "mask: got shape (2,)"),
        (lambda: regions([[0.5]]), "mask: got values of type float64"),
        (lambda: regions([[1]], spacing=0), "spacing: got 0"),
        (lambda: pockets(perlin(1, 0.1), threshold=1.5), "threshold: got 1.5"),
        (lambda: pockets(Field.of(lambda x, y: x)), "give a field with a finite range"),
        (lambda: pockets(perlin(1, 0.1), rough=Field.of(3)), "rough: `3` is 3 everywhere"),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(InputError) as error:
        call()
    assert words in str(error.value)


# --- thresholds ------------------------------------------------------------------------------------------


def test_a_higher_threshold_is_a_tighter_cave():
    grid = Grid(0, 0, 1, 300, 300)
    halls, walls = perlin("halls", 1 / 24), perlin("walls", 1 / 5)
    for rough in (None, walls):
        shares = [pockets(halls, threshold=t, rough=rough).sample(grid).mean() for t in (0.4, 0.5, 0.6)]
        assert shares[0] > shares[1] + 0.1 > shares[2] + 0.2
        assert 0.4 < shares[1] < 0.6
    h, w = halls.sample(grid) * 0.5 + 0.5, walls.sample(grid) * 0.5 + 0.5
    assert np.array_equal(pockets(halls, rough=walls).sample(grid), h * w > 0.25)
    assert isinstance(pockets(halls), Condition)


def test_rough_walls_are_longer():
    grid = Grid(0, 0, 1, 300, 300)
    halls = perlin("halls", 1 / 40)

    def length(mask):
        return np.diff(mask.astype(int), axis=0).astype(bool).sum()

    plain = length(pockets(halls).sample(grid))
    assert length(pockets(halls, rough=perlin("walls", 1 / 6)).sample(grid)) > 1.5 * plain


# --- regions ---------------------------------------------------------------------------------------------


@given(masks, st.booleans())
def test_regions_are_those_of_scipy(mask, diagonal):
    expected, count = ndimage.label(mask, structure=np.ones((3, 3)) if diagonal else None)
    found = regions(mask, diagonal=diagonal, spacing=3.0)
    assert len(found) == count
    assert np.array_equal(found.labels, expected)
    assert found.cells.tolist() == np.bincount(expected.ravel(), minlength=count + 1)[1:].tolist()
    assert found.sizes.tolist() == (found.cells * 9.0).tolist()
    assert found.connected == (count <= 1)


boxes = st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))).map(
        lambda bits: np.array(bits).reshape(shape)
    )
)


@given(boxes, st.booleans())
def test_regions_of_space_are_those_of_scipy(mask, diagonal):
    expected, count = ndimage.label(mask, structure=np.ones((3, 3, 3)) if diagonal else None)
    found = regions(mask, diagonal=diagonal, spacing=2.0)
    assert np.array_equal(found.labels, expected)
    assert found.sizes.tolist() == (np.bincount(expected.ravel(), minlength=count + 1)[1:] * 8.0).tolist()
    assert not count or str(found).endswith("m³")


def test_a_spiral_is_one_region():
    mask = np.array([[int(c) for c in row] for row in ("11111", "00001", "11101", "10001", "11111")])
    assert len(regions(mask)) == 1
    assert str(regions(np.zeros((2, 2), bool))) == "no region: nothing is open"
    assert regions(np.zeros((2, 2), bool)).largest_share == 0.0


# --- repairs ---------------------------------------------------------------------------------------------


def distances(mask, labels, count):
    """Least digging from region to region, by relaxing every cell until nothing changes."""
    table = np.zeros((count, count))
    for k in range(count):
        cost = np.where(labels == k + 1, 0, 10**6)
        while True:
            sides = ndimage.generate_binary_structure(mask.ndim, 1)
            best = ndimage.minimum_filter(cost, footprint=sides, mode="constant", cval=10**6)
            new = np.minimum(cost, best + ~mask)
            if np.array_equal(new, cost):
                break
            cost = new
        table[k] = [cost[labels == other + 1].min() for other in range(count)]
    return table


@given(masks | boxes)
def test_a_repair_is_one_region_and_digs_no_more_than_the_shortest_tunnels(mask):
    labels, count = ndimage.label(mask)
    done = join(mask)
    assert done.regions == count
    assert len(regions(done.mask)) == min(count, 1)
    assert done.mask[mask].all()
    assert done.dug == (done.mask & ~mask).sum()
    if count < 2:
        assert done.dug == 0
        return
    table = distances(mask, labels, count)
    tunnels = minimum_spanning_tree(table).sum()
    assert done.dug <= tunnels
    if count == 2:
        assert done.dug == table[0, 1]


@given(st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_repair_digs_at_most_twice_the_least(bits):
    mask = np.array(bits).reshape(3, 4)
    rock = np.argwhere(~mask)
    if not mask.any():
        return
    for least in range(len(rock) + 1):  # all ways to dig so many cells
        ways = itertools.combinations(rock.tolist(), least)
        if any(ndimage.label(_dug(mask, way))[1] == 1 for way in ways):
            break
    assert least <= join(mask).dug <= 2 * least


def _dug(mask, way):
    copy = mask.copy()
    for j, i in way:
        copy[j, i] = True
    return copy


def test_tunnels_keep_to_the_straight_line():
    mask = np.zeros((21, 41), bool)
    mask[0, 0] = mask[-1, -1] = True
    done = join(mask)
    assert done.dug == 20 + 40 - 1
    j, i = np.nonzero(done.mask)
    assert np.abs(j * 2 - i).max() <= 3  # a staircase, not two long legs


def test_wide_tunnels_and_small_regions():
    mask = np.zeros((30, 60), bool)
    mask[5:10, 5:10] = mask[5:10, 50:55] = True
    mask[20, 20] = True
    thin, wide = join(mask, fill_below=2), join(mask, bore=1, fill_below=2)
    assert (thin.filled, thin.regions, thin.dug) == (1, 2, 40)
    assert not thin.mask[20, 20]
    assert wide.dug >= 3 * 40 - 6
    assert len(regions(wide.mask)) == 1
    assert join(mask).regions == 3
    assert join(np.ones((3, 3), bool), fill_below=10).mask.sum() == 0


def test_masks_given_are_left_as_they_are():
    mask = np.eye(9, dtype=bool)
    join(mask)
    assert np.array_equal(mask, np.eye(9, dtype=bool))


# --- connected worlds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"bore": 1, "fill_below": 9}, {"tile": 13, "seed": "doors"}, {"cell": 2.5}])
def test_every_rectangle_of_tiles_is_one_region(options):
    cave = pockets(perlin("nests", 1 / 9), threshold=0.62)
    size, cell = options.get("tile", 64), options.get("cell", 1.0)
    joined = connected(cave, **options)
    for i, j, across, up in ((0, 0, 1, 1), (-1, -2, 1, 1), (-2, -1, 3, 2), (10**7, -(10**7), 2, 2)):
        grid = middles(i * size, j * size, across * size, up * size, cell)
        mask = joined.sample(grid)
        assert len(regions(mask)) == 1, (i, j)
        assert across * size < 64 or not regions(cave.sample(grid)).connected
    assert 0.2 < mask.mean() < 0.7


def test_solid_rock_gets_passages_between_doors():
    mask = connected(False, tile=16).sample(middles(-32, -32, 64, 64))
    assert len(regions(mask)) == 1
    assert 0.05 < mask.mean() < 0.4
    assert not np.array_equal(mask, connected(False, tile=16, seed=1).sample(middles(-32, -32, 64, 64)))


def test_nothing_is_dug_where_nothing_needs_it():
    assert connected(True).sample(middles(-64, 0, 128, 64)).all()


def test_conditions_pickle():
    cave = connected(smoothed(speckle(1)), tile=16)
    grid = middles(3, 4, 20, 20)
    assert np.array_equal(pickle.loads(pickle.dumps(cave)).sample(grid), cave.sample(grid))
    assert repr(cave) == "connected(smoothed(speckle(1, rock=0.48, cell=1), cell=1, steps=4), cell=1, tile=16)"
    other = connected(smoothed(speckle("a"), birth=6), tile=32, bore=1, fill_below=9, seed="b")
    assert repr(other) == (
        "connected(smoothed(speckle('a', rock=0.48, cell=1), cell=1, steps=4, survival=4, birth=6), "
        "cell=1, tile=32, bore=1, fill_below=9, seed='b')"
    )
