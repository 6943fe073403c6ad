"""The container: a glTF 2.0 asset as one binary file, its JSON and the bytes that it describes.

It knows layout, alignment and limits, and nothing of trees. Arrays are asked for one at a time, while the
file is written, so a large scene never lies in memory as a whole.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weald._version import __version__
from weald.errors import InputError
from weald.export.files import FilePath, atomic_file

FLOAT: Final = 5126
UINT16: Final = 5123
UINT32: Final = 5125
VERTICES: Final = 34962
"""Target of a buffer view: attributes of vertices."""
INDICES: Final = 34963
"""Target of a buffer view: corners of triangles."""

_WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
_DTYPE: dict[int, np.dtype[Any]] = {FLOAT: np.dtype("<f4"), UINT16: np.dtype("<u2"), UINT32: np.dtype("<u4")}
MAX_BYTES = 2**32 - 1

Maker: TypeAlias = Callable[[], NDArray[Any]]


class Gltf:
    """A glTF asset being put together.

    Attributes
    ----------
    json : dict
        The asset's JSON; add nodes, meshes and materials to its lists.
    """

    def __init__(self, extras: dict[str, Any]) -> None:
        self.json: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"weald {__version__}", "extras": extras},
            "scene": 0,
            # some readers keep the extras of the asset, others those of the scene
            "scenes": [{"name": "weald", "extras": extras}],
        }
        self._makers: list[Maker] = []
        self._size = 0

    def add(self, kind: str, item: dict[str, Any]) -> int:
        """Append to one of the lists of the JSON, such as ``"nodes"``, and return the place in it."""
        items: list[dict[str, Any]] = self.json.setdefault(kind, [])
        items.append(item)
        return len(items) - 1

    def view(self, count: int, component: int, kind: str, make: Maker, target: int | None = None) -> int:
        """Add ``count`` elements of bytes, made by ``make`` when the file is written; return the buffer view."""
        size = count * _WIDTH[kind] * _DTYPE[component].itemsize
        item: dict[str, Any] = {"buffer": 0, "byteOffset": self._size, "byteLength": size}
        if target is not None:
            item["target"] = target
        self._makers.append(lambda: _checked(make(), component, size))
        self._size += size + -size % 4
        return self.add("bufferViews", item)

    def accessor(
        self, view: int, count: int, component: int, kind: str, first: int = 0, **more: bool | list[float]
    ) -> int:
        """Add an accessor to ``count`` elements of a view from element ``first`` on; return its place.

        What else its JSON needs, such as ``normalized``, is given by name.
        """
        item: dict[str, Any] = {"bufferView": view, "componentType": component, "count": count, "type": kind, **more}
        if first:
            item["byteOffset"] = first * _WIDTH[kind] * _DTYPE[component].itemsize
        return self.add("accessors", item)

    def positions(self, xyz: NDArray[np.float32]) -> int:
        """Add positions of vertices, with a view of their own and the box that glTF asks for; return the accessor."""
        count = len(xyz)
        view = self.view(count, FLOAT, "VEC3", lambda: xyz, VERTICES)
        box = {"min": xyz.min(axis=0).tolist(), "max": xyz.max(axis=0).tolist()}
        return self.accessor(view, count, FLOAT, "VEC3", **box)

    def array(
        self, count: int, component: int, kind: str, make: Maker, target: int, *, normalized: bool = False
    ) -> int:
        """Add elements with a view of their own, made when the file is written; return the accessor."""
        view = self.view(count, component, kind, make, target)
        return self.accessor(view, count, component, kind, **({"normalized": True} if normalized else {}))

    def write(self, path: FilePath) -> None:
        """Write the asset as a GLB.

        Raises
        ------
        InputError
            If it is larger than the 4 GiB that a GLB can hold, or the file cannot be written.
        """
        if self._size:
            self.json["buffers"] = [{"byteLength": self._size}]
        text = json.dumps(self.json, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + (8 + self._size if self._size else 0)
        if total > MAX_BYTES:
            raise InputError(
                f"{path}: would be {total / 2**30:.1f} GiB, and a GLB holds 4 at most; "
                "write the world in several parts, or the ground at a larger spacing"
            )
        with atomic_file(path) as temporary, temporary.open("wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, total))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            if self._size:
                file.write(struct.pack("<I4s", self._size, b"BIN\0"))
            for make in self._makers:
                values = make()
                file.write(values.data)
                file.write(bytes(-values.nbytes % 4))


def _checked(values: NDArray[Any], component: int, size: int) -> NDArray[Any]:
    values = np.ascontiguousarray(values, _DTYPE[component])
    if values.nbytes != size:
        raise AssertionError(f"a view of {size} bytes was given {values.nbytes}")
    return values
