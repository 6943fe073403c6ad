"""What every table of the spec is made of: strict numbers, names, and no unknown keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict

LENGTHS = (1e-6, 1e12)
"""Metres: from a thousandth of a millimetre to beyond the planets. Squares of sums and quotients are numbers."""
FARTHEST = 1e12
"""Metres from the origin that a place of a spec may lie at most, along each axis."""
LARGEST = 1e30
"""Of all other numbers. Products of some of them are still numbers."""
FACTORS = (1e-3, 1e3)
"""By which lengths may be made smaller and larger."""


def within(low: float, high: float, what: str = "number") -> Callable[[float], float]:
    """Return a check that a number lies between two others."""

    def check(value: float) -> float:
        if not low <= value <= high:
            raise ValueError(f"got {value!r}; give a {what} from {low:g} to {high:g}")
        return value

    return check


Real = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Finite = Annotated[Real, AfterValidator(within(-LARGEST, LARGEST))]
NotNegative = Annotated[Real, Field(ge=0), AfterValidator(within(0.0, LARGEST))]
Positive = Annotated[Real, Field(gt=0), AfterValidator(within(1 / LARGEST, LARGEST))]
Length = Annotated[Real, Field(gt=0), AfterValidator(within(*LENGTHS, "number of metres"))]
Factor = Annotated[Real, Field(gt=0), AfterValidator(within(*FACTORS, "factor"))]
Coordinate = Annotated[Real, AfterValidator(within(-FARTHEST, FARTHEST, "coordinate in metres"))]
Share = Annotated[Real, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1)]
Formula = Annotated[str, Field(min_length=1)]
"""Text that `weald.fields.formula` reads."""
Point = tuple[Coordinate, Coordinate]
Box = tuple[Coordinate, Coordinate, Coordinate, Coordinate]
Color = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]


class Table(BaseModel):
    """A table of the spec: frozen, without unknown keys; no value is turned into another type."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


def shown(value: Any) -> str:
    """Return a value about as the file has it, shortened if it is long."""
    text = repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def box_not_empty(value: Box | None) -> Box | None:
    """Refuse a box without an inside."""
    if value is not None and not (value[0] < value[2] and value[1] < value[3]):
        raise ValueError(f"got {shown(value)}; give [xmin, ymin, xmax, ymax], each minimum below its maximum")
    return value
