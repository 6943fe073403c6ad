"""Golden values of every noise: the same bits for ever, on every machine."""

import json
from pathlib import Path

import numpy as np
import pytest

from weald._version import ALGORITHM
from weald.fields import Field, perlin, perlin_classic, simplex, value, worley

NOISES = {"perlin": perlin, "simplex": simplex, "value": value, "worley": worley, "perlin_classic": perlin_classic}
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "noise.json").read_text())


def golden_values(written):
    """Return the values of a field, written as a call, at the golden places."""
    field = eval(written, dict(NOISES))
    assert isinstance(field, Field)
    at = np.array(GOLDEN["places"]).T
    return [float(v).hex() for v in field(*at[: max(field.dimensions, 2)])]


@pytest.mark.parametrize("written", GOLDEN["values"])
def test_golden_values(written):
    """A change here is a new version of the algorithm: then run ``python -m tests.golden.regenerate``."""
    assert GOLDEN["algorithm"] == ALGORITHM
    assert golden_values(written) == GOLDEN["values"][written]
