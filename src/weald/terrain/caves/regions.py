"""Regions: is a cave one cave? A report on a bounded area."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import array_of, flag_of
from weald.errors import InputError
from weald.numbers import metres
from weald.terrain.caves.labels import label


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The connected regions of the open cells of a mask.

    Attributes
    ----------
    labels : ndarray of int32, shape (ny, nx) or (nz, ny, nx)
        0 for rock, else the number of the region, from 1, in the order of their first cells.
    cells : ndarray of int64, shape (n,)
        Cells of each region.
    spacing : float
        Side of a cell, in metres.

    Examples
    --------
    >>> found = regions([[1, 1, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0]], spacing=2.0)
    >>> found.labels.tolist()
    [[1, 1, 0, 2], [0, 0, 0, 2], [3, 0, 0, 0]]
    >>> found.cells.tolist(), found.sizes.tolist(), found.largest_share
    ([2, 2, 1], [8.0, 8.0, 4.0], 0.4)
    >>> print(found)
    3 regions; the largest has 40 % of 20 m²
    """

    labels: NDArray[np.int32]
    cells: NDArray[np.int64]
    spacing: float

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def sizes(self) -> NDArray[np.float64]:
        """Area of each region in square metres, in space volume in cubic metres, shape (n,)."""
        return self.cells.astype(np.float64) * math.prod([self.spacing] * self.labels.ndim)

    @property
    def largest_share(self) -> float:
        """Share of the open cells that the largest region has: 1 if all hang together; 0 if none is open."""
        return float(self.cells.max() / self.cells.sum()) if len(self.cells) else 0.0

    @property
    def connected(self) -> bool:
        """Whether there is at most one region."""
        return len(self.cells) <= 1

    def __repr__(self) -> str:
        return f"Regions({self})"

    def __str__(self) -> str:
        if not len(self):
            return "no region: nothing is open"
        unit = "m²" if self.labels.ndim == 2 else "m³"
        words = "1 region" if len(self) == 1 else f"{len(self)} regions"
        return f"{words}; the largest has {100 * self.largest_share:.3g} % of {self.sizes.sum():,.6g} {unit}"


def regions(mask: ArrayLike, *, spacing: float = 1.0, diagonal: bool = False) -> Regions:
    """Return the regions of open cells: caves are not connected by themselves.

    Parameters
    ----------
    mask : array_like of bool, shape (ny, nx) or (nz, ny, nx)
        Open where true.
    spacing
        Side of a cell, in metres.
    diagonal
        Whether cells that touch at a corner, or in space at an edge, hang together; else only those that
        share a side.

    Notes
    -----
    This is a report on the area given. A region that leaves the area may come back, so numbers and
    sizes depend on the window, unlike anything that weald generates.
    """
    cells = as_cells(mask)
    side = metres("spacing", spacing)
    diagonal = flag_of("diagonal", diagonal)
    labels = np.empty(cells.shape, np.int32)
    count = label(cells, diagonal, labels)
    labels = labels.reshape(np.shape(mask))
    return Regions(labels, np.bincount(labels.reshape(-1), minlength=count + 1)[1:], side)


def as_cells(mask: ArrayLike) -> NDArray[np.uint8]:
    """Return a mask as a copy of zeros and ones, of shape (nz, ny, nx): one layer for the plane."""
    array = array_of("mask", mask)
    if array.ndim not in (2, 3) or not array.size or array.size >= 2**31:
        raise InputError(f"mask: got shape {array.shape}; give (ny, nx) or (nz, ny, nx), fewer than 2**31 cells")
    if array.dtype.kind not in "biu":
        raise InputError(f"mask: got values of type {array.dtype}; give bool, true where it is open")
    cells = np.ascontiguousarray(array != 0).astype(np.uint8)
    return cells if cells.ndim == 3 else cells[None]
