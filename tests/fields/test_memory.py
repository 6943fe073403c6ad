"""A sample takes little memory beside its result."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import resource
import numpy as np
from weald.fields import lerp, perlin, where
from weald.geometry import Grid

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

a, b = perlin(1, 0.01).fbm(3), perlin(2, 0.02)
field = (where(a > 0, a.terrace(0.1), b) * 300).warp(b * 30, 0).max(lerp(0, 100, b)).translate(5, 5)
field.sample(Grid(0, 0, 1, 600, 600), dtype=np.float32)
before = resident()
result = field.sample(Grid(0, 0, 1, 5000, 5000), dtype=np.float32)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print((peak - before) / result.nbytes)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="measured where Linux tells")
def test_a_sample_takes_at_most_twice_its_result():
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert 0.9 < float(ran.stdout) < 2.0
