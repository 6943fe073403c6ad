"""All measures of one set of points, as a table and as a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike

from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.sampling.quality import correlation as pairs
from weald.sampling.quality import spacing
from weald.sampling.quality.cells import BondOrder, Hole, bond_order, largest_hole, uncovered_share
from weald.sampling.quality.sample import Array, Points, Sample, inner_box, radii
from weald.sampling.quality.spectrum import Spectrum, power_spectrum


@dataclass(frozen=True, slots=True, eq=False)
class QualityReport:
    """The figures of a set of points; ``print`` shows them as a table.

    Attributes
    ----------
    count : int
        Number of points, N.
    bounds : Bounds
        The box that they fill.
    periodic : bool
        Whether the box was measured as a torus.
    radius : tuple of float
        Least and largest spacing radius, in metres.
    minimum_distance, mean_distance : float
        Least and mean distance to the nearest other point, in metres.
    relative_distance : float
        Least distance over the larger radius of the two; at least 1 without conflicts.
    minimum_hexagonal, mean_hexagonal : float
        Least and mean distance over `hexagonal_spacing`, from 0 to 1.
    conflicts : int
        Pairs nearer than the larger radius of the two.
    packing : float
        Share of the area under discs of half the radius.
    uncovered : float
        Share of the area where another point would fit.
    hole : Hole
        The largest empty circle, in metres.
    clark_evans : float
        Clark-Evans index, 0 to 2.149; 1 is white noise.
    effective_nyquist, oscillations : float
        The figures of Heck, Schlömer & Deussen 2013; see the functions of these names.
    anisotropy_db : float
        Mean over rings of the spectrum, in decibel; about 0 for a set without favoured directions.
    bond_order : BondOrder
        Sixfold order of neighbours, ``.overall`` and ``.local``, from 0 to 1.
    nearest : ndarray of float64, shape (N,)
        Distance from each point to the nearest other one, in metres.
    spectrum : Spectrum
        Power at integer frequencies of the box, up to 3 cycles a mean spacing.
    correlation : PairCorrelation
        Pair correlation as far as 8 mean spacings.

    Notes
    -----
    What asks for an interior (mean distance and Clark-Evans without a torus, bond order) is NaN for sets
    so small that they have none.
    """

    count: int
    bounds: Bounds
    periodic: bool
    radius: tuple[float, float]
    minimum_distance: float
    mean_distance: float
    relative_distance: float
    minimum_hexagonal: float
    mean_hexagonal: float
    conflicts: int
    packing: float
    uncovered: float
    hole: Hole
    clark_evans: float
    effective_nyquist: float
    oscillations: float
    anisotropy_db: float
    bond_order: BondOrder
    nearest: Array = field(repr=False)
    spectrum: Spectrum = field(repr=False)
    correlation: pairs.PairCorrelation = field(repr=False)
    _xy: Array = field(repr=False)
    _each: Array = field(repr=False)

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """Name, value and a word of explanation of each figure, as the table shows them."""
        low, high = self.radius
        across = "torus" if self.periodic else "box"
        width, depth = self.bounds.size
        one = low == high
        hole = (self.hole.radius / low, f"radii, {self.hole.radius:.5g} m") if one else (self.hole.radius, "m")
        figures: list[tuple[str, str | float, str]] = [
            ("points", f"{self.count}", f"in a {across} of {width:g} x {depth:g} m"),
            ("radius", f"{low:g}" if one else f"{low:.4g}..{high:.4g}", "m"),
            ("conflicts", f"{self.conflicts}", "pairs nearer than a radius"),
            ("least distance", self.relative_distance, "of the larger radius"),
            ("", self.minimum_hexagonal, "of the hexagonal spacing"),
            ("mean distance", self.mean_hexagonal, "of the hexagonal spacing"),
            ("packing", self.packing, "of the area, half-radius discs"),
            ("uncovered", f"{self.uncovered:.3g}" if self.uncovered else "0", "of the area"),
            ("largest hole", *hole),
            ("Clark-Evans", self.clark_evans, "1 is white noise, 2.149 hexagonal"),
            ("effective Nyquist", self.effective_nyquist, "1 is a square lattice"),
            ("oscillations", self.oscillations, "0 is a step"),
            ("anisotropy", f"{self.anisotropy_db:.2f} dB", "0 favours no direction"),
            ("bond order", self.bond_order.overall, "overall; 1 is hexagonal"),
            ("", self.bond_order.local, "around each point"),
        ]
        return [(name, _digits(value), words) for name, value, words in figures]

    def __str__(self) -> str:
        """Return the table."""
        return "\n".join(f"{name:<18} {value:>9}  {words}".rstrip() for name, value, words in self.rows)

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw points, spectrum, radial spectrum with anisotropy, pair correlation and distances as PNG.

        Parameters
        ----------
        path
            The file to write; its folder must exist. A file of that name is replaced whole or not at all.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        # not needed by those who only measure
        from weald.sampling.quality.picture import draw

        draw(self, self._xy, self._each, path)


def report(
    points: Points,
    bounds: BoundsLike,
    *,
    radius: ArrayLike | None = None,
    periodic: bool = False,
    border: float = 0.0,
) -> QualityReport:
    """Measure a set of points in every way that weald knows.

    Parameters
    ----------
    points : PointSet or array_like, shape (n, 2)
        At least 2 points, in metres.
    bounds
        The box that they fill, its edges included.
    radius : array_like, shape () or (n,), optional
        Spacing in metres; a PointSet brings its own.
    periodic
        Whether the box is a torus: its opposite edges are the same line.
    border
        Width in metres of a strip along the edges where no holes are looked for: for a window of a larger
        set, a radius, as points outside the window may cover some of the strip.

    Returns
    -------
    QualityReport
        Frozen; ``print`` it, or draw it with ``.plot(path)``.

    Raises
    ------
    InputError
        If points, radius or border cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> from weald import poisson_disk
    >>> box = (0, 0, 60, 60)
    >>> quality = report(poisson_disk(None, 1.0, seed=5, window=box), box, border=1.0)
    >>> quality.conflicts, quality.uncovered < 1e-9, round(quality.packing, 2)
    (0, True, 0.55)
    """
    sample = Sample.of(points, bounds, periodic)
    each = radii(points, radius, len(sample))
    inner_box(sample, border)
    xy, box = sample.xy, sample.box
    hexagonal = spacing.hexagonal_spacing(len(xy), box.area)
    nearest = spacing.nearest_distances(xy, box, periodic=periodic)
    try:
        mean = float(spacing.interior(sample, nearest).mean())
    except InputError:
        mean = math.nan
    # a box so flat that 3 cycles a mean spacing are not one across it
    flat = 1.001 / (math.sqrt(sample.density) * min(box.size))
    spectrum = power_spectrum(xy, box, highest=max(3.0, flat))
    correlation = pairs.pair_correlation(xy, box, periodic=periodic)
    frequency, power = pairs.smooth_spectrum(correlation)
    anisotropy = spectrum.radial().anisotropy_db
    known = anisotropy[np.isfinite(anisotropy)]
    return QualityReport(
        count=len(xy),
        bounds=box,
        periodic=sample.periodic,
        radius=(float(each.min()), float(each.max())),
        minimum_distance=float(nearest.min()),
        mean_distance=mean,
        relative_distance=spacing.relative_distance(xy, box, radius=each, periodic=periodic),
        minimum_hexagonal=float(nearest.min()) / hexagonal,
        mean_hexagonal=mean / hexagonal,
        conflicts=len(spacing.conflicts(xy, box, radius=each, periodic=periodic)),
        packing=spacing.packing_share(xy, box, radius=each),
        uncovered=uncovered_share(xy, box, radius=each, periodic=periodic, border=border),
        hole=largest_hole(xy, box, periodic=periodic, border=border),
        clark_evans=mean * 2 * math.sqrt(sample.density),
        effective_nyquist=pairs.effective_nyquist(frequency, power),
        oscillations=pairs.oscillations(frequency, power),
        anisotropy_db=10 * math.log10(float((10 ** (known / 10)).mean())) if len(known) else math.nan,
        bond_order=bond_order(xy, box, periodic=periodic),
        nearest=nearest,
        spectrum=spectrum,
        correlation=correlation,
        _xy=xy,
        _each=each,
    )


def _digits(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return "-" if math.isnan(value) else f"{value:.4f}"
