"""Perlin worms: winding passages, in the plane or in space, each carved by a head that noise turns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.fields import Condition, Field
from weald.fields.expression import Expression, Places, Values
from weald.geometry import Bounds, BoundsLike
from weald.hashing import Seed, key
from weald.numbers import number_in, ordered, whole_in
from weald.terrain.caves import walk
from weald.terrain.patches import around
from weald.terrain.tile_cache import TileCache

Array = NDArray[np.float64]

_Balls: TypeAlias = tuple[Array, NDArray[np.int64], NDArray[np.int64]]
"""What is kept of a patch: see `weald.terrain.caves.walk.gather`."""

_PATCH = 4
"""Cells along the side of a patch, at least."""
_MOST_BYTES = 64 << 20
"""Of the cache of one kind of worms."""
_MOST_BALLS = 1 << 17
"""About as many lie in a patch: 6 MB."""
_MOST_STEPS = 10_000_000
"""Steps that a request may have to walk for one patch; more would take many seconds."""
_MOST_WALKED = 1_000_000_000
"""Steps of all worms of one window: some minutes."""
_FARTHEST = 1 << 53
"""Cells from the origin that float64 can count."""


@dataclass(frozen=True, slots=True, eq=False)
class Worm:
    """One worm, from its birth to its end.

    Attributes
    ----------
    xy : ndarray of float64, shape (n, 2)
        The middles of the discs, or in space of the balls, that it carves, in metres.
    z : ndarray of float64, shape (n,)
        Their heights; 0 in the plane.
    radius : ndarray of float64, shape (n,)
        Their radii.
    id : int
        64 bits, a function of the seed and the place of birth.
    """

    xy: Array
    z: Array
    radius: Array
    id: int


@dataclass(frozen=True, slots=True)
class Worms:
    """Worms all over the world.

    The plane is cut into cells, in each of which a hashed number of worms is born. A worm takes ``steps``
    steps of a fixed length; its angle is ``noise * 2 pi`` from a heading of its own, where the noise, taken as
    0 to 1, runs along its way. It carves a disc at every step, whose radius changes smoothly; with ``depth``
    it is a worm of space, climbs and dives by a second noise, and carves balls. So its reach is known,
    ``steps * step + radius``, and a window asks all cells within reach: a worm born chunks away arrives.

    Parameters
    ----------
    seed
        Any integer or string.
    cell
        Side of the cells that worms are born in, in metres.
    per_cell
        Worms a cell, on average: each cell has the whole number below or above.
    steps
        Discs or balls each worm carves, 1 to 100000.
    step
        Metres from disc to disc; at most the least radius, so that a passage has no gaps.
    radius
        Least and largest radius, in metres.
    bend
        Metres of the way in which the noise changes its mind: short for curls, long for straight passages.
    depth
        For worms of space: least and largest height at which they are born, in metres.
    pitch_deg
        For worms of space: the steepest they may climb and dive, 0 to 90 degrees.

    Raises
    ------
    InputError
        If a number is out of its range, or worms are so long and dense that no window could be asked for.

    Notes
    -----
    After "Perlin worms" as they are described for libnoise (Jason Bevins, 2005). Directions are polynomials
    of plain arithmetic, not `math.cos`, whose last bit may differ between machines.

    Examples
    --------
    >>> from weald.geometry import Grid
    >>> worms = Worms("mole", cell=64, steps=200)
    >>> worms.reach
    203.0
    >>> passages = worms.inside.sample(Grid(xmin=0, ymin=0, spacing=1, nx=128, ny=128))
    >>> {worm.xy.shape for worm in worms.within((0, 0, 128, 128))}
    {(200, 2)}
    """

    seed: Seed
    cell: float = 96.0
    per_cell: float = 1.0
    steps: int = 300
    step: float = 1.0
    radius: tuple[float, float] = (2.0, 3.0)
    bend: float = 60.0
    depth: tuple[float, float] | None = None
    pitch_deg: float = 30.0

    def __post_init__(self) -> None:
        key(self.seed)
        for name in ("cell", "step", "bend"):
            number_in(name, getattr(self, name), "metres above 0", above=0.0)
        low, _ = ordered("radius", self.radius, "(least, largest), in metres above 0")
        if not low > 0.0:
            raise InputError(f"radius: got {self.radius!r}; give (least, largest), in metres above 0")
        if not self.step <= low:
            raise InputError(f"step: got {self.step:g}; give at most the least radius, {low:g}, or passages have gaps")
        whole_in("steps", self.steps, "a whole number from 1 to 100000", least=1, most=100_000)
        number_in("per_cell", self.per_cell, "0 or more worms a cell", least=0.0)
        if self.depth is not None:
            ordered("depth", self.depth, "finite heights (least, largest), in metres")
        number_in("pitch_deg", self.pitch_deg, "degrees from 0 to 90", least=0.0, most=90.0)
        walked = (self._side + 2 * self._halo) ** 2 * self.per_cell * self.steps
        if walked > _MOST_STEPS:
            raise InputError(
                f"worms: to know one place, {walked:.2g} steps must be walked ({walked * 2.3e-7:.0f} s), more than "
                f"{_MOST_STEPS:.0e}: those of {self.per_cell:g} worms a cell of {self.cell:g} m within "
                f"{self.reach:g} m; give a larger cell, fewer worms a cell, or shorter ones"
            )

    @property
    def reach(self) -> float:
        """How far from its birth a worm can carve, in metres: the halo of a window."""
        return self.steps * self.step + self.radius[1]

    @property
    def profile(self) -> Field:
        """How deep in a passage a place lies: ``1 - d²/r²`` of the disc or ball it lies deepest in, 0 outside.

        1 in the middle and falling smoothly to the walls: subtract it from heights to carve, or compare it.
        A field of (x, y), or with ``depth`` of (x, y, z).
        """
        return Field(_Profile(self), (0.0, 1.0))

    @property
    def inside(self) -> Condition:
        """The condition that a place is in a passage: closer to the middle of a disc than its radius."""
        return self.profile > 0

    def within(self, window: BoundsLike) -> list[Worm]:
        """Return every worm that carves something of a window, whole, in the order of their places of birth.

        A worm is the same in every window, bit for bit. In space, the window has all heights.
        """
        box = Bounds.of(window, "window")
        lows = (math.floor((low - self.reach) / self.cell) for low in (box.xmin, box.ymin))
        highs = (math.floor((high + self.reach) / self.cell) for high in (box.xmax, box.ymax))
        (first_x, first_y), (last_x, last_y) = lows, highs
        walked = float(last_x - first_x + 1) * float(last_y - first_y + 1) * max(self.per_cell * self.steps, 1.0)
        if walked > _MOST_WALKED or max(map(abs, (first_x, first_y, last_x, last_y))) > _FARTHEST:
            raise InputError(
                f"window: {walked:.2g} steps must be walked to find its worms (at most {_MOST_WALKED:.0e}, within "
                f"{_FARTHEST * self.cell:.2g} m of the origin); give a smaller window, nearer to the origin"
            )
        root, found = np.uint64(key(self.seed, "worms")), []
        for j in range(first_y, last_y + 1):
            for i in range(first_x, last_x + 1):
                born = np.uint64(walk.cell_key(root, i, j))
                for number in range(walk.births(born, self.per_cell)):
                    worm = self._crawl(np.uint64(walk.worm_key(born, number)), i, j)
                    if _touches(worm, box):
                        found.append(worm)
        return found

    @property
    def _halo(self) -> int:
        return math.ceil(min(self.reach / self.cell, 2.0**31))  # a cell of next to nothing is refused for its cost

    @property
    def _side(self) -> int:
        """Cells along the side of a patch: as many as in the halo, unless that would be too many balls."""
        most = math.isqrt(int(_MOST_BALLS / max(self.per_cell * self.steps, 1.0)))
        return max(min(self._halo, most), _PATCH)

    @property
    def _gait(self) -> walk.Gait:
        deep, shallow = self.depth if self.depth is not None else (0.0, 0.0)
        pitch = self.pitch_deg / 360.0 if self.depth is not None else 0.0
        numbers = self.step, self.bend, self.radius[0], self.radius[1], deep, shallow, pitch
        return tuple(float(number) for number in numbers)  # type: ignore[return-value]

    def _crawl(self, worm: np.uint64, i: int, j: int) -> Worm:
        x, y, z, radius = np.empty((4, self.steps))
        walk.crawl(worm, float(self.cell), self._gait, x, y, z, radius)
        return Worm(np.stack([i * self.cell + x, j * self.cell + y], axis=1), z, radius, int(worm))


@dataclass(frozen=True, slots=True, eq=False)
class _Profile(Expression):
    worms: Worms
    cache: TileCache[_Balls] = field(default_factory=lambda: TileCache(_MOST_BYTES, _size), repr=False)

    @property
    def dimensions(self) -> int:
        return 2 if self.worms.depth is None else 3

    def at(self, places: Places) -> Values:
        worms = self.worms
        out = np.empty(math.prod(places.shape))
        height = places.points(3)[2] if worms.depth is not None else np.zeros(out.size)
        side, halo = worms._side, worms._halo
        for part in around(places, worms.cell, side, halo):
            order = np.argsort(part.patch, kind="stable") if len(part.first_x) > 1 else np.arange(len(part.patch))
            starts = np.searchsorted(part.patch[order], np.arange(len(part.first_x) + 1))
            depths = np.empty(len(order))
            for number, (x, y) in enumerate(zip(part.first_x.tolist(), part.first_y.tolist(), strict=True)):
                here = slice(starts[number], starts[number + 1])
                which = order[here]
                if len(which):
                    balls, cells, bins = self._balls(x, y)
                    walk.carve(
                        balls, cells, bins, float(worms.cell), float(worms.radius[1]), side, x + halo, y + halo,
                        part.cell_x[which], part.cell_y[which], part.inside_x[which], part.inside_y[which],
                        height[part.which[which]], depths[here],
                    )  # fmt: skip
            out[part.which[order]] = depths
        return out.reshape(places.shape)

    def _balls(self, x: int, y: int) -> _Balls:
        """Return the balls that touch the patch that starts, with its halo, at a cell."""
        found = self.cache.get((x, y))
        if found is None:
            worms = self.worms
            root = np.uint64(key(worms.seed, "worms"))
            found = walk.gather(
                root, float(worms.per_cell), float(worms.cell), worms.steps, worms._gait, worms._side, worms._halo, x, y
            )
            self.cache.put((x, y), found)
        return found

    def text(self, depth: int = 0) -> str:
        return f"{self.worms!r}.profile"


def _size(balls: _Balls) -> int:
    return sum(array.nbytes for array in balls) + 400  # what arrays and their key take besides


def _touches(worm: Worm, box: Bounds) -> bool:
    x, y = worm.xy.T
    dx = np.maximum(np.maximum(box.xmin - x, x - box.xmax), 0.0)
    dy = np.maximum(np.maximum(box.ymin - y, y - box.ymax), 0.0)
    return bool((dx * dx + dy * dy < worm.radius * worm.radius).any())
