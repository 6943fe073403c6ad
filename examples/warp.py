"""Domain warping: run ``python warp.py`` and look at ``warp.png``.

One noise three times: plain; looked at where other noise points; and where noise points that is warped
itself. Height gives the shade, and how far a place looks away the colour.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import weald
from weald.fields import Field
from weald.preview.page import FAINT, Page

Array = NDArray[np.float64]

PANEL, GUTTER, MARGIN, TOP = 560, 36, 72, 168
METRES, REACH = 860.0, 260.0
# by height, from hollows to crests, and the glow of what is looked at from afar
SHADES = ((20, 38, 46), (44, 84, 90), (128, 148, 124), (218, 200, 158), (246, 238, 220))
NEAR_GLOW, FAR_GLOW = np.array((172, 66, 34)) / 255, np.array((236, 176, 84)) / 255


def noise(name: str) -> Field:
    """Return four octaves of noise of its own."""
    return weald.perlin(seed=name, frequency=1 / 320).fbm(octaves=4)


plain = noise("height")
east, north = noise("east"), noise("north")
once = plain.warp(east * REACH, north * REACH)
# the shifts, warped by other shifts
far_east, far_north = (
    part.warp(noise("far east") * REACH * 1.5, noise("far north") * REACH * 1.5) for part in (east, north)
)
twice = plain.warp(far_east * REACH * 1.5, far_north * REACH * 1.5)


def main(path: Path) -> None:
    """Draw the picture and write it."""
    page = Page(2 * MARGIN + 3 * PANEL + 2 * GUTTER, TOP + PANEL + 132)
    page.text("Warping noise by noise", MARGIN, 84, 40, serif=True)
    page.text("The same noise three times. What changes is where it is looked at.", MARGIN, 126, 19, color=FAINT)
    panels = [
        ("plain", "n(x, y)", plain, Field.of(0), Field.of(0)),
        ("warped", "n.warp(a, b): noise shifts the places", once, (east**2 + north**2).sqrt(), east),
        (
            "warped by what is warped",
            "n.warp(a.warp(c, d), b.warp(c, d))",
            twice,
            (far_east**2 + far_north**2).sqrt(),
            far_north,
        ),
    ]
    for k, (name, words, height, shift, side) in enumerate(panels):
        x = MARGIN + k * (PANEL + GUTTER)
        page.image(picture(height, shift, side), x, TOP)
        page.text(name, x, TOP + PANEL + 42, 26, serif=True)
        page.text(words, x, TOP + PANEL + 72, 17, color=FAINT)
    page.save(path)


def picture(height: Field, shift: Field, side: Field) -> NDArray[np.uint8]:
    """Return a field as an image: shaded by height, lit from the north-west, coloured by shift."""
    fine = 2 * PANEL
    grid = weald.Grid(1200, 300, METRES / fine, fine, fine)
    z, away, turn = (field.sample(grid)[::-1] for field in (height, shift, side))
    share = np.clip(0.5 + 1.05 * z, 0, 1)
    colors = np.stack([np.interp(share, np.linspace(0, 1, 5), np.array(SHADES)[:, c] / 255) for c in range(3)], axis=-1)
    glow = np.clip((away - 0.12) * 2.3, 0, 1)[..., None] * (0.35 + 0.65 * share[..., None])
    warmth = np.clip(0.5 + 1.6 * turn, 0, 1)[..., None]
    colors += 0.78 * glow * (NEAR_GLOW + warmth * (FAR_GLOW - NEAR_GLOW) - colors)
    # z falls to the south-east where the light comes from the north-west
    down, across = np.gradient(z * METRES * 0.16, METRES / fine)
    light = (1.0 + 0.62 * across + 0.62 * down) / np.sqrt(1.0 + across**2 + down**2)
    colors *= np.clip(0.46 + 0.56 * light, 0.3, 1.2)[..., None]
    small = colors.reshape(PANEL, 2, PANEL, 2, 3).mean(axis=(1, 3))
    return np.rint(np.clip(small, 0, 1) * 255).astype(np.uint8)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("warp.png"))
