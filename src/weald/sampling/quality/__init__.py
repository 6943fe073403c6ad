"""How good a set of points is: spacing, coverage, spectrum, correlation, order.

Every measure is a pure function of points and the box that they fill. `report` takes them all.
"""

from weald.sampling.quality.cells import BondOrder, Hole, bond_order, largest_hole, uncovered_share
from weald.sampling.quality.correlation import (
    PairCorrelation,
    effective_nyquist,
    oscillations,
    pair_correlation,
    power_from_correlation,
)
from weald.sampling.quality.ripley import LFunction, l_function
from weald.sampling.quality.spacing import (
    clark_evans,
    conflicts,
    hexagonal_spacing,
    mean_distance,
    minimum_distance,
    nearest_distances,
    packing_share,
    relative_distance,
)
from weald.sampling.quality.spectrum import RadialSpectrum, Spectrum, power_spectrum
from weald.sampling.quality.summary import QualityReport, report

__all__ = [
    "BondOrder",
    "Hole",
    "LFunction",
    "PairCorrelation",
    "QualityReport",
    "RadialSpectrum",
    "Spectrum",
    "bond_order",
    "clark_evans",
    "conflicts",
    "effective_nyquist",
    "hexagonal_spacing",
    "l_function",
    "largest_hole",
    "mean_distance",
    "minimum_distance",
    "nearest_distances",
    "oscillations",
    "packing_share",
    "pair_correlation",
    "power_from_correlation",
    "power_spectrum",
    "relative_distance",
    "report",
    "uncovered_share",
]
