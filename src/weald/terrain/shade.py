"""Light on the ground, for pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.arguments import of_kind
from weald.exact import sine_cosine_deg
from weald.numbers import number_in
from weald.terrain import surface
from weald.terrain.terrain import Terrain


def hillshade(
    terrain: Terrain, azimuth_deg: float = 315.0, altitude_deg: float = 45.0, exaggeration: float = 1.0
) -> NDArray[np.float32]:
    """Return how brightly the sun lights each sample: the cosine between its rays and the normal.

    Parameters
    ----------
    terrain
        The ground.
    azimuth_deg
        Where the light comes from, clockwise from north; north-west by the custom of maps.
    altitude_deg
        Height of the light above the horizon, in ``[0, 90]``.
    exaggeration
        Factor on all heights, above 0.

    Returns
    -------
    ndarray of float32, shape (ny, nx)
        0 in shadow to 1 where the light falls squarely; level ground has sin(altitude). NaN on voids.
        Shadows cast by other ground are not drawn.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> level = Terrain(Grid(xmin=0, ymin=0, spacing=1, nx=2, ny=2), [[5, 5], [5, 5]])
    >>> round(float(hillshade(level, altitude_deg=30)[0, 0]), 6)
    0.5
    """
    return _cosine(*_gradients(terrain, exaggeration), azimuth_deg, altitude_deg)


def soft_hillshade(terrain: Terrain, altitude_deg: float = 45.0, exaggeration: float = 1.0) -> NDArray[np.float32]:
    """Return light from three suns, so that both flanks of a ridge along the chief light differ too.

    Under one sun the two sides of a ridge that points at it are equally bright, and the ridge is
    lost. Here half of the light is from the north-west, a third from west-south-west and the rest
    from the north. For parameters and values see `hillshade`.
    """
    return soft_light(*_gradients(terrain, exaggeration), altitude_deg)


def soft_light(east: surface.Array, north: surface.Array, altitude_deg: float) -> NDArray[np.float32]:
    """Return the light of `soft_hillshade` on slopes given by their rise towards east and north."""
    light = np.zeros(east.shape, np.float32)
    for azimuth_deg, share in ((315.0, 0.5), (255.0, 0.35), (15.0, 0.15)):
        light += np.float32(share) * _cosine(east, north, azimuth_deg, altitude_deg)
    return light


def _gradients(terrain: Terrain, exaggeration: float) -> tuple[surface.Array, surface.Array]:
    of_kind("terrain", terrain, Terrain, "a Terrain, such as Terrain.open(path)")
    exaggeration = number_in("exaggeration", exaggeration, "a factor above 0, at most 1e6", above=0.0, most=1e6)
    heights = terrain.rimmed
    east, north = np.empty(heights.shape), np.empty(heights.shape)
    surface.sample_gradients(heights, terrain.grid.spacing, east, north)
    return east[1:-1, 1:-1] * exaggeration, north[1:-1, 1:-1] * exaggeration


def _cosine(east: surface.Array, north: surface.Array, azimuth_deg: float, altitude_deg: float) -> NDArray[np.float32]:
    to_east, to_north = sine_cosine_deg(number_in("azimuth_deg", azimuth_deg, "finite degrees"))
    up, flat = sine_cosine_deg(number_in("altitude_deg", altitude_deg, "degrees from 0 to 90", least=0.0, most=90.0))
    x, y = flat * to_east, flat * to_north
    light = (up - x * east - y * north) / np.sqrt(1.0 + east * east + north * north)
    return np.maximum(light, 0.0).astype(np.float32)
