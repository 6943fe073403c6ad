"""Crash a commit at each of its system calls, one fork a step, and see what is left.

A script of its own, run by ``test_files.py``: ``crashes.py FOLDER HOW SCENE``. It prints how often the old and how
often the new files were found; anything else is an assertion that fails.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weald.export.commit import has_begun
from weald.export.files import recover_folder, staged_folder

CALLS = [
    *((os, name) for name in ("rename", "replace", "link", "unlink", "mkdir", "rmdir", "open", "fsync", "close")),
    (fcntl, "flock"),
    (io, "open"),
]
SIGNALS = {"kill": signal.SIGKILL, "terminate": signal.SIGTERM, "interrupt": signal.SIGINT}
MINE = {"notes.txt": "mine", "sub/mine.txt": "mine"}
OLD = {"a.txt": "old", "b.txt": "old", "sub/c.txt": "old"}
NEW = {"a.txt": "new", "b.txt": "new", "sub/c.txt": "new", "more/d.txt": "new", "e.txt": "new"}
LAST = {"z.txt": "last"}


def content(folder: Path) -> dict[str, str]:
    if not folder.exists():
        return {}
    return {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*") if p.is_file()}


def visible(folder: Path) -> dict[str, str]:
    return {name: text for name, text in content(folder).items() if not name.startswith(".weald-")}


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def crash_at(step: int, how: str) -> Callable[[], bool]:
    """Have the call of that number crash, at even steps before it is made and at odd ones after; a full disk refuses.

    Return what tells whether there are so many.
    """
    passed = 0

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def crashing(*args: Any, **options: Any) -> Any:
            nonlocal passed
            before, passed = passed, passed + 2
            if before == step:
                if how == "full":
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.kill(os.getpid(), SIGNALS[how])
            result = call(*args, **options)
            if before + 1 == step and how != "full":
                os.kill(os.getpid(), SIGNALS[how])
            return result

        return crashing

    for module, name in CALLS:
        setattr(module, name, wrapped(getattr(module, name)))
    return lambda: passed > step


def build(out: Path, step: int, how: str) -> bool:
    """Build in a fork that crashes at a step; return whether there is such a step."""
    child = os.fork()
    if not child:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        reached = crash_at(step, how)
        try:
            with staged_folder(out) as stage:
                write(stage, NEW)
        except BaseException:
            os._exit(0)
        os._exit(0 if reached() else 3)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 3


def in_the_middle(folder: Path) -> int:
    """Return the step after which half of the files are new."""
    for step in range(10_000):
        folder.mkdir()
        write(folder, {**MINE, **OLD})
        build(folder, step, "kill")
        texts = list(visible(folder).values())
        shutil.rmtree(folder)
        if "old" in texts and "new" in texts:
            return step
    raise AssertionError("no step leaves old and new files")


def main(folder: Path, how: str, scene: str) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    if scene == "no links":
        os.link = refuse
    begun = None
    if scene == "twice":  # the process that recovers crashes, too
        begun = in_the_middle(folder / "first")
    before = {} if scene == "new" else {**MINE, **OLD}
    after = {**before, **NEW}
    counts = {"old": 0, "new": 0}
    for step in range(0, 10_000, 2 if how == "full" else 1):
        home = folder / f"{step}"
        out = home / "deep" / "out" if scene == "new" else home / "out"
        home.mkdir()
        write(out if before else home, before)
        if begun is not None:
            build(out, begun, "kill")
            assert has_begun(out)
        reached = build(out, step, how)
        if how in ("interrupt", "full") and begun is None:  # undone, or completed, by the process itself
            assert visible(out) in (before, after), (step, content(out))
        recover_folder(out)
        whole = visible(out)
        assert whole in (before, after), (step, content(out))
        with staged_folder(out) as stage:
            write(stage, LAST)
        assert content(out) == {**whole, **LAST}, (step, content(out))
        assert not list(home.rglob(".weald*")), (step, list(home.rglob("*")))
        shutil.rmtree(home)
        if not reached:
            break
        counts["new" if whole == after else "old"] += 1
    sys.stdout.write(f"{counts['old']} {counts['new']}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
