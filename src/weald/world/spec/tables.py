"""What every table of the spec is made of: strict numbers, names, and no unknown keys."""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, Strict

Finite = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Positive = Annotated[Finite, Field(gt=0)]
NotNegative = Annotated[Finite, Field(ge=0)]
Share = Annotated[Finite, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1)]
Formula = Annotated[str, Field(min_length=1)]
"""Text that `weald.fields.formula` reads."""
Point = tuple[Finite, Finite]
Box = tuple[Finite, Finite, Finite, Finite]
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
