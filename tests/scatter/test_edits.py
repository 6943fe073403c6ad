"""Edits by hand: what they do, what they leave alone, and that windows agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.edits import Add, Edits, Move, Pin, Remove, apply_edits
from weald.scatter.placements import Placements
from weald.scatter.species import Species

PINE, OAK = (Species(name, "conifer", 10, 2, "#335544") for name in ("pine", "oak"))
KNOWN = {"pine": PINE, "oak": OAK}
WHOLE = Bounds(-100, -100, 100, 100)


def height(x, y):
    return np.where(x > 99, np.nan, x + 2 * y)


def grown(seed=1, n=300):
    rng = np.random.default_rng(seed)
    xy = rng.uniform(-100, 99, (n, 2))
    return Placements.upright((PINE,), np.column_stack([xy, height(*xy.T)]), id=rng.integers(0, 2**63, n), radius=2)


def applied(edits, window=WHOLE, world=None):
    world = grown() if world is None else world
    return apply_edits(tuple(edits), world.inside(window), window, find=world.inside, height=height, species=KNOWN)


def test_removed_is_gone_and_nothing_else_moves():
    world = grown()
    placed, stale = applied(Edits().remove("pines", world[3:5]))
    assert not stale
    assert placed == world.take(np.delete(np.arange(300), [3, 4]))


def test_moved_stands_on_the_ground_there():
    world = grown()
    placed, _ = applied(Edits().move("pines", world[7:8], (10, 20), yaw_deg=90, scale=2))
    moved = placed.take(placed.id == world.id[7])
    assert moved.xyz.tolist() == [[10, 20, 50]]
    np.testing.assert_allclose(moved.rotation, [[0, 0, 0.5**0.5, 0.5**0.5]], atol=1e-7)
    assert moved.scale.tolist() == [2]
    assert len(placed) == 300
    assert placed[:299] == world.take(np.delete(np.arange(300), 7))


def test_replaced_and_moved_in_either_order():
    world = grown()
    one = Edits().replace("pines", world[2:3], "oak").move("pines", world[2:3], (1, 2))
    other = Edits().move("pines", world[2:3], (1, 2)).replace("pines", world[2:3], "oak")
    placed = applied(one)[0]
    assert placed == applied(other)[0]
    assert placed.of("oak").xyz.tolist() == [[1, 2, 5]]


def test_pinned_stays_when_the_rules_change():
    world = grown()
    edits = Edits().pin("pines", world[:2])
    other = grown(seed=2)
    placed, stale = applied(edits, world=other)
    assert not stale
    assert len(placed) == 302
    kept = placed[300:]
    for name in ("id", "xyz", "rotation", "scale", "radius"):
        np.testing.assert_array_equal(getattr(kept, name), getattr(world[:2], name))
    assert len(applied(edits)[0]) == 300  # where it still grows it stands once


def test_added_has_an_id_of_its_name():
    edits = Edits().add("pines", "the old one", species="oak", at=(3, 4), yaw_deg=180, scale=3)
    placed, _ = applied(edits)
    old = placed.of("oak")
    assert old.xyz.tolist() == [[3, 4, 11]]
    assert old.id[0] == Add(layer="pines", name="the old one", species="pine", at=(0, 0)).id
    assert old.id[0] != Add(layer="bushes", name="the old one", species="pine", at=(0, 0)).id


@pytest.mark.parametrize("edit", ["remove", "move", "replace"])
def test_what_no_longer_grows_is_reported(edit):
    world, other = grown(), grown(seed=2)
    more = {"move": ((1, 2),), "replace": ("oak",)}.get(edit, ())
    placed, stale = applied(getattr(Edits(), edit)("pines", world[:1], *more), world=other)
    assert len(placed) == 300
    assert len(stale) == 1
    assert stale[0].startswith(f"{edit} {int(world.id[0]):016x} at (")
    assert "in layer 'pines': nothing grows there by this id any more" in stale[0]


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(-100, 60), st.integers(-100, 60)), min_size=1, max_size=4))
def test_windows_of_an_edited_world_are_its_crops(seed, corners):
    """Whatever is moved where, in whatever order: a window is the part of the whole, in the same order."""
    world = grown()
    rng = np.random.default_rng(seed)
    edits = Edits()
    for k, row in enumerate(rng.choice(300, 40, replace=False).tolist()):
        one, to = world[row : row + 1], tuple(rng.uniform(-100, 98, 2).tolist())
        kind = int(rng.integers(6))
        if kind == 0:
            edits = edits.remove("pines", one)
        elif kind == 1:
            edits = edits.pin("pines", one)
        elif kind == 2:
            edits = edits.add("pines", f"{k}", species="oak", at=to)
        if kind in (3, 5):
            edits = edits.replace("pines", one, "oak")
        if kind in (4, 5):
            edits = edits.move("pines", one, to)
    whole, stale = applied(edits)
    assert not stale
    for x, y in corners:
        window = Bounds(x, y, x + 37, y + 29)
        assert applied(edits, window)[0] == whole.inside(window)


def test_contradictions():
    world = grown()
    with pytest.raises(InputError, match=r"edits: id .* of layer 'pines' has both move and remove; keep one"):
        Edits().remove("pines", world[:1]).move("pines", world[:1], (1, 1))
    with pytest.raises(InputError, match="edits: name 'a' of layer 'pines' has both add twice; keep one"):
        Edits().add("pines", "a", species="oak", at=(1, 1)).add("pines", "a", species="oak", at=(2, 1))
    Edits().remove("pines", world[:1]).remove("bushes", world[:1])  # layers are apart


def test_bad_edits():
    world = grown()
    with pytest.raises(InputError, match="placed: got 2 instances; give the one to move"):
        Edits().move("pines", world[:2], (1, 1))
    with pytest.raises(InputError, match=r"species 'oaks' is unknown.*did you mean 'oak'"):
        applied(Edits().replace("pines", world[:1], "oaks"))
    with pytest.raises(InputError, match=r"edits: add of layer 'pines' to \(99.5, 0\): there is no ground"):
        applied(Edits().add("pines", "a", species="oak", at=(99.5, 0)))


def test_edits_are_values():
    world = grown()
    edits = Edits()
    more = edits.remove("pines", world[:1])
    assert len(edits) == 0
    assert len(more) == 1
    assert isinstance(next(iter(more)), Remove)
    assert [type(e) for e in more.pin("pines", world[1:2]).move("pines", world[2:3], (0, 0))] == [Remove, Pin, Move]
