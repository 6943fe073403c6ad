"""Contour lines of heights on a grid.

Made by marching squares (contourpy, which draws matplotlib's contours). The vertices of a line lie on the
edges of cells, at exactly its level on the ground; between two of them it runs straight across the cell, and
there differs from the two triangles of the cell by no more than the cell is warped.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.geometry import Grid
from weald.numbers import metres, reals

Array = NDArray[np.float64]

MOST_LEVELS = 10_000
_COUNTED = 2.0**53
"""Levels that float64 can count."""


class Contour(NamedTuple):
    """A line of equal height."""

    level: float
    """Metres."""
    xy: Array
    """Shape (n, 2), in metres; of a closed line the first place comes again as the last."""
    closed: bool


def contour_lines(grid: Grid, heights: Array, interval: float | None, levels: ArrayLike | None) -> list[Contour]:
    """Return the lines of `weald.terrain.terrain.Terrain.contours`."""
    import contourpy

    # on small numbers, so that places keep their precision far from the origin
    x, y = np.arange(grid.nx, dtype=np.float64), np.arange(grid.ny, dtype=np.float64)
    maker = contourpy.contour_generator(
        x, y, np.ma.masked_invalid(heights), name="serial", corner_mask=False, line_type=contourpy.LineType.Separate
    )
    corner = np.array([grid.xmin, grid.ymin])
    found = []
    for level in _levels(heights, interval, levels):
        for line in maker.lines(level):
            # a vertex is on an edge of a cell: one of its two coordinates is whole
            xy = np.asarray(line, np.float64)
            whole = np.rint(xy)
            xy = np.where(np.abs(xy - whole) < 1e-12 * max(grid.shape), whole, xy)
            closed = len(xy) > 3 and bool((xy[0] == xy[-1]).all())
            found.append(Contour(level, corner + xy * grid.spacing, closed))
    return found


def _levels(heights: Array, interval: float | None, levels: ArrayLike | None) -> list[float]:
    if (interval is None) == (levels is None):
        raise InputError("contours: give interval, the metres between lines, or levels, their heights, and not both")
    if levels is not None:
        asked = reals("levels", levels, "finite heights, in metres").ravel()
        if not np.isfinite(asked).all():
            raise InputError(f"levels: got {levels!r}; give finite heights")
        return [float(level) for level in np.unique(asked)]
    interval = metres("interval", interval)
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    if not max(abs(low), abs(high)) / interval < _COUNTED:
        raise InputError(f"interval: {interval} m is too little to count levels up to these heights; give more")
    first, last = math.ceil(low / interval), math.floor(high / interval)
    if last - first + 1 > MOST_LEVELS:
        raise InputError(
            f"interval: {interval} m gives {last - first + 1:,} levels, more than {MOST_LEVELS:,}; give more"
        )
    # whole multiples, so the levels of a crop are among those of the whole
    return [k * interval for k in range(first, last + 1)]
