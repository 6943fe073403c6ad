"""Kernels around the user's functions: where darts landed, and what becomes of them by what was answered."""

from __future__ import annotations

import math

import numpy as np
from numba import float64, int64, njit
from numpy.typing import NDArray

from weald.sampling.state import PENDING, STEPS, VOID, Cells, Darts, Frame, dart_x, dart_y, in_world

Array = NDArray[np.float64]


@njit(cache=True, nogil=True, error_model="numpy")
def places(
    frame: Frame,
    darts: Darts,
    which: NDArray[np.intp],
    origin: tuple[float, float],
    unit: tuple[float, float],
    x: Array,
    y: Array,
) -> None:
    """Fill in the coordinates of where some of the darts landed."""
    row, row_end, low = int64(0), int64(0), int64(0)
    for a in range(len(which)):
        k = which[a]
        c = int64(darts.cell[k])
        if c < row or c >= row_end:  # most darts lie in the row of the one before, and a division is dear
            j = c // frame.width
            row = j * frame.width
            row_end = row + frame.width
            low = int64(in_world(j, frame.j0, frame.period_j)) * frame.cell_y
        across = int64(in_world(c - row, frame.i0, frame.period_i)) * frame.cell_x + dart_x(darts.bits[k])
        up = low + dart_y(darts.bits[k])
        x[a] = float64(across) * unit[0] + origin[0]
        y[a] = float64(up) * unit[1] + origin[1]


@njit(cache=True, nogil=True, error_model="numpy")
def clamp(values: Array, low: float, high: float, clamped: Array) -> bool:
    """Fill in values clamped to a range; return whether one of them is no number."""
    wrong = 0
    for k in range(len(values)):
        wrong |= int(values[k] != values[k])
        clamped[k] = min(max(values[k], low), high)
    return wrong != 0


@njit(cache=True, nogil=True, error_model="numpy")
def forbid(darts: Darts, which: NDArray[np.intp], good: NDArray[np.bool_], forbidden: NDArray[np.intp]) -> int:
    """Void the darts whose ground is not good; list them, and return how many they are."""
    state = darts.state
    n = 0
    for a in range(len(which)):
        k = which[a]
        bad = int(not good[a])
        # without a branch: what is good is as hard to tell as the user's function
        state[k] += bad * (int64(VOID) - state[k])
        forbidden[n] = k
        n += bad
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def note(
    frame: Frame,
    cells: Cells,
    darts: Darts,
    which: NDArray[np.intp],
    radius: Array,
    low: float,
    high: float,
    stretch: float,
    unit: float,
    forbidden: NDArray[np.intp],
    n: int,
) -> int:
    """Note the radii of darts, in places and rounded up; void those that are not from ``low`` up to below ``high``.

    The void ones are listed from entry ``n`` on; returns where they end. The kernels take it that no radius is below
    the step of its cell. Where probing has missed a smaller one, the radius is raised to it, so that this
    holds, whatever the order of darts.
    """
    state, cell, sizes, floor = darts.state, darts.cell, darts.radius, cells.floor
    for a in range(len(which)):
        k = which[a]
        bad = 1 - int(radius[a] >= low) * int(radius[a] < high)
        metres = radius[a] * stretch
        whole = math.ceil(metres / unit)
        whole += int64(whole * unit < metres)
        least = int64(frame.least) * (STEPS + int64(floor[cell[k]])) // STEPS
        sizes[k] = max(whole, least)
        state[k] += bad * (int64(VOID) - state[k])
        forbidden[n] = k
        n += bad
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def tally(
    darts: Darts,
    n: int,
    todo: NDArray[np.int32],
    thrown: NDArray[np.uint8],
    lucky: NDArray[np.bool_],
    suspects: NDArray[np.int32],
) -> int:
    """Count the darts thrown in each cell, mark those with one that is pending, and list the others of ``todo``."""
    cell, state = darts.cell, darts.state
    for k in range(n):
        thrown[cell[k]] += 1
        lucky[cell[k]] |= state[k] == PENDING
    count = 0
    for a in range(len(todo)):
        suspects[count] = todo[a]
        count += int(not lucky[todo[a]])
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def strangers(
    suspects: NDArray[np.int32],
    width: int,
    barren: NDArray[np.bool_],
    known: NDArray[np.bool_],
    found: NDArray[np.int32],
) -> int:
    """List, once each, the cells next to a barren one that are not known yet; return how many they are.

    All ``suspects`` have been asked about already: they are noted as ``known``, and so is what is listed.
    """
    for a in range(len(suspects)):
        known[suspects[a]] = True
    count = 0
    for a in range(len(suspects)):
        c = int64(suspects[a])
        if not barren[c]:
            continue
        for row in range(c - width, c + 2 * width, width):
            for o in range(row - 1, row + 2):
                if not known[o]:
                    known[o] = True
                    found[count] = o
                    count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def close_inner(suspects: NDArray[np.int32], width: int, barren: NDArray[np.bool_], live: NDArray[np.uint64]) -> None:
    """Close the cells that are barren and whose eight neighbours are."""
    for a in range(len(suspects)):
        c = int64(suspects[a])
        inner = True
        for row in range(c - width, c + 2 * width, width):
            inner &= barren[row - 1] & barren[row] & barren[row + 1]
        if inner:
            live[c] = 0
