"""A stand along a road, with both kinds of edge: filled, and natural.

    python examples/edges.py [FOLDER]

Writes edges.png into the folder, the current one if none is given: stems along a road of 8 m, and below, how dense they
stand at each distance from it. docs/scatter.md shows and explains it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image, ImageDraw

from weald.fields import Condition
from weald.geometry import Bounds
from weald.sampling.asked import SATURATION
from weald.scatter.layer import Layer
from weald.scatter.rules import Only
from weald.scatter.scatter import scatter
from weald.scatter.species import Species

RADIUS, ROAD, DEEP, WIDE, SCALE = 4.0, 8.0, 30.0, 92.0, 5.0
TREE = Species("tree", "broadleaf", 12, 2.0, "#6c8f4e")
PAPER, GROUND, ROAD_COLOR, STEM, BAR = "#faf6ee", "#dcd8bd", "#b9ab97", "#3f5f3c", "#7c9a68"
OFF_ROAD = Only(Condition.of(lambda x, y: np.abs(y) >= ROAD / 2))


def stems(edge: Literal["natural", "fill"], length: float) -> np.ndarray:
    """Return the stems beside a road from west to east, shape (n, 2)."""
    layer = Layer("trees", {TREE: 1}, RADIUS, rules=[OFF_ROAD], edge=edge)
    world = Bounds(0, -2 * DEEP, length, 2 * DEEP)
    return scatter([layer], lambda x, y: 0 * x, world, "road", threads=1)["trees"].xyz[:, :2]


def panel(draw: ImageDraw.ImageDraw, left: float, edge: Literal["natural", "fill"], title: str) -> None:
    """Draw one half of the picture."""
    top, height = 50.0, 2 * DEEP * SCALE
    draw.text((left, 18), title, fill="#333333", font_size=20)
    draw.rectangle((left, top, left + WIDE * SCALE, top + height), fill=GROUND)
    middle = top + height / 2
    draw.rectangle((left, middle - ROAD / 2 * SCALE, left + WIDE * SCALE, middle + ROAD / 2 * SCALE), fill=ROAD_COLOR)
    for x, y in stems(edge, 400.0) - (100.0, 0.0):
        if 1 < x < WIDE - 1 and abs(y) < DEEP - 1:
            cx, cy = left + x * SCALE, middle - y * SCALE
            draw.ellipse((cx - 4, cy - 4, cx + 4, cy + 4), fill=STEM)
    # density in strips of half a metre
    away = np.abs(stems(edge, 40_000.0)[:, 1]) - ROAD / 2
    counts = np.histogram(away, np.arange(0, 12.5, 0.5))[0]
    share = counts / (2 * 0.5 * 40_000.0 * SATURATION / RADIUS**2)
    base, step = top + height + 150.0, WIDE * SCALE / len(share)
    for k, value in enumerate(share):
        draw.rectangle((left + k * step + 1, base - 36 * value, left + (k + 1) * step - 1, base), fill=BAR)
    draw.line((left, base - 36, left + WIDE * SCALE, base - 36), fill="#a04030")
    draw.text(
        (left, base + 6),
        f"density 0 to 12 m from the road; first half metre {share[0]:.2f} of the inside",
        fill="#555555",
        font_size=13,
    )


def main() -> None:
    """Write the picture."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    width = int(2 * WIDE * SCALE + 90)
    image = Image.new("RGB", (width, 540), PAPER)
    draw = ImageDraw.Draw(image)
    panel(draw, 30, "fill", 'edge = "fill"')
    panel(draw, 60 + WIDE * SCALE, "natural", 'edge = "natural", the default of layers')
    image.quantize(32).save(folder / "edges.png", optimize=True)


if __name__ == "__main__":
    main()
