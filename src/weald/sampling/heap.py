"""A heap of numbered items whose values only ever fall: the largest is always at hand.

An item that falls is left where it is, with the value that it had; only when it comes to the top
is it put right. So a fall costs nothing, and no item needs to know its place. Of equal values the
lower number comes first.
"""

from __future__ import annotations

from numba import njit

from weald.sampling.cells import Array, Index


@njit(cache=True, nogil=True, error_model="numpy")
def sift(heap: Index, stored: Array, at: int, size: int) -> None:  # pragma: no cover - compiled
    """Let the item at a place sink to where it belongs."""
    item, value = heap[at], stored[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (
            stored[other] > stored[child] or (stored[other] == stored[child] and heap[other] < heap[child])
        ):
            child = other
        if value > stored[child] or (value == stored[child] and item < heap[child]):
            break
        heap[at], stored[at] = heap[child], stored[child]
        at = child
    heap[at], stored[at] = item, value


@njit(cache=True, nogil=True, error_model="numpy")
def build(value: Array, heap: Index, stored: Array) -> None:  # pragma: no cover - compiled
    """Arrange all items by their values."""
    size = len(value)
    for k in range(size):
        heap[k], stored[k] = k, value[k]
    for at in range(size // 2 - 1, -1, -1):
        sift(heap, stored, at, size)


@njit(cache=True, nogil=True, error_model="numpy")
def settle_top(value: Array, heap: Index, stored: Array, size: int) -> int:  # pragma: no cover - compiled
    """Return the item of the largest value, which is left at the top."""
    while stored[0] != value[heap[0]]:
        stored[0] = value[heap[0]]
        sift(heap, stored, 0, size)
    return int(heap[0])


@njit(cache=True, nogil=True, error_model="numpy")
def drop_top(heap: Index, stored: Array, size: int) -> int:  # pragma: no cover - compiled
    """Remove the item at the top; return how many are left."""
    heap[0], stored[0] = heap[size - 1], stored[size - 1]
    if size > 1:
        sift(heap, stored, 0, size - 1)
    return size - 1
