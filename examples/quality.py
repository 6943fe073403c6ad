"""How good is a sampler? Measure three ways of placing points, and draw what was found.

    python examples/quality.py [FOLDER]

Writes quality.png (points of `poisson_disk`), quality-noise.png (white noise) and quality-grid.png (a jittered
grid) into the folder, the current one if none is given, and prints a table of each.
"""

import sys
from pathlib import Path

import numpy as np

import weald
from weald.sampling import quality

BOX = (0.0, 0.0, 60.0, 60.0)
RADIUS = 1.0


def white_noise(count: int) -> np.ndarray:
    """Return independent uniform points: clumps and holes."""
    return np.random.default_rng(7).random((count, 2)) * BOX[2]


def jittered_grid(side: int) -> np.ndarray:
    """Return one point at a random place of each square of a grid: even, but with no least distance."""
    column, row = np.divmod(np.arange(side * side), side)
    return (np.stack([column, row], axis=1) + np.random.default_rng(7).random((side * side, 2))) * (BOX[2] / side)


def main(folder: Path) -> None:
    """Measure and draw."""
    # a window of the infinite plane: what lies outside is unknown, so no holes are looked for along the edges
    points = weald.poisson_disk(None, RADIUS, seed=5, window=BOX)
    reports = {
        "quality": quality.report(points, BOX, border=RADIUS),
        "quality-noise": quality.report(white_noise(len(points)), BOX, radius=RADIUS, border=RADIUS),
        "quality-grid": quality.report(jittered_grid(50), BOX, radius=RADIUS, border=RADIUS),
    }
    for name, report in reports.items():
        report.plot(folder / f"{name}.png")
        print(f"{name}\n{report}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
