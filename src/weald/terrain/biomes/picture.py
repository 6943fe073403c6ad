"""Zones as a picture: their colours, with the light of the ground under them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weald.arguments import of_kind
from weald.errors import InputError
from weald.exact import sine_cosine_deg
from weald.fields import Field, FieldLike
from weald.geometry import Grid
from weald.numbers import number_in
from weald.terrain.biomes.biomes import Biomes
from weald.terrain.biomes.zones import Zones
from weald.terrain.shade import soft_light

Array = NDArray[np.float64]

_VOID = (247, 244, 237)
_SUN_DEG = 50.0


def paint(
    zones: Zones, grid: Grid, *, height: FieldLike | None = None, exaggeration: float = 1.0, blended: bool = False
) -> NDArray[np.uint8]:
    """Return a picture of zones, a pixel a sample.

    Parameters
    ----------
    zones
        Tiles or biomes.
    grid
        Where.
    height
        Ground in metres that lights and shades the colours. Its slope at a pixel is the difference
        over one spacing about it, so a part of a picture is the crop of the whole.
    exaggeration
        Factor on the height.
    blended
        Blend the colours across borders; for `Biomes` with a ``blend_radius``.

    Returns
    -------
    ndarray of uint8, shape (ny, nx, 3)
        The first row is the northernmost, as in image files; voids are paper white.
    """
    of_kind("zones", zones, Zones, "Zones, such as Biomes")
    of_kind("grid", grid, Grid, "a Grid")
    exaggeration = number_in("exaggeration", exaggeration, "a finite factor, 0 or more", least=0.0)
    if blended:
        if not isinstance(zones, Biomes):
            raise InputError(f"blended: `{zones!r}` has no blended borders; give Biomes, or blended=False")
        channels = [dict(zip(zones.names, zones.kinds.colors[:, k].tolist(), strict=True)) for k in range(3)]
        colors = np.stack([zones.blend(channel).sample(grid) for channel in channels], axis=-1)
        colors = np.where(np.isnan(colors), np.array(_VOID, np.float64), colors)
    else:
        table = np.full((zones.kinds.void + 1, 3), _VOID, np.float64)
        table[: len(zones.names)] = zones.kinds.colors
        colors = table[zones.codes(grid)]
    if height is not None:
        colors = colors * _light(Field.of(height), grid, exaggeration)[..., None]
    return np.rint(np.clip(colors, 0.0, 255.0)).astype(np.uint8)[::-1]


def _light(height: Field, grid: Grid, exaggeration: float) -> Array:
    """Return the factor on the colour of each sample: 1 on level ground and on voids."""
    x, y, half = grid.x[None, :], grid.y[:, None], grid.spacing / 2
    east = (height(x + half, y) - height(x - half, y)) * (exaggeration / grid.spacing)
    north = (height(x, y + half) - height(x, y - half)) * (exaggeration / grid.spacing)
    light = soft_light(east, north, _SUN_DEG).astype(np.float64)
    relief = np.nan_to_num(light / sine_cosine_deg(_SUN_DEG)[0] - 1.0)
    # a soft knee keeps steep shaded slopes from going black
    return 1.0 + np.where(relief < 0.0, 0.85 * relief / (1.0 - 0.5 * relief), 0.5 * relief)
