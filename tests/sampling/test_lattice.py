from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.sampling.lattice import PLACES, Lattice

radii = st.floats(1e-90, 1e90)


@given(radii)
def test_two_points_of_a_cell_always_conflict(radius):
    lattice = Lattice.for_radius(radius)
    assert 2 * (PLACES - 1) ** 2 < lattice.conflict
    assert 2 * Fraction(lattice.cell) ** 2 <= Fraction(radius) ** 2


@given(radii)
def test_a_cell_is_nearly_as_large_as_it_may_be(radius):
    assert Lattice.for_radius(radius).cell * 2**0.5 > 0.968 * radius


@given(radii)
def test_conflict_is_the_first_squared_distance_that_is_far_enough(radius):
    lattice = Lattice.for_radius(radius)
    unit = Fraction(lattice.unit)
    assert (lattice.conflict - 1) * unit**2 < Fraction(radius) ** 2 <= lattice.conflict * unit**2


@given(radii, st.integers(-(2**46), 2**46), st.integers(-(2**18), 2**18), st.integers(-(2**18), 2**18))
def test_coordinates_and_distances_are_exact_in_float64(radius, place, dx, dy):
    unit = Lattice.for_radius(radius).unit
    x, other = float(place) * unit, float(place + dx) * unit
    assert Fraction(x) == place * Fraction(unit)
    assert Fraction(other - x) == dx * Fraction(unit)
    if radius > 1e-60:  # below, squares leave the normal range of float64
        square = np.float64(dx * unit) ** 2 + np.float64(dy * unit) ** 2
        assert Fraction(float(square)) == (dx * dx + dy * dy) * Fraction(unit) ** 2


@given(st.floats(0.1, 100), st.floats(-1e6, 1e6))
def test_ceil_is_the_first_place_not_below(radius, coordinate):
    lattice = Lattice.for_radius(radius)
    place = lattice.ceil(coordinate)
    assert (place - 1) * Fraction(lattice.unit) < Fraction(coordinate) <= place * Fraction(lattice.unit)


def test_too_far_from_the_origin_says_so():
    with pytest.raises(InputError, match=r"1000000000000.0 is more than .* from the origin"):
        Lattice.for_radius(0.001).ceil(1e12)
