"""One writer to a folder: a lock that the system lets go of when its owner dies.

The lock is on an open file, not in the presence of one, so there is nothing to judge by age: what a killed process
leaves is a file that nobody holds, and the next to come takes it. Inside is who holds it, for the message.
"""

from __future__ import annotations

import errno
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from weald.errors import InputError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK = ".weald-lock"
"""How the names of lock files begin."""

_FAR = 1 << 30
"""Windows locks bytes, and nobody may read them: one far behind the text."""
_HELD = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


@contextmanager
def locked(lock: Path, named: object) -> Iterator[None]:
    """Hold a lock file while the block runs, and remove it.

    On a file system without locks, such as some network shares, nothing is locked.

    Raises
    ------
    InputError
        If another process, or another thread, holds it: ``named`` is what it writes to.
    """
    held = _take(lock)
    if held is None:
        raise InputError(f"{named}: {_owner(lock)} is writing to it; wait until that has ended, or give another folder")
    try:
        yield
    finally:
        _let_go(lock, held)


def sweep_lock(lock: Path) -> None:
    """Remove a lock file that nobody holds."""
    with suppress(OSError):
        held = _take(lock)
        if held is not None:
            _let_go(lock, held)


def _take(lock: Path) -> BinaryIO | None:
    while True:
        # a file object: if an interrupt gets between here and its `close`, it is closed when it is collected
        file = lock.open("ab", buffering=0)
        try:
            free = _try(file.fileno())
            # who held it may have removed it since it was opened: then it is no longer the one that others see
            if free and _same(lock, file.fileno()):
                file.truncate(0)
                since = datetime.now(UTC).strftime("%H:%M:%S UTC")
                file.write(f"process {os.getpid()} on {platform.node()}, since {since},".encode())
                return file
        except BaseException:
            file.close()
            raise
        file.close()
        if not free:
            return None


def _let_go(lock: Path, held: BinaryIO) -> None:
    try:
        if sys.platform != "win32":  # there, an open file cannot be removed
            with suppress(OSError):
                lock.unlink()
    finally:
        held.close()  # and with it the lock
    if sys.platform == "win32":
        with suppress(OSError):
            lock.unlink()


def _try(opened: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(opened, _FAR, os.SEEK_SET)
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _HELD
    return True


def _same(lock: Path, opened: int) -> bool:
    try:
        return os.path.samestat(lock.stat(), os.fstat(opened))
    except FileNotFoundError:
        return False


def _owner(lock: Path) -> str:
    try:
        return lock.read_text("utf-8") or "another process"
    except (OSError, UnicodeDecodeError):
        return "another process"
