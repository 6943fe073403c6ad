"""A world: seed, ground and rules, frozen; and what grows from them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from weald import hashing
from weald._version import ALGORITHM, __version__
from weald.errors import InputError
from weald.fields import Condition, Field, inside, perlin
from weald.geometry import Bounds, BoundsLike
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.rules import Ground, Measure, Only, Ramp, Rule
from weald.scatter.scatter import scatter
from weald.scatter.species import Species
from weald.terrain.samples import jacksboro
from weald.terrain.terrain import Terrain
from weald.world.spec import LayerSpec, RangeSpec, Spec, parse_spec, read_spec

SPEC_HEAD = "# The world as weald"
"""How a resolved spec begins."""


class World:
    """A world as a pure function of its spec.

    Parameters
    ----------
    spec
        What the world is made from; see ``docs/spec.md``.
    folder
        Where relative paths of the spec start; the current folder if not given.
    name
        What errors call the spec: the path of its file.

    Examples
    --------
    >>> world = World.parse({
    ...     "weald": 1, "seed": 7, "ground": {"sample": "jacksboro", "window": [14000, 16000, 14400, 16400]},
    ...     "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
    ...     "layer": [{"name": "pines", "species": "pine", "radius": 8}],
    ... })
    >>> pines = world.layers()["pines"]
    >>> len(pines), pines.xyz.shape[1]
    (1792, 3)
    """

    def __init__(self, spec: Spec, folder: str | Path = ".", name: str = "spec") -> None:
        self.spec = spec
        self.folder = Path(folder)
        self._name = name

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a world from a spec file."""
        return cls(read_spec(path), Path(path).parent, str(path))

    @classmethod
    def parse(cls, content: dict[str, Any], folder: str | Path = ".") -> Self:
        """Make a world from the content of a spec, as a dict."""
        return cls(parse_spec(content, "spec"), folder)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files that the world is made from."""
        files = [] if self.spec.ground.file is None else [self.folder / self.spec.ground.file]
        return tuple(path for path in (*files, Path(self._name)) if path.is_file())

    def __repr__(self) -> str:
        return f"World({self.spec.name!r}, seed={self.spec.seed!r})"

    @property
    def name(self) -> str:
        """The world's name."""
        return self.spec.name

    @cached_property
    def _whole_ground(self) -> Terrain:
        ground = self.spec.ground
        try:
            if ground.file is None:
                terrain = jacksboro() if ground.resample is None else jacksboro(ground.resample)
            else:
                terrain = Terrain.open(self.folder / ground.file, **ground.of_file())
                if ground.resample is not None:
                    terrain = terrain.resample(ground.resample)
        except InputError as error:
            reason = str(error)
            if reason.startswith("spacing: ") and ground.resample is not None:
                reason = "resample: " + reason.removeprefix("spacing: ")
            raise InputError(f"{self._name}: ground: {reason}") from error
        return terrain

    @cached_property
    def terrain(self) -> Terrain:
        """The ground, read when it is first asked for."""
        ground = self.spec.ground
        if ground.window is None:
            return self._whole_ground
        try:
            return self._whole_ground.crop(ground.window)
        except InputError as error:
            raise InputError(f"{self._name}: ground.window: {str(error).removeprefix('bounds: ')}") from error

    @cached_property
    def bounds(self) -> Bounds:
        """The box that the world fills, in metres: the window of the spec, as far as there is ground."""
        ground = self.terrain.grid.bounds
        window = self.spec.ground.window
        return ground if window is None else Bounds.of(window, "window").intersection(ground) or ground

    @cached_property
    def areas(self) -> dict[str, Condition]:
        """The named polygons; each must meet the ground."""
        areas: dict[str, Condition] = {}
        for name, corners in self.spec.areas.items():
            try:
                area = inside(np.array(corners, np.float64).reshape(-1, 2))
            except InputError as error:
                reason = str(error).removeprefix("polygon 0: ")  # there is but one
                raise InputError(f"{self._name}: areas.{name}: {reason}") from error
            if area.bounds.intersection(self._whole_ground.grid.bounds) is None:
                box, ground = area.bounds, self._whole_ground.grid.bounds
                raise InputError(
                    f"{self._name}: areas.{name}: the polygon spans x {box.xmin:g} to {box.xmax:g}, "
                    f"y {box.ymin:g} to {box.ymax:g}, all outside the ground, which spans x {ground.xmin:g} to "
                    f"{ground.xmax:g}, y {ground.ymin:g} to {ground.ymax:g}; move the polygon, or leave it out"
                )
            areas[name] = area
        return areas

    @cached_property
    def noise(self) -> dict[str, Field]:
        """The named noise fields, each with a seed of its own."""
        return {
            name: perlin(hashing.key(self.spec.seed, "noise", name), noise.frequency).fbm(
                octaves=noise.octaves, gain=noise.gain, lacunarity=noise.lacunarity
            )
            for name, noise in self.spec.noise.items()
        }

    @cached_property
    def species(self) -> dict[str, Species]:
        """The species by name."""
        return {name: Species(name=name, **dict(species)) for name, species in self.spec.species.items()}

    def layers(
        self,
        window: BoundsLike | None = None,
        *,
        threads: int | None = None,
        report: Callable[[str], object] = lambda name: None,
    ) -> dict[str, Placements]:
        """Place everything, layer by layer.

        Parameters
        ----------
        window
            The part of the world that is wanted, in metres; all of it if not given. The result is
            exactly the part of the whole that lies in it.
        threads
            How many threads to use; one a core if not given. The result is the same for any number.
        report
            Called with the name of each layer when its turn comes.

        Returns
        -------
        dict of Placements
            By layer name, in the order of the spec.
        """
        layers = [self._layer(layer, self.areas) for layer in self.spec.layer]
        box = None if window is None else Bounds.of(window, "window")
        ground, seed = self.terrain, self.spec.seed
        try:
            return scatter(
                layers,
                ground.height,
                self.bounds,
                seed,
                normal=ground.normal,
                window=box,
                threads=threads,
                report=report,
            )
        except InputError as error:
            raise InputError(f"{self._name}: {error}") from error

    def to_toml(self) -> str:
        """Return the spec as it was understood, every default written out: it builds the same world."""
        import tomli_w

        content = self.spec.model_dump(exclude_none=True, mode="json")
        if self.spec.ground.file is not None:
            content["ground"]["file"] = (self.folder / self.spec.ground.file).resolve().as_posix()
        head = f"{SPEC_HEAD} {__version__} (algorithm {ALGORITHM}) understood it.\n\n"
        return head + tomli_w.dumps(content)

    def _layer(self, layer: LayerSpec, areas: dict[str, Condition]) -> Layer:
        rules: list[Rule] = []
        if layer.height is None and layer.slope_deg is None:  # limits are never met on a void
            rules.append(Ground(self.terrain.height))
        for name in layer.inside:
            rules.append(Only(areas[name]))
        for name in layer.outside:
            rules.append(Only(~areas[name]))
        if layer.height is not None:
            rules += _limits(self.terrain.height, layer.height)
        if layer.thin is not None:
            rules.append(Ramp(self.noise[layer.thin.noise], layer.thin.none_at, layer.thin.all_at))
        if layer.slope_deg is not None:  # last, since it takes longest
            rules += _limits(self.terrain.slope_deg, layer.slope_deg)
        weights = {self.species[name]: weight for name, weight in layer.species.items()}
        return Layer(layer.name, weights, layer.radius, rules, layer.keep_off)


def _limits(measure: Measure, limits: RangeSpec) -> list[Rule]:
    half = limits.fade / 2
    rules: list[Rule] = []
    if limits.above is not None:
        rules.append(Ramp(measure, limits.above - half, limits.above + half, rising=True))
    if limits.below is not None:
        rules.append(Ramp(measure, limits.below + half, limits.below - half, rising=False))
    return rules
