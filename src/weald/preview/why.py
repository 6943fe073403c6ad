"""Maps of why: what each rule of each layer allows around a place, and what has come of it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from weald.arguments import of_kind, shown
from weald.errors import InputError
from weald.geometry import Bounds
from weald.numbers import is_number, number_in, plain
from weald.preview.ground import PAPER, Pixels, View
from weald.preview.map import nice
from weald.preview.page import ACCENT, FAINT, INK, Page
from weald.preview.points import covered, mark_holes, paint_discs, places
from weald.scatter.growth import Growth
from weald.scatter.rules import Rule, told
from weald.world.world import World

Array = NDArray[np.float64]

_PANEL, _GAP, _MARGIN, _HEAD, _WORDS = 264, 26, 48, 150, 62
_NONE = np.array([0.925, 0.905, 0.865], np.float32)
_ALL = np.array([0.42, 0.58, 0.38], np.float32)
_OTHERS = np.array([0.62, 0.55, 0.47], np.float32)
_COLUMNS = 34
"""Letters of a line above a panel."""


def draw_why(
    path: str | PathLike[str],
    world: World,
    at: tuple[float, float],
    *,
    layers: Sequence[str] | None = None,
    reach: float = 60.0,
) -> None:
    """Draw a row of maps for each layer: what stands around a place, and what each rule allows there, as a PNG.

    The first map shows the layer as it grows, before edits: discs of half the radius, which touch and never overlap.
    Green ones stand, pale ones were thinned out by chance; what the layer keeps off is brown. Pairs too close are
    red, and holes that would take one more blue: in a sound world nothing is red, and blue at most a speck along
    the edge of a rule, where the sampler gives up pockets. The background, and the other maps, are green where all
    places may carry something, and pale where none may.

    Parameters
    ----------
    path
        The PNG to write; its folder must exist.
    world
        Whose layers.
    at
        The place, in metres: it is marked in every map.
    layers
        Names of the layers to show; all if not given.
    reach
        How far around the place to show, in metres.
    """
    of_kind("world", world, World, "a World")
    number_in("reach", reach, "1 to 100000 metres", least=1.0, most=1e5)
    if not (isinstance(at, Sequence) and len(at) == 2 and all(map(is_number, at))):
        raise InputError(f"at: got {shown(at)}; give (x, y), finite metres")
    names = [layer.name for layer in world.spec.layer]
    if layers is not None and not (isinstance(layers, Sequence) and all(name in names for name in layers)):
        raise InputError(f"layers: got {shown(layers)}; give some of {', '.join(names)}")
    x, y = at
    view = View(Bounds(x - reach, y - reach, x + reach, y + reach), _PANEL)
    grown = world.growths()
    rows = [(name, grown[name]) for name in (layers or names)]
    widest = max(len(classes[-1].rules) for _, classes in rows) + 1
    page = Page(
        2 * _MARGIN + max(widest, 3) * (_PANEL + _GAP) - _GAP, _HEAD + len(rows) * (_PANEL + _GAP + _WORDS) + 40
    )
    title = f"{world.name}: why at {plain(x)}, {plain(y)}"
    page.text(title, _MARGIN, 62, 34, room=page.width - 2 * _MARGIN, serif=True)
    _key(page)
    for number, (name, classes) in enumerate(rows):
        top = _HEAD + number * (_PANEL + _GAP + _WORDS) + _WORDS
        _row(page, name, classes, view, top)
    _scale_bar(page, view)
    page.save(path)


def _row(page: Page, name: str, classes: Sequence[Growth], view: View, top: int) -> None:
    growth = classes[-1].settled
    px, py = places(view)
    total = np.ones(px.shape)
    panels = []
    for rule in growth.rules:
        share = _asked(rule, px, py)
        total *= share
        panels.append((told(rule), _shaded(share, view)))
    left = _MARGIN
    _panel(page, name, _stand(classes, total, view), left, top, heading=True)
    for text, image in panels:
        left += _PANEL + _GAP
        _panel(page, text, image, left, top)


def _stand(classes: Sequence[Growth], total: Array, view: View) -> Pixels:
    """Return the map of what stands: every size class, and what the smallest keeps off."""
    image = _shaded(total, view)
    growth = classes[-1].settled
    px, py = places(view)
    free = (total > 0).reshape(view.height, view.width)
    for _, kept in growth.kept:
        xy, radius = kept.discs(view.bounds.grown(kept.most))
        kept_free = covered(view, xy, radius)
        image[kept_free] += 0.5 * (_OTHERS - image[kept_free])
        free &= ~kept_free
    box = view.bounds.grown(2 * growth.widest)
    points = growth.candidates(box)
    mark_holes(image, free & ~covered(view, points.xy, points.radius, growth.spacing(px, py)))
    for one in classes:
        points = one.settled.candidates(view.bounds.grown(2 * one.widest))
        stays = np.isin(points.id, one.find(view.bounds.grown(2 * one.widest)).id)
        paint_discs(image, view, points.xy, points.radius, thinned=~stays)
    return image


def _asked(rule: Rule, x: Array, y: Array) -> Array:
    try:
        return np.asarray(rule.share(x, y), np.float64)
    except InputError:  # a cover that is told for allowed places only
        return np.ones(x.shape)


def _shaded(share: Array, view: View) -> Pixels:
    part = np.clip(share, 0.0, 1.0).astype(np.float32).reshape(view.height, view.width, 1)
    # none at all is a shade of its own: there the sampler sets no point
    shaded: Pixels = np.where(part > 0, _NONE + (0.25 + 0.75 * part) * (_ALL - _NONE), _NONE).astype(np.float32)
    return shaded


def _panel(page: Page, text: str, image: Pixels, left: int, top: int, heading: bool = False) -> None:
    if heading:
        page.text(text, left, top - 12, 24, room=_PANEL, serif=True)
    else:
        lines = textwrap.wrap(text, _COLUMNS)
        if len(lines) > 2:
            lines = [lines[0], lines[1][: _COLUMNS - 3] + " ..."]
        for k, line in enumerate(reversed(lines)):
            page.text(line, left, top - 12 - 18 * k, 14, room=_PANEL, color=FAINT)
    page.image(np.rint(np.clip(image, 0.0, 1.0) * 255).astype(np.uint8), left, top)
    page.box(left, top, image.shape[1], image.shape[0], line=1, color=INK)
    _mark(page, left + image.shape[1] / 2, top + image.shape[0] / 2)


def _mark(page: Page, x: float, y: float) -> None:
    """Mark the place: four strokes that leave it open."""
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        wide, deep = (10, 2) if dx else (2, 10)
        page.box(x + 13 * dx - wide / 2 - 1, y + 13 * dy - deep / 2 - 1, wide + 2, deep + 2, color=INK, fill="#ffffff")
        page.box(x + 13 * dx - wide / 2, y + 13 * dy - deep / 2, wide, deep, color=ACCENT, fill=ACCENT)


def _key(page: Page) -> None:
    x = float(_MARGIN)
    for color, words in (
        (_ALL, "all places may carry something"),
        (_NONE + 0.45 * (_ALL - _NONE), "some"),
        (_NONE, "none"),
        (PAPER + 0.5 * (_OTHERS - PAPER), "kept off something else"),
        (np.array([0.81, 0.20, 0.16]), "too close"),
        (np.array([0.26, 0.52, 0.77]), "room for one more"),
    ):
        tint = "#" + "".join(f"{round(255 * float(part)):02x}" for part in color)
        page.box(x, 92, 18, 18, color=tint, fill=tint)
        page.box(x, 92, 18, 18, line=1, color=INK)
        page.text(words, x + 26, 107, 15, color=FAINT)
        x += 46 + 8.3 * len(words)


def _scale_bar(page: Page, view: View) -> None:
    length = nice(0.4 * view.bounds.size[0])
    y = page.height - 44
    page.box(_MARGIN, y, length * view.scale, 6, color=INK, fill=INK)
    page.text(f"{length:g} m", _MARGIN + length * view.scale + 10, y + 9, 15)
