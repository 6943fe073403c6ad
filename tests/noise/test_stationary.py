"""No place is special: over seeds, noise has the same mean and spread at the origin as anywhere else.

Lattices are shifted by a hashed amount; were it not uniform over a cell, places at whole metres would lie in the
middle of cells of frequency 1, or at their corners, more often than others.
"""

import numpy as np
import pytest

from weald.fields import perlin, perlin_classic, simplex, value, worley
from weald.noise.octave import shift_of

SEEDS = 1500
FIELDS = {
    "perlin": lambda s: perlin(s, 1),
    "perlin fbm": lambda s: perlin(s, 1).fbm(octaves=6),
    "perlin ridged": lambda s: perlin(s, 1).ridged(octaves=4, weighted_strength=0.7),
    "perlin billow": lambda s: perlin(s, 1).billow(octaves=4),
    "perlin tile": lambda s: perlin(s, 1, period=40).fbm(octaves=3),
    "perlin slope": lambda s: perlin(s, 1).fbm(octaves=3).gradient[0],
    "perlin 3D": lambda s: perlin(s, 1, dimensions=3),
    "perlin 4D": lambda s: perlin(s, 1, dimensions=4).fbm(octaves=2),
    "classic": lambda s: perlin_classic(s, 1).fbm(octaves=3),
    "simplex": lambda s: simplex(s, 1),
    "simplex fbm": lambda s: simplex(s, 1).fbm(octaves=4),
    "simplex 3D": lambda s: simplex(s, 1, dimensions=3),
    "simplex 3D ridged": lambda s: simplex(s, 1, dimensions=3).ridged(octaves=2),
    "simplex 4D": lambda s: simplex(s, 1, dimensions=4),
    "value": lambda s: value(s, 1),
    "value fbm": lambda s: value(s, 1).fbm(octaves=4),
    "value 3D": lambda s: value(s, 1, dimensions=3).billow(octaves=2),
    "value 4D": lambda s: value(s, 1, dimensions=4),
    "worley": lambda s: worley(s, 1),
    "worley fbm": lambda s: worley(s, 1, feature="f2-f1").fbm(octaves=3),
    "worley f2": lambda s: worley(s, 1, feature="f2", jitter=0.4),
    "worley id": lambda s: worley(s, 1, feature="id"),
    "worley 3D": lambda s: worley(s, 1, dimensions=3, jitter=0.7),
}
# where in their metre places lie: the origin's corner, the middle, and between
PARTS = np.array([0.0, 0.5, 0.25])


@pytest.mark.parametrize("name", FIELDS)
def test_the_spread_over_seeds_is_the_same_everywhere(name):
    # many places a seed, far enough apart to be unrelated
    steps = np.arange(0, 64, 4.0)
    make = FIELDS[name]
    found = []
    for seed in range(SEEDS):
        field = make(seed)
        at = [
            (PARTS[:, None] + np.roll(steps, 5 * axis) * (1 if axis < 2 else -1)).reshape(-1)
            for axis in range(max(field.dimensions, 2))
        ]
        found.append(field(*at).reshape(len(PARTS), -1))
    values = np.stack(found, axis=1).reshape(len(PARTS), -1)
    mean, variance = values.mean(axis=1), values.var(axis=1)
    assert variance.max() / variance.min() < 1.1
    assert np.ptp(mean) < 0.1 * np.sqrt(variance.mean())


@pytest.mark.parametrize("axis", "xyzw")
def test_shifts_are_uniform_over_a_cell(axis):
    shifts = np.array([shift_of(seed, "perlin2", number, axis) for seed in range(500) for number in range(4)])
    counts = np.histogram(shifts, bins=10, range=(0, 1))[0]
    assert counts.sum() == 2000
    assert counts.min() > 150
    assert counts.max() < 250


@pytest.mark.parametrize("name", FIELDS)
def test_noise_at_whole_metres_is_not_constant(name):
    whole = np.arange(12.0)
    for seed in range(20):
        field = FIELDS[name](seed)
        at = [np.roll(whole, axis) for axis in range(max(field.dimensions, 2))]
        assert np.ptp(field(*at)) > 1e-3
