"""The lines of Python on the pages about biomes and caves must run."""

import re
from pathlib import Path

import numpy as np
import pytest

import weald
from weald.geometry import Grid

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="tests run outside a checkout")


@pytest.mark.parametrize("page", ["biomes", "caves"])
def test_the_lines_on_a_page_run(page):
    moisture = weald.perlin("moisture", 1 / 60).fbm(octaves=3).remap([(-0.5, 0), (0.5, 1)])
    scope = {
        "weald": weald,
        "np": np,
        "grid": Grid(0.5, 0.5, 1, 40, 30),
        "heights": np.arange(5.0),
        "moisture": moisture,
        "hills": moisture * 20,
        "ground": moisture * 9,
        "slope": moisture * 60,
        "x": 3.0,
        "y": 4.0,
    }
    text = (DOCS / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 3
    for block in blocks:
        exec(block, scope)


@pytest.mark.parametrize("page", ["biomes", "caves"])
def test_the_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)\)", (DOCS / f"{page}.md").read_text("utf-8")):
        assert (DOCS / link).exists(), link
