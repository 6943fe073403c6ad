"""Points as discs of half their radius: they touch, and never overlap."""

from __future__ import annotations

import math
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.preview.conflicts import conflicting, mark_covered
from weald.preview.crowns import draw_crowns
from weald.preview.ground import PAPER, View
from weald.preview.page import write_png

_DISC = (92, 122, 104)
_CONFLICT = (206, 52, 40)
_GAP = (240, 190, 90)


def draw_points(
    path: str | PathLike[str], points_xy: ArrayLike, radius: ArrayLike, bounds: BoundsLike, *, width_px: int = 1200
) -> None:
    """Draw points as discs of half their radius, and mark what is wrong with them.

    Discs of a sound set touch and never overlap. Points nearer to another than the larger of the two
    radii are red. Where the radius is one number, places that lie at least that far from every
    point, so that one more would fit, are amber; a set without amber is full, as far as the middles
    of the pixels tell.

    Parameters
    ----------
    path
        The PNG to write; its folder must exist.
    points_xy : array_like, shape (n, 2)
        Metres. Points outside the window count for conflicts and gaps.
    radius : array_like, shape () or (n,)
        Spacing of all points or of each, in metres.
    bounds
        The window, in metres.
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
    if not 16 <= width_px <= 8000:
        raise InputError(f"width_px: got {width_px}; give 16 to 8000")
    view = View(box, width_px)
    if view.height > 16_000:
        raise InputError(f"width_px: {width_px} makes the picture {view.height} high; give less for so tall a window")
    image = np.empty((view.height, view.width, 3), np.float32)
    image[:] = PAPER
    if np.ndim(radius) == 0:
        # float64, as the gaps of a full set are thin
        x, y = (xy[:, 0] - box.xmin) * view.scale, (box.ymax - xy[:, 1]) * view.scale
        covered = np.zeros(image.shape[:2], np.bool_)
        mark_covered(x, y, each * view.scale, covered)
        image[~covered] = np.array(_GAP, np.float32) / 255

    conflict = conflicting(xy, each)
    # faults last, so that nothing hides them
    order = np.argsort(conflict, kind="stable")
    px, py = view.pixels(xy[order, 0], xy[order, 1])
    discs = (each[order] * (0.5 * view.scale)).astype(np.float32)
    colors = (np.where(conflict[order, None], _CONFLICT, _DISC) / 255).astype(np.float32)
    draw_crowns(image, np.ones_like(image), px, py, discs, np.zeros_like(discs), colors, 0.0)
    write_png(path, np.rint(np.clip(image, 0.0, 1.0) * 255).astype(np.uint8))


def _checked(points_xy: ArrayLike, radius: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points, shape (n, 2), and the radius of each, shape (n,)."""
    xy = np.array(points_xy, np.float64)
    if xy.size == 0:
        xy = xy.reshape(0, 2)
    if xy.ndim != 2 or xy.shape[1] != 2 or not np.isfinite(xy).all():
        raise InputError(f"points_xy: got an array of shape {xy.shape}; give finite places, shape (n, 2)")
    each = np.array(radius, np.float64)
    if each.ndim == 0:
        each = np.full(len(xy), float(each))
    if each.shape != (len(xy),):
        raise InputError(f"radius: has shape {each.shape}; give one number, or one for each of {len(xy)} points")
    if not all(0 < r < math.inf for r in (each.min(initial=1.0), each.max(initial=1.0))):
        raise InputError(f"radius: spans {each.min()} to {each.max()}; give finite numbers above 0")
    return xy, each
