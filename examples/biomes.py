"""Biomes by height and moisture, and by the nearest climate: run ``python biomes.py`` and look at ``biomes.png``.

Three maps of one country: rules on height and moisture with sharp borders, the same with blended borders, and
a table of climates of which each place takes the nearest.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import weald
from weald.geometry import Grid
from weald.preview.page import FAINT, Page
from weald.terrain.biomes import CLASSIC, Biomes, Zones, paint

SIDE, STEP, MARGIN, GUTTER, TOP = 480, 6.0, 40, 28, 124

CLIMATES = {
    "blend_radius": 90.0,
    "weights": {"height": 2.0},
    "biome": [
        {"name": "sea", "color": "#3f6f92", "at": {"height": 0.0, "temperature": 0.5, "humidity": 0.5}},
        {"name": "tundra", "color": "#b9bda6", "at": {"height": 0.5, "temperature": 0.05, "humidity": 0.4}},
        {"name": "taiga", "color": "#57786a", "at": {"height": 0.55, "temperature": 0.25, "humidity": 0.7}},
        {"name": "steppe", "color": "#c3b777", "at": {"height": 0.5, "temperature": 0.5, "humidity": 0.3}},
        {"name": "broadleaf forest", "color": "#6b9150", "at": {"height": 0.5, "temperature": 0.6, "humidity": 0.7}},
        {"name": "desert", "color": "#e0c68c", "at": {"height": 0.45, "temperature": 0.95, "humidity": 0.15}},
        {"name": "rainforest", "color": "#2f6a45", "at": {"height": 0.45, "temperature": 0.95, "humidity": 0.9}},
        {"name": "glacier", "color": "#dfe5e9", "at": {"height": 1.0, "temperature": 0.1, "humidity": 0.5}},
    ],
}


def main(path: Path) -> None:
    """Draw the picture and write it."""
    # seeds and scales of their own: two maps of one seed and one scale would be one map
    height = weald.perlin(seed="country", frequency=1 / 1500).fbm(octaves=8).remap([(-0.42, 0.0), (0.63, 1.25)])
    moisture = weald.perlin(seed="rain", frequency=1 / 1000).fbm(octaves=4).remap([(-0.4, 0.0), (0.4, 1.0)])
    warmth = weald.perlin(seed="warmth", frequency=1 / 2400).fbm(octaves=3).remap([(-0.4, 0.0), (0.4, 1.2)])
    temperature = (warmth - (height - 0.3).max(0) * 0.8).clamp(0, 1)
    ground = height.remap([(0.0, 0.0), (0.3, 0.0), (0.6, 120.0), (1.0, 620.0), (1.25, 1100.0)])

    sharp = Biomes.from_table(CLASSIC, {"height": height, "moisture": moisture})
    soft = Biomes.from_table({**CLASSIC, "blend_radius": 90.0}, {"height": height, "moisture": moisture})
    near = Biomes.from_table(CLIMATES, {"height": height, "temperature": temperature, "humidity": moisture})

    grid = Grid(3000, 1200, STEP / 2, 2 * SIDE, 2 * SIDE)
    page = Page(2 * MARGIN + 3 * SIDE + 2 * GUTTER, TOP + SIDE + 150)
    page.text("One country, three ways to tell its biomes", MARGIN, 62, 32, serif=True)
    panels: list[tuple[str, Biomes, bool]] = [
        ("extremes of height first, then moisture", sharp, False),
        ("the same, borders blended over 90 m", soft, True),
        ("the nearest of eight climates", near, True),
    ]
    for number, (words, biomes, blended) in enumerate(panels):
        x = MARGIN + number * (SIDE + GUTTER)
        page.text(words, x, TOP - 14, 18, color=FAINT)
        page.image(halved(paint(biomes, grid, height=ground, exaggeration=1.6, blended=blended)), x, TOP)
        if number != 1:
            key(page, biomes, x, TOP + SIDE + 34, (2 * SIDE + GUTTER if number == 0 else SIDE))
    page.save(path)


def halved(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture at half its size, so that edges are smooth."""
    ny, nx, _ = pixels.shape
    return np.rint(pixels.reshape(ny // 2, 2, nx // 2, 2, 3).mean(axis=(1, 3))).astype(np.uint8)


def key(page: Page, zones: Zones, x: float, y: float, room: float) -> None:
    """Explain the colours, in columns."""
    columns = 4 if room > SIDE else 2
    for number, (name, color) in enumerate(zip(zones.names, zones.kinds.colors, strict=True)):
        left, top = x + number % columns * room / columns, y + number // columns * 28
        code = "#{:02x}{:02x}{:02x}".format(*color)
        page.box(left, top - 15, 18, 18, color=code, fill=code)
        page.text(name, left + 28, top, 17)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("biomes.png"))
