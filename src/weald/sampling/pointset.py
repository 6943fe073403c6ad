"""The result of a sampler: points, their radii, their identities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.geometry import Bounds, SpaceBounds
from weald.hashing import Seed
from weald.sampling.single import rounded_inside

Array = NDArray[np.float64]


class _Points:
    """What points of the plane and of space have in common: they behave like a sequence of places."""

    __slots__ = ()
    radius: Array
    id: NDArray[np.uint64]
    seed: Seed
    _coordinates = ""

    def _places(self) -> Array:
        places: Array = getattr(self, self._coordinates)
        return places

    def _ends(self) -> tuple[Sequence[float], Sequence[float]] | None:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._places())

    def __iter__(self) -> Iterator[Array]:
        return iter(self._places())

    @overload
    def __getitem__(self, which: int | np.integer[Any]) -> Array: ...
    @overload
    def __getitem__(self, which: slice | Sequence[int] | Sequence[bool] | NDArray[Any]) -> Self: ...
    def __getitem__(self, which: Any) -> Array | Self:
        if isinstance(which, tuple):
            raise TypeError(
                f"points take one index: a number, a slice or an array; for columns use .{self._coordinates}"
            )
        places: Array = self._places()[which]
        if places.ndim == 1:
            return places
        parts = {self._coordinates: places, "radius": self.radius[which], "id": self.id[which]}
        return replace(self, **parts)  # type: ignore[type-var]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, _Points)
        return (
            self.seed == other.seed
            and np.array_equal(self.id, other.id)
            and np.array_equal(self._places(), other._places())
            and np.array_equal(self.radius, other.radius)
        )

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        places = self._places()
        if dtype is None or np.dtype(dtype) == places.dtype:
            return places.copy() if copy else places
        if copy is False:
            raise ValueError(f"{type(self).__name__} hold float64; asking for {np.dtype(dtype)} needs a copy")
        return self.float32() if np.dtype(dtype) == np.float32 else places.astype(dtype)

    def float32(self, origin: Sequence[float] | None = None) -> NDArray[np.float32]:
        """Return the coordinates in float32, relative to an origin, still inside the bounds.

        A float32 has 24 bits: far from the origin its steps are wide (6 cm at 1,000 km), and plain rounding takes
        a point just below the upper bound onto it. Here such a point becomes the last float32 below, so that
        ``low - origin <= p < high - origin`` holds, with the bounds exact or rounded to float32 themselves.

        Rounding moves points, so in float32 two may be nearer than the radius, by about a step. Give an origin
        near the points, such as the lower corner of a chunk, and that is little.

        Parameters
        ----------
        origin
            What is subtracted, in float64, before rounding; ``None`` is nothing.

        Raises
        ------
        InputError
            If no float32 lies inside the bounds, since they are far from the origin and narrow.

        Examples
        --------
        >>> from weald import poisson_disk
        >>> points = poisson_disk((5e5, 5.15e6, 5e5 + 64, 5.15e6 + 64), 2.0, seed=1)
        >>> local = points.float32((5e5, 5.15e6))
        >>> local.dtype, bool((local >= 0).all()), bool((local < 64).all())
        (dtype('float32'), True, True)
        """
        places = self._places()
        try:
            start = np.broadcast_to(np.zeros(1) if origin is None else np.asarray(origin, np.float64), places.shape[1])
        except (TypeError, ValueError, OverflowError):
            start = np.full(1, np.nan)
        if not np.isfinite(start).all():
            raise InputError(f"origin: got {origin!r}; give {places.shape[1]} finite coordinates")
        return rounded_inside(places, start, self._ends())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} points, seed={self.seed!r})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PointSet(_Points):
    """Points of the plane. ``numpy.asarray(points)`` gives their coordinates.

    ``len(points)`` counts them, a loop goes through their coordinates, ``points[3]`` is the place of one, and
    ``points[mask]``, ``points[:10]`` or ``points[order]`` are PointSets. Two are equal (``==``) if seed, ids,
    coordinates and radii are, in the same order.

    Attributes
    ----------
    xy : ndarray of float64, shape (n, 2)
        Coordinates in metres, in the order of the world: independent of the window asked for. The first n lie in one
        corner of the map; `progressive` gives an order in which every prefix covers all of it.
    radius : ndarray of float64, shape (n,)
        Spacing radius of each point: no other point lies nearer than the larger of two radii.
    id : ndarray of uint64, shape (n,)
        Stable identity of each point, unique within a seed.
    seed : int or str
        What the points were drawn from; worth noting where it was drawn for you.
    bounds : Bounds or None
        The box that they were asked for, if known: that part of the domain that lies in the window.
    """

    xy: Array
    radius: Array
    id: NDArray[np.uint64]
    seed: Seed
    bounds: Bounds | None = field(default=None, kw_only=True)

    _coordinates = "xy"

    def _ends(self) -> tuple[Sequence[float], Sequence[float]] | None:
        box = self.bounds
        return None if box is None else ((box.xmin, box.ymin), (box.xmax, box.ymax))

    def progressive(self) -> Self:
        """Return the same points in an order in which every beginning is well spread.

        For budgets and levels of detail: the first k points cover the ground evenly, for any k. See
        `weald.sampling.progressive.progressive_order` for what is guaranteed.
        """
        from weald.sampling.progressive import progressive_order

        return self[progressive_order(self.xy, ids=self.id)]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SpacePoints(_Points):
    """Points of space. ``numpy.asarray(points)`` gives their coordinates.

    They are counted, indexed and compared like a `PointSet`.

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
    bounds : SpaceBounds or None
        The box that they were asked for, if known.
    """

    xyz: Array
    radius: Array
    id: NDArray[np.uint64]
    seed: Seed
    bounds: SpaceBounds | None = field(default=None, kw_only=True)

    _coordinates = "xyz"

    def _ends(self) -> tuple[Sequence[float], Sequence[float]] | None:
        return None if self.bounds is None else (self.bounds.low, self.bounds.high)
