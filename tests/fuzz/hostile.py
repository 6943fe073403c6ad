"""Values that nobody should give, as plain data."""

from random import Random
from typing import Any

NUMBERS = (
    0, 1, -1, 2, 0.5, -0.0, 1e-9, 1e-170, 1e-200, 1e-300, 1e-310, 1e-320, 5e-324, 1e9, 1e17, 1e154, 1e200, 1e308,
    -1e308, 2**31, 2**32, 2**53, 2**63, 2**64, -(2**63), 10**30, 10**400, -(10**400),
    float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
TEXTS = ("", " ", "a", "x", "\0", "é", "日本", "\ud800", "../a", "nan", "1e400", "'", '"', "(", "#ffffff", "NAME " * 50)


def number(random: Random) -> Any:
    """Return a number, as like as not an odd one."""
    if random.random() < 0.3:
        return round(random.uniform(-100, 100), random.randrange(6))
    if random.random() < 0.2:
        return random.choice((1.0, -1.0)) * 10.0 ** random.randint(-320, 308)
    return random.choice(NUMBERS)


def value(random: Random, depth: int = 2) -> Any:
    """Return anything that JSON or TOML can say, and None."""
    kind = random.randrange(8 if depth else 6)
    if kind < 3:
        return number(random)
    if kind == 3:
        return random.choice(TEXTS)
    if kind == 4:
        return random.choice((True, False, None))
    if kind == 5:
        return random.choice(([], {}))
    if kind == 6:
        return [value(random, depth - 1) for _ in range(random.randrange(5))]
    return {random.choice(TEXTS): value(random, depth - 1) for _ in range(random.randrange(3))}


def changed(random: Random, content: Any) -> Any:
    """Return nested content with one place of it replaced, left out, doubled, or exchanged with another."""
    places = list(_places(content))
    if not places:
        return value(random)
    path = random.choice(places)
    kind = random.randrange(10)
    if kind < 6:
        old = _at(content, path)
        new = number(random) if isinstance(old, int | float) and random.random() < 0.7 else value(random)
    elif kind == 6:
        new = _at(content, random.choice(places))
    elif kind == 7:
        new = [_at(content, path)] * random.choice((1, 2, 40))
    else:
        return _without(content, path)
    return _with(content, path, new)


def _places(content: Any, path: tuple = ()):
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))


def _at(content: Any, path: tuple) -> Any:
    for key in path:
        content = content[key]
    return content


def _with(content: Any, path: tuple, new: Any) -> Any:
    if not path:
        return new
    copy = content.copy()
    copy[path[0]] = _with(content[path[0]], path[1:], new)
    return copy


def _without(content: Any, path: tuple) -> Any:
    parent = _at(content, path[:-1]).copy()
    del parent[path[-1]]
    return _with(content, path[:-1], parent)
