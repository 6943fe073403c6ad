"""A user's NumPy function of (x, y), checked at every call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weald.errors import InputError
from weald.fields.expression import Expression, Places, Values
from weald.fields.interval import Range


@dataclass(frozen=True, slots=True, eq=False)
class Function(Expression):
    """A function of place that somebody else wrote.

    Attributes
    ----------
    function
        Takes two float64 arrays of shape (n,) and returns an array of that shape.
    range
        What its values must stay in; None if they are bool.
    """

    function: Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike]
    range: Range | None

    def at(self, places: Places) -> Values:
        """Call the function and check what it returns."""
        x, y = places.points()
        # each call gets arrays of its own: a function that changes its arguments must not reach others
        values = np.asarray(self.function(x.copy(), y.copy()))
        if values.shape != x.shape:
            raise InputError(
                f"{self.text()}: returned shape {values.shape} for {x.size} places; return one value a place, "
                f"as an array of the shape of x, which is {x.shape}"
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
                self._refuse(x, y, values, low, high)
        return values.reshape(places.shape)

    def text(self, depth: int = 0) -> str:
        """Return the name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def _refuse(
        self, x: NDArray[np.float64], y: NDArray[np.float64], values: NDArray[np.float64], low: float, high: float
    ) -> None:
        first = int(np.argmax(~((values >= low) & (values <= high))))
        place = f"{self.text()}: returned {values[first]} at x = {float(x[first])!r}, y = {float(y[first])!r}"
        if np.isnan(values[first]):
            raise InputError(f"{place}; return a number at every place (a raster may have voids, a function not)")
        raise InputError(f"{place}, outside its range ({low}, {high}); give the range that its values keep to")
