"""``[species.NAME]``: what can stand somewhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

from weald.scatter.species import SCALES, SHAPES
from weald.world.spec.tables import Color, Finite, Length, Name, NotNegative, Real, Share, Table, shown

Shape = Literal["conifer", "broadleaf", "bush", "rock", "grass", "palm", "cactus", "dead", "mushroom", "crystal"]
Scale = Annotated[Real, Field(ge=SCALES[0], le=SCALES[1])]


class SpeciesSpec(Table):
    """A species: see `weald.scatter.species.Species`."""

    asset: Name | None = None
    """A file with a mesh."""
    asset_up: Literal["y", "z"] | None = None
    """The axis of the file that points up, if it is not the usual one of its format."""
    shape: Annotated[Shape | None, Field(validate_default=True)] = None
    """A built-in mesh."""
    height: Annotated[Length | None, Field(validate_default=True)] = None
    """Tip above the ground in metres, at scale 1."""
    crown_radius: Annotated[Length | None, Field(validate_default=True)] = None
    """Widest half-width in metres, at scale 1."""
    color: Annotated[Color | None, Field(validate_default=True)] = None
    """Of the crown, such as `"#2f5a48"`."""
    scale: tuple[Scale, Scale] = (0.85, 1.15)
    """Smallest and largest size of an instance."""
    stem_radius: NotNegative | None = None
    """Of what is solid at the ground, in metres: other layers keep off it. If left out, it goes with the shape."""
    alignment: Share = 0.0
    """How far an instance leans from the vertical, 0, to the normal of the ground, 1."""
    tilt_deg: Annotated[Real, Field(ge=0, le=90)] = 0.0
    """The farthest that an instance leans by chance besides."""
    facing: Literal["any", "downhill", "uphill"] = "any"
    """What the yaw is counted from."""
    yaw_deg: tuple[Finite, Finite] | None = None
    """Range of turns from there, in degrees."""
    sink: Finite = 0.0
    """How deep an instance stands in the ground, in metres."""
    color_variation: Share = 0.0
    """How much the colour differs between instances, 0 to 1."""

    @field_validator("shape", "height", "crown_radius", "color")
    @classmethod
    def _given(cls, value: Any, info: ValidationInfo) -> Any:
        """Require what only an asset makes up for."""
        if value is None and info.data.get("asset") is None:
            if info.field_name == "shape":
                raise ValueError("is missing; give a built-in shape, or an `asset`")
            raise PydanticKnownError("missing")
        return value

    @field_validator("scale", "yaw_deg")
    @classmethod
    def _sorted(cls, value: tuple[float, float] | None) -> tuple[float, float] | None:
        if value is not None and value[0] > value[1]:
            raise ValueError(f"got {shown(value)}; give the smaller number first")
        return value


assert get_args(Shape) == SHAPES, "a spec may name the built-in shapes"
