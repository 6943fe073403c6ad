"""Numbers that were given: checked in one way, whoever asks for them."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, TypeGuard

import numpy as np

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
    try:
        low, high = (number(end) for end in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        low = high = None
    if low is None or high is None or not -math.inf < low <= high < math.inf:
        raise InputError(f"{name}: got {value!r}; give {allowed}")
    return low, high


def metres(name: str, value: object) -> float:
    """Return a length above 0, or say what is allowed."""
    return number_in(name, value, "a finite number of metres above 0", above=0.0)
