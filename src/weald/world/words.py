"""A spec in words: what it says of ground, water and biomes, and of each layer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from weald.numbers import shown_box
from weald.sampling.asked import SATURATION
from weald.world.spec import GroundSpec, LayerSpec, RangeSpec, Spec

_HECTARE = 1e4

Telling: TypeAlias = Callable[[LayerSpec], str]


def describe(spec: Spec) -> list[str]:
    """Return a spec in words: a paragraph on the ground, on water and biomes if there are any, and on each layer."""
    paragraphs = [_ground(spec.ground)]
    if spec.water is not None:
        paragraphs.append(_water(spec))
    if spec.biomes is not None:
        paragraphs.append(_biomes(spec))
    return paragraphs + [describe_layer(layer) for layer in spec.layer]


def describe_layer(layer: LayerSpec) -> str:
    """Return what a layer says, in words.

    >>> print(describe_layer(LayerSpec(name="trees", species="oak", radius=8.0, where="height > 200")))
    trees: oak, at least 8 m apart; at most about 109 a hectare. Only where `height > 200`.
    """
    heading = LAYER_KEYS["name"](layer)
    first = ", ".join(part for part in (LAYER_KEYS[key](layer) for key in _FIRST) if part)
    rest = [tell(layer) for key, tell in LAYER_KEYS.items() if key != "name" and key not in _FIRST]
    sentences = [first if layer.count is not None else f"{first}; {_count(layer)}", *(one for one in rest if one)]
    return f"{heading}: " + " ".join(f"{one}." for one in sentences)


def saturated(layer: LayerSpec) -> tuple[float, float]:
    """Return about how many instances a hectare fill a layer where nothing limits it: the least and the most.

    Discs of half the radius pack to 0.547 of the ground, so a radius r has room for ``0.547 * 4 / (pi * r**2)``.
    """
    if isinstance(layer.density, float):
        cover = layer.cover if isinstance(layer.cover, float) else 1.0
        return layer.density * (cover if isinstance(layer.cover, float) else 0.0), layer.density * cover
    if layer.density is not None:
        return 0.0, float("inf")
    radii = [layer.radius] if isinstance(layer.radius, float) else []
    if isinstance(layer.radius, dict):
        radii = [*layer.radius.values()]
    elif not radii:
        radii = [*(layer.radius_range or ())]
    if not radii:  # what the formula's range proves
        return 0.0, float("inf")
    low, high = (SATURATION * _HECTARE / (end * end) for end in (max(radii), min(radii)))
    factors = [size.factor for size in layer.sizes] or [1.0]
    low, high = low / (max(factors) * max(factors)), high / (min(factors) * min(factors))
    if layer.soft is not None:
        high /= layer.soft.core * layer.soft.core
    if isinstance(layer.cover, str):
        return 0.0, high
    # the smallest class fills what the larger ones leave
    cover = layer.cover * (layer.sizes[factors.index(max(factors))].cover if layer.sizes else 1.0)
    return low * cover, high * layer.cover


# -- each key of a layer --------------------------------------------------------------------------


def _species(layer: LayerSpec) -> str:
    weights = layer.species
    if len(set(weights.values())) == 1:
        return _listed(weights)
    return _listed(f"{name} ({_number(weight)})" for name, weight in weights.items())


def _radius(layer: LayerSpec) -> str:
    if isinstance(layer.radius, dict):
        return "at least " + _listed(f"{radius:g} m ({name})" for name, radius in layer.radius.items()) + " apart"
    if isinstance(layer.radius, str):
        return f"`{layer.radius}` m apart"
    return "" if layer.radius is None else f"at least {layer.radius:g} m apart"


def _radius_range(layer: LayerSpec) -> str:
    return "" if layer.radius_range is None else "{:g} to {:g} m".format(*layer.radius_range)


def _density(layer: LayerSpec) -> str:
    return "" if layer.density is None else f"spaced for {_number(layer.density)} a hectare"


def _in_all(layer: LayerSpec) -> str:
    return "" if layer.count is None else f"{layer.count:,} in the whole world"


def _cover(layer: LayerSpec) -> str:
    if isinstance(layer.cover, str):
        return f"filled to the share `{layer.cover}`"
    return "" if layer.cover == 1 else f"filled to {100 * layer.cover:g} %"


def _range(limits: RangeSpec | None, what: str, unit: str, fade_unit: str) -> str:
    if limits is None:
        return ""
    ends = [
        f"{word} {end:g}{unit}" for word, end in (("above", limits.above), ("below", limits.below)) if end is not None
    ]
    fade = f", thinning out over {limits.fade:g}{fade_unit}" if limits.fade else ""
    return f"Only where {what} is {' and '.join(ends)}{fade}"


def _thin(layer: LayerSpec) -> str:
    thin = layer.thin
    if thin is None:
        return ""
    side = "below" if thin.none_at < thin.all_at else "above"
    return f"Thinned by {thin.noise}: all at {thin.all_at:g}, none {side} {thin.none_at:g}"


def _share(layer: LayerSpec) -> str:
    if isinstance(layer.share, float):
        return f"Of the places, {100 * layer.share:g} %"
    return "" if layer.share is None else f"Of the places, the share `{layer.share}`"


def _soft(layer: LayerSpec) -> str:
    if layer.soft is None:
        return ""
    return (
        f"Soft spacing: {100 * layer.soft.closer:g} % stay beside one that is nearer, down to "
        f"{100 * layer.soft.core:g} % of the distance"
    )


def _clumps(layer: LayerSpec) -> str:
    clumps = layer.clumps
    if clumps is None:
        return ""
    low, high = (clumps.radius * factor for factor in clumps.vary)
    between = f", {100 * clumps.between:g} % of the places between them" if clumps.between else ", nothing between"
    return f"In clumps of {low:.3g} to {high:.3g} m radius, their middles at least {clumps.spacing:g} m apart{between}"


def _sizes(layer: LayerSpec) -> str:
    if not layer.sizes:
        return ""
    classes = (
        f"{size.factor:g} times" + (f" (filled to {100 * size.cover:g} %)" if size.cover < 1 else "")
        for size in sorted(layer.sizes, key=lambda size: -size.factor)
    )
    return f"In sizes of {_listed(classes)}, spaced accordingly"


def _patches(layer: LayerSpec) -> str:
    if layer.patches is None:
        return ""
    return f"Species gather in patches of {layer.patches.size:g} m, {100 * layer.patches.purity:g} % pure"


def _keep_off(layer: LayerSpec) -> str:
    return "" if not layer.keep_off else "Keeps off " + _listed(f"{name} {d:g} m" for name, d in layer.keep_off.items())


LAYER_KEYS: Mapping[str, Telling] = {
    "name": lambda layer: layer.name,
    "species": _species,
    "radius": _radius,
    "radius_range": _radius_range,
    "density": _density,
    "count": _in_all,
    "cover": _cover,
    "height": lambda layer: _range(layer.height, "the ground", " m", " m"),
    "slope_deg": lambda layer: _range(layer.slope_deg, "the slope", "°", "°"),
    "inside": lambda layer: "" if not layer.inside else f"Only in {_listed(layer.inside)}",
    "outside": lambda layer: "" if not layer.outside else f"Not in {_listed(layer.outside, 'or')}",
    "where": lambda layer: "" if layer.where is None else f"Only where `{layer.where}`",
    "share": _share,
    "in_water": lambda layer: "In water too" if layer.in_water else "",
    "thin": _thin,
    "soft": _soft,
    "clumps": _clumps,
    "sizes": _sizes,
    "patches": _patches,
    "edge": lambda layer: "Fills its ground up to the edge" if layer.edge == "fill" else "",
    "keep_off": _keep_off,
}
"""How each key of a layer is told: a part of the first sentence, or a sentence of its own; empty if it is not given."""

_FIRST = ("species", "count", "radius", "radius_range", "density", "cover")


def _count(layer: LayerSpec) -> str:
    low, high = saturated(layer)
    if high == float("inf"):
        return "as many as that says"
    if layer.cover == 1 and low != high and low > 0:
        return f"at most about {_whole(low)} to {_whole(high)} a hectare"
    return f"at most about {_whole(high)} a hectare"


# -- ground, water, biomes ------------------------------------------------------------------------


def _ground(ground: GroundSpec) -> str:
    source = (
        f"the sample {ground.sample!r}" if ground.sample else f"the file {ground.file}" if ground.file else "a formula"
    )
    told = [f"ground: {source}" + (f", `{ground.formula}`" if ground.formula else "")]
    every = ground.resample or ground.spacing
    if every is not None:
        told.append(f"a sample every {every:g} m")
    if ground.crs is not None:
        told.append(f"projected to {ground.crs}")
    if ground.window is not None:
        xmin, ymin, xmax, ymax = ground.window
        told.append(shown_box(xmin, ymin, xmax, ymax))
    elif ground.formula is not None:
        told.append("without edges")
    if ground.erosion is not None:
        told.append(f"shaped by {ground.erosion.iterations} iterations of erosion")
    return ", ".join(told) + "."


def _water(spec: Spec) -> str:
    water = spec.water
    assert water is not None
    level = "no still water" if water.level is None else f"still water at {water.level:g} m"
    if spec.ground.formula is not None and spec.ground.window is None:
        return f"water: {level}."
    return f"water: {level}; rivers from {water.river_catchment:,g} m² on, lakes from {water.lake_depth:g} m of depth."


def _biomes(spec: Spec) -> str:
    biomes = spec.biomes
    assert biomes is not None
    edge = "sharp borders" if biomes.blend_radius is None else f"borders blended over {biomes.blend_radius:g} m"
    return f"biomes: {_listed(one.name for one in biomes.biome)}, by {_listed(biomes.climate)}; {edge}."


def _listed(names: Iterable[str], word: str = "and") -> str:
    every = list(names)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} {word} {every[-1]}"


def _number(value: float | str) -> str:
    return f"`{value}`" if isinstance(value, str) else f"{value:g}"


def _whole(count: float) -> str:
    return f"{count:,.0f}" if count >= 10 else f"{count:.2g}"
