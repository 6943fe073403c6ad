"""Grids as flat arrays in a ring of samples without ground, so that no kernel asks where the grid ends.

The *place* of a sample is its index in the flat array; places grow eastwards, then northwards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Flat = NDArray[Any]


def ringed(values: NDArray[Any], fill: float) -> Flat:
    """Return values of shape (ny, nx) as a flat array of (ny + 2) * (nx + 2), the ring filled."""
    flat: Flat = np.pad(values, 1, constant_values=fill).ravel()
    return flat


def unringed(flat: Flat, shape: tuple[int, int]) -> NDArray[Any]:
    """Return what `ringed` was given."""
    ny, nx = shape
    return np.ascontiguousarray(flat.reshape(ny + 2, nx + 2)[1:-1, 1:-1])


def offsets(shape: tuple[int, int]) -> NDArray[np.int64]:
    """Return the way to the eight neighbours in a flat array, in the order of their places.

    The way from neighbour k back is that of neighbour ``7 - k``.
    """
    width = shape[1] + 2
    return np.array([-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1], np.int64)


LENGTHS = np.array([np.sqrt(2.0), 1.0, np.sqrt(2.0), 1.0, 1.0, np.sqrt(2.0), 1.0, np.sqrt(2.0)])
"""Distance of the neighbours, in spacings."""
