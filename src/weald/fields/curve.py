"""Curves: what a field's values may be sent through, element by element.

Written with single NumPy operations, whose rounding is the same everywhere; `numpy.interp` is
compiled code that may fuse operations on some machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields.interval import Range


def clamp(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Return the values held within ``[low, high]``; NaN stays."""
    return np.minimum(np.maximum(values, low), high)


def smoothstep(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Return 0 up to ``low``, 1 from ``high``, ``3t² - 2t³`` in between; NaN stays."""
    t = clamp((values - low) / (high - low), 0.0, 1.0)
    # never above 1: 3 - 2t is exact near t = 1, and t * t is rounded by too little to matter
    return t * t * (3.0 - 2.0 * t)


def smoothstep_span(values: Range, low: float, high: float) -> Range:
    """Return the range of `smoothstep` of values within a range."""
    bottom, top = smoothstep(np.array(values), low, high).tolist()
    # the step never falls, but between its ends rounding may, by a few units in the last place
    return (
        1.0 if values[0] >= high else max(bottom - 1e-15, 0.0),
        0.0 if values[1] <= low else min(top + 1e-15, 1.0),
    )


@dataclass(frozen=True, slots=True)
class Curve:
    """Straight pieces between points, level before the first and after the last."""

    inputs: tuple[float, ...]
    outputs: tuple[float, ...]

    @classmethod
    def of(cls, points: Sequence[tuple[float, float]]) -> Curve:
        """Return the curve through pairs (in, out), or say what is wrong with them."""
        try:
            table = np.array(points, np.float64)
        except (TypeError, ValueError):
            table = np.empty(0)
        if table.ndim != 2 or table.shape[1] != 2 or len(table) < 2:
            raise InputError(f"remap: got {points!r}; give at least two pairs (in, out)")
        if not np.isfinite(table).all():
            raise InputError(f"remap: got {points!r}; give finite numbers")
        inputs, outputs = table.T.tolist()
        for before, after in pairwise(inputs):
            if not before < after:
                raise InputError(f"remap: in = {after} comes after in = {before}; sort the pairs so that in grows")
        return cls(tuple(inputs), tuple(outputs))

    def apply(self, values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
        """Return the values sent through the curve, held in the range that `span` gave; NaN stays."""
        inputs, outputs = np.array(self.inputs), np.array(self.outputs)
        held = clamp(values, inputs[0], inputs[-1])
        piece = np.clip(np.searchsorted(inputs, held, side="right") - 1, 0, len(inputs) - 2)
        t = (held - inputs[piece]) / (inputs[piece + 1] - inputs[piece])
        # rounding may step over the end of the last piece by one unit in the last place
        return clamp(outputs[piece] + t * (outputs[piece + 1] - outputs[piece]), low, high)

    def span(self, values: Range) -> Range:
        """Return the range of what the curve makes of values within a range."""
        ends = self.apply(np.array(values), min(self.outputs), max(self.outputs)).tolist()
        within = [out for at, out in zip(self.inputs, self.outputs, strict=True) if values[0] <= at <= values[1]]
        return min(ends + within), max(ends + within)
