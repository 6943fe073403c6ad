"""Replacing several files of a folder at once, or none of them: a journal.

No system renames several files in one step. So what is to be done is written down before anything is done, and
whoever comes next completes it: a folder ``.weald-commit-*`` with a journal in it is a change that has begun and is to
be completed, ``.weald-undo-*`` one that is to be undone. Each becomes such by one rename, which is atomic, and is
retired by removing its journal, which is atomic too. All steps in between may be repeated: after a crash at any point
they are, from the start. The method is the redo and undo log of databases (Gray and Reuter, Transaction Processing,
1992) with renames for pages.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from weald.errors import InputError

_COMMIT, _UNDO = ".weald-commit-", ".weald-undo-"
_JOURNAL = "journal.json"
_NEW, _OLD = "new", "old"
_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM, errno.ENOSYS}


class _Change(NamedTuple):
    """What a journal says: names of files relative to the folder, with slashes."""

    replaced: list[str]
    added: list[str]
    folders: list[str]


def new_files(stage: Path) -> Path:
    """Return the folder of a stage where the new files go."""
    return stage / _NEW


def commit(stage: Path, folder: Path, named: object) -> None:
    """Move the new files of a stage into the folder that it lies in: all of them, or none.

    Raises
    ------
    InputError
        If a file would replace a folder, or the other way round.
    OSError
        If the system refuses a step; what was done by then is undone.
    """
    change = _planned(stage, folder, named)
    sync_tree(stage)
    (stage / _OLD).mkdir()
    for number, name in enumerate(change.replaced):
        # a second name for the old file: it can be brought back, and is in its place until the new one is.
        # Where there are no hard links, it is moved away when its turn comes
        with suppress(OSError, NotImplementedError):
            os.link(folder / name, stage / _OLD / str(number), follow_symlinks=False)
    journal = stage / _JOURNAL
    with journal.open("x", encoding="utf-8") as file:
        json.dump(change._asdict(), file)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(stage / _OLD)
    sync_folder(stage)
    begun = folder / f"{_COMMIT}{secrets.token_hex(6)}"
    try:
        stage.rename(begun)
        _complete(begun, folder)
    except BaseException:
        # asked of the disk, not remembered: an interrupt may come after a step and before it is noted
        if (begun / _JOURNAL).exists():
            _undo(_turned(begun), folder)
        raise


def recover(folder: Path) -> None:
    """Complete, or else undo, what a process began in a folder when it was killed. The folder must be locked."""
    for turned in sorted(folder.glob(f"{_UNDO}*")):
        _undo(turned, folder)
    for begun in sorted(folder.glob(f"{_COMMIT}*")):
        try:
            _complete(begun, folder)
        except OSError:
            _undo(_turned(begun), folder)


def has_begun(folder: Path) -> bool:
    """Tell whether there is something to recover."""
    return any(any(folder.glob(f"{prefix}*")) for prefix in (_COMMIT, _UNDO))


def _planned(stage: Path, folder: Path, named: object) -> _Change:
    change = _Change([], [], [])
    new = stage / _NEW
    for path in sorted(new.rglob("*")):
        name = path.relative_to(new)
        place = folder / name
        if path.is_dir() and not path.is_symlink():
            if os.path.lexists(place) and not place.is_dir():
                raise InputError(f"{named}: {place} is a file where a folder is needed; move it away")
            if not place.exists():
                change.folders.append(name.as_posix())
        elif place.is_dir():
            raise InputError(f"{named}: {place} is a folder where a file is to be written; move it away")
        else:
            (change.replaced if os.path.lexists(place) else change.added).append(name.as_posix())
    return change


def _read(begun: Path) -> _Change | None:
    """Return what the journal says; None if it was retired."""
    try:
        return _Change(**json.loads((begun / _JOURNAL).read_text("utf-8")))
    except FileNotFoundError:
        return None


def _complete(begun: Path, folder: Path) -> None:
    change = _read(begun)
    if change is not None:
        for name in change.folders:
            (folder / name).mkdir(exist_ok=True)
        for number, name in enumerate(change.replaced):
            new, old = begun / _NEW / name, begun / _OLD / str(number)
            if not os.path.lexists(new):
                continue
            if not os.path.lexists(old) and os.path.lexists(folder / name):
                (folder / name).rename(old)
            new.replace(folder / name)
        for name in change.added:
            if os.path.lexists(begun / _NEW / name):
                (begun / _NEW / name).replace(folder / name)
    _retire(begun, folder, change)


def _turned(begun: Path) -> Path:
    """Turn a change that has begun into one to be undone."""
    turned = begun.with_name(_UNDO + begun.name.removeprefix(_COMMIT))
    begun.rename(turned)
    return turned


def _undo(turned: Path, folder: Path) -> None:
    change = _read(turned)
    if change is not None:
        for number, name in enumerate(change.replaced):
            old = turned / _OLD / str(number)
            if os.path.lexists(old):
                old.replace(folder / name)
        for name in change.added:
            if not os.path.lexists(turned / _NEW / name):
                (folder / name).unlink(missing_ok=True)
        for name in reversed(change.folders):
            with suppress(OSError):  # the user may have put something into it
                (folder / name).rmdir()
    _retire(turned, folder, change)


def _retire(begun: Path, folder: Path, change: _Change | None) -> None:
    if change is not None:
        touched = {(folder / name).parent for name in (*change.replaced, *change.added, *change.folders)}
        for place in sorted(touched):
            sync_folder(place)
        (begun / _JOURNAL).unlink()
    shutil.rmtree(begun, ignore_errors=True)


def sync_file(path: Path) -> None:
    """Have a file's bytes on the disk before it is renamed: else a power cut may leave the name without them."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_tree(folder: Path) -> None:
    """Have all files below a folder, and their names, on the disk."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            continue
        if path.is_dir():
            sync_folder(path)
        else:
            sync_file(path)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    if os.name != "posix" or not folder.is_dir():  # Windows opens no folders
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(opened)
