"""``[worms.NAME]``: winding passages, for the floors of caves, for gullies and paths."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict, field_validator

from weald.fields import Field as FieldOf
from weald.terrain.caves import Worms
from weald.world.spec.tables import Length, NotNegative, Table, shown


class WormsSpec(Table):
    """Passages carved by worms all over the world: see `weald.terrain.caves.Worms`."""

    cell: Length = 96.0
    """Side of the square cells that worms are born in, in metres."""
    per_cell: NotNegative = 1.0
    """Worms a cell, on average."""
    steps: Annotated[int, Strict(), Field(ge=1, le=100_000)] = 300
    """Discs that each worm carves."""
    step: Length = 1.0
    """Metres from disc to disc; at most the least radius."""
    radius: tuple[Length, Length] = (2.0, 3.0)
    """Least and largest radius of a passage, in metres."""
    bend: Length = 60.0
    """Metres of the way in which a worm changes its mind: short for curls, long for straight passages."""

    @field_validator("radius")
    @classmethod
    def _sorted(cls, value: tuple[float, float]) -> tuple[float, float]:
        if value[0] > value[1]:
            raise ValueError(f"got {shown(value)}; give the smaller number first")
        return value

    def field(self, seed: int) -> FieldOf:
        """Return how deep in a passage a place lies, as a field."""
        return Worms(seed, **dict(self)).profile
