"""Writing without leaving half a file behind.

What is written goes to a temporary name first and is renamed when it is complete, so a reader, a crash or
a full disk never meets half of it. Renaming is atomic only inside one file system, so temporary names
lie next to, or inside, what they become.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from weald.errors import InputError

FilePath: TypeAlias = str | os.PathLike[str]

_ADVICE = {
    errno.EACCES: "choose a folder that you may write to, or change its permissions",
    errno.EPERM: "choose a folder that you may write to, or change its permissions",
    errno.EROFS: "choose a folder on a disk that can be written to",
    errno.ENOSPC: "free some space, or choose a folder on another disk",
    errno.EDQUOT: "free some space, or choose a folder on another disk",
    errno.ENAMETOOLONG: "choose a shorter name",
}


@contextmanager
def atomic_file(path: FilePath) -> Iterator[Path]:
    """Give a temporary path that becomes ``path`` when the block ends well, and vanishes when it does not.

    The temporary name has the suffix of ``path`` and lies in the same folder, which must exist. A link
    is followed: what it points to is replaced.

    Raises
    ------
    InputError
        If the folder does not exist or cannot be written to, if ``path`` is a folder or a device, or if
        the disk is full. An error of the block itself passes through.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_file(f"{folder}/note.txt") as temporary:
    ...         _ = temporary.write_text("whole")
    ...     [entry.name for entry in Path(folder).iterdir()]
    ['note.txt']
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(_temporary_name() + target.suffix)
    with _reporting(path, target, temporary):
        if target.is_dir():
            raise InputError(f"{path}: is a folder; give the path of a file")
        if target.exists() and not target.is_file():
            raise InputError(f"{path}: is a device, not a file; give the path of a file")
        base = _existing(target.parent, path)
        if base != target.parent:
            raise InputError(f"{path}: the folder {target.parent} does not exist; create it, or give another path")
        try:
            yield temporary
            temporary.replace(target)
        finally:
            with suppress(OSError):
                temporary.unlink()


@contextmanager
def staged_folder(out: FilePath) -> Iterator[Path]:
    """Give an empty temporary folder whose files move into ``out`` when the block ends well.

    On failure nothing is left: ``out`` is as it was, and absent if it was absent. Files of ``out`` that
    the block did not write survive; those of the same name are replaced. Missing parents are created.

    Raises
    ------
    InputError
        If ``out`` or a parent of it is a file, if it cannot be written to, if a file would replace a folder
        or the other way round, or if the disk is full. An error of the block itself passes through.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with staged_folder(f"{folder}/world") as stage:
    ...         _ = (stage / "a.txt").write_text("a")
    ...     sorted(entry.name for entry in Path(folder).rglob("*"))
    ['a.txt', 'world']
    """
    target = Path(os.path.realpath(out))
    with _reporting(out, target):
        base = _existing(target, out)
        # inside `out` where it exists: it may be a mounted volume, and renames do not cross file systems
        stage = base / _temporary_name()
        _sweep(base)
        with _reporting(out, stage):
            try:
                stage.mkdir()
                yield stage
                if base == target:
                    _move_files(stage, target, out)
                else:
                    _move_whole(stage, target)
            finally:
                shutil.rmtree(stage, ignore_errors=True)


def _temporary_name() -> str:
    """Return a name of its own that tells whose it is: a hash of the machine, the process, a random part."""
    return f".weald-{_machine()}-{os.getpid()}-{secrets.token_hex(6)}"


def _machine() -> str:
    return hashlib.blake2b(platform.node().encode(), digest_size=3).hexdigest()


def _sweep(folder: Path) -> None:
    """Remove what processes of this machine left in a folder when they were killed; never what another machine has."""
    if os.name != "posix":  # elsewhere, asking whether a process lives may end it
        return
    for left in folder.glob(f".weald-{_machine()}-*-*"):
        pid = left.name.split("-")[2]
        if not pid.isdigit() or _lives(int(pid)):
            continue
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            with suppress(OSError):
                left.unlink()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # somebody else's
        return True
    return True


def _existing(folder: Path, path: FilePath) -> Path:
    """Return the nearest folder at or above ``folder`` that exists."""
    base = folder
    while not base.exists():
        base = base.parent
    if not base.is_dir():
        named = "it" if base == folder else str(base)
        raise InputError(f"{path}: {named} is a file, not a folder; give another path, or move that file away")
    return base


def _move_whole(stage: Path, target: Path) -> None:
    """Rename the stage to a target that does not exist yet, with parents that may not."""
    made: list[Path] = []
    try:
        _make_folder(target.parent, made)
        stage.rename(target)
    except BaseException:
        _remove_folders(made)
        raise


def _move_files(stage: Path, target: Path, out: FilePath) -> None:
    """Rename the staged files into a folder that exists, or undo all of it."""
    files = sorted(path for path in stage.rglob("*") if not path.is_dir())
    attic = stage / f".replaced-{secrets.token_hex(6)}"
    moved: list[tuple[Path, Path | None]] = []
    made: list[Path] = []
    try:
        attic.mkdir()
        for number, file in enumerate(files):
            place = target / file.relative_to(stage)
            if place.is_dir():
                raise InputError(f"{out}: {place} is a folder where a file is to be written; move it away")
            if place.parent.exists() and not place.parent.is_dir():
                raise InputError(f"{out}: {place.parent} is a file where a folder is needed; move it away")
            _make_folder(place.parent, made)
            replaced = None
            if os.path.lexists(place):
                replaced = place.rename(attic / str(number))
            moved.append((place, replaced))
            file.rename(place)
    except BaseException:
        for place, replaced in reversed(moved):
            if replaced is None:
                place.unlink(missing_ok=True)
            else:
                replaced.replace(place)
        _remove_folders(made)
        raise


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Create a folder and its parents, and note which ones are new."""
    if folder.exists():
        return
    _make_folder(folder.parent, made)
    folder.mkdir()
    made.append(folder)


def _remove_folders(made: list[Path]) -> None:
    for folder in reversed(made):
        with suppress(OSError):
            folder.rmdir()


@contextmanager
def _reporting(path: FilePath, *ours: Path) -> Iterator[None]:
    """Say what is wrong with ``path`` when the system refuses something above, at or below ``ours``."""
    try:
        yield
    except OSError as error:
        # writes to an open file fail without naming it; errors that name another file are not about `path`
        if error.filename is not None:
            named = Path(os.fsdecode(error.filename))
            if not any(named.is_relative_to(own) or own.is_relative_to(named) for own in ours):
                raise
        advice = _ADVICE.get(error.errno or 0, "give another path")
        raise InputError(f"{path}: cannot be written ({error.strerror or error}); {advice}") from error
