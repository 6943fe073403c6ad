"""Formulas: what they say, against the algebra that they stand for, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.fields import Condition, Field, lerp, perlin, where
from weald.fields.formula import parse_condition, parse_field, parse_formula

EAST, NORTH = Field.of(lambda x, y: x, range=(-100, 100)), Field.of(lambda x, y: y, range=(-100, 100))
POND = EAST.clamp(-5, 5) > NORTH
NAMES = {"east": EAST, "north": NORTH, "hills": perlin(1, 0.01), "pond": POND}
X, Y = np.random.default_rng(1).uniform(-100, 100, (2, 50))


def same(text, expected):
    found = parse_formula(text, NAMES)
    assert type(found) is type(expected) or isinstance(found, type(expected))
    np.testing.assert_array_equal(found(X, Y), expected(X, Y))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("east", EAST),
        ("  east + 2 * north ", EAST + NORTH * 2),
        ("-east / 4 - -3", -EAST / 4 + 3),
        ("(east + 1) * (north - 1)", (EAST + 1) * (NORTH - 1)),
        ("max(east, north, 3)", EAST.max(NORTH).max(3)),
        ("min(3, east)", EAST.min(3)),
        ("abs(east)", abs(EAST)),
        ("clamp(east, -1, 2 * 3)", EAST.clamp(-1, 6)),
        ("smoothstep(east, 0, 10)", EAST.smoothstep(0, 10)),
        ("curve(east, (0, 0), (10, 1), (20, -1))", EAST.remap([(0, 0), (10, 1), (20, -1)])),
        ("curve(east, (0, 0), (10, 1), (20, -1), smooth=True)", EAST.remap([(0, 0), (10, 1), (20, -1)], smooth=True)),
        ("lerp(east, 3, 0.25)", lerp(EAST, 3, 0.25)),
        ("where(pond, 1, east)", where(POND, 1, EAST)),
        ("sqrt(abs(east))", abs(EAST).sqrt()),
        ("terrace(east, 10)", EAST.terrace(10)),
        ("warp(hills, north, 3)", perlin(1, 0.01).warp(NORTH, 3)),
        ("translate(hills, 5, 6) + scale(hills, 2)", perlin(1, 0.01).translate(5, 6) + perlin(1, 0.01).scale(2)),
        ("rotate_deg(hills, 30)", perlin(1, 0.01).rotate_deg(30)),
        ("east ** 2", EAST**2),
        ("300 * hills", perlin(1, 0.01) * 300),
        ("2 ** 3 * east", EAST * 8),
        ("east > 2", EAST > 2),
        ("0 < east <= 30", (EAST > 0) & (EAST <= 30)),
        ("3 > east", EAST < 3),
        ("east > 2 and north < 0 or not pond", ((EAST > 2) & (NORTH < 0)) | ~POND),
        ("not (east >= 2)", ~(EAST >= 2)),
        ("True", Condition.of(True)),
        ("7", Field.of(7)),
    ],
)
def test_says_what_python_says(text, expected):
    same(text, expected)


@given(
    st.recursive(
        st.sampled_from(["east", "north", "2.5"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
            inner.map(lambda t: f"-{t}"),
        ),
        max_leaves=12,
    )
)
def test_against_python_on_numbers(text):
    found = Field.of(parse_field(text, NAMES))
    for x, y in zip(X[:5].tolist(), Y[:5].tolist(), strict=True):
        assert float(found(x, y)) == eval(text, {"east": x, "north": y, "min": min, "max": max})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1 < 2", "1 < 2"),
        ("hills < 3", "perlin(seed=1, frequency=0.01) < 3"),
        ("3 < hills", "perlin(seed=1, frequency=0.01) > 3"),
        ("1 < 2 < hills", "(1 < 2) & (perlin(seed=1, frequency=0.01) > 2)"),
    ],
)
def test_comparisons_are_written_as_fields_write_them(text, written):
    assert repr(parse_condition(text, NAMES)) == written


def test_functions_of_ones_own_take_words():
    distance = {"distance": lambda what, within=9.0: {"road": EAST}[what].min(within)}
    found = parse_field("distance('road', within=2)", {}, distance)
    np.testing.assert_array_equal(found(X, Y), EAST.min(2)(X, Y))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("easst > 2", r"rule: 'easst' is unknown \(did you mean 'east'\?\); known: east, north, hills, pond"),
        ("mox(east, 1)", r"rule: 'mox' is no function \(did you mean 'max'\?\); known: abs, clamp"),
        ("east >", "rule: 'east >' is no formula"),
        ("", "rule: '' is no formula"),
        ("east == 2", "rule: 'east == 2' asks whether numbers are equal"),
        ("east and pond", "rule: 'east' is a number at every place; give a condition"),
        ("pond + 1", "rule: 'pond' is a condition; give a number or a field"),
        ("max", r"rule: 'max' is a function; call it: max\(...\)"),
        ("east.min", "rule: 'east.min' cannot be said in a formula"),
        ("__import__('os')", "rule: '__import__' is no function"),
        ("[x for x in east]", "cannot be said in a formula"),
        ("(lambda: 1)()", "cannot be said in a formula"),
        ("clamp(east, 3, 1)", "rule: 'clamp.east, 3, 1.' cannot be: clamp: got"),
        ("clamp(east)", "rule: 'clamp.east.' cannot be"),
        ("9 ** 9 ** 9 ** 9", "cannot be"),
        ("1 / 0", "rule: '1 / 0' cannot be"),
        ("'road'", "is a word; give a field or a condition"),
        ("max(*east)", "cannot be said in a formula"),
        ("(" * 4900 + "east" + ")" * 4900, "rule: .*(nested|no formula)"),
        ("east + " * 2000 + "east", "has 14,004 characters; give at most 10,000"),
        ("east\x00", "rule: "),
        ("1e999 * east", "rule: "),
    ],
)
def test_what_cannot_be_said(text, message):
    with pytest.raises(InputError, match=message):
        parse_formula(text, NAMES, name="rule")


def test_number_or_yes_and_no():
    with pytest.raises(InputError, match="is a condition, a yes or no; give a number"):
        parse_field("east > 1", NAMES)
    with pytest.raises(InputError, match="is a number at every place; give a condition, such as: east > 0"):
        parse_condition("east", NAMES)
