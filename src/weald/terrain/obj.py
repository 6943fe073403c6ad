"""OBJ as text: its faces cut into triangles, and its mistakes reported by line, before trimesh sees it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.errors import InputError
from weald.terrain.polygons import triangles_of


def in_triangles(data: bytes) -> str:
    """Return the text of an OBJ file with triangles only.

    Names and comments may be in Latin-1, as older programs write them.

    Raises
    ------
    InputError
        If a line cannot be understood; the message begins with its number.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines()
    places: list[NDArray[np.float64]] = []
    out = []
    for number, line in enumerate(lines, 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        if words[0] == "v":
            places.append(_place(words[1:], number))
        elif words[0] == "f":
            out += _faces(words[1:], places, number)
            continue
        out.append(" ".join(words))
    return "\n".join(out) + "\n"


def _place(words: list[str], number: int) -> NDArray[np.float64]:
    try:
        place = np.array(words[:3], np.float64)
    except ValueError:
        place = np.empty(0)
    if place.shape != (3,):
        raise InputError(f"line {number}: corner {' '.join(words)!r} is not of three numbers, x y z; export it again")
    return place


def _faces(corners: list[str], places: list[NDArray[np.float64]], number: int) -> list[str]:
    """Return the lines of a face's triangles."""
    try:
        which = [int(corner.split("/", 1)[0]) for corner in corners]
        at = [places[k - 1 if k > 0 else len(places) + k] for k in which if k]
        if len(at) != len(corners) or any(k < -len(places) for k in which):
            raise IndexError
    except (ValueError, IndexError):
        raise InputError(f"line {number}: face {' '.join(corners)!r} names corners that are not there") from None
    if len(corners) < 3:
        raise InputError(f"line {number}: face {' '.join(corners)!r} has {len(corners)} corners; give at least 3")
    if len(corners) == 3:
        return ["f " + " ".join(corners)]
    return ["f " + " ".join(corners[k] for k in triangle) for triangle in triangles_of(np.array(at)).tolist()]
