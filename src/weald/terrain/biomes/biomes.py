"""Biomes: kinds of country, read from fields of climate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.arguments import shown
from weald.errors import InputError
from weald.fields import Condition, Field, FieldLike
from weald.fields.expression import ATOM, COMPARE, Apply, Constant, Expression
from weald.geometry import Grid
from weald.hashing import key
from weald.terrain.biomes.blend import Blend, Votes, Weight
from weald.terrain.biomes.climate import checked_climate
from weald.terrain.biomes.table import Table, read
from weald.terrain.biomes.zones import Codes, Zones, first_that_holds, listed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Biomes(Zones):
    """Which biome every place has, and how much of each where borders are blended.

    Made by `from_table`. ``codes``, ``is_`` and calling are those of `Zones`: borders are sharp there.
    ``weight`` and ``blend`` are smooth across them.

    Attributes
    ----------
    kinds : Kinds
        Names and colours, in the order of the table.
    blend_radius : float or None
        How far a border reaches to either side, in metres.

    Examples
    --------
    >>> from weald.fields import perlin
    >>> height = perlin(seed="height", frequency=1 / 900).fbm(octaves=5) * 0.5 + 0.5
    >>> moisture = perlin(seed="moisture", frequency=1 / 600).fbm(octaves=3) * 0.5 + 0.5
    >>> table = {
    ...     "blend_radius": 60,
    ...     "biome": [
    ...         {"name": "sea", "color": "#3f6f92", "where": {"height": {"below": 0.4}}},
    ...         {"name": "marsh", "color": "#7d9a78", "where": {"moisture": {"from": 0.55}}},
    ...         {"name": "steppe", "color": "#c9b878"},
    ...     ],
    ... }
    >>> biomes = Biomes.from_table(table, {"height": height, "moisture": moisture})
    >>> [biomes.names[code] for code in biomes([0, 900], 0)]
    ['marsh', 'sea']
    >>> float(sum(biomes.weight(name)(0, 0) for name in biomes.names))
    1.0
    """

    blend_radius: float | None
    votes: Votes | None

    @classmethod
    def from_table(cls, table: Mapping[str, Any], climate: Mapping[str, FieldLike]) -> Biomes:
        """Return biomes from a plain table, as TOML gives it, over fields of climate.

        Parameters
        ----------
        table
            ``biome`` is the list of biomes. Each has a ``name``, a ``color`` (``"#rrggbb"``), and either

            - ``where``: ranges of the axes, half-open: ``{"height": {"from": 0.3, "below": 0.6}}``, one end
              or both. The first biome whose ranges all hold is the place's; the last biome has no ``where``
              and takes the rest. Put extremes of height first, then moisture.
            - or ``at``: its place in climate space, a number for every axis: ``{"temperature": 0.2,
              "humidity": 0.7}``. The nearest biome is the place's; of equally near ones the first.

            ``weights`` are factors on the axes for ``at``: the squared distance is the sum of
            ``weight * (climate - at)**2``; 1 where left out, 0 to leave an axis out of it.
            ``blend_radius`` is how far borders are blended, in metres, and ``seed`` (0) that of the
            scattered points that do it.
        climate
            Fields of (x, y) by the name of their axis, in whatever units the table is in.

        Raises
        ------
        InputError
            If a key or an axis is unknown, a value is impossible, or a biome could never occur.

        Warns
        -----
        UserWarning
            If two axes are made of the same noise: same basis, seed and frequency.
        """
        axes = checked_climate(climate)
        read_table = read(table, tuple(axes))
        expression = _ranges(read_table, axes) if read_table.ranges else _nearest(read_table, axes)
        votes = None
        if read_table.blend_radius is not None:
            lattice = key(read_table.seed, "biome blend")
            votes = Votes(expression, read_table.kinds.dtype, read_table.kinds.void, lattice, read_table.blend_radius)
        return cls(read_table.kinds, expression, read_table.blend_radius, votes)

    def weight(self, name: str) -> Field:
        """Return how much of a place is of a biome: a Field in [0, 1]; over all biomes they sum to 1.

        Points are scattered at random over the plane, one to each square of a third of ``blend_radius``.
        Each has the biome of its place, and counts at a place at distance d by ``(1 - d²/r²)²``, divided by
        the sum over all. So the weights change smoothly, with a continuous slope; more than
        ``blend_radius`` from a border they are 0 and 1. A normalised sparse convolution: Knutsson and
        Westin, "Normalized and differential convolution" (CVPR 1993); for biomes KdotJPG, "Fast biome
        blending, without squareness" (2021).

        Nothing beyond ``blend_radius`` of a place counts. Void places have no vote; NaN where all are void.

        Raises
        ------
        InputError
            If the table has no ``blend_radius``, or no biome has the name.
        """
        code = self.kinds.code(name)
        return Field(Weight(self._votes(), code, f"{self!r}.weight({name!r})"), (0.0, 1.0))

    def blend(self, values: Mapping[str, FieldLike]) -> Field:
        """Return a field of each biome, blended across borders: the sum of weight times value.

        Parameters
        ----------
        values
            A number or a field for every biome, by name: heights, densities, a channel of colour.
        """
        if not isinstance(values, Mapping):
            raise InputError(f"values: got {shown(values)}; give a dict of numbers and fields by name")
        for name in values:
            self.kinds.code(name)
        missing = [name for name in self.names if name not in values]
        if missing:
            raise InputError(f"values: {', '.join(missing)} missing; give a number or a field for every biome")
        fields = [Field.of(values[name]) for name in self.names]
        low, high = min(field.range[0] for field in fields), max(field.range[1] for field in fields)
        parts = tuple(field.expression for field in fields)
        return Field(Blend(self._votes(), parts, self.names, low, high), (low, high))

    def weights(self, grid: Grid) -> NDArray[np.float64]:
        """Return the weights of all biomes on a grid, of shape (n, ny, nx)."""
        return np.stack([self.weight(name).sample(grid) for name in self.names])

    def _votes(self) -> Votes:
        if self.votes is None:
            raise InputError("biomes: the table has no blend_radius; give it, in metres, to blend borders")
        return self.votes


def _ranges(table: Table, axes: Mapping[str, Field]) -> Expression:
    # a void of any axis is no biome: NaN is the one value that does not equal itself
    known = Condition(Constant(True))
    for axis in {axis: None for limits in table.limits for axis in limits}:
        value = axes[axis].expression
        known = known & Condition(Apply(np.equal, (value, value), "known({0})", ATOM, (COMPARE, COMPARE)))
    conditions = []
    for limits in table.limits:
        holds = known
        for axis, (low, high) in limits.items():
            if low > -math.inf:
                holds = holds & (axes[axis] >= low)
            if high < math.inf:
                holds = holds & (axes[axis] < high)
        conditions.append(holds.expression)
    return first_that_holds(table.kinds, tuple(conditions), "biomes")


def _nearest(table: Table, axes: Mapping[str, Field]) -> Expression:
    names = tuple(axis for axis in axes if table.weights[axis] > 0.0)
    find = partial(
        _find_nearest,
        places=tuple(tuple(place[axis] for axis in names) for place in table.places),
        weights=tuple(table.weights[axis] for axis in names),
        dtype=table.kinds.dtype,
        void=table.kinds.void,
    )
    operands = tuple(axes[axis].expression for axis in names)
    return Apply(find, operands, listed("biomes", table.kinds), ATOM, (COMPARE,) * len(names))


def _find_nearest(
    *values: NDArray[np.float64],
    places: tuple[tuple[float, ...], ...],
    weights: tuple[float, ...],
    dtype: np.dtype[Any],
    void: int,
) -> Codes:
    codes = np.full(values[0].shape, void, dtype)
    least = np.full(values[0].shape, np.inf)
    for number, place in enumerate(places):
        distance = np.zeros(values[0].shape)
        for value, at, weight in zip(values, place, weights, strict=True):
            away = value - at
            distance += weight * (away * away)
        nearer = distance < least  # of equal ones the first stays; NaN is never nearer
        codes[nearer] = number
        least[nearer] = distance[nearer]
    return codes
