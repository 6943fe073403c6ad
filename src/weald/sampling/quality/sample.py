"""What every measure starts from: points that were checked, the box they fill, and who lies near whom."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.numbers import floats, number_in, plain
from weald.sampling.limits import RADII, check_points, check_sides
from weald.sampling.pointset import PointSet

Array: TypeAlias = NDArray[np.float64]
Points: TypeAlias = PointSet | ArrayLike


class Buckets(NamedTuple):
    """Points sorted into the cells of a grid that tiles the box exactly.

    Kernels take it as it is. ``order`` tells the place in the caller's array; the points of cell
    ``(i, j)`` are ``start[j * nx + i]`` up to ``start[j * nx + i + 1]``.
    """

    x: Array
    y: Array
    order: NDArray[np.int64]
    start: NDArray[np.int64]
    nx: int
    ny: int
    width: float
    depth: float
    xmin: float
    ymin: float
    periodic: bool


@dataclass(frozen=True, eq=False)
class Sample:
    """Points that may be measured."""

    xy: Array
    box: Bounds
    periodic: bool

    @classmethod
    def of(cls, points: Points, bounds: BoundsLike, periodic: bool = False) -> Sample:
        """Return checked points.

        Raises
        ------
        InputError
            If there are fewer than two points, one is not finite or not in the box, or the box is none. Points on
            its edges are in it, the upper ones too: measured stands have such.
        """
        if callable(bounds) or hasattr(bounds, "geom_type"):
            raise InputError(
                f"bounds: got {type(bounds).__name__}; these measures are of boxes, and points that fill a polygon "
                "leave the rest of its box empty: give a box inside the polygon, and the points in that box"
            )
        if not isinstance(periodic, bool | np.bool_):
            raise InputError(f"periodic: got {periodic!r}; give True or False")
        box = Bounds.of(bounds)
        check_sides(box.size, "bounds")
        xy = floats(points)
        if xy is None:
            raise InputError("points: not an array of numbers; give a PointSet, or places of shape (n, 2)")
        if xy.ndim != 2 or xy.shape[1] != 2:
            raise InputError(f"points: got an array of shape {xy.shape}; give a PointSet, or places of shape (n, 2)")
        if len(xy) < 2:
            raise InputError(f"points: got {len(xy)}; give at least 2, as one alone has no distance to another")
        check_points(xy, "points")
        check_points(np.array([(box.xmin, box.ymin), (box.xmax, box.ymax)]), "bounds")
        low, high = (box.xmin, box.ymin), (box.xmax, box.ymax)
        out = np.flatnonzero(~((xy >= low) & (xy <= high)).all(axis=1))
        if len(out):
            raise InputError(
                f"points: point {out[0]} is {tuple(xy[out[0]].tolist())}, outside bounds "
                f"({', '.join(map(plain, (box.xmin, box.ymin, box.xmax, box.ymax)))}), as {len(out)} of {len(xy)} are; "
                "give the box that the points fill, its edges included"
            )
        return cls(xy.copy(), box, bool(periodic))

    def __len__(self) -> int:
        return len(self.xy)

    @property
    def density(self) -> float:
        """Points a square metre."""
        return len(self.xy) / self.box.area

    def buckets(self) -> Buckets:
        """Return the points in cells of about one point each."""
        width, depth = self.box.size
        pitch = math.sqrt(width / len(self.xy)) * math.sqrt(depth)
        nx, ny = (min(max(int(length / pitch), 1), len(self.xy)) for length in (width, depth))
        # a point at the upper edge up to rounding would fall past the last cell
        column = np.minimum(((self.xy[:, 0] - self.box.xmin) / width * nx).astype(np.int64), nx - 1)
        row = np.minimum(((self.xy[:, 1] - self.box.ymin) / depth * ny).astype(np.int64), ny - 1)
        index = row * nx + column
        order = np.argsort(index, kind="stable")
        start = np.searchsorted(index[order], np.arange(nx * ny + 1)).astype(np.int64)
        x, y = (np.ascontiguousarray(self.xy[order, axis]) for axis in (0, 1))
        return Buckets(x, y, order, start, nx, ny, width, depth, self.box.xmin, self.box.ymin, self.periodic)


def radii(points: Points, radius: ArrayLike | None, count: int) -> Array:
    """Return the radius of each point, shape (n,): ``radius``, or what the point set holds.

    Raises
    ------
    InputError
        If there is none, or it is not one number or one a point, finite and above 0.
    """
    if radius is None:
        if not isinstance(points, PointSet):
            raise InputError("radius: missing; give metres, one number or one a point (only a PointSet brings its own)")
        radius = points.radius
    each = floats(radius)
    if each is None:
        raise InputError(f"radius: got {radius!r}; give metres, one number or one a point")
    if each.ndim == 0:
        each = np.full(count, float(each))
    if each.shape != (count,):
        raise InputError(f"radius: has shape {each.shape}; give one number, or one for each of {count} points")
    bad = np.flatnonzero(~((each >= RADII[0]) & (each <= RADII[1])))
    if len(bad):
        raise InputError(f"radius: got {each[bad[0]]}; give finite metres above 0, from {RADII[0]:g} to {RADII[1]:g}")
    return np.array(each)


def inner_box(sample: Sample, border: float) -> Bounds:
    """Return the box without a strip along its edges; a torus has no edges."""
    box, limit = sample.box, 0.5 * min(sample.box.size)
    width = number_in("border", border, f"metres from 0 up to, but not including, {limit:g}", least=0.0)
    if sample.periodic and width != 0:
        raise InputError(f"border: got {border} with periodic=True; give 0, as a torus has no edges")
    if width >= limit:
        raise InputError(f"border: got {border}; give metres from 0 up to, but not including, {limit:g}")
    return Bounds(box.xmin + width, box.ymin + width, box.xmax - width, box.ymax - width)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def gap(difference: float, period: float, periodic: bool) -> float:
    """Return a coordinate difference, on a torus the one to the nearest image."""
    return difference - period * np.rint(difference / period) if periodic else difference


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def span(middle: int, reach: int, count: int, periodic: bool) -> tuple[int, int]:
    """Return first and last cell within reach along an axis, each cell once; on a torus they may need wrapping."""
    if not periodic:
        return max(middle - reach, 0), min(middle + reach, count - 1)
    if 2 * reach + 1 >= count:
        return 0, count - 1
    return middle - reach, middle + reach
