"""weald grows natural worlds: terrain, and plants that stand where they would.

>>> import weald
>>> points = weald.poisson_disk((0, 0, 100, 100), radius=4.0, seed=42)
>>> points.xy.shape
(455, 2)

Names are loaded when they are first used, so importing weald is quick.
"""

from importlib import import_module
from typing import Any

from weald._version import ALGORITHM, __version__

_HOME = {
    "Biomes": "weald.terrain.biomes",
    "Bounds": "weald.geometry",
    "Condition": "weald.fields",
    "Field": "weald.fields",
    "Grid": "weald.geometry",
    "InputError": "weald.errors",
    "Layer": "weald.scatter.layer",
    "MissingExtraError": "weald.errors",
    "Placements": "weald.scatter.placements",
    "PointSet": "weald.sampling.pointset",
    "Species": "weald.scatter.species",
    "Terrain": "weald.terrain.terrain",
    "WealdError": "weald.errors",
    "World": "weald.world.world",
    "bridson": "weald.sampling.textbook.bridson",
    "build": "weald.builder",
    "dart_throwing": "weald.sampling.textbook.dart_throwing",
    "distance_to": "weald.fields",
    "inside": "weald.fields",
    "jittered_grid": "weald.sampling.textbook.jittered_grid",
    "perlin": "weald.fields",
    "poisson_disk": "weald.sampling.poisson",
    "quality": "weald.sampling.quality",
    "raster": "weald.fields",
    "simplex": "weald.fields",
    "weighted_sample_elimination": "weald.sampling.elimination",
    "white_noise": "weald.sampling.textbook.white_noise",
    "worley": "weald.fields",
}

__all__ = ["ALGORITHM", "__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'weald' has no attribute {name!r}")
    module = import_module(_HOME[name])
    value = module if _HOME[name].endswith("." + name) and not hasattr(module, name) else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
