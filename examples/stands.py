"""Stands beyond evenly spaced: how instances are spread, and how species share the ground.

    python examples/stands.py [FOLDER]

Writes stands.jpg (one species, six ways of spreading it) and mixtures.jpg (four species, six ways of sharing the
ground) into the folder, the current one if none is given. docs/scatter.md shows and explains both.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from weald.fields import Field
from weald.geometry import Bounds
from weald.preview.ground import PAPER, View
from weald.preview.page import FAINT, Page
from weald.preview.paint import paint_crowns
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.placements import Placements
from weald.scatter.scatter import scatter
from weald.scatter.soft import Soft
from weald.scatter.species import Species

SIDE, PANEL, GUTTER, MARGIN, TOP = 84.0, 500, 26, 44, 96
GROUND = np.array([0.86, 0.85, 0.74])

# crowns of half the radius: they touch, and never overlap
TREE = Species("tree", "broadleaf", 12, 2.0, "#6c8f4e", (0.88, 1.0))
OAK = Species("oak", "broadleaf", 17, 3.6, "#54793f", (0.85, 1.0))
BIRCH = Species("birch", "broadleaf", 13, 1.9, "#b3b765", (0.88, 1.0))
PINE = Species("pine", "conifer", 20, 2.0, "#2f5a4c", (0.88, 1.0))
ROWAN = Species("rowan", "broadleaf", 9, 1.8, "#a9643f", (0.88, 1.0))
FERN = Species("fern", "bush", 0.8, 0.8, "#93ab5c", (0.6, 1.0))
FLOWER = Species("flower", "bush", 0.3, 0.5, "#c27a97", (0.7, 1.0))

WEST_TO_EAST = Field.of(lambda x, y: np.clip(x / SIDE, 0, 1), range=(0, 1))

EVEN = {OAK: 1, BIRCH: 1, PINE: 1, ROWAN: 1}
ALIKE = {TREE: 1, BIRCH: 1, PINE: 1, ROWAN: 1}
RADII = {"oak": 7.2, "birch": 3.8, "pine": 4.4, "rowan": 3.8}

STANDS: dict[str, list[Layer]] = {
    "radius = 4": [Layer("trees", {TREE: 1}, 4.0)],
    "soft = Soft(0.5, 0.2)": [Layer("trees", {TREE: 1}, 4.0, soft=Soft(0.5, 0.2))],
    "cover = 0.35": [Layer("trees", {TREE: 1}, 4.0, cover=0.35)],
    "cover = a field, 0 to 1": [Layer("trees", {TREE: 1}, 4.0, cover=WEST_TO_EAST)],
    "radius = 3.2, clumps = Clumps(24, 13)": [Layer("trees", {TREE: 1}, 3.2, clumps=Clumps(24, 13, vary=(0.6, 1.4)))],
    "sizes = [Size(2.2, 0.5), Size(1.2, 0.6), Size(0.6)]": [
        Layer("trees", {TREE: 1}, 4.0, sizes=[Size(2.2, 0.5), Size(1.2, 0.6), Size(0.6)])
    ],
}
MIXTURES: dict[str, list[Layer]] = {
    "each draws for itself": [Layer("trees", ALIKE, 4.0)],
    "patches = Patches(26, purity=0.9)": [Layer("trees", ALIKE, 4.0, patches=Patches(26, 0.9))],
    "weights by fields": [
        Layer("trees", {PINE: (1 - WEST_TO_EAST) * (1 - WEST_TO_EAST), BIRCH: 0.25, ROWAN: WEST_TO_EAST**2}, 4.0)
    ],
    "a radius for each": [Layer("trees", EVEN, RADII)],
    "a radius for each, in patches": [Layer("trees", EVEN, RADII, patches=Patches(30, 0.95))],
    "clearances": [
        Layer("trees", {OAK: 1, PINE: 1}, 9.0, cover=0.6),
        Layer("ferns", {FERN: 1}, 1.7, clumps=Clumps(16, 16, between=0.05)),
        Layer("flowers", {FLOWER: 1}, 1.1, clumps=Clumps(22, 11)),
    ],
}
CLEARANCES = Clearances(
    {("oak", "fern"): 5.6, ("pine", "fern"): 2.4, ("trees", "flowers"): 4.0, ("fern", "flower"): 1.2}
)


def flat(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a ground that hides nothing."""
    return 0.0 * x


def panel(layers: list[Layer]) -> np.ndarray:
    """Return a picture of a window of a stand that goes on beyond it."""
    window = Bounds(0, 0, SIDE, SIDE)
    view = View(window, PANEL)
    clearances = CLEARANCES if len(layers) > 1 else None
    placed = scatter(layers, flat, window.grown(40), "stands", clearances=clearances, window=window.grown(9))
    image = np.empty((view.height, PANEL, 3), np.float32)
    image[:] = 0.8 * GROUND + 0.2 * PAPER
    paint_crowns(image, np.ones_like(image), Placements.concat(list(placed.values())), view)
    return np.rint(np.clip(image, 0, 1) * 255).astype(np.uint8)


def draw(path: Path, title: str, stands: dict[str, list[Layer]]) -> None:
    """Draw stands in two rows."""
    columns = len(stands) // 2
    row = PANEL + 78
    page = Page(2 * MARGIN + columns * PANEL + (columns - 1) * GUTTER, TOP + 2 * row + 8)
    page.text(title, MARGIN, 62, 36, serif=True)
    for k, (words, layers) in enumerate(stands.items()):
        x, y = MARGIN + k % columns * (PANEL + GUTTER), TOP + k // columns * row
        page.image(panel(layers), x, y)
        page.text(words, x, y + PANEL + 32, 19, room=PANEL)
    page.text(f"{SIDE:g} m across", page.width - MARGIN, 62, 18, color=FAINT, align="right")
    png = path.with_suffix(".png")
    page.save(png)
    with Image.open(png) as picture:
        smaller = picture.resize((1000, round(1000 * picture.height / picture.width)), Image.Resampling.LANCZOS)
    smaller.save(path, quality=62, optimize=True)
    png.unlink()


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    draw(folder / "stands.jpg", "One species, six ways of spreading it", STANDS)
    draw(folder / "mixtures.jpg", "Four species, six ways of sharing the ground", MIXTURES)
