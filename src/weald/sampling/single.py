"""Single precision: coordinates as float32, which must not leave a half-open box by rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError

Array = NDArray[np.float64]

_INFINITE = np.float32(np.inf)


def ends(low: float, high: float, origin: float = 0.0) -> tuple[np.float32, np.float32]:
    """Return the first and the last float32 in ``[low - origin, high - origin)``, by exact arithmetic.

    They are inside the box as it is, and inside the box rounded to float32, which is what NumPy compares with when
    an array of float32 meets a Python float. The first lies above the last if there is none inside.

    >>> [float(end) for end in ends(0.0, 1.0)]
    [0.0, 0.9999999403953552]
    """
    exact_low, exact_high = Fraction(low) - Fraction(origin), Fraction(high) - Fraction(origin)
    first, last = _nearest(exact_low), _nearest(exact_high)
    if first == -_INFINITE or (math.isfinite(first) and Fraction(float(first)) < exact_low):
        first = np.nextafter(first, _INFINITE)
    return first, np.nextafter(last, -_INFINITE)  # below the rounded end, and so below the exact one


def _nearest(value: Fraction) -> np.float32:
    with np.errstate(over="ignore"):
        return np.float32(float(value))


def safe(low: float, high: float, slack: float) -> tuple[float, float]:
    """Return the largest part of ``[low, high)`` all of whose numbers, rounded to float32, lie in `ends`.

    An end at which that takes away more than ``slack`` is left as it is.

    >>> safe(0.0, 1.0, 1e-3) == (0.0, 1 - 2.0**-25)
    True
    """
    first, last = ends(low, high)
    if not (math.isfinite(first) and math.isfinite(last) and first < last):
        return low, high
    # what lies beyond the middle between two float32 is rounded to the next
    begin = math.nextafter((float(np.nextafter(first, -_INFINITE)) + float(first)) / 2, math.inf)
    with np.errstate(over="ignore"):  # beyond the last float32 nothing is rounded to it
        end = (float(last) + float(np.nextafter(last, _INFINITE))) / 2
    return (
        begin if low < begin <= low + slack else low,
        end if high > end >= high - slack else high,
    )


SAFE = 2.0**-10
"""Share of the radius that a domain gives at its edges, so that its points are inside when rounded to float32."""


def safe_ends(low: Sequence[float], high: Sequence[float], radius: float) -> list[tuple[float, float]]:
    """Return, axis by axis, the part of a domain that is `safe`, where that takes away next to nothing."""
    size = [b - a for a, b in zip(low, high, strict=True)]
    slack = SAFE * min(radius, *size)
    return [safe(a, b, slack) for a, b in zip(low, high, strict=True)]


def rounded_inside(
    places: Array, origin: Array, box: tuple[Sequence[float], Sequence[float]] | None
) -> NDArray[np.float32]:
    """Return places relative to an origin in float32; those that rounding would take out of the box stay inside."""
    with np.errstate(over="ignore"):
        rounded = (places - origin).astype(np.float32)
    if box is None or len(places) == 0:
        return rounded
    for axis, (low, high, start) in enumerate(zip(*box, origin.tolist(), strict=True)):
        first, last = ends(low, high, start)
        if first > last:
            raise InputError(
                f"origin: no float32 lies between {low} and {high} when {start} is subtracted; "
                "give an origin near the points, such as the lower corner of their bounds"
            )
        np.clip(rounded[:, axis], first, last, out=rounded[:, axis])
    return rounded
