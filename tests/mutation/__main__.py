"""The command: see ``python -m tests.mutation --help``."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.mutation.changes import changed, drawn

_ROOT = Path(__file__).parents[2]


def main() -> int:
    """Change, test, and print what survived."""
    parser = argparse.ArgumentParser("tests.mutation", description=__doc__)
    parser.add_argument("--room", required=True, help="a package or module of weald: scatter, world, preview/why.py")
    parser.add_argument("--number", type=int, default=20, help="how many changes")
    parser.add_argument("--seed", default="0", help="another seed, other changes")
    parser.add_argument("--tests", nargs="*", help="what to run; the room's tests and its doctests if left out")
    given = parser.parse_args()
    room = _ROOT / "src" / "weald" / given.room
    files = [room] if room.is_file() else sorted(room.rglob("*.py"))
    name = Path(given.room).parts[0].removesuffix(".py")
    tests = given.tests or [
        test
        for test in (f"tests/{name}", f"tests/test_{name}.py", f"src/weald/{given.room}")
        if (_ROOT / test).exists()
    ]
    random = Random(f"{given.room}/{given.seed}")
    weights = [path.stat().st_size for path in files]
    survived = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("src", "tests", "docs", "examples", "pyproject.toml", "README.md"):
            source = _ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / part)
        if _passes(copy, tests) is not True:
            print("the tests fail without any change")  # noqa: T201
            return 2
        while tried < given.number:
            path = copy / random.choices(files, weights)[0].relative_to(_ROOT)
            source = path.read_text("utf-8")
            change = drawn(random, source)
            if change is None:
                continue
            tried += 1
            path.write_text(changed(source, change), "utf-8")
            caught = not _passes(copy, tests, afresh="njit" in source)
            path.write_text(source, "utf-8")
            survived += not caught
            words = f"{path.relative_to(copy)}:{change.line}: {_short(change.before)} -> {_short(change.after)}"
            print("caught  " if caught else "SURVIVED", words, flush=True)  # noqa: T201
    print(f"{tried - survived} of {tried} caught")  # noqa: T201
    return 0


def _passes(copy: Path, tests: list[str], afresh: bool = False) -> bool:
    """Return whether the tests pass in a copy; what takes over five minutes does not (ten, if compiled afresh).

    Numba keeps a compiled kernel as long as its own file is as it was, even where it calls a kernel that was changed.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    paths = os.pathsep.join([str(copy / "src"), str(copy)])
    with tempfile.TemporaryDirectory() as compiled:
        env = {**os.environ, "PYTHONPATH": paths, **({"NUMBA_CACHE_DIR": compiled} if afresh else {})}
        try:
            done = subprocess.run(command, cwd=copy, env=env, capture_output=True, timeout=600 if afresh else 300)
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 50 else line[:47] + "..."


if __name__ == "__main__":
    sys.exit(main())
