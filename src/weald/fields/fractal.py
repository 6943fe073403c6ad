"""Noise as an expression: octaves of one basis, added up, and their derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weald.fields.expression import Expression, Places, Values
from weald.noise.basis import Basis
from weald.noise.fractal import Octaves, fbm2_grid, fbm2_points
from weald.noise.octave import Octave, evaluate
from weald.noise.shape import Form, folded


@dataclass(frozen=True, slots=True, eq=False)
class Fractal(Expression):
    """Octaves of one basis, added up.

    Attributes
    ----------
    basis
    octaves
        From the coarsest.
    weights
        How much each octave counts; these sum to 1.
    form, strength
        As in `weald.noise.shape.folded`.
    quick
        The same octaves for the kernels that add up Perlin noise of the plane in one go; or None.
    written
        The call that made it.
    """

    basis: Basis
    octaves: tuple[Octave, ...]
    weights: tuple[float, ...]
    form: Form
    strength: float
    quick: Octaves | None
    written: str

    @property
    def dimensions(self) -> int:
        """How many coordinates the basis takes."""
        return self.basis.dimensions

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return len(self.octaves) * (6.0 if self.quick is not None else 25.0)

    def at(self, places: Places) -> Values:
        """Evaluate on the block or at the points: the same bits either way."""
        if self.quick is not None:
            out = np.empty(places.shape)
            if places.is_block:
                self.fill(places, out)
            else:
                fbm2_points(places.x, places.y, self.quick, out)
            return out
        axes = _axes(places, self.dimensions)
        noises = (evaluate(self.basis, octave, axes, slopes=False)[0] for octave in self.octaves)
        low, high = self.basis.low, self.basis.high
        return folded(self.form, noises, self.weights, self.strength, low, high).reshape(places.shape)

    @property
    def fills_rows(self) -> bool:
        """Whether the quick kernels know it."""
        return self.quick is not None

    def fill(self, places: Places, out: Values) -> None:
        """Write the values straight into the array; in float32, if it is of float32, where that is quick."""
        if self.quick is None or not places.is_block:
            Expression.fill(self, places, out)
            return
        # the kernels are compiled for contiguous arrays only
        written = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
        fbm2_grid(np.ascontiguousarray(places.x[0]), np.ascontiguousarray(places.y[:, 0]), self.quick, written)
        if written is not out:
            out[...] = written

    def text(self, depth: int = 0) -> str:
        """Return the call that made it."""
        return self.written


@dataclass(frozen=True, slots=True, eq=False)
class Slopes(Expression):
    """All derivatives of a plain sum of octaves, in metres: values of shape (dimensions, ...)."""

    noise: Fractal

    @property
    def dimensions(self) -> int:
        """How many coordinates the basis takes."""
        return self.noise.basis.dimensions

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 60.0 * len(self.noise.octaves)

    def at(self, places: Places) -> Values:
        """Add up the derivatives of the octaves."""
        noise, axes = self.noise, _axes(places, self.dimensions)
        total = np.zeros((self.dimensions, *places.shape))
        for octave, weight in zip(noise.octaves, noise.weights, strict=True):
            total += weight * evaluate(noise.basis, octave, axes, slopes=True)[1:].reshape(total.shape)
        return total

    def text(self, depth: int = 0) -> str:
        """Return the call that made it."""
        return f"{self.noise.written}.gradient"


@dataclass(frozen=True, slots=True, eq=False)
class Slope(Expression):
    """One derivative. Those that share a `Slopes` and are evaluated together find it once."""

    slopes: Slopes
    axis: int

    @property
    def parts(self) -> tuple[Expression, ...]:
        """All derivatives."""
        return (self.slopes,)

    def at(self, places: Places) -> Values:
        """Pick the derivative."""
        values: Values = places.values(self.slopes)[self.axis]
        return values

    def text(self, depth: int = 0) -> str:
        """Return the call that made it."""
        return f"{self.slopes.text()}[{self.axis}]"


def _axes(places: Places, dimensions: int) -> list[NDArray[np.float64]]:
    return [axis for axis in (places.x, places.y, places.z, places.w)[:dimensions] if axis is not None]
