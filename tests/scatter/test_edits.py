"""Edits by hand: what they do, what they leave alone, and that windows agree."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.geometry import Bounds
from weald.scatter.editing import edited
from weald.scatter.edits import Add, Edits, Move, Pin, Remove
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
    placed, told = edited(
        edits,
        {"pines": world.inside(window)},
        window,
        None,
        find=lambda layer, box: world.inside(box),
        height=height,
        species=KNOWN,
    )
    return placed["pines"], told


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
    one = {"layer": "pines", "id": 1, "at": (1.0, 1.0)}
    with pytest.raises(InputError, match=r"edits: id .* of layer 'pines' has both move and remove; keep one"):
        Edits((Remove(**one), Move(**one, to=(1, 1))))
    with pytest.raises(InputError, match="edits: name 'a' of layer 'pines' has both add twice; keep one"):
        Edits().add("pines", "a", species="oak", at=(1, 1)).add("pines", "a", species="oak", at=(2, 1))
    Edits((Remove(**one), Remove(**{**one, "layer": "bushes"})))  # layers are apart


def test_what_is_edited_again_is_known_by_where_it_grew():
    """A tool shows the edited world, where a moved tree stands elsewhere; its later edits must find it all the same."""
    world = grown()
    tree, grew = world[5:6], tuple(world.xyz[5, :2].tolist())
    edits = Edits().move("pines", tree, (10, 20), yaw_deg=90)
    seen = applied(edits)[0]
    seen = seen.take(seen.id == tree.id[0])
    again = edits.move("pines", seen, (30, 40), scale=2)
    assert again.all == (Move(layer="pines", id=int(tree.id[0]), at=grew, to=(30, 40), yaw_deg=90, scale=2),)
    assert edits.replace("pines", seen, "oak").all[-1].at == grew
    assert edits.remove("pines", seen).all == (Remove(layer="pines", id=int(tree.id[0]), at=grew),)
    assert len(edits.without("pines", seen)) == 0
    both = edits.replace("pines", seen, "oak").replace("pines", seen, "pine").move("pines", seen, (1, 2))
    assert sorted(edit.verb for edit in both) == ["move", "replace"]
    with pytest.raises(InputError, match="is moved, and stands there while it grows"):
        edits.pin("pines", seen)


def test_what_was_added_or_pinned_is_edited_in_place():
    world = grown()
    edits = Edits().add("pines", "a", species="oak", at=(1, 1), yaw_deg=5)
    old = applied(edits)[0][-1:]
    assert edits.move("pines", old, (2, 3), scale=4).all == (
        Add(layer="pines", name="a", species="oak", at=(2, 3), yaw_deg=5, scale=4),
    )
    assert edits.replace("pines", old, "pine").all[0].species == "pine"
    assert edits.pin("pines", old) == edits
    assert len(edits.remove("pines", old)) == 0
    pinned = Edits().pin("pines", world[:1])
    assert pinned.pin("pines", world[:1]) == pinned
    assert pinned.replace("pines", world[:1], "oak").all[0].species == "oak"
    assert [edit.verb for edit in pinned.remove("pines", world[:1])] == ["remove"]
    with pytest.raises(InputError, match="is pinned where it stands; take that back first"):
        pinned.move("pines", world[:1], (1, 1))


def test_edits_that_no_longer_apply_are_told_and_do_nothing():
    world = grown()
    edits = (
        Edits()
        .replace("pines", world[:1], "oaks")
        .pin("pines", world[1:2])
        .add("pines", "a", species="oak", at=(99.5, 0))
        .move("pines", world[2:3], (99.5, 0))
        .add("pinse", "b", species="oak", at=(0, 0))
    )
    edits = Edits(tuple(replace(one, species="elm") if isinstance(one, Pin) else one for one in edits))
    placed, told = applied(edits)
    assert [line.split("; ")[0].split(": ", 1)[1] for line in told] == [
        "species 'oaks' is unknown (did you mean 'oak'?)",
        "species 'elm' is unknown",
        "there is no ground",
        "there is no ground at (99.5, 0)",
        "there is no such layer (did you mean 'pines'?)",
    ]
    assert all(line.endswith("the edit is kept, and does nothing") for line in told)
    assert told[2].startswith("add 'a' at (99.5, 0) in layer 'pines'")
    assert len(placed) == len(world)
    for name in ("id", "xyz", "species"):
        np.testing.assert_array_equal(getattr(placed, name), getattr(world, name))


def test_nothing_is_put_outside_the_world():
    world, domain = grown(), Bounds(-50, -50, 50, 50)
    inner = world.inside(domain)
    edits = (
        Edits()
        .add("pines", "a", species="oak", at=(60, 0))
        .move("pines", inner[:1], (0, 50))  # the upper edge is outside
        .pin("pines", world[np.abs(world.xyz[:, 0]) > 60][:1])
    )
    how = {"find": lambda layer, box: inner.inside(box), "height": height, "species": KNOWN}
    placed, told = edited(edits, {"pines": inner}, None, domain, **how)
    assert len(told) == 3
    assert placed["pines"].id.tolist() == inner.id.tolist()
    wide = Bounds(-90, -90, 90, 90)
    assert edited(edits, {"pines": inner}, wide, domain, **how)[0] == placed


def test_bad_edits():
    world = grown()
    with pytest.raises(InputError, match="placed: got 2 instances; give the one to move"):
        Edits().move("pines", world[:2], (1, 1))
    with pytest.raises(InputError, match="placed: got uint64; give Placements"):
        Edits().remove("pines", world.id[0])
    for to in ((np.nan, 0), (1, 2, 3), "ab", 3):
        with pytest.raises(InputError, match=r"to: got .*; give \(x, y\), finite metres"):
            Edits().move("pines", world[:1], to)
    with pytest.raises(InputError, match="add: scale is 0; give a number from 1e-06 to 1e"):
        Edits().add("pines", "a", species="oak", at=(1, 1), scale=0)
    with pytest.raises(InputError, match="move: yaw_deg is nan; give a finite number of degrees"):
        Edits().move("pines", world[:1], (1, 1), yaw_deg=np.nan)
    with pytest.raises(InputError, match="add: name is ''; give a text"):
        Edits().add("pines", "", species="oak", at=(1, 1))
    pin = {"layer": "pines", "id": 1, "at": (0, 0), "species": "oak", "z": 0, "scale": 1, "radius": 0}
    with pytest.raises(InputError, match=r"pin: rotation is .*; give a unit quaternion"):
        Pin(**pin, rotation=(0, 0, 0, 2))


def test_edits_are_values():
    world = grown()
    edits = Edits()
    more = edits.remove("pines", world[:1])
    assert len(edits) == 0
    assert len(more) == 1
    assert isinstance(next(iter(more)), Remove)
    assert (
        repr(more.add("pines", "a", species="oak", at=(1, 1)).remove("pines", world[2:4])) == "Edits(3 remove, 1 add)"
    )
    assert [type(e) for e in more.pin("pines", world[1:2]).move("pines", world[2:3], (0, 0))] == [Remove, Pin, Move]
