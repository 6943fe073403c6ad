"""Ripley's L function: at which distances points cluster, and at which they keep apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from weald.geometry import Bounds, BoundsLike
from weald.numbers import whole_in
from weald.sampling.quality.correlation import pair_correlation
from weald.sampling.quality.sample import Array, Points, Sample
from weald.sampling.textbook.white_noise import white_noise

_MOST_SIMULATIONS = 1 << 20


@dataclass(frozen=True, eq=False)
class LFunction:
    """The L function, less the distance.

    Attributes
    ----------
    distance : ndarray of float64, shape (k,)
        Metres, growing.
    excess : ndarray of float64, shape (k,)
        ``L(r) - r`` in metres: 0 for white noise, above where points cluster, below where they keep apart.
    tolerance : float
        The largest size of ``excess`` in simulations of white noise of as many points; NaN without any. After 19
        of them, white noise leaves it by chance 1 time in 20.
    """

    distance: Array
    excess: Array
    tolerance: float


def l_function(
    points: Points,
    bounds: BoundsLike,
    *,
    periodic: bool = False,
    reach: float | None = None,
    bins: int = 200,
    simulations: int = 0,
) -> LFunction:
    """Return Ripley's L function of points in a box.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included.
    periodic
        Whether the box is a torus.
    reach
        Largest distance, in metres; a quarter of the shorter side of the box if not given, as is usual.
    bins
        At how many distances.
    simulations
        How often white noise is drawn to find the tolerance, 0 or more. The draws are always the same.

    Returns
    -------
    LFunction
        ``L(r) = sqrt(K(r) / pi)``, where ``K(r)`` times the density is how many others stand within ``r`` of a
        point on average, corrected for the edges as in `pair_correlation`.

    Raises
    ------
    InputError
        As `pair_correlation` does.

    Notes
    -----
    B. D. Ripley, "Modelling spatial patterns", 1977; L in place of K is J. Besag's, in its discussion. The
    tolerance is the Monte Carlo test of J. Besag and P. J. Diggle, "Simple Monte Carlo tests for spatial
    pattern", 1977, with the largest deviation as the statistic.

    Examples
    --------
    >>> lattice = [(x + 0.5, y + 0.5) for x in range(9) for y in range(9)]
    >>> near = l_function(lattice, (0, 0, 9, 9), periodic=True, reach=0.9, bins=9)
    >>> near.excess.round(1).tolist()
    [-0.1, -0.2, -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9]
    """
    most = _MOST_SIMULATIONS
    simulations = whole_in("simulations", simulations, f"a whole number, 0 or more, at most {most}", least=0, most=most)
    bins = whole_in("bins", bins, "a whole number of at least 1", least=1)
    sample = Sample.of(points, bounds, periodic)
    reach = min(sample.box.size) / 4 if reach is None else reach
    excess = _excess(points, sample.box, periodic, reach, bins)
    tolerance = math.nan
    for run in range(simulations):
        noise = white_noise(sample.box, len(sample), seed=f"L function {run}")
        deviation = float(np.abs(_excess(noise, sample.box, periodic, reach, bins)).max())
        tolerance = deviation if run == 0 else max(tolerance, deviation)
    return LFunction(np.linspace(0.0, reach, bins + 1)[1:], excess, tolerance)


def _excess(points: Points, box: Bounds, periodic: bool, reach: float, bins: int) -> Array:
    pairs = pair_correlation(points, box, periodic=periodic, reach=reach, bins=bins)
    edges = np.linspace(0.0, reach, bins + 1)
    k = np.cumsum(pairs.correlation * np.pi * np.diff(edges**2))
    return np.asarray(np.sqrt(k / np.pi) - edges[1:])
