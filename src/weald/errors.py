"""What weald raises when an input cannot be used.

Every message names the parameter, the value it had, what is allowed, and what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from types import ModuleType


class WealdError(Exception):
    """Base class of every error that weald raises on purpose."""


class InputError(WealdError, ValueError):
    """A parameter, a file or a spec has a value that cannot be used."""


class MissingExtraError(WealdError, ImportError):
    """An optional library is needed and is not installed."""


def nearest(word: object, known: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the known word closest to ``word``, or nothing.

    >>> nearest("raduis", ["radius", "seed"])
    " (did you mean 'radius'?)"
    >>> nearest("zzz", ["radius", "seed"])
    ''
    """
    close = difflib.get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def require_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional library, or say in one sentence how to get it.

    Parameters
    ----------
    module
        Name of the module to import, such as ``"pyarrow"``.
    extra
        Name of the weald extra that installs it.
    purpose
        What it is needed for, as the subject of "needs": ``"writing Parquet"``.
    """
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        top = module.split(".")[0]
        raise MissingExtraError(f"{purpose} needs {top}: pip install 'weald[{extra}]'") from error
