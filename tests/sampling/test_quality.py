"""Known answers, all-pairs oracles, other libraries' geometry, and the figures that are published of maximal sets."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy import special
from scipy.spatial import ConvexHull, Delaunay, HalfspaceIntersection, Voronoi

from weald.errors import InputError
from weald.sampling import quality
from weald.sampling.pointset import PointSet
from weald.sampling.poisson import poisson_disk
from weald.sampling.quality.correlation import bessel_j0, smooth_spectrum

SIDE = 48.0
WINDOW = (-SIDE / 2, -SIDE / 2, SIDE / 2, SIDE / 2)
SEEDS = range(6)


@cache
def maximal(seed):
    return poisson_disk(None, 1.0, seed=seed, window=WINDOW)


@cache
def report_of(seed):
    return quality.report(maximal(seed), WINDOW, border=1.0)


def square(n=16):
    return np.array([(x + 0.5, y + 0.5) for x in range(n) for y in range(n)]), (0.0, 0.0, float(n), float(n))


def hexagonal(n=16):
    height = math.sqrt(0.75)
    xy = np.array([(x + 0.5 * (y % 2) + 0.2, (y + 0.2) * height) for x in range(n) for y in range(n)])
    return xy, (0.0, 0.0, float(n), n * height)


def noise(n, seed=0, box=(0.0, 0.0, 1.0, 1.0)):
    return np.random.default_rng(seed).random((n, 2)) * (box[2] - box[0], box[3] - box[1]) + box[:2]


def gaps(xy, box, periodic):
    d = np.abs(xy[:, None] - xy[None])
    if periodic:
        size = np.array([box[2] - box[0], box[3] - box[1]])
        d = np.minimum(d, size - d)
    return np.hypot(d[..., 0], d[..., 1])


BOXES = st.sampled_from([(0.0, 0.0, 10.0, 10.0), (-3.0, 5.0, 9.0, 6.0), (1e6, -1e6, 1e6 + 5, -1e6 + 20)])


# spacing


@given(st.integers(2, 60), st.integers(0, 2**32 - 1), BOXES, st.booleans())
def test_nearest_distances_against_all_pairs(n, seed, box, periodic):
    xy = noise(n, seed, box)
    d = gaps(xy, box, periodic)
    np.fill_diagonal(d, np.inf)
    np.testing.assert_allclose(quality.nearest_distances(xy, box, periodic=periodic), d.min(axis=1), rtol=1e-9)
    assert quality.minimum_distance(xy, box, periodic=periodic) == pytest.approx(d.min(), rel=1e-9)


@given(st.integers(2, 50), st.integers(0, 2**32 - 1), BOXES, st.booleans(), st.floats(0.02, 30))
def test_conflicts_and_relative_distance_against_all_pairs(n, seed, box, periodic, widest):
    xy = noise(n, seed, box)
    radius = np.random.default_rng(seed + 1).random(n) * widest + 1e-3
    larger = np.maximum(radius[:, None], radius[None])
    ratio = np.triu(gaps(xy, box, periodic) / larger, 1) + np.tril(np.full((n, n), np.inf))
    found = quality.conflicts(xy, box, radius=radius, periodic=periodic)
    assert found.tolist() == np.argwhere(ratio < 1).tolist()
    least = quality.relative_distance(xy, box, radius=radius, periodic=periodic)
    assert least == pytest.approx(ratio.min(), rel=1e-9)


def test_conflicts_have_no_tolerance():
    box = (0, 0, 9, 9)
    assert len(quality.conflicts([[1, 1], [2, 1]], box, radius=1.0)) == 0
    assert len(quality.conflicts([[1, 1], [2, 1]], box, radius=np.nextafter(1.0, 2))) == 1


@pytest.mark.parametrize(("lattice", "clark_evans", "packing"), [(square, 2.0, 0.7854), (hexagonal, 2.1491, 0.9069)])
def test_spacing_of_lattices(lattice, clark_evans, packing):
    xy, box = lattice()
    area = (box[2] - box[0]) * (box[3] - box[1])
    assert quality.minimum_distance(xy, box, periodic=True) == pytest.approx(1, abs=1e-12)
    assert quality.mean_distance(xy, box) == pytest.approx(1, abs=1e-12)
    assert quality.packing_share(xy, box, radius=1.0) == pytest.approx(packing, abs=1e-4)
    assert quality.clark_evans(xy, box, periodic=True) == pytest.approx(clark_evans, abs=1e-4)
    assert quality.clark_evans(xy, box, correction="none") == pytest.approx(clark_evans, abs=1e-4)
    expected = 1.0 if lattice is hexagonal else math.sqrt(math.sqrt(0.75))
    assert 1 / quality.hexagonal_spacing(len(xy), area) == pytest.approx(expected)


@pytest.mark.parametrize("correction", ["border", "donnelly"])
def test_clark_evans_of_white_noise(correction):
    def mean(**how):
        return np.mean([quality.clark_evans(noise(100, s), (0, 0, 1, 1), **how) for s in range(300)])

    assert mean(correction=correction) == pytest.approx(1, abs=0.015)
    assert mean(periodic=True) == pytest.approx(1, abs=0.015)
    # what the corrections are for
    assert mean(correction="none") == pytest.approx(1 + 2 * (0.0514 + 0.0041) * 4 / 10, abs=0.015)


# cells


@settings(deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32 - 1), BOXES, st.booleans(), st.sampled_from([0.0, 0.3]))
def test_the_largest_hole_is_empty_and_no_probe_beats_it(n, seed, box, periodic, border):
    xy = noise(n, seed, box)
    border = 0.0 if periodic else border
    hole = quality.largest_hole(xy, box, periodic=periodic, border=border)
    size = np.array([box[2] - box[0], box[3] - box[1]])
    box = (box[0] + border, box[1] + border, box[2] - border, box[3] - border)
    x, y = np.meshgrid(np.linspace(box[0], box[2], 51), np.linspace(box[1], box[3], 51))
    probes = np.concatenate([[(hole.x, hole.y)], np.column_stack([x.ravel(), y.ravel()])])
    d = np.abs(probes[:, None] - xy[None])
    d = np.minimum(d, size - d) if periodic else d
    room = np.hypot(d[..., 0], d[..., 1]).min(axis=1)
    assert room[0] == pytest.approx(hole.radius, rel=1e-6)
    assert room.max() <= hole.radius * (1 + 1e-6)
    assert box[0] - 1e-6 <= hole.x <= box[2] + 1e-6
    assert box[1] - 1e-6 <= hole.y <= box[3] + 1e-6


def test_the_largest_hole_against_a_voronoi_diagram():
    xy = noise(500, 3)
    tiled = np.concatenate([np.add(xy, (i, j)) for i in (-1, 0, 1) for j in (-1, 0, 1)])
    corners = Voronoi(tiled).vertices
    inside = corners[((corners >= 0) & (corners < 1)).all(axis=1)]
    farthest = np.sqrt(((inside[:, None] - tiled[None]) ** 2).sum(axis=2).min(axis=1)).max()
    assert quality.largest_hole(xy, (0, 0, 1, 1), periodic=True).radius == pytest.approx(farthest, rel=1e-9)


@pytest.mark.parametrize(("lattice", "hole"), [(square, math.sqrt(0.5)), (hexagonal, 1 / math.sqrt(3))])
def test_holes_of_lattices(lattice, hole):
    xy, box = lattice()
    assert quality.largest_hole(xy, box, periodic=True).radius == pytest.approx(hole, abs=1e-9)
    assert quality.uncovered_share(xy, box, radius=hole * 1.001, periodic=True) == 0
    assert 0 < quality.uncovered_share(xy, box, radius=hole * 0.999, periodic=True) < 1e-4


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 60), st.integers(0, 2**32 - 1), BOXES, st.booleans(), st.floats(0.1, 8))
def test_uncovered_share_against_probes(n, seed, box, periodic, widest):
    border = 0.0 if periodic else 0.1 * (seed % 4)
    rng = np.random.default_rng(seed)
    xy = noise(n, seed, box)
    radius = widest * rng.random(n) ** 2 + 0.01
    size = np.array([box[2] - box[0], box[3] - box[1]])
    probes = rng.random((20_000, 2)) * (size - 2 * border) + box[:2] + border
    d = np.abs(probes[:, None] - xy[None])
    d = np.minimum(d, size - d) if periodic else d
    counted = (np.hypot(d[..., 0], d[..., 1]) >= radius).all(axis=1).mean()
    share = quality.uncovered_share(xy, box, radius=radius, periodic=periodic, border=border)
    assert share == pytest.approx(counted, abs=0.02)


def test_uncovered_share_of_discs_known_exactly():
    one = 1 - math.pi / 16
    box = (0, 0, 4, 4)
    assert quality.uncovered_share([[2, 2], [2, 2]], box, radius=1.0) == pytest.approx(one, abs=1e-12)
    assert quality.uncovered_share([[2, 2], [2.1, 2]], box, radius=[1.0, 0.2]) == pytest.approx(one, abs=1e-12)
    assert quality.uncovered_share([[0, 0], [2, 2]], box, radius=1.0) == pytest.approx(1 - 1.25 * math.pi / 16)
    assert quality.uncovered_share([[0, 0], [2, 2]], box, radius=1.0, periodic=True) == pytest.approx(2 * one - 1)
    assert quality.uncovered_share([[2, 2], [2, 2]], box, radius=1.0, border=1.5) == 0


def test_white_noise_leaves_what_probability_says():
    # a place is open if none of N points falls within the radius: about exp(-density * pi * r^2)
    shares = [quality.uncovered_share(noise(1000, s), (0, 0, 1, 1), radius=0.02, periodic=True) for s in range(10)]
    assert np.mean(shares) == pytest.approx((1 - math.pi * 0.02**2) ** 1000, rel=0.03)


def test_bond_order_of_lattices_and_noise():
    xy, box = hexagonal()
    assert quality.bond_order(xy, box, periodic=True) == pytest.approx((1, 1), abs=1e-9)
    assert quality.bond_order(xy, box) == pytest.approx((1, 1), abs=0.15)  # cells near the edge are not whole
    assert quality.bond_order(*square(), periodic=True) == pytest.approx((0, 0), abs=1e-9)
    order = quality.bond_order(noise(3000), (0, 0, 1, 1), periodic=True)
    assert order.overall < 0.05
    # two crystals at an angle: order around each point, none overall
    grain, (_, _, width, depth) = hexagonal()
    turned = np.column_stack([grain[:, 1] + width + 1, grain[:, 0]])
    both = quality.bond_order(np.concatenate([grain, turned]), (0, 0, width + 1 + depth, max(width, depth)))
    assert both.local > 0.75
    assert both.overall < 0.3
    assert all(math.isnan(v) for v in quality.bond_order([[1, 1], [2, 2]], (0, 0, 3, 3)))


def test_bond_order_against_a_delaunay_triangulation():
    xy = noise(300, 8)
    tiled = np.concatenate([xy, *[np.add(xy, (i, j)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]])
    start, neighbours = Delaunay(tiled).vertex_neighbor_vertices
    psi = []
    for k in range(300):
        bonds = tiled[neighbours[start[k] : start[k + 1]]] - tiled[k]
        psi.append(np.exp(6j * np.arctan2(bonds[:, 1], bonds[:, 0])).mean())
    order = quality.bond_order(xy, (0, 0, 1, 1), periodic=True)
    assert order == pytest.approx((abs(np.mean(psi)), np.mean(np.abs(psi))), abs=1e-9)


def test_a_power_cell_against_a_half_plane_intersection():
    # one small disc beside large ones: what is open of a single cell, by another library's geometry
    xy, radius = noise(12, 5, (0, 0, 4, 4)), np.linspace(0.2, 1.0, 12)
    box, open_area = (0, 0, 4, 4), 0.0
    for k, (point, r) in enumerate(zip(xy, radius, strict=True)):
        cut = 0.5 * ((xy**2).sum(axis=1) - (point**2).sum() - radius**2 + r**2)
        sides = [[*(2 * (q - point) / 2), -c] for i, (q, c) in enumerate(zip(xy, cut, strict=True)) if i != k]
        sides = np.array([*sides, [-1, 0, 0], [0, -1, 0], [1, 0, -4], [0, 1, -4]])
        grid = np.stack(np.meshgrid(np.linspace(0.01, 3.99, 200), np.linspace(0.01, 3.99, 200)), axis=-1).reshape(-1, 2)
        depth = (-(grid @ sides[:, :2].T) - sides[:, 2]).min(axis=1)
        if depth.max() <= 0:
            continue
        corners = HalfspaceIntersection(sides, grid[depth.argmax()]).intersections
        hull = corners[ConvexHull(corners).vertices]
        # shares of a fine fan of slices about the point of deepest inside
        inner, steps = grid[depth.argmax()], 400
        for a, b in zip(hull, np.roll(hull, -1, axis=0), strict=True):
            area = abs(np.cross(np.append(a - inner, 0), np.append(b - inner, 0))[2]) / 2
            u = (np.arange(steps) + 0.5) / steps
            s, t = np.meshgrid(np.sqrt(u), u)
            p = inner + s[..., None] * ((a - inner) + t[..., None] * (b - a))
            open_area += area * (np.hypot(*(p - point).transpose(2, 0, 1)) >= r).mean()
    assert quality.uncovered_share(xy, box, radius=radius) == pytest.approx(open_area / 16, abs=1e-3)


# spectrum


def test_spectrum_against_the_sum_itself():
    box = (-2.0, 1.0, 4.0, 3.0)
    xy = noise(40, 2, box)
    spectrum = quality.power_spectrum(xy, box, highest=2.0)
    ny, nx = spectrum.power.shape
    assert (ny, nx) == (2 * len(spectrum.frequency_y[ny // 2 + 1 :]) + 1, len(spectrum.frequency_x))
    for j in (0, 3, ny // 2, ny - 1):
        for i in (0, nx // 2, nx - 2):
            kx, ky = i - nx // 2, j - ny // 2
            wave = np.exp(-2j * np.pi * (kx * (xy[:, 0] + 2) / 6 + ky * (xy[:, 1] - 1) / 2)).sum()
            assert spectrum.power[j, i] == pytest.approx(abs(wave) ** 2 / 40, abs=1e-9)
    assert spectrum.power[ny // 2, nx // 2] == pytest.approx(40)
    np.testing.assert_allclose(spectrum.frequency_x[1] - spectrum.frequency_x[0], math.sqrt(12 / 40) / 6)


def test_a_stride_takes_some_of_the_frequencies():
    xy = noise(100, 3)
    every, third = (quality.power_spectrum(xy, (0, 0, 1, 1), highest=1.5, stride=s) for s in (1, 3))
    np.testing.assert_allclose(third.power, every.power[::3, ::3], atol=1e-9)
    np.testing.assert_allclose(third.frequency_x, every.frequency_x[::3])
    many = quality.power_spectrum(noise(60_000), (0, 0, 1, 1), highest=2.0)
    assert len(many.frequency_x) == 2 * 244 + 1
    assert many.frequency_x[-1] == pytest.approx(2, abs=0.01)
    assert many.radial().power.mean() == pytest.approx(1, abs=0.03)


def test_spectrum_of_white_noise_is_flat_and_has_no_direction():
    rings = [quality.power_spectrum(noise(900, s), (0, 0, 1, 1), highest=2.0).radial() for s in range(4)]
    mean = np.mean([r.power for r in rings], axis=0)
    assert mean.mean() == pytest.approx(1, abs=0.02)
    assert np.abs(mean[20:] - 1).max() < 0.25
    assert np.mean([r.anisotropy_db[10:] for r in rings]) == pytest.approx(0, abs=0.2)


def test_spectrum_of_a_square_lattice_has_its_peaks_and_nothing_else():
    xy, box = square()
    spectrum = quality.power_spectrum(xy, box, highest=1.5)
    peaks = np.argwhere(spectrum.power > 1e-9)
    where = {(round(spectrum.frequency_x[i], 9), round(spectrum.frequency_y[j], 9)) for j, i in peaks}
    assert where == {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    np.testing.assert_allclose(spectrum.power[tuple(peaks.T)], len(xy))
    radial = spectrum.radial()
    ring = np.abs(radial.frequency - 1).argmin()
    assert radial.power.argmax() == ring
    assert radial.anisotropy_db[ring] > 10


def test_anisotropy_tells_a_direction():
    squeezed = np.asarray(maximal(0)) * (1, 0.6)
    flat = quality.power_spectrum(squeezed, np.multiply(WINDOW, (1, 0.6, 1, 0.6))).radial()
    plain = quality.power_spectrum(maximal(0), WINDOW).radial()
    for radial, least, most in ((flat, 1.0, 9), (plain, -0.5, 0.5)):
        ring = (radial.frequency > 0.7) & (radial.frequency < 1.2)
        assert least < radial.anisotropy_db[ring].mean() < most


def test_radial_rings_are_means_over_the_whole_plane():
    spectrum = quality.power_spectrum(noise(50, 4), (0, 0, 1, 1), highest=1.5)
    n = len(spectrum.frequency_x) // 2
    k = np.arange(-n, n + 1)
    radius = np.rint(np.hypot(k[None], k[:, None]))
    radial = spectrum.radial()
    assert len(radial.power) == n
    for ring in range(1, n + 1):
        assert radial.power[ring - 1] == pytest.approx(spectrum.power[radius == ring].mean())
        # one of each pair of opposite frequencies, which are equal
        half = spectrum.power[(radius == ring) & ((k[:, None] > 0) | ((k[:, None] == 0) & (k[None] > 0)))]
        ratio = half.var(ddof=1) / half.mean() ** 2
        assert radial.anisotropy_db[ring - 1] == pytest.approx(10 * math.log10(ratio))


# correlation


@pytest.mark.parametrize("reach", [0.25, 1.0])
@pytest.mark.parametrize("periodic", [False, True])
def test_pair_correlation_against_all_pairs(periodic, reach):
    box = (0.0, 0.0, 3.0, 2.0)
    xy = noise(80, 6, box)
    g = quality.pair_correlation(xy, box, periodic=periodic, reach=reach, bins=20)
    d = gaps(xy, box, periodic)
    across, up = np.abs(xy[:, None] - xy[None]).transpose(2, 0, 1)
    weight = np.full_like(d, 1 / 6) if periodic else 1 / ((3 - across) * (2 - up))
    np.fill_diagonal(weight, 0)
    edges = np.linspace(0, reach, 21)
    sums = np.histogram(d, edges, weights=weight)[0]
    np.testing.assert_allclose(g.correlation, sums * 36 / (80 * 79) / (np.pi * np.diff(edges**2)), rtol=1e-9)


@pytest.mark.parametrize("periodic", [False, True])
def test_pair_correlation_of_white_noise_is_one(periodic):
    g = [quality.pair_correlation(noise(600, s), (0, 0, 1, 1), periodic=periodic, reach=0.5, bins=10) for s in range(5)]
    np.testing.assert_allclose(np.mean([c.correlation for c in g], axis=0), 1, atol=0.05)


def test_pair_correlation_of_a_maximal_set_starts_at_the_radius():
    g = report_of(0).correlation
    assert g.correlation[g.distance < 1 - 0.02].max() == 0
    assert g.correlation[(g.distance > 1) & (g.distance < 1.05)].mean() > 3


def test_bessel():
    x = np.linspace(0, 300, 20_001)
    np.testing.assert_allclose([bessel_j0(v) for v in x], special.j0(x), atol=1e-7)


def test_smooth_spectrum_is_that_of_the_points():
    f = np.arange(0.3, 2.5, 0.05)
    radial = [quality.power_spectrum(maximal(seed), WINDOW).radial() for seed in SEEDS]
    rings = [np.mean([r.power[np.abs(r.frequency - v) < 0.04].mean() for r in radial]) for v in f]
    smooth = np.mean([quality.power_from_correlation(report_of(seed).correlation, f) for seed in SEEDS], axis=0)
    # the window widens peaks, and what the box cuts off fills the empty part, both a little
    np.testing.assert_allclose(smooth, rings, atol=0.02, rtol=0.07)


def test_figures_of_spectra_known_exactly():
    f = np.arange(1, 2001) * 0.005
    step = (f > 0.6).astype(float)
    assert quality.effective_nyquist(f, step) == pytest.approx(0.6 / math.sqrt(0.9), abs=0.01)
    assert quality.oscillations(f, step) == 0
    assert quality.effective_nyquist(f, np.ones_like(f)) == 0
    waves = np.where(f > 0.6, 1 + 0.2 * np.sin(40 * f), 0)
    assert quality.oscillations(f, waves) == pytest.approx(10 * 0.2 / math.sqrt(2), rel=0.02)
    # a little power in the low part counts from where its mean passes a tenth
    assert quality.effective_nyquist(f, np.maximum(step, 0.09)) == pytest.approx(0.6 * math.sqrt(0.91 / 0.9), abs=0.01)
    assert quality.effective_nyquist(np.concatenate([[0], f]), np.concatenate([[5], step])) == (
        quality.effective_nyquist(f, step)
    )


def test_figures_of_lattices():
    f, power = smooth_spectrum(quality.pair_correlation(*square(40), periodic=True))
    assert quality.effective_nyquist(f, power) == pytest.approx(1, abs=0.12)
    assert quality.oscillations(f, power) > 5


# what is published of maximal sets


def mean_of(name):
    values = [getattr(report_of(seed), name) for seed in SEEDS]
    return float(np.mean(values))


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("minimum_hexagonal", 0.774, 0.780),
        ("mean_hexagonal", 0.815, 0.821),
        ("packing", 0.544, 0.550),
        ("clark_evans", 1.75, 1.77),
        ("anisotropy_db", -0.15, 0.15),
    ],
)
def test_figures_of_maximal_sets(name, low, high):
    assert low <= mean_of(name) <= high


def test_spectral_figures_of_maximal_sets():
    curves = [smooth_spectrum(report_of(seed).correlation) for seed in SEEDS]
    f, power = curves[0][0], np.mean([p for _, p in curves], axis=0)
    assert 0.65 <= quality.effective_nyquist(f, power) <= 0.68
    assert 1.48 <= quality.oscillations(f, power) <= 1.54
    assert 0.64 <= mean_of("effective_nyquist") <= 0.68
    assert 1.44 <= mean_of("oscillations") <= 1.56


@pytest.mark.parametrize("seed", SEEDS)
def test_maximal_sets_are_sound_and_full(seed):
    r = report_of(seed)
    assert r.conflicts == 0
    assert r.relative_distance >= 1
    assert r.minimum_distance >= 1
    assert r.hole.radius <= 1 + 2**-16
    assert r.uncovered < 1e-9


def test_a_point_taken_away_is_seen():
    xy = np.asarray(maximal(2))
    keep = np.ones(len(xy), bool)
    keep[np.hypot(*xy.T).argmin()] = False
    r = quality.report(xy[keep], WINDOW, radius=1.0, border=1.0)
    assert 1 < r.hole.radius < 2
    assert math.hypot(r.hole.x, r.hole.y) < 2
    assert r.uncovered > 1e-6


def test_the_hole_of_a_domain_needs_no_border():
    box = (0, 0, 20, 20)
    assert quality.largest_hole(poisson_disk(box, 1.0, seed=9), box).radius <= 1 + 2**-16


# the report


def test_report_holds_what_the_functions_say():
    xy = noise(200, 7, WINDOW)
    radius = np.linspace(0.5, 2, 200)
    r = quality.report(xy, WINDOW, radius=radius, periodic=True)
    assert r.count == 200
    assert r.radius == (0.5, 2.0)
    assert r.conflicts == len(quality.conflicts(xy, WINDOW, radius=radius, periodic=True)) > 0
    assert r.relative_distance == quality.relative_distance(xy, WINDOW, radius=radius, periodic=True) < 1
    assert r.packing == quality.packing_share(xy, WINDOW, radius=radius)
    assert r.uncovered == quality.uncovered_share(xy, WINDOW, radius=radius, periodic=True)
    assert r.hole == quality.largest_hole(xy, WINDOW, periodic=True)
    assert r.clark_evans == pytest.approx(quality.clark_evans(xy, WINDOW, periodic=True))
    assert r.mean_distance == quality.mean_distance(xy, WINDOW, periodic=True)
    assert r.bond_order == quality.bond_order(xy, WINDOW, periodic=True)
    f, p = smooth_spectrum(r.correlation)
    assert (r.effective_nyquist, r.oscillations) == (quality.effective_nyquist(f, p), quality.oscillations(f, p))


def test_report_reads_as_a_table():
    text = str(report_of(0))
    lines = text.splitlines()
    assert len(lines) == len(report_of(0).rows) == 15
    assert all(line[27] != " " and line[28:30] == "  " for line in lines)
    assert f"{report_of(0).packing:.4f}  of the area" in text
    assert "nan" not in str(quality.report([[1, 1], [2, 2]], (0, 0, 3, 3), radius=1.0))


@pytest.mark.parametrize(
    "make",
    [
        lambda: quality.report(maximal(0), WINDOW, border=1.0),
        lambda: quality.report(noise(50, 1, WINDOW), WINDOW, radius=np.linspace(1, 9, 50), periodic=True),
        lambda: quality.report([[1, 1], [2, 2]], (0, 0, 3, 30), radius=1.0),
        lambda: quality.report(noise(40, 1, (0, 0, 400, 0.5)), (0, 0, 400, 0.5), radius=1.0),
        lambda: quality.report(*square(), radius=1.0, periodic=True),
        lambda: quality.report([[1, 1], [1, 1]], (0, 0, 3, 3), radius=1.0),
    ],
)
def test_report_draws(tmp_path, make):
    make().plot(tmp_path / "quality.png")
    with Image.open(tmp_path / "quality.png") as image:
        assert image.size == (1650, 1122)
        assert np.asarray(image.convert("L")).std() > 10
    assert [p.name for p in tmp_path.iterdir()] == ["quality.png"]


def test_plot_says_where_it_cannot_write(tmp_path):
    with pytest.raises(InputError, match="give a file in a folder that exists"):
        report_of(0).plot(tmp_path / "nowhere" / "quality.png")


def test_a_point_set_brings_its_radius():
    points = maximal(0)
    assert isinstance(points, PointSet)
    assert quality.packing_share(points, WINDOW) == quality.packing_share(points.xy, WINDOW, radius=1.0)


# errors

BOX = (0, 0, 3, 3)
PAIR = [[1.0, 1.0], [2.0, 2.0]]


@pytest.mark.parametrize(
    "measure",
    [
        quality.nearest_distances,
        quality.clark_evans,
        quality.largest_hole,
        quality.bond_order,
        quality.power_spectrum,
        quality.pair_correlation,
        quality.report,
    ],
)
@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[1, 1], [np.nan, 2]], r"points: point 1 is \(nan, 2.0\); give finite"),
        ([[1, 1]], "points: got 1; give at least 2"),
        (np.empty((0, 2)), "points: got 0; give at least 2"),
        ([[1, 1], [1, 3.1]], r"points: point 1 is \(1.0, 3.1\), outside bounds \(0, 0, 3, 3\)"),
        ([[1, 1, 1], [1, 2, 1]], r"points: got an array of shape \(2, 3\)"),
        (["a", "b"], "points: not an array of numbers"),
    ],
)
def test_points_that_cannot_be_measured(measure, points, message):
    with pytest.raises(InputError, match=message):
        measure(points, BOX)


@pytest.mark.parametrize(
    "measure",
    [quality.packing_share, quality.conflicts, quality.relative_distance, quality.uncovered_share, quality.report],
)
@pytest.mark.parametrize(
    ("radius", "message"),
    [
        (None, "radius: missing; give metres"),
        (0.0, "radius: got 0.0; give finite metres above 0"),
        ([1.0, np.inf], "radius: got inf"),
        ([1.0, 1.0, 1.0], r"radius: has shape \(3,\); give one number, or one for each of 2 points"),
        ("wide", "radius: got 'wide'"),
    ],
)
def test_radii_that_cannot_be_used(measure, radius, message):
    with pytest.raises(InputError, match=message):
        measure(PAIR, BOX, radius=radius)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quality.clark_evans(PAIR, BOX, correction="edge"), "correction: got 'edge'; give 'border'"),
        (lambda: quality.clark_evans(PAIR, BOX), "points: all 2 lie nearer to an edge than"),
        (lambda: quality.largest_hole(PAIR, BOX, border=1.5), "border: got 1.5; give metres from 0 up to"),
        (lambda: quality.largest_hole(PAIR, BOX, border=1, periodic=True), "border: got 1 with periodic=True; give 0"),
        (lambda: quality.power_spectrum(PAIR, BOX, highest=0.1), "highest: got 0.1; give a finite number of at least"),
        (lambda: quality.power_spectrum(PAIR, BOX, highest=np.inf), "highest: got inf"),
        (lambda: quality.power_spectrum(PAIR, BOX, stride=0), "stride: got 0; give a whole number of at least 1"),
        (lambda: quality.pair_correlation(PAIR, BOX, reach=2, periodic=True), "reach: got 2; give .* at most 1.5"),
        (lambda: quality.pair_correlation(PAIR, BOX, bins=0), "bins: got 0; give at least 1"),
        (lambda: quality.oscillations([1, 2], [1]), r"power: has shape \(1,\), frequency \(2,\)"),
        (lambda: quality.effective_nyquist([0, 1, 3], [1, 1, 1]), "frequency: does not rise in equal steps"),
        (lambda: quality.effective_nyquist([5, 6, 7], [1, 1, 1]), "frequency: starts at 5; start at 0 or at one step"),
        (lambda: quality.power_from_correlation(report_of(0).correlation, [-1]), "frequency: has values"),
        (lambda: quality.report(PAIR, (0, 0, 0, 3), radius=1), "bounds: .* is empty"),
    ],
)
def test_other_arguments_that_cannot_be_used(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_spectrum_of_more_points_than_one_chunk():
    """Against one sum over all points: those of the second chunk stand where they stand."""
    xy = np.random.default_rng(8).uniform((500, -300), (540, -270), (4500, 2))
    spectrum = quality.power_spectrum(xy, (500, -300, 540, -270), highest=0.2)
    ny, nx = spectrum.power.shape
    spacing = math.sqrt(40 * 30 / 4500)
    for j, i in ((ny // 2 + 1, nx // 2), (ny // 2 + 2, nx // 2 + 3), (ny - 1, 0)):
        wave = (spectrum.frequency_x[i] / spacing, spectrum.frequency_y[j] / spacing)
        total = np.exp(-2j * np.pi * (xy - (500, -300)) @ wave).sum()
        assert spectrum.power[j, i] == pytest.approx(abs(total) ** 2 / 4500, abs=1e-8)
