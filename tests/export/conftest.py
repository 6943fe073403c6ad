from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from weald.scatter.placements import Placements
from weald.scatter.species import Species

SPECIES = (
    Species("spruce", "conifer", height=22, crown_radius=2.9, color="#2f5d43"),
    Species("oak", "broadleaf", height=15, crown_radius=5.5, color="#5c8a3a"),
    Species("hazel", "bush", height=2.4, crown_radius=1.8, color="#6c8f3c"),
)


@pytest.fixture
def plants() -> Callable[..., Placements]:
    """A maker of placements at given feet, facing somewhere, with ids that need all of their 64 bits."""

    def make(xyz: np.ndarray, species: np.ndarray | int = 0, yaw: np.ndarray | float = 0.3) -> Placements:
        xyz = np.asarray(xyz, np.float64).reshape(-1, 3)
        n = len(xyz)
        half = np.broadcast_to(yaw, n) / 2
        rotation = np.zeros((n, 4), np.float32)
        rotation[:, 2], rotation[:, 3] = np.sin(half), np.cos(half)
        return Placements(
            SPECIES,
            np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(2**63 + 1),
            np.broadcast_to(species, n).astype(np.uint16),
            xyz,
            rotation,
            np.linspace(0.8, 1.2, n, dtype=np.float32),
            np.full(n, 1.5, np.float32),
        )

    return make
