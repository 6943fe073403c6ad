"""A map of your own ground: run ``python own_ground.py FILE [CRS]`` and look at ``own_ground.png``.

FILE is anything that `weald.Terrain.open` reads without further words: a GeoTIFF, an HGT tile, an ASCII grid, or a
PNG or RAW with the sidecar that weald wrote. CRS is a system to project it to, such as ``utm`` or ``EPSG:32632``;
files in degrees need it. Without a FILE it is Norris Lake in Tennessee, from the elevation model that comes
with matplotlib.

What is drawn: heights as tints, light from three suns, contours, every fifth of them heavier, the shore
of the lake, and the highest place.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

import weald
from weald.preview.ground import PAPER, View, paint_ground
from weald.terrain.samples import jacksboro

NORRIS_LAKE = (17_100, 12_500, 29_600, 20_700)
LAKE_LEVEL = 305.5
WIDTH = 1500
INK, BROWN, SHORE = "#33372f", "#7d5a3c", "#4d7488"


def main(path: Path, file: str | None, crs: str | None) -> None:
    """Open the ground and draw it."""
    if file is None:
        terrain, title, water = jacksboro(10.0).crop(NORRIS_LAKE), "Norris Lake, Tennessee", LAKE_LEVEL
    else:
        terrain, title, water = weald.Terrain.open(file, crs=crs), Path(file).stem, None
    low, high = float(np.nanmin(terrain.heights)), float(np.nanmax(terrain.heights))
    interval = step_for((high - low) / 45)

    box = terrain.grid.bounds
    view = View(box, WIDTH)
    image, _ = paint_ground(terrain, view, water)
    figure = Figure((view.width / 100, (view.height + 90) / 100), dpi=100, facecolor=tuple(PAPER))
    axes = figure.add_axes((0, 0, 1, view.height / (view.height + 90)))
    axes.imshow(image, extent=(box.xmin, box.xmax, box.ymin, box.ymax), interpolation="none")
    axes.set_axis_off()

    draw_contours(axes, terrain, interval, water)
    if water is not None:
        axes.add_collection(LineCollection([line.xy for line in terrain.shore(water)], colors=SHORE, linewidths=1.0))
    mark_summit(axes, terrain)
    axes.set(xlim=(box.xmin, box.xmax), ylim=(box.ymin, box.ymax))

    above = 1 - 56 / (view.height + 90)
    figure.text(0.024, above, title, fontsize=25, family="STIXGeneral", color=INK)
    slope = float(np.nanmean(terrain.slope_deg(terrain.grid.x, terrain.grid.y[:, None])))
    width, depth = (length / 1000 for length in box.size)
    words = f"{width:.1f} x {depth:.1f} km   {low:,.0f} to {high:,.0f} m   contours every {interval:g} m   "
    words += f"mean slope {slope:.0f}°"
    figure.text(0.976, above, words, fontsize=11.5, ha="right", color="#76786c")
    FigureCanvasAgg(figure).print_png(path)


def step_for(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, ... that is not below ``least``."""
    power = 10.0 ** math.floor(math.log10(max(least, 1e-3)))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * (1 - 1e-9))


def draw_contours(axes: Axes, terrain: weald.Terrain, interval: float, water: float | None) -> None:
    """Draw contours on dry land, every fifth one heavier and with its height."""
    # rings of a few vertices are noise of the survey
    lines = [line for line in terrain.contours(interval) if len(line.xy) > 24]
    lines = [line for line in lines if water is None or line.level > water]
    for heavy in (False, True):
        drawn = [line.xy for line in lines if (round(line.level / interval) % 5 == 0) == heavy]
        style = {"linewidths": 1.05 if heavy else 0.5, "alpha": 0.75 if heavy else 0.5}
        axes.add_collection(LineCollection(drawn, colors=BROWN, capstyle="round", joinstyle="round", **style))
    room = terrain.grid.bounds.size[0] / 5
    taken: list[np.ndarray] = []
    for line in sorted(lines, key=lambda line: -len(line.xy)):
        if round(line.level / interval) % 5 == 0:
            label(axes, line, taken, room)


def label(axes: Axes, line, taken: list[np.ndarray], room: float) -> None:
    """Write the height along a line where it runs straight, away from what is written already."""
    reach = max(len(line.xy) // 60, 4)
    for at in range(4 * reach, len(line.xy) - 4 * reach, 2 * reach):
        place, along = line.xy[at], line.xy[at + reach] - line.xy[at - reach]
        stretch = np.abs(np.diff(line.xy[at - reach : at + reach + 1], axis=0)).sum()
        straight = np.abs(along).sum() > 0.97 * stretch and np.hypot(*along) > room / 25
        if straight and all(np.hypot(*(place - other)) > room for other in taken):
            turn = math.degrees(math.atan2(along[1], along[0]))
            turn = (turn + 90) % 180 - 90
            halo = [withStroke(linewidth=3, foreground=(0.87, 0.84, 0.72))]
            style = {"fontsize": 8, "color": BROWN, "ha": "center", "va": "center", "path_effects": halo}
            axes.text(*place, f"{line.level:g}", rotation=turn, rotation_mode="anchor", clip_on=True, **style)
            taken.append(place)
            return


def mark_summit(axes: Axes, terrain: weald.Terrain) -> None:
    """Mark the highest sample."""
    j, i = np.unravel_index(np.nanargmax(terrain.heights), terrain.grid.shape)
    x, y = terrain.grid.x[i], terrain.grid.y[j]
    halo = [withStroke(linewidth=3, foreground="white", alpha=0.7)]
    axes.plot(x, y, marker="^", markersize=7, color=INK, path_effects=halo)
    style = {"fontsize": 11, "color": INK, "textcoords": "offset points", "path_effects": halo}
    axes.annotate(f"{terrain.heights[j, i]:,.0f} m", (x, y), (8, -4), **style)


if __name__ == "__main__":
    file, crs = [*sys.argv[1:], None, None][:2]
    main(Path("own_ground.png"), file, crs)
