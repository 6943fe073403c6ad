"""`jittered_grid`: one point a cell of a square grid, moved at random inside it."""

from __future__ import annotations

import math

import numpy as np

from weald import hashing
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.hashing import GOLDEN, Seed
from weald.numbers import number_in
from weald.sampling.asked import positive
from weald.sampling.pointset import PointSet
from weald.sampling.textbook.box import MOST, Box


def jittered_grid(bounds: BoundsLike, spacing: float, *, seed: Seed | None, jitter: float = 1.0) -> PointSet:
    """Return one point a cell of a square grid, each moved at random about the middle of its cell.

    The cheapest even scatter, and one that needs no neighbours: the grid is anchored at the
    origin and a point is a hash of its cell, so domains that share an edge fit together. But it
    keeps no distance. At full jitter two points can meet at the edge of their cells; with less,
    the rows of the grid show. `poisson_disk` has neither fault.

    Parameters
    ----------
    bounds
        The domain ``(xmin, ymin, xmax, ymax)`` in metres, half-open. Points of cells that reach
        across its edge are returned if they lie inside.
    spacing
        Side of a cell in metres.
    seed
        Any integer or string. ``None`` draws one; the result's ``seed`` tells which.
    jitter
        Side of the square that a point is drawn from, as a share of the cell: 0, all in the
        middle, to 1, anywhere. Points are ``spacing * (1 - jitter)`` apart, up to rounding.

    Returns
    -------
    PointSet
        With radius 0, as no distance is promised. Ids are hashes of seed and cell.

    Raises
    ------
    InputError
        If an argument cannot be used; the message says which, and what is allowed.

    Examples
    --------
    >>> len(jittered_grid((0, 0, 100, 100), 5.0, seed=1))
    400
    >>> jittered_grid((0, 0, 2, 1), 1.0, seed=1, jitter=0).xy.tolist()
    [[0.5, 0.5], [1.5, 0.5]]
    """
    box = Bounds.of(bounds)
    spacing = positive("spacing", spacing)
    Box.of_plane(box).check_fine("spacing", spacing)
    share = number_in("jitter", jitter, "a number from 0, a plain grid, to 1, anywhere in the cell", least=0, most=1)
    cells = (box.size[0] / spacing) * (box.size[1] / spacing)
    if cells > MOST or max(box.size) / spacing > MOST:
        raise InputError(
            f"spacing: {spacing} in {box.size[0]:g} x {box.size[1]:g} gives about {cells:.3g} points, "
            f"more than {MOST}; give a larger spacing, or ask for one part after another"
        )
    seed = hashing.draw_seed() if seed is None else seed
    key = hashing.key(seed, "jittered_grid")

    # one cell more on each side, as the quotients are rounded
    i = np.arange(math.floor(box.xmin / spacing) - 1, math.floor(box.xmax / spacing) + 2)
    j = np.arange(math.floor(box.ymin / spacing) - 1, math.floor(box.ymax / spacing) + 2)
    rows = hashing.mix_array(j.astype(np.uint64), key)
    ids = hashing.mix_array(rows[:, None] + i.astype(np.uint64) * np.uint64(GOLDEN), 0)
    x = (i + (0.5 + share * (hashing.unit(ids, seed, "jittered_grid x") - 0.5))) * spacing
    y = (j[:, None] + (0.5 + share * (hashing.unit(ids, seed, "jittered_grid y") - 0.5))) * spacing
    inside = box.contains(x, y)
    xy = np.stack([x[inside], y[inside]], axis=1)
    return PointSet(xy, np.zeros(len(xy)), ids[inside], seed, bounds=box)
