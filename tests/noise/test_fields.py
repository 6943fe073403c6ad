"""Noise fields: what every basis offers through the public functions, and what they refuse."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import perlin, perlin_classic, simplex, value, worley
from weald.geometry import Grid

GRID = Grid(xmin=-190, ymin=35, spacing=0.75, nx=600, ny=80)
MAKERS = {
    "perlin": perlin,
    "perlin 3D": lambda *args, **more: perlin(*args, dimensions=3, **more),
    "perlin 4D": lambda *args, **more: perlin(*args, dimensions=4, **more),
    "simplex": simplex,
    "simplex 3D": lambda *args, **more: simplex(*args, dimensions=3, **more),
    "simplex 4D": lambda *args, **more: simplex(*args, dimensions=4, **more),
    "value": value,
    "value 3D": lambda *args, **more: value(*args, dimensions=3, **more),
    "value 4D": lambda *args, **more: value(*args, dimensions=4, **more),
    "classic": perlin_classic,
    "worley f1": worley,
    "worley f2-f1 3D": lambda *args, **more: worley(*args, feature="f2-f1", dimensions=3, **more),
    "worley id": lambda *args, **more: worley(*args, feature="id", jitter=0.8, **more),
}
TILING = [name for name in MAKERS if "simplex" not in name]
FORMS = ("fbm", "ridged", "billow")


def places(field, count=2000, spread=300.0):
    return np.random.default_rng(3).uniform(-spread, spread, (field.dimensions, count))


def forms(noise, **more):
    return [getattr(noise, form)(octaves=4, **more) for form in FORMS]


# --- one octave -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKERS)
def test_noise_at_whole_metres_is_not_constant(name):
    """Case 1: gradient noise is zero on its lattice, so lattices are shifted."""
    for seed in range(12):
        noise = MAKERS[name](seed, 1.0)
        whole = np.random.default_rng(seed).integers(-99, 99, (noise.dimensions, 500)).astype(float)
        for field in (noise, noise.fbm(octaves=3)):
            assert field(*whole).std() > 0.05


@pytest.mark.parametrize("name", MAKERS)
def test_scale_is_the_inverse_of_frequency(name):
    one, other = MAKERS[name](5, scale=16), MAKERS[name](5, 1 / 16)
    at = places(one)
    assert np.array_equal(one(*at), other(*at))
    assert "scale=16.0" in repr(one)
    assert (one.seed, one.frequency) == (5, 1 / 16)


@pytest.mark.parametrize("name", MAKERS)
def test_seeds_kinds_and_octaves_are_independent(name):
    at = places(MAKERS[name](0, 0.31), 20_000)
    values = [MAKERS[name](seed, 0.31)(*at) for seed in (0, 1, -1, "0")]
    twice = MAKERS[name](0, 0.31).fbm(octaves=2, gain=1.0, lacunarity=1.0)(*at) * 2 - values[0]
    assert np.abs(np.corrcoef([*values, twice]) - np.eye(5)).max() < 0.04


def test_no_two_bases_share_a_lattice():
    at = np.random.default_rng(3).uniform(-300, 300, (4, 20_000))
    values = [make(7, 0.31) for make in MAKERS.values()]
    values = [field(*at[: field.dimensions]) for field in values if "id" not in repr(field)]
    assert np.abs(np.corrcoef(values) - np.eye(len(values))).max() < 0.05


@pytest.mark.parametrize(
    ("noise", "text"),
    [
        (perlin(3, 0.5), "perlin(seed=3, frequency=0.5)"),
        (value("a", scale=20, dimensions=4), "value(seed='a', scale=20.0, dimensions=4)"),
        (perlin(3, scale=20, period=200), "perlin(seed=3, scale=20.0, period=200.0)"),
        (perlin(3, scale=20, period=(200, 200)), "perlin(seed=3, scale=20.0, period=200.0)"),
        (perlin(3, scale=20, period=(200, 400)), "perlin(seed=3, scale=20.0, period=(200.0, 400.0))"),
        (perlin(3, scale=20, period=(None, 200)), "perlin(seed=3, scale=20.0, period=(None, 200.0))"),
        (
            value(3, scale=20, dimensions=3, period=(200, 200, 40)),
            "value(seed=3, scale=20.0, dimensions=3, period=(200.0, 200.0, 40.0))",
        ),
    ],
)
def test_texts_say_what_is_not_the_default(noise, text):
    assert repr(noise) == text
    assert repr(eval(text, {"perlin": perlin, "value": value})) == text


@pytest.mark.parametrize("name", MAKERS)
def test_fields_pickle_and_write_themselves(name):
    names = {"perlin": perlin, "simplex": simplex, "value": value, "worley": worley, "perlin_classic": perlin_classic}
    noise = MAKERS[name]("seed", 0.05)
    at = places(noise, 50)
    for field in (noise, *forms(noise, gain=0.4, weighted_strength=0.5)):
        assert np.array_equal(pickle.loads(pickle.dumps(field))(*at), field(*at))
        assert np.array_equal(eval(repr(field), dict(names))(*at), field(*at))


# --- octaves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKERS)
def test_one_octave_is_the_noise_itself(name):
    noise = MAKERS[name](2, 0.1)
    at = places(noise)
    assert np.array_equal(noise.fbm(octaves=1)(*at), noise(*at))
    assert np.array_equal(noise.fbm(octaves=1, gain=0.3, weighted_strength=1)(*at), noise(*at))


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("strength", [0.0, 0.6])
def test_fractals_are_what_their_formulas_say(name, strength):
    noise = MAKERS[name](2, 0.1)
    at = places(noise)
    one_gain = [noise.fbm(octaves=k, gain=1.0)(*at) * k for k in range(1, 5)]
    octaves = [one_gain[0], *np.diff(one_gain, axis=0)]
    low, high = noise.range
    for form in FORMS:
        total, weight, held = 0.0, 0.0, 1.0
        for k, octave in enumerate(octaves):
            m = (2 * octave - low - high) / (high - low)
            term = {"fbm": octave, "ridged": (1 - abs(m)) ** 2, "billow": 2 * abs(m) - 1}[form]
            level = {"fbm": (m + 1) / 2, "ridged": term, "billow": abs(m)}[form]
            total, weight = total + 0.5**k * held * term, weight + 0.5**k
            held = held * (1 - strength + strength * level)
        expected = total / weight * 2 - 1 if form == "ridged" else total / weight
        found = getattr(noise, form)(octaves=4, weighted_strength=strength)(*at)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("octaves", [1, 3, 12])
@pytest.mark.parametrize("gain", [0.3, 1.0])
def test_sums_stay_within_the_range_and_fill_the_share_documented(name, octaves, gain):
    """Case 3, for every basis; that of Perlin noise in the plane at a million places is in test_noise."""
    noise = MAKERS[name]("case 3", 0.37)
    at = places(noise, 20_000 if "worley" in name else 250_000 if octaves < 12 else 40_000, 1500)
    low, high = noise.range
    for strength in (0.0, 1.0):
        values = noise.fbm(octaves, gain, weighted_strength=strength)(*at)
        assert low <= values.min()
        assert values.max() <= high
        if strength == 0.0 and "worley" not in name:
            alone = {"perlin 3D": 0.7, "perlin 4D": 0.55, "perlin": 0.9, "classic": 0.9}.get(name, 0.95)
            amplitudes = gain ** np.arange(octaves)
            share = alone * math.sqrt((amplitudes**2).sum()) / amplitudes.sum()
            # fewer places than the million of the promise
            assert min(-values.min(), values.max()) >= 0.93 * share
        for form in ("ridged", "billow"):
            values = getattr(noise, form)(octaves, gain, weighted_strength=strength)(*at)
            assert -1 <= values.min()
            assert values.max() <= 1


@pytest.mark.parametrize(("dimensions", "share"), [(2, 0.75), (3, 0.6)])
@pytest.mark.parametrize("feature", ["f1", "f2", "f2-f1"])
def test_distances_fill_the_share_documented(feature, dimensions, share):
    noise = worley("case 3", 0.37, feature=feature, dimensions=dimensions)
    assert noise(*places(noise, 1_000_000, 1500)).max() >= share * noise.range[1]


def test_ridges_and_billows_fill_the_share_documented():
    noise = perlin("case 3", 0.37)
    at = places(noise, 1_000_000, 1500)
    ridged, billow = noise.ridged()(*at), noise.billow()(*at)
    assert ridged.min() < -0.7
    assert ridged.max() > 0.9
    assert billow.min() < -0.9
    assert billow.max() > 0.35


def test_ridges_are_creases_at_the_top_and_billows_at_the_bottom():
    line = np.linspace(0, 60, 60_001)
    noise = perlin(1, 0.1)
    for field, sign in ((noise.ridged(octaves=1), 1), (noise.billow(octaves=1), -1)):
        turns = np.diff(sign * field(line, 0.3), 2)
        top = sign * field(line, 0.3)[1:-1]
        # slopes break only where the field is at its very end
        assert (top[turns < -1e-5] > 0.99).all()
        assert (turns < -1e-5).any()


# --- derivatives ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in MAKERS if "id" not in name])
def test_gradients_are_those_of_the_values(name):
    noise = MAKERS[name](4, 0.08)
    for field in (noise, noise.fbm(octaves=3, gain=0.6, lacunarity=2.3)):
        at = places(field, 600, 90)
        assert len(field.gradient) == field.dimensions
        for axis, slope in enumerate(field.gradient):
            ahead, behind = at.copy(), at.copy()
            ahead[axis] += 1e-4
            behind[axis] -= 1e-4
            wrong = np.abs((field(*ahead) - field(*behind)) / 2e-4 - slope(*at)) > 1e-6
            # distances have creases, which few steps cross
            assert wrong.mean() <= (0.01 if "worley" in name else 0.0)
            assert slope.dimensions == field.dimensions
            values = slope(*at)
            assert slope.range[0] <= values.min()
            assert values.max() <= slope.range[1]
        assert repr(field.gradient[1]) == f"{field!r}.gradient[1]"


def test_derivatives_that_are_needed_together_are_found_once(monkeypatch):
    from weald.fields import fractal

    calls = []
    real = fractal.evaluate
    monkeypatch.setattr(fractal, "evaluate", lambda *args, **more: calls.append(1) or real(*args, **more))
    gx, gy = simplex(1, 0.1).fbm(octaves=3).gradient
    steepness = gx * gx + gy * gy
    assert float(steepness(3, 4)) == pytest.approx(float(gx(3, 4)) ** 2 + float(gy(3, 4)) ** 2)
    assert len(calls) == 3 + 2 * 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worley(1, 0.1, feature="id").gradient, r"gradient: `worley\(.*\)` is flat with steps and has none"),
        (lambda: value(1, 0.1).fbm(weighted_strength=0.5).gradient, "has none; give fbm, with weighted_strength=0"),
        (lambda: simplex(1, 0.1).ridged().gradient, r"gradient: `simplex.*ridged.*` has none; give fbm"),
    ],
)
def test_what_has_no_gradient_says_so(call, message):
    with pytest.raises(InputError, match=message):
        call()


# --- periods ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TILING)
def test_with_a_period_values_and_slopes_repeat_bit_for_bit(name):
    noise = MAKERS[name](6, 0.25, period=8.0)
    at = np.round(places(noise, 500, 40) * 256) / 256
    fields = [noise, *forms(noise, lacunarity=3.0)]
    if "id" not in name:
        fields += [*noise.gradient, *noise.fbm(octaves=3).gradient]
    for field in fields:
        here = field(*at)
        assert here.std() > 0.02
        for axis in range(noise.dimensions):
            away = at.copy()
            away[axis] += 8.0 * np.random.default_rng(axis).integers(-1000, 1000, at.shape[1])
            assert np.array_equal(here, field(*away))
        # it does not repeat sooner
        away = at.copy()
        away[0] += 4.0
        assert not np.array_equal(here, field(*away))


@pytest.mark.parametrize("name", [name for name in TILING if "worley" not in name])
def test_a_tile_fits_itself_at_its_edges(name):
    """Case 5: value and gradient match across the edge."""
    noise = MAKERS[name](6, 1.0, period=8.0)
    tile = noise.fbm(octaves=4)
    rest = places(noise, 200, 8)[1:]
    for field in (tile, *tile.gradient):
        before, after = field(8.0 - 1e-9, *rest), field(0.0, *rest)
        assert np.abs(before - after).max() < 1e-5


def test_a_period_may_be_that_of_one_axis():
    field = perlin(6, 0.5, period=(8, None), dimensions=2).fbm(octaves=2)
    x, y = np.round(places(field, 300) * 64) / 64
    assert np.array_equal(field(x, y), field(x + 8, y))
    assert abs(np.corrcoef(field(x, y), field(x, y + 8))[0, 1]) < 0.3


def test_a_long_period_is_the_noise_without_one():
    x, y = places(perlin(1, 0.5), 500, 10) + 20
    for make in (perlin, value, worley, perlin_classic):
        free, tiled = make(1, 0.5), make(1, 0.5, period=2.0**30)
        assert tiled(x, y) == pytest.approx(free(x, y), abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: perlin(1, 1.0, period=8.5),
            r"period: 8.5 m is 8.5 cells of 1 m; give a whole number of cells: 8 m \(8 cells\) or 9 m \(9 cells\)",
        ),
        (lambda: perlin(1, scale=100, period=30), r"0.3 cells of 100 m; .*: 100 m \(1 cells\) or 200 m"),
        (
            lambda: perlin(1, 1.0, period=8).fbm(octaves=3, lacunarity=2.1),
            r"lacunarity: with 2.1 the period of 8 m is 16.8 cells at octave 1, so it would not repeat; "
            r"give a whole number, such as 2 or 3",
        ),
        (lambda: value(1, 1.0, period=-8), r"period: got -8; give metres above 0, or None for no period"),
        (lambda: value(1, 1.0, period="8"), r"period: got '8'"),
        (lambda: value(1, 1.0, period=object), r"period: got <class 'object'>; give metres above 0"),
        (lambda: value(1, 1.0, period=(8, 8, 8)), r"period: got \(8, 8, 8\); give one length in metres, or 2"),
    ],
)
def test_a_period_that_does_not_fit_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_lacunarity_that_fits_the_period_is_taken():
    field = perlin(1, 1.0, period=8).fbm(octaves=2, lacunarity=2.125)
    assert field(1.5, 2.25) == field(9.5, -5.75)


# --- places -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKERS)
def test_blocks_give_the_bits_of_points_on_any_number_of_threads(name):
    """Case 4: a grid from elsewhere is the same world, and so it is on several threads."""
    noise = MAKERS[name](9, 0.07)
    more = dict(zip("zw", (3.5, -8.25), strict=True))
    extra = {axis: more[axis] for axis in "zw"[: noise.dimensions - 2]}
    fields = [noise, *forms(noise, weighted_strength=0.3)] + ([] if "id" in name else [noise.fbm(3).gradient[1]])
    for field in fields:
        whole = field.sample(GRID, threads=1, **extra)
        assert np.array_equal(whole, field.sample(GRID, threads=8, **extra))
        x, y = np.broadcast_arrays(GRID.x, GRID.y[:, None])
        assert np.array_equal(whole, field(x.copy(), y.copy(), **extra))
        part = Grid(xmin=-190 + 50 * 0.75, ymin=35 + 7 * 0.75, spacing=0.75, nx=300, ny=40)
        assert np.array_equal(whole[7:47, 50:350], field.sample(part, **extra))


@pytest.mark.parametrize("name", MAKERS)
@given(data=st.data())
@settings(max_examples=10)
def test_one_place_alone_gives_the_bits_of_many(name, data):
    field = MAKERS[name](9, 0.07).fbm(octaves=3, weighted_strength=0.5)
    at = np.array(data.draw(st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * field.dimensions), min_size=2, max_size=9)))
    many = field(*at.T)
    assert np.array_equal(many, [field(*place) for place in at])


@pytest.mark.parametrize("name", [name for name in MAKERS if "id" not in name])
def test_far_from_the_origin_noise_looks_as_it_does_near(name):
    field = MAKERS[name](8, 0.25).fbm(octaves=4)
    steps = np.arange(4096) / 128  # whole binary steps, so that 1e9 + step is exact
    steepest = sum(abs(end) for end in field.gradient[0].range) / 2
    for start in (0.0, 1e9, -1e9, 2.0**33):
        line = field(start + steps, *[-start + 0.5] * (field.dimensions - 1))
        assert line.std() > 0.04
        assert np.abs(np.diff(line)).max() < steepest / 128 + 1e-5


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: perlin(1), "frequency: got neither of frequency and scale; give one: cycles a metre, or metres a"),
        (lambda: perlin(1, 0.1, scale=10), "frequency: got both of frequency and scale"),
        (lambda: perlin(1, scale=0), "scale: got 0; give metres a cycle, at least 1e-9"),
        (lambda: perlin(1, scale=math.inf), "scale: got inf; give metres"),
        (lambda: simplex(1, -2), "frequency: got -2; give cycles a metre, above 0"),
        (lambda: simplex(1, 0.1, dimensions=5), r"dimensions: got 5; give 2 for \(x, y\), 3 for"),
        (lambda: worley(1, 0.1, dimensions=4), r"dimensions: got 4; give 2 for \(x, y\) or 3"),
        (lambda: worley(1, 0.1, feature="f1-f2"), "feature: got 'f1-f2'; give one of f1, f2, f2-f1, id"),
        (lambda: worley(1, 0.1, jitter=1.5), "jitter: got 1.5; give a number from 0 to 1"),
        (lambda: value(1.5, 0.1), "seed: got 1.5; give an integer or a string"),
        (lambda: value(1, 0.1).ridged(octaves=0), "octaves: got 0; give a whole number from 1 to 32"),
        (lambda: value(1, 0.1).billow(gain=0), "gain: got 0; give a number above 0"),
        (lambda: value(1, 0.1).fbm(weighted_strength=2), "weighted_strength: got 2; give a number from 0 to 1"),
        (lambda: simplex(1, 0.1, dimensions=3)(1, 2), "z: not given, but `simplex"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
