"""Curves, steps, powers, choices: against plain formulas, and the ranges they prove."""

import math
import operator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import Field, lerp, perlin, raster, where
from weald.geometry import Grid

X, Y = np.random.default_rng(5).uniform(-60, 60, (2, 3000))
noise = perlin(seed=1, frequency=0.13)
other = perlin(seed=2, frequency=0.09)
ramp = Field.of(lambda x, y: x)
numbers = st.floats(-100, 100, allow_nan=False)
void = raster(Grid(0, 0, 1, 2, 2), [[np.nan, 1], [2, 3]])


def spanned(low, high):
    """Return noise stretched over [low, high], and its values."""
    field = (noise + 1) * 0.5 * (high - low) + low
    return field, field(X, Y)


def within(field, values):
    low, high = field.range
    return bool(np.all((values >= low) & (values <= high)))


# --- smooth curves ----------------------------------------------------------------------------------------

points_lists = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=7, unique_by=lambda pair: round(pair[0], 3))


@given(points_lists)
def test_smooth_curves_meet_their_points_and_never_overshoot(points):
    points.sort()
    curve = ramp.remap(points, smooth=True)
    ins, outs = zip(*points, strict=True)
    assert curve(ins, 0).tolist() == list(outs)
    assert curve.range == (min(outs), max(outs))
    for (a, low), (b, high) in pairwise(points):
        values = curve(np.linspace(a, b, 400), 0)
        rise = np.diff(values) * (1 if high >= low else -1)
        assert ((values >= min(low, high)) & (values <= max(low, high))).all()
        assert rise.min() >= -1e-12 * max(abs(low), abs(high))


@given(points_lists)
def test_smooth_curves_have_no_kink(points):
    points.sort()
    curve = ramp.remap(points, smooth=True)
    steepest = max(abs((q[1] - p[1]) / (q[0] - p[0])) for p, q in pairwise(points))
    for at, _ in points:
        gap = min(q[0] - p[0] for p, q in pairwise(points))
        step = gap * 1e-4
        left, middle, right = curve([at - step, at, at + step], 0)
        # a cubic piece bends by some secants a gap
        assert abs((right - middle) - (middle - left)) <= 40 * steepest * 1e-4 * step + 1e-10


@given(points_lists, numbers, numbers)
def test_smooth_curves_keep_to_their_range(points, scale, offset):
    field = (noise * scale + offset).remap(sorted(points), smooth=True)
    assert within(field, field(X, Y))


def test_two_points_make_a_smoothstep():
    assert noise.remap([(-0.3, 0), (0.4, 1)], smooth=True)(X, Y) == pytest.approx(
        noise.smoothstep(-0.3, 0.4)(X, Y), abs=1e-15
    )


def test_an_even_rise_stays_straight_inside():
    curve = ramp.remap([(k, 2 * k) for k in range(6)], smooth=True)
    inner = np.linspace(1, 4, 50)
    assert curve(inner, 0) == pytest.approx(2 * inner, abs=1e-14)


def test_slopes_are_fritsch_and_carlsons():
    # 0.9 and 8.1: the parabola's slope in the middle is 4.5, and the flat piece cannot take it
    curve = ramp.remap([(0, 0), (1, 0.9), (2, 9)], smooth=True)
    step = 1e-6
    assert (curve(1 + step, 0) - curve(1 - step, 0)) / (2 * step) == pytest.approx(3 * 0.9, rel=1e-4)


def test_curves_of_voids_are_voids():
    for smooth in (False, True):
        assert np.isnan(void.remap([(0, 1), (1, 2), (4, 7)], smooth=smooth)(0, 0))


def test_straight_curves_end_exactly():
    field = ramp.remap([(0, 0.1), (1, 0.7), (2, 0.3), (3, 0.9)])
    assert field([0, 1, 2, 3, 4], 0).tolist() == [0.1, 0.7, 0.3, 0.9, 0.9]


# --- steps ------------------------------------------------------------------------------------------------


@given(numbers, numbers, st.floats(0.1, 30), st.floats(0, 1))
def test_terraces(a, b, step, flat):
    low, high = min(a, b), max(a, b)
    field, values = spanned(low, high)
    cut = field.terrace(step, flat=flat)
    result = cut(X, Y)
    assert within(cut, result)
    steps = np.floor(values / step)
    t = values / step - steps
    way = np.clip((t - flat) / (1 - flat), 0, 1) if flat < 1 else np.zeros_like(t)
    assert result == pytest.approx(step * (steps + 3 * way**2 - 2 * way**3), abs=1e-11)
    assert cut.range[0] >= low - step
    assert cut.range[1] <= high + step


def test_terraces_of_anything():
    assert ramp.terrace(2).range == (-math.inf, math.inf)
    assert np.isnan(void.terrace(2)(0, 0))
    assert ramp.terrace(10)([0, 4.9, 5, 7.5, 10], 0).tolist() == [0, 0, 0, 5, 10]


def test_floor():
    field, values = spanned(-3.5, 4.2)
    assert np.array_equal(field.floor()(X, Y), np.floor(values))
    assert field.floor().range == (-4, 4)
    assert ramp.floor().range == (-math.inf, math.inf)


# --- powers -----------------------------------------------------------------------------------------------


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0.01, 20) | st.sampled_from([0.5, 1, 1.5, 2, 3, 2.5, 7]))
def test_powers_of_numbers_from_zero_on(a, b, exponent):
    low, high = min(a, b), max(a, b)
    field, values = spanned(low, high)
    raised = field**exponent
    result = raised(X, Y)
    assert within(raised, result)
    assert result == pytest.approx(values**exponent, rel=1e-13, abs=1e-300)


@given(st.floats(-9, 9), st.floats(-9, 9), st.integers(-6, 12).filter(bool))
def test_whole_powers_of_any_number(a, b, exponent):
    low, high = min(a, b), max(a, b)
    field, values = spanned(low, high)
    with np.errstate(all="ignore"):
        expected = values**exponent
    raised = field**exponent
    result = raised(X, Y)
    assert within(raised, result)
    assert result == pytest.approx(expected, rel=1e-14)


@given(st.floats(1e-300, 1e300), st.floats(-3, 3).filter(bool))
def test_powers_of_large_and_small(value, exponent):
    size = math.log10(value) * exponent
    if abs(size) < 300:
        assert (Field.of(value) ** exponent)(0, 0) == pytest.approx(value**exponent, rel=1e-13)


def test_ranges_of_powers():
    assert (noise**2).range == (0, 1)
    assert ((noise + 3) ** 2).range == (4, 16)
    assert ((noise - 3) ** 2).range == (4, 16)
    assert ((noise * 2) ** 3).range == (-8, 8)
    assert ((noise + 1) ** 0.5).range == (0, math.sqrt(2))
    assert ((noise + 3) ** -1).range == (0.25, 0.5)
    assert ((noise + 1) ** -2).range == (0, math.inf)
    assert (noise**-1).range == (-math.inf, math.inf)
    assert (noise**-2).range == (0, math.inf)
    assert (ramp**2).range == (0, math.inf)
    assert (abs(ramp) ** 0.3).range == (0, math.inf)
    assert (noise + 1).sqrt().range == (0, math.sqrt(2))
    assert abs(ramp).sqrt().range == (0, math.inf)


def test_roots_and_special_values():
    assert (Field.of(lambda x, y: x, range=(0, 1e9)) ** 0.3)([0, 1], 0).tolist() == [0, 1]
    assert np.isnan((void**0.3)(0, 0))
    assert np.isnan((void**2)(0, 0))
    assert np.isnan(void.sqrt()(0, 0))
    assert (noise**2).sqrt()(X, Y) == pytest.approx(abs(noise(X, Y)))
    assert ((1 / Field.of(0)).max(0) ** 0.3)(0, 0) == math.inf
    assert (Field.of(2) ** -0.5)(0, 0) == 1 / math.sqrt(2)


def test_fractional_powers_are_golden():
    # these bits must be the same on every machine
    values = (Field.of(lambda x, y: x, range=(0, 10)) ** 0.3)([0.1, 0.5, 2, 3.3, 9.7], 0)
    assert [value.hex() for value in values.tolist()] == GOLDEN_POWERS


GOLDEN_POWERS = [
    "0x1.009b9cf334253p-1",
    "0x1.9fdf8bcce533ep-1",
    "0x1.3b2c47bff8329p+0",
    "0x1.6e4390b50ebdcp+0",
    "0x1.fa24160a26667p+0",
]


# --- equality ---------------------------------------------------------------------------------------------


def test_equal_codes():
    codes = (noise * 4).floor()
    assert np.array_equal(codes.equals(1)(X, Y), codes(X, Y) == 1)
    assert codes.equals(1)(X, Y).any()
    assert codes.equals(codes)(X, Y).all()
    assert not void.equals(void)(0, 0)
    assert repr(codes.equals(1) & (noise > 0)) == f"{codes!r}.equals(1) & ({noise!r} > 0)"


def test_equality_is_of_objects_and_never_silently_of_numbers():
    assert noise == noise
    assert noise != other
    assert len({noise, other, noise}) == 2
    assert noise in [other, noise]
    assert noise != "a"
    for compare in (operator.eq, operator.ne):
        with pytest.raises(InputError, match=r"write `\.equals\(3\)`"):
            compare(noise, 3)
        with pytest.raises(InputError, match="equals"):
            compare(np.float64(0.5), noise)


# --- choices ----------------------------------------------------------------------------------------------


def test_where_chooses():
    a, b = noise(X, Y), other(X, Y)
    field = where(noise > 0.1, noise * 5, other)
    assert np.array_equal(field(X, Y), np.where(a > 0.1, a * 5, b))
    assert field.range == (-5, 5)
    assert where(lambda x, y: x > 0, 3, -1).range == (-1, 3)
    assert where(True, noise, 7)(X, Y).tolist() == a.tolist()
    assert where(~(void > -9), 0, void)(0, 0) == 0  # a void is filled


@given(numbers, numbers, st.floats(-2, 3), st.floats(-2, 3))
def test_lerp(a, b, c, d):
    ends = Field.of(a), (other + 1) * b
    t, values = spanned(min(c, d), max(c, d))
    field = lerp(*ends, t)
    result = field(X, Y)
    low, high = ends[0](X, Y), ends[1](X, Y)
    assert result == pytest.approx(low + values * (high - low), abs=1e-10)
    assert within(field, result)


def test_both_ends_of_lerp_are_exact():
    a, b = noise * 0.1, other * 77 + 3
    assert np.array_equal(lerp(a, b, 0)(X, Y), a(X, Y))
    assert np.array_equal(lerp(a, b, 1)(X, Y), b(X, Y))
    assert np.array_equal(lerp(a, a, noise)(X, Y), a(X, Y))
    assert lerp(9, 3, noise * 0.5 + 0.5).range == (3, 9)
    assert lerp(9, 3, 0.5).range == (6, 6)
    assert lerp(ramp, 3, noise * 0.5 + 0.5).range == (-math.inf, math.inf)
    assert lerp(abs(ramp), 3, noise * 0.5 + 0.5).range == (0, math.inf)
    assert lerp(0, 1, ramp).range == (-math.inf, math.inf)


# --- faces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "-a ** 2 + (-a) ** 3",
        "(a + b) ** -1 / a ** 2",
        "abs(a) ** 0.25",
        "a.max(0).sqrt().floor().terrace(10).terrace(2.5, flat=0.9)",
        "a.remap([(0, 1), (0.5, -2)], smooth=True)",
        "where((a > 0) & (b < 3), a + 1, where(a.equals(2), b, -1))",
        "lerp(9, 3, a * 0.5 + 0.5)",
    ],
)
def test_text_is_the_expression_that_made_it(written):
    def a(x, y):
        return x

    def b(x, y):
        return y

    made = eval(written, {"a": Field.of(a), "b": Field.of(b), "where": where, "lerp": lerp})
    assert repr(made) == written


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: noise.sqrt(), r"sqrt: the values may be as low as -1\.0; .*\.max\(0\)"),
        (lambda: noise**0.5, r"power: got the exponent 0\.5 for values from -1\.0 on"),
        (lambda: noise**0, "exponent 0; give a number other than 0"),
        (lambda: noise**65, "exponent 65; .* to 64"),
        (lambda: noise**other, "exponent perlin"),
        (lambda: noise ** "2", "exponent '2'"),
        (lambda: noise.terrace(0), r"terrace: step: got 0; give a finite height above 0"),
        (lambda: noise.terrace(math.inf), "terrace: step: got inf"),
        (lambda: noise.terrace(None), "terrace: step: got None"),
        (lambda: noise.terrace(1, flat=1.5), r"terrace: flat: got 1\.5; give the share"),
        (lambda: noise.remap([(1, 0), (0, 1)], smooth=True), "sort the pairs"),
        (lambda: noise.remap([(0, 0), (1e-300, 1e300)], smooth=True), "too steep"),
        (lambda: where(3, 1, 2), "condition: got 3"),
        (lambda: where(noise > 0, noise > 0, 2), "field: got the condition"),
        (lambda: lerp("a", 0, noise), "field: got 'a'"),
    ],
)
def test_what_cannot_be_shaped_is_refused(make, says):
    with pytest.raises(InputError, match=says):
        make()


SHAPES = {
    "smooth": lambda field: field.remap([(-1, 0), (0, 3), (1, 4)], smooth=True),
    "terrace": lambda field: (field * 9).terrace(2),
    "power": lambda field: (field + 1) ** 0.3,
    "where": lambda field: where(field > 0, field, lerp(field, 3, field)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_window_is_cut_from_the_whole(name):
    field = SHAPES[name](noise)
    whole = field.sample(Grid(-300, 1e6, 0.5, 700, 90))
    assert np.array_equal(field.sample(Grid(0, 1e6 + 10, 0.5, 77, 60), threads=1), whole[20:80, 600:677])


# --- samples in float32, into given arrays ----------------------------------------------------------------


def test_samples_are_rounded_once():
    hills, grid = noise * 300, Grid(0, 0, 1, 600, 130)
    exact = hills.sample(grid)
    single = hills.sample(grid, dtype=np.float32)
    assert single.dtype == np.float32
    assert np.array_equal(single, exact.astype(np.float32))
    out = np.zeros(grid.shape, np.float32)
    assert hills.sample(grid, out=out) is out
    assert np.array_equal(out, single)
    part = np.zeros((200, 700))
    hills.sample(grid, out=part[20:150, 50:650])
    assert np.array_equal(part[20:150, 50:650], exact)
    assert not part[:20].any()
    boxed = np.empty((2, *grid.shape))
    assert hills.sample(grid, z=[0, 1], out=boxed) is boxed
    assert np.array_equal(boxed[1], exact)
    assert (noise * 1e300).sample(Grid(0.5, 0.5, 1, 2, 1), dtype="float32").tolist()[0][0] in (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"dtype": np.int32}, "dtype: got <class 'numpy.int32'>; give float64 or float32"),
        ({"dtype": "metres"}, "dtype: got 'metres'"),
        ({"out": np.empty((2, 3))}, r"out: got shape \(2, 3\) of float64; give a writable array of shape \(3, 2\)"),
        ({"out": np.empty((3, 2), np.int16)}, "dtype: got dtype"),
        ({"out": np.empty((3, 2)), "dtype": np.float32}, "of float64; give .* of float32"),
        ({"out": np.broadcast_to(0.0, (3, 2))}, "writable"),
        ({"out": [[0.0]]}, r"out: got \[\[0\.0\]\]"),
    ],
)
def test_bad_outs_are_refused(options, says):
    with pytest.raises(InputError, match=says):
        noise.sample(Grid(0, 0, 1, 2, 3), **options)
