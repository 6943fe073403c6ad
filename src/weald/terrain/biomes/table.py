"""The table of biomes: plain rows, read and checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weald.errors import InputError, nearest
from weald.hashing import Seed, key
from weald.numbers import number_in
from weald.terrain.biomes.zones import Kinds

CLASSIC: Mapping[str, Any] = {
    "biome": [
        {"name": "water", "color": "#3f6f92", "where": {"height": {"below": 0.3}}},
        {"name": "snow", "color": "#dfe5e9", "where": {"height": {"from": 0.85}}},
        {
            "name": "marsh",
            "color": "#6f8f72",
            "where": {"height": {"below": 0.55}, "moisture": {"from": 0.6}},
        },
        {
            "name": "desert",
            "color": "#dcc48a",
            "where": {"height": {"below": 0.55}, "moisture": {"below": 0.4}},
        },
        {"name": "grassland", "color": "#a3b56a", "where": {"height": {"below": 0.55}}},
        {"name": "dense forest", "color": "#3f6a42", "where": {"moisture": {"from": 0.5}}},
        {"name": "rocky mountains", "color": "#958a80"},
    ]
}
"""Height and moisture, both in [0, 1]: extremes of height first, then moisture."""

_TABLE_KEYS = ("biome", "weights", "blend_radius", "seed")
_BIOME_KEYS = ("name", "color", "where", "at")
_LIMIT_KEYS = ("from", "below")


@dataclass(frozen=True, slots=True)
class Table:
    """What a table of biomes says, checked against the axes of a climate.

    Attributes
    ----------
    ranges : bool
        Whether biomes are told by ranges, not by the nearest place.
    limits : tuple of dict
        By ranges: for each biome the half-open ranges ``(low, high)`` of its axes.
    places : tuple of dict
        By the nearest: for each biome its place on every axis.
    weights : dict
        By the nearest: the factor of every axis.
    """

    kinds: Kinds
    ranges: bool
    limits: tuple[dict[str, tuple[float, float]], ...]
    places: tuple[dict[str, float], ...]
    weights: dict[str, float]
    blend_radius: float | None
    seed: Seed


def read(table: Mapping[str, Any], axes: tuple[str, ...]) -> Table:
    """Return a table of biomes, or say what is wrong with it; `Biomes.from_table` says what it holds."""
    _keys(table, "biomes", _TABLE_KEYS)
    rows = table.get("biome")
    if isinstance(rows, (str, Mapping)) or not isinstance(rows, Sequence) or not rows:
        raise InputError(f"biomes: biome is {rows!r}; give a list of at least one, each with {', '.join(_BIOME_KEYS)}")
    for number, row in enumerate(rows):
        _keys(row, f"biomes: number {number}", _BIOME_KEYS)
    kinds = Kinds.of([row.get("name") for row in rows], [row.get("color") for row in rows], "biomes")
    ranges = not any("at" in row for row in rows)
    named = list(zip(kinds.names, rows, strict=True))
    if not ranges:
        for name, row in named:
            if "where" in row or "at" not in row:
                given = "where" if "where" in row else "neither where nor at"
                raise InputError(f"biomes: {name!r} has {given}, but another has at; give at for all, or where for all")
    if ranges and "weights" in table:
        raise InputError("biomes: weights are for biomes told by at; leave them out")
    seed = table.get("seed", 0)
    key(seed)
    return Table(
        kinds,
        ranges,
        _limits(named, axes) if ranges else (),
        () if ranges else tuple(_place(name, row["at"], axes) for name, row in named),
        _weights(table.get("weights", {}), axes),
        _radius(table["blend_radius"]) if "blend_radius" in table else None,
        seed,
    )


def _limits(
    named: Sequence[tuple[str, Mapping[str, Any]]], axes: tuple[str, ...]
) -> tuple[dict[str, tuple[float, float]], ...]:
    limits: list[dict[str, tuple[float, float]]] = []
    for name, row in named:
        where = row.get("where", {})
        _keys(where, f"biomes: where of {name!r}", axes, "axis of the climate")
        ranges = {axis: _range(f"biomes: {axis} of {name!r}", limit) for axis, limit in where.items()}
        for earlier, (other, _) in zip(limits, named, strict=False):
            if all(axis in ranges and _within(ranges[axis], limit) for axis, limit in earlier.items()):
                raise InputError(
                    f"biomes: {name!r} never occurs: {other!r} comes before it and holds wherever it does; "
                    "put the narrower first"
                )
        limits.append(ranges)
    if limits[-1]:
        raise InputError(
            f"biomes: {named[-1][0]!r} is the last and has where, so some places may have no biome; "
            "give the last no where: it takes the rest"
        )
    return tuple(limits)


def _within(inner: tuple[float, float], outer: tuple[float, float]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _range(what: str, limit: Any) -> tuple[float, float]:
    _keys(limit, what, _LIMIT_KEYS)
    if not limit:
        raise InputError(f"{what}: is empty; give from, below, or both")
    low = _number(f"{what}: from", limit["from"]) if "from" in limit else -math.inf
    high = _number(f"{what}: below", limit["below"]) if "below" in limit else math.inf
    if not low < high:
        raise InputError(f"{what}: from {low:g} below {high:g} is empty; give from < below")
    return low, high


def _place(name: str, at: Any, axes: tuple[str, ...]) -> dict[str, float]:
    _keys(at, f"biomes: at of {name!r}", axes, "axis of the climate")
    missing = [axis for axis in axes if axis not in at]
    if missing:
        raise InputError(
            f"biomes: at of {name!r} has no {', '.join(missing)}; give a number for every axis of the climate"
        )
    return {axis: _number(f"biomes: {axis} of {name!r}", at[axis]) for axis in axes}


def _weights(given: Any, axes: tuple[str, ...]) -> dict[str, float]:
    _keys(given, "biomes: weights", axes, "axis of the climate")
    weights = {axis: _number(f"biomes: weight of {axis}", given.get(axis, 1.0)) for axis in axes}
    for axis, weight in weights.items():
        if weight < 0.0:
            raise InputError(f"biomes: weight of {axis}: got {weight:g}; give 0 or more")
    if not any(weights.values()):
        raise InputError("biomes: weights are 0 for every axis; give one above 0")
    return weights


def _radius(value: Any) -> float:
    radius = _number("biomes: blend_radius", value)
    if radius <= 0.0:
        raise InputError(f"biomes: blend_radius: got {radius:g}; give metres above 0")
    return radius


def _number(what: str, value: Any) -> float:
    return number_in(what, value, "a finite number")


def _keys(value: Any, what: str, allowed: Iterable[str], kind: str = "key") -> None:
    known = tuple(allowed)
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: got {value!r}; give a table with {', '.join(known)}")
    for name in value:
        if name not in known:
            raise InputError(f"{what}: no {kind} {name!r}{nearest(str(name), known)}; there is {', '.join(known)}")
