"""Noise as fields: `perlin`, and its octaves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from weald.errors import InputError
from weald.fields.expression import Expression, Places, Values
from weald.fields.field import Field
from weald.hashing import Seed, key
from weald.noise.fractal import Octaves, fbm2_grid, fbm2_points, perlin_octaves

_MOST_OCTAVES = 32


@dataclass(frozen=True, slots=True, eq=False)
class Noise(Expression):
    """A sum of octaves of noise."""

    octaves: Octaves
    written: str

    def at(self, places: Places) -> Values:
        """Evaluate on the block or at the points: the same bits either way."""
        out = np.empty(places.shape)
        if places.is_block:
            fbm2_grid(np.ascontiguousarray(places.x[0]), np.ascontiguousarray(places.y[:, 0]), self.octaves, out)
        else:
            fbm2_points(places.x, places.y, self.octaves, out)
        return out

    def text(self, depth: int = 0) -> str:
        """Return the call that made it."""
        return self.written


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Perlin(Field):
    """Perlin noise of one octave, made by `perlin`.

    Attributes
    ----------
    seed : int or str
    frequency : float
        In cycles a metre.
    """

    seed: Seed
    frequency: float

    def fbm(self, octaves: int = 6, gain: float = 0.5, lacunarity: float = 2.0) -> Field:
        """Return the fractal sum of this noise and finer, weaker octaves of it (fractional Brownian motion).

        Octave k has the frequency ``frequency * lacunarity**k`` and the amplitude ``gain**k`` over the
        sum of all amplitudes, so values stay within [-1, 1]. They fill less of it the more octaves of
        like amplitude add up: with amplitudes a, a million places over many cells reach at least
        ``0.9 * sqrt(Σa²) / Σa`` on either side of zero: 0.52 for the defaults.

        Parameters
        ----------
        octaves
            How many, 1 to 32. More of them leave the coarser ones as they are.
        gain
            Amplitude of each octave relative to the one before, above 0 and at most 2; also called
            persistence. 0.3 gives dunes, 0.7 crags.
        lacunarity
            Frequency of each octave relative to the one before, 1 to 16.

        Examples
        --------
        >>> hills = perlin(seed=1, frequency=1 / 400)
        >>> hills.fbm(octaves=4, gain=0.3)
        perlin(seed=1, frequency=0.0025).fbm(octaves=4, gain=0.3)
        >>> float(hills.fbm(octaves=1)(12, 34)) == float(hills(12, 34))
        True
        """
        if isinstance(octaves, bool) or not isinstance(octaves, (int, np.integer)) or not 1 <= octaves <= _MOST_OCTAVES:
            raise InputError(f"octaves: got {octaves!r}; give a whole number from 1 to {_MOST_OCTAVES}")
        gain = _number("gain", gain, "a number above 0, at most 2", above=0.0, most=2.0)
        lacunarity = _number("lacunarity", lacunarity, "a number from 1 to 16", least=1.0, most=16.0)
        extras = f", gain={gain}" * (gain != 0.5) + f", lacunarity={lacunarity}" * (lacunarity != 2.0)
        terms = perlin_octaves(self.seed, self.frequency, int(octaves), gain, lacunarity)
        return Field(Noise(terms, f"{self!r}.fbm(octaves={octaves}{extras})"), (-1.0, 1.0))


def perlin(seed: Seed, frequency: float) -> Perlin:
    """Return Perlin gradient noise in [-1, 1], smooth and without a period.

    Parameters
    ----------
    seed
        Any integer or string. Noise of different seeds is unrelated.
    frequency
        Cycles a metre, above 0: ``1 / 400`` makes hills some 400 m apart.

    Returns
    -------
    Perlin
        A Field, whose method ``fbm`` adds octaves. Its range is [-1, 1], proved in
        `weald.noise.perlin`; a million places over many cells reach at least 0.9 on either side of zero.

    Raises
    ------
    InputError
        If the seed or the frequency cannot be used.

    Notes
    -----
    After Ken Perlin, "Improving noise" (2002), with hashed instead of tabled gradients. Places 1e9 m
    away are as good as places near the origin, down to the resolution of float64 coordinates there.
    Noise of one seed and different frequencies is the same pattern at different sizes: give maps that
    should be unrelated seeds of their own.

    Examples
    --------
    >>> noise = perlin("valley", frequency=0.01)
    >>> noise, noise.range
    (perlin(seed='valley', frequency=0.01), (-1.0, 1.0))
    """
    key(seed)  # refuses what is no seed
    frequency = _number("frequency", frequency, "cycles a metre, above 0 and at most 1e9", above=0.0, most=1e9)
    seed = seed if isinstance(seed, str) else int(seed)  # a NumPy integer is written as a plain one
    terms = perlin_octaves(seed, frequency, 1, 1.0, 1.0)
    return Perlin(Noise(terms, f"perlin(seed={seed!r}, frequency={frequency})"), (-1.0, 1.0), seed, frequency)


def _number(
    name: str, value: float, allowed: str, *, most: float, least: float = -math.inf, above: float = -math.inf
) -> float:
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (above < number <= most and number >= least):
        raise InputError(f"{name}: got {value!r}; give {allowed}")
    return number
