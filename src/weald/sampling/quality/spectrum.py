"""The power spectrum of points: which frequencies they hold, and whether in all directions alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.geometry import BoundsLike
from weald.numbers import number_in, whole_in
from weald.sampling.quality.sample import Array, Points, Sample

_MOST_STEPS = 2e10  # points times frequencies: one or two seconds of a core
_MOST_FREQUENCIES = 1 << 26  # a GiB
_CHUNK = 4096


@dataclass(frozen=True, eq=False)
class RadialSpectrum:
    """A power spectrum averaged over rings of frequencies; all arrays have shape (k,).

    Attributes
    ----------
    frequency : ndarray of float64
        Mean frequency of each ring in units of ``sqrt(N / A)``, one cycle a mean spacing; see `Spectrum`.
    power : ndarray of float64
        Mean power of each ring; white noise has 1.
    anisotropy_db : ndarray of float64
        Variance over the square of the mean within each ring, in decibel. One set of points that favours
        no direction lies about 0; the mean of n spectra of such sets about ``-10 * log10(n)``. Directions that
        stand out lift it. NaN for a ring of fewer than two frequencies or without power.
    """

    frequency: Array
    power: Array
    anisotropy_db: Array


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Power at integer frequencies of a box.

    Attributes
    ----------
    power : ndarray of float64, shape (2 * ky + 1, 2 * kx + 1)
        Power; the middle is frequency 0, where it is N. Rows go with y upwards, columns with x.
    frequency_x, frequency_y : ndarray of float64, shapes (2 * kx + 1,), (2 * ky + 1,)
        Frequencies of columns and rows, in units of ``sqrt(N / A)``: one cycle a mean spacing.
        A square lattice has its first peaks at 1.
    """

    power: Array
    frequency_x: Array
    frequency_y: Array

    def radial(self) -> RadialSpectrum:
        """Return the average over rings, as wide as a step of the shorter frequency axis.

        Notes
        -----
        Ulichney, *Digital Halftoning*, 1987, chapter 3; Lagae & Dutré 2008. Power at ``-f`` is that at ``f``, so
        half of the plane is averaged: its values are independent, and the variance is unbiased.
        """
        middle = len(self.frequency_y) // 2
        half = self.power[middle:]
        radius = np.hypot(self.frequency_x[None, :], self.frequency_y[middle:, None])
        step = max(self.frequency_x[1] - self.frequency_x[0], self.frequency_y[1] - self.frequency_y[0])
        ring = np.rint(radius / step).astype(np.int64)
        # rings that the rectangle holds whole; of row 0, one half is the other's mirror
        whole = int(np.rint(min(self.frequency_x[-1], self.frequency_y[-1]) / step))
        taken = (ring <= whole) & (radius > 0)
        taken[0, : len(self.frequency_x) // 2] = False
        index, power, radius = ring[taken] - ring[taken].min(), half[taken], radius[taken]
        count = np.bincount(index)
        mean = np.bincount(index, power) / np.maximum(count, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.bincount(index, (power - mean[index]) ** 2) / (count - 1)
            # powers of lattices between their peaks are zero but for rounding
            ratio = np.where((count > 1) & (mean > 1e-20), variance / mean**2, np.nan)
            anisotropy = 10 * np.log10(ratio)
        return RadialSpectrum(np.bincount(index, radius) / np.maximum(count, 1), mean, anisotropy)


def power_spectrum(points: Points, bounds: BoundsLike, *, highest: float = 3.0, stride: int | None = None) -> Spectrum:
    """Return the power spectrum at the integer frequencies of the box.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included. On a torus the spectrum is exact. A window of a larger set
        is the same but for a blur of about one step: what it cuts off leaks between neighbouring frequencies.
    highest
        Highest frequency along each axis, in units of ``sqrt(N / A)``.
    stride
        Which integer frequencies are taken: multiples of this. ``None`` is 1, or more where that would take more
        than some seconds, from about 30,000 points on. Between multiples, narrow peaks can be missed.

    Returns
    -------
    Spectrum
        ``P(k) = abs(sum(exp(-2j * pi * (kx * x / width + ky * y / depth)))) ** 2 / N``, at least 0.

    Raises
    ------
    InputError
        If points are too few, not finite or outside the box, stride is below 1, or ``highest`` holds no frequency.

    Notes
    -----
    The sum is taken over the points themselves, without a raster (Schlömer & Deussen, *Accurate Spectral
    Analysis of Two-Dimensional Point Sets*, Journal of Graphics, GPU, and Game Tools 15(3), 2011). It
    splits into a product of matrices, one of each axis.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(8) for y in range(8)]
    >>> spectrum = power_spectrum(lattice, (0, 0, 8, 8), highest=1.0)
    >>> spectrum.power.shape, spectrum.frequency_x[-1].item(), round(spectrum.power[8, 16].item(), 6)
    ((17, 17), 1.0, 64.0)
    """
    sample = Sample.of(points, bounds)
    width, depth = sample.box.size
    spacing = 1 / math.sqrt(sample.density)
    lowest = spacing / min(width, depth)
    highest = number_in("highest", highest, f"a finite number of at least {lowest:g}, the lowest frequency", above=0.0)
    # frequencies across the shorter side, of the highest
    across = highest * min(width, depth) / spacing * (1 + 1e-12)
    if stride is None:
        # symmetry leaves 2 * (highest / stride)^2 * N frequencies
        wanted = math.ceil(min(max(highest, 0.0) * len(sample) * math.sqrt(2 / _MOST_STEPS), 1e9))
        stride = max(min(wanted, int(min(max(across, 0.0), 1e9))), 1)
    stride = whole_in("stride", stride, "a whole number of at least 1, at most 1e9", least=1, most=1e9)
    if across < stride:
        raise InputError(
            f"highest: got {highest}; give a finite number of at least {stride * lowest:g}, the lowest frequency"
        )
    counts = [highest * (length / (stride * spacing)) * (1 + 1e-12) for length in (width, depth)]
    if 2 * (counts[0] + 1) * (counts[1] + 1) > _MOST_FREQUENCIES:
        raise InputError(
            f"highest: got {highest} in steps of {stride} / side, more than {_MOST_FREQUENCIES} frequencies; "
            "give a lower one, or a larger stride"
        )
    kx, ky = map(int, counts)
    total = np.zeros((ky + 1, 2 * kx + 1), np.complex128)
    for first in range(0, len(sample), _CHUNK):
        x, y = (sample.xy[first : first + _CHUNK] - (sample.box.xmin, sample.box.ymin)).T
        along_x = _waves(x * (stride / width), kx)
        along_y = _waves(y * (stride / depth), ky)
        total += along_y @ np.concatenate([along_x[:0:-1].conj(), along_x]).T
    upper = (total.real**2 + total.imag**2) / len(sample)
    power = np.concatenate([upper[:0:-1, ::-1], upper])
    fx, fy = (
        np.arange(-k, k + 1, dtype=np.float64) * (stride * spacing / length) for k, length in ((kx, width), (ky, depth))
    )
    return Spectrum(power, fx, fy)


def _waves(turns: Array, highest: int) -> NDArray[np.complex128]:
    """Return ``exp(-2j * pi * k * turns)`` for k from 0, shape (highest + 1, n)."""
    waves = np.ones((highest + 1, len(turns)), np.complex128)
    base = np.exp(-2j * np.pi * (turns % 1.0))
    # powers one from another: ten times as fast as an exponential each, and as exact as the points
    for k in range(highest):
        np.multiply(waves[k], base, out=waves[k + 1])
    return waves
