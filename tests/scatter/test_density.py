"""`density` is kept: the expected number on ground of any shape, for every kind of spacing, to 3 %."""

import numpy as np
import pytest

import weald
from tests.stands import FERN, WAVE, flat
from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.clumps import Clumps
from weald.scatter.layer import Layer, Size
from weald.scatter.rules import Only
from weald.scatter.scatter import scatter
from weald.scatter.soft import Soft

SIDE = 420.0
WORLD = Bounds(0, 0, SIDE, SIDE)


def squares(x, y):
    """Squares of 20 m, 15 m apart: every edge is cut through the stand."""
    return (x % 35 < 20) & (y % 35 < 20)


def hedges(x, y):
    return x % 20 < 6


def spots(x, y):
    return ((x % 12 - 6) ** 2 + (y % 12 - 6) ** 2) < 2.5**2


def checkers(x, y):
    return (x // 10 + y // 10) % 2 == 0


def roadside(x, y):
    """The half metre along a road of 10 m."""
    return (x % 16 < 0.5) | (x % 16 >= 5.5) & (x % 16 < 6)


GROUND = {"squares": squares, "hedges": hedges, "spots": spots, "checkers": checkers, "roadside": roadside}
STANDS = {
    "strict": {},
    "soft": {"soft": Soft(0.3, 0.5)},
    "softened a little": {"soft": Soft(0.6, 0.2)},
    "clumps": {"clumps": Clumps(20, 8, between=0.3)},
    "clumps that overlap": {"clumps": Clumps(10, 9)},
    "sizes": {"sizes": [Size(2.0, 0.4), Size(1.0), Size(0.5, 0.5)]},
}
_x, _y = (part.ravel() for part in np.meshgrid(np.arange(0.125, SIDE, 0.25), np.arange(0.125, SIDE, 0.25)))


def found_over_asked(ground, density, seeds, share=1.0, **kind):
    """Return how many stand, in parts of the density times the ground's area."""
    rules = [] if ground is None else [Only(ground)]
    counts = [
        len(scatter([Layer("a", {FERN: 1}, rules=rules, density=density, **kind)], flat, WORLD, k, threads=1)["a"])
        for k in range(seeds)
    ]
    allowed = 1.0 if ground is None else ground(_x, _y).mean()
    return np.mean(counts) / (share * allowed * SIDE * SIDE / 1e4)


@pytest.mark.parametrize(
    ("kind", "ground"),
    [
        *(("strict", ground) for ground in GROUND),
        *((kind, ground) for kind in STANDS for ground in ("squares", "hedges")),
    ],
)
def test_the_density_is_kept_on_ground_of_any_shape(kind, ground):
    seeds, density = 10 if kind.startswith("clumps") else 5, 800.0
    assert found_over_asked(GROUND[ground], density, seeds, share=density, **STANDS[kind]) == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("kind", ["strict", "soft", "sizes"])
def test_a_density_that_varies_is_kept(kind):
    expected = (100 + 500 * WAVE)(_x, _y).mean()
    assert found_over_asked(None, 100 + 500 * WAVE, 4, share=expected, **STANDS[kind]) == pytest.approx(1, abs=0.03)


def test_a_steep_density_is_kept():
    """From 2,500 a hectare to 160 within 40 m: the radius rises by 0.15 m a metre."""
    steep = weald.Field.of(lambda x, y: 6962 / (1.67 + 0.12 * np.abs(x % 80 - 40)) ** 2, range=(100, 2500))
    expected = steep(_x, _y).mean()
    assert found_over_asked(None, steep, 4, share=expected) == pytest.approx(1, abs=0.03)


def test_what_cannot_be_kept_is_refused():
    with pytest.raises(InputError) as raised:
        Layer("a", {FERN: 1}, density=400, edge="fill")
    assert str(raised.value) == (
        "layer 'a': density is kept with natural edges only; leave out edge='fill', or give a radius"
    )
    with pytest.raises(InputError, match=r"density cannot be kept with soft.core 0.05; give a core of at least 0.1"):
        found_over_asked(None, 400, 1, soft=Soft(0.05, 0.5))
    with pytest.raises(InputError, match=r"density cannot be kept with sizes from 0.1 to 10; give factors nearer"):
        found_over_asked(None, 400, 1, sizes=[Size(10.0), Size(0.1)])
