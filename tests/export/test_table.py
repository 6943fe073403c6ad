from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from weald._version import ALGORITHM, __version__
from weald.errors import InputError, MissingExtraError
from weald.export.table import write_parquet
from weald.scatter.arrow import COLUMNS
from weald.scatter.placements import Placements


def test_every_value_comes_back_bit_for_bit(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    rng = np.random.default_rng(2)
    placed = plants(
        rng.uniform([500_000, 5_150_000, 0], [500_100, 5_150_100, 50], (50, 3)),
        rng.integers(0, 3, 50),
        rng.uniform(0, 6, 50),
    )
    write_parquet(tmp_path / "p.parquet", placed, crs="EPSG:32632")
    table = pq.read_table(tmp_path / "p.parquet")

    assert table.column_names == ["id", "species", "x", "y", "z", "qx", "qy", "qz", "qw", "scale", "radius"]
    kinds = [pa.uint64(), pa.dictionary(pa.int32(), pa.string()), *[pa.float64()] * 3, *[pa.float32()] * 6]
    assert [field.type for field in table.schema] == kinds
    assert (table["id"].to_numpy() == placed.id).all()
    assert placed.id.max() > 2**63  # or signed ids would pass
    assert table["species"].to_pylist() == [placed.species_table[index].name for index in placed.species]
    assert (np.column_stack([table[name] for name in "xyz"]) == placed.xyz).all()
    assert (np.column_stack([table[name] for name in ("qx", "qy", "qz", "qw")]) == placed.rotation).all()
    assert (table["scale"].to_numpy() == placed.scale).all()
    assert (table["radius"].to_numpy() == placed.radius).all()

    about = json.loads(table.schema.metadata[b"weald"])
    assert (about["version"], about["algorithm"], about["units"]) == (__version__, ALGORITHM, "metre")
    assert about["axes"] == "right-handed, x east, y north, z up"
    assert about["crs"] == "EPSG:32632"
    assert [species["height"] for species in about["species"]] == [22, 15, 2.4]


def test_spacing_of_a_centimetre_holds_in_the_file_case_16(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    column, row = np.meshgrid(np.arange(40), np.arange(40))
    xy = np.column_stack([column.ravel(), row.ravel()]) * 0.0100001 + [500_000, 5_150_000]
    write_parquet(tmp_path / "p.parquet", plants(np.column_stack([xy, np.zeros(1600)])))
    table = pq.read_table(tmp_path / "p.parquet")
    x, y = table["x"].to_numpy(), table["y"].to_numpy()
    apart = np.hypot(x[:, None] - x, y[:, None] - y) + np.eye(1600)
    assert apart.min() >= 0.01


def test_landmark_in_the_north_east_case_17(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    write_parquet(tmp_path / "p.parquet", plants([[90.0, 80.0, 7.0]]))
    table = pq.read_table(tmp_path / "p.parquet")
    assert [table[name][0].as_py() for name in "xyz"] == [90.0, 80.0, 7.0]


def test_compressed_and_in_groups(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    write_parquet(tmp_path / "p.parquet", plants(np.zeros((131_073, 3))))
    about = pq.ParquetFile(tmp_path / "p.parquet").metadata
    assert [about.row_group(k).num_rows for k in range(about.num_row_groups)] == [131_072, 1]
    assert {about.row_group(0).column(k).compression for k in range(11)} == {"ZSTD"}


def test_no_instances(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    for name, placed in (("table", plants(np.empty((0, 3)))), ("nothing", Placements.concat([]))):
        write_parquet(tmp_path / f"{name}.parquet", placed)
        assert pq.read_table(tmp_path / f"{name}.parquet").num_rows == 0


def test_two_species_of_one_name(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    placed = plants(np.zeros((3, 3)), np.array([0, 1, 2]))
    tall, oak, _ = placed.species_table
    placed = replace(placed, species_table=(tall, oak, replace(tall, height=5)))
    write_parquet(tmp_path / "p.parquet", placed)
    assert pq.read_table(tmp_path / "p.parquet")["species"].to_pylist() == ["spruce", "oak", "spruce"]


def test_a_missing_folder_leaves_nothing(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    with pytest.raises(InputError, match="does not exist"):
        write_parquet(tmp_path / "none" / "p.parquet", plants(np.zeros((1, 3))))
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_says_what_to_install(
    tmp_path: Path, plants: Callable[..., Placements], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'weald\[table\]'"):
        write_parquet(tmp_path / "p.parquet", plants(np.zeros((1, 3))))


def test_layers_have_a_column_of_their_names(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    trees = plants([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    path = tmp_path / "placements.parquet"
    write_parquet(path, {"trees": trees, "none": trees[:0], "more": trees[:2]})
    table = pq.read_table(path)
    assert table.column_names[:3] == ["id", "layer", "species"]
    assert table["layer"].to_pylist() == ["trees"] * 3 + ["more"] * 2
    assert all(table.schema.field(name).metadata[b"about"] for name in table.column_names)


def test_data_frame(plants: Callable[..., Placements]) -> None:
    pytest.importorskip("pandas")
    frame = plants([[1, 2, 3], [4, 5, 6]]).to_pandas()
    assert frame["z"].tolist() == [3, 6]


def test_layers_without_instances_have_all_columns(tmp_path: Path, plants: Callable[..., Placements]) -> None:
    none = plants(np.empty((0, 3)))
    for layers in ({"a": none}, {"a": none, "b": Placements.concat([])}, {"a": none, "b": plants(np.zeros((2, 3)), 1)}):
        write_parquet(tmp_path / "p.parquet", layers)
        table = pq.read_table(tmp_path / "p.parquet")
        assert table.column_names == list(COLUMNS)
        assert table["species"].to_pylist() == ["oak"] * len(table)
        assert table["layer"].to_pylist() == ["b"] * len(table)
