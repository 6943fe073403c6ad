"""``weald explain``: why something stands at a place, or nothing does."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weald.cli.options import SpecFile, numbers
from weald.cli.progress import note_first_run

if TYPE_CHECKING:
    from weald.world.explain import Asked, Explanation, Reason


def explain(
    spec: SpecFile,
    at: Annotated[str, typer.Option(metavar="X,Y", help="The place, in metres.")],
    layer: Annotated[str | None, typer.Option(help="Ask this layer only.")] = None,
    picture: Annotated[
        Path | None, typer.Option("--map", metavar="OUT.PNG", help="Draw what each rule allows around the place.")
    ] = None,
    reach: Annotated[float, typer.Option(min=1, help="How far around the place to draw, in metres.")] = 60.0,
) -> None:
    """Tell why something stands at a place, or nothing does: every rule of every layer, asked there."""
    from weald.errors import InputError, nearest
    from weald.world.explain import explain
    from weald.world.world import World

    x, y = numbers(at, 2, "--at", "512,300")
    world = World.load(spec)
    names = [one.name for one in world.spec.layer]
    if layer is not None and layer not in names:
        raise InputError(f"--layer: {layer!r} is unknown{nearest(layer, names)}; layers: {', '.join(names)}")
    note_first_run()
    found = explain(world, x, y)
    _tell_place(found)
    for one in found.layers:
        if layer in (None, one.layer):
            _tell_layer(one)
    if picture is not None:
        from weald.preview.why import draw_why

        draw_why(picture, world, (x, y), layers=names if layer is None else [layer], reach=reach)
        typer.echo(f"\nDrew {picture}: green is where a rule allows all, pale where it allows none.")
    else:
        typer.echo("\nNext: --map why.png draws what each rule allows around the place.")


def _tell_place(found: Explanation) -> None:
    from weald.numbers import plain

    words = [f"At {plain(found.x)}, {plain(found.y)}:"]
    if math.isnan(found.height):
        words.append("there is no ground;")
    else:
        facing = "level" if math.isnan(found.aspect_deg) else f"facing {found.aspect_deg:.0f}°"
        words.append(f"height {found.height:.1f} m, slope {found.slope_deg:.0f}°, {facing};")
    if found.biome is not None:
        words.append(f"biome {found.biome};")
    if found.nearest is None:
        words.append("nothing stands near.")
    else:
        near = found.nearest
        hand = ", by hand" * near.by_hand
        words.append(f"nearest is {near.species} ({near.layer}), {near.distance:.2f} m away{hand}, id {near.id:016x}.")
    typer.echo(" ".join(words))


def _tell_layer(reason: Reason) -> None:
    typer.echo(f"\n{reason.layer}: {reason.why}")
    width = max((len(one.text) for one in reason.rules), default=0)
    for one in reason.rules:
        line = f"  {_verdict(one):<8} {one.text:<{min(width, 60)}}  {_parts(one)}"
        typer.echo(line.rstrip())
    if reason.nearest is not None:
        typer.echo(f"  nearest  {reason.nearest.species}, {reason.nearest.distance:.2f} m away")


def _verdict(asked: Asked) -> str:
    if math.isnan(asked.share):
        return "unasked"
    return {0.0: "forbids", 1.0: "allows"}.get(asked.share, f"{100 * asked.share:.0f} %")


def _parts(asked: Asked) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in asked.parts.items())


def _value(value: float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
