"""What rain does to noise: a window of endless ground before and after erosion.

    python examples/erosion.py [FOLDER]

Writes erosion.jpg into the folder, the current one if none is given: noise on the left, eroded on the right.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import weald
from weald.preview.ground import PAPER, View, paint_ground
from weald.terrain.endless import EndlessTerrain
from weald.terrain.erosion import erode

SHOWN = weald.Bounds(0, 0, 9000, 9000)
WIDTH, GAP = 620, 10


def painted(terrain: weald.Terrain) -> np.ndarray:
    """Return a picture of the ground."""
    image, _ = paint_ground(terrain, View(SHOWN, WIDTH))
    return image


def main(folder: Path) -> None:
    """Erode, and draw both."""
    mountains = weald.perlin("ranges", frequency=1 / 5200).fbm(octaves=9, gain=0.48) * 1500
    ground = EndlessTerrain(mountains, spacing=15.0)
    # what lies within reach of the window is read too, so nothing in it hangs on where the window ends
    eroded = erode(ground, iterations=140, window=SHOWN)

    page = np.empty((WIDTH, 2 * WIDTH + GAP, 3), np.float32)
    page[:] = PAPER
    page[:, :WIDTH] = painted(ground.crop(SHOWN))
    page[:, WIDTH + GAP :] = painted(eroded)
    Image.fromarray(np.rint(page * 255).astype(np.uint8)).save(folder / "erosion.jpg", quality=68, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
