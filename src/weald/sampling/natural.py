"""Natural edges: points grow as if the ground went on, and are then cut.

A set that fills its ground is crowded along every edge: what lies beyond keeps nothing off, so in the first tenth of a
radius points stand 3.5 times as dense as inside. Points of the plane without end know of no edge, and those of them
that stand on allowed ground are as dense at its edge as anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.geometry import Bounds

Array = NDArray[np.float64]
Function: TypeAlias = Callable[[Array, Array], ArrayLike]
Edge: TypeAlias = Literal["fill", "natural"]


def check_edge(edge: object) -> None:
    """Refuse what is no kind of edge."""
    if not (isinstance(edge, str) and edge in ("fill", "natural")):
        raise InputError(f"edge: got {edge!r}; give 'fill' or 'natural'")


def everywhere(radius: Function, x: Array, y: Array, domain: Bounds | None, void: float) -> NDArray[Any]:
    """Return radii where no point may stand, too: beyond a domain as at its edge, and ``void`` where they are NaN."""
    values = np.asarray(radius(x, y) if domain is None else radius(*domain.nearest(x, y)))
    nothing = np.isnan(values) if values.dtype.kind == "f" else None
    return values if nothing is None or not nothing.any() else np.where(nothing, void, values)


def check_radii(function: Function, x: Array, y: Array, radius: Array, void: float) -> None:
    """Refuse a radius that is NaN where a point stands, with ``void`` as its radius: see `everywhere`."""
    filled = np.flatnonzero(radius >= (1.0 - 1e-9) * void)
    given = np.broadcast_to(np.asarray(function(x[filled], y[filled]), np.float64), len(filled))
    if (wrong := filled[np.isnan(given)]).size:
        raise InputError(
            f"radius: the function returned NaN at ({x[wrong[0]]}, {y[wrong[0]]}); "
            "return a number for every place that may hold a point"
        )
