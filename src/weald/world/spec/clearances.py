"""``[clearances]``: how far what is placed later keeps off what stands already."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, Strict, model_validator

from weald.numbers import number
from weald.world.spec.tables import LENGTHS, NotNegative, Table, shown


def _stems_or_metres(value: Any) -> Any:
    if value == "stems":
        return value
    found = number(value)
    if found is None or not 0 <= found <= LENGTHS[1]:
        raise ValueError(f'got {shown(value)}; give "stems", or a distance in metres of at least 0')
    return found


class ClearancesSpec(Table):
    """Least distances between layers or species: see `weald.scatter.clearances.Clearances`."""

    default: Annotated[
        float | str, BeforeValidator(_stems_or_metres, json_schema_input_type=Literal["stems"] | NotNegative)
    ] = "stems"
    """What holds where nothing else is said: the sum of both stem radii, or a distance in metres."""
    scaled: Annotated[bool, Strict()] = False
    """Whether distances grow with the size of what stands."""
    between: dict[str, dict[str, NotNegative]] = Field(default_factory=dict)
    """Names of species or layers, and for each the names of others with a distance in metres."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        pairs = self.pairs
        for (one, other), distance in pairs.items():
            back = pairs.get((other, one), distance)
            if back != distance:
                raise ValueError(
                    f"{one!r} to {other!r} is {distance:g} and {other!r} to {one!r} is {back:g}; give the pair once"
                )
        return self

    @property
    def pairs(self) -> dict[tuple[str, str], float]:
        """The distances by pairs of names."""
        return {(one, other): d for one, others in self.between.items() for other, d in others.items()}
