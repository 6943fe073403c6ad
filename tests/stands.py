"""One layer of each kind of stand, and what is asked of all of them."""

import numpy as np

from weald.fields import Field
from weald.geometry import Bounds
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.rules import Ramp
from weald.scatter.scatter import scatter
from weald.scatter.soft import Soft
from weald.scatter.species import Species

OAK = Species("oak", "broadleaf", 17, 4.0, "#6f8f3c", (0.7, 1.2))
BIRCH = Species("birch", "broadleaf", 14, 2.0, "#a3b35d", (0.8, 1.1))
PINE = Species("pine", "conifer", 20, 2.5, "#335544")
FERN = Species("fern", "bush", 1, 0.8, "#66aa44")

TREES = {OAK: 2.0, BIRCH: 1.0, PINE: 1.0}
SIDE = 120.0


def flat(x, y):
    return 0.0 * x


def wave(x, y):
    """Return numbers from 0 to 1, by plain arithmetic: a sine may differ in its last bit between machines."""
    t, u = (np.abs(2 * (v / period % 1.0) - 1) for v, period in ((x, 107.0), (y, 145.0)))
    return 0.5 * (t * t * (3 - 2 * t) + u * u * (3 - 2 * u))


WAVE = Field.of(wave, range=(0.0, 1.0))

# the layer that is looked at stands last; those before it are what it keeps off
KINDS = {
    "strict": [Layer("a", TREES, 4.0)],
    "radius by a field": [Layer("a", TREES, WAVE * 4 + 3)],
    "density": [Layer("a", TREES, density=400.0)],
    "density by a field": [Layer("a", TREES, density=WAVE * 600)],
    "cover": [Layer("a", TREES, 4.0, cover=0.4)],
    "cover by a field": [Layer("a", TREES, 4.0, cover=WAVE)],
    "cover of a radius by a field": [Layer("a", TREES, WAVE * 2 + 3, cover=1 - 0.9 * WAVE)],
    "soft": [Layer("a", TREES, 4.0, soft=Soft(0.5, 0.25))],
    "soft with a radius by a field": [Layer("a", TREES, WAVE * 3 + 3, soft=Soft(0.6, 0.1))],
    "soft and thinned": [Layer("a", TREES, 4.0, [Ramp(wave, 0.1, 0.6)], soft=Soft(0.5, 0.25))],
    "clumps": [Layer("a", TREES, 2.5, clumps=Clumps(30, 14, between=0.1))],
    "sizes": [Layer("a", TREES, 4.0, sizes=[Size(0.5, 0.5), Size(2.0, 0.4), Size(1.0)])],
    "sizes with a radius by a field": [Layer("a", TREES, WAVE * 2 + 3, sizes=[Size(1.5, 0.5), Size(0.7)])],
    "patches": [Layer("a", TREES, 4.0, patches=Patches(40))],
    "weights by fields": [Layer("a", {OAK: WAVE, BIRCH: lambda x, y: np.maximum(x - y, 0), PINE: 0.0}, 4.0)],
    "a radius a species": [Layer("a", TREES, {"oak": 8.0, "birch": 3.0, "pine": 5.0})],
    "a radius a species, in patches": [
        Layer("a", {**TREES, PINE: WAVE}, {"oak": 7.0, "birch": 3.0, "pine": 5.0}, patches=Patches(50, 0.8))
    ],
    "kept off by distance": [Layer("trees", TREES, 9.0), Layer("a", {FERN: 1}, 3.0, keep_off={"trees": 2.0})],
    "kept off by species": [
        Layer("trees", TREES, 9.0, sizes=[Size(1.0, 0.6), Size(0.6)]),
        Layer("stones", {PINE: 1}, 12.0, clumps=Clumps(40, 25)),
        Layer("a", {FERN: 1, BIRCH: 1}, 3.0),
    ],
    "filled": [Layer("a", TREES, 4.0, [Ramp(wave, 0.4, 0.6)], edge="fill")],
    "filled, soft": [Layer("a", TREES, 4.0, [Ramp(wave, 0.4, 0.4)], soft=Soft(0.5, 0.25), edge="fill")],
    "filled, sizes": [
        Layer("a", TREES, 4.0, [Ramp(wave, 0.4, 0.4)], sizes=[Size(1.5, 0.4), Size(0.7, 0.8)], edge="fill")
    ],
    "filled, kept off by distance": [
        Layer("trees", TREES, 9.0, edge="fill"),
        Layer("a", {FERN: 1}, 3.0, keep_off={"trees": 2.0}, edge="fill"),
    ],
    "filled, kept off by species": [
        Layer("trees", TREES, 9.0),
        Layer("a", {FERN: 1, BIRCH: 1}, {"fern": 2.0, "birch": 4.0}, edge="fill"),
    ],
    "a radius a species, kept off by species": [
        Layer("trees", TREES, 9.0),
        Layer("a", {FERN: 1, BIRCH: 1}, {"fern": 2.0, "birch": 4.0}),
    ],
    "kept off where radii vary": [Layer("trees", TREES, 9.0), Layer("a", {FERN: 1}, WAVE * 2 + 2)],
}

MATRIX = Clearances(
    {("oak", "fern"): 3.5, ("birch", "fern"): 1.0, ("oak", "birch"): 5.0, ("a", "stones"): 2.0, ("pine", "birch"): 0.0},
    scaled=True,
)


def place(kind, origin=(0.0, 0.0), window=None, seed=1, threads=1, endless=False):
    """Scatter a kind of stand, a name or its layers, on a square or on the endless plane."""
    x, y = origin
    layers = KINDS[kind] if isinstance(kind, str) else kind
    clearances = MATRIX if kind == "kept off by species" else None
    domain = None if endless else Bounds(x, y, x + SIDE, y + SIDE)
    return scatter(layers, flat, domain, seed, clearances=clearances, window=window, threads=threads)
