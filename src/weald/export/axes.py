"""Axes: the one place where weald's directions become those of another program.

weald is right-handed with z up and counts metres. A target is one entry below: which of weald's axes,
with which sign, its own x, y and z are. Everything else follows from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Triple: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Axes:
    """Directions of a target, in terms of weald's.

    Parameters
    ----------
    source
        For the target's x, y and z: the index of the weald axis that it runs along.
    sign
        For the target's x, y and z: 1 if it runs the same way, -1 if the other way.

    Examples
    --------
    East, north and up, as glTF has them (x to the right, y up, z towards the viewer):

    >>> GLTF.vectors(np.eye(3)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
    """

    source: Triple
    sign: Triple

    @property
    def mirrored(self) -> bool:
        """Whether the target is left-handed: then turns and windings change their sense."""
        parity = np.linalg.det(np.eye(3)[list(self.source)]) * np.prod(self.sign)
        return bool(parity < 0)

    def vectors(self, xyz: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return positions, normals or sizes with signs, shape (n, 3), in the target's axes.

        The result is float32, so subtract the origin first: 5,150,000 m north has steps of half a metre.
        """
        return self._reorder(xyz, np.array(self.sign))

    def quaternions(self, xyzw: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return rotations in the target's axes: (n, 4), in the order x, y, z, w.

        The axis of a turn is a vector, but in a mirror the turn runs the other way.

        >>> GLTF.quaternions(np.array([[0, 0, 0.6, 0.8]])).round(1)
        array([[0. , 0.6, 0. , 0.8]], dtype=float32)
        """
        out = np.empty((len(xyzw), 4), np.float32)
        out[:, :3] = self._reorder(xyzw, np.array(self.sign) * (-1 if self.mirrored else 1))
        out[:, 3] = xyzw[:, 3]
        return out

    def matrices(self, matrices: NDArray[np.floating]) -> NDArray[np.float32]:
        """Return row-major matrices, (n, 4, 4) or (n, 3, 4), that do in the target's axes what these do in weald's.

        They go with meshes whose corners are in the target's axes, too.

        >>> GLTF.matrices(np.array([[[0, -1, 0, 2], [1, 0, 0, 3], [0, 0, 1, 5.0]]]))[0].tolist()
        [[0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 0.0, 5.0], [-1.0, 0.0, 0.0, -3.0]]
        """
        source, sign = [*self.source, 3], np.array([*self.sign, 1])
        rows, given = matrices.shape[1], np.asarray(matrices)
        turned = given[:, source[:rows]][:, :, source] * (sign[:rows, None] * sign)
        out: NDArray[np.float32] = turned.astype(np.float32) + np.float32(0)
        return out

    def triangles(self, corners: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return triangles, shape (m, 3), that still face outwards, counter-clockwise."""
        return corners[:, ::-1] if self.mirrored else corners

    def _reorder(self, columns: NDArray[np.floating], sign: NDArray[np.int_]) -> NDArray[np.float32]:
        out = np.empty((len(columns), 3), np.float32)
        for k, axis in enumerate(self.source):
            np.multiply(columns[:, axis], sign[k], out=out[:, k], casting="same_kind")
        out += 0  # no minus zeros: equal places are equal bytes
        return out


GLTF = Axes(source=(0, 2, 1), sign=(1, 1, -1))
"""glTF 2.0: right-handed, y up, metres: (x, y, z) -> (x, z, -y)."""
