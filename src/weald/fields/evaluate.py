"""Evaluation: an expression at points or over a grid, in blocks that the caches hold, across threads.

Values are functions of place alone, so the blocks and the threads they run in change no bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from weald.arguments import array_of, of_kind, shown
from weald.errors import InputError
from weald.fields.expression import Expression, Places, Plan, Values, survey
from weald.geometry import Grid
from weald.threads import cores

Progress: TypeAlias = Callable[[int, int], object]
"""Called with the places done so far and the places in all, in the thread of the caller."""

# A few arrays of this many float64 values fit into the second cache level of a core. An expression that takes
# no arrays is asked for whole rows instead.
_BLOCK_ROWS, _BLOCK_COLUMNS = 64, 512

# Blocks come and go. The allocator of glibc would hand their memory back to the system after each and fetch it
# anew, which costs more than the arithmetic, until it once sees a larger array freed: so it sees one. Its
# pages are never touched, and elsewhere this does nothing.
_LARGE_BYTES = 8 << 20
np.empty(_LARGE_BYTES, np.uint8)


def at_points(
    expression: Expression,
    dtype: DTypeLike,
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike | None = None,
    w: ArrayLike | None = None,
) -> Values:
    """Return an expression's values at coordinates that broadcast, in the broadcast shape."""
    plan = _survey(expression, z, w)
    axes = [
        _coordinates(name, axis)
        for name, axis in zip("xyzw", (x, y, z, w), strict=True)
        if axis is not None or name in "xy"
    ]
    try:
        shape = np.broadcast_shapes(*(axis.shape for axis in axes))
    except ValueError:
        names, shapes = (_listed(words) for words in (list("xyzw")[: len(axes)], [str(axis.shape) for axis in axes]))
        raise InputError(f"{names}: shapes {shapes} do not broadcast; give arrays of one shape") from None
    if len(shape) == 2 and all(axis.ndim == 0 for axis in axes[2:]):
        row, column = np.atleast_2d(axes[0]), np.atleast_2d(axes[1])
        if row.shape[0] == 1 and column.shape[1] == 1:
            levels = axes[2].reshape(1) if len(axes) > 2 else None
            time = axes[3].reshape(1, 1) if len(axes) > 3 else None
            mesh = _Mesh(np.ascontiguousarray(row[0]), np.ascontiguousarray(column[:, 0]), levels, time)
            on_mesh: Values = np.empty(mesh.shape, dtype)
            _fill_mesh(on_mesh, expression, mesh, plan, threads=1, progress=None)
            return on_mesh.reshape(shape)
    flat = [np.ascontiguousarray(np.broadcast_to(axis, shape)).reshape(-1) for axis in axes]
    out: Values = np.empty(flat[0].size, dtype)
    step = _BLOCK_ROWS * _BLOCK_COLUMNS
    for start in range(0, out.size, step):
        run = slice(start, start + step)
        parts = [axis[run] for axis in flat]
        places = Places(
            parts[0],
            parts[1],
            plan,
            z=parts[2] if len(parts) > 2 else None,
            w=parts[3] if len(parts) > 3 else None,
        )
        _evaluate(expression, places, out[run])
    # an index of nothing turns an array of no dimensions into a number
    values: Values = out.reshape(shape)[()]
    return values


def on_grid(
    expression: Expression,
    dtype: DTypeLike,
    grid: Grid,
    threads: int | None,
    progress: Progress | None,
    z: ArrayLike | None = None,
    w: float | None = None,
    out: Values | None = None,
) -> Values:
    """Return an expression's values on a grid: of shape (ny, nx), or (nz, ny, nx) for a sequence of heights."""
    of_kind("grid", grid, Grid, "a Grid")
    if progress is not None and not callable(progress):
        raise InputError(f"progress: got {shown(progress)}; give a function of (done, all)")
    if threads is None:
        threads = cores()
    elif isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 1:
        raise InputError(f"threads: got {threads!r}; give a whole number from 1, or None for one a core")
    plan = _survey(expression, z, w)
    levels = None if z is None else _coordinates("z", z)
    time = None if w is None else _coordinates("w", w)
    if levels is not None and levels.ndim > 1:
        raise InputError(f"z: got shape {levels.shape}; give one height, or a sequence of them, of shape (nz,)")
    if time is not None and time.ndim > 0:
        raise InputError(f"w: got shape {time.shape}; give one number")
    flat = levels is None or levels.ndim == 0
    shape = grid.shape if flat or levels is None else (levels.size, *grid.shape)
    if out is None:
        try:
            out = np.empty(shape, dtype)
        except (MemoryError, ValueError):  # the latter beyond what an array may count
            size = math.prod(shape) * np.dtype(dtype).itemsize / 2**30
            raise InputError(
                f"grid: {' x '.join(map(str, reversed(shape)))} samples need {size:,.0f} GiB, more than there is; "
                "sample one part after another"
            ) from None
    elif not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.writeable:
        found = f"shape {out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else repr(out)
        raise InputError(f"out: got {found}; give a writable array of shape {shape} of {np.dtype(dtype)}")
    mesh = _Mesh(
        grid.x,
        grid.y,
        None if levels is None else np.atleast_1d(levels),
        None if time is None else time.reshape(1, 1),
    )
    _fill_mesh(out[None] if flat else out, expression, mesh, plan, int(threads), progress)
    return out


def real_type(dtype: DTypeLike | None, out: Values | None) -> np.dtype[Any]:
    """Return the type of values of a field as they leave: float64 or float32."""
    if dtype is None:
        dtype = out.dtype if isinstance(out, np.ndarray) else np.float64
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError):
        found = np.dtype(object)
    if found not in (np.float64, np.float32):
        raise InputError(f"dtype: got {dtype!r}; give float64 or float32")
    return found


class _Mesh(NamedTuple):
    """Columns (nx,) and rows (ny,), at heights (nz,) if those are given, at one w of shape (1, 1)."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64] | None
    w: NDArray[np.float64] | None

    @property
    def shape(self) -> tuple[int, int, int]:
        return 1 if self.z is None else self.z.size, self.y.size, self.x.size


def _fill_mesh(
    out: Values,
    expression: Expression,
    mesh: _Mesh,
    plan: Plan,
    threads: int,
    progress: Progress | None,
) -> None:
    x, y, z, w = mesh

    def fill(block: tuple[int, slice, slice]) -> int:
        level, rows, columns = block
        part = out[level, rows, columns]
        height = None if z is None else z[level : level + 1, None]
        _evaluate(expression, Places(x[None, columns], y[rows, None], plan, z=height, w=w), part)
        return part.size

    columns = max(x.size, 1) if expression.fills_rows else _BLOCK_COLUMNS
    blocks = list(_blocks(out.shape, columns))
    done = 0
    if threads == 1 or len(blocks) == 1:
        for block in blocks:
            done += fill(block)
            if progress is not None:
                progress(done, out.size)
        return
    pool = ThreadPoolExecutor(min(threads, len(blocks)), thread_name_prefix="weald-field")
    try:
        # results come in the order of the blocks, so of several errors it is always the same that is raised
        for count in pool.map(fill, blocks):
            done += count
            if progress is not None:
                progress(done, out.size)
    finally:
        pool.shutdown(cancel_futures=True)


def _evaluate(expression: Expression, places: Places, out: Values) -> None:
    # a division by zero is an infinity and 0/0 a void: values that fields may have, not accidents to warn of
    with np.errstate(all="ignore"):
        places.climb(expression)
        expression.fill(places, out)


def _blocks(shape: tuple[int, ...], columns: int) -> Iterator[tuple[int, slice, slice]]:
    for level in range(shape[0]):
        for row in range(0, shape[1], _BLOCK_ROWS):
            for column in range(0, shape[2], columns):
                yield level, slice(row, row + _BLOCK_ROWS), slice(column, column + columns)


def _survey(expression: Expression, z: ArrayLike | None, w: ArrayLike | None) -> Plan:
    """Return how to evaluate an expression, once sure that it gets the coordinates it needs."""
    plan = survey(expression)
    needed = plan.dimensions
    for missing, position, value in (("z", 3, z), ("w", 4, w)):
        if value is None and needed >= position:
            axes = _listed(list("xyzw"[:needed]))
            raise InputError(f"{missing}: not given, but `{expression.text()}` is a function of {axes}; give {missing}")
    if z is None and w is not None:
        raise InputError("w: given without z; give both")
    return plan


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _coordinates(name: str, value: object) -> NDArray[np.float64]:
    array: NDArray[Any] = array_of(name, value)
    if array.dtype.kind not in "iuf":
        raise InputError(f"{name}: got values of type {array.dtype}; give numbers, in metres")
    return array.astype(np.float64, copy=False)
