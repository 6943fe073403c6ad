"""The GLB in the hands of others: trimesh, and Khronos' validator where node has it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

from weald.export.glb import write_glb
from weald.geometry import Grid
from weald.scatter.placements import Placements

# prints the issues that it finds, without those that only say that it does not know the instancing extension
VALIDATE = """
require("gltf-validator").validateBytes(new Uint8Array(require("fs").readFileSync(process.argv[1])))
  .then(report => console.log(JSON.stringify(report.issues.messages)))
"""


def write(path: Path, plants: Callable[..., Placements]) -> Grid:
    rng = np.random.default_rng(3)
    grid = Grid(500_000, 5_150_000, 10, 41, 31)
    heights = rng.uniform(0, 2, grid.shape)
    heights[26, 35] = 90.0
    heights[3:5, 2] = np.nan
    colors = rng.integers(0, 256, (*grid.shape, 3), np.uint8)
    xyz = rng.uniform([500_000, 5_150_000, 0], [500_400, 5_150_300, 9], (60, 3))
    write_glb(path, plants(xyz, rng.integers(0, 3, 60)), grid=grid, heights=heights, colors=colors)
    return grid


def test_trimesh_finds_the_peak_in_the_north_east(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    grid = write(tmp_path / "w.glb", plants)
    scene = trimesh.load_scene(tmp_path / "w.glb")
    ground = scene.geometry["ground"]
    x, y, z = ground.vertices[ground.vertices[:, 1].argmax()]
    middle = np.array([grid.x.mean(), grid.y.mean()])
    assert (x, y, z) == pytest.approx((grid.x[35] - middle[0], 90, middle[1] - grid.y[26]))
    assert x > 0 > z
    # facing up, by winding: trimesh computes these itself
    assert (ground.face_normals[:, 1] > 0).all()
    assert len(ground.faces) == 2 * (40 * 30 - 6)
    assert {"spruce", "oak", "hazel"} < set(scene.geometry)
    for name in ("spruce", "oak", "hazel"):
        assert scene.geometry[name].volume > 0


def test_khronos_validator_finds_no_fault(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    node = shutil.which("node")
    found = (
        node and subprocess.run([node, "-e", "require.resolve('gltf-validator')"], capture_output=True).returncode == 0
    )
    if not found:
        pytest.skip("needs node and, in node_modules or NODE_PATH, the npm package gltf-validator")
    write(tmp_path / "w.glb", plants)
    ran = subprocess.run([node, "-e", VALIDATE, tmp_path / "w.glb"], capture_output=True, text=True, check=True)
    issues = json.loads(ran.stdout)
    # what only an extension points to looks unused to a validator that does not know the extension
    unknown = {"UNSUPPORTED_EXTENSION", "UNUSED_OBJECT"}
    assert [issue for issue in issues if issue["severity"] < 2 or issue["code"] not in unknown] == []
    assert any(issue["code"] == "UNSUPPORTED_EXTENSION" for issue in issues)
