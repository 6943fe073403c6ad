"""A sample takes little memory beside its result, and keeps what it takes from block to block."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measured where Linux tells")

START = """
import resource
import numpy as np
from weald.fields import lerp, perlin, where
from weald.geometry import Grid

a, b = perlin(1, 0.01).fbm(3), perlin(2, 0.02)
"""

GRAPH = "field = (where(a > 0, a.terrace(0.1), b) * 300).warp(b * 30, 0).max(lerp(0, 100, b)).translate(5, 5)"
BARE = "field = a"  # computed in float32, in whole rows

PEAK = """
def told(name):
    # not ru_maxrss, which a process takes over from the one that started it
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))

field.sample(Grid(0, 0, 1, 600, 600), dtype=np.float32)
before = told('VmRSS:')
result = field.sample(Grid(0, 0, 1, 5000, 5000), dtype=np.float32)
print((told('VmHWM:') - before) / result.nbytes)
"""

FAULTS = """
raised = a * 300
field = where(b + 0.2 > 0.1, raised.max(0), raised.terrace(40)) - abs(b).smoothstep(0.1, 0.6) * 25
grid = Grid(0, 0, 1, 1024, 1024)
out = np.zeros(grid.shape)
field.sample(grid, 1, out=out)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
field.sample(grid, 1, out=out)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def told_by(script):
    ran = subprocess.run([sys.executable, "-c", START + script], capture_output=True, text=True, check=True)
    return float(ran.stdout)


@pytest.mark.parametrize(("made", "most"), [(GRAPH, 2.0), (BARE, 1.2)], ids=["graph", "bare noise"])
def test_a_sample_takes_little_beside_its_result(made, most):
    assert 0.9 < told_by(made + PEAK) < most


def test_blocks_do_not_give_their_memory_back_and_fetch_it_anew():
    # 32 blocks of 64 pages: thousands of page faults if they did
    assert told_by(FAULTS) < 500
