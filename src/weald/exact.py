"""Sines, arctangents, logarithms, powers and lengths with the same bits on every machine.

Those of C libraries and of NumPy differ in their last bit from one to the next, and from one processor to
another: NumPy has other kernels where there is AVX-512, BLAS and `einsum` add products without rounding where a
processor can, and Python's own sum() keeps what rounding loses since 3.12. What a rule, a height or a place depends
on must not. So here everything is + - * / and square roots, which IEEE 754 rounds in one way only, in an order that is
written down; a test (`tests/bits/test_names.py`) keeps the others out of weald. Arguments are reduced as in
W. J. Cody and W. Waite, "Software manual for the elementary functions" (1980); the rest are Taylor series.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

import weald.jit  # noqa: F401 - before any kernel is decorated

Array = NDArray[np.float64]

# Taylor terms of sine and cosine: on an eighth of a turn the first one left out is below 1e-17
_SINE = [(-1) ** k / math.factorial(2 * k + 1) for k in range(9)]
_COSINE = [(-1) ** k / math.factorial(2 * k) for k in range(9)]
# one over 1, 3, 5 ..., and over 0!, 1!, 2! ...
_ODD = 1.0 / np.arange(1.0, 25.0, 2.0)
_FACTORIAL = np.array([1.0 / math.factorial(n) for n in range(18)])
# the arctangents of 0, 1/8, 2/8 ... 1
_ARCTANGENTS = np.array(
    [
        0.0,
        0.12435499454676144,
        0.24497866312686414,
        0.35877067027057225,
        0.46364760900080615,
        0.5585993153435624,
        0.6435011087932844,
        0.7188299996216245,
        0.7853981633974483,
    ]
)
# log(2) in two parts: a whole number of up to 2**11 times the first is exact
_LN2, _LN2_REST = 0.693147180369123816490, 1.90821492927058770002e-10


def sine_cosine(turns: ArrayLike) -> tuple[Array, Array]:
    """Return the sine and the cosine of angles counted in turns, any finite numbers.

    >>> sine, cosine = sine_cosine(np.array([0.0, 0.25, 0.5, -0.125]))
    >>> sine.round(3).tolist(), cosine.round(3).tolist()
    ([0.0, 1.0, 0.0, -0.707], [1.0, 0.0, -1.0, 0.707])
    """
    turns = np.asarray(turns, np.float64)
    quarter = np.rint(4 * turns)
    t = (turns - quarter / 4) * (2 * math.pi)  # within an eighth of a turn, exact before the product
    return _turned(quarter, t)


def sine_cosine_deg(angle_deg: ArrayLike) -> tuple[Array, Array]:
    """Return the sine and the cosine of angles in degrees, any finite numbers; whole quarters are exact.

    >>> [float(part) for part in sine_cosine_deg(450.0)]
    [1.0, 0.0]
    """
    angle = np.fmod(np.asarray(angle_deg, np.float64), 360.0)  # a remainder is exact
    quarter = np.rint(angle / 90.0)
    return _turned(quarter, (angle - 90.0 * quarter) * (math.pi / 180.0))


def tangent_deg(angle_deg: float) -> float:
    """Return the tangent of an angle in degrees.

    >>> round(tangent_deg(45.0), 12)
    1.0
    """
    sine, cosine = sine_cosine_deg(angle_deg)
    return float(sine) / float(cosine)


def sine(angle: ArrayLike) -> Array:
    """Return the sine of angles in radians."""
    return sine_cosine(np.asarray(angle, np.float64) / (2 * math.pi))[0]


def cosine(angle: ArrayLike) -> Array:
    """Return the cosine of angles in radians."""
    return sine_cosine(np.asarray(angle, np.float64) / (2 * math.pi))[1]


def _turned(quarter: Array, t: Array) -> tuple[Array, Array]:
    """Return the sine and the cosine of a number of quarter turns plus t, in radians, within an eighth of a turn."""
    square = t * t
    sine, cosine = np.full_like(t, _SINE[-1]), np.full_like(t, _COSINE[-1])
    for a, b in zip(_SINE[-2::-1], _COSINE[-2::-1], strict=True):
        sine, cosine = sine * square + a, cosine * square + b
    sine = sine * t
    which = np.mod(quarter, 4.0)
    odd = (which == 1.0) | (which == 3.0)
    s, c = np.where(odd, cosine, sine), np.where(odd, sine, cosine)
    # adding 0 makes minus zeros zeros: equal turns are equal bytes
    return np.where(which >= 2.0, -s, s) + 0.0, np.where((which == 1.0) | (which == 2.0), -c, c) + 0.0


def arctangent(y: ArrayLike, x: ArrayLike = 1.0) -> Array:
    """Return the angle of directions (x, y), in radians from -pi to pi.

    It is 0 where both are 0, and NaN where both are infinite.

    >>> arctangent([1.0, 1.0, 0.0], [1.0, -1.0, -1.0]).round(4).tolist()
    [0.7854, 2.3562, 3.1416]
    """
    y, x = np.asarray(y, np.float64), np.asarray(x, np.float64)
    out = np.empty(np.broadcast_shapes(y.shape, x.shape))
    # what is repeated is copied: the views of broadcast_arrays are read-only, or warn when they are looked at
    y, x = (
        np.ascontiguousarray(a if a.shape == out.shape else np.array(np.broadcast_to(a, out.shape))) for a in (y, x)
    )
    _arctangents(y.reshape(-1), x.reshape(-1), out.reshape(-1))
    return out


def arctangent_deg(y: ArrayLike, x: ArrayLike = 1.0) -> Array:
    """Return `arctangent` in degrees.

    >>> float(arctangent_deg(1.0).round(9))
    45.0
    """
    return arctangent(y, x) * (180.0 / math.pi)


@njit(nogil=True, cache=True, error_model="numpy")
def _arctangents(y: Array, x: Array, out: Array) -> None:  # pragma: no cover - compiled
    for k in range(out.size):
        up, along = abs(y[k]), abs(x[k])
        steep = up > along
        longer = up if steep else along
        share = (along if steep else up) / longer if longer > 0.0 else longer  # NaN stays
        # atan(share) = atan(c) + atan(t), c the nearest eighth
        eighth = np.floor(8.0 * share + 0.5)
        c = 0.125 * eighth
        t = (share - c) / (1.0 + share * c)
        square = t * t
        series = 0.0
        for term in range(8, 0, -1):
            series = (_ODD[term] if term % 2 == 0 else -_ODD[term]) + series * square
        angle = _ARCTANGENTS[int(eighth) if eighth <= 8.0 else 0] + (t + t * square * series)
        if steep:
            angle = 0.5 * math.pi - angle
        if x[k] < 0.0:
            angle = math.pi - angle
        out[k] = -angle if y[k] < 0.0 else angle


def logarithm(values: ArrayLike) -> Array:
    """Return natural logarithms: -infinity of 0, NaN of what is less.

    >>> logarithm([1.0, math.e, 0.0]).round(9).tolist()
    [0.0, 1.0, -inf]
    """
    given = np.asarray(values, np.float64)
    out = np.empty(given.shape)
    _logarithms(np.ascontiguousarray(given).reshape(-1), out.reshape(-1))
    return out


@njit(nogil=True, cache=True, error_model="numpy")
def _logarithms(values: Array, out: Array) -> None:  # pragma: no cover - compiled
    for k in range(out.size):
        value = values[k]
        if value == 0.0:
            out[k] = -np.inf
        elif value > 0.0 and value < np.inf:
            logarithm, whole = _split(value)
            out[k] = whole * _LN2 + (whole * _LN2_REST + logarithm)
        else:
            out[k] = value if value > 0.0 else np.nan


@njit(nogil=True, cache=True, error_model="numpy")
def _split(value: float) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the logarithm of a mantissa within sqrt(1/2) and sqrt(2), and the power of 2 that goes with it."""
    mantissa, binary = math.frexp(value)
    whole = float(binary)
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        whole -= 1.0
    # 2 * (s + s³/3 + s⁵/5 ...), s below 0.172
    s = (mantissa - 1.0) / (mantissa + 1.0)
    square = s * s
    series = 0.0
    for term in range(11, 0, -1):
        series = (series + _ODD[term]) * square
    return 2.0 * (s + s * series), whole


def raised(values: ArrayLike, exponent: float) -> Array:
    """Return numbers from 0 on to a power above 0, of 64 at most.

    They are off by 2e-15 of their size at most, and 2e-16 more for each unit of their logarithms.

    >>> raised([0.0, 8.0], 1 / 3).round(12).tolist()
    [0.0, 2.0]
    """
    given = np.asarray(values, np.float64)
    out = np.empty(given.shape)
    _raised(np.ascontiguousarray(given).reshape(-1), exponent, out.reshape(-1))
    return out


@njit(nogil=True, cache=True)
def _raised(values: Array, exponent: float, out: Array) -> None:  # pragma: no cover - compiled
    for k in range(out.size):
        value = values[k]
        if value == 0.0 or value == np.inf or np.isnan(value):
            out[k] = value
            continue
        logarithm, whole = _split(value)
        # 2 to the rest: a whole power of 2, and e to what is left, below 0.35
        by_mantissa = exponent * logarithm
        by_whole = exponent * whole
        steps = np.floor(by_whole + by_mantissa * 1.4426950408889634 + 0.5)
        left = (by_whole - steps) * 0.6931471805599453 + by_mantissa
        series = 0.0
        for term in range(17, -1, -1):
            series = _FACTORIAL[term] + series * left
        out[k] = math.ldexp(series, int(min(max(steps, -1100.0), 1100.0)))


def length(*parts: ArrayLike) -> Array:
    """Return the lengths of vectors from their components, whose squares must not overflow.

    >>> length([3.0, 0.0], [4.0, 2.0]).tolist()
    [5.0, 2.0]
    """
    square: Array = np.zeros(())
    for part in parts:
        along = np.asarray(part, np.float64)
        square = square + along * along
    return np.sqrt(square)


def lengths(vectors: ArrayLike) -> Array:
    """Return the lengths of vectors, shape (..., d), as `length` does, shape (...)."""
    return length(*np.moveaxis(np.asarray(vectors, np.float64), -1, 0))


def products(rows: ArrayLike, columns: ArrayLike) -> Array:
    """Return the scalar product of each vector, shape (n, d), with each of others, shape (m, d): shape (n, m).

    >>> products([[1, 2], [0, 1]], [[3, 4]]).tolist()
    [[11.0], [4.0]]
    """
    a, b = np.asarray(rows, np.float64), np.asarray(columns, np.float64)
    added = np.zeros((len(a), len(b)))
    for k in range(a.shape[1]):
        added += a[:, k, None] * b[:, k]
    return added


def diagonal(size: tuple[float, ...]) -> float:
    """Return the diagonal of a box, however large or small.

    >>> diagonal((3e300, 4e300))
    5e+300
    """
    longest = max(map(abs, size))
    if not 0.0 < longest < math.inf:
        return longest
    return longest * float(length(*(along / longest for along in size)))


def total(values: tuple[float, ...] | list[float]) -> float:
    """Return a sum, added up from the first to the last.

    >>> total([0.1] * 10) == 1.0
    False
    """
    added = 0.0
    for value in values:
        added += value
    return added


def mean_of(values: ArrayLike) -> float:
    """Return the mean of numbers, added up from the first to the last: NumPy's order is its own affair.

    >>> mean_of([1.0, 2.0, 6.0])
    3.0
    """
    given = np.asarray(values, np.float64).reshape(-1)
    return float(np.add.accumulate(given)[-1]) / given.size


def follow(at: ArrayLike, knots: ArrayLike, values: ArrayLike) -> Array:
    """Return what lies on the line through knots, from the left to the right; level beyond its ends.

    >>> follow([-1.0, 0.5, 3.0], [0.0, 1.0], [4.0, 6.0]).tolist()
    [4.0, 5.0, 6.0]
    """
    x, y = np.asarray(knots, np.float64), np.asarray(values, np.float64)
    place = np.clip(np.asarray(at, np.float64), x[0], x[-1])
    left = np.clip(np.searchsorted(x, place, side="right") - 1, 0, len(x) - 2)
    share = (place - x[left]) / (x[left + 1] - x[left])
    return y[left] + share * (y[left + 1] - y[left])


def doublings(ratio: float) -> int:
    """Return how often 1 must be doubled, or halved if less than 0, to reach a finite ratio above 0.

    >>> doublings(8.0), doublings(8.1), doublings(0.5)
    (3, 4, -1)
    """
    mantissa, exponent = math.frexp(ratio)
    return exponent - 1 if mantissa == 0.5 else exponent


def transformed(points: ArrayLike, matrix: ArrayLike) -> Array:
    """Return points, shape (..., 3), times a 3 x 3 matrix that acts on columns, plus its fourth column if it has one.

    >>> transformed([1.0, 2.0, 3.0], [[0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0]]).tolist()
    [3.0, 1.0, 3.0]
    """
    at, m = np.asarray(points, np.float64), np.asarray(matrix, np.float64)
    rows = []
    for row in m[:3]:
        along = at[..., 0] * row[0] + at[..., 1] * row[1] + at[..., 2] * row[2]
        rows.append(along + row[3] if len(row) > 3 else along)
    return np.stack(rows, axis=-1)
