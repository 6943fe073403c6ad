"""Measures of the ground as fields: height, slope and the like, for rules and formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.fields import Field
from weald.fields.expression import Expression, Places, Values

Ask = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


def measure(name: str, ask: Ask, range: tuple[float, float]) -> Field:
    """Return something measured at places (x, y) as a Field under a name; NaN says "no ground here".

    Parameters
    ----------
    name
        How the field is written.
    ask
        Takes x and y, float64 arrays of shape (n,), and returns an array of that shape: a method of the ground.
    range
        What the values never leave, NaN aside.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> from weald.terrain.terrain import Terrain
    >>> ground = Terrain(Grid(xmin=0, ymin=0, spacing=10, nx=2, ny=2), [[0, 10], [0, 10]])
    >>> steep = measure("slope_deg", ground.slope_deg, (0, 90)) > 30
    >>> steep, bool(steep(5, 5))
    (slope_deg > 30, True)
    """
    return Field(_Measure(name, ask), (float(range[0]), float(range[1])))


@dataclass(frozen=True, slots=True, eq=False)
class _Measure(Expression):
    name: str
    ask: Ask

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 100.0

    def at(self, places: Places) -> Values:
        x, y = places.points(2)
        return np.asarray(self.ask(x, y), np.float64).reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        return self.name
