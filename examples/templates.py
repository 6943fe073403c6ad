"""The starters of ``weald new`` on one page: run ``python templates.py`` and look at ``templates.jpg``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from weald.preview.ground import View
from weald.preview.page import FAINT, INK, Page
from weald.preview.paint import paint
from weald.scatter.placements import Placements
from weald.templates import TEMPLATES, template
from weald.world.world import World

PANEL, GAP, MARGIN, TOP, ACROSS = 336, 22, 32, 118, 3


def main(path: Path) -> None:
    """Draw the picture and write it."""
    rows = -(-len(TEMPLATES) // ACROSS)
    page = Page(2 * MARGIN + ACROSS * (PANEL + GAP) - GAP, TOP + rows * (PANEL + GAP + 34))
    page.text("weald new world.toml --template ...", MARGIN, 66, 34, serif=True)
    for number, name in enumerate(TEMPLATES):
        x = MARGIN + number % ACROSS * (PANEL + GAP)
        y = TOP + number // ACROSS * (PANEL + GAP + 34)
        world = load(name)
        everything = Placements.concat(list(world.layers().values()))
        view = View(world.terrain.grid.bounds, PANEL)
        page.text(name, x, y - 10, 20)
        page.text(f"{len(everything):,}", x + PANEL, y - 10, 16, color=FAINT, align="right")
        page.image(paint(world.terrain, everything, view, world.water_level), x, y)
        page.box(x, y, PANEL, PANEL, line=1, color=INK)
    with tempfile.TemporaryDirectory() as folder:
        page.save(Path(folder) / "page.png")
        with Image.open(Path(folder) / "page.png") as image:
            image.save(path, quality=49)


def load(name: str) -> World:
    """Return the world of a starter."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.toml"
        path.write_text(template(name), "utf-8")
        return World.load(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("templates.jpg"))
