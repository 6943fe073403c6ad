from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from weald.errors import InputError
from weald.export.files import atomic_file, staged_folder


def tree(folder: Path) -> dict[str, str | None]:
    """All that lies below a folder, hidden files too: contents of files, None for folders."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_text() for path in sorted(folder.rglob("*"))
    }


def put(context: AbstractContextManager[Path], error: BaseException | None = None, **text: str) -> None:
    """Write files in a context, then fail if told to: ``a__b`` stands for ``a/b.txt``; ``_`` is the path itself."""
    with context as place:
        for name, content in text.items():
            path = place if name == "_" else place / (name.replace("__", "/") + ".txt")
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
        if error is not None:
            raise error


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class TestAtomicFile:
    def test_appears_when_the_block_ends(self, tmp_path: Path) -> None:
        with atomic_file(tmp_path / "a.txt") as temporary:
            temporary.write_text("new")
            assert not (tmp_path / "a.txt").exists()
            assert temporary.suffix == ".txt"
        assert tree(tmp_path) == {"a.txt": "new"}

    def test_an_exception_leaves_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(ZeroDivisionError):
            put(atomic_file(tmp_path / "a.txt"), ZeroDivisionError(), _="half")
        assert tree(tmp_path) == {}

    def test_an_exception_keeps_what_was_there(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("old")
        with pytest.raises(KeyboardInterrupt):
            put(atomic_file(tmp_path / "a.txt"), KeyboardInterrupt(), _="half")
        assert tree(tmp_path) == {"a.txt": "old"}

    def test_replaces_what_was_there(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("old")
        with atomic_file(str(tmp_path / "a.txt")) as temporary:
            temporary.write_text("new")
        assert tree(tmp_path) == {"a.txt": "new"}

    def test_follows_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real.txt").write_text("old")
        (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
        with atomic_file(tmp_path / "link.txt") as temporary:
            temporary.write_text("new")
        assert (tmp_path / "link.txt").is_symlink()
        assert (tmp_path / "real.txt").read_text() == "new"

    def test_is_readable_by_whom_the_umask_allows(self, tmp_path: Path) -> None:
        (tmp_path / "plain.txt").write_text("")
        with atomic_file(tmp_path / "a.txt") as temporary:
            temporary.write_text("new")
        assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode

    def test_below_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_text("mine")
        with pytest.raises(InputError, match=r"f/x/a\.txt: .*/f is a file, not a folder; give another path"):
            put(atomic_file(tmp_path / "f" / "x" / "a.txt"))
        assert tree(tmp_path) == {"f": "mine"}

    def test_folder_missing(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"a\.txt: the folder .*none does not exist; create it"):
            put(atomic_file(tmp_path / "none" / "a.txt"))

    def test_is_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "d").mkdir()
        with pytest.raises(InputError, match="d: is a folder"):
            put(atomic_file(tmp_path / "d"))

    def test_a_device_is_not_replaced(self) -> None:
        with pytest.raises(InputError, match="null: is a device"):
            put(atomic_file(os.devnull))

    def test_full_disk(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"a\.txt: cannot be written \(No space left.*\); free some space"):
            put(atomic_file(tmp_path / "a.txt"), FULL, _="half")
        assert tree(tmp_path) == {}

    def test_name_too_long(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="choose a shorter name"):
            put(atomic_file(tmp_path / ("n" * 300)), _="new")
        assert tree(tmp_path) == {}

    def test_an_error_about_another_file_passes_through(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="missing"), atomic_file(tmp_path / "a.txt"):
            (tmp_path / "missing").read_text()
        assert tree(tmp_path) == {}

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_not_writable(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        with pytest.raises(InputError, match="change its permissions"):
            put(atomic_file(tmp_path / "a.txt"), _="new")


class TestStagedFolder:
    def test_appears_as_a_whole_with_its_parents(self, tmp_path: Path) -> None:
        out = tmp_path / "a" / "b"
        with staged_folder(out) as stage:
            (stage / "x.txt").write_text("x")
            (stage / "sub").mkdir()
            (stage / "sub" / "y.txt").write_text("y")
            assert not (tmp_path / "a").exists()
        assert tree(tmp_path) == {
            "a": None,
            "a/b": None,
            "a/b/sub": None,
            "a/b/sub/y.txt": "y",
            "a/b/x.txt": "x",
        }

    @pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
    def test_an_exception_leaves_nothing(self, tmp_path: Path, error: type[BaseException]) -> None:
        with pytest.raises(error):
            put(staged_folder(tmp_path / "a" / "b"), error(), x="x")
        assert tree(tmp_path) == {}

    def test_files_of_the_user_survive(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("mine")
        (tmp_path / "x.txt").write_text("old")
        with staged_folder(tmp_path) as stage:
            (stage / "x.txt").write_text("new")
            (stage / "sub").mkdir()
            (stage / "sub" / "y.txt").write_text("y")
            assert (tmp_path / "x.txt").read_text() == "old"
        assert tree(tmp_path) == {"notes.txt": "mine", "sub": None, "sub/y.txt": "y", "x.txt": "new"}

    def test_an_exception_keeps_an_existing_folder_as_it_was(self, tmp_path: Path) -> None:
        (tmp_path / "x.txt").write_text("old")
        with pytest.raises(ZeroDivisionError):
            put(staged_folder(tmp_path), ZeroDivisionError(), x="new")
        assert tree(tmp_path) == {"x.txt": "old"}

    def test_a_failing_move_is_undone(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("old")
        (tmp_path / "z.txt").mkdir()  # in the way of the last file
        with pytest.raises(InputError, match=r"z\.txt is a folder where a file is to be written"):
            put(staged_folder(tmp_path), a="new", new__b="new", z="new")
        assert tree(tmp_path) == {"a.txt": "old", "z.txt": None}

    def test_a_failing_rename_is_undone(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a.txt").write_text("old")
        (tmp_path / "b.txt").write_text("old")
        replace = Path.replace

        def refuse_b(self: Path, target: Path) -> Path:
            if Path(target) == tmp_path / "b.txt" and self.name == "b.txt":
                raise PermissionError(errno.EACCES, "Permission denied", str(self))
            return replace(self, target)

        monkeypatch.setattr(Path, "replace", refuse_b)
        with pytest.raises(InputError, match=r"cannot be written \(Permission denied\); choose a folder that you may"):
            put(staged_folder(tmp_path), a="new", b="new", c="new", new__d="new")
        assert tree(tmp_path) == {"a.txt": "old", "b.txt": "old"}

    def test_without_hard_links(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
        (tmp_path / "a.txt").write_text("old")
        put(staged_folder(tmp_path), a="new", b="new")
        assert tree(tmp_path) == {"a.txt": "new", "b.txt": "new"}

    def test_new_parents_go_when_the_last_rename_fails(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(self: Path, target: Path) -> Path:
            raise OSError(errno.EROFS, "Read-only file system", str(self), None, str(target))

        monkeypatch.setattr(Path, "rename", refuse)
        with pytest.raises(InputError, match="choose a folder on a disk that can be written to"):
            put(staged_folder(tmp_path / "a" / "b" / "c"), x="x")
        assert tree(tmp_path) == {}

    def test_a_file_where_a_folder_is_needed(self, tmp_path: Path) -> None:
        (tmp_path / "sub").write_text("mine")
        with pytest.raises(InputError, match="sub is a file where a folder is needed"):
            put(staged_folder(tmp_path), sub__y="y")
        assert tree(tmp_path) == {"sub": "mine"}

    @pytest.mark.parametrize(("out", "says"), [("f", "f: it is a file"), ("f/x/y", "y: .*f is a file, not a folder")])
    def test_at_and_below_a_file(self, tmp_path: Path, out: str, says: str) -> None:
        (tmp_path / "f").write_text("mine")
        with pytest.raises(InputError, match=says):
            put(staged_folder(tmp_path / out))
        assert tree(tmp_path) == {"f": "mine"}

    def test_full_disk(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"out: cannot be written .*; free some space"):
            put(staged_folder(tmp_path / "out"), FULL, x="x")
        assert tree(tmp_path) == {}

    @pytest.mark.parametrize("error", [FULL, OSError("Error writing bytes. Detail: No space left on device")])
    def test_a_full_disk_is_told_of_the_file_that_was_wanted(self, tmp_path: Path, error: OSError) -> None:
        out = tmp_path / "out"
        with pytest.raises(InputError) as told, staged_folder(out) as stage:
            put(atomic_file(stage / "a.txt"), error, _="half")
        full = "cannot be written (No space left on device); free some space, or choose a folder on another disk"
        assert str(told.value) == f"{out / 'a.txt'}: {full}"
        assert tree(tmp_path) == {}

    def test_an_error_about_another_file_passes_through(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="missing"), staged_folder(tmp_path / "out"):
            (tmp_path / "missing").read_text()
        assert tree(tmp_path) == {}

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_not_writable(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        with pytest.raises(InputError, match=r"out: .*change its permissions"):
            put(staged_folder(tmp_path / "out"))


@pytest.mark.skipif(os.name != "posix", reason="processes are asked for by signal 0")
def test_what_a_killed_build_left_is_swept_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    code = (
        "import sys, os, signal; from weald.export.files import staged_folder\n"
        f"with staged_folder({str(out)!r}) as stage:\n"
        "    (stage / 'half.txt').write_text('half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    (left,) = (entry for entry in out.iterdir() if entry.is_dir())
    running = out / left.name.replace(left.name.split("-")[2], str(os.getppid()))
    elsewhere = out / left.name.replace(left.name.split("-")[1], "ffffff")
    for other in (running, elsewhere):
        other.mkdir()
    with staged_folder(out) as stage:
        (stage / "whole.txt").write_text("whole")
    assert {entry.name for entry in out.iterdir()} == {"whole.txt", running.name, elsewhere.name}


# -- crashes ---------------------------------------------------------------------------------

posix_only = pytest.mark.skipif(os.name != "posix", reason="steps are taken in forks")


@posix_only
@pytest.mark.parametrize(
    ("scene", "how"),
    [
        ("there", "kill"),
        ("there", "terminate"),
        ("there", "interrupt"),
        ("there", "full"),
        ("new", "kill"),
        ("new", "interrupt"),
        ("twice", "kill"),
        ("twice", "full"),
        ("no links", "kill"),
        ("no links", "full"),
    ],
)
def test_after_a_crash_at_any_step_all_files_are_of_one_build(tmp_path: Path, how: str, scene: str) -> None:
    script = Path(__file__).with_name("crashes.py")
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path), how, scene], check=False, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    old, new = map(int, run.stdout.split())
    assert old >= (0 if scene == "twice" else 30)
    assert new >= 15


@posix_only
def test_a_second_build_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = (
        "import sys; from weald.export.files import staged_folder\n"
        f"with staged_folder({str(out)!r}) as stage:\n"
        "    (stage / 'a.txt').write_text('a'); print('begun', flush=True); sys.stdin.readline()"
    )
    for _ in range(2):  # first without the folder, then with it
        first = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert first.stdin is not None
        assert first.stdout is not None
        with first:
            try:
                assert first.stdout.readline() == "begun\n"
                with pytest.raises(InputError, match=rf"out: process {first.pid} on .*, since .* is writing to it"):
                    put(staged_folder(out), a="b")
            finally:
                first.stdin.write("\n")
                first.stdin.flush()
        assert first.returncode == 0
        assert tree(tmp_path) == {"out": None, "out/a.txt": "a"}


def test_two_threads_do_not_share_a_folder(tmp_path: Path) -> None:
    with staged_folder(tmp_path / "out"), pytest.raises(InputError, match=f"process {os.getpid()} on .*wait until"):
        put(staged_folder(tmp_path / "out"))
    with staged_folder(tmp_path / "out"), staged_folder(tmp_path / "beside"):
        pass
    assert tree(tmp_path) == {"out": None, "beside": None}


def test_a_lock_that_nobody_holds_is_taken(tmp_path: Path) -> None:
    (tmp_path / ".weald-lock").write_text("process 1 on a machine that was switched off")
    put(staged_folder(tmp_path), a="a")
    assert tree(tmp_path) == {"a.txt": "a"}
