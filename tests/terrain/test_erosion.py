"""Erosion by water and by gravity, against the same written naively, and what never changes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import perlin
from weald.geometry import Grid
from weald.terrain.endless import EndlessTerrain
from weald.terrain.erosion import erode, reach, thermal
from weald.terrain.erosion.edges import surround
from weald.terrain.erosion.slides import slide
from weald.terrain.erosion.streams import run
from weald.terrain.hydrology import drainage
from weald.terrain.hydrology.carve import carve
from weald.terrain.terrain import Terrain

AROUND = [(dj, di) for dj in (-1, 0, 1) for di in (-1, 0, 1) if (dj, di) != (0, 0)]


def rough(seed, shape=(14, 17), step=5.0, voids=0.0):
    rng = np.random.default_rng(seed)
    heights = rng.normal(0, 6, shape) + np.add.outer(np.arange(shape[0]), np.arange(shape[1]))
    heights[rng.random(shape) < voids] = np.nan
    heights[3, 3] = 1.0  # some ground at least
    return Terrain(Grid(0, 0, step, shape[1], shape[0]), heights)


# -- the same, written naively ----------------------------------------------------------------


def levels_around(heights):
    """Return a function of (j, i): the height of ground or what is beyond it, and whether it is ground."""
    ny, nx = heights.shape

    def ground(j, i):
        return 0 <= j < ny and 0 <= i < nx and not np.isnan(heights[j, i])

    def level(j, i):
        if ground(j, i):
            return heights[j, i]
        said = []
        for dj, di in AROUND:
            if ground(j + dj, i + di):
                near, beyond = heights[j + dj, i + di], (j + 2 * dj, i + 2 * di)
                said.append(2 * near - heights[beyond] if ground(*beyond) else near)
        return sum(said) / len(said)

    return level, ground


def naive_erosion(terrain, iterations, strength, capacity, talus_deg, creep):
    step, talus = terrain.grid.spacing, math.tan(math.radians(talus_deg))
    level, _ = levels_around(terrain.heights)
    cells = [(int(j), int(i)) for j, i in np.argwhere(~np.isnan(terrain.heights))]
    h = {c: float(terrain.heights[c]) for c in cells}
    fixed = {(j + dj, i + di) for j, i in cells for dj, di in AROUND} - set(cells)
    h |= {c: float(level(*c)) for c in fixed}
    water, load = dict.fromkeys(cells, 1.0), dict.fromkeys(cells, 0.0)
    for _ in range(iterations):
        change, next_water, next_load = dict.fromkeys(cells, 0.0), dict.fromkeys(cells, 1.0), dict.fromkeys(cells, 0.0)
        for c in cells:
            near = {d: (c[0] + d[0], c[1] + d[1]) for d in AROUND}
            length = {d: step * math.hypot(*d) for d in AROUND}
            slope = {d: (h[c] - h[near[d]]) / length[d] for d in AROUND}
            down = {d: s for d, s in slope.items() if s > 0}
            rises = [h[n] - h[c] for n in near.values()]
            if down:
                steepest = max(down.values())
                can = capacity * water[c] * steepest * step
                if load[c] > can:
                    dug = -min(0.2 * (load[c] - can), 0.4 * max(0.0, sum(rises) / 8) + 0.001 * step)
                else:
                    power = 0.008 * strength * math.sqrt(water[c] * step * step) * steepest
                    dug = min(power, 0.2 * (can - load[c]), 0.4 * -min(rises))
                total = sum(s * s for s in down.values())
                for d, s in down.items():
                    if near[d] in next_water:
                        next_water[near[d]] += water[c] * s * s / total
                        next_load[near[d]] += (load[c] + dug) * s * s / total
            else:
                dug = -min(load[c], 0.4 * min(rises) + 0.001 * step)
                next_load[c] += load[c] + dug
            change[c] -= dug
            for d, n in near.items():
                if n in change:
                    excess = max(abs(slope[d]) - talus, 0.0) * length[d]
                    change[c] -= math.copysign(excess, slope[d]) / (12 if 0 in d else 24)
                    change[c] -= creep * slope[d] * length[d] / (1 if 0 in d else 2)
        for c in cells:
            h[c] += change[c]
        water, load = next_water, next_load
    result = np.full(terrain.grid.shape, np.nan)
    for c in cells:
        result[c] = h[c]
    return result


@pytest.mark.parametrize(
    ("seed", "voids", "given"),
    [
        (0, 0.0, {}),
        (1, 0.1, {}),
        (2, 0.6, {"talus_deg": 20.0}),
        (3, 0.0, {"strength": 5.0, "capacity": 0.01}),
        (4, 0.05, {"strength": 0.2, "capacity": 1.0, "talus_deg": 80.0, "creep": 0.01}),
    ],
)
def test_erosion_is_what_it_says(seed, voids, given):
    terrain = rough(seed, voids=voids)
    settings = {"strength": 1.0, "capacity": 0.05, "talus_deg": 38.0, "creep": 0.001} | given
    eroded = erode(terrain, iterations=12, **settings).heights
    # the talus is rounded to 2**-20
    np.testing.assert_allclose(eroded, naive_erosion(terrain, 12, **settings), rtol=0, atol=1e-3)
    np.testing.assert_allclose(
        erode(terrain, iterations=2, **settings).heights, naive_erosion(terrain, 2, **settings), rtol=0, atol=5e-5
    )


# -- what never changes -----------------------------------------------------------------------


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.1, 0.5]))
@settings(max_examples=20)
def test_no_material_is_made_or_lost(seed, voids):
    heights, ground = surround(rough(seed, voids=voids).heights)
    water, load = np.ones_like(heights), np.zeros_like(heights)
    gone = 0.0
    before = heights[ground].sum()
    for _ in range(30):
        new, new_water, new_load = heights.copy(), np.empty_like(heights), np.empty_like(heights)
        run(heights, ground, water, load, 5.0, 0.01, 0.05, new, new_water, new_load)
        slide(heights, ground, 5.0, 0.7, 1 / 12, 0.002, new)
        gone += new_load[~ground].sum()
        heights, water, load = new, new_water, new_load
    assert gone > 0
    assert load.min() >= 0
    assert heights[ground].sum() + load[ground].sum() + gone == pytest.approx(before, abs=1e-6)


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.1, 0.5]), st.floats(0.01, 10), st.floats(0.001, 10))
@settings(max_examples=30)
def test_heights_stay_between_those_around(seed, voids, strength, capacity):
    terrain = rough(seed, voids=voids)
    levels, _ = surround(terrain.heights)
    low, high = np.nanmin(levels), np.nanmax(levels)
    eroded = erode(terrain, iterations=100, strength=strength, capacity=capacity).heights
    assert (np.isnan(eroded) == np.isnan(terrain.heights)).all()
    assert np.nanmin(eroded) >= low - 1e-9
    assert np.nanmax(eroded) <= high + 100 * 0.001 * 5.0


@given(st.integers(0, 1000), st.floats(0, 1e4), st.floats(0, 1e4))
@settings(max_examples=30)
def test_no_flood_digs_or_builds_beyond_the_heights_around(seed, flow, carried):
    heights, ground = surround(rough(seed).heights)
    new, spare = heights.copy(), np.empty_like(heights)
    full = np.full_like(heights, flow), np.full_like(heights, carried)
    run(heights, ground, *full, 5.0, 1.0, 1.0, new, spare, spare.copy())
    slide(heights, ground, 5.0, 0.1, 1 / 12, 0.01, new)
    around = np.lib.stride_tricks.sliding_window_view(heights, (3, 3))
    inner = new[1:-1, 1:-1]
    assert (inner >= around.min(axis=(2, 3)) - 1e-9).all()
    assert (inner <= around.max(axis=(2, 3)) + 0.005 + 1e-9).all()


def test_no_direction_is_favoured():
    terrain = rough(7, shape=(20, 20))
    for turned in (np.rot90, np.flipud, np.transpose):
        other = Terrain(terrain.grid, turned(terrain.heights))
        np.testing.assert_allclose(
            erode(other, iterations=6).heights, turned(erode(terrain, iterations=6).heights), atol=1e-9
        )


def test_level_ground_and_planes_stay_but_for_their_streams():
    level = Terrain(Grid(0, 0, 10, 9, 9), np.full((9, 9), 5.0))
    assert (erode(level).heights == 5.0).all()
    slope = Terrain(Grid(0, 0, 10, 40, 40), np.broadcast_to(np.arange(40.0), (40, 40)))
    eroded = erode(slope, iterations=50).heights
    # rows far from the sides alike, the water of each going straight down, and out over the lower edge
    assert np.ptp(eroded[18:22], axis=0).max() < 1e-4
    assert (eroded <= slope.heights + 1e-9).all()
    assert (np.diff(eroded[20]) > 0).all()


def test_water_cuts_valleys_that_gather():
    """What erosion is for: after it, more of the ground drains through few places."""
    grid = Grid(0, 0, 20, 128, 128)
    hills = Terrain(grid, (perlin(seed=3, frequency=1 / 1500).fbm(octaves=7) * 400).sample(grid))
    eroded = erode(hills)
    x, y = np.meshgrid(grid.x, grid.y)
    assert np.abs(eroded.heights - hills.heights).mean() > 2
    # the sea of small humps is gone from the plains: laid down material is smooth
    rough_before, rough_after = (np.percentile(t.slope_deg(x, y), 10) for t in (hills, eroded))
    assert rough_after < 0.75 * rough_before  # 0.63 to 0.73 for seeds 1 to 8


# -- slides -----------------------------------------------------------------------------------


def steepest(terrain):
    """Return the steepest slope between neighbours."""
    h, step = terrain.heights, terrain.grid.spacing
    pairs = [(h[1:], h[:-1], 1), (h[:, 1:], h[:, :-1], 1)]
    pairs += [(h[1:, 1:], h[:-1, :-1], math.sqrt(2)), (h[1:, :-1], h[:-1, 1:], math.sqrt(2))]
    return max(float(np.nanmax(np.abs(a - b))) / (step * length) for a, b, length in pairs)


@given(st.integers(0, 1000), st.floats(5, 80), st.integers(1, 30))
@settings(max_examples=40)
def test_slides_keep_all_material_and_steepen_nothing(seed, talus_deg, iterations):
    terrain = rough(seed)
    slid = thermal(terrain, iterations=iterations, talus_deg=talus_deg)
    assert slid.heights.sum() == pytest.approx(terrain.heights.sum(), abs=1e-7)
    talus = math.tan(math.radians(talus_deg))
    assert steepest(slid) <= max(steepest(terrain), talus) + 1e-9


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([10.0, 35.0, 60.0]))
@settings(max_examples=15)
def test_slides_end_at_the_talus_angle(seed, voids, talus_deg):
    terrain = rough(seed, voids=voids)
    slid = thermal(terrain, iterations=5000, talus_deg=talus_deg)
    assert steepest(slid) <= math.tan(math.radians(talus_deg)) * 1.001
    assert (np.isnan(slid.heights) == np.isnan(terrain.heights)).all()
    assert np.nansum(slid.heights) == pytest.approx(np.nansum(terrain.heights), abs=1e-7)


def test_ground_below_the_talus_angle_is_left_as_it_is():
    terrain = rough(0)
    assert (thermal(terrain, talus_deg=89.9).heights == terrain.heights).all()


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"iterations": 0}, "iterations: got 0; give a whole number from 1 to 10,000"),
        ({"iterations": 2.5}, "iterations: got 2.5; give a whole number"),
        ({"strength": 0}, "strength: got 0; give a number above 0, at most 10"),
        ({"strength": math.nan}, "strength: got nan"),
        ({"capacity": 11}, "capacity: got 11; give a number above 0, at most 10"),
        ({"talus_deg": 90}, "talus_deg: got 90; give degrees above 0 and below 90"),
        ({"creep": 0.02}, "creep: got 0.02; give a number from 0 to 0.01"),
        ({"window": (1, 2, 3)}, r"window: got \(1, 2, 3\); give \(xmin, ymin, xmax, ymax\)"),
        ({"window": (900, 0, 901, 1)}, "does not meet the ground"),
    ],
)
def test_bad_input_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        erode(rough(0), **given)


def test_endless_ground_needs_a_window():
    with pytest.raises(InputError, match=r"window: got None, but the ground is endless; give \(xmin"):
        erode(EndlessTerrain(perlin(1, frequency=0.01), 5.0))


def test_reach_is_in_metres():
    assert reach(2.5, 10) == 30.0
    with pytest.raises(InputError, match=r"spacing: got -1; give a finite number of metres above 0"):
        reach(-1, 10)


def test_the_coordinate_system_is_carried_along():
    grid = Grid(0, 0, 10, 12, 12)
    ground = Terrain(grid, (perlin(seed=3, frequency=1 / 90) * 30).sample(grid), "EPSG:32632")
    for shaped in (
        erode(ground, iterations=2),
        erode(ground, iterations=2, window=(30, 30, 80, 80)),
        thermal(ground, iterations=2),
        carve(drainage(ground), 500),
    ):
        assert shaped.crs == "EPSG:32632"
