"""Rasters: an array on a grid as a field, with voids that stay voids.

A place is located by the coordinates that `Grid` computes for its samples, not by a division alone,
so that every sample of the grid is found again exactly, the last ones too, and far from the origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from weald.arguments import array_of, of_kind, word_of
from weald.errors import InputError
from weald.fields.expression import Expression, Places, Values
from weald.fields.field import Field
from weald.geometry import Grid

Method: TypeAlias = Literal["bilinear", "nearest", "cubic"]

_METHODS: tuple[str, ...] = get_args(Method)
_NEAREST, _CUBIC = _METHODS.index("nearest"), _METHODS.index("cubic")


def raster(grid: Grid, values: ArrayLike, *, method: Method = "bilinear") -> Field:
    """Return an array on a grid as a Field.

    Parameters
    ----------
    grid
        Where the samples stand.
    values : array_like, shape (ny, nx)
        Row 0 is the southernmost. NaN marks a void: no ground is known there. The values are copied.
    method
        How to fill in between the samples. ``"bilinear"``; ``"nearest"``, for codes and masks (half
        way, the sample to the north or east); ``"cubic"``, Catmull-Rom, whose slope is continuous.

    Returns
    -------
    Field
        It equals the samples at their places, bit for bit. It is NaN outside the box that the samples
        span, and wherever a NaN among the samples of the cell around the place has a part in the
        value: voids never leak. Cubic values also use the ring of samples around the cell: where the
        grid ends or has a void there, the missing sample continues the cell in a straight line.

        The range spans the samples that are not NaN; for cubic, it reaches 7/16 of their spread
        further on both sides (see `cubic_reach`).

    Raises
    ------
    InputError
        If the shape is not the grid's, values are infinite or not real numbers, or the method is unknown.

    Examples
    --------
    >>> ground = raster(Grid(xmin=0, ymin=0, spacing=10, nx=3, ny=2), [[0, 1, np.nan], [2, 3, 4]])
    >>> ground([5, 10, 15, 25], [5, 0, 10, 0])
    array([1.5, 1. , 3.5, nan])
    """
    of_kind("grid", grid, Grid, "a Grid")
    word_of("method", method, _METHODS)
    samples: NDArray[Any] = array_of("values", values)
    if samples.shape != grid.shape:
        raise InputError(f"values: got shape {samples.shape}; give {grid.shape}, which is (ny, nx) of the grid")
    if samples.dtype.kind not in "biuf":
        raise InputError(f"values: got type {samples.dtype}; give real numbers")
    samples = samples.astype(np.float32 if samples.dtype == np.float32 else np.float64, copy=False)
    if np.isinf(samples).any():
        row, column = (int(index) for index in np.argwhere(np.isinf(samples))[0])
        raise InputError(f"values: {samples[row, column]} in row {row}, column {column}; mark voids as NaN")
    known = samples[~np.isnan(samples)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    if method == "cubic":
        reach = cubic_reach(low, high)
        low, high = low - reach, high + reach
    return Field(Raster(grid, _ringed(samples), _METHODS.index(method), low, high), (low, high))


def _ringed(samples: NDArray[Any]) -> NDArray[Any]:
    ringed = np.pad(samples, (1, 2), constant_values=np.nan)
    ringed.setflags(write=False)
    return ringed


def cubic_reach(low: float, high: float) -> float:
    """Return how far `raster` values of method cubic may leave the range of the samples.

    Measure values from the middle of the range, in halves of it. Catmull-Rom weights add up to 1, the
    outer two to no less than -1/8: their sizes add up to at most 5/4, of which 1/8 is of the outer two
    and 9/8 of the inner two. A missing sample is replaced by one no farther than 3. So the inner two
    rows give at most 5/4, the outer two at most 15/4, and the four together 9/8 · 5/4 + 1/8 · 15/4 =
    15/8, which is 7/8 of half the range outside of it.
    """
    return 0.4375 * (high - low)


@dataclass(frozen=True, slots=True, eq=False)
class Raster(Expression):
    """Samples on a grid, in a ring of voids: one row and column before them, two after them.

    With the ring, a cubic may look at all sixteen samples around a cell without asking where the grid ends.
    """

    grid: Grid
    ringed: NDArray[Any]
    method: int
    low: float
    high: float

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 30.0

    def at(self, places: Places) -> Values:
        """Interpolate at each place."""
        grid = self.grid
        columns, east = _located(places.x, grid.xmin, grid.spacing, grid.nx)
        rows, north = _located(places.y, grid.ymin, grid.spacing, grid.ny)
        out = np.empty(places.shape if places.is_block else (1, *places.shape))
        _interpolate(columns, east, rows, north, places.is_block, self.ringed, self.method, self.low, self.high, out)
        return out.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the call that made it, without the samples."""
        return f"raster({self.grid!r}, ..., method={_METHODS[self.method]!r})"


def _located(
    at: NDArray[np.float64], start: float, spacing: float, count: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the sample at or before each coordinate, and the way on to the next."""
    index, way = np.empty(at.size, np.int64), np.empty(at.size)
    _locate_all(np.ascontiguousarray(at).reshape(-1), start, spacing, count, index, way)
    return index, way


@njit(nogil=True, cache=True)
def _interpolate(
    columns: NDArray[np.int64],
    east: NDArray[np.float64],
    rows: NDArray[np.int64],
    north: NDArray[np.float64],
    is_block: bool,
    ringed: NDArray[Any],
    method: int,
    low: float,
    high: float,
    out: NDArray[np.float64],
) -> None:  # pragma: no cover - compiled
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            # each row of a block with each column; or point by point
            k = j if is_block else i
            column, tx, row, ty = columns[i], east[i], rows[k], north[k]
            if column < 0 or row < 0:
                out[j, i] = np.nan
            elif method == _NEAREST:
                out[j, i] = ringed[row + 1 + (ty >= 0.5), column + 1 + (tx >= 0.5)]
            else:
                if method == _CUBIC:
                    value = _cubic(ringed, row, column, ty, tx)
                else:
                    value = _bilinear(ringed, row, column, ty, tx)
                # only rounding can leave the range, by a unit in the last place; NaN passes
                out[j, i] = low if value < low else high if value > high else value


@njit(nogil=True, cache=True)
def _locate_all(
    at: NDArray[np.float64],
    start: float,
    spacing: float,
    count: int,
    index: NDArray[np.int64],
    way: NDArray[np.float64],
) -> None:  # pragma: no cover - compiled
    for k in range(at.size):
        index[k], way[k] = _locate(at[k], start, spacing, count)


@njit(nogil=True, cache=True)
def _locate(
    at: float, start: float, spacing: float, count: int
) -> tuple[np.int64, float]:  # pragma: no cover - compiled
    """Return the sample at or before a coordinate and the way on to the next, in [0, 1); (-1, 0) outside."""
    if not (at >= start and at <= start + spacing * (count - 1)):
        return np.int64(-1), 0.0
    index = min(np.int64((at - start) / spacing), np.int64(count - 1))
    # the quotient is rounded, the coordinates of the samples too: go by the coordinates
    if at < start + spacing * index:
        index -= 1
    elif index < count - 1 and at >= start + spacing * (index + 1):
        index += 1
    before = start + spacing * index
    if at <= before:
        return index, 0.0
    # the largest float below 1 keeps a way that rounds to 1 from using up the cell
    return index, min((at - before) / (start + spacing * (index + 1) - before), 1.0 - 2.0**-53)


@njit(nogil=True, cache=True)
def _mix(a: float, b: float, t: float) -> float:  # pragma: no cover - compiled
    """Blend two samples; one that has no part in the value is not looked at."""
    return a if t == 0.0 else a + t * (b - a)


@njit(nogil=True, cache=True)
def _bilinear(
    ringed: NDArray[Any], row: np.int64, column: np.int64, ty: float, tx: float
) -> float:  # pragma: no cover - compiled
    j, i = row + 1, column + 1
    south = _mix(float(ringed[j, i]), float(ringed[j, i + 1]), tx)
    return south if ty == 0.0 else _mix(south, _mix(float(ringed[j + 1, i]), float(ringed[j + 1, i + 1]), tx), ty)


# with a signature, float32 samples are widened before they are subtracted
@njit("float64(float64, float64, float64, float64, float64)", nogil=True, cache=True)
def _catmull_rom(p0: float, p1: float, p2: float, p3: float, t: float) -> float:  # pragma: no cover - compiled
    """Blend four samples at equal steps, at ``t`` between the second and the third; missing ends go on straight."""
    if t == 0.0:
        return p1
    before = 2.0 * p1 - p2 if np.isnan(p0) else p0
    after = 2.0 * p2 - p1 if np.isnan(p3) else p3
    slope = p2 - before
    bend = 2.0 * before - 5.0 * p1 + 4.0 * p2 - after
    twist = 3.0 * (p1 - p2) + after - before
    return p1 + 0.5 * t * (slope + t * (bend + t * twist))


@njit(nogil=True, cache=True)
def _cubic(
    ringed: NDArray[Any], row: np.int64, column: np.int64, ty: float, tx: float
) -> float:  # pragma: no cover - compiled
    j, i = row + 1, column + 1
    if ty == 0.0:
        # on a line of samples, what lies to its sides has no part
        return _catmull_rom(ringed[j, i - 1], ringed[j, i], ringed[j, i + 1], ringed[j, i + 2], tx)
    if tx == 0.0:
        return _catmull_rom(ringed[j - 1, i], ringed[j, i], ringed[j + 1, i], ringed[j + 2, i], ty)
    sw, se = float(ringed[j, i]), float(ringed[j, i + 1])
    nw, ne = float(ringed[j + 1, i]), float(ringed[j + 1, i + 1])
    # the rows below and above the cell: where one of their inner samples is missing, the cell goes on straight
    below_w, below_e = float(ringed[j - 1, i]), float(ringed[j - 1, i + 1])
    above_w, above_e = float(ringed[j + 2, i]), float(ringed[j + 2, i + 1])
    below_w = 2.0 * sw - nw if np.isnan(below_w) else below_w
    below_e = 2.0 * se - ne if np.isnan(below_e) else below_e
    above_w = 2.0 * nw - sw if np.isnan(above_w) else above_w
    above_e = 2.0 * ne - se if np.isnan(above_e) else above_e
    return _catmull_rom(
        _catmull_rom(ringed[j - 1, i - 1], below_w, below_e, ringed[j - 1, i + 2], tx),
        _catmull_rom(ringed[j, i - 1], sw, se, ringed[j, i + 2], tx),
        _catmull_rom(ringed[j + 1, i - 1], nw, ne, ringed[j + 1, i + 2], tx),
        _catmull_rom(ringed[j + 2, i - 1], above_w, above_e, ringed[j + 2, i + 2], tx),
        ty,
    )
