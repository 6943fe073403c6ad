"""A report as one figure: what the points look like, and what their spectrum and distances say."""

from __future__ import annotations

import io
import math
import os
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure

from weald.errors import InputError
from weald.sampling.quality.correlation import smooth_spectrum
from weald.sampling.quality.sample import Array

if TYPE_CHECKING:
    from weald.sampling.quality.summary import QualityReport

_PAPER = "#f5f3ec"
_PANEL = "#fbfaf6"
_INK = "#33372f"
_FAINT = "#8b8d80"
_LEAF = "#5c7a68"
_DEEP = "#22443a"
_FAULT = "#ce3428"
_WARM = "#b8762e"
_SPECTRUM = LinearSegmentedColormap.from_list("spectrum", ["#12211c", "#22443a", "#5c8a74", "#c9d6b8", "#fdf6dc"])
_SHOWN = 420  # points in the panel: more would be dust


def draw(report: QualityReport, xy: Array, radius: Array, path: str | PathLike[str]) -> None:
    """Write the figure of a report as PNG; a file of that name is replaced whole or not at all."""
    figure = Figure((15.0, 10.2), dpi=110, facecolor=_PAPER)
    grid = figure.add_gridspec(
        2, 3, left=0.035, right=0.98, bottom=0.06, top=0.885, wspace=0.17, hspace=0.27, width_ratios=(1, 1, 1)
    )
    _heading(figure, report)
    _points(figure.add_subplot(grid[0, 0]), report, xy, radius)
    _spectrum(figure.add_subplot(grid[0, 1]), report)
    rings = grid[0, 2].subgridspec(2, 1, height_ratios=(2.1, 1), hspace=0.12)
    upper = figure.add_subplot(rings[0])
    _radial(upper, figure.add_subplot(rings[1], sharex=upper), report)
    _table(figure.add_subplot(grid[1, 0]), report)
    _correlation(figure.add_subplot(grid[1, 1]), report)
    _distances(figure.add_subplot(grid[1, 2]), report)
    _write(figure, path)


def _heading(figure: Any, report: QualityReport) -> None:
    low, high = report.radius
    radius = f"radius {low:g} m" if low == high else f"radius {low:.3g} to {high:.3g} m"
    width, depth = report.bounds.size
    figure.text(0.035, 0.948, f"{report.count:,} points", size=21, color=_INK, weight="bold")
    where = f"{width:g} x {depth:g} m, {'torus' if report.periodic else 'open edges'}"
    faults = "no conflicts" if report.conflicts == 0 else f"{report.conflicts:,} conflicts"
    room = "no gaps" if report.uncovered < 1e-9 else f"{report.uncovered:.2%} of the ground has room for more"
    figure.text(0.98, 0.951, f"{radius}   ·   {where}   ·   {faults}   ·   {room}", size=11.5, color=_FAINT, ha="right")


def _dress(axes: Any, title: str, x: str = "", y: str = "") -> None:
    axes.set_facecolor(_PANEL)
    axes.set_title(title, loc="left", size=12, color=_INK, weight="bold", pad=8)
    axes.set_xlabel(x, size=10, color=_FAINT)
    axes.set_ylabel(y, size=10, color=_FAINT)
    axes.tick_params(colors=_FAINT, labelsize=9, length=3)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#c9c8bb")


def _points(axes: Any, report: QualityReport, xy: Array, radius: Array) -> None:
    """Show a square in the middle: discs of half the radius touch and never overlap in a sound set."""
    _dress(axes, "Points, with discs of half their radius")
    box = report.bounds
    side = min(*box.size, math.sqrt(_SHOWN * box.area / report.count))
    middle = np.array([box.xmin + box.xmax, box.ymin + box.ymax]) / 2
    seen = (np.abs(xy - middle) <= (side + radius[:, None]) / 2).all(axis=1)
    fault = _at_fault(report, xy, radius)[seen]
    colors = np.where(fault[:, None], to_rgba(_FAULT), to_rgba(_LEAF))
    discs = EllipseCollection(
        radius[seen], radius[seen], np.zeros(seen.sum()), units="xy", offsets=xy[seen], transOffset=axes.transData
    )
    discs.set(facecolor=colors * (1, 1, 1, 0.42), edgecolor="none")
    axes.add_collection(discs)
    dot = max(1.4, 48 / math.sqrt(max(int(seen.sum()), 1)))
    axes.scatter(*xy[seen].T, s=dot**2, c=np.where(fault[:, None], to_rgba(_FAULT), to_rgba(_DEEP)), linewidths=0)
    axes.set(xlim=(middle[0] - side / 2, middle[0] + side / 2), ylim=(middle[1] - side / 2, middle[1] + side / 2))
    axes.set(aspect="equal", anchor="W", xticks=[], yticks=[])
    share = f"the middle {side:.3g} m" if side < 0.999 * max(box.size) else "all of them"
    axes.set_xlabel(share, size=10, color=_FAINT)


def _at_fault(report: QualityReport, xy: Array, radius: Array) -> Any:
    from weald.sampling.quality.spacing import conflicts

    fault = np.zeros(len(xy), np.bool_)
    if report.conflicts:
        fault[conflicts(xy, report.bounds, radius=radius, periodic=report.periodic)] = True
    return fault


def _spectrum(axes: Any, report: QualityReport) -> None:
    _dress(axes, "Power spectrum", "cycles a mean spacing")
    spectrum = report.spectrum
    fx, fy = spectrum.frequency_x, spectrum.frequency_y
    power = spectrum.power.copy()
    # the peak at 0 says only how many points there are
    power[len(fy) // 2, len(fx) // 2] = 0
    half_x, half_y = (0.5 * (f[1] - f[0]) for f in (fx, fy))
    extent = (fx[0] - half_x, fx[-1] + half_x, fy[0] - half_y, fy[-1] + half_y)
    # fourth root: the dark middle and the rings both keep their shades, and peaks of lattices do not blind
    axes.imshow(power**0.25, extent=extent, origin="lower", cmap=_SPECTRUM, vmin=0.25, vmax=1.5, interpolation="auto")
    axes.set_anchor("W")
    for spine in axes.spines.values():
        spine.set_visible(False)


def _radial(axes: Any, below: Any, report: QualityReport) -> None:
    _dress(axes, "Radial power, and anisotropy", "", "power")
    radial = report.spectrum.radial()
    f, smooth = smooth_spectrum(report.correlation)
    last = float(radial.frequency[-1])
    axes.axhline(1, color=_FAINT, lw=0.8, ls=(0, (4, 4)))
    axes.plot(radial.frequency, radial.power, color=_LEAF, lw=0.9, alpha=0.65, label="rings")
    axes.plot(f[f <= last], smooth[f <= last], color=_DEEP, lw=1.8, label="from the pair correlation")
    if 0 < report.effective_nyquist < last:
        axes.axvspan(0, report.effective_nyquist, color=_WARM, alpha=0.10, lw=0)
        words = f"effective\nNyquist\n{report.effective_nyquist:.3f}"
        # in the middle of the empty part, or beside it if that is narrow
        wide = report.effective_nyquist > 0.15 * last
        place = 0.5 * report.effective_nyquist if wide else report.effective_nyquist + 0.015 * last
        axes.text(
            place,
            0.94,
            words,
            transform=axes.get_xaxis_transform(),
            color=_WARM,
            size=8.5,
            ha="center" if wide else "left",
            va="top",
            linespacing=1.25,
        )
    seen = radial.frequency > 0.25
    top = float(np.quantile(radial.power[seen], 0.985)) if seen.any() else 2.0
    axes.set(xlim=(0, last), ylim=(0, min(max(2.2, 1.25 * top), 30)))
    axes.legend(loc="upper right", fontsize=8.5, frameon=False, labelcolor=_INK)
    axes.tick_params(labelbottom=False)

    _dress(below, "", "cycles a mean spacing", "dB")
    below.axhline(0, color=_FAINT, lw=0.8, ls=(0, (4, 4)))
    below.plot(radial.frequency, radial.anisotropy_db, color=_WARM, lw=1.0, marker=".", ms=2)
    known = radial.anisotropy_db[np.isfinite(radial.anisotropy_db)]
    reach = max(6.0, float(np.quantile(np.abs(known), 0.99)) * 1.1) if len(known) else 6.0
    below.set_ylim(-reach, reach)


def _correlation(axes: Any, report: QualityReport) -> None:
    g = report.correlation
    _dress(axes, "Pair correlation", "distance, mean spacings", "pairs, white noise = 1")
    # as many bins as pairs can fill
    merge = max(1, round(8 / math.sqrt(report.count) * 10))
    whole = len(g.distance) // merge * merge
    distance = (g.distance / g.spacing)[:whole].reshape(-1, merge).mean(axis=1)
    weight = g.distance[:whole].reshape(-1, merge)
    value = (g.correlation[:whole].reshape(-1, merge) * weight).sum(axis=1) / weight.sum(axis=1)
    axes.axhline(1, color=_FAINT, lw=0.8, ls=(0, (4, 4)))
    axes.fill_between(distance, value, color=_LEAF, alpha=0.22, lw=0, step="mid")
    axes.step(distance, value, color=_DEEP, lw=1.5, where="mid")
    low, high = report.radius
    if low == high:
        axes.axvline(low / g.spacing, color=_WARM, lw=1.1)
        axes.annotate(
            "radius",
            (low / g.spacing, 0.96),
            xycoords=axes.get_xaxis_transform(),
            xytext=(-5, 0),
            textcoords="offset points",
            color=_WARM,
            size=9,
            ha="right",
            va="top",
        )
    axes.set_xlim(0, min(5.0, float(distance[-1])) if len(distance) else 5.0)
    axes.set_ylim(0, min(max(2.0, 1.12 * float(value.max(initial=1.0))), 12))


def _distances(axes: Any, report: QualityReport) -> None:
    low, high = report.radius
    one = low == high
    nearest = report.nearest / (low if one else report.correlation.spacing)
    _dress(axes, "Distance to the nearest point", "radii" if one else "mean spacings", "points")
    edges = np.linspace(0, float(np.quantile(nearest, 0.999)) * 1.05 or 1.0, 61)
    if one and float(nearest.min()) >= 1.0:
        # the bins begin at the radius, so that none hides what is short of it
        edges = np.linspace(1.0, max(float(np.quantile(nearest, 0.999)), 1.05), 41)
    axes.hist(nearest, edges, color=_LEAF, alpha=0.75, linewidth=0)
    axes.set_xlim(0.96 if edges[0] == 1.0 else 0, edges[-1])
    if one:
        axes.axvline(1, color=_WARM, lw=1.1)
    mean = report.mean_distance / (low if one else report.correlation.spacing)
    if math.isfinite(mean):
        axes.axvline(mean, color=_DEEP, lw=1.1, ls=(0, (4, 3)))
        axes.annotate(
            f"mean {mean:.3f}",
            (mean, 0.96),
            xycoords=axes.get_xaxis_transform(),
            xytext=(6, 0),
            textcoords="offset points",
            color=_DEEP,
            size=9,
            va="top",
            bbox={"facecolor": _PANEL, "edgecolor": "none", "pad": 1.5},
        )


def _table(axes: Any, report: QualityReport) -> None:
    axes.set_axis_off()
    axes.set_title("Figures", loc="left", size=12, color=_INK, weight="bold", pad=8)
    rows = report.rows[2:]
    for k, (name, value, words) in enumerate(rows):
        y = 1 - (k + 0.6) / len(rows)
        if name and k:
            axes.axhline(1 - k / len(rows), color="#dcdacb", lw=0.8)
        axes.text(0.0, y, name, size=10.5, color=_INK, va="center")
        axes.text(0.47, y, value, size=10.5, color=_DEEP, va="center", ha="right", weight="bold")
        axes.text(0.50, y, words, size=9, color=_FAINT, va="center")
    axes.set(xlim=(0, 1), ylim=(0, 1))


def _write(figure: Any, path: str | PathLike[str]) -> None:
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", facecolor=_PAPER)
    try:
        partial.write_bytes(buffer.getvalue())
        partial.replace(target)
    except OSError as error:
        raise InputError(
            f"{target}: cannot be written ({error.strerror or error}); give a file in a folder that exists"
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink()
