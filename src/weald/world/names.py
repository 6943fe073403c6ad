"""What the names in a spec stand for: noise, images, fields, areas, lines, and what is measured of the ground.

Everything is made when it is first named, so a spec can be checked without reading its ground.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weald import hashing
from weald.errors import InputError, nearest
from weald.fields import Condition, Field, distance_to, inside
from weald.fields.formula import Function, Value, parse_condition, parse_field, parse_formula
from weald.terrain.biomes import Biomes
from weald.terrain.endless import EndlessTerrain
from weald.terrain.hydrology import Drainage
from weald.terrain.measures import Ask, measure
from weald.terrain.terrain import Terrain
from weald.world.caves import cave_functions
from weald.world.spec import Spec

Ground: TypeAlias = Terrain | EndlessTerrain

MEASURED = {
    "height": (-np.inf, np.inf),
    "slope_deg": (0.0, 90.0),
    "aspect_deg": (0.0, 360.0),
    "profile_curvature": (-np.inf, np.inf),
    "tangential_curvature": (-np.inf, np.inf),
}
"""What formulas may ask of any ground, and its range."""

DRAINED = {
    "catchment": (0.0, np.inf),
    "wetness": (-np.inf, np.inf),
    "water_distance": (0.0, np.inf),
}
"""What formulas may ask of ground with a table ``[water]``, and its range."""


class Names(Mapping[str, Value]):
    """The names that formulas of a spec may use, made when they are first asked for.

    Parameters
    ----------
    spec
        The spec.
    folder
        Where relative paths start.
    ground, drainage
        Return the ground, and where water goes on it.
    """

    def __init__(
        self, spec: Spec, folder: Path, ground: Callable[[], Ground], drainage: Callable[[], Drainage]
    ) -> None:
        self._spec, self._folder = spec, folder
        self._ground, self._drainage = ground, drainage
        self._made: dict[str, Value] = {}
        self._making: list[str] = []
        self._needed: dict[str, list[str]] = {}
        self._lock = threading.RLock()

    def __iter__(self) -> Iterator[str]:
        spec = self._spec
        yield from (*spec.noise, *spec.images, *spec.worms, *spec.fields, "x", "y", *MEASURED)
        if spec.water is not None:
            yield from DRAINED

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return any(name == known for known in self)

    def __getitem__(self, name: str) -> Value:
        if name not in self:
            raise KeyError(name)
        with self._lock:  # what is being made belongs to one thread
            if name not in self._made:
                # what fields are made of comes before them, so that no chain of names is too long for Python's stack
                for each in self._order(name):
                    self._making.append(each)
                    try:
                        self._made[each] = self._make(each)
                    finally:
                        self._making.pop()
            return self._made[name]

    def _order(self, name: str) -> list[str]:
        """Return the fields that a name needs and that are not made yet, each after what it needs, and the name."""
        order: dict[str, None] = {}
        way = dict.fromkeys(self._making)  # in order
        waiting = [(name, False)]
        while waiting:
            here, ready = waiting.pop()
            if ready:
                way.popitem()
                order[here] = None
            elif here in way:
                raise InputError(
                    f"{_circle([*way], here)} is a circle; a name cannot stand for something made of itself"
                )
            elif here not in order and here not in self._made:
                way[here] = None
                waiting.append((here, True))
                waiting += [(each, False) for each in self._needs(here)]
        return [*order]

    def _needs(self, name: str) -> list[str]:
        """Return the names of fields in the formula of a field."""
        fields = self._spec.fields
        if name not in fields:
            return []
        if name in self._needed:
            return self._needed[name]
        self._needed[name] = []
        try:
            tree = ast.parse(fields[name].strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # told when the formula is read
            return []
        words = {node.id: None for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in fields}
        self._needed[name] = list(reversed(words))
        return self._needed[name]

    def formula(self, text: str, place: str) -> Value:
        """Return what a formula at a place of the spec stands for."""
        return parse_formula(text, self, self.functions, name=place)

    def field(self, text: str, place: str) -> Field:
        """Return the field that a formula at a place of the spec stands for."""
        return parse_field(text, self, self.functions, name=place)

    def condition(self, text: str, place: str) -> Condition:
        """Return the condition that a formula at a place of the spec stands for."""
        return parse_condition(text, self, self.functions, name=place)

    def parts(self, text: str) -> dict[str, Value]:
        """Return what the names in a formula, and its calls that ask for a place, stand for, by how they are written.

        The formula must be one that `formula` reads.
        """
        parts: dict[str, Value] = {}
        functions = self.functions
        for node in ast.walk(ast.parse(text.strip(), mode="eval")):
            asks = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
            if asks or (isinstance(node, ast.Name) and node.id in self):
                written = " ".join((ast.get_source_segment(text.strip(), node) or text).split())
                if written not in parts:
                    parts[written] = self.formula(written, written)
        return parts

    def ground_formula(self, text: str) -> Field:
        """Return the heights that the formula of the ground stands for: it cannot ask for the ground itself."""
        asked = [*MEASURED, *DRAINED]
        with self._lock:
            self._making += asked
            try:
                return self.field(text, "ground.formula")
            except InputError as error:
                circle = next((name for name in asked if f"-> {name} is a circle" in str(error)), None)
                if circle is None:
                    raise
                raise InputError(f"ground.formula: {circle!r} is measured on the ground that it would make") from None
            finally:
                del self._making[-len(asked) :]

    @property
    def functions(self) -> dict[str, Function]:
        """What formulas of a spec may call, besides what all formulas may."""
        functions: dict[str, Function] = {"distance": self.distance, "inside": self.inside}
        functions |= cave_functions(self._spec.seed)
        if self._spec.biomes is not None:
            functions["biome"] = lambda name: self.biomes.is_(name)
            functions["biome_weight"] = lambda name: self.biomes.weight(name)
        return functions

    def inside(self, name: str) -> Condition:
        """Return whether places lie in an area of the spec."""
        if name not in self.areas:
            known = ", ".join(self.areas) or "none"
            raise InputError(f"area {name!r} is unknown{nearest(str(name), self.areas)}; known areas: {known}")
        return self.areas[name]

    def distance(self, name: str) -> Field:
        """Return how far places are from a line or an area of the spec, in metres; 0 inside an area."""
        spec = self._spec
        if name in spec.lines:
            return distance_to(np.array(spec.lines[name], np.float64), kind="line")
        if name in spec.areas:
            return distance_to(np.array(spec.areas[name], np.float64), kind="polygon")
        known = (*spec.lines, *spec.areas)
        raise InputError(
            f"{name!r} is no line and no area{nearest(str(name), known)}; known: {', '.join(known) or 'none'}"
        )

    @cached_property
    def areas(self) -> dict[str, Condition]:
        """The named polygons."""
        areas: dict[str, Condition] = {}
        for name, corners in self._spec.areas.items():
            try:
                areas[name] = inside(np.array(corners, np.float64).reshape(-1, 2))
            except InputError as error:
                # there is but one
                raise InputError(f"areas.{name}: {str(error).removeprefix('polygon 0: ')}") from error
        return areas

    @cached_property
    def biomes(self) -> Biomes:
        """The biomes, over their fields of climate."""
        table = self._spec.biomes
        assert table is not None
        climate = {name: self.field(text, f"biomes.climate.{name}") for name, text in table.climate.items()}
        try:
            return Biomes.from_table(table.rows(), climate)
        except InputError as error:
            raise InputError(f"biomes: {str(error).removeprefix('biomes: ')}") from error

    # -- each kind of name ------------------------------------------------------------------------

    def _make(self, name: str) -> Value:
        spec = self._spec
        if name in spec.noise:
            noise = spec.noise[name]
            try:
                return noise.field(hashing.key(spec.seed, "noise", name))
            except InputError as error:
                raise InputError(f"noise.{name}: {error}") from error
        if name in spec.images:
            try:
                return spec.images[name].field(self._folder)
            except InputError as error:
                raise InputError(f"images.{name}: {error}") from error
        if name in spec.worms:
            try:
                return spec.worms[name].field(hashing.key(spec.seed, "worms", name))
            except InputError as error:
                raise InputError(f"worms.{name}: {str(error).removeprefix('worms: ')}") from error
        if name in spec.fields:
            return self.formula(spec.fields[name], f"fields.{name}")
        if name in ("x", "y"):
            return Field.of(_east if name == "x" else _north)
        if name in MEASURED:
            return measure(name, self._asking(name), MEASURED[name])
        return measure(name, self._asking_water(name), DRAINED[name])

    def _asking(self, name: str) -> Ask:
        def ask(x: Any, y: Any) -> Any:
            return getattr(self._ground(), name)(x, y)

        return ask

    def _asking_water(self, name: str) -> Ask:
        made: list[Ask] = []

        def ask(x: Any, y: Any) -> Any:
            if not made:
                made.append(self._drained(name))
            return made[0](x, y)

        return ask

    def _drained(self, name: str) -> Ask:
        water, drainage = self._spec.water, self._drainage()
        assert water is not None
        if name == "catchment":
            return drainage.field(drainage.area, method="nearest")
        if name == "wetness":
            return drainage.field(drainage.wetness())
        distance = drainage.distance_to_water(water.river_catchment, least_depth=water.lake_depth)
        if not np.isinf(distance).any():
            return drainage.field(distance)
        # no water anywhere: nothing to interpolate between, and still no ground where there is none
        ground = drainage.field(np.where(np.isinf(distance), 0.0, distance))
        return lambda x, y: np.where(np.isnan(ground(x, y)), np.nan, np.inf)


def _circle(way: list[str], name: str) -> str:
    """Return the names of a circle, from a name back to it; of a long one, those at both ends."""
    names = [*way[way.index(name) :], name]
    return " -> ".join(names if len(names) <= 8 else [*names[:4], f"... {len(names) - 7} more ...", *names[-3:]])


def _east(x: Any, y: Any) -> Any:
    return x


def _north(x: Any, y: Any) -> Any:
    return y
