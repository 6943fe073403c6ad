"""Where compiled kernels are kept: beside the package, or wherever Numba finds room, or in memory alone.

Numba refuses to decorate a function with ``cache=True`` if there is no folder that it may write to, as in a container
with a read-only image and no home, and it does not recover from a file that was cut off when a disk was full. Kernels
of weald run in both cases: they are compiled in memory, or compiled again. Importing this module sees to that for all
functions whose modules are parts of weald, and for no others; it comes before any of them is decorated.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from numba.core import caching as _caching
from numba.core import dispatcher as _dispatcher

caching: Any = _caching  # Numba has no types
dispatcher: Any = _dispatcher
_LOG = logging.getLogger("weald")


class TolerantCache(caching.FunctionCache):  # type: ignore[misc]
    """A cache on disk whose faults cost time, and nothing else."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled before; None if there is nothing, or nothing that can be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever unpickling of a damaged file stumbles on
            self._emptied()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if there is room."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            tell(error.strerror or str(error))

    def _emptied(self) -> None:
        try:
            self.flush()
        except OSError as error:
            tell(error.strerror or str(error))


def cache_of(function: Callable[..., Any]) -> Any:
    """Return where the compiled forms of a function are kept."""
    if not str(function.__module__).startswith("weald."):
        return caching.FunctionCache(function)
    try:
        return TolerantCache(function)
    except RuntimeError:  # no locator has room
        tell("no folder can be written to")
        return caching.NullCache()


_told: list[str] = []


def tell(why: str) -> None:
    """Say once that kernels are compiled anew by each process, and how to change that."""
    if not _told:
        _told.append(why)
        _LOG.warning(
            "weald: compiled kernels cannot be kept (%s), so each process compiles them anew; "
            "set NUMBA_CACHE_DIR to a folder that can be written to",
            why,
        )


dispatcher.FunctionCache = cache_of
