"""Files that are read: what may be opened, and what fits into memory.

A pipe or a device has no end that could be known before it is read, so only regular files are opened. And a small
compressed file may become gigabytes of heights, so its decoded size is computed from its header first.
"""

from __future__ import annotations

import math
import os
import stat
from pathlib import Path

from weald.arguments import path_of
from weald.errors import InputError

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def regular_file(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file to read; what is missing is left to who opens it.

    Raises
    ------
    InputError
        If there is something else than a regular file.

    Examples
    --------
    >>> regular_file("/dev")
    Traceback (most recent call last):
    weald.errors.InputError: /dev: is a folder, not a file; give the path of a regular file
    """
    file = path_of("path", path)
    try:
        mode = file.stat().st_mode
    except (OSError, ValueError):
        return file
    for holds, kind in _KINDS:
        if holds(mode):
            raise InputError(f"{file}: is {kind}, not a file; give the path of a regular file")
    return file


def readable_file(path: str | os.PathLike[str]) -> Path:
    """Return the path of a regular file that is there and may be read.

    Raises
    ------
    InputError
        If it is missing, is something else, or is somebody else's.
    """
    file = regular_file(path)
    try:
        with file.open("rb"):  # only to open it tells for sure whether that is allowed
            return file
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{file}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror or error}); give a file that you may read") from None


def check_memory(file: Path, count: int, bytes_each: int, what: str, advice: str) -> None:
    """Refuse a file whose ``count`` samples or pixels take more memory than is free.

    Raises
    ------
    InputError
        With the numbers.
    """
    needed, free = count * bytes_each, free_memory()
    if needed > free:
        raise InputError(
            f"{file}: becomes {count:,} {what}, which need {needed / 2**30:.3g} GiB of memory while they are read "
            f"({free / 2**30:.3g} GiB are free); {advice}"
        )


def free_memory() -> float:
    """Return the memory that can be had without swapping, in bytes; unlimited where the system does not say."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
    except OSError:
        pass
    return math.inf
