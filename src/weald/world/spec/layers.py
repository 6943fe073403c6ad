"""``[[layer]]``: what is placed together, and where."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, Strict, field_validator, model_validator

from weald.exact import total
from weald.numbers import number
from weald.scatter.layer import MOST
from weald.world.spec.tables import (
    LARGEST,
    LENGTHS,
    Factor,
    Finite,
    Formula,
    Length,
    Name,
    NotNegative,
    Positive,
    Real,
    Share,
    Table,
    shown,
    within,
)

DENSITIES = (1e-9, 1e12)
"""Instances a hectare: radii from a tenth of a millimetre to thousands of kilometres."""
LEAST_SHARE = 1e-9
"""Of a cover above 0: the spacing grows by the square root of its inverse."""


def _number_or_formula(value: Any) -> Any:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"got {shown(value)}; give a number, or a formula in quotes")
    found = number(value)
    if found is None or not math.isfinite(found):
        raise ValueError(f"got {shown(value)}; give a finite number")
    return found


def _above_0(value: float | str) -> float | str:
    if isinstance(value, float) and value <= 0:
        raise ValueError(f"got {value:g}; give a number above 0")
    return value


def _at_least_0(value: float | str) -> float | str:
    if isinstance(value, float) and value < 0:
        raise ValueError(f"got {value:g}; give a number of at least 0")
    return value


def _at_most_1(value: float | str) -> float | str:
    if isinstance(value, float) and value > 1:
        raise ValueError(f"got {value:g}; give a number of at most 1")
    return value


def _in(low: float, high: float, what: str) -> Callable[[float | str], float | str]:
    """Return a check that a number lies between two others; a formula may."""
    check = within(low, high, what)
    return lambda value: value if isinstance(value, str) else check(value)


def _weights(value: Any) -> Any:
    if isinstance(value, str):
        return {value: 1.0}
    if not isinstance(value, dict):
        raise ValueError(f"got {shown(value)}; give a name in quotes, or a table of names and how often each")
    return value


def _radii(value: Any) -> Any:
    if not isinstance(value, dict):
        return _number_or_formula(value)
    for name, radius in value.items():
        found = number(radius)
        if found is None or not 0 < found < math.inf:
            raise ValueError(f"{name!r} is {shown(radius)}; give a finite number above 0")
        if not LENGTHS[0] <= found <= LENGTHS[1]:
            raise ValueError(
                f"{name!r} is {shown(radius)}; give a number of metres from {LENGTHS[0]:g} to {LENGTHS[1]:g}"
            )
    return {name: float(radius) for name, radius in value.items()}


def _some_or_none(value: float | str) -> float | str:
    """Refuse shares that are neither nothing nor enough to be met by wider spacing."""
    if isinstance(value, float) and 0 < value < LEAST_SHARE:
        raise ValueError(f"got {value!r}; give 0 for none, or a share of at least {LEAST_SHARE:g}")
    return value


Weight = Annotated[
    float | str,
    BeforeValidator(_number_or_formula, json_schema_input_type=NotNegative | Formula),
    AfterValidator(_at_least_0),
    AfterValidator(_in(0.0, LARGEST, "number")),
]
DensityOrFormula = Annotated[
    float | str,
    BeforeValidator(_number_or_formula, json_schema_input_type=Positive | Formula),
    AfterValidator(_above_0),
    AfterValidator(_in(*DENSITIES, "number of instances a hectare")),
]
ShareOrFormula = Annotated[
    float | str,
    BeforeValidator(_number_or_formula, json_schema_input_type=Share | Formula),
    AfterValidator(_at_least_0),
    AfterValidator(_at_most_1),
    AfterValidator(_some_or_none),
]


_radius = _in(*LENGTHS, "number of metres")


class RangeSpec(Table):
    """Where a measure lies above, below or between limits; ``fade`` is the width of each soft edge."""

    above: Finite | None = None
    """The lower limit."""
    below: Finite | None = None
    """The upper limit."""
    fade: NotNegative = 0.0
    """Width of the soft edge about each limit; 0 for a sharp one."""

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
    """A name of noise, an image or a field."""
    none_at: Finite
    """Where it is this or beyond, nothing stands."""
    all_at: Finite
    """Where it is this or beyond, everything stands."""

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.none_at == self.all_at:
            raise ValueError(f"`none_at` and `all_at` are both {self.all_at:g}; give two numbers that differ")
        return self


class SoftSpec(Table):
    """Let some pairs stand closer than the radius: see `weald.scatter.soft.Soft`."""

    core: Annotated[Real, Field(gt=0, lt=1), AfterValidator(within(0.01, 1.0, "part"))] = 0.5
    """Part of the radius that every pair keeps."""
    closer: Share = 0.2
    """Chance that an instance stays beside one that is nearer."""


class ClumpsSpec(Table):
    """Gather instances around hidden middles: see `weald.scatter.clumps.Clumps`."""

    spacing: Length
    """Least distance between two middles, in metres."""
    radius: Length
    """Of a clump of usual size, in metres."""
    between: Share = 0.0
    """Share of the places between clumps that may carry something."""
    vary: tuple[Factor, Factor] = (0.5, 1.5)
    """Smallest and largest size of a clump, as a factor of its radius."""

    @field_validator("vary")
    @classmethod
    def _sorted(cls, value: tuple[float, float]) -> tuple[float, float]:
        if value[0] > value[1]:
            raise ValueError(f"got {shown(value)}; give the smaller number first")
        return value


class SizeSpec(Table):
    """A size class: see `weald.scatter.layer.Size`."""

    factor: Factor
    """Of the radius of the layer, and of the scale of its species."""
    cover: Annotated[Real, Field(ge=0, le=1), AfterValidator(_some_or_none)] = 1.0
    """Share of the saturated density that is placed."""


class PatchesSpec(Table):
    """Let species gather in patches: see `weald.scatter.layer.Patches`."""

    size: Length
    """Of a patch, in metres across."""
    purity: Share = 0.9
    """Share of the instances that follow their patch."""


class LayerSpec(Table):
    """A layer: see `weald.scatter.layer.Layer`."""

    name: Name
    """Unique; the randomness of the layer comes from it and the seed."""
    species: Annotated[dict[str, Weight], BeforeValidator(_weights, json_schema_input_type=Name | dict[str, Weight])]
    """Names and how often each, a number or a formula; one name may stand alone."""
    radius: Annotated[
        float | str | dict[str, float] | None,
        BeforeValidator(_radii, json_schema_input_type=Length | Formula | dict[str, Length]),
    ] = None
    """Least distance in metres: a number, a formula, or a number for each species."""
    radius_range: tuple[Length, Length] | None = None
    """Smallest and largest radius, to which a formula is held; what is proved of the formula if left out."""
    density: DensityOrFormula | None = None
    """Instead of `radius`: instances a hectare."""
    count: Annotated[int, Strict(), Field(ge=0, le=MOST)] | None = None
    """Instances in the whole of a world with edges, exactly."""
    cover: ShareOrFormula = 1.0
    """Share of the saturated density that is placed."""
    height: RangeSpec | None = None
    """Only where the ground is so high, in metres."""
    slope_deg: RangeSpec | None = None
    """Only where the ground is so steep, in degrees."""
    inside: tuple[Name, ...] = ()
    """Areas: only inside all of these."""
    outside: tuple[Name, ...] = ()
    """Areas: only outside all of these."""
    where: Formula | None = None
    """A condition as a formula: places where it says no carry nothing."""
    share: ShareOrFormula | None = None
    """The share of places that carry something: 0 to 1, or a formula, 0 or less for none, 1 or more for all."""
    thin: ThinSpec | None = None
    """Thin out along a noise."""
    in_water: Annotated[bool, Strict()] = False
    """Whether instances may stand below the water level."""
    soft: SoftSpec | None = None
    """Let some pairs stand closer than the radius."""
    clumps: ClumpsSpec | None = None
    """Gather instances around hidden middles."""
    sizes: tuple[SizeSpec, ...] = ()
    """Size classes, from large to small."""
    patches: PatchesSpec | None = None
    """Let species gather in patches."""
    edge: Literal["natural", "fill"] = "natural"
    """Whether the layer grows as if the ground went on and is then cut, or crowds along edges until no more fit."""
    keep_off: dict[str, NotNegative] = Field(default_factory=dict)
    """Least distance to the instances of other layers or species, in metres."""

    @field_validator("species")
    @classmethod
    def _some(cls, value: dict[str, float | str]) -> dict[str, float | str]:
        if not value:
            raise ValueError("is empty; name at least one species")
        numbers = [weight for weight in value.values() if isinstance(weight, float)]
        weights = total(numbers)
        if len(numbers) == len(value) and not 1 / LARGEST <= weights <= LARGEST:
            raise ValueError(f"the weights sum to {weights:g}; give at least one above 0, and none so large")
        return value

    @field_validator("radius")
    @classmethod
    def _above_0(cls, value: Any) -> Any:
        return value if isinstance(value, dict) or value is None else _radius(_above_0(value))

    @field_validator("radius_range")
    @classmethod
    def _sorted(cls, value: tuple[float, float] | None) -> tuple[float, float] | None:
        if value is not None and value[0] > value[1]:
            raise ValueError(f"got {shown(value)}; give the smaller number first")
        return value

    @model_validator(mode="after")
    def _spacing(self) -> Self:
        if self.radius is None and self.density is None and self.count is None:
            raise ValueError(
                "give `radius`, metres between instances, `density`, instances a hectare, or `count`, instances in all"
            )
        if self.count is not None and self.density is not None:
            raise ValueError("`count` and `density` are both given; leave one out")
        if self.radius is not None and self.density is not None:
            raise ValueError("`radius` and `density` are both given; leave one out")
        if self.sizes and self.soft is not None:
            raise ValueError("`soft` and `sizes` are both given; leave one out")
        if isinstance(self.radius, dict):
            for name in self.species:
                if name not in self.radius:
                    raise ValueError(f"`radius` has no number for {name!r}; give one for each species, or one for all")
            for name in self.radius:
                if name not in self.species:
                    raise ValueError(f"`radius` names {name!r}, which is none of the layer's species; leave it out")
        return self
