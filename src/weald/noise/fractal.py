"""Fractal sums: octaves of a noise, each finer and weaker than the one before.

Fractional Brownian motion (fBm) in the sense of Musgrave, in "Texturing and Modeling: A Procedural
Approach". `fbm2_points` and `fbm2_grid` are two ways through the same arithmetic, and give the same
bits in float64.

**Single precision.** Into an array of float32, `fbm2_grid` does the work of a place in float32: with
the four numbers of the lattice lines of its column, which are found in float64 and rounded, and the
two of its row. Coordinates are never rounded, only what is found inside a cell. So values depend on
the place alone, as those of float64 do, and differ from those by a few roundings of numbers below 1.5.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from weald.hashing import Seed, key
from weald.noise.lattice import fade, lattice, step
from weald.noise.octave import shift_of
from weald.noise.perlin import NORMALISE, between, lattice_line, perlin2_cell

_RUN = 1024
"""Places, or columns, that are held at a time; the first two cache levels hold so many."""

Real: TypeAlias = NDArray[np.floating[Any]]
"""An array of float64 or float32."""


class Octaves(NamedTuple):
    """What tells the octaves of a sum apart: arrays of shape (octaves,).

    Attributes
    ----------
    keys : ndarray of uint64
        Key of each octave's lattice, unrelated to the others.
    shift_x, shift_y : ndarray of float64
        Where the origin lies in each lattice, in cells.
    frequencies : ndarray of float64
        Cells a metre.
    amplitudes : ndarray of float64
        Factors that bring the sum into [-1, 1].
    """

    keys: NDArray[np.uint64]
    shift_x: NDArray[np.float64]
    shift_y: NDArray[np.float64]
    frequencies: NDArray[np.float64]
    amplitudes: NDArray[np.float64]


def perlin_octaves(seed: Seed, frequency: float, count: int, gain: float, lacunarity: float) -> Octaves:
    """Derive the octaves of an fBm of Perlin noise.

    Each octave has its own lattice, by hash. Gradient noise is zero at every corner of its lattice,
    and with a whole lacunarity each lattice would contain the corners of the one before, all the way
    down to the origin. So each lattice, the first too, is shifted as `weald.noise.octave.octave` says:
    zeros do not pile up, and noise of frequency 1 is not zero at whole metres.

    >>> octaves = perlin_octaves(7, frequency=0.5, count=3, gain=0.5, lacunarity=2.0)
    >>> octaves.frequencies.tolist()
    [0.5, 1.0, 2.0]
    >>> (octaves.amplitudes / octaves.amplitudes[0]).tolist()
    [1.0, 0.5, 0.25]
    """
    # products, not powers: pow may differ in its last bit between machines
    frequencies, amplitudes = [float(frequency)], [1.0]
    for _ in range(count - 1):
        frequencies.append(frequencies[-1] * lacunarity)
        amplitudes.append(amplitudes[-1] * gain)
    total = 0.0
    for amplitude in amplitudes:
        total += amplitude

    def shifts(axis: str) -> NDArray[np.float64]:
        return np.array([shift_of(seed, "perlin", octave, axis) for octave in range(count)])

    return Octaves(
        np.array([key(seed, "perlin", octave) for octave in range(count)], np.uint64),
        shifts("x"),
        shifts("y"),
        np.array(frequencies),
        np.array([amplitude / total * NORMALISE for amplitude in amplitudes]),
    )


@njit(nogil=True, cache=True)
def fbm2_points(
    x: NDArray[np.float64], y: NDArray[np.float64], octaves: Octaves, out: NDArray[np.float64]
) -> None:  # pragma: no cover - compiled
    """Fill ``out`` with the fBm at places ``(x[i], y[i])``; all three are contiguous, of shape (n,)."""
    cell_x, cell_y = np.empty(_RUN, np.int64), np.empty(_RUN, np.int64)
    fx, fy = np.empty(_RUN), np.empty(_RUN)
    for start in range(0, x.size, _RUN):
        run_x, run_y, run_out = x[start : start + _RUN], y[start : start + _RUN], out[start : start + _RUN]
        run_out[:] = 0.0
        for k in range(octaves.keys.size):
            key, frequency, amplitude = octaves.keys[k], octaves.frequencies[k], octaves.amplitudes[k]
            shift_x, shift_y = octaves.shift_x[k], octaves.shift_y[k]
            # two loops, because the compiler runs several places at a time in each, but not in the two as one
            for i in range(run_out.size):
                cell_x[i], fx[i] = lattice(run_x[i] * frequency + shift_x)
                cell_y[i], fy[i] = lattice(run_y[i] * frequency + shift_y)
            for i in range(run_out.size):
                run_out[i] += amplitude * perlin2_cell(key, cell_x[i], cell_y[i], fx[i], fy[i])


@njit(nogil=True, cache=True)
def fbm2_grid(
    x: NDArray[np.float64], y: NDArray[np.float64], octaves: Octaves, out: Real
) -> None:  # pragma: no cover - compiled
    """Fill ``out``, of shape (ny, nx), with the fBm at every pair of columns ``x`` and rows ``y``.

    Gradients are hashed once a lattice row and column, not once a place; in between, each place
    costs seven operations an octave, which the compiler runs several places at a time. All arrays are
    contiguous; ``out`` is of float64 or of float32, and so is the work of each place.
    """
    # numbers in the type of `out`, the zero too: a literal is float64, and would make all of the work so
    real: Any = out.dtype.type
    zero = real(0.0)
    most = min(_RUN, x.size)
    cell, fx, u = np.empty(most, np.int64), np.empty(most), np.empty(most)
    a0, b0 = np.empty(most, out.dtype), np.empty(most, out.dtype)
    a1, b1 = np.empty(most, out.dtype), np.empty(most, out.dtype)
    for start in range(0, x.size, _RUN):
        run_x = x[start : start + _RUN]
        columns = run_x.size
        for k in range(octaves.keys.size):
            first = k == 0
            key, frequency, amplitude = octaves.keys[k], octaves.frequencies[k], real(octaves.amplitudes[k])
            shift_x, shift_y = octaves.shift_x[k], octaves.shift_y[k]
            for i in range(columns):
                cell[i], fx[i] = lattice(run_x[i] * frequency + shift_x)
                u[i] = fade(fx[i])
            held = np.int64(0)
            for j in range(y.size):
                cell_y, fy = lattice(y[j] * frequency + shift_y)
                if j == 0 or cell_y != held:
                    # a new line moves the one above down; where this row of cells is not the next, there are two
                    for side in range(1 if j > 0 and cell_y == held + 1 else 0, 2):
                        row = step(key, cell_y + side)
                        for i in range(columns):
                            a0[i], b0[i] = a1[i], b1[i]
                            a1[i], b1[i] = lattice_line(row, cell[i], fx[i], u[i])
                    held = cell_y
                up, down, v = real(fy), real(fy - 1.0), real(fade(fy))
                run_out = out[j, start : start + _RUN]
                for i in range(columns):
                    noise = amplitude * between(a0[i], b0[i], a1[i], b1[i], up, down, v)
                    run_out[i] = (zero if first else run_out[i]) + noise
