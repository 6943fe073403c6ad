"""Fields: functions of place, with algebra and proved ranges."""

import weald.jit  # noqa: F401 - before any kernel is decorated
from weald.fields.choice import lerp, where
from weald.fields.condition import Condition, ConditionLike
from weald.fields.distance import distance_to
from weald.fields.field import Field, FieldLike
from weald.fields.image import image
from weald.fields.noise import perlin, perlin_classic, simplex, value, worley
from weald.fields.noise_field import FractalNoise, Noise
from weald.fields.polygon import inside
from weald.fields.raster import raster

__all__ = [
    "Condition",
    "ConditionLike",
    "Field",
    "FieldLike",
    "FractalNoise",
    "Noise",
    "distance_to",
    "image",
    "inside",
    "lerp",
    "perlin",
    "perlin_classic",
    "raster",
    "simplex",
    "value",
    "where",
    "worley",
]
