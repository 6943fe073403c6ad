"""Where water goes, against the same written naively, and what must hold of any ground."""

import heapq
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald._version import ALGORITHM
from weald.errors import InputError
from weald.fields import perlin
from weald.geometry import Grid
from weald.scatter.rules import Ramp
from weald.terrain.hydrology import drainage
from weald.terrain.hydrology.nearest import squared_distances
from weald.terrain.terrain import Terrain

GOLDEN = Path(__file__).parents[1] / "golden" / "drainage.json"
AROUND = [(dj, di) for dj in (-1, 0, 1) for di in (-1, 0, 1) if (dj, di) != (0, 0)]


@st.composite
def grounds(draw, levels=(3, 20, 10**6), voids=(0.0, 0.1, 0.4)):
    """Draw rough ground: with few levels most neighbours are level."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = draw(st.integers(2, 16)), draw(st.integers(2, 16))
    heights = rng.integers(0, draw(st.sampled_from(levels)), shape).astype(float)
    heights[rng.random(shape) < draw(st.sampled_from(voids))] = np.nan
    heights[0, 0] = 1.0
    return Terrain(Grid(-20, 1e6, 10, shape[1], shape[0]), heights)


def neighbours(terrain, c):
    """Return the eight neighbours of a sample: ground ones as (j, i), the others as None, with distances."""
    ny, nx = terrain.grid.shape
    for dj, di in AROUND:
        n = (c[0] + dj, c[1] + di)
        inside = 0 <= n[0] < ny and 0 <= n[1] < nx and not np.isnan(terrain.heights[n])
        yield n if inside else None, math.hypot(dj, di), (c[0] - dj, c[1] - di)


def cells(terrain):
    return [(int(j), int(i)) for j, i in np.argwhere(~np.isnan(terrain.heights))]


def receivers(water):
    """Return where each sample flows to, as (j, i) or None."""
    width = water.terrain.grid.nx + 2
    found = {}
    for j, i in cells(water.terrain):
        to = int(water.receiver[(j + 1) * width + i + 1])
        found[j, i] = None if to < 0 else (to // width - 1, to % width - 1)
    return found


# -- against the same, written naively --------------------------------------------------------


def is_outlet(terrain, c, water_level):
    below = water_level is not None and terrain.heights[c] < water_level
    return below or any(n is None for n, _, _ in neighbours(terrain, c))


def naive_filled(terrain, water_level):
    """Return filled heights by priority flood, with a heap and in any order."""
    filled = np.full(terrain.grid.shape, np.nan)
    heap = [(terrain.heights[c], c) for c in cells(terrain) if is_outlet(terrain, c, water_level)]
    heapq.heapify(heap)
    for level, c in heap:
        filled[c] = level
    while heap:
        level, c = heapq.heappop(heap)
        for n, _, _ in neighbours(terrain, c):
            if n is not None and np.isnan(filled[n]):
                filled[n] = max(terrain.heights[n], level)
                heapq.heappush(heap, (filled[n], n))
    return filled


def relaxed(terrain, water_level):
    """Return filled heights by lowering a flood until nothing changes (Planchon and Darboux, 2001)."""
    h = terrain.heights
    level = {c: h[c] if is_outlet(terrain, c, water_level) else math.inf for c in cells(terrain)}
    changed = True
    while changed:
        changed = False
        for c in level:
            lower = max(h[c], min((level[n] for n, _, _ in neighbours(terrain, c) if n is not None), default=math.inf))
            if lower < level[c]:
                level[c], changed = lower, True
    filled = np.full(terrain.grid.shape, np.nan)
    for c, value in level.items():
        filled[c] = value
    return filled


@given(grounds(), st.sampled_from([None, 1.0, 5.0]))
@settings(max_examples=60)
def test_filled_ground_is_the_naive_one(terrain, water_level):
    filled = drainage(terrain, water_level=water_level).filled
    np.testing.assert_array_equal(filled, naive_filled(terrain, water_level))
    np.testing.assert_array_equal(filled, relaxed(terrain, water_level))


@given(grounds(), st.sampled_from([None, 1.0, 5.0]))
@settings(max_examples=60)
def test_each_sample_flows_down_the_steepest_slope(terrain, water_level):
    water = drainage(terrain, water_level=water_level)
    f = water.filled
    for c, to in receivers(water).items():
        if water_level is not None and terrain.heights[c] < water_level:
            assert to is None
            continue
        slopes = []
        for n, length, behind in neighbours(terrain, c):
            if n is not None:
                slopes.append(((f[c] - f[n]) / length, n))
            elif length == 1.0:
                opposite = {m: 1 for m, _, _ in neighbours(terrain, c)}
                slopes.append((f[behind] - f[c] if behind in opposite else 0.0, None))
        best = max(s for s, _ in slopes)
        if best > 0:
            # of equals the first place; off the ground in its turn
            assert to == next(n for s, n in slopes if s == best)
        elif to is None:
            assert is_outlet(terrain, c, water_level)
        else:
            assert f[to] == f[c]


@given(grounds(), st.sampled_from([None, 5.0]))
@settings(max_examples=60)
def test_all_water_leaves_and_none_is_counted_twice(terrain, water_level):
    water = drainage(terrain, water_level=water_level)
    down = receivers(water)
    area = dict.fromkeys(down, 0)
    for c in down:
        at, steps = c, 0
        while at is not None:
            area[at] += 100
            to = down[at]
            assert to is None or water.filled[to] <= water.filled[at]
            at, steps = to, steps + 1
            assert steps <= len(down)
    for c, value in area.items():
        assert water.area[c] == value
    out = sum(area[c] for c, to in down.items() if to is None)
    assert out == 100 * len(down)


@given(grounds(levels=(10**6,), voids=(0.0, 0.2)))
@settings(max_examples=30)
def test_divided_water_is_no_more_and_no_less(terrain):
    """All of it must leave over the edge."""
    water = drainage(terrain)
    area = water.spread_area()
    f = water.filled
    out = 0.0
    for c in cells(terrain):
        lower = [(f[c] - f[n]) * (0.5 if d == 1 else 0.25) for n, d, _ in neighbours(terrain, c) if n and f[n] < f[c]]
        gone = sum(
            0.5 * (f[b] - f[c])
            for n, d, b in neighbours(terrain, c)
            if n is None and d == 1 and b in {m for m, _, _ in neighbours(terrain, c)} and f[b] > f[c]
        )
        if not lower and not gone and any(n is None for n, _, _ in neighbours(terrain, c)):
            if receivers(water)[c] is None:
                out += area[c]
        elif gone:
            out += area[c] * gone / (sum(lower) + gone)
    assert out == pytest.approx(100 * len(cells(terrain)), rel=1e-9)
    assert np.nanmin(area) >= 100


# -- what must not matter ---------------------------------------------------------------------


@given(grounds(), st.integers(-1000, 1000))
@settings(max_examples=30)
def test_height_above_the_sea_does_not_matter(terrain, shift):
    one, other = drainage(terrain), drainage(Terrain(terrain.grid, terrain.heights + shift))
    np.testing.assert_array_equal(one.area, other.area)
    np.testing.assert_array_equal(one.filled + shift, other.filled)


@given(grounds(levels=(10**9,)), st.sampled_from([np.rot90, np.flipud, np.transpose]))
@settings(max_examples=40)
def test_directions_are_alike_where_nothing_is_level(terrain, turned):
    heights = terrain.heights
    grid = Grid(0, 0, 10, *turned(heights).shape[::-1])
    one, other = drainage(terrain), drainage(Terrain(grid, turned(heights)))
    np.testing.assert_array_equal(turned(one.filled), other.filled)
    # over filled depressions, which are level, place decides
    if not (one.filled > heights).any():
        np.testing.assert_array_equal(turned(one.area), other.area)


def test_directions_are_alike_on_a_hill():
    grid = Grid(0, 0, 10, 15, 15)
    x, y = np.meshgrid(grid.x, grid.y)
    heights = 500 - np.hypot(x - 61.7, y - 83.1) * 1.3
    one = drainage(Terrain(grid, heights))
    for turned in (np.rot90, np.flipud, np.transpose):
        np.testing.assert_array_equal(turned(one.area), drainage(Terrain(grid, turned(heights))).area)


# -- rivers -----------------------------------------------------------------------------------


def hills(seed=4, n=80):
    grid = Grid(-5e6, 300, 20, n, n)
    return Terrain(grid, (perlin(seed, frequency=1 / 700).fbm(octaves=5) * 200).sample(grid))


def naive_orders(water, least):
    down = receivers(water)
    river = {c for c in down if water.area[c] >= least}
    above = {c: [d for d in river if down[d] == c] for c in river}

    def order(c):
        orders = sorted((order(d) for d in above[c]), reverse=True)
        if not orders:
            return 1
        return orders[0] + (len(orders) > 1 and orders[1] == orders[0])

    return {c: order(c) for c in river}, above


@pytest.mark.parametrize("seed", range(4))
def test_rivers_have_strahlers_orders_and_run_from_fork_to_fork(seed):
    water = drainage(hills(seed))
    least = 30 * 400.0
    rivers = water.rivers(least)
    orders, above = naive_orders(water, least)
    np.testing.assert_array_equal(rivers.mask, water.area >= least)
    assert {c: int(rivers.order[c]) for c in orders} == orders
    assert rivers.order[~rivers.mask].max() == 0
    assert max(orders.values()) >= 3

    grid, down = water.terrain.grid, receivers(water)
    seen = []
    for reach in rivers.reaches:
        way = [(round((y - grid.ymin) / 20), round((x - grid.xmin) / 20)) for x, y in reach.xy]
        assert len(above[way[0]]) != 1
        assert all(down[a] == b for a, b in itertools.pairwise(way))
        end = way[-1]
        assert down[end] is None or len(above[end]) > 1
        own = way if down[end] is None and (len(way) == 1 or len(above[end]) == 1) else way[:-1]
        seen += own
        assert {orders[c] for c in own} == {reach.order}
        assert reach.area == water.area[own[-1]]
    assert sorted(seen) == sorted(orders)


def test_a_river_that_is_joined_where_it_leaves_the_ground():
    water = drainage(Terrain(Grid(0, 0, 1, 3, 3), [[3, 0, 3], [9, 4, 9], [9, 9, 9]]))
    rivers = water.rivers(1)
    ends = [tuple(r.xy[-1]) for r in rivers.reaches]
    assert all(rivers.mask.ravel())
    assert (1.0, 0.0) in ends
    assert max(r.area for r in rivers.reaches) == water.area.max()


def test_no_ground_is_large_enough_for_a_river():
    rivers = drainage(hills()).rivers(1e12)
    assert not rivers.mask.any()
    assert rivers.reaches == []


def test_rivers_end_at_the_sea():
    terrain = hills()
    level = float(np.percentile(terrain.heights, 30))
    water = drainage(terrain, water_level=level)
    rivers = water.rivers(30 * 400.0)
    assert rivers.mask.any()
    assert not rivers.mask[terrain.heights < level].any()
    assert any(terrain.height(*r.xy[-1]) < level for r in rivers.reaches)
    assert min(r.area for r in rivers.reaches) >= 30 * 400.0
    assert not (water.lakes().level < level).any()


# -- lakes, distances, wetness ----------------------------------------------------------------


def test_lakes_are_what_was_filled():
    water = drainage(hills())
    lakes = water.lakes()
    heights = water.terrain.heights
    np.testing.assert_array_equal(lakes.number > 0, water.filled > heights)
    np.testing.assert_array_equal(lakes.depth, water.filled - heights)
    assert len(lakes) > 5
    for k in range(len(lakes)):
        here = lakes.number == k + 1
        assert set(lakes.level[here]) == {lakes.levels[k]}
        assert lakes.areas[k] == here.sum() * 400
        assert lakes.deepest[k] == lakes.depth[here].max()
    firsts = [int(np.flatnonzero(lakes.number.ravel() == k + 1)[0]) for k in range(len(lakes))]
    assert firsts == sorted(firsts)
    some = water.lakes(least_depth=2.0, least_area=2000.0)
    kept = (lakes.deepest >= 2.0) & (lakes.areas >= 2000.0)
    assert 0 < len(some) == kept.sum() < len(lakes)
    np.testing.assert_array_equal(some.number > 0, np.isin(lakes.number, np.flatnonzero(kept) + 1))
    assert np.isnan(some.level[some.number == 0]).all()


def test_a_bar_parts_two_lakes_and_the_lower_one_takes_the_overflow():
    heights = np.full((5, 7), 20.0)
    heights[2, 1:6] = [5, 5, 12, 5, 5]
    heights[2, 6] = 10
    assert drainage(Terrain(Grid(0, 0, 1, 7, 5), heights)).lakes().levels.tolist() == [12.0, 10.0]
    heights[2, 3] = 5
    assert drainage(Terrain(Grid(0, 0, 1, 7, 5), heights)).lakes().levels.tolist() == [10.0]


@given(grounds())
@settings(max_examples=40)
def test_every_lake_is_level(terrain):
    lakes = drainage(terrain).lakes()
    for k in range(len(lakes)):
        assert set(lakes.level[lakes.number == k + 1]) == {lakes.levels[k]}


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 2**32), st.sampled_from([0.01, 0.1, 0.9]))
@settings(max_examples=60)
def test_squared_distances_are_the_naive_ones(ny, nx, seed, share):
    rng = np.random.default_rng(seed)
    marked = rng.random((ny, nx)) < share
    marked[rng.integers(ny), rng.integers(nx)] = True
    out = np.empty((ny, nx), np.int64)
    squared_distances(marked, out)
    j, i = np.nonzero(marked)
    v, u = np.mgrid[:ny, :nx]
    expected = ((v[..., None] - j) ** 2 + (u[..., None] - i) ** 2).min(axis=-1)
    np.testing.assert_array_equal(out, expected)


def test_distance_to_water_is_zero_on_it_and_metres_off_it():
    heights = np.add.outer(np.zeros(9), [3.0, 2, 1, 0, 1, 2, 3])
    heights[8, 6] = np.nan
    water = drainage(Terrain(Grid(0, 0, 10, 7, 9), heights), water_level=0.5)
    distance = water.distance_to_water(1e9)
    assert distance[4].tolist() == [30, 20, 10, 0, 10, 20, 30]
    assert np.isnan(distance[8, 6])
    near = Ramp(water.field(distance), none_at=25, all_at=10, rising=False)
    assert near.share(np.array([5.0, 15, 20, 40]), np.full(4, 33.0)).tolist()[2:] == [1.0, 1.0]


def test_wetness_is_high_in_valleys_and_lakes_and_finite_everywhere():
    water = drainage(hills())
    wetness = water.wetness()
    assert np.isfinite(wetness).all()
    rivers = water.rivers(30 * 400.0)
    ridges = water.area == 400.0
    assert wetness[rivers.mask].mean() > wetness[ridges].mean() + 3
    # a tilted plane: what drains through a sample grows by a sample a row
    plane = Terrain(Grid(0, 0, 10, 5, 30), np.add.outer(np.arange(30.0), np.zeros(5)))
    wet = drainage(plane).wetness()
    assert wet[29, 2] == pytest.approx(math.log(10 / 0.1))
    level = drainage(Terrain(Grid(0, 0, 10, 4, 4), np.zeros((4, 4)))).wetness(least_slope_deg=1.0)
    assert level.max() <= math.log(16 * 10 / math.tan(math.radians(1.0))) + 1e-12


# -- windows, stability, bad input ------------------------------------------------------------


def test_fields_of_a_window_are_those_of_the_whole():
    water = drainage(hills())
    grid = water.terrain.grid
    part = Grid(grid.xmin + 200, grid.ymin + 400, 20, 20, 30)
    for values in (water.area, water.wetness(), water.distance_to_water(12000.0), water.filled, water.lakes().depth):
        np.testing.assert_array_equal(water.field(values).sample(part), values[20:50, 10:30])


def golden_water():
    water = drainage(hills())
    return {
        "algorithm": ALGORITHM,
        "area": water.area[::13, ::11].ravel().tolist(),
        "filled": [float(v).hex() for v in water.filled[::13, ::11].ravel()],
        "spread": [float(v).hex() for v in water.spread_area()[::13, ::11].ravel()],
        "distance": [float(v).hex() for v in water.distance_to_water(12000.0)[::13, ::11].ravel()],
        "orders": np.bincount(water.rivers(12000.0).order.ravel()).tolist(),
    }


def test_values_have_not_changed():
    assert golden_water() == json.loads(GOLDEN.read_text())


def test_without_water_the_distance_to_it_is_infinite():
    heights = [[3, 2, 1], [3, np.nan, 1], [3, 2, 1]]
    distance = drainage(Terrain(Grid(0, 0, 10, 3, 3), heights)).distance_to_water(1e6)
    assert np.array_equal(distance, np.where(np.isnan(heights), np.nan, np.inf), equal_nan=True)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: w.rivers(0), "least_area: got 0; give a number above 0"),
        (lambda w: w.rivers(math.nan), "least_area: got nan"),
        (lambda w: w.lakes(least_depth=-1), "least_depth: got -1; give metres from 0"),
        (lambda w: w.lakes(least_area=-1), "least_area: got -1; give a number from 0"),
        (lambda w: w.wetness(least_slope_deg=0), "least_slope_deg: got 0; give degrees above 0 and below 90"),
        (lambda w: drainage(w.terrain, water_level=math.inf), "water_level: got inf; give a finite number"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call(drainage(Terrain(Grid(0, 0, 10, 3, 3), [[3, 2, 1]] * 3)))
