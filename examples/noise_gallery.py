"""Draw every noise of weald and what becomes of it: the pictures of docs/noise.md.

    python examples/noise_gallery.py [FOLDER]

Writes noise-bases.jpg, noise-fractals.jpg and noise-directions.png into the folder, the current one if
none is given. Colours stand for fixed values, never for the least and greatest in a picture.
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.colors import LightSource, LinearSegmentedColormap
from matplotlib.figure import Figure

from weald.fields import Field, perlin, perlin_classic, simplex, value, worley
from weald.geometry import Grid

SIDE, SPACING = 230, 1.0
INK, QUIET = "#26302c", "#7b857f"
# dusk blue over grey stone to warm sand: even steps in lightness
TONES = LinearSegmentedColormap.from_list("tones", ["#16232e", "#34505a", "#748a86", "#c3bda3", "#f6eedb"])
# valley, meadow, moor, rock, snow: pale enough for the light to model the ground
HEIGHTS = LinearSegmentedColormap.from_list(
    "heights", ["#48685f", "#6f8c74", "#9fa779", "#bfae83", "#b59c7c", "#b7a898", "#f4f1ec"]
)


def main(folder: Path) -> None:
    """Draw the three pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    sheet(BASES, folder / "noise-bases.jpg")
    sheet(FRACTALS, folder / "noise-fractals.jpg")
    directions(folder / "noise-directions.png")


# --- what is shown: a title, a caption, the pixels --------------------------------------------------------


def flat(field: Field, low: float = -1.0, high: float = 1.0, colours=TONES, **where: float) -> np.ndarray:
    """Return the colours of a field's values, from low to high."""
    values = field.sample(Grid(0, 0, SPACING, SIDE, SIDE), **where)
    return colours((values - low) / (high - low))[::-1, :, :3]


def relief(field: Field, reach: float, lift: float = 30.0) -> np.ndarray:
    """Return a field as ground lit from the north-west, coloured by height up to ``reach``."""
    values = field.sample(Grid(0, 0, SPACING, SIDE, SIDE))[::-1]
    light = LightSource(azdeg=315, altdeg=45)
    colours = HEIGHTS(values / (2 * reach) + 0.5)[..., :3]
    return light.shade_rgb(colours, values / reach * lift, blend_mode="soft", dx=SPACING, dy=SPACING)


hills = perlin(seed=20, scale=95)
tile = perlin(seed=4, scale=115 / 3, period=115).fbm(octaves=4)
gx, gy = perlin(seed=20, scale=95).fbm(octaves=3).gradient

BASES = [
    ("perlin", "16 even gradients, hashed", flat(perlin(1, scale=32))),
    ("simplex", "triangles instead of squares", flat(simplex(1, scale=40))),
    ("value", "blended corner values", flat(value(1, scale=24))),
    ("perlin_classic", "8 gradients, a table of 256", flat(perlin_classic(1, scale=32))),
    ('worley "f1"', "distance to the nearest", flat(worley(3, scale=38), 0.0, 1.1)),
    ('worley "f2"', "to the second nearest", flat(worley(3, scale=38, feature="f2"), 0.1, 1.35)),
    ('worley "f2-f1"', "their difference", flat(worley(3, scale=38, feature="f2-f1"), 0.0, 0.85)),
    ('worley "id"', "a number a point", flat(worley(3, scale=38, feature="id"), 0.0, 1.0)),
    ("jitter=0.4", "f1, a calmer grid", flat(worley(3, scale=38, jitter=0.4), 0.0, 1.1)),
    ("dimensions=3", "a slice of simplex at z = 7", flat(simplex(1, scale=40, dimensions=3), z=7.0)),
    ("period=115", "2 x 2 tiles of one noise", flat(tile, -0.65, 0.65)),
    ("gradient", "exact steepness of fbm", flat(gx * gx + gy * gy, 0.0, 0.0006)),
]
FRACTALS = [
    ("octaves=1", "fbm of perlin", relief(hills.fbm(octaves=1), 0.9)),
    ("octaves=4", "", relief(hills.fbm(octaves=4), 0.65)),
    ("octaves=8", "", relief(hills.fbm(octaves=8), 0.62)),
    ("weighted_strength=1", "smooth valleys", relief(hills.fbm(octaves=8, weighted_strength=1.0), 0.6)),
    ("gain=0.3", "dunes", relief(hills.fbm(octaves=8, gain=0.3), 0.75)),
    ("gain=0.5", "hills", relief(hills.fbm(octaves=8, gain=0.5), 0.62)),
    ("gain=0.7", "crags", relief(hills.fbm(octaves=8, gain=0.7), 0.52)),
    ("lacunarity=3", "5 octaves", relief(hills.fbm(octaves=5, lacunarity=3.0), 0.65)),
    ("ridged", "8 octaves", relief(hills.ridged(octaves=8) - 0.2, 0.95)),
    ("ridged, weighted", "weighted_strength=0.8", relief(hills.ridged(octaves=8, weighted_strength=0.8) - 0.0, 0.95)),
    ("billow", "8 octaves", relief(hills.billow(octaves=8) + 0.4, 0.8)),
    (
        "billow of simplex",
        "4 octaves, gain=0.35",
        relief(simplex(8, scale=120).billow(octaves=4, gain=0.35) + 0.1, 1.1),
    ),
]


# --- drawing ----------------------------------------------------------------------------------------------


def sheet(panels: list[tuple[str, str, np.ndarray]], path: Path, columns: int = 4) -> None:
    """Write pictures with their titles side by side."""
    rows = -(-len(panels) // columns)
    pixels, gap, head = SIDE, 14, 48
    width, height = columns * (pixels + gap) + gap, rows * (pixels + head) + gap
    figure = Figure(figsize=(width / 100, height / 100), dpi=100, facecolor="white")
    for number, (title, caption, image) in enumerate(panels):
        row, column = divmod(number, columns)
        left, top = gap + column * (pixels + gap), row * (pixels + head) + head
        axes = figure.add_axes((left / width, 1 - (top + pixels) / height, pixels / width, pixels / height))
        axes.imshow(image, interpolation="nearest")
        axes.set_axis_off()
        figure.text(left / width, 1 - (top - 20) / height, title, fontsize=8.6, color=INK, weight="bold", va="bottom")
        figure.text(left / width, 1 - (top - 6) / height, caption, fontsize=7.4, color=QUIET, va="bottom")
    figure.savefig(path, pil_kwargs={"quality": 73, "optimize": True} if path.suffix == ".jpg" else None)


def power_by_direction(make, seeds: int = 24, side: int = 512, cells: float = 64.0, bins: int = 36) -> np.ndarray:
    """Return the power of a noise's waves in each direction, over the mean of all directions: 1 is even.

    Found in the spectra of squares of many cells under a round window. Each wave is compared with the mean
    of the waves as long as it, so that only the direction counts.
    """
    at = (np.arange(side) + 0.5) / side * 2 - 1
    window = np.clip(1 - at**2 - at[:, None] ** 2, 0, None) ** 2
    power = np.zeros((side, side))
    for seed in range(seeds):
        values = make(seed, cells / side).sample(Grid(0, 0, 1, side, side))
        power += np.abs(np.fft.fft2(window * (values - values.mean()))) ** 2
    waves = np.fft.fftfreq(side) * side
    length = np.hypot(waves[:, None], waves)
    kept = (length > 0.2 * cells) & (length < 2.4 * cells)
    ring = np.round(length[kept]).astype(int)
    even = (np.bincount(ring, power[kept]) / np.maximum(np.bincount(ring), 1))[ring]
    turned = np.arctan2(waves[:, None], waves)[kept] + np.pi / 2 / bins
    slot = np.floor((turned % np.pi) / np.pi * bins).astype(int) % bins
    return np.bincount(slot, power[kept]) / np.bincount(slot, even)


def directions(path: Path) -> None:
    """Write how evenly each basis spreads its waves over the directions."""
    makers = {
        "perlin": perlin,
        "simplex": simplex,
        "value": value,
        "perlin_classic": perlin_classic,
        'worley "f1"': worley,
    }
    figure = Figure(figsize=(10.0, 2.45), dpi=100, facecolor="white")
    for number, (name, make) in enumerate(makers.items()):
        share = power_by_direction(make)
        axes = figure.add_axes((number / 5 + 0.02, 0.16, 0.16, 0.66), projection="polar")
        angles = np.arange(2 * len(share) + 1) * np.pi / len(share)
        axes.fill_between(np.linspace(0, 2 * np.pi, 200), 0, 1, color="#eef0ec", linewidth=0)
        axes.plot(angles, np.concatenate([share, share, share[:1]]), color="#b5552f", linewidth=1.7)
        axes.set_ylim(0, 1.45)
        axes.set_xticks(np.arange(8) * np.pi / 4, ["east", "", "north", *[""] * 5], fontsize=6.5, color=QUIET)
        axes.tick_params(pad=-4)
        axes.set_yticks([])
        axes.spines["polar"].set_visible(False)
        axes.grid(color="#dde1dc", linewidth=0.7)
        figure.text(number / 5 + 0.1, 0.91, name, fontsize=8.6, color=INK, weight="bold", ha="center")
        fourfold = 2 * float((share * np.cos(4 * angles[: len(share)])).mean())
        figure.text(number / 5 + 0.1, 0.03, f"along the axes: {fourfold:+.0%}", fontsize=7.4, color=QUIET, ha="center")
        print(f"{name:15s} along the axes {fourfold:+.3f}, from {share.min():.2f} to {share.max():.2f} of the mean")
    figure.savefig(path)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
