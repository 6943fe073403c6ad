"""What can stand somewhere: a species, its looks and its sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from os import PathLike
from typing import Literal, TypeAlias, get_args

import numpy as np

from weald.arguments import of_kind, path_of, shown
from weald.errors import InputError, nearest
from weald.exact import length, mean_of
from weald.numbers import is_number, number, pair
from weald.scatter.asset import PLAIN, UpAxis, read_asset
from weald.scatter.color import LIGHT, codes, to_srgb
from weald.scatter.mesh import Mesh

SHAPES = ("conifer", "broadleaf", "bush", "rock", "grass", "palm", "cactus", "dead", "mushroom", "crystal")
"""Names of the built-in low-poly shapes."""

_STEMS = {"bush": 0.3, "rock": 0.7, "grass": 0.0, "cactus": 0.3, "mushroom": 0.2, "crystal": 0.6}
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
        A built-in mesh: one of `SHAPES`. With an asset, only what its stem goes by.
    height, crown_radius
        Size of the plant: tip above the ground, and widest half-width. A built-in mesh is made to measure; an asset
        stays as it was modelled, and has the sizes of its mesh if they are left out.
    color
        Of the crown, ``"#rrggbb"``. An asset keeps its own colours, and takes this one where it has none; if this is
        left out, their mean stands for it on maps.
    scale
        Smallest and largest size factor of an instance; each instance draws its own.
    stem_radius
        Of what is solid at the ground, in metres, at scale 1: nothing is placed into it. If left out, 2 % of the
        height for trees, and of the crown radius 30 % for bushes and cacti, 70 % for rocks, 60 % for crystals, 20 %
        for mushrooms, and 0 for grass.
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
    asset
        A mesh of your own instead: the path of a GLB, glTF, OBJ or PLY file, in metres, its foot at the origin. It
        is read here, once; see `weald.scatter.asset.read_asset`.
    asset_up
        The axis of the file that points up, ``"y"`` or ``"z"``; needed unless it is GLB or glTF, where it is y.

    Raises
    ------
    InputError
        If a value is out of its range, or the asset cannot be used.

    >>> Species("spruce", "conifer", height=22, crown_radius=2.6, color="#2f5d43").scale
    (0.85, 1.15)
    """

    name: str
    shape: str | None = None
    height: float = math.nan
    crown_radius: float = math.nan
    color: str = ""
    scale: tuple[float, float] = (0.85, 1.15)
    stem_radius: float | None = None
    alignment: float = 0.0
    tilt_deg: float = 0.0
    facing: Facing = "any"
    yaw_deg: tuple[float, float] | None = None
    sink: float = 0.0
    color_variation: float = 0.0
    asset: str | PathLike[str] | None = None
    asset_up: UpAxis | None = None
    mesh: Mesh | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        of_kind("species: name", self.name, str, "a text")
        known = isinstance(self.shape, str) and self.shape in SHAPES
        if not known and (self.shape is not None or self.asset is None):
            raise InputError(
                f"species {self.name!r}: shape is {self.shape!r}; give one of {', '.join(SHAPES)}, or an asset"
                + nearest(str(self.shape), SHAPES)
            )
        for name in ("height", "crown_radius"):
            if number(value := getattr(self, name)) is None:
                raise InputError(f"species {self.name!r}: {name} is {shown(value)}; give a finite number above 0")
        try:
            if self.color != "" or self.asset is None:
                codes(self.color)
        except ValueError:
            raise InputError(f"species {self.name!r}: color is {self.color!r}; give '#rrggbb'") from None
        if self.asset is not None:
            self._read_asset()
        for name in ("height", "crown_radius"):
            value = getattr(self, name)
            if not (is_number(value) and value > 0):
                raise InputError(f"species {self.name!r}: {name} is {value}; give a finite number above 0")
        low, high = pair(self.scale)
        if not SCALES[0] <= low <= high <= SCALES[1]:
            raise InputError(
                f"species {self.name!r}: scale is {self.scale}; "
                f"give smallest <= largest, from {SCALES[0]:g} to {SCALES[1]:g}"
            )
        if self.stem_radius is not None and not (is_number(self.stem_radius) and self.stem_radius >= 0):
            raise InputError(
                f"species {self.name!r}: stem_radius is {self.stem_radius}; give a finite number, 0 or more"
            )
        self._check_stance()

    def _read_asset(self) -> None:
        """Read the mesh, and take from it what was not given."""
        file = str(path_of(f"species {self.name!r}: asset", self.asset))
        try:
            mesh = read_asset(file, self.asset_up, self.color or PLAIN)
        except InputError as error:
            raise InputError(f"species {self.name!r}: asset: {error}") from None
        found: dict[str, object] = {"mesh": mesh, "asset": file}
        x, y, z = mesh.positions.astype(np.float64).T
        if math.isnan(self.height):
            found["height"] = float(z.max())
            if z.max() <= 0:
                raise InputError(
                    f"species {self.name!r}: asset: {file}: reaches from {z.min():g} to {z.max():g} m, nothing of it "
                    "above the ground; model it with its foot at the origin, or say which axis is up"
                )
        if math.isnan(self.crown_radius):
            found["crown_radius"] = float(length(x, y).max())
        if not self.color:
            light = LIGHT[mesh.colors[mesh.triangles.ravel(), :3]]
            mean = to_srgb(np.array([mean_of(channel) for channel in light.T]))
            found["color"] = "#" + bytes(mean.tolist()).hex()
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def _check_stance(self) -> None:
        for name, most in (("alignment", 1), ("tilt_deg", 90), ("color_variation", 1)):
            value = getattr(self, name)
            if not (is_number(value) and 0 <= value <= most):
                raise InputError(f"species {self.name!r}: {name} is {value}; give a number from 0 to {most}")
        if not is_number(self.sink):
            raise InputError(f"species {self.name!r}: sink is {self.sink}; give a finite number of metres")
        if not isinstance(self.facing, str) or self.facing not in get_args(Facing):
            options = get_args(Facing)
            raise InputError(
                f"species {self.name!r}: facing is {self.facing!r}; give one of {', '.join(options)}"
                + nearest(str(self.facing), options)
            )
        if self.yaw_deg is None:
            return
        low, high = pair(self.yaw_deg)
        if not -3600 <= low <= high <= 3600:
            raise InputError(f"species {self.name!r}: yaw_deg is {self.yaw_deg}; give smallest <= largest, in degrees")

    @property
    def stem(self) -> float:
        """Radius of the stem in metres: as given, or what goes with the shape."""
        if self.stem_radius is not None:
            return self.stem_radius
        of_crown = _STEMS.get(self.shape or "")
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
