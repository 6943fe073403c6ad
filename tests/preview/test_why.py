"""Maps of why."""

import numpy as np
import pytest
from PIL import Image

from tests import worlds
from weald.errors import InputError
from weald.preview.why import draw_why


def colors(path):
    with Image.open(path) as image:
        return np.asarray(image).astype(int)


def test_a_row_a_layer_with_neither_conflicts_nor_holes(tmp_path):
    world = worlds.world(tmp_path)
    draw_why(tmp_path / "all.png", world, (200, 180), reach=40)
    draw_why(tmp_path / "one.png", world, (200, 180), layers=["oaks"], reach=40)
    every, one = colors(tmp_path / "all.png"), colors(tmp_path / "one.png")
    assert every.shape[0] > 2 * one.shape[0]
    maps = every[150:]
    red, green, blue = np.moveaxis(maps, -1, 0)
    assert not ((blue > red + 90) & (blue > green + 40)).any()
    # but the marks
    assert ((red > 150) & (green < 80) & (blue < 70)).mean() < 0.003
    assert ((green > red + 25) & (green > blue + 25)).mean() > 0.1


def test_a_reach_that_is_none(tmp_path):
    with pytest.raises(InputError, match="reach: got 0; give 1 to 100000 metres"):
        draw_why(tmp_path / "a.png", worlds.world(tmp_path), (9, 9), reach=0)


class DrawingError(Exception):
    """Raised in the place of drawing."""


def test_the_ends_of_reach_are_the_last_that_are_good(tmp_path, monkeypatch):
    def stop(*_):
        raise DrawingError

    monkeypatch.setattr("weald.preview.why.View", stop)
    world = worlds.world(tmp_path)
    for bad in (0.999, 100_000.5, float("nan")):
        with pytest.raises(InputError, match=r"reach: got .*; give 1 to 100000 metres"):
            draw_why(tmp_path / "a.png", world, (9, 9), reach=bad)
    for good in (1, 1e5):
        with pytest.raises(DrawingError):
            draw_why(tmp_path / "a.png", world, (9, 9), reach=good)
