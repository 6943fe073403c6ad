"""Curves: what a field's values may be sent through, element by element.

Additions, multiplications and divisions one by one, whose rounding is the same everywhere; `numpy.interp`
is compiled code that may fuse them on some machines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.arguments import flag_of
from weald.errors import InputError
from weald.fields.interval import Range
from weald.numbers import floats

Floats = NDArray[np.float64]


def clamp(values: Floats, low: float, high: float) -> Floats:
    """Return the values held within ``[low, high]``; NaN stays."""
    out = np.maximum(values, low)
    return np.minimum(out, high, out=out)


def smoothstep(values: Floats, low: float, high: float) -> Floats:
    """Return 0 up to ``low``, 1 from ``high``, ``3t² - 2t³`` in between; NaN stays."""
    t = values - low
    t /= high - low
    np.minimum(np.maximum(t, 0.0, out=t), 1.0, out=t)
    # never above 1: 3 - 2t is exact near t = 1, and t * t is rounded by too little to matter
    out = t * t
    t *= -2.0
    t += 3.0
    out *= t
    return out


def smoothstep_span(values: Range, low: float, high: float) -> Range:
    """Return the range of `smoothstep` of values within a range."""
    bottom, top = smoothstep(np.array(values), low, high).tolist()
    # the step never falls, but between its ends rounding may, by a few units in the last place
    return (
        1.0 if values[0] >= high else max(bottom - 1e-15, 0.0),
        0.0 if values[1] <= low else min(top + 1e-15, 1.0),
    )


def terrace(values: Floats, step: float, flat: float, low: float, high: float) -> Floats:
    """Return values held down for the share ``flat`` of each step, then led up to the next; NaN stays."""
    out = np.empty(values.shape)
    _terrace(np.ascontiguousarray(values).reshape(-1), step, flat, low, high, out.reshape(-1))
    return out


def terrace_span(values: Range, step: float, flat: float) -> Range:
    """Return the range of `terrace` of values within a range."""
    low, high = terrace(np.array(values), step, flat, -math.inf, math.inf).tolist()
    return low, high


@njit(nogil=True, cache=True)
def _terrace(
    values: Floats, step: float, flat: float, low: float, high: float, out: Floats
) -> None:  # pragma: no cover - compiled
    for k in range(values.size):
        steps = values[k] / step
        whole = np.floor(steps)
        if flat < 1.0 and whole < steps:
            t = min(max((steps - whole - flat) / (1.0 - flat), 0.0), 1.0)
            whole += t * t * (3.0 - 2.0 * t)
        made = whole * step
        # the way up never falls, but for rounding
        out[k] = low if made < low else high if made > high else made


@dataclass(frozen=True, slots=True)
class Curve:
    """Pieces between points, level before the first and after the last.

    Attributes
    ----------
    inputs, outputs
        The points.
    slopes
        At the points; None if the pieces are straight.
    """

    inputs: tuple[float, ...]
    outputs: tuple[float, ...]
    slopes: tuple[float, ...] | None = None

    @classmethod
    def of(cls, points: Sequence[tuple[float, float]], *, smooth: bool = False) -> Curve:
        """Return the curve through pairs (in, out), or say what is wrong with them."""
        table = floats(points)
        if table is None or table.ndim != 2 or table.shape[1] != 2 or len(table) < 2:
            raise InputError(f"remap: got {points!r}; give at least two pairs (in, out)")
        if not np.isfinite(table).all():
            raise InputError(f"remap: got {points!r}; give finite numbers")
        inputs, outputs = table.T.tolist()
        for before, after in pairwise(inputs):
            if not before < after:
                raise InputError(f"remap: in = {after} comes after in = {before}; sort the pairs so that in grows")
        return cls(
            tuple(inputs), tuple(outputs), _monotone_slopes(inputs, outputs) if flag_of("smooth", smooth) else None
        )

    def apply(self, values: Floats, low: float, high: float) -> Floats:
        """Return the values sent through the curve, held in the range that `span` gave; NaN stays."""
        out = np.empty(values.shape)
        slopes = np.array(self.slopes or ())
        flat = np.ascontiguousarray(values).reshape(-1)
        _follow(flat, np.array(self.inputs), np.array(self.outputs), slopes, low, high, out.reshape(-1))
        return out

    def span(self, values: Range) -> Range:
        """Return the range of what the curve makes of values within a range."""
        ends = self.apply(np.array(values), min(self.outputs), max(self.outputs)).tolist()
        within = [out for at, out in zip(self.inputs, self.outputs, strict=True) if values[0] <= at <= values[1]]
        return min(ends + within), max(ends + within)

    def text(self) -> str:
        """Return the arguments that make the curve."""
        pairs = ", ".join(f"({_written(a)}, {_written(b)})" for a, b in zip(self.inputs, self.outputs, strict=True))
        return f"[{pairs}]" + ", smooth=True" * (self.slopes is not None)


@njit(nogil=True, cache=True)
def _follow(
    values: Floats, inputs: Floats, outputs: Floats, slopes: Floats, low: float, high: float, out: Floats
) -> None:  # pragma: no cover - compiled
    last = inputs.size - 1
    straight = slopes.size == 0
    for k in range(values.size):
        value = values[k]
        if np.isnan(value):
            out[k] = value
            continue
        if value <= inputs[0] or value >= inputs[last]:
            made = outputs[0] if value <= inputs[0] else outputs[last]
        else:
            # the piece that starts at or before the value
            piece, beyond = 0, last
            while beyond - piece > 1:
                middle = (piece + beyond) // 2
                if inputs[middle] <= value:
                    piece = middle
                else:
                    beyond = middle
            width = inputs[piece + 1] - inputs[piece]
            start, end = outputs[piece], outputs[piece + 1]
            t = (value - inputs[piece]) / width
            if straight:
                made = start + t * (end - start)
            else:
                rest = 1.0 - t
                bow = width * t * rest * (slopes[piece] * rest - slopes[piece + 1] * t)
                made = start + ((end - start) * t * t * (1.0 + 2.0 * rest) + bow)
                # between its ends a piece keeps within them but for rounding
                made = min(max(made, min(start, end)), max(start, end))
        # rounding may step over an end of the range by one unit in the last place
        out[k] = min(max(made, low), high)


def _monotone_slopes(inputs: Sequence[float], outputs: Sequence[float]) -> tuple[float, ...]:
    """Return slopes at points with which cubic pieces rise or fall only where the points do.

    After F. N. Fritsch and R. E. Carlson, "Monotone piecewise cubic interpolation" (1980): slopes of the
    parabola through three points, level at peaks and at the ends, and on each piece shortened into
    the circle of radius 3 around 0, measured in slopes of the straight piece.
    """
    secants = [
        (b - a) / (after - before) for (before, after), (a, b) in zip(pairwise(inputs), pairwise(outputs), strict=True)
    ]
    if not all(math.isfinite(9.0 * secant * secant) for secant in secants):
        raise InputError("remap: the curve is too steep to be smooth; give points farther apart")
    slopes = [0.0] * len(inputs)
    for k, (left, right) in enumerate(pairwise(secants), start=1):
        if left * right > 0.0:
            before, after = inputs[k] - inputs[k - 1], inputs[k + 1] - inputs[k]
            slopes[k] = (left * after + right * before) / (before + after)
    for k, secant in enumerate(secants):
        # not hypot, whose last bit differs between machines
        size = math.sqrt(slopes[k] * slopes[k] + slopes[k + 1] * slopes[k + 1])
        if size > 3.0 * abs(secant):
            factor = 3.0 * abs(secant) / size
            slopes[k] *= factor
            slopes[k + 1] *= factor
    return tuple(slopes)


def _written(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
