"""The same functions, driven as on a GPU, give the same bits; and they compile for one, to integer code alone."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling.rounds_on_cuda import CASES
from weald.sampling.plane import compute
from weald.sampling.state import EMPTY
from weald.sampling.workspace import Workspace

ROOT = Path(__file__).parents[2]


def run(*arguments, **environment):
    paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.sampling.rounds_on_cuda", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_threads_in_any_order_give_the_bits_of_the_cpu():
    simulated = run(NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")
    assert len(simulated) == len(CASES)
    for case, (x, y) in zip(CASES, simulated, strict=True):
        expected = compute(case.rules, case.block, 0, Workspace())
        assert (x, y) == tuple(part.tolist() for part in expected)
        assert sum(place != EMPTY for row in x for place in row) > 6


@pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda: pip install 'numba-cuda[cu13]'"
)
def test_all_phases_compile_for_a_gpu_without_floating_point():
    phases = run("ptx")
    assert set(phases) == {"throw", "refine", "sift", "head", "judge", "stand", "learn"}
    for name, found in phases.items():
        assert found["instructions"] > 20, name
        assert found["floats"] == [], name
