"""The spec file: a world written down, checked key by key.

The classes here are the whole grammar; what they accept is what a spec may say. Everything else,
a misspelt key included, is an error that tells where it is and what would be allowed.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    field_validator,
    model_validator,
)

from weald.errors import InputError, nearest
from weald.scatter.species import SCALES, SHAPES

Finite = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Positive = Annotated[Finite, Field(gt=0)]
NotNegative = Annotated[Finite, Field(ge=0)]
Scale = Annotated[Finite, Field(ge=SCALES[0], le=SCALES[1])]
Count = Annotated[int, Strict(), Field(ge=1)]
Name = Annotated[str, Field(min_length=1)]
Point = tuple[Finite, Finite]


def _seed(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"got {_shown(value)}; give a whole number, or text in quotes")
    return value


def _weights(value: Any) -> Any:
    if isinstance(value, str):
        return {value: 1.0}
    if not isinstance(value, dict):
        raise ValueError(f"got {_shown(value)}; give a name in quotes, or a table of names and how often each")
    return value


def _corners(value: tuple[Point, ...]) -> tuple[Point, ...]:
    if len(value) < 3:
        raise ValueError(f"got {_shown(value)}; give at least 3 corners, [x, y] each")
    return value


class Table(BaseModel):
    """A table of the spec: frozen, without unknown keys; no value is turned into another type."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)


class GroundSpec(Table):
    """The ground: a sample that comes with weald's dependencies, or a file."""

    sample: Literal["jacksboro"] | None = None
    file: str | None = None
    window: tuple[Finite, Finite, Finite, Finite] | None = None
    """(xmin, ymin, xmax, ymax) in metres: the part of the ground that is the world; all of it if left out."""
    spacing: Positive | None = None
    """Metres between samples; what the rest of a file's keys mean is told in `weald.terrain.sources`."""
    origin: Point | None = None
    crs: str | None = None
    low: Finite | None = None
    high: Finite | None = None
    rows: Literal["north-first", "south-first"] | None = None
    void: Finite | None = None
    key: str | None = None
    size: tuple[Count, Count] | None = None
    byte_order: Literal["little-endian", "big-endian"] | None = None
    band: Count | None = None
    vertical_unit: str | None = None
    up: Literal["y", "z"] | None = None
    node: str | None = None
    resample: Positive | None = None
    """Metres between samples of the world's ground, by cubic interpolation; as they come if left out."""

    @field_validator("window")
    @classmethod
    def _not_empty(cls, value: tuple[float, float, float, float] | None) -> tuple[float, float, float, float] | None:
        if value is not None and not (value[0] < value[2] and value[1] < value[3]):
            raise ValueError(f"got {_shown(value)}; give [xmin, ymin, xmax, ymax], each minimum below its maximum")
        return value

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if self.sample is not None and self.file is not None:
            raise ValueError("`sample` and `file` are both given; leave one out")
        if self.sample is None and self.file is None:
            raise ValueError('give `sample = "jacksboro"`, or a `file`')
        if self.sample is not None:
            given = [f"`{name}`" for name in self.of_file()]
            if given:
                raise ValueError(f"{', '.join(given)} can be given for a `file` only, not for a `sample`")
        return self

    def of_file(self) -> dict[str, Any]:
        """Return what is said about the file: arguments of `Terrain.open`."""
        said = {name: getattr(self, name) for name in GroundSpec.model_fields if name not in _NOT_OF_FILE}
        return {name: value for name, value in said.items() if value is not None}


_NOT_OF_FILE = ("sample", "file", "window", "resample")


class NoiseSpec(Table):
    """A field of fractal Perlin noise, about -1 to 1, that rules can refer to."""

    frequency: Positive
    octaves: Annotated[int, Strict(), Field(ge=1, le=32)] = 4
    gain: Annotated[Finite, Field(gt=0, le=1)] = 0.5
    lacunarity: Annotated[Finite, Field(ge=1)] = 2.0


class SpeciesSpec(Table):
    """A species: see `weald.scatter.species.Species`."""

    shape: Literal["conifer", "broadleaf", "bush"]
    height: Positive
    crown_radius: Positive
    color: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
    scale: tuple[Scale, Scale] = (0.85, 1.15)

    @field_validator("scale")
    @classmethod
    def _sorted(cls, value: tuple[float, float]) -> tuple[float, float]:
        if value[0] > value[1]:
            raise ValueError(f"got {_shown(value)}; give the smaller number first")
        return value


class RangeSpec(Table):
    """Where a measure lies above, below or between limits; ``fade`` is the width of each soft edge."""

    above: Finite | None = None
    below: Finite | None = None
    fade: NotNegative = 0.0

    @model_validator(mode="after")
    def _some_limit(self) -> Self:
        if self.above is None and self.below is None:
            raise ValueError("give `above`, `below`, or both")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError(f"`above` is {self.above:g} and `below` is {self.below:g}; give above < below")
        return self


class ThinSpec(Table):
    """Thin out along a noise: nothing where it is ``none_at`` or beyond, everything at ``all_at`` and beyond."""

    noise: Name
    none_at: Finite
    all_at: Finite

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.none_at == self.all_at:
            raise ValueError(f"`none_at` and `all_at` are both {self.all_at:g}; give two numbers that differ")
        return self


class LayerSpec(Table):
    """A layer: see `weald.scatter.layer.Layer`."""

    name: Name
    species: Annotated[dict[str, NotNegative], BeforeValidator(_weights)]
    """Names and how often each; one name may stand alone."""
    radius: Positive
    height: RangeSpec | None = None
    slope_deg: RangeSpec | None = None
    inside: tuple[Name, ...] = ()
    outside: tuple[Name, ...] = ()
    thin: ThinSpec | None = None
    keep_off: dict[str, NotNegative] = Field(default_factory=dict)

    @field_validator("species")
    @classmethod
    def _some(cls, value: dict[str, float]) -> dict[str, float]:
        if not value:
            raise ValueError("is empty; name at least one species")
        total = sum(value.values())
        if not 0 < total < math.inf:
            raise ValueError(f"the weights sum to {total:g}; give at least one above 0, and none so large")
        return value


class Spec(Table):
    """A whole world."""

    weald: Literal[1]
    """Version of this grammar."""
    name: str = "A world"
    seed: Annotated[int | str, BeforeValidator(_seed)]
    ground: GroundSpec
    noise: dict[str, NoiseSpec] = Field(default_factory=dict)
    areas: dict[str, Annotated[tuple[Point, ...], AfterValidator(_corners)]] = Field(default_factory=dict)
    """Polygons by name: corners in metres."""
    species: dict[str, SpeciesSpec]
    layer: tuple[LayerSpec, ...]

    @model_validator(mode="after")
    def _names(self) -> Self:
        faults = list(self._faulty_names())
        if faults:
            raise ValueError("\n".join(faults))
        return self

    def _faulty_names(self) -> Iterator[str]:
        earlier: list[str] = []
        for number, layer in enumerate(self.layer):
            place = f"layer[{number}]"
            if layer.name in earlier:
                yield f"{place}.name: {layer.name!r} is used twice; give each layer its own name"
            yield from _unknown(f"{place}.species", layer.species, self.species, "known species")
            yield from _unknown(f"{place}.inside", layer.inside, self.areas, "known areas")
            yield from _unknown(f"{place}.outside", layer.outside, self.areas, "known areas")
            yield from _unknown(f"{place}.keep_off", layer.keep_off, earlier, "earlier layers")
            if layer.thin is not None:
                yield from _unknown(f"{place}.thin.noise", [layer.thin.noise], self.noise, "known noise")
            earlier.append(layer.name)


def _unknown(place: str, names: Iterable[str], known: Collection[str], what: str) -> Iterator[str]:
    for name in names:
        if name not in known:
            fault = "not an earlier layer" if what == "earlier layers" else "unknown"
            yield f"{place}: {name!r} is {fault}{nearest(name, known)}; {what}: {', '.join(known) or 'none'}"


def read_spec(path: str | Path) -> Spec:
    """Read and check a spec file.

    Raises
    ------
    InputError
        If the file is missing, is not TOML, or says something that is not allowed: the message
        names the file, each key with its value, and what is allowed.
    """
    file = Path(path)
    try:
        content = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}); give the path of a spec file") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: is not text in UTF-8; a spec is a TOML file") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets without end
        raise InputError(f"{file}: is not valid TOML: {error}") from None
    return parse_spec(content, str(file))


def parse_spec(content: dict[str, Any], name: str) -> Spec:
    """Check the content of a spec; ``name`` is what errors call it."""
    try:
        return Spec.model_validate(content)
    except ValidationError as error:
        lines = [line for detail in error.errors() for line in _explain(detail)]
    raise InputError("\n".join(f"{name}: {line}" for line in dict.fromkeys(lines)))


def _explain(detail: Any) -> list[str]:
    """Turn one finding of pydantic into lines: key path, value, what is allowed, the nearest known key."""
    location, kind, given, context = detail["loc"], detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing" and isinstance(location[-1], int):
        place, reason = _place(location[:-1]), f"got {_shown(given)}; give {4 if 'window' in location else 2} numbers"
    elif kind == "missing":
        place, reason = _place(location), "is missing; it is required"
    elif kind == "extra_forbidden":
        known = list(_table(location[:-1]).model_fields)
        place = _place(location)
        reason = f"unknown key{nearest(str(location[-1]), known)}; allowed: {', '.join(known)}"
    elif kind == "value_error":  # our own validators say it whole
        place, reason = _place(location), str(context["error"])
    else:
        place, reason = _place(location), f"got {_shown(given)}; {_advice(location, kind, given, context)}"
    return [f"{place}: {reason}"] if place else reason.split("\n")


def _advice(location: tuple[int | str, ...], kind: str, given: Any, context: dict[str, Any]) -> str:
    """Return what to give instead."""
    if kind == "literal_error":
        options = re.findall("'(.*?)'", context["expected"])
        guess = nearest(given, options) if isinstance(given, str) and len(options) > 1 else ""
        return f"give {context['expected']}{guess}"
    if kind == "tuple_type" and location == ("layer",):
        return "start each layer with [[layer]]"
    if kind == "too_long":
        return f"give {context['max_length']} numbers"
    for bound, words in (("gt", "above"), ("ge", "of at least"), ("le", "of at most")):
        if bound in context:
            return f"give a number {words} {context[bound]:g}"
    return _ADVICE.get(kind, "give a value of another type")


_ADVICE = {
    "finite_number": "give a finite number",
    "float_type": "give a number",
    "int_type": "give a whole number",
    "string_type": "give text in quotes",
    "string_too_short": "give at least one character",
    "string_pattern_mismatch": 'give a color as "#rrggbb"',
    "model_type": "give a table",
    "dict_type": "give a table",
    "tuple_type": "give a list",
}


def _shown(value: Any) -> str:
    """Return a value about as the file has it, shortened if it is long."""
    text = repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _place(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            bare = re.fullmatch("[A-Za-z0-9_-]+", part)
            text += f"{'.' if text else ''}{part if bare else json.dumps(part, ensure_ascii=False)}"
    return text


def _table(location: tuple[int | str, ...]) -> type[Table]:
    """Return which kind of table stands at a place."""
    match location:
        case ("ground",):
            return GroundSpec
        case ("noise", _):
            return NoiseSpec
        case ("species", _):
            return SpeciesSpec
        case ("layer", _):
            return LayerSpec
        case ("layer", _, "thin"):
            return ThinSpec
        case ("layer", _, "height" | "slope_deg"):
            return RangeSpec
    return Spec


assert set(SHAPES) == {"conifer", "broadleaf", "bush"}, "SpeciesSpec.shape lists the built-in shapes"
