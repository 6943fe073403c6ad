"""The README's first screen must be true."""

import re
from pathlib import Path

import numpy as np
import pytest

import weald

README = Path(__file__).parents[1] / "README.md"
pytestmark = pytest.mark.skipif(not README.exists(), reason="tests run outside a checkout")


def test_the_first_example_runs(capsys):
    block = re.search(r"```python\n(.*?)```", README.read_text("utf-8"), re.S)
    scope = {}
    exec(block[1], scope)
    assert len(scope["points"]) > 30_000
    assert len(block[1].strip().splitlines()) <= 6
    chunk = scope["chunk"].xy
    assert ((chunk >= (-64, 1e7)) & (chunk < (0, 1e7 + 64))).all()
    assert str(len(scope["points"])) in capsys.readouterr().out


def test_the_lines_about_points_run(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.S)
    block = next(b for b in blocks if "blockers" in b)
    monkeypatch.chdir(tmp_path)
    box = (0, 0, 60, 50)
    scope = {
        "weald": weald,
        "box": box,
        "field": lambda x, y: 1 + x / 4,
        "trees": weald.poisson_disk(box, 9, seed=2).xy,
        "polygon": [(0, 0), (50, 0), (50, 40)],
        "points": weald.poisson_disk(box, 2, seed=2),
    }
    exec(block, scope)
    assert (tmp_path / "quality.png").stat().st_size > 10_000


def test_the_picture_is_there_and_the_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)]+)\)", README.read_text("utf-8")):
        assert (README.parent / link).exists(), link


def test_the_example_world_can_be_loaded():
    world = weald.World.load(README.parent / "examples" / "cumberland.toml")
    trees = world.layers(window=(14000, 16000, 14100, 16100))
    assert list(trees) == ["conifers", "broadleaf", "bushes"]
    assert np.isfinite(trees["broadleaf"].xyz).all()
