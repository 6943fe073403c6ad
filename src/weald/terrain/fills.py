"""Fill values: numbers that files put where they know no ground, without saying that they mean it.

-9999 without a tag is a pit ten kilometres deep: it swallows the codes of a heightmap, slopes at its edge, and what
is planted in it. Nothing on Earth lies below -11,000 m or above 8,849 m, and ground does not jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError

Array = NDArray[np.float64]

USUAL = (-999.0, -9999.0, -10000.0, -32767.0, -32768.0, -99999.0)
"""What files are filled with, in their own unit. 65535, 1e20 or the largest float are recognised by their size."""
LOWEST, HIGHEST = -11_100.0, 9_000.0
"""Metres between which ground lies on Earth."""
_ABSURD = 1e12
_ROUNDING = 0.5
_JUMP, _FAR_JUMP = 500.0, 1000.0
"""Metres between a fill value and all else: a usual one, and any other."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What turns a file's numbers into metres: ``metres = number * factor + offset``."""

    factor: float = 1.0
    offset: float = 0.0

    def metres(self, number: float) -> float:
        """Return the metres of a number."""
        return number if (self.factor, self.offset) == (1.0, 0.0) else number * self.factor + self.offset

    def number(self, metres: float) -> float:
        """Return the file's number for metres."""
        return metres if (self.factor, self.offset) == (1.0, 0.0) else (metres - self.offset) / self.factor


METRES = Scale()


def refuse_fill(heights: Array, advice: str, scale: Scale = METRES) -> None:
    """Refuse heights of which the lowest or the highest is a fill value: usual, or far off, and alone.

    Parameters
    ----------
    heights
        Metres, NaN where void.
    advice
        What to do, with ``{}`` where the value goes.
    scale
        From the numbers of the file, in whose terms the message speaks.

    Raises
    ------
    InputError
        With the value, how many samples have it, and what the others span.
    """
    with np.errstate(invalid="ignore"):
        low, high = float(np.fmin.reduce(heights, axis=None)), float(np.fmax.reduce(heights, axis=None))
    for end in (low, high):
        if np.isfinite(end):
            _refuse_end(heights, end, advice, scale)


def _refuse_end(heights: Array, end: float, advice: str, scale: Scale) -> None:
    usual = next((fill for fill in USUAL if scale.metres(fill) == end), None)
    if usual is None and LOWEST <= end <= HIGHEST:
        return
    same = heights == end
    count = int(same.sum())
    others = heights[~same & ~np.isnan(heights)]
    low, high = (float(others.min()), float(others.max())) if others.size else (np.nan, np.nan)
    gap = np.inf if not others.size else max(low - end, end - high)
    absurd = abs(end) >= _ABSURD
    if usual is not None:
        alone = gap > _JUMP
    elif not others.size:
        alone = absurd
    else:
        alone = gap > max(_FAR_JUMP, 2.0 * (high - low)) and (count > 1 or absurd)
    if not alone:
        return
    value = usual if usual is not None else scale.number(end)
    shown = f"{int(value)}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    spans = f", and the others span {low:.6g} to {high:.6g} m" if others.size else ""
    raise InputError(
        f"heights: {count:,} of {heights.size:,} samples {'is' if count == 1 else 'are'} {shown}{spans}: "
        f"a value for 'no ground here', which nothing declares; {advice.format(shown)}"
    )


def implausible(heights: Array) -> str | None:
    """Return what is odd about heights that no place on Earth has, in numbers; None if they are all possible."""
    with np.errstate(invalid="ignore"):
        odd = int(((heights < LOWEST - _ROUNDING) | (heights > HIGHEST + _ROUNDING)).sum())
    if not odd:
        return None
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    return (
        f"heights: {odd:,} of {heights.size:,} samples lie below {LOWEST:,.0f} m or above {HIGHEST:,.0f} m; "
        f"they span {low:.6g} to {high:.6g} m, which no place on Earth does"
    )
