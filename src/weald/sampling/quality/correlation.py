"""How often points stand at a distance, and what follows: smooth spectrum, effective Nyquist, oscillations."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from weald.errors import InputError
from weald.geometry import BoundsLike
from weald.numbers import floats, number_in, whole_in
from weald.sampling.limits import RADII
from weald.sampling.quality.sample import Array, Buckets, Points, Sample, gap, span

_BINS = 100  # a mean spacing
_MOST_BINS = 1 << 24
_SHORTEST = 1e-9  # of the largest reach: the areas of rings are ordinary numbers
_REACH = 8.0  # mean spacings; beyond, the correlation of disordered sets is noise
_STEP = 0.005  # of the smooth spectrum, in cycles a mean spacing


@dataclass(frozen=True, eq=False)
class PairCorrelation:
    """The pair correlation function.

    Attributes
    ----------
    distance : ndarray of float64, shape (k,)
        Middles of equal bins from 0, in metres.
    correlation : ndarray of float64, shape (k,)
        How many pairs there are at that distance, over how many white noise would have; 1 for white
        noise, 0 below the least distance.
    spacing : float
        Mean spacing ``sqrt(A / N)``, in metres.
    """

    distance: Array
    correlation: Array
    spacing: float


def pair_correlation(
    points: Points,
    bounds: BoundsLike,
    *,
    periodic: bool = False,
    reach: float | None = None,
    bins: int | None = None,
) -> PairCorrelation:
    """Return how often pairs of points stand at a distance, over how often those of white noise would.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included.
    periodic
        Whether the box is a torus.
    reach
        Largest distance, in metres: up to the shorter side of the box, on a torus half of it. ``None`` is 8
        mean spacings ``sqrt(A / N)``, or what the box allows.
    bins
        How many bins of equal width there are from 0 to ``reach``; ``None`` is 100 a mean spacing.

    Returns
    -------
    PairCorrelation
        ``g(r) = A**2 / (N * (N - 1)) * sum(w_ij) / (pi * (b**2 - a**2))`` for the bin from a to b, over
        ordered pairs with ``a <= d_ij < b``; ``w_ij = 1 / A`` on a torus, else
        ``1 / ((width - abs(dx)) * (depth - abs(dy)))``.

    Raises
    ------
    InputError
        If points are too few, not finite or outside the box, or reach or bins cannot be used.

    Notes
    -----
    The weight is the translation edge correction (Ohser & Stoyan 1981; Illian et al., *Statistical Analysis and
    Modelling of Spatial Point Patterns*, 2008, section 4.3), which has no bias for any stationary set.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(9) for y in range(9)]
    >>> near = pair_correlation(lattice, (0, 0, 9, 9), periodic=True, reach=1.3, bins=13)
    >>> near.distance[near.correlation > 0].round(3).tolist()
    [1.05]
    """
    sample = Sample.of(points, bounds, periodic)
    spacing = 1 / math.sqrt(sample.density)
    limit = min(sample.box.size) * (0.5 if periodic else 1.0)
    if reach is None:
        reach = min(_REACH * spacing, limit)
    least = _SHORTEST * limit
    reach = number_in("reach", reach, f"metres, at least {least:g} and at most {limit:g}", least=least, most=limit)
    if bins is None:
        bins = max(round(_BINS * reach / spacing), 1)
    bins = whole_in("bins", bins, f"at least 1, at most {_MOST_BINS}, a whole number", least=1, most=_MOST_BINS)
    weight = np.zeros(bins)
    _weigh_pairs(sample.buckets(), reach, weight)
    edges = np.linspace(0.0, reach, bins + 1)
    rings = np.pi * np.diff(edges**2)
    count = len(sample)
    # each unordered pair was weighed once
    g = 2 * weight / rings * (sample.box.area / count) * (sample.box.area / (count - 1))
    return PairCorrelation(0.5 * (edges[1:] + edges[:-1]), g, spacing)


def power_from_correlation(correlation: PairCorrelation, frequency: ArrayLike) -> Array:
    """Return the radial power spectrum as the Hankel transform of the pair correlation: smooth, of any frequency.

    Parameters
    ----------
    correlation
        From `pair_correlation`, with the default reach if the figures are to be compared to others'.
    frequency : array_like, shape (k,)
        In units of ``sqrt(N / A)``, at least 0.

    Returns
    -------
    ndarray of float64, shape (k,)
        ``abs(1 + 2 * pi * N / A * integral((g(r) - 1) * J0(2 * pi * f * r) * w(r) * r))``. The window w, of Blackman's
        kind, is wide for high frequencies and narrower for low ones, to damp what is noise.

    Raises
    ------
    InputError
        If a frequency is not finite or below 0.

    Notes
    -----
    Heck, Schlömer & Deussen, *Blue Noise Sampling with Controlled Aliasing*, ACM Transactions on Graphics
    32(3), 2013; the window is that of their tool, PSA, for about a thousand points.
    """
    if not isinstance(correlation, PairCorrelation):
        raise InputError(f"correlation: got {type(correlation).__name__}; give what pair_correlation returns")
    found = floats(frequency)
    f = np.full(1, np.nan) if found is None or found.ndim > 1 else np.atleast_1d(found)
    if not (np.isfinite(f) & (f >= 0)).all():
        raise InputError("frequency: has values that are not finite or below 0; give cycles a mean spacing")
    r = correlation.distance / correlation.spacing
    step = 2 * r[0]  # bins start at 0
    reach = r[-1] + r[0]
    power = np.empty(len(f))
    _hankel(r, (correlation.correlation - 1) * r * step, reach, f, power)
    return power


def effective_nyquist(frequency: ArrayLike, power: ArrayLike) -> float:
    """Return up to which frequency signals come through a sampling with hardly any noise added.

    Parameters
    ----------
    frequency : array_like, shape (k,)
        Equal steps in units of ``sqrt(N / A)``, from 0 or one step.
    power : array_like, shape (k,)
        Radial power; 1 is white noise. From `power_from_correlation`, or a mean of several.

    Returns
    -------
    float
        0 for white noise, 0.66 for a maximal random set, 1 for a square lattice, 1.07 for a hexagonal one (0.91 and
        0.98 from `power_from_correlation`, which widens peaks). The unit is the Nyquist frequency
        ``sqrt(N / A) / 2`` of a square lattice of as many points.

    Raises
    ------
    InputError
        If frequency and power are not two arrays of one shape (k,), or frequency has no equal steps.

    Notes
    -----
    With the mean power below a frequency, ``E(f) = 2 / f**2 * integral(P(v) * v, 0..f)``, take the last f before E
    exceeds 0.5 with ``E(f) < 0.1``. A sampled wave of frequency f/2 and its mirror are f apart, so f/2 is
    the effective Nyquist frequency, and f the figure in the unit above. Heck, Schlömer & Deussen 2013; as in PSA.

    Examples
    --------
    >>> f = np.arange(1, 601) * 0.005
    >>> round(effective_nyquist(f, np.where(f > 0.5, 1.0, 0.0)), 2)  # a step: sqrt(0.5**2 / 0.9)
    0.53
    """
    f, p = _curve(frequency, power)
    f, p = f[f > 0], p[f > 0]
    flow = p * f * (f[1] - f[0])
    below = 2 * (np.cumsum(flow) - 0.5 * flow) / f**2
    risen = np.flatnonzero((below > 0.5) & (f >= 0.5))
    empty = np.flatnonzero(below[: risen[0] if len(risen) else len(f)] < 0.1)
    return float(f[empty[-1]]) if len(empty) else 0.0


def oscillations(frequency: ArrayLike, power: ArrayLike) -> float:
    """Return how much the spectrum swings about 1 beyond its empty part: what makes moiré of fine patterns.

    Parameters
    ----------
    frequency : array_like, shape (k,)
        Equal steps in units of ``sqrt(N / A)``, from 0 or one step, up to 6 or more.
    power : array_like, shape (k,)
        Radial power; 1 is white noise. From `power_from_correlation`, or a mean of several.

    Returns
    -------
    float
        0 for a step from 0 to 1, 1.5 for a maximal random set, about 9 for a lattice.

    Raises
    ------
    InputError
        If frequency and power are not two arrays of one shape (k,), or frequency has no equal steps.

    Notes
    -----
    ``10 * sqrt(mean((P - 1)**2))``, over the area of the ring from f0, the lowest frequency where P reaches 0.98,
    to f0 + 5: ten Nyquist frequencies. Heck, Schlömer & Deussen 2013; as in PSA.

    Examples
    --------
    >>> f = np.arange(1, 1601) * 0.005
    >>> oscillations(f, np.where(f > 0.7, 1.0, 0.0))
    0.0
    """
    f, p = _curve(frequency, power)
    reached = np.flatnonzero(p >= 0.98)
    first = reached[0] if len(reached) else int(p.argmax())
    ring = (f >= f[first]) & (f <= f[first] + 5.0)
    return 10 * math.sqrt(float(((p[ring] - 1) ** 2 * f[ring]).sum() / f[ring].sum()))


def smooth_spectrum(correlation: PairCorrelation) -> tuple[Array, Array]:
    """Return frequencies and radial power, as far as `effective_nyquist` and `oscillations` ask."""
    frequency = np.arange(1.0, round(7.0 / _STEP) + 1) * _STEP
    return frequency, power_from_correlation(correlation, frequency)


def _curve(frequency: ArrayLike, power: ArrayLike) -> tuple[Array, Array]:
    f, p = floats(frequency), floats(power)
    if f is None or p is None:
        what = "frequency" if f is None else "power"
        raise InputError(f"{what}: is no array of numbers; give two arrays of one shape (k,), k >= 2")
    if not (np.isfinite(p).all() and (np.abs(f) <= RADII[1]).all() and (np.abs(p) <= RADII[1]).all()):
        raise InputError(f"power: some of it, or of frequency, is not finite; give finite numbers up to {RADII[1]:g}")
    if f.ndim != 1 or f.shape != p.shape or len(f) < 2:
        raise InputError(f"power: has shape {p.shape}, frequency {f.shape}; give two arrays of one shape (k,), k >= 2")
    step = np.diff(f)
    if not (f[0] >= 0 and step[0] > 0 and np.allclose(step, step[0], rtol=1e-6)):
        raise InputError("frequency: does not rise in equal steps from 0 or above; give an even range")
    if f[0] > 1.5 * step[0]:
        raise InputError(f"frequency: starts at {f[0]:g}; start at 0 or at one step, {step[0]:g}")
    return f, p


@njit(cache=True, nogil=True, error_model="numpy")
def _weigh_pairs(b: Buckets, reach: float, weight: Array) -> None:
    """Add to the bin of each unordered pair its weight."""
    reach_x = int(min(reach / (b.width / b.nx), float(b.nx))) + 1
    reach_y = int(min(reach / (b.depth / b.ny), float(b.ny))) + 1
    scale = len(weight) / reach
    for j0 in range(b.ny):
        for i0 in range(b.nx):
            left, right = span(i0, reach_x, b.nx, b.periodic)
            low, high = span(j0, reach_y, b.ny, b.periodic)
            for k in range(b.start[j0 * b.nx + i0], b.start[j0 * b.nx + i0 + 1]):
                for j in range(low, high + 1):
                    for i in range(left, right + 1):
                        cell = (j % b.ny) * b.nx + i % b.nx
                        for p in range(max(b.start[cell], k + 1), b.start[cell + 1]):
                            dx = gap(b.x[p] - b.x[k], b.width, b.periodic)
                            dy = gap(b.y[p] - b.y[k], b.depth, b.periodic)
                            distance = math.sqrt(dx * dx + dy * dy)
                            if distance < reach:
                                common = b.width * b.depth
                                if not b.periodic:
                                    common = (b.width - abs(dx)) * (b.depth - abs(dy))
                                weight[min(int(distance * scale), len(weight) - 1)] += 1.0 / common


@njit(cache=True, nogil=True, error_model="numpy")
def _hankel(r: Array, mass: Array, reach: float, frequency: Array, power: Array) -> None:
    for k in range(len(frequency)):
        f = frequency[k]
        # PSA's window reaches 0.1 to 0.25 of the side of a torus: for 1024 points 3.2 to 8 spacings, full from f = 1/8
        window = reach * min(1.0, max(0.4, 8.0 * f))
        total = 0.0
        for n in range(len(r)):
            if r[n] > window:
                break
            a = math.pi * r[n] / window
            total += mass[n] * bessel_j0(2 * math.pi * f * r[n]) * (0.42 + 0.5 * math.cos(a) + 0.08 * math.cos(2 * a))
        power[k] = abs(1 + 2 * math.pi * total)


@njit(cache=True, nogil=True, error_model="numpy")
def bessel_j0(x: float) -> float:
    """Return the Bessel function of order 0, within 1e-7 (Abramowitz & Stegun 1964, 9.4.1 and 9.4.3)."""
    x = abs(x)
    if x <= 3.0:
        t = x * x / 9.0
        return 1 + t * (
            -2.2499997 + t * (1.2656208 + t * (-0.3163866 + t * (0.0444479 + t * (-0.0039444 + t * 0.00021))))
        )
    t = 3.0 / x
    size = 0.79788456 + t * (
        -0.00000077 + t * (-0.0055274 + t * (-0.00009512 + t * (0.00137237 + t * (-0.00072805 + t * 0.00014476))))
    )
    phase = x + (
        -0.78539816
        + t
        * (-0.04166397 + t * (-0.00003954 + t * (0.00262573 + t * (-0.00054125 + t * (-0.00029333 + t * 0.00013558)))))
    )
    return size * math.cos(phase) / math.sqrt(x)
