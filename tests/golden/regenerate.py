"""Write the golden files anew, from the code as it is.

``python -m tests.golden.regenerate`` writes all of them, ``... regenerate noise stands`` some. Do so only when results
are meant to change: then bump `weald._version.ALGORITHM`, and say in the changelog what changed and why. Where
two branches both changed a golden file, merge the code first, and write the file anew from that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from weald._version import ALGORITHM

FOLDER = Path(__file__).parent


def _kept(name: str) -> dict[str, Any]:
    """Return a file as it is: those of noise hold what they ask for beside the answers."""
    return json.loads((FOLDER / f"{name}.json").read_text())


def _noise() -> dict[str, Any]:
    from tests.noise.test_stability import golden_values

    kept = _kept("noise")
    return {**kept, "values": {written: golden_values(written) for written in kept["values"]}}


def _perlin2() -> dict[str, Any]:
    from tests.noise.test_noise import on_points
    from weald.noise.fractal import perlin_octaves

    kept = _kept("perlin2")
    for case in kept["cases"]:
        terms = perlin_octaves(case["seed"], case["frequency"], case["octaves"], case["gain"], case["lacunarity"])
        case["values"] = [value.hex() for value in on_points(terms, *np.array(case["places"]).T).tolist()]
    return kept


def _perlin2_single() -> dict[str, Any]:
    from weald.fields import perlin
    from weald.geometry import Grid

    kept = _kept("perlin2_single")
    for case in kept["cases"]:
        values = perlin(case["seed"], case["frequency"]).fbm(case["octaves"]).sample(Grid(*case["grid"]), dtype="f4")
        case["values"] = [float(value).hex() for value in values.reshape(-1)]
    return kept


def _fields() -> dict[str, Any]:
    from tests.laws.test_fields import GOLDEN_FIELDS, PLACES

    values = {name: [v.hex() for v in field(*PLACES).tolist()] for name, field in GOLDEN_FIELDS.items()}
    return {**_kept("fields"), "values": values}


def _erosion() -> dict[str, Any]:
    from tests.laws.test_erosion import golden_ground

    return {**_kept("erosion"), **golden_ground()}


def _drainage() -> dict[str, Any]:
    from tests.terrain.test_drainage import golden_water

    return golden_water()


def _caves() -> dict[str, Any]:
    from tests.laws.test_caves import golden

    return golden()


def _biomes() -> dict[str, Any]:
    from tests.terrain.biomes.test_biomes import golden

    return golden()


def _poisson_disk() -> dict[str, Any]:
    from tests.laws.test_points import cases

    return {
        name: {"xy": [[v.hex() for v in place] for place in points.xy.tolist()], "id": points.id.tolist()}
        for name, points in cases()
    }


def _poisson_disk_space() -> dict[str, Any]:
    from tests.laws.test_space import cases

    return {
        name: {"xyz": [[v.hex() for v in place] for place in points.xyz.tolist()], "id": points.id.tolist()}
        for name, points in cases()
    }


def _instances() -> dict[str, Any]:
    from tests.laws.test_instances import golden_world

    return golden_world()


def _stands() -> dict[str, Any]:
    from tests.laws.test_stands import golden_stands

    return golden_stands()


def _checksums() -> dict[str, Any]:
    from tests.bits.checksums import checksums

    return {"what": "what python -m tests.bits.checksums prints", "checksums": checksums(threads=1)}


WRITERS: dict[str, Callable[[], dict[str, Any]]] = {
    "noise": _noise,
    "perlin2": _perlin2,
    "perlin2_single": _perlin2_single,
    "fields": _fields,
    "erosion": _erosion,
    "drainage": _drainage,
    "caves": _caves,
    "biomes": _biomes,
    "poisson_disk": _poisson_disk,
    "poisson_disk_space": _poisson_disk_space,
    "instances": _instances,
    "stands": _stands,
    "checksums": _checksums,
}
# these are compared whole, without a version
_PLAIN = ("caves", "biomes")


def text(value: Any, indent: str = "") -> str:
    """Return JSON with a line a key, and a line an item of lists that hold more than numbers and strings."""
    deeper = indent + " "
    if isinstance(value, dict):
        lines = [f"{deeper}{json.dumps(key)}: {text(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return "[\n" + ",\n".join(deeper + json.dumps(item) for item in value) + f"\n{indent}]"
    return json.dumps(value)


def main(names: list[str]) -> None:
    """Write the files of these names, or all."""
    unknown = [name for name in names if name not in WRITERS]
    if unknown:
        sys.exit(f"no golden file {', '.join(unknown)}; there are {', '.join(WRITERS)}")
    for name in names or WRITERS:
        content = WRITERS[name]()
        if name not in _PLAIN:
            content = {**{key: content[key] for key in ("what",) if key in content}, "algorithm": ALGORITHM} | {
                key: item for key, item in content.items() if key not in ("what", "algorithm")
            }
        (FOLDER / f"{name}.json").write_text(text(content) + "\n")
        sys.stdout.write(f"wrote tests/golden/{name}.json\n")


if __name__ == "__main__":
    main(sys.argv[1:])
