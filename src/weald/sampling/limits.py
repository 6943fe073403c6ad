"""How large the sampler's numbers may become: every bound, why it suffices, and what refuses the rest.

The kernels compute with 64-bit integers and never test for overflow. That is right only because everything that
reaches them is bounded here. All lengths below are in places, 65,536 to the side of a cell, unless they are in metres.

**Radii, in metres** (`RADII`). Their squares, their ratio to a place, and the squares of that are ordinary float64
numbers: (1e100 / 1e-105)² is none, so a length in places is squared only where it is at most `DISC`, or as a Python
integer.

**One radius.** A cell's side is more than 31/32 of radius / sqrt(2) (in space, / sqrt(3)), so a radius is less than
1.46 (1.79) cells, below 2¹⁷ places. Two near cells are `REACH` apart, so differences are below 3 cells and squares
below 3 * (3 * 2¹⁶)² < 2³⁸.

**Varying radii** (`SPREAD`). Radii of a class are at most 3 of its cells, below 2¹⁸. A radius that is not of the class
at hand is noted too, in places of that class: at most SPREAD times a least radius, 2¹² * 2¹⁷ = 2²⁹, in 32 bits, and its
square is below 2⁵⁸. That is why radii may not spread further.

**Coordinates** (`CELLS`). A cell's column and row, halo included, have 32 bits with their sign: then they are told
apart in a point's id. A place from the origin has 31 + 16 = 47 bits, and a cell's side six significant ones (in units
of a place: a power of two times at most 63): 53 together, so coordinates are float64 numbers without rounding. Blocks
are computed with halos of less than 2¹⁶ cells, which is what is missing from 2³¹.

**Points that are measured or chosen from** (`check_points`, `check_sides`). Their coordinates, and the sides of the box
that they fill, are within `RADII` as well: so squares and areas are ordinary numbers, and cells may be counted.

**Tiles that repeat.** Their cells are not of six bits, so coordinates are rounded: see `rounding`. A tile reaches no
further than `CELLS` from the origin either, so a rounded coordinate is off by less than 2⁻⁴ of a place, and a
tile is at most 2³² cells long, columns and rows again being told apart in ids.

**Counts in a block** (`HALO`). Cells, darts and boxes have 32-bit numbers. A block has at most 512 cells a side, a halo
around it, and 64 boxes a cell, or darts a round. Only fog makes halos wider than some tens of cells, and it gets
rarer by a factor with each; with a halo of `HALO` cells the boxes are still fewer than 2³¹, and a wider one is refused.

**Discs** (`DISC`), of blockers and of larger classes. Those up to 2³⁰ places (16,384 cells) are compared as they are: a
place of a cell that the disc reaches into is at most 2³⁰ + 2¹⁷ away along each axis, and the sum of the squares is
below 2⁶². For wider ones the square itself may have more than 64 bits; `weald.sampling.wide` puts a disc of radius
`DISC` in their place, cell by cell. Squares of more than 53 bits are rounded when a user computes a distance in
float64, so discs of 2²⁶ places or more (`ROUNDED`) count as wider than they are, by 2⁻⁵⁰ of themselves and a place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError

PLACES = 1 << 16
"""Places along a side of a cell."""

REACH = 2
"""Points whose cells are further apart than this many cells, along any axis, never conflict."""

RADII = (1e-100, 1e100)
"""The least and the largest radius, in metres."""

SPREAD = 4096
"""The largest of varying radii over the least, at most."""

CELLS = (1 << 31) - (1 << 16)
"""Cells from the origin that coordinates must not reach."""

HALO = 1 << 11
"""Cells around a block that fog may get through, at most."""

DISC = 1 << 30
"""Radius of the widest disc, in places, whose squares are compared in 64 bits."""

ROUNDED = 1 << 26
"""Radius of discs, in places, from which on float64 rounds the squares of distances."""

PAIRS = (1 << 31) - 1
"""Cells that discs reach into in one block, counted once for each disc: their sum is kept in 32 bits."""

WIDER = 1.0 + 2.0**-40
"""Discs are looked for in a box that is wider by this factor than they reach, as its ends are rounded."""

_MARGIN = 2.0**-48


def rounding(farthest: float) -> float:
    """Return by how much the distance of two points of a tile may differ from that of their places, in metres.

    ``farthest`` is the largest coordinate of the tile, its neighbours and its blockers. With e = 2⁻⁵³ times that:
    a place times the unit is rounded by e, and so is its sum with the origin; the unit is a side divided twice, which
    makes a side wrong by 2 e; and who repeats a tile computes its side and a sum, 2 e, or for a blocker that is
    carried to its place over several tiles, 8 e. Together a difference is wrong by less than 16 e, and a distance by
    less than sqrt(2) times that. This is 32 e; it stays below three places within `CELLS` of the origin.
    """
    return farthest * _MARGIN


def check_place(place: int, coordinate: float, cell: float, name: str) -> None:
    """Refuse a place, counted from the origin, that is too far from it; ``name`` is what an error calls its box."""
    if abs(place) >= CELLS * PLACES:
        raise _too_far(coordinate, cell, name)


def check_tile(coordinates: tuple[float, ...], cell: float) -> None:
    """Refuse a tile that repeats with corners too far from the origin."""
    for coordinate in coordinates:
        if abs(coordinate) >= CELLS * cell:
            raise _too_far(coordinate, cell, "bounds")


def _too_far(coordinate: float, cell: float, name: str) -> InputError:
    return InputError(
        f"{name}: {coordinate} is more than {CELLS * cell:.3g} from the origin, "
        "where float64 can no longer hold exact positions at this radius; "
        "move the origin nearer or use a larger radius"
    )


def check_blockers(xy: NDArray[np.float64], radius: NDArray[np.float64]) -> None:
    """Refuse discs that are no discs, or wider than any radius may be."""
    wrong = ~(np.isfinite(xy).all(axis=1) & (radius >= 0) & (radius <= RADII[1]))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InputError(
            f"blockers: number {first} stands at {tuple(xy[first].tolist())} with radius {radius[first]}; "
            f"give finite coordinates and radii from 0 to {RADII[1]:g}"
        )


def check_repeated(xy: NDArray[np.float64], cell: float) -> None:
    """Refuse blockers so far from the origin that no copy of them in the tile has a certain place."""
    wrong = (np.abs(xy) >= CELLS * cell).any(axis=1)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InputError(
            f"blockers: number {first} stands at {tuple(xy[first].tolist())}, more than {CELLS * cell:.3g} from the "
            "origin, where its copies in a tile that repeats have no certain place; give the copy inside the tile"
        )


def check_points(places: NDArray[np.float64], name: str) -> None:
    """Refuse coordinates, shape (n, axes), that are not finite or whose squares might not be."""
    fine = (np.abs(places) <= RADII[1]).all(axis=1)
    if not fine.all():
        where = int(np.argmin(fine))
        raise InputError(
            f"{name}: point {where} is {tuple(places[where].tolist())}; give finite coordinates up to {RADII[1]:g}"
        )


def check_sides(size: tuple[float, ...], name: str) -> None:
    """Refuse a box so small or large that its area is no ordinary number."""
    if not all(RADII[0] <= side <= RADII[1] for side in size):
        sides = " x ".join(f"{side:g}" for side in size)
        raise InputError(f"{name}: the box is {sides} m; give sides from {RADII[0]:g} to {RADII[1]:g} m")


def check_halo(halo: int) -> None:
    """Refuse a halo so wide that boxes could no longer be counted; no seed is known to need it."""
    if halo > HALO:
        raise InputError(
            f"seed: a point depends on others more than {HALO} cells away, too far to follow; give another seed"
        )


def check_pairs(count: int) -> None:
    """Refuse discs that reach into more cells of a block than are counted."""
    if count > PAIRS:
        raise InputError(
            f"blockers: they reach into {count:.3g} cells of one block, counted once for each disc, more than "
            f"{PAIRS:.3g}; leave out those that others cover, or use a larger radius"
        )
