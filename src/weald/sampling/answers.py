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
    for a in range(len(which)):
        k = which[a]
        j = darts.cell[k] // frame.width
        i = darts.cell[k] - j * frame.width
        across = int64(in_world(i, frame.i0, frame.period_i)) * frame.cell_x + dart_x(darts.bits[k])
        up = int64(in_world(j, frame.j0, frame.period_j)) * frame.cell_y + dart_y(darts.bits[k])
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
