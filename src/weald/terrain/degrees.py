"""From degrees to metres, over a few tens of kilometres."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.exact import sine_cosine_deg

EQUATORIAL_RADIUS = 6_378_137.0
"""Semi-major axis of the WGS84 ellipsoid, metres (NIMA TR8350.2, 2000)."""
FLATTENING = 1 / 298.257223563
"""Of the WGS84 ellipsoid (same source)."""


def metres_per_degree(latitude_deg: float) -> tuple[float, float]:
    """Return the length of one degree of longitude and of latitude, in metres, on WGS84.

    With ``e2 = f (2 - f)`` and ``w = 1 - e2 sin(lat)**2``, the radius of curvature is
    ``a / sqrt(w)`` across the meridian and ``a (1 - e2) / w**1.5`` along it; a degree of longitude
    is ``pi / 180 * a cos(lat) / sqrt(w)``. (Snyder, "Map Projections: A Working Manual", USGS
    Professional Paper 1395, 1987, equations 4-18 to 4-21.)

    >>> [round(length, 1) for length in metres_per_degree(45.0)]
    [78846.8, 111131.8]
    """
    if not -90 < latitude_deg < 90:
        raise InputError(f"latitude_deg: got {latitude_deg}; give degrees between -90 and 90, poles excluded")
    sine, cosine = map(float, sine_cosine_deg(latitude_deg))
    e2 = FLATTENING * (2.0 - FLATTENING)
    w = 1.0 - e2 * (sine * sine)
    east = EQUATORIAL_RADIUS / math.sqrt(w) * cosine
    north = EQUATORIAL_RADIUS * (1.0 - e2) / (w * math.sqrt(w))
    return math.radians(east), math.radians(north)


@dataclass(frozen=True, slots=True)
class LocalProjection:
    """A local equirectangular projection: metres east and north of a place, true to scale about a latitude.

    East-west distances are off by about tan(latitude) times the distance from that latitude over
    the earth's radius: 0.2 % at 15 km in middle latitudes.

    >>> x, y = LocalProjection(-84.0, 36.0, true_latitude_deg=36.0).xy([-84.0, -83.99], 36.0)
    >>> x.round(1).tolist(), float(y)
    ([0.0, 901.6], 0.0)
    """

    longitude_deg: float
    latitude_deg: float
    true_latitude_deg: float

    def xy(self, longitude_deg: ArrayLike, latitude_deg: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return metres east and north of the origin."""
        east, north = metres_per_degree(self.true_latitude_deg)
        x = (np.asarray(longitude_deg, np.float64) - self.longitude_deg) * east
        y = (np.asarray(latitude_deg, np.float64) - self.latitude_deg) * north
        return x[()], y[()]
