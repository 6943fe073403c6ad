"""What stands where: the result of a scatter, as a struct of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.scatter.species import Species


@dataclass(frozen=True, slots=True)
class Placements:
    """Instances of species, n of them, one array an attribute.

    Attributes
    ----------
    species_table : tuple of Species
        What ``species`` points into.
    id : ndarray of uint64, shape (n,)
        Stable identity: a function of seed, layer and place.
    species : ndarray of uint16, shape (n,)
        Index into ``species_table``.
    xyz : ndarray of float64, shape (n, 3)
        Foot of each instance in metres; right-handed, z up.
    rotation : ndarray of float32, shape (n, 4)
        Unit quaternions, in the order x, y, z, w.
    scale : ndarray of float32, shape (n,)
        Size factor of each instance, above 0.
    radius : ndarray of float32, shape (n,)
        Spacing radius that the instance was placed with, in metres.
    """

    species_table: tuple[Species, ...]
    id: NDArray[np.uint64]
    species: NDArray[np.uint16]
    xyz: NDArray[np.float64]
    rotation: NDArray[np.float32]
    scale: NDArray[np.float32]
    radius: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.id)

    def of(self, species: int) -> Placements:
        """Return the instances of one species, by its index in the table; the table stays whole."""
        return self.take(self.species == species)

    def take(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Placements:
        """Return some of the instances, chosen by a mask or by indices."""
        return Placements(
            self.species_table,
            self.id[which],
            self.species[which],
            self.xyz[which],
            self.rotation[which],
            self.scale[which],
            self.radius[which],
        )

    @classmethod
    def concat(cls, parts: Sequence[Placements]) -> Placements:
        """Join placements into one; equal species share one entry of the table."""
        table: dict[Species, int] = {}
        renumbered = []
        for part in parts:
            place = np.array([table.setdefault(s, len(table)) for s in part.species_table], np.uint16)
            renumbered.append(place[part.species] if len(part) else part.species)

        def join(arrays: list[NDArray[Any]], empty: NDArray[Any]) -> NDArray[Any]:
            return np.concatenate(arrays) if arrays else empty

        return cls(
            tuple(table),
            join([p.id for p in parts], np.empty(0, np.uint64)),
            join(renumbered, np.empty(0, np.uint16)),
            join([p.xyz for p in parts], np.empty((0, 3))),
            join([p.rotation for p in parts], np.empty((0, 4), np.float32)),
            join([p.scale for p in parts], np.empty(0, np.float32)),
            join([p.radius for p in parts], np.empty(0, np.float32)),
        )
