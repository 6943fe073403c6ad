"""Crowns seen from above: many small discs, to scale, with light from the north-west."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Pixels = NDArray[np.float32]


@njit(cache=True, nogil=True)
def _disc(radius: float) -> tuple[float, float]:  # pragma: no cover - compiled
    """Return the radius and the opacity to draw a disc with so that it covers its true area.

    The edge is a ramp one pixel wide, coverage ``min(max(R + 1/2 - d, 0), 1)``, which adds up to
    ``pi (R**2 + 1/12)``. A disc too small for that is drawn at the smallest ramp and fainter. (One of less than
    a pixel across is no disc any more: see `_speck`.)
    """
    ramp = math.sqrt(max(radius * radius - 1.0 / 12.0, 0.25))
    return ramp, min(3.0 * radius * radius, 1.0)


@njit(cache=True, nogil=True)
def _dome(dx: float, dy: float, radius: float) -> float:  # pragma: no cover - compiled
    """Return the light on a round crown, 1 on average, from the north-west and above."""
    scale = 1.0 / max(radius, 0.5)
    dx *= scale
    dy *= scale
    up = math.sqrt(max(1.0 - dx * dx - dy * dy, 0.0))
    return 0.72 + 0.6 * max(0.7 * up - 0.5 * (dx + dy), -0.5)


@njit(cache=True, nogil=True)
def _speck(
    image: Pixels, x: float, y: float, cover: float, red: float, green: float, blue: float, lit: float
) -> None:  # pragma: no cover - compiled
    """Share what a disc smaller than a pixel covers among the four pixels whose middles lie around it."""
    height, width = image.shape[:2]
    left, top = math.floor(x - 0.5), math.floor(y - 0.5)
    east, south = x - 0.5 - left, y - 0.5 - top
    for j in range(max(top, 0), min(top + 2, height)):
        of_row = cover * (south if j > top else 1.0 - south)
        for i in range(max(left, 0), min(left + 2, width)):
            part = of_row * (east if i > left else 1.0 - east)
            keep, paint = 1.0 - part, part * lit
            image[j, i, 0] = image[j, i, 0] * keep + red * paint
            image[j, i, 1] = image[j, i, 1] * keep + green * paint
            image[j, i, 2] = image[j, i, 2] * keep + blue * paint


@njit(cache=True, nogil=True)
def draw_crowns(
    image: Pixels, light: Pixels, x: Pixels, y: Pixels, radius: Pixels, away: Pixels, color: Pixels, shadow: float
) -> None:  # pragma: no cover - compiled
    """Draw discs over an image, the first lowest, each with a shadow to the south-east.

    Parameters
    ----------
    image, light : ndarray, shape (height, width, 3)
        What is painted on, and the factor on the colour of the crowns that stand there. Row 0 is
        the northernmost; the middle of a pixel is at its index plus 1/2.
    x, y, radius, away : ndarray, shape (n,)
        Of each disc, in pixels; ``away`` is how far its shadow falls along either axis.
    color : ndarray, shape (n, 3)
        Of each disc.
    shadow
        How much light a shadow takes, 0 to 1; at 0 none is drawn.
    """
    height, width = image.shape[:2]
    for k in range(x.size):
        ramp, opacity = _disc(radius[k])
        reach = ramp + 0.5
        row = min(max(math.floor(y[k]), 0), height - 1)
        column = min(max(math.floor(x[k]), 0), width - 1)
        red = color[k, 0] * light[row, column, 0]
        green = color[k, 1] * light[row, column, 1]
        blue = color[k, 2] * light[row, column, 2]
        if radius[k] < 0.5:  # too small to have a lit and a shaded side
            cover = math.pi * radius[k] * radius[k]
            if shadow > 0.0:
                _speck(image, x[k] + away[k], y[k] + away[k], shadow * cover, 0.0, 0.0, 0.0, 0.0)
            _speck(image, x[k], y[k], cover, red, green, blue, 1.0)
            continue
        for part in range(2):
            crown = part == 1
            if not crown and shadow <= 0.0:
                continue
            cx, cy = (x[k], y[k]) if crown else (x[k] + away[k], y[k] + away[k])
            for j in range(max(math.floor(cy - reach), 0), min(math.ceil(cy + reach), height)):
                for i in range(max(math.floor(cx - reach), 0), min(math.ceil(cx + reach), width)):
                    dx, dy = i + 0.5 - cx, j + 0.5 - cy
                    cover = min(max(reach - math.sqrt(dx * dx + dy * dy), 0.0), 1.0) * opacity
                    if cover <= 0.0:
                        continue
                    keep = 1.0 - cover if crown else 1.0 - shadow * cover
                    lit = cover * _dome(dx, dy, radius[k]) if crown else 0.0
                    image[j, i, 0] = image[j, i, 0] * keep + red * lit
                    image[j, i, 1] = image[j, i, 1] * keep + green * lit
                    image[j, i, 2] = image[j, i, 2] * keep + blue * lit
