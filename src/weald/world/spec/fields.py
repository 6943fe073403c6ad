"""``[noise.NAME]``, ``[images.NAME]``, ``[lines]`` and ``[areas]``: what rules and formulas can refer to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, Strict, field_validator, model_validator

from weald import fields, hashing
from weald.world.spec.tables import (
    LENGTHS,
    Box,
    Finite,
    Length,
    Name,
    Point,
    Real,
    Share,
    Table,
    box_not_empty,
    shown,
    within,
)

Frequency = Annotated[
    Real, Field(gt=0), AfterValidator(within(1 / LENGTHS[1], 1 / LENGTHS[0], "number of cycles a metre"))
]


class WarpSpec(Table):
    """Bend a noise by another: see `weald.fields.Field.warp`."""

    strength: Length
    """How far one step moves places at most along either axis, in metres; all steps reach `steps` times as far."""
    scale: Length
    """Metres a cycle of the noise that moves them."""
    octaves: Annotated[int, Strict(), Field(ge=1, le=32)] = 2
    """Of the noise that moves places."""
    steps: Annotated[int, Strict(), Field(ge=1, le=4)] = 1
    """How often; each step bends what the steps before have bent."""


class NoiseSpec(Table):
    """A field of noise, in [-1, 1] (worley's distances from 0), that rules and formulas can refer to."""

    basis: Literal["perlin", "simplex", "value", "worley", "perlin_classic"] = "perlin"
    """Kind of noise."""
    frequency: Frequency | None = None
    """Cycles a metre."""
    scale: Length | None = None
    """Metres a cycle, instead of `frequency`."""
    form: Literal["fbm", "ridged", "billow"] = "fbm"
    """How octaves are summed: `fbm` plainly, `ridged` with sharp crests, `billow` with round cushions."""
    octaves: Annotated[int, Strict(), Field(ge=1, le=32)] = 6
    """How many, each finer than the one before."""
    gain: Annotated[Real, Field(ge=0.001, le=2)] = 0.5
    """Strength of an octave, in parts of the one before."""
    lacunarity: Annotated[Real, Field(ge=1, le=16)] = 2.0
    """Frequency of an octave, in parts of the one before."""
    weighted_strength: Share = 0.0
    """How far low places are kept smooth: 0 not at all, to 1."""
    feature: Literal["f1", "f2", "f2-f1", "id"] | None = None
    """Of worley noise; f1 if left out."""
    jitter: Share | None = None
    """Of worley noise: how far points leave the middle of their cells, 0 to 1; 1 if left out."""
    period: Length | None = None
    """Metres after which the noise repeats along both axes; never if left out."""
    warp: WarpSpec | None = None
    """Bend the noise by another."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.frequency is None) == (self.scale is None):
            given = "neither is" if self.frequency is None else "both are"
            raise ValueError(f"give `frequency`, cycles a metre, or `scale`, metres a cycle; {given} given")
        for key in ("feature", "jitter"):
            if getattr(self, key) is not None and self.basis != "worley":
                raise ValueError(f"`{key}` is of worley noise, and the basis is {self.basis!r}; leave it out")
        if self.period is not None and self.basis == "simplex":
            raise ValueError("`period` goes with every basis but 'simplex', whose lattice never repeats; leave it out")
        return self

    def field(self, seed: int) -> fields.Field:
        """Return the noise as a field."""
        more: dict[str, Any] = {} if self.period is None else {"period": self.period}
        if self.basis == "worley":
            more |= {"feature": self.feature or "f1", "jitter": 1.0 if self.jitter is None else self.jitter}
        noise = getattr(fields, self.basis)(seed, self.frequency, scale=self.scale, **more)
        # the id of cells has no octaves
        field: fields.Field = noise if self.feature == "id" else self._sum(noise)
        return field if self.warp is None else _warped(field, self.warp, seed, self.period)

    def _sum(self, noise: fields.Noise) -> fields.Field:
        summed: fields.Field = getattr(noise, self.form)(
            octaves=self.octaves,
            gain=self.gain,
            lacunarity=self.lacunarity,
            weighted_strength=self.weighted_strength,
        )
        return summed


def _warped(field: fields.Field, warp: WarpSpec, seed: int, period: float | None) -> fields.Field:
    for step in range(warp.steps):
        dx, dy = (
            fields.perlin(hashing.key(seed, "warp", step, axis), scale=warp.scale, period=period).fbm(
                octaves=warp.octaves
            )
            * warp.strength
            for axis in ("x", "y")
        )
        field = field.warp(dx, dy)
    return field


class ImageSpec(Table):
    """An image laid over a part of the plane, as a field."""

    file: Name
    """The image; a relative path starts at the spec file."""
    bounds: Box
    """(xmin, ymin, xmax, ymax) in metres: the outer edges of the image."""
    low: Finite | None = None
    """Value of the darkest code there is; 0 if left out. Images of floats hold values already, and take none."""
    high: Finite | None = None
    """Value of the brightest; 1 if left out."""
    channel: Literal["gray", "red", "green", "blue", "alpha", "luminance"] | None = None
    """Of an image in colour, and needed there."""
    method: Literal["bilinear", "nearest", "cubic"] = "bilinear"
    """How values between pixels are found."""

    _bounds = field_validator("bounds")(box_not_empty)

    @model_validator(mode="after")
    def _apart(self) -> Self:
        low, high = 0.0 if self.low is None else self.low, 1.0 if self.high is None else self.high
        if low == high:
            raise ValueError(f"`low` and `high` are both {low:g}; give two numbers that differ")
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
