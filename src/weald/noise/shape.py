"""How octaves of noise add up: plain, in ridges or in billows, and finer ones held back where it is low.

F. Kenton Musgrave, in "Texturing and Modeling: A Procedural Approach" (2003): fractional Brownian
motion, and ridged multifractals, in which each octave is weighted by the one before.

**Range.** Octave k counts with ``a_k``, and these sum to 1. With weights in [0, 1] on top, and octaves
in ``[low, high]`` with ``low <= 0 <= high``, the sum stays in ``[low, high]``; where all octaves lie in
[-1, 1] or in [0, 1], so does the sum. What rounding might add is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Form: TypeAlias = Literal["fbm", "ridged", "billow"]


def amplitudes(count: int, gain: float) -> tuple[float, ...]:
    """Return the amplitudes of octaves, which sum to 1.

    >>> amplitudes(2, 0.5)
    (0.6666666666666666, 0.3333333333333333)
    """
    # products, not powers: pow may differ in its last bit between machines
    terms = [1.0]
    for _ in range(count - 1):
        terms.append(terms[-1] * gain)
    total = 0.0
    for term in terms:
        total += term
    return tuple(term / total for term in terms)


def frequencies(count: int, frequency: float, lacunarity: float) -> tuple[float, ...]:
    """Return the frequencies of octaves."""
    terms = [frequency]
    for _ in range(count - 1):
        terms.append(terms[-1] * lacunarity)
    return tuple(terms)


def folded(
    form: Form,
    noises: Iterable[NDArray[np.float64]],
    weights: tuple[float, ...],
    strength: float,
    low: float,
    high: float,
) -> NDArray[np.float64]:
    """Add up octaves.

    Parameters
    ----------
    form
        ``"fbm"`` adds the octaves as they are. ``"billow"`` adds ``2 |m| - 1`` and ``"ridged"`` adds
        ``(1 - |m|)²``, where m is the noise brought into [-1, 1]; ridges are then spread over [-1, 1].
    noises
        The octaves, from the coarsest. They are overwritten.
    weights
        The amplitudes, which sum to 1.
    strength
        How much an octave is held back where the one before is low, 0 to 1.
    low, high
        What the noises never exceed.
    """
    # in place wherever an array is no longer needed, which more than halves the time
    total: NDArray[np.float64] = np.zeros(())
    held: NDArray[np.float64] = np.ones(())
    for noise, weight in zip(noises, weights, strict=True):
        term = level = noise
        if form != "fbm":
            level = np.abs(_centred(noise, low, high), out=noise)
            if form == "ridged":
                np.subtract(1.0, level, out=level)
                level *= level
                term = level
            else:
                term = 2.0 * level
                term -= 1.0
        elif strength != 0.0:
            level = _centred(noise.copy(), low, high)
            level += 1.0
            level *= 0.5
        if strength != 0.0:
            term = held * term
            level *= strength
            level += 1.0 - strength
            held = np.multiply(level, held, out=level)
        term *= weight
        total = np.add(term, total, out=term)
    if form == "ridged":
        total *= 2.0
        total -= 1.0
    ends = (low, high) if form == "fbm" else (-1.0, 1.0)
    return np.clip(total, *ends, out=total)


def _centred(noise: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Bring noise into [-1, 1], in place."""
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    if middle != 0.0:
        noise -= middle
    if half != 1.0:
        noise /= half
    return noise
