"""The mistakes that articles warn of, by their names: those of points and layers.

Those of noise, biomes and caves are in test_mistakes.py. The textbook's own form of each is in
tests/sampling/test_textbook.py, with the mistake made on purpose where that can be told from the right thing.
"""

import numpy as np
import pytest
from scipy import stats

import weald
from tests import naive
from weald.export.axes import GLTF
from weald.fields import Condition
from weald.geometry import Bounds
from weald.scatter.clearances import Clearances
from weald.scatter.layer import Layer
from weald.scatter.rules import Only
from weald.scatter.scatter import scatter
from weald.scatter.species import Species

BOX = (0, 0, 120, 120)
FIR = Species("fir", "conifer", 20, 2.5, "#335544")


def uncovered(points, box=BOX, allowed=None, step=0.5):
    """Return how many places of a grid would take one more point."""
    x, y = (axis.ravel() for axis in np.meshgrid(*(np.arange(box[k] + 0.25, box[k + 2], step) for k in (0, 1))))
    free = np.ones(x.shape, bool) if allowed is None else allowed(x, y)
    away = np.full(x.shape, np.inf)
    for px, py in points.xy.tolist():
        np.minimum(away, np.hypot(x - px, y - py), out=away)
    return int((free & (away >= points.radius.max() * 1.05)).sum())


def test_cell_of_side_r_and_three_by_three_search():
    """Both lose points, or let a rare pair stand too close: so count both, over many points."""
    for method in (weald.poisson_disk, weald.bridson):
        points = method((0, 0, 150, 150), 2.0, seed=1)
        assert naive.closest_pair(points.xy) >= 2.0
    points = weald.poisson_disk(BOX, 2.0, seed=1)
    assert uncovered(points) == 0
    assert len(points) * 2.0**2 / 120**2 == pytest.approx(0.70, abs=0.02)


def test_search_window_not_from_the_largest_radius():
    points = weald.poisson_disk(BOX, lambda x, y: np.where(x < 60, 1.0, 20.0), radius_range=(1, 20), seed=1)
    dx, dy = points.xy[:, None, 0] - points.xy[:, 0], points.xy[:, None, 1] - points.xy[:, 1]
    apart = np.sqrt(dx * dx + dy * dy) - np.maximum(points.radius[:, None], points.radius)
    assert (apart[~np.eye(len(points), dtype=bool)] >= 0).all()
    assert set(points.radius.tolist()) == {1.0, 20.0}


def test_candidate_distance_uniform_by_radius():
    away = []
    for seed in range(600):
        first, second = weald.bridson((0, 0, 8.2, 8.2), 2.0, seed=seed, candidates=1, first="centre").xy[:2]
        away.append(np.hypot(*(second - first)))
    assert stats.kstest(np.square(away), stats.uniform(4, 12).cdf).pvalue > 1e-3


def test_last_in_pick_grows_in_worms():
    def followers(xy):
        return (np.hypot(*np.diff(xy, axis=0).T) < 6).mean()

    assert followers(weald.bridson((0, 0, 60, 60), 3.0, seed=3).xy) < 0.2


def test_global_random_state():
    one = weald.poisson_disk(BOX, 3.0, seed=1).xy
    np.random.seed(5)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    assert weald.poisson_disk(BOX, 3.0, seed=1).xy.tobytes() == one.tobytes()
    weald.bridson(BOX, 3.0, seed=1)
    scatter([Layer("a", {FIR: 1}, 5)], lambda x, y: 0 * x, Bounds(*BOX), 1)
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002 - and it is left as it was


def banks(x, y):
    """A river of 20 m, and an island in it."""
    return (np.abs(x - 60) > 10) | (np.hypot(x - 60, y - 60) < 4)


def test_one_start_point_with_masks():
    points = weald.poisson_disk(BOX, 3.0, seed=1, allowed=banks)
    x = points.xy[:, 0]
    assert min((x < 50).sum(), (x > 70).sum()) > 300
    assert ((x > 50) & (x < 70)).any()
    assert uncovered(points, allowed=lambda x, y: np.abs(x - 60) > 10.5) == 0


def test_filter_after_generation():
    """Points that are thrown away leave gaps beside the road: nature does, and `edge="fill"` leaves none."""
    road = Condition.of(lambda x, y: np.abs(x - y) > 6)
    inside = scatter([Layer("a", {FIR: 1}, 4, rules=[Only(road)], edge="fill")], lambda x, y: 0 * x, Bounds(*BOX), 1)[
        "a"
    ]
    after = scatter([Layer("a", {FIR: 1}, 4)], lambda x, y: 0 * x, Bounds(*BOX), 1)["a"]
    after = after[road(after.xyz[:, 0], after.xyz[:, 1])]

    def beside(placed):  # within half a metre of the road's edge
        return (np.abs(placed.xyz[:, 0] - placed.xyz[:, 1]) < 6.7).sum()

    assert beside(inside) > 1.5 * beside(after)


def test_xy_xz_mix_up():
    east, north, up = GLTF.vectors(np.eye(3)).tolist()
    assert (east, north, up) == ([1, 0, 0], [0, 0, -1], [0, 1, 0])


def test_heavy_work_in_the_mask():
    """A mask is asked in batches: a few calls for thousands of points."""
    calls = []

    def allowed(x, y):
        calls.append(x.size)
        return x + y > 9

    points = weald.poisson_disk(BOX, 1.0, seed=1, allowed=allowed, threads=1)
    assert len(points) > 9000
    assert len(calls) < 60
    calls.clear()
    rule = Only(Condition.of(allowed))
    placed = scatter([Layer("a", {FIR: 1}, 1, rules=[rule])], lambda x, y: 0 * x, Bounds(*BOX), 1, threads=1)["a"]
    assert len(placed) > 9000
    assert len(calls) < 60


def test_same_seed_for_two_layers():
    one, two = scatter(
        [Layer(name, {FIR: 1}, 3) for name in ("one", "two")],
        lambda x, y: 0 * x,
        Bounds(*BOX),
        "the same",
        clearances=Clearances(default=0),
    ).values()
    _, away = one.index().nearest(*two.xyz[:, :2].T)
    assert (away < 0.05).mean() < 0.01
    assert len(set(one.id.tolist()) & set(two.id.tolist())) == 0


@pytest.mark.parametrize("side", [30.0, 31.7, 40.01])
def test_periodic_cell_after_fitting_smaller_than_assumed(side):
    points = weald.poisson_disk((0, 0, side, side * 1.13), 2.0, seed=1, periodic=True)
    size = np.array([side, side * 1.13])
    delta = np.abs(points.xy[:, None] - points.xy)
    delta = np.minimum(delta, size - delta)
    apart = np.sqrt((delta**2).sum(axis=2)) + 1e9 * np.eye(len(points))
    assert apart.min() >= 2.0
    nine = np.concatenate([points.xy + size * (i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(0, side, 0.4), np.arange(0, size[1], 0.4)))
    away = np.min([np.hypot(x - px, y - py) for px, py in nine.tolist()], axis=0)
    assert away.max() <= 2.0 * (1 + 4e-5)
