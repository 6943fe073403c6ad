"""Evaluation: an expression at points or over a grid, in blocks that the caches hold, across threads.

Values are functions of place alone, so the blocks and the threads they run in change no bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from weald.errors import InputError
from weald.fields.expression import Expression, Places, Values, shared_parts
from weald.geometry import Grid

Progress: TypeAlias = Callable[[int, int], object]
"""Called with the places done so far and the places in all, in the thread of the caller."""

# a few arrays of this many float64 values fit into the second cache level of a core
_BLOCK_ROWS, _BLOCK_COLUMNS = 64, 512


def at_points(expression: Expression, dtype: DTypeLike, x: ArrayLike, y: ArrayLike) -> Values:
    """Return an expression's values at coordinates that broadcast, in the broadcast shape."""
    xs, ys = _coordinates("x", x), _coordinates("y", y)
    try:
        shape = np.broadcast_shapes(xs.shape, ys.shape)
    except ValueError:
        raise InputError(
            f"x and y: shapes {xs.shape} and {ys.shape} do not broadcast; give arrays of one shape"
        ) from None
    if len(shape) == 2:
        row, column = np.atleast_2d(xs), np.atleast_2d(ys)
        if row.shape[0] == 1 and column.shape[1] == 1:
            return _over_mesh(expression, dtype, row[0], column[:, 0], threads=1, progress=None)
    flat_x = np.ascontiguousarray(np.broadcast_to(xs, shape)).reshape(-1)
    flat_y = np.ascontiguousarray(np.broadcast_to(ys, shape)).reshape(-1)
    out: Values = np.empty(flat_x.size, dtype)
    shared = shared_parts(expression)
    step = _BLOCK_ROWS * _BLOCK_COLUMNS
    for start in range(0, out.size, step):
        run = slice(start, start + step)
        out[run] = _evaluate(expression, Places(flat_x[run], flat_y[run], shared))
    # an index of nothing turns an array of no dimensions into a number
    values: Values = out.reshape(shape)[()]
    return values


def on_grid(
    expression: Expression, dtype: DTypeLike, grid: Grid, threads: int | None, progress: Progress | None
) -> Values:
    """Return an expression's values on a grid, of shape (ny, nx)."""
    if threads is None:
        threads = _usable_cores()
    elif isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise InputError(f"threads: got {threads!r}; give a whole number from 1, or None for one a core")
    return _over_mesh(expression, dtype, grid.x, grid.y, int(threads), progress)


def _over_mesh(
    expression: Expression,
    dtype: DTypeLike,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    threads: int,
    progress: Progress | None,
) -> Values:
    out: Values = np.empty((y.size, x.size), dtype)
    shared = shared_parts(expression)
    x = np.ascontiguousarray(x)
    y = np.ascontiguousarray(y)

    def fill(block: tuple[slice, slice]) -> int:
        rows, columns = block
        part = out[rows, columns]
        part[...] = _evaluate(expression, Places(x[None, columns], y[rows, None], shared))
        return part.size

    blocks = list(_blocks(out.shape))
    done = 0
    if threads == 1 or len(blocks) == 1:
        for block in blocks:
            done += fill(block)
            if progress is not None:
                progress(done, out.size)
        return out
    pool = ThreadPoolExecutor(min(threads, len(blocks)), thread_name_prefix="weald-field")
    try:
        # results come in the order of the blocks, so of several errors it is always the same that is raised
        for count in pool.map(fill, blocks):
            done += count
            if progress is not None:
                progress(done, out.size)
    finally:
        pool.shutdown(cancel_futures=True)
    return out


def _evaluate(expression: Expression, places: Places) -> Values:
    # a division by zero is an infinity and 0/0 a void: values that fields may have, not accidents to warn of
    with np.errstate(all="ignore"):
        return places.values(expression)


def _blocks(shape: tuple[int, ...]) -> Iterator[tuple[slice, slice]]:
    for row in range(0, shape[0], _BLOCK_ROWS):
        for column in range(0, shape[1], _BLOCK_COLUMNS):
            yield slice(row, row + _BLOCK_ROWS), slice(column, column + _BLOCK_COLUMNS)


def _coordinates(name: str, value: ArrayLike) -> NDArray[np.float64]:
    array: NDArray[Any] = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise InputError(f"{name}: got values of type {array.dtype}; give numbers, in metres")
    return array.astype(np.float64, copy=False)


def _usable_cores() -> int:
    # where a process may be bound to some of the cores, count those
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
