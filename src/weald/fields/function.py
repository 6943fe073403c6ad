"""A user's NumPy function of (x, y), checked at every call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.arguments import array_of
from weald.errors import InputError
from weald.fields.expression import Expression, Places, Values
from weald.fields.interval import Range


def checked_dimensions(value: int) -> int:
    """Return a number of dimensions, or say what is wrong with it."""
    if isinstance(value, bool | np.ndarray) or value not in (2, 3, 4):
        raise InputError(f"dimensions: got {value!r}; give 2 for (x, y), 3 for (x, y, z) or 4 for (x, y, z, w)")
    return int(value)


@dataclass(frozen=True, slots=True, eq=False)
class Function(Expression):
    """A function of place that somebody else wrote.

    Attributes
    ----------
    function
        Takes as many float64 arrays of shape (n,) as it has dimensions, and returns an array of that shape.
    range
        What its values must stay in; None if they are bool.
    dimensions
        2, 3 or 4.
    """

    function: Callable[..., ArrayLike]
    range: Range | None
    dimensions: int = 2

    @property
    def effort(self) -> float:
        """About how many nanoseconds a place takes."""
        return 30.0

    def at(self, places: Places) -> Values:
        """Call the function and check what it returns."""
        axes = places.points(self.dimensions)
        # each call gets arrays of its own: a function that changes its arguments must not reach others
        values = array_of(self.text(), self.function(*(axis.copy() for axis in axes)))
        if values.shape != axes[0].shape:
            raise InputError(
                f"{self.text()}: returned shape {values.shape} for {axes[0].size} places; return one value a place, "
                f"as an array of the shape of x, which is {axes[0].shape}"
            )
        if self.range is None:
            if values.dtype != np.bool_:
                raise InputError(f"{self.text()}: returned values of type {values.dtype}; return bool, as `x > 3` is")
        elif values.dtype.kind not in "biuf":
            raise InputError(f"{self.text()}: returned values of type {values.dtype}; return real numbers")
        else:
            values = values.astype(np.float64, copy=False)
            low, high = self.range
            if not (values.min(initial=high) >= low and values.max(initial=low) <= high):
                self._refuse(axes, values, low, high)
        return values.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def _refuse(
        self, axes: tuple[NDArray[np.float64], ...], values: NDArray[np.float64], low: float, high: float
    ) -> None:
        first = int(np.argmax(~((values >= low) & (values <= high))))
        where = ", ".join(f"{name} = {float(axis[first])!r}" for name, axis in zip("xyzw", axes, strict=False))
        place = f"{self.text()}: returned {values[first]} at {where}"
        if np.isnan(values[first]):
            raise InputError(f"{place}; return a number at every place (a raster may have voids, a function not)")
        raise InputError(f"{place}, outside its range ({low}, {high}); give the range that its values keep to")
