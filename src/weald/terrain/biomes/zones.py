"""Zones: one of some named kinds at every place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import shown
from weald.errors import InputError, nearest
from weald.fields import Condition, ConditionLike
from weald.fields.evaluate import at_points, on_grid
from weald.fields.expression import ATOM, COMPARE, Apply, Constant, Expression
from weald.geometry import Grid

Codes = NDArray[np.unsignedinteger[Any]]

_FEW = 255
"""Kinds that fit into 8 bits beside the code of a void."""


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The names of kinds and their colours, in the order of their codes.

    Attributes
    ----------
    names : tuple of str
        The name of kind k has code k.
    colors : ndarray of uint8, shape (n, 3)
        Red, green and blue of each.
    """

    names: tuple[str, ...]
    colors: NDArray[np.uint8]

    def __repr__(self) -> str:
        return f"Kinds({', '.join(self.names)})"

    @classmethod
    def of(cls, names: Sequence[Any], colors: Sequence[Any], what: str) -> Kinds:
        """Return checked kinds; ``what`` says in messages what they are kinds of."""
        if not names:
            raise InputError(f"{what}: got none; give at least one")
        if len(names) >= 65535:
            raise InputError(f"{what}: got {len(names)}; give fewer than 65535")
        for number, name in enumerate(names):
            if not isinstance(name, str) or not name:
                raise InputError(f"{what}: the name of number {number} is {name!r}; give a word")
            if name in names[:number]:
                raise InputError(f"{what}: {name!r} occurs twice; give each a name of its own")
        table = np.array([_color(color, name, what) for color, name in zip(colors, names, strict=True)], np.uint8)
        table.setflags(write=False)
        return cls(tuple(names), table)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of codes: uint8, or uint16 if there are more than 255 kinds."""
        return np.dtype(np.uint8 if len(self.names) <= _FEW else np.uint16)

    @property
    def void(self) -> int:
        """The code of places where nothing is known: the largest of the type, 255 or 65535."""
        return int(np.iinfo(self.dtype).max)

    def code(self, name: str) -> int:
        """Return the code of a name."""
        if not isinstance(name, str) or name not in self.names:
            raise InputError(
                f"name: got {shown(name)}{nearest(str(name), self.names)}; give one of {', '.join(self.names)}"
            )
        return self.names.index(name)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Zones:
    """One of some named kinds at every place: a vectorised, pure, immutable function of (x, y).

    Attributes
    ----------
    kinds : Kinds
        Names and colours, in the order of the codes.

    Examples
    --------
    >>> from weald.fields import Field
    >>> height = Field.of(lambda x, y: x)
    >>> zones = Zones.first([("sea", "#30587a", height < 0), ("land", "#88a65e", True)])
    >>> zones([-5, 5], 0).tolist(), zones.is_("sea")([-5, 5], 0).tolist()
    ([0, 1], [True, False])
    """

    kinds: Kinds
    expression: Expression

    @classmethod
    def first(cls, rules: Sequence[tuple[str, str, ConditionLike]]) -> Zones:
        """Return zones from an ordered list of rules: the first whose condition holds gives the kind.

        Parameters
        ----------
        rules
            Triples (name, colour as ``"#rrggbb"``, condition). The last condition should be True, so that
            no place is left over; a place where none holds is void.
        """
        if not (isinstance(rules, Sequence) and all(isinstance(rule, Sequence) and len(rule) == 3 for rule in rules)):
            raise InputError(f"rules: got {shown(rules)}; give a list of (name, color, condition)")
        kinds = Kinds.of([rule[0] for rule in rules], [rule[1] for rule in rules], "kinds")
        conditions = tuple(Condition.of(rule[2]).expression for rule in rules)
        return cls(kinds, first_that_holds(kinds, conditions))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the kinds; code k is the name at k."""
        return self.kinds.names

    def __call__(self, x: ArrayLike, y: ArrayLike) -> Codes:
        """Return the codes at coordinates in metres, of any shapes that broadcast, in the broadcast shape."""
        return at_points(self.expression, self.kinds.dtype, x, y)

    def codes(self, grid: Grid, threads: int | None = None) -> Codes:
        """Return the codes on a grid.

        Parameters
        ----------
        grid
            Where; row 0 is the southernmost.
        threads
            How many threads to use; None for one a core. The codes are the same for any number.

        Returns
        -------
        ndarray of uint8, or of uint16 for more than 255 kinds, shape (ny, nx)
            The number of the kind in the table, from 0; 255 (65535) where the ground is void.
        """
        return on_grid(self.expression, self.kinds.dtype, grid, threads, None)

    def is_(self, name: str) -> Condition:
        """Return the condition that a place is of a kind, for rules and masks."""
        code = Constant(self.kinds.code(name))
        return Condition(
            Apply(
                np.equal,
                (self.expression, code),
                "{0}.is_(" + repr(name).replace("{", "{{").replace("}", "}}") + ")",
                ATOM,
                (ATOM, COMPARE),
            )
        )

    def __repr__(self) -> str:
        return self.expression.text()


def first_that_holds(kinds: Kinds, conditions: tuple[Expression, ...], called: str = "zones") -> Expression:
    """Return the number of the first condition that holds, or the code of a void; ``called`` is for its text."""
    select = partial(_first, dtype=kinds.dtype, void=kinds.void)
    return Apply(select, conditions, listed(called, kinds), ATOM, (COMPARE,) * len(conditions))


def listed(called: str, kinds: Kinds) -> str:
    """Return a form that names the kinds and leaves out what tells them apart: it would fill pages."""
    names = ", ".join(kinds.names).replace("{", "{{").replace("}", "}}")
    return f"{called}({names})"


def _first(*answers: NDArray[np.bool_], dtype: np.dtype[Any], void: int) -> Codes:
    codes = np.full(answers[0].shape, void, dtype)
    for number in range(len(answers) - 1, -1, -1):
        codes[answers[number]] = number
    return codes


def _color(text: Any, name: str, what: str) -> tuple[int, int, int]:
    if not isinstance(text, str) or not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise InputError(f"{what}: the color of {name!r} is {text!r}; give '#rrggbb'")
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
