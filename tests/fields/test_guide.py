"""What docs/fields.md shows must run, and mean what it says."""

import re
from pathlib import Path

import numpy as np
import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "fields.md"
pytestmark = pytest.mark.skipif(not GUIDE.exists(), reason="tests run outside a checkout")


def test_the_guide_runs():
    scope = {}
    for block in re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.S):
        exec(block, scope)
    assert scope["height"].range == (0.0, 300.0)
    assert repr(scope["height"]).startswith("where(perlin(seed='hills', frequency=0.0025).fbm(octaves=6) * 300 > 120, ")
    assert scope["radius"].range == (3, 9)
    assert len(scope["trees"]) > 500
    assert scope["to_shore"](400, 350) < 0
    assert scope["bank"](400, 350) == -5
    assert (scope["image"](np.uint8([[255]]), (0, 0, 1, 1), rows="north-first").max(0.1) ** -0.5 * 3.0)(0.5, 0.5) == 3
