"""A cache of what was computed for tiles of the plane: the latest ones, up to a number of bytes.

A tile is a function of its own place, so whether it is still cached changes how long an answer takes and
nothing else.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Tile = TypeVar("Tile")


class TileCache(Generic[Tile]):
    """The tiles used last, by key, up to a number of bytes in all; several threads may ask at once.

    Parameters
    ----------
    most_bytes
        Beyond this the tiles that were not asked about for longest are given up.
    size
        Returns the bytes of a tile.

    Examples
    --------
    >>> cache = TileCache(most_bytes=8, size=len)
    >>> for place in range(3):
    ...     cache.put(place, b"1234")
    >>> cache.get(0), cache.get(2), cache.bytes
    (None, b'1234', 8)
    """

    def __init__(self, most_bytes: int, size: Callable[[Tile], int]) -> None:
        self._most, self._size = most_bytes, size
        self._tiles: OrderedDict[Hashable, Tile] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._most, self._size)  # another process computes its own tiles

    @property
    def bytes(self) -> int:
        """Bytes of the tiles in the cache."""
        return self._bytes

    def get(self, key: Hashable) -> Tile | None:
        """Return a tile, if it is in the cache."""
        with self._lock:
            tile = self._tiles.get(key)
            if tile is not None:
                self._tiles.move_to_end(key)
            return tile

    def put(self, key: Hashable, tile: Tile) -> None:
        """Add a tile, which nobody may change afterwards; the oldest make room for it."""
        with self._lock:
            if key in self._tiles:  # another thread was faster
                return
            self._tiles[key] = tile
            self._bytes += self._size(tile)
            while self._bytes > self._most and len(self._tiles) > 1:
                _, oldest = self._tiles.popitem(last=False)
                self._bytes -= self._size(oldest)
