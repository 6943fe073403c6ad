"""Edits: what a person changed by hand, kept beside the rules, so that it survives when a world grows anew.

An edit names an instance by its id, which is a function of seed, layer and place: as long as the same instance
grows, the edit finds it again, whatever else changed. Edits are applied last and change nothing
else: no other instance moves because of one. An edit whose instance no longer grows is reported,
and stays in the file.

Each edit notes where its instance grew (``at``). So the window law holds for edited worlds, too: what was
moved into a window from outside is looked up there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

import numpy as np

from weald import hashing
from weald.arguments import of_kind, shown
from weald.errors import InputError
from weald.exact import length
from weald.numbers import floats, is_number, whole_in
from weald.scatter.placements import Placements
from weald.scatter.species import SCALES

Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Take an instance away."""

    verb: ClassVar[str] = "remove"
    layer: str
    id: int
    at: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Put an instance elsewhere, on the ground there; turn or scale it if told."""

    verb: ClassVar[str] = "move"
    layer: str
    id: int
    at: Place
    to: Place
    yaw_deg: float | None = None
    scale: float | None = None

    def __post_init__(self) -> None:
        _check(self.verb, to=self.to, yaw_deg=self.yaw_deg, scale=self.scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """Let an instance be of another species."""

    verb: ClassVar[str] = "replace"
    layer: str
    id: int
    at: Place
    species: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Keep an instance as it was when it was pinned, even where it would no longer grow."""

    verb: ClassVar[str] = "pin"
    layer: str
    id: int
    at: Place
    species: str
    z: float
    rotation: tuple[float, float, float, float]
    scale: float
    radius: float

    def __post_init__(self) -> None:
        _check(self.verb, scale=self.scale)
        four = floats(self.rotation)
        fits = four is not None and four.shape == (4,) and bool((np.abs(four) < 2).all())
        if not (fits and abs(float(length(*self.rotation)) - 1) < 1e-3):
            raise InputError(f"pin: rotation is {self.rotation}; give a unit quaternion x, y, z, w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Put up an instance that would not grow; its id follows from its name."""

    verb: ClassVar[str] = "add"
    layer: str
    name: str
    species: str
    at: Place
    yaw_deg: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        _check(self.verb, at=self.at, yaw_deg=self.yaw_deg, scale=self.scale)
        if not (isinstance(self.name, str) and self.name):
            raise InputError(f"add: name is {self.name!r}; give a text, which its id is made from")

    @property
    def id(self) -> int:
        """The 64-bit id of the instance: a hash of layer and name."""
        return hashing.key("edit", self.layer, self.name)


Edit: TypeAlias = Remove | Move | Replace | Pin | Add


@dataclass(frozen=True, slots=True, repr=False)
class Edits:
    """Edits of a world, in the order in which they were made.

    Methods take instances as they stand in the world, edited or not, and return new edits: of what was done to one
    instance before, that stays which still counts. So a tree that is moved twice is moved to the second place, and
    one that was added and is removed leaves nothing.

    Examples
    --------
    >>> from weald.scatter.species import Species
    >>> pine = Species("pine", "conifer", height=20, crown_radius=2, color="#335544")
    >>> pines = Placements.upright((pine,), [[1, 2, 0], [5, 5, 0]], id=[11, 12])
    >>> edits = Edits().remove("pines", pines[:1]).add("pines", "the old one", species="pine", at=(9, 9), scale=2)
    >>> edits
    Edits(1 remove, 1 add)
    >>> edits.without("pines", pines)
    Edits(1 add)
    """

    all: tuple[Edit, ...] = field(default=())

    def __post_init__(self) -> None:
        if not (isinstance(self.all, Sequence) and all(isinstance(edit, Edit) for edit in self.all)):
            raise InputError(f"edits: got {shown(self.all)}; give a tuple of edits")
        taken: dict[tuple[str, int], set[str]] = {}
        for edit in self.all:
            of_kind("layer", edit.layer, str, "the name of a layer")
            verbs = taken.setdefault((edit.layer, edit.id), set())
            # an instance may be moved and replaced; any other two edits of it contradict each other
            if edit.verb in verbs or (verbs and {edit.verb, *verbs} != {"move", "replace"}):
                what = f"name {edit.name!r}" if isinstance(edit, Add) else f"id {id_text(edit.id)}"
                raise InputError(
                    f"edits: {what} of layer {edit.layer!r} has both {' and '.join(sorted({*verbs, edit.verb}))}"
                    f"{' twice' if edit.verb in verbs else ''}; keep one"
                )
            verbs.add(edit.verb)

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Edit]:
        return iter(self.all)

    def __repr__(self) -> str:
        return f"Edits({', '.join(f'{n} {verb}' for verb, n in Counter(edit.verb for edit in self.all).items())})"

    def remove(self, layer: str, placed: Placements) -> Edits:
        """Take instances away; what was added is forgotten."""

        def removed(before: _Before, k: int, i: int, at: Place) -> Sequence[Edit]:
            return [] if "add" in before else [Remove(layer=layer, id=i, at=at)]

        return self._changed(layer, placed, removed)

    def move(
        self, layer: str, placed: Placements, to: Place, *, yaw_deg: float | None = None, scale: float | None = None
    ) -> Edits:
        """Put one instance elsewhere, on the ground there; turn or scale it if told."""

        def moved(before: _Before, k: int, i: int, at: Place) -> Sequence[Edit]:
            if "pin" in before:
                raise InputError(
                    f"edits: id {id_text(i)} of layer {layer!r} is pinned where it stands; "
                    "take that back first, by Edits.without"
                )
            place = _place("to", to)
            added, old = before.get("add"), before.get("move")
            if isinstance(added, Add):
                turn = added.yaw_deg if yaw_deg is None else yaw_deg
                return [replace(added, at=place, yaw_deg=turn, scale=added.scale if scale is None else scale)]
            turned = old.yaw_deg if yaw_deg is None and isinstance(old, Move) else yaw_deg
            scaled = old.scale if scale is None and isinstance(old, Move) else scale
            kept = [before["replace"]] if "replace" in before else []
            return [*kept, Move(layer=layer, id=i, at=at, to=place, yaw_deg=turned, scale=scaled)]

        _which(placed)
        if len(placed) != 1:
            raise InputError(f"placed: got {len(placed)} instances; give the one to move")
        return self._changed(layer, placed, moved)

    def replace(self, layer: str, placed: Placements, species: str) -> Edits:
        """Let instances be of another species."""

        def replaced(before: _Before, k: int, i: int, at: Place) -> Sequence[Edit]:
            old = before.get("add") or before.get("pin")
            if isinstance(old, Add | Pin):
                return [replace(old, species=species)]
            kept = [before["move"]] if "move" in before else []
            return [*kept, Replace(layer=layer, id=i, at=at, species=species)]

        return self._changed(layer, placed, replaced)

    def pin(self, layer: str, placed: Placements) -> Edits:
        """Keep instances as they are, whatever the rules become; what was added stands anyway."""

        def pinned(before: _Before, k: int, i: int, at: Place) -> Sequence[Edit]:
            if "add" in before:
                return [before["add"]]
            if "move" in before:
                raise InputError(
                    f"edits: id {id_text(i)} of layer {layer!r} is moved, and stands there while it grows; "
                    "to keep it for ever remove it, and add one in its place"
                )
            return [
                Pin(
                    layer=layer,
                    id=i,
                    at=at,
                    species=placed.species_table[placed.species[k]].name,
                    z=float(placed.xyz[k, 2]),
                    rotation=tuple(placed.rotation[k].tolist()),
                    scale=float(placed.scale[k]),
                    radius=float(placed.radius[k]),
                )
            ]

        return self._changed(layer, placed, pinned)

    def add(self, layer: str, name: str, *, species: str, at: Place, yaw_deg: float = 0.0, scale: float = 1.0) -> Edits:
        """Put up an instance under a name of its own."""
        place = _place("at", at)
        return Edits((*self.all, Add(layer=layer, name=name, species=species, at=place, yaw_deg=yaw_deg, scale=scale)))

    def without(self, layer: str, placed: Placements) -> Edits:
        """Take back every edit of instances; those of a removed one are found by the world without edits."""
        return self._changed(layer, placed, lambda before, k, i, at: [])

    def _changed(
        self, layer: str, placed: Placements, change: Callable[[_Before, int, int, Place], Sequence[Edit]]
    ) -> Edits:
        """Return edits in which those of some instances, by their verbs, are what they change to."""
        before: dict[int, dict[str, Edit]] = {i: {} for i, _ in _which(placed)}
        for edit in self.all:
            if edit.layer == layer and edit.id in before:
                before[edit.id][edit.verb] = edit
        made: list[Edit] = []
        for k, (i, at) in enumerate(_which(placed)):
            # what was moved is known by where it grew
            grew = next((edit.at for edit in before[i].values()), at)
            made += change(before[i], k, i, grew)
        return Edits((*(edit for edit in self.all if edit.layer != layer or edit.id not in before), *made))


_Before: TypeAlias = Mapping[str, Edit]


def _check(
    verb: str,
    *,
    at: Place | None = None,
    to: Place | None = None,
    yaw_deg: float | None = None,
    scale: float | None = None,
) -> None:
    for name, place in (("at", at), ("to", to)):
        if place is not None:
            _place(f"{verb}: {name}", place)
    if yaw_deg is not None and not is_number(yaw_deg):
        raise InputError(f"{verb}: yaw_deg is {yaw_deg!r}; give a finite number of degrees")
    if scale is not None and not (is_number(scale) and SCALES[0] <= scale <= SCALES[1]):
        raise InputError(f"{verb}: scale is {scale!r}; give a number from {SCALES[0]:g} to {SCALES[1]:g}")


def _place(name: str, place: object) -> Place:
    found = floats(place)
    if found is None or found.shape != (2,) or not np.isfinite(found).all():
        raise InputError(f"{name}: got {place!r}; give (x, y), finite metres")
    return float(found[0]), float(found[1])


def _which(placed: Placements) -> list[tuple[int, Place]]:
    if not isinstance(placed, Placements):
        raise InputError(
            f"placed: got {type(placed).__name__}; give Placements, such as a part of what World.layers returns"
        )
    return [(int(i), (x, y)) for i, (x, y) in zip(placed.id, placed.xyz[:, :2].tolist(), strict=True)]


def id_text(number: int) -> str:
    """Return an id as files and messages write it: 16 hexadecimal digits, since many readers keep 53 bits only.

    >>> id_text(255)
    '00000000000000ff'
    """
    return f"{whole_in('id', number, 'a whole number from 0', least=0):016x}"
