"""A stand as a forester draws it: the table of the inventory, and an L function for each layer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from weald.arguments import of_kind, table_of
from weald.preview.fonts import families, missing_glyphs
from weald.preview.ground import PAPER
from weald.preview.page import FAINT, INK, write_png
from weald.sampling.quality import LFunction
from weald.scatter.inventory import Entry, Inventory

_PANEL = "#fbfaf6"
_LEAF, _DEEP, _WARM = "#5c7a68", "#22443a", "#b8762e"
_ACROSS = 3
_HEADS = ("", "count", "a hectare", "m²/ha", "nearest", "least", "Clark-Evans")
_COLUMNS = (0.0, 0.40, 0.52, 0.63, 0.75, 0.87, 1.0)


def draw_stand(
    path: str | PathLike[str], inventory: Inventory, curves: Mapping[str, LFunction], *, title: str = "Inventory"
) -> None:
    """Draw an inventory and the L functions of its layers, as a PNG.

    A curve below the shaded band: instances keep apart at that distance; above it: they gather. The band
    is what white noise of as many points keeps to, 19 times in 20.

    Parameters
    ----------
    path
        The PNG to write; its folder must exist.
    inventory
        The table: see `weald.scatter.inventory.take_inventory`.
    curves
        By layer: see `weald.scatter.inventory.l_functions`.
    title
        Set large above.
    """
    of_kind("inventory", inventory, Inventory, "what take_inventory returns")
    table_of("curves", curves, LFunction, "what l_functions returns")
    rows = math.ceil(len(curves) / _ACROSS)
    table = 0.30 * (len(inventory.entries) + 1)
    height = 1.15 + table + 0.5 + 3.5 * rows
    figure = Figure((13.5, height), dpi=110, facecolor=tuple(PAPER.tolist()))
    canvas: Any = FigureCanvasAgg(figure)
    width, depth = inventory.bounds.size
    figure.text(0.045, 1 - 0.62 / height, title, size=24, color=INK, family=families("STIXGeneral"), parse_math=False)
    count = sum(entry.count for entry in inventory.entries if not entry.species)
    words = f"{width:,.0f} x {depth:,.0f} m   ·   {count:,} instances"
    figure.text(0.955, 1 - 0.60 / height, words, size=11, color=FAINT, ha="right")
    _table(figure.add_axes((0.045, 1 - (1.0 + table) / height, 0.91, table / height)), inventory)
    bottom = 0.55 / height
    if rows:
        grid = figure.add_gridspec(
            rows,
            _ACROSS,
            left=0.07,
            right=0.955,
            bottom=bottom,
            top=1 - (1.75 + table) / height,
            wspace=0.22,
            hspace=0.5,
        )
        for number, (name, curve) in enumerate(curves.items()):
            _curve(figure.add_subplot(grid[divmod(number, _ACROSS)]), name, curve)
    with missing_glyphs():
        canvas.draw()
    write_png(path, np.asarray(canvas.buffer_rgba())[..., :3])


def _table(axes: Any, inventory: Inventory) -> None:
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(len(inventory.entries) + 1, 0))
    for x, words in zip(_COLUMNS, _HEADS, strict=True):
        axes.text(x, 0.5, words, size=10, color=FAINT, ha="left" if x == 0 else "right", va="center")
    for number, entry in enumerate(inventory.entries):
        if not entry.species:
            axes.axhline(number + 1, color="#dcdacb", lw=0.8)
        for k, (x, words) in enumerate(zip(_COLUMNS, _words(entry), strict=True)):
            bold = not entry.species
            axes.text(
                x + (0.02 if k == 0 and entry.species else 0), number + 1.5, words, size=10.5,
                color=INK if bold else FAINT, weight="bold" if bold and k == 0 else "normal",
                ha="left" if k == 0 else "right", va="center", parse_math=False,
            )  # fmt: skip


def _words(entry: Entry) -> tuple[str, ...]:
    def number(value: float, unit: str = "") -> str:
        return "-" if math.isnan(value) else f"{value:,.2f}{unit}"

    return (
        entry.species or entry.layer,
        f"{entry.count:,}",
        f"{entry.per_hectare:,.1f}",
        number(entry.basal_area),
        number(entry.nearest_mean, " m"),
        number(entry.nearest_least, " m"),
        number(entry.clark_evans),
    )


def _curve(axes: Any, name: str, curve: LFunction) -> None:
    axes.set_facecolor(_PANEL)
    axes.set_title(name, loc="left", size=12, color=INK, weight="bold", pad=8, parse_math=False)
    axes.set_xlabel("distance r, metres", size=9.5, color=FAINT)
    axes.set_ylabel("L(r) - r, metres", size=9.5, color=FAINT)
    axes.tick_params(colors=FAINT, labelsize=8.5, length=3)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#c9c8bb")
    if math.isfinite(curve.tolerance):
        axes.axhspan(-curve.tolerance, curve.tolerance, color=_WARM, alpha=0.14, lw=0)
    axes.axhline(0, color=FAINT, lw=0.8, ls=(0, (4, 4)))
    axes.fill_between(curve.distance, curve.excess, color=_LEAF, alpha=0.18, lw=0)
    axes.plot(curve.distance, curve.excess, color=_DEEP, lw=1.8)
    axes.set_xlim(0, curve.distance[-1])
    low, high = float(curve.excess.min()), float(curve.excess.max())
    room = 0.12 * max(high - low, 1e-9)
    axes.set_ylim(min(low, -0.0) - room, max(high, 0.0) + room)
    for above, words in ((True, "gather"), (False, "keep apart")):
        axes.text(
            0.985, 0.97 if above else 0.04, words, transform=axes.transAxes, size=8.5, color=_WARM,
            ha="right", va="top" if above else "bottom",
        )  # fmt: skip
