"""Fonts: letters of any script where the machine has them, and no warnings where it has not."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from matplotlib.font_manager import get_font_names

_FURTHER = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Source Han Sans",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "WenQuanYi Zen Hei",
    "Noto Sans",
)
"""Fonts for the letters that the first one lacks, as far as the machine has them."""


@lru_cache
def families(first: str) -> list[str]:
    """Return a font and those to fall back on."""
    here = set(get_font_names())
    return [first, *(name for name in (*_FURTHER, "DejaVu Sans") if name in here and name != first)]


@contextmanager
def missing_glyphs() -> Iterator[None]:
    """Draw a box for what no font has, and do not warn: the name of a world is the user's."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        yield
