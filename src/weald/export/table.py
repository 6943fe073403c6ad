"""Placements as a Parquet table, for everything that reads tables."""

from __future__ import annotations

from weald.export.files import FilePath, atomic_file
from weald.scatter.arrow import to_arrow, write_table
from weald.scatter.placements import Placements


def write_parquet(path: FilePath, placements: Placements | dict[str, Placements], *, crs: str | None = None) -> None:
    """Write one row an instance: id, layer, species, x, y, z, qx, qy, qz, qw, scale, radius.

    Coordinates are float64, in weald's own axes, so nothing is lost: the spacing law holds in the file. What the
    columns are, and what the metadata tells, is said in `weald.scatter.arrow`.

    Parameters
    ----------
    path
        Of the file; its folder must exist.
    placements
        What to write, or several layers by name; without names there is no column ``layer``. May be empty.
    crs
        Coordinate reference system to note, such as ``"EPSG:32632"``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed: ``pip install 'weald[table]'``.
    InputError
        If the file cannot be written.
    """
    table = to_arrow(placements, crs=crs)
    with atomic_file(path) as temporary:
        write_table(temporary, table)
