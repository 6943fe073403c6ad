"""Distance: how far the nearest of some shapes is, as a field."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from weald.arguments import flag_of
from weald.errors import InputError, nearest
from weald.fields.expression import Expression, Places, Values, number_text
from weald.fields.field import Field
from weald.fields.polygon import Area, inside
from weald.fields.segments import Segments
from weald.fields.shapes import Floats, Kind, Shapes, rings
from weald.fields.systems import Systems
from weald.numbers import number

_KINDS: tuple[str, ...] = get_args(Kind)


def distance_to(
    shapes: Any,
    *,
    kind: Kind = "points",
    signed: bool = False,
    within: float = math.inf,
    crs: Any = None,
    shapes_crs: Any = None,
) -> Field:
    """Return the distance to the nearest of some shapes, in metres.

    Parameters
    ----------
    shapes
        One shape or a sequence of them. A shape is a shapely geometry of any type, a GeoJSON geometry,
        Feature or FeatureCollection as a dict, an object with ``__geo_interface__``, a GeoDataFrame or a
        GeoSeries, or an array of x, y in metres, shape (n, 2), of which ``kind`` says what it is.
    kind
        What an array is: n ``"points"``; a ``"line"`` through them; the outline of a ``"polygon"``.
    signed
        Whether places inside polygons have the distance to the outline below 0. Otherwise they have 0.
        Signed distances are for polygons alone; where those overlap, it is to the outline of all together.
    within
        Largest distance of interest, in metres: what is farther has this value. A small one is faster.
    crs, shapes_crs
        The system of the world's metres, such as ``terrain.crs``, and the one that the shapes are in, as in
        `inside`: GeoJSON is in degrees and needs ``crs``, as a GeoDataFrame with a system of its own does.

    Returns
    -------
    Field
        Exact up to rounding: a few units in the last place of the distance and of the longest segment's
        length. Its range is ``(0, within)``; signed, it goes down to half the narrower side of the box
        around a polygon.

    Raises
    ------
    InputError
        If there is no shape, one is empty, a coordinate is not finite, a polygon crosses itself,
        signed distances are asked for lines or points, or shapes are in another system than the world's and
        ``crs`` is not given.
    MissingExtraError
        If shapely is needed, for all but arrays of points and lines, and not installed.

    Notes
    -----
    Corners of a line are joined by straight segments in the plane, after projecting. Heights
    (z) of shapes are left out. A place costs about the logarithm of the number of segments.

    Examples
    --------
    >>> road = distance_to([(0, 0), (100, 0)], kind="line")
    >>> road, road.range
    (distance_to(<1 line>), (0.0, inf))
    >>> road([50, 103], [20, 4]).tolist()
    [20.0, 5.0]
    >>> lake = distance_to([(0, 0), (8, 0), (8, 8), (0, 8)], kind="polygon", signed=True)
    >>> lake([4, 11], [4, 12]).tolist(), lake.range
    ([-4.0, 5.0], (-4.0, inf))
    """
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"kind: got {kind!r}{nearest(str(kind), _KINDS)}; give one of {', '.join(_KINDS)}")
    limit = _limit(within)
    given = Shapes.of(shapes, kind, systems=Systems.of(crs, shapes_crs))
    signed = flag_of("signed", signed)
    if signed and (given.points or given.lines):
        raise InputError(f"signed: got {_words(given)}, and only polygons have an inside; give those, or signed=False")
    area = inside(given.polygons).area if given.polygons else None
    outlines = rings(area.shape if area is not None and signed else given.polygons) if given.polygons else []
    ends = [np.hstack([xy, xy]) for xy in given.points]
    ends += [np.hstack([xy[:-1], xy[1:]]) for xy in given.lines + outlines]
    deepest = min(area.inradius, limit) if area is not None and signed else 0.0
    options = ", signed=True" * signed + f", within={number_text(limit)}" * (limit < math.inf)
    written = f"distance_to(<{_words(given)}>{options})"
    return Field(Distance(Segments.of(np.concatenate(ends)), area, limit, deepest, written), (0.0 - deepest, limit))


@dataclass(frozen=True, slots=True, eq=False)
class Distance(Expression):
    """The distance to the nearest segment; within an area 0, or down to ``-deepest``."""

    segments: Segments
    area: Area | None
    limit: float
    deepest: float
    written: str

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The area."""
        return () if self.area is None else (self.area,)

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 300.0

    def at(self, places: Places) -> Values:
        """Search the segments from each place."""
        x, y = places.points()
        if self.area is None:
            return self.segments.distance(x, y, self.limit).reshape(places.shape)
        within = places.values(self.area).reshape(-1)
        asked = np.ones(x.size, bool) if self.deepest > 0.0 else ~within
        out: Floats = np.zeros(x.size)
        out[asked] = self.segments.distance(x[asked], y[asked], self.limit)
        if self.deepest > 0.0:
            np.negative(np.minimum(out, self.deepest), out=out, where=within)
        return out.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the call that made it, without the shapes."""
        return self.written


def _limit(within: float) -> float:
    limit = number(within)
    if limit is None or not limit > 0.0:
        raise InputError(f"within: got {within!r}; give metres above 0")
    return limit


def _words(shapes: Shapes) -> str:
    counts = {
        "point": sum(map(len, shapes.points)),
        "line": len(shapes.lines),
        "polygon": len(shapes.polygons),
    }
    return ", ".join(f"{count} {word}{'s' * (count != 1)}" for word, count in counts.items() if count)
