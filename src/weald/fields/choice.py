"""Choice: one field here and another there, and ways between two."""

from __future__ import annotations

from functools import partial

import numpy as np

from weald.fields import interval
from weald.fields.condition import Condition, ConditionLike
from weald.fields.expression import ATOM, COMPARE, Apply, Values
from weald.fields.field import Field, FieldLike


def where(condition: ConditionLike, yes: FieldLike, no: FieldLike) -> Field:
    """Return the field that is ``yes`` where the condition holds, and ``no`` elsewhere.

    A void of the field that is not chosen does not show. The range spans both ranges.

    Examples
    --------
    >>> height = Field.of(lambda x, y: x)
    >>> where(height > 2, height * 10, -1)([1, 2, 3], 0).tolist()
    [-1.0, -1.0, 30.0]
    """
    asked, a, b = Condition.of(condition), Field.of(yes), Field.of(no)
    operands = (asked.expression, a.expression, b.expression)
    apply = Apply(np.where, operands, "where({}, {}, {})", ATOM, (COMPARE,) * 3)
    return Field(apply, interval.hull(a.range, b.range))


def lerp(a: FieldLike, b: FieldLike, t: FieldLike) -> Field:
    """Return the linear way from ``a``, at ``t = 0``, to ``b``, at ``t = 1``, both met exactly.

    ``t`` is not held within [0, 1]: beyond, the way goes on. A radius between 3 and 9 m that noise draws
    is ``lerp(9, 3, perlin(seed, 1 / 200) * 0.5 + 0.5)``.

    Examples
    --------
    >>> share = Field.of(lambda x, y: x, range=(0, 1))
    >>> lerp(9, 3, share)([0, 0.25, 1], 0), lerp(9, 3, share).range
    (array([9. , 7.5, 3. ]), (3.0, 9.0))
    """
    ends, way = (Field.of(a), Field.of(b)), Field.of(t)
    low, high = interval.lerp(ends[0].range, ends[1].range, way.range)
    operands = (ends[0].expression, ends[1].expression, way.expression)
    mix = partial(_mix, low=low, high=high)
    return Field(Apply(mix, operands, "lerp({}, {}, {})", ATOM, (COMPARE,) * 3), (low, high))


def _mix(a: Values, b: Values, t: Values, low: float, high: float) -> Values:
    # from the nearer end, so that both ends are exact, and equal ends give what they are
    from_a = t < 0.5
    out: Values = np.where(from_a, t, t - 1.0)
    out *= b - a
    out += np.where(from_a, a, b)
    # rounding may leave the range by some units in the last place
    return np.minimum(np.maximum(out, low, out=out), high, out=out)
