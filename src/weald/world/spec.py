"""The spec file: a world written down, checked key by key.

The classes here are the whole grammar; what they accept is what a spec may say. Everything else,
a misspelt key included, is an error that tells where it is and what would be allowed.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from weald.errors import InputError, nearest
from weald.scatter.species import SHAPES

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1)]
Point = tuple[Finite, Finite]


class Table(BaseModel):
    """A table of the spec: frozen, strict, without unknown keys."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)


class GroundSpec(Table):
    """The ground: a sample that comes with weald's dependencies, or a file."""

    sample: Literal["jacksboro"] | None = None
    file: str | None = None
    window: tuple[Finite, Finite, Finite, Finite] | None = None
    """(xmin, ymin, xmax, ymax) in metres: the part of the ground that is the world; all of it if left out."""
    spacing: Positive | None = None
    """Metres between samples of the file."""
    origin: Point = (0.0, 0.0)
    low: Finite | None = None
    high: Finite | None = None
    rows: Literal["north-first", "south-first"] | None = None
    void: Finite | None = None
    key: str | None = None
    resample: Positive | None = None
    """Metres between samples of the world's ground, by cubic interpolation; as they come if left out."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.sample is None) == (self.file is None):
            raise ValueError("give either `sample` or `file`")
        if self.file is not None and self.spacing is None:
            raise ValueError("`file` needs `spacing`, the metres between its samples")
        if self.sample is not None:
            own = [
                name for name in ("spacing", "low", "high", "rows", "void", "key") if getattr(self, name) is not None
            ]
            if own:
                raise ValueError(f"{', '.join(f'`{name}`' for name in own)}: for a `file` only, not for a `sample`")
        return self


class NoiseSpec(Table):
    """A field of fractal Perlin noise, about -1 to 1, that rules can refer to."""

    frequency: Positive
    octaves: Annotated[int, Field(ge=1, le=32)] = 4
    gain: Annotated[float, Field(gt=0, le=1)] = 0.5
    lacunarity: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 2.0


class SpeciesSpec(Table):
    """A species: see `weald.scatter.species.Species`."""

    shape: Literal["conifer", "broadleaf", "bush"]
    height: Positive
    crown_radius: Positive
    color: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
    scale: tuple[Positive, Positive] = (0.85, 1.15)

    @field_validator("scale")
    @classmethod
    def _sorted(cls, value: tuple[float, float]) -> tuple[float, float]:
        if value[0] > value[1]:
            raise ValueError("give the smaller number first")
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
            raise ValueError("`above` must be less than `below`")
        return self


class ThinSpec(Table):
    """Thin out along a noise: nothing where it is ``none_at`` or beyond, everything at ``all_at`` and beyond."""

    noise: Name
    none_at: Finite
    all_at: Finite

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.none_at == self.all_at:
            raise ValueError("`none_at` and `all_at` must differ")
        return self


class LayerSpec(Table):
    """A layer: see `weald.scatter.layer.Layer`."""

    name: Name
    species: Name | dict[str, NotNegative]
    """A name, or names and how often each."""
    radius: Positive
    height: RangeSpec | None = None
    slope_deg: RangeSpec | None = None
    inside: tuple[Name, ...] = ()
    outside: tuple[Name, ...] = ()
    thin: ThinSpec | None = None
    keep_off: dict[str, NotNegative] = Field(default_factory=dict)

    def weights(self) -> dict[str, float]:
        """Return the species by name and how often each is chosen."""
        return {self.species: 1.0} if isinstance(self.species, str) else dict(self.species)


class Spec(Table):
    """A whole world."""

    weald: Literal[1]
    """Version of this grammar."""
    name: str = "A world"
    seed: int | str
    ground: GroundSpec
    noise: dict[str, NoiseSpec] = Field(default_factory=dict)
    areas: dict[str, tuple[Point, ...]] = Field(default_factory=dict)
    """Polygons by name: corners in metres."""
    species: dict[str, SpeciesSpec]
    layer: tuple[LayerSpec, ...]

    @model_validator(mode="after")
    def _names(self) -> Self:
        earlier: list[str] = []
        for number, layer in enumerate(self.layer):
            place = f"layer[{number}]"
            if layer.name in earlier:
                raise ValueError(f"{place}.name: {layer.name!r} is used twice; give each layer its own name")
            _known(f"{place}.species", list(layer.weights()), self.species, "species")
            if sum(layer.weights().values()) <= 0:
                raise ValueError(f"{place}.species: the weights sum to 0; give at least one above 0")
            _known(f"{place}.inside", layer.inside, self.areas, "areas")
            _known(f"{place}.outside", layer.outside, self.areas, "areas")
            _known(f"{place}.keep_off", layer.keep_off, earlier, "earlier layers")
            if layer.thin is not None:
                _known(f"{place}.thin.noise", [layer.thin.noise], self.noise, "noise")
            earlier.append(layer.name)
        return self


def _known(place: str, names: Any, known: Any, what: str) -> None:
    for name in names:
        if name not in known:
            there = ", ".join(known) or "none"
            raise ValueError(f"{place}: {name!r} is unknown{nearest(name, known)}; {what}: {there}")


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
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}); give the path of a spec file") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: is not text in UTF-8; a spec is a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: is not valid TOML: {error}") from None
    return parse_spec(content, str(file))


def parse_spec(content: dict[str, Any], name: str) -> Spec:
    """Check the content of a spec; ``name`` is what errors call it."""
    try:
        return Spec.model_validate(content)
    except ValidationError as error:
        lines = [_explain(detail) for detail in error.errors()]
    raise InputError("\n".join(f"{name}: {line}" for line in dict.fromkeys(lines)))


def _explain(detail: Any) -> str:
    """Turn one finding of pydantic into a line: key path, value, what is allowed, the nearest known key."""
    place = _place(detail["loc"])
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "value_error":  # our own validators say it whole
        reason = str(context["error"])
        return f"{place}: {reason}" if place and not reason.startswith("layer[") else reason
    if kind == "extra_forbidden":
        known = _keys(detail["loc"][:-1])
        return f"{place}: unknown key{nearest(str(detail['loc'][-1]), known)}; allowed: {', '.join(known)}"
    if kind == "missing":
        return f"{place}: is missing; it is required"
    message = detail["msg"].removeprefix("Input ").removeprefix("should be ").removeprefix("String ")
    return f"{place}: got {given!r}; must be {message}"


def _place(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in _without_unions(location):
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def _without_unions(location: tuple[int | str, ...]) -> list[int | str]:
    """Drop the labels that pydantic adds for the branches of a union: they are no keys of the file."""
    return [part for part in location if not (isinstance(part, str) and ("[" in part or part in ("str", "int")))]


def _keys(location: tuple[int | str, ...]) -> list[str]:
    """Return the keys that the table at a place may have."""
    model: type[Table] = Spec
    tables: dict[str, type[Table]] = {
        "ground": GroundSpec,
        "noise": NoiseSpec,
        "species": SpeciesSpec,
        "layer": LayerSpec,
        "height": RangeSpec,
        "slope_deg": RangeSpec,
        "thin": ThinSpec,
    }
    for part in location:
        if isinstance(part, str) and part in tables:
            model = tables[part]
    return list(model.model_fields)


assert set(SHAPES) == {"conifer", "broadleaf", "bush"}, "SpeciesSpec.shape lists the built-in shapes"
