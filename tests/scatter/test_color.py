"""How instances differ in colour: by their ids alone, and about the species' own colour."""

from __future__ import annotations

import numpy as np
import pytest

from weald.geometry import Bounds
from weald.scatter.color import LIGHT, tints, to_srgb
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.scatter import scatter
from weald.scatter.species import Species

IDS = np.random.default_rng(2).integers(0, 2**64, 20_000, np.uint64)


def test_linear_light_and_back() -> None:
    assert (to_srgb(LIGHT) == np.arange(256)).all()
    # the nearest code, in light; what is out of range is cut
    middle = (LIGHT[99] + LIGHT[100]) / 2
    assert to_srgb([middle - 1e-9, middle + 1e-9, -1, 2, 1]).tolist() == [99, 100, 0, 255, 255]


def test_tints_are_a_function_of_the_id_about_one() -> None:
    for variation in (0.2, 1.0):
        factors = tints(IDS, variation).astype(float)
        assert factors.mean(axis=0) == pytest.approx(1, abs=0.01)
        lighter, warmer = factors[:, 1], factors[:, 0] - factors[:, 2]
        assert np.abs(lighter - 1).max() == pytest.approx(0.5 * variation, rel=0.01)
        assert np.abs(warmer / lighter).max() == pytest.approx(0.6 * variation, rel=0.01)
        # lightness and warmth have nothing to do with each other
        assert abs(np.corrcoef(lighter, warmer / lighter)[0, 1]) < 0.03
    assert (tints(IDS, 0) == 1).all()
    some = np.array([7, 3, 3])
    assert (tints(IDS[some], 0.3) == tints(IDS, 0.3)[some]).all()
    assert (tints(IDS, np.full(len(IDS), 0.3)) == tints(IDS, 0.3)).all()


def grown(window: Bounds, variation: float = 0.6) -> Placements:
    oak = Species("oak", "broadleaf", height=17, crown_radius=4, color="#54793f", color_variation=variation)
    elm = Species("elm", "broadleaf", height=17, crown_radius=4, color="#6a8a4f")
    layer = Layer("trees", {oak: 1, elm: 1}, 6.0)
    return scatter([layer], lambda x, y: 0 * x, None, seed=5, window=window)["trees"]


@pytest.mark.parametrize("at", [0, -3_000_000, 1_000_000_000])
def test_any_window_has_the_colors_of_the_whole(at: int) -> None:
    whole, part = (grown(Bounds(at, at, at + side, at + side)) for side in (200, 90))
    crop = whole.inside((at, at, at + 90, at + 90))
    assert len(part) > 100
    assert (crop.colors() == part.colors()).all()
    assert (crop.tints() == part.tints()).all()


def test_species_vary_by_their_own_measure() -> None:
    placed = grown(Bounds(0, 0, 200, 200))
    oaks, elms = placed.of("oak").colors(), placed.of("elm").colors()
    assert (elms == [0x6A, 0x8A, 0x4F]).all()
    assert len(np.unique(oaks, axis=0)) > 0.7 * len(oaks)
    # the mean, in light, is the species' colour
    assert LIGHT[oaks].mean(axis=0) == pytest.approx(LIGHT[[0x54, 0x79, 0x3F]], rel=0.05)
    assert len(np.unique(placed.of("elm").colors(at_least=0.4), axis=0)) > 100
    assert (placed.of("oak").colors(at_least=0.4) == oaks).all()
    # and nothing else follows from it
    plain = grown(Bounds(0, 0, 200, 200), variation=0)
    assert (plain.xyz == placed.xyz).all()
    assert (plain.rotation == placed.rotation).all()
    assert (plain.species == placed.species).all()


def test_nothing_has_no_colors() -> None:
    nothing = Placements.concat([])
    assert nothing.colors().shape == nothing.tints().shape == (0, 3)
