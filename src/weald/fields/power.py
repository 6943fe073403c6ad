"""Powers with a constant exponent, by arithmetic alone: the same bits on every machine.

The `pow` of C libraries differs in its last bit from one to the next. Whole exponents are products;
half ones a product and a square root; others are those of `weald.exact`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.exact import raised
from weald.fields.interval import UNBOUNDED, Range
from weald.numbers import number

Floats = NDArray[np.float64]

MOST = 64.0
"""Largest exponent."""


def power(values: Floats, exponent: float, low: float, high: float) -> Floats:
    """Return values to a power, held in the range that `power_span` gave; NaN stays."""
    out = _power(np.asarray(values, np.float64), exponent)
    return np.minimum(np.maximum(out, low, out=out), high, out=out)


def power_span(values: Range, exponent: float) -> Range:
    """Return the range of powers of values within a range.

    >>> power_span((-2.0, 3.0), 2.0), power_span((-2.0, 3.0), 3.0), power_span((0.0, 4.0), 0.5)
    ((0.0, 9.0), (-8.0, 27.0), (0.0, 2.0))
    """
    low, high = values
    if not exponent.is_integer() and low < 0.0:
        raise InputError(
            f"power: got the exponent {exponent} for values from {low} on; a number below 0 has whole powers only: "
            "raise the values first, by `.max(0)` or abs()"
        )
    if exponent < 0.0 and low <= 0.0 <= high:
        return (0.0, math.inf) if low >= 0.0 or exponent % 2.0 == 0.0 else UNBOUNDED
    with np.errstate(all="ignore"):
        ends = sorted(_power(np.array(values), exponent).tolist())
    if low <= 0.0 <= high and exponent % 2.0 == 0.0:
        ends[0] = 0.0
    return ends[0], ends[1]


def checked_exponent(value: float) -> float:
    """Return an exponent, or say what is wrong with it."""
    exponent = number(value)
    if exponent is None or not 0.0 < abs(exponent) <= MOST:
        raise InputError(f"power: got the exponent {value!r}; give a number other than 0, from -{MOST} to {MOST}")
    return exponent


def _power(values: Floats, exponent: float) -> Floats:
    size = abs(exponent)
    if (2.0 * size).is_integer():
        out = _whole(values, int(size))
        if not size.is_integer():
            out = np.sqrt(values) if out is None else out * np.sqrt(values)
        assert out is not None
    else:
        out = raised(values, size)
    return np.divide(1.0, out, out=out) if exponent < 0.0 else out


def _whole(values: Floats, exponent: int) -> Floats | None:
    """Return a product of equal values, by repeated squares; None for no factor."""
    out, square = None, values
    while exponent:
        if exponent & 1:
            out = square.copy() if out is None else out * square
        exponent >>= 1
        if exponent:
            square = square * square
    return out
