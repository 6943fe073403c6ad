"""A stream of random numbers for methods that are sequential: number n is a hash of a key and n.

The textbook methods draw one number after another, so they need a generator. This one is a
counter: its whole state is one 64-bit number that belongs to one call, so nothing is global.
SplitMix64 (Steele, Lea and Flood, 2014).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix

Stream: TypeAlias = NDArray[np.uint64]
"""Shape (1,): the key plus GOLDEN for every number drawn."""


def stream(key: int) -> Stream:
    """Return the stream of a key, at its beginning.

    >>> units(stream(7), 3).tolist() == [*units(same := stream(7), 1), *units(same, 2)]
    True
    """
    return np.array([key], np.uint64)


@njit(cache=True, nogil=True)
def next_bits(state: Any) -> Any:
    """Return the next 64 random bits."""
    state[0] = uint64(state[0] + uint64(GOLDEN))
    return mix(state[0])


@njit(cache=True, nogil=True)
def next_unit(state: Any) -> Any:
    """Return the next number, uniform in [0, 1)."""
    return (next_bits(state) >> uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True)
def next_below(state: Any, n: int) -> int:
    """Return the next whole number, uniform in [0, n), for n up to 2**32."""
    return int(((next_bits(state) >> uint64(32)) * uint64(n)) >> uint64(32))


@njit(cache=True, nogil=True)
def _fill(state: Any, out: Any) -> None:
    for k in range(out.size):
        out[k] = next_unit(state)


def units(state: Stream, n: int) -> NDArray[np.float64]:
    """Return the next n numbers, uniform in [0, 1), shape (n,)."""
    out = np.empty(n)
    _fill(state, out)
    return out
