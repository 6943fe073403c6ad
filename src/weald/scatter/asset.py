"""Assets: meshes made by others, read from a file into what the built-in shapes are made of, too."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from weald.arguments import path_of
from weald.errors import InputError
from weald.exact import lengths, transformed
from weald.files import readable_file
from weald.scatter.color import LIGHT, codes, to_srgb
from weald.scatter.mesh import Mesh
from weald.terrain.scene import GLTF_SUFFIXES, finest_nodes, has_instances, load_scene

MOST_TRIANGLES = 1_000_000
"""Most triangles of one asset: it stands thousands of times in a scene."""
PLAIN = "#cccccc"
"""Colour of what has none of its own, in the file or given."""
_OPAQUE = 128
"""The least alpha at which the colour of a pixel counts."""

UpAxis = Literal["y", "z"]
_Array = NDArray[np.float64]


def read_asset(path: str | Path, up: UpAxis | None = None, color: str = PLAIN) -> Mesh:
    """Read a mesh from a GLB, glTF, OBJ or PLY file, once for each state of the file.

    All nodes are joined, each where the file's scene puts it; of levels of detail (``_LOD0``, ``_LOD1`` ...) the
    finest alone, with a warning. Sizes are the file's, and its origin is the foot. Colours are vertex colours times
    the base colour; of a texture each corner takes the colour that it has there, or where the texture is transparent,
    as at the corners of leaf cards, the mean of what is opaque in its triangles. Triangles without area are left out.

    Parameters
    ----------
    path
        Of the file.
    up
        The axis that points up. ``"y"``: (x, y, z) of the file is (x, -z, y) of weald, as in glTF, where it is so
        unless said otherwise. ``"z"``: the file's axes are weald's. Other files must say.
    color
        Of corners that have none in the file, ``"#rrggbb"``.

    Raises
    ------
    InputError
        If the file, or one that it needs, is missing, damaged, compressed, too large, without triangles, or has
        coordinates that are not finite.
    MissingExtraError
        If trimesh is not installed.
    """
    file = path_of("asset", path)
    if up is not None and not (isinstance(up, str) and up in ("y", "z")):
        raise InputError(f"{file}: up is {up!r}; give 'y' or 'z'")
    if up is None and file.suffix.lower() not in GLTF_SUFFIXES:
        raise InputError(f"{file}: does not say which axis points up; give asset_up, 'y' or 'z'")
    state = readable_file(file).stat()
    version = file.absolute(), up or "y", state.st_mtime_ns, state.st_size
    mesh, plain = _read(*version)
    return _painted(color, *version) if plain.any() else mesh


@lru_cache(maxsize=256)
def _painted(color: str, file: Path, up: UpAxis, changed: int, size: int) -> Mesh:
    mesh, plain = _read(file, up, changed, size)
    colors = mesh.colors.copy()
    colors[plain, :3] = codes(color)
    colors.setflags(write=False)
    return replace(mesh, colors=colors)


@lru_cache(maxsize=256)
def _read(file: Path, up: UpAxis, _changed: int, _size: int) -> tuple[Mesh, NDArray[np.bool_]]:
    """Return a file's mesh, and which of its corners have no colour."""
    scene = load_scene(file)
    if has_instances(file):
        raise InputError(f"{file}: holds instances of meshes; give a file with one thing")
    parts = _parts(scene, linear=file.suffix.lower() in GLTF_SUFFIXES, name=str(file))
    count = sum(len(triangles) for *_, triangles in parts)
    if not count:
        raise InputError(f"{file}: holds no triangles; give a mesh with faces")
    if count > MOST_TRIANGLES:
        raise InputError(f"{file}: has {count:,} triangles, and {MOST_TRIANGLES:,} are the most; give a simpler mesh")
    starts = np.cumsum([0, *(len(positions) for positions, *_ in parts[:-1])])
    positions, normals, light = (np.concatenate([part[k] for part in parts]) for k in range(3))
    triangles = np.concatenate([part[3] + start for part, start in zip(parts, starts, strict=True)])
    if up == "y":
        positions, normals = (np.column_stack([v[:, 0], 0.0 - v[:, 2], v[:, 1]]) for v in (positions, normals))
    mesh, used = _mesh(positions, normals, light, triangles, str(file))
    return mesh, np.isnan(light[used, 0])


def _parts(scene: Any, linear: bool, name: str) -> list[tuple[_Array, _Array, _Array, NDArray[np.int64]]]:
    """Return positions, normals, light and triangles of each node, where the scene puts it."""
    parts = []
    for node in finest_nodes(scene, name):
        matrix, geometry = scene.graph[node]
        part = scene.geometry[geometry]
        if not hasattr(part, "faces"):  # points or lines
            continue
        corners, turn = np.asarray(part.vertices, np.float64), np.asarray(matrix, np.float64)[:3, :3]
        triangles = np.asarray(part.faces, np.int64)
        if len(triangles) and not 0 <= triangles.min() <= triangles.max() < len(corners):
            raise InputError(f"{name}: its triangles name corners that it does not have; it is damaged")
        light = _light(part.visual, triangles, len(corners), linear)
        if "vertex_normals" in part._cache:  # the file's own: asking for them would make some
            normals = np.asarray(part.vertex_normals, np.float64)
        else:  # facets, as glTF has it: each triangle with corners of its own
            corners, light = corners[triangles].reshape(-1, 3), light[triangles].reshape(-1, 3)
            triangles = np.arange(len(corners), dtype=np.int64).reshape(-1, 3)
            normals = np.zeros_like(corners)
        # the cofactors keep normals upright on a surface that is stretched, or flattened
        cofactors = np.cross(np.roll(turn, -1, axis=0), np.roll(turn, -2, axis=0))
        normals = transformed(normals, cofactors)
        if turn[0, 0] * cofactors[0, 0] + turn[0, 1] * cofactors[0, 1] + turn[0, 2] * cofactors[0, 2] < 0:  # mirrored
            triangles, normals = triangles[:, ::-1], -normals
        with np.errstate(
            invalid="ignore", over="ignore"
        ):  # corners that are not finite are refused once they are joined
            placed = transformed(corners, np.asarray(matrix)[:3])
        parts.append((placed, normals, light, triangles))
    return parts


def _mesh(
    positions: _Array, normals: _Array, light: _Array, triangles: NDArray[np.int64], name: str
) -> tuple[Mesh, NDArray[np.int64]]:
    """Return the mesh of what has an area, and which of the corners it has kept."""
    used = np.unique(triangles)
    with np.errstate(over="ignore"):
        places = positions.astype(np.float32)
    if not np.isfinite(places[used]).all():
        raise InputError(f"{name}: some coordinates are not finite, or beyond float32; export it again")
    a, b, c = (places[triangles[:, k]].astype(np.float64) for k in range(3))
    across = np.cross(b - a, c - a)
    real = across.any(axis=1)
    if not real.any():
        raise InputError(f"{name}: none of its {len(triangles):,} triangles has an area; export it again")
    triangles, across = triangles[real], across[real]
    used, renumbered = np.unique(triangles, return_inverse=True)

    # what has no usable normal gets that of its triangles
    length = lengths(normals)
    bad = ~(np.isfinite(length) & (length > 0))
    normals[bad] = 0
    for k in range(3):
        mine = bad[triangles[:, k]]
        np.add.at(normals, triangles[mine, k], np.where(mine[:, None], across, 0)[mine])
    mesh = Mesh(
        np.ascontiguousarray(places[used]),
        _unit(normals[used]).astype(np.float32),
        np.column_stack([to_srgb(light[used]), np.full(len(used), 255, np.uint8)]),
        renumbered.reshape(-1, 3).astype(np.uint32),
    )
    for array in (mesh.positions, mesh.normals, mesh.colors, mesh.triangles):
        array.setflags(write=False)  # it is shared
    return mesh, used


def _unit(vectors: _Array) -> _Array:
    length = lengths(vectors)[:, None]
    up = np.array([0.0, 0.0, 1.0])
    return np.where(length > 0, vectors / np.where(length > 0, length, 1), up)


def _light(visual: Any, triangles: NDArray[np.int64], count: int, linear: bool) -> _Array:
    """Return the colours of a part's corners in linear light, shape (n, 3); NaN where it has none."""
    if visual.kind != "texture":
        if visual.kind is None:
            return np.full((count, 3), np.nan)
        return _as_light(np.asarray(visual.vertex_colors), linear)
    material = visual.material
    factor = getattr(material, "baseColorFactor", None) if linear else getattr(material, "diffuse", None)
    light = np.ones((count, 3)) if factor is None else np.tile(_as_light(np.asarray(factor)[None], linear), (count, 1))
    image = getattr(material, "baseColorTexture" if linear else "image", None)
    if image is not None and visual.uv is not None:
        light = (light if linear else 1.0) * _at_uv(np.asarray(visual.uv, np.float64), image, triangles)
    painted = visual.vertex_attributes.get("color")
    if painted is not None:
        light *= _as_light(np.asarray(painted), linear)
    return light


def _as_light(colors: NDArray[Any], linear: bool) -> _Array:
    """Return colours, whole codes or shares of 1, as linear light, shape (n, 3)."""
    rgb = colors[:, :3]
    if rgb.dtype.kind == "u":
        light: _Array = LIGHT[rgb] if not linear and rgb.dtype == np.uint8 else rgb / float(np.iinfo(rgb.dtype).max)
        return light
    rgb = np.clip(np.nan_to_num(rgb.astype(np.float64)), 0, 1)
    return rgb if linear else LIGHT[np.rint(255 * rgb).astype(np.intp)]


def _at_uv(uv: _Array, image: Any, triangles: NDArray[np.int64]) -> _Array:
    """Return the light at places of an image, which repeats; (0, 0) is its lower left corner.

    Where the image is more transparent than not, its colour means nothing: there it is the mean of the box around the
    triangles that meet, weighted by alpha.
    """
    rgba = np.asarray(image.convert("RGBA"))
    uv = np.nan_to_num(uv)
    at = _pixels(uv % 1.0, rgba.shape)
    light: _Array = LIGHT[rgba[at][:, :3]]
    hidden = rgba[at][:, 3] < _OPAQUE
    if not hidden.any():
        return light
    low, high = uv.copy(), uv.copy()
    for k in range(3):
        for other in range(3):
            np.minimum.at(low, triangles[:, k], uv[triangles[:, other]])
            np.maximum.at(high, triangles[:, k], uv[triangles[:, other]])
    # a box over the edge of an image that repeats is about all of it
    over = (np.floor(low) != np.floor(high)) & (high != np.floor(low) + 1)
    high = np.where(over, 1.0, high - np.floor(low))
    low = np.where(over, 0.0, low - np.floor(low))
    # (i, j) of the lower left and of the upper right; rows of an image run down
    (j1, i0), (j0, i1) = (_pixels(corner[hidden], rgba.shape) for corner in (low, high))
    means = _weighted_means(rgba, i0, j0, i1 + 1, j1 + 1)
    everywhere = _weighted_means(rgba, *(np.array([v]) for v in (0, 0, rgba.shape[1], rgba.shape[0])))
    light[hidden] = np.where(np.isnan(means), np.where(np.isnan(everywhere), light[hidden], everywhere), means)
    return light


def _pixels(uv: _Array, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return row and column of places from 0 to 1."""
    rows, columns = shape[:2]
    j = np.clip(((1 - uv[:, 1]) * rows).astype(np.intp), 0, rows - 1)
    i = np.clip((uv[:, 0] * columns).astype(np.intp), 0, columns - 1)
    return j, i


def _weighted_means(
    rgba: NDArray[np.uint8],
    i0: NDArray[np.intp],
    j0: NDArray[np.intp],
    i1: NDArray[np.intp],
    j1: NDArray[np.intp],
) -> _Array:
    """Return the mean light of boxes of pixels, weighted by alpha; NaN where all is transparent."""
    alpha = rgba[..., 3:].astype(np.float64)
    sums = np.concatenate([LIGHT[rgba[..., :3]] * alpha, alpha], axis=2).cumsum(axis=0).cumsum(axis=1)
    sums = np.pad(sums, ((1, 0), (1, 0), (0, 0)))
    total = sums[j1, i1] - sums[j0, i1] - sums[j1, i0] + sums[j0, i0]
    weight = total[:, 3:]
    some = weight > 0.5  # of one code: less is rounding
    means: _Array = np.where(some, total[:, :3] / np.where(some, weight, 1.0), np.nan)
    return means
