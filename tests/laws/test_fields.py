"""The laws of the design, for fields: any expression, any window, any order, any number of threads."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald._version import ALGORITHM
from weald.fields import Field, distance_to, image, lerp, perlin, raster, simplex, where
from weald.geometry import Grid

GOLDEN = Path(__file__).parents[1] / "golden" / "fields.json"
NX, NY, SPACING = 60, 40, 1.7
CODES = np.random.default_rng(1).integers(0, 65536, (30, 20), np.uint16)
GROUND = np.random.default_rng(2).normal(0, 1, (25, 35))
GROUND[3:6, 20:22] = np.nan


def slope(x, y):
    return x * 0.01 - y * 0.02


def leaves(corner):
    """Return fields of every kind, near a place."""
    box = (corner - 20, corner - 10, corner + 90, corner + 50)
    road = np.array([(corner, corner), (corner + 50, corner + 30), (corner + 20, corner + 70)])
    return [
        perlin(1, 0.07),
        simplex("fine", 0.31).fbm(octaves=3) * 3,
        Field.of(slope),
        Field.of(2.5),
        distance_to(road, kind="line", within=60) / 30,
        distance_to(road, kind="polygon", signed=True),
        image(CODES, box, rows="north-first", method="cubic", low=-2, high=2),
        raster(Grid(corner - 5, corner - 5, 3.3, 35, 25), GROUND, method="cubic"),
    ]


ONE = [
    lambda a: -a,
    abs,
    lambda a: a**2,
    lambda a: a**-3,
    lambda a: abs(a) ** 0.3,
    lambda a: abs(a).sqrt(),
    lambda a: a.clamp(-0.5, 0.7),
    lambda a: (a * 3).floor(),
    lambda a: a.terrace(0.3),
    lambda a: a.smoothstep(-0.3, 0.6),
    lambda a: a.remap([(-1, 0.1), (0, 0.7), (0.3, -0.2), (1, 2)]),
    lambda a: a.remap([(-1, 0.1), (0, 0.7), (0.3, -0.2), (1, 2)], smooth=True),
    lambda a: a.translate(3.3, -7),
    lambda a: a.scale((0.9, 1.2)),
    lambda a: a.rotate_deg(0.01),
]
TWO = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: a.min(b),
    lambda a, b: a.max(b),
    lambda a, b: a.warp(b, a),
    lambda a, b: lerp(a, b, a),
    lambda a, b: lerp(a, b, b.smoothstep(0, 1)),
    lambda a, b: where((a > b) & ~(b < 0.1), a, b + 1),
    lambda a, b: where(a.equals(b) | (a <= 0), b, a),
]

trees = st.recursive(
    st.integers(0, 7),
    lambda part: st.tuples(st.sampled_from(ONE), part) | st.tuples(st.sampled_from(TWO), part, part),
    max_leaves=7,
)
corners = st.sampled_from([0.0, -1e4, 3e6, -(2.0**30)])


def grow(tree, grown):
    return grown[tree] if isinstance(tree, int) else tree[0](*(grow(part, grown) for part in tree[1:]))


def same(a, b):
    return np.array_equal(a, b, equal_nan=True)


@given(trees, corners, st.integers(0, NX - 1), st.integers(0, NY - 1), st.data())
def test_windows_order_and_threads_change_no_bit(tree, corner, left, bottom, data):
    field = grow(tree, leaves(corner))
    grid = Grid(corner, corner, SPACING, NX, NY)
    whole = field.sample(grid, threads=1)
    right, top = data.draw(st.integers(left + 1, NX)), data.draw(st.integers(bottom + 1, NY))
    # the same places: coordinates far from the origin are rounded, so a grid from there would have others
    part = field(grid.x[None, left:right], grid.y[bottom:top, None])
    assert same(part, whole[bottom:top, left:right])
    order = np.random.default_rng(left).permutation(NX * NY)
    x, y = (axis.reshape(-1) for axis in np.meshgrid(grid.x, grid.y))
    assert same(field(x[order], y[order]), whole.reshape(-1)[order])
    k = int(order[0])
    assert same(field(x[k], y[k]), whole.reshape(-1)[k])
    wide = Grid(corner, corner, SPACING, 9 * NX, 2 * NY)  # of several blocks
    assert same(field.sample(wide, threads=3)[:NY, :NX], whole)


@given(trees, corners)
def test_values_keep_to_their_range(tree, corner):
    field = grow(tree, leaves(corner))
    low, high = field.range
    values = field.sample(Grid(corner - 30, corner - 30, SPACING, NX, NY))
    assert low <= high
    assert bool(np.all(np.isnan(values) | (values >= low) & (values <= high)))


@given(trees)
def test_text_makes_the_field_again(tree):
    # a constant alone is written as a number, and has a number's methods only
    plain = [perlin(1, 0.07), simplex("fine", 0.31).fbm(octaves=3) * 3, Field.of(slope), Field.of(slope) * 2]
    field = grow(tree, [*plain, *plain])
    names = {"perlin": perlin, "simplex": simplex, "slope": Field.of(slope), "lerp": lerp, "where": where}
    text = repr(field)
    if "..." in text:
        return
    again = Field.of(eval(text, names))
    assert again.range == field.range
    grid = Grid(-20, 5, SPACING, 12, 9)
    assert same(again.sample(grid), field.sample(grid))


hills = perlin("hills", 0.01).fbm(octaves=3)
GOLDEN_FIELDS = {
    "warp": hills.warp(perlin("east", 0.02) * 40, perlin("north", 0.02) * 40),
    "moves": hills.translate(10.5, -3).scale((2, 0.7), about=(5, 5)).rotate_deg(90, about=(1, 2)),
    "power": (hills + 1) ** 0.3 + abs(hills) ** 2.5,
    "curves": hills.remap([(-1, 0), (-0.2, 0.1), (0.1, 0.8), (1, 1)], smooth=True) + hills.terrace(0.07),
    "choice": where(hills > 0, lerp(9, 3, hills), hills.smoothstep(-0.5, 0.1)),
    "distance": distance_to(np.array([(0, 0), (70, 30), (10, 90)]), kind="line"),
    "image": image(CODES, (-200, -200, 200, 200), rows="north-first", method="cubic"),
}
PLACES = np.array([(0.0, 0.0), (12.5, -7.25), (-150.125, 99.9), (33.3, 60.1), (180.0, -180.0)]).T


@pytest.mark.parametrize("name", GOLDEN_FIELDS)
def test_golden_values(name):
    """The same bits for ever, on every machine; a change here is a new version of the algorithm."""
    golden = json.loads(GOLDEN.read_text())
    assert golden["algorithm"] == ALGORITHM
    assert [value.hex() for value in GOLDEN_FIELDS[name](*PLACES).tolist()] == golden["values"][name]
