"""The laws of the design, for caves: no window, no chunk, no thread may show. None has a tolerance."""

import json
from pathlib import Path

import numpy as np
import pytest

from weald.fields import Condition, perlin
from weald.geometry import Grid
from weald.terrain.caves import Worms, connected, pockets, smoothed, speckle

GOLDEN = Path(__file__).parents[1] / "golden" / "caves.json"

halls = pockets(perlin("halls", 1 / 17).fbm(octaves=2), rough=perlin("walls", 1 / 4))
automaton = smoothed(speckle("deep", rock=0.5), steps=5)
worms = Worms("mole", cell=40.0, per_cell=0.7, steps=90, bend=60.0)
CAVES = {
    "pockets": halls,
    "speckle": speckle("deep", cell=3.0),
    "smoothed": automaton,
    "connected": connected(automaton, tile=24, fill_below=5),
    "worms": worms.inside,
    "profile": worms.profile,
}


@pytest.mark.parametrize("corner", [(0, 0), (-700, 300), (10**6, -(10**6)), (-(10**9), 10**9)])
@pytest.mark.parametrize("name", CAVES)
def test_a_window_is_cut_from_the_whole(name, corner):
    x, y = corner
    cave = CAVES[name]
    whole = cave.sample(Grid(x - 70.5, y - 40.5, 0.5, 280, 180))
    window = Grid(x - 21.5, y - 16.5, 0.5, 65, 90)
    part = cave.sample(window, threads=1)
    assert np.array_equal(part, whole[48:138, 98:163])
    assert len(np.unique(whole)) > 1
    points = cave(*(axis.ravel() for axis in np.meshgrid(window.x, window.y)))
    assert np.array_equal(points.reshape(part.shape), part)
    assert cave(window.x[3], window.y[80]) == part[80, 3]


@pytest.mark.parametrize("name", CAVES)
def test_chunks_of_16_metres_in_any_order_make_the_whole(name):
    cave = CAVES[name]
    whole = cave.sample(Grid(-63.5, -31.5, 1, 96, 64))
    made = np.empty_like(whole)
    for j in (3, 0, 2, 1):
        for i in (5, 1, 0, 3, 4, 2):
            chunk = cave.sample(Grid(-63.5 + 16 * i, -31.5 + 16 * j, 1, 16, 16))
            made[16 * j : 16 * j + 16, 16 * i : 16 * i + 16] = chunk
    assert np.array_equal(made, whole)


@pytest.mark.parametrize("name", ["smoothed", "connected"])
def test_places_west_of_0_lie_in_the_right_chunk_and_cell(name):
    for x, chunk, column in ((-1, -1, 15), (-16, -1, 0), (-16.001, -2, 15), (-15.999, -1, 0), (0, 0, 0)):
        for y in (-16.001, -1, 7.5):
            row = int(np.floor(y)) % 16
            grid = Grid(16 * chunk + 0.5, 16 * np.floor(y / 16) + 0.5, 1, 16, 16)
            assert CAVES[name](x, y) == CAVES[name].sample(grid)[row, column]


def test_threads_do_not_change_the_bits():
    grid = Grid(-300.25, 77.5, 0.75, 700, 150)
    for cave in CAVES.values():
        one = cave.sample(grid, threads=1)
        assert np.array_equal(cave.sample(grid, threads=4), one)


def test_places_all_over_the_world_equal_single_ones():
    x, y = np.random.default_rng(8).uniform(-1e9, 1e9, (2, 150))
    for cave in CAVES.values():
        assert [cave(x[k], y[k]) for k in range(0, 150, 30)] == cave(x, y)[::30].tolist()


def test_a_worm_is_the_same_in_every_window():
    small = {worm.id: worm for worm in worms.within((-90, -90, 0, 0))}
    large = {worm.id: worm for worm in worms.within((-200, -300, 200, 100))}
    assert small.keys() <= large.keys()
    assert len(small) >= 2
    for identity, worm in small.items():
        assert np.array_equal(worm.xy, large[identity].xy)
        assert np.array_equal(worm.radius, large[identity].radius)


@pytest.mark.parametrize(
    ("made", "reach"),
    [
        (lambda cave: smoothed(cave, steps=5), 5.5),
        # a tile changes as a whole, and no other does
        (lambda cave: connected(cave, tile=24), 24.0),
    ],
)
def test_an_edit_changes_nothing_beyond_the_reach(made, reach):
    before = speckle("deep", rock=0.5)
    edited = before | Condition.of(lambda x, y: (np.abs(x - 12) < 6) & (np.abs(y - 12) < 6))
    grid = Grid(-59.5, -59.5, 1, 144, 144)
    changed = made(before).sample(grid) != made(edited).sample(grid)
    rows, columns = np.nonzero(changed)
    assert len(rows) > 10
    x, y = grid.x[columns], grid.y[rows]
    assert np.maximum(np.abs(x - 12), np.abs(y - 12)).max() < 6 + reach
    if reach == 24.0:
        assert ((x > 0) & (x < 24) & (y > 0) & (y < 24)).all()


def golden():
    grids = [Grid(-8.5, 3.5, 1, 20, 12), Grid(1e6 + 0.5, -1e6 + 0.5, 1, 20, 12)]
    drawn = {
        name: [["".join(".#"[int(bit)] for bit in row) for row in cave.sample(grid) != 0] for grid in grids]
        for name, cave in CAVES.items()
        if name != "profile"
    }
    worm = worms.within((-200, -200, 200, 200))[0]
    return {
        **drawn,
        "worm": [worm.id, *(v.hex() for v in [*worm.xy[-1].tolist(), float(worm.radius[-1])])],
        "depth": [v.hex() for v in worms.profile(worm.xy[::30, 0] + 0.5, worm.xy[::30, 1]).tolist()],
    }


def test_golden_vectors():
    assert json.loads(GOLDEN.read_text()) == golden()
