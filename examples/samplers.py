"""Five ways to scatter points, side by side: run ``python samplers.py`` and look at ``samplers.png``.

Every disc has half the radius, so discs of a sound set touch and never overlap. Red points stand
too near to another. Blue places are gaps: one more point would fit there.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from weald.preview.conflicts import conflicting, mark_covered
from weald.preview.page import ACCENT, FAINT, INK, Page
from weald.preview.points import draw_points
from weald.sampling.neighbours import Neighbours
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.sampling.textbook.bridson import bridson
from weald.sampling.textbook.dart_throwing import dart_throwing
from weald.sampling.textbook.jittered_grid import jittered_grid
from weald.sampling.textbook.white_noise import white_noise

SIDE, RADIUS, SEED = 18.0, 1.0, 7
BOUNDS = (0.0, 0.0, SIDE, SIDE)

PANEL, GUTTER, MARGIN = 408, 36, 72
TOP = 170
BARS, BAR_HEIGHT = 34, 92
BAR_COLOR, HOLE, BLUE = "#5c7a68", "#4285c4", "#2f6da8"
FARTHEST = 1.7


def main(path: Path) -> None:
    """Draw the picture and write it."""
    full = poisson_disk(BOUNDS, RADIUS, seed=SEED)
    methods: list[tuple[str, str, PointSet]] = [
        ("white noise", "no point knows of another", white_noise(BOUNDS, len(full), seed=SEED)),
        ("jittered grid", "one a cell, anywhere in it", jittered_grid(BOUNDS, 1.2 * RADIUS, seed=SEED)),
        ("dart throwing", "until 100 darts in a row miss", dart_throwing(BOUNDS, RADIUS, seed=SEED, max_failures=100)),
        ("Bridson", "30 candidates a point", bridson(BOUNDS, RADIUS, seed=SEED)),
        ("weald.poisson_disk", "until nothing more fits, proved", full),
    ]
    page = Page(2 * MARGIN + len(methods) * PANEL + (len(methods) - 1) * GUTTER, TOP + PANEL + 330)
    page.text("Five ways to scatter points", MARGIN, 84, 40, serif=True)
    page.text("Discs of half the radius touch and never overlap.", MARGIN, 126, 19, color=FAINT)
    key(page, MARGIN + 524, 126)
    for k, (name, rule, points) in enumerate(methods):
        panel(page, MARGIN + k * (PANEL + GUTTER), name, rule, points)
    page.save(path)


def key(page: Page, x: float, y: float) -> None:
    """Explain the colours."""
    for color, words, step in [(ACCENT, "nearer than the radius to another", 392), (HOLE, "one more would fit", 0)]:
        page.box(x, y - 15, 18, 18, color=color, fill=color)
        page.text(words, x + 28, y, 19, color=FAINT)
        x += step


def panel(page: Page, x: int, name: str, rule: str, points: PointSet) -> None:
    """Draw one method: its points, its figures, and how far apart neighbours are."""
    page.image(picture(points), x, TOP)
    page.box(x - 1, TOP - 1, PANEL + 2, PANEL + 2, line=1, color=FAINT)
    y = TOP + PANEL
    page.text(name, x, y + 38, 26, serif=True)
    page.text(rule, x, y + 64, 17, color=FAINT)

    crowded = int(conflicting(points.xy, np.full(len(points), RADIUS)).sum())
    share = open_share(points.xy)
    figures = [
        (f"{len(points)}", "points", INK),
        (f"{crowded}", "too near", ACCENT if crowded else INK),
        (f"{100 * share:.1f} %" if share else "0", "still open", BLUE if share else INK),
    ]
    for column, (figure, words, color) in enumerate(figures):
        page.text(figure, x + column * PANEL / 3, y + 106, 27, color=color)
        page.text(words, x + column * PANEL / 3, y + 128, 16, color=FAINT)
    histogram(page, x, y + 150, Neighbours(points.xy, RADIUS).nearest_distance())


def picture(points: PointSet) -> NDArray[np.uint8]:
    """Return the points as discs, with what is wrong marked."""
    with tempfile.TemporaryDirectory() as folder:
        # twice as large and halved, so that thin gaps show as fainter blue
        draw_points(Path(folder) / "panel.png", points.xy, RADIUS, BOUNDS, width_px=2 * PANEL)
        with Image.open(Path(folder) / "panel.png") as image:
            return np.asarray(image.resize((PANEL, PANEL), Image.Resampling.BOX))


def open_share(xy: NDArray[np.float64]) -> float:
    """Return the share of the ground where one more point would fit."""
    pixels = 2000
    covered = np.zeros((pixels, pixels), np.bool_)
    x, y = np.ascontiguousarray(xy.T) * (pixels / SIDE)
    mark_covered(x, y, np.full(len(xy), RADIUS * pixels / SIDE), np.zeros(covered.shape), covered)
    return float(1 - covered.mean())


def histogram(page: Page, x: float, y: float, distance: NDArray[np.float64]) -> None:
    """Draw how many points have their nearest neighbour at which distance."""
    counts, edges = np.histogram(distance, BARS, (0, FARTHEST * RADIUS))
    width = PANEL / BARS
    # one scale for all would leave the wide ones flat
    heights = BAR_HEIGHT * counts / counts.max()
    for k, height in enumerate(heights):
        color = ACCENT if edges[k + 1] <= RADIUS * (1 + 1e-9) else BAR_COLOR
        if counts[k]:
            page.box(x + k * width, y + BAR_HEIGHT - height, width - 2, max(height, 1), color=color, fill=color)
    page.box(x, y + BAR_HEIGHT, PANEL, 1, color=FAINT, fill=FAINT)
    at = x + PANEL / FARTHEST
    page.box(at - 1, y + BAR_HEIGHT, 2, 8, color=INK, fill=INK)
    page.text("radius", at, y + BAR_HEIGHT + 25, 15, color=INK, align="center")
    page.text("0", x, y + BAR_HEIGHT + 25, 15, color=FAINT)
    page.text("distance to the nearest", x + 22, y + BAR_HEIGHT + 25, 15, color=FAINT, room=PANEL / FARTHEST - 60)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("samplers.png"))
