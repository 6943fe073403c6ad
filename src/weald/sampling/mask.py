"""Forbidden ground: asking a user's rule about darts, and giving up where nothing is allowed.

The rule is a black box, so forbidden ground is known only where darts have asked. Cut into ever
more boxes it would cost without end; so parts of it are given up, by rules that look at nothing
but the place:

- a cell is *barren* if its four darts of level 1 all fall on forbidden ground;
- after round 1, barren cells are closed whose eight neighbours are barren as well;
- after round 2, barren cells are closed whose sixteen darts of level 2 are all forbidden;
- from level 4 on, a box is given up if its own dart is forbidden (see `weald.sampling.plane`).

Since points play no part in these rules, they spread no fog.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.sampling.answers import close_inner, forbid, note, places, strangers, tally
from weald.sampling.classes import RadiusClass
from weald.sampling.darts import box_darts
from weald.sampling.lattice import Metric
from weald.sampling.state import PENDING, Cells, Darts, Frame
from weald.sampling.workspace import Workspace

Allowed: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.bool_]]

AllowedInSpace: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], NDArray[np.bool_]]

ASKED_AT_ONCE = (1, 2)
"""Levels whose darts are all asked about when thrown, to tell barren cells."""


def ask(allowed: Callable[..., NDArray[np.bool_]], *place: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Call a user's rule on a batch of places, one array an axis, and check what comes back."""
    answer = np.asarray(allowed(*place))
    if answer.dtype != np.bool_:
        raise InputError(
            f"allowed: the function returned {answer.dtype} values; return booleans, such as `height(x, y) > 3`"
        )
    try:
        answers: NDArray[np.bool_] = np.broadcast_to(answer, place[0].shape)
    except ValueError:
        raise InputError(
            f"allowed: the function was given {place[0].size} places and returned an array of shape {answer.shape}; "
            f"return one boolean a place, shape {place[0].shape}"
        ) from None
    return answers


class Mask:
    """What is allowed, and how large radii are, over the cells of one frame."""

    def __init__(
        self,
        allowed: Allowed | None,
        radius: RadiusClass | None,
        metric: Metric,
        frame: Frame,
        cells: Cells,
        sure: NDArray[np.bool_],
        space: Workspace,
    ) -> None:
        self._allowed, self._radius, self._metric, self._frame, self._space = allowed, radius, metric, frame, space
        self._cells = cells
        size = frame.width * frame.height
        self._barren = space.take("barren", np.bool_, size)[:size]
        self._barren[:] = False
        self._sure = sure
        if radius is not None:
            enlarged = radius.metric.enlarged(radius.number)
            self._length = enlarged.stretch, min(enlarged.unit)

    def void(self, darts: Darts, which: NDArray[np.intp]) -> NDArray[np.intp]:
        """Ask about some of the darts; void and return those on forbidden ground.

        Ground where the radius is not of the class at hand is forbidden as well; the radii of the
        other darts are noted.
        """
        if len(which) == 0:
            return which
        x, y = np.empty(len(which)), np.empty(len(which))
        places(self._frame, darts, which, self._metric.origin, self._metric.unit, x, y)
        forbidden, n = np.empty(len(which) + 1, np.intp), 0
        if self._allowed is not None:
            # a function may write into what it is given: nobody else gets that
            good = ask(self._allowed, x, y) if self._radius is None else ask(self._allowed, x.copy(), y.copy())
            n = forbid(darts, which, good, forbidden)
            if self._radius is not None:
                which, x, y = which[good], x[good], y[good]
        if self._radius is not None and len(which):
            radius = self._radius.radius(x, y)
            low, high = self._radius.ends
            n = note(self._frame, self._cells, darts, which, radius, low, high, *self._length, forbidden, n)
        return forbidden[:n]

    def asks_at_once(self, level: int) -> bool:
        """Return whether `after_throw` asks about all darts of a round."""
        return level in ASKED_AT_ONCE and len(self._sure) == 0

    def after_throw(self, cells: Cells, number: int, level: int, todo: NDArray[np.int32], darts: Darts, n: int) -> None:
        """Void the darts of a round on forbidden ground, and close the cells that are given up."""
        if level not in ASKED_AT_ONCE:
            return
        size = len(self._barren)
        thrown = self._space.take("counts", np.uint8, size)[:size]
        lucky = self._space.take("lucky", np.bool_, size)[:size]
        thrown[:] = 0
        # what has an allowed dart is not barren; of the others, only those that did not throw all
        # their darts must be asked about the rest
        if len(self._sure):
            lucky[:] = self._sure
            asked = np.flatnonzero(~lucky[darts.cell[:n]])
        else:
            lucky[:] = False
            asked = np.arange(n)
        self.void(darts, asked)
        suspects = np.empty(len(todo) + 1, np.int32)
        suspects = suspects[: tally(darts, n, todo, thrown, lucky, suspects)]
        if level == 1:
            self._barren[suspects] = self._all_forbidden(suspects, thrown, number, level)
            width = self._frame.width
            found = self._space.take("strangers", np.int32, size)
            asked_next = found[: strangers(suspects, width, self._barren, lucky, found)]
            self._barren[asked_next] = self._all_forbidden(asked_next, thrown, number, level)
            close_inner(suspects, width, self._barren, cells.live)
        else:
            suspects = suspects[self._barren[suspects]]
            cells.live[suspects[self._all_forbidden(suspects, thrown, number, level)]] = 0

    def _all_forbidden(
        self, which: NDArray[np.int32], thrown: NDArray[np.uint8], number: int, level: int
    ) -> NDArray[np.bool_]:
        """Return which of some cells have none but forbidden darts, given that those thrown so far are.

        Outside the domain everything is forbidden.
        """
        boxes = 4**level
        forbidden: NDArray[np.bool_] = thrown[which] == boxes
        which = which[~forbidden]
        darts = self._space.darts("asked", len(which) * boxes, self._frame.varied)
        box_darts(self._frame, number, level, which, darts)
        state = darts.state[: len(which) * boxes]
        self.void(darts, np.flatnonzero(state == PENDING))
        unlucky = (state != PENDING).reshape(-1, boxes).all(axis=1)
        forbidden[~forbidden] = unlucky
        return forbidden
