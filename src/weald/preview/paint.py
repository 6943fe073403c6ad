"""Ground and crowns together, as an image of a window."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.preview.crowns import draw_crowns
from weald.preview.ground import PAPER, Pixels, View, paint_ground
from weald.scatter.color import codes
from weald.scatter.placements import Placements
from weald.scatter.species import Species
from weald.terrain.terrain import Terrain

_SHADOW = 0.32
_SHADOW_LENGTH = 0.08
_VARIATION = 0.4
"""Least variation of colour, so that crowns that touch can be told apart."""


def paint(
    terrain: Terrain, placements: Placements, view: View, water_level: float | None = None, depth: float = 1.0
) -> NDArray[np.uint8]:
    """Return a window on ground and plants, seen from above, shape (height, width, 3).

    Every instance is a disc of its crown's radius, to scale at any size; higher tips hide lower
    ones. Crowns vary at least a little in colour, each by its id. For ``depth`` see `paint_ground`.
    """
    image, light = paint_ground(terrain, view, water_level, depth)
    paint_crowns(image, light, placements, view)
    return np.rint(np.clip(image, 0.0, 1.0) * 255).astype(np.uint8)


def paint_crowns(image: Pixels, light: Pixels, placements: Placements, view: View) -> None:
    """Draw the crowns that reach into a window over an image of it."""
    if not len(placements):
        return
    table = placements.species_table
    widest = max(s.crown_radius * s.scale[1] for s in table)
    box = view.bounds
    x, y = placements.xyz[:, 0], placements.xyz[:, 1]
    near = (x > box.xmin - widest) & (x < box.xmax + widest) & (y > box.ymin - widest) & (y < box.ymax + widest)
    seen = placements.take(near)

    heights = np.array([s.height for s in table])
    seen = seen.take(np.argsort(seen.xyz[:, 2] + heights[seen.species] * seen.scale, kind="stable"))
    px, py = view.pixels(seen.xyz[:, 0], seen.xyz[:, 1])
    radius = np.array([s.crown_radius * view.scale for s in table], np.float32)[seen.species] * seen.scale
    # far shorter than the sun's: enough to tell a tree from a bush without darkening all ground
    away = (_SHADOW_LENGTH * view.scale * heights).astype(np.float32)[seen.species] * seen.scale
    colors = printed(seen.colors(at_least=_VARIATION))
    draw_crowns(image, light, px, py, radius, away, colors, _SHADOW)


def swatch(species: Species, scale: float, size: int) -> NDArray[np.uint8]:
    """Return a sample of a species' crown at ``scale`` pixels a metre, on paper, ``size`` pixels square."""
    image = np.empty((size, size, 3), np.float32)
    image[:] = PAPER
    middle = np.full(1, size / 2, np.float32)
    radius = np.full(1, min(max(species.crown_radius * scale, 2.0), 0.42 * size), np.float32)
    draw_crowns(
        image, np.ones_like(image), middle, middle, radius, radius * 0.25, printed(codes(species.color))[None], 0.3
    )
    return np.rint(np.clip(image, 0.0, 1.0) * 255).astype(np.uint8)


def printed(codes: NDArray[np.uint8]) -> Pixels:
    """Return sRGB codes as shares of 1, with a little of the paper: pure pigments side by side are harsh."""
    mixed: Pixels = (0.88 * codes / 255 + 0.12 * PAPER).astype(np.float32)
    return mixed
