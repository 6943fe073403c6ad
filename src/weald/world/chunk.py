"""Chunks: square parts of a world, each made alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.geometry import Bounds
from weald.scatter.placements import Placements
from weald.terrain.terrain import Terrain


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chunk:
    """One square part of a world, equal bit for bit to that part of the whole.

    Attributes
    ----------
    i, j : int
        Column and row of the chunk: it covers ``[i, i + 1) x [j, j + 1)`` sides; negative ones, too.
    bounds : Bounds
        The part that it covers, half-open.
    terrain : Terrain or None
        The ground that covers it, samples on its edges included; None where there is none.
    biomes : ndarray of int or None
        Code of the biome at each sample of the ground, shape of ``heights``; None if the world has no biomes.
    layers : dict of Placements
        What stands in it, by layer.
    stale : tuple of str
        A line for each edit of this part that does not apply any more.
    """

    i: int
    j: int
    bounds: Bounds
    terrain: Terrain | None
    biomes: NDArray[Any] | None
    layers: dict[str, Placements]
    stale: tuple[str, ...] = ()

    @property
    def heights(self) -> NDArray[np.float64]:
        """Heights of the ground in metres, shape (ny, nx), row 0 the southernmost; NaN on voids."""
        return np.empty((0, 0)) if self.terrain is None else self.terrain.heights

    @property
    def placements(self) -> Placements:
        """What stands in it, layer after layer."""
        return Placements.concat(list(self.layers.values()))

    def __eq__(self, other: object) -> bool:
        """Return whether two chunks have the same content, bit for bit."""
        if not isinstance(other, Chunk):
            return NotImplemented
        return (
            (self.i, self.j, self.bounds, self.stale) == (other.i, other.j, other.bounds, other.stale)
            and self._place == other._place
            and np.array_equal(self.heights, other.heights, equal_nan=True)
            and (self.biomes is None) == (other.biomes is None)
            and (self.biomes is None or np.array_equal(self.biomes, other.biomes))  # type: ignore[arg-type]
            and self.layers == other.layers
        )

    @property
    def _place(self) -> object:
        return None if self.terrain is None else (self.terrain.grid, self.terrain.crs)

    def __hash__(self) -> int:
        return hash((self.i, self.j, self.bounds))

    def __repr__(self) -> str:
        count = sum(len(placed) for placed in self.layers.values())
        ny, nx = self.heights.shape
        return f"Chunk({self.i}, {self.j}: {nx} x {ny} heights, {count} instances)"
