"""Fields and conditions: algebra, ranges, evaluation, and what they refuse."""

import math
import operator
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import Condition, Field, Noise, perlin
from weald.geometry import Grid

rng = np.random.default_rng(11)
X, Y = rng.uniform(-50, 50, (2, 4000))
numbers = st.floats(-100, 100, allow_nan=False)
noise = perlin(seed=1, frequency=0.13)
coarse = perlin(seed="coarse", frequency=1 / 64)


def plane(x, y):
    return 0.5 * x + 0.25 * y


def within(field, values):
    low, high = field.range
    return bool(np.all((values >= low) & (values <= high) | np.isnan(values)))


# --- calling and sampling ---------------------------------------------------------------------------------


def test_calls_broadcast_and_numbers_give_a_number():
    field = Field.of(plane)
    assert field(np.arange(5), np.arange(3)[:, None]).shape == (3, 5)
    assert field(np.zeros((2, 1, 4)), np.zeros((3, 1))).shape == (2, 3, 4)
    assert field([], []).shape == (0,)
    assert isinstance(field(4.0, 8), np.float64)
    assert field(4.0, 8) == 4.0
    assert noise(np.zeros((0, 3)), 0).shape == (0, 3)


@pytest.mark.parametrize(
    "shapes", [((7,), (7,)), ((1, 9), (6, 1)), ((9,), (6, 1)), ((1, 9), (1, 1)), ((6, 1), (6, 9)), ((), (4, 4))]
)
def test_every_shape_gives_the_same_bits(shapes):
    x, y = (rng.uniform(-9, 9, shape) for shape in shapes)
    field = noise.fbm(octaves=3) * 4 + noise
    full_x, full_y = (np.array(part) for part in np.broadcast_arrays(x, y))
    one_by_one = np.array([field(a, b) for a, b in zip(full_x.flat, full_y.flat, strict=True)]).reshape(full_x.shape)
    assert np.array_equal(field(x, y), one_by_one)


def test_long_arrays_give_the_bits_of_short_ones():
    x, y = np.random.default_rng(1).uniform(-500, 500, (2, 100_003))
    field = noise.fbm(octaves=2)
    assert np.array_equal(field(x, y)[70_000:70_100], field(x[70_000:70_100], y[70_000:70_100]))


def test_threads_do_not_change_the_bits():
    field = (noise.fbm(octaves=4) * 30).max(coarse * 20).smoothstep(-5, 25)
    grid = Grid(-300.5, 1e6, 0.75, 1300, 700)
    one = field.sample(grid, threads=1)
    for threads in (2, 8, None):
        assert np.array_equal(field.sample(grid, threads=threads), one)
    assert np.array_equal(field(grid.x[None, :], grid.y[:, None]), one)


@pytest.mark.parametrize(("xmin", "ymin"), [(0, 0), (-2000, 1000), (2.0**30, -(2.0**30))])
def test_a_window_is_cut_from_the_whole(xmin, ymin):
    field = (noise.fbm(octaves=5) + coarse * Field.of(plane)).clamp(-2, 50)
    whole = field.sample(Grid(xmin, ymin, 0.5, 1200, 300))
    part = field.sample(Grid(xmin + 150, ymin + 35, 0.5, 801, 99))
    assert np.array_equal(part, whole[70:169, 300:1101])


def test_a_grid_from_50_is_the_shifted_grid_from_0():
    field = noise.fbm(octaves=6)
    assert np.array_equal(field.sample(Grid(50, 50, 1, 64, 64)), field.sample(Grid(0, 0, 1, 128, 128))[50:114, 50:114])


def test_progress_reaches_the_end_in_the_callers_thread():
    seen = []

    def note(done, total):
        seen.append((done, total, threading.get_ident()))

    for threads in (1, 3):
        seen.clear()
        noise.sample(Grid(0, 0, 1, 1500, 200), threads, progress=note)
        dones = [done for done, _, _ in seen]
        assert len(seen) > 3
        assert dones == sorted(dones)
        assert dones[-1] == 300_000
        assert {(total, thread) for _, total, thread in seen} == {(300_000, threading.get_ident())}


def test_many_threads_are_used_and_an_error_in_one_of_them_arrives():
    calls = set()

    def fail_in_the_north(x, y):
        calls.add(threading.get_ident())
        return np.where(y > 400, np.nan, x)

    with pytest.raises(InputError, match=r"nan at x = 0\.0, y = 401\.0"):
        Field.of(fail_in_the_north).sample(Grid(0, 0, 1, 1100, 900), threads=4)
    assert threading.get_ident() not in calls


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
def test_bad_threads_are_refused(threads):
    with pytest.raises(InputError, match="threads"):
        noise.sample(Grid(0, 0, 1, 2, 2), threads)


def test_bad_coordinates_are_refused():
    with pytest.raises(InputError, match="do not broadcast"):
        noise([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="x: got values of type"):
        noise(["a"], 0)
    with pytest.raises(InputError, match="y: got values of type"):
        noise(0, 1j)


def test_shared_parts_are_evaluated_once():
    calls = []

    def counted(x, y):
        calls.append(x.size)
        return x

    field = Field.of(counted)
    for _ in range(40):
        field = field + field
    assert field(1.0, 0.0) == 2.0**40
    assert calls == [1]
    assert len(repr(field)) < 1_000_000


# --- algebra ----------------------------------------------------------------------------------------------

BINARY = [operator.add, operator.sub, operator.mul, operator.truediv]


@given(st.sampled_from(BINARY), numbers, numbers, numbers, numbers)
def test_ranges_of_arithmetic_hold(operation, a, b, c, d):
    left = (noise + 1) * 0.5 * (max(a, b) - min(a, b)) + min(a, b)
    right = (coarse + 1) * 0.5 * (max(c, d) - min(c, d)) + min(c, d)
    field = operation(left, right)
    with np.errstate(all="ignore"):
        expected = operation(left(X, Y), right(X, Y))
    assert np.array_equal(field(X, Y), expected, equal_nan=True)
    assert within(field, expected)


@given(st.sampled_from(BINARY), numbers)
def test_numbers_combine_on_either_side(operation, number):
    with np.errstate(all="ignore"):
        for field, expected in (
            (operation(noise, number), operation(noise(X, Y), number)),
            (operation(number, noise), operation(np.full(X.size, number), noise(X, Y))),
            (operation(np.float64(number), noise), operation(np.full(X.size, number), noise(X, Y))),
        ):
            assert isinstance(field, Field)
            assert np.array_equal(field(X, Y), expected, equal_nan=True)
            assert within(field, expected)


def test_ranges_are_as_tight_as_constants_allow():
    assert (noise * 300).range == (-300, 300)
    assert (noise * -2 + 1).range == (-1, 3)
    assert (5 - noise).range == (4, 6)
    assert (-(noise + 3)).range == (-4, -2)
    assert abs(noise - 3).range == (2, 4)
    assert abs(noise + 0.5).range == (0, 1.5)
    assert (1 / (noise + 3)).range == (1 / 4, 1 / 2)
    assert ((noise + 2) / (noise - 3)).range == (-1.5, -0.25)
    assert noise.min(0.25).range == (-1, 0.25)
    assert noise.max(coarse * 0.5).range == (-0.5, 1)
    assert noise.clamp(-0.25, 7).range == (-0.25, 1)
    assert noise.clamp(3, 4).range == (3, 3)
    assert noise.smoothstep(-2, 2).range == pytest.approx((5 / 32, 27 / 32))
    assert (noise + 5).smoothstep(0, 1).range == (1, 1)


@pytest.mark.parametrize("divisor", [noise, noise.max(0), noise.min(0), Field.of(0)])
def test_dividing_by_what_may_be_zero_has_no_bounds(divisor):
    assert (1 / divisor).range == (-math.inf, math.inf)


def test_division_by_zero_gives_infinity_or_nan_without_a_warning():
    zero, x = Field.of(0), Field.of(lambda x, y: x)
    assert (1 / zero)(3, 4) == math.inf
    assert np.isnan((zero / zero)(3, 4))
    assert (x / zero)([-1, 0, 1], 0).tolist()[::2] == [-math.inf, math.inf]


def test_unbounded_ranges_stay_ranges():
    free = Field.of(plane)
    for field in (
        free + free,
        free - free,
        free * free,
        free * 0,
        0 * free,
        free / 3,
        3 / free,
        free.min(free),
        abs(free),
    ):
        low, high = field.range
        assert low <= high
        assert within(field, field(X, Y))
    assert (free * 0).range == (0, 0)
    assert free.smoothstep(0, 1).range == (0, 1)
    assert free.clamp(-1, 1).range == (-1, 1)
    assert (free.max(2) * free.max(0)).range == (0, math.inf)


def test_methods_do_what_numpy_does():
    a, b = noise(X, Y), coarse(X, Y)
    assert np.array_equal(noise.min(coarse)(X, Y), np.minimum(a, b))
    assert np.array_equal(noise.max(0.1)(X, Y), np.maximum(a, 0.1))
    assert np.array_equal(noise.clamp(-0.1, 0.2)(X, Y), np.clip(a, -0.1, 0.2))
    assert np.array_equal(abs(noise)(X, Y), np.abs(a))
    assert np.array_equal((-noise)(X, Y), -a)
    t = np.clip((a + 0.2) / 0.5, 0, 1)
    assert noise.smoothstep(-0.2, 0.3)(X, Y) == pytest.approx(3 * t**2 - 2 * t**3, abs=1e-14)
    points = [(-0.5, 3.0), (-0.1, -2.0), (0.3, 9.0), (0.4, 9.0)]
    assert noise.remap(points)(X, Y) == pytest.approx(np.interp(a, *zip(*points, strict=True)), abs=1e-13)


@given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=6, unique_by=lambda pair: pair[0]), numbers, numbers)
def test_remapped_values_keep_to_their_range(points, scale, offset):
    field = (noise * scale + offset).remap(sorted(points))
    outs = [out for _, out in points]
    assert within(field, field(X, Y))
    assert min(outs) - 1e-9 <= field.range[0] <= field.range[1] <= max(outs) + 1e-9


def test_a_remap_passes_through_its_points():
    field = Field.of(lambda x, y: x).remap([(-1, 0.1), (2, 0.3), (5, 0.2)])
    assert field([-9, -1, 2, 5, 9], 0).tolist() == [0.1, 0.1, 0.3, 0.2, 0.2]
    # -0.5 + (1.7 - -0.5) is above 1.7, by rounding
    edge = (Field.of(lambda x, y: x) + 0).remap([(0, -0.5), (1, 1.7)])
    assert edge.range == (-0.5, 1.7)
    assert edge([0, 1, 2], 0).tolist() == [-0.5, 1.7, 1.7]
    assert np.isnan((Field.of(0) / 0).remap([(0, 1), (1, 2)])(3, 4))


@given(numbers, numbers)
def test_smoothstep_keeps_to_its_range(a, b):
    low, high = min(a, b), max(a, b) + 1e-3
    field = (noise * 50).smoothstep(low, high)
    assert within(field, field(X, Y))
    assert 0 <= field.range[0] <= field.range[1] <= 1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: noise.remap([(0, 1), (0, 2)]), r"remap: in = 0.0 comes after in = 0.0; sort"),
        (lambda: noise.remap([(1, 0), (0, 1)]), r"remap: in = 0.0 comes after in = 1.0; sort"),
        (lambda: noise.remap([(0, 1)]), "at least two pairs"),
        (lambda: noise.remap([0, 1]), "at least two pairs"),
        (lambda: noise.remap([(0, 1), (1, math.nan)]), "finite"),
        (lambda: noise.clamp(1, 0), r"clamp: got \(1.0, 0.0\); give low <= high"),
        (lambda: noise.clamp("a", 0), "clamp: got 'a'"),
        (lambda: noise.clamp(0, math.nan), "clamp"),
        (lambda: noise.smoothstep(2, 2), "smoothstep"),
        (lambda: noise.smoothstep(0, math.inf), "smoothstep"),
        (lambda: noise + "a", "got 'a'; give a Field"),
        (lambda: noise + np.zeros(3), r"raster\(grid, values\)"),
        (lambda: np.zeros(3) + noise, r"raster\(grid, values\)"),
        (lambda: noise + math.nan, "finite"),
        (lambda: noise + True, "got True"),
        (lambda: noise + (noise > 0), "got the condition"),
        (lambda: Field.of(None), "got None"),
        (lambda: Field.of(3, range=(0, 5)), "functions only"),
        (lambda: Field.of(plane, range=(5, 0)), "low <= high"),
        (lambda: Field.of(plane, range=3), "range"),
    ],
)
def test_what_makes_no_field_is_refused(make, says):
    with pytest.raises(InputError, match=says):
        make()


# --- functions --------------------------------------------------------------------------------------------


def test_functions_get_and_give_arrays():
    def check(x, y):
        assert x.dtype == y.dtype == np.float64
        assert x.shape == y.shape == (x.size,)
        x[:] = -x  # theirs to change
        return (-x * 2).astype(np.int32)

    field = Field.of(check) + Field.of(lambda x, y: x)
    assert np.array_equal(field.sample(Grid(0, 0, 1, 4, 2)), [[0, 3, 6, 9]] * 2)
    places = np.arange(4.0)
    assert field(places, places).tolist() == [0, 3, 6, 9]
    assert places.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x, y: 5.0, r"returned shape \(\) for 3 places"),
        (lambda x, y: x[:2], r"returned shape \(2,\)"),
        (lambda x, y: None, "returned shape"),
        (lambda x, y: x * 1j, "complex"),
        (lambda x, y: np.where(x == 2, np.nan, x), r"returned nan at x = 2\.0, y = 7\.5; return a number"),
        (lambda x, y: np.log(x - 1.5), r"returned nan at x = 1\.0, y = 7\.5"),
    ],
)
def test_what_functions_may_not_return(function, says):
    with pytest.raises(InputError, match=says):
        Field.of(function)([1, 2, 3], 7.5)


def test_a_stated_range_is_held_to():
    field = Field.of(lambda x, y: x, range=(0, 2))
    assert field.range == (0, 2)
    assert field([0, 2], 0).tolist() == [0, 2]
    with pytest.raises(InputError, match=r"returned 3\.0 at x = 3\.0, y = 0\.0, outside its range \(0\.0, 2\.0\)"):
        field([1, 3, 5], 0)
    # both ends are inside: the first place that is told is the first outside
    with pytest.raises(InputError, match=r"returned 5\.0 at x = 5\.0, y = 0\.0"):
        field([0, 2, 5], 0)
    with pytest.raises(InputError, match=r"returned -1\.0 at x = -1\.0, y = 0\.0"):
        field([2, 0, -1], 0)


# --- conditions -------------------------------------------------------------------------------------------


def test_conditions_compare_and_combine():
    a, b = noise(X, Y), coarse(X, Y)
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        for condition, expected in (
            (compare(noise, 0.1), compare(a, 0.1)),
            (compare(0.1, noise), compare(0.1, a)),
            (compare(noise, coarse), compare(a, b)),
        ):
            answers = condition(X, Y)
            assert answers.dtype == np.bool_
            assert np.array_equal(answers, expected)
    mixed = (noise > 0) & ~(coarse > 0) | (noise < -0.5)
    assert np.array_equal(mixed(X, Y), (a > 0) & ~(b > 0) | (a < -0.5))
    assert np.array_equal((True & (noise > 0))(X, Y), a > 0)
    assert not (False & (noise > 0))(X, Y).any()
    assert (True | (noise > 0))(X, Y).all()
    assert (noise <= noise)(1.0, 2.0).item() is True


def test_conditions_sample_across_threads():
    condition = (noise > 0) | Condition.of(lambda x, y: x > 500)
    grid = Grid(0, 0, 1, 1100, 300)
    answers = condition.sample(grid, threads=4)
    assert answers.shape == (300, 1100)
    assert answers.dtype == np.bool_
    assert np.array_equal(answers, condition(grid.x[None, :], grid.y[:, None]))


def test_comparing_a_void_says_no():
    void = Field.of(0) / Field.of(0)
    for condition in (void < 1, void <= 1, void > 1, void >= 1, void > void):
        assert not condition(0, 0)
    assert (~(void < 1))(0, 0)


def test_conditions_refuse_what_makes_no_sense():
    with pytest.raises(InputError, match="neither true nor false"):
        bool(noise > 0)
    with pytest.raises(InputError, match="neither true nor false"):
        assert 0 < noise < 1
    with pytest.raises(InputError, match="condition: got 3"):
        (noise > 0) & 3
    with pytest.raises(InputError, match="return bool"):
        Condition.of(lambda x, y: x)(1, 2)


# --- faces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "perlin(seed=1, frequency=0.0025).fbm(octaves=6) * 300",
        "perlin(seed='a', frequency=0.5).fbm(octaves=2, gain=0.3, lacunarity=3.0)",
        "(a + 1) * 2 - (b - (a - b)) / -3",
        "-(a + b).clamp(0, 1)",
        "abs(a - b).max(b * 2).min(0.5)",
        "1 / (a + 3)",
        "a.remap([(0, 1), (0.5, -2)]).smoothstep(0, 1)",
        "(a > 0) & (b <= 0.5) | ~(a + b >= 1)",
        "((a > 0) | (b > 0)) & (a > b)",
    ],
)
def test_text_is_the_expression_that_made_it(written):
    def a(x, y):
        return x

    def b(x, y):
        return y

    assert repr(eval(written, {"perlin": perlin, "a": Field.of(a), "b": Field.of(b)})) == written


def test_text_is_readable():
    height = perlin(seed=1, frequency=0.0025).fbm(octaves=6) * 300
    assert repr(height) == "perlin(seed=1, frequency=0.0025).fbm(octaves=6) * 300"
    assert repr((height + 1 > 0) & ~(height < 3.5)) == f"({height!r} + 1 > 0) & ~({height!r} < 3.5)"
    assert repr(Field.of(plane) * -1) == "plane * -1"


def test_fields_and_conditions_cannot_be_changed():
    with pytest.raises(AttributeError):
        noise.range = (0, 1)
    with pytest.raises(AttributeError):
        (noise > 0).expression = None


def test_fields_and_conditions_travel_to_other_processes():
    field = (noise.fbm(octaves=3) * 3).remap([(-1, 0), (1, 5)]).clamp(1, 3) + Field.of(plane)
    again = pickle.loads(pickle.dumps(field))
    assert np.array_equal(again(X, Y), field(X, Y))
    assert again.range == field.range
    condition = pickle.loads(pickle.dumps(field > 1))
    assert np.array_equal(condition(X, Y), field(X, Y) > 1)
    assert pickle.loads(pickle.dumps(noise)).fbm(octaves=1)(3, 4) == noise(3, 4)


# --- perlin -----------------------------------------------------------------------------------------------


def test_one_octave_of_fbm_is_the_noise_itself():
    assert isinstance(noise, Noise)
    assert np.array_equal(noise.fbm(octaves=1)(X, Y), noise(X, Y))


def test_equal_seeds_give_equal_noise_whatever_their_type():
    assert repr(perlin(np.int64(3), np.float32(0.5))) == "perlin(seed=3, frequency=0.5)"
    assert perlin(np.int64(3), 0.5)(1.1, 2.2) == perlin(3, 0.5)(1.1, 2.2) != perlin("3", 0.5)(1.1, 2.2)


def test_frequency_counts_cycles_a_metre():
    assert perlin(3, 0.25).fbm(octaves=1)(8.0, -4.0) == perlin(3, 1.0)(2.0, -1.0)


@given(st.integers() | st.text(max_size=3), st.integers(1, 32), st.floats(0.01, 2), st.floats(1, 16))
def test_fbm_keeps_to_its_range(seed, octaves, gain, lacunarity):
    field = perlin(seed, 0.37).fbm(octaves, gain, lacunarity)
    assert field.range == (-1, 1)
    assert within(field, field(X * 1e7, Y))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: perlin(1.5, 1), "seed: got 1.5"),
        (lambda: perlin(None, 1), "seed: got None"),
        (lambda: perlin(1, 0), "frequency: got 0; give cycles a metre"),
        (lambda: perlin(1, -1), "frequency: got -1"),
        (lambda: perlin(1, math.nan), "frequency: got nan"),
        (lambda: perlin(1, math.inf), "frequency: got inf"),
        (lambda: perlin(1, "1"), "frequency: got '1'"),
        (lambda: noise.fbm(octaves=0), "octaves: got 0; give a whole number from 1 to 32"),
        (lambda: noise.fbm(octaves=33), "octaves: got 33"),
        (lambda: noise.fbm(octaves=2.0), "octaves: got 2.0"),
        (lambda: noise.fbm(octaves=True), "octaves: got True"),
        (lambda: noise.fbm(gain=0), "gain: got 0; give a number above 0"),
        (lambda: noise.fbm(gain=2.5), "gain: got 2.5"),
        (lambda: noise.fbm(lacunarity=0.5), "lacunarity: got 0.5; give a number from 1 to 16"),
        (lambda: noise.fbm(lacunarity=math.nan), "lacunarity: got nan"),
    ],
)
def test_bad_noise_parameters_are_refused(make, says):
    with pytest.raises(InputError, match=says):
        make()
