"""Reading a spec: every way to get it wrong has an answer that names file, key, value and what is allowed."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from pydantic import ValidationError

from weald.arguments import path_of
from weald.errors import InputError, nearest
from weald.files import regular_file
from weald.world.spec.tables import Table, shown
from weald.world.spec.whole import Spec

Checked = TypeVar("Checked", bound=Table)


_LONGEST = 16 << 20
"""Bytes of a file: TOML takes many times as many in memory."""


def read_spec(path: str | Path) -> Spec:
    """Read and check a spec file.

    Raises
    ------
    InputError
        If the file is missing, is not TOML, or says something that is not allowed: the message
        names the file, each key with its value, and what is allowed.
    """
    return parse_spec(read_toml(path, "spec file"), str(path_of("path", path)))


def read_toml(path: str | Path, kind: str) -> dict[str, Any]:
    """Return the content of a TOML file; ``kind`` is what errors call such a file: ``"spec file"``."""
    file = regular_file(path)
    try:
        size = file.stat().st_size
        if size > _LONGEST:
            raise InputError(f"{file}: has {size:,} bytes; a {kind} has {_LONGEST:,} at most")
        return tomllib.loads(file.read_text("utf-8-sig"))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}); give the path of a {kind}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: is not text in UTF-8; a {kind} is TOML") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets without end
        raise InputError(f"{file}: is not valid TOML: {error}") from None


def parse_spec(content: dict[str, Any], name: str) -> Spec:
    """Check the content of a spec; ``name`` is what errors call it."""
    return parse_table(Spec, content, name)


def parse_table(kind: type[Checked], content: dict[str, Any], name: str) -> Checked:
    """Check a table against its class; ``name`` is what errors call the file."""
    try:
        return kind.model_validate(content)
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name}: {error.object!r} is no text that a file can hold; leave out half characters"
        ) from error
    except ValidationError as error:
        lines = [line for detail in error.errors() for line in _explain(kind, detail)]
    raise InputError("\n".join(f"{name}: {line}" for line in dict.fromkeys(lines)))


def _explain(root: type[Table], detail: Any) -> list[str]:
    """Turn one finding of pydantic into lines: key path, value, what is allowed, the nearest known key."""
    location, kind, given, context = detail["loc"], detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing" and isinstance(location[-1], int):
        count = 4 if {"window", "bounds"} & set(location) else 2
        place, reason = key_path(location[:-1]), f"got {shown(given)}; give {count} numbers"
    elif kind == "missing":
        place, reason = key_path(location), "is missing; it is required"
    elif kind == "extra_forbidden":
        known = list(_table(root, location[:-1]).model_fields)
        place = key_path(location)
        reason = f"unknown key{nearest(str(location[-1]), known)}; allowed: {', '.join(known)}"
    elif kind == "value_error":  # our own validators say it whole
        place, reason = key_path(location), str(context["error"])
    else:
        place, reason = key_path(location), f"got {shown(given)}; {_advice(root, location, kind, given, context)}"
    return [f"{place}: {reason}"] if place else reason.split("\n")


def _advice(root: type[Table], location: tuple[int | str, ...], kind: str, given: Any, context: dict[str, Any]) -> str:
    """Return what to give instead."""
    if kind == "literal_error":
        options = re.findall("'(.*?)'", context["expected"])
        guess = nearest(given, options) if isinstance(given, str) and len(options) > 1 else ""
        return f"give {context['expected']}{guess}"
    if kind == "tuple_type" and location == ("layer",):
        return "start each layer with [[layer]]"
    if kind == "too_long":
        return f"give {context['max_length']} numbers"
    for bound, words in (("gt", "above"), ("ge", "of at least"), ("lt", "below"), ("le", "of at most")):
        if bound in context:
            return f"give a number {words} {context[bound]:g}"
    if kind == "string_pattern_mismatch" and location[-1] == "id":
        return "give 16 digits, 0-9 and a-f"
    advice = _ADVICE.get(kind, "give a value of another type")
    wants_more = kind in ("model_type", "dict_type", "tuple_type")
    example = _EXAMPLES.get(str(location[-1])) if wants_more and _is_key(root, location) else None
    return f"{advice}, such as: {example}" if example else advice


_ADVICE = {
    "bool_type": "give true or false",
    "finite_number": "give a finite number",
    "float_type": "give a number",
    "int_type": "give a whole number",
    "string_type": "give text in quotes",
    "string_too_short": "give at least one character",
    "string_pattern_mismatch": 'give a color as "#rrggbb"',
    "model_type": "give a table",
    "model_attributes_type": "give a table",
    "dict_type": "give a table",
    "tuple_type": "give a list",
}

_EXAMPLES = {
    "ground": 'sample = "jacksboro"',
    "height": "{ above = 400, fade = 60 }",
    "inside": '["meadow"]',
    "keep_off": "{ trees = 2.5 }",
    "origin": "[0, 0]",
    "outside": '["meadow"]',
    "scale": "[0.85, 1.15]",
    "slope_deg": "{ below = 30, fade = 6 }",
    "thin": '{ noise = "groves", none_at = -0.3, all_at = 0.2 }',
    "window": "[0, 0, 1000, 1000]",
}
"""What a list or a table looks like where somebody gave a plain value."""


def key_path(location: tuple[int | str, ...]) -> str:
    """Return where something stands in a file: ``layer[0].thin``, names in quotes where TOML wants them."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            bare = re.fullmatch("[A-Za-z0-9_-]+", part)
            text += f"{'.' if text else ''}{part if bare else json.dumps(part, ensure_ascii=False)}"
    return text


def _table(root: type[Table], location: tuple[int | str, ...]) -> type[Table]:
    """Return which kind of table stands at a place."""
    here = _kind(root, location)
    assert isinstance(here, type)
    assert issubclass(here, Table)
    return here


def _is_key(root: type[Table], location: tuple[int | str, ...]) -> bool:
    """Return whether the last part of a place is a key of the grammar, not a name that somebody chose."""
    return bool(location) and _is_table(_kind(root, location[:-1]))


def _kind(root: type[Table], location: tuple[int | str, ...]) -> Any:
    """Return the type of what stands at a place: follow the types of the keys that lead there."""
    here: Any = root
    for part in location:
        if _is_table(here):
            here = here.model_fields[str(part)].annotation
        else:  # a table of tables, or a list of them
            here = get_args(here)[1 if get_origin(here) is dict else 0]
        while get_origin(here) not in (None, dict, tuple):  # what may be left out, or has further conditions
            here = get_args(here)[0]
    return here


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Table)
