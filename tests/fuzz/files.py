"""Files of every format that is read, damaged: ground, meshes, images, polygons, edits, specs, sidecars."""

import functools
import json
import shutil
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import tomli_w
import trimesh
from PIL import Image

import weald
from tests.fuzz.damage import damaged, resealed
from tests.fuzz.hostile import changed
from tests.fuzz.rule import Rule
from weald.export.heightmap import read_heightmap, write_heightmap
from weald.fields import image
from weald.scatter.asset import read_asset
from weald.world.edits import load_edits

_HEIGHTS = np.add.outer(np.arange(5.0), np.arange(6.0))
_ARRAY = {"spacing": 4, "rows": "south-first"}
_EDITS = {
    "edit": [
        {"do": "remove", "layer": "trees", "id": "00000000000000ff", "at": [1.0, 2.0]},
        {"do": "add", "layer": "trees", "name": "old one", "species": "oak", "at": [5.0, 6.0], "scale": 1.5},
    ]
}
_GEOJSON = {
    "type": "FeatureCollection",
    "features": [
        {"type": "Feature", "properties": {}, "geometry": {
            "type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 8], [0, 0]], [[2, 1], [3, 1], [3, 2], [2, 1]]]}},
        {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [3, 4]]}},
    ],
}  # fmt: skip
_SPEC = b"""weald = 1
seed = "a"
[ground]
formula = "x / 9"
spacing = 4
window = [0, 0, 20, 20]
[species.oak]
shape = "broadleaf"
height = 9
crown_radius = 2
color = "#446633"
[[layer]]
name = "trees"
species = "oak"
radius = 4
"""

Use = Callable[[Path], object]
_IMAGE: Use = lambda path: image(path, (0, 0, 9, 9), channel="red")([1.0, 2.0], 3.0)  # noqa: E731
_USES: dict[str, tuple[Use, ...]] = {
    "a.npy": (lambda path: weald.Terrain.open(path, **_ARRAY),),
    "a.npz": (lambda path: weald.Terrain.open(path, **_ARRAY),),
    "a.raw": (lambda path: weald.Terrain.open(path, size=(6, 5), low=0, high=9, **_ARRAY),),
    "a.asc": (weald.Terrain.open,),
    "a.tif": (weald.Terrain.open, _IMAGE),
    "N45E006.hgt": (lambda path: weald.Terrain.open(path, crs="utm", window=(3e5, 4.99e6, 3.01e5, 4.991e6)),),
    "a.png": (lambda path: weald.Terrain.open(path, spacing=4, low=0, high=9), _IMAGE, read_heightmap),
    "a.json": (lambda path: read_heightmap(path.with_name("a.png")),),
    "c.png": (_IMAGE,),
    "c.jpg": (_IMAGE,),
    "a.exr": (lambda path: weald.Terrain.open(path, spacing=4),),
    "m.glb": (read_asset, lambda path: weald.Terrain.open(path, spacing=0.5)),
    "m.gltf": (read_asset, lambda path: weald.Terrain.open(path, spacing=0.5)),
    "m.obj": (lambda path: read_asset(path, "z"), lambda path: weald.Terrain.open(path, spacing=0.5, up="z")),
    "m.ply": (lambda path: read_asset(path, "z"), lambda path: weald.Terrain.open(path, spacing=0.5, up="z")),
    "m.stl": (lambda path: read_asset(path, "z"), lambda path: weald.Terrain.open(path, spacing=0.5, up="z")),
    "edits.toml": (load_edits,),
    "spec.toml": (lambda path: weald.World.load(path).check(),),
}
"""What is done with each kind of file."""


@functools.cache
def _sound() -> dict[str, bytes]:
    """Return a small file of each kind that can be written here."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        grid = weald.Grid(0, 0, 4, 6, 5)
        write_heightmap(folder / "a.png", _HEIGHTS, grid)
        np.save(folder / "a.npy", _HEIGHTS)
        np.savez(folder / "a.npz", heights=_HEIGHTS)
        (folder / "a.raw").write_bytes(_HEIGHTS.astype("<u2").tobytes())
        rows = "\n".join(" ".join(map(str, row)) for row in _HEIGHTS.tolist())
        (folder / "a.asc").write_text(f"ncols 6\nnrows 5\nxllcorner 3e5\nyllcorner 5e6\ncellsize 4\n{rows}\n")
        _write_geotiff(folder / "a.tif")
        colors = Image.fromarray(np.arange(90, dtype=np.uint8).reshape(5, 6, 3))
        colors.save(folder / "c.png")
        colors.save(folder / "c.jpg")
        (folder / "N45E006.hgt").write_bytes(struct.pack(">h", 300) * 1201**2)
        box = trimesh.creation.box((1, 2, 3))
        for kind in ("glb", "obj", "ply", "stl"):
            box.export(folder / f"m.{kind}")
        parts = trimesh.exchange.gltf.export_gltf(trimesh.Scene(box), embed_buffers=True)
        (folder / "m.gltf").write_bytes(parts["model.gltf"])
        (folder / "edits.toml").write_text(tomli_w.dumps(_EDITS))
        (folder / "spec.toml").write_bytes(_SPEC)
        try:
            import OpenEXR
        except ImportError:
            pass
        else:
            channels = {"Y": _HEIGHTS.astype(np.float32)}
            OpenEXR.File({"type": OpenEXR.scanlineimage}, channels).write(str(folder / "a.exr"))
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _write_geotiff(path: Path) -> None:
    import rasterio

    place = rasterio.Affine(4, 0, 3e5, 0, -4, 5e6)
    kind = {"driver": "GTiff", "width": 6, "height": 5, "count": 1, "dtype": "float32"}
    with rasterio.open(path, "w", crs="EPSG:32632", transform=place, **kind) as file:
        file.write(_HEIGHTS.astype(np.float32), 1)


def _make(random: Random) -> tuple[str, int, Any]:
    """Return the name of a file, which use is made of it, and what is in it."""
    kinds = [name for name in _sound() if name != "N45E006.hgt" or random.random() < 0.05]
    name = random.choice([*kinds, "geojson"])
    if name == "geojson":
        content: Any = _GEOJSON
        for _ in range(random.choice((1, 1, 2, 3))):
            content = changed(random, content)
        return name, random.randrange(2), content
    content = damaged(random, _sound()[name])
    if name.endswith(".png") and random.random() < 0.7:
        content = resealed(content)
    if name in ("a.json", "m.gltf") and random.random() < 0.5:
        content = json.dumps(changed(random, json.loads(_sound()[name]))).encode()
    return name, random.randrange(len(_USES[name])), content


def _run(case: tuple[str, int, Any]) -> None:
    name, use, content = case
    if name == "geojson":
        field = weald.inside(content) if use else weald.distance_to(content)
        field([1.0, 2.0], 3.0)
        return
    folder = Path("files")
    try:
        folder.mkdir(exist_ok=True)
        for beside in ("a.png", "a.json"):
            if name in ("a.png", "a.json"):
                (folder / beside).write_bytes(_sound()[beside])
        (folder / name).write_bytes(content)
        _USES[name][use](folder / name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


FILES = Rule("files", _make, _run, quick=500, share=3)
