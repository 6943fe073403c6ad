"""What docs/scatter.md and docs/placements.md show must run, and mean what they say."""

import re
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="tests run outside a checkout")


def run(page):
    scope = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.S):
        exec(block, scope)
    return scope


def test_stands():
    placed = run("scatter.md")["placed"]
    assert len(placed["trees"]) > 500
    assert set(placed["trees"].species.tolist()) == {0, 1}
    oaks = placed["trees"].of("oak")
    ferns = placed["ferns"].xyz
    assert not oaks.index().within(ferns[:, 0], ferns[:, 1], 4.0).any()


def test_placements(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    scope = run("placements.md")
    trees, after = scope["trees"], scope["after"]
    assert len(scope["everything"]) == sum(map(len, scope["layers"].values()))
    assert len(capsys.readouterr().out.splitlines()) == 7 * 5
    assert scope["table"].column_names[:3] == ["id", "layer", "species"]
    assert not scope["told"]
    assert len(after) == len(trees) - len(trees.near(200, 150, 12)) + 1
    assert after.near(103.2, 45.8, 1e-9).id.tolist() == trees.id[:1].tolist()
    # the same place by two ways
    np.testing.assert_allclose(scope["y_up"][:, :, 3], scope["places"], atol=1e-5)
    np.testing.assert_allclose(scope["buffer"].transpose(0, 2, 1)[:, :3], scope["compact"])
