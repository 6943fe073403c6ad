"""Formulas: by their grammar, from any tokens, and with letters changed."""

from random import Random

import numpy as np

from tests.fuzz.hostile import NUMBERS, TEXTS
from tests.fuzz.rule import Rule
from weald.fields import Field, distance_to, inside, perlin
from weald.fields.formula import FUNCTIONS, parse_formula
from weald.terrain.caves import connected, pockets, smoothed, speckle

_SQUARE = [(-2, -2), (3, -2), (3, 3), (-2, 3)]
_NAMES = {
    "x": Field.of(lambda x, y: x),
    "hills": perlin(1, scale=40).fbm(octaves=2),
    "cut": perlin(2, scale=9).clamp(0, 0.5),
    "flat": Field.of(3.0),
    "meadow": inside(_SQUARE),
    "steep": perlin(3, scale=20) > 0.2,
}
_MORE = {
    "distance": lambda name: distance_to(_SQUARE),
    "speckle": lambda name, rock=0.48: speckle(7, 1.0, rock=rock),
    "smoothed": smoothed,
    "pockets": pockets,
    "connected": connected,
}
_CHEAP = [name for name in (*FUNCTIONS, *_MORE) if name not in ("smoothed", "connected")]
_TOKENS = (
    *_NAMES, *FUNCTIONS, *_MORE, *"()[]{},.:=<>+-*/%@|&^~!\"'\\", "**", "//", "<=", "==", "and", "or", "not", "if",
    "else", "lambda", "for", "in", "is", "await", "1", "0", "-1", "1e400", "0x10", "1j", "1_0", "None", "True", "'a'",
    "...", "\n", "\t", "#", "smooth=True", "steps=3", "*", "é", "𝐱", "\0",
)  # fmt: skip
_PLACES = np.linspace(-9.5, 11.5, 5)


def _number(random: Random) -> str:
    if random.random() < 0.93:
        return repr(random.choice((0, 1, 2, 0.5, 3.0, 12, 1e-3, round(random.uniform(-50, 50), 2))))
    return repr(random.choice(NUMBERS)) if random.random() < 0.9 else repr(10.0 ** random.randint(-320, 308))


def _formula(random: Random, depth: int) -> str:
    """Return a formula that is mostly sound, of no more than so many steps."""
    if depth == 0 or random.random() < 0.15:
        return random.choice((*_NAMES, _number(random)))
    kind = random.randrange(12)
    if kind < 4:
        sign = random.choice((" + ", " - ", " * ", " / ", "**", " < ", " <= ", " > ", " >= ", " and ", " or "))
        return f"({_formula(random, depth - 1)}{sign}{_formula(random, depth - 1)})"
    if kind == 4:
        return random.choice(("-", "+", "not ")) + _formula(random, depth - 1)
    if kind == 5:
        return f"{_number(random)} < {_formula(random, depth - 1)} <= {_number(random)}"
    if kind == 6:
        pairs = ", ".join(f"({_number(random)}, {_number(random)})" for _ in range(random.randrange(4)))
        return f"curve({_formula(random, depth - 1)}, {pairs}{random.choice(('', ', smooth=True'))})"
    if kind == 7 and random.random() < 0.2:  # automata are slow
        call = random.choice(("smoothed", "connected"))
        inner = random.choice(("steep", "meadow", "speckle('a')", _formula(random, 1)))
        more = random.choice(("", ", steps=2", f", cell={_number(random)}", f", {_number(random)}"))
        return f"{call}({inner}{more})"
    name = random.choice(_CHEAP)
    parts = [_part(random, depth) for _ in range(random.choice((1, 2, 2, 3, 3)))]
    return f"{name}({', '.join(parts)})"


def _part(random: Random, depth: int) -> str:
    kind = random.randrange(8)
    if kind < 4:
        return _formula(random, depth - 1)
    if kind < 7:
        return _number(random)
    return random.choice(("'meadow'", repr(random.choice(TEXTS)), "(1, 2)", "rock=0.4", "flat=2", "rough=hills"))


def _make(random: Random) -> str:
    kind = random.randrange(10)
    if kind == 0:
        return " ".join(random.choice(_TOKENS) for _ in range(random.randrange(1, 20)))
    if kind == 1:  # long or deep
        inner, times = _formula(random, 1), random.choice((5, 50, 400, 2000))
        sign = random.choice((" + ", " * ", " - ", " and ", " or ", " < ", "**"))
        return random.choice((sign.join([inner] * times), f"{'abs(' * times}{inner}{')' * times}", "-" * times + inner))
    text = _formula(random, random.randrange(1, 6))
    if kind > 7 and text:
        at = random.randrange(len(text))
        text = text[:at] + random.choice((*_TOKENS, "", "")) + text[at + random.randrange(2) :]
    return text


def _run(text: str) -> None:
    value = parse_formula(text, _NAMES, _MORE)
    repr(value)
    if isinstance(value, Field):
        assert value.range[0] <= value.range[1]
    value(_PLACES, _PLACES[::-1])


FORMULAS = Rule("formulas", _make, _run, quick=1500, share=12)
