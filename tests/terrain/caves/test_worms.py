"""Worms: against a walk by the most obvious code, their reach, and what is refused."""

import math
import pickle

import numpy as np
import pytest

from tests.naive import GOLDEN, M64, mix
from weald.errors import InputError
from weald.geometry import Grid
from weald.hashing import key
from weald.noise.perlin import NORMALISE, perlin2
from weald.terrain.caves import Worms, walk

short = Worms("mole", cell=20.0, per_cell=0.8, steps=60, step=0.9, radius=(1.0, 2.0), bend=25.0)


def crawl(worms, i, j):
    """Yield (id, balls) of the worms born in a cell; a ball is (x, y, z, radius). Sines by math."""
    cell = mix(mix(key(worms.seed, "worms") + j * GOLDEN) + i * GOLDEN)
    least = math.floor(worms.per_cell)
    for number in range(least + ((cell >> 11) * 2.0**-53 < worms.per_cell - least)):
        worm = mix(cell + (number + 1) * GOLDEN)
        start = mix(worm ^ GOLDEN)
        x = (i + (start >> 32) * 2.0**-32) * worms.cell
        y = (j + (start & 0xFFFFFFFF) * 2.0**-32) * worms.cell
        climb = mix(start ^ GOLDEN)
        deep, shallow = worms.depth or (0.0, 0.0)
        z = deep + (climb >> 11) * 2.0**-53 * (shallow - deep)
        low, high = worms.radius
        discs = []
        for k in range(worms.steps):
            along = k * worms.step / worms.bend + 0.5
            swell = float(perlin2(np.uint64(mix(start)), 2 * along, 0.5)) * NORMALISE
            discs.append((x, y, z, low + (high - low) * (0.5 + 0.5 * swell)))
            turns = (worm >> 11) * 2.0**-53 + 0.5 * NORMALISE * float(perlin2(np.uint64(worm), along, 0.5))
            angle = 2 * math.pi * turns
            pitch = 0.0
            if worms.depth:
                pitch = math.radians(worms.pitch_deg) * NORMALISE * float(perlin2(np.uint64(climb), along, 0.5))
            level = worms.step * math.cos(pitch)
            x, y, z = x + level * math.cos(angle), y + level * math.sin(angle), z + worms.step * math.sin(pitch)
        yield worm & M64, discs


def all_worms(worms, box):
    halo = math.ceil(worms.reach / worms.cell) + 1
    xmin, ymin, xmax, ymax = (math.floor(side / worms.cell) for side in box)
    for j in range(ymin - halo, ymax + halo + 1):
        for i in range(xmin - halo, xmax + halo + 1):
            yield from crawl(worms, i, j)


@pytest.mark.parametrize("corner", [(-30.0, 12.0), (-400.0, -7000.0)])
def test_the_profile_equals_the_deepest_of_all_discs(corner):
    grid = Grid(*corner, 1.5, 40, 30)
    box = (grid.xmin, grid.ymin, grid.x[-1], grid.y[-1])
    deepest = np.zeros(grid.shape)
    for _, discs in all_worms(short, box):
        for x, y, _, r in discs:
            d2 = (grid.x[None, :] - x) ** 2 + (grid.y[:, None] - y) ** 2
            deepest = np.maximum(deepest, 1 - d2 / r**2)
    got = short.profile.sample(grid)
    assert np.abs(got - deepest).max() < 1e-6
    assert np.array_equal(short.inside.sample(grid), got > 0)
    assert 0.05 < (got > 0).mean() < 0.95


def test_worms_within_a_window_are_those_that_carve_in_it():
    box = (-35.0, 5.0, 10.0, 44.0)
    expected = {}
    for worm, discs in all_worms(short, box):
        x, y, _, r = np.array(discs).T
        away = np.hypot(x - np.clip(x, box[0], box[2]), y - np.clip(y, box[1], box[3]))
        if (away < r).any():
            expected[worm] = discs
    found = short.within(box)
    assert [worm.id for worm in found] == list(expected)
    for worm in found:
        assert np.abs(np.column_stack([worm.xy, worm.z, worm.radius]) - np.array(expected[worm.id])).max() < 1e-6
        assert np.abs(np.hypot(*np.diff(worm.xy, axis=0).T) - short.step).max() < 1e-7
        assert worm.radius.min() >= 1.0
        assert worm.radius.max() <= 2.0
    assert len({worm.id for worm in found}) == len(found) > 3


def test_worms_of_space_equal_their_balls():
    deep = Worms("deep", 20.0, 0.8, 60, 0.9, (1.0, 2.0), 25.0, depth=(-30, -10), pitch_deg=50)
    grid, heights = Grid(-30, 12, 1.5, 30, 20), np.arange(-45.0, 5.0, 2.5)
    deepest = np.zeros((20, 20, 30))
    steepest = 0.0
    for _, balls in all_worms(deep, (grid.xmin, grid.ymin, grid.x[-1], grid.y[-1])):
        steepest = max(steepest, np.abs(np.diff([ball[2] for ball in balls])).max())
        for x, y, z, r in balls:
            d2 = (grid.x[None, None, :] - x) ** 2 + (grid.y[None, :, None] - y) ** 2
            deepest = np.maximum(deepest, 1 - (d2 + (heights[:, None, None] - z) ** 2) / r**2)
    got = deep.profile.sample(grid, z=heights)
    assert np.abs(got - deepest).max() < 1e-6
    assert 0.005 < (got > 0).mean() < 0.3
    assert 0.3 < steepest / 0.9 <= math.sin(math.radians(50))
    x, y, z = np.random.default_rng(2).uniform(-40, 10, (3, 400))
    one_by_one = [float(deep.profile(x[k], y[k], z[k])) for k in range(0, 400, 40)]
    assert deep.profile(x, y, z)[::40].tolist() == one_by_one
    part = deep.inside.sample(Grid(-21, 15, 1.5, 9, 9), z=heights[8:15], threads=1)
    assert np.array_equal(part, got[8:15, 2:11, 6:15] > 0)
    with pytest.raises(InputError, match="z: not given"):
        deep.profile(0, 0)


def test_a_worm_that_starts_three_chunks_away_arrives():
    worms = Worms("far", cell=48.0, per_cell=1.0, steps=300, bend=400.0)
    chunk, arrived = 16.0, 0
    for worm in worms.within((0, 0, 128, 128)):
        first, last = worm.xy[0], worm.xy[-1]
        if np.abs(np.floor(last / chunk) - np.floor(first / chunk)).max() < 3:
            continue
        i, j = np.floor(last / chunk)
        grid = Grid(i * chunk, j * chunk, 0.5, 32, 32)
        inside = worms.inside.sample(grid)
        near = (grid.x[None, :] - last[0]) ** 2 + (grid.y[:, None] - last[1]) ** 2 < (0.99 * worm.radius[-1]) ** 2
        assert inside[near].all()
        assert near.any()
        arrived += 1
    assert arrived > 3


def test_no_worm_leaves_its_reach():
    worms = Worms(5, cell=30.0, per_cell=2.0, steps=100, bend=2000.0)
    ends = [np.linalg.norm(worm.xy - worm.xy[0], axis=1).max() for worm in worms.within((-50, -50, 50, 50))]
    assert 90 < max(ends) <= worms.reach == 103.0


def test_as_many_are_born_as_were_asked_for():
    for mean in (0.0, 0.3, 1.0, 2.7):
        cells = [np.uint64(walk.cell_key(np.uint64(7), i, j)) for i in range(60) for j in range(60)]
        counts = {walk.births(cell, mean) for cell in cells}
        assert counts <= {math.floor(mean), math.ceil(mean)}
        assert abs(np.mean([walk.births(cell, mean) for cell in cells]) - mean) < 0.03
    assert Worms(1, per_cell=0).profile(3, 4) == 0


def test_directions_are_sines_to_nine_places():
    turns = np.concatenate([np.linspace(-3, 3, 1001), [0.25, 0.5, 0.75, 1.0, np.nextafter(1, 0), -1e-17]])
    found = np.array([walk.direction(t) for t in turns])
    exact = np.column_stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)])
    assert np.abs(found - exact).max() < 2e-9
    assert np.abs((found**2).sum(axis=1) - 1).max() < 4e-9


def test_seeds_and_pickles():
    grid = Grid(0, 0, 2, 40, 40)
    assert not np.array_equal(
        short.inside.sample(grid), Worms("vole", 20.0, 0.8, 60, 0.9, (1.0, 2.0), 25.0).inside.sample(grid)
    )
    again = pickle.loads(pickle.dumps(short))
    assert again == short
    assert np.array_equal(again.profile.sample(grid), short.profile.sample(grid))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cell": 0}, "cell: got 0; give metres above 0"),
        ({"bend": math.nan}, "bend: got nan"),
        ({"radius": 3}, "radius: got 3; give (least, largest)"),
        ({"radius": (3, 2)}, "radius: got (3, 2)"),
        ({"step": 2.5}, "step: got 2.5; give at most the least radius, 2"),
        ({"steps": 0}, "steps: got 0"),
        ({"steps": 2.5}, "steps: got 2.5"),
        ({"per_cell": -1}, "per_cell: got -1"),
        ({"seed": 1.5}, "seed: got 1.5"),
        ({"cell": 1.0, "steps": 10_000}, "steps must be walked"),
        ({"depth": (0, -5)}, "depth: got (0, -5)"),
        ({"depth": 4}, "depth: got 4; give finite heights (least, largest)"),
        ({"pitch_deg": 91}, "pitch_deg: got 91"),
    ],
)
def test_what_is_refused(change, words):
    with pytest.raises(InputError) as error:
        Worms(**{"seed": 1, **change})
    assert words in str(error.value)
