"""Ground of any shape: a triangle mesh, met by rays straight down."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError, nearest
from weald.exact import arctangent_deg, doublings, length, lengths, mean_of, transformed
from weald.geometry import Bounds, Grid
from weald.numbers import metres, places, reals
from weald.terrain import rays
from weald.terrain.formats.sheet import UpAxis
from weald.terrain.scene import GLTF_SUFFIXES, finest_nodes, load_scene
from weald.terrain.terrain import MOST_SAMPLES, Terrain

if TYPE_CHECKING:
    from trimesh import Scene, Trimesh

Array = NDArray[np.float64]

_SAME_SURFACE = 1e-9
"""Heights closer than this share of the largest one are one surface, met on an edge that triangles share."""


class MeshGround:
    """Ground given by triangles, which may overhang, and lie above each other.

    A ray comes straight down at each place. Edges and corners belong to their triangles: no ray passes through
    a seam (see `weald.terrain.rays`). Upright triangles are not met. `height` and `slope_deg` can be measured by
    rules as those of a `Terrain` can, and where they are NaN nothing is placed.

    Parameters
    ----------
    vertices : array_like, shape (n, 3)
        x east, y north, z up, in metres.
    faces : array_like of int, shape (m, 3)
        Corners of each triangle, wound either way.

    Raises
    ------
    InputError
        If shapes or corner numbers are wrong, a coordinate is not finite, or no triangle has an area on the map.

    Examples
    --------
    A roof over level ground:

    >>> corners = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0], [0, 0, 3], [4, 0, 3], [4, 9, 3], [0, 9, 3]]
    >>> ground = MeshGround(corners, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    >>> ground.height([2, 6, 20], 5), ground.hits(2, 5)
    (array([ 3.,  0., nan]), array([3., 0.]))
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike) -> None:
        corners, triangles = _checked(vertices, faces)
        low, high = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
        size = float((high - low).max())
        if size == 0:
            raise InputError("vertices: all lie above one place; a mesh seen from above has no area")
        self.vertices, self.faces = corners, triangles
        self._z = np.ascontiguousarray(corners[:, 2])
        self._scale = rays.STEPS / size
        self._points = self._whole(corners[:, 0] - low[0], corners[:, 1] - low[1])
        if not self._areas().any():
            raise InputError("faces: none has an area seen from above; check which axis is up")
        self._extent = self._points.max(axis=0)
        self.bounds = Bounds(*low, *np.maximum(high, low + size / rays.STEPS))
        self._shift = self._cell_shift()
        nx, ny = ((int(most) >> self._shift) + 1 for most in self._extent)
        self._columns, self._starts = nx, np.zeros(nx * ny + 1, np.int64)
        self._members = rays.fill_cells(self._points, triangles, self._shift, nx, self._starts)
        self._most = int(np.diff(self._starts).max())

    def __repr__(self) -> str:
        low, high = self.vertices[:, 2].min(), self.vertices[:, 2].max()
        return f"MeshGround({len(self.faces):,} triangles in {self.bounds!r}, {low:.6g} to {high:.6g} m)"

    @classmethod
    def open(
        cls,
        mesh: str | PathLike[str] | Trimesh | Scene,
        *,
        up: UpAxis | None = None,
        node: str | None = None,
        origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> MeshGround:
        """Read ground from a GLB, glTF, OBJ, PLY or STL file, or from what trimesh has read.

        Parameters
        ----------
        mesh
            A path, or a `trimesh.Trimesh` or `trimesh.Scene`.
        up
            The axis that points up. ``"y"``: (x, y, z) of the file is (x, z, -y) of weald, as in glTF, where it is
            so unless said otherwise. ``"z"``: the file's axes are weald's. Other files must say.
        node
            Only the nodes, or the meshes, of this name: the "ground" of a scene that holds more.
        origin
            Where the file's (0, 0, 0) lies, in weald's axes: files in float32 are best kept near theirs.

        Raises
        ------
        InputError
            If the file is missing, damaged or no mesh, or ``up`` or ``node`` do not fit.
        MissingExtraError
            If trimesh is needed and not installed.
        """
        name = "mesh" if not isinstance(mesh, str | PathLike) else str(mesh)
        if up is not None and not (isinstance(up, str) and up in ("y", "z")):
            raise InputError(f"up: got {up!r}; give 'y' or 'z'")
        if isinstance(mesh, str | PathLike):
            up = up or ("y" if Path(mesh).suffix.lower() in GLTF_SUFFIXES else None)
            mesh = load_scene(Path(mesh))
        if up is None:
            raise InputError(f"{name}: up is not given; say which axis points up, 'y' or 'z'")
        vertices, faces = _triangles(mesh, name, node)
        if up == "y":
            vertices = np.stack([vertices[:, 0], -vertices[:, 2], vertices[:, 1]], axis=-1)
        try:
            return cls(vertices + np.asarray(origin, np.float64), faces)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None

    def height(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the height of the first hit from above, in metres; NaN where the ray misses.

        Parameters
        ----------
        x, y : array_like, shape (...)
            Places, in metres; any two arrays that broadcast.
        """
        return self._first(x, y)[0]

    def normal(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the upward unit normal of the triangle that is hit first, shape ``(..., 3)``; NaN on a miss."""
        hit = self._first(x, y)[1]
        a, b, c = (self.vertices[self.faces[hit, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        normal /= lengths(normal)[..., None] * np.where(normal[..., 2:] < 0, -1.0, 1.0)
        normal[hit < 0] = np.nan
        return normal

    def slope_deg(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the steepness of the triangle that is hit first, in degrees from 0 to 90; NaN on a miss."""
        normal = self.normal(x, y)
        slope: Array = arctangent_deg(length(normal[..., 0], normal[..., 1]), normal[..., 2])
        return slope[()]

    def hits(self, x: ArrayLike, y: ArrayLike) -> Array:
        """Return the heights of all hits, from the highest down.

        Returns
        -------
        ndarray of float64, shape (..., most)
            ``most`` is the largest number of hits at any of the places; those with fewer end in NaN. A seam is one hit.
        """
        east, north, shape = self._places(x, y)
        buffer, found = np.empty(max(self._most, 1)), []
        same = _SAME_SURFACE * float(np.abs(self.vertices[:, 2]).max())
        for i, j in zip(east, north, strict=True):
            count = rays.every_hit(i, j, buffer, *self._mesh)
            down = np.sort(buffer[:count])[::-1]
            found.append(down[np.diff(down, prepend=math.inf) < -same])
        most = max(map(len, found), default=0)
        out = np.full((len(found), most), np.nan)
        for row, heights in zip(out, found, strict=True):
            row[: len(heights)] = heights
        return out.reshape(*shape, most)

    def terrain(self, spacing: float) -> Terrain:
        """Return the first hits on a grid that starts at the south-western corner of the mesh's box."""
        spacing = metres("spacing", spacing)
        width, depth = self.bounds.size
        nx, ny = (math.floor(length / spacing + 1e-9) + 1 for length in (width, depth))
        if min(nx, ny) < 2:
            raise InputError(f"spacing: {spacing:g} m is more than the mesh has, {width:g} x {depth:g} m; give less")
        if nx * ny > MOST_SAMPLES:
            raise InputError(f"spacing: {spacing} m gives {nx} x {ny} samples, more than {MOST_SAMPLES:,}; give more")
        grid = Grid(self.bounds.xmin, self.bounds.ymin, spacing, nx, ny)
        # a whole number of steps may round to just beyond the box
        x, y = np.minimum(grid.x, self.bounds.xmax), np.minimum(grid.y, self.bounds.ymax)
        return Terrain(grid, self.height(x, y[:, None]))

    @property
    def _mesh(self) -> tuple[Any, ...]:
        return (
            self._points,
            self._z,
            self.faces,
            self._starts,
            self._members,
            self._shift,
            self._columns,
        )

    def _first(self, x: ArrayLike, y: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
        east, north, shape = self._places(x, y)
        heights, hit = np.empty(east.size), np.empty(east.size, np.int64)
        # cell by cell, so that triangles are still at hand for the next ray
        order = np.argsort((north >> self._shift) * self._columns + (east >> self._shift), kind="stable")
        found, number = np.empty(east.size), np.empty(east.size, np.int64)
        rays.first_hits(east[order], north[order], found, number, *self._mesh)
        heights[order], hit[order] = found, number
        return heights.reshape(shape)[()], hit.reshape(shape)

    def _places(self, x: ArrayLike, y: ArrayLike) -> tuple[Any, Any, tuple[int, ...]]:
        """Return places as whole steps, -1 where outside of the box, and the shape they broadcast to."""
        east, north = places(x=x, y=y)
        box = self.bounds
        inside = (east >= box.xmin) & (east <= box.xmax) & (north >= box.ymin) & (north <= box.ymax)
        steps = self._whole(np.where(inside, east - box.xmin, 0), np.where(inside, north - box.ymin, 0))
        steps = np.where(inside[..., None], np.minimum(steps, self._extent), -1)
        flat = steps.reshape(-1, 2)
        return np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1]), east.shape

    def _whole(self, x: Array, y: Array) -> NDArray[np.int64]:
        return np.rint(np.stack([x, y], axis=-1) * self._scale).astype(np.int64)

    def _areas(self) -> NDArray[np.bool_]:
        """Return which triangles have an area on the map."""
        a, b, c = (self._points[self.faces[:, k]] for k in range(3))
        area: NDArray[np.bool_] = (b - a)[:, 0] * (c - a)[:, 1] != (b - a)[:, 1] * (c - a)[:, 0]
        return area

    def _cell_shift(self) -> int:
        """Return the power of two of a cell's side: about a cell a triangle, and no smaller than most triangles."""
        width, depth = (float(extent) + 1 for extent in self._extent)
        corners = self._points[self.faces]
        boxes = np.prod(np.ptp(corners, axis=1).astype(np.float64) + 1, axis=-1)
        side = math.sqrt(max(width * depth / len(self.faces), mean_of(boxes)))
        return max(doublings(side), 0)


def _checked(vertices: ArrayLike, faces: ArrayLike) -> tuple[Array, NDArray[np.int64]]:
    corners = np.ascontiguousarray(reals("vertices", vertices, "numbers, (n, 3), in metres"))
    try:
        triangles = np.asarray(faces)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"faces: got {type(faces).__name__}; give whole numbers, (m, 3)") from None
    if corners.ndim != 2 or corners.shape[1] != 3 or not len(corners):
        raise InputError(f"vertices: shape is {corners.shape}; give (n, 3), x east, y north and z up in metres")
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu" or not len(triangles):
        raise InputError(f"faces: got shape {triangles.shape} of {triangles.dtype}; give whole numbers, (m, 3)")
    if triangles.min() < 0 or triangles.max() >= len(corners):
        raise InputError(f"faces: corners reach from {triangles.min()} to {triangles.max()}; there are {len(corners)}")
    if not np.isfinite(corners).all():
        raise InputError("vertices: some are not finite; give finite metres")
    return corners, np.ascontiguousarray(triangles, np.int64)


def _triangles(mesh: Any, name: str, node: str | None) -> tuple[Array, NDArray[np.int64]]:
    """Return all corners and triangles of a mesh or of a scene's nodes, each node where the scene puts it."""
    if not hasattr(mesh, "geometry"):
        if node is not None:
            raise InputError(f"{name}: node is {node!r}, but a single mesh has no nodes; leave it out")
        if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
            raise InputError(f"{name}: got {type(mesh).__name__}; give a path, a trimesh.Trimesh or a trimesh.Scene")
        return np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces)

    vertices, faces, count, names = [], [], 0, set()
    for own in mesh.graph.nodes_geometry if node is not None else finest_nodes(mesh, name):
        matrix, geometry = mesh.graph[own]
        part = mesh.geometry[geometry]
        if not hasattr(part, "faces"):  # points or lines
            continue
        names |= {str(own), str(geometry)}
        if node is not None and node not in (own, geometry):
            continue
        corners = np.asarray(part.vertices, np.float64)
        vertices.append(transformed(corners, matrix[:3]))
        faces.append(np.asarray(part.faces, np.int64) + count)
        count += len(corners)
    if not vertices:
        if node is not None and names:
            raise InputError(f"{name}: node is {node!r}; give one of {', '.join(sorted(names))}{nearest(node, names)}")
        raise InputError(f"{name}: holds no triangles; give a mesh with faces")
    return np.concatenate(vertices), np.concatenate(faces)
