"""The result of a sampler: points, their radii, their identities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.hashing import Seed


@dataclass(frozen=True, slots=True, eq=False)
class PointSet:
    """Points of the plane. ``numpy.asarray(points)`` gives their coordinates.

    Attributes
    ----------
    xy : ndarray of float64, shape (n, 2)
        Coordinates in metres, in the order of the world: independent of the window asked for.
    radius : ndarray of float64, shape (n,)
        Spacing radius of each point: no other point lies nearer than the larger of two radii.
    id : ndarray of uint64, shape (n,)
        Stable identity of each point, unique within a seed.
    seed : int or str
        What the points were drawn from; worth noting where it was drawn for you.
    """

    xy: NDArray[np.float64] = field(repr=False)
    radius: NDArray[np.float64] = field(repr=False)
    id: NDArray[np.uint64] = field(repr=False)
    seed: Seed

    def __len__(self) -> int:
        return len(self.xy)

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        return iter(self.xy)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != self.xy.dtype:
            raise ValueError(f"a PointSet holds float64; asking for {np.dtype(dtype)} needs a copy")
        return np.array(self.xy, dtype=dtype, copy=True) if copy else np.asarray(self.xy, dtype=dtype)

    def progressive(self) -> PointSet:
        """Return the same points in an order in which every beginning is well spread.

        For budgets and levels of detail: the first k points cover the ground evenly, for any k. See
        `weald.sampling.progressive.progressive_order` for what is guaranteed.
        """
        from weald.sampling.progressive import progressive_order

        order = progressive_order(self.xy, ids=self.id)
        return PointSet(self.xy[order], self.radius[order], self.id[order], self.seed)

    def __repr__(self) -> str:
        return f"PointSet({len(self)} points, seed={self.seed!r})"


@dataclass(frozen=True, slots=True, eq=False)
class SpacePoints:
    """Points of space. ``numpy.asarray(points)`` gives their coordinates.

    Attributes
    ----------
    xyz : ndarray of float64, shape (n, 3)
        Coordinates in metres.
    radius : ndarray of float64, shape (n,)
        Spacing radius of each point.
    id : ndarray of uint64, shape (n,)
        Stable identity of each point.
    seed : int or str
        What the points were drawn from; worth noting where it was drawn for you.
    """

    xyz: NDArray[np.float64] = field(repr=False)
    radius: NDArray[np.float64] = field(repr=False)
    id: NDArray[np.uint64] = field(repr=False)
    seed: Seed

    def __len__(self) -> int:
        return len(self.xyz)

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        return iter(self.xyz)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != self.xyz.dtype:
            raise ValueError(f"SpacePoints hold float64; asking for {np.dtype(dtype)} needs a copy")
        return np.array(self.xyz, dtype=dtype, copy=True) if copy else np.asarray(self.xyz, dtype=dtype)

    def __repr__(self) -> str:
        return f"SpacePoints({len(self)} points, seed={self.seed!r})"
