"""Points as discs of half their radius: they touch, and never overlap."""

from __future__ import annotations

import math
from collections.abc import Callable
from os import PathLike
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import shown
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.numbers import reals, whole_in
from weald.preview.conflicts import conflicting, mark_covered
from weald.preview.crowns import draw_crowns
from weald.preview.ground import PAPER, Pixels, View
from weald.preview.page import write_png

Array: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = Callable[[Array, Array], Array]

_DISC = (92, 122, 104)
_CONFLICT = (206, 52, 40)
_HOLE = (66, 133, 196)
_PALE = np.array([0.68, 0.70, 0.62], np.float32)
"""Colour of discs that were thinned out."""


def draw_points(
    path: str | PathLike[str],
    points_xy: ArrayLike,
    radius: ArrayLike,
    bounds: BoundsLike,
    *,
    radius_at: Measure | None = None,
    width_px: int = 1200,
) -> None:
    """Draw points as discs of half their radius, and mark what is wrong with them.

    Discs of a sound set touch and never overlap. Points nearer to another than the larger of the two
    radii are red. Places where one more would fit are blue; a set without blue is full, as far as the middles
    of the pixels tell. Where the radius is not one number, ``radius_at`` is needed to know them.

    Parameters
    ----------
    path
        The PNG to write; its folder must exist.
    points_xy : array_like, shape (n, 2)
        Metres. Points outside the window count for conflicts and holes.
    radius : array_like, shape () or (n,)
        Spacing of all points or of each, in metres.
    bounds
        The window, in metres.
    radius_at
        The radius that one more point would have at places x and y, of shape (n,): a Field or a function.
    width_px
        Width of the picture, 16 to 8000.

    Raises
    ------
    InputError
        If points or radii have the wrong shape or are not finite, a radius is not above 0, or the
        file cannot be written.
    """
    box = Bounds.of(bounds)
    xy, each = _checked(points_xy, radius)
    if radius_at is not None and not callable(radius_at):
        raise InputError(f"radius_at: got {shown(radius_at)}; give a function of (x, y), or None")
    width_px = whole_in("width_px", width_px, "a whole number from 16 to 8000", least=16, most=8000)
    view = View(box, width_px)
    if view.height > 16_000:
        raise InputError(f"width_px: {width_px} makes the picture {view.height} high; give less for so tall a window")
    image = np.empty((view.height, view.width, 3), np.float32)
    image[:] = PAPER
    if np.ndim(radius) == 0:
        mark_holes(image, ~covered(view, xy, each))
    elif radius_at is not None:
        mark_holes(image, ~covered(view, xy, each, np.asarray(radius_at(*places(view)), np.float64)))
    paint_discs(image, view, xy, each)
    write_png(path, np.rint(np.clip(image, 0.0, 1.0) * 255).astype(np.uint8))


def places(view: View) -> tuple[Array, Array]:
    """Return where the middles of the pixels lie, row by row from the north: x and y, shape (n,) each."""
    x = view.bounds.xmin + (np.arange(view.width) + 0.5) / view.scale
    y = view.bounds.ymax - (np.arange(view.height) + 0.5) / view.scale
    return np.tile(x, view.height), np.repeat(y, view.width)


def covered(view: View, xy: Array, radius: Array, own: Array | None = None) -> NDArray[np.bool_]:
    """Return which pixels points keep free, shape (height, width), by the larger of their radius and the pixel's own.

    ``own`` has the order of `places`; all in metres.
    """
    shape = view.height, view.width
    pixels = np.zeros(shape) if own is None else own.reshape(shape) * view.scale
    # float64, as the gaps of a full set are thin
    x, y = (xy[:, 0] - view.bounds.xmin) * view.scale, (view.bounds.ymax - xy[:, 1]) * view.scale
    marked = np.zeros(shape, np.bool_)
    mark_covered(x, y, radius * view.scale, pixels, marked)
    return marked


def mark_holes(image: Pixels, holes: NDArray[np.bool_]) -> None:
    """Paint the pixels where one more would fit."""
    image[holes] = np.array(_HOLE, np.float32) / 255


def paint_discs(
    image: Pixels, view: View, xy: Array, radius: Array, *, thinned: NDArray[np.bool_] | None = None
) -> None:
    """Draw points as discs of half their radius, those in conflict red and last, those thinned out pale."""
    conflict = conflicting(xy, radius)
    pale = np.zeros(len(xy), np.bool_) if thinned is None else thinned
    # faults last, so that nothing hides them
    order = np.lexsort((~pale, conflict))
    px, py = view.pixels(xy[order, 0], xy[order, 1])
    discs = (radius[order] * (0.5 * view.scale)).astype(np.float32)
    colors = (np.where(conflict[order, None], _CONFLICT, _DISC) / 255).astype(np.float32)
    colors[pale[order] & ~conflict[order]] = _PALE
    draw_crowns(image, np.ones_like(image), px, py, discs, np.zeros_like(discs), colors, 0.0)


def _checked(points_xy: ArrayLike, radius: ArrayLike) -> tuple[Array, Array]:
    """Return points, shape (n, 2), and the radius of each, shape (n,)."""
    xy = np.array(reals("points_xy", points_xy, "finite places, shape (n, 2)"))
    if xy.size == 0:
        xy = xy.reshape(0, 2)
    if xy.ndim != 2 or xy.shape[1] != 2 or not np.isfinite(xy).all():
        raise InputError(f"points_xy: got an array of shape {xy.shape}; give finite places, shape (n, 2)")
    each = np.array(reals("radius", radius, "metres, one number or one a point"))
    if each.ndim == 0:
        each = np.full(len(xy), float(each))
    if each.shape != (len(xy),):
        raise InputError(f"radius: has shape {each.shape}; give one number, or one for each of {len(xy)} points")
    if not all(0 < r < math.inf for r in (each.min(initial=1.0), each.max(initial=1.0))):
        raise InputError(f"radius: spans {each.min()} to {each.max()}; give finite numbers above 0")
    return xy, each
