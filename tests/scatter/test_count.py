"""`count`: exactly so many in the whole world, and every window a crop of it."""

import threading

import numpy as np
import pytest

from tests.stands import FERN, PINE, TREES, flat, wave
from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.counting import Counts, Once
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.rules import Only, Ramp
from weald.scatter.scatter import scatter
from weald.scatter.soft import Soft

WORLD = Bounds(-50, 20, 150, 170)
KINDS = {
    "strict": {},
    "with a radius": {"radius": 4.0},
    "a radius a species": {"radius": {"oak": 5.0, "birch": 3.0, "pine": 4.0}},
    "soft": {"soft": Soft(0.5, 0.25)},
    "clumps": {"clumps": Clumps(30, 14, between=0.1)},
    "sizes": {"sizes": [Size(0.5, 0.5), Size(2.0, 0.4), Size(1.0)]},
    "filled": {"edge": "fill", "rules": [Ramp(wave, 0.4, 0.4)]},
    "filled sizes": {"edge": "fill", "sizes": [Size(1.5, 0.4), Size(0.7, 0.8)]},
    "masked": {"rules": [Only(lambda x, y: (x % 40 < 6) & (y % 30 < 20))]},
    "by chance": {"rules": [Ramp(wave, 0.1, 0.9)], "cover": 0.5},
    "patches": {"patches": Patches(40)},
}


def place(layers, window=None, seed=1, counts=None):
    return scatter(layers, flat, WORLD, seed, window=window, threads=1, counts=counts)


@pytest.mark.parametrize("kind", KINDS)
def test_exactly_so_many_stand(kind):
    for seed in range(3):
        for count in (0, 1, 2, 60, 150):
            assert len(place([Layer("a", TREES, count=count, **KINDS[kind])], seed=seed)["a"]) == count


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_is_a_crop_of_the_whole(kind):
    layers = [Layer("a", TREES, count=120, **KINDS[kind]), Layer("ferns", {FERN: 1}, 3.0, keep_off={"a": 2.0})]
    whole, counts = place(layers), Counts()
    for window in (Bounds(-50, 20, 30, 90), Bounds(30, 90, 150, 170), Bounds(10, 60, 40, 75), Bounds(-99, 0, 0, 60)):
        for known in (None, counts):
            part = place(layers, window, counts=known)
            assert all(part[name] == whole[name].inside(window) for name in whole)


def test_what_is_kept_of_a_radius_stands_without_a_count_too():
    free, some = (place([Layer("a", TREES, 4.0, count=n)])["a"] for n in (None, 200))
    assert np.isin(some.id, free.id).all()
    fewer = place([Layer("a", TREES, 4.0, count=50)])["a"]
    assert np.isin(fewer.id, some.id).all()


def test_a_radius_that_is_found_leaves_few_too_many():
    """So nearly all that stands is as evenly spread as ever: the closest pair is as far apart as the count allows."""
    placed = place([Layer("a", TREES, count=400)])["a"]
    assert placed.radius.min() == pytest.approx(np.sqrt(0.6961 * WORLD.area / 400), rel=0.06)


def test_one_more_than_there_is_room_for_is_refused():
    full = len(place([Layer("a", TREES, 6.0)])["a"])
    assert len(place([Layer("a", TREES, 6.0, count=full)])["a"]) == full
    with pytest.raises(InputError) as raised:
        place([Layer("a", TREES, 6.0, count=full + 1)])
    assert str(raised.value) == (
        f"layer 'a': count is {full + 1}, and the world has room for {full}; give at most {full}, a smaller radius, "
        "or rules and clearances that allow more ground"
    )


def test_ground_that_allows_nothing_is_refused():
    with pytest.raises(InputError, match=r"layer 'a': count is 3, and the world has room for 0 at .* m apart; give"):
        place([Layer("a", TREES, count=3, rules=[Only(lambda x, y: x > 1000)])])
    with pytest.raises(InputError, match="the world has room for 0"):
        place([Layer("a", TREES, count=3, cover=0.0)])


def test_later_layers_keep_off_those_that_are_kept():
    layers = [Layer("a", {PINE: 1}, 5.0, count=40), Layer("b", {FERN: 1}, count=900, keep_off={"a": 4.0})]
    placed = place(layers)
    between = np.hypot(*(placed["b"].xyz[:, None, :2] - placed["a"].xyz[None, :, :2]).transpose(2, 0, 1))
    assert between.min() >= 4.0
    left_out = place([Layer("a", {PINE: 1}, 5.0)])["a"]
    left_out = left_out.xyz[~np.isin(left_out.id, placed["a"].id), :2]
    assert np.hypot(*(placed["b"].xyz[:, None, :2] - left_out[None]).transpose(2, 0, 1)).min() < 4.0
    assert len(placed["b"]) == 900


@pytest.mark.parametrize("edge", ["natural", "fill"])
def test_any_number_of_threads_and_counted_neighbours(edge):
    layers = [
        Layer("a", TREES, count=80, edge=edge),
        Layer("b", {FERN: 1, PINE: 1}, wavy, radius_range=(2, 4), count=300, edge=edge),
    ]
    clearances = Clearances({("oak", "fern"): 3.0, ("birch", "fern"): 1.0})
    one, four = (scatter(layers, flat, WORLD, 3, clearances=clearances, threads=n) for n in (1, 4))
    assert one == four
    assert len(one["b"]) == 300


def wavy(x, y):
    return 2.0 + 2.0 * wave(x, y)


def test_values_are_made_once_by_whichever_thread_asks_first():
    once, made, start = Once(), [], threading.Barrier(4)

    def ask():
        start.wait()
        once.get("a", lambda: made.append(1))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


@pytest.mark.parametrize("value", [-1, 2.5, 3.0, True, "500", float("nan"), 10**400, np.array([3]), [4]])
def test_counts_that_are_none_are_refused(value):
    with pytest.raises(InputError, match=r"layer 'a': count: got .*; give a whole number from 0 to 100,000,000"):
        Layer("a", TREES, count=value)


def test_what_does_not_go_together_is_refused():
    with pytest.raises(InputError, match="layer 'a': count and density are both given; leave one out"):
        Layer("a", TREES, count=5, density=400)
    with pytest.raises(InputError, match="layer 'a': count is 5, and the world has no edges; give the world bounds"):
        scatter([Layer("a", TREES, count=5)], flat, None, 1, window=WORLD)
    with pytest.raises(InputError, match=r"count cannot be kept with soft.core 0.05; give a core .* a radius too"):
        place([Layer("a", TREES, count=5, soft=Soft(0.05, 0.5))])
    assert len(place([Layer("a", TREES, np.int64(4), count=np.int64(5))])["a"]) == 5
