"""What the kernels of space work on: cells, darts, boxes, and the arithmetic they share.

As in the plane (`weald.sampling.state`): plain integers, lengths in places, squares in 64 bits.
A place in a cell and a time, 16 bits each, make one word: x, y << 16, z << 32, time << 48.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from weald.hashing import GOLDEN, mix
from weald.sampling.lattice import PLACES
from weald.sampling.state import ALL, LAST_LEVEL, at, first_bit
from weald.sampling.workspace import Workspace

NO_POINT = -1
"""Place of a cell that holds no point."""
UNDECIDED = -2
"""Place of a cell of which nothing is known yet."""

_STEP = 0xD1342543DE82EF95
_WORD = 62  # near cells in each of two words

UNKNOWN = 4
"""State of a dart that fog may void; the other states are those of the plane."""

POINTS = (1 << _WORD) - 1
FOG_NEAR = 1 << 63
"""Bit of a cell's second word of near points that says that there may be fog in a near cell."""
FOG_BOX = PLACES >> 2
"""Side of the boxes of level 2, in which fog is counted."""


class Frame(NamedTuple):
    """The constants of one computation. Coordinates are places counted from its first cell."""

    key: np.uint64
    i0: int
    j0: int
    k0: int
    nx: int
    ny: int
    nz: int
    xmin: int  # of the domain
    ymin: int
    zmin: int
    xmax: int
    ymax: int
    zmax: int
    conflict: int  # squared distance below which two points conflict
    near: NDArray[np.int32]  # offsets to the near cells, in the cell arrays
    near_x: NDArray[np.int32]  # and in places
    near_y: NDArray[np.int32]
    near_z: NDArray[np.int32]


class Cells(NamedTuple):
    """One entry a cell, layer by layer, rim included."""

    place: NDArray[np.int64]  # of the cell's point, or NO_POINT
    near: NDArray[np.uint64]  # one bit a near cell that holds a point; two words a cell
    head: NDArray[np.int32]  # first dart of this slice, or NOTHING
    open: NDArray[np.bool_]  # a point may come yet
    fog: NDArray[np.uint64]  # one bit a box of level 2, in which an unknown point may stand


class Darts(NamedTuple):
    """Some darts; those of a cell stand side by side."""

    cell: NDArray[np.int32]
    bits: NDArray[np.uint64]
    state: NDArray[np.uint8]


class Boxes(NamedTuple):
    """Uncovered boxes of one level: those of cell number k are ``start[k] : start[k + 1]``."""

    cell: NDArray[np.int32]
    start: NDArray[np.int32]
    x: NDArray[np.uint16]
    y: NDArray[np.uint16]
    z: NDArray[np.uint16]


class Discs(NamedTuple):
    """Room for the points near one cell, in places counted from it."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    z: NDArray[np.int64]


def room_for_cells(space: Workspace, size: int) -> Cells:
    """Return room for the state of ``size`` cells."""
    return Cells(
        space.take("place", np.int64, size),
        space.take("near", np.uint64, 2 * size),
        space.take("head", np.int32, size),
        space.take("open", np.bool_, size),
        space.take("fog", np.uint64, size),
    )


def room_for_darts(space: Workspace, name: str, size: int) -> Darts:
    """Return room for ``size`` darts."""
    return Darts(
        space.take(name + " cell", np.int32, size),
        space.take(name + " bits", np.uint64, size),
        space.take(name + " state", np.uint8, size),
    )


def room_for_boxes(space: Workspace, turn: int, cells: int, boxes: int) -> Boxes:
    """Return room for the boxes of one level; two turns alternate, one read while the other is written."""
    return Boxes(
        space.take(f"box cell {turn}", np.int32, cells),
        space.take(f"box start {turn}", np.int32, cells + 1),
        *(space.take(f"box {axis} {turn}", np.uint16, boxes) for axis in "xyz"),
    )


@njit(inline="always")
def place_x(bits: Any) -> Any:
    """Return where in its cell a dart or a point lies."""
    return int64(uint64(bits) & uint64(0xFFFF))


@njit(inline="always")
def place_y(bits: Any) -> Any:
    """Return where in its cell a dart or a point lies."""
    return int64((uint64(bits) >> uint64(16)) & uint64(0xFFFF))


@njit(inline="always")
def place_z(bits: Any) -> Any:
    """Return where in its cell a dart or a point lies."""
    return int64((uint64(bits) >> uint64(32)) & uint64(0xFFFF))


@njit(inline="always")
def dart_time(bits: Any) -> Any:
    """Return when in its round a dart arrived."""
    return uint64(bits) >> uint64(48)


@njit(inline="always")
def land(bits: Any, level: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Return a hash with its place moved into box (bx, by, bz) of a level."""
    rest = uint64(LAST_LEVEL - level)
    x = (uint64(bx) << rest) | (uint64(place_x(bits)) >> uint64(level))
    y = (uint64(by) << rest) | (uint64(place_y(bits)) >> uint64(level))
    z = (uint64(bz) << rest) | (uint64(place_z(bits)) >> uint64(level))
    return x | (y << uint64(16)) | (z << uint64(32)) | (dart_time(bits) << uint64(48))


@njit(inline="always")
def cell_key(of_round: Any, i: Any, j: Any, k: Any) -> Any:
    """Return the key of a cell, by its column, row and layer in the world, in a round."""
    layer = mix(uint64(of_round) ^ (uint64(k) * uint64(GOLDEN)))
    row = mix(layer ^ (uint64(j) * uint64(GOLDEN)))
    return mix(row + uint64(i) * uint64(_STEP))


@njit(inline="always")
def box_bits(of_cell: Any, level: Any, bx: Any, by: Any, bz: Any) -> Any:
    """Return place and time of the dart from a box."""
    box = (uint64(bz) << uint64(32)) | (uint64(by) << uint64(16)) | uint64(bx)
    return land(mix(of_cell + box * uint64(GOLDEN)), level, bx, by, bz)


@njit(error_model="numpy", forceinline=True)
def corner(frame: Frame, c: Any) -> Any:
    """Return column, row and layer of a cell in the frame."""
    k = c // (frame.nx * frame.ny)
    rest = c - k * (frame.nx * frame.ny)
    j = rest // frame.nx
    return int64(rest - j * frame.nx), int64(j), int64(k)


@njit(error_model="numpy", forceinline=True)
def clip(frame: Frame, i: Any, j: Any, k: Any) -> Any:
    """Return the domain in places counted from a cell of the frame."""
    x, y, z = i * PLACES, j * PLACES, k * PLACES
    return frame.xmin - x, frame.xmax - x, frame.ymin - y, frame.ymax - y, frame.zmin - z, frame.zmax - z


@njit(error_model="numpy", forceinline=True)
def note(cells: Cells, o: Any, b: Any) -> Any:
    """Let cell ``o`` know of a point in its near cell number b."""
    cells.near[uint64(2) * o + uint64(b // _WORD)] |= uint64(1) << uint64(b % _WORD)


@njit(inline="always")
def fog_bits(x: Any, y: Any, z: Any, level: Any) -> Any:
    """Return the bit of the level-2 box at a place; or those of a box of level 1 that begins there."""
    bits = uint64(0x330033) if level == 1 else uint64(1)
    return bits << uint64((z // FOG_BOX * 4 + y // FOG_BOX) * 4 + x // FOG_BOX)


@njit(inline="always")
def _nearest(x: Any, y: Any, z: Any, side: Any) -> Any:
    """Return the squared distance to the nearest place of a box whose first corner is (x, y, z) away."""
    dx, dy, dz = max(x, 1 - side - x, 0), max(y, 1 - side - y, 0), max(z, 1 - side - z, 0)
    return int64(dx) * int64(dx) + int64(dy) * int64(dy) + int64(dz) * int64(dz)


@njit(error_model="numpy", forceinline=True)
def in_fog(frame: Frame, cells: Cells, c: Any, bits: Any) -> Any:
    """Return whether an unknown point may stand too near to a dart in cell ``c``."""
    if cells.near[2 * c + 1] & uint64(FOG_NEAR) == uint64(0):
        return False
    for b in range(len(frame.near)):
        fog = cells.fog[at(c, frame.near[b])]
        if fog == uint64(0):
            continue
        ox, oy, oz = frame.near_x[b] - place_x(bits), frame.near_y[b] - place_y(bits), frame.near_z[b] - place_z(bits)
        if _nearest(ox, oy, oz, PLACES) >= frame.conflict:
            continue
        if fog == uint64(ALL):
            return True
        while fog != uint64(0):
            box = first_bit(fog)
            fog = uint64(fog & (fog - uint64(1)))
            x, y, z = ox + (box & 3) * FOG_BOX, oy + ((box >> 2) & 3) * FOG_BOX, oz + (box >> 4) * FOG_BOX
            if _nearest(x, y, z, FOG_BOX) < frame.conflict:
                return True
    return False


@njit(error_model="numpy", forceinline=True)
def discs_near(frame: Frame, cells: Cells, c: Any, discs: Discs) -> int:
    """Fill in the points that reach into cell ``c``, nearest cells first, and return how many; -1 if one covers it."""
    n = 0
    for word in range(2):
        points = cells.near[2 * c + word] & uint64(POINTS)
        while points != uint64(0):
            b = word * _WORD + first_bit(points)
            points = uint64(points & (points - uint64(1)))
            place = cells.place[at(c, frame.near[b])]
            x, y, z = (
                frame.near_x[b] + place_x(place),
                frame.near_y[b] + place_y(place),
                frame.near_z[b] + place_z(place),
            )
            if _nearest(-x, -y, -z, PLACES) >= frame.conflict:
                continue
            dx, dy, dz = max(x, PLACES - 1 - x), max(y, PLACES - 1 - y), max(z, PLACES - 1 - z)
            if dx * dx + dy * dy + dz * dz < frame.conflict:
                return -1
            discs.x[n], discs.y[n], discs.z[n] = x, y, z
            n += 1
    return n


@njit(error_model="numpy", forceinline=True)
def hit(frame: Frame, cells: Cells, c: Any, bits: Any) -> Any:
    """Return whether a dart in cell ``c`` is too near to a point around it."""
    x, y, z = place_x(bits), place_y(bits), place_z(bits)
    for word in range(2):
        points = cells.near[2 * c + word] & uint64(POINTS)
        while points != uint64(0):
            b = word * _WORD + first_bit(points)
            points = uint64(points & (points - uint64(1)))
            place = cells.place[at(c, frame.near[b])]
            dx, dy, dz = (
                place_x(place) + frame.near_x[b] - x,
                place_y(place) + frame.near_y[b] - y,
                place_z(place) + frame.near_z[b] - z,
            )
            if dx * dx + dy * dy + dz * dz < frame.conflict:
                return True
    return False
