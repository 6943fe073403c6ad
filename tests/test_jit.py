"""Kernels run wherever they can or cannot be kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASK = "import weald; print(weald.perlin(seed=1, frequency=0.01)(3.0, 4.0).item().hex())"
NOWHERE = "import numba.core.caching as c; c.CompileResultCacheImpl._locator_classes = []; "


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, env={**os.environ, **environment}
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    answer = run(ASK, NUMBA_CACHE_DIR=str(folder))
    assert (answer.returncode, answer.stderr) == (0, "")
    return folder, answer.stdout


def test_without_a_folder_kernels_run_in_memory_and_one_line_says_so(kept):
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    answer = subprocess.run(
        [sys.executable, "-c", NOWHERE + ASK], check=False, capture_output=True, text=True, env=environment
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == kept[1]
    (line,) = answer.stderr.splitlines()
    assert "cannot be kept (no folder can be written to)" in line
    assert "set NUMBA_CACHE_DIR to a folder that can be written to" in line


@pytest.mark.parametrize(("suffix", "damage"), [("nbi", b""), ("nbc", b"\x80\x04")])
def test_damaged_files_are_made_anew(kept, suffix, damage):
    folder, expected = kept
    files = sorted(folder.rglob(f"*.{suffix}"))
    assert files
    for file in files:
        file.write_bytes(damage)
    answer = run(ASK, NUMBA_CACHE_DIR=str(folder))
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, expected, "")
    assert any(file.read_bytes() != damage for file in folder.rglob(f"*.{suffix}"))


def test_functions_of_others_are_left_alone(tmp_path: Path):
    (tmp_path / "mine.py").write_text("import numba\n@numba.njit(cache=True)\ndef f(x):\n    return x\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import weald.jit, mine; "
    code += "print(type(mine.f._cache).__name__)"
    assert run(code).stdout == "FunctionCache\n"
