"""Erosion of bounded ground: by water, and by gravity alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.exact import tangent_deg
from weald.geometry import Bounds, BoundsLike
from weald.numbers import metres, number_in, whole_in
from weald.terrain.endless import EndlessTerrain
from weald.terrain.erosion.edges import surround
from weald.terrain.erosion.slides import slide
from weald.terrain.erosion.streams import run
from weald.terrain.terrain import Terrain

Array = NDArray[np.float64]

Process: TypeAlias = Callable[[Array, float], Array]
"""From heights and their spacing to heights."""

_VOID_REACH = 2
"""Samples from a void whose heights say how it lets water out."""
_DIGGING = 0.008
_GENTLE, _FAST = 1 / 12, 1 / 6
"""Shares of a slide: beside water, which must not undercut; and the most that is stable."""


def erode(
    terrain: Terrain | EndlessTerrain,
    *,
    iterations: int = 100,
    strength: float = 1.0,
    capacity: float = 0.05,
    talus_deg: float = 38.0,
    creep: float = 0.001,
    window: BoundsLike | None = None,
) -> Terrain:
    """Return the ground as water shapes it: valleys that branch, sharp ridges, fans and plains.

    Rain falls everywhere and runs downhill, one sample an iteration. It digs in proportion to the
    slope and the square root of what has gathered, carries what it dug, and lays it down where the
    slope eases; what then stands too steep slides. What is still carried at the end is gone, as is
    what left the ground.

    Parameters
    ----------
    terrain
        The ground; of endless ground a window. At its edge, and beside voids, water leaves where the
        ground falls towards it.
    iterations
        1 to 10,000. Rivers, and so valleys, get up to as many samples long.
    strength
        How much is dug an iteration, above 0 and at most 10. 0.3 scratches, 3 leaves little of
        what was.
    capacity
        How much water can carry, above 0 and at most 10. The less, the wider fans and plains grow;
        the more, the deeper valleys are cut.
    talus_deg
        Slopes steeper than this slide, in degrees above 0 and below 90.
    creep
        How much the soil rounds ridges and fills gullies, from 0 to 0.01: none, to smooth hills.
    window
        Compute this part only; what lies within `reach` of it is read, and nothing beyond.

    Returns
    -------
    Terrain
        On the same grid, with the same voids. With a window it is ``erode(terrain).crop(window)``,
        bit for bit.

    Notes
    -----
    A grid method with a fixed number of steps, each of which is exact about what it reads, so that
    the result at a place hangs on the ground within `reach` and on nothing else. No height falls
    below all those around it, or rises above them by more than 0.001 spacings, in one iteration.
    Sources are named in `weald.terrain.erosion.streams` and `weald.terrain.erosion.slides`. Time
    grows with samples and iterations: about 3 s for a million samples and 100 iterations.

    Examples
    --------
    >>> from weald.fields import perlin
    >>> from weald.geometry import Grid
    >>> grid = Grid(xmin=0, ymin=0, spacing=20, nx=64, ny=64)
    >>> hills = Terrain(grid, (perlin(seed=3, frequency=1 / 900).fbm() * 300).sample(grid))
    >>> eroded = erode(hills, iterations=20)
    >>> part = erode(hills, iterations=20, window=(400, 400, 600, 600))
    >>> bool((part.heights == eroded.crop((400, 400, 600, 600)).heights).all())
    True
    """
    count = _iterations(iterations)
    digging = _DIGGING * _factor("strength", strength)
    carried = _factor("capacity", capacity)
    talus = _slope(talus_deg)
    rounding = number_in("creep", creep, "a number from 0 to 0.01", least=0.0, most=0.01)

    def process(heights: Array, step: float) -> Array:
        here, ground = surround(heights)
        water, load = np.ones_like(here), np.zeros_like(here)
        # the ring and voids are the same in both: no kernel writes there
        there, next_water, next_load = here.copy(), np.empty_like(here), np.empty_like(here)
        for _ in range(count):
            run(here, ground, water, load, step, digging, carried, there, next_water, next_load)
            # what slides follows from the ground as it was, too: one after the other would reach twice as far
            slide(here, ground, step, talus, _GENTLE, rounding, there)
            here, there = there, here
            water, next_water = next_water, water
            load, next_load = next_load, load
        return _inside(here, ground)

    return _processed(terrain, window, count + _VOID_REACH, process)


def thermal(
    terrain: Terrain | EndlessTerrain,
    *,
    iterations: int = 50,
    talus_deg: float = 35.0,
    window: BoundsLike | None = None,
) -> Terrain:
    """Return the ground after what stood steeper than the talus angle has slid: screes below cliffs.

    No material is lost: the sum of all heights stays the same but for rounding. Away from voids the
    steepest slope never grows, and goes towards the talus angle; how far depends on the iterations.

    Parameters
    ----------
    terrain
        The ground; of endless ground a window. Nothing slides over its edge, or into voids.
    iterations
        1 to 10,000. Material gets up to as many samples far.
    talus_deg
        The angle of repose, in degrees above 0 and below 90; 30 to 40 for scree.
    window
        Compute this part only; what lies within `reach` of it is read, and nothing beyond.

    Returns
    -------
    Terrain
        On the same grid, with the same voids. With a window it is ``thermal(terrain).crop(window)``,
        bit for bit.

    Notes
    -----
    For the source see `weald.terrain.erosion.slides`.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> cliff = Terrain(Grid(xmin=0, ymin=0, spacing=1, nx=8, ny=3), [[9, 9, 9, 9, 0, 0, 0, 0]] * 3)
    >>> thermal(cliff, iterations=200, talus_deg=45).heights[1].round(1).tolist()
    [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    """
    count, talus = _iterations(iterations), _slope(talus_deg)

    def process(heights: Array, step: float) -> Array:
        here, ground = surround(heights)
        there = here.copy()
        for _ in range(count):
            there[:] = here
            slide(here, ground, step, talus, _FAST, 0.0, there)
            here, there = there, here
        return _inside(here, ground)

    return _processed(terrain, window, count, process)


def reach(spacing: float, iterations: int) -> float:
    """Return how far, in metres, ground can matter to `erode` and `thermal`.

    Both are the same inside a window whatever lies farther than this from it.

    >>> reach(spacing=10, iterations=100)
    1020.0
    """
    return (_iterations(iterations) + _VOID_REACH) * metres("spacing", spacing)


def _processed(terrain: Terrain | EndlessTerrain, window: BoundsLike | None, halo: int, process: Process) -> Terrain:
    """Return the ground after a process that reads ``halo`` samples around the window."""
    if not isinstance(terrain, (Terrain, EndlessTerrain)):
        raise InputError(f"terrain: got {terrain!r}; give a Terrain, or of a field EndlessTerrain(field, spacing)")
    if window is None:
        if isinstance(terrain, EndlessTerrain):
            raise InputError("window: got None, but the ground is endless; give (xmin, ymin, xmax, ymax)")
        return Terrain(terrain.grid, process(terrain.heights, terrain.grid.spacing), terrain.crs)
    wanted = terrain.crop(Bounds.of(window, "window")).grid
    box, margin = wanted.bounds, halo * wanted.spacing
    around = box.grown(margin)
    read = terrain.bare(around) if isinstance(terrain, EndlessTerrain) else terrain.crop(around)
    # counted in samples: rounding may have carried the margin across one more, never one fewer
    i = round((wanted.xmin - read.grid.xmin) / wanted.spacing)
    j = round((wanted.ymin - read.grid.ymin) / wanted.spacing)
    heights = process(read.heights, wanted.spacing)
    return Terrain(wanted, heights[j : j + wanted.ny, i : i + wanted.nx], read.crs)


def _inside(heights: Array, ground: NDArray[np.bool_]) -> Array:
    inner: Array = np.where(ground, heights, np.nan)[1:-1, 1:-1]
    return inner


def _iterations(value: int) -> int:
    return whole_in("iterations", value, "a whole number from 1 to 10,000", least=1, most=10_000)


def _factor(name: str, value: float) -> float:
    return number_in(name, value, "a number above 0, at most 10", above=0.0, most=10.0)


def _slope(talus_deg: float) -> float:
    angle = number_in("talus_deg", talus_deg, "degrees above 0 and below 90", above=0.0, below=90.0)
    return tangent_deg(angle)
