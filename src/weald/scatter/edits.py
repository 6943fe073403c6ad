"""Edits: what a person changed by hand, kept beside the rules, so that it survives when a world grows anew.

An edit names an instance by its id, which is a function of seed, layer and place: as long as the same instance
grows, the edit finds it again, whatever else changed. Edits are applied last and change nothing
else: no other instance moves because of one. An edit whose instance no longer grows is reported,
and stays in the file.

Each edit notes where its instance grew (``at``). So the window law holds for edited worlds, too: what was
moved into a window from outside is looked up there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError, nearest
from weald.geometry import Bounds
from weald.scatter.orientation import yaw
from weald.scatter.placements import Placements
from weald.scatter.species import Species

Place: TypeAlias = tuple[float, float]
Height: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


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

    @property
    def id(self) -> int:
        """The 64-bit id of the instance: a hash of layer and name."""
        return hashing.key("edit", self.layer, self.name)


Edit: TypeAlias = Remove | Move | Replace | Pin | Add


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits of a world, in the order in which they were made.

    Methods return new edits with one more; those that were there stay.

    Examples
    --------
    >>> pine = Species("pine", "conifer", height=20, crown_radius=2, color="#335544")
    >>> pines = Placements.upright((pine,), [[1, 2, 0], [5, 5, 0]], id=[11, 12])
    >>> edits = Edits().remove("pines", pines[:1]).add("pines", "the old one", species="pine", at=(9, 9), scale=2)
    >>> [edit.verb for edit in edits]
    ['remove', 'add']
    """

    all: tuple[Edit, ...] = field(default=())

    def __post_init__(self) -> None:
        taken: dict[tuple[str, int], set[str]] = {}
        for edit in self.all:
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

    def remove(self, layer: str, placed: Placements) -> Edits:
        """Take instances away."""
        return self._with(Remove(layer=layer, id=i, at=at) for i, at in _which(placed))

    def move(
        self, layer: str, placed: Placements, to: Place, *, yaw_deg: float | None = None, scale: float | None = None
    ) -> Edits:
        """Put one instance elsewhere."""
        if len(placed) != 1:
            raise InputError(f"placed: got {len(placed)} instances; give the one to move")
        return self._with(
            Move(layer=layer, id=i, at=at, to=(float(to[0]), float(to[1])), yaw_deg=yaw_deg, scale=scale)
            for i, at in _which(placed)
        )

    def replace(self, layer: str, placed: Placements, species: str) -> Edits:
        """Let instances be of another species."""
        return self._with(Replace(layer=layer, id=i, at=at, species=species) for i, at in _which(placed))

    def pin(self, layer: str, placed: Placements) -> Edits:
        """Keep instances as they are, whatever the rules become."""
        return self._with(
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
            for k, (i, at) in enumerate(_which(placed))
        )

    def add(self, layer: str, name: str, *, species: str, at: Place, yaw_deg: float = 0.0, scale: float = 1.0) -> Edits:
        """Put up an instance under a name of its own."""
        place = (float(at[0]), float(at[1]))
        return self._with([Add(layer=layer, name=name, species=species, at=place, yaw_deg=yaw_deg, scale=scale)])

    def _with(self, more: Iterable[Edit]) -> Edits:
        return Edits((*self.all, *more))


def apply_edits(
    edits: Sequence[Edit],
    placed: Placements,
    window: Bounds,
    *,
    find: Callable[[Bounds], Placements],
    height: Height,
    species: Mapping[str, Species],
) -> tuple[Placements, list[str]]:
    """Apply the edits of one layer to what grew of it in a window.

    Parameters
    ----------
    edits
        Those of the layer, in order.
    placed
        What grew in the window, unedited.
    window
        Half-open box, in metres.
    find
        Returns what grew in any other box.
    height
        Of the ground: where moved and added instances stand.
    species
        By name: what may be added and replaced by.

    Returns
    -------
    Placements
        What stayed in place first, in its order; then what was moved, pinned and added, in the order of the edits.
        Equals, bit for bit and in order, the part of the edited whole that lies in the window.
    list of str
        A line for each edit that concerns the window and whose instance no longer grows.
    """
    if not edits:
        return placed, []
    named = [_named(edit, species) for edit in edits if isinstance(edit, Add | Pin | Replace)]
    # one table for every window, whichever of the edits concern it
    placed = Placements.concat([placed, Placements.upright(named, np.empty((0, 3)))])
    concerned = {edit.id for edit in edits if _in(window, edit.at) or (isinstance(edit, Move) and _in(window, edit.to))}
    rows = _rows(placed, concerned)
    gone: set[int] = set()
    put: dict[int, Placements] = {}
    stale = []
    for edit in edits:
        if edit.id not in concerned:
            continue
        if isinstance(edit, Add):
            put[edit.id] = _added(edit, _named(edit, species), height)
            continue
        grown = _grown(edit, placed, rows, put, find)
        if isinstance(edit, Pin):
            put[edit.id] = _pinned(edit, _named(edit, species))
        elif grown is None:
            stale.append(
                f"{edit.verb} {id_text(edit.id)} at ({edit.at[0]:g}, {edit.at[1]:g}) in layer {edit.layer!r}: "
                "nothing grows there by this id any more; the edit is kept, and does nothing"
            )
            continue
        elif isinstance(edit, Move):
            put[edit.id] = _moved(edit, grown, height)
        elif isinstance(edit, Replace):
            put[edit.id] = replace(
                grown, species_table=(_named(edit, species),), species=np.zeros(len(grown), np.uint16)
            )
        gone.add(edit.id)
    stays = ~np.isin(placed.id, np.array(list(gone), np.uint64))
    # an instance keeps the rank of its first edit, in every window
    ranks = dict.fromkeys(edit.id for edit in edits)
    return Placements.concat([placed.take(stays), *(put[i] for i in ranks if i in put)]).inside(window), stale


def _rows(placed: Placements, ids: set[int]) -> dict[int, int]:
    rows = np.flatnonzero(np.isin(placed.id, np.array(list(ids), np.uint64)))
    return {int(placed.id[row]): int(row) for row in rows}


def _grown(
    edit: Edit,
    placed: Placements,
    rows: Mapping[int, int],
    put: Mapping[int, Placements],
    find: Callable[[Bounds], Placements],
) -> Placements | None:
    """Return the instance that an edit is about, as it is by now."""
    if edit.id in put:
        return put[edit.id]
    if edit.id in rows:
        return placed.take(slice(rows[edit.id], rows[edit.id] + 1))
    x, y = edit.at
    reach = max(1e-3, 1e-9 * max(abs(x), abs(y)))
    there = find(Bounds(x - reach, y - reach, x + reach, y + reach))
    found = there.take(there.id == np.uint64(edit.id))
    return found if len(found) else None


def _moved(edit: Move, grown: Placements, height: Height) -> Placements:
    changes: dict[str, NDArray[np.generic]] = {"xyz": _on_ground(edit.to, height, edit)}
    if edit.yaw_deg is not None:
        changes["rotation"] = yaw(np.array([edit.yaw_deg / 360.0])).astype(np.float32)
    if edit.scale is not None:
        changes["scale"] = np.array([edit.scale], np.float32)
    return replace(grown, **changes)  # type: ignore[arg-type]


def _added(edit: Add, kind: Species, height: Height) -> Placements:
    made = Placements.upright(
        (kind,), _on_ground(edit.at, height, edit), scale=edit.scale, id=np.array([edit.id], np.uint64)
    )
    return replace(made, rotation=yaw(np.array([edit.yaw_deg / 360.0])).astype(np.float32))


def _pinned(edit: Pin, kind: Species) -> Placements:
    made = Placements.upright(
        (kind,), [[*edit.at, edit.z]], scale=edit.scale, radius=edit.radius, id=np.array([edit.id], np.uint64)
    )
    return replace(made, rotation=np.array([edit.rotation], np.float32))


def _on_ground(place: Place, height: Height, edit: Edit) -> NDArray[np.float64]:
    x, y = np.array([place[0]]), np.array([place[1]])
    z = height(x, y)
    if not np.isfinite(z).all():
        raise InputError(
            f"edits: {edit.verb} of layer {edit.layer!r} to ({place[0]:g}, {place[1]:g}): there is no ground; "
            "give a place on the ground"
        )
    return np.column_stack([x, y, z])


def _named(edit: Add | Pin | Replace, species: Mapping[str, Species]) -> Species:
    if edit.species not in species:
        raise InputError(
            f"edits: {edit.verb} in layer {edit.layer!r}: species {edit.species!r} is unknown"
            f"{nearest(edit.species, species)}; known: {', '.join(species) or 'none'}"
        )
    return species[edit.species]


def _in(window: Bounds, place: Place) -> bool:
    return bool(window.contains(np.array(place[0]), np.array(place[1])))


def _which(placed: Placements) -> list[tuple[int, Place]]:
    return [(int(i), (x, y)) for i, (x, y) in zip(placed.id, placed.xyz[:, :2].tolist(), strict=True)]


def id_text(number: int) -> str:
    """Return an id as files and messages write it: 16 hexadecimal digits, since many readers keep 53 bits only.

    >>> id_text(255)
    '00000000000000ff'
    """
    return f"{number:016x}"
