"""Interval arithmetic: the range of a combined field from the ranges of its parts.

Rounding to nearest never reorders two results of one operation, so the bounds found in float64 from
the ends of the ranges hold for the float64 values between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import TypeAlias

import numpy as np

from weald.errors import InputError

Range: TypeAlias = tuple[float, float]

UNBOUNDED: Range = (-math.inf, math.inf)


def checked(value: tuple[float, float], name: str = "range") -> Range:
    """Return ``value`` as a range, or say what is wrong with it."""
    try:
        low, high = (float(end) for end in value)
    except (TypeError, ValueError):
        raise InputError(f"{name}: got {value!r}; give (low, high)") from None
    if not low <= high:
        raise InputError(f"{name}: got ({low}, {high}); give low <= high")
    return low, high


def add(a: Range, b: Range) -> Range:
    """Return the range of a sum."""
    low, high = a[0] + b[0], a[1] + b[1]
    return -math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high


def negate(a: Range) -> Range:
    """Return the range of the opposite."""
    return -a[1], -a[0]


def subtract(a: Range, b: Range) -> Range:
    """Return the range of a difference."""
    return add(a, negate(b))


def multiply(a: Range, b: Range) -> Range:
    """Return the range of a product.

    >>> multiply((-2.0, 3.0), (-5.0, 1.0))
    (-15.0, 10.0)
    """
    return _corners(lambda p, q: p * q, a, b)


def divide(a: Range, b: Range) -> Range:
    """Return the range of a quotient: unbounded where the divisor may be zero.

    >>> divide((1.0, 6.0), (2.0, 4.0)), divide((1.0, 6.0), (0.0, 3.0))
    ((0.25, 3.0), (-inf, inf))
    """
    if b[0] <= 0.0 <= b[1]:
        return UNBOUNDED
    return _corners(lambda p, q: p / q, a, b)


def absolute(a: Range) -> Range:
    """Return the range of the size.

    >>> absolute((-3.0, 2.0)), absolute((-3.0, -2.0))
    ((0.0, 3.0), (2.0, 3.0))
    """
    sizes = sorted((abs(a[0]), abs(a[1])))
    return 0.0 if a[0] <= 0.0 <= a[1] else sizes[0], sizes[1]


def smaller(a: Range, b: Range) -> Range:
    """Return the range of the smaller of two values."""
    return min(a[0], b[0]), min(a[1], b[1])


def larger(a: Range, b: Range) -> Range:
    """Return the range of the larger of two values."""
    return max(a[0], b[0]), max(a[1], b[1])


def hull(a: Range, b: Range) -> Range:
    """Return the range of values of either."""
    return min(a[0], b[0]), max(a[1], b[1])


def lerp(a: Range, b: Range, t: Range) -> Range:
    """Return the range of ``a + t (b - a)``.

    >>> lerp((0.0, 1.0), (10.0, 20.0), (0.0, 1.0)), lerp((0.0, 1.0), (10.0, 20.0), (0.0, 2.0))
    ((0.0, 20.0), (0.0, 40.0))
    """
    if not all(map(math.isfinite, (*a, *b, *t))):
        return hull(a, b) if 0.0 <= t[0] and t[1] <= 1.0 else UNBOUNDED
    # linear in each of the three, so the extremes are among the eight corners
    corners = [p + r * (q - p) if r < 0.5 else q + (r - 1.0) * (q - p) for p, q, r in product(a, b, t)]
    return min(corners), max(corners)


def _corners(operation: Callable[[float, float], float], a: Range, b: Range) -> Range:
    with np.errstate(all="ignore"):
        ends = [float(operation(np.float64(p), np.float64(q))) for p, q in product(a, b)]
    # 0 * inf and inf / inf: what lies between has 0 as a bound
    ends = [0.0 if math.isnan(end) else end for end in ends]
    return min(ends), max(ends)
