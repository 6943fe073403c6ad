"""What stands already, known as far as anyone asks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from weald.geometry import Bounds
from weald.sampling.neighbours import Neighbours
from weald.sampling.pointset import PointSet

Array = NDArray[np.float64]

_ROUNDING = 1.001
"""Patches reach further than asked by this factor, so that rounding never decides what is in one."""


class Standing:
    """The instances of an earlier layer, as far as they are known; what is missing is found when asked about.

    How far beyond a window the sampler looks follows from the points themselves, so no margin is
    sure to be enough. Here the known part is a matter of speed, never of the result.

    Parameters
    ----------
    find
        Returns all instances that stand in a box.
    distance
        The distance that will be asked about, in metres.
    """

    def __init__(self, find: Callable[[Bounds], PointSet], distance: float) -> None:
        self._find = find
        self._distance = distance
        self._patches: list[tuple[Bounds, Neighbours]] = []

    def know(self, box: Bounds, points: PointSet) -> Neighbours:
        """Note that these are all instances that stand in a box."""
        patch = Neighbours(points.xy, self._distance)
        self._patches.append((box, patch))
        return patch

    def near(self, x: Array, y: Array) -> NDArray[np.bool_]:
        """Return for each place, x and y of shape (n,), whether an instance stands nearer than the distance."""
        found = np.zeros(x.shape, np.bool_)
        reach = _ROUNDING * self._distance
        left = np.arange(x.size)
        for box, patch in list(self._patches):  # a copy: other threads may add to it
            seen = box.contains(x[left] - reach, y[left] - reach) & box.contains(x[left] + reach, y[left] + reach)
            here = left[seen]
            found[here] = patch.within(x[here], y[here], self._distance)
            left = left[~seen]
            if not left.size:
                return found
        if left.size:
            x, y, wide = x[left], y[left], 2 * reach
            box = Bounds(x.min() - wide, y.min() - wide, x.max() + wide, y.max() + wide)
            found[left] = self.know(box, self._find(box)).within(x, y, self._distance)
        return found
