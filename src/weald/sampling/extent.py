"""Boxes of whole numbers: of cells, or of places."""

from __future__ import annotations

from typing import NamedTuple

UNBOUNDED = 1 << 62


class Extent(NamedTuple):
    """A half-open box of whole numbers: of cells, or of places counted from the origin."""

    xmin: int
    ymin: int
    xmax: int
    ymax: int

    def intersection(self, other: Extent) -> Extent:
        """Return the common part; empty if a maximum is not above its minimum."""
        return Extent(
            max(self.xmin, other.xmin),
            max(self.ymin, other.ymin),
            min(self.xmax, other.xmax),
            min(self.ymax, other.ymax),
        )

    def around(self, other: Extent) -> Extent:
        """Return the least box that holds this one and another, unless that is empty."""
        if other.empty:
            return self
        return Extent(
            min(self.xmin, other.xmin),
            min(self.ymin, other.ymin),
            max(self.xmax, other.xmax),
            max(self.ymax, other.ymax),
        )

    def grown(self, by: int) -> Extent:
        """Return the box with a margin on all sides."""
        return Extent(self.xmin - by, self.ymin - by, self.xmax + by, self.ymax + by)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of an array over the box."""
        return self.ymax - self.ymin, self.xmax - self.xmin

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return self.xmin >= self.xmax or self.ymin >= self.ymax

    def shifted(self, i: int, j: int, cell: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the box of places as counted from cell (i, j), clamped to what 64 bits hold."""

        def clamp(place: int) -> int:
            return max(-UNBOUNDED, min(UNBOUNDED, place))

        return (
            clamp(self.xmin - i * cell[0]),
            clamp(self.ymin - j * cell[1]),
            clamp(self.xmax - i * cell[0]),
            clamp(self.ymax - j * cell[1]),
        )


EVERYWHERE = Extent(-UNBOUNDED, -UNBOUNDED, UNBOUNDED, UNBOUNDED)
