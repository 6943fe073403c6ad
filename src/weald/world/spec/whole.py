"""A whole world, and whether the names in it fit together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from weald.errors import nearest
from weald.world.spec.biomes import BiomesSpec
from weald.world.spec.clearances import ClearancesSpec
from weald.world.spec.fields import ImageSpec, Line, NoiseSpec, Polygon
from weald.world.spec.ground import GroundSpec
from weald.world.spec.layers import LayerSpec
from weald.world.spec.plants import SpeciesSpec
from weald.world.spec.tables import Formula, Length, Name, Table, shown
from weald.world.spec.water import WaterSpec
from weald.world.spec.worms import WormsSpec


def _seed(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"got {shown(value)}; give a whole number, or text in quotes")
    return value


class Spec(Table):
    """A whole world."""

    weald: Literal[1]
    """Version of this grammar."""
    name: str = "A world"
    """Title of the world."""
    seed: Annotated[int | str, BeforeValidator(_seed)]
    """Any whole number or text: all randomness comes from it."""
    chunk: Length = 256.0
    """Side of the square chunks that the world can be asked for, in metres."""
    edits: Name | None = None
    """The file of edits made by hand."""
    ground: GroundSpec
    """Where heights come from."""
    noise: dict[str, NoiseSpec] = Field(default_factory=dict)
    """Noise by name, each with a seed of its own."""
    images: dict[str, ImageSpec] = Field(default_factory=dict)
    """Images by name, laid over a box."""
    worms: dict[str, WormsSpec] = Field(default_factory=dict)
    """Winding passages by name: how deep in one a place lies, 0 outside to 1 in the middle."""
    fields: dict[str, Formula] = Field(default_factory=dict)
    """Formulas by name, for other formulas to use."""
    areas: dict[str, Polygon] = Field(default_factory=dict)
    """Polygons by name: corners in metres."""
    lines: dict[str, Line] = Field(default_factory=dict)
    """Roads, rivers and the like by name: places in metres, in order."""
    water: WaterSpec | None = None
    """The sea, and what counts as a river or a lake."""
    biomes: BiomesSpec | None = None
    """Which kind of country a place is."""
    species: dict[str, SpeciesSpec]
    """What can stand somewhere, by name."""
    clearances: ClearancesSpec = ClearancesSpec()
    """How far layers keep off each other."""
    layer: tuple[LayerSpec, ...]
    """What is placed, the large before the small."""

    @model_validator(mode="after")
    def _names(self) -> Self:
        faults = [*self._taken_twice(), *self._faulty_names()]
        if faults:
            raise ValueError("\n".join(faults))
        return self

    def _taken_twice(self) -> Iterator[str]:
        """Names of noise, images, worms and fields are one family: formulas call them by name alone."""
        taken: dict[str, str] = {}
        for table in ("noise", "images", "worms", "fields"):
            for name in getattr(self, table):
                if name in taken:
                    yield f"{table}.{name}: the name is taken by {taken[name]}.{name}; give each a name of its own"
                taken.setdefault(name, table)
        for name in self.lines:
            if name in self.areas:
                yield f"lines.{name}: the name is taken by areas.{name}; give each a name of its own"

    def _faulty_names(self) -> Iterator[str]:
        layers = [layer.name for layer in self.layer]
        earlier: list[str] = []
        for number, layer in enumerate(self.layer):
            place = f"layer[{number}]"
            if layer.name in earlier:
                yield f"{place}.name: {layer.name!r} is used twice; give each layer its own name"
            yield from _unknown(f"{place}.species", layer.species, self.species, "known species")
            yield from _unknown(f"{place}.inside", layer.inside, self.areas, "known areas")
            yield from _unknown(f"{place}.outside", layer.outside, self.areas, "known areas")
            others = [*(name for k, name in enumerate(layers) if k != number), *self.species]
            yield from _unknown(f"{place}.keep_off", layer.keep_off, others, "other layers and species")
            if layer.thin is not None:
                known = {**self.noise, **self.images, **self.worms, **self.fields}
                yield from _unknown(f"{place}.thin.noise", [layer.thin.noise], known, "known noise")
            earlier.append(layer.name)
        known_things = [*self.species, *layers]
        for one, far in self.clearances.between.items():
            for name in (one, *far):
                yield from _unknown(f"clearances.between.{one}", [name], known_things, "known species and layers")


def _unknown(place: str, names: Iterable[str], known: Collection[str], what: str) -> Iterator[str]:
    for name in names:
        if name not in known:
            yield f"{place}: {name!r} is unknown{nearest(name, known)}; {what}: {', '.join(known) or 'none'}"
