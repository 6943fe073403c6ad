"""How even a noise is: the power of its waves by direction, as docs/noise.md states it."""

import numpy as np
import pytest

from weald.fields import perlin, perlin_classic, simplex, value, worley
from weald.geometry import Grid

SIDE, CELLS = 512, 64


def along_the_axes(make, seeds=12):
    """Return the fourfold part of the power of waves, each compared with waves as long as it."""
    at = (np.arange(SIDE) + 0.5) / SIDE * 2 - 1
    window = np.clip(1 - at**2 - at[:, None] ** 2, 0, None) ** 2
    power = np.zeros((SIDE, SIDE))
    for seed in range(seeds):
        values = make(seed, CELLS / SIDE).sample(Grid(0, 0, 1, SIDE, SIDE))
        power += np.abs(np.fft.fft2(window * (values - values.mean()))) ** 2
    waves = np.fft.fftfreq(SIDE) * SIDE
    length = np.hypot(waves[:, None], waves)
    kept = (length > 0.2 * CELLS) & (length < 2.4 * CELLS)
    ring = np.round(length[kept]).astype(int)
    even = (np.bincount(ring, power[kept]) / np.maximum(np.bincount(ring), 1))[ring]
    fourfold = np.cos(4 * (np.arctan2(waves[:, None], waves)[kept]))
    return 2 * float(((power[kept] - even) * fourfold).sum() / power[kept].sum())


# the standard error of the measure is about 0.01: some 20,000 unrelated waves
@pytest.mark.parametrize(
    ("make", "documented"),
    [(perlin, 0.09), (simplex, 0.0), (value, -0.01), (perlin_classic, 0.04), (worley, 0.05)],
)
def test_waves_are_as_even_as_documented(make, documented):
    assert along_the_axes(make) == pytest.approx(documented, abs=0.03)


def test_the_measure_turns_with_the_noise():
    turned = along_the_axes(lambda seed, frequency: perlin(seed, frequency).rotate_deg(45))
    assert turned == pytest.approx(-0.09, abs=0.03)
