"""Climate: the named fields that biomes are read from."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from itertools import combinations

from weald.errors import InputError
from weald.fields import Field, FieldLike
from weald.fields.expression import Expression

_MADE_BY = re.compile(r"(\w+)\(seed=(.+?), (frequency|scale)=([^,)]+)")


def checked_climate(climate: Mapping[str, FieldLike]) -> dict[str, Field]:
    """Return the axes of a climate as fields of the plane; warn where two of them are one pattern.

    Maps of one seed and one scale are the same map: where it is high it is wet, and half of the
    biomes never occur. An axis may share noise with another (temperature that falls with height) as
    long as it has some of its own.
    """
    if not isinstance(climate, Mapping) or not climate:
        raise InputError(f"climate: got {climate!r}; give fields by name, such as {{'height': ..., 'moisture': ...}}")
    axes = {}
    for name, value in climate.items():
        try:
            axes[name] = Field.of(value)
        except InputError as error:
            raise InputError(f"climate: {name}: {error}") from None
        if axes[name].dimensions > 2:
            raise InputError(f"climate: {name} is a function of more than (x, y); give a field of the plane")
    made = {name: _noises(field.expression) for name, field in axes.items()}
    for a, b in combinations(made, 2):
        if made[a] and made[a] == made[b]:
            kind, seed, frequency = min(made[a])
            warnings.warn(
                f"climate: {a} and {b} are made of the same noise ({kind}, seed {seed}, frequency {frequency}), "
                "so they are one map; give each a seed and a scale of its own",
                stacklevel=3,
            )
    return axes


def _noises(root: Expression) -> frozenset[tuple[str, str, float]]:
    """Return basis, seed and frequency of every noise in an expression; octaves and factors aside."""
    found, waiting, seen = set(), [root], {id(root)}
    while waiting:
        expression = waiting.pop()
        if not expression.parts and (made := _MADE_BY.match(expression.text())):
            kind, seed, unit, size = made.groups()
            found.add((kind, seed, float(size) if unit == "frequency" else 1.0 / float(size)))
        for part in expression.parts:
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
    return frozenset(found)
