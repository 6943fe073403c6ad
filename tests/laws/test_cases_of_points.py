"""Cases from the field, by their numbers: those of points and instances, 6 to 13, 15 and 16.

Each stays small; more about each is in tests/sampling, tests/scatter and tests/export.
"""

import math

import numpy as np
import pytest

import weald
from tests import naive
from weald.export.axes import GLTF
from weald.geometry import Bounds
from weald.sampling.textbook.bridson import bridson_3d
from weald.scatter.layer import Layer
from weald.scatter.orientation import rotation_matrices, yaw
from weald.scatter.placements import Placements
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.world.world import World

TREES = [Species(name, "conifer", 20, 2.5, "#335544") for name in ("fir", "pine", "larch")]
ENDLESS = World.parse(
    {
        "weald": 1,
        "seed": "cases",
        "chunk": 16,
        "noise": {"hills": {"scale": 90}},
        "ground": {"formula": "9 * hills", "spacing": 4},
        "species": {"fir": {"shape": "conifer", "height": 9, "crown_radius": 1, "color": "#335544"}},
        "layer": [{"name": "firs", "species": "fir", "radius": 2}],
    }
)


def spacing(radius):
    return lambda x, y: np.where(x < 0, radius, 0.6 * radius)


@pytest.mark.parametrize("varying", [False, True])
@pytest.mark.parametrize("corner", [(0, 0), (-32, 1_000_000)])
def test_case_06_nine_chunks_together_keep_the_spacing(corner, varying):
    x, y = corner
    options = {"radius": spacing(2.0), "radius_range": (1.2, 2.0)} if varying else {"radius": 2.0}
    chunks = [
        weald.poisson_disk(None, seed=6, window=(x + 16 * i, y + 16 * j, x + 16 * i + 16, y + 16 * j + 16), **options)
        for j in (-1, 0, 1)
        for i in (-1, 0, 1)
    ]
    xy, radius = (np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in ("xy", "radius"))
    dx, dy = xy[:, None, 0] - xy[:, 0], xy[:, None, 1] - xy[:, 1]
    apart = np.sqrt(dx * dx + dy * dy) - np.maximum(radius[:, None], radius)
    assert (apart[~np.eye(len(xy), dtype=bool)] >= 0).all()


def test_case_07_chunks_below_zero():
    placed = Placements.upright(TREES, [[-1, 0, 0], [-16, 0, 0], [-16.001, 0, 0]])
    assert {int(part.id[k]): i for (i, _), part in placed.cells(16) for k in range(len(part))} == {0: -1, 1: -1, 2: -2}
    whole = ENDLESS.layers((-48, -16, 0, 0))["firs"]
    for i in (-3, -2, -1):
        chunk = ENDLESS.chunk(i, -1)
        local = chunk.placements.xyz[:, :2] - [chunk.bounds.xmin, chunk.bounds.ymin]
        assert ((local >= 0) & (local < 16)).all()
        assert chunk.layers["firs"] == whole.inside((16 * i, -16, 16 * i + 16, 0))


@pytest.mark.parametrize("seed", range(40))
def test_case_08_small_domain_around_the_origin(seed):
    xy = weald.poisson_disk((-5, -5, 5, 5), 2, seed=seed).xy
    assert naive.closest_pair(xy) >= 2
    assert naive.closest_pair(weald.bridson((-5, -5, 5, 5), 2, seed=seed).xy) >= 2


def test_case_09_no_run_stops_early():
    counts = [len(weald.poisson_disk((0, 0, 100, 20), 4, seed=seed, threads=1)) for seed in range(300)]
    assert min(counts) > 0.85 * np.median(counts)
    counts = [len(weald.bridson((0, 0, 100, 20), 4, seed=seed, candidates=8)) for seed in range(300)]
    assert min(counts) > 0.7 * np.median(counts)


@pytest.mark.parametrize("bounds", [(0, 0, 30, 30), (-7.7, 0.1, 20.3, 9.9), (1e6, -1e6, 1e6 + 40, -1e6 + 40)])
def test_case_10_upper_bounds_are_outside(bounds):
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    methods = (weald.poisson_disk, weald.bridson, weald.dart_throwing, weald.jittered_grid, weald.white_noise)
    for method in methods:
        for seed in range(8):
            points = method(bounds, 2000 if method is weald.white_noise else 0.7, seed=seed)
            assert ((points.xy >= low) & (points.xy < high)).all()
            for local in (points.float32(), np.asarray(points, np.float32)):
                assert ((local >= low.astype(np.float32)) & (local < high.astype(np.float32))).all()


def test_case_10_in_space():
    low, high = np.array([1e6, 0, -9]), np.array([1e6 + 8, 9, 0])
    for method in (weald.poisson_disk, bridson_3d):
        points = method((*low, *high), 0.8, seed=1)
        assert ((points.xyz >= low) & (points.xyz < high)).all()
        assert ((points.float32() >= low.astype(np.float32)) & (points.float32() < high.astype(np.float32))).all()


def test_case_11_radii_too_large_and_no_radii():
    for method in (weald.poisson_disk, weald.bridson, weald.dart_throwing):
        assert len(method((0, 0, 1, 1), 5, seed=1)) == 1
        for radius in (0, -1, math.nan, math.inf):
            with pytest.raises(ValueError, match="radius: got"):
                method((0, 0, 1, 1), radius, seed=1)


def test_case_12_a_seed_is_all_there_is():
    for method in (weald.poisson_disk, weald.bridson, weald.dart_throwing):
        one = method((0, 0, 30, 30), 2, seed=12)
        np.random.seed(12)  # noqa: NPY002 - the global generator must not matter
        np.random.uniform(size=99)  # noqa: NPY002
        assert method((0, 0, 30, 30), 2, seed=12).xy.tobytes() == one.xy.tobytes()
        drawn, other = method((0, 0, 30, 30), 2, seed=None), method((0, 0, 30, 30), 2, seed=None)
        assert drawn.xy.tobytes() != other.xy.tobytes()
        assert method((0, 0, 30, 30), 2, seed=drawn.seed).xy.tobytes() == drawn.xy.tobytes()


def test_case_13_three_species_over_one_set_of_points():
    box = Bounds(0, 0, 400, 400)
    placed = scatter([Layer("a", dict.fromkeys(TREES, 1), 3)], lambda x, y: 0 * x, box, "case 13")["a"]
    for species in TREES:
        mean = placed.of(species.name).xyz[:, :2].mean(axis=0)
        assert np.abs(mean - 200).max() < 0.05 * 200


def test_case_15_yaw_of_90_degrees():
    turned = yaw(np.array([0.25]))
    np.testing.assert_allclose(turned, [[0, 0, 0.5**0.5, 0.5**0.5]], atol=1e-7)
    there = GLTF.quaternions(turned)
    np.testing.assert_allclose(there, [[0, 0.5**0.5, 0, 0.5**0.5]], atol=1e-7)
    # what looks along the target's axes has turned alike there and here, within 0.1 degrees
    ahead = GLTF.vectors(rotation_matrices(turned) @ np.array([1.0, 0, 0]))
    np.testing.assert_allclose(rotation_matrices(there) @ [1, 0, 0], ahead, atol=math.radians(0.1))


def test_case_16_centimetres_in_utm():
    corner = (500_000.0, 5_150_000.0)
    box = (*corner, corner[0] + 0.4, corner[1] + 0.4)
    points = weald.poisson_disk(box, 0.01, seed=16)
    assert naive.closest_pair(points.xy) >= 0.01
    placed = Placements.upright(TREES, np.column_stack([points.xy, np.full(len(points), 431.25)]))
    origin = (*corner, 431.0)
    back = placed.to_matrices(origin=origin)[:, :3, 3].astype(np.float64) + origin
    assert np.abs(back - placed.xyz).max() < 1e-3
    assert np.abs(points.float32(corner).astype(np.float64) + corner - points.xy).max() < 1e-3
