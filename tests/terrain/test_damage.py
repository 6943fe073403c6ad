"""Damaged files of every format: each is read or refused by name, in bounded time, whatever byte is wrong."""

import json
import struct
import warnings

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.transform import Affine

from tests.terrain.test_faces import RING, glb, obj, ply
from weald.errors import WealdError
from weald.export.heightmap import write_heightmap
from weald.fields import image
from weald.geometry import Grid
from weald.scatter.asset import read_asset
from weald.terrain.mesh import MeshGround
from weald.terrain.terrain import Terrain

HEIGHTS = (100 + 20 * np.sin(np.arange(35.0))).reshape(5, 7)


def tiff(path):
    place = {"crs": "EPSG:32632", "transform": Affine(10, 0, 5e5, 0, -10, 5e6)}
    with rasterio.open(path, "w", driver="GTiff", width=7, height=5, count=1, dtype="float32", **place) as data:
        data.write(HEIGHTS.astype(np.float32), 1)


def ascii_grid(path):
    head = "ncols 7\nnrows 5\nxllcorner 500000\nyllcorner 5150000\ncellsize 10\nNODATA_value -9999\n"
    path.write_text(head + "\n".join(" ".join(f"{h:.2f}" for h in row) for row in HEIGHTS) + "\n")


def exr(path):
    openexr = pytest.importorskip("OpenEXR")
    openexr.File({"type": openexr.scanlineimage}, {"Y": HEIGHTS.astype(np.float32)}).write(str(path))


def stl(path):
    triangles = RING[[[0, 1, 2], [0, 2, 3], [0, 3, 4]]]
    path.write_bytes(bytes(80) + struct.pack("<I", 3) + b"".join(bytes(12) + t.tobytes() + b"\0\0" for t in triangles))


def codes(path):
    Image.fromarray(np.arange(35, dtype=np.uint16).reshape(5, 7)).save(path)


SOUTH = {"rows": "south-first", "spacing": 2.0}
CODES = {"low": 0.0, "high": 9.0, "spacing": 2.0}


def ground(**given):
    return lambda path: Terrain.open(path, max_samples=100_000, **given)


def picture(path):
    return image(path, (0, 0, 7, 5), max_pixels=100_000)(3, 3)


KINDS = {
    "a.tif": (tiff, ground()),
    "a.asc": (ascii_grid, ground()),
    "a.png": (codes, ground(**CODES)),
    "b.png": (lambda p: write_heightmap(p, HEIGHTS, Grid(0, 0, 5, 7, 5)), ground()),
    "a.raw": (lambda p: p.write_bytes(bytes(range(200))), ground(**CODES, rows="south-first")),
    "N46E007.hgt": (lambda p: p.write_bytes(bytes(1000)), ground(crs="utm")),
    "a.npy": (lambda p: np.save(p, HEIGHTS), ground(**SOUTH)),
    "a.npz": (lambda p: np.savez_compressed(p, HEIGHTS), ground(**SOUTH)),
    "a.exr": (exr, ground(spacing=2.0)),
    "a.glb": (lambda p: glb(p, RING, 6, np.arange(5, dtype=np.uint16)), lambda p: MeshGround.open(p).height(1, 1)),
    "b.glb": (lambda p: glb(p, RING, 5), read_asset),
    "a.gltf": (lambda p: glb(p, RING, 6), read_asset),
    "a.obj": (obj, lambda p: read_asset(p, up="z")),
    "a.ply": (lambda p: ply(p, False), lambda p: read_asset(p, up="z")),
    "b.ply": (lambda p: ply(p, True), lambda p: MeshGround.open(p, up="z").height(1, 1)),
    "a.stl": (stl, lambda p: MeshGround.open(p, up="y").height(1, 1)),
    "c.png": (codes, picture),
    "a.jpg": (lambda p: Image.fromarray(np.arange(35, dtype=np.uint8).reshape(5, 7)).save(p), picture),
    "a.tiff": (lambda p: Image.fromarray(HEIGHTS.astype(np.float32)).save(p), picture),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_file_is_read_or_refused_by_name(tmp_path, name):
    write, read = KINDS[name]
    path = tmp_path / name
    write(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(7)
    damaged = [whole[: len(whole) * k // 16] for k in range(16)]
    for _ in range(60):
        content = bytearray(whole)
        # headers decide most, so half of the bytes are there
        for at in rng.integers(0, min(len(whole), rng.choice([64, len(whole)])), rng.integers(1, 4)):
            content[at] = rng.choice([0, 255, content[at] ^ (1 << rng.integers(8)), rng.integers(256)])
        damaged.append(bytes(content))
    for content in damaged:
        path.write_bytes(content)
        refused(read, path)


def test_a_damaged_sidecar_is_told(tmp_path):
    write_heightmap(tmp_path / "a.png", HEIGHTS, Grid(0, 0, 5, 7, 5))
    (beside,) = tmp_path.glob("*.json")
    whole = json.loads(beside.read_text())
    for key in whole:
        for value in (None, "x", -1, [], {}, float("nan")):
            beside.write_text(json.dumps(whole | {key: value}))
            refused(ground(), tmp_path / "a.png")


def refused(read, path):
    """Read a file; anything but a result is an error of weald's that names the file, or what is beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read(path)
        except WealdError as error:
            assert path.stem in str(error)  # noqa: PT017
