"""What counts as a number where one is asked for."""

from __future__ import annotations

import math
import numbers
from typing import Any, TypeGuard


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a finite real number: NumPy's count, booleans do not.

    >>> [is_number(value) for value in (3, 2.5, True, "4", None, float("nan"))]
    [True, True, False, False, False, False]
    """
    return not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)
