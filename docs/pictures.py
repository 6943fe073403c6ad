"""Make the pictures of the docs again, and note what each was made from.

    python docs/pictures.py            # all of them, some minutes
    python docs/pictures.py templates  # those of one script or spec
    python docs/pictures.py --check    # only list those that are out of date

``docs/images/sources.json`` holds a hash of the sources of each picture: its script, the specs that the script draws,
and the version of the algorithm. A test compares these, so a picture that no longer shows what weald makes is noticed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from weald._version import ALGORITHM

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SOURCES = IMAGES / "sources.json"
QUALITY = 66


@dataclass(frozen=True)
class Source:
    """What draws pictures: a script of ``examples/``, or a spec that is built or explained.

    Parameters
    ----------
    name
        By which it is asked for.
    command
        Run inside an empty folder, with ``{python}``, ``{weald}`` and ``{root}`` filled in.
    pictures
        Names in ``docs/images/``, and the files that the command leaves for them.
    files
        What the pictures depend on, relative to the repository.
    width
        A picture that the docs keep in another format is scaled down to this width, in pixels.
    """

    name: str
    command: tuple[str, ...]
    pictures: dict[str, str]
    files: tuple[str, ...]
    width: int = 1400

    @property
    def fingerprint(self) -> str:
        """A hash of everything that the pictures depend on, as far as it is noted."""
        digest = hashlib.sha256(f"algorithm {ALGORITHM}\n".encode())
        for pattern in self.files:
            for path in sorted(ROOT.glob(pattern)):
                digest.update(path.read_bytes())
        return digest.hexdigest()[:16]


def _script(name: str, *pictures: str, also: tuple[str, ...] = ()) -> Source:
    """Return a script that writes pictures into the folder that it is given; or one, of its own name, to a path."""
    argument = "." if pictures else f"{name}.jpg"
    return Source(
        name,
        ("{python}", f"{{root}}/examples/{name}.py", argument),
        {picture: picture for picture in pictures or (f"{name}.jpg",)},
        (f"examples/{name}.py", *also),
    )


def _png(name: str, picture: str, width: int = 1400) -> Source:
    """Return a script that writes one PNG."""
    return Source(
        name,
        ("{python}", f"{{root}}/examples/{name}.py", f"{name}.png"),
        {picture: f"{name}.png"},
        (f"examples/{name}.py",),
        width,
    )


def _command(name: str, words: tuple[str, ...], picture: str, left: str, spec: str) -> Source:
    """Return a call of the command line that leaves one picture."""
    return Source(name, ("{weald}", *words), {picture: left}, (spec,))


EVERYTHING = (
    _command("cumberland", ("demo", "-o", "out"), "cumberland.jpg", "out/preview.png", "examples/cumberland.toml"),
    _script("templates", also=("src/weald/templates/*.toml",)),
    _command(
        "why",
        (
            "explain",
            "{root}/src/weald/templates/temperate.toml",
            "--at",
            "480,520",
            "--map",
            "why.png",
            "--layer",
            "bushes",
        ),
        "why.jpg",
        "why.png",
        "src/weald/templates/temperate.toml",
    ),
    _script("shapes"),
    _script("stands", "stands.jpg", "mixtures.jpg"),
    _script("edges", "edges.png"),
    _png("samplers", "samplers.png"),
    _script("noise_gallery", "noise-bases.jpg", "noise-fractals.jpg", "noise-directions.png"),
    _png("warp", "warp.jpg"),
    _script("erosion", "erosion.jpg"),
    _script("rivers", "rivers.jpg"),
    _png("tiles", "tiles.jpg", 1000),
    _png("biomes", "biomes.jpg", 1240),
    _png("caves", "caves.jpg", 1080),
)
"""Every picture that a command makes. By hand, since they need files or programs that are not ours: ``own_ground.jpg``,
``scene.jpg`` and ``assets.jpg``."""


def stale() -> list[str]:
    """Return the pictures whose sources have changed since they were made."""
    noted = json.loads(SOURCES.read_text("utf-8")) if SOURCES.exists() else {}
    return [picture for source in EVERYTHING for picture in source.pictures if noted.get(picture) != source.fingerprint]


def make(source: Source) -> None:
    """Run a source, bring its pictures into the docs, and note its fingerprint."""
    with tempfile.TemporaryDirectory() as folder:
        weald = Path(sys.executable).with_name("weald")
        words = [word.format(python=sys.executable, weald=weald, root=ROOT) for word in source.command]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for picture, left in source.pictures.items():
            _bring(Path(folder) / left, IMAGES / picture, source.width)
    noted = json.loads(SOURCES.read_text("utf-8")) if SOURCES.exists() else {}
    noted |= dict.fromkeys(source.pictures, source.fingerprint)
    SOURCES.write_text(json.dumps(noted, indent=1, sort_keys=True) + "\n", "utf-8")


def _bring(made: Path, picture: Path, width: int) -> None:
    if made.suffix == picture.suffix:
        picture.write_bytes(made.read_bytes())
        return
    with Image.open(made) as image:
        drawn = image.convert("RGB")
    drawn.thumbnail((width, 4 * width), Image.Resampling.LANCZOS)
    drawn.save(picture, quality=QUALITY, optimize=True)


def main() -> None:
    """Make what was asked for."""
    names = [source.name for source in EVERYTHING]
    parser = argparse.ArgumentParser(description="Make the pictures of the docs again.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which; all if none is given: {', '.join(names)}")
    parser.add_argument("--check", action="store_true", help="only list pictures that are out of date")
    asked = parser.parse_args()
    unknown = sorted(set(asked.names) - set(names))
    if unknown:
        parser.error(f"there is no {unknown[0]!r}; choose from {', '.join(names)}")
    if asked.check:
        print("\n".join(stale()) or "all pictures are up to date")
        return
    for source in EVERYTHING:
        if not asked.names or source.name in asked.names:
            print(f"{source.name}: {', '.join(source.pictures)}", flush=True)
            make(source)


if __name__ == "__main__":
    main()
