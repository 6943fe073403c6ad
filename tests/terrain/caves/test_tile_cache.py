"""Patches of caves and worms that are kept: worked out once, of bounded size, and never seen in the values."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from weald.terrain import patches
from weald.terrain.caves import Worms, cells, connected, smoothed, speckle, walk
from weald.terrain.tile_cache import TileCache

PLACES = np.random.default_rng(1).uniform(-200, 200, (2, 3000))


def _cave():
    return connected(smoothed(speckle("deep", rock=0.46), steps=3), tile=16)


def _worms():
    return Worms("mole", cell=32, steps=60).profile


def test_what_is_kept_is_bounded_and_the_oldest_goes_first():
    cache = TileCache(most_bytes=30, size=len)
    for place in "abc":
        cache.put(place, place.encode() * 10)
    assert cache.get("a") == b"a" * 10  # now asked about last
    cache.put("d", b"d" * 10)
    assert cache.get("b") is None
    assert [cache.get(place) is not None for place in "acd"] == [True, True, True]
    assert cache.bytes == 30
    cache.put("d", b"other")  # the first stays: both are the same by the laws
    assert cache.get("d") == b"d" * 10
    cache.put("large", b"e" * 99)  # larger than all room: kept alone, so that it is found while it is needed
    assert (cache.get("large"), cache.bytes) == (b"e" * 99, 99)
    assert pickle.loads(pickle.dumps(cache)).bytes == 0


@pytest.mark.parametrize("make", [_cave, _worms])
def test_values_do_not_depend_on_what_is_kept(make, monkeypatch):
    x, y = PLACES
    field = make()
    first = field(x, y)
    assert np.array_equal(field(x[::-1], y[::-1])[::-1], first)
    alone = make()
    assert [alone(a, b) for a, b in zip(x[:40], y[:40], strict=True)] == first[:40].tolist()
    with ThreadPoolExecutor(4) as pool:
        shared = make()
        assert all(np.array_equal(one, first) for one in pool.map(lambda _: shared(x, y), range(4)))
    monkeypatch.setattr(cells, "_MOST_BYTES", 1)
    monkeypatch.setattr("weald.terrain.caves.worms._MOST_BYTES", 1)
    assert np.array_equal(make()(x, y), first)  # nothing is kept for longer than a request


def test_worms_are_walked_once_a_patch(monkeypatch):
    asked = []
    gather = walk.gather
    monkeypatch.setattr(walk, "gather", lambda *given: asked.append(given[-2:]) or gather(*given))
    field = _worms()
    for _ in range(3):
        field(*PLACES)
    assert len(asked) == len(set(asked)) > 1


def test_patches_of_near_and_far_places_are_the_same():
    """A table of patches and sorting must find the same ones."""
    column, row = np.array([3, 3, -2, 5, -2]), np.array([0, 0, 7, -1, 7])
    near = patches._patches(column, row)
    far = patches._patches(np.append(column, 10**9), np.append(row, -(10**9)))
    for x, y, patch in (near, far):
        assert [(x[k], y[k]) for k in patch[:5]] == list(zip(column, row, strict=True))
        assert len({*zip(x.tolist(), y.tolist(), strict=True)}) == len(x)
    assert (len(near[0]), len(far[0])) == (3, 4)
