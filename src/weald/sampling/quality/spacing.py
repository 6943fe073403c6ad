"""Distances between points: how near the nearest are, and how evenly they are spread."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.geometry import BoundsLike
from weald.numbers import number_in, whole_in
from weald.sampling.limits import RADII
from weald.sampling.quality.sample import Array, Buckets, Points, Sample, gap, radii, span

Correction = Literal["border", "donnelly", "none"]


def hexagonal_spacing(count: int, area: float) -> float:
    """Return the distance of neighbours if ``count`` points filled ``area`` as a hexagonal lattice.

    No arrangement of as many points has a larger least distance (on a torus, or as the number
    grows), so distances divided by it lie in (0, 1].

    Parameters
    ----------
    count
        Number of points, N.
    area
        Area A, in square metres.

    Returns
    -------
    float
        ``sqrt(2 / (sqrt(3) * N / A))``, in metres.

    Notes
    -----
    Lagae & Dutré, *A Comparison of Methods for Generating Poisson Disk Distributions*, Computer
    Graphics Forum 27(1), 2008: their relative radius is half the least distance over half of this.

    Examples
    --------
    >>> round(hexagonal_spacing(100, 100.0), 4)
    1.0746
    """
    count = whole_in("count", count, "a whole number of at least 1", least=1, most=RADII[1])
    area = number_in("area", area, "square metres above 0, at most 1e200", above=0.0, most=RADII[1] ** 2)
    return math.sqrt(2 * area / (math.sqrt(3) * count))


def nearest_distances(points: Points, bounds: BoundsLike, *, periodic: bool = False) -> Array:
    """Return the distance from each point to the nearest other one.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included.
    periodic
        Whether the box is a torus: its opposite edges are the same line.

    Returns
    -------
    ndarray of float64, shape (n,)
        Metres, computed in float64 from the coordinates.

    Raises
    ------
    InputError
        If points are too few, not finite or outside the box.

    Examples
    --------
    >>> nearest_distances([[1, 5], [3, 5], [9.5, 5]], (0, 0, 10, 10)).tolist()
    [2.0, 2.0, 6.5]
    >>> nearest_distances([[1, 5], [3, 5], [9.5, 5]], (0, 0, 10, 10), periodic=True).tolist()
    [1.5, 2.0, 1.5]
    """
    sample = Sample.of(points, bounds, periodic)
    distance = np.empty(len(sample))
    _nearest(sample.buckets(), distance)
    return distance


def minimum_distance(points: Points, bounds: BoundsLike, *, periodic: bool = False) -> float:
    """Return the least distance between two points, in metres; parameters as `nearest_distances`.

    Divided by `hexagonal_spacing` it is the "global mindist" of the PSA tool (Schlömer &
    Deussen 2011): 0 for white noise, 0.778 for a maximal random set, 1 for a hexagonal lattice.

    >>> minimum_distance([[1, 5], [3, 5], [9.5, 5]], (0, 0, 10, 10), periodic=True)
    1.5
    """
    return float(nearest_distances(points, bounds, periodic=periodic).min())


def mean_distance(points: Points, bounds: BoundsLike, *, periodic: bool = False) -> float:
    """Return the mean distance from a point to its nearest other one, in metres.

    On a torus over all points. Else over the points that lie at least as far from the edges as the
    largest nearest distance, so that none misses a neighbour beyond an edge. Divided by
    `hexagonal_spacing` it is the "average mindist" of the PSA tool: 0.465 for white noise, 0.818
    for a maximal random set, 1 for a hexagonal lattice. Parameters as `nearest_distances`.

    Raises
    ------
    InputError
        If points are too few, not finite or outside the box, or all lie too near to an edge.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(9) for y in range(9)]
    >>> mean_distance(lattice, (0, 0, 9, 9))
    1.0
    """
    sample = Sample.of(points, bounds, periodic)
    return float(interior(sample, nearest_distances(points, bounds, periodic=periodic)).mean())


def clark_evans(
    points: Points, bounds: BoundsLike, *, periodic: bool = False, correction: Correction = "border"
) -> float:
    """Return the Clark-Evans index: the mean nearest distance over what white noise would have.

    Parameters
    ----------
    points, bounds, periodic
        As `nearest_distances`.
    correction
        What is done about neighbours beyond the edges. ``"border"`` leaves out points near an edge,
        as `mean_distance`. ``"donnelly"`` takes all and adds to the expectation what edges add to
        it for white noise, ``(0.0514 + 0.041 / sqrt(N)) * perimeter / N``: right as a test against
        white noise, a few percent low for regular sets. ``"none"`` takes all. A torus has no
        edges, so there it means nothing.

    Returns
    -------
    float
        ``mean / (0.5 / sqrt(N / A))``, from 0 (all in one place) to 2.149 (hexagonal lattice): 1 for
        white noise, 1.76 for a maximal random set, 2 for a square lattice.

    Raises
    ------
    InputError
        If points are too few, not finite or outside the box, all lie too near to an edge, or the
        correction is unknown.

    Notes
    -----
    Clark & Evans, *Distance to Nearest Neighbor as a Measure of Spatial Relationships in
    Populations*, Ecology 35, 1954. Donnelly, *Simulations to Determine the Variance and Edge Effect
    of Total Nearest-Neighbour Distance*, 1978.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(9) for y in range(9)]
    >>> clark_evans(lattice, (0, 0, 9, 9), periodic=True)
    2.0
    """
    if not isinstance(correction, str) or correction not in ("border", "donnelly", "none"):
        raise InputError(f"correction: got {correction!r}; give 'border', 'donnelly' or 'none'")
    sample = Sample.of(points, bounds, periodic)
    expected = 0.5 / math.sqrt(sample.density)
    distance = nearest_distances(points, bounds, periodic=periodic)
    if periodic or correction == "none":
        return float(distance.mean()) / expected
    if correction == "border":
        return float(interior(sample, distance).mean()) / expected
    count = len(sample)
    return float(distance.mean()) / (expected + (0.0514 + 0.041 / math.sqrt(count)) * 2 * sum(sample.box.size) / count)


def interior(sample: Sample, distance: Array) -> Array:
    """Return those nearest distances that no edge can have lengthened."""
    if sample.periodic:
        return distance
    low, high = np.array([sample.box.xmin, sample.box.ymin]), np.array([sample.box.xmax, sample.box.ymax])
    room = np.minimum(sample.xy - low, high - sample.xy).min(axis=1)
    inside: Array = distance[room >= distance.max()]
    if len(inside) == 0:
        raise InputError(
            f"points: all {len(sample)} lie nearer to an edge than {distance.max():g} m, the largest distance to a "
            "nearest one; give more points, or periodic=True where opposite edges are one"
        )
    return inside


def packing_share(points: Points, bounds: BoundsLike, *, radius: ArrayLike | None = None) -> float:
    """Return the share of the box under discs of half the radius around the points.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included.
    radius : array_like, shape () or (n,), optional
        Spacing in metres; a PointSet brings its own.

    Returns
    -------
    float
        ``sum(pi * (r / 2)**2) / A``; for one radius ``N * pi * (r / 2)**2 / A``. Without conflicts from
        0 to 0.907 (hexagonal lattice), but for discs that stick out: 0.547 for a maximal random set, the
        jamming constant of random sequential adsorption (Feder 1980).

    Raises
    ------
    InputError
        If points or radii cannot be used.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(9) for y in range(9)]
    >>> round(packing_share(lattice, (0, 0, 9, 9), radius=1.0), 4)
    0.7854
    """
    sample = Sample.of(points, bounds)
    return float((radii(points, radius, len(sample)) ** 2).sum()) * math.pi / 4 / sample.box.area


def conflicts(
    points: Points, bounds: BoundsLike, *, radius: ArrayLike | None = None, periodic: bool = False
) -> NDArray[np.int64]:
    """Return the pairs of points nearer to each other than the larger of their radii.

    Parameters
    ----------
    points, bounds, periodic
        As `nearest_distances`.
    radius : array_like, shape () or (n,), optional
        Spacing in metres; a PointSet brings its own.

    Returns
    -------
    ndarray of int64, shape (m, 2)
        Indices ``(i, j)`` with ``i < j`` and ``d(i, j) < max(r_i, r_j)`` in float64, without a tolerance;
        in ascending order. A sound set has none.

    Raises
    ------
    InputError
        If points or radii cannot be used.

    Examples
    --------
    >>> conflicts([[1, 1], [2, 1], [5, 5]], (0, 0, 9, 9), radius=[0.5, 1.5, 3]).tolist()
    [[0, 1]]
    """
    sample = Sample.of(points, bounds, periodic)
    each = radii(points, radius, len(sample))
    buckets = sample.buckets()
    pairs = np.empty((_conflicts(buckets, each, float(each.max()), np.empty((0, 2), np.int64)), 2), np.int64)
    _conflicts(buckets, each, float(each.max()), pairs)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def relative_distance(
    points: Points, bounds: BoundsLike, *, radius: ArrayLike | None = None, periodic: bool = False
) -> float:
    """Return the least of all ``d(i, j) / max(r_i, r_j)``: at least 1 if there is no conflict.

    Parameters and errors as `conflicts`.

    >>> relative_distance([[1, 1], [2, 1], [5, 5]], (0, 0, 9, 9), radius=[0.5, 0.8, 3])
    1.25
    """
    sample = Sample.of(points, bounds, periodic)
    each = radii(points, radius, len(sample))
    buckets = sample.buckets()
    widest, factor = float(each.max()), 1.0
    # pairs further apart than factor * widest have a larger ratio than factor
    while (ratio := _least_ratio(buckets, each, factor * widest)) > factor:
        factor *= 2.0
    return ratio


@njit(cache=True, nogil=True, error_model="numpy")
def _nearest(b: Buckets, distance: Array) -> None:
    side = min(b.width / b.nx, b.depth / b.ny)
    for j0 in range(b.ny):
        for i0 in range(b.nx):
            for k in range(b.start[j0 * b.nx + i0], b.start[j0 * b.nx + i0 + 1]):
                best = math.inf
                ring = 0
                # what lies beyond ring ``n`` is at least n cells away
                while ring <= max(b.nx, b.ny) and (ring - 1) * side < best:
                    for j in range(j0 - ring, j0 + ring + 1):
                        if not b.periodic and (j < 0 or j >= b.ny):
                            continue
                        edge = j in (j0 - ring, j0 + ring)
                        for i in range(i0 - ring, i0 + ring + 1, 1 if edge or ring == 0 else 2 * ring):
                            if not b.periodic and (i < 0 or i >= b.nx):
                                continue
                            cell = (j % b.ny) * b.nx + i % b.nx
                            for p in range(b.start[cell], b.start[cell + 1]):
                                if p != k:
                                    dx = gap(b.x[p] - b.x[k], b.width, b.periodic)
                                    dy = gap(b.y[p] - b.y[k], b.depth, b.periodic)
                                    best = min(best, math.sqrt(dx * dx + dy * dy))
                    ring += 1
                distance[b.order[k]] = best


@njit(cache=True, nogil=True, error_model="numpy")
def _conflicts(b: Buckets, radius: Array, widest: float, pairs: NDArray[np.int64]) -> int:
    """Count conflicts, and note as many as there is room for."""
    found = 0
    reach_x = int(min(widest / (b.width / b.nx), float(b.nx))) + 1
    reach_y = int(min(widest / (b.depth / b.ny), float(b.ny))) + 1
    for j0 in range(b.ny):
        for i0 in range(b.nx):
            left, right = span(i0, reach_x, b.nx, b.periodic)
            low, high = span(j0, reach_y, b.ny, b.periodic)
            for k in range(b.start[j0 * b.nx + i0], b.start[j0 * b.nx + i0 + 1]):
                for j in range(low, high + 1):
                    for i in range(left, right + 1):
                        cell = (j % b.ny) * b.nx + i % b.nx
                        for p in range(b.start[cell], b.start[cell + 1]):
                            one, other = b.order[k], b.order[p]
                            if one < other:
                                dx = gap(b.x[p] - b.x[k], b.width, b.periodic)
                                dy = gap(b.y[p] - b.y[k], b.depth, b.periodic)
                                if math.sqrt(dx * dx + dy * dy) < max(radius[one], radius[other]):
                                    if found < len(pairs):
                                        pairs[found, 0], pairs[found, 1] = one, other
                                    found += 1
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _least_ratio(b: Buckets, radius: Array, distance: float) -> float:
    """Return the least ratio of distance to radius over (at least) the pairs within a distance; infinite for none."""
    best = math.inf
    reach_x = int(min(distance / (b.width / b.nx), float(b.nx))) + 1
    reach_y = int(min(distance / (b.depth / b.ny), float(b.ny))) + 1
    for j0 in range(b.ny):
        for i0 in range(b.nx):
            left, right = span(i0, reach_x, b.nx, b.periodic)
            low, high = span(j0, reach_y, b.ny, b.periodic)
            for k in range(b.start[j0 * b.nx + i0], b.start[j0 * b.nx + i0 + 1]):
                for j in range(low, high + 1):
                    for i in range(left, right + 1):
                        cell = (j % b.ny) * b.nx + i % b.nx
                        for p in range(b.start[cell], b.start[cell + 1]):
                            if p != k:
                                dx = gap(b.x[p] - b.x[k], b.width, b.periodic)
                                dy = gap(b.y[p] - b.y[k], b.depth, b.periodic)
                                larger = max(radius[b.order[k]], radius[b.order[p]])
                                best = min(best, math.sqrt(dx * dx + dy * dy) / larger)
    return best
