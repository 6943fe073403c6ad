"""Noise cut into tiles: run ``python tiles.py`` and look at ``tiles.png``.

One field of noise, five thresholds: water, sand, grass, forest, mountain. The light comes from the
same field, taken as heights, so the colours lie on the hills that made them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import weald
from weald.geometry import Grid
from weald.preview.page import FAINT, Page
from weald.terrain.biomes import Tiles, paint

WIDTH, HEIGHT, MARGIN = 1000, 620, 40


def main(path: Path) -> None:
    """Draw the picture and write it."""
    noise = weald.perlin(seed="archipelago 3", frequency=1 / 420).fbm(octaves=7, gain=0.48)
    # sums of octaves seldom come near their bounds: spread the middle over the table
    height = noise.remap([(-0.46, 0.0), (0.36, 1.0)])
    tiles = Tiles.from_table()
    # water is flat; above it the land rises, ever steeper, to some 200 m
    land = noise.remap([(-0.214, 0.0), (-0.05, 10.0), (0.114, 34.0), (0.237, 75.0), (0.36, 190.0), (0.6, 400.0)])
    grid = Grid(0, 0, 0.5, 2 * WIDTH, 2 * HEIGHT)
    page = Page(WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN + 110)
    page.text("Noise cut into tiles", MARGIN, 66, 32, serif=True)
    page.image(halved(paint(tiles.classify(height), grid, height=land, exaggeration=1.5)), MARGIN, 90)
    ends = ["0", *(f"{end:g}" for end in tiles.thresholds), "1"]
    step = WIDTH / len(tiles.kinds.names)
    for number, (name, color) in enumerate(zip(tiles.kinds.names, tiles.kinds.colors, strict=True)):
        x, y = MARGIN + number * step, HEIGHT + 112
        code = "#{:02x}{:02x}{:02x}".format(*color)
        page.box(x, y, 26, 26, color=code, fill=code)
        page.text(name, x + 38, y + 12, 17)
        page.text(f"{ends[number]} to {ends[number + 1]}", x + 38, y + 30, 14, color=FAINT)
    page.save(path)


def halved(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture at half its size, so that edges are smooth."""
    ny, nx, _ = pixels.shape
    return np.rint(pixels.reshape(ny // 2, 2, nx // 2, 2, 3).mean(axis=(1, 3))).astype(np.uint8)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("tiles.png"))
