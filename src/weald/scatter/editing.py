"""Editing: what edits by hand make of what grew.

The window law holds for edited worlds, too: an edit knows where its instance grew, and what was moved into a window
from outside is looked up there. An edit that does not apply, since its instance no longer grows, or its species,
its layer or the ground it stood on is gone, does nothing, and is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald.errors import nearest
from weald.geometry import Bounds
from weald.scatter.edits import Add, Edit, Edits, Move, Pin, Place, Remove, Replace, id_text
from weald.scatter.orientation import yaw
from weald.scatter.placements import Placements
from weald.scatter.species import Species

Height: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


def edited(
    edits: Edits,
    grown: Mapping[str, Placements],
    window: Bounds | None,
    domain: Bounds | None,
    *,
    find: Callable[[str, Bounds], Placements],
    height: Height,
    species: Mapping[str, Species],
) -> tuple[dict[str, Placements], list[str]]:
    """Apply edits to what grew in a window.

    Parameters
    ----------
    edits
        In order.
    grown
        What grew in the window, by layer, unedited.
    window
        Half-open box, in metres; None for the whole world, which has a domain then.
    domain
        Where there is a world at all; None for everywhere.
    find
        Returns what grew of a layer in any other box.
    height
        Of the ground: where moved and added instances stand.
    species
        By name: what may be added and replaced by.

    Returns
    -------
    dict of Placements
        Of each layer, what stayed in place first, in its order; then what was moved, pinned and added, in the order of
        the edits. Equals, bit for bit and in order, the part of the edited whole that lies in the window.
    list of str
        A line for each edit that concerns the window and does not apply.
    """
    told: list[str] = []
    by_layer: dict[str, list[Edit]] = {}
    for edit in edits:
        by_layer.setdefault(edit.layer, []).append(edit)
    result = dict(grown)
    for layer, of_layer in by_layer.items():
        if layer in grown:
            ground = _Ground(height, domain)
            table = {name: species[name] for name in dict.fromkeys(_names(of_layer)) if name in species}
            editing = _Editing(layer, of_layer, window, find, ground, table, list(species))
            result[layer] = editing.apply(grown[layer])
            told += editing.told
        else:
            why = f"there is no such layer{nearest(layer, grown)}"
            told += [_line(edit, why) for edit in of_layer if _concerns(edit, window)]
    return result, told


class _Ground:
    """Where an instance may be put."""

    def __init__(self, height: Height, domain: Bounds | None) -> None:
        self._height, self._domain = height, domain

    def in_world(self, place: Place) -> bool:
        return self._domain is None or bool(self._domain.contains(np.array(place[0]), np.array(place[1])))

    def at(self, place: Place) -> NDArray[np.float64] | None:
        """Return a place on the ground, shape (1, 3); None if there is none."""
        if not self.in_world(place):
            return None
        x, y = np.array([place[0]]), np.array([place[1]])
        xyz = np.column_stack([x, y, self._height(x, y)])
        return xyz if np.isfinite(xyz).all() else None


class _Editing:
    """The edits of one layer at work on what grew of it in a window."""

    def __init__(
        self,
        layer: str,
        edits: Sequence[Edit],
        window: Bounds | None,
        find: Callable[[str, Bounds], Placements],
        ground: _Ground,
        table: Mapping[str, Species],
        known: Sequence[str],
    ) -> None:
        self._layer, self._edits, self._window, self._find = layer, edits, window, find
        self._ground, self._table, self._known = ground, table, known
        self.told: list[str] = []
        self._put: dict[int, Placements] = {}
        """What stands otherwise than it grew, by id."""

    def apply(self, placed: Placements) -> Placements:
        # one table for every window, whichever of the edits concern it
        placed = Placements.concat([placed, Placements.upright(tuple(self._table.values()), np.empty((0, 3)))])
        concerned = {edit.id for edit in self._edits if _concerns(edit, self._window)}
        rows = np.flatnonzero(np.isin(placed.id, np.array(list(concerned), np.uint64)))
        here = {int(placed.id[row]): placed.take(slice(row, row + 1)) for row in rows.tolist()}
        gone: set[int] = set()
        for edit in self._edits:
            if edit.id not in concerned:
                continue
            why = self._apply(edit, here)
            if why is not None:
                self.told.append(_line(edit, why))
            elif not isinstance(edit, Add):
                gone.add(edit.id)
        stays = ~np.isin(placed.id, np.array(list(gone), np.uint64))
        # an instance keeps the rank of its first edit, in every window
        ranks = dict.fromkeys(edit.id for edit in self._edits)
        whole = Placements.concat([placed.take(stays), *(self._put[i] for i in ranks if i in self._put)])
        return whole if self._window is None else whole.inside(self._window)

    def _apply(self, edit: Edit, here: Mapping[int, Placements]) -> str | None:
        """Apply one edit, or return why it does not apply."""
        if isinstance(edit, Add | Pin | Replace) and edit.species not in self._table:
            known = f"{nearest(edit.species, self._known)}; known: {', '.join(self._known) or 'none'}"
            return f"species {edit.species!r} is unknown{known}"
        if isinstance(edit, Add):
            place = self._ground.at(edit.at)
            if place is None:
                return "there is no ground"
            self._put[edit.id] = _added(edit, self._table[edit.species], place)
            return None
        if isinstance(edit, Pin):
            if not self._ground.in_world(edit.at):
                return "it is outside the world"
            self._put[edit.id] = _pinned(edit, self._table[edit.species])
            return None
        grown = self._grown(edit, here)
        if grown is None:
            return "nothing grows there by this id any more"
        if isinstance(edit, Move):
            place = self._ground.at(edit.to)
            if place is None:
                return f"there is no ground at ({edit.to[0]:g}, {edit.to[1]:g})"
            self._put[edit.id] = _moved(edit, grown, place)
        elif isinstance(edit, Replace):
            kind, number = (self._table[edit.species],), np.zeros(1, np.uint16)
            self._put[edit.id] = replace(grown, species_table=kind, species=number)
        return None

    def _grown(self, edit: Move | Remove | Replace, here: Mapping[int, Placements]) -> Placements | None:
        """Return the instance that an edit is about, as it is by now."""
        known = self._put.get(edit.id, here.get(edit.id))
        if known is not None:
            return known
        x, y = edit.at
        reach = max(1e-3, 1e-9 * max(abs(x), abs(y)))
        there = self._find(self._layer, Bounds(x - reach, y - reach, x + reach, y + reach))
        found = there.take(there.id == np.uint64(edit.id))
        return found if len(found) else None


def _names(edits: Sequence[Edit]) -> list[str]:
    return [edit.species for edit in edits if isinstance(edit, Add | Pin | Replace)]


def _concerns(edit: Edit, window: Bounds | None) -> bool:
    places = (edit.at, edit.to) if isinstance(edit, Move) else (edit.at,)
    return window is None or any(bool(window.contains(np.array(x), np.array(y))) for x, y in places)


def _line(edit: Edit, why: str) -> str:
    what = repr(edit.name) if isinstance(edit, Add) else id_text(edit.id)
    return (
        f"{edit.verb} {what} at ({edit.at[0]:g}, {edit.at[1]:g}) in layer {edit.layer!r}: {why}; "
        "the edit is kept, and does nothing"
    )


def _moved(edit: Move, grown: Placements, place: NDArray[np.float64]) -> Placements:
    changes: dict[str, NDArray[np.generic]] = {"xyz": place}
    if edit.yaw_deg is not None:
        changes["rotation"] = yaw(np.array([edit.yaw_deg / 360.0])).astype(np.float32)
    if edit.scale is not None:
        changes["scale"] = np.array([edit.scale], np.float32)
    return replace(grown, **changes)  # type: ignore[arg-type]


def _added(edit: Add, kind: Species, place: NDArray[np.float64]) -> Placements:
    made = Placements.upright((kind,), place, scale=edit.scale, id=np.array([edit.id], np.uint64))
    return replace(made, rotation=yaw(np.array([edit.yaw_deg / 360.0])).astype(np.float32))


def _pinned(edit: Pin, kind: Species) -> Placements:
    made = Placements.upright(
        (kind,), [[*edit.at, edit.z]], scale=edit.scale, radius=edit.radius, id=np.array([edit.id], np.uint64)
    )
    return replace(made, rotation=np.array([edit.rotation], np.float32))
