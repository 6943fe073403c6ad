"""Images as fields: painted densities, masks and heights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from os import PathLike, fspath
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import word_of
from weald.errors import InputError
from weald.fields.expression import ATOM, Apply, Moved, Mover, Places, Sight, Values
from weald.fields.field import Field
from weald.fields.pixels import Channel, Pixels, pixels_of_array, pixels_of_file
from weald.fields.raster import Method, raster
from weald.geometry import Bounds, BoundsLike, Grid

RowOrder: TypeAlias = Literal["north-first", "south-first"]
Polarity: TypeAlias = Literal["bright", "dark"]

MAX_PIXELS = 100_000_000


def image(
    source: str | PathLike[str] | ArrayLike,
    bounds: BoundsLike,
    *,
    rows: RowOrder | None = None,
    channel: Channel | None = None,
    polarity: Polarity = "bright",
    low: float | None = None,
    high: float | None = None,
    method: Method = "bilinear",
    max_pixels: int = MAX_PIXELS,
) -> Field:
    """Return an image, laid over a box, as a Field.

    Parameters
    ----------
    source
        A PNG, TIFF or JPEG file of 8 or 16 bits (colours in TIFF: 8) or a TIFF of floats; or an array of uint8,
        uint16, bool or floats, shape (ny, nx), or (ny, nx, 3 or 4) of colours.
    bounds
        The box that the image covers, (xmin, ymin, xmax, ymax) in metres, from the outer edge of its first
        pixel to that of its last. Pixels need not be square.
    rows
        Whether the first row is the ``"north-first"``, as in every image file and assumed there, or
        ``"south-first"``, as in arrays of weald. Arrays must say.
    channel
        Of an image with several, and needed there: ``"gray"``, ``"red"``, ``"green"``, ``"blue"``, ``"alpha"`` or
        ``"luminance"`` (0.2126, 0.7152 and 0.0722 of the first three codes).
    polarity
        Which end is ``high``: ``"bright"`` or ``"dark"``.
    low, high
        The values of the darkest and the brightest code there is, such as 0 and 65535, or with polarity
        ``"dark"`` of the brightest and the darkest; 0 and 1 if left out. Floats are values already,
        and take none of these.
    method
        How to fill in between the middles of pixels: ``"bilinear"``, ``"nearest"`` or ``"cubic"``, as in
        `raster`.
    max_pixels
        Refuse files that hold more.

    Returns
    -------
    Field
        At the middle of a pixel it has the pixel's value, up to rounding. In the outer half of an outermost pixel it
        goes on level, so the whole box is covered; outside of the box it is NaN. The range is that of
        the pixels (for cubic, a little more); in floats, NaN marks a void.

    Raises
    ------
    InputError
        If the file is missing, damaged, too large or of another kind, or a parameter does not fit.

    Notes
    -----
    A painted density, black for sparse and white for dense, becomes the radius of `poisson_disk` by a
    curve from 0, the largest radius, to 1, the smallest::

        radius = image("density.png", bounds).remap([(0, 9.0), (1, 3.0)])
        weald.poisson_disk(bounds, radius, radius_range=(3, 9), seed=1)

    Examples
    --------
    >>> codes = np.array([[0, 255], [51, 102]], np.uint8)
    >>> density = image(codes, (0, 0, 10, 10), rows="south-first")
    >>> density([2.5, 7.5, 5, 0], [2.5, 2.5, 2.5, 0]).tolist()
    [0.0, 1.0, 0.5, 0.0]
    """
    box = Bounds.of(bounds)
    _check("polarity", polarity, get_args(Polarity))
    if isinstance(source, (str, PathLike)):
        pixels, name = pixels_of_file(source, channel, max_pixels), fspath(source)
    else:
        if rows is None:
            raise InputError("rows: not given; say 'north-first' or 'south-first' for an array")
        pixels, name = pixels_of_array(source, channel), "..."
    rows = "north-first" if rows is None else rows
    _check("rows", rows, get_args(RowOrder))
    values = pixels.codes if rows == "south-first" else pixels.codes[::-1]
    ny, nx = values.shape
    if not values.size:
        raise InputError(f"image: got shape {values.shape}; give at least one pixel")
    flat = raster(Grid(0.0, 0.0, 1.0, nx, ny), _stored(values), method=method)
    written = _written(name, box, rows, channel, polarity, low, high, method)
    laid = Moved(flat.expression, Fit(box, nx, ny), math.nan)
    ends = _levels(pixels, polarity, low, high)
    if ends is None or pixels.top is None:
        return Field(Apply(_unchanged, (laid,), written, ATOM, (ATOM,)), flat.range)
    level = partial(_level, top=pixels.top, at_zero=ends[0], at_top=ends[1])
    bottom, top = sorted(level(np.array(flat.range), low=-math.inf, high=math.inf).tolist())
    level = partial(level, low=bottom, high=top)
    return Field(Apply(level, (laid,), written, ATOM, (ATOM,)), (bottom, top))


@dataclass(frozen=True, slots=True)
class Fit(Mover):
    """From a box to an image of unit pixels, the middle of whose first is at (0, 0)."""

    box: Bounds
    nx: int
    ny: int

    def look(self, places: Places) -> Sight:
        """Return the places on the image; none outside of the box."""
        x, y = places.x, places.y
        box = self.box
        within = (x >= box.xmin) & (x <= box.xmax) & (y >= box.ymin) & (y <= box.ymax)
        everywhere = bool(within.all())
        if not everywhere:
            x, y = (np.broadcast_to(axis, places.shape)[within] for axis in (x, y))
        width, depth = box.size
        # beyond the middles of the outermost pixels their values go on
        column = np.clip((x - box.xmin) / width * self.nx - 0.5, 0.0, self.nx - 1.0)
        row = np.clip((y - box.ymin) / depth * self.ny - 0.5, 0.0, self.ny - 1.0)
        return Sight(places.elsewhere(column, row, None, None), None if everywhere else within)

    def text(self, operand: str, depth: int) -> str:
        """Return what is fitted: the box is in the text of the image."""
        return operand


def _stored(values: NDArray[np.generic]) -> NDArray[np.generic]:
    # codes of 8 and 16 bits are exact in float32, at half the memory
    return values.astype(np.float32) if values.dtype.kind in "bu" else values


def _levels(pixels: Pixels, polarity: str, low: float | None, high: float | None) -> tuple[float, float] | None:
    """Return the values of the code 0 and of the top code; None for floats."""
    if pixels.top is None:
        if low is not None or high is not None or polarity == "dark":
            raise InputError("low, high, polarity: the image holds floats, which are values already; leave them out")
        return None
    ends = (0.0 if low is None else float(low), 1.0 if high is None else float(high))
    if not -math.inf < ends[0] < ends[1] < math.inf:
        raise InputError(
            f"low, high: got {ends[0]} and {ends[1]}; give finite low < high (polarity='dark' turns them round)"
        )
    return ends if polarity == "bright" else ends[::-1]


def _level(codes: Values, top: float, at_zero: float, at_top: float, low: float, high: float) -> Values:
    t, rise = codes / top, at_top - at_zero
    # from the nearer end, so that both are exact; rounding may leave the range
    out: Values = np.where(t < 0.5, at_zero + t * rise, at_top - (1.0 - t) * rise)
    return np.minimum(np.maximum(out, low, out=out), high, out=out)


def _unchanged(values: Values) -> Values:
    return values


def _written(
    name: str,
    box: Bounds,
    rows: str,
    channel: str | None,
    polarity: str,
    low: float | None,
    high: float | None,
    method: str,
) -> str:
    """Return the call, without the pixels of an array; braces are doubled, as it is a form."""
    options = [f"({box.xmin:.15g}, {box.ymin:.15g}, {box.xmax:.15g}, {box.ymax:.15g})"]
    options += [f"rows={rows!r}"] * (name == "..." or rows != "north-first")
    options += [f"channel={channel!r}"] * (channel is not None)
    options += [f"polarity={polarity!r}"] * (polarity != "bright")
    options += [f"{key}={value:.15g}" for key, value in (("low", low), ("high", high)) if value is not None]
    options += [f"method={method!r}"] * (method != "bilinear")
    first = name if name == "..." else repr(name)
    return f"image({', '.join([first, *options])})".replace("{", "{{").replace("}", "}}")


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    word_of(name, value, allowed)
