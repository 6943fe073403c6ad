"""Noise by the most obvious code: plain Python, corner by corner, without any of weald's kernels."""

from __future__ import annotations

import itertools
import math

import numpy as np

from tests.naive import GOLDEN, M64, mix

# the squares of the components of gradients in space and in four dimensions are the roots of these
POLYNOMIALS = {3: [1, -1, 1 / 5, -1 / 105], 4: [1, -1, 1 / 4, -1 / 48, 1 / 1920]}


def corner_hash(key, cell):
    """Hash the last axis first: layers, rows, corners."""
    for axis in reversed(cell):
        key = mix((key + axis * GOLDEN) & M64)
    return key


def direction(h, dimensions):
    if dimensions == 2:
        angle = math.radians(11.25 if h & 1 else 33.75)
        gx, gy = math.cos(angle), math.sin(angle)
        if not h & 2:
            gx, gy = gy, gx
        return gx if h & 4 else -gx, gy if h & 8 else -gy
    lengths = sorted(math.sqrt(root) for root in np.roots(POLYNOMIALS[dimensions]).real)
    turned = [
        tuple(length * sign for length, sign in zip(order, signs, strict=True))
        for signs in itertools.product((1, -1), repeat=dimensions)
        for order in itertools.permutations(lengths)
    ]
    return turned[(h >> 32) * len(turned) >> 32]


def fade(t):
    return 6 * t**5 - 15 * t**4 + 10 * t**3


def lattice_noise(key, place, periods, corner):
    """Blend what ``corner(hash, way)`` gives over all corners of the cell of a place."""
    cell = [math.floor(axis) for axis in place]
    total = 0.0
    for steps in itertools.product((0, 1), repeat=len(place)):
        way = [axis - i - step for axis, i, step in zip(place, cell, steps, strict=True)]
        weight = math.prod(
            fade(axis - i) if s else 1 - fade(axis - i) for axis, i, s in zip(place, cell, steps, strict=True)
        )
        at = [i + s if n is None else (i + s) % n for i, s, n in zip(cell, steps, periods, strict=True)]
        total += weight * corner(corner_hash(key, at), way)
    return total


def perlin(key, place, periods):
    scale = 1 / math.sqrt(len(place) / 4)

    def ramp(h, way):
        return sum(g * d for g, d in zip(direction(h, len(way)), way, strict=True))

    return scale * lattice_noise(key, place, periods, ramp)


def value(key, place, periods):
    return lattice_noise(key, place, periods, lambda h, way: (h >> 11) / 2**52 - 1)


def simplex(key, place, periods, scale):
    """Add up every corner within reach, whatever simplex it belongs to."""
    d = len(place)
    skew, unskew = (math.sqrt(d + 1) - 1) / d, (1 - 1 / math.sqrt(d + 1)) / d
    near = [round(axis + sum(place) * skew) for axis in place]
    total = 0.0
    for steps in itertools.product((-2, -1, 0, 1, 2), repeat=d):
        cell = [i + s for i, s in zip(near, steps, strict=True)]
        way = [axis - i + sum(cell) * unskew for axis, i in zip(place, cell, strict=True)]
        t = 0.5 - sum(w * w for w in way)
        if t > 0:
            g = direction(corner_hash(key, cell), d)
            total += t**4 * sum(a * b for a, b in zip(g, way, strict=True))
    return scale * total


def points_of_worley(key, place, periods, jitter, reach):
    """Return (distance, hash) of every point in the cells at most ``reach`` away, nearest first."""
    cell = [math.floor(axis) for axis in place]
    found = []
    for steps in itertools.product(range(-reach, reach + 1), repeat=len(place)):
        at = [i + s for i, s in zip(cell, steps, strict=True)]
        h = corner_hash(key, [a if n is None else a % n for a, n in zip(at, periods, strict=True)])
        if len(place) == 2:
            units = [(h >> 32) / 2**32, (h & 0xFFFFFFFF) / 2**32]
        else:
            units = [(h >> shift & 0x1FFFFF) / 2**21 for shift in (43, 22, 1)]
        point = [a + 0.5 + jitter * (u - 0.5) for a, u in zip(at, units, strict=True)]
        found.append((math.dist(place, point), h))
    return sorted(found)


def worley(key, place, periods, feature, jitter, reach=3):
    (near, h), (far, _) = points_of_worley(key, place, periods, jitter, reach)[:2]
    return {"f1": near, "f2": far, "f2-f1": far - near, "id": (mix(h) >> 11) / 2**53}[feature]


def classic(key, place, periods):
    """Write the method of the textbooks, with a table in the order of hashes."""
    table = sorted(range(256), key=lambda i: mix(i ^ key)) * 2
    gradients = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    i, j = (math.floor(axis) for axis in place)
    x, y = place[0] - i, place[1] - j
    rows = []
    for b in (0, 1):
        ramps = []
        for a in (0, 1):
            column, row = (c if n is None else c % n for c, n in zip((i + a, j + b), periods, strict=True))
            gx, gy = gradients[table[table[column % 256] + row % 256] % 8]
            ramps.append(gx * (x - a) + gy * (y - b))
        rows.append(ramps[0] + fade(x) * (ramps[1] - ramps[0]))
    return rows[0] + fade(y) * (rows[1] - rows[0])
