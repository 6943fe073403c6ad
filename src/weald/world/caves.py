"""Caves in formulas: the functions of `weald.terrain.caves` for the plane, with the seed of a world."""

from __future__ import annotations

from weald import hashing
from weald.fields import Condition, Field
from weald.fields.formula import Function
from weald.hashing import Seed
from weald.terrain.caves import connected, pockets, smoothed, speckle


def cave_functions(seed: Seed) -> dict[str, Function]:
    """Return what formulas of a world may call to make caves, and what else lies in rock.

    >>> cave = cave_functions("deep")["speckle"]("halls", rock=0.4)
    >>> cave([0.5, 1.5, 2.5], 0.5).tolist() == cave([0, 1, 2], 0).tolist()
    True
    """

    def _speckle(name: str, *, rock: float = 0.48, cell: float = 1.0) -> Condition:
        return speckle(hashing.key(seed, "speckle", name), rock=rock, cell=cell)

    def _connected(
        cave: Condition, *, cell: float = 1.0, tile: int = 64, bore: int = 0, fill_below: int = 0
    ) -> Condition:
        doors = hashing.key(seed, "doors")
        return connected(cave, cell=cell, tile=tile, bore=bore, fill_below=fill_below, seed=doors)

    def _pockets(noise: Field, threshold: float = 0.5, *, rough: Field | None = None) -> Condition:
        return pockets(noise, threshold=threshold, rough=rough)

    return {"connected": _connected, "pockets": _pockets, "smoothed": smoothed, "speckle": _speckle}
