"""A spec that uses every key of the grammar, each once at least and validly: small enough to build."""

import numpy as np
from PIL import Image


def write_files(folder):
    """Write what the spec is made from."""
    codes = np.add.outer(np.arange(12), np.arange(16)).astype(np.uint8) * 9
    Image.fromarray(codes).save(folder / "cover.png")
    Image.fromarray(np.stack([codes] * 3, axis=-1)).save(folder / "soil.png")
    np.save(folder / "ground.npy", np.add.outer(np.arange(14.0), np.arange(17.0)))
    (folder / "edits.toml").write_text("# nothing yet\n", "utf-8")
    (folder / "rock.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n", "utf-8"
    )


def content():
    """Return the spec as a dict."""
    return {
        "weald": 1,
        "name": "Everything",
        "seed": "every key",
        "chunk": 64.0,
        "edits": "edits.toml",
        "ground": {
            "formula": "30 + 8 * hills - 3 * tunnels",
            "spacing": 4.0,
            "window": [0, 0, 120, 100],
            "erosion": {"iterations": 3, "strength": 0.8, "capacity": 0.04, "talus_deg": 36.0, "slides": 2},
        },
        "noise": {
            "hills": {
                "basis": "simplex",
                "frequency": 0.01,
                "form": "ridged",
                "octaves": 3,
                "gain": 0.45,
                "lacunarity": 2.1,
                "weighted_strength": 0.3,
                "warp": {"strength": 4.0, "scale": 60.0, "octaves": 1, "steps": 2},
            },
            "cracks": {"basis": "worley", "scale": 15.0, "feature": "f2-f1", "jitter": 0.7, "period": 120.0},
            "grain": {"basis": "perlin_classic", "scale": 9.0, "form": "billow"},
        },
        "images": {
            "cover": {
                "file": "cover.png",
                "bounds": [0, 0, 120, 100],
                "low": -1.0,
                "high": 1.0,
                "method": "cubic",
            },
            "soil": {"file": "soil.png", "bounds": [-10, -10, 130, 110], "channel": "luminance"},
        },
        "worms": {
            "tunnels": {
                "cell": 40.0,
                "per_cell": 0.8,
                "steps": 40,
                "step": 1.5,
                "radius": [2.0, 3.0],
                "bend": 25.0,
            }
        },
        "fields": {"cave": "pockets(cracks)", "halls": "smoothed(speckle('a', rock=0.4, cell=2), cell=2, steps=2)"},
        "areas": {"pond": [[10, 10], [40, 12], [25, 40]], "meadow": [[0, 0], [110, 0], [110, 95], [0, 95]]},
        "lines": {"road": [[0, 50], [60, 55], [120, 40]]},
        "water": {"level": 24.0, "river_catchment": 900.0, "lake_depth": 0.5},
        "biomes": {
            "climate": {"warmth": "clamp(hills, -1, 1)", "rain": "soil"},
            "biome": [
                {"name": "steppe", "color": "#ccbb66", "where": {"rain": {"below": 0.4}}},
                {"name": "marsh", "color": "#446688", "where": {"rain": {"from": 0.8}, "warmth": {"from": 0.5}}},
                {"name": "wood", "color": "#336644"},
            ],
            "blend_radius": 12.0,
        },
        "species": {
            "pine": {
                "shape": "conifer",
                "height": 14.0,
                "crown_radius": 1.8,
                "color": "#335544",
                "scale": [0.8, 1.1],
                "stem_radius": 0.2,
                "alignment": 0.1,
                "tilt_deg": 3.0,
                "facing": "downhill",
                "yaw_deg": [-30.0, 30.0],
                "sink": 0.1,
                "color_variation": 0.3,
            },
            "oak": {"shape": "broadleaf", "height": 11.0, "crown_radius": 3.0, "color": "#556633"},
            "stone": {"asset": "rock.obj", "asset_up": "z", "height": 0.6, "crown_radius": 0.4, "color": "#888888"},
        },
        "clearances": {"default": 0.3, "scaled": True, "between": {"pine": {"stone": 0.5}}},
        "layer": [
            {
                "name": "trees",
                "species": {"pine": 2, "oak": "max(cover, 0.1)"},
                "radius": {"pine": 5.0, "oak": 7.0},
                "count": 12,
                "height": {"above": 20.0, "below": 60.0, "fade": 2.0},
                "slope_deg": {"below": 50.0, "fade": 5.0},
                "inside": ["meadow"],
                "outside": ["pond"],
                "thin": {"noise": "cover", "none_at": -1.5, "all_at": 0.0},
                "patches": {"size": 30.0, "purity": 0.8},
                "sizes": [{"factor": 1.0, "cover": 0.6}, {"factor": 0.5}],
            },
            {
                "name": "oaks",
                "species": "oak",
                "radius": "lerp(6, 9, clamp(soil, 0, 1))",
                "radius_range": [6.0, 9.0],
                "edge": "fill",
                "where": "distance('road') > 4 and not cave and water_distance > 1 and biome('wood')",
                "share": "0.4 + 0.5 * biome_weight('wood')",
                "keep_off": {"trees": 2.0, "pine": 2.5},
            },
            {
                "name": "stones",
                "species": "stone",
                "density": 500.0,
                "cover": 0.8,
                "share": 0.9,
                "where": "halls and wetness > -100 and catchment > 0 and abs(profile_curvature) < 9",
                "in_water": True,
                "soft": {"core": 0.6, "closer": 0.3},
                "clumps": {"spacing": 15.0, "radius": 8.0, "between": 0.2, "vary": [0.8, 1.2]},
            },
        ],
    }
