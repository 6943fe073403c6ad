"""Ore in rock: run ``python ore.py`` and look at ``ore.png``.

Two seams wind through a block of rock, and grains of ore fill each of them: spheres of half
the spacing, as many as random placing can fit, none overlapping. Only the places of the seams are
asked for, so the rock between them costs next to nothing.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import weald
from weald.preview.page import FAINT, Page

Array = NDArray[np.float64]

SIDE, DEPTH, SPACING, SEED = 90.0, 46.0, 1.0, "ore"
GOLD, COPPER = (222, 170, 66), (70, 148, 134)
WIDTH, HEIGHT, SCALE = 1500, 1130, 10.6
AZIMUTH, ELEVATION = math.radians(35), math.radians(27)
PAPER = np.array((246, 243, 236), np.float64) / 255

sheet = weald.perlin(seed="sheet", frequency=1 / 60).fbm(octaves=3)
vein = weald.perlin(seed="vein", frequency=1 / 34).fbm(octaves=3)
pocket = weald.perlin(seed="pocket", frequency=1 / 26).fbm(octaves=2)


def gold(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """Return where the upper seam is: a thin winding sheet, torn where the noise is low."""
    middle = 34 + 17 * sheet(x, y)
    return np.abs(z - middle) < 3.2 * vein(x, y) + 0.25


def copper(x: Array, y: Array, z: Array) -> NDArray[np.bool_]:
    """Return where the lower seam is: thick pockets."""
    middle = 11 + 12 * sheet(x + 500, y)
    return np.abs(z - middle) < 9.0 * (pocket(x, y) - 0.14)


def main(path: Path) -> None:
    """Draw the picture and write it."""
    block = (0.0, 0.0, 0.0, SIDE, SIDE, DEPTH)
    points = weald.poisson_disk(block, SPACING, seed=SEED, allowed=lambda *p: gold(*p) | copper(*p))
    in_gold = gold(*points.xyz.T)
    colors = np.where(in_gold[:, None], GOLD, COPPER) / 255
    page = Page(WIDTH, HEIGHT)
    page.image(picture(points.xyz, colors), 0, 0)
    page.text("Ore in rock", 64, 84, 40, serif=True)
    words = f"{int(in_gold.sum()):,} grains of gold and {int((~in_gold).sum()):,} of copper. None overlap."
    page.text(words, 64, 124, 19, color=FAINT)
    page.save(path)


def project(xyz: Array) -> tuple[Array, Array, Array]:
    """Return pixel columns, pixel rows, and nearness to the eye."""
    x, y, z = (xyz - (SIDE / 2, SIDE / 2, DEPTH / 2)).T
    across = x * math.cos(AZIMUTH) - y * math.sin(AZIMUTH)
    away = x * math.sin(AZIMUTH) + y * math.cos(AZIMUTH)
    up = z * math.cos(ELEVATION) + away * math.sin(ELEVATION)
    near = z * math.sin(ELEVATION) - away * math.cos(ELEVATION)
    return WIDTH / 2 + SCALE * across, HEIGHT / 2 + 40 - SCALE * up, SCALE * near


def picture(xyz: Array, colors: Array) -> NDArray[np.uint8]:
    """Return the spheres, drawn twice as large and halved, with the edges of the block around them."""
    twice = 2
    column, row, near = (twice * v for v in project(xyz))
    radius = SPACING / 2 * SCALE * twice
    depth = np.full((HEIGHT * twice, WIDTH * twice), -np.inf)
    owner = np.full(depth.shape, -1)
    light = np.zeros(depth.shape)
    reach = math.ceil(radius)
    dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    for k in range(len(xyz)):
        i, j = round(column[k]), round(row[k])
        u, v = (dx + i - column[k]) / radius, (dy + j - row[k]) / radius
        inside = u * u + v * v < 1
        w = np.sqrt(np.maximum(1 - u * u - v * v, 0))
        window = slice(j - reach, j + reach + 1), slice(i - reach, i + reach + 1)
        front = inside & (near[k] + radius * w > depth[window])
        depth[window][front] = (near[k] + radius * w)[front]
        owner[window][front] = k
        light[window][front] = (0.62 * np.maximum(-0.45 * u - 0.62 * v + 0.64 * w, 0) + 0.46)[front]
    seen = owner >= 0
    floor = near.min() - 4 * radius
    height = np.where(seen, depth, floor)
    hollow = np.clip((blurred(height, 9 * twice) - height) / (5 * radius), 0, 1)  # overlooked by what is in front
    haze = 0.34 * np.clip((near.max() - height) / np.ptp(near), 0, 1)
    image = np.empty((*depth.shape, 3))
    image[:] = PAPER
    draw_block(image, height, seen, twice)
    shaded = colors[owner[seen]] * (light * (1 - 0.55 * hollow))[seen][:, None]
    image[seen] = shaded + (PAPER - shaded) * haze[seen][:, None]
    small = image.reshape(HEIGHT, twice, WIDTH, twice, 3).mean(axis=(1, 3))
    return np.rint(np.clip(small, 0, 1) * 255).astype(np.uint8)


def draw_block(image: Array, height: Array, seen: NDArray[np.bool_], twice: int) -> None:
    """Draw the edges of the block of rock; those behind a grain stay hidden by it."""
    corners = np.array([(x, y, z) for x in (0, SIDE) for y in (0, SIDE) for z in (0, DEPTH)])
    for a in range(8):
        for b in range(a + 1, 8):
            if (corners[a] != corners[b]).sum() == 1:
                along = np.linspace(0, 1, 6000)[:, None]
                column, row, near = (twice * v for v in project(corners[a] * (1 - along) + corners[b] * along))
                hidden = behind(corners[a], corners[b])
                for step in range(2 if hidden else 3):
                    j, i = np.rint(row).astype(int), np.rint(column).astype(int) + step
                    front = near > height[j, i]
                    image[j[front], i[front]] = PAPER * (0.8 if hidden else 0.55)
                    seen[j[front], i[front]] = False


def behind(a: Array, b: Array) -> bool:
    """Return whether an edge meets the corner of the block that is farthest from the eye."""
    far = np.array((SIDE, SIDE, 0.0))
    return bool((a == far).all() or (b == far).all())


def blurred(image: Array, reach: int) -> Array:
    """Return the means of squares around each pixel, twice over."""
    for _ in range(2):
        for axis in (0, 1):
            n, width = image.shape[axis], 2 * reach + 1
            margin = [(0, 0), (0, 0)]
            margin[axis] = reach + 1, reach
            total = np.cumsum(np.pad(image, margin, mode="edge"), axis)
            image = (total.take(range(width, width + n), axis) - total.take(range(n), axis)) / width
    return image


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("ore.png"))
