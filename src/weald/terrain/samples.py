"""Real ground to try things on, from a package that is installed anyway."""

from __future__ import annotations

import math

import numpy as np

from weald.errors import InputError
from weald.geometry import Grid
from weald.numbers import metres
from weald.terrain import cubic
from weald.terrain.degrees import LocalProjection, metres_per_degree
from weald.terrain.terrain import MOST_SAMPLES, Terrain

_STEP_DEG = 1 / 1200
_WEST, _NORTH = -84.41375, 36.44625
_NX, _NY = 403, 344
# samples are the middles of the cells that the edges bound: on the three arc second lattice of SRTM
_SOUTH_WEST = (_WEST + _STEP_DEG / 2, _NORTH - (_NY - 0.5) * _STEP_DEG)
_TRUE_LATITUDE = _NORTH - _NY / 2 * _STEP_DEG

JACKSBORO = LocalProjection(*_SOUTH_WEST, true_latitude_deg=_TRUE_LATITUDE)
"""From longitude and latitude (WGS84) to x and y of `jacksboro`."""


def jacksboro(spacing: float = 30.0) -> Terrain:
    """Return the mountains about Jacksboro, Tennessee: 30 km by 32 km, 236 to 1076 m high.

    The elevation model of NASA's Shuttle Radar Topography Mission that matplotlib ships, at three
    arc seconds, that is 74.9 m by 92.5 m here. Degrees are turned into metres by `JACKSBORO`, a
    local equirectangular projection about the middle latitude, and heights are resampled by
    Catmull-Rom cubics onto a square grid. The origin is the south-westernmost sample; x is east.

    The file calls its southern edge ``ymax`` and 36.44625, and its northern one ``ymin`` and
    36.73292. Neither is so: 36.44625 is the northern edge and the other was counted from it in the
    wrong direction. With the first row in the north at 36.44625 the highest sample lies on Cross
    Mountain (1077 m, 36.1983 N 84.2306 W) and Norris Lake ends at its dam (36.224 N 84.091 W).

    Parameters
    ----------
    spacing
        Metres between samples of the result.
    """
    from matplotlib import cbook

    try:
        with np.load(cbook.get_sample_data("jacksboro_fault_dem.npz", asfileobj=False)) as file:
            elevation = file["elevation"][::-1].astype(np.float64)
    except OSError as error:
        raise InputError(f"jacksboro: matplotlib is installed without its sample data ({error})") from error
    return _from_degrees(elevation, spacing)


def _from_degrees(elevation: cubic.Array, spacing: float) -> Terrain:
    """Resample rows and columns at equal degrees onto a square grid in metres."""
    spacing = metres("spacing", spacing)
    ny, nx = elevation.shape
    step_x, step_y = (length * _STEP_DEG for length in metres_per_degree(_TRUE_LATITUDE))
    columns, rows = math.floor((nx - 1) * step_x / spacing) + 1, math.floor((ny - 1) * step_y / spacing) + 1
    if min(columns, rows) < 2:
        raise InputError(f"spacing: {spacing:g} m is more than the ground has; give less than 30000")
    if columns * rows > MOST_SAMPLES:
        raise InputError(
            f"spacing: {spacing:g} m gives {columns:,} x {rows:,} samples, {columns * rows * 8 / 2**30:,.1f} GiB; "
            f"give more metres, for {MOST_SAMPLES:,} samples at most"
        )
    heights = np.empty((rows, columns))
    cubic.resample(elevation, np.arange(columns) * (spacing / step_x), np.arange(rows) * (spacing / step_y), heights)
    return Terrain(Grid(0.0, 0.0, spacing, columns, rows), heights)
