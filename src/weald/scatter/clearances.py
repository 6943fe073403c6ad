"""Clearances: how far what is placed later keeps off what stands already, by layer and by species."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from weald.arguments import shown
from weald.errors import InputError, nearest
from weald.numbers import lies_in
from weald.sampling.limits import RADII
from weald.scatter.layer import Layer
from weald.scatter.species import Species


@dataclass(frozen=True)
class Clearances:
    """Least distances between instances of different layers, in metres.

    Parameters
    ----------
    pairs
        By pairs of names, of species or layers, in either order: ``("oak", "bushes"): 3.5``.
    default
        For what no pair names: a distance, or ``"stems"``, the sum of the two species' stem radii, so that nothing is
        placed into a trunk, a bush or a rock.
    scaled
        Whether distances grow with the scale of what stands already.

    Notes
    -----
    The distance between what a layer places and what an earlier layer has placed is, in this order: its
    ``keep_off`` of that species; its ``keep_off`` of that layer; the pair of both species; a pair of a species
    of one and the layer of the other (of two, the larger); the pair of both layers; the default. Within one
    layer spacing comes from its radius alone.

    >>> Clearances({("oak", "fern"): 2.0, ("trees", "stones"): 1.0}, default=0.0).default
    0.0
    """

    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)
    default: float | Literal["stems"] = "stems"
    scaled: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.pairs, Mapping):
            raise InputError(
                f"clearances: pairs is {shown(self.pairs)}; give a dict such as {{('oak', 'bushes'): 2.0}}"
            )
        for pair, distance in self.pairs.items():
            if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(name, str) for name in pair)):
                raise InputError(f"clearances: got {pair!r}; give pairs of names, such as ('oak', 'bushes')")
            if not lies_in(distance, 0, RADII[1]):
                raise InputError(f"clearances: {pair} is {distance}; give a distance in metres, from 0 to {RADII[1]:g}")
            if self.pairs.get(pair[::-1], distance) != distance:
                raise InputError(
                    f"clearances: {pair} is {distance} and {pair[::-1]} is {self.pairs[pair[::-1]]}; "
                    "a distance has no direction: give the pair once"
                )
        by_stems = isinstance(self.default, str) and self.default == "stems"
        if not by_stems and not lies_in(self.default, 0, RADII[1]):
            raise InputError(
                f"clearances: default is {self.default!r}; give 'stems' or a distance in metres, from 0 to {RADII[1]:g}"
            )

    def check(self, layers: Sequence[Layer]) -> None:
        """Refuse pairs that name nothing, or that can never apply."""
        names = [layer.name for layer in layers]
        species = list(dict.fromkeys(one.name for layer in layers for one in layer.species))
        for pair in self.pairs:
            for name in pair:
                if name not in names and name not in species:
                    raise InputError(
                        f"clearances: {pair} names {name!r}, which is neither a layer nor a species"
                        f"{nearest(name, [*names, *species])}; layers: {', '.join(names) or 'none'}; "
                        f"species: {', '.join(species) or 'none'}"
                    )
            homes = [{layer.name for layer in layers if _in(name, layer)} for name in pair]
            if len(homes[0] | homes[1]) == 1:
                (home,) = homes[0]
                raise InputError(
                    f"clearances: {pair} both stand in layer {home!r} alone, and within a layer spacing comes from its "
                    "radius; put them into two layers, or give the layer a radius for each species"
                )

    def between(self, later: Layer, new: Species, earlier: Layer, standing: Species) -> float:
        """Return how far a new instance of the later layer keeps off one of the earlier, at scale 1."""
        for name in (standing.name, earlier.name):
            if name in later.keep_off:
                return later.keep_off[name]
        for options in (
            [(new.name, standing.name)],
            [(new.name, earlier.name), (later.name, standing.name)],
            [(later.name, earlier.name)],
        ):
            given = [self.pairs[pair] for a, b in options for pair in ((a, b), (b, a)) if pair in self.pairs]
            if given:
                return max(given)
        return new.stem + standing.stem if self.default == "stems" else float(self.default)


def _in(name: str, layer: Layer) -> bool:
    return name == layer.name or any(name == species.name for species in layer.species)


def in_order(layers: Sequence[Layer]) -> list[Layer]:
    """Return the layers in the order of their placing: as they come, but each after all that it keeps off.

    Raises
    ------
    InputError
        If a name is unknown or used twice, or layers keep off each other in a circle, which is named.
    """
    by_name: dict[str, Layer] = {}
    try:
        len(layers)  # an iterator has no length, nor has an array without axes
    except TypeError:
        raise InputError(f"layers: got {shown(layers)}; give a list of Layer") from None
    for layer in layers:
        if not isinstance(layer, Layer):
            raise InputError(f"layers: got {layer!r}; give a list of Layer")
        if layer.name in by_name:
            raise InputError(f"layer {layer.name!r}: the name is used twice; give each layer its own")
        by_name[layer.name] = layer
    before = {layer.name: _kept_off(layer, layers) for layer in layers}
    ordered: list[Layer] = []
    left = list(by_name)
    while left:
        ready = next((name for name in left if not any(other in left for other in before[name])), None)
        if ready is None:
            raise InputError(_circle(before, left))
        left.remove(ready)
        ordered.append(by_name[ready])
    return ordered


def _kept_off(layer: Layer, layers: Sequence[Layer]) -> list[str]:
    """Return the names of the layers that a layer keeps off."""
    others = [other for other in layers if other.name != layer.name]
    found: list[str] = []
    for name in layer.keep_off:
        homes = [other.name for other in others if _in(name, other)]
        if not homes and _in(name, layer):
            raise InputError(
                f"layer {layer.name!r}: keep_off names {name!r}, which stands in no other layer; "
                "within a layer spacing comes from its radius"
            )
        if not homes:
            known = [*(other.name for other in others), *(s.name for other in others for s in other.species)]
            known = list(dict.fromkeys(known))
            raise InputError(
                f"layer {layer.name!r}: keep_off names {name!r}, which is no other layer and stands in none"
                f"{nearest(name, known)}; known: {', '.join(known) or 'none'}"
            )
        found += homes if layer.keep_off[name] > 0 else []
    return found


def _circle(before: Mapping[str, list[str]], left: Sequence[str]) -> str:
    """Say in which circle layers keep off each other; each of those left waits for another."""
    path = [left[0]]
    while path[-1] not in path[:-1]:
        path.append(next(other for other in before[path[-1]] if other in left))
    circle = path[path.index(path[-1]) :]
    return (
        f"layer {circle[0]!r}: layers keep off each other in a circle, {' -> '.join(circle)}; of two layers the later "
        "keeps off the earlier, so take one keep_off of the circle away"
    )
