"""Tiles: a field cut by a table of thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError, nearest
from weald.fields import Field
from weald.fields.expression import ATOM, COMPARE, Apply
from weald.numbers import is_number
from weald.terrain.biomes.zones import Codes, Kinds, Zones

LAND: tuple[Mapping[str, Any], ...] = (
    {"name": "water", "below": 0.3, "color": "#3f6f92"},
    {"name": "sand", "below": 0.5, "color": "#dfcb94"},
    {"name": "grass", "below": 0.7, "color": "#94ae62"},
    {"name": "forest", "below": 0.85, "color": "#4f7747"},
    {"name": "mountain", "color": "#9a9088"},
)
"""The table of many tutorials on noise worlds."""

_KEYS = ("name", "below", "color")


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """A table of thresholds: which values of a field are which kind of tile.

    A tile takes the values from the threshold before it, which belongs to it, up to its own, which does
    not: half-open, so every value is of exactly one tile.

    Attributes
    ----------
    kinds : Kinds
        Names and colours, in the order of the table.
    thresholds : tuple of float
        Where each tile but the last ends.
    range : tuple of float
        What the table is made for: a field must not leave it.

    Examples
    --------
    >>> from weald.fields import perlin
    >>> height = perlin(seed=1, frequency=1 / 64).fbm(octaves=4) * 0.5 + 0.5
    >>> land = Tiles.from_table().classify(height)
    >>> land.names
    ('water', 'sand', 'grass', 'forest', 'mountain')
    >>> land([0, 40, 80], 0).tolist()
    [1, 1, 2]
    """

    kinds: Kinds
    thresholds: tuple[float, ...]
    range: tuple[float, float]

    def __repr__(self) -> str:
        ends = [f"{name} < {end:g}" for name, end in zip(self.kinds.names, self.thresholds, strict=False)]
        return f"Tiles({', '.join([*ends, self.kinds.names[-1]])})"

    @classmethod
    def from_table(cls, table: Sequence[Mapping[str, Any]] = LAND, *, range: tuple[float, float] = (0.0, 1.0)) -> Tiles:
        """Return tiles from plain rows, as TOML gives them.

        Parameters
        ----------
        table
            Rows in growing order, each with ``name``, ``color`` (``"#rrggbb"``) and ``below``, where the
            tile ends; the last has no ``below``. The default: water < 0.3, sand < 0.5, grass < 0.7,
            forest < 0.85, mountain.
        range
            What the field's values lie in. A field that may leave it is refused: a noise of -1 to 1 sent
            through thresholds of 0 to 1 would be nearly all water.

        Raises
        ------
        InputError
            If a key is unknown or missing, or the thresholds do not grow or leave the range.
        """
        low, high = _range(range)
        rows = _rows(table)
        kinds = Kinds.of([row.get("name") for row in rows], [row.get("color") for row in rows], "tiles")
        thresholds: list[float] = []
        for number, (row, name) in enumerate(zip(rows, kinds.names, strict=True)):
            if number == len(rows) - 1:
                if "below" in row:
                    raise InputError(
                        f"tiles: {name!r} is the last and has below = {row['below']!r}; leave it out: it takes the rest"
                    )
                break
            end = _number(row.get("below"), name)
            start = thresholds[-1] if thresholds else low
            if not start < end:
                before = (
                    f"{kinds.names[number - 1]!r} ends at {start:g}" if thresholds else f"the range starts at {low:g}"
                )
                raise InputError(
                    f"tiles: {name!r} ends at {end:g}, but {before}, so nothing is left for it; "
                    "sort the rows so that below grows"
                )
            if not end < high:
                raise InputError(
                    f"tiles: {name!r} ends at {end:g}, but the range ends at {high:g}, so nothing is left for "
                    f"{kinds.names[number + 1]!r}; give thresholds within the range"
                )
            thresholds.append(end)
        return cls(kinds, tuple(thresholds), (low, high))

    def classify(self, field: Field) -> Zones:
        """Return the tiles of a field at every place: void where it is NaN.

        Raises
        ------
        InputError
            If the field may leave the range that the table is made for.
        """
        field = Field.of(field)
        (low, high), (least, most) = self.range, field.range
        if least < low or most > high:
            fit = ""
            if math.isfinite(least) and math.isfinite(most):
                fit = f"field.remap([({least:g}, {low:g}), ({most:g}, {high:g})]), or "
            raise InputError(
                f"field: `{field!r}` has the range ({least:g}, {most:g}), and the tiles are made for "
                f"({low:g}, {high:g}); give {fit}a table with range=({least:g}, {most:g})"
            )
        if field.dimensions > 2:
            raise InputError(f"field: `{field!r}` is a function of more than (x, y); give a field of the plane")
        cut = partial(_cut, thresholds=self.thresholds, dtype=self.kinds.dtype, void=self.kinds.void)
        return Zones(self.kinds, Apply(cut, (field.expression,), "tiles({})", ATOM, (COMPARE,)))


def _cut(values: NDArray[np.float64], thresholds: tuple[float, ...], dtype: np.dtype[Any], void: int) -> Codes:
    codes: Codes = np.searchsorted(np.array(thresholds), values, side="right").astype(dtype)
    codes[np.isnan(values)] = void
    return codes


def _rows(table: Any) -> list[Mapping[str, Any]]:
    if isinstance(table, (str, Mapping)) or not isinstance(table, Sequence):
        raise InputError(f"tiles: got {table!r}; give a list of rows such as {{'name': 'water', 'below': 0.3, ...}}")
    for number, row in enumerate(table):
        if not isinstance(row, Mapping):
            raise InputError(f"tiles: row {number} is {row!r}; give a table with {', '.join(_KEYS)}")
        for key in row:
            if key not in _KEYS:
                raise InputError(
                    f"tiles: row {number} has {key!r}{nearest(str(key), _KEYS)}; a row has {', '.join(_KEYS)}"
                )
    return list(table)


def _number(value: Any, name: str) -> float:
    if not is_number(value):
        raise InputError(f"tiles: {name!r} has below = {value!r}; give the number at which it ends")
    return float(value)


def _range(value: Any) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in value)
    except (TypeError, ValueError):
        raise InputError(f"range: got {value!r}; give (low, high)") from None
    if not low < high:
        raise InputError(f"range: got ({low:g}, {high:g}); give low < high")
    return low, high
