"""Draw the built-in shapes: three species of each, with the sun from the left. Writes ``shapes.jpg``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from weald.scatter.color import LIGHT, to_srgb
from weald.scatter.mesh import Mesh
from weald.scatter.shapes import shape_mesh
from weald.scatter.species import Species

WIDTH, HEIGHT, FINER = 400, 330, 3
TURN, DOWN = np.radians(24), np.radians(13)
RIGHT = np.array([np.cos(TURN), np.sin(TURN), 0])
AHEAD = np.array([-np.sin(TURN) * np.cos(DOWN), np.cos(TURN) * np.cos(DOWN), -np.sin(DOWN)])
UP = np.cross(RIGHT, AHEAD)
SUN = -0.62 * RIGHT + 0.42 * np.array([RIGHT[1], -RIGHT[0], 0]) + [0, 0, 0.78]
SUN /= np.linalg.norm(SUN)
SUNLIGHT, SKYLIGHT = np.array([1.0, 0.93, 0.80]) * 1.25, np.array([0.42, 0.50, 0.62])
GROUND = LIGHT[np.array([172, 176, 146])]

# shape: height, width, color and name of each species, and metres across the picture
SHAPES: dict[str, tuple[float, list[tuple[str, float, float, str]]]] = {
    "conifer": (30, [("spruce", 20, 3.2, "#2f5d43"), ("larch", 16, 3.4, "#6f8a4a"), ("dwarf pine", 6, 3, "#3f6b4f")]),
    "broadleaf": (26, [("oak", 15, 5.2, "#5c8a3a"), ("birch", 13, 2.4, "#a3ad52"), ("beech", 9, 3.2, "#7d9440")]),
    "palm": (17, [("date palm", 9, 3.2, "#7a9a50"), ("coconut", 10, 3, "#6f9a45"), ("young palm", 4, 2.4, "#86a552")]),
    "dead": (17, [("snag", 10, 2.6, "#93897c"), ("dead oak", 8, 3.4, "#857a6e"), ("burnt", 7, 1.6, "#4a4644")]),
    "bush": (8, [("hazel", 2.6, 1.5, "#6c8f3c"), ("heather", 0.9, 1.1, "#8a6a80"), ("broom", 1.6, 0.9, "#b5a83e")]),
    "cactus": (12, [("saguaro", 7, 1.7, "#5f8a58"), ("cardon", 5.4, 1.6, "#6f9a6a"), ("young", 2.6, 0.8, "#7fa565")]),
    "grass": (1.9, [("sedge", 0.9, 0.42, "#7f9a4c"), ("grass", 0.6, 0.4, "#93b058"), ("straw", 0.7, 0.4, "#c9b86a")]),
    "mushroom": (
        1.55,
        [("fly agaric", 0.6, 0.3, "#b5402f"), ("bolete", 0.4, 0.3, "#8a5a36"), ("pale", 0.5, 0.2, "#d8c8a8")],
    ),
    "rock": (
        8.2,
        [("granite", 1.5, 1.6, "#8b8a85"), ("sandstone", 1.6, 1.2, "#b89a72"), ("slate", 0.6, 1.1, "#6f7378")],
    ),
    "crystal": (
        5.4,
        [("quartz", 2.1, 0.9, "#a9c7d6"), ("amethyst", 2.6, 0.9, "#8a6fb8"), ("emerald", 1, 0.8, "#5fae8a")],
    ),
}


def picture(parts: list[tuple[Mesh, np.ndarray]], across: float, middle: float) -> Image.Image:
    """Render meshes at places on level ground, nearest first wins, with flat shadows."""
    columns, rows = WIDTH * FINER, HEIGHT * FINER
    scale, target = columns / across, np.array([0, 0, middle])
    i, j = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
    start = ((i - columns / 2) / scale)[..., None] * RIGHT + ((rows / 2 - j) / scale)[..., None] * UP + target
    depth = -start[..., 2] / AHEAD[2]
    shade = Image.new("L", (columns, rows))
    image = np.broadcast_to(GROUND * (SUN[2] * SUNLIGHT + SKYLIGHT), (rows, columns, 3)).copy()

    def seen(places: np.ndarray) -> np.ndarray:
        away = places - target
        return np.stack([away @ RIGHT * scale + columns / 2, rows / 2 - away @ UP * scale, away @ AHEAD], -1)

    for mesh, at in parts:
        places = mesh.positions + at
        flat = seen(places - SUN * np.maximum(places[:, 2:], 0) / SUN[2])
        for corners in mesh.triangles:
            ImageDraw.Draw(shade).polygon([tuple(flat[k, :2]) for k in corners], fill=255)
    image *= np.where(np.asarray(shade)[..., None] > 0, SKYLIGHT / (SUN[2] * SUNLIGHT + SKYLIGHT), 1)

    for mesh, at in parts:
        corners = seen(mesh.positions + at)
        lit = np.maximum(mesh.normals @ SUN, 0)[:, None] * SUNLIGHT + (0.55 + 0.45 * mesh.normals[:, 2:]) * SKYLIGHT
        colors = LIGHT[mesh.colors[:, :3]] * lit
        for triangle in mesh.triangles:
            (ax, ay, _), (bx, by, _), (cx, cy, _) = p = corners[triangle]
            area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            if area >= 0:  # rows run down: what faces us turns the other way
                continue
            low = np.maximum(np.floor(p[:, :2].min(0)).astype(int), 0)
            high = np.minimum(np.ceil(p[:, :2].max(0)).astype(int), [columns, rows])
            box = slice(low[1], high[1]), slice(low[0], high[0])
            x, y = i[box], j[box]
            b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
            c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
            share = np.stack([1 - b - c, b, c], -1)
            z = share @ p[:, 2]
            hit = (share >= 0).all(-1) & (z < depth[box])
            depth[box][hit] = z[hit]
            image[box][hit] = share[hit] @ colors[triangle]
    fine = image.reshape(HEIGHT, FINER, WIDTH, FINER, 3).mean(axis=(1, 3))
    return Image.fromarray(to_srgb(0.62 * fine))


def main(path: Path) -> None:
    """Draw all shapes, five in a row."""
    sheet = Image.new("RGB", (5 * WIDTH, 2 * HEIGHT))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=22)
    for n, (shape, (across, listed)) in enumerate(SHAPES.items()):
        parts = []
        for k, (name, height, radius, color) in enumerate(listed):
            mesh = shape_mesh(Species(name, shape, height=height, crown_radius=radius, color=color))
            parts.append((mesh, RIGHT * across * (-0.26, 0.05, 0.31)[k] - [0, 0.02 * across * k, 0]))
        corner = n % 5 * WIDTH, n // 5 * HEIGHT
        sheet.paste(picture(parts, across, 0.27 * across), corner)
        draw.text((corner[0] + 16, corner[1] + HEIGHT - 38), shape, (60, 62, 48), font)
    sheet.save(path, quality=82, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "shapes.jpg"))
