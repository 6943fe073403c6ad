"""Noise fields: octaves of a basis, what every noise can become, and the checks of its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from weald.errors import InputError
from weald.fields.field import Field
from weald.fields.fractal import Fractal, Slope, Slopes
from weald.hashing import Seed
from weald.noise.fractal import perlin_octaves
from weald.noise.octave import Period, cells, octave
from weald.noise.shape import Form, amplitudes, frequencies
from weald.numbers import number_in, whole_in

_MOST_OCTAVES = 32


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FractalNoise(Field):
    """Octaves of noise as a field, with derivatives; made by `fbm`, `ridged` and `billow` of `Noise`."""

    @property
    def gradient(self) -> tuple[Field, ...]:
        """The derivatives along x and y (and z, and w), each a Field, per metre.

        They are exact: the derivatives of the formula, not differences. Their ranges are proved, but
        wide. Both of ``gx * gx + gy * gy`` are found in one go.

        Raises
        ------
        InputError
            If the noise has none: the id of cells is flat with steps, ridges and billows have creases, and a
            sum with a ``weighted_strength`` depends on its octaves in a way whose derivatives weald does not have.

        Examples
        --------
        >>> from weald.fields import perlin
        >>> hills = perlin(seed=1, scale=400).fbm() * 100
        >>> gx, gy = perlin(seed=1, scale=400).fbm().gradient
        >>> rise = (hills(10.01, 20) - hills(9.99, 20)) / 0.02
        >>> bool(abs(gx(10, 20) * 100 - rise) < 1e-6)
        True
        """
        noise = self.expression
        assert isinstance(noise, Fractal)
        if noise.form != "fbm" or noise.strength != 0.0:
            raise InputError(f"gradient: `{noise.written}` has none; give fbm, with weighted_strength=0")
        if not noise.basis.sloped:
            raise InputError(
                f"gradient: `{noise.written}` is flat with steps and has none; use feature f1, f2 or f2-f1"
            )
        steep = 0.0
        for weight, each in zip(noise.weights, noise.octaves, strict=True):
            steep += weight * each.frequency
        # a little more, for what rounding adds
        steep *= noise.basis.steepest * (1.0 + 1e-9)
        slopes = Slopes(noise)
        return tuple(Field(Slope(slopes, axis), (-steep, steep)) for axis in range(noise.dimensions))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Noise(FractalNoise):
    """Noise of one octave, made by `perlin`, `simplex`, `value`, `worley` or `perlin_classic`.

    Attributes
    ----------
    seed : int or str
    frequency : float
        In cycles a metre.
    period : tuple of float or None
        In metres, one an axis; None where the noise never repeats.
    """

    seed: Seed
    frequency: float
    period: Period

    def fbm(
        self, octaves: int = 6, gain: float = 0.5, lacunarity: float = 2.0, weighted_strength: float = 0.0
    ) -> FractalNoise:
        """Return the fractal sum of this noise and finer, weaker octaves of it (fractional Brownian motion).

        Octave k has the frequency ``frequency * lacunarity**k`` and the amplitude ``gain**k`` over the
        sum of all amplitudes, so values stay within the range of the noise. They fill less of it the more
        octaves of like amplitude add up: with amplitudes a, where a million places of the noise alone
        reach a share s of its range (see `perlin`), a million places of the sum reach at least
        ``s * sqrt(Σa²) / Σa``: for Perlin noise in the plane and the defaults, 0.52.

        Parameters
        ----------
        octaves
            How many, 1 to 32. More of them leave the coarser ones as they are.
        gain
            Amplitude of each octave relative to the one before, above 0 and at most 2; also called
            persistence. 0.3 gives dunes, 0.7 crags.
        lacunarity
            Frequency of each octave relative to the one before, 1 to 16. Noise with a period needs one
            that leaves a whole number of cells in the period at every octave.
        weighted_strength
            How much finer octaves are held back where the ones before are low, 0 to 1: above 0, valleys
            are smoother than heights.

        Raises
        ------
        InputError
            If a number is out of its range, or the lacunarity does not fit the period.

        Examples
        --------
        >>> from weald.fields import perlin
        >>> hills = perlin(seed=1, frequency=1 / 400)
        >>> hills.fbm(octaves=4, gain=0.3)
        perlin(seed=1, frequency=0.0025).fbm(octaves=4, gain=0.3)
        >>> float(hills.fbm(octaves=1)(12, 34)) == float(hills(12, 34))
        True
        """
        return FractalNoise(*self._sum("fbm", octaves, gain, lacunarity, weighted_strength))

    def ridged(
        self, octaves: int = 6, gain: float = 0.5, lacunarity: float = 2.0, weighted_strength: float = 0.0
    ) -> FractalNoise:
        """Return a fractal of sharp ridges, in [-1, 1], after Musgrave's ridged multifractal.

        Each octave is ``(1 - |m|)²``, where m is the noise brought into [-1, 1]: 1, with a crease, where
        the noise is in the middle of its range. Arguments and errors as in `fbm`; with a
        ``weighted_strength`` of 1, ridges are rough and the ground between them is smooth, as mountains are.

        Examples
        --------
        >>> from weald.fields import perlin
        >>> alps = perlin(seed=1, scale=900).ridged(octaves=7, weighted_strength=0.8)
        >>> alps.range
        (-1.0, 1.0)
        """
        return FractalNoise(*self._sum("ridged", octaves, gain, lacunarity, weighted_strength))

    def billow(
        self, octaves: int = 6, gain: float = 0.5, lacunarity: float = 2.0, weighted_strength: float = 0.0
    ) -> FractalNoise:
        """Return a fractal of round bulges with creases between them, in [-1, 1]: clouds, old dunes.

        Each octave is ``2 |m| - 1``, where m is the noise brought into [-1, 1]. Arguments and errors as
        in `fbm`.
        """
        return FractalNoise(*self._sum("billow", octaves, gain, lacunarity, weighted_strength))

    def _sum(
        self, form: Form, octaves: int, gain: float, lacunarity: float, strength: float
    ) -> tuple[Fractal, tuple[float, float]]:
        count = whole_in("octaves", octaves, f"a whole number from 1 to {_MOST_OCTAVES}", least=1, most=_MOST_OCTAVES)
        gain = number_in("gain", gain, "a number above 0, at most 2", above=0.0, most=2.0)
        lacunarity = number_in("lacunarity", lacunarity, "a number from 1 to 16", least=1.0, most=16.0)
        strength = number_in("weighted_strength", strength, "a number from 0 to 1", least=0.0, most=1.0)
        extras = (
            f", gain={gain}" * (gain != 0.5)
            + f", lacunarity={lacunarity}" * (lacunarity != 2.0)
            + f", weighted_strength={strength}" * (strength != 0.0)
        )
        single = self.expression
        assert isinstance(single, Fractal)
        written = f"{single.written}.{form}(octaves={count}{extras})"
        scales = frequencies(count, self.frequency, lacunarity)
        for number, frequency in enumerate(scales):
            refuse_broken_period(self.period, frequency, number, lacunarity)
        quick = None
        if single.quick is not None and form == "fbm" and strength == 0.0:
            quick = perlin_octaves(self.seed, self.frequency, count, gain, lacunarity)
        basis = single.basis
        terms = tuple(octave(basis, self.seed, k, frequency, self.period) for k, frequency in enumerate(scales))
        ends = (basis.low, basis.high) if form == "fbm" else (-1.0, 1.0)
        return Fractal(basis, terms, amplitudes(count, gain), form, strength, quick, written), ends


def refuse_broken_period(period: Period, frequency: float, number: int, lacunarity: float) -> None:
    """Refuse periods that are not a whole number of cells, naming what would do."""
    for length in period:
        if length is None:
            continue
        count = cells(length, frequency)
        whole = max(round(count), 1)
        # frequencies such as 1/3 are rounded, and so is what they give
        if abs(count - whole) <= 1e-9 * whole:
            continue
        if number == 0:
            few = max(math.floor(count), 1)
            fits = f"{few / frequency:.12g} m ({few} cells) or {(few + 1) / frequency:.12g} m ({few + 1} cells)"
            raise InputError(
                f"period: {length:.12g} m is {count:.6g} cells of {1.0 / frequency:.12g} m; "
                f"give a whole number of cells: {fits}"
            )
        few = max(math.floor(lacunarity), 1)
        raise InputError(
            f"lacunarity: with {lacunarity} the period of {length:.12g} m is {count:.6g} cells at octave {number}, "
            f"so it would not repeat; give a whole number, such as {few} or {few + 1}"
        )
