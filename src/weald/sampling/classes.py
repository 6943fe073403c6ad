"""Varying radii: classes of radius, one lattice each, the larger before the smaller.

Class k holds the points with radii from ``least * 2**k`` up to twice that. Each class is a dart
process of its own, on a lattice of its own; its darts land only where the radius is of its class,
and keep off all points of larger classes. Larger points never know of smaller ones. So the cost
of a class is that of its own points, whatever the spread of radii, and since every place belongs
to one class, nothing is left out.

A class's cells are opened only where its radii may occur. The radius is a black box, so this is
found by probing: from the largest cells down, four places a cell, one a quarter, and the quarters of a
cell are looked into if a probe of the cell or its neighbours comes near to what is sought. The resolution is thus a
fraction of the local radius.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.geometry import Bounds
from weald.hashing import mix_array
from weald.sampling.answers import clamp
from weald.sampling.extent import Extent
from weald.sampling.lattice import Lattice, Metric
from weald.sampling.state import STEPS

Array = NDArray[np.float64]
_Scalar = TypeVar("_Scalar", bound=np.generic)
_OUTLINE = 1 << 20
"""Cells of an outline at most: it is made before the threads start."""

RadiusFunction: TypeAlias = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Radius:
    """A radius that varies with place, clamped to a range."""

    function: RadiusFunction
    low: float
    high: float

    def __call__(self, x: Array, y: Array) -> Array:
        """Return radii at places, shape (n,), and check what the user's function gave."""
        values = np.asarray(self.function(x, y))
        if values.dtype.kind not in "iuf":
            raise InputError(f"radius: the function returned {values.dtype} values; return numbers")
        try:
            values = values if values.shape == x.shape else np.broadcast_to(values, x.shape)
        except ValueError:
            raise InputError(
                f"radius: the function was given {x.size} places and returned an array of shape {values.shape}; "
                f"return one number a place, shape {x.shape}"
            ) from None
        if values.dtype != np.float64 or not values.flags.c_contiguous or not values.flags.writeable:
            values = np.array(values, np.float64)  # one kind of array, so that the kernel is compiled once
        clamped = np.empty(values.shape)
        if clamp(values, self.low, self.high, clamped):
            first = int(np.argmax(np.isnan(values)))
            raise InputError(
                f"radius: the function returned NaN at ({x[first]}, {y[first]}); return a number for every place"
            )
        return clamped

    @property
    def classes(self) -> int:
        """How many classes there are: each spans a factor of two, and the largest holds twice its least radius, too."""
        return max(1, math.ceil(math.log2(self.high / self.low)))


def cut(values: NDArray[_Scalar], box: Extent, part: Extent) -> NDArray[_Scalar]:
    """Return a part of an array over a box."""
    return values[part.ymin - box.ymin : part.ymax - box.ymin, part.xmin - box.xmin : part.xmax - box.xmin]


def over(values: NDArray[_Scalar], box: Extent, other: Extent) -> NDArray[_Scalar]:
    """Return an array over a box as one over another; zero outside."""
    result = np.zeros(other.shape, values.dtype)
    part = other.intersection(box)
    if not part.empty:
        cut(result, other, part)[:] = cut(values, box, part)
    return result


def needed(wanted: NDArray[np.bool_], box: Extent) -> Extent:
    """Return the part of a box that holds all of its wanted cells."""
    rows, columns = np.flatnonzero(wanted.any(axis=1)), np.flatnonzero(wanted.any(axis=0))
    if len(rows) == 0:
        return Extent(box.xmin, box.ymin, box.xmin, box.ymin)
    return Extent(
        box.xmin + int(columns[0]),
        box.ymin + int(rows[0]),
        box.xmin + int(columns[-1]) + 1,
        box.ymin + int(rows[-1]) + 1,
    )


@dataclass(frozen=True)
class Opening:
    """What is known of the radius in the cells of a box, for one class.

    Attributes
    ----------
    wanted
        Which cells may hold a place of the class.
    step
        The least step of radius in each.
    sure
        Which hold, as far as was found, places of the class alone.
    """

    box: Extent
    wanted: NDArray[np.bool_]
    step: NDArray[np.uint8]
    sure: NDArray[np.bool_]

    def over(self, box: Extent) -> Opening:
        """Return it over another box; nothing is wanted outside."""
        wanted, sure = (over(values, self.box, box) for values in (self.wanted, self.sure))
        return Opening(box, wanted, over(self.step, self.box, box), sure)

    def needed(self, box: Extent) -> Extent:
        """Return the part of a box that holds all of its wanted cells."""
        box = box.intersection(self.box)
        return box if box.empty else needed(cut(self.wanted, self.box, box), box)


_NO_FLAGS = np.zeros((0, 0), np.bool_)
_NOTHING = Opening(Extent(0, 0, 0, 0), _NO_FLAGS, np.zeros((0, 0), np.uint8), _NO_FLAGS)


class Outline(NamedTuple):
    """Cells of a larger class, in a box: those that may hold places of the class sought."""

    number: int
    box: Extent
    kept: NDArray[np.bool_]

    def over(self, box: Extent) -> Outline:
        """Return it over another box; nothing is kept outside."""
        return Outline(self.number, box, over(self.kept, self.box, box))


@dataclass(frozen=True)
class RadiusClass:
    """One class of a varying radius."""

    radius: Radius
    number: int
    base: Lattice
    domain: Bounds | None
    key: int
    torus: Metric | None = None

    @functools.cached_property
    def metric(self) -> Metric:
        """How places of the smallest class become coordinates."""
        return Metric.of_plane(self.base) if self.torus is None else self.torus

    @property
    def low(self) -> float:
        """The least radius of the class."""
        return self.radius.low * 2.0**self.number

    @property
    def high(self) -> float:
        """No radius of the class lies above this."""
        return min(2.0 * self.low, self.radius.high)

    @property
    def lattice(self) -> Lattice:
        """The lattice of the class: that of class 0, enlarged."""
        return self.base.enlarged(self.number)

    @property
    def ends(self) -> tuple[float, float]:
        """Radii of this class are from the first up to below the second."""
        return self.low, math.inf if self.number == self.radius.classes - 1 else 2.0 * self.low

    def places(self, radius: Array) -> NDArray[np.int32]:
        """Return radii in places of the class's lattice, rounded up."""
        return self.metric.enlarged(self.number).lengths(radius).astype(np.int32)

    def outline(self, cells: Extent) -> Outline:
        """Return what larger cells show of a box: with it, `opening` need not start from the top for each part."""
        boxes = self._boxes(cells)
        outline = self._top(boxes)
        while outline.number > self.number + 1 and math.prod(boxes[outline.number - self.number - 1].shape) < _OUTLINE:
            outline, _ = self._finer(outline, boxes)
        return outline

    def spots(self, cells: Extent, outline: Outline, gap: int) -> list[Extent]:
        """Return boxes that together hold all cells of a box that may be wanted, cut where a gap has none."""
        scale = 1 << (outline.number - self.number)
        coarse = Extent(*(n // scale for n in cells[:2]), *(-(-n // scale) for n in cells[2:]))
        coarse = coarse.intersection(outline.box)
        if coarse.empty:
            return []
        spots = _spots(cut(outline.kept, outline.box, coarse), coarse, -(-gap // scale))
        return [Extent(*(scale * n for n in spot)).intersection(cells) for spot in spots]

    def opening(self, cells: Extent, outline: Outline | None = None) -> Opening:
        """Return which cells of a box may hold a place of the class; the answer for a cell is the same in any box.

        ``outline``, if known, must be of a box that holds this one.
        """
        boxes = self._boxes(cells)
        outline = self._top(boxes) if outline is None else outline.over(boxes[outline.number - self.number])
        top = self.radius.classes - 1
        found = self._probe(top, outline.box, outline.kept, 1) if self.number == top else np.empty((0, 0))
        while outline.number > self.number:
            if not outline.kept.any():
                return _NOTHING
            outline, found = self._finer(outline, boxes)
        least, most = _around(found, np.fmin), _around(found, np.fmax)
        wanted = outline.kept & (most >= self.low)
        sure = wanted & (least >= self.low)
        if self.number < top:
            wanted &= least < 2.0 * self.low
            sure &= most < 2.0 * self.low
        step = np.clip((np.where(wanted, least, self.low) / self.low - 1.0) * STEPS, 0, STEPS - 1)
        return Opening(outline.box, wanted, step.astype(np.uint8), sure)

    def _boxes(self, cells: Extent) -> list[Extent]:
        """Return, for this and each larger class, the box of its cells that matter for a box of cells."""
        boxes = [cells.grown(1)]
        for _ in range(self.number, self.radius.classes - 1):
            boxes.append(_halved(boxes[-1]).grown(1))
        return boxes

    def _top(self, boxes: list[Extent]) -> Outline:
        top = self.radius.classes - 1
        return Outline(top, boxes[-1], self._touched(top, boxes[-1]))

    def _finer(self, outline: Outline, boxes: list[Extent]) -> tuple[Outline, Array]:
        """Look into the cells of an outline; return that of their quarters, and the radius found in each quarter."""
        number, box, kept = outline
        quarters = self._probe(number, box, kept, 2)
        near = kept & (_around(_of_quarters(quarters, np.fmin), np.fmin) < 2.0 * self.low)
        # the part where there is anything, with what was found around it
        part = needed(near, box).grown(1).intersection(_halved(boxes[number - 1 - self.number])).intersection(box)
        if part.empty:
            part = Extent(box.xmin, box.ymin, box.xmin, box.ymin)
        finer = Extent(2 * part.xmin, 2 * part.ymin, 2 * part.xmax, 2 * part.ymax)
        kept = np.repeat(np.repeat(cut(near, box, part), 2, axis=0), 2, axis=1) & self._touched(number - 1, finer)
        whole = Extent(2 * box.xmin, 2 * box.ymin, 2 * box.xmax, 2 * box.ymax)
        return Outline(number - 1, finer, kept), cut(quarters, whole, finer)

    def _touched(self, number: int, box: Extent) -> NDArray[np.bool_]:
        """Return which cells of class ``number`` the domain may touch."""
        touched = np.ones(box.shape, np.bool_)
        if self.domain is not None:
            metric = self.metric.enlarged(number)
            (x0, y0), (across, up) = metric.origin, metric.side
            x, y = x0 + np.arange(box.xmin, box.xmax) * across, y0 + np.arange(box.ymin, box.ymax) * up
            touched &= (x + across >= self.domain.xmin) & (x <= self.domain.xmax)
            touched &= ((y + up >= self.domain.ymin) & (y <= self.domain.ymax))[:, None]
        return touched

    def _probe(self, number: int, box: Extent, kept: NDArray[np.bool_], side: int) -> Array:
        """Return the radius at a place in each of side x side parts of the cells of class ``number`` that are kept.

        One entry a part, NaN where none was looked at.
        """
        metric = self.metric.enlarged(number)
        (x0, y0), (across, up) = metric.origin, metric.side
        row, column = np.nonzero(kept)
        i, j = (column + box.xmin).astype(np.int64), (row + box.ymin).astype(np.int64)
        i, j = (n % period if period else n for n, period in zip((i, j), metric.period, strict=True))
        bits = mix_array(i.astype(np.uint64) ^ (j.astype(np.uint64) << np.uint64(32)), self.key + number)
        x, y = np.empty((side, side, len(i))), np.empty((side, side, len(i)))
        for part in np.ndindex(side, side):
            # in the middle half of its share of the cell
            for out, low, cell, corner, share, shift in ((x, x0, across, i, part[1], 0), (y, y0, up, j, part[0], 32)):
                byte = (bits >> np.uint64(shift + 8 * (side * part[0] + part[1]))) & np.uint64(255)
                out[part] = low + (corner + (share + 0.25 + byte.astype(np.float64) / 512.0) / side) * cell
        if self.domain is not None:
            x = np.clip(x, self.domain.xmin, np.nextafter(self.domain.xmax, -np.inf))
            y = np.clip(y, self.domain.ymin, np.nextafter(self.domain.ymax, -np.inf))
        radius = self.radius(x.ravel(), y.ravel()).reshape(x.shape)
        found = np.full((side * kept.shape[0], side * kept.shape[1]), np.nan)
        for part in np.ndindex(side, side):
            found[part[0] :: side, part[1] :: side][kept] = radius[part]
        return found


def _spots(kept: NDArray[np.bool_], box: Extent, gap: int) -> list[Extent]:
    """Cut a box wherever more than ``gap`` rows or columns of it keep nothing, and the parts again."""
    part = needed(kept, box)
    if part.empty:
        return []
    kept = cut(kept, box, part)
    for axis in (0, 1):
        filled = np.flatnonzero(kept.any(axis=1 - axis))
        ends = np.flatnonzero(np.diff(filled) > gap)
        if len(ends):
            spots = []
            for first, last in zip(filled[np.r_[0, ends + 1]].tolist(), filled[np.r_[ends, -1]].tolist(), strict=True):
                if axis == 0:
                    strip = Extent(part.xmin, part.ymin + first, part.xmax, part.ymin + last + 1)
                else:
                    strip = Extent(part.xmin + first, part.ymin, part.xmin + last + 1, part.ymax)
                spots += _spots(cut(kept, part, strip), strip, gap)
            return spots
    return [part]


def _halved(box: Extent) -> Extent:
    """Return the box of cells twice as large that hold those of a box."""
    return Extent(box.xmin // 2, box.ymin // 2, -(-box.xmax // 2), -(-box.ymax // 2))


def _of_quarters(values: Array, choose: np.ufunc) -> Array:
    """Return the least (or largest) of the four entries of each two by two."""
    rows: Array = choose(values[::2], values[1::2])
    result: Array = choose(rows[:, ::2], rows[:, 1::2])
    return result


def _around(values: Array, choose: np.ufunc) -> Array:
    """Return the least (or largest) of each entry and its eight neighbours."""
    result = values.copy()
    choose(result[1:], values[:-1], out=result[1:])
    choose(result[:-1], values[1:], out=result[:-1])
    rows = result.copy()
    choose(result[:, 1:], rows[:, :-1], out=result[:, 1:])
    choose(result[:, :-1], rows[:, 1:], out=result[:, :-1])
    return result
