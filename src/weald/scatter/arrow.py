"""Placements as an Arrow table: the columns that every table of weald has."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np

from weald._version import ALGORITHM, __version__
from weald.arguments import of_kind, table_of
from weald.errors import require_extra
from weald.scatter.placements import Placements
from weald.scatter.species import Species

_ROW_GROUP = 131_072
"""Rows a group: large enough to compress well, small enough to be skipped by a filter on x and y."""

COLUMNS = {
    "id": "stable 64-bit identity: a function of seed, layer and place",
    "layer": "name of the layer",
    "species": "name of the species",
    "x": "east, metres",
    "y": "north, metres",
    "z": "up, metres: where the foot stands",
    "qx": "rotation, unit quaternion: x",
    "qy": "rotation: y",
    "qz": "rotation: z",
    "qw": "rotation: w",
    "scale": "size factor, above 0",
    "radius": "spacing radius that it was placed with, metres",
}
"""What each column holds; ``layer`` is left out where placements come without."""


def check_installed() -> None:
    """Say what is missing before anything long is begun.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed: ``pip install 'weald[table]'``.
    """
    _arrow()


def to_arrow(placements: Placements | dict[str, Placements], *, crs: str | None = None) -> Any:
    """Return placements, or several layers of them by name, as a `pyarrow.Table`.

    The columns are those of `COLUMNS`, each with its description as metadata of the field. Coordinates are
    float64, in weald's own axes, so nothing is lost. The schema's metadata has one entry, ``weald``: JSON
    with version, algorithm, units, axes, CRS and the species with their sizes.

    Parameters
    ----------
    placements
        One, or a dict by layer name; may be empty.
    crs
        Coordinate reference system to note, such as ``"EPSG:32632"``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed: ``pip install 'weald[table]'``.
    """
    if crs is not None:
        of_kind("crs", crs, str, "a text, such as 'EPSG:32632'")
    pa = _arrow()
    if not isinstance(placements, Placements):
        table_of("placements", placements, Placements, "Placements, or a dict of them by layer")
    if isinstance(placements, Placements):
        joined, layers = placements, None
    else:
        joined, layers = Placements.concat(list(placements.values())), list(placements)

    # a dictionary must not hold a value twice, and two species may share a name
    names = list(dict.fromkeys(species.name for species in joined.species_table))
    place = np.array([names.index(species.name) for species in joined.species_table], np.int32)
    codes = place[joined.species] if len(joined) else np.empty(0, np.int32)
    columns = {"id": pa.array(joined.id, pa.uint64())}
    if layers is not None and not isinstance(placements, Placements):
        which = np.repeat(np.arange(len(layers), dtype=np.int32), [len(part) for part in placements.values()])
        columns["layer"] = _words(pa, which, layers)
    columns["species"] = _words(pa, codes, names)
    for name, values in zip("xyz", joined.xyz.T, strict=True):
        columns[name] = pa.array(values, pa.float64())
    for name, values in zip(("qx", "qy", "qz", "qw"), joined.rotation.T, strict=True):
        columns[name] = pa.array(values, pa.float32())
    columns["scale"] = pa.array(joined.scale, pa.float32())
    columns["radius"] = pa.array(joined.radius, pa.float32())
    about = {
        "version": __version__,
        "algorithm": ALGORITHM,
        "units": "metre",
        "axes": "right-handed, x east, y north, z up",
        "rotation": "unit quaternion qx, qy, qz, qw",
        "crs": crs,
        "species": [_described(species) for species in joined.species_table],
    }
    fields = [pa.field(name, column.type, metadata={"about": COLUMNS[name]}) for name, column in columns.items()]
    schema = pa.schema(fields, metadata={"weald": json.dumps(about)})
    return pa.table(list(columns.values()), schema=schema)


def write_table(path: Path, table: Any) -> None:
    """Write an Arrow table as Parquet, compressed by zstd."""
    parquet = require_extra("pyarrow.parquet", "table", "writing Parquet")
    parquet.write_table(table, str(path), compression="zstd", row_group_size=_ROW_GROUP)


def _described(species: Species) -> dict[str, Any]:
    """Return what a species was given; of its asset the name only, which is the same on every machine."""
    given = {field.name: getattr(species, field.name) for field in dataclasses.fields(species) if field.init}
    return given | ({"asset": Path(species.asset).name} if species.asset is not None else {})


def _words(pa: Any, codes: Any, words: list[str]) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(words, pa.string()))


def _arrow() -> Any:
    return require_extra("pyarrow", "table", "writing Parquet")
