"""Measures from the cells of a Voronoi or power diagram: what is covered, the largest hole, order of neighbours.

The cell of a point is what is left of the box when it is cut along the line between the point and
each other one. Points are asked in rings outwards; the cell is final when no unseen point is near
enough to cut it. So every measure here is exact but for rounding: nothing is sampled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from weald.geometry import Bounds, BoundsLike
from weald.sampling.quality.sample import Array, Buckets, Points, Sample, inner_box, radii


class Hole(NamedTuple):
    """The largest empty circle: radius and centre, in metres."""

    radius: float
    x: float
    y: float


class BondOrder(NamedTuple):
    """How hexagonal a set is: over all bonds, and around each point on its own."""

    overall: float
    local: float


def uncovered_share(
    points: Points,
    bounds: BoundsLike,
    *,
    radius: ArrayLike | None = None,
    periodic: bool = False,
    border: float = 0.0,
) -> float:
    """Return the share of the box that lies at least a radius from every point, so that one more would fit.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included.
    radius : array_like, shape () or (n,), optional
        Spacing in metres; a PointSet brings its own. A point covers the disc of its radius.
    periodic
        Whether the box is a torus.
    border
        Width in metres of a strip along the edges that is left out: for a window of a larger set, a
        radius, as points outside the window cover some of the strip.

    Returns
    -------
    float
        From 0 (full) to 1. Exactly 0 if every place is covered.

    Raises
    ------
    InputError
        If points, radii or border cannot be used.

    Notes
    -----
    The area of the union of discs is the sum over points of disc and power cell in common (Aurenhammer, *Improved
    Algorithms for Discs and Balls Using Power Diagrams*, 1988); no probes are involved.

    Examples
    --------
    >>> round(uncovered_share([[1, 1], [3, 1]], (0, 0, 4, 2), radius=1.0), 4)  # two discs in two squares
    0.2146
    """
    sample = Sample.of(points, bounds, periodic)
    each = radii(points, radius, len(sample))
    inner = inner_box(sample, border)
    return min(_open_area(sample.buckets(), each, _frame(inner)) / inner.area, 1.0)


def largest_hole(points: Points, bounds: BoundsLike, *, periodic: bool = False, border: float = 0.0) -> Hole:
    """Return the largest circle with its centre in the box and no point inside.

    Parameters
    ----------
    points, bounds, periodic
        As `uncovered_share`.
    border
        Width in metres of a strip along the edges in which no centre may lie: for a window of a
        larger set, a radius, as points outside the window may lie near.

    Returns
    -------
    Hole
        ``.radius``, ``.x``, ``.y`` in metres. The radius of a maximal set is at most its spacing.

    Raises
    ------
    InputError
        If points or border cannot be used.

    Notes
    -----
    The place farthest from all points is a corner of a Voronoi cell, cut by the box (Shamos & Hoey, *Closest-Point
    Problems*, 1975). All corners are looked at, so the hole is the largest but for rounding.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(9) for y in range(9)]
    >>> round(largest_hole(lattice, (0, 0, 9, 9), periodic=True).radius, 6)
    0.707107
    """
    sample = Sample.of(points, bounds, periodic)
    inner = inner_box(sample, border)
    radius, x, y = _farthest(sample.buckets(), np.zeros(len(sample)), _frame(inner))
    if periodic:
        x, y = inner.xmin + (x - inner.xmin) % inner.size[0], inner.ymin + (y - inner.ymin) % inner.size[1]
    return Hole(radius, x, y)


def bond_order(points: Points, bounds: BoundsLike, *, periodic: bool = False) -> BondOrder:
    """Return how much the neighbours of points stand in sixfold order.

    Neighbours are points whose Voronoi cells share a side. With the angle ``a`` of the bond from a point
    to each of its neighbours, ``psi = mean(exp(6j * a))``; without a torus, points whose cell touches the
    edge of the box have no psi.

    Parameters
    ----------
    points, bounds, periodic
        As `uncovered_share`.

    Returns
    -------
    BondOrder
        ``.overall`` is ``abs(mean(psi))``: 1 for a hexagonal lattice, towards 0 where directions differ
        from place to place. ``.local`` is ``mean(abs(psi))``: 1 for a hexagonal lattice, 0.44 for a maximal random
        set, 0.36 for white noise. Both are NaN if every cell touches the edge.

    Raises
    ------
    InputError
        If points are too few, not finite or outside the box.

    Notes
    -----
    Halperin & Nelson, *Theory of Two-Dimensional Melting*, Physical Review Letters 41, 1978. The PSA tool's
    "orientational order" is of the kind of ``.local``, with the sides of the ring of neighbours for bonds.

    Examples
    --------
    >>> rows = [(x + 0.5 * (y % 2), y * 0.75**0.5) for x in range(8) for y in range(8)]
    >>> overall, local = bond_order(rows, (-0.1, -0.1, 7.9, 8 * 0.75**0.5 - 0.1), periodic=True)
    >>> round(overall, 6), round(local, 6)
    (1.0, 1.0)
    """
    sample = Sample.of(points, bounds, periodic)
    psi = np.empty((len(sample), 2))
    _psi(sample.buckets(), np.zeros(len(sample)), _frame(sample.box), psi)
    known = psi[np.isfinite(psi[:, 0])]
    if len(known) == 0:
        return BondOrder(math.nan, math.nan)
    return BondOrder(math.hypot(*known.mean(axis=0)), float(np.hypot(known[:, 0], known[:, 1]).mean()))


def _frame(box: Bounds) -> tuple[float, float, float, float]:
    return box.xmin, box.ymin, box.xmax, box.ymax


# In the kernels, a cell is an array of shape (m, 4): corners in counter-clockwise order, relative to the cell's
# point, and with each the bond across the side that starts there, to the point beyond; NaN at the box's edge.


@njit(cache=True, nogil=True, error_model="numpy")
def _open_area(b: Buckets, weight: Array, frame: tuple[float, float, float, float]) -> float:
    heaviest, total = weight.max(), 0.0
    for j in range(b.ny):
        for i in range(b.nx):
            for k in range(b.start[j * b.nx + i], b.start[j * b.nx + i + 1]):
                cell = _cell(b, k, i, j, weight, heaviest, frame)
                radius, far = weight[b.order[k]], 0.0
                for v in range(len(cell)):
                    far = max(far, math.hypot(cell[v, 0], cell[v, 1]))
                if far > radius:
                    total += max(_area(cell) - _area_in_disc(cell, radius), 0.0)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _farthest(b: Buckets, weight: Array, frame: tuple[float, float, float, float]) -> tuple[float, float, float]:
    hole, x, y = -1.0, 0.0, 0.0
    for j in range(b.ny):
        for i in range(b.nx):
            for k in range(b.start[j * b.nx + i], b.start[j * b.nx + i + 1]):
                cell = _cell(b, k, i, j, weight, 0.0, frame)
                for v in range(len(cell)):
                    distance = math.hypot(cell[v, 0], cell[v, 1])
                    if distance > hole:
                        hole, x, y = distance, b.x[k] + cell[v, 0], b.y[k] + cell[v, 1]
    return hole, x, y


@njit(cache=True, nogil=True, error_model="numpy")
def _psi(b: Buckets, weight: Array, frame: tuple[float, float, float, float], psi: Array) -> None:
    for j in range(b.ny):
        for i in range(b.nx):
            for k in range(b.start[j * b.nx + i], b.start[j * b.nx + i + 1]):
                cell = _cell(b, k, i, j, weight, 0.0, frame)
                real, imaginary, bonds = 0.0, 0.0, 0
                for v in range(len(cell)):
                    w = (v + 1) % len(cell)
                    length = math.hypot(cell[w, 0] - cell[v, 0], cell[w, 1] - cell[v, 1])
                    # in a square lattice, cells that touch at a corner are no neighbours
                    if length <= 1e-9 * math.hypot(cell[v, 2], cell[v, 3]):
                        continue
                    # NaN, at the box's edge, makes all of it NaN
                    angle = 6.0 * math.atan2(cell[v, 3], cell[v, 2])
                    real += math.cos(angle)
                    imaginary += math.sin(angle)
                    bonds += 1
                psi[b.order[k], 0] = real / bonds if bonds else math.nan
                psi[b.order[k], 1] = imaginary / bonds if bonds else math.nan


@njit(cache=True, nogil=True, error_model="numpy")
def _cell(
    b: Buckets, k: int, i0: int, j0: int, weight: Array, heaviest: float, frame: tuple[float, float, float, float]
) -> Array:
    """Return the cell of a point in the power diagram of circles with radius ``weight``; all equal: Voronoi."""
    me = b.order[k]
    if b.periodic:
        # the cuts by the point's own images
        left, right, low, high = -0.5 * b.width, 0.5 * b.width, -0.5 * b.depth, 0.5 * b.depth
    else:
        left, right, low, high = frame[0] - b.x[k], frame[2] - b.x[k], frame[1] - b.y[k], frame[3] - b.y[k]
    cell = np.full((4, 4), math.nan)
    cell[0, 0], cell[1, 0], cell[2, 0], cell[3, 0] = left, right, right, left
    cell[0, 1], cell[1, 1], cell[2, 1], cell[3, 1] = low, low, high, high
    side = min(b.width / b.nx, b.depth / b.ny)
    ring = 0
    while len(cell) > 0 and (b.periodic or ring <= max(b.nx, b.ny)):
        far = 0.0
        for v in range(len(cell)):
            far = max(far, math.hypot(cell[v, 0], cell[v, 1]))
        # points unseen yet are at least this far away; at distance d a point cuts at (d^2 + w^2 - w'^2) / 2d
        # or beyond, which grows with d
        unseen = (ring - 1) * side
        if unseen > 0.0 and unseen * unseen + weight[me] ** 2 - heaviest**2 >= 2.0 * unseen * far:
            break
        for j in range(j0 - ring, j0 + ring + 1):
            if not b.periodic and (j < 0 or j >= b.ny):
                continue
            edge = j in (j0 - ring, j0 + ring)
            for i in range(i0 - ring, i0 + ring + 1, 1 if edge or ring == 0 else 2 * ring):
                if not b.periodic and (i < 0 or i >= b.nx):
                    continue
                turn_x, turn_y = i // b.nx, j // b.ny
                bucket = (j - turn_y * b.ny) * b.nx + i - turn_x * b.nx
                for p in range(b.start[bucket], b.start[bucket + 1]):
                    if p == k:
                        continue
                    dx = (b.x[p] - b.x[k]) + turn_x * b.width
                    dy = (b.y[p] - b.y[k]) + turn_y * b.depth
                    square, they = dx * dx + dy * dy, b.order[p]
                    cut = 0.5 * (square + weight[me] ** 2 - weight[they] ** 2)
                    if square == 0.0 and (cut < 0.0 or (cut == 0.0 and they < me)):
                        return cell[:0]  # of points in one place, one has the cell
                    cell = _clipped(cell, dx, dy, cut)
        ring += 1
    return cell


@njit(cache=True, nogil=True, error_model="numpy")
def _clipped(cell: Array, dx: float, dy: float, cut: float) -> Array:
    """Return the part of a cell with ``dx * x + dy * y <= cut``."""
    # corners on the line up to rounding stay: lattices would get sides of no length
    limit = cut + 1e-12 * (dx * dx + dy * dy)
    m, outside = len(cell), 0
    for v in range(m):
        outside += dx * cell[v, 0] + dy * cell[v, 1] > limit
    if outside == 0:
        return cell
    if outside == m:
        return cell[:0]
    result = np.empty((m - outside + 2, 4))
    n = 0
    for v in range(m):
        w = (v + 1) % m
        here = dx * cell[v, 0] + dy * cell[v, 1]
        there = dx * cell[w, 0] + dy * cell[w, 1]
        if here <= limit:
            result[n] = cell[v]
            n += 1
        if (here <= limit) != (there <= limit):
            t = min(max((cut - here) / (there - here), 0.0), 1.0)
            result[n, 0] = cell[v, 0] + t * (cell[w, 0] - cell[v, 0])
            result[n, 1] = cell[v, 1] + t * (cell[w, 1] - cell[v, 1])
            # where the outline leaves, the new side begins; where it comes back, the old one goes on
            leaves = here <= limit
            result[n, 2] = dx if leaves else cell[v, 2]
            result[n, 3] = dy if leaves else cell[v, 3]
            n += 1
    return result[:n]


@njit(cache=True, nogil=True, error_model="numpy")
def _area(cell: Array) -> float:
    total = 0.0
    for v in range(len(cell)):
        w = (v + 1) % len(cell)
        total += cell[v, 0] * cell[w, 1] - cell[w, 0] * cell[v, 1]
    return 0.5 * total


@njit(cache=True, nogil=True, error_model="numpy")
def _area_in_disc(cell: Array, radius: float) -> float:
    """Return the area that a cell has in common with a disc around the origin."""
    total = 0.0
    for v in range(len(cell)):
        w = (v + 1) % len(cell)
        ax, ay, bx, by = cell[v, 0], cell[v, 1], cell[w, 0], cell[w, 1]
        dx, dy = bx - ax, by - ay
        square, half = dx * dx + dy * dy, ax * dx + ay * dy
        root = half * half - square * (ax * ax + ay * ay - radius * radius)
        if square == 0.0:
            continue
        enter, leave = 1.0, 0.0
        if root > 0.0:
            enter, leave = max((-half - math.sqrt(root)) / square, 0.0), min((-half + math.sqrt(root)) / square, 1.0)
        if enter >= leave:
            total += _sector(ax, ay, bx, by, radius)
            continue
        px, py, qx, qy = ax + enter * dx, ay + enter * dy, ax + leave * dx, ay + leave * dy
        if enter > 0.0:
            total += _sector(ax, ay, px, py, radius)
        total += 0.5 * (px * qy - qx * py)
        if leave < 1.0:
            total += _sector(qx, qy, bx, by, radius)
    return total


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _sector(ax: float, ay: float, bx: float, by: float, radius: float) -> float:
    return 0.5 * radius * radius * math.atan2(ax * by - ay * bx, ax * bx + ay * by)
