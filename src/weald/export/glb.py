"""A world as one GLB: the ground as a mesh, and plants as instances of shared meshes.

Plants use ``EXT_mesh_gpu_instancing``: one node for each species in each square cell, so that a viewer can leave out
cells it does not see. Positions are float32 relative to their node, nodes are placed in whole metres, and
what the world's coordinates have lost by that, the origin, is written into the file's extras.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald._version import ALGORITHM, __version__
from weald.arguments import of_kind, shown
from weald.errors import InputError
from weald.exact import lengths
from weald.export.axes import GLTF
from weald.export.files import FilePath
from weald.export.gltf import FLOAT, INDICES, UINT16, UINT32, VERTICES, Gltf
from weald.export.ground import Ground
from weald.geometry import Grid
from weald.numbers import is_number, number_in, reals
from weald.scatter.color import LIGHT
from weald.scatter.mesh import Mesh
from weald.scatter.placements import Placements
from weald.scatter.shapes import shape_mesh
from weald.scatter.species import Species

_INSTANCING: Final = "EXT_mesh_gpu_instancing"
_TINT: Final = "_COLOR_0"
"""What three.js and others multiply an instance's colours by."""
_BARE_GROUND: Final = (0.10, 0.12, 0.07, 1.0)
"""Colour of ground that has none of its own: linear light and alpha."""


def write_glb(
    path: FilePath,
    placements: Placements | None = None,
    *,
    grid: Grid | None = None,
    heights: ArrayLike | None = None,
    rimmed: ArrayLike | None = None,
    colors: ArrayLike | None = None,
    crs: str | None = None,
    origin: tuple[float, float, float] | None = None,
    cell: float = 256.0,
) -> None:
    """Write ground, plants, or both, as a binary glTF 2.0 file.

    The ground is one mesh, its cells split along the diagonal from south-west to north-east; cells that touch a void
    are left out. Each instance carries its 64-bit id as ``_ID``: four 16-bit words, the lowest first, because glTF
    has no larger integer that readers must keep exactly. Where a species' ``color_variation`` is above 0, ``_COLOR_0``
    is what an instance's colours are multiplied by, in linear light. The same instances give the same file in any
    order.

    Parameters
    ----------
    path
        Of the file; its folder must exist.
    placements
        Plants to write; None or an empty one for ground alone.
    grid, heights : Grid and array_like of shape (ny, nx)
        The ground, in metres, NaN where void; neither for plants alone.
    rimmed : array_like of shape (ny + 2, nx + 2), optional
        The heights with one more sample on each side, NaN where there is none, as `Terrain.rimmed` has them: normals
        along the edge are then those of the whole ground, so that no light shows where files meet.
    colors : array_like of uint8, shape (ny, nx, 3), optional
        Of the ground at each sample: sRGB.
    crs
        Coordinate reference system to note in the file, such as ``"EPSG:32632"``.
    origin
        Place in the world that becomes (0, 0, 0) in the file. The default is the middle of the ground, or else of
        the plants, in whole metres, at height 0. Give the same for files that are to stand side by side.
    cell
        Side of the cells that group instances, in metres. Cell (0, 0) starts at the world's (0, 0).

    Raises
    ------
    InputError
        If a parameter cannot be used, or the file cannot be written.
    """
    cell = number_in("cell", cell, "metres, from 1e-6 to 1e100", least=1e-6, most=1e100)
    if crs is not None:
        of_kind("crs", crs, str, "a text, such as 'EPSG:32632'")
    if placements is not None:
        of_kind("placements", placements, Placements, "Placements, such as Placements.concat(list(layers.values()))")
    if grid is not None:
        of_kind("grid", grid, Grid, "a Grid")
    extras = colors is not None or rimmed is not None
    if (grid is None) != (heights is None) or (extras and heights is None):
        raise InputError(
            "grid, heights, colors, rimmed: give a grid and heights together, and colors and rimmed only with both"
        )
    if placements is None and heights is None:
        raise InputError("placements, heights: both are None, so there is nothing to write; give one")

    ground = None
    if grid is not None and heights is not None:
        ground = Ground.of(
            grid, reals("heights", heights, "metres, shape (ny, nx)"), None if rimmed is None else np.asarray(rimmed)
        )
    tints = None if colors is None or grid is None else _ground_colors(colors, grid)
    if placements is not None:
        _check(placements)
    three = isinstance(origin, Sequence | np.ndarray) and len(origin) == 3 and all(map(is_number, origin))
    if origin is not None and not three:
        raise InputError(f"origin: got {shown(origin)}; give three finite numbers, x, y and z")
    place = _origin(grid, placements) if origin is None else tuple(map(float, origin))

    gltf = Gltf({"weald": _about(place, crs, cell)})
    nodes: list[int] = []
    if ground is not None and ground.triangle_count:
        nodes.append(_add_ground(gltf, ground, tints, place))
    if placements is not None and len(placements):
        nodes += _add_plants(gltf, placements, place, cell)
        # required, not only used: a reader that ignores it would show one plant a cell, in the wrong place
        gltf.json["extensionsUsed"] = gltf.json["extensionsRequired"] = [_INSTANCING]
    if nodes:
        gltf.json["scenes"][0]["nodes"] = nodes
    gltf.write(path)


def _about(origin: tuple[float, ...], crs: str | None, cell: float) -> dict[str, Any]:
    return {
        "version": __version__,
        "algorithm": ALGORITHM,
        "units": "metre",
        "origin": list(origin),
        "crs": crs,
        "axes": "world x = origin x + x, world y = origin y - z, world z = origin z + y",
        "cell": cell,
        _TINT: "of instances: multiplies the colours of their mesh, linear light",
        "_ID": "64-bit id of each instance as four 16-bit words, lowest first",
    }


def _origin(grid: Grid | None, placements: Placements | None) -> tuple[float, float, float]:
    if grid is not None:
        box = grid.bounds
        return float(round((box.xmin + box.xmax) / 2)), float(round((box.ymin + box.ymax) / 2)), 0.0
    if placements is None or not len(placements):
        return 0.0, 0.0, 0.0
    xy = placements.xyz[:, :2]
    x, y = (xy.min(axis=0) + xy.max(axis=0)) / 2
    return float(round(x)), float(round(y)), 0.0


def _check(placements: Placements) -> None:
    if not np.isfinite(placements.xyz).all():
        raise InputError("placements: some positions are not finite; nothing can stand there")
    rotation = placements.rotation
    if not (np.abs(lengths(rotation) - 1) < 1e-3).all():
        raise InputError("placements: some rotations are not of length 1; give unit quaternions x, y, z, w")
    if not (np.isfinite(placements.scale) & (placements.scale > 0)).all():
        raise InputError("placements: some scales are not above 0")


def _ground_colors(colors: ArrayLike, grid: Grid) -> NDArray[np.uint8]:
    values = np.asarray(colors)
    if values.shape != (*grid.shape, 3) or values.dtype != np.uint8:
        raise InputError(
            f"colors: {values.dtype} of shape {values.shape}; give uint8 of shape {(*grid.shape, 3)}, sRGB"
        )
    return values


def _add_ground(gltf: Gltf, ground: Ground, colors: NDArray[np.uint8] | None, origin: tuple[float, ...]) -> int:
    grid, count = ground.grid, ground.vertex_count
    x, y, _ = _origin(grid, None)
    base = x, y, origin[2]  # of its own, whole metres: the file's origin may be far away

    attributes = {
        "POSITION": gltf.positions(GLTF.vectors(ground.positions(base))),
        "NORMAL": gltf.array(count, FLOAT, "VEC3", lambda: GLTF.vectors(ground.normals()), VERTICES),
    }
    material = _matte("ground")
    if colors is None:
        material["pbrMetallicRoughness"]["baseColorFactor"] = list(_BARE_GROUND)
    else:
        attributes["COLOR_0"] = gltf.array(
            count, UINT16, "VEC4", lambda: _linear(ground.at_vertices(colors)), VERTICES, normalized=True
        )
    indices = gltf.array(
        3 * ground.triangle_count, UINT32, "SCALAR", lambda: GLTF.triangles(ground.triangles()), INDICES
    )
    primitive = {"attributes": attributes, "indices": indices, "material": gltf.add("materials", material)}
    mesh = gltf.add("meshes", {"name": "ground", "primitives": [primitive]})
    return gltf.add("nodes", {"name": "ground", "mesh": mesh, **_translation(base, origin)})


def _add_plants(gltf: Gltf, placements: Placements, origin: tuple[float, ...], cell: float) -> list[int]:
    """Add one mesh a species and one node a species and cell; return the nodes."""
    column, row = np.floor(placements.xyz[:, :2].T / cell)
    # by id within a group: the file does not depend on the order of asking
    order = np.lexsort((placements.id, column, row, placements.species))
    sorted_ = placements.take(order)
    column, row = column[order], row[order]
    change = (np.diff(sorted_.species) != 0) | (np.diff(column) != 0) | (np.diff(row) != 0)
    starts = np.concatenate([[0], np.flatnonzero(change) + 1])
    counts = np.diff(starts, append=len(sorted_))

    # a node stands at the whole metre below its lowest corner: what is left for float32 is as small as can be
    bases = np.floor(np.minimum.reduceat(sorted_.xyz, starts, axis=0))
    n = len(sorted_)
    views = {
        "TRANSLATION": (FLOAT, "VEC3", lambda: GLTF.vectors(sorted_.xyz - np.repeat(bases, counts, axis=0))),
        "ROTATION": (FLOAT, "VEC4", lambda: GLTF.quaternions(sorted_.rotation)),
        "SCALE": (FLOAT, "VEC3", lambda: np.repeat(sorted_.scale, 3).reshape(-1, 3)),
        "_ID": (UINT16, "VEC4", lambda: sorted_.id.astype("<u8").view("<u2").reshape(-1, 4)),
    }
    placed = {name: gltf.view(n, component, kind, make) for name, (component, kind, make) in views.items()}
    varied = np.array([one.color_variation > 0 for one in placements.species_table])[sorted_.species]
    tinted = sorted_.take(varied)
    tints = gltf.view(len(tinted), FLOAT, "VEC3", tinted.tints) if len(tinted) else None
    rank = np.cumsum(varied) - varied

    material = gltf.add("materials", _matte("plants"))
    meshes = _Meshes(gltf, material)
    nodes = []
    for first, count, base in zip(starts.tolist(), counts.tolist(), bases.tolist(), strict=True):
        species = placements.species_table[int(sorted_.species[first])]
        attributes = {
            name: gltf.accessor(placed[name], count, component, kind, first=first)
            for name, (component, kind, _) in views.items()
        }
        if tints is not None and varied[first]:
            attributes[_TINT] = gltf.accessor(tints, count, FLOAT, "VEC3", first=int(rank[first]))
        here = [int(column[first]), int(row[first])]
        node = {
            "name": f"{species.name} {here[0]} {here[1]}",
            "mesh": meshes.of(species),
            **_translation(base, origin),
            "extensions": {_INSTANCING: {"attributes": attributes}},
            "extras": {"species": species.name, "cell": here},
        }
        nodes.append(gltf.add("nodes", node))
    return nodes


class _Meshes:
    """The meshes of species, each once: species with one asset share it."""

    def __init__(self, gltf: Gltf, material: int) -> None:
        self._gltf, self._material = gltf, material
        self._shapes: dict[Species, int] = {}
        self._assets: dict[int, int] = {}

    def of(self, species: Species) -> int:
        """Return the place of a species' mesh, which is added if it is new."""
        if species.mesh is None:
            if species not in self._shapes:
                self._shapes[species] = _add_mesh(self._gltf, shape_mesh(species), species.name, self._material)
            return self._shapes[species]
        # the same object: a file is read once, and the species keep what was read
        mesh = species.mesh
        if id(mesh) not in self._assets:
            self._assets[id(mesh)] = _add_mesh(self._gltf, mesh, Path(str(species.asset)).stem, self._material)
        return self._assets[id(mesh)]


def _add_mesh(gltf: Gltf, mesh: Mesh, name: str, material: int) -> int:
    count = len(mesh.positions)
    attributes = {
        "POSITION": gltf.positions(GLTF.vectors(mesh.positions)),
        "NORMAL": gltf.array(count, FLOAT, "VEC3", lambda: GLTF.vectors(mesh.normals), VERTICES),
        "COLOR_0": gltf.array(count, UINT16, "VEC4", lambda: _linear(mesh.colors), VERTICES, normalized=True),
    }
    indices = gltf.array(mesh.triangles.size, UINT32, "SCALAR", lambda: GLTF.triangles(mesh.triangles), INDICES)
    primitive = {"attributes": attributes, "indices": indices, "material": material}
    return gltf.add("meshes", {"name": name, "primitives": [primitive]})


def _matte(name: str) -> dict[str, Any]:
    return {"name": name, "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0}}


def _translation(base: Any, origin: tuple[float, ...]) -> dict[str, list[float]]:
    offset = np.asarray(base, np.float64) - np.asarray(origin, np.float64)
    if not offset.any():
        return {}
    x, y, z = offset.tolist()
    return {"translation": [x, z, 0.0 - y]}


def _linear(srgb: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return sRGB, shape (n, 3) or (n, 4), as linear light and alpha, shape (n, 4), as glTF has vertex colours."""
    # 16 bits: in 8, dark greens would fall on a handful of steps
    table = np.rint(LIGHT * 65535).astype(np.uint16)
    out = np.full((len(srgb), 4), 65535, np.uint16)
    out[:, :3] = table[srgb[:, :3]]
    return out
