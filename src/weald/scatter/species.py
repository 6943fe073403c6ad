"""What can stand somewhere: a species, its looks and its sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from weald.errors import InputError, nearest

SHAPES = ("conifer", "broadleaf", "bush", "rock", "grass")
"""Names of the built-in low-poly shapes."""

_STEMS = {"bush": 0.3, "rock": 0.7, "grass": 0.0}
"""Radius of the stem, in parts of the crown's, where it does not go with the height."""

SCALES = (1e-6, 1e6)
"""Least and greatest size factor: well inside what float32 holds."""

Facing: TypeAlias = Literal["any", "downhill", "uphill"]
"""What the yaw of an instance is counted from."""


@dataclass(frozen=True, slots=True)
class Species:
    """One kind of thing to place. Sizes are in metres, at scale 1.

    Parameters
    ----------
    name
        What it is called in tables, legends and files.
    shape
        A built-in mesh: one of `SHAPES`.
    height, crown_radius
        Size of the plant: tip above the ground, and widest half-width.
    color
        Of the crown, ``"#rrggbb"``.
    scale
        Smallest and largest size factor of an instance; each instance draws its own.
    stem_radius
        Of what is solid at the ground, in metres, at scale 1: nothing is placed into it. If left out, 2 % of the
        height for trees, 30 % of the crown radius for bushes, 70 % for rocks, and 0 for grass.
    alignment
        How far an instance leans from the vertical, 0, to the normal of the ground, 1. Trees stand upright on a slope,
        rocks lie on it.
    tilt_deg
        The farthest that an instance leans by chance besides, 0 to 90, in any direction.
    facing, yaw_deg
        Which way the front of the mesh, its -y side, looks: ``"any"``, ``"downhill"`` or ``"uphill"``, turned from
        there counter-clockwise by an angle between the two of ``yaw_deg``. If those are left out, all of 0 to 360, or
        20 to either side where it faces the slope. On level ground a thing that faces the slope looks anywhere.
    sink
        How deep an instance stands in the ground, in metres at scale 1, so that no gap shows below it on a slope.
    color_variation
        How much the colour differs from instance to instance, 0 to 1.

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
    alignment: float = 0.0
    tilt_deg: float = 0.0
    facing: Facing = "any"
    yaw_deg: tuple[float, float] | None = None
    sink: float = 0.0
    color_variation: float = 0.0

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
        self._check_stance()

    def _check_stance(self) -> None:
        for name, most in (("alignment", 1), ("tilt_deg", 90), ("color_variation", 1)):
            value = getattr(self, name)
            if not 0 <= value <= most:
                raise InputError(f"species {self.name!r}: {name} is {value}; give a number from 0 to {most}")
        if not math.isfinite(self.sink):
            raise InputError(f"species {self.name!r}: sink is {self.sink}; give a finite number of metres")
        if self.facing not in get_args(Facing):
            options = get_args(Facing)
            raise InputError(
                f"species {self.name!r}: facing is {self.facing!r}; give one of {', '.join(options)}"
                + nearest(str(self.facing), options)
            )
        if self.yaw_deg is not None and not -3600 <= self.yaw_deg[0] <= self.yaw_deg[1] <= 3600:
            raise InputError(f"species {self.name!r}: yaw_deg is {self.yaw_deg}; give smallest <= largest, in degrees")

    @property
    def stem(self) -> float:
        """Radius of the stem in metres: as given, or what goes with the shape."""
        if self.stem_radius is not None:
            return self.stem_radius
        of_crown = _STEMS.get(self.shape)
        return 0.02 * self.height if of_crown is None else of_crown * self.crown_radius

    @property
    def turns(self) -> tuple[float, float]:
        """Smallest and largest yaw, in turns: as given, or what goes with the facing."""
        low, high = self.yaw_deg or ((0.0, 360.0) if self.facing == "any" else (-20.0, 20.0))
        return low / 360.0, high / 360.0

    @property
    def knows_slope(self) -> bool:
        """Whether an instance's stance depends on the slope under it."""
        return self.alignment > 0 or self.facing != "any"
