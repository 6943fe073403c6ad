"""Memory that is used again from tile to tile, since fresh memory is slow memory."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from weald.sampling.boxes import Discs
from weald.sampling.state import Boxes, Cells, Darts, Varied

_Number = TypeVar("_Number", bound=np.generic)


class Workspace:
    """Named arrays of one thread. Asking for a name again gives the same memory."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def take(self, name: str, dtype: type[_Number], size: int) -> NDArray[_Number]:
        """Return an array of at least ``size``, its content left over from earlier use."""
        array = self._arrays.get(name)
        if array is None or array.size < size:
            array = self._arrays[name] = np.empty(size + size // 4, dtype)
        return cast("NDArray[_Number]", array)

    def cells(self, size: int, varied: Varied) -> Cells:
        """Return the state of ``size`` cells; radii only if they vary."""
        return Cells(
            self.take("x", np.int32, size),
            self.take("y", np.int32, size),
            self.take("live", np.uint64, size),
            self.take("near", np.uint64, size),
            self.take("head", np.int32, size),
            self._radii("radius", np.int32, size, varied),
            self._radii("floor", np.uint8, size, varied),
        )

    def darts(self, name: str, size: int, varied: Varied) -> Darts:
        """Return room for ``size`` darts."""
        return Darts(
            self.take(name + " cell", np.int32, size),
            self.take(name + " bits", np.uint64, size),
            self.take(name + " state", np.uint8, size),
            self._radii(name + " radius", np.int32, size, varied),
        )

    def discs(self, size: int) -> Discs:
        """Return room for ``size`` discs."""
        return Discs(*(self.take(f"disc {what}", np.int64, size) for what in ("x", "y", "limit")))

    def boxes(self, turn: int, cells: int, boxes: int) -> Boxes:
        """Return room for the boxes of one level; two turns alternate, one read while the other is written."""
        return Boxes(
            self.take(f"box cell {turn}", np.int32, cells),
            self.take(f"box start {turn}", np.int32, cells + 1),
            self.take(f"box x {turn}", np.uint16, boxes),
            self.take(f"box y {turn}", np.uint16, boxes),
        )

    def _radii(self, name: str, dtype: type[_Number], size: int, varied: Varied) -> NDArray[_Number]:
        return self.take(name, dtype, size) if varied else np.zeros(1, dtype)
