"""Opening files of meshes: the one place that calls trimesh.

What trimesh would leave out of a glTF, or fill with zeros, without a word, is an error here.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from weald.errors import InputError, require_extra

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
    if not file.is_file():
        raise InputError(f"{file}: there is no such file")
    try:
        content = _gltf_json(file) if file.suffix.lower() in GLTF_SUFFIXES else {}
        fault = _fault(content, file.parent)
        scene = None if fault else trimesh.load_scene(file, process=False)
    except Exception as error:  # its readers raise whatever they stumble on
        raise InputError(f"{file}: cannot be read, it is damaged or no mesh that trimesh knows ({error})") from error
    if fault:
        raise InputError(f"{file}: {fault}")
    return scene


def has_instances(file: Path) -> bool:
    """Return whether a file that `load_scene` has read also has instances, which that leaves out."""
    return file.suffix.lower() in GLTF_SUFFIXES and "EXT_mesh_gpu_instancing" in _extensions(_gltf_json(file))


def _gltf_json(file: Path) -> dict[str, Any]:
    with file.open("rb") as stream:
        data = stream.read(20)
        if file.suffix.lower() == ".glb":
            if len(data) < 20 or data[:4] != b"glTF":
                raise ValueError("it does not begin as a GLB does")
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
            if primitive.get("mode", 4) not in (4, 5):
                continue
            attributes = primitive["attributes"]
            for place in (attributes["POSITION"], primitive.get("indices")):
                if place is not None and ("bufferView" not in accessors[place] or "sparse" in accessors[place]):
                    return "has sparse or absent corners, which weald cannot read; export it with plain buffers"
            color = accessors[attributes["COLOR_0"]] if "COLOR_0" in attributes else {}
            if color.get("componentType") == 5123 and "material" not in primitive:
                return "has 16-bit vertex colours and no material, which weald cannot read; give it a material"
    return None
