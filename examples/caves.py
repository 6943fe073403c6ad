"""Caves in six ways: run ``python caves.py`` and look at ``caves.png``.

Halls with rough walls and ore in the rock; an automaton, its regions, and the same joined by the least
digging; a cave without an end, joined tile by tile; worms that join halls; a cut through caves in space.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import weald
from weald.geometry import Grid
from weald.preview.page import FAINT, Page
from weald.terrain.caves import (
    Worms,
    cheese,
    connected,
    join,
    noodles,
    pockets,
    regions,
    roofed,
    smoothed,
    spaghetti,
    speckle,
)

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

PANEL, MARGIN, GUTTER, TOP = 468, 40, 28, 160
ROCK, FLOOR, SKY, GRASS = (74, 66, 60), (226, 211, 180), (206, 221, 226), (126, 150, 84)
GOLD, IRON, COPPER, DUG = (226, 172, 60), (168, 92, 66), (92, 158, 140), (206, 92, 52)
REGIONS = [(226, 211, 180), (124, 158, 162), (196, 132, 96), (150, 162, 106), (178, 142, 172), (212, 178, 98)]


def main(path: Path) -> None:
    """Draw the picture and write it."""
    panels = [ore(), automaton(), repaired(), endless(), worms(), section()]
    page = Page(2 * MARGIN + 3 * PANEL + 2 * GUTTER, TOP + 2 * PANEL + 150)
    page.text("Caves", MARGIN, 70, 36, serif=True)
    for number, (title, words, pixels) in enumerate(panels):
        x = MARGIN + number % 3 * (PANEL + GUTTER)
        y = TOP + number // 3 * (PANEL + 84)
        page.text(title, x, y - 34, 20)
        page.text(words, x, y - 12, 15, color=FAINT, room=PANEL)
        page.image(pixels, x, y)
    page.save(path)


def ore() -> tuple[str, str, NDArray[np.uint8]]:
    """Return halls by threshold, with ore in the rock by the same."""
    fine = grid(117, 4)
    cave = pockets(weald.perlin("halls", 1 / 30), rough=weald.perlin("walls", 1 / 6), threshold=0.53)
    colors = ground(cave.sample(fine), 4, seed="a")
    for color, seed, frequency, threshold in (
        (IRON, "iron", 1 / 16, 0.7),
        (COPPER, "copper", 1 / 12, 0.74),
        (GOLD, "gold", 1 / 8, 0.81),
    ):
        seam = pockets(weald.perlin(seed, frequency), rough=weald.perlin(seed + " grain", 1 / 3), threshold=threshold)
        here = (seam & ~cave).sample(fine)
        colors[here] = 0.2 * colors[here] + 0.8 * np.array(color)
    return "Pockets", "halls with rough walls; iron, copper and gold in the rock", finished(colors)


CAVE = smoothed(speckle("deep 7", rock=0.515), steps=5)


def automaton() -> tuple[str, str, NDArray[np.uint8]]:
    """Return a cave by an automaton, its regions coloured."""
    mask = CAVE.sample(Grid(0.5, 0.5, 1, 117, 117))
    found = regions(mask)
    colors = ground(enlarged(mask, 8), 8, seed="b")
    rank = np.argsort(np.argsort(-found.cells, kind="stable"), kind="stable")
    names = enlarged(found.labels, 8)
    for number in range(len(found)):
        here = names == number + 1
        colors[here] *= np.array(REGIONS[min(rank[number], 1 + rank[number] % 5)]) / np.array(FLOOR)
    words = f"{len(found)} regions; the largest has {100 * found.largest_share:.0f} % of what is open"
    return "Cellular automaton", words, finished(colors)


def repaired() -> tuple[str, str, NDArray[np.uint8]]:
    """Return the same cave joined, with the digging marked."""
    mask = CAVE.sample(Grid(0.5, 0.5, 1, 117, 117))
    done = join(mask, fill_below=6)
    colors = ground(enlarged(done.mask, 8), 8, seed="b")
    dug = enlarged(done.mask & ~mask, 8)
    colors[dug] *= np.array(DUG) / np.array(FLOOR)
    words = f"one region: {done.dug} cells of {mask.size:,} dug, specks filled"
    return "Joined", words, finished(colors)


def endless() -> tuple[str, str, NDArray[np.uint8]]:
    """Return a cave joined tile by tile."""
    tile, side = 39, 117
    # whole tiles, so that what is seen is one region too
    middles = Grid(0.5, 0.5, 1, side, side)
    nests = pockets(weald.perlin("nests", 1 / 13), rough=weald.perlin("nest walls", 1 / 5), threshold=0.62)
    mask, joined = nests.sample(middles), connected(nests, tile=tile, fill_below=6).sample(middles)
    colors = ground(enlarged(joined, 8), 8, seed="d")
    colors[enlarged(joined & ~mask, 8)] *= np.array(DUG) / np.array(FLOOR)
    for line in range(tile, side, tile):
        colors[line * 8 - 1 : line * 8 + 1] = colors[line * 8 - 1 : line * 8 + 1] * 0.5 + 110
        colors[:, line * 8 - 1 : line * 8 + 1] = colors[:, line * 8 - 1 : line * 8 + 1] * 0.5 + 110
    return "Joined without an end", "each tile within itself, with a door to each neighbour", finished(colors)


def worms() -> tuple[str, str, NDArray[np.uint8]]:
    """Return worms that join halls."""
    fine = grid(312, 1.5)
    moles = Worms("mole 4", cell=80.0, per_cell=1.0, steps=320, radius=(2.0, 3.2), bend=60.0)
    halls = pockets(weald.perlin("rooms", 1 / 48), rough=weald.perlin("room walls", 1 / 14), threshold=0.62)
    colors = ground((halls | moles.inside).sample(fine), 3, seed="e")
    seen = len(moles.within((0, 0, 312, 312)))
    return "Perlin worms", f"{seen} worms, up to 320 m long, join halls", finished(colors)


def section() -> tuple[str, str, NDArray[np.uint8]]:
    """Return an upright cut through caves in space."""
    side = 2 * PANEL
    x, z = np.arange(side) * (160 / side), np.arange(side) * (160 / side)
    noise = [weald.perlin(f"space {k}", 1 / size, dimensions=3) for k, size in enumerate((34, 46, 46, 32, 32, 60))]
    halls = cheese(noise[0].fbm(octaves=3, gain=0.4), threshold=0.62)
    tubes = spaghetti(noise[1], noise[2], width=0.1)
    threads = noodles(noise[3], noise[4], noise[5], width=0.06)
    hills = weald.perlin("hills", 1 / 120).fbm(octaves=5) * 46 + 134
    solid = roofed(halls.min(tubes).min(threads), hills, roof=3.0)
    open_ = solid(x[None, :], 40.0, z[:, None]) < 0
    depth = hills(x, 40.0)[None, :] - z[:, None]
    colors = ground(open_ & (depth > 0), 4, seed="f")
    # beds of rock, bent a little; deeper is darker
    bent = z[:, None] + 7 * weald.perlin("beds", 1 / 90).fbm(octaves=3)(x, 0.0)[None, :] + 0.12 * x[None, :]
    colors[~open_] *= (1 + 0.1 * np.sin(bent / 2.3) * np.sin(bent / 7.1))[~open_][:, None]
    colors *= (1.06 - 0.3 * np.clip(depth / 140, 0, 1))[..., None]
    colors[(depth > 0) & (depth < 1.6) & ~open_] = GRASS
    colors[depth <= 0] = (
        np.array(SKY) + 26 * np.clip(z / 160 - 0.72, 0, 1)[:, None].repeat(side, 1)[depth <= 0][:, None]
    )
    return "Space", "a cut: cheese, spaghetti and noodles under a roof of 3 m", finished(colors)


def grid(metres: float, scale: float) -> Grid:
    """Return a grid of two samples a pixel, a pixel being ``1 / scale`` metres."""
    count = 2 * PANEL
    return Grid(0, 0, metres / count, count, count)


def enlarged(values: NDArray[np.generic], times: int) -> NDArray[np.generic]:
    """Return cells as squares of samples."""
    return values.repeat(times, 0).repeat(times, 1)


def ground(open_: Mask, soft: int, seed: str) -> Array:
    """Return rock with a grain, and floor in the shade of its walls; the light is from the north-west."""
    rows, columns = open_.shape
    places = Grid(0, 0, 1, columns, rows)
    grain = weald.perlin("grain" + seed, 1 / 60).fbm(octaves=5, gain=0.6).sample(places)
    rock = (~open_).astype(np.float64)
    shade = blurred(np.roll(rock, (-2 * soft, 2 * soft), (0, 1)), 2 * soft) * 0.6 + blurred(rock, soft) * 0.4
    lit = blurred(np.roll(rock, (-2, 2), (0, 1)) - np.roll(rock, (2, -2), (0, 1)), 2)
    floor = np.array(FLOOR) * (1.0 + 0.06 * grain[..., None]) * (1 - 0.42 * shade[..., None])
    stone = np.array(ROCK) * (1.0 + 0.22 * grain[..., None]) * (1 - 0.3 * lit[..., None])
    return np.where(open_[..., None], floor, stone)


def blurred(image: Array, reach: int) -> Array:
    """Return the means of squares around each sample, twice over."""
    for _ in range(2):
        for axis in (0, 1):
            n, width = image.shape[axis], 2 * reach + 1
            margin = [(0, 0), (0, 0)]
            margin[axis] = reach + 1, reach
            total = np.cumsum(np.pad(image, margin, mode="edge"), axis)
            image = (total.take(range(width, width + n), axis) - total.take(range(n), axis)) / width
    return image


def finished(colors: Array) -> NDArray[np.uint8]:
    """Return colours, row 0 the southernmost, as an image of half the size."""
    rows, columns, _ = colors.shape
    small = colors[::-1].reshape(rows // 2, 2, columns // 2, 2, 3).mean(axis=(1, 3))
    return np.rint(np.clip(small, 0, 255)).astype(np.uint8)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("caves.png"))
