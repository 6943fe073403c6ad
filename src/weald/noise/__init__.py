"""Noise kernels: one basis a file, and how octaves add up."""

import weald.jit  # noqa: F401 - before any kernel is decorated
from weald.noise.fractal import Octaves, fbm2_grid, fbm2_points, perlin_octaves
from weald.noise.perlin import perlin2

__all__ = ["Octaves", "fbm2_grid", "fbm2_points", "perlin2", "perlin_octaves"]
