"""The rivers of a real piece of the Cumberland Mountains, by their order, and its lakes.

    python examples/rivers.py [FOLDER]

Writes rivers.jpg into the folder, the current one if none is given, and prints what it found.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from PIL import Image

from weald.preview.ground import PAPER, View, paint_ground
from weald.terrain.hydrology import Drainage, Rivers, carve, drainage
from weald.terrain.samples import jacksboro

LEAST_AREA = 400_000.0  # m²: a brook
WIDTH = 1000
INK = "#33372f"
WATER = ["#6fa3c4", "#4b8bb8", "#2c72a8", "#155a94", "#0b4478"]  # by order, from brooks


def smooth(xy: np.ndarray) -> np.ndarray:
    """Return a course without the corners of its grid: each inner point half way to its neighbours' mean, six times."""
    for _ in range(6):
        xy = np.concatenate([xy[:1], 0.5 * xy[1:-1] + 0.25 * (xy[:-2] + xy[2:]), xy[-1:]])
    return xy


def draw(path: Path, water: Drainage, rivers: Rivers) -> None:
    """Draw the ground, and each river as wide as its order."""
    grid = water.terrain.grid
    view = View(grid.bounds, WIDTH)
    image, _ = paint_ground(water.terrain, view, depth=0.8)
    figure = Figure((view.width / 100, view.height / 100), dpi=100, facecolor=tuple(PAPER.tolist()))
    axes = figure.add_axes((0, 0, 1, 1))
    box = grid.bounds
    axes.imshow(image, extent=(box.xmin, box.xmax, box.ymin, box.ymax))
    courses = sorted(rivers.reaches, key=lambda river: river.order)
    axes.add_collection(
        LineCollection(
            [smooth(river.xy) for river in courses],
            linewidths=[0.35 + 0.55 * river.order for river in courses],
            colors=[WATER[min(river.order, 5) - 1] for river in courses],
            capstyle="round",
            joinstyle="round",
        )
    )
    halo = [withStroke(linewidth=4, foreground=tuple(PAPER.tolist()))]
    left, low = box.xmin + 900, box.ymin + 900
    axes.plot([left, left + 5000], [low, low], color=INK, lw=2.5, solid_capstyle="butt", path_effects=halo)
    axes.text(left, low + 350, "5 km", color=INK, size=11, path_effects=halo)
    axes.set(xlim=(box.xmin, box.xmax), ylim=(box.ymin, box.ymax))
    axes.set_axis_off()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3]).save(path, quality=60, optimize=True)


def main(folder: Path) -> None:
    """Find the rivers, draw and describe them."""
    ground = jacksboro()
    # the model's samples are 90 m apart, and dam up valleys that are narrower: let the rivers cut through
    open_ground = carve(drainage(ground), LEAST_AREA, depth=0.0)
    water = drainage(open_ground)
    rivers = water.rivers(LEAST_AREA)
    draw(folder / "rivers.jpg", water, rivers)

    print("order   reaches      km")
    for order in range(1, int(rivers.order.max()) + 1):
        some = [river.xy for river in rivers.reaches if river.order == order]
        length = sum(float(np.hypot(*np.diff(xy, axis=0).T).sum()) for xy in some)
        print(f"{order:5d} {len(some):9d} {length / 1000:7.0f}")
    lakes = drainage(ground).lakes(least_depth=2.0), water.lakes(least_depth=2.0)
    print(f"{len(lakes[0])} depressions deeper than 2 m as measured, {len(lakes[1])} after carving")
    away = water.distance_to_water(LEAST_AREA, least_depth=2.0)
    print(f"half of the ground is within {np.median(away):.0f} m of water, all of it within {away.max():.0f} m")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
