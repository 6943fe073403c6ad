"""A small world of three layers, each keeping off those before, on ground that NumPy wrote."""

import copy

import numpy as np

from weald.world.world import World

SIZE = 360.0
"""Side of the ground in metres."""


def write_ground(folder, name="ground.npy"):
    """Write 37 x 37 heights, 10 m apart: 0 m in the south-west, 150 m in the north-east, a step in the middle."""
    x, y = np.meshgrid(np.arange(37.0), np.arange(37.0))
    np.save(folder / name, 2 * x + y + x * y / 32 + 2 * (x > 18))


def species(**changes):
    return {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544", **changes}


def content(origin=(0.0, 0.0)):
    """Return the spec as a dict of its own, to be changed."""
    x, y = origin
    return copy.deepcopy(
        {
            "weald": 1,
            "name": "Three layers",
            "seed": "laws",
            "ground": {"file": "ground.npy", "spacing": 10, "rows": "south-first", "origin": [x, y]},
            "noise": {"groves": {"frequency": 0.011}},
            "areas": {"pond": [[x + 40, y + 50], [x + 90, y + 40], [x + 70, y + 95]]},
            "species": {
                "pine": species(scale=[0.7, 1.2]),
                "spruce": species(color="#225544"),
                "oak": species(shape="broadleaf"),
                "laurel": species(shape="bush", height=2),
            },
            "layer": [
                {
                    "name": "conifers",
                    "species": {"pine": 2, "spruce": 1},
                    "radius": 6.3,
                    "thin": {"noise": "groves", "none_at": -0.4, "all_at": 0.2},
                },
                {
                    "name": "oaks",
                    "species": "oak",
                    "radius": 7.1,
                    "height": {"above": 20, "below": 140, "fade": 15},
                    "outside": ["pond"],
                    "keep_off": {"conifers": 5.7},
                },
                {
                    "name": "bushes",
                    "species": "laurel",
                    "radius": 3.3,
                    "slope_deg": {"below": 30, "fade": 6},
                    "outside": ["pond"],
                    "keep_off": {"conifers": 2.9, "oaks": 4.1},
                },
            ],
        }
    )


def world(folder, spec=None):
    """Return the world of a spec, its ground in a folder."""
    if not (folder / "ground.npy").exists():
        write_ground(folder)
    return World.parse(content() if spec is None else spec, folder)


def parts(placed):
    """Return the arrays of placements by name."""
    names = ("id", "species", "xyz", "rotation", "scale", "radius")
    return {name: getattr(placed, name) for name in names}


def assert_same(one, other):
    """Require the same instances, bit for bit and in the same order."""
    assert one.species_table == other.species_table
    for name, values in parts(one).items():
        expected = getattr(other, name)
        assert values.dtype == expected.dtype, name
        assert values.shape == expected.shape, name
        assert values.tobytes() == expected.tobytes(), name


def crop(placed, window):
    """Return the instances in a half-open box."""
    xmin, ymin, xmax, ymax = window
    x, y = placed.xyz[:, 0], placed.xyz[:, 1]
    return placed.take((x >= xmin) & (x < xmax) & (y >= ymin) & (y < ymax))
