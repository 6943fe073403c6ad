"""`scatter`: all layers of a world, in any window of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weald.arguments import of_kind, shown
from weald.errors import InputError
from weald.geometry import Bounds, BoundsLike
from weald.hashing import Seed
from weald.sampling.asked import SATURATION
from weald.scatter.calibration import per_square_radius
from weald.scatter.clearances import Clearances, in_order
from weald.scatter.counting import Counts, counted
from weald.scatter.dress import Normal, dress
from weald.scatter.growth import Growth, size_classes
from weald.scatter.layer import Layer
from weald.scatter.placements import Placements
from weald.scatter.rules import Measure


def scatter(
    layers: Sequence[Layer],
    height: Measure,
    domain: BoundsLike | None,
    seed: Seed,
    *,
    normal: Normal | None = None,
    clearances: Clearances | None = None,
    window: BoundsLike | None = None,
    threads: int | None = None,
    report: Callable[[str], object] = lambda name: None,
    counts: Counts | None = None,
) -> dict[str, Placements]:
    """Place all layers, one after the other. A later layer never moves an earlier one.

    Parameters
    ----------
    layers
        The large before the small: each keeps off those before it, not after. A layer whose ``keep_off`` names a
        later one is placed after that.
    height
        Of the ground at places (x, y): what everything stands on. Put a `Ground` rule into layers
        that meet voids.
    domain
        Where there is a world at all; None for everywhere, and a window then.
    seed
        Of the world.
    normal
        Of the ground at places (x, y), upward unit vectors of shape (n, 3): needed if a species leans with the ground
        or faces the slope.
    clearances
        Least distances between instances of different layers; `Clearances()` if not given.
    window
        The part that is wanted; the result is exactly the part of the whole that lies in it.
    threads
        How many threads to use; one a core if not given. The result is the same for any number.
    report
        Called with the name of each layer when its turn comes.
    counts
        What other calls have found of the layers that give a `count`, so that the whole is not grown again for
        every window: a `Counts` for each set of layers, domain, seed and clearances.

    Returns
    -------
    dict of Placements
        One entry a layer, in the order of ``layers``.

    Raises
    ------
    InputError
        If names are unknown or used twice, if layers keep off each other in a circle, or if a field gives a value
        that cannot be used; the message says where.

    Examples
    --------
    >>> from weald.scatter.species import Species
    >>> oak = Species("oak", "broadleaf", height=17, crown_radius=4, color="#6f8f3c")
    >>> fern = Species("fern", "bush", height=0.6, crown_radius=0.5, color="#66aa44")
    >>> flat = lambda x, y: 0 * x
    >>> placed = scatter([Layer("trees", {oak: 1}, 8.0), Layer("ferns", {fern: 1}, 2.0)], flat, Bounds(0, 0, 99, 99), 7)
    >>> {name: len(instances) for name, instances in placed.items()}
    {'trees': 103, 'ferns': 1695}
    """
    _check(height, normal, report)
    domain = None if domain is None else Bounds.of(domain, "domain")
    grown = growths(layers, domain, seed, clearances, counts)
    sloping = [species.name for layer in layers for species in layer.species if species.knows_slope]
    if sloping and normal is None:
        raise InputError(
            f"normal: is not given, and species {sloping[0]!r} stands by the slope; give the ground's normal"
        )
    wanted = domain if window is None else Bounds.of(window, "window")
    if wanted is None:
        raise InputError("window: is not given, and the world has no edges; give the part that is wanted")
    margins = _margins([growth for classes in grown.values() for growth in classes])
    placed: dict[str, Placements] = {}
    for name, classes in grown.items():
        report(name)
        parts = []
        for growth in classes:
            # later layers ask about what stands a little outside the window
            margin = margins.get(growth, 0.0)
            stand = growth.find(wanted.grown(margin), threads, keep=growth in margins)
            parts.append(dress(growth, stand.inside(wanted), height, normal))
        placed[name] = parts[0] if len(parts) == 1 else Placements.concat(parts)
    return {layer.name: placed[layer.name] for layer in layers}


def _check(height: object, normal: object, report: object) -> None:
    if not callable(height):
        advice = "; give its method, terrain.height" if hasattr(height, "height") else "; give a function of (x, y)"
        raise InputError(f"height: got {shown(height)}{advice}")
    for name, value in (("normal", normal), ("report", report)):
        if value is not None and not callable(value):
            raise InputError(f"{name}: got {shown(value)}; give a function")


def growths(
    layers: Sequence[Layer],
    domain: Bounds | None,
    seed: Seed,
    clearances: Clearances | None = None,
    counts: Counts | None = None,
) -> dict[str, list[Growth]]:
    """Return what is in the making of each layer, in the order of placing: one, or one for each of its sizes.

    Parameters as of `scatter`.
    """
    known = Counts() if counts is None else counts
    rules = of_kind("clearances", Clearances() if clearances is None else clearances, Clearances, "Clearances")
    ordered = in_order(layers)
    rules.check(ordered)
    grown: dict[str, list[Growth]] = {}
    for layer in ordered:
        earlier = [growth for classes in grown.values() for growth in classes]
        if layer.count is not None:
            grown[layer.name] = counted(layer, seed, domain, earlier, rules, known)
        else:
            per_square = SATURATION if layer.density is None else per_square_radius(layer)
            grown[layer.name] = size_classes(layer, seed, domain, earlier, rules, per_square)
    return grown


def _margins(grown: Sequence[Growth]) -> dict[Growth, float]:
    """Return how far beyond a window each must be known that others keep off."""
    margins: dict[Growth, float] = {}
    for growth in reversed(grown):
        for other, kept in growth.off:
            beyond = margins.get(growth, 0.0) + growth.margin(kept)
            margins[other] = max(margins.get(other, 0.0), beyond)
    return margins
