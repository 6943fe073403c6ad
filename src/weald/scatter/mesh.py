"""What a species looks like: triangles with normals and colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles with normals and colours. Right-handed, z up, metres; the foot is at the origin.

    Attributes
    ----------
    positions : ndarray of float32, shape (n, 3)
        What lies below z = 0 is rooted in the ground, so that no gap shows on a slope.
    normals : ndarray of float32, shape (n, 3)
        Unit vectors, outwards.
    colors : ndarray of uint8, shape (n, 4)
        sRGB and alpha, like ``Species.color``: not linear light.
    triangles : ndarray of uint32, shape (m, 3)
        Corners, counter-clockwise seen from outside.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    colors: NDArray[np.uint8]
    triangles: NDArray[np.uint32]
