"""The ground seen from above: tinted by height, shaded by the light, at any size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from weald.errors import InputError
from weald.geometry import Bounds
from weald.terrain.shade import soft_hillshade
from weald.terrain.terrain import Terrain

Pixels = NDArray[np.float32]

PAPER = np.array([247, 244, 237], np.float32) / 255
"""Colour of the page, and of voids."""
_SUN_DEG = 50.0
_EXAGGERATION = 1.5
_TINTS = (
    (0.00, (163, 186, 146)),
    (0.20, (192, 202, 160)),
    (0.42, (222, 217, 180)),
    (0.64, (224, 207, 171)),
    (0.84, (216, 200, 178)),
    (1.00, (236, 231, 222)),
)
"""From valley greens over meadow and tan to pale ridges: share of the relief, and colour."""
_WATER = np.array([150, 180, 194], np.float32) / 255


_LEAST = 1e-9
"""Shortest side of a window that is drawn, in metres: far below it pixels could not be counted."""


@dataclass(frozen=True, slots=True)
class View:
    """A window on the ground and the pixels that show it; the image's first row is its north.

    >>> View(Bounds(0, 0, 200, 100), width=400).height
    200
    """

    bounds: Bounds
    width: int

    def __post_init__(self) -> None:
        if not _LEAST <= min(self.bounds.size):
            width, depth = self.bounds.size
            raise InputError(f"bounds: the box is {width:g} x {depth:g} m; give sides of {_LEAST:g} m or more")

    @property
    def scale(self) -> float:
        """Pixels a metre."""
        return self.width / self.bounds.size[0]

    @property
    def height(self) -> int:
        """Rows of pixels."""
        return max(round(self.bounds.size[1] * self.scale), 1)

    def pixels(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[Pixels, Pixels]:
        """Return places as pixels east of the left edge and south of the upper one."""
        # subtract in float64: far from the origin float32 has no room for a crown
        return (
            ((x - self.bounds.xmin) * self.scale).astype(np.float32),
            ((self.bounds.ymax - y) * self.scale).astype(np.float32),
        )


def paint_ground(
    terrain: Terrain, view: View, water_level: float | None = None, depth: float = 1.0
) -> tuple[Pixels, Pixels]:
    """Return the ground as colours, and the light on it.

    ``depth`` says how strongly slopes are shaded: 0 not at all, 1 as on a map of hills.

    Returns
    -------
    image : ndarray of float32, shape (height, width, 3)
        0 to 1.
    light : ndarray of float32, shape (height, width, 3)
        Factors about 1, for the colours of what stands on the ground.
    """
    low, high = float(np.nanmin(terrain.heights)), float(np.nanmax(terrain.heights))
    part = terrain.crop(view.bounds)
    void = np.isnan(part.heights)
    here = np.clip(_stretch(1.0 - void, part, view), 0.0, 1.0)
    # relative heights, so that float32 keeps the centimetres of high ground
    heights = _stretch(np.where(void, 0.0, part.heights - low), part, view) / np.maximum(here, np.float32(0.001))

    # 0 where the ground is level
    sun = soft_hillshade(part, altitude_deg=_SUN_DEG, exaggeration=_EXAGGERATION)
    raised = sun / math.sin(math.radians(_SUN_DEG)) - 1.0
    relief: Pixels = depth * np.clip(_stretch(np.nan_to_num(raised), part, view), -1.0, 0.3)
    # a soft knee keeps steep shaded slopes from going black
    relief = np.where(relief < 0.0, relief / (1.0 - 0.5 * relief), relief).astype(np.float32)
    # shadows cool, lights warm, as in painted maps
    light = np.empty((*heights.shape, 3), np.float32)
    for channel, (dark, bright) in enumerate(((0.86, 0.55), (0.78, 0.48), (0.62, 0.30))):
        light[..., channel] = 1.0 + np.where(relief < 0.0, dark, bright) * relief

    image = tint(heights / max(high - low, 1e-9)) * light
    if water_level is not None:
        wet = np.clip((water_level - low - heights) * 2.0 + 0.5, 0.0, 1.0)[..., None]
        image += wet * (_WATER - image)
    image += (1.0 - here)[..., None] * (PAPER - image)
    return np.clip(image, 0.0, 1.0), light


def tint(share: NDArray[np.floating]) -> Pixels:
    """Return the colour of heights, given as their share of the relief, 0 to 1; adds an axis of 3."""
    stops = [stop for stop, _ in _TINTS]
    channels = [np.interp(share, stops, [color[channel] / 255 for _, color in _TINTS]) for channel in range(3)]
    return np.stack(channels, axis=-1).astype(np.float32)


def _stretch(samples: NDArray[np.floating], terrain: Terrain, view: View) -> Pixels:
    """Return samples on the grid as pixels of the view: smooth where enlarged, averaged where reduced."""
    grid, box = terrain.grid, view.bounds
    # Pillow counts from the outer edge of the first pixel, half a spacing outside the first sample
    left, right = ((x - grid.xmin) / grid.spacing + 0.5 for x in (box.xmin, box.xmax))
    top, bottom = (grid.ny - 0.5 - (y - grid.ymin) / grid.spacing for y in (box.ymax, box.ymin))
    image = Image.fromarray(np.ascontiguousarray(samples[::-1], np.float32))
    frame = (max(left, 0.0), max(top, 0.0), min(right, grid.nx), min(bottom, grid.ny))
    resized = image.resize((view.width, view.height), Image.Resampling.BICUBIC, box=frame)
    return np.asarray(resized, np.float32)
