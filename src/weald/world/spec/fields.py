"""``[noise.NAME]``, ``[images.NAME]``, ``[lines]`` and ``[areas]``: what rules and formulas can refer to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, Strict, field_validator, model_validator

from weald import fields
from weald.world.spec.tables import Box, Finite, Name, Point, Positive, Table, box_not_empty, shown


class NoiseSpec(Table):
    """A field of fractal Perlin noise, about -1 to 1, that rules can refer to."""

    frequency: Positive
    octaves: Annotated[int, Strict(), Field(ge=1, le=32)] = 4
    gain: Annotated[Finite, Field(gt=0, le=1)] = 0.5
    lacunarity: Annotated[Finite, Field(ge=1)] = 2.0

    def field(self, seed: int) -> fields.Field:
        """Return the noise as a field."""
        noise = fields.perlin(seed, self.frequency)
        return noise.fbm(octaves=self.octaves, gain=self.gain, lacunarity=self.lacunarity)


class ImageSpec(Table):
    """An image laid over a part of the plane, as a field."""

    file: Name
    bounds: Box
    """(xmin, ymin, xmax, ymax) in metres: the outer edges of the image."""
    low: Finite = 0.0
    """Value of the darkest code there is."""
    high: Finite = 1.0
    """Value of the brightest."""
    channel: Literal["red", "green", "blue", "alpha", "luminance"] | None = None
    """Of an image in colour, and needed there."""
    method: Literal["bilinear", "nearest", "cubic"] = "bilinear"

    _bounds = field_validator("bounds")(box_not_empty)

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.low == self.high:
            raise ValueError(f"`low` and `high` are both {self.low:g}; give two numbers that differ")
        return self

    def field(self, folder: Path) -> fields.Field:
        """Return the image as a field; a relative path starts at a folder."""
        return fields.image(
            folder / self.file, self.bounds, channel=self.channel, low=self.low, high=self.high, method=self.method
        )


def _corners(value: tuple[Point, ...]) -> tuple[Point, ...]:
    if len(value) < 3:
        raise ValueError(f"got {shown(value)}; give at least 3 corners, [x, y] each")
    return value


def _ends(value: tuple[Point, ...]) -> tuple[Point, ...]:
    if len(value) < 2:
        raise ValueError(f"got {shown(value)}; give at least 2 places, [x, y] each")
    return value


Polygon = Annotated[tuple[Point, ...], AfterValidator(_corners)]
Line = Annotated[tuple[Point, ...], AfterValidator(_ends)]
