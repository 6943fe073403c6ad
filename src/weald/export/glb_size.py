"""How large a GLB will be, before there is anything to write."""

from __future__ import annotations

from weald.errors import InputError
from weald.export.gltf import MAX_BYTES

_BYTES_A_SAMPLE = 12 + 12 + 8 + 2 * 3 * 4
"""Position, normal and colour of a vertex, and the corners of two triangles."""
_BYTES_AN_INSTANCE = 12 + 16 + 12 + 8
"""Position, rotation, scale and id."""
_BYTES_OF_A_TINT = 12


def refuse_too_large(name: str, samples: float, instances: float, *, tinted: bool) -> None:
    """Refuse a GLB that would be larger than its format can hold.

    Meshes of plants and the JSON are left out: they are small beside these.

    Parameters
    ----------
    name
        Of the file, for the message.
    samples, instances
        About how many there will be: of ground with colours, and of plants.
    tinted
        Whether instances have colours of their own.

    Raises
    ------
    InputError
        With the size, and what to change.

    Examples
    --------
    >>> refuse_too_large("scene.glb", 1e6, 1e6, tinted=True)
    >>> refuse_too_large("scene.glb", 1e8, 1e6, tinted=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    weald.errors.InputError: scene.glb: 100,000,000 samples of ground and about 1,000,000 instances would take 5.3 ...
    """
    of_ground = samples * _BYTES_A_SAMPLE
    of_plants = instances * (_BYTES_AN_INSTANCE + tinted * _BYTES_OF_A_TINT)
    total = of_ground + of_plants
    if total <= MAX_BYTES:
        return
    windows = int(total // MAX_BYTES) + 1
    change = "a larger ground spacing" if of_ground > of_plants else "larger radii"
    raise InputError(
        f"{name}: {samples:,.0f} samples of ground and about {instances:,.0f} instances would take "
        f"{total / 2**30:.1f} GiB, and a GLB holds 4 at most; build the world in {windows} windows or more, or give "
        f"{change}"
    )
