"""The surface between samples: heights on the triangles, smooth slopes, voids, far places."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weald.errors import InputError
from weald.geometry import Grid
from weald.terrain.terrain import Terrain

FAR = (500_000.0, 5_150_000.0)


def plane(a, b, c=0.0, *, origin=(0.0, 0.0), spacing=10.0, nx=9, ny=7):
    grid = Grid(*origin, spacing, nx, ny)
    x, y = np.meshgrid(grid.x, grid.y)
    return Terrain(grid, a * (x - origin[0]) + b * (y - origin[1]) + c)


def bumpy(seed=3, nx=9, ny=7, spacing=10.0, origin=(0.0, 0.0), voids=0.0):
    rng = np.random.default_rng(seed)
    heights = rng.normal(size=(ny, nx)) * 20
    heights[rng.random(heights.shape) < voids] = np.nan
    return Terrain(Grid(*origin, spacing, nx, ny), heights)


def places(terrain, n=500, seed=0):
    box, rng = terrain.grid.bounds, np.random.default_rng(seed)
    return rng.uniform(box.xmin, box.xmax, n), rng.uniform(box.ymin, box.ymax, n)


def naive_height(terrain, x, y):
    """Barycentric interpolation in the triangle that holds the place, found by trying both."""
    g, h = terrain.grid, terrain.heights
    i = min(int((x - g.xmin) // g.spacing), g.nx - 2)
    j = min(int((y - g.ymin) // g.spacing), g.ny - 2)
    if np.isnan(h[j : j + 2, i : i + 2]).any():
        return math.nan
    for third in ((j, i + 1), (j + 1, i)):
        corners = [(j, i), third, (j + 1, i + 1)]
        system = np.array([[c * g.spacing + g.xmin, r * g.spacing + g.ymin, 1.0] for r, c in corners]).T
        weights = np.linalg.solve(system, [x, y, 1.0])
        if (weights >= -1e-9).all():
            return float(weights @ [h[c] for c in corners])
    raise AssertionError("in neither triangle")


def naive_gradient(terrain, x, y):
    """Central differences at the four corners, weighted bilinearly, one-sided at edges and voids."""
    g, h = terrain.grid, terrain.heights
    u, v = (x - g.xmin) / g.spacing, (y - g.ymin) / g.spacing
    i, j = min(int(u), g.nx - 2), min(int(v), g.ny - 2)
    if np.isnan(h[j : j + 2, i : i + 2]).any():
        return math.nan, math.nan
    padded = np.pad(h, 1, constant_values=np.nan)

    def difference(r, c, dr, dc):
        known = [(k, padded[r + 1 + k * dr, c + 1 + k * dc]) for k in (-1, 0, 1)]
        known = [(k, z) for k, z in known if not np.isnan(z)]
        (k0, z0), (k1, z1) = known[0], known[-1]
        return (z1 - z0) / ((k1 - k0) * g.spacing)

    s, t = u - i, v - j
    total = np.zeros(2)
    for r, c, w in ((j, i, (1 - s) * (1 - t)), (j, i + 1, s * (1 - t)), (j + 1, i, (1 - s) * t), (j + 1, i + 1, s * t)):
        total += w * np.array([difference(r, c, 0, 1), difference(r, c, 1, 0)])
    return tuple(total)


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR, (-1234.5, -77.25)])
def test_a_plane_is_exact_everywhere(origin):
    """Case 14."""
    terrain = plane(0.5, 0.25, origin=origin)
    x, y = places(terrain, 5000)
    expected = 0.5 * (x - origin[0]) + 0.25 * (y - origin[1])
    assert np.abs(terrain.height(x, y) - expected).max() < 1e-5
    slope = math.degrees(math.atan(math.hypot(0.5, 0.25)))
    assert np.allclose(terrain.slope_deg(x, y), slope, atol=1e-7)
    assert np.allclose(terrain.normal(x, y), np.array([-0.5, -0.25, 1]) / math.sqrt(1.3125), atol=1e-9)


def test_a_centimetre_grid_at_utm_is_a_plane_to_a_millimetre():
    terrain = plane(0.5, 0.25, origin=FAR, spacing=0.01, nx=50, ny=40)
    x, y = places(terrain, 2000)
    expected = 0.5 * (x - FAR[0]) + 0.25 * (y - FAR[1])
    assert np.abs(terrain.height(x, y) - expected).max() < 1e-6


def test_a_saddle_cell_is_two_triangles_split_from_south_west_to_north_east():
    """Case 14: on the triangles that are exported."""
    saddle = Terrain(Grid(0, 0, 1, 2, 2), [[0.0, 1.0], [1.0, 0.0]])
    # the diagonal runs level from SW (0) to NE (0); the bilinear surface would be 0.5 in the middle
    assert saddle.height(0.5, 0.5) == 0.0
    assert saddle.height(0.75, 0.25) == 0.5
    assert saddle.height(0.25, 0.75) == 0.5
    assert saddle.height([0, 1, 0, 1], [0, 0, 1, 1]).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR])
@pytest.mark.parametrize("voids", [0.0, 0.15])
def test_heights_and_gradients_agree_with_the_naive_ones(voids, origin):
    terrain = bumpy(voids=voids, origin=origin)
    x, y = places(terrain, 400)
    naive = [naive_height(terrain, *p) for p in zip(x, y, strict=True)]
    assert np.allclose(terrain.height(x, y), naive, atol=1e-6, equal_nan=True)
    east, north = np.array([naive_gradient(terrain, *p) for p in zip(x, y, strict=True)]).T
    normal = np.stack([-east, -north, np.ones_like(east)], -1) / np.sqrt(1 + east**2 + north**2)[:, None]
    assert np.allclose(terrain.normal(x, y), normal, atol=1e-6, equal_nan=True)
    assert np.allclose(terrain.slope_deg(x, y), np.degrees(np.arctan(np.hypot(east, north))), equal_nan=True, atol=1e-5)
    if voids:
        assert 0.1 < np.isnan(terrain.height(x, y)).mean() < 0.9


def test_only_cells_that_touch_a_void_are_no_ground():
    heights = np.zeros((5, 6))
    heights[2, 3] = np.nan
    terrain = Terrain(Grid(0, 0, 1, 6, 5), heights)
    x, y = np.meshgrid(np.arange(5) + 0.5, np.arange(4) + 0.5)
    expected = np.zeros((4, 5), bool)
    expected[1:3, 2:4] = True
    for values in (terrain.height(x, y), terrain.slope_deg(x, y), terrain.normal(x, y)[..., 2]):
        assert (np.isnan(values) == expected).all()
        assert (np.nan_to_num(values[~expected]) == values[~expected]).all()
    # next to the void the slope is one-sided, not torn
    assert np.nanmax(terrain.slope_deg(x, y)) == 0.0


@pytest.mark.parametrize("origin", [(0.0, 0.0), FAR, (0.1, 0.7), (-3.3, 1e7 + 0.1)])
@pytest.mark.parametrize("spacing", [10.0, 0.3, 0.01])
def test_every_sample_is_on_the_ground_and_outside_is_not(origin, spacing):
    terrain = bumpy(origin=origin, spacing=spacing, nx=23, ny=31)
    g = terrain.grid
    # NumPy's own rounding of positions, as a caller would have it
    x, y = np.meshgrid(g.x, g.y)
    found = terrain.height(x, y)
    assert np.allclose(found, terrain.heights, atol=1e-9 + 400 * np.spacing(1e7) / spacing)
    box = g.bounds
    step = spacing * 1e-3
    outside = [
        (box.xmin - step, g.y[3]),
        (box.xmax + step, g.y[3]),
        (g.x[3], box.ymin - step),
        (g.x[3], box.ymax + step),
    ]
    for place in [*outside, (math.nan, g.y[3]), (g.x[3], math.inf)]:
        assert np.isnan(terrain.height(*place)), place
        assert np.isnan(terrain.slope_deg(*place))
        assert np.isnan(terrain.normal(*place)).all()
        assert np.isnan(terrain.aspect_deg(*place))


@pytest.mark.parametrize(
    ("uphill", "aspect"),
    [((0, -1), 0), ((-1, -1), 45), ((-1, 0), 90), ((0, 1), 180), ((1, 0), 270), ((1, -1), 315)],
)
def test_aspect_is_where_the_slope_faces(uphill, aspect):
    # ground that rises towards the south faces north
    assert plane(*uphill).aspect_deg(31.0, 17.0) == pytest.approx(aspect)


def test_aspect_of_level_ground_is_undefined_and_never_a_full_turn():
    assert np.isnan(plane(0, 0).aspect_deg(5, 5))
    assert plane(1e-300, -1.0).aspect_deg(5, 5) == 0.0


@given(a=st.floats(-5, 5), b=st.floats(-5, 5), s=st.floats(0, 1), t=st.floats(0, 1), east=st.integers(-(10**7), 10**7))
def test_planes_of_any_slope_at_any_place(a, b, s, t, east):
    terrain = plane(a, b, origin=(east, -east))
    width, depth = terrain.grid.bounds.size
    height = terrain.height(east + s * width, -east + t * depth)
    assert height == pytest.approx(a * s * width + b * t * depth, abs=1e-6)


def test_places_broadcast_and_scalars_give_scalars():
    terrain = plane(1, 2)
    assert terrain.height(np.arange(5), np.arange(3)[:, None]).shape == (3, 5)
    assert terrain.normal(np.arange(5), np.arange(3)[:, None]).shape == (3, 5, 3)
    assert isinstance(terrain.height(1, 2), np.float64)
    assert terrain.height([], []).shape == (0,)
    assert terrain.height(np.array([[1, 2]], np.float32), 3).tolist() == [[7.0, 8.0]]


def test_the_smooth_slope_does_not_jump_at_a_facets_edge():
    terrain = bumpy()
    t = np.linspace(0, 60, 20_001)
    assert np.abs(np.diff(terrain.normal(t + 3.3, t * 0.9), axis=0)).max() < 0.01


def test_heights_are_a_read_only_copy():
    mine = np.zeros((2, 2), np.int16)
    terrain = Terrain(Grid(0, 0, 1, 2, 2), mine)
    mine[:] = 9
    assert terrain.heights.dtype == np.float64
    assert terrain.heights.max() == 0
    with pytest.raises(ValueError, match="read-only"):
        terrain.heights[0, 0] = 1


def test_a_mask_is_a_void():
    masked = np.ma.array([[1, 2, 3], [4, 5, 6]], mask=[[0, 0, 1], [0, 0, 0]])
    assert np.isnan(Terrain(Grid(0, 0, 1, 3, 2), masked).heights).tolist() == [[False, False, True], [False] * 3]


@pytest.mark.parametrize(
    ("heights", "message"),
    [
        (np.zeros((3, 2)), r"shape is \(3, 2\).*\(ny, nx\) = \(2, 3\).*transposed"),
        (np.zeros(6), r"shape is \(6,\)"),
        (np.full((2, 3), np.nan), "no ground: all 6 samples are void"),
        ([[0, np.inf, 0], [0, 0, -np.inf]], "2 of 6 samples are infinite, the first in row 0, column 1"),
        ([["a", "b", "c"]] * 2, "got values of type <U1"),
        (np.zeros((2, 3), complex), "got values of type complex128"),
    ],
)
def test_bad_heights_are_refused(heights, message):
    with pytest.raises(InputError, match=message):
        Terrain(Grid(0, 0, 1, 3, 2), heights)


def test_a_single_row_spans_no_surface():
    with pytest.raises(InputError, match="5 x 1 samples span no surface"):
        Terrain(Grid(0, 0, 1, 5, 1), np.zeros((1, 5)))
