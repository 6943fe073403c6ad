"""Shaping: what the methods of a field make of its values, and the range that this proves.

Each function takes an expression and its range, checks the parameters, and returns both anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from weald.errors import InputError
from weald.fields import curve
from weald.fields.expression import ATOM, POWER, Apply, Expression, Values, number_text
from weald.fields.interval import Range
from weald.fields.power import checked_exponent, power_span
from weald.fields.power import power as to_power
from weald.numbers import number, number_in

Term: TypeAlias = tuple[Expression, Range]


def clamp(term: Term, low: float, high: float) -> Term:
    """Hold the values within ``[low, high]``."""
    low, high = _ordered("clamp", low, high)
    hold = partial(curve.clamp, low=low, high=high)
    ends = hold(np.array(term[1])).tolist()
    return _shaped(term, hold, f"clamp({number_text(low)}, {number_text(high)})", (ends[0], ends[1]))


def remap(term: Term, points: Sequence[tuple[float, float]], smooth: bool) -> Term:
    """Send the values through a curve."""
    through = curve.Curve.of(points, smooth=smooth)
    low, high = through.span(term[1])
    return _shaped(term, partial(through.apply, low=low, high=high), f"remap({through.text()})", (low, high))


def smoothstep(term: Term, low: float, high: float) -> Term:
    """Turn the values into a soft threshold."""
    low, high = _ordered("smoothstep", low, high)
    if not -math.inf < low < high < math.inf:
        raise InputError(f"smoothstep: got ({low}, {high}); give finite low < high")
    step = partial(curve.smoothstep, low=low, high=high)
    span = curve.smoothstep_span(term[1], low, high)
    return _shaped(term, step, f"smoothstep({number_text(low)}, {number_text(high)})", span)


def terrace(term: Term, step: float, flat: float) -> Term:
    """Cut the values into steps."""
    step = number_in("terrace: step", step, "a finite height above 0", above=0.0)
    flat = number_in("terrace: flat", flat, "the share of a step that is level, 0 to 1", least=0.0, most=1.0)
    low, high = curve.terrace_span(term[1], step, flat)
    written = f"terrace({number_text(step)}" + f", flat={number_text(flat)}" * (flat != 0.5) + ")"
    return _shaped(term, partial(curve.terrace, step=step, flat=flat, low=low, high=high), written, (low, high))


def floor(term: Term) -> Term:
    """Round the values down to whole numbers."""
    low, high = np.floor(term[1]).tolist()
    return _shaped(term, np.floor, "floor()", (low, high))


def sqrt(term: Term) -> Term:
    """Take the square root."""
    low, high = term[1]
    if low < 0.0:
        raise InputError(
            f"sqrt: the values may be as low as {low}; a number below 0 has no root: raise them first, by `.max(0)`"
        )
    return _shaped(term, np.sqrt, "sqrt()", (math.sqrt(low), math.sqrt(high)))


def power(term: Term, exponent: float) -> Term:
    """Raise the values to a power."""
    number = checked_exponent(exponent)
    low, high = power_span(term[1], number)
    raised = partial(to_power, exponent=number, low=low, high=high)
    return Apply(raised, (term[0],), f"{{}} ** {number_text(number)}", POWER, (ATOM,)), (low, high)


def _shaped(term: Term, function: Callable[..., Values], call: str, span: Range) -> Term:
    return Apply(function, (term[0],), "{}." + call, ATOM, (ATOM,)), span


def _ordered(name: str, low: float, high: float) -> tuple[float, float]:
    ends = []
    for value in (low, high):
        end = number(value)
        if end is None:
            raise InputError(f"{name}: got {value!r}; give numbers")
        ends.append(end)
    if not ends[0] <= ends[1]:
        raise InputError(f"{name}: got ({ends[0]}, {ends[1]}); give low <= high")
    return ends[0], ends[1]
