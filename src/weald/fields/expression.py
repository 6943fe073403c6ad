"""Expressions: what fields and conditions are made of, and the places they are evaluated at.

An expression is an immutable tree. Its leaves know how to find values at places (noise, a raster,
a user's function); `Apply` nodes combine values element by element. Parts that occur more than once
in a tree are evaluated once a block.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.geometry import Bounds

Values: TypeAlias = NDArray[Any]

# how tightly the operators of Python bind, for parentheses in text
COMPARE, OR, AND, SUM, PRODUCT, UNARY, POWER, ATOM = range(8)
# trees that share parts print them each time they occur, so deep ones end in dots
_DEEPEST = 14
# an expression higher than this is climbed, landing by landing, as Python calls only so many functions inside each
# other; lower ones are not, since landings take memory
_TALL, _FLIGHT = 100, 8


class Places:
    """The places of one evaluation, as points or as a block of a grid, and what is known there.

    Attributes
    ----------
    x, y : ndarray of float64
        Points: both of shape (n,). Block: shapes (1, nx) and (ny, 1).
    z, w : ndarray of float64 or None
        The third and the fourth coordinate, where they are given. Points: of shape (n,). Block: of
        shape (1, 1), as a block is a level slice.
    shape : tuple of int
        Shape of values here: (n,) or (ny, nx).
    """

    __slots__ = ("_known", "_plan", "_seen", "shape", "w", "x", "y", "z")

    def __init__(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        plan: Plan | None = None,
        *,
        z: NDArray[np.float64] | None = None,
        w: NDArray[np.float64] | None = None,
    ) -> None:
        self.x, self.y, self.z, self.w = x, y, z, w
        self.shape = np.broadcast_shapes(x.shape, y.shape)
        self._plan = plan if plan is not None else _NO_PLAN
        self._known: dict[int, Values] = {}
        self._seen: dict[Mover, Sight] = {}

    @property
    def is_block(self) -> bool:
        """Whether the places are a block of a grid."""
        return self.x.ndim == 2

    def points(self, dimensions: int = 2) -> tuple[NDArray[np.float64], ...]:
        """Return x and y (and z, and w) of every place, row after row, each contiguous, of shape (n,)."""
        given = [axis for axis in (self.x, self.y, self.z, self.w)[:dimensions] if axis is not None]
        return tuple(np.ascontiguousarray(np.broadcast_to(axis, self.shape)).reshape(-1) for axis in given)

    def values(self, expression: Expression) -> Values:
        """Return the values of an expression here; parts that are shared are found once."""
        identity = id(expression)
        if identity not in self._plan.shared:
            return expression.at(self)
        if identity not in self._known:
            self.climb(expression)
            self._known[identity] = expression.at(self)
        return self._known[identity]

    def climb(self, expression: Expression) -> None:
        """Find the values of the landings below an expression, from the lowest on, if it is a tall one."""
        for landing in self._plan.landings.get(id(expression), ()):
            if id(landing) not in self._known:
                self._known[id(landing)] = landing.at(self)

    def elsewhere(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        z: NDArray[np.float64] | None,
        w: NDArray[np.float64] | None,
    ) -> Places:
        """Return other places of the same evaluation."""
        return Places(x, y, self._plan, z=z, w=w)

    def sight(self, mover: Mover) -> Sight:
        """Return the places where a mover looks from here; equal movers look at the same places."""
        if mover not in self._seen:
            self._seen[mover] = mover.look(self)
        return self._seen[mover]


class Sight(NamedTuple):
    """Where a mover looks: places, and which of the places that it looks from see one, in their shape; None: all."""

    places: Places
    seeing: NDArray[np.bool_] | None = None


class Mover(ABC):
    """A pure rule that says where to look instead of at a place. Movers that are equal move alike."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions that it evaluates at the places themselves."""
        return ()

    @abstractmethod
    def look(self, places: Places) -> Sight:
        """Return where to look."""

    def moved(self, box: Bounds) -> Bounds | None:
        """Return a box outside of which no place looks into this one; None if there is none that is known."""
        return None

    @abstractmethod
    def text(self, operand: str, depth: int) -> str:
        """Return the call that moves an operand."""


class Expression(ABC):
    """A pure function of place."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions that this one combines."""
        return ()

    @property
    def here(self) -> tuple[Expression, ...]:
        """The parts that are evaluated at the places themselves."""
        return self.parts

    @property
    def level(self) -> int:
        """How tightly the outermost operator of the text binds."""
        return ATOM

    @property
    def effort(self) -> float:
        """About how many nanoseconds this expression itself takes for a place, its parts aside."""
        return 3.0

    @property
    def dimensions(self) -> int:
        """How many coordinates this expression itself reads, its parts aside: 2, 3 or 4."""
        return 2

    @abstractmethod
    def at(self, places: Places) -> Values:
        """Return the values at places, of shape ``places.shape``; never changed by anyone afterwards."""

    @property
    def fills_rows(self) -> bool:
        """Whether `fill` takes no arrays beside its own, so that whole rows of a grid may be asked for at a time."""
        return False

    def fill(self, places: Places, out: Values) -> None:
        """Write the values at places into an array, each rounded once where its type is not that of the values."""
        out[...] = self.at(places)

    @abstractmethod
    def text(self, depth: int = 0) -> str:
        """Return the expression as it would be written in Python."""


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Expression):
    """The same value everywhere."""

    value: float | bool

    @property
    def level(self) -> int:
        """A number is written in parentheses before a method."""
        return UNARY

    def at(self, places: Places) -> Values:
        """Return one value that broadcasts over the places."""
        return np.broadcast_to(np.asarray(self.value), places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the number, without a needless ``.0``."""
        return number_text(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Expression):
    """A function applied to the values of other expressions, element by element.

    Attributes
    ----------
    function
        Takes one array a part and returns an array; one that pickles.
    form
        The text, with ``{}`` where the parts go.
    needs
        For each part, the level below which it is put into parentheses.
    """

    function: Callable[..., Values]
    operands: tuple[Expression, ...]
    form: str
    binds: int
    needs: tuple[int, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The operands."""
        return self.operands

    @property
    def level(self) -> int:
        """How tightly the operator binds."""
        return self.binds

    def at(self, places: Places) -> Values:
        """Apply the function to the operands' values."""
        return self.function(*[places.values(part) for part in self.operands])

    def text(self, depth: int = 0) -> str:
        """Fill the operands into the form."""
        if depth > _DEEPEST:
            return "..."
        deeper = depth + max(len(self.operands) - 1, 1)
        texts = [
            f"({part.text(deeper)})" if part.level < need else part.text(deeper)
            for part, need in zip(self.operands, self.needs, strict=True)
        ]
        return self.form.format(*texts)


@dataclass(frozen=True, slots=True, eq=False)
class Moved(Expression):
    """An expression evaluated elsewhere.

    Attributes
    ----------
    nowhere
        The value where the mover sees no place: NaN, or no.
    """

    operand: Expression
    mover: Mover
    nowhere: float | bool

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The operand, and what the mover asks."""
        return self.operand, *self.mover.parts

    @property
    def here(self) -> tuple[Expression, ...]:
        """What the mover asks."""
        return self.mover.parts

    def at(self, places: Places) -> Values:
        """Evaluate the operand where the mover looks."""
        there, seeing = places.sight(self.mover)
        if seeing is None:
            return there.values(self.operand).reshape(places.shape)
        out: Values = np.full(places.shape, self.nowhere)
        # a user's function need not know what to make of no places
        if there.x.size:
            out[seeing] = there.values(self.operand)
        return out

    def text(self, depth: int = 0) -> str:
        """Return the call of the method that made it."""
        if depth > _DEEPEST:
            return "..."
        text = self.operand.text(depth + len(self.parts))
        return self.mover.text(f"({text})" if self.operand.level < ATOM else text, depth)


def number_text(value: float) -> str:
    """Return a number as one would write it.

    >>> number_text(300.0), number_text(-0.25), number_text(1e30)
    ('300', '-0.25', '1e+30')
    """
    if isinstance(value, bool):
        return repr(value)
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


class Plan(NamedTuple):
    """How an expression is evaluated.

    Attributes
    ----------
    shared
        Identities of the parts whose values are kept for the places at hand.
    dimensions
        How many coordinates are needed.
    landings
        For tall expressions, by identity: parts to evaluate first, from the lowest on.
    """

    shared: frozenset[int]
    dimensions: int
    landings: Mapping[int, tuple[Expression, ...]]


_NO_PLAN = Plan(frozenset(), 2, {})


def survey(root: Expression) -> Plan:
    """Return how to evaluate an expression: parts that occur more than once are found once."""
    uses = Counter([id(root)])
    waiting, dimensions = [root], root.dimensions
    while waiting:
        for part in waiting.pop().parts:
            uses[id(part)] += 1
            if uses[id(part)] == 1:
                waiting.append(part)
                dimensions = max(dimensions, part.dimensions)
    shared = frozenset(identity for identity, count in uses.items() if count > 1)
    if len(uses) <= _TALL:
        return Plan(shared, dimensions, {})
    landings = _landings(root)
    return Plan(shared.union(landings, *(map(id, each) for each in landings.values())), dimensions, landings)


def _landings(root: Expression) -> dict[int, tuple[Expression, ...]]:
    """Return the landings of a tall expression, and of whatever of it is evaluated elsewhere; of lower ones none."""
    heights: dict[int, int] = {}
    starts, order = [root], list[Expression]()
    waiting = [(root, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            heights[id(node)] = 1 + max((heights[id(part)] for part in node.parts), default=0)
            order.append(node)
        elif id(node) not in heights:
            heights[id(node)] = 0  # on its way
            waiting.append((node, True))
            waiting += [(part, False) for part in node.parts]
            if isinstance(node, Moved):
                starts.append(node.operand)
    if heights[id(root)] <= _TALL:
        return {}
    return {id(start): _below(start, heights) for start in starts if heights[id(start)] > _FLIGHT}


def _below(start: Expression, heights: Mapping[int, int]) -> tuple[Expression, ...]:
    """Return the landings that are evaluated at the same places as an expression, from the lowest on."""
    seen, waiting, found = {id(start)}, [start], list[Expression]()
    while waiting:
        for part in waiting.pop().here:
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
                if heights[id(part)] % _FLIGHT == 0:
                    found.append(part)
    return tuple(sorted(found, key=lambda part: heights[id(part)]))


class Price(NamedTuple):
    """What the values of an expression cost.

    Attributes
    ----------
    evaluations
        Of parts, a place: a part counts once for each place at which it is looked at.
    nanoseconds
        About how many a place takes.
    moves
        How many times places are moved one after the other, at most.
    """

    evaluations: int
    nanoseconds: float
    moves: int


def price(root: Expression, most: int = 10_000) -> Price:
    """Return what an expression costs; beyond ``most`` evaluations counting stops.

    A warp looks at what it bends elsewhere, so where warps are nested each may double the work.
    """
    plan: dict[tuple[int, Mover], int] = {}
    moves, seen, waiting = [0], {(0, id(root))}, [(0, root)]
    nanoseconds = 0.0
    while waiting and len(seen) <= most:
        places, node = waiting.pop()
        nanoseconds += node.effort
        nexts = [(places, part) for part in node.here]
        if isinstance(node, Moved):
            there = plan.setdefault((places, node.mover), len(moves))
            if there == len(moves):
                moves.append(moves[places] + 1)
            nexts.append((there, node.operand))
        for each, part in nexts:
            if (each, id(part)) not in seen:
                seen.add((each, id(part)))
                waiting.append((each, part))
    return Price(len(seen), nanoseconds, max(moves))
