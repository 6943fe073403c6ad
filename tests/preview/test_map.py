"""The map: its size, its order of rows, its scale, and what it refuses."""

import math

import numpy as np
import pytest
from PIL import Image

from weald.errors import InputError
from weald.geometry import Bounds, Grid
from weald.preview.ground import View, paint_ground
from weald.preview.map import draw_map, nice
from weald.preview.paint import paint, printed, swatch
from weald.scatter.placements import Placements
from weald.scatter.species import Species
from weald.terrain.terrain import Terrain

OAK = Species("Oak", "broadleaf", 20, 4.0, "#7a9440")
FIR = Species("Fir & $pine$", "conifer", 25, 2.5, "#2e5a4a")
RED = Species("Red", "bush", 1.0, 5.0, "#ff0000")


def ground(origin=(0.0, 0.0), nx=101, ny=81, spacing=10.0, function=lambda x, y: 0.1 * x):
    grid = Grid(*origin, spacing, nx, ny)
    x, y = np.meshgrid(grid.x - origin[0], grid.y - origin[1])
    return Terrain(grid, function(x, y) + 0.0 * x)


def stand(terrain, n=2000, table=(OAK, FIR), seed=0):
    rng, box = np.random.default_rng(seed), terrain.grid.bounds
    x, y = rng.uniform(box.xmin, box.xmax, n), rng.uniform(box.ymin, box.ymax, n)
    return place(terrain, x, y, rng.integers(0, max(len(table), 1), n), table)


def place(terrain, x, y, species, table):
    n = len(x)
    return Placements(
        tuple(table),
        np.arange(n, dtype=np.uint64),
        np.asarray(species, np.uint16),
        np.stack([x, y, terrain.height(x, y)], axis=1) if n else np.empty((0, 3)),
        np.tile(np.array([0, 0, 0, 1], np.float32), (n, 1)),
        np.ones(n, np.float32),
        np.ones(n, np.float32),
    )


def redness(image):
    pixels = image.astype(np.float64)
    return pixels[..., 0] - pixels[..., 1:].max(axis=-1)


@pytest.mark.parametrize("origin", [(0.0, 0.0), (500_000.0, 5_150_000.0)])
def test_a_peak_in_the_north_east_is_in_the_upper_right(origin):
    def peak(x, y):
        return 300 * np.exp(-((x - 850) ** 2 + (y - 650) ** 2) / 60**2)

    terrain = ground(origin, function=peak)
    # without shading only the tints are left, and the highest is the palest
    image, _ = paint_ground(terrain, View(terrain.grid.bounds, 500), depth=0.0)
    assert image.shape == (400, 500, 3)
    j, i = np.unravel_index(image.sum(axis=-1).argmax(), (400, 500))
    assert (i, j) == pytest.approx((425, 75), abs=1)


@pytest.mark.parametrize("origin", [(0.0, 0.0), (500_000.0, 5_150_000.0)])
def test_an_instance_is_drawn_where_it_stands_at_its_size(origin):
    terrain = ground(origin)
    x, y = origin[0] + np.array([900.0]), origin[1] + np.array([700.0])
    view = View(terrain.grid.bounds, 2000)
    red = np.argwhere(redness(paint(terrain, place(terrain, x, y, [0], [RED]), view)) > 60)
    # 100 m below the northern and 100 m left of the eastern edge, 5 m radius at 2 pixels a metre
    assert (red.mean(axis=0) + 0.5) == pytest.approx((200, 1800), abs=1)
    assert len(red) == pytest.approx(math.pi * 10**2, rel=0.1)


def test_higher_tips_hide_lower_ones():
    terrain = ground(function=lambda x, y: 0 * x)
    tall = Species("Tall", "conifer", 30, 5.0, "#0000ff")
    x = np.array([500.0, 500.0])
    for order in ([0, 1], [1, 0]):
        image = paint(terrain, place(terrain, x, x, order, [RED, tall]), View(Bounds(480, 480, 520, 520), 80))
        assert image[40, 40, 2] > 150 > image[40, 40, 0]


def test_crowns_at_the_edge_of_the_window_reach_into_it():
    terrain = ground()
    inside = View(Bounds(300, 300, 400, 400), 100)
    outside = place(terrain, np.array([298.0]), np.array([350.0]), [0], [RED])
    assert redness(paint(terrain, outside, inside))[:, :4].max() > 60


def test_ridges_show_through_the_trees():
    # a roof along the diagonal: its north-western flank lit, the other in the shade
    terrain = ground(nx=81, function=lambda x, y: -0.5 * np.abs(x - y))
    image = paint(terrain, stand(terrain, 60_000, [OAK]), View(terrain.grid.bounds, 400)).mean(axis=-1)
    # y = x runs from the lower left to the upper right
    lit, shaded = image[80:180, 80:180].mean(), image[220:320, 220:320].mean()
    assert lit > 1.25 * shaded


def test_voids_are_paper_and_dim_nothing_beside_them():
    heights = np.full((41, 41), 100.0)
    heights[:, :1] = 0.0
    whole = Terrain(Grid(0, 0, 10, 41, 41), heights)
    holed = heights.copy()
    holed[15:25, 15:25] = np.nan
    view = View(whole.grid.bounds, 400)
    before, _ = paint_ground(whole, view)
    after, _ = paint_ground(Terrain(whole.grid, holed), view)
    assert np.allclose(after[200, 200] * 255, [247, 244, 237], atol=1)
    x, y = np.meshgrid(np.arange(400), np.arange(400))
    far = np.maximum(abs(x - 195), abs(y - 205)) > 80
    assert np.allclose(before[far], after[far], atol=1e-6)
    # across the edge the colour goes from the ground's to the paper's, past no other
    across = after[200, 100:200] - before[200, 100:200]
    share = across / (after[200, 200] - before[200, 200])
    assert np.abs(share - share.mean(axis=-1, keepdims=True)).max() < 0.01
    assert share.min() > -0.01


def test_the_ground_is_shaded_from_the_north_west():
    terrain = ground(nx=81, function=lambda x, y: 80 * np.exp(-((x - 400) ** 2 + (y - 400) ** 2) / 150**2))
    image, light = paint_ground(terrain, View(terrain.grid.bounds, 400))
    for picture in (image, light):
        assert picture[150, 150].sum() > picture[20, 20].sum() * 0.9
        assert picture[150, 150].sum() > 1.2 * picture[250, 250].sum()
    # shadows are cool and lights warm
    assert light[150, 150, 0] > light[150, 150, 2]
    assert light[250, 250, 0] < light[250, 250, 2]


def test_water_covers_low_ground_only():
    terrain = ground()
    image, _ = paint_ground(terrain, View(terrain.grid.bounds, 1000), water_level=50.0)
    bluer = image[..., 2] > image[..., 0]
    assert bluer[:, :490].all()
    assert not bluer[:, 510:].any()


def longest_run(row):
    return max(len(run) for run in "".join(".#"[i] for i in row.astype(int)).split("."))


@pytest.mark.parametrize(("nx", "ny", "width"), [(101, 81, 2000), (101, 81, 900), (400, 12, 1000), (12, 400, 1000)])
def test_the_picture_has_the_width_asked_for(tmp_path, nx, ny, width):
    terrain = ground(nx=nx, ny=ny)
    draw_map(tmp_path / "a.png", terrain, stand(terrain), title="A title", width_px=width)
    with Image.open(tmp_path / "a.png") as image:
        assert image.format == "PNG"
        assert image.mode == "RGB"
        assert image.width == width
        assert image.height < 2.2 * width
    assert [p.name for p in tmp_path.iterdir()] == ["a.png"]


def test_the_scale_bar_is_true(tmp_path):
    terrain = ground()
    draw_map(tmp_path / "a.png", terrain, stand(terrain), detail=None, width_px=2000)
    with Image.open(tmp_path / "a.png") as image:
        ink = np.abs(np.asarray(image).astype(int) - [0x33, 0x37, 0x2F]).max(axis=-1) < 12
    left, right = np.flatnonzero(ink[len(ink) // 2])[[0, -1]]
    # the bar's outline is the longest run of ink below the ramp of heights
    row = max(ink[-140:, right + 5 :], key=longest_run)
    bar = longest_run(row)
    metres = bar / (right - left + 1) * 1000
    assert metres == pytest.approx(200, rel=0.01)


def test_the_same_world_gives_the_same_picture_whatever_the_order_of_instances(tmp_path):
    terrain = ground()
    trees = stand(terrain)
    draw_map(tmp_path / "a.png", terrain, trees, width_px=800)
    draw_map(tmp_path / "b.png", terrain, trees.take(np.arange(len(trees))[::-1]), width_px=800)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_detail_is_where_many_kinds_stand_close(tmp_path):
    terrain = ground(nx=301, ny=201, function=lambda x, y: 0 * x)
    rng = np.random.default_rng(0)
    spread = rng.uniform((0, 0), (3000, 2000), (3000, 2))
    # one kind stands everywhere and the densest in the west, both kinds only here
    dense, mixed = rng.normal((600, 1000), 60, (900, 2)), rng.normal((2500, 400), 60, (600, 2))
    x, y = np.concatenate([spread, dense, mixed]).T
    kinds = np.concatenate([np.zeros(3900), np.arange(600) % 2])
    draw_map(tmp_path / "a.png", terrain, place(terrain, x, y, kinds, [OAK, FIR]))
    with Image.open(tmp_path / "a.png") as image:
        accent = (np.asarray(image) == [0xB5, 0x45, 0x2F]).all(axis=-1)
    # the map starts at 56, 96 and has 1328 pixels for 3000 m
    frame = np.argwhere(accent[:, :1390]) - [96, 56]
    assert frame[:, 1].mean() * 3000 / 1328 == pytest.approx(2500, abs=250)
    assert 2000 - frame[:, 0].mean() * 3000 / 1328 == pytest.approx(400, abs=250)


def test_windows_details_and_empty_worlds(tmp_path):
    terrain = ground()
    trees = stand(terrain)
    path = tmp_path / "a.png"
    draw_map(path, terrain, trees, bounds=(100, 100, 300, 250), detail=(120, 120, 160, 160), width_px=700)
    draw_map(path, terrain, trees.take(np.zeros(len(trees), bool)), width_px=700)
    draw_map(path, terrain, stand(terrain, 0, ()), title="$\\frac$ is no formula", width_px=700)


def test_no_state_of_matplotlib_is_used_or_left(tmp_path):
    import matplotlib as mpl

    terrain = ground()
    trees = stand(terrain)
    draw_map(tmp_path / "a.png", terrain, trees, title="Title", width_px=700)
    with mpl.rc_context({"savefig.bbox": "tight", "savefig.dpi": 30, "figure.autolayout": True, "text.usetex": True}):
        before = dict(mpl.rcParams)
        draw_map(tmp_path / "b.png", terrain, trees, title="Title", width_px=700)
        assert dict(mpl.rcParams) == before
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_bad_maps_are_refused_and_leave_no_file(tmp_path):
    terrain = ground()
    trees = stand(terrain)
    for given, message in [
        ({"width_px": 10}, "width_px: got 10; give 600 to 8000"),
        ({"bounds": (5000, 0, 6000, 10)}, r"bounds: got \(5000, 0, 6000, 10\); give a box that meets"),
        ({"detail": (5000, 0, 6000, 10)}, "detail: got"),
        ({"detail": (0, 0, 10, 500)}, "give a box at most twice as tall as wide"),
        ({"detail": "here"}, r"detail: got 'here'; give \(xmin, ymin, xmax, ymax\)"),
    ]:
        with pytest.raises(InputError, match=message):
            draw_map(tmp_path / "a.png", terrain, trees, **given)
    with pytest.raises(InputError, match=r"a\.png: cannot be written \(No such file"):
        draw_map(tmp_path / "nowhere" / "a.png", terrain, trees, width_px=700)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InputError, match=r"folder\.png: cannot be written"):
        draw_map(tmp_path / "folder.png", terrain, trees, width_px=700)
    assert [p.name for p in tmp_path.iterdir()] == ["folder.png"]


def test_colors():
    assert printed(np.array([255, 0, 0], np.uint8)) == pytest.approx(
        (0.88 + 0.12 * 247 / 255, 0.12 * 244 / 255, 0.12 * 237 / 255), abs=1e-6
    )
    for color in ("green", "#12345", "#1234567", ""):
        with pytest.raises(InputError, match=f"species 'X': color is '{color}'; give '#rrggbb'"):
            Species("X", "bush", 1, 1, color)
    assert redness(swatch(RED, 4.0, 46))[23, 23] > 100


def test_round_lengths():
    assert [nice(x) for x in (1.0, 1.99, 2.0, 4.99, 5.0, 9.99, 1000, 0.3)] == [1, 1, 2, 2, 5, 5, 1000, 0.2]
    for x in np.geomspace(1e-3, 1e6, 500):
        assert x / 2.51 < nice(x) <= x * (1 + 1e-9)


def test_a_name_that_no_font_has_is_drawn_without_a_warning(tmp_path):
    """Warnings are errors here: the name of a world is the user's, whatever fonts there are."""
    terrain = ground()
    oddly = Species("樹", "bush", 1, 1, "#808080")
    draw_map(tmp_path / "a.png", terrain, stand(terrain, 50, [oddly]), width_px=700, title="森 🌲")
    assert (tmp_path / "a.png").exists()
