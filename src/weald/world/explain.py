"""Why something stands at a place, or nothing does: every rule of every layer, asked there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weald.arguments import of_kind
from weald.errors import InputError
from weald.exact import length
from weald.geometry import Bounds
from weald.numbers import is_number, plain, shown_box
from weald.scatter.counting import Counted
from weald.scatter.growth import Growth
from weald.scatter.placements import Placements
from weald.scatter.rules import Rule, told
from weald.scatter.stand import Kept, Stand
from weald.world.world import World

Array = NDArray[np.float64]

_FARTHEST = 512.0
"""Metres within which the nearest instance is looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A rule, asked at a place: its text, the values of what it is made of, and the share that it allows.

    The share is NaN if the rule cannot be asked there.
    """

    text: str
    parts: Mapping[str, float | bool]
    share: float


@dataclass(frozen=True, slots=True)
class Near:
    """An instance near a place: layer, species, 64-bit id, distance in metres, and how far it keeps others off.

    ``by_hand`` tells that an edit put it there or changed it, so that no rule accounts for it.
    """

    layer: str
    species: str
    id: int
    distance: float
    keeps: float
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """What a layer has to say about a place.

    Attributes
    ----------
    layer : str
    why : str
        Why one of the layer stands there or not, in words.
    rules : tuple of Asked
        Its rules, in the order in which they are asked.
    share : float
        Their product.
    kept_off : Near or None
        The nearest instance of another layer, or a larger size class, that all of the layer's species keep off there.
    nearest : Near or None
        The nearest of its own.
    """

    layer: str
    why: str
    rules: tuple[Asked, ...]
    share: float
    kept_off: Near | None
    nearest: Near | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """What there is at a place: the ground, the biome, what stands nearest, and what each layer has to say.

    Heights are metres, angles degrees; NaN where there is no ground.
    """

    x: float
    y: float
    height: float
    slope_deg: float
    aspect_deg: float
    biome: str | None
    nearest: Near | None
    layers: tuple[Reason, ...]


def explain(world: World, x: float, y: float) -> Explanation:
    """Return why what stands at a place stands there, or why nothing does.

    Rules and distances are those of the world as it grows; the nearest instance is that of the world as it is, edits
    included.

    Raises
    ------
    InputError
        If the place is not finite, or not in the world.

    Examples
    --------
    >>> world = World.parse({
    ...     "weald": 1, "seed": 7, "noise": {"hills": {"frequency": 0.004}},
    ...     "ground": {"formula": "60 * hills", "spacing": 4},
    ...     "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
    ...     "layer": [{"name": "pines", "species": "pine", "radius": 8, "height": {"above": 100}}],
    ... })
    >>> explain(world, 50, 50).layers[0].why
    'nothing: the rule "height above 100 m" forbids it'
    """
    of_kind("world", world, World, "a World")
    if not (is_number(x) and is_number(y)):
        raise InputError(f"place: got ({x}, {y}); give finite metres")
    bounds = world.bounds
    if bounds is not None and not bounds.contains(*_at(x, y)).all():
        raise InputError(
            f"place: ({plain(x)}, {plain(y)}) is not in the world, which spans "
            f"{shown_box(bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax)}"
        )
    ground, place = world.ground, (np.array([x]), np.array([y]))
    biome = None
    if world.biomes is not None:
        biome = world.biomes.names[int(world.biomes(*place)[0])]
    grown = world.growths()
    return Explanation(
        float(x),
        float(y),
        float(ground.height(*place)[0]),
        float(ground.slope_deg(*place)[0]),
        float(ground.aspect_deg(*place)[0]),
        biome,
        _nearest_of_all(world, x, y),
        tuple(_reason(name, grown[name], x, y) for name in (layer.name for layer in world.spec.layer)),
    )


def _reason(name: str, classes: Sequence[Growth], x: float, y: float) -> Reason:
    last = classes[-1].settled
    rules = tuple(_asked(rule, x, y) for rule in last.rules)
    share = math.prod(0.0 if math.isnan(one.share) else one.share for one in rules)
    kept_off = min(_keepers(last, x, y), key=lambda near: near.distance, default=None)
    reach = max(growth.settled.widest for growth in classes)
    own = [near for growth in classes if (near := _nearest(growth, x, y, 2 * reach)) is not None]
    nearest = min(own, key=lambda near: near.distance, default=None)
    radius = float(last.radius(*_at(x, y))[0])
    left_out = None if kept_off is not None else _left_out(classes, x, y, nearest)
    why = left_out if left_out and share > 0 else _why(last, rules, share, kept_off, nearest, radius, x, y)
    return Reason(name, why, rules, share, kept_off, nearest)


def _why(
    growth: Growth,
    rules: Sequence[Asked],
    share: float,
    kept_off: Near | None,
    nearest: Near | None,
    radius: float,
    x: float,
    y: float,
) -> str:
    if nearest is not None and nearest.distance < 0.25 * radius:
        return f"{nearest.species} {nearest.id:016x} stands here, {nearest.distance:.2f} m away"
    forbidding = [one.text for one in rules if one.share == 0]
    if forbidding:
        listed = " and ".join(f'"{text}"' for text in forbidding)
        return (
            f"nothing: the rule{'s' if len(forbidding) > 1 else ''} {listed} forbid{'' if forbidding[1:] else 's'} it"
        )
    if kept_off is not None:
        return (
            f"nothing: it keeps {kept_off.keeps:.3g} m off {kept_off.species} ({kept_off.layer}), "
            f"and one stands {kept_off.distance:.3g} m away"
        )
    if nearest is not None and nearest.distance < max(radius, nearest.keeps):
        return (
            f"nothing: {nearest.species} stands {nearest.distance:.3g} m away, and they keep "
            f"{max(radius, nearest.keeps):.3g} m apart"
        )
    had_room = _had_room(growth, x, y)
    if had_room is not None:
        place, distance = had_room
        cut = _cut(growth, *place)
        if cut:
            return f"nothing: what would have grown over it has its stem {distance:.3g} m away, {cut}, and was cut"
        how = (
            f"by chance, since {100 * share:.0f} % of the places may carry something"
            if share < 1
            else "by soft spacing"
        )
        return f"nothing: what had room here, {distance:.3g} m away, was thinned out {how}"
    return "nothing, though nothing forbids it"


def _asked(rule: Rule, x: float, y: float) -> Asked:
    place = _at(x, y)
    try:
        share = float(rule.share(*place)[0])
    except InputError:  # such as a cover that is told for allowed places only
        share = math.nan
    parts: dict[str, float | bool] = {}
    for name, ask in getattr(rule, "parts", {}).items():
        value = np.asarray(ask(*place)).reshape(-1)[0]
        parts[name] = bool(value) if value.dtype == np.bool_ else float(value)
    return Asked(told(rule), parts, share)


def _keepers(growth: Growth, x: float, y: float) -> Iterator[Near]:
    """Go through what keeps all species of a layer off a place."""
    for other, kept in growth.kept:
        stand = other.find(Bounds.around(*_at(x, y), 1.001 * kept.most))
        near = _closest(other, stand, kept, x, y)
        if near is not None:
            yield near


def _closest(other: Growth, stand: Stand, kept: Kept, x: float, y: float) -> Near | None:
    distance, radii = length(*(stand.xy - (x, y)).T), kept.radii(stand)
    inside = np.flatnonzero(distance < radii)
    if not inside.size:
        return None
    return _near(other, stand, int(inside[np.argmin(distance[inside])]), x, y, radii)


def _nearest(growth: Growth, x: float, y: float, reach: float) -> Near | None:
    stand = growth.find(Bounds.around(*_at(x, y), reach))
    if not len(stand.id):
        return None
    return _near(growth, stand, int(np.argmin(length(*(stand.xy - (x, y)).T))), x, y, stand.radius)


def _left_out(classes: Sequence[Growth], x: float, y: float, nearest: Near | None) -> str:
    """Return what grew nearest to a place and was left out since the layer's count was full, in words, or nothing."""
    for growth in classes:
        if not isinstance(growth, Counted):
            continue
        box = Bounds.around(*_at(x, y), growth.settled.widest)
        stand = growth.settled.find(box)
        out = np.flatnonzero(~np.isin(stand.id, growth.find(box).id))
        distance = length(*(stand.xy[out] - (x, y)).T)
        if not out.size:
            continue
        near = _near(growth, stand, int(out[np.argmin(distance)]), x, y, stand.radius)
        if near.distance < near.keeps and (nearest is None or near.distance < nearest.distance):
            return (
                f"nothing: {near.species} {near.id:016x} grew {near.distance:.2f} m away and was left out, since the "
                f"layer's count of {growth.counting.count} was full"
            )
    return ""


def _near(growth: Growth, stand: Stand, k: int, x: float, y: float, keeps: Array) -> Near:
    return Near(
        growth.layer.name,
        growth.table[int(stand.species[k])].name,
        int(stand.id[k]),
        float(length(*(stand.xy[k] - (x, y)))),
        float(keeps[k]),
    )


def _had_room(growth: Growth, x: float, y: float) -> tuple[tuple[float, float], float] | None:
    """Return where something grew that has kept others off the place before it was thinned or cut, and how far away."""
    place = _at(x, y)
    points = growth.candidates(Bounds.around(*place, growth.widest))
    keeps = np.maximum(points.radius, growth.spacing(*place)[0])
    xy = points.xy
    for kept in growth.siblings:
        around, radii = kept.discs(Bounds.around(*place, 1.001 * kept.most))
        xy, keeps = np.concatenate([xy, around]), np.concatenate([keeps, radii])
    distance = length(*(xy - (x, y)).T)
    near = np.flatnonzero(distance < keeps)
    if not near.size:
        return None
    nearest = int(near[np.argmin(distance[near])])
    return (float(xy[nearest, 0]), float(xy[nearest, 1])), float(distance[nearest])


def _cut(growth: Growth, x: float, y: float) -> str:
    """Return why a stem at a place was cut, in words; nothing if it was not."""
    if growth.domain is not None and not growth.domain.contains(*_at(x, y)).all():
        return "outside the world"
    forbidding = [rule.text for rule in (_asked(rule, x, y) for rule in growth.rules) if rule.share == 0]
    if forbidding:
        return f'where the rule "{forbidding[0]}" forbids it'
    near = min(_keepers(growth, x, y), key=lambda near: near.distance, default=None)
    return "" if near is None else f"within {near.keeps:.3g} m of {near.species} ({near.layer})"


def _nearest_of_all(world: World, x: float, y: float) -> Near | None:
    reach = 16.0
    while reach <= _FARTHEST:
        box = Bounds.around(*_at(x, y), reach)
        found = [near for name, placed in world.layers(box).items() for near in _nearest_in(name, placed, x, y)]
        found = [near for near in found if near.distance <= reach]
        if found:
            near = min(found, key=lambda near: near.distance)
            return replace(near, by_hand=any((edit.layer, edit.id) == (near.layer, near.id) for edit in world.edits))
        reach *= 4
    return None


def _nearest_in(name: str, placed: Placements, x: float, y: float) -> list[Near]:
    if not len(placed):
        return []
    distance = length(*(placed.xyz[:, :2] - (x, y)).T)
    k = int(np.argmin(distance))
    species = placed.species_table[int(placed.species[k])].name
    return [Near(name, species, int(placed.id[k]), float(distance[k]), float(placed.radius[k]))]


def _at(x: float, y: float) -> tuple[Array, Array]:
    return np.array([float(x)]), np.array([float(y)])
