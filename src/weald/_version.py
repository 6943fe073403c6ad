"""The release version, and the version of what weald computes."""

__version__ = "0.1.0"

ALGORITHM = 2
"""Bumped whenever the same seed and rules give another world; written into every file produced."""
