"""What stands where: the result of a scatter, as a struct of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import array_of, flag_of, shown, word_of
from weald.errors import InputError, nearest, require_extra
from weald.geometry import Bounds, BoundsLike
from weald.numbers import floats, number_in, reals, whole_in
from weald.sampling.neighbours import Neighbours
from weald.scatter.color import LIGHT, codes, tints, to_srgb
from weald.scatter.orientation import rotation_matrices
from weald.scatter.species import Species

_ARRAYS = ("id", "species", "xyz", "rotation", "scale", "radius")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Placements:
    """Instances of species, n of them, one array an attribute. They are equal if every bit of them is.

    Attributes
    ----------
    species_table : tuple of Species
        What ``species`` points into.
    id : ndarray of uint64, shape (n,)
        Stable identity: a function of seed, layer and place.
    species : ndarray of uint16, shape (n,)
        Index into ``species_table``.
    xyz : ndarray of float64, shape (n, 3)
        Foot of each instance in metres; right-handed, z up.
    rotation : ndarray of float32, shape (n, 4)
        Unit quaternions, in the order x, y, z, w.
    scale : ndarray of float32, shape (n,)
        Size factor of each instance, above 0.
    radius : ndarray of float32, shape (n,)
        Spacing radius that the instance was placed with, in metres.
    """

    species_table: tuple[Species, ...]
    id: NDArray[np.uint64]
    species: NDArray[np.uint16]
    xyz: NDArray[np.float64]
    rotation: NDArray[np.float32]
    scale: NDArray[np.float32]
    radius: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.id)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Placements):
            return NotImplemented
        return self.species_table == other.species_table and all(
            getattr(self, name).tobytes() == getattr(other, name).tobytes() for name in _ARRAYS
        )

    __hash__ = None  # type: ignore[assignment]  # arrays can be changed

    def __repr__(self) -> str:
        names = ", ".join(species.name for species in self.species_table)
        return f"Placements({len(self)} instances of {names or 'nothing'})"

    def __getitem__(self, which: Any) -> Placements:
        if isinstance(which, (int, np.integer)):
            raise InputError(f"placements[{which}]: give a slice, a mask or indices, such as placements[{which}:][:1]")
        return self.take(which)

    def of(self, species: int | str) -> Placements:
        """Return the instances of one species, by its index in the table or by name; the table stays whole."""
        if not isinstance(species, str):
            whole_in("species", species, "an index of the table, or a name", least=0, most=len(self.species_table) - 1)
            return self.take(self.species == species)
        same = [k for k, known in enumerate(self.species_table) if known.name == species]
        if not same:
            names = [known.name for known in self.species_table]
            raise InputError(f"species: got {species!r}{nearest(species, names)}; known: {', '.join(names) or 'none'}")
        return self.take(np.isin(self.species, same))

    def take(self, which: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Placements:
        """Return some of the instances, chosen by a slice, a mask or indices."""
        which = _choice(which, len(self))
        return Placements(
            self.species_table,
            self.id[which],
            self.species[which],
            self.xyz[which],
            self.rotation[which],
            self.scale[which],
            self.radius[which],
        )

    def inside(self, bounds: BoundsLike) -> Placements:
        """Return the instances whose foot stands in a half-open box, in their order."""
        return self.take(Bounds.of(bounds).contains(self.xyz[:, 0], self.xyz[:, 1]))

    def near(self, x: float, y: float, radius: float) -> Placements:
        """Return the instances whose foot lies nearer than ``radius`` metres to a place, in their order.

        For many places at once use `index`.
        """
        for name, value in (("x", x), ("y", y)):
            number_in(name, value, "a finite number of metres")
        number_in("radius", radius, "a finite number of metres, 0 or more", least=0.0)
        dx, dy = self.xyz[:, 0] - x, self.xyz[:, 1] - y
        with np.errstate(over="ignore"):  # what is so far away is not near
            return self.take(np.sqrt(dx * dx + dy * dy) < radius)

    def index(self, cell: float | None = None) -> Neighbours:
        """Return an index that answers quickly, for many places, what is near and what is nearest.

        Parameters
        ----------
        cell
            About the distance that will be asked about, in metres; a few instances' spacing if not given.
        """
        usual = float(np.median(self.radius)) * 2 if len(self) else 1.0
        return Neighbours(self.xyz[:, :2], cell if cell is not None else max(usual, 1e-3))

    def cells(self, size: float) -> Iterator[tuple[tuple[int, int], Placements]]:
        """Go through the instances by square cells of a side in metres, from (0, 0), south to north, west to east.

        Yields
        ------
        (i, j), Placements
            Column and row of a cell that is not empty, and what stands in it, by id: the order does not depend
            on what else was asked for.

        >>> from weald.scatter.species import Species
        >>> pine = Species("pine", "conifer", height=20, crown_radius=2, color="#335544")
        >>> some = Placements.upright((pine,), [[-0.5, 2, 0], [15.9, 2, 0], [16, 2, 0]])
        >>> [(cell, len(part)) for cell, part in some.cells(16)]
        [((-1, 0), 1), ((0, 0), 1), ((1, 0), 1)]
        """
        size = number_in("size", size, "metres, from 1e-6 to 1e100", least=1e-6, most=1e100)
        column, row = np.floor(self.xyz[:, :2] / size).T
        order = np.lexsort((self.id, column, row))
        sorted_, column, row = self.take(order), column[order], row[order]
        change = np.flatnonzero((np.diff(column) != 0) | (np.diff(row) != 0)) + 1
        edges = [0, *change.tolist(), len(self)]
        for first, end in pairwise(edges):
            if end > first:
                yield (int(column[first]), int(row[first])), sorted_.take(slice(first, end))

    def tints(self, *, at_least: float = 0.0) -> NDArray[np.float32]:
        """Return what each instance's mesh is multiplied by in linear light: red, green, blue, shape (n, 3).

        How far they are from 1 is the species' ``color_variation``; the rest is a pure function of the id.

        Parameters
        ----------
        at_least
            The variation of species that have a smaller one, 0 to 1.
        """
        at_least = number_in("at_least", at_least, "a number from 0 to 1", least=0.0, most=1.0)
        varied = np.array([max(one.color_variation, at_least) for one in self.species_table])
        return tints(self.id, varied[self.species] if len(self) else 0.0)

    def colors(self, *, at_least: float = 0.0) -> NDArray[np.uint8]:
        """Return the colour of each instance's crown, sRGB, shape (n, 3): the species', times the `tints`.

        >>> from weald.scatter.species import Species
        >>> pine = Species("pine", "conifer", height=20, crown_radius=2, color="#335544", color_variation=0.5)
        >>> Placements.upright((pine,), [[0, 0, 0], [9, 0, 0]]).colors().tolist()
        [[55, 87, 67], [52, 89, 74]]
        """
        light = np.array([LIGHT[codes(one.color)] for one in self.species_table]).reshape(-1, 3)
        return to_srgb(light[self.species] * self.tints(at_least=at_least))

    def to_matrices(
        self,
        *,
        origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
        layout: Literal["row-major", "column-major"] = "row-major",
        compact: bool = False,
    ) -> NDArray[np.float32]:
        """Return what takes a mesh to its places: one matrix an instance, in weald's axes.

        Parameters
        ----------
        origin
            What coordinates are counted from: float32 has 7 digits, so give a place nearby where
            coordinates are large.
        layout
            ``"row-major"``: ``matrix[i] @ (x, y, z, 1)``, the translation in the last column.
            ``"column-major"``: as engines lay them out in memory, the translation in the last row.
        compact
            Leave out the row, or column, that is always (0, 0, 0, 1).

        Returns
        -------
        ndarray of float32, shape (n, 4, 4); (n, 3, 4) or, column-major, (n, 4, 3) if compact
            The upper 3 x 3 part is a rotation times the scale: its determinant is above 0.
        """
        word_of("layout", layout, ("row-major", "column-major"))
        start = floats(origin)
        if start is None or start.shape != (3,) or not np.isfinite(start).all():
            raise InputError(f"origin: got {origin!r}; give (x, y, z), finite metres")
        compact = flag_of("compact", compact)
        out = np.zeros((len(self), 4, 4), np.float32)
        out[:, :3, :3] = rotation_matrices(self.rotation) * self.scale[:, None, None]
        out[:, :3, 3] = self.xyz - start
        out[:, 3, 3] = 1.0
        used = out[:, :3] if compact else out
        return np.ascontiguousarray(used if layout == "row-major" else used.transpose(0, 2, 1))

    def to_numpy(self) -> NDArray[Any]:
        """Return one structured array, a record an instance, with the species as an index.

        >>> from weald.scatter.species import Species
        >>> pine = Species("pine", "conifer", height=20, crown_radius=2, color="#335544")
        >>> records = Placements.upright((pine,), [[1, 2, 3], [4, 5, 6]]).to_numpy()
        >>> records.dtype.names, records["xyz"][1].tolist()
        (('id', 'species', 'xyz', 'rotation', 'scale', 'radius'), [4.0, 5.0, 6.0])
        """
        fields = [(name, getattr(self, name).dtype, getattr(self, name).shape[1:]) for name in _ARRAYS]
        out = np.empty(len(self), fields)
        for name in _ARRAYS:
            out[name] = getattr(self, name)
        return out

    def to_arrow(self, *, crs: str | None = None) -> Any:
        """Return a `pyarrow.Table`: see `weald.scatter.arrow.to_arrow`."""
        from weald.scatter.arrow import to_arrow

        return to_arrow(self, crs=crs)

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame` with the columns of `to_arrow`; needs ``weald[pandas]``."""
        require_extra("pandas", "pandas", "a DataFrame")
        return self.to_arrow().to_pandas()

    @classmethod
    def upright(
        cls,
        species_table: Sequence[Species],
        xyz: ArrayLike,
        *,
        species: ArrayLike = 0,
        scale: ArrayLike = 1.0,
        radius: ArrayLike = 0.0,
        id: ArrayLike | None = None,
    ) -> Placements:
        """Make placements of places of your own, unturned.

        Parameters
        ----------
        species_table, species
            The species, and the index of each instance's, or one for all.
        xyz : array_like, shape (n, 3)
            Finite places, in metres.
        scale, radius : array_like, shape () or (n,)
        id : array_like of uint64, shape (n,)
            Their row numbers if not given.
        """
        if not (isinstance(species_table, Sequence) and all(isinstance(one, Species) for one in species_table)):
            raise InputError(f"species_table: got {shown(species_table)}; give a list of Species")
        table = tuple(species_table)
        places = np.array(reals("xyz", xyz, "places in metres, shape (n, 3)"))
        places = places.reshape(-1, 3) if places.ndim == 1 and places.size in (0, 3) else places
        if places.ndim != 2 or places.shape[1] != 3:
            raise InputError(f"xyz: got shape {places.shape}; give (n, 3)")
        if not np.isfinite(places).all():
            where = int(np.flatnonzero(~np.isfinite(places).all(axis=1))[0])
            raise InputError(f"xyz: place {where} is {tuple(places[where].tolist())}; give finite coordinates")
        n = len(places)
        codes = _each("species", species, n, f"whole numbers below {len(table)}, indices of the table")
        if n and not ((codes >= 0) & (codes < len(table)) & (codes == np.rint(codes))).all():
            raise InputError(f"species: spans {codes.min()} to {codes.max()}; the table has {len(table)}")
        factors = _each("scale", scale, n, "numbers above 0").astype(np.float32)
        if not (np.isfinite(factors) & (factors > 0)).all():
            raise InputError("scale: some are not finite and above 0")
        radii = _each("radius", radius, n, "metres, 0 or more").astype(np.float32)
        if not (np.isfinite(radii) & (radii >= 0)).all():
            raise InputError("radius: some are not finite, or below 0")
        ids = np.arange(n, dtype=np.uint64)
        if id is not None:
            given = array_of("id", id)
            if given.shape != (n,) or given.dtype.kind not in "iu" or (given < 0).any():
                raise InputError(f"id: got {given.dtype} of shape {given.shape}; give whole numbers, 0 or more, ({n},)")
            ids = given.astype(np.uint64)
        rotation = np.zeros((n, 4), np.float32)
        rotation[:, 3] = 1.0
        return cls(table, ids, codes.astype(np.uint16), places, rotation, factors, radii)

    @classmethod
    def concat(cls, parts: Sequence[Placements]) -> Placements:
        """Join placements into one; equal species share one entry of the table.

        >>> Placements.concat([])
        Placements(0 instances of nothing)
        """
        if isinstance(parts, Mapping):
            raise InputError("parts: got a dict; give its values, list(layers.values())")
        if not (isinstance(parts, Sequence) and all(isinstance(part, Placements) for part in parts)):
            raise InputError(f"parts: got {shown(parts)}; give a list of Placements")
        table: dict[Species, int] = {}
        renumbered = []
        for part in parts:
            place = np.array([table.setdefault(s, len(table)) for s in part.species_table], np.uint16)
            renumbered.append(place[part.species] if len(part) else part.species)

        def join(arrays: list[NDArray[Any]], empty: NDArray[Any]) -> NDArray[Any]:
            return np.concatenate(arrays) if arrays else empty

        return cls(
            tuple(table),
            join([p.id for p in parts], np.empty(0, np.uint64)),
            join(renumbered, np.empty(0, np.uint16)),
            join([p.xyz for p in parts], np.empty((0, 3))),
            join([p.rotation for p in parts], np.empty((0, 4), np.float32)),
            join([p.scale for p in parts], np.empty(0, np.float32)),
            join([p.radius for p in parts], np.empty(0, np.float32)),
        )


def _choice(which: Any, count: int) -> Any:
    """Return what NumPy can choose instances by, or say what can."""
    if isinstance(which, slice):
        return which
    given = array_of("which", which)
    if given.dtype.kind == "b" and given.shape == (count,):
        return given
    if given.size == 0 and given.ndim == 1:
        return given.astype(np.intp)
    if given.dtype.kind in "iu" and given.ndim == 1 and -count <= given.min() and given.max() < count:
        return given
    raise InputError(
        f"which: got {shown(which)}; give a slice, a mask of shape ({count},), or indices of {count} instances"
    )


def _each(name: str, values: ArrayLike, n: int, allowed: str) -> NDArray[Any]:
    """Return one number an instance."""
    given = array_of(name, values)
    if given.dtype.kind not in "iuf" or given.shape not in ((), (n,)):
        raise InputError(f"{name}: got {given.dtype} of shape {given.shape}; give {allowed}, one or ({n},)")
    return np.broadcast_to(given, n)
