"""The laws for noise: a window is cut from the whole, wherever it lies, whoever asks, however."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weald.fields import perlin, perlin_classic, simplex, value, worley
from weald.geometry import Grid

FIELDS = {
    "perlin": perlin("law", scale=40).fbm(octaves=4),
    "perlin ridged": perlin("law", scale=40).ridged(octaves=4, weighted_strength=0.7),
    "perlin slope": perlin("law", scale=40).fbm(octaves=3).gradient[1],
    "perlin tile": perlin("law", scale=40, period=400).fbm(octaves=3),
    "perlin 3D": perlin("law", scale=40, dimensions=3).fbm(octaves=3),
    "perlin 4D": perlin("law", scale=40, dimensions=4).fbm(octaves=2),
    "simplex": simplex("law", scale=40).fbm(octaves=4),
    "simplex 3D": simplex("law", scale=40, dimensions=3).billow(octaves=2),
    "value": value("law", scale=40).fbm(octaves=3, weighted_strength=1),
    "worley": worley("law", scale=40, feature="f2-f1"),
    "worley id": worley("law", scale=40, feature="id", period=800),
    "worley 3D": worley("law", scale=40, feature="f2", dimensions=3),
    "classic": perlin_classic("law", scale=40).fbm(octaves=3),
}
corner = st.integers(-1000, 1000) | st.sampled_from([-(10**6), 10**6, 10**9, -(10**9)])


def coordinates(field, z, w):
    return {"z": z, "w": w} if field.dimensions == 4 else {"z": z} if field.dimensions == 3 else {}


@pytest.mark.parametrize("name", FIELDS)
@given(x0=corner, y0=corner, z=corner, left=st.integers(0, 90), low=st.integers(0, 50))
@settings(max_examples=6)
def test_a_window_is_cut_from_the_whole(name, x0, y0, z, left, low):
    field = FIELDS[name]
    extra = coordinates(field, float(z), 2.5)
    whole = field.sample(Grid(x0, y0, 0.5, 160, 90), threads=2, **extra)
    window = field.sample(Grid(x0 + left * 0.5, y0 + low * 0.5, 0.5, 70, 40), threads=1, **extra)
    assert np.array_equal(whole[low : low + 40, left : left + 70], window)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("frequency", [0.003, 0.31, 2.7])
@given(x0=corner, y0=corner, left=st.integers(0, 1300), low=st.integers(0, 140))
@settings(max_examples=6)
def test_a_window_is_cut_from_the_whole_across_the_runs_of_the_quick_kernel(dtype, frequency, x0, y0, left, low):
    field = perlin("law", frequency=frequency).fbm(octaves=3)
    whole = field.sample(Grid(x0, y0, 0.5, 2300, 150), threads=2, dtype=dtype)
    assert whole.dtype == dtype
    for nx, ny in ((1000, 10), (1, 1)):
        window = field.sample(Grid(x0 + left * 0.5, y0 + low * 0.5, 0.5, nx, ny), threads=1, dtype=dtype)
        assert np.array_equal(whole[low : low + ny, left : left + nx], window)


@pytest.mark.parametrize("name", FIELDS)
@given(x0=corner, y0=corner, z=corner, spacing=st.sampled_from([0.5, 7.0, 64.0]))
@settings(max_examples=6)
def test_a_grid_holds_what_its_places_give(name, x0, y0, z, spacing):
    field, grid = FIELDS[name], Grid(x0, y0, spacing, 50, 30)
    extra = coordinates(field, float(z), 2.5)
    x, y = (axis.reshape(-1) for axis in np.meshgrid(grid.x, grid.y))
    assert np.array_equal(field.sample(grid, **extra).reshape(-1), field(x, y, **extra))


@pytest.mark.parametrize("name", FIELDS)
@given(data=st.data())
@settings(max_examples=6)
def test_neither_order_nor_company_matters(name, data):
    field = FIELDS[name]
    at = np.array(data.draw(st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * field.dimensions), min_size=2, max_size=9)))
    order = data.draw(st.permutations(range(len(at))))
    together = field(*at.T)
    assert np.array_equal(field(*at[list(order)].T), together[list(order)])
    assert [float(field(*place)) for place in at] == together.tolist()


@pytest.mark.parametrize("name", [name for name in FIELDS if FIELDS[name].dimensions == 3])
def test_a_box_is_its_slices(name):
    field, grid, heights = FIELDS[name], Grid(-9, 1e6, 2.0, 50, 40), np.array([-1e6, -3.5, 0.0, 77.0])
    box = field.sample(grid, z=heights)
    assert all(np.array_equal(part, field.sample(grid, z=z)) for part, z in zip(box, heights, strict=True))
