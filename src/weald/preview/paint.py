"""Ground and crowns together, as an image of a window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weald.preview.crowns import draw_crowns
from weald.preview.ground import PAPER, Pixels, View, paint_ground
from weald.scatter.color import LIGHT, codes, tints, to_srgb
from weald.scatter.placements import Placements
from weald.scatter.species import Species
from weald.terrain.terrain import Terrain

_SHADOW = 0.32
_SHADOW_LENGTH = 0.08
_VARIATION = 0.4
"""Least variation of colour, so that crowns that touch can be told apart."""
_LEVELS = 4096
_AT_ONCE = 16384


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
    # indices, not instances: of millions, most of the time would go into copies of what is not drawn
    seen = np.flatnonzero(near)
    heights = np.array([s.height for s in table])
    tips = placements.xyz[seen, 2] + heights[placements.species[seen]] * placements.scale[seen]
    seen = seen[_by_height(tips)]
    species, scale = placements.species[seen], placements.scale[seen]
    px, py = view.pixels(x[seen], y[seen])
    radius = np.array([s.crown_radius * view.scale for s in table], np.float32)[species] * scale
    # far shorter than the sun's: enough to tell a tree from a bush without darkening all ground
    away = (_SHADOW_LENGTH * view.scale * heights).astype(np.float32)[species] * scale
    colors = _colors(table, species, placements.id[seen])
    draw_crowns(image, light, px, py, radius, away, colors, _SHADOW)


def _by_height(tips: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the order of tips, the lowest first, told apart to 1/65536 of their range: sixteen bits sort fastest."""
    low, high = tips.min(initial=np.inf), tips.max(initial=-np.inf)
    steps = (tips - low) * (65535.0 / max(high - low, 1e-9))
    return np.argsort(steps.astype(np.uint16), kind="stable")


def _colors(table: Sequence[Species], species: NDArray[np.uint16], ids: NDArray[np.uint64]) -> Pixels:
    """Return the colours of crowns as they are printed, a part at a time: the numbers between stay in the cache."""
    variation = np.array([max(s.color_variation, _VARIATION) for s in table])
    light = np.array([LIGHT[codes(s.color)] for s in table])
    colors = np.empty((len(ids), 3), np.float32)
    for first in range(0, len(ids), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        lit = light[species[part]] * tints(ids[part], variation[species[part]])
        level = (np.minimum(lit, 1.0) * (_LEVELS - 1) + 0.5).astype(np.intp)
        for channel in range(3):
            colors[part, channel] = _PRINTED[level[:, channel], channel]
    return colors


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


_PRINTED = printed(np.repeat(to_srgb(np.linspace(0.0, 1.0, _LEVELS))[:, None], 3, axis=1))
"""Printed colours by levels of linear light, as near as a code or two: a search for each instance takes longer."""
