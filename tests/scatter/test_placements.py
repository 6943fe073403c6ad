"""Placements: taking some, joining many."""

import numpy as np
import pytest

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
    assert len(placed.of(2)) == len(placed.of(9)) == 0
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
