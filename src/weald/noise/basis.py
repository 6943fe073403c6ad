"""Basis: what a kind of noise is to the fractals built on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Fill = Callable[[np.uint64, NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]], None]
Mesh = Callable[[np.uint64, Sequence[NDArray[np.float64]], NDArray[np.float64]], None]


@dataclass(frozen=True, slots=True)
class Basis:
    """One kind of noise in so many dimensions.

    Attributes
    ----------
    purpose
        What its keys are derived for; no two bases share one.
    dimensions
        2, 3 or 4.
    fill
        Takes a key, places in cells of shape (dimensions, n), the period in cells along each axis, and
        an array to fill: with values if it has one row, with derivatives below them if it has more.
    low, high
        What values never exceed; 0 lies between.
    steepest
        What no derivative along an axis exceeds, per cell.
    mesh
        A faster way to the same bits over a level grid, without a period; or None. It takes a key, the axes
        in cells (columns, rows, and one number for each further axis) and an array of shape (ny, nx).
    sloped
        Whether it has derivatives.
    skewed
        Whether its lattice is skewed, so that it cannot have a period.
    """

    purpose: str
    dimensions: int
    fill: Fill
    low: float
    high: float
    steepest: float
    mesh: Mesh | None = None
    sloped: bool = True
    skewed: bool = False
