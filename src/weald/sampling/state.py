"""What the sampler's kernels work on: cells, darts, boxes, and the arithmetic they share.

Everything is a plain integer. Lengths are counted in places (see `weald.sampling.lattice`),
distances are squared in 64 bits and never rounded.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numba import int32, int64, njit, types, uint32, uint64
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.lattice import PLACES, REACH

EMPTY = 1 << 30
"""Position of a cell that holds no point."""

NOTHING, FOG = -1, -2
"""Values of ``Cells.head`` that are not the index of a dart."""

PENDING, HAZY, STANDS, VOID, OUTSIDE = 0, 1, 2, 3, 4
"""States of a dart. A hazy one may stand: that hangs on something outside, and no later pass will tell.

One outside the domain is void too, and no rule is asked about its place."""

LAST_LEVEL = 16
MASK_LEVEL = 3
"""Down to this level, a cell's uncovered boxes are the bits of one 64-bit word; then they are lists."""

WORD_SIDE = 1 << MASK_LEVEL
BOX = PLACES >> MASK_LEVEL
ALL = 0xFFFFFFFFFFFFFFFF

STEPS = 8
"""Where radii vary, those of one class are told apart in so many steps, from its least to twice that."""

FINER = 2
"""The steps of the table of what points cover are so many times finer: a point's own radius is known."""

_STEP = 0xD1342543DE82EF95


def near_cells(reach: int, dimension: int = 2) -> tuple[tuple[int, ...], ...]:
    """Return the offsets to all cells up to ``reach`` away, nearest first.

    Opposite offsets stand in pairs, so the opposite of number b is number ``b ^ 1``.
    """
    cells = itertools.product(range(-reach, reach + 1), repeat=dimension)
    half = sorted(
        (cell[::-1] for cell in cells if cell > (0,) * dimension),
        key=lambda cell: sum(along**2 for along in cell),
    )
    return tuple(both for cell in half for both in (cell, tuple(-along for along in cell)))


Varied: TypeAlias = tuple[()] | tuple[bool]
"""``(True,)`` if each point has a radius of its own; see `is_varied`."""


class Frame(NamedTuple):
    """The constants of one computation. Coordinates are places counted from its first cell."""

    key: np.uint64
    i0: int
    j0: int
    width: int
    height: int
    cell_x: int  # places along the sides of a cell: all, but for a torus whose sides do not fit
    cell_y: int
    period_i: int  # cells after which the world repeats, or 0
    period_j: int
    xmin: int  # of the domain
    ymin: int
    xmax: int
    ymax: int
    reach: int  # points whose cells are further apart than this never conflict
    varied: Varied
    least: int  # the least radius there is; 0 unless varied
    conflict: int  # squared distance below which two points conflict, whatever their radii
    farthest: int  # squared distance from which on two points never conflict
    near: NDArray[np.int32]  # offsets to the near cells, in the cell arrays
    near_x: NDArray[np.int32]  # and in places
    near_y: NDArray[np.int32]
    quanta: int
    covers: NDArray[np.uint64]  # see weald.sampling.cover.cover_table


class Cells(NamedTuple):
    """One entry a cell, row by row, rim included."""

    x: NDArray[np.int32]  # place of the cell's point inside the cell, or EMPTY
    y: NDArray[np.int32]
    live: NDArray[np.uint64]  # one bit a box of level 3: not known to be covered
    near: NDArray[np.uint64]  # one bit a near cell that holds a point
    head: NDArray[np.int32]  # first dart of this round, or NOTHING, or FOG
    radius: NDArray[np.int32]  # of the cell's point
    floor: NDArray[np.uint8]  # no place of the cell has a radius below this step


class Darts(NamedTuple):
    """The darts of one round; those of a cell stand side by side."""

    cell: NDArray[np.int32]
    bits: NDArray[np.uint64]  # place in the cell and arrival time: x, y and time << 32
    state: NDArray[np.uint8]
    radius: NDArray[np.int32]


class Boxes(NamedTuple):
    """Uncovered boxes of one level, below level 3: those of cell k are ``start[k] : start[k + 1]``."""

    cell: NDArray[np.int32]
    start: NDArray[np.int32]
    x: NDArray[np.uint16]
    y: NDArray[np.uint16]


class Fixed(NamedTuple):
    """Points that stood before: those near cell c, but not covering all of it, are ``start[c] : start[c + 1]``."""

    start: NDArray[np.int32]  # of length 1 if there are none at all
    x: NDArray[np.int64]
    y: NDArray[np.int64]
    limit: NDArray[np.int64]  # squared distance below which a point conflicts, whatever its radius


def first_bit(word: Any) -> Any:
    """Return the number of the lowest set bit of 64; at least one must be set."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


@intrinsic
def _trailing_zeros(typing: Any, word: Any) -> Any:
    """Count them by one machine instruction, for which LLVM has a name but Numba has none."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@overload(first_bit)
def _first_bit_in_kernels(word: Any) -> Any:
    def count(word: Any) -> Any:
        return _trailing_zeros(uint64(word))  # type: ignore[call-arg]

    return count


@njit(inline="always")
def is_varied(frame: Any) -> Any:
    """Return 1 if each point has a radius of its own, else 0.

    The length of a tuple is part of its type. So Numba compiles each kernel twice, and in the one for a
    single radius nothing is left of radii.
    """
    return len(frame.varied)


@njit(inline="always")
def near_count(frame: Any) -> Any:
    """Return how many near cells there are: 24 or 48, a constant to the compiler."""
    return (2 * (REACH + is_varied(frame)) + 1) ** 2 - 1


@njit(inline="always")
def own(frame: Any, values: Any, k: Any) -> Any:
    """Return a radius or floor; 0 unless radii vary, when the array holds one zero."""
    return int64(values[uint64(is_varied(frame)) * uint64(k)]) * is_varied(frame)


@njit(inline="always")
def at(cell: Any, offset: Any) -> Any:
    """Return the index of a near cell. Unsigned, so that Numba need not ask whether it counts from the end."""
    return uint64(int64(cell) + int64(offset))


@njit(inline="always")
def dart_x(bits: Any) -> Any:
    """Return where in its cell a dart landed."""
    return int32(bits & uint64(0xFFFF))


@njit(inline="always")
def dart_y(bits: Any) -> Any:
    """Return where in its cell a dart landed."""
    return int32((bits >> uint64(16)) & uint64(0xFFFF))


@njit(inline="always")
def dart_time(bits: Any) -> Any:
    """Return when in its round a dart arrived."""
    return uint32(bits >> uint64(32))


@njit(inline="always")
def land(bits: Any, level: Any, bx: Any, by: Any) -> Any:
    """Return a hash with its place moved into box (bx, by) of a level."""
    x = (uint64(bx) << uint64(LAST_LEVEL - level)) | ((bits & uint64(0xFFFF)) >> uint64(level))
    y = (uint64(by) << uint64(LAST_LEVEL - level)) | (((bits >> uint64(16)) & uint64(0xFFFF)) >> uint64(level))
    return x | (y << uint64(16)) | (bits & uint64(0xFFFFFFFF00000000))


@njit(inline="always")
def round_key(key: Any, number: Any) -> Any:
    """Return the key of a round."""
    return mix(uint64(key) + uint64(number + 1) * uint64(GOLDEN))


@njit(inline="always")
def row_key(of_round: Any, j: Any) -> Any:
    """Return the key of a row of cells in the world, in a round."""
    return mix(uint64(of_round) ^ (uint64(int64(j)) * uint64(GOLDEN)))


@njit(inline="always")
def in_world(index: Any, first: Any, period: Any) -> Any:
    """Return the column (or row) of the world that one of the frame shows."""
    index = int64(index) + int64(first)
    return index % int64(period) if period > 0 else index


@njit(inline="always")
def cell_key(of_row: Any, i: Any) -> Any:
    """Return the key of a cell, by its column in the world."""
    return uint64(of_row + uint64(int64(i)) * uint64(_STEP))


@njit(inline="always")
def step_radius(least: Any, step: Any) -> Any:
    """Return the radius at a step between the least and twice that."""
    return int64(least) * (STEPS + int64(step)) // STEPS


@njit(inline="always")
def limit(conflict: Any, a: Any, b: Any) -> Any:
    """Return the squared distance below which points of radii ``a`` and ``b`` conflict."""
    radius = max(int64(a), int64(b))
    return max(int64(conflict), radius * radius + 1)


@njit(error_model="numpy", forceinline=True)
def hit(frame: Frame, cells: Cells, c: Any, x: Any, y: Any, radius: Any) -> Any:
    """Return whether a point of that radius at a place of cell ``c`` conflicts with a point near by."""
    points = cells.near[c]
    while points != uint64(0):
        b = first_bit(points)
        points = uint64(points & (points - uint64(1)))
        o = at(c, frame.near[b])
        dx = int64(cells.x[o] + frame.near_x[b] - x)
        dy = int64(cells.y[o] + frame.near_y[b] - y)
        if dx * dx + dy * dy < limit(frame.conflict, radius, own(frame, cells.radius, o)):
            return True
    return False


@njit(error_model="numpy")
def hit_fixed(frame: Frame, fixed: Fixed, c: Any, x: Any, y: Any, radius: Any) -> Any:
    """Return whether a point of that radius at a place of cell ``c`` conflicts with one that stood before."""
    j = c // frame.width
    gx, gy = int64(c - j * frame.width) * frame.cell_x + x, int64(j) * frame.cell_y + y
    for f in range(fixed.start[c], fixed.start[c + 1]):
        dx, dy = fixed.x[f] - gx, fixed.y[f] - gy
        if dx * dx + dy * dy < limit(fixed.limit[f], radius, 0):
            return True
    return False
