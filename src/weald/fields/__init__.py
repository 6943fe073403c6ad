"""Fields: functions of place, with algebra and proved ranges."""

from weald.fields.choice import lerp, where
from weald.fields.condition import Condition, ConditionLike
from weald.fields.distance import distance_to
from weald.fields.field import Field, FieldLike
from weald.fields.image import image
from weald.fields.noise import Perlin, perlin
from weald.fields.polygon import inside
from weald.fields.raster import raster

__all__ = [
    "Condition",
    "ConditionLike",
    "Field",
    "FieldLike",
    "Perlin",
    "distance_to",
    "image",
    "inside",
    "lerp",
    "perlin",
    "raster",
    "where",
]
