"""The lines of Python on the pages about the ground and its country must run, and the links of all lead somewhere."""

import re
from pathlib import Path

import numpy as np
import pytest

import weald
from weald.fields import Field
from weald.geometry import Grid

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="tests run outside a checkout")

FEW = {"noise": 1, "terrain": 4, "water": 3, "biomes": 3, "caves": 4}
"""Blocks that each page has at least."""

SMALLER = {
    "water": [("(0, 0, 9000, 9000)", "(0, 0, 450, 450)"), ("ground = jacksboro()", "ground = part(jacksboro())")],
}
"""What would take seconds, and the same for a part."""


@pytest.mark.parametrize("page", FEW)
def test_the_lines_on_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page == "terrain":
        write_files(tmp_path)
    if page == "water":
        np.save("dem.npy", np.arange(40.0).reshape(5, 8))
    moisture = weald.perlin("moisture", 1 / 60).fbm(octaves=3).remap([(-0.5, 0), (0.5, 1)])
    grid = Grid(0.5, 0.5, 1, 40, 30)
    scope = {
        "weald": weald,
        "np": np,
        "grid": grid,
        "heights": moisture.sample(grid) * 30 + 280 if page == "terrain" else np.arange(5.0),
        "moisture": moisture,
        "hills": moisture * 20,
        "ground": moisture * 9,
        "slope": moisture * 60,
        "x": 3.0,
        "y": 4.0,
        "part": lambda ground: ground.crop((9000, 9000, 15000, 14000)),
    }
    text = (DOCS / f"{page}.md").read_text("utf-8")
    for whole, part in SMALLER.get(page, ()):
        assert whole in text
        text = text.replace(whole, part)
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= FEW[page]
    for block in blocks:
        exec(block, scope)


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_the_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)]+)\)", (DOCS / page).read_text("utf-8")):
        if not link.startswith("https://"):
            name, _, heading = link.partition("#")
            target = DOCS / (name or page)
            assert target.exists(), link
            assert not heading or heading in headings(target.read_text("utf-8")), link


def headings(text):
    """Return the names by which links know the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    return [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


def write_files(folder):
    """Write the files that the page about real ground opens, as small as they may be."""
    rasterio = pytest.importorskip("rasterio")
    trimesh = pytest.importorskip("trimesh")
    from weald.export.heightmap import write_heightmap

    heights = np.arange(30, dtype=np.float32).reshape(5, 6)
    tif = {"driver": "GTiff", "height": 5, "width": 6, "count": 1, "dtype": "float32", "crs": "EPSG:32632"}
    with rasterio.open(folder / "dem.tif", "w", transform=rasterio.Affine(9, 0, 5e5, 0, -9, 5.1e6), **tif) as file:
        file.write(heights, 1)
    np.zeros((1201, 1201), ">i2").tofile(folder / "N46E007.hgt")
    np.arange(16, dtype="<u2").tofile(folder / "unity.raw")
    (folder / "out").mkdir()
    terrain = weald.Terrain.from_field(Field.of(lambda x, y: x + y), Grid(0, 0, 2, 6, 5))
    write_heightmap(folder / "out" / "heightmap.png", terrain.heights, terrain.grid)
    box = trimesh.creation.box((9.0, 5.0, 9.0))
    trimesh.Scene(box).export(folder / "cave.glb")
    scene = trimesh.Scene()
    scene.add_geometry(box, node_name="ground", geom_name="ground")
    (folder / "cliff.obj").write_text(trimesh.exchange.obj.export_obj(scene))
