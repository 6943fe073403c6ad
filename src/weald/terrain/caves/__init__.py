"""Caves: by threshold, by cellular automata, by worms, in the plane and in space; and whether they hang together."""

from weald.terrain.caves.connected import connected
from weald.terrain.caves.joining import Joined, join
from weald.terrain.caves.pockets import pockets
from weald.terrain.caves.regions import Regions, regions
from weald.terrain.caves.smoothing import smoothed, speckle
from weald.terrain.caves.space import cheese, noodles, roofed, spaghetti
from weald.terrain.caves.worms import Worm, Worms

__all__ = [
    "Joined",
    "Regions",
    "Worm",
    "Worms",
    "cheese",
    "connected",
    "join",
    "noodles",
    "pockets",
    "regions",
    "roofed",
    "smoothed",
    "spaghetti",
    "speckle",
]
