"""From the layers of a spec to layers that can be scattered."""

from __future__ import annotations

from pathlib import Path

from weald.errors import InputError
from weald.fields import Condition, Field
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.rules import Ground, Only, Ramp, Rule, Share
from weald.scatter.soft import Soft
from weald.scatter.species import Species
from weald.world.names import Names
from weald.world.spec import LayerSpec, RangeSpec, Spec, SpeciesSpec
from weald.world.spec.reading import key_path


def species_of(spec: Spec, folder: Path) -> dict[str, Species]:
    """Return the species of a spec by name; relative paths of assets start at a folder."""
    return {name: one_species(name, one, folder) for name, one in spec.species.items()}


def one_species(name: str, spec: SpeciesSpec, folder: Path) -> Species:
    """Return one of the species of a spec."""
    given = {key: value for key, value in spec if value is not None}
    if spec.asset is not None:
        given["asset"] = folder / spec.asset
    try:
        return Species(name=name, **given)
    except InputError as error:
        raise InputError(str(error).replace(f"species {name!r}: ", f"{key_path(('species', name))}.", 1)) from error


def clearances_of(spec: Spec) -> Clearances:
    """Return the clearances of a spec."""
    given = spec.clearances
    default: float | str = given.default
    return Clearances(given.pairs, default="stems" if isinstance(default, str) else default, scaled=given.scaled)


def layers_of(spec: Spec, names: Names, species: dict[str, Species]) -> list[Layer]:
    """Return the layers of a spec, in order."""
    return [layer_of(spec, names, number, species) for number in range(len(spec.layer))]


def layer_of(spec: Spec, names: Names, number: int, species: dict[str, Species]) -> Layer:
    """Return one of the layers of a spec."""
    layer, place = spec.layer[number], f"layer[{number}]"
    weights = {
        species[name]: names.field(weight, f"{place}.species.{name}") if isinstance(weight, str) else weight
        for name, weight in layer.species.items()
    }

    def number_or_field(key: str) -> float | Field:
        value: float | str = getattr(layer, key)
        return names.field(value, f"{place}.{key}") if isinstance(value, str) else value

    rules = _rules(layer, place, spec, names)
    radius = layer.radius if isinstance(layer.radius, dict | None) else number_or_field("radius")
    density = None if layer.density is None else number_or_field("density")
    cover = number_or_field("cover")
    sizes = [Size(**dict(size)) for size in layer.sizes if size.cover > 0]
    if layer.sizes and not sizes:
        cover = 0.0
    try:
        return Layer(
            layer.name,
            weights,
            radius=radius,
            rules=rules,
            keep_off=layer.keep_off,
            radius_range=layer.radius_range,
            density=density,
            cover=cover,
            soft=None if layer.soft is None else Soft(**dict(layer.soft)),
            clumps=None if layer.clumps is None else Clumps(**dict(layer.clumps)),
            sizes=sizes,
            patches=None if layer.patches is None else Patches(**dict(layer.patches)),
            edge=layer.edge,
            count=layer.count,
        )
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith("layer") else f"{place}: {text}") from error


def _rules(layer: LayerSpec, place: str, spec: Spec, names: Names) -> list[Rule]:
    """Return the rules, the quick ones first: each is asked only where those before it leave something."""
    height = _field(names, "height")
    rules: list[Rule] = []
    if layer.height is None and layer.slope_deg is None:  # limits are never met on a void
        rules.append(Ground(height, text="there is ground", parts={"height": height}))
    for name in layer.inside:
        rules.append(Only(names.inside(name), text=f"inside {name}"))
    for name in layer.outside:
        rules.append(Only(~names.inside(name), text=f"outside {name}"))
    level = spec.water.level if spec.water is not None else None
    if level is not None and not layer.in_water:
        rules.append(Only(height > level, text=f"above the water at {level:g} m", parts={"height": height}))
    if layer.height is not None:
        rules += _limits(height, layer.height, "height", " m")
    if layer.thin is not None:
        thin, noise = layer.thin, _field(names, layer.thin.noise)
        text = f"thinned by {thin.noise}: none at {thin.none_at:g}, all at {thin.all_at:g}"
        rules.append(Ramp(noise, thin.none_at, thin.all_at, text=text, parts={thin.noise: noise}))
    if layer.where is not None:
        condition = names.condition(layer.where, f"{place}.where")
        rules.append(Only(condition, text=f"where {layer.where}", parts=names.parts(layer.where)))
    if layer.share is not None:
        given = layer.share
        share = Field.of(given) if isinstance(given, float) else names.field(given, f"{place}.share")
        parts = {} if isinstance(given, float) else names.parts(given)
        rules.append(Share(share, text=f"share {_told(given)}", parts={"share": share, **parts}))
    if layer.slope_deg is not None:  # last, since it takes longest
        rules += _limits(_field(names, "slope_deg"), layer.slope_deg, "slope", "°")
    return rules


def _field(names: Names, name: str) -> Field:
    value = names[name]
    if isinstance(value, Condition):
        raise InputError(f"{name!r} is a condition, a yes or no; give the name of a field")
    return value


def _limits(measure: Field, limits: RangeSpec, what: str, unit: str) -> list[Rule]:
    half = limits.fade / 2
    fade = f", fading over {limits.fade:g}{unit}" if limits.fade else ""
    rules: list[Rule] = []
    for rising, limit in ((True, limits.above), (False, limits.below)):
        if limit is not None:
            outer = -half if rising else half
            text = f"{what} {'above' if rising else 'below'} {limit:g}{unit}{fade}"
            rules.append(Ramp(measure, limit + outer, limit - outer, rising, text=text, parts={what: measure}))
    return rules


def _told(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
