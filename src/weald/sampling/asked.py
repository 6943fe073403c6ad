"""What may be asked of the sampler: checks that the plane and space share."""

from __future__ import annotations

import math

from weald.errors import InputError
from weald.exact import diagonal
from weald.files import free_memory
from weald.numbers import number
from weald.sampling.limits import RADII

SATURATION = 0.6962
"""Points a square radius of a maximal random set of the plane: 0.547 (its packing) times 4 / pi."""
SPACE_SATURATION = 0.7334
"""Points a cubed radius of a maximal random set of space: 0.384 (its packing) times 6 / pi."""

_MOST_POINTS = 3e10


def positive(name: str, value: object) -> float:
    """Return a length in metres, or say what is wrong with it."""
    length = number(value)
    if length is None:
        raise InputError(f"{name}: got {value!r}; give a number of metres above 0")
    if not RADII[0] <= length <= RADII[1]:
        raise InputError(
            f"{name}: got {length}; give a number of metres above 0 (at least {RADII[0]:g}, at most {RADII[1]:g})"
        )
    return length


def check_threads(threads: object) -> None:
    """Refuse what is no number of threads."""
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads: got {threads!r}; give a whole number of at least 1, or None for one a core")


def diameter(size: tuple[float, ...]) -> float:
    """Return a length above every distance inside a box: a larger radius changes nothing.

    Refuses a box in which no radius is large enough for a lattice.
    """
    across = 1.001 * diagonal(tuple(size))
    if across < RADII[0]:
        raise InputError(f"bounds: the domain is {across:.3g} m across; give at least {RADII[0]:g} m")
    return across


def refuse_if_too_large(size: tuple[float, ...], radius: float, sure: bool) -> None:
    """Refuse what cannot fit in memory; or what would take days, where a mask may leave almost nothing."""
    points = math.prod((length / radius for length in size), start=SATURATION if len(size) == 2 else SPACE_SATURATION)
    box = " x ".join(f"{length:g}" for length in size)
    needed = points * 2 * 8 * (len(size) + 1)  # coordinates and id, once in the parts and once joined
    free = free_memory()
    if sure and needed > free:
        raise InputError(
            f"radius: {radius} in {box} gives about {points:.3g} points, "
            f"which need {needed / 2**30:.3g} GiB ({free / 2**30:.3g} GiB are free); "
            "ask for one window after another, or use a larger radius"
        )
    if points > _MOST_POINTS:
        raise InputError(
            f"radius: {radius} in {box} has room for about {points:.3g} points, more than "
            f"can be gone through in one call ({_MOST_POINTS:.0e}); ask for one window after another, use a larger "
            "radius, or give an `allowed` that has bounds, such as weald.inside(polygon)"
        )
