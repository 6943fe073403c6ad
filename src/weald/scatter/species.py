"""What can stand somewhere: a species, its looks and its sizes."""

from __future__ import annotations

from dataclasses import dataclass

from weald.errors import InputError, nearest

SHAPES = ("conifer", "broadleaf", "bush")
"""Names of the built-in low-poly shapes."""

SCALES = (1e-6, 1e6)
"""Least and greatest size factor: well inside what float32 holds."""


@dataclass(frozen=True, slots=True)
class Species:
    """One kind of thing to place. Sizes are in metres, at scale 1.

    Parameters
    ----------
    name
        What it is called in tables, legends and files.
    shape
        A built-in mesh: ``"conifer"``, ``"broadleaf"`` or ``"bush"``.
    height, crown_radius
        Size of the plant: tip above the ground, and widest half-width.
    color
        Of the crown, ``"#rrggbb"``.
    scale
        Smallest and largest size factor of an instance; each instance draws its own.
    stem_radius
        Of what is solid at the ground, in metres, at scale 1: nothing is placed into it. If left out, 2 % of the
        height for trees, and 30 % of the crown radius for bushes.

    >>> Species("spruce", "conifer", height=22, crown_radius=2.6, color="#2f5d43").scale
    (0.85, 1.15)
    """

    name: str
    shape: str
    height: float
    crown_radius: float
    color: str
    scale: tuple[float, float] = (0.85, 1.15)
    stem_radius: float | None = None

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise InputError(
                f"species {self.name!r}: shape is {self.shape!r}; give one of {', '.join(SHAPES)}"
                + nearest(self.shape, SHAPES)
            )
        for name in ("height", "crown_radius"):
            value = getattr(self, name)
            if not 0 < value < float("inf"):
                raise InputError(f"species {self.name!r}: {name} is {value}; give a finite number above 0")
        low, high = self.scale
        if not SCALES[0] <= low <= high <= SCALES[1]:
            raise InputError(
                f"species {self.name!r}: scale is {self.scale}; "
                f"give smallest <= largest, from {SCALES[0]:g} to {SCALES[1]:g}"
            )
        if self.stem_radius is not None and not 0 <= self.stem_radius < float("inf"):
            raise InputError(
                f"species {self.name!r}: stem_radius is {self.stem_radius}; give a finite number, 0 or more"
            )

    @property
    def stem(self) -> float:
        """Radius of the stem in metres: as given, or what goes with the shape."""
        if self.stem_radius is not None:
            return self.stem_radius
        return 0.3 * self.crown_radius if self.shape == "bush" else 0.02 * self.height
