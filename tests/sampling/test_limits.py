"""The bounds of the sampler's integers: what lies within works, exactly; what lies beyond is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald import poisson_disk
from weald.errors import InputError
from weald.geometry import Bounds
from weald.sampling import limits
from weald.sampling.fixed import Blockers
from weald.sampling.lattice import PLACES, Lattice
from weald.scatter.clearances import Clearances
from weald.scatter.discs import Discs
from weald.scatter.layer import Layer
from weald.scatter.scatter import scatter
from weald.scatter.species import Species

FIR = Species("fir", "conifer", 20, 2.5, "#335544")
FERN = Species("fern", "bush", 0.5, 0.4, "#335544")


def apart(a, b):
    dx, dy = (a[:, None, k] - b[:, k] for k in (0, 1))
    return np.sqrt(dx * dx + dy * dy)


def closest(points, around):
    away = apart(points.xy, around)
    return away[away > 0].min()


# -- discs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [400, 33_000, 40_000, 60_000, 1e5, 1e6, 1e8, 1e9, 1e30])
def test_a_wide_blocker_over_everything_leaves_nothing(factor):
    assert len(poisson_disk((0, 0, 50, 50), 2.0, seed=1, blockers=([[25, 25]], 2.0 * factor))) == 0


def test_the_blocker_of_the_fault_leaves_nothing():
    assert len(poisson_disk((0, 0, 0.5, 0.5), 0.01, seed=1, blockers=([[10, 10]], 400.0))) == 0
    assert len(poisson_disk((0, 0, 50, 50), 2.0, seed=1, blockers=([[25, 25]], 1e100))) == 0


def least_wide(radius):
    """Return the radius, in metres, of the widest disc that is compared as it is."""
    return limits.DISC * Lattice.for_radius(radius).unit


BOX = (0.0, 0.0, 30.0, 24.0)
RATIOS = [1.5, 720.0, 8e3, 0, 1, 33_000, 1e5, 1e6, 1e8, 1e9]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("radius", [1.0, "varying"])
def test_a_blocker_whose_edge_runs_through_the_window_is_kept_off_exactly(ratio, radius):
    """Ratios 0 and 1: the limit of discs and one place past it."""
    rng = np.random.default_rng(int(ratio))
    options = {"radius": 1.0}
    if radius == "varying":
        options = {"radius": lambda x, y: 1 + 0.1 * x, "radius_range": (1, 4)}
    wide = least_wide(1.0) * (1 + ratio * 2**-29) if ratio in (0, 1) else ratio
    for angle in rng.uniform(0, 2 * math.pi, 3):
        edge = rng.uniform(8, 16, 2)
        middle = edge + wide * np.array([math.cos(angle), math.sin(angle)])
        points = poisson_disk(BOX, seed=2, blockers=([middle], wide), threads=1, **options)
        own = points.radius
        away = apart(points.xy, middle[None])[:, 0]
        assert (away >= np.maximum(own, wide)).all()
        # and nothing more fits beside it: places along the edge, a little outside
        turn = np.linspace(-20, 20, 400) / wide
        x, y = (middle[:, None] - (wide + 1e-4) * np.array([np.cos(angle + turn), np.sin(angle + turn)]))[:, :]
        inside = Bounds(*BOX).contains(x, y)
        size = 1.0 if radius == 1.0 else np.clip(1 + 0.1 * x[inside], 1, 4)
        places = np.stack([x[inside], y[inside]], 1)
        if wide > 4 and len(places):
            near = apart(places, points.xy)
            limit = np.maximum(np.broadcast_to(size, len(places))[:, None], own)
            assert (near < limit * (1 + 1e-4)).any(axis=1).all()
        # the same in any window
        part = poisson_disk(BOX, seed=2, blockers=([middle], wide), threads=1, window=(9, 7, 21, 17), **options)
        chosen = (points.xy >= (9, 7)).all(axis=1) & (points.xy < (21, 17)).all(axis=1)
        np.testing.assert_array_equal(part.xy, points.xy[chosen])


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 9), st.floats(0, 7), st.integers(-3, 9), st.integers(0, 99))
def test_blockers_of_any_size_and_distance(power, turn, far, seed):
    wide, start = 10.0**power, 10.0**far if far > 0 else 0.0
    box = (start, -start, start + 12, -start + 9)
    if start > 1e8:
        return
    middle = np.array([start + 5, -start + 4]) + wide * np.array([math.cos(turn), math.sin(turn)])
    points = poisson_disk(box, 1.0, seed=seed, blockers=([middle], wide), threads=1)
    assert (apart(points.xy, middle[None]) >= max(wide, 1.0)).all()


def test_wide_and_small_blockers_together():
    rng = np.random.default_rng(1)
    xy, size = rng.uniform(0, 24, (20, 2)), rng.uniform(0, 4, 20)
    xy, size = np.vstack([xy, [[15, -4e5]], [[-7e8, 12]]]), np.append(size, [4e5 + 3, 7e8 + 5])
    points = poisson_disk(BOX, 1.0, seed=3, blockers=(xy, size))
    assert 50 < len(points) < len(poisson_disk(BOX, 1.0, seed=3, blockers=(xy[:20], size[:20])))
    assert (apart(points.xy, xy) >= np.maximum(size, 1.0)).all()
    found = poisson_disk(BOX, 1.0, seed=3, blockers=Blockers(Blockers.of((xy, size)).find, 1e9))
    assert found == points


def test_blockers_beside_a_small_domain_are_kept_off_by_a_radius_wider_than_it():
    near, far = [[5.0, 5.0]], [[2_000.0, 5.0]]
    assert len(poisson_disk((0, 0, 1, 1), 1000.0, seed=1, blockers=(near, 0.1))) == 0
    assert len(poisson_disk((0, 0, 1, 1), 1000.0, seed=1, blockers=(far, 0.1))) == 1
    options = {"radius_range": (500, 1000), "seed": 1}
    assert len(poisson_disk((0, 0, 1, 1), lambda x, y: 1000 + 0 * x, blockers=(near, 0.1), **options)) == 0
    assert len(poisson_disk((0, 0, 1, 1), lambda x, y: 1000 + 0 * x, blockers=(far, 0.1), **options)) == 1


@pytest.mark.parametrize("edge", [("x", 3e5), ("y", 1e7), (True, 1e5), (True, 30.0)])
def test_wide_blockers_in_a_tile_that_repeats(edge):
    periodic, wide = edge
    tile = (0, 0, 40, 33)
    middle = {"x": (7.0, wide + 20), "y": (15.0 - wide, 4.0), True: (3.0, 3.0)}[periodic]
    points = poisson_disk(tile, 1.0, seed=1, periodic=periodic, blockers=([middle], wide), threads=1)
    if periodic is True:
        assert len(points) == 0
        return
    assert 300 < len(points) < 900
    turns = np.arange(-2, 3)[:, None] * ([40, 0] if periodic == "x" else [0, 33])
    assert (apart(points.xy, middle + turns) >= wide).all()
    assert closest(points, np.concatenate([points.xy + turn for turn in turns])) >= 1.0
    if periodic == "x":  # where two discs meet their edge is next to straight
        assert 18.5 < points.xy[:, 1].max() <= 20
    else:
        assert 15 <= points.xy[:, 0].min() < 16.5


def test_radii_of_blockers_at_the_limit_and_past_it():
    assert len(poisson_disk(BOX, 1.0, seed=1, blockers=([[0, 0]], limits.RADII[1]))) == 0
    with pytest.raises(InputError, match=r"blockers: number 1 .* with radius 1.0+2e\+100; .* radii from 0 to 1e\+100"):
        poisson_disk(BOX, 1.0, seed=1, blockers=([[0, 0], [1, 1]], [1.0, math.nextafter(1e100, math.inf)]))
    # a blocker that is infinitely far in places is out of reach
    assert len(poisson_disk(BOX, 1.0, seed=1, blockers=([[1e308, 0]], 1e100))) > 400
    assert len(poisson_disk((0, 0, 3e-99, 3e-99), 1e-100, seed=1, blockers=([[1e308, 0]], 1e100), threads=1)) > 500


def test_more_pairs_of_discs_and_cells_than_are_counted():
    limits.check_pairs(2**31 - 1)
    with pytest.raises(InputError, match=r"blockers: they reach into 2.15e"):
        limits.check_pairs(2**31)


def test_a_halo_at_the_limit_and_past_it():
    limits.check_halo(limits.HALO)
    with pytest.raises(InputError, match=r"seed: a point depends on others more than 2048 cells away"):
        limits.check_halo(limits.HALO + 1)


def test_discs_that_are_found_say_how_wide_they_may_be():
    for most in (-1.0, math.nan, 1e101, "wide"):
        with pytest.raises(InputError, match=r"blockers: most: got .*; give a radius in metres"):
            Blockers(lambda box: None, most)
    with pytest.raises(InputError, match=r"blockers: find is list; give a function of a box"):
        Blockers([], 1.0)


def test_distances_between_layers_at_the_limit_and_past_it():
    above = math.nextafter(1e100, math.inf)
    Clearances({("a", "b"): 1e100}, default=1e100)
    with pytest.raises(InputError, match=r"clearances: .* from 0 to 1e\+100"):
        Clearances({("a", "b"): above})
    with pytest.raises(InputError, match=r"clearances: default .* from 0 to 1e\+100"):
        Clearances(default=above)
    with pytest.raises(InputError, match=r"layer 'ferns': keep_off of 'trees' .* from 0 to 1e\+100"):
        Layer("ferns", {FERN: 1}, 1.0, keep_off={"trees": above})


@pytest.mark.parametrize("away", [1.0, 1e9, 1e15, 1e50, 1e100])
def test_layers_keep_off_by_any_distance(away):
    trees, ferns = Layer("trees", {FIR: 1}, 20), Layer("ferns", {FERN: 1}, 1.0, keep_off={"trees": away})
    placed = scatter([trees, ferns], lambda x, y: 0 * x, Bounds(0, 0, 60, 60), 1)
    assert len(placed["trees"]) >= 3
    assert (len(placed["ferns"]) == 0) == (away > 50)
    varied = Layer("ferns", {FERN: 1}, lambda x, y: 1 + x / 40, radius_range=(1, 3), keep_off={"trees": away})
    placed = scatter([trees, varied], lambda x, y: 0 * x, Bounds(0, 0, 60, 60), 1)
    assert (len(placed["ferns"]) == 0) == (away > 50)


@pytest.mark.parametrize("wide", [1e3, 1e9, 1e15, 1e100])
def test_discs_of_rules_hold_what_lies_in_them(wide):
    rng = np.random.default_rng(0)
    xy = np.vstack([[[wide + 5, 3]], rng.uniform(0, 30, (30, 2))])
    reach = np.append(wide, rng.uniform(0, 3, 30))
    x, y = rng.uniform(0, 40, (2, 3_000))
    held = (apart(np.stack([x, y], 1), xy) < reach).any(axis=1)
    assert (Discs(xy, reach).hold(x, y) == held).all()


# -- radii, their spread, coordinates --------------------------------------------------------


@pytest.mark.parametrize("size", [limits.RADII[0], limits.RADII[1]])
def test_radii_at_their_limits(size):
    for box in [(0, 0, 20 * size, 20 * size), (0, 0, 0, 8 * size, 8 * size, 8 * size)]:
        points = poisson_disk(box, size, seed=1)
        xyz = np.asarray(points) / size
        away = np.sqrt(((xyz[:, None] - xyz) ** 2).sum(axis=2)) + 9 * np.eye(len(xyz))
        assert away.min() > 1 - 1e-12
        assert len(points) > 150


@pytest.mark.parametrize(
    "size", [math.nextafter(1e-100, 0), math.nextafter(1e100, math.inf), 1e-170, 10**400, -(10**400)]
)
@pytest.mark.parametrize("space", [False, True])
def test_radii_past_their_limits(size, space):
    with pytest.raises(InputError, match=r"radius: got"):
        poisson_disk((0, 0, 0, 1, 1, 1) if space else (0, 0, 1, 1), size, seed=1)


def test_the_spread_of_radii():
    low, high = 1.0, float(limits.SPREAD)
    points = poisson_disk(
        (0, 0, 40, 40), lambda x, y: np.where(x < 30, 0.0, 1e9), radius_range=(low, high), seed=1, threads=1
    )
    assert len(points) == 1
    points = poisson_disk(
        (-6e3, -20, 20, 20), lambda x, y: np.where(x < 0, high, low), radius_range=(low, high), seed=1, threads=1
    )
    away = apart(points.xy, points.xy) + 1e9 * np.eye(len(points))
    assert (away >= np.maximum(points.radius[:, None], points.radius)).all()
    with pytest.raises(InputError, match=r"radius_range: \(1.0, 4096.0\d+\) spans a factor of"):
        poisson_disk((0, 0, 9, 9), lambda x, y: x, radius_range=(low, math.nextafter(high, math.inf)), seed=1)


@pytest.mark.parametrize("sign", [-1, 1])
def test_coordinates_at_the_limit_and_past_it(sign):
    radius = 1.0
    lattice = Lattice.for_radius(radius)
    last = sign * (limits.CELLS * PLACES - 1) * lattice.unit
    first = sign * limits.CELLS * lattice.cell
    inner = last - sign * 20
    box = (min(inner, last), min(inner, last), max(inner, last), max(inner, last))
    points = poisson_disk(None, radius, seed=1, window=box, threads=1)
    assert closest(points, points.xy) >= radius
    assert len(points) > 200
    assert len(set(points.id.tolist())) == len(points)
    past = (min(inner, first), 0, max(inner, first), 9)
    with pytest.raises(InputError, match=r"window: .* from the origin"):
        poisson_disk(None, radius, seed=1, window=past)
    with pytest.raises(InputError, match=r"bounds: .* from the origin"):
        poisson_disk(past, radius, seed=1, window=(box[0], 0, box[2], 9))


@pytest.mark.parametrize("sign", [-1, 1])
def test_coordinates_of_space_at_the_limit_and_past_it(sign):
    lattice = Lattice.for_radius(1.0, dimension=3)
    last, first = sign * (limits.CELLS * PLACES - 1) * lattice.unit, sign * limits.CELLS * lattice.cell
    inner = last - sign * 5
    low, high = min(inner, last), max(inner, last)
    points = poisson_disk(None, 1.0, seed=1, window=(low, low, low, high, high, high), threads=1)
    away = np.sqrt(((points.xyz[:, None] - points.xyz) ** 2).sum(axis=2)) + 9 * np.eye(len(points))
    assert away.min() >= 1.0
    assert len(points) > 40
    with pytest.raises(InputError, match=r"window: .* from the origin"):
        poisson_disk(None, 1.0, seed=1, window=(0, 0, min(inner, first), 5, 5, max(inner, first)))


# -- tiles that repeat -----------------------------------------------------------------------


def test_the_tile_of_the_fault_keeps_its_spacing():
    tile = (1788730553.0569267, -1788730553.0569267, 1788730621.622207, -1788730440.8338637)
    points = poisson_disk(tile, 2.16444780671676, seed=556623801, periodic="y")
    around = np.concatenate([points.xy + np.array([0, turn * (tile[3] - tile[1])]) for turn in (-1, 0, 1)])
    assert closest(points, around) >= 2.16444780671676
    with pytest.raises(InputError, match=r"bounds: 1000000000000\.0 is more than 1\.\d+e\+08 from the origin"):
        poisson_disk((1e12, 1e12, 1e12 + 20, 1e12 + 10), 0.1, seed=1, periodic=True)


def tile_at(end, far):
    return {"right": (far - 20, -7.3, far, 9.2), "left": (-far, 4.1, 21.7 - far, 22)}[end]


@pytest.mark.parametrize("varied", [False, True])
@pytest.mark.parametrize("end", ["right", "left"])
def test_tiles_at_the_limit_and_past_it(end, varied):
    options = {"radius": 1.0}
    if varied:
        options = {"radius": lambda x, y: 1 + 0.25 * (np.abs(x) % 1), "radius_range": (1.0, 1.25)}
    # the width of a cell: the side over the number of cells that fit
    side = 20 if end == "right" else 21.7
    largest = 1.0 / math.sqrt(2)
    cell = min(
        s / math.ceil(s / largest * (1 + 1e-12))
        for s in (tile_at(end, 1e9)[2] - tile_at(end, 1e9)[0], 16.5 if end == "right" else 17.9)
    )
    far = math.nextafter(limits.CELLS * cell, 0) - 1e-3
    tile = tile_at(end, far)
    points = poisson_disk(tile, seed=3, periodic=True, threads=1, **options)
    size = np.array([tile[2] - tile[0], tile[3] - tile[1]])
    around = np.concatenate([points.xy + size * (i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    away = apart(points.xy, around)
    need = np.maximum(points.radius[:, None], np.tile(points.radius, 9))
    assert (away[away > 0] >= need[away > 0]).all()
    assert len(points) > 0.6 * side * 16.5 / need.max() ** 2
    with pytest.raises(InputError, match=r"bounds: .* from the origin"):
        poisson_disk(tile_at(end, far + 0.01), seed=3, periodic=True, **options)


@settings(deadline=None, max_examples=60)
@given(
    st.floats(0, 9),
    st.floats(0, 9),
    st.tuples(st.floats(12, 25), st.floats(12, 25)),
    st.sampled_from(["x", "y", True]),
    st.integers(0, 10**6),
)
def test_tiles_anywhere_keep_their_spacing(far_x, far_y, size, periodic, seed):
    x, y = 10.0**far_x, -(10.0**far_y)
    tile = (x, y, x + size[0], y + size[1])
    points = poisson_disk(tile, 1.0, seed=seed, periodic=periodic, threads=1)
    size = np.array([tile[2] - tile[0], tile[3] - tile[1]])
    along = [(-1, 0, 1) if periodic in (True, name) else (0,) for name in "xy"]
    around = np.concatenate([points.xy + size * (i, j) for i in along[0] for j in along[1]])
    assert closest(points, around) >= 1.0


def test_blockers_of_a_tile_at_the_limit_and_past_it():
    tile = (0, 0, 40, 40)
    cell = 40 / math.ceil(40 * math.sqrt(2) * (1 + 1e-12))
    last = math.nextafter(limits.CELLS * cell, 0)
    points = poisson_disk(tile, 1.0, seed=1, periodic=True, blockers=([[last, 3]], 5.0))
    copies = (
        np.array([last, 3])
        - [40 * np.floor(last / 40), 0]
        + 40 * np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    )
    assert (apart(points.xy, copies) >= 5.0).all()
    with pytest.raises(InputError, match=r"blockers: number 0 stands at .* more than .* from the origin"):
        poisson_disk(tile, 1.0, seed=1, periodic=True, blockers=([[limits.CELLS * cell, 3]], 5.0))
    # along an axis that does not repeat they may stand anywhere
    assert len(poisson_disk(tile, 1.0, seed=1, periodic="y", blockers=([[1e30, 3]], 5.0))) > 1000
