"""Triangle fans of glTF, which trimesh leaves out, written as triangles."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FAN, _TRIANGLES, _UINT32 = 6, 4, 5125
_KINDS = {5121: "<u1", 5123: "<u2", 5125: "<u4"}


def has_fans(content: dict[str, Any]) -> bool:
    """Return whether a glTF has triangle fans."""
    return any(primitive.get("mode") == _FAN for primitive in _primitives(content))


def without_fans(content: dict[str, Any], buffer: Callable[[int], bytes]) -> bytes:
    """Return a glTF, as JSON that holds its buffers, whose fans are triangles; ``buffer`` returns one by number."""
    content = copy.deepcopy(content)
    data = [buffer(k) for k in range(len(content.get("buffers", ())))]
    for primitive in _primitives(content):
        if primitive.get("mode") != _FAN:
            continue
        corners = _corners(content, data, primitive).astype("<u4")
        first = np.broadcast_to(corners[:1], len(corners) - 2)
        triangles = np.column_stack([first, corners[1:-1], corners[2:]]).tobytes()
        content["accessors"].append(
            {
                "bufferView": len(content["bufferViews"]),
                "componentType": _UINT32,
                "count": 3 * len(first),
                "type": "SCALAR",
            }
        )
        content["bufferViews"].append({"buffer": len(data), "byteOffset": 0, "byteLength": len(triangles)})
        content["buffers"].append({"byteLength": len(triangles)})
        data.append(triangles)
        primitive |= {"mode": _TRIANGLES, "indices": len(content["accessors"]) - 1}
    for own, held in zip(content.get("buffers", ()), data, strict=True):
        own["uri"] = "data:application/octet-stream;base64," + base64.b64encode(held).decode()
    return json.dumps(content).encode()


def _corners(content: dict[str, Any], data: list[bytes], primitive: dict[str, Any]) -> NDArray[Any]:
    """Return the numbers of a primitive's corners, in order."""
    accessors = content["accessors"]
    if "indices" not in primitive:
        corners: NDArray[Any] = np.arange(accessors[primitive["attributes"]["POSITION"]]["count"])
    else:
        indices = accessors[primitive["indices"]]
        view = content["bufferViews"][indices["bufferView"]]
        start = view.get("byteOffset", 0) + indices.get("byteOffset", 0)
        kind = _KINDS[indices["componentType"]]
        corners = np.frombuffer(data[view["buffer"]], kind, indices["count"], start)
    if len(corners) < 3:
        raise ValueError(f"a triangle fan has {len(corners)} corners")
    return corners


def _primitives(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [primitive for mesh in content.get("meshes", ()) for primitive in mesh["primitives"]]
