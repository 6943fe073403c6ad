"""``[water]``: the sea, and what counts as a river or a lake."""

from __future__ import annotations

from weald.world.spec.tables import Finite, NotNegative, Positive, Table


class WaterSpec(Table):
    """Water on the ground. Where it flows is known for ground with edges only."""

    level: Finite | None = None
    """Height of still water: the sea. It is drawn, and layers keep out of it unless they say otherwise."""
    river_catchment: Positive = 250_000.0
    """Ground that drains through a place from which on it is a river, in square metres."""
    lake_depth: NotNegative = 1.0
    """Least depth of a lake, in metres."""
