"""Discs so wide that the squares of their radii have more than 64 bits.

Seen from one cell, the edge of such a disc is nearly a straight line. So where it runs through a cell, a disc that 64
bits can square stands in for it: as wide as `weald.sampling.limits.DISC` allows, and so placed that of the cell
it covers all that the wide disc covers, and less than five places more. Cells that lie wholly inside or outside need
none. How far a cell is from the edge is computed in Python's integers, from the disc and the cell alone, so the answer
does not depend on the window that is computed.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weald.exact import diagonal
from weald.sampling.lattice import Metric
from weald.sampling.limits import DISC
from weald.sampling.state import Frame

_SLACK = 64.0
"""Places by which a cell must be clear of the edge before float64 is trusted with it: its error is below one."""
_BACK = 2.0
"""Places by which a stand-in is moved out: it bulges by less than 1.01 in a cell, and its middle is rounded by 0.71."""


class StandIns(NamedTuple):
    """Discs of radius `DISC` in the place of wider ones, each for one cell of a frame."""

    cell: NDArray[np.int64]
    x: NDArray[np.int64]  # places counted from the frame's first cell
    y: NDArray[np.int64]


class _Disc(NamedTuple):
    """A wide disc in units so fine that everything is whole; its middle counted from the frame's first cell."""

    x: int
    y: int
    radius: int
    unit: tuple[int, int]  # of a place


def stand_in(
    frame: Frame, metric: Metric, xy: NDArray[np.float64], radius: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], StandIns]:
    """Return which cells of a frame wide discs cover (rows, columns), and what stands in where their edges run."""
    covered = np.zeros((frame.height, frame.width), np.bool_)
    cells: list[int] = []
    middles: list[tuple[int, int]] = []
    for (x, y), r in zip(xy.tolist(), radius.tolist(), strict=True):
        disc = _whole(frame, metric, x, y, r)
        away, half = _away(frame, disc)
        covered |= away < -half
        for row, column in np.argwhere((np.abs(away) <= half) & ~covered).tolist():
            place = _middle(frame, disc, column, row)
            if place is not None:
                cells.append(row * frame.width + column)
                middles.append(place)
    places = np.array(middles, np.int64).reshape(-1, 2)
    return covered, StandIns(np.array(cells, np.int64), places[:, 0].copy(), places[:, 1].copy())


def _whole(frame: Frame, metric: Metric, x: float, y: float, radius: float) -> _Disc:
    # what a user computes of a distance is rounded: by less than 2**-50 of it, and on a torus by the coordinates' share
    wide = Fraction(radius) * (1 + Fraction(1, 1 << 48)) + Fraction(metric.rounding)
    across, up = (Fraction(unit) for unit in metric.unit)
    # along an axis that repeats, discs stand on places: rounded coordinates must not tell their copies apart
    left, low = (
        round((at - start) / float(unit)) * unit if period else Fraction(at) - Fraction(start)
        for at, start, unit, period in zip((x, y), metric.origin, (across, up), metric.period, strict=True)
    )
    left, low = left - frame.i0 * frame.cell_x * across, low - frame.j0 * frame.cell_y * up
    # twice as fine as need be, so that the middles of cells are whole too
    scale = 2 * math.lcm(*(length.denominator for length in (wide, across, up, left, low)))
    return _Disc(int(left * scale), int(low * scale), math.ceil(wide * scale), (int(across * scale), int(up * scale)))


def _away(frame: Frame, disc: _Disc) -> tuple[NDArray[np.float64], float]:
    """Return about how far the cells' middles are from the edge, in places, and when cells are clear of it.

    ``(d² - r²) / 2r`` is the distance from the edge near it, and has its sign anywhere; the part that does not
    depend on the cell is exact before it is rounded.
    """
    x, y, radius, (across, up) = disc
    unit = min(across, up)
    corner = (x * x + y * y - radius * radius) / (2 * radius * unit)
    right = (np.arange(frame.width) + 0.5) * (frame.cell_x * (across / unit))
    high = (np.arange(frame.height) + 0.5) * (frame.cell_y * (up / unit))
    bend = unit / (2 * radius)
    along_x = right * (right * bend - x / radius)
    along_y = high * (high * bend - y / radius)
    half = 0.5 * diagonal((frame.cell_x * (across / unit), frame.cell_y * (up / unit))) + _SLACK
    return corner + along_x + along_y[:, None], half


def _middle(frame: Frame, disc: _Disc, column: int, row: int) -> tuple[int, int] | None:
    """Return the middle of what stands in for a disc in one cell; None where the edge does not reach the cell.

    The disc lies on one side of the line through its point nearest to the cell's middle; the stand-in covers
    that side of the cell.
    """
    across, up = disc.unit
    unit = min(across, up)
    x = disc.x - (2 * column + 1) * frame.cell_x * across // 2
    y = disc.y - (2 * row + 1) * frame.cell_y * up // 2
    square = x * x + y * y
    distance = math.isqrt(square)
    away = (square - disc.radius * disc.radius) / ((distance + disc.radius) * unit)
    # a place is not quite as wide as it is high on a torus: the line's direction as places see it
    along_x, along_y = x * across / (distance * unit), y * up / (distance * unit)
    length = math.sqrt(along_x * along_x + along_y * along_y)
    away, along_x, along_y = away / length, along_x / length, along_y / length
    if away > 0.5 * math.sqrt(frame.cell_x * frame.cell_x + frame.cell_y * frame.cell_y) + _BACK:
        return None
    far = DISC + away - _BACK
    left, low = column * frame.cell_x + frame.cell_x / 2, row * frame.cell_y + frame.cell_y / 2
    return round(along_x * far + left), round(along_y * far + low)
