"""What one call knows so far of the points of space, so that no block is computed against fog in vain.

Whether a point stands in a cell does not depend on the block that it was computed in. So a cell that was decided
in the halo of one block is decided for all blocks, and is given to them instead of being computed again. A dart
that conflicts with a point that stands is void whenever either arrived, since two points never conflict: so it
does not matter in which round a given point arrived.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.sampling.volume.block import Block
from weald.sampling.volume.state import UNDECIDED


class Known:
    """The places of the points of a box of cells; NO_POINT where none stands, UNDECIDED where none was computed.

    Threads may read and write side by side: what two of them write to a cell is the same.
    """

    def __init__(self, box: Block) -> None:
        self._box = box
        self._place = np.full(box.shape, UNDECIDED, np.int64)

    def moved(self, box: Block) -> Known:
        """Return what is known of another box."""
        other = Known(box)
        self.read(box, other._place)
        return other

    def read(self, box: Block, place: NDArray[np.int64]) -> None:
        """Write what is known of a box into an array over it; the rest stays as it is."""
        common = self._box.intersection(box)
        if not common.empty:
            place[box.slices(common)] = self._place[self._box.slices(common)]

    def learn(self, box: Block, place: NDArray[np.int64]) -> None:
        """Keep the decided cells of an array over a box."""
        common = self._box.intersection(box)
        if not common.empty:
            found = place[box.slices(common)]
            np.copyto(self._place[self._box.slices(common)], found, where=found != UNDECIDED)

    def decided(self, box: Block) -> bool:
        """Return whether every cell of a box is decided."""
        inside = self._place[self._box.slices(box)]
        return self._box.intersection(box) == box and not (inside == UNDECIDED).any()
