"""Polygons as conditions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError, require_extra
from weald.fields.condition import Condition
from weald.fields.expression import Expression, Places, Values
from weald.geometry import Bounds


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inside(Condition):
    """The places inside polygons, made by `inside`.

    Attributes
    ----------
    bounds : Bounds
        The box around the polygons, in metres.
    """

    bounds: Bounds


def inside(polygons: Any) -> Inside:
    """Return the condition that a place is inside polygons; an edge is not inside.

    Parameters
    ----------
    polygons
        A shapely Polygon or MultiPolygon, which may have holes; or a sequence of polygons, each a
        shapely one or a sequence of (x, y) corners in metres, in either direction, closed or not.
        One sequence of corners is taken as one polygon. Polygons may touch and overlap: a place is
        inside if it is inside any.

    Raises
    ------
    InputError
        If there is no polygon, one has fewer than three corners, a corner is not finite, or an outline
        crosses itself (the message says where).
    MissingExtraError
        If shapely is not installed.

    Examples
    --------
    >>> garden = inside([[(0, 0), (10, 0), (10, 5), (0, 5)]])
    >>> garden([5, 15], 2).tolist(), garden.bounds
    ([True, False], Bounds(xmin=0.0, ymin=0.0, xmax=10.0, ymax=5.0))
    """
    shapely = require_extra("shapely", "vector", "a polygon rule")
    if isinstance(polygons, shapely.Geometry) or _is_outline(polygons):
        polygons = [polygons]
    elif not isinstance(polygons, (Iterable, np.ndarray)) or isinstance(polygons, str):
        raise InputError(f"polygons: got {polygons!r}; give shapely polygons or sequences of (x, y) corners")
    checked = [_checked(shapely, polygon, number) for number, polygon in enumerate(polygons)]
    if not checked:
        raise InputError("polygons: got none; give at least one")
    shape = checked[0] if len(checked) == 1 else shapely.union_all(checked)
    return Inside(_Polygons(shape), Bounds(*shape.bounds))


def _checked(shapely: Any, polygon: Any, number: int) -> Any:
    name = f"polygon {number}"
    if isinstance(polygon, shapely.Geometry):
        if not isinstance(polygon, (shapely.Polygon, shapely.MultiPolygon)):
            raise InputError(f"{name}: got a {polygon.geom_type}; give a Polygon or a MultiPolygon")
        if polygon.is_empty:
            raise InputError(f"{name}: it is empty; give at least three corners")
        _refuse_nan(shapely.get_coordinates(polygon), name)
        shape = shapely.force_2d(polygon)
    else:
        shape = shapely.Polygon(_corners(polygon, name))
    if not shapely.is_valid(shape):
        # such as "Self-intersection[5 5]"
        raise InputError(
            f"{name}: {shapely.is_valid_reason(shape)}; give an outline that does not cross or touch itself"
        )
    return shape


def _corners(polygon: Any, name: str) -> NDArray[np.float64]:
    try:
        corners = np.asarray(polygon, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: got {polygon!r}; give (x, y) corners, in metres") from None
    if corners.ndim != 2 or corners.shape[1] != 2:
        raise InputError(f"{name}: got corners of shape {corners.shape}; give (n, 2): x and y of each")
    _refuse_nan(corners, name)
    distinct = len(np.unique(corners, axis=0))
    if distinct < 3:
        raise InputError(f"{name}: has {distinct} different corners; give at least 3")
    return corners


def _refuse_nan(corners: NDArray[np.float64], name: str) -> None:
    bad = np.flatnonzero(~np.isfinite(corners).all(axis=1))
    if bad.size:
        x, y = corners[bad[0]].tolist()
        raise InputError(f"{name}: corner {bad[0]} is ({x}, {y}); give finite coordinates")


def _is_outline(polygons: Any) -> bool:
    try:
        array = np.asarray(polygons)
    except ValueError:  # corners of several outlines of different lengths
        return False
    return array.ndim == 2 and array.dtype.kind in "iuf"


@dataclass(frozen=True, slots=True, eq=False)
class _Polygons(Expression):
    """The inside of one shapely geometry."""

    shape: Any

    def __post_init__(self) -> None:
        self._prepare()

    def __setstate__(self, state: list[Any]) -> None:
        # what was prepared is not pickled, and preparing it later, in several threads, would be a race
        object.__setattr__(self, "shape", state[0])
        self._prepare()

    def _prepare(self) -> None:
        _shapely().prepare(self.shape)

    def at(self, places: Places) -> Values:
        """Ask shapely about every place in the box around the polygons."""
        x, y = places.points()
        xmin, ymin, xmax, ymax = self.shape.bounds
        answers: Values = (x >= xmin) & (x <= xmax) & (y >= ymin) & (y <= ymax)
        answers[answers] = _shapely().contains_xy(self.shape, x[answers], y[answers])
        return answers.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the call that made it, without the corners."""
        count = int(_shapely().get_num_geometries(self.shape))
        return f"inside(<{count} polygon{'s' * (count != 1)}>)"


def _shapely() -> Any:
    return require_extra("shapely", "vector", "a polygon rule")
