"""Octave: where one lattice of noise lies in the world, and its noise at places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald.hashing import Seed, key
from weald.noise.basis import Basis
from weald.noise.lattice import NO_PERIOD
from weald.noise.simplex import unskewed

Period = tuple[float | None, ...]
"""In metres, one an axis; None where there is none."""


class Octave(NamedTuple):
    """One lattice of a noise.

    Attributes
    ----------
    key : uint64
        Key of the lattice, unrelated to that of any other octave, seed or basis.
    frequency : float
        Cells a metre.
    shift : tuple of float
        Where the origin lies in the lattice, in cells.
    period : tuple of float or None
        In metres, one an axis.
    wraps : ndarray of int64
        The periods in cells; `NO_PERIOD` where there is none.
    """

    key: np.uint64
    frequency: float
    shift: tuple[float, ...]
    period: Period
    wraps: NDArray[np.int64]


def octave(basis: Basis, seed: Seed, number: int, frequency: float, period: Period) -> Octave:
    """Derive one octave of a noise from the seed, by hash.

    Every lattice, the first too, is shifted by a hashed amount, uniform over a cell: gradient noise is
    zero at the corners of its lattice, and those of octaves would meet at the origin. Uniform, because
    then no place of the world is nearer the middle of cells than another: over seeds, noise has one
    distribution everywhere. A skewed lattice is shifted in its own coordinates, over its own cell.

    Periods must be a whole number of cells, to rounding: `cells` says how many.
    """
    shift = tuple(shift_of(seed, basis.purpose, number, axis) for axis in "xyzw"[: basis.dimensions])
    wraps = [NO_PERIOD if length is None else round(cells(length, frequency)) for length in period]
    return Octave(
        np.uint64(key(seed, basis.purpose, number)),
        frequency,
        unskewed(shift) if basis.skewed else shift,
        period,
        np.array(wraps, np.int64),
    )


def shift_of(seed: Seed, purpose: str, number: int, axis: str) -> float:
    """Return how far the lattice of an octave is shifted along an axis, in cells: uniform in [0, 1) over seeds."""
    return (key(seed, purpose, number, axis) >> 11) * 2.0**-53


def cells(length: float, frequency: float) -> float:
    """Return how many cells a length holds."""
    return length * frequency


def evaluate(basis: Basis, at: Octave, axes: Sequence[NDArray[np.float64]], *, slopes: bool) -> NDArray[np.float64]:
    """Return the noise of one octave at places.

    Parameters
    ----------
    axes
        One array an axis, that broadcast: points, or the columns, rows and height of a block.
    slopes
        Whether to return derivatives too.

    Returns
    -------
    ndarray of float64
        Of shape (1, ...) for values, (1 + dimensions, ...) with the derivatives per metre below.
    """
    placed = [_located(at, number, axis) for number, axis in enumerate(axes)]
    shape = np.broadcast_shapes(*(axis.shape for axis in placed))
    if basis.mesh is not None and len(shape) == 2 and not slopes and (at.wraps == NO_PERIOD).all():
        block = np.empty((1, *shape))
        basis.mesh(at.key, [np.ascontiguousarray(axis).reshape(-1) for axis in placed], block[0])
        return block
    flat = np.stack([np.broadcast_to(axis, shape).reshape(-1) for axis in placed])
    out = np.empty((1 + slopes * basis.dimensions, flat.shape[1]))
    basis.fill(at.key, flat, at.wraps, out)
    if slopes:
        out[1:] *= np.array([_scale(at, number) for number in range(basis.dimensions)])[:, None]
    return out.reshape(-1, *shape)


def _scale(at: Octave, number: int) -> float:
    """Return cells a metre along an axis: with a period, so many that it is whole exactly."""
    length = at.period[number]
    return at.frequency if length is None else int(at.wraps[number]) / length


def _located(at: Octave, number: int, axis: NDArray[np.float64]) -> NDArray[np.float64]:
    length = at.period[number]
    # a remainder is exact: what lies a period away, if float64 can hold that, gives the same bits
    reduced = axis if length is None else np.remainder(axis, length)
    located: NDArray[np.float64] = reduced * _scale(at, number) + at.shift[number]
    return located
