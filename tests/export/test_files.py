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
        rename = Path.rename

        def refuse_b(self: Path, target: Path) -> Path:
            if Path(target) == tmp_path / "b.txt":
                raise PermissionError(errno.EACCES, "Permission denied", str(self))
            return rename(self, target)

        monkeypatch.setattr(Path, "rename", refuse_b)
        with pytest.raises(InputError, match=r"cannot be written \(Permission denied\); choose a folder that you may"):
            put(staged_folder(tmp_path), a="new", b="new", c="new")
        assert tree(tmp_path) == {"a.txt": "old", "b.txt": "old"}

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
    (left,) = out.iterdir()
    running = out / left.name.replace(left.name.split("-")[2], str(os.getpid()))
    elsewhere = out / left.name.replace(left.name.split("-")[1], "ffffff")
    for other in (running, elsewhere):
        other.mkdir()
    with staged_folder(out) as stage:
        (stage / "whole.txt").write_text("whole")
    assert {entry.name for entry in out.iterdir()} == {"whole.txt", running.name, elsewhere.name}
