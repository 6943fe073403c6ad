"""Erosion: water and gravity shape the ground, within a stated reach."""

from weald.terrain.erosion.erode import erode, reach, thermal

__all__ = ["erode", "reach", "thermal"]
