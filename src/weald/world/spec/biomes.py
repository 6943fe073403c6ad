"""``[biomes]``: which kind of country a place is."""

from __future__ import annotations

from typing import Any, Self

from pydantic import ConfigDict, Field, model_validator

from weald.world.spec.tables import Color, Finite, Formula, Length, Name, NotNegative, Table


class LimitSpec(Table):
    """A half-open range of a measure of climate."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    start: Finite | None = Field(default=None, alias="from")
    """The least value."""
    below: Finite | None = None
    """The first value beyond."""

    @model_validator(mode="after")
    def _some_limit(self) -> Self:
        if self.start is None and self.below is None:
            raise ValueError("give `from`, `below`, or both")
        return self


class BiomeSpec(Table):
    """One biome: by ranges of the climate, or by its place in climate space."""

    name: Name
    """As `biome("NAME")` calls it."""
    color: Color
    """On maps, such as `"#4f7750"`."""
    where: dict[str, LimitSpec] | None = None
    """Ranges of the measures of climate: the first biome whose ranges hold wins."""
    at: dict[str, Finite] | None = None
    """Place in climate space: the nearest biome wins."""


class BiomesSpec(Table):
    """The biomes, in the order of their priority: see `weald.terrain.biomes.Biomes.from_table`."""

    climate: dict[str, Formula]
    """Measures of climate by name, as formulas."""
    biome: tuple[BiomeSpec, ...]
    """The biomes, the first before the last."""
    weights: dict[str, NotNegative] | None = None
    """How much each measure counts, for biomes with `at`."""
    blend_radius: Length | None = None
    """How far borders are blended, in metres; sharp if left out."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.climate or not self.biome:
            raise ValueError("give at least one measure of `climate`, and start each biome with [[biomes.biome]]")
        return self

    def rows(self) -> dict[str, Any]:
        """Return the table as plain values, without the climate."""
        return self.model_dump(exclude={"climate"}, exclude_none=True, by_alias=True)
