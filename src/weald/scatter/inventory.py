"""Inventory: what a forester would write down of a stand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from weald.arguments import table_of
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.sampling.quality import LFunction, clark_evans, l_function, nearest_distances
from weald.scatter.placements import Placements

_HECTARE = 1e4
_LEAST_AREA = 1e-12
"""Square metres of a box below which figures per hectare mean nothing, and at last cannot be computed."""
_MOST = 5_000
"""Above so many instances, about, the L function is that of the middle of the box."""

_NO_TIMBER = ("rock", "crystal", "mushroom")
"""Shapes without a stem of wood."""

_REACH = 8.0
"""The L function reaches so many mean spacings, unless the box is too small for it."""


_LAYERS = "a dict of Placements by name, such as World.layers returns"


@dataclass(frozen=True, slots=True)
class Entry:
    """One layer, or one species of it.

    Attributes
    ----------
    layer, species : str
        ``species`` is empty for the layer as a whole.
    count : int
        Instances in the box.
    per_hectare : float
    basal_area : float
        Square metres of stem cross-section a hectare: the sum of ``pi * (stem radius * scale)**2`` over all that
        has a stem of wood; rocks, crystals and mushrooms have none.
    nearest_mean, nearest_least : float
        Distance to the nearest instance of the same layer, or of the same species of it, mean and least, in
        metres; NaN below two instances.
    clark_evans : float
        Mean distance over what white noise of that density would have, corrected for edges: 1 for white
        noise, above 1 for spacing, below for clumps; NaN where there are too few.
    """

    layer: str
    species: str
    count: int
    per_hectare: float
    basal_area: float
    nearest_mean: float
    nearest_least: float
    clark_evans: float

    def as_dict(self) -> dict[str, Any]:
        """Return the entry as plain values; what is not known is None."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: None if isinstance(v, float) and math.isnan(v) else v for name, v in values.items()}


@dataclass(frozen=True, slots=True)
class Inventory:
    """What stands in a box: an entry for each layer, and one for each of its species if it has several.

    ``print(inventory)`` shows a table.
    """

    bounds: Bounds
    entries: tuple[Entry, ...]

    def __str__(self) -> str:
        head = ("layer", "species", "count", "per ha", "m²/ha", "nearest m", "least m", "Clark-Evans")
        rows = [head, *(_row(entry) for entry in self.entries)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = []
        for row in rows:
            words = [
                word.ljust(w) if k < 2 else word.rjust(w) for k, (word, w) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(words).rstrip())
        return "\n".join(lines)


def take_inventory(layers: Mapping[str, Placements], bounds: BoundsLike) -> Inventory:
    """Count and measure what stands in a box.

    Parameters
    ----------
    layers
        Placements by layer name; what lies outside of the box is left out.
    bounds
        Half-open box, in metres. All of its area counts, whether anything may grow there or not.

    Notes
    -----
    Clark-Evans after P. J. Clark and F. C. Evans, "Distance to nearest neighbor as a measure of spatial
    relationships in populations", 1954.

    Examples
    --------
    >>> from weald.scatter.species import Species
    >>> oak = Species("oak", "broadleaf", height=15, crown_radius=4, color="#556633", stem_radius=0.25)
    >>> xyz = [[x, y, 0] for x in range(5, 100, 10) for y in range(5, 100, 10)]
    >>> whole = take_inventory({"oaks": Placements.upright([oak], xyz)}, (0, 0, 100, 100)).entries[0]
    >>> whole.count, whole.per_hectare, round(whole.basal_area, 2), whole.nearest_mean
    (100, 100.0, 19.63, 10.0)
    """
    box = _measurable(bounds)
    table_of("layers", layers, Placements, _LAYERS)
    entries: list[Entry] = []
    for name, placed in layers.items():
        here = placed.inside(box)
        entries.append(_entry(name, "", here, box))
        present = np.unique(here.species).tolist()
        if len(present) > 1:
            entries += [_entry(name, here.species_table[k].name, here.of(k), box) for k in present]
    return Inventory(box, tuple(entries))


def l_functions(layers: Mapping[str, Placements], bounds: BoundsLike, *, simulations: int = 19) -> dict[str, LFunction]:
    """Return Ripley's L function of each layer that has three instances or more in a box.

    Of a layer of many instances it is that of the middle of the box, as large as has about 5,000 of them. It reaches
    eight mean spacings, at most a quarter of the shorter side.

    Parameters
    ----------
    layers, bounds
        As of `take_inventory`.
    simulations
        How often white noise is drawn to find the tolerance: see `weald.sampling.quality.l_function`.
    """
    box = _measurable(bounds)
    table_of("layers", layers, Placements, _LAYERS)
    curves: dict[str, LFunction] = {}
    for name, placed in layers.items():
        part, some = box, placed.inside(box)
        while len(some) > 1.5 * _MOST:
            part = _middle(part, math.sqrt(_MOST / len(some)))
            some = some.inside(part)
        if len(some) > 2:
            reach = min(min(part.size) / 4, _REACH * math.sqrt(part.area / len(some)))
            curves[name] = l_function(some.xyz[:, :2], part, reach=reach, simulations=simulations)
    return curves


def _measurable(bounds: BoundsLike) -> Bounds:
    """Return a box whose area is a number that can be divided by."""
    box = Bounds.of(bounds)
    if not _LEAST_AREA <= box.area < math.inf:
        raise InputError(
            f"bounds: {box.size[0]:g} x {box.size[1]:g} m is an area of {box.area:g} m2; "
            f"give a box of {_LEAST_AREA:g} m2 or more"
        )
    return box


def _entry(layer: str, species: str, placed: Placements, box: Bounds) -> Entry:
    hectares = box.area / _HECTARE
    stem = np.array([0.0 if one.shape in _NO_TIMBER else one.stem for one in placed.species_table])
    size = stem[placed.species] * placed.scale if len(placed) else np.empty(0)
    distance = nearest_distances(placed.xyz[:, :2], box) if len(placed) > 1 else np.array([math.nan])
    return Entry(
        layer,
        species,
        len(placed),
        len(placed) / hectares,
        math.pi * float((size * size).sum()) / hectares,
        float(distance.mean()),
        float(distance.min()),
        _clark_evans(placed, box),
    )


def _clark_evans(placed: Placements, box: Bounds) -> float:
    try:
        return clark_evans(placed.xyz[:, :2], box)
    except InputError:  # too few points
        return math.nan


def _middle(box: Bounds, share: float) -> Bounds:
    """Return the middle of a box, its sides a share of the box's."""
    width, depth = (0.5 * share * side for side in box.size)
    x, y = (box.xmin + box.xmax) / 2, (box.ymin + box.ymax) / 2
    return Bounds(x - width, y - depth, x + width, y + depth)


def _row(entry: Entry) -> tuple[str, ...]:
    def number(value: float, digits: int) -> str:
        return "-" if math.isnan(value) else f"{value:,.{digits}f}"

    return (
        entry.layer if not entry.species else "",
        entry.species or "all",
        f"{entry.count:,}",
        number(entry.per_hectare, 1),
        number(entry.basal_area, 2),
        number(entry.nearest_mean, 2),
        number(entry.nearest_least, 2),
        number(entry.clark_evans, 3),
    )
