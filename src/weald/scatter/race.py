"""Races between species: who gets a place, by hashed arrival times.

Each species arrives at a time drawn from an exponential distribution, at the rate of its weight; the first takes
the place. So a species wins with the chance weight / sum of weights; and a change of one weight moves one arrival
only: it turns places to or from that species, and never one of the others into another.

The first of independent exponentials is the Gumbel-max trick in other words: Gumbel, "Statistical theory of extreme
values" (1954); Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006). That the arrivals are
hashes, each of one place and one name, is what makes it local.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from weald.hashing import mix

Array = NDArray[np.float64]

NOBODY = 0xFFFF
"""The winner where every weight is 0."""

_LN2 = 0.6931471805599453


@njit(cache=True, nogil=True, error_model="numpy")
def exponential(bits: Any) -> float:
    """Return an exponential number of mean 1 for 64 random bits.

    The logarithm is a series of plain arithmetic, within 1e-9, since a library's may differ in its last bit between
    machines.
    """
    u = (float(uint64(bits) >> uint64(12)) + 0.5) * 2.0**-52
    part, power = math.frexp(u)
    s = (part - 1.0) / (part + 1.0)
    q = s * s
    series = 1.0 / 19.0
    for odd in (17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0):
        series = series * q + 1.0 / odd
    return -(power * _LN2 + 2.0 * s * series)


@njit(cache=True, nogil=True, error_model="numpy")
def race(places: NDArray[np.uint64], keys: NDArray[np.uint64], weights: Array, winner: NDArray[np.uint16]) -> None:
    """Fill in who wins each place.

    Parameters
    ----------
    places : shape (n,)
        A hash of each place, or an id.
    keys : shape (k,)
        Of the species.
    weights : shape (k, n) or (k, 1)
        By place, or the same everywhere.
    winner : shape (n,)
        Number of the species, or NOBODY.
    """
    varied = 1 if weights.shape[1] > 1 else 0
    for a in range(len(places)):
        best, first = math.inf, NOBODY
        for s in range(len(keys)):
            weight = weights[s, varied * a]
            if weight > 0.0:
                time = exponential(mix(places[a] ^ keys[s])) / weight
                if time < best or first == NOBODY:
                    best, first = time, s
        winner[a] = first
