"""Spec files: sound ones with mistakes in them, and whatever the schema allows."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.hostile import changed, number, value
from tests.fuzz.rule import Rule
from weald.world.spec.schema import json_schema
from weald.world.world import World

_SCHEMA: dict[str, Any] = json_schema()
_PLANT = {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}
_FORMULAS = ("hills", "60 * hills", "height / 20", "x", "slope_deg < 20", "cover", "damp", "inside('pond')", "hills >")
_WORDS = ("trees", "bushes", "pine", "oak", "hills", "cover", "damp", "pond", "road", "tunnels", "height", "wood")

_BASE = {
    "weald": 1,
    "seed": "fuzz",
    "chunk": 24,
    "ground": {"formula": "6 * hills", "spacing": 4, "window": [0, 0, 40, 40]},
    "noise": {"hills": {"scale": 30}, "cover": {"basis": "simplex", "scale": 12, "octaves": 2}},
    "fields": {"damp": "clamp(cover - height / 60, -1, 1)"},
    "areas": {"pond": [[4, 5], [12, 6], [8, 14]]},
    "lines": {"road": [[0, 20], [40, 22]]},
    "water": {"level": -3},
    "species": {"pine": _PLANT | {"scale": [0.7, 1.2]}, "oak": _PLANT | {"shape": "broadleaf", "tilt_deg": 5}},
    "layer": [
        {"name": "trees", "species": {"pine": 2, "oak": "hills"}, "radius": 4, "share": "0.5 + cover"},
        {"name": "bushes", "species": "oak", "radius": 3, "slope_deg": {"below": 30, "fade": 6}},
    ],
}
_EXTRAS = (
    ("biomes", {"climate": {"height": "height"}, "biome": [
        {"name": "wood", "color": "#445566", "where": {"height": {"from": 0}}}, {"name": "rest", "color": "#aabbcc"}]}),
    ("worms", {"tunnels": {"cell": 40, "steps": 30}}),
    ("clearances", {"between": [{"layers": ["trees", "bushes"], "metres": 2}]}),
    ("layer", [{"name": "trees", "species": "pine", "density": 300, "clumps": {"spacing": 12, "radius": 5}}]),
    ("layer", [{"name": "trees", "species": "pine", "radius": 4, "soft": {"share": 0.3, "core": 0.5}}]),
    ("layer", [{"name": "trees", "species": "pine", "radius": 4, "sizes": [{"factor": 1}, {"factor": 0.5}]}]),
    ("layer", [{"name": "trees", "species": "pine", "radius": "4 + hills", "radius_range": [2, 6]}]),
    ("layer", [{"name": "trees", "species": {"pine": 1, "oak": 1}, "radius": 4, "patches": {"size": 12}}]),
    ("ground", {"file": "ground.npy", "spacing": 4, "rows": "south-first"}),
    ("ground", {"formula": "6 * hills", "spacing": 4}),
    ("ground", {"formula": "6 * hills", "spacing": 4, "window": [0, 0, 40, 40], "erosion": {"iterations": 3}}),
)  # fmt: skip


def _allowed(random: Random, schema: dict[str, Any], depth: int = 5) -> Any:
    """Return something that a part of the schema allows, or nearly."""
    if "$ref" in schema:
        return _allowed(random, _SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], depth)
    if "anyOf" in schema:
        return _allowed(random, random.choice(schema["anyOf"]), depth)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else random.choice(schema["enum"])
    if random.random() < 0.03 or depth == 0:
        return value(random)
    match schema.get("type"):
        case "number" | "integer" as kind:
            low = schema.get("minimum", schema.get("exclusiveMinimum", -20))
            high = schema.get("maximum", schema.get("exclusiveMaximum", low + 40))
            drawn = number(random) if random.random() < 0.2 else random.uniform(low, high)
            return round(drawn) if kind == "integer" and abs(drawn) < 1e9 else drawn
        case "boolean":
            return random.random() < 0.5
        case "string":
            return "#a0b1c2" if "pattern" in schema else random.choice(_WORDS + _FORMULAS)
        case "array":
            parts = schema.get("prefixItems") or [schema["items"]] * random.randrange(schema.get("minItems", 0), 4)
            return [_allowed(random, part, depth - 1) for part in parts]
        case "object":
            known, needed = schema.get("properties", {}), schema.get("required", ())
            drawn = {key: part for key, part in known.items() if key in needed or random.random() < 0.25}
            if isinstance(schema.get("additionalProperties"), dict):
                part = schema["additionalProperties"]
                drawn |= {random.choice(_WORDS): part for _ in range(random.randrange(3))}
            return {key: _allowed(random, part, depth - 1) for key, part in drawn.items()}
    return value(random)


def _make(random: Random) -> Any:
    content: Any = dict(_BASE)
    for key, table in random.sample(_EXTRAS, random.randrange(3)):
        content[key] = table
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 5))):
        kind = random.randrange(10)
        if kind < 6:
            content = changed(random, content)
        elif kind < 9 and isinstance(content, dict):
            key = random.choice(list(_SCHEMA["properties"]))
            new = _allowed(random, _SCHEMA["properties"][key])
            old = content.get(key)
            if isinstance(new, dict) and isinstance(old, dict) and random.random() < 0.8:  # more of it
                new = old | new
            if key == "layer" and isinstance(old, list) and isinstance(new, list):
                new = (
                    [{**old[0], **new[0]}, *old[1:]]
                    if old and new and isinstance(old[0], dict) and isinstance(new[0], dict)
                    else old
                )
            content = content | {key: new}
        elif isinstance(content, dict) and len(content) > 1:  # sections in each other's place
            one, other = random.sample(list(content), 2)
            content = content | {one: content[other], other: content[one]}
    return content, random.random() < 0.25


def _run(case: tuple[Any, bool]) -> None:
    content, grow = case
    if not Path("ground.npy").exists():
        np.save("ground.npy", np.add.outer(np.arange(12.0), np.arange(12.0)))
    world = World.parse(content)
    world.check()
    world.to_toml()
    if grow and all(least >= 1.0 for least in _spacings(world)):  # millions of plants take their time
        box = world.bounds
        x, y = (0.0, 0.0) if box is None else (box.xmin, box.ymin)
        world.layers((x, y, x + 16, y + 16), threads=1)
        if world.spec.chunk <= 64:
            world.chunk(0, 0, threads=1)


def _spacings(world: World) -> list[float]:
    """Return the least spacing of each layer, where it is planted below."""
    x, y = (axis.ravel() for axis in np.meshgrid(np.linspace(0, 40, 9), np.linspace(0, 40, 9)))
    return [float(growth.spacing(x, y).min()) for each in world.growths().values() for growth in each]


SPECS = Rule("specs", _make, _run, quick=250, share=3)
