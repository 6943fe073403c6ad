"""The ground of a spec: a sample, a file or a formula, shaped by erosion if it is told to be."""

from __future__ import annotations

from pathlib import Path

from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.terrain.endless import EndlessTerrain
from weald.terrain.erosion import erode, thermal
from weald.terrain.samples import jacksboro
from weald.terrain.terrain import Terrain
from weald.world.budget import Budget, ground_cost
from weald.world.names import Ground, Names
from weald.world.spec import GroundSpec


def load_ground(spec: GroundSpec, folder: Path, names: Names, budget: Budget) -> tuple[Ground, Bounds | None]:
    """Return the ground, and the box of all there was of it before a window was cut out; None if that is not known.

    It has edges if it is a sample, a file or a window of a formula.

    What would take more than the budget is refused before it is made; files have limits of their own.

    Erosion sees the whole ground, not the window alone, except where a formula has no edges but those.
    """
    if spec.formula is not None:
        assert spec.spacing is not None
        endless = EndlessTerrain(names.ground_formula(spec.formula), spec.spacing)
        if spec.window is None:
            return endless, None
        area = Bounds.of(spec.window).area
        budget.check(ground_cost(spec, endless.field, area / spec.spacing / spec.spacing, area))
        # a formula knows what lies beyond the window, so erosion meets no edge
        part = _slid(_eroded(endless, spec), spec) if spec.erosion else endless.crop(spec.window)
        return part, part.grid.bounds
    if spec.file is not None and spec.window is not None and spec.resample is None and spec.erosion is None:
        # a file may be far larger than memory; what lies beyond the window is not even read
        return _read(spec, folder, spec.window), None
    read = _read(spec, folder)
    budget.check(ground_cost(spec, None, read.heights.size, read.grid.bounds.area))
    whole = _slid(_eroded(read, spec), spec)
    if spec.window is None:
        return whole, whole.grid.bounds
    try:
        return whole.crop(spec.window), whole.grid.bounds
    except InputError as error:
        raise InputError(f"ground.window: {str(error).removeprefix('bounds: ')}") from error


def _read(spec: GroundSpec, folder: Path, window: BoundsLike | None = None) -> Terrain:
    try:
        if spec.file is None:
            return jacksboro() if spec.resample is None else jacksboro(spec.resample)
        terrain = Terrain.open(folder / spec.file, window=window, **spec.of_file())
        return terrain if spec.resample is None else terrain.resample(spec.resample)
    except InputError as error:
        reason = str(error)
        if reason.startswith("spacing: ") and spec.resample is not None:
            reason = "resample: " + reason.removeprefix("spacing: ")
        if window is not None and "window: " in reason:
            raise InputError(f"ground.window: {reason.split('window: ', 1)[1]}") from error
        raise InputError(f"ground: {reason}") from error


def _eroded(ground: Ground, spec: GroundSpec) -> Terrain:
    """Return the ground, or the window of endless ground, as erosion shapes it."""
    erosion, endless = spec.erosion, isinstance(ground, EndlessTerrain)
    window = spec.window if endless else None
    if erosion is not None and erosion.iterations:
        return erode(
            ground,
            iterations=erosion.iterations,
            strength=erosion.strength,
            capacity=erosion.capacity,
            talus_deg=erosion.talus_deg,
            window=window,
        )
    if isinstance(ground, Terrain):
        return ground
    assert window is not None
    return ground.crop(window)


def _slid(terrain: Terrain, spec: GroundSpec) -> Terrain:
    erosion = spec.erosion
    if erosion is None or not erosion.slides:
        return terrain
    return thermal(terrain, iterations=erosion.slides, talus_deg=erosion.talus_deg)
