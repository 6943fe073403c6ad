"""What stands already, known as far as anyone asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from weald.geometry import Bounds
from weald.scatter.discs import Discs

Array = NDArray[np.float64]
Find = Callable[[Bounds], tuple[Array, Array]]
"""Returns the middles (n, 2) and the radii (n,) of all discs whose middle lies in a box."""
_Value = TypeVar("_Value", bound=np.generic)

_ROUNDING = 1.001
"""Patches reach further than asked by this factor, so that rounding never decides what is in one."""


class Standing:
    """Discs around what stands already, as far as they are known; what is missing is found when asked about.

    How far beyond a window the sampler looks follows from the points themselves, so no margin is
    sure to be enough. Here the known part is a matter of speed, never of the result.

    Parameters
    ----------
    find
        Returns all discs whose middle lies in a box.
    most
        The largest radius that a disc may have, in metres.
    """

    def __init__(self, find: Find, most: float) -> None:
        self._find = find
        self.most = most
        self._patches: list[tuple[Bounds, Discs]] = []

    def know(self, box: Bounds, discs: tuple[Array, Array]) -> Discs:
        """Note that these are all discs whose middle lies in a box."""
        patch = Discs(*discs)
        self._patches.append((box, patch))
        return patch

    def prepare(self, box: Bounds) -> None:
        """Find what matters to places in a box, before they are asked about."""
        box = box.grown(2 * _ROUNDING * self.most)
        if not any(known.holds(box) for known, _ in self._patches):
            self.know(box, self._find(box))

    def near(self, x: Array, y: Array) -> NDArray[np.bool_]:
        """Return for each place, x and y of shape (n,), whether it lies in a disc."""
        return self._ask(Discs.hold, x, y, np.zeros(x.shape, np.bool_))

    def bump(self, x: Array, y: Array) -> Array:
        """Return for each place, x and y of shape (n,), the highest bump: see `Discs.bump`."""
        return self._ask(Discs.bump, x, y, np.zeros(x.shape))

    def _ask(
        self, question: Callable[[Discs, Array, Array], NDArray[_Value]], x: Array, y: Array, answer: NDArray[_Value]
    ) -> NDArray[_Value]:
        if not x.size:
            return answer
        reach = _ROUNDING * self.most
        asked = Bounds.around(x, y, reach)
        patches = list(self._patches)  # a copy: other threads may add to it
        for box, patch in patches:
            if box.holds(asked):
                return question(patch, x, y)
        left = np.arange(x.size)
        for box, patch in patches:
            seen = box.contains(x[left] - reach, y[left] - reach) & box.contains(x[left] + reach, y[left] + reach)
            here = left[seen]
            answer[here] = question(patch, x[here], y[here])
            left = left[~seen]
        if left.size:
            x, y = x[left], y[left]
            box = Bounds.around(x, y, 2 * reach)
            answer[left] = question(self.know(box, self._find(box)), x, y)
        return answer
