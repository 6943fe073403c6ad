"""Tiles and biomes: which kind of country a place is, by thresholds, by rules, or by the nearest climate."""

from weald.terrain.biomes.biomes import Biomes
from weald.terrain.biomes.picture import paint
from weald.terrain.biomes.table import CLASSIC
from weald.terrain.biomes.tiles import LAND, Tiles
from weald.terrain.biomes.zones import Kinds, Zones

__all__ = ["CLASSIC", "LAND", "Biomes", "Kinds", "Tiles", "Zones", "paint"]
