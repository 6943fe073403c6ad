"""Noise as fields: one function a basis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from weald.errors import InputError, nearest
from weald.fields.fractal import Fractal
from weald.fields.noise_field import Noise, refuse_broken_period
from weald.hashing import Seed, key
from weald.noise.basis import Basis
from weald.noise.classic import CLASSIC
from weald.noise.fractal import perlin_octaves
from weald.noise.octave import Period, octave
from weald.noise.perlin_jet import PERLIN
from weald.noise.simplex import SIMPLEX
from weald.noise.value import VALUE
from weald.noise.worley import FEATURES, Feature, worley_basis
from weald.numbers import number_in

PeriodLike = float | Sequence[float | None] | None


def perlin(
    seed: Seed,
    frequency: float | None = None,
    *,
    scale: float | None = None,
    dimensions: int = 2,
    period: PeriodLike = None,
) -> Noise:
    """Return Perlin gradient noise in [-1, 1], smooth and without a period.

    Parameters
    ----------
    seed
        Any integer or string. Noise of different seeds is unrelated.
    frequency
        Cycles a metre, above 0: ``1 / 400`` makes hills some 400 m apart.
    scale
        Metres a cycle, in place of ``frequency``: 400.
    dimensions
        2 for noise of (x, y), 3 for (x, y, z), 4 for (x, y, z, w).
    period
        Metres after which the noise repeats along every axis, for tiles; or one length an axis, of
        which some may be None. It must hold a whole number of cells, of ``1 / frequency`` each.

    Returns
    -------
    Noise
        A Field, whose methods `fbm`, `ridged` and `billow` add octaves, and whose `gradient` holds its
        derivatives. Its range is [-1, 1], proved in `weald.noise.perlin` and `weald.noise.perlin_jet`;
        a million places over many cells reach at least 0.9 on either side of zero (0.72 in three
        dimensions, 0.55 in four).

    Raises
    ------
    InputError
        If the seed, the frequency or the dimensions cannot be used, or the period is no whole number of
        cells (the message names the nearest that are).

    Notes
    -----
    After Ken Perlin, "Improving noise" (2002), with hashed instead of tabled gradients. Places 1e9 m
    away are as good as places near the origin, down to the resolution of float64 coordinates there.
    Noise of one seed and different frequencies is the same pattern at different sizes: give maps that
    should be unrelated seeds of their own. As all noise on a square lattice, it shows its axes a little:
    waves along them carry some 9 % more power than the mean of all directions; `simplex` is even to 1 %.

    Examples
    --------
    >>> noise = perlin("valley", frequency=0.01)
    >>> noise, noise.range
    (perlin(seed='valley', frequency=0.01), (-1.0, 1.0))
    >>> tile = perlin("valley", scale=100, period=800)
    >>> bool(tile(12.5, 3) == tile(812.5, -797))
    True
    >>> perlin("ore", scale=20, dimensions=3)(1.0, 2.0, [3.0, 4.0]).shape
    (2,)
    """
    return _noise("perlin", _of_dimensions(PERLIN, dimensions), seed, frequency, scale, period)


def simplex(seed: Seed, frequency: float | None = None, *, scale: float | None = None, dimensions: int = 2) -> Noise:
    """Return simplex noise in [-1, 1]: smooth, without a period, even in all directions, and cheap in 3D and 4D.

    Parameters
    ----------
    seed, frequency, scale, dimensions
        As in `perlin`. Features are somewhat smaller than those of Perlin noise of one frequency.

    Returns
    -------
    Noise
        As from `perlin`. The range is proved in `weald.noise.simplex`; a million places over many cells
        reach at least 0.95 on either side of zero.

    Raises
    ------
    InputError
        If the seed, the frequency or the dimensions cannot be used.

    Notes
    -----
    Ken Perlin, "Noise hardware" (2001); Stefan Gustavson, "Simplex noise demystified" (2005). The
    patent on the method ran out in 2022. Its lattice cannot repeat along the axes: for tiles, use `perlin`.

    Examples
    --------
    >>> simplex(seed=3, scale=50).fbm(octaves=4)
    simplex(seed=3, scale=50.0).fbm(octaves=4)
    """
    return _noise("simplex", _of_dimensions(SIMPLEX, dimensions), seed, frequency, scale, None)


def value(
    seed: Seed,
    frequency: float | None = None,
    *,
    scale: float | None = None,
    dimensions: int = 2,
    period: PeriodLike = None,
) -> Noise:
    """Return value noise in [-1, 1]: random values at the corners of a lattice, blended smoothly.

    Blotchier than gradient noise, with most of its variation below the frequency, and the cheapest.

    Parameters
    ----------
    seed, frequency, scale, dimensions, period
        As in `perlin`.

    Returns
    -------
    Noise
        As from `perlin`. Values are blends of values in [-1, 1]; a million places over many cells
        reach at least 0.95 on either side of zero.

    Raises
    ------
    InputError
        As from `perlin`.

    Examples
    --------
    >>> soil = value(seed=3, scale=50)
    >>> soil.range
    (-1.0, 1.0)
    """
    return _noise("value", _of_dimensions(VALUE, dimensions), seed, frequency, scale, period)


def worley(
    seed: Seed,
    frequency: float | None = None,
    *,
    scale: float | None = None,
    feature: Feature = "f1",
    jitter: float = 1.0,
    dimensions: int = 2,
    period: PeriodLike = None,
) -> Noise:
    """Return Worley's cellular noise: how far scattered points are, of which there is one a cell.

    Parameters
    ----------
    seed, frequency, scale, period
        As in `perlin`.
    feature
        ``"f1"``, the distance to the nearest point; ``"f2"``, to the second nearest; ``"f2-f1"``, their
        difference, which is 0 along the borders between points; ``"id"``, a random number in [0, 1)
        for each point, the same all over the part of the plane that is nearest to it. Distances are in cells:
        times ``1 / frequency``, they are metres.
    jitter
        How far points leave the middle of their cells, from 0, a plain grid, to 1, anywhere in them.
    dimensions
        2 or 3.

    Returns
    -------
    Noise
        As from `perlin`. The range starts at 0; its end is proved in `weald.noise.worley` (with jitter 1,
        in the plane: 1.415 for f1, 1.582 for f2). A million places reach at least 0.75 of it, in space 0.6. The search
        is exact: no nearer point is ever missed, as happens where only 3 x 3 cells are searched.

    Raises
    ------
    InputError
        As from `perlin`, and if the feature or the jitter cannot be used.

    Notes
    -----
    Steven Worley, "A cellular texture basis function" (1996).

    Examples
    --------
    >>> cracks = worley(seed=3, scale=5, feature="f2-f1") < 0.05
    >>> cracks
    worley(seed=3, scale=5.0, feature='f2-f1') < 0.05
    """
    if not isinstance(feature, str) or feature not in FEATURES:
        hint = nearest(str(feature), FEATURES)
        raise InputError(f"feature: got {feature!r}{hint}; give one of {', '.join(FEATURES)}")
    jitter = number_in("jitter", jitter, "a number from 0 to 1", least=0.0, most=1.0)
    if isinstance(dimensions, bool | np.ndarray) or dimensions not in (2, 3):
        raise InputError(f"dimensions: got {dimensions!r}; give 2 for (x, y) or 3 for (x, y, z)")
    extras = f", feature={feature!r}" * (feature != "f1") + f", jitter={jitter}" * (jitter != 1.0)
    return _noise("worley", worley_basis(int(dimensions), feature, jitter), seed, frequency, scale, period, extras)


def perlin_classic(
    seed: Seed, frequency: float | None = None, *, scale: float | None = None, period: PeriodLike = None
) -> Noise:
    """Return the Perlin noise of the textbooks in [-1, 1]: 8 gradients, from a table of 256 entries.

    For comparison, and for those who know it: it repeats every 256 cells, which `perlin` does not.

    Parameters
    ----------
    seed
        Decides the order of the table, and how far the lattice is shifted, so that noise of frequency 1
        is not zero at whole metres.
    frequency, scale, period
        As in `perlin`.

    Returns
    -------
    Noise
        As from `perlin`, in the plane. The range is proved in `weald.noise.classic`; a million places
        reach at least 0.9 on either side of zero.

    Raises
    ------
    InputError
        As from `perlin`.

    Notes
    -----
    Ken Perlin, "An image synthesizer" (1985), "Improving noise" (2002).

    Examples
    --------
    >>> old = perlin_classic(seed=1, frequency=1)
    >>> bool(abs(old(10, 20) - old(10 + 256, 20 - 256)) < 1e-9)
    True
    """
    return _noise("perlin_classic", CLASSIC, seed, frequency, scale, period)


def _noise(
    name: str,
    basis: Basis,
    seed: Seed,
    frequency: float | None,
    scale: float | None,
    period: PeriodLike,
    extras: str = "",
) -> Noise:
    key(seed)  # refuses what is no seed
    seed = seed if isinstance(seed, str) else int(seed)  # a NumPy integer is written as a plain one
    if (frequency is None) == (scale is None):
        given = "both" if scale is not None else "neither"
        raise InputError(f"frequency: got {given} of frequency and scale; give one: cycles a metre, or metres a cycle")
    if scale is not None:
        scale = number_in("scale", scale, "metres a cycle, at least 1e-9", least=1e-9)
        frequency, spoken = 1.0 / scale, f"scale={scale}"
    else:
        assert frequency is not None
        frequency = number_in("frequency", frequency, "cycles a metre, above 0 and at most 1e9", above=0.0, most=1e9)
        spoken = f"frequency={frequency}"
    lengths = _period(period, basis.dimensions)
    refuse_broken_period(lengths, frequency, 0, 1.0)
    extras += f", dimensions={basis.dimensions}" * (basis.dimensions != 2)
    if any(length is not None for length in lengths):
        extras += f", period={lengths[0] if len(set(lengths)) == 1 else lengths}"
        quick = None
    else:
        quick = perlin_octaves(seed, frequency, 1, 1.0, 1.0) if basis is PERLIN[2] else None
    first = octave(basis, seed, 0, frequency, lengths)
    written = f"{name}(seed={seed!r}, {spoken}{extras})"
    single = Fractal(basis, (first,), (1.0,), "fbm", 0.0, quick, written)
    return Noise(single, (basis.low, basis.high), seed, frequency, lengths)


def _of_dimensions(bases: dict[int, Basis], dimensions: int) -> Basis:
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions not in bases:
        raise InputError(f"dimensions: got {dimensions!r}; give 2 for (x, y), 3 for (x, y, z) or 4 for (x, y, z, w)")
    return bases[dimensions]


def _period(period: PeriodLike, dimensions: int) -> Period:
    one_an_axis = isinstance(period, (tuple, list, np.ndarray)) and np.ndim(period) > 0
    each = list(cast("Sequence[float | None]", period)) if one_an_axis else [cast("float | None", period)] * dimensions
    if len(each) != dimensions:
        raise InputError(f"period: got {period!r}; give one length in metres, or {dimensions}: one an axis")
    allowed = "metres above 0, or None for no period"
    return tuple(
        None if length is None else number_in("period", length, allowed, above=0.0, most=1e15) for length in each
    )
