"""Pockets: where a noise is above a threshold, for caves and for what lies in the rock."""

from __future__ import annotations

import math

from weald.errors import InputError
from weald.fields import Condition, Field
from weald.numbers import number_in


def pockets(noise: Field, *, threshold: float = 0.5, rough: Field | None = None) -> Condition:
    """Return where a noise is above a threshold: caves, or seams and nests of ore.

    Parameters
    ----------
    noise
        Its range is taken as 0 to 1, whatever it is: it must be finite. The frequency decides between
        halls and passages. In the plane or in space.
    threshold
        In [0, 1]. For caves, 0.4 is roomier, 0.5 even, 0.6 tighter; ore is rare, 0.7 and more. Sums of
        octaves keep to the middle of their range, so they need thresholds nearer to 0.5.
    rough
        A finer noise, whose range is taken as 0 to 1 too, for rough walls. The product of both is
        compared with the square of the threshold, so that the threshold means what it means without.

    Returns
    -------
    Condition
        Open, or ore, where it holds.

    Raises
    ------
    InputError
        If a range is not finite, or the threshold is not in [0, 1].

    Examples
    --------
    >>> from weald.fields import perlin
    >>> from weald.geometry import Grid
    >>> halls = perlin(seed="halls", frequency=1 / 24)
    >>> grid = Grid(xmin=0, ymin=0, spacing=1, nx=200, ny=200)
    >>> roomy, even, tight = (pockets(halls, threshold=t).sample(grid).mean() for t in (0.4, 0.5, 0.6))
    >>> bool(roomy > even > tight)
    True
    >>> cave = pockets(halls, rough=perlin(seed="walls", frequency=1 / 5))
    >>> gold = pockets(perlin(seed="gold", frequency=1 / 9), threshold=0.8) & ~cave
    """
    threshold = number_in("threshold", threshold, "a number from 0 to 1", least=0.0, most=1.0)
    if rough is None:
        return unit(noise, "noise") > threshold
    return unit(noise, "noise") * unit(rough, "rough") > threshold * threshold


def unit(field: Field, name: str) -> Field:
    """Return a field with its proved range brought to [0, 1]; ``name`` is for messages."""
    field = Field.of(field)
    low, high = field.range
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InputError(f"{name}: `{field!r}` has the range ({low:g}, {high:g}); give a field with a finite range")
    if low == high:
        raise InputError(f"{name}: `{field!r}` is {low:g} everywhere; give a field that varies")
    if (low, high) == (0.0, 1.0):
        return field
    # to subtract -1 is to add 1, and reads better
    return (field - low if low >= 0.0 else field + -low) * (1.0 / (high - low))
