"""Colours: sRGB and linear light, and how the colour of one instance differs from that of the next."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import shown
from weald.errors import InputError
from weald.exact import raised
from weald.hashing import unit
from weald.numbers import reals

_CODES = np.arange(256) / 255
LIGHT: NDArray[np.float64] = np.where(_CODES <= 0.04045, _CODES / 12.92, raised((_CODES + 0.055) / 1.055, 2.4))
"""Linear light of each of the 256 sRGB codes, 0 to 1."""
_LIMITS = (LIGHT[:-1] + LIGHT[1:]) / 2

_LIGHTER = 0.5
"""Most that a variation of 1 makes a colour lighter or darker, as a share of its light."""
_WARMER = 0.3
"""Most that it takes from blue and gives to red, or the other way."""


def codes(color: str) -> NDArray[np.uint8]:
    """Return the sRGB codes of ``"#rrggbb"``, shape (3,); an InputError if it is none.

    >>> codes("#ff8000").tolist()
    [255, 128, 0]
    """
    if not (isinstance(color, str) and re.fullmatch("#[0-9a-fA-F]{6}", color)):
        raise InputError(f"color: got {shown(color)}; give '#rrggbb'")
    return np.frombuffer(bytes.fromhex(color[1:]), np.uint8)


def to_srgb(light: ArrayLike) -> NDArray[np.uint8]:
    """Return the sRGB codes nearest to linear light, which is cut to 0 to 1.

    >>> to_srgb([0, 0.0137, 0.5, 2]).tolist()
    [0, 31, 188, 255]
    """
    return np.searchsorted(_LIMITS, reals("light", light)).astype(np.uint8)


def tints(ids: NDArray[np.uint64], variation: ArrayLike) -> NDArray[np.float32]:
    """Return what the colours of instances are multiplied by, in linear light: red, green, blue, shape (n, 3).

    A pure function of the id and the variation, with a mean of 1: lightness and warmth differ, each independently.

    Parameters
    ----------
    ids : ndarray of uint64, shape (n,)
    variation : array_like, shape () or (n,)
        From 0, where all are 1, to 1.
    """
    most = reals("variation", variation, "numbers from 0 to 1")
    if not (isinstance(ids, np.ndarray) and ids.dtype.kind in "iu" and ids.ndim == 1):
        raise InputError(f"ids: got {shown(ids)}; give an array of whole numbers, shape (n,)")
    if most.shape not in ((), ids.shape):
        raise InputError(f"variation: has shape {most.shape}; give one number, or one for each of {len(ids)} ids")
    lighter = 1 + _LIGHTER * most * (2 * unit(ids, 0, "color lightness") - 1)
    warmer = _WARMER * most * (2 * unit(ids, 0, "color warmth") - 1)
    return np.column_stack([lighter * (1 + warmer), lighter, lighter * (1 - warmer)]).astype(np.float32)
