"""Oracles: the same results by the most obvious code, slow and without any of weald's kernels."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

GOLDEN = 0x9E3779B97F4A7C15
STEP = 0xD1342543DE82EF95
M64 = (1 << 64) - 1


def mix(z: int) -> int:
    z &= M64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
    return z ^ (z >> 31)


def poisson_count(u: int, mean: int) -> int:
    """Inverse distribution function of a Poisson number, at u / 2**32."""
    terms = [Fraction(1)]
    while terms[-1] > Fraction(1, 1 << 40):
        terms.append(terms[-1] * mean / len(terms))
    count, below = 0, Fraction(0)
    for term in terms:
        below += term / sum(terms)
        if u < int(below * (1 << 32)):
            break
        count += 1
    return count


def darts(key: int, i: int, j: int, depth: int):
    """Yield (round, time, x, y) of every dart of a cell, in places inside the cell."""
    for number in range(depth + 1):  # round k works on level k
        level = number
        round_key = mix(key + (number + 1) * GOLDEN)
        row = mix(round_key ^ ((j * GOLDEN) & M64))
        cell_key = (row + i * STEP) & M64
        if level > 3:
            cell_key = mix(cell_key)
        for by in range(1 << level):
            for bx in range(1 << level):
                if level <= 3:
                    side = 8 >> level
                    bits = mix(cell_key + ((by * 8 + bx) * side) * GOLDEN)
                    count = poisson_count(bits & 0xFFFFFFFF, 1) if level == 0 else 1
                    hashes = [mix(bits + (n + 1) * GOLDEN) for n in range(count)]
                else:
                    hashes = [mix(cell_key + ((by << 20) | bx) * GOLDEN)]
                for h in hashes:
                    x = (bx << (16 - level)) + ((h & 0xFFFF) >> level)
                    y = (by << (16 - level)) + (((h >> 16) & 0xFFFF) >> level)
                    yield number, h >> 32, x, y


def poisson_disk(key: int, conflict: int, domain, depth: int, allowed=None) -> list[tuple[int, int]]:
    """Throw every dart of the domain in order of arrival and keep those that fit. Places from the origin.

    No boxes are dropped, nothing is pruned: what the sampler must equal. ``allowed`` takes a place.
    """
    xmin, ymin, xmax, ymax = domain
    thrown = []
    for j in range(ymin >> 16, ((ymax - 1) >> 16) + 1):
        for i in range(xmin >> 16, ((xmax - 1) >> 16) + 1):
            for number, time, x, y in darts(key, i, j, depth):
                gx, gy = (i << 16) + x, (j << 16) + y
                if xmin <= gx < xmax and ymin <= gy < ymax and (allowed is None or allowed(gx, gy)):
                    thrown.append((number, time, j, i, gx, gy))
    thrown.sort(key=lambda dart: dart[:4])
    kept: list[tuple[int, int]] = []
    for *_, x, y in thrown:
        if all((x - a) ** 2 + (y - b) ** 2 >= conflict for a, b in kept):
            kept.append((x, y))
    return sorted(kept)


def darts_of_space(key: int, i: int, j: int, k: int, depth: int):
    """Yield (round, time, x, y, z) of every dart of a cell of space, in places inside the cell."""
    for level in range(depth + 1):
        round_key = mix(key + (level + 1) * GOLDEN)
        layer = mix(round_key ^ ((k * GOLDEN) & M64))
        row = mix(layer ^ ((j * GOLDEN) & M64))
        cell_key = mix(row + i * STEP)
        for bz, by, bx in itertools.product(range(1 << level), repeat=3):
            bits = mix(cell_key + ((bz << 32) | (by << 16) | bx) * GOLDEN)
            hashes = [bits]
            if level == 0:
                hashes = [mix(bits + (n + 1) * GOLDEN) for n in range(poisson_count(bits & 0xFFFFFFFF, 1))]
            for h in hashes:
                place = (((h >> (16 * axis)) & 0xFFFF) >> level for axis in range(3))
                x, y, z = ((box << (16 - level)) + inside for box, inside in zip((bx, by, bz), place, strict=True))
                yield level, h >> 48, x, y, z


def poisson_disk_of_space(key: int, conflict: int, low, high, depth: int, allowed=None) -> list[tuple[int, int, int]]:
    """Throw every dart of a box of space in order of arrival and keep those that fit. Places from the origin."""
    thrown = []
    for k, j, i in itertools.product(
        *(range(a >> 16, ((b - 1) >> 16) + 1) for a, b in zip(low[::-1], high[::-1], strict=True))
    ):
        for number, time, x, y, z in darts_of_space(key, i, j, k, depth):
            place = (i << 16) + x, (j << 16) + y, (k << 16) + z
            inside = all(a <= p < b for a, p, b in zip(low, place, high, strict=True))
            if inside and (allowed is None or allowed(*place)):
                thrown.append((number, time, k, j, i, place))
    thrown.sort(key=lambda dart: dart[:5])
    kept: list[tuple[int, int, int]] = []
    for *_, place in thrown:
        if all(sum((a - b) ** 2 for a, b in zip(place, other, strict=True)) >= conflict for other in kept):
            kept.append(place)
    return sorted(kept)


def poisson_disk_varying(keys, base_unit: float, domain, depth: int, radius, low: float) -> list[tuple]:
    """Throw the darts of each class of radius, the larger classes first: (class, x, y) in places of class 0.

    ``keys`` are those of the classes, the smallest first; ``radius`` takes a coordinate pair.
    """
    kept: list[tuple[int, int, int, float]] = []
    for number in reversed(range(len(keys))):
        unit, scale = base_unit * 2**number, 2**number
        least, most = low * 2**number, low * 2 ** (number + 1)
        xmin, ymin, xmax, ymax = (math.ceil(Fraction(side) / Fraction(unit)) for side in domain)
        thrown = []
        for j in range(ymin >> 16, ((ymax - 1) >> 16) + 1):
            for i in range(xmin >> 16, ((xmax - 1) >> 16) + 1):
                for turn, time, px, py in darts(keys[number], i, j, depth):
                    x, y = (i << 16) + px, (j << 16) + py
                    if xmin <= x < xmax and ymin <= y < ymax:
                        r = radius(x * unit, y * unit)
                        if least <= r and (r < most or number == len(keys) - 1):
                            thrown.append((turn, time, j, i, x, y, r))
        for *_, x, y, r in sorted(thrown):
            mine = math.ceil(Fraction(r) / Fraction(unit))
            clear = True
            for _, a, b, other in kept:
                theirs = math.ceil(Fraction(other) / Fraction(unit))
                if (x * scale - a) ** 2 + (y * scale - b) ** 2 <= (max(mine, theirs) * scale) ** 2:
                    clear = False
                    break
            if clear:
                kept.append((number, x * scale, y * scale, r))
    return sorted((number, x, y) for number, x, y, _ in kept)


def closest_pair(xy: np.ndarray) -> float:
    """Least distance of any two points, by looking at all pairs."""
    least = math.inf
    for k in range(len(xy) - 1):
        d = xy[k + 1 :] - xy[k]
        least = min(least, float(np.sqrt((d * d).sum(axis=1)).min()))
    return least
