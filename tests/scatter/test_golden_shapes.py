"""Forms of the built-in shapes, as they are: sums of places, normals and colours, each corner with a weight of its own.

Run this file to write them anew, after a change that is meant.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.scatter.test_shapes import SPECIES
from weald.scatter.shapes import shape_mesh

GOLDEN = Path(__file__).parents[1] / "golden" / "shapes.json"


def told(species):
    mesh = shape_mesh(species)
    weight = np.sin(np.arange(len(mesh.positions)) * 1.7 + 0.3)  # no symmetry of a shape has any of its own
    sums = [weight @ np.asarray(array, np.float64) for array in (mesh.positions, mesh.normals, mesh.colors)]
    return {"triangles": len(mesh.triangles), "sums": [[round(float(v), 5) for v in row] for row in sums]}


@pytest.mark.parametrize("species", SPECIES, ids=lambda species: species.name)
def test_a_shape_has_the_form_it_had(species):
    golden = json.loads(GOLDEN.read_text())[species.name]
    found = told(species)
    assert found["triangles"] == golden["triangles"]
    for name, tolerance, a, b in zip(
        ("places", "normals", "colors"), (1e-4, 1e-3, 3.0), found["sums"], golden["sums"], strict=True
    ):
        assert np.allclose(a, b, rtol=0, atol=tolerance), name


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps({species.name: told(species) for species in SPECIES}, indent=1) + "\n")
