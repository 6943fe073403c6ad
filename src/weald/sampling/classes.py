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
from weald.exact import doublings
from weald.geometry import Bounds
from weald.sampling.answers import clamp
from weald.sampling.extent import Extent
from weald.sampling.lattice import Lattice, Metric
from weald.sampling.probing import decide, narrow, probes, quarters, spread

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

    def of(self, xy: Array) -> Array:
        """Return the radii of points, shape (n, 2): copies are handed out, as the function may write into them."""
        x, y = xy.T.copy()
        return self(x, y) if len(x) else np.empty(0)

    @property
    def classes(self) -> int:
        """How many classes there are: each spans a factor of two, and the largest holds twice its least radius, too."""
        return max(1, doublings(self.high / self.low))


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
        if self.number == self.radius.classes - 1:
            box, kept, probed, side = (
                outline.box,
                outline.kept,
                self._probe(self.number, outline.box, outline.kept, 1),
                1,
            )
        while outline.number > self.number:
            if not outline.kept.any():
                return _NOTHING
            box, kept, side = outline.box, outline.kept, 2
            outline, probed = self._finer(outline, boxes)
        found = np.empty((outline.kept.shape[0] + 2, outline.kept.shape[1] + 2))
        spread(kept, side, probed, outline.box.xmin - side * box.xmin, outline.box.ymin - side * box.ymin, found)
        shape = outline.kept.shape
        wanted, sure, step = np.empty(shape, np.bool_), np.empty(shape, np.bool_), np.empty(shape, np.uint8)
        decide(outline.kept, found, *self.ends, wanted, sure, step)
        return Opening(outline.box, wanted, step, sure)

    def _boxes(self, cells: Extent) -> list[Extent]:
        """Return, for this and each larger class, the box of its cells that matter for a box of cells."""
        boxes = [cells.grown(1)]
        for _ in range(self.number, self.radius.classes - 1):
            boxes.append(_halved(boxes[-1]).grown(1))
        return boxes

    def _top(self, boxes: list[Extent]) -> Outline:
        top = self.radius.classes - 1
        across, up = self._touched(top, boxes[-1])
        return Outline(top, boxes[-1], across & up[:, None])

    def _finer(self, outline: Outline, boxes: list[Extent]) -> tuple[Outline, Array]:
        """Look into the cells of an outline; return that of their quarters, and the four probes of each cell."""
        number, box, kept = outline
        probed = self._probe(number, box, kept, 2)
        near = np.empty(box.shape, np.bool_)
        xmin, ymin, xmax, ymax = narrow(kept, probed, 2.0 * self.low, near)
        # the part where there is anything, with what was found around it
        part = Extent(box.xmin + xmin, box.ymin + ymin, box.xmin + xmax, box.ymin + ymax)
        if not part.empty:
            part = part.grown(1).intersection(_halved(boxes[number - 1 - self.number])).intersection(box)
        if part.empty:
            part = Extent(box.xmin, box.ymin, box.xmin, box.ymin)
        finer = Extent(*(2 * n for n in part))
        kept = np.empty(finer.shape, np.bool_)
        quarters(near, part.xmin - box.xmin, part.ymin - box.ymin, *self._touched(number - 1, finer), kept)
        return Outline(number - 1, finer, kept), probed

    def _touched(self, number: int, box: Extent) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which columns and rows of cells of class ``number`` the domain may touch."""
        if self.domain is None:
            return np.ones(box.shape[1], np.bool_), np.ones(box.shape[0], np.bool_)
        metric = self.metric.enlarged(number)
        (x0, y0), (across, up) = metric.origin, metric.side
        x, y = x0 + np.arange(box.xmin, box.xmax) * across, y0 + np.arange(box.ymin, box.ymax) * up
        return (
            (x + across >= self.domain.xmin) & (x <= self.domain.xmax),
            (y + up >= self.domain.ymin) & (y <= self.domain.ymax),
        )

    def _probe(self, number: int, box: Extent, kept: NDArray[np.bool_], side: int) -> Array:
        """Return the radius at a place in each of side x side parts of the cells of class ``number`` that are kept."""
        metric = self.metric.enlarged(number)
        ends = -math.inf, -math.inf, math.inf, math.inf
        if (domain := self.domain) is not None:
            last = math.nextafter(domain.xmax, -math.inf), math.nextafter(domain.ymax, -math.inf)
            ends = domain.xmin, domain.ymin, *last
        count = side * side * int(np.count_nonzero(kept))
        x, y = np.empty(count), np.empty(count)
        key = np.uint64((self.key + number) & 0xFFFFFFFFFFFFFFFF)
        probes(kept, (box.xmin, box.ymin), metric.period, metric.origin, metric.side, key, side, ends, x, y)
        return self.radius(x, y)


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
