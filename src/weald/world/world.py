"""A world: seed, ground and rules, frozen; and what grows from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from weald._version import ALGORITHM, __version__
from weald.errors import InputError
from weald.exact import diagonal
from weald.fields import Condition, Field
from weald.geometry import Bounds, BoundsLike
from weald.numbers import shown_box
from weald.scatter.counting import Counts
from weald.scatter.editing import edited
from weald.scatter.edits import Edits
from weald.scatter.growth import Growth
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.scatter import growths, scatter
from weald.scatter.species import Species
from weald.terrain.biomes import Biomes
from weald.terrain.endless import EndlessTerrain
from weald.terrain.hydrology import Drainage, drainage
from weald.terrain.terrain import Terrain
from weald.world.budget import Budget, Cost, cost_of
from weald.world.chunk import Chunk
from weald.world.edits import load_edits
from weald.world.ground import load_ground
from weald.world.names import Ground, Names
from weald.world.planting import clearances_of, layer_of, layers_of, one_species, species_of
from weald.world.spec import Spec, parse_spec, read_spec

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
    budget
        What the ground and a build may take at most: 16 GiB and an hour of one core if not given.

    Examples
    --------
    >>> world = World.parse({
    ...     "weald": 1, "seed": 7, "ground": {"sample": "jacksboro", "window": [14000, 16000, 14400, 16400]},
    ...     "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
    ...     "layer": [{"name": "pines", "species": "pine", "radius": 8}],
    ... })
    >>> pines = world.layers()["pines"]
    >>> len(pines), pines.xyz.shape[1]
    (1752, 3)
    """

    def __init__(self, spec: Spec, folder: str | Path = ".", name: str = "spec", budget: Budget | None = None) -> None:
        self.spec = spec
        self.folder = Path(folder)
        self.budget = Budget() if budget is None else budget
        self._name = name
        self.names = Names(spec, self.folder, lambda: self.ground, lambda: self.drainage)

    @classmethod
    def load(cls, path: str | Path, *, budget: Budget | None = None) -> Self:
        """Read a world from a spec file."""
        return cls(read_spec(path), Path(path).parent, str(path), budget)

    @classmethod
    def parse(cls, content: dict[str, Any], folder: str | Path = ".", *, budget: Budget | None = None) -> Self:
        """Make a world from the content of a spec, as a dict."""
        return cls(parse_spec(content, "spec"), folder, budget=budget)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files that the world is made from."""
        named = [self.spec.ground.file, self.spec.edits, *(image.file for image in self.spec.images.values())]
        named += [species.asset for species in self.spec.species.values()]
        files = [self.folder / name for name in named if name is not None]
        # unlike Path.is_file, it says no where it may not look; who reads the file says why
        return tuple(path for path in (*files, Path(self._name)) if os.path.isfile(path))  # noqa: PTH113

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (
            self.spec,
            self.folder,
            self._name,
            self.budget,
        )  # what it has made, another process makes again

    def __repr__(self) -> str:
        return f"World({self.spec.name!r}, seed={self.spec.seed!r})"

    @property
    def name(self) -> str:
        """The world's name."""
        return self.spec.name

    # -- the ground and what is known of it -------------------------------------------------------

    @property
    def ground(self) -> Ground:
        """The ground, read or set up when it is first asked for; without edges if the world has none."""
        return self._loaded[0]

    @cached_property
    def _loaded(self) -> tuple[Ground, Bounds | None]:
        """The ground, and the box of all the ground that there was before the window was cut out."""
        with self._named():
            return load_ground(self.spec.ground, self.folder, self.names, self.budget)

    @property
    def terrain(self) -> Terrain:
        """The ground of a world with edges."""
        ground = self.ground
        if isinstance(ground, EndlessTerrain):
            raise InputError(f"{self._name}: the world has no edges; give `ground.window`, or ask for a chunk of it")
        return ground

    @cached_property
    def bounds(self) -> Bounds | None:
        """The box that the world fills, in metres: the window of the spec, as far as there is ground.

        None if the world has no edges.
        """
        if isinstance(self.ground, EndlessTerrain):
            return None
        ground, window = self.ground.grid.bounds, self.spec.ground.window
        return ground if window is None else Bounds.of(window, "window").intersection(ground) or ground

    @property
    def water_level(self) -> float | None:
        """Height of still water, if the spec has any."""
        return None if self.spec.water is None else self.spec.water.level

    @cached_property
    def drainage(self) -> Drainage:
        """Where water goes on the ground of a world with edges."""
        if isinstance(self.ground, EndlessTerrain):
            raise InputError(
                f"{self._name}: water: where it flows is a property of the whole ground, and this has no edges; "
                "give `ground.window`"
            )
        return drainage(self.ground, water_level=self.water_level)

    @property
    def biomes(self) -> Biomes | None:
        """The biomes, if the spec has any."""
        if self.spec.biomes is None:
            return None
        with self._named():
            return self.names.biomes

    @property
    def areas(self) -> dict[str, Condition]:
        """The named polygons."""
        with self._named():
            return self.names.areas

    @property
    def noise(self) -> dict[str, Field]:
        """The named noise fields, each with a seed of its own."""
        found = {name: self.names[name] for name in self.spec.noise}
        return {name: value for name, value in found.items() if isinstance(value, Field)}

    @cached_property
    def species(self) -> dict[str, Species]:
        """The species by name; assets are read when they are first asked for."""
        with self._named():
            return species_of(self.spec, self.folder)

    @cached_property
    def edits(self) -> Edits:
        """What was changed by hand."""
        if self.spec.edits is None:
            return Edits()
        return load_edits(self.folder / self.spec.edits)

    # -- what stands on it ------------------------------------------------------------------------

    def check(self) -> None:
        """Find out whether everything that the spec names and says can be made; nothing is placed.

        Raises
        ------
        InputError
            With every fault that was found, one a line.
        """
        steps: list[Callable[[], object]] = [partial(self.names.__getitem__, name) for name in self.names]
        steps += [lambda: self.areas, lambda: self.biomes]
        steps += [partial(one_species, name, one, self.folder) for name, one in self.spec.species.items()]
        layers = range(len(self.spec.layer))
        steps += [lambda k=k: layer_of(self.spec, self.names, k, self.species) for k in layers]  # type: ignore[misc]
        steps += [lambda: self.ground, self._check_areas, lambda: self.edits]
        faults = self._faults(steps)
        # what can be told only of sound parts
        faults = faults or self._faults([self.growths])
        faults = faults or self._faults([self.afford])
        if faults:
            raise InputError("\n".join(faults))

    def cost(self, window: BoundsLike | None = None) -> Cost:
        """Return what it takes, about, to build the world, or a window of it; one chunk of a world without edges."""
        with self._named():
            return cost_of(self, None if window is None else Bounds.of(window, "window"))

    def afford(self, window: BoundsLike | None = None) -> Cost:
        """Return what it takes to build the world or a window, or refuse it if that is more than the budget.

        Raises
        ------
        InputError
            With the numbers, and what to change.
        """
        cost = self.cost(window)
        with self._named():
            self.budget.check(cost)
        return cost

    def _faults(self, steps: Iterable[Callable[[], object]]) -> list[str]:
        faults = []
        for step in steps:
            try:
                with self._named():
                    step()
            except InputError as error:
                faults.append(str(error))
        return list(dict.fromkeys(faults))

    def layers(
        self,
        window: BoundsLike | None = None,
        *,
        threads: int | None = None,
        report: Callable[[str], object] = lambda name: None,
        stale: Callable[[str], object] = lambda line: None,
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
        stale
            Called with a line for each edit of the window that does not apply: its instance no longer grows, or its
            species, layer or ground is gone.

        Returns
        -------
        dict of Placements
            By layer name, in the order of the spec.

        Raises
        ------
        InputError
            If the spec cannot be met, or if the world has no edges and no window is given.
        """
        box = None if window is None else Bounds.of(window, "window")
        self._check_areas()
        with self._named():
            grown = self._grow(box, threads, report)
            if not len(self.edits):
                return grown
            placed, told = edited(
                self.edits,
                grown,
                box,
                self.bounds,
                find=lambda layer, box: self._grow(box, threads)[layer],
                height=self.ground.height,
                species=self.species,
            )
        for line in told:
            stale(line)
        return placed

    def chunk(self, i: int, j: int, *, threads: int | None = None) -> Chunk:
        """Make one chunk of the world, alone: the square from ``(i, j)`` to ``(i + 1, j + 1)`` sides.

        Parameters
        ----------
        i, j
            Column and row of the chunk, counted from the origin; negative ones lie west and south of it. Its side
            is the spec's ``chunk``, in metres.

        Returns
        -------
        Chunk
            Equal to that part of the whole, bit for bit, whatever else is made before or after it.

        Examples
        --------
        >>> world = World.parse({
        ...     "weald": 1, "seed": 7, "chunk": 64, "noise": {"hills": {"frequency": 0.004}},
        ...     "ground": {"formula": "60 * hills", "spacing": 4},
        ...     "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
        ...     "layer": [{"name": "pines", "species": "pine", "radius": 8}],
        ... })
        >>> world.chunk(3, -7)
        Chunk(3, -7: 17 x 17 heights, 45 instances)
        """
        for name, value in (("i", i), ("j", j)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise InputError(f"{name}: got {value!r}; give a whole number")
            if not abs(int(value)) < 2**53:
                raise InputError(f"{name}: got {value}; float64 has no places so far away; give less")
        side = self.spec.chunk
        box = Bounds(int(i) * side, int(j) * side, (int(i) + 1) * side, (int(j) + 1) * side)
        stale: list[str] = []
        layers = self.layers(box, threads=threads, stale=stale.append)
        terrain = self._part(box)
        return Chunk(int(i), int(j), box, terrain, self._biome_codes(terrain), layers, tuple(stale))

    def growths(self) -> dict[str, list[Growth]]:
        """Return each layer in the making, as it grows before any edit: its rules, and what it keeps off."""
        with self._named():
            return growths(self._layers, self.bounds, self.spec.seed, clearances_of(self.spec), self._counts)

    def to_toml(self, folder: str | Path | None = None) -> str:
        """Return the spec as it was understood, every default written out: it builds the same world.

        Parameters
        ----------
        folder
            Where the text will be kept: paths of files are written relative to it, so that it can be moved together
            with them. A file on another drive, and every file if no folder is given, gets its whole path.
        """
        import tomli_w

        def placed(path: str) -> str:
            return _seen_from(self.folder / path, folder)

        content = self.spec.model_dump(exclude_none=True, mode="json", by_alias=True)
        if self.spec.ground.file is not None:
            content["ground"]["file"] = placed(self.spec.ground.file)
        if self.spec.edits is not None:
            content["edits"] = placed(self.spec.edits)
        for name, image in self.spec.images.items():
            content["images"][name]["file"] = placed(image.file)
        for key, species in self.spec.species.items():
            if species.asset is not None:
                content["species"][key]["asset"] = placed(species.asset)
        head = f"{SPEC_HEAD} {__version__} (algorithm {ALGORITHM}) understood it.\n\n"
        return head + tomli_w.dumps(content)

    # -- steps ------------------------------------------------------------------------------------

    @cached_property
    def _layers(self) -> list[Layer]:
        return layers_of(self.spec, self.names, self.species)

    @cached_property
    def _counts(self) -> Counts:
        return Counts()

    def _grow(
        self, window: Bounds | None, threads: int | None, report: Callable[[str], object] = lambda name: None
    ) -> dict[str, Placements]:
        """Return what grows in a window, before any edit."""
        return scatter(
            self._layers,
            self.ground.height,
            self.bounds,
            self.spec.seed,
            normal=self.ground.normal,
            clearances=clearances_of(self.spec),
            window=window,
            threads=threads,
            report=report,
            counts=self._counts,
        )

    def _part(self, box: Bounds) -> Terrain | None:
        """Return the ground that covers a box, if there is any."""
        if isinstance(self.ground, Terrain) and self.ground.grid.bounds.intersection(box) is None:
            return None
        try:
            return self.ground.crop(box)
        except InputError as error:
            if "all" in str(error) and "samples are void" in str(error):
                return None
            raise

    def _biome_codes(self, terrain: Terrain | None) -> NDArray[Any] | None:
        biomes = self.biomes
        return None if biomes is None or terrain is None else biomes.codes(terrain.grid)

    def _check_areas(self) -> None:
        """Refuse areas that miss a ground with edges, and lines far off: most often x and y are exchanged, or degrees.

        A line beside the ground may still be asked how far it is, so it may lie as far off as the ground is long.
        """
        _ = self.areas
        ground = self._loaded[1]
        if ground is None:
            return
        shapes = [("areas", "polygon", name, corners, 0.0) for name, corners in self.spec.areas.items()]
        far = diagonal(ground.size)
        shapes += [("lines", "line", name, places, far) for name, places in self.spec.lines.items()]
        for table, noun, name, places, allowed in shapes:
            xy = np.array(places, np.float64)
            (xmin, ymin), (xmax, ymax) = xy.min(axis=0), xy.max(axis=0)
            off = max(xmin - ground.xmax, ground.xmin - xmax, ymin - ground.ymax, ground.ymin - ymax)
            if off > allowed:
                raise InputError(
                    f"{self._name}: {table}.{name}: the {noun} spans {shown_box(xmin, ymin, xmax, ymax)}, "
                    f"all outside the ground, which spans "
                    f"{shown_box(ground.xmin, ground.ymin, ground.xmax, ground.ymax)}; "
                    f"move the {noun}, or leave it out; coordinates are in metres of the ground, x before y"
                )

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Let errors begin with the name of the spec."""
        try:
            yield
        except InputError as error:
            text = str(error)
            raise InputError(text if text.startswith(f"{self._name}:") else f"{self._name}: {text}") from error


def _seen_from(file: Path, folder: str | Path | None) -> str:
    """Return the path of a file relative to a folder if there is a way, with forward slashes."""
    whole = file.resolve()
    if folder is not None:
        try:
            return Path(os.path.relpath(whole, Path(folder).resolve())).as_posix()
        except ValueError:  # on Windows, there is none from one drive to another
            pass
    return whole.as_posix()
