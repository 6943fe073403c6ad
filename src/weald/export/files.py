"""Writing without leaving half a file behind.

What is written goes to a temporary name first and is renamed when it is complete, so a reader, a crash or
a full disk never meets half of it. Renaming is atomic only inside one file system, so temporary names
lie next to, or inside, what they become. See `weald.export.commit` for how several files are replaced at once.
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

from weald.arguments import path_of
from weald.errors import InputError
from weald.export.commit import commit, has_begun, new_files, recover, sync_file, sync_folder, sync_tree
from weald.export.lock import LOCK, locked, sweep_lock

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
    target = Path(os.path.realpath(path_of("path", path)))
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
            _OURS.add(temporary.name)
            yield temporary
            sync_file(temporary)
            temporary.replace(target)
            sync_folder(target.parent)
        finally:
            with suppress(OSError):
                temporary.unlink()
            _OURS.discard(temporary.name)


@contextmanager
def staged_folder(out: FilePath) -> Iterator[Path]:
    """Give an empty temporary folder whose files move into ``out`` when the block ends well.

    On failure nothing is left: ``out`` is as it was, and absent if it was absent. Files of ``out`` that
    the block did not write survive; those of the same name are replaced. Missing parents are created. After a crash
    at any point, a kill or a power cut included, each file is whole; that all are of one build is made sure by the
    next `staged_folder` or `recover_folder`.

    Raises
    ------
    InputError
        If another process writes to ``out``, if ``out`` or a parent of it is a file, if it cannot be written to, if
        a file would replace a folder or the other way round, or if the disk is full. An error of the block
        itself passes through.

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
    with _reporting(out, target), _alone(target, out) as base:
        for place in (base, *base.parents):  # a killed build may have found none of its parents there
            _sweep(place)
        if base == target:
            recover(target)
        # inside `out` where it exists: it may be a mounted volume, and renames do not cross file systems
        stage = base / _temporary_name()
        new = new_files(stage)
        with _reporting(out, stage):
            try:
                _OURS.add(stage.name)
                stage.mkdir()
                new.mkdir()
                with _renaming(new, out):
                    yield new
                if base == target:
                    commit(stage, target, out)
                else:
                    _move_whole(stage, new, target, base)
            finally:
                shutil.rmtree(stage, ignore_errors=True)
                _OURS.discard(stage.name)


def recover_folder(folder: FilePath) -> None:
    """Complete what a build began in a folder when it was killed, so that all files in it are of one build.

    Raises
    ------
    InputError
        If a build runs in it now, or it cannot be written to.
    """
    target = Path(os.path.realpath(folder))
    with _reporting(folder, target):  # to look may be forbidden, too
        if target.is_dir() and has_begun(target):
            with _alone(target, folder):
                recover(target)


@contextmanager
def _alone(target: Path, out: FilePath) -> Iterator[Path]:
    """Lock a folder that may not exist yet; give the nearest folder at or above it that does."""
    while True:
        base = _existing(target, out)
        name = LOCK
        if base != target:
            name += "-" + hashlib.blake2b(os.fsencode(target.relative_to(base)), digest_size=6).hexdigest()
        with _reporting(out, base / name), locked(base / name, out):
            if _existing(target, out) == base:  # who held the lock may have made the folder
                yield base
                return


_OURS: set[str] = set()
"""Names of the temporary files and folders that this process works with now."""


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
        if not pid.isdigit() or left.name in _OURS or (int(pid) != os.getpid() and _lives(int(pid))):
            continue
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            with suppress(OSError):
                left.unlink()
    for left in folder.glob(f"{LOCK}-*"):
        sweep_lock(left)


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


def _move_whole(stage: Path, new: Path, target: Path, base: Path) -> None:
    """Rename the new files to a target that does not exist yet, with parents that may not: one rename for all."""
    sync_tree(new)
    parts = target.relative_to(base).parts
    tree = stage / "tree"
    whole = tree.joinpath(*parts)
    whole.parent.mkdir(parents=True)
    new.rename(whole)
    (tree / parts[0]).rename(base / parts[0])
    sync_folder(base)


@contextmanager
def _renaming(new: Path, out: FilePath) -> Iterator[None]:
    """Let messages name the file in ``out`` that the user waits for, not the temporary one that becomes it."""
    try:
        yield
    except InputError as error:
        text = str(error)
        if str(new) not in text:
            raise
        raise InputError(text.replace(str(new), os.fspath(out))) from error


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
        number = error.errno or 0
        if number == 0 and "No space left" in str(error):  # some libraries wrap the system's error, and lose its number
            number = errno.ENOSPC
        reason = os.strerror(number) if number else str(error)
        advice = _ADVICE.get(number, "give another path")
        raise InputError(f"{path}: cannot be written ({reason}); {advice}") from error
