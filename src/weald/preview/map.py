"""The map of a world: ground and every plant to scale, with what a map needs to be read."""

from __future__ import annotations

import math
from os import PathLike
from typing import Literal

import numpy as np

from weald.arguments import of_kind
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.numbers import number_in, whole_in
from weald.preview.ground import View, tint
from weald.preview.page import ACCENT, FAINT, INK, Page
from weald.preview.paint import paint, swatch
from weald.scatter.placements import Placements
from weald.terrain.terrain import Terrain

_ACROSS = 130.0
"""Median crown radii across the detail panel: enough to see single crowns and how they stand."""


def draw_map(
    path: str | PathLike[str],
    terrain: Terrain,
    placements: Placements,
    *,
    title: str | None = None,
    bounds: BoundsLike | None = None,
    detail: BoundsLike | Literal["auto"] | None = "auto",
    water_level: float | None = None,
    width_px: int = 2000,
) -> None:
    """Draw the ground and what stands on it from above, as a PNG.

    Ground is tinted by height and shaded from the north-west, heights one and a half times their
    own. Every instance is a disc of its crown's radius, to scale, also below a pixel. A detail
    panel shows single crowns; a scale bar, a legend with counts and a north arrow stand beside.

    Parameters
    ----------
    path
        The PNG to write; its folder must exist.
    terrain, placements
        What to draw.
    title
        Set large above the map.
    bounds
        The part of the ground to show, in metres; all of it if left out.
    detail
        The part shown large: a box about square, ``"auto"`` for a place where many species stand close, or None.
    water_level
        Ground below this height is drawn as water.
    width_px
        Width of the picture, 600 to 8000; its height follows from the shape of the ground.

    Raises
    ------
    InputError
        If the picture's width is out of range, a box does not meet the ground or is too tall, or the file cannot
        be written.
    """
    whole_in("width_px", width_px, "600 to 8000", least=600, most=8000)
    of_kind("terrain", terrain, Terrain, "a Terrain, such as world.terrain")
    if title is not None:
        of_kind("title", title, str, "a text, or None")
    if water_level is not None:
        water_level = number_in(
            "water_level", water_level, "a height from -1e9 to 1e9 m, or None", least=-1e9, most=1e9
        )
    of_kind("placements", placements, Placements, "Placements, such as Placements.concat(list(layers.values()))")
    ground = terrain.grid.bounds
    shown = _within(ground, bounds, "bounds") if bounds is not None else ground
    inside = shown.contains(placements.xyz[:, 0], placements.xyz[:, 1])
    seen = placements if inside.all() else placements.take(inside)  # no copy of millions

    em = width_px / 2000
    margin, gap, column = round(56 * em), round(40 * em), round(520 * em)
    room = width_px - 2 * margin - gap - column
    # a tall ground gets a narrower map, not an endless page
    view = View(shown, min(room, max(round(1.4 * room * shown.size[0] / shown.size[1]), 1)))
    if detail == "auto":
        square = _liveliest(seen, shown)
    else:
        square = _within(shown, detail, "detail") if detail is not None else None
    panel = View(square, column) if square is not None else None
    if panel is not None and panel.height > 2 * column:
        raise InputError(f"detail: got {detail}; give a box at most twice as tall as wide")

    top = margin + round((112 if title else 40) * em)
    legend_row = round(46 * em)
    listed = [(entry, seen.scale[seen.species == k]) for k, entry in enumerate(seen.species_table)]
    listed = [(entry, scales) for entry, scales in listed if len(scales)]
    foot = round(250 * em)
    beside = (panel.height + round(70 * em) if panel else 0) + round(50 * em) + legend_row * len(listed) + foot
    depth = max(view.height, beside)
    page = Page(width_px, top + depth + margin)

    if title:
        page.text(title, margin, margin + 44 * em, 60 * em, room=width_px - 2 * margin, serif=True)
    page.text(_summary(seen, shown), margin, top - 22 * em, 20 * em, room=width_px - 2 * margin, color=FAINT)

    left = margin + (room - view.width) // 2
    page.image(paint(terrain, placements, view, water_level), left, top)
    page.box(left, top, view.width, view.height, line=max(em, 1), color=INK)
    x, y = margin + room + gap, top
    if panel is not None:
        # within one slope the relief has little to tell, and would only darken the crowns
        page.image(paint(terrain, placements, panel, water_level, depth=0.35), x, y)
        page.box(x, y, panel.width, panel.height, line=3 * em, color=ACCENT)
        _mark(page, view, panel.bounds, left, top, em)
        y += panel.height
        across = nice(0.3 * panel.bounds.size[0])
        page.box(x, y + 18 * em, across * panel.scale, 8 * em, color=INK, fill=INK)
        page.text(_metres(across), x + across * panel.scale + 12 * em, y + 29 * em, 20 * em)
        y += round(70 * em)

    scale = panel.scale if panel is not None else 20 * em / max((s.crown_radius for s, _ in listed), default=1.0)
    if listed:
        page.text("Species", x, y + 26 * em, 22 * em, color=FAINT)
        y += round(50 * em)
    for entry, scales in listed:
        page.image(swatch(entry, scale * float(np.median(scales)), legend_row), x, y)
        baseline = y + 31 * em
        page.text(entry.name, x + 60 * em, baseline, 24 * em, room=column - 210 * em)
        page.text(f"{len(scales):,}", x + column, baseline, 24 * em, align="right")
        y += legend_row
    _heights(page, terrain, x, top + depth - foot + round(60 * em), column, em)
    _scale_bar(page, view.scale, x, top + depth - 40 * em, column - 100 * em, em)
    _north(page, x + column - 26 * em, top + depth, em)
    page.save(path)


def _within(outer: Bounds, inner: BoundsLike, name: str) -> Bounds:
    box = Bounds.of(inner, name).intersection(outer)
    if box is None:
        raise InputError(f"{name}: got {inner}; give a box that meets {outer}")
    return box


def _liveliest(placements: Placements, shown: Bounds) -> Bounds | None:
    """Return the square where the most species stand the densest, or None where a detail would show no more."""
    if not len(placements):
        return None
    radius = np.array([s.crown_radius for s in placements.species_table])[placements.species] * placements.scale
    side = nice(_ACROSS * float(np.median(radius)))
    across, up = (int(length / side) for length in shown.size)
    if min(across, up) < 3:
        return None
    i = np.clip(((placements.xyz[:, 0] - shown.xmin) / side).astype(np.intp), 0, across - 1)
    j = np.clip(((placements.xyz[:, 1] - shown.ymin) / side).astype(np.intp), 0, up - 1)
    score = np.zeros(across * up)
    for species in range(len(placements.species_table)):
        one = placements.species == species
        # roots: a few of another species tell more than many more of the same
        score += np.sqrt(np.bincount((j * across + i)[one], minlength=across * up))
    best = int(score.argmax())
    x, y = shown.xmin + best % across * side, shown.ymin + best // across * side
    return Bounds(x, y, x + side, y + side)


def nice(length: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, 50 ... (and their decimal parts) that is not above a length.

    >>> [nice(length) for length in (0.7, 1.0, 49.0, 730.0)]
    [0.5, 1.0, 20.0, 500.0]
    """
    power = 10.0 ** math.floor(math.log10(length))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= length * (1 + 1e-9))


def _metres(length: float) -> str:
    return f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"


def _summary(placements: Placements, shown: Bounds) -> str:
    width, depth = shown.size
    size = (
        f"{width / 1000:.3g} × {depth / 1000:.3g} km" if max(width, depth) >= 1000 else f"{width:.3g} × {depth:.3g} m"
    )
    if not len(placements):
        return size
    hectares = shown.area / 10_000
    return f"{size}   ·   {len(placements):,} placed, {_told(len(placements) / hectares)} a hectare"


def _mark(page: Page, view: View, square: Bounds, left: float, top: float, em: float) -> None:
    """Show on the map where the detail lies."""
    x, y = (float(v[0]) for v in view.pixels(np.array([square.xmin]), np.array([square.ymax])))
    width, depth = (length * view.scale for length in square.size)
    page.box(left + x - em, top + y - em, width + 2 * em, depth + 2 * em, line=5 * em, color="#ffffff")
    page.box(left + x + em, top + y + em, width - 2 * em, depth - 2 * em, line=2.5 * em, color=ACCENT)


def _heights(page: Page, terrain: Terrain, x: int, y: int, width: int, em: float) -> None:
    """Draw the ramp of tints with the lowest and the highest ground."""
    depth = round(16 * em)
    ramp = np.broadcast_to(tint(np.linspace(0, 1, width, dtype=np.float32)), (depth, width, 3))
    page.text("Height", x, y - 12 * em, 22 * em, color=FAINT)
    page.image(np.rint(ramp * 255).astype(np.uint8), x, y)
    page.box(x, y, width, depth, line=max(em, 1), color=INK)
    low, high = float(np.nanmin(terrain.heights)), float(np.nanmax(terrain.heights))
    page.text(f"{low:,.0f} m", x, y + 42 * em, 20 * em)
    page.text(f"{high:,.0f} m", x + width, y + 42 * em, 20 * em, align="right")


def _scale_bar(page: Page, scale: float, x: float, y: float, room: float, em: float) -> None:
    """Draw a bar of four alternating parts, a round length in all."""
    length = nice(room / scale)
    part, depth = length * scale / 4, round(12 * em)
    for k in range(4):
        page.box(x + k * part, y, part, depth, color=INK, fill=INK if k % 2 == 0 else "#ffffff")
    page.box(x, y, length * scale, depth, line=max(2 * em, 1), color=INK)
    page.text("0", x, y - 12 * em, 20 * em)
    page.text(_metres(length), x + length * scale, y - 12 * em, 20 * em, align="right")


def _north(page: Page, x: float, y: float, em: float) -> None:
    """Draw a needle, its lit half open and its shaded half filled."""
    tip, notch, foot, wide = (x, y - 74 * em), (x, y - 14 * em), y, 17 * em
    page.polygon([tip, (x - wide, foot), notch], line=1.5 * em, color=INK, fill="#ffffff")
    page.polygon([tip, (x + wide, foot), notch], line=1.5 * em, color=INK, fill=INK)
    page.text("N", x, y - 84 * em, 26 * em, align="center", serif=True)


def _told(density: float) -> str:
    """Return a density in words: thin stands are not 0 a hectare."""
    return f"{density:,.0f}" if density >= 10 or density == 0 else f"{density:.2g}"
