"""``[ground]``: where the heights come from."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, Strict, field_validator, model_validator

from weald.world.spec.tables import Box, Finite, Formula, Length, Point, Real, Table, box_not_empty

Count = Annotated[int, Strict(), Field(ge=1)]
Iterations = Annotated[int, Strict(), Field(ge=0, le=10_000)]


class ErosionSpec(Table):
    """Erosion: see `weald.terrain.erosion.erode` and `weald.terrain.erosion.thermal`."""

    iterations: Iterations = 100
    """Of water that carries ground away."""
    strength: Annotated[Real, Field(ge=0.0001, le=10)] = 1.0
    """How fast water cuts."""
    capacity: Annotated[Real, Field(ge=0.0001, le=10)] = 0.05
    """How much water can carry."""
    talus_deg: Annotated[Real, Field(ge=0.01, lt=90)] = 38.0
    """The steepest slope that stays; what is steeper slides."""
    slides: Iterations = 0
    """Iterations of slides alone, afterwards."""


_NOT_OF_FILES = ("sample", "file", "formula", "window", "resample", "erosion")


class GroundSpec(Table):
    """The ground: a sample that comes with weald's dependencies, a file, or a formula."""

    sample: Literal["jacksboro"] | None = None
    """A terrain that comes with weald."""
    file: str | None = None
    """A file of heights, or a mesh; a relative path starts at the spec file."""
    formula: Formula | None = None
    """Heights in metres as a formula of noise, images and fields: ground without edges."""
    window: Box | None = None
    """[xmin, ymin, xmax, ymax] in metres: the part of the ground that is the world; all of it if left out."""
    spacing: Length | None = None
    """Metres between samples; needed with a formula, and with files that do not say."""
    origin: Point | None = None
    """Place of the south-westernmost sample, in metres."""
    crs: str | None = None
    """Coordinate system to project to: `"utm"`, or such as `"EPSG:32632"`."""
    low: Finite | None = None
    """PNG, RAW and TIFF without a place: metres at code 0."""
    high: Finite | None = None
    """PNG, RAW and TIFF without a place: metres at the top code."""
    rows: Literal["north-first", "south-first"] | None = None
    """Which row of the file comes first."""
    void: Finite | None = None
    """The code or value that means: no ground here."""
    key: str | None = None
    """NPZ: name of the array, if there are several."""
    size: tuple[Count, Count] | None = None
    """RAW: [nx, ny], if it is not square."""
    byte_order: Literal["little-endian", "big-endian"] | None = None
    """RAW: order of the bytes of a code."""
    band: Count | None = None
    """GeoTIFF: the band with the heights, if there are several."""
    vertical_unit: str | None = None
    """GeoTIFF: the unit of heights, if the file does not say."""
    up: Literal["y", "z"] | None = None
    """Meshes: the axis that points up."""
    node: str | None = None
    """Meshes: name of the nodes that are ground."""
    resample: Length | None = None
    """Metres between samples of the world's ground, by cubic interpolation; as they come if left out."""
    erosion: ErosionSpec | None = None
    """Let water and gravity shape the ground; for ground with edges."""

    _window = field_validator("window")(box_not_empty)

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        given = [name for name in ("sample", "file", "formula") if getattr(self, name) is not None]
        if len(given) > 1:
            listed = ", ".join(f"`{name}`" for name in given[:-1]) + f" and `{given[-1]}`"
            raise ValueError(f"{listed} are {'both' if len(given) == 2 else 'all'} given; give one of them")
        if not given:
            raise ValueError('give `sample = "jacksboro"`, a `file`, or a `formula` and its `spacing`')
        source = given[0]
        odd = [f"`{name}`" for name in self.of_file() if (source, name) != ("formula", "spacing")]
        if odd and source != "file":
            raise ValueError(f"{', '.join(odd)} can be given for a `file` only, not for a `{source}`")
        if source == "formula":
            self._check_formula()
        return self

    def _check_formula(self) -> None:
        if self.spacing is None:
            raise ValueError("`formula` needs `spacing`, the metres between its samples")
        if self.resample is not None:
            raise ValueError("`resample` can be given for a `file` or a `sample`; for a `formula`, give `spacing`")
        if self.erosion is not None and self.window is None:
            raise ValueError("`erosion` needs ground with edges; give a `window`")

    def of_file(self) -> dict[str, Any]:
        """Return what is said about the file: arguments of `Terrain.open`."""
        said = {name: getattr(self, name) for name in GroundSpec.model_fields if name not in _NOT_OF_FILES}
        return {name: value for name, value in said.items() if value is not None}
