"""Numbers that were given: checked in one way, whoever asks for them."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError


def number(value: object) -> float | None:
    """Return a real number as a float, NaN and infinity included; None for what is none.

    NumPy's numbers count. Text that looks like a number does not, and neither do booleans.

    >>> [number(value) for value in (3, np.float32(2.5), True, "4", None)]
    [3.0, 2.5, None, None, None]
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 308 digits
        return math.inf if abs(value) == value else -math.inf


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a finite real number.

    >>> [is_number(value) for value in (3, 2.5, True, "4", None, float("nan"))]
    [True, True, False, False, False, False]
    """
    found = number(value)
    return found is not None and math.isfinite(found)


def lies_in(value: object, low: float, high: float) -> bool:
    """Return whether a value is a real number within a range, ends included.

    As float64: a float32 cannot be compared with what it cannot hold.

    >>> lies_in(np.float32(5), 0, 1e100), lies_in("5", 0, 9)
    (True, False)
    """
    found = number(value)
    return found is not None and low <= found <= high


def plain(value: float) -> str:
    """Return a coordinate as people write it: to a tenth of a millimetre at most, without a power of ten.

    >>> plain(5150620.0), plain(0.1 + 0.2), plain(-0.00001), plain(1e22)
    ('5150620', '0.3', '0', '1e+22')
    """
    if not abs(value) < 1e15:
        return f"{value:g}"
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def shown_box(xmin: float, ymin: float, xmax: float, ymax: float) -> str:
    """Return the ends of a box in words.

    >>> shown_box(500000, 5150620, 500100, 5151000.5)
    'x 500000 to 500100, y 5150620 to 5151000.5'
    """
    return f"x {plain(xmin)} to {plain(xmax)}, y {plain(ymin)} to {plain(ymax)}"


def number_in(
    name: str,
    value: object,
    allowed: str,
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
) -> float:
    """Return a finite number that lies where it may, or say what is allowed.

    >>> number_in("share", 0.25, "a number from 0 to 1", least=0, most=1)
    0.25
    """
    found = number(value)
    if found is None or not (math.isfinite(found) and least <= found <= most and above < found < below):
        raise InputError(f"{name}: got {value!r}; give {allowed}")
    return found


def whole_in(name: str, value: object, allowed: str, *, least: int, most: float = math.inf) -> int:
    """Return a whole number that lies where it may, or say what is allowed; 2.0 is none.

    >>> whole_in("steps", 3, "a whole number from 0 to 64", least=0, most=64)
    3
    """
    found = None if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if found is None or not least <= found <= most:
        raise InputError(f"{name}: got {value!r}; give {allowed}")
    return found


def ordered(name: str, value: object, allowed: str) -> tuple[float, float]:
    """Return a pair of finite numbers of which the first is not the larger, or say what is allowed.

    >>> ordered("depth", (-40, 0), "finite heights (least, largest), in metres")
    (-40.0, 0.0)
    """
    low, high = pair(value)
    if not -math.inf < low <= high < math.inf:
        raise InputError(f"{name}: got {value!r}; give {allowed}")
    return low, high


def pair(value: object) -> tuple[float, float]:
    """Return two numbers as floats; NaN, which no comparison lets pass, for what is no pair of numbers.

    >>> pair((1, 2)), pair(3)
    ((1.0, 2.0), (nan, nan))
    """
    try:
        low, high = (number(end) for end in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        low = high = None
    return (math.nan, math.nan) if low is None or high is None else (low, high)


def metres(name: str, value: object) -> float:
    """Return a length above 0, or say what is allowed."""
    return number_in(name, value, "a finite number of metres above 0", above=0.0)


def floats(value: object) -> NDArray[np.float64] | None:
    """Return numbers as an array of float64, NaN and infinity included; None for what is no array of numbers.

    What counts is what `number` takes: numbers of more than 308 digits are infinite; text, booleans, complex numbers
    and dates are none, nor are rows of different lengths. The array may be the one that was given.

    >>> floats([[1, 2], [3, 10**400]]).tolist(), floats([[1, 2], [3]]), floats("12"), floats([1j])
    ([[1.0, 2.0], [3.0, inf]], None, None, None)
    """
    try:
        array: NDArray[Any] = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if array.dtype.kind in "iuf":
        with np.errstate(over="ignore"):
            return array.astype(np.float64, copy=False)
    if array.dtype.kind != "O":
        return None
    found = [number(one) for one in array.flat]
    return None if None in found else np.array(found, np.float64).reshape(array.shape)


def reals(name: str, value: object, allowed: str = "numbers") -> NDArray[np.float64]:
    """Return numbers as an array of float64, of any shape, or say what is allowed: see `floats`.

    >>> reals("x", [1, 2.5]).tolist(), reals("x", 3).shape
    ([1.0, 2.5], ())
    """
    found = floats(value)
    if found is None:
        raise InputError(f"{name}: got {type(value).__name__}; give {allowed}, in rows of one length")
    return found


def places(**given: object) -> list[NDArray[np.float64]]:
    """Return coordinates of places, broadcast against each other, by the names of the parameters.

    >>> x, y = places(x=[1, 2], y=0)
    >>> y.tolist()
    [0.0, 0.0]
    """
    arrays = [reals(name, value, "a number of metres, or an array of them") for name, value in given.items()]
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(given, arrays, strict=True))
        raise InputError(f"{' and '.join(given)}: the shapes {shapes} do not go together; give equal ones") from None
    # what is repeated is copied: the views of broadcast_arrays are read-only, or warn when they are looked at
    return [array if array.shape == shape else np.array(np.broadcast_to(array, shape)) for array in arrays]
