"""The pictures of the docs show what weald makes now."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="tests run outside a checkout")


@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["pictures"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["pictures"]


def test_no_picture_is_older_than_its_sources(pictures):
    assert pictures.stale() == [], "run: python docs/pictures.py"


def test_every_picture_is_shown_and_every_shown_picture_exists(pictures):
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {name for text in texts for name in re.findall(r"images/([\w.-]+\.(?:jpg|png))", text.read_text("utf-8"))}
    there = {path.name for path in pictures.IMAGES.iterdir() if path.suffix in (".jpg", ".png")}
    assert shown == there


def test_what_a_picture_is_made_from_exists(pictures):
    for source in pictures.EVERYTHING:
        for pattern in source.files:
            assert list(ROOT.glob(pattern)), f"{source.name}: {pattern}"


def test_a_changed_source_is_noticed(pictures, monkeypatch):
    one = pictures.EVERYTHING[0]
    before = one.fingerprint
    monkeypatch.setattr(pictures, "ALGORITHM", -1)
    assert one.fingerprint != before
    assert set(one.pictures) <= set(pictures.stale())
