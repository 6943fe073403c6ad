"""Fields and conditions shifted, scaled, turned and warped."""

import dataclasses
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import Condition, Field, inside, perlin, raster
from weald.geometry import Grid

X, Y = np.random.default_rng(3).uniform(-400, 400, (2, 3000))
noise = perlin(seed=1, frequency=0.03).fbm(octaves=2)
bend_x = perlin(seed="east", frequency=0.011) * 40
bend_y = perlin(seed="north", frequency=0.011) * 40
lengths = st.floats(-1e6, 1e6)
factors = st.floats(0.01, 100) | st.floats(-100, -0.01)


def plane(x, y):
    return 3 * x - 2 * y


def space(x, y, z):
    return x + 10 * y + 100 * z


# --- warp -------------------------------------------------------------------------------------------------


def test_a_warp_looks_elsewhere():
    warped = noise.warp(bend_x, bend_y)
    assert np.array_equal(warped(X, Y), noise(X + bend_x(X, Y), Y + bend_y(X, Y)))
    assert warped.range == noise.range
    assert np.array_equal(noise.warp(3, lambda x, y: x / 2)(X, Y), noise(X + 3, Y + X / 2))


def test_warps_chain_from_the_outside_in():
    twice = noise.warp(bend_x, bend_y).warp(bend_y, 7)
    x, y = X + bend_y(X, Y), Y + 7
    assert np.array_equal(twice(X, Y), noise(x + bend_x(x, y), y + bend_y(x, y)))
    nested = noise.warp(bend_x.warp(bend_y, 7), 0)
    assert np.array_equal(nested(X, Y), noise(X + bend_x(x, y), Y))


def test_warps_of_space():
    field = Field.of(space, dimensions=3)
    assert field.warp(1, 2, 3)(X, Y, 5).tolist() == pytest.approx(space(X + 1, Y + 2, 8).tolist())
    assert np.array_equal(field.warp(bend_x, 0)(X, Y, 5), space(X + bend_x(X, Y), Y, 5.0))
    assert field.warp(1, 2, 3).dimensions == 3
    up = Field.of(lambda x, y, z: z / 2, dimensions=3)
    assert noise.warp(up, 0).dimensions == 3
    assert np.array_equal(noise.warp(up, 0)(X, Y, 4), noise(X + 2, Y))
    grid = Grid(-3, 5, 1.5, 31, 20)
    box = field.warp(bend_x, up).sample(grid, z=[0.0, 7.5])
    assert np.array_equal(box[1], field.warp(bend_x, up)(grid.x[None, :], grid.y[:, None], 7.5))
    with pytest.raises(InputError, match="z: not given"):
        field.warp(1, 2)(0, 0)


def test_a_shift_that_is_no_number_leads_nowhere():
    ground = raster(Grid(0, 0, 1, 3, 3), np.arange(9.0).reshape(3, 3))  # NaN outside
    x = np.array([-5.0, 0.5, 1.0, 9.0])
    assert np.array_equal(Field.of(plane).warp(ground, 0)(x, 1), [np.nan, plane(4, 1), plane(5, 1), np.nan], True)
    assert (Field.of(plane) > -1e9).warp(0, ground)(x, 1).tolist() == [False, True, True, False]
    assert np.isnan(Field.of(lambda x, y: x.max() + y).warp(ground, 0)([-5, -6], 1)).all()  # asked nothing
    far = Field.of(1) / Field.of(0)
    assert np.isnan(noise.warp(far, 0)(3, 4))
    assert np.isnan(noise.warp(far, 0).sample(Grid(0, 0, 1, 3, 2))).all()


def test_conditions_warp_too():
    square = inside([(-200, -200), (200, -200), (200, 200), (-200, 200)])
    ragged = square.warp(bend_x, bend_y)
    assert isinstance(ragged, Condition)
    assert np.array_equal(ragged(X, Y), square(X + bend_x(X, Y), Y + bend_y(X, Y)))


def test_what_is_shared_is_evaluated_once_a_block_at_moved_places_too():
    calls = []

    def counted(x, y):
        calls.append(float(x[0]))
        return x

    def shift(x, y):
        calls.append("shift")
        return x + 1

    base, by = Field.of(counted), Field.of(shift)
    field = (base + base * 2).warp(by, 0) + (base * 3).warp(by, 0) + base
    assert field(10.0, 0.0) == 21 * 3 + 21 * 3 + 10
    assert sorted(map(str, calls)) == ["10.0", "21.0", "shift"]
    calls.clear()
    assert ((base * 2).translate(4, 0) - base.translate(4, 0))(10.0, 0.0) == 6.0
    assert calls == [6.0]
    calls.clear()
    assert ((base * 2).warp(4, 1) - base.warp(4, 1))(10.0, 0.0) == 14.0
    assert calls == [14.0]


# --- translate, scale, rotate -----------------------------------------------------------------------------


@given(lengths, lengths)
def test_translating_moves_the_picture(dx, dy):
    assert np.array_equal(noise.translate(dx, dy)(X, Y), noise(X - dx, Y - dy))


@given(factors, st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_scaling_about_a_place(factor, ax, ay):
    field = Field.of(plane).scale(factor, about=(ax, ay))
    assert field(ax, ay) == plane(ax, ay)
    expected = plane(ax + (X - ax) / factor, ay + (Y - ay) / factor)
    assert np.array_equal(field(X, Y), expected)


@given(st.floats(-720, 720), st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_turning_moves_the_picture_counterclockwise(angle, ax, ay):
    radians = math.radians(angle)
    # a place of the picture, and where it is after the turn
    u, v = X - ax, Y - ay
    x, y = ax + u * math.cos(radians) - v * math.sin(radians), ay + u * math.sin(radians) + v * math.cos(radians)
    field = Field.of(plane).rotate_deg(angle, about=(ax, ay))
    assert field(x, y) == pytest.approx(plane(X, Y), abs=1e-8)
    assert field(ax, ay) == plane(ax, ay)


def test_whole_quarters_are_exact():
    for quarters, (x, y) in enumerate([(X, Y), (Y, -X), (-X, -Y), (-Y, X), (X, Y)]):
        for angle in (90 * quarters, 90 * quarters - 720):
            assert np.array_equal(noise.rotate_deg(angle)(X, Y), noise(x, y))


def test_factors_by_axis_and_mirrors():
    field = Field.of(space, dimensions=3)
    assert np.array_equal(field.scale((2, -4))(X, Y, 6.0), space(X / 2, Y / -4, 6.0))
    assert np.array_equal(field.scale((2, 4, 8), about=(0, 0, 2))(X, Y, 6.0), space(X / 2, Y / 4, 2.5))
    assert np.array_equal(field.scale(2)(X, Y, 6.0), space(X / 2, Y / 2, 3.0))
    assert np.array_equal(field.translate(1, 2, 3)(X, Y, 6.0), space(X - 1, Y - 2, 3.0))
    assert np.array_equal(field.rotate_deg(90)(X, Y, 6.0), space(Y, -X, 6.0))
    four = Field.of(lambda x, y, z, w: x + w, dimensions=4)
    assert np.array_equal(four.scale(2).translate(1, 1).rotate_deg(180).warp(0, 0)(X, Y, 1, 7.0), (-X - 1) / 2 + 7)


def test_moves_take_effect_in_the_order_they_are_written():
    ramp = Field.of(lambda x, y: x)
    assert ramp.scale(2).translate(10, 0)(10, 0) == 0
    assert ramp.translate(10, 0).scale(2)(20, 0) == 0
    assert ramp.translate(10, 0).rotate_deg(90)(0, 10) == 0


def test_blocks_stay_blocks_where_they_can():
    shapes = []

    class Spy(type(noise.expression)):
        def at(self, places):
            shapes.append((places.x.shape, places.y.shape))
            return super().at(places)

    parts = [getattr(noise.expression, part.name) for part in dataclasses.fields(noise.expression)]
    spied = Field(Spy(*parts), noise.range)
    spied.translate(3, 4).scale((2, 3)).sample(Grid(0, 0, 1, 8, 5))
    spied.rotate_deg(30).sample(Grid(0, 0, 1, 8, 5))
    assert shapes == [((1, 8), (5, 1)), ((40,), (40,))]


# --- windows, text, errors --------------------------------------------------------------------------------

MOVES = {
    "warp": lambda field: field.warp(bend_x, bend_y),
    "two warps": lambda field: field.warp(bend_x, bend_y).warp(bend_y, bend_x),
    "translate": lambda field: field.translate(0.1, -7.7),
    "scale": lambda field: field.scale((0.3, 1.7), about=(11, 5)),
    "rotate": lambda field: field.rotate_deg(33, about=(11, 5)),
    "all": lambda field: field.scale(0.7).rotate_deg(-10).translate(5, 6).warp(bend_x, 0),
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("corner", [-70.5, 1e9])
def test_a_window_is_cut_from_the_whole(name, corner):
    field = MOVES[name](noise)
    whole = field.sample(Grid(corner, -corner, 0.5, 700, 90))
    part = field.sample(Grid(corner + 300, -corner + 10, 0.5, 77, 60), threads=1)
    assert np.array_equal(part, whole[20:80, 600:677])
    grid = Grid(corner, -corner, 0.5, 20, 10)
    assert np.array_equal(field(*np.meshgrid(grid.x, grid.y)), whole[:10, :20])
    assert whole.std() > 0.05


@pytest.mark.parametrize(
    "written",
    [
        "a.warp(b * 30, 0)",
        "(a + b).warp(a, b.warp(1, 2)).translate(10, -2.5)",
        "a.scale(2).scale((2, 0.5), about=(1, 2))",
        "a.scale((2, 3, 4), about=(1, 2, 3)).translate(1, 2, 3)",
        "a.rotate_deg(30).rotate_deg(-5.5, about=(1, 0))",
        "(a > 0).translate(1, 0) & ~(a < b).warp(b, 1)",
        "a.warp(1, 2, b)",
    ],
)
def test_text_is_the_expression_that_made_it(written):
    def a(x, y):
        return x

    def b(x, y):
        return y

    made = eval(written, {"a": Field.of(a), "b": Field.of(b)})
    assert repr(made) == written


def test_moved_fields_travel_to_other_processes():
    field = MOVES["all"](noise)
    assert np.array_equal(pickle.loads(pickle.dumps(field))(X, Y), field(X, Y))


def test_endless_text_ends_in_dots():
    field = noise
    for _ in range(60):
        field = field.warp(field, 0)
    assert "..." in repr(field)
    assert len(repr(field)) < 5_000_000


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: noise.warp("a", 0), "warp: dx is 'a'; give metres"),
        (lambda: noise.warp(0, noise > 0), "warp: dy is perlin"),
        (lambda: noise.warp(0, math.nan), "warp: got nan; give finite"),
        (lambda: noise.warp(0, True), "warp: dy is True"),
        (lambda: noise.warp(0, 0, None or []), r"warp: dz is \[\]"),
        (lambda: noise.translate(math.inf, 0), "translate: got inf"),
        (lambda: noise.translate("1", 0), "translate: got '1'"),
        (lambda: noise.scale(0), "scale: got 0; give a factor other than 0"),
        (lambda: noise.scale((1, 0)), r"scale: got \(1, 0\)"),
        (lambda: noise.scale((1,)), "one number, or one an axis"),
        (lambda: noise.scale(math.nan), "scale: got nan"),
        (lambda: noise.scale(2, about=3), "scale: about: got 3"),
        (lambda: noise.scale(2, about=("a", 1)), "scale: about: got 'a'"),
        (lambda: noise.rotate_deg("east"), "rotate_deg: got 'east'"),
        (lambda: noise.rotate_deg(1, about=(1, math.inf)), "rotate_deg: about: got inf"),
    ],
)
def test_bad_moves_are_refused(make, says):
    with pytest.raises(InputError, match=says):
        make()


def test_functions_that_fail_say_where_they_were_asked():
    field = Field.of(lambda x, y: np.where(x > 5, np.nan, x)).translate(10, 0)
    with pytest.raises(InputError, match=r"nan at x = 6\.0, y = 2\.0"):
        field([3, 16], 2)
