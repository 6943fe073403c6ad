"""Placements: taking some, joining many."""

import dataclasses

import numpy as np
import pytest

from weald.errors import InputError
from weald.scatter.orientation import compose, upright_to, yaw
from weald.scatter.placements import Placements
from weald.scatter.species import Species

A, B, C = (Species(name, "bush", 1, 1, "#000000") for name in "abc")
NAMES = ("id", "species", "xyz", "rotation", "scale", "radius")


def some(table, species, first=0):
    n = len(species)
    number = np.arange(first, first + n)
    return Placements(
        tuple(table),
        number.astype(np.uint64) + np.uint64(2**63),
        np.array(species, np.uint16),
        number[:, None] * [1.0, 10.0, 100.0],
        np.tile(np.array([0, 0, 0, 1], np.float32), (n, 1)) * (1 + number[:, None]).astype(np.float32),
        number.astype(np.float32) + 1,
        number.astype(np.float32) / 2,
    )


def kinds(placed):
    return [placed.species_table[k].name for k in placed.species]


def test_taking_keeps_rows_together():
    placed = some([A, B], [0, 1, 1, 0, 1])
    for which in (np.array([True, False, False, True, False]), np.array([3, 0])):
        part = placed.take(which)
        assert len(part) == 2
        for name in NAMES:
            np.testing.assert_array_equal(getattr(part, name), getattr(placed, name)[which])
        assert part.species_table is placed.species_table


def test_one_species():
    placed = some([A, B, C], [0, 1, 1, 0, 1])
    assert placed.of(1).scale.tolist() == [2, 3, 5]
    assert kinds(placed.of(0)) == ["a", "a"]
    assert len(placed.of(2)) == 0
    assert placed.of(2).xyz.shape == (0, 3)


def test_joining_shares_equal_species():
    one, two, three = some([A, B], [0, 1]), some([C, A], [1, 0, 1], 2), some([B, C], [], 5)
    joined = Placements.concat([one, two, three])
    assert joined.species_table == (A, B, C)
    assert kinds(joined) == ["a", "b", "a", "c", "a"]
    for name in set(NAMES) - {"species"}:
        expected = np.concatenate([getattr(part, name) for part in (one, two, three)])
        np.testing.assert_array_equal(getattr(joined, name), expected)
        assert getattr(joined, name).dtype == getattr(one, name).dtype
    assert joined.species.dtype == np.uint16


def test_species_that_differ_in_looks_stay_apart():
    paler = Species("a", "bush", 1, 1, "#ffffff")
    joined = Placements.concat([some([A], [0]), some([paler], [0])])
    assert joined.species_table == (A, paler)
    assert joined.species.tolist() == [0, 1]


@pytest.mark.parametrize("given", [[], [some([], [])], [some([], []), some([A], []), some([], [])]])
def test_joining_nothing(given):
    joined = Placements.concat(given)
    assert len(joined) == 0
    full = some([A], [0])
    for name in NAMES:
        empty, values = getattr(joined, name), getattr(full, name)
        assert empty.dtype == values.dtype
        assert empty.shape[1:] == values.shape[1:]


def test_joining_changes_no_part():
    part = some([A, B], [1, 0])
    Placements.concat([some([B], [0]), part])
    assert part.species.tolist() == [1, 0]
    assert part.species_table == (A, B)


def scattered(n=400, seed=3, away=(0.0, 0.0, 0.0)):
    rng = np.random.default_rng(seed)
    placed = Placements.upright(
        [A, B],
        rng.uniform(-50, 50, (n, 3)) + away,
        species=rng.integers(0, 2, n),
        scale=rng.uniform(0.5, 2, n),
        radius=3.0,
        id=rng.integers(0, 2**63, n),
    )
    normal = rng.normal(size=(n, 3)) * [1, 1, 0.3]
    turned = compose(upright_to(normal, rng.uniform(size=n)), yaw(rng.uniform(size=n))).astype(np.float32)
    return dataclasses.replace(placed, rotation=turned)


def test_equal_is_every_bit():
    placed = scattered()
    assert placed == placed.take(np.arange(len(placed)))
    assert placed != placed[1:]
    moved = placed.xyz.copy()
    moved[7, 2] = np.nextafter(moved[7, 2], np.inf)
    assert placed != dataclasses.replace(placed, xyz=moved)
    assert placed != "placements"
    assert repr(placed) == "Placements(400 instances of a, b)"


def test_a_number_is_no_part():
    with pytest.raises(InputError, match=r"placements\[3\]: give a slice, a mask or indices"):
        scattered()[3]


def test_species_by_name():
    placed = scattered()
    assert placed.of("b") == placed.of(1)
    with pytest.raises(InputError, match=r"got 'bb'.*did you mean 'b'.*known: a, b"):
        placed.of("bb")


def test_boxes_are_half_open_and_discs_open():
    placed = Placements.upright([A], [[0, 0, 5], [3, 4, 5], [10, 10, 5]])
    assert placed.inside((0, 0, 10, 10)).id.tolist() == [0, 1]
    assert placed.near(0, 0, 5).id.tolist() == [0]
    assert placed.near(0, 0, 5.0001).id.tolist() == [0, 1]
    which, distance = placed.index().nearest([2, 9], [3, 9])
    assert which.tolist() == [1, 2]
    assert distance[1] == pytest.approx(2**0.5)
    assert len(Placements.concat([]).index()) == 0


@pytest.mark.parametrize("away", [(0, 0, 0), (-1e6, 5e6, 0)])
def test_cells_part_what_there_is(away):
    placed = scattered(away=away)
    parts = dict(placed.cells(16.0))
    assert list(parts) == sorted(parts, key=lambda cell: cell[::-1])
    assert sorted(Placements.concat(list(parts.values())).id) == sorted(placed.id)
    for (i, j), part in parts.items():
        assert part == placed.inside((16 * i, 16 * j, 16 * i + 16, 16 * j + 16)).take(
            np.argsort(placed.inside((16 * i, 16 * j, 16 * i + 16, 16 * j + 16)).id)
        )
    assert list(placed[:0].cells(16)) == []
    # in another order of asking, the same cells
    assert dict(placed.take(np.arange(len(placed))[::-1]).cells(16)) == parts


def test_sixteen_metre_chunks_floor():
    """Case 7 of the field: x = -1, -16, -16.001 lie in chunks -1, -1, -2."""
    placed = Placements.upright([A], [[-1, 0, 0], [-16, 0, 0], [-16.001, 0, 0]])
    assert [(cell, sorted(part.id.tolist())) for cell, part in placed.cells(16)] == [((-2, 0), [2]), ((-1, 0), [0, 1])]


@pytest.mark.parametrize("layout", ["row-major", "column-major"])
@pytest.mark.parametrize("compact", [False, True])
def test_matrices_take_the_mesh_there(layout, compact):
    away = (500_000.0, 5_150_000.0, 300.0)
    placed = scattered(away=away)
    matrices = placed.to_matrices(origin=away, layout=layout, compact=compact)
    assert matrices.dtype == np.float32
    assert matrices.flags.c_contiguous
    if layout == "column-major":
        matrices = matrices.transpose(0, 2, 1)
    assert matrices.shape[1:] == ((3, 4) if compact else (4, 4))
    point = np.array([1.0, 2.0, 3.0])
    # the quaternion formula v + 2 q × (q × v + w v), another way than matrices
    q, w = placed.rotation[:, :3].astype(float), placed.rotation[:, 3:].astype(float)
    turned = point + 2 * np.cross(q, np.cross(q, point) + w * point)
    expected = placed.xyz - away + placed.scale[:, None] * turned
    np.testing.assert_allclose(matrices[:, :3] @ [*point, 1.0], expected, atol=1e-4)
    assert (np.linalg.det(matrices[:, :3, :3].astype(float)) > 0).all()
    np.testing.assert_allclose(
        np.linalg.det(matrices[:, :3, :3].astype(float)), placed.scale.astype(float) ** 3, rtol=1e-5
    )
    if not compact:
        assert (matrices[:, 3] == [0, 0, 0, 1]).all()


def test_numpy_records():
    placed = scattered()
    records = placed.to_numpy()
    for name in NAMES:
        np.testing.assert_array_equal(records[name], getattr(placed, name))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"xyz": [[0, np.nan, 0]]}, "xyz: place 0 is .*give finite coordinates"),
        ({"species": 2}, "species: spans 2 to 2; the table has 2"),
        ({"species": "pine"}, r"species: got <U4 of shape \(\); give whole numbers below 2"),
        ({"species": 0.5}, "species: spans 0.5 to 0.5; the table has 2"),
        ({"species": [0, 1]}, r"species: got int64 of shape \(2,\)"),
        ({"xyz": [[0, 0], [1, 1], [2, 2]]}, r"xyz: got shape \(3, 2\); give \(n, 3\)"),
        ({"scale": 0}, "scale: some are not finite and above 0"),
        ({"scale": 1e-60}, "scale: some are not finite and above 0"),
        ({"radius": -1}, "radius: some are not finite, or below 0"),
        ({"id": [-1]}, r"id: got int64 of shape \(1,\); give whole numbers, 0 or more, \(1,\)"),
        ({"id": 1.5}, r"id: got float64 of shape \(\)"),
    ],
)
def test_wrong_places_of_ones_own(wrong, message):
    with pytest.raises(InputError, match=message):
        Placements.upright([A, B], **{"xyz": [[0, 0, 0]], **wrong})


def test_wrong_questions():
    some = scattered()
    for ask, message in (
        (lambda: some.to_matrices(layout="rows"), "layout: got 'rows'"),
        (lambda: some.to_matrices(origin=(0, 0)), r"origin: got \(0, 0\); give \(x, y, z\), finite metres"),
        (lambda: some.to_matrices(origin=(0, 0, np.nan)), "origin: got .*nan.*; give"),
        (lambda: list(some.cells(0)), "size: got 0; give metres, from 1e-6 to 1e100"),
        (lambda: list(some.cells("9")), "size: got '9'; give metres, from 1e-6 to 1e100"),
        (lambda: some.of(7), r"species: got 7; give an index of the table, or a name"),
        (lambda: some.near(np.nan, 0, 1), "x: got nan; give a finite number of metres"),
        (lambda: some.near(0, 0, -1), "radius: got -1; give a finite number of metres, 0 or more"),
        (lambda: Placements.concat({"a": some}), "parts: got a dict; give its values"),
    ):
        with pytest.raises(InputError, match=message):
            ask()


@pytest.mark.parametrize("far", [0.0, -1e6, 1e9])
def test_near_is_the_plain_distance_far_away_too(far):
    rng = np.random.default_rng(2)
    some = Placements.upright([A], np.column_stack([rng.uniform(-20, 20, (200, 2)) + far, np.zeros(200)]))
    for x, y in rng.uniform(-25, 25, (10, 2)) + far:
        distance = np.sqrt((some.xyz[:, 0] - x) ** 2 + (some.xyz[:, 1] - y) ** 2)
        assert some.near(x, y, 6.0).id.tolist() == np.flatnonzero(distance < 6.0).tolist()
        which, away = some.index().nearest(x, y)
        assert (int(which), float(away)) == (int(distance.argmin()), float(distance.min()))
    assert len(some.near(1e300, 0, 5)) == 0
