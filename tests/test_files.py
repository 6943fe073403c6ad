"""What is opened for reading: regular files, and no more than memory holds."""

import os
import signal
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import tomli_w
from PIL import Image

import weald
from tests import worlds
from weald import files
from weald.builder import build
from weald.errors import InputError
from weald.fields import image
from weald.preview.page import write_png
from weald.scatter.asset import read_asset
from weald.scatter.edits import Edits
from weald.world.edits import load_edits, save_edits
from weald.world.world import World

SUFFIXES = [".tif", ".asc", ".hgt", ".png", ".exr", ".raw", ".npy", ".npz", ".glb", ".obj", ".ply", ".stl"]
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs named pipes")


@pytest.fixture
def impatient():
    """End a test that waits for a pipe."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def ground(path):
    options = {".npy": {"rows": "south-first"}, ".npz": {"rows": "south-first"}, ".raw": {"rows": "south-first"}}
    scaled = {"low": 0, "high": 1} if path.suffix in (".png", ".raw") else {}
    placed = {} if path.suffix in (".tif", ".asc", ".hgt") else {"spacing": 1.0}
    return weald.Terrain.open(path, **options.get(path.suffix, {}), **scaled, **placed)


READERS = [
    *((ground, f"ground{suffix}") for suffix in SUFFIXES),
    (lambda path: image(path, (0, 0, 1, 1)), "mask.png"),
    (load_edits, "edits.toml"),
    (World.load, "world.toml"),
]


@posix_only
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("read", "name"), READERS, ids=[name for _, name in READERS])
def test_pipes_and_devices_are_not_read(tmp_path: Path, read, name) -> None:
    pipe = tmp_path / name
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"is a pipe, not a file|there is no such file"):
        read(pipe)
    pipe.unlink()
    pipe.symlink_to("/dev/zero")
    with pytest.raises(InputError, match=r"is a device, not a file|there is no such file"):
        read(pipe)


@posix_only
@pytest.mark.usefixtures("impatient")
def test_neither_are_they_through_a_spec_or_beside_a_file(tmp_path: Path) -> None:
    spec = {
        "weald": 1,
        "seed": 1,
        "ground": {"formula": "0", "spacing": 1},
        "edits": "/dev/zero",
        "species": {},
        "layer": [],
    }
    with pytest.raises(InputError, match="/dev/zero: is a device, not a file; give the path of a regular file"):
        World.parse(spec, tmp_path).check()
    Image.fromarray(np.eye(3, dtype=np.uint16)).save(tmp_path / "h.png")
    os.mkfifo(tmp_path / "h.json")
    assert weald.Terrain.open(tmp_path / "h.png", spacing=1.0, low=0, high=65535).heights.max() == 1


def png_of(path: Path, side: int, color: int) -> None:
    """Write a small file that becomes a large picture, without making that."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = side.to_bytes(4, "big") * 2 + bytes([8, color, 0, 0, 0])
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b""))


@pytest.mark.parametrize(("free", "fits"), [(2.5e9, True), (2.3e9, False)])
def test_ground_that_becomes_more_than_memory_is_not_decoded(tmp_path, monkeypatch, free, fits) -> None:
    monkeypatch.setattr(files, "free_memory", lambda: free)
    png_of(tmp_path / "h.png", 10_000, 0)
    says = "damaged" if fits else r"becomes 100,000,000 samples, which need 2\.24 GiB .*\(2\.14 GiB are free\); crop it"
    with pytest.raises(InputError, match=says):
        weald.Terrain.open(tmp_path / "h.png", spacing=1.0, low=0, high=1)


def test_neither_are_arrays_and_images(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(files, "free_memory", lambda: 5e5)
    np.savez_compressed(tmp_path / "h.npz", h=np.zeros((200, 200)))
    with pytest.raises(InputError, match=r"becomes 40,000 samples, .* save it as NPY or GeoTIFF"):
        weald.Terrain.open(tmp_path / "h.npz", spacing=1.0, rows="south-first")
    png_of(tmp_path / "m.png", 200, 2)
    with pytest.raises(InputError, match=r"becomes 40,000 pixels, which need .*; make it smaller"):
        image(tmp_path / "m.png", (0, 0, 1, 1), channel="red")


# -- what belongs to somebody else -------------------------------------------------------------


@contextmanager
def as_somebody_else():
    """Give up what root may do: to root nothing is forbidden."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def foreign():
    """A folder that may be listed but not written to, in which `secret` may not even be entered."""
    with tempfile.TemporaryDirectory() as name:  # not below pytest's, which only its owner may enter
        folder = Path(name)
        (folder / "secret").mkdir()
        spec = worlds.content()
        spec["ground"]["file"] = "secret/ground.npy"
        worlds.write_ground(folder / "secret")
        (folder / "spec.toml").write_text(tomli_w.dumps(spec))
        (folder / "locked.npy").write_bytes((folder / "secret" / "ground.npy").read_bytes())
        (folder / "locked.npy").chmod(0)
        (folder / "secret").chmod(0)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)
        (folder / "secret").chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_what_may_not_be_read_is_told(foreign):
    told = r"cannot be read \(Permission denied\); give a file that you may read"
    world = World.load(foreign / "spec.toml")
    with as_somebody_else():
        for name in ("locked.npy", "secret/ground.npy"):
            with pytest.raises(InputError, match=told):
                weald.Terrain.open(foreign / name, spacing=1.0, rows="south-first")
        with pytest.raises(InputError, match=told):
            image(foreign / "secret" / "a.png", (0, 0, 1, 1))
        with pytest.raises(InputError, match=told):
            read_asset(foreign / "secret" / "a.glb")
        assert world.inputs == (foreign / "spec.toml",)
        with pytest.raises(InputError, match=told):
            world.check()


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_what_may_not_be_written_is_told(foreign):
    told = r"cannot be written \(Permission denied\); choose a folder that you may write to"
    world = World.parse(worlds.content() | {"layer": []}, foreign)
    with as_somebody_else():
        for name in (".", "out", "out/deep", "secret", "secret/out"):
            with pytest.raises(InputError, match=told):
                build(world, foreign / name)
        for write in (
            lambda path: save_edits(path, Edits()),
            lambda path: write_png(path, np.zeros((2, 2, 3), np.uint8)),
        ):
            with pytest.raises(InputError, match=r"cannot be written \(Permission denied\)"):
                write(foreign / "secret" / "file")
