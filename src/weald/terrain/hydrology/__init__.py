"""Where water goes on the ground, and where it stays: rivers, lakes, wetness, the way to water."""

from weald.terrain.hydrology.carve import carve
from weald.terrain.hydrology.drainage import Drainage, drainage
from weald.terrain.hydrology.lakes import Lakes
from weald.terrain.hydrology.rivers import River, Rivers

__all__ = ["Drainage", "Lakes", "River", "Rivers", "carve", "drainage"]
