"""Objects and paths that were given: checked in one way, whoever asks for them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError, nearest

T = TypeVar("T")


def of_kind(name: str, value: object, kind: type[T], allowed: str) -> T:
    """Return an object of a class, or say what is allowed.

    >>> of_kind("layer", "trees", str, "the name of a layer")
    'trees'
    """
    if not isinstance(value, kind):
        raise InputError(f"{name}: got {shown(value)}; give {allowed}")
    return value


def table_of(name: str, value: object, kind: type[T], allowed: str) -> Mapping[str, T]:
    """Return a dict of objects of a class, or say what is allowed.

    >>> table_of("layers", {}, int, "a dict of numbers by name")
    {}
    """
    if not isinstance(value, Mapping) or not all(isinstance(each, kind) for each in value.values()):
        raise InputError(f"{name}: got {shown(value)}; give {allowed}")
    return value


def path_of(name: str, value: object) -> Path:
    """Return a path, or say what is none: a number, nothing, a character that no name of a file can have.

    >>> path_of("path", "trees.png").name
    'trees.png'
    """
    encoded = b""
    if isinstance(value, str | bytes | os.PathLike):
        with suppress(TypeError, ValueError):  # half a character, or a __fspath__ that returns no path
            encoded = os.fsencode(value)
    if not encoded or b"\0" in encoded:
        raise InputError(f"{name}: got {shown(value)}; give the path of a file, as text or pathlib.Path")
    return Path(os.fsdecode(encoded))


def array_of(name: str, value: object) -> NDArray[Any]:
    """Return an array of whatever type, or say that rows differ in length.

    >>> array_of("mask", [[True, False]]).shape
    (1, 2)
    """
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: got {shown(value)}; give an array, with rows of one length") from None


def word_of(name: str, value: object, allowed: Collection[str]) -> str:
    """Return one of some words, or say which there are.

    >>> word_of("method", "cubic", ("nearest", "cubic"))
    'cubic'
    """
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"{name}: got {shown(value)}{nearest(str(value), allowed)}; give one of {', '.join(allowed)}")
    return value


def flag_of(name: str, value: object) -> bool:
    """Return True or False, NumPy's included, or say what is neither.

    >>> flag_of("compact", np.True_)
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name}: got {shown(value)}; give True or False")
    return bool(value)


def shown(value: object) -> str:
    """Return how an error shows an object: shortly.

    >>> shown(3), shown("x" * 100)
    ('3', 'an object of type str')
    """
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"an object of type {type(value).__name__}"
