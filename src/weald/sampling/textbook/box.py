"""The domain of a textbook method, in the plane or in space, and the checks of what is asked in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald import geometry
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.sampling import single
from weald.sampling.textbook.stream import Stream, units

SpaceBounds: TypeAlias = Sequence[float] | NDArray[np.float64]
"""``(xmin, ymin, zmin, xmax, ymax, zmax)``, half-open, in metres."""

MOST = 1 << 27
"""Points or cells that one call may make: half a GiB of cells."""

_FINEST = 2.0**-40
_SLACK = 2.0**-16


@dataclass(frozen=True, slots=True)
class Box:
    """A half-open box of the plane or of space; the plane is space with one layer at z = 0.

    Attributes
    ----------
    dimension : int
        2 or 3.
    first, last : ndarray, shape (3,)
        The least and the greatest coordinates that belong to it. Rounded to float32 they are still
        in the box, unless the box is so far from the origin that float32 is coarser than 2**-16 of it.
    """

    dimension: int
    first: NDArray[np.float64]
    last: NDArray[np.float64]

    @classmethod
    def of_plane(cls, bounds: BoundsLike) -> Box:
        """Return the box of four numbers."""
        box = Bounds.of(bounds)
        return cls._between([box.xmin, box.ymin], [box.xmax, box.ymax])

    @classmethod
    def of_space(cls, bounds: SpaceBounds) -> Box:
        """Return the box of six numbers."""
        box = geometry.SpaceBounds.of(bounds)  # type: ignore[arg-type]
        return cls._between(list(box.low), list(box.high))

    @classmethod
    def _between(cls, low: list[float], high: list[float]) -> Box:
        ends = [_inner(a, b) for a, b in zip(low, high, strict=True)]
        flat = [(0.0, 0.0)] * (3 - len(ends))
        first, last = np.array(ends + flat).T
        return cls(len(ends), np.ascontiguousarray(first), np.ascontiguousarray(last))

    @property
    def size(self) -> list[float]:
        """Length along each axis, in metres."""
        length: list[float] = (self.last - self.first)[: self.dimension].tolist()
        return length

    def places(self, state: Stream, n: int) -> NDArray[np.float64]:
        """Draw n places of the box, uniform and independent, shape (n, 3)."""
        out = np.zeros((n, 3))
        out[:, : self.dimension] = units(state, n * self.dimension).reshape(n, self.dimension)
        # a number below 1 times a length may round up to the length
        return np.minimum(self.first + out * (self.last - self.first), self.last)

    def check_fine(self, name: str, length: float) -> None:
        """Refuse a length that float64 cannot tell apart this far from the origin."""
        far = float(max(np.abs(self.first).max(), np.abs(self.last).max()))
        if far * _FINEST > length:
            raise InputError(
                f"{name}: got {length} at {far:.3g} from the origin; give at least {far * _FINEST:.3g}, "
                "or move the origin nearer"
            )


def _inner(low: float, high: float) -> tuple[float, float]:
    """Return the least and the greatest number to use in ``[low, high)``."""
    first, last = low, math.nextafter(high, -math.inf)
    # points are often turned into float32, where a number below ``high`` may become ``high``
    up, down = (float(end) for end in single.ends(low, high))
    slack = _SLACK * (high - low)
    return up if up - low <= slack else first, down if high - down <= slack else last


def whole(name: str, value: int, least: int, most: int = MOST) -> int:
    """Return a count, or say what is wrong with it."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise InputError(f"{name}: got {value!r}; give a whole number from {least} to {most}")
    return int(value)


def callable_or_none(allowed: object) -> None:
    """Refuse a rule that cannot be asked."""
    if allowed is not None and not callable(allowed):
        raise InputError(f"allowed: got {type(allowed).__name__}; give a function of places that returns booleans")
