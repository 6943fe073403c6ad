"""Which species stands where: races for places, one by one or by patches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from weald import hashing
from weald.errors import InputError
from weald.fields import Field
from weald.geometry import Bounds
from weald.scatter.layer import Layer
from weald.scatter.mosaic import Mosaic
from weald.scatter.race import NOBODY, race

Array = NDArray[np.float64]
Numbers = NDArray[np.uint16]
Fits = Callable[[Array, Array], NDArray[np.bool_]]


class Mixture:
    """The species of a layer under its seed.

    Where they share one radius, every instance runs a race of its own. Where each has its own radius, the species
    must be known before there are instances: then the ground is cut into territories about as wide as the largest
    radius, each with a race of its own, and the radius of a place is that of the species that has won its territory.
    Radii that differ by a factor of two at most share the ground by their weights. Of more unlike ones the sampler
    places the larger first, and they get more than their share: less so in territories twice as wide.

    Parameters
    ----------
    layer
        Whose species they are.
    seed
        The layer's.
    fits
        For places, which species keep their clearances there, shape (k, n); None if all do everywhere.
    domain
        Where there is a world; None for everywhere. Beyond it weights are those of the nearest place inside.
    """

    text = "some species suits the place, and keeps its distances there"

    def __init__(
        self, layer: Layer, seed: hashing.Seed, fits: Fits | None = None, domain: Bounds | None = None
    ) -> None:
        self._layer = layer
        self._domain = domain
        # a stand that grows as if the ground went on divides it before anything is cut
        self._divided_before = layer.edge == "natural"
        self._seed = seed
        self._fits = fits
        self._weights = {
            species.name: Field.of(weight) if callable(weight) else float(weight)
            for species, weight in layer.species.items()
        }
        self._varied = any(isinstance(weight, Field) for weight in self._weights.values())
        self._territories: Mosaic | None = None
        if isinstance(layer.radius, Mapping):
            self._radii = np.array([layer.radius[name] for name in self._weights])
            narrowest, widest = float(self._radii.min()), float(self._radii.max())
            if narrowest < widest:
                size = widest if widest <= 2 * narrowest else 2 * widest
                self._territories = Mosaic(size, hashing.key(seed, "territories"))
        self._patches: Mosaic | None = None
        if layer.patches is not None:
            self._patches = Mosaic(layer.patches.size, hashing.key(seed, "patches"), bent=True)

    @property
    def limits(self) -> bool:
        """Whether there may be places that no species gets."""
        return self._varied or self._fits is not None

    @property
    def by_territory(self) -> bool:
        """Whether the species of a place is known before there are instances."""
        return self._territories is not None

    def weights(self, x: Array, y: Array, *, check: bool = True, fitted: bool = True) -> Array:
        """Return the weight of each species at places, shape (k, n); or (k, 1) if they are the same everywhere.

        Without the ``check``, a weight that cannot be used is 0. ``fitted`` weights are 0 where a species would not
        keep its distances.
        """
        if not self.limits:
            return np.array([list(self._weights.values())]).T
        weights = np.empty((len(self._weights), len(x)))
        within_x, within_y = (x, y) if self._domain is None else self._domain.nearest(x, y)
        for row, (name, weight) in zip(weights, self._weights.items(), strict=True):
            row[:] = self._asked(name, weight, within_x, within_y, check) if isinstance(weight, Field) else weight
        if self._fits is not None and fitted:
            weights *= self._fits(x, y)
        return weights

    @property
    def parts(self) -> dict[str, Callable[[Array, Array], Array]]:
        """The weight of each species, by its name; 0 where it does not keep its distances."""

        def weight(number: int) -> Callable[[Array, Array], Array]:
            return lambda x, y: self.weights(x, y, check=False)[number]

        return {name: weight(number) for number, name in enumerate(self._weights)}

    def share(self, x: Array, y: Array) -> Array:
        """Return 1 at places that some species gets, else 0: the mixture as a rule."""
        weights = self.weights(x, y)
        some: NDArray[np.bool_] = np.any(weights > 0.0, axis=0)
        if self._territories is not None and self._divided_before and self._fits is not None:
            winner = self._of_places(x, y)
            some &= winner != NOBODY
            some[some] = weights[winner[some], np.flatnonzero(some)] > 0.0
        return some.astype(np.float64)

    def species(self, x: Array, y: Array, ids: NDArray[np.uint64]) -> Numbers:
        """Return the species of instances, x, y and ids of shape (n,): their numbers in the layer."""
        if self._territories is not None:
            return self._of_places(x, y)
        return self._race(x, y, ids, x, y, self.weights(x, y))

    def _of_places(self, x: Array, y: Array) -> Numbers:
        """Return the species that has won each place; NOBODY where none can stand."""
        assert self._territories is not None
        pieces = self._territories.at(x, y)
        # asked at places, too, that the rules exclude: what the weights are there does not matter
        weights = self.weights(x, y, check=False, fitted=not self._divided_before)
        return self._race(x, y, pieces.id, pieces.x, pieces.y, weights)

    def radius(self, x: Array, y: Array) -> Array:
        """Return the radius of the species that has won each place; the largest where none has."""
        number = self._of_places(x, y)
        radius: Array = np.append(self._radii, self._radii.max())[np.minimum(number, len(self._radii))]
        return radius

    def _race(
        self, x: Array, y: Array, runners: NDArray[np.uint64], at_x: Array, at_y: Array, weights: Array
    ) -> Numbers:
        """Run a race at each place: equal runners, and equal patches at their ``at``, draw equal arrivals."""
        winner = np.zeros(len(x), np.uint16)
        if len(self._weights) == 1 and not self.limits:
            return winner
        if self._patches is not None and self._layer.patches is not None:
            follow = hashing.unit(runners, self._seed, "purity") < self._layer.patches.purity
            of_patch = hashing.mix_array(self._patches.at(at_x, at_y).id, hashing.key(self._seed, "of patch"))
            runners = np.where(follow, of_patch, runners)
        keys = np.array([hashing.key(self._seed, "species", name) for name in self._weights], np.uint64)
        race(np.ascontiguousarray(runners), keys, weights, winner)
        return winner

    def _asked(self, name: str, weight: Field, x: Array, y: Array, check: bool) -> Array:
        try:
            values: Array = np.asarray(weight(x, y))
        except InputError as error:
            raise InputError(f"layer {self._layer.name!r}: the weight of {name!r}: {error}") from error
        wrong = ~((values >= 0.0) & (values < np.inf))
        if not check:
            values = np.where(wrong, 0.0, values)
        elif wrong.any():
            first = int(np.argmax(wrong))
            raise InputError(
                f"layer {self._layer.name!r}: the weight of {name!r} is {values[first]} at x = {float(x[first])!r}, "
                f"y = {float(y[first])!r}; give a finite number, 0 or more, at every place that the rules allow"
            )
        return values
