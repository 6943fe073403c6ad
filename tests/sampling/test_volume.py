"""Points of space: against the naive oracle, and what the public function promises and refuses."""

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

from tests import naive
from weald import hashing
from weald.errors import InputError
from weald.geometry import SpaceBounds
from weald.sampling.asked import SPACE_SATURATION
from weald.sampling.lattice import PLACES, REACH, Lattice
from weald.sampling.pointset import SpacePoints
from weald.sampling.poisson import poisson_disk
from weald.sampling.volume import sampler
from weald.sampling.volume.block import EVERYWHERE, Block
from weald.sampling.volume.sampler import Rules, compute, sample
from weald.sampling.workspace import Workspace

RADII = (1.0, 1.06, 1.4)  # cells from almost radius / sqrt(3) to 3 % less


def blobs(x, y, z):
    return np.sin(x / 3) + np.sin(y / 4) + np.sin(z / 5) > 0.4


def places(rules, xyz):
    return sorted(map(tuple, np.rint(xyz / rules.lattice.unit).astype(int).tolist()))


def box_of(i, j, k, nx, ny, nz):
    low = i * PLACES + 12345, j * PLACES + 54321, k * PLACES + 7
    return Block(low, (low[0] + nx * PLACES, low[1] + ny * PLACES, low[2] + nz * PLACES + 999))


# -- the process -----------------------------------------------------------------------------


@pytest.mark.parametrize("radius", RADII)
def test_equals_throwing_every_dart_in_order(radius):
    lattice = Lattice.for_radius(radius, 3)
    for seed, first in [(1, (-3, -2, -1)), (2, (2**20, -(2**20), 2**28))]:
        rules = Rules(lattice, hashing.key(seed), box_of(*first, 5, 4, 3), depth=3)
        oracle = naive.poisson_disk_of_space(rules.key, lattice.conflict, *rules.domain, 3)
        assert len(oracle) > 15
        assert places(rules, sample(rules, EVERYWHERE, 1)[0]) == oracle


def test_a_mask_that_is_asked_equals_darts_that_were_never_thrown():
    # before boxes along the mask's edge are given up; cells are not closed, as each has some allowed ground
    lattice = Lattice.for_radius(1.0, 3)
    unit = lattice.unit

    def allowed(x, y, z):
        return np.mod(np.floor(x / unit) + np.floor(y / unit) + np.floor(z / unit), 3) != 0

    rules = Rules(lattice, 77, box_of(0, 0, 0, 6, 6, 6), allowed, depth=2)
    oracle = naive.poisson_disk_of_space(77, lattice.conflict, *rules.domain, 2, lambda x, y, z: (x + y + z) % 3 != 0)
    assert places(rules, sample(rules, EVERYWHERE, 1)[0]) == oracle


@pytest.mark.parametrize("allowed", [None, blobs])
def test_a_halo_that_is_too_small_is_noticed_and_mended(monkeypatch, allowed):
    rules = Rules(Lattice.for_radius(1.0, 3), hashing.key("halo"), EVERYWHERE, allowed)
    block = Block((-10, 100, -7), (8, 117, 10))
    reference = compute(rules, block, 24, Workspace())
    computed = []
    original = sampler.compute
    monkeypatch.setattr(sampler, "compute", lambda *given: (computed.append(given[2]), original(*given))[1])
    for halo in (2, 5, 8, 12):
        np.testing.assert_array_equal(original(rules, block, halo, Workspace()), reference)
    assert min(computed) < 5  # fog did come through a halo of two


def test_without_fog_a_small_halo_is_wrong(monkeypatch):
    """The test above proves nothing unless what lies outside matters."""
    rules = Rules(Lattice.for_radius(1.0, 3), hashing.key("halo"), EVERYWHERE)
    block = Block((0, 0, 0), (16, 16, 16))
    reference = compute(rules, block, 24, Workspace())
    inside = Block((0, 0, 0), (16 * PLACES,) * 3)
    alone = compute(Rules(rules.lattice, rules.key, inside), block, 0, Workspace())
    assert (alone != reference).mean() > 0.01
    np.testing.assert_array_equal(compute(rules, block, 0, Workspace()), reference)


def test_a_workspace_remembers_nothing():
    rules = Rules(Lattice.for_radius(1.0, 3), 5, EVERYWHERE, blobs)
    used = Workspace()
    compute(Rules(Lattice.for_radius(1.3, 3), 9, EVERYWHERE), Block((5, 5, 5), (30, 28, 26)), 10, used)
    block = Block((-10, -10, -10), (9, 8, 7))
    np.testing.assert_array_equal(compute(rules, block, 12, used), compute(rules, block, 12, Workspace()))


@pytest.mark.parametrize("radius", [1.0, 1.06, 0.1, 77.7, 3e-20, 1e30])
def test_cells_are_as_the_kernels_need_them(radius):
    lattice = Lattice.for_radius(radius, 3)
    assert 3 * (PLACES - 1) ** 2 < lattice.conflict <= (REACH * PLACES) ** 2
    assert 0.968 * radius < lattice.cell * math.sqrt(3) <= radius * (1 + 1e-15)


# -- the public function ---------------------------------------------------------------------


def test_space_points_are_an_array_of_coordinates():
    points = poisson_disk((0, 0, 0, 9, 8, 7), 1.5, seed=1)
    assert isinstance(points, SpacePoints)
    assert np.asarray(points).shape == points.xyz.shape == (len(points), 3)
    assert np.asarray(points, dtype=np.float32).dtype == np.float32
    assert set(points.radius.tolist()) == {1.5}
    assert points.radius.shape == points.id.shape == (len(points),)
    assert points.id.dtype == np.uint64
    assert len(set(points.id.tolist())) == len(points) == len(list(points))
    assert repr(points) == f"SpacePoints({len(points)} points, seed=1)"
    assert ((points.xyz >= 0) & (points.xyz < (9, 8, 7))).all()
    with pytest.raises(ValueError, match="needs a copy"):
        points.__array__(np.float32, copy=False)
    for same in (((0, 0, 0), (9, 8, 7)), SpaceBounds.of((0, 0, 0, 9, 8, 7))):
        np.testing.assert_array_equal(poisson_disk(same, 1.5, seed=1).xyz, points.xyz)


def test_density_is_that_of_random_saturation():
    # 0.384 is the packing of random sequential adsorption of spheres at saturation
    points = poisson_disk((0, 0, 0, 50, 50, 50), 1.0, seed="density").xyz
    inner = ((points > 2) & (points < 48)).all(axis=1).sum() / 46**3
    assert inner * math.pi / 6 == pytest.approx(0.384, abs=0.004)
    assert inner == pytest.approx(SPACE_SATURATION, rel=0.01)


def test_points_have_no_preferred_direction_and_forget_the_cells():
    points = poisson_disk((0, 0, 0, 40, 40, 40), 1.0, seed=3).xyz
    a, b = cKDTree(points).query_pairs(1.1, output_type="ndarray").T
    d = points[a] - points[b]
    cosines = (d / np.linalg.norm(d, axis=1)[:, None]) ** 4  # of which a uniform direction has 1 / 5
    assert len(d) > 40_000
    assert abs(cosines.mean(axis=0) - 0.2).max() < 4 * 0.267 / math.sqrt(len(d))
    cell = Lattice.for_radius(1.0, 3).cell
    inner = points[((points > 2) & (points < 2 + 63 * cell)).all(axis=1)]  # the domain's faces attract points
    for axis in range(3):
        counts, _ = np.histogram(np.mod(inner[:, axis] - 2, cell) / cell, 8, (0, 1))
        assert abs(counts / len(inner) - 1 / 8).max() < 0.005


def test_a_mask_is_respected_and_filled_to_its_edge():
    def allowed(x, y, z):
        return (np.abs(x - 10) > 1.2) & (np.hypot(np.hypot(x - 5, y - 10), z - 10) > 4)

    points = poisson_disk((0, 0, 0, 20, 20, 20), 1.0, seed=5, allowed=allowed).xyz
    assert allowed(*points.T).all()
    grid = np.stack(np.meshgrid(*[np.linspace(0, 19.99, 80)] * 3), -1).reshape(-1, 3)
    grid = grid[allowed(*grid.T)]
    # boxes of the edge that are given up have a diagonal of at most radius / 8
    assert cKDTree(points).query(grid)[0].max() < 1.125
    assert (points[:, 0] < 8.8).any()
    assert (points[:, 0] > 11.2).any()


def test_a_mask_costs_nothing_far_from_its_edge():
    asked = []

    def ball(x, y, z):
        asked.append(len(x))
        return np.hypot(np.hypot(x - 20, y - 20), z - 20) < 3

    points = poisson_disk((0, 0, 0, 40, 40, 40), 1.0, seed=5, allowed=ball)
    cells = (40 / Lattice.for_radius(1.0, 3).cell + 1) ** 3
    assert len(points) > 80
    assert sum(asked) < 8.5 * cells
    assert min(asked) > 0


def test_everything_allowed_changes_nothing():
    box = (-3.3, 0, 0, 7.1, 9, 8)
    plain = poisson_disk(box, 1.0, seed=2)
    masked = poisson_disk(box, 1.0, seed=2, allowed=lambda x, y, z: np.ones(x.shape, bool))
    np.testing.assert_array_equal(plain.xyz, masked.xyz)


def test_mask_that_allows_nothing_gives_nothing():
    points = poisson_disk((0, 0, 0, 9, 9, 9), 1, seed=1, allowed=lambda x, y, z: np.zeros(x.shape, bool))
    assert points.xyz.shape == (0, 3)


def test_a_radius_beyond_the_domain_gives_one_point():
    for radius in (2.0, 1e9):
        assert len(poisson_disk((0, 0, 0, 1, 1, 1), radius, seed=3)) == 1


def test_window_outside_the_domain_is_empty():
    points = poisson_disk((0, 0, 0, 9, 9, 9), 1, seed=1, window=(20, 0, 0, 30, 9, 9))
    assert points.xyz.shape == (0, 3)


def test_seeds():
    box = (0, 0, 0, 9, 9, 9)
    first = poisson_disk(box, 2, seed=7).xyz
    assert not np.array_equal(first[:5], poisson_disk(box, 2, seed="7").xyz[:5])
    drawn = poisson_disk(box, 2, seed=None)
    assert np.array_equal(drawn.xyz, poisson_disk(box, 2, seed=drawn.seed).xyz)


def test_ids_differ_from_cube_to_cube():
    # of 2**21 cells a side; low bits of the cells are the same
    cube = 2.0**21 * Lattice.for_radius(1.0, 3).cell
    ids = [
        poisson_disk(None, 1.0, seed=1, window=(x, y, z, x + 6, y + 6, z + 6)).id
        for x, y, z in [(0, 0, 0), (cube, 0, 0), (0, -cube, 0), (0, 0, cube), (cube, cube, 0)]
    ]
    assert len(set(np.concatenate(ids).tolist())) == sum(map(len, ids)) > 500


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bounds": (0, 0, 0, 0, 1, 1)}, "bounds: .* is empty; give xmin < xmax, ymin < ymax and zmin < zmax"),
        ({"bounds": (0, 0, 0, 1, 1, math.nan)}, "bounds: got .* six finite numbers"),
        ({"bounds": (0, 0, 1, 1), "window": (0, 0, 0, 1, 1, 1)}, "bounds: got .* six finite numbers"),
        ({"window": (0, 0, 1, 1)}, "window: got .* six finite numbers"),
        ({"window": (0, 0, 1, 1, 1, 1)}, "window: .* is empty"),
        ({"bounds": (0, 0, 0, 1, 1)}, "bounds: got"),
        ({"bounds": None}, "window: bounds is None"),
        ({"radius": lambda x, y: x}, "radius: a function works in the plane only"),
        ({"radius": 0}, "radius: got 0"),
        ({"radius_range": (1, 2)}, "radius_range: works in the plane only"),
        ({"blockers": ([[0, 0]], 1)}, "blockers: works in the plane only"),
        ({"periodic": True}, "periodic: works in the plane only"),
        ({"seed": 1.5}, "seed: got 1.5"),
        ({"allowed": 3}, r"allowed: got int; give a function of \(x, y, z\)"),
        ({"allowed": lambda x, y, z: z}, "allowed: the function returned float64"),
        ({"allowed": lambda x, y, z: np.ones(3, bool)}, r"allowed: .* array of shape \(3,\)"),
        ({"threads": 0}, "threads: got 0"),
        ({"radius": 1e-6}, "GiB are free"),
        ({"radius": 1e-6, "allowed": blobs}, "more than can be gone through"),
        ({"radius": 1e-3, "bounds": (1e12, 0, 0, 1e12 + 0.01, 0.01, 0.01)}, "from the origin"),
    ],
)
def test_bad_arguments(arguments, message):
    good = {"bounds": (0, 0, 0, 20, 20, 20), "radius": 1.0, "seed": 1}
    with pytest.raises(InputError, match=message):
        poisson_disk(**{**good, **arguments})


def test_an_error_in_the_mask_comes_through():
    def broken(x, y, z):
        raise RuntimeError("my own")

    with pytest.raises(RuntimeError, match="my own"):
        poisson_disk((0, 0, 0, 9, 9, 9), 1, seed=1, allowed=broken)
