"""What was worked out for tiles of the plane, kept while there is room: what was asked about last.

A tile is a function of its own place, so whether it is still kept changes how long an answer takes and
nothing else.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Tile = TypeVar("Tile")


class Kept(Generic[Tile]):
    """Tiles by key, up to a number of bytes in all; several threads may ask at once.

    Parameters
    ----------
    most_bytes
        Beyond this the tiles that were not asked about for longest are given up.
    size
        Returns the bytes of a tile.

    Examples
    --------
    >>> kept = Kept(most_bytes=8, size=len)
    >>> for place in range(3):
    ...     kept.put(place, b"1234")
    >>> kept.get(0), kept.get(2), kept.bytes
    (None, b'1234', 8)
    """

    def __init__(self, most_bytes: int, size: Callable[[Tile], int]) -> None:
        self._most, self._size = most_bytes, size
        self._tiles: OrderedDict[Hashable, Tile] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._most, self._size)  # another process works its own tiles out

    @property
    def bytes(self) -> int:
        """Bytes of the tiles that are kept."""
        return self._bytes

    def get(self, key: Hashable) -> Tile | None:
        """Return a tile, if it is kept."""
        with self._lock:
            tile = self._tiles.get(key)
            if tile is not None:
                self._tiles.move_to_end(key)
            return tile

    def put(self, key: Hashable, tile: Tile) -> None:
        """Keep a tile, which nobody may change afterwards; others make room for it."""
        with self._lock:
            if key in self._tiles:  # another thread was faster
                return
            self._tiles[key] = tile
            self._bytes += self._size(tile)
            while self._bytes > self._most and len(self._tiles) > 1:
                _, oldest = self._tiles.popitem(last=False)
                self._bytes -= self._size(oldest)
