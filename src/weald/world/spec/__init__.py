"""The spec file: a world written down, checked key by key.

The classes here are the whole grammar; what they accept is what a spec may say. Everything else,
a misspelt key included, is an error that tells where it is and what would be allowed.
"""

from weald.world.spec.fields import ImageSpec, NoiseSpec
from weald.world.spec.ground import GroundSpec
from weald.world.spec.layers import LayerSpec, RangeSpec, ThinSpec
from weald.world.spec.plants import SpeciesSpec
from weald.world.spec.reading import parse_spec, parse_table, read_spec, read_toml
from weald.world.spec.whole import Spec

__all__ = [
    "GroundSpec",
    "ImageSpec",
    "LayerSpec",
    "NoiseSpec",
    "RangeSpec",
    "Spec",
    "SpeciesSpec",
    "ThinSpec",
    "parse_spec",
    "parse_table",
    "read_spec",
    "read_toml",
]
