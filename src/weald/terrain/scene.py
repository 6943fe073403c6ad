"""Opening files of meshes: the one place that calls trimesh.

What trimesh would leave out of a glTF, or fill with zeros, without a word, is an error here.
"""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from weald.errors import InputError, require_extra
from weald.files import readable_file
from weald.terrain.fans import has_fans, without_fans
from weald.terrain.obj import in_triangles
from weald.terrain.polygons import triangles_of

GLTF_SUFFIXES = (".glb", ".gltf")

_COMPRESSED = (
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
)
"""Extensions without which the numbers in a file are not its corners."""
_HARMLESS = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_mesh_gpu_instancing")
"""What required extensions may begin with: looks, and instances, which are for whoever asks to see."""
_LEVEL = re.compile(r"(.*)_LOD(\d+)", re.IGNORECASE)
_PLY_CORNERS = ("vertex_indices", "vertex_index")


def load_scene(file: Path) -> Any:
    """Read a GLB, glTF, OBJ, PLY or STL file.

    Returns
    -------
    trimesh.Scene
        Unprocessed: corners and triangles as the file has them.

    Raises
    ------
    InputError
        If the file, or one that it needs, is missing, damaged, compressed, or no mesh.
    MissingExtraError
        If trimesh is not installed.
    """
    trimesh = require_extra("trimesh", "mesh", "reading meshes")
    readable_file(file)
    try:
        content = _gltf_json(file) if file.suffix.lower() in GLTF_SUFFIXES else {}
        fault = _fault(content, file.parent)
        scene = None if fault else _loaded(trimesh, file, content)
    except MemoryError:
        raise InputError(f"{file}: does not fit into memory") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    except Exception as error:  # its readers raise whatever they stumble on
        raise InputError(f"{file}: cannot be read, it is damaged or no mesh that trimesh knows ({error})") from error
    if fault:
        raise InputError(f"{file}: {fault}")
    return scene


def finest_nodes(scene: Any, file: str) -> list[Any]:
    """Return the nodes of a scene that have a mesh, without the coarser levels of detail of the same thing.

    Levels are nodes, or groups of them, whose names end in ``_LOD0``, ``_LOD1`` and so on; the lowest number of each
    name is kept, and a warning says what is left out.
    """
    nodes = list(scene.graph.nodes_geometry)
    parents = scene.graph.transforms.parents
    levels: dict[Any, tuple[str, int]] = {}
    for node in nodes:
        at = node
        while at is not None:
            named = _LEVEL.fullmatch(str(at))
            if named:
                levels[node] = named[1], int(named[2])
                break
            at = parents.get(at)
    best: dict[str, int] = {}
    for name, level in levels.values():
        best[name] = min(level, best.get(name, level))
    dropped = [node for node, (name, level) in levels.items() if level > best[name]]
    if dropped:
        used = ", ".join(sorted({f"{name}_LOD{level}" for name, level in best.items()}))
        warnings.warn(
            f"{file}: holds levels of detail; {used} is used, and {len(dropped)} coarser node"
            f"{'s are' if len(dropped) > 1 else ' is'} left out ({', '.join(sorted(map(str, dropped)))})",
            UserWarning,
            stacklevel=2,
        )
    return [node for node in nodes if node not in set(dropped)]


def _loaded(trimesh: Any, file: Path, content: dict[str, Any]) -> Any:
    """Return what trimesh makes of a file, of which it is given what it understands."""
    suffix = file.suffix.lower()
    if suffix == ".obj":
        text = io.BytesIO(in_triangles(file.read_bytes()).encode())
        return trimesh.load_scene(text, file_type="obj", resolver=_beside(trimesh, file), process=False)
    if has_fans(content):
        whole = io.BytesIO(without_fans(content, lambda k: _buffer(file, content, k)))
        return trimesh.load_scene(whole, file_type="gltf", resolver=_beside(trimesh, file), process=False)
    scene = trimesh.load_scene(file, process=False)
    if suffix == ".ply":
        for part in scene.geometry.values():
            _cut_faces(part)
    return scene


def _beside(trimesh: Any, file: Path) -> Any:
    return trimesh.resolvers.FilePathResolver(str(file))


def _buffer(file: Path, content: dict[str, Any], number: int) -> bytes:
    """Return a buffer of a glTF: from its own text, from a file beside it, or from the chunk of a GLB."""
    uri = content["buffers"][number].get("uri")
    if uri is None:
        data = file.read_bytes()
        start = 20 + struct.unpack_from("<I", data, 12)[0]
        return data[start + 8 : start + 8 + struct.unpack_from("<I", data, start)[0]]
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition("base64,")[2])
    return (file.parent / unquote(uri)).read_bytes()


def _cut_faces(part: Any) -> None:
    """Give a mesh of a PLY file triangles where its faces have more corners."""
    raw = part.metadata.get("_ply_raw", {}).get("face", {}).get("data")
    if raw is None or not hasattr(part, "faces"):
        return
    name = next(
        (name for name in _PLY_CORNERS if name in (raw.keys() if isinstance(raw, dict) else raw.dtype.names)), ""
    )
    if not name:
        return
    faces = [np.ravel(face) for face in (raw[name] if isinstance(raw, dict) else raw[name]["f1"])]
    if all(len(face) == 3 for face in faces):
        return
    corners = np.asarray(part.vertices, np.float64)
    if len(corners) != part.metadata["_ply_raw"]["vertex"]["length"]:
        raise InputError("has faces of more than three corners with places on a texture; export it in triangles")
    if any(len(face) < 3 or face.min() < 0 or face.max() >= len(corners) for face in faces):
        raise InputError("has a face whose corners are not there; it is damaged")
    part.faces = np.concatenate([np.asarray(face)[triangles_of(corners[face])] for face in faces])


def has_instances(file: Path) -> bool:
    """Return whether a file that `load_scene` has read also has instances, which that leaves out."""
    return file.suffix.lower() in GLTF_SUFFIXES and "EXT_mesh_gpu_instancing" in _extensions(_gltf_json(file))


def _gltf_json(file: Path) -> dict[str, Any]:
    with file.open("rb") as stream:
        data = stream.read(20)
        if file.suffix.lower() == ".glb":
            if len(data) < 20 or data[:4] != b"glTF":
                raise ValueError("it does not begin as a GLB does")
            if data[4:8] == b"\1\0\0\0":
                return {"asset": {"version": "1.0"}}
            (size,) = struct.unpack_from("<I", data, 12)
            data = stream.read(size)
        else:
            data += stream.read()
    content = json.loads(data)
    if not isinstance(content, dict):
        raise ValueError("its JSON is no glTF")
    return content


def _extensions(content: dict[str, Any]) -> list[str]:
    return [*content.get("extensionsRequired", ()), *content.get("extensionsUsed", ())]


def _fault(content: dict[str, Any], folder: Path) -> str | None:
    """Return what keeps a glTF from being read whole."""
    version = str(content.get("asset", {}).get("version", "2.0"))
    if version.startswith("1"):
        return f"is glTF {version}, and weald reads glTF 2.0; export it again from a newer program"
    for name in _extensions(content):
        if name in _COMPRESSED:
            return f"is compressed ({name}), which weald cannot read; export it without compression"
    for name in content.get("extensionsRequired", ()):
        if not name.startswith(_HARMLESS):
            return f"requires the glTF extension {name}, which weald does not know; export it without"
    for buffer in content.get("buffers", ()):
        uri = buffer.get("uri", "data:")
        if not uri.startswith("data:") and not (folder / unquote(uri)).is_file():
            return f"needs {uri}, which is not beside it; copy that file too, or export a GLB, which is one file"
    accessors = content.get("accessors", [])
    for mesh in content.get("meshes", ()):
        for primitive in mesh["primitives"]:
            if primitive.get("mode", 4) not in (4, 5, 6):
                continue
            attributes = primitive["attributes"]
            for place in (attributes["POSITION"], primitive.get("indices")):
                if place is not None and ("bufferView" not in accessors[place] or "sparse" in accessors[place]):
                    return "has sparse or absent corners, which weald cannot read; export it with plain buffers"
            color = accessors[attributes["COLOR_0"]] if "COLOR_0" in attributes else {}
            if color.get("componentType") == 5123 and "material" not in primitive:
                return "has 16-bit vertex colours and no material, which weald cannot read; give it a material"
    return None
