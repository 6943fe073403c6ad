"""Placements as a Parquet table, for everything that reads tables."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np

from weald._version import ALGORITHM, __version__
from weald.errors import require_extra
from weald.export.files import FilePath, atomic_file
from weald.scatter.placements import Placements

_ROW_GROUP = 131_072
"""Rows a group: large enough to compress well, small enough to be skipped by a filter on x and y."""


def check_installed() -> None:
    """Say what is missing before anything long is begun.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed: ``pip install 'weald[table]'``.
    """
    require_extra("pyarrow", "table", "writing Parquet")


def write_parquet(path: FilePath, placements: Placements, *, crs: str | None = None) -> None:
    """Write one row an instance: id, species, x, y, z, qx, qy, qz, qw, scale, radius.

    Coordinates are float64, in weald's own axes, so nothing is lost: the spacing law holds in the file. The
    schema's metadata has one entry, ``weald``: JSON with version, algorithm, units, axes, CRS and
    the species with their sizes.

    Parameters
    ----------
    path
        Of the file; its folder must exist.
    placements
        What to write; may be empty.
    crs
        Coordinate reference system to note, such as ``"EPSG:32632"``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed: ``pip install 'weald[table]'``.
    InputError
        If the file cannot be written.
    """
    pa = require_extra("pyarrow", "table", "writing Parquet")
    pq = require_extra("pyarrow.parquet", "table", "writing Parquet")

    # a dictionary must not hold a value twice, and two species may share a name
    names = list(dict.fromkeys(species.name for species in placements.species_table))
    place = np.array([names.index(species.name) for species in placements.species_table], np.int32)
    codes = place[placements.species] if len(placements) else np.empty(0, np.int32)

    x, y, z = placements.xyz.T
    columns = {
        "id": pa.array(placements.id, pa.uint64()),
        "species": pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(names, pa.string())),
        **{name: pa.array(values, pa.float64()) for name, values in zip("xyz", (x, y, z), strict=True)},
        **{
            name: pa.array(values, pa.float32())
            for name, values in zip(("qx", "qy", "qz", "qw"), placements.rotation.T, strict=True)
        },
        "scale": pa.array(placements.scale, pa.float32()),
        "radius": pa.array(placements.radius, pa.float32()),
    }
    about = {
        "version": __version__,
        "algorithm": ALGORITHM,
        "units": "metre",
        "axes": "right-handed, x east, y north, z up",
        "rotation": "unit quaternion qx, qy, qz, qw",
        "crs": crs,
        "species": [asdict(species) for species in placements.species_table],
    }
    table = pa.table(columns).replace_schema_metadata({"weald": json.dumps(about)})
    with atomic_file(path) as temporary:
        pq.write_table(table, str(temporary), compression="zstd", row_group_size=_ROW_GROUP)
