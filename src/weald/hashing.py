"""Stateless randomness: every random number in weald is a hash of what it is for.

There is no generator and no order of drawing. A seed is any integer or string; it becomes a
64-bit key, further keys are derived from it by name, and numbers come from mixing a key with
a place. All of it is integer arithmetic, so it is the same on every machine and device.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any, TypeAlias

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

import weald.jit  # noqa: F401 - before any kernel is decorated
from weald.errors import InputError

Seed: TypeAlias = int | str

GOLDEN = 0x9E3779B97F4A7C15
"""2**64 / golden ratio, odd: steps of a Weyl sequence."""
_MASK = (1 << 64) - 1


def key(seed: Seed, *purpose: int | str) -> int:
    """Return the 64-bit key of a seed, or of a purpose under that seed.

    Parameters
    ----------
    seed
        Any integer, of any size and sign, or any string.
    purpose
        Names or numbers that say what the key is for. Different purposes give unrelated keys,
        so nothing is ever seeded with ``seed + 1``.

    Returns
    -------
    int
        In ``[0, 2**64)``, the same in every process and on every machine.

    Raises
    ------
    InputError
        If the seed is neither an integer nor a string.

    Examples
    --------
    >>> key(42) == key(42), key(42) == key("42"), key("oak", "yaw") == key("oak", "scale")
    (True, False, False)
    """
    digest = hashlib.blake2b(digest_size=8, person=b"weald")
    for part in (seed, *purpose):
        if isinstance(part, str):
            text = "s" + part
        elif isinstance(part, (int, np.integer)) and not isinstance(part, bool):
            text = f"i{int(part)}"
        else:
            raise InputError(f"seed: got {part!r}; give an integer or a string")
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return int.from_bytes(digest.digest(), "little")


def draw_seed() -> int:
    """Return a fresh seed for callers that passed ``seed=None``; report it, so that it can be reused."""
    return secrets.randbits(63)


@njit("uint64(uint64)", cache=True, inline="always")
def mix(z: Any) -> Any:
    """Mix 64 bits so that each input bit flips every output bit about half of the time.

    A bijection. The finaliser of SplitMix64 (Steele, Lea and Flood, 2014; constants by David Stafford).
    """
    z = uint64(z)
    z = uint64((z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9))
    z = uint64((z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB))
    return uint64(z ^ (z >> uint64(31)))


def mix_array(values: NDArray[np.uint64], key: int) -> NDArray[np.uint64]:
    """Mix each of ``values`` with a key: ``mix(value ^ key)``, for arrays of any shape.

    >>> ids = np.arange(3, dtype=np.uint64)
    >>> len(set(mix_array(ids, key(1)).tolist()))
    3
    """
    z = np.asarray(values, np.uint64) ^ np.uint64(key & _MASK)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def unit(ids: NDArray[np.uint64], seed: Seed, purpose: str) -> NDArray[np.float64]:
    """Return one number in ``[0, 1)`` an id, for one purpose.

    Attributes of instances come from here: the number depends on the id and on the purpose
    alone, so changing one attribute's rule never reshuffles another.

    >>> ids = np.array([7, 8], np.uint64)
    >>> bool((unit(ids, 1, "yaw") == unit(ids[::-1], 1, "yaw")[::-1]).all())
    True
    """
    bits = mix_array(ids, key(seed, purpose)) >> np.uint64(11)
    return bits.astype(np.float64) * 2.0**-53
