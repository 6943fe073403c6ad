"""A page to draw a map on, in pixels from its upper left corner."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from os import PathLike
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from matplotlib.transforms import IdentityTransform
from numpy.typing import NDArray
from PIL import Image

from weald.arguments import path_of
from weald.errors import InputError
from weald.preview.fonts import families, missing_glyphs
from weald.preview.ground import PAPER

INK = "#33372f"
FAINT = "#76786c"
ACCENT = "#b5452f"
_DPI = 100


class Page:
    """A page of paper of a size in pixels.

    It is a figure of its own, drawn by Agg: it needs no display and leaves no global state.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        paper = tuple(PAPER.tolist())
        # a little more, as Agg rounds down
        self._figure = Figure(((width + 0.01) / _DPI, (height + 0.01) / _DPI), dpi=_DPI, facecolor=paper)
        # without types in matplotlib
        self._canvas: Any = FigureCanvasAgg(self._figure)

    def image(self, pixels: NDArray[np.uint8], x: int, y: int) -> None:
        """Put an image with its upper left corner at a place, pixel for pixel."""
        self._figure.figimage(pixels, x, self.height - y - pixels.shape[0], origin="upper")

    def text(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        room: float = math.inf,
        color: str = INK,
        align: str = "left",
        serif: bool = False,
    ) -> None:
        """Write words with their baseline at a place, ``size`` high, smaller if they need more than ``room``."""
        item = self._figure.text(
            x,
            self.height - y,
            words,
            transform=IdentityTransform(),
            fontsize=size * 72 / _DPI,
            color=color,
            ha=align,
            va="baseline",
            family=families("STIXGeneral" if serif else "DejaVu Sans"),
            # a name is no formula, whatever dollar signs it holds
            parse_math=False,
            usetex=False,
        )
        with missing_glyphs():
            width = item.get_window_extent().width
        if width > room:
            item.set_fontsize(size * 72 / _DPI * room / width)

    def box(
        self, x: float, y: float, width: float, depth: float, *, line: float = 0.0, color: str, fill: str | None = None
    ) -> None:
        """Draw a rectangle on whole pixels: an outline along the inside of its edge, a filling, or both."""
        left, top, right, bottom = round(x), round(y), round(x + width), round(y + depth)
        pen = round(line)
        if fill is not None:
            self._fill(left, top, right, bottom, fill)
        if pen:
            self._fill(left, top, right, top + pen, color)
            self._fill(left, bottom - pen, right, bottom, color)
            self._fill(left, top, left + pen, bottom, color)
            self._fill(right - pen, top, right, bottom, color)

    def _fill(self, left: int, top: int, right: int, bottom: int, color: str) -> None:
        corner = (left, self.height - bottom)
        self._add(Rectangle(corner, right - left, bottom - top, linewidth=0, facecolor=color, antialiased=False))

    def polygon(self, corners: list[tuple[float, float]], *, line: float, color: str, fill: str) -> None:
        """Draw a filled polygon."""
        flipped = np.array([(x, self.height - y) for x, y in corners])
        self._add(Polygon(flipped, closed=True, linewidth=line * 72 / _DPI, edgecolor=color, facecolor=fill))

    def _add(self, artist: Artist) -> None:
        artist.set_transform(IdentityTransform())
        self._figure.add_artist(artist)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page as PNG; a file of that name is replaced whole or not at all."""
        with missing_glyphs():
            self._canvas.draw()
        pixels = np.asarray(self._canvas.buffer_rgba())[: self.height, : self.width, :3]
        write_png(path, pixels)


def write_png(path: str | PathLike[str], pixels: NDArray[np.uint8]) -> None:
    """Write an image as PNG; a file of that name is replaced whole or not at all."""
    target = path_of("path", path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        # forests hardly compress: level 3 takes a third of the time of the usual 6, for 5 % more bytes
        Image.fromarray(pixels).save(partial, format="PNG", compress_level=3)
        partial.replace(target)
    except OSError as error:
        raise InputError(
            f"{target}: cannot be written ({error.strerror or error}); give a file in a folder that exists"
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink()
