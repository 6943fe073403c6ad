"""Every basis beside its oracle, for tests that hold for all of them."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.noise import oracles
from weald.noise.classic import CLASSIC
from weald.noise.lattice import NO_PERIOD
from weald.noise.perlin_jet import PERLIN
from weald.noise.simplex import SCALE, SIMPLEX
from weald.noise.value import VALUE
from weald.noise.worley import FEATURES, worley_basis

WORLEY = {
    f"worley{d}-{feature}-{jitter}": (
        worley_basis(d, feature, jitter),
        partial(oracles.worley, feature=feature, jitter=jitter),
    )
    for d in (2, 3)
    for feature in FEATURES
    for jitter in (1.0, 0.6)
}
ALL = {
    **{f"perlin{d}": (basis, oracles.perlin) for d, basis in PERLIN.items()},
    **{f"simplex{d}": (basis, partial(oracles.simplex, scale=SCALE[d - 2])) for d, basis in SIMPLEX.items()},
    **{f"value{d}": (basis, oracles.value) for d, basis in VALUE.items()},
    "classic": (CLASSIC, oracles.classic),
    **WORLEY,
}
SMOOTH = [name for name in ALL if "worley" not in name]


def filled(basis, key, places, periods=None, *, slopes=False):
    """Return the noise at places of shape (dimensions, n), as an array of one row, or more with derivatives."""
    at = np.ascontiguousarray(places, np.float64)
    wraps = [NO_PERIOD if n is None else n for n in periods or [None] * len(at)]
    out = np.empty((1 + slopes * len(at), at.shape[1]))
    basis.fill(np.uint64(key), at, np.array(wraps, np.int64), out)
    return out
