"""The file of edits: TOML beside the spec, one table an edit, in the order in which they were made."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from weald.arguments import of_kind, path_of
from weald.errors import InputError, nearest
from weald.scatter.edits import Add, Edit, Edits, Move, Pin, Remove, Replace, id_text
from weald.world.spec import parse_table, read_toml
from weald.world.spec.tables import Finite, Name, NotNegative, Point, Positive, Table, shown

Identity = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class _Edited(Table):
    do: str
    layer: Name
    id: Identity
    at: Point


class _Remove(_Edited):
    do: Literal["remove"]


class _Move(_Edited):
    do: Literal["move"]
    to: Point
    yaw_deg: Finite | None = None
    scale: Positive | None = None


class _Replace(_Edited):
    do: Literal["replace"]
    species: Name


class _Pin(_Edited):
    do: Literal["pin"]
    species: Name
    z: Finite
    rotation: tuple[Finite, Finite, Finite, Finite]
    scale: Positive
    radius: NotNegative


class _Add(Table):
    do: Literal["add"]
    layer: Name
    name: Name
    species: Name
    at: Point
    yaw_deg: Finite = 0.0
    scale: Positive = 1.0


_KINDS: dict[str, tuple[type[Table], type[Edit]]] = {
    "remove": (_Remove, Remove),
    "move": (_Move, Move),
    "replace": (_Replace, Replace),
    "pin": (_Pin, Pin),
    "add": (_Add, Add),
}


def load_edits(path: str | Path) -> Edits:
    """Read a file of edits.

    Parameters
    ----------
    path
        The file. Layers and species that it names need not be there any more: such edits are told when they
        are applied.

    Raises
    ------
    InputError
        If the file cannot be read, or says something that is not allowed; the message names file, edit, key and value.
    """
    name = str(path_of("path", path))
    content = read_toml(path, "file of edits")
    for key in content:
        if key != "edit":
            raise InputError(f"{name}: {key}: unknown key{nearest(key, ['edit'])}; start each edit with [[edit]]")
    tables = content.get("edit", [])
    if not isinstance(tables, list):
        raise InputError(f"{name}: edit: got {shown(tables)}; start each edit with [[edit]]")
    edits = []
    for number, table in enumerate(tables):
        edits.append(_edit(table, f"{name}: edit[{number}]"))
    try:
        return Edits(tuple(edits))
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def save_edits(path: str | Path, edits: Edits) -> None:
    """Write edits to a file that `load_edits` reads; it is replaced whole or not at all.

    >>> import tempfile
    >>> edits = Edits().add("pines", "the old one", species="pine", at=(9, 9))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_edits(f"{folder}/edits.toml", edits)
    ...     load_edits(f"{folder}/edits.toml") == edits
    True
    """
    import tomli_w

    target = path_of("path", path)
    of_kind("edits", edits, Edits, "Edits")
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        partial.write_text(tomli_w.dumps({"edit": [_table(edit) for edit in edits]}), "utf-8")
        partial.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error}); give another path") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _edit(table: Any, place: str) -> Edit:
    if not isinstance(table, dict):
        raise InputError(f"{place}: got {shown(table)}; start each edit with [[edit]]")
    do = table.get("do")
    if do not in _KINDS:
        given = "do: is missing" if do is None else f"do: got {shown(do)}"
        guess = nearest(do, _KINDS) if isinstance(do, str) else ""
        raise InputError(f"{place}.{given}; give one of {', '.join(_KINDS)}{guess}")
    kind, made = _KINDS[do]
    values = dict(parse_table(kind, table, place))
    del values["do"]
    if "id" in values:
        values["id"] = int(values["id"], 16)
    try:
        return made(**values)
    except InputError as error:
        raise InputError(f"{place}: {str(error).removeprefix(f'{do}: ')}") from error


def _table(edit: Edit) -> dict[str, Any]:
    table: dict[str, Any] = {"do": edit.verb}
    for one in fields_of(edit):
        value = getattr(edit, one.name)
        if value is not None:
            table[one.name] = id_text(value) if one.name == "id" else list(value) if isinstance(value, tuple) else value
    return table
