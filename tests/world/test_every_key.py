"""Every key of the grammar: used validly, with extreme numbers, and with the defaults of the Python functions."""

import contextlib
import inspect
from typing import get_args, get_origin

import numpy as np
import pytest
from pydantic import BaseModel

from tests.world import everything
from weald import fields
from weald.builder import build
from weald.errors import InputError
from weald.scatter.clearances import Clearances
from weald.scatter.clumps import Clumps
from weald.scatter.layer import Layer, Patches, Size
from weald.scatter.soft import Soft
from weald.scatter.species import Species
from weald.terrain.caves import Worms, connected, pockets, speckle
from weald.terrain.erosion import erode
from weald.world.caves import cave_functions
from weald.world.spec import Spec, layers, parse_spec
from weald.world.spec.clearances import ClearancesSpec
from weald.world.spec.fields import ImageSpec, NoiseSpec
from weald.world.spec.ground import ErosionSpec
from weald.world.spec.plants import SpeciesSpec
from weald.world.spec.worms import WormsSpec
from weald.world.world import World


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("everything")
    everything.write_files(path)
    return path


def _tables(annotation, value=None, given=True):
    """Yield the tables of a type, with the dict that a spec has for each; without a value, those it could have."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, value
        for name, key in annotation.model_fields.items():
            word = key.alias or name
            if not given or (isinstance(value, dict) and word in value):
                yield from _tables(key.annotation, value[word] if given else None, given)
    elif get_origin(annotation) is dict and isinstance(value, dict):
        for one in value.values():
            yield from _tables(get_args(annotation)[1], one)
    elif get_origin(annotation) is tuple and isinstance(value, list):
        for one in value:
            yield from _tables(get_args(annotation)[0], one)
    else:
        for part in get_args(annotation):
            yield from _tables(part, value, given)


OTHER_GROUNDS = {
    "GroundSpec.sample", "GroundSpec.file", "GroundSpec.origin", "GroundSpec.crs", "GroundSpec.low", "GroundSpec.high",
    "GroundSpec.rows", "GroundSpec.void", "GroundSpec.key", "GroundSpec.size", "GroundSpec.byte_order",
    "GroundSpec.band", "GroundSpec.vertical_unit", "GroundSpec.up", "GroundSpec.node", "GroundSpec.resample",
    "BiomeSpec.at", "BiomesSpec.weights",
}  # fmt: skip
"""What goes with another ground than a formula, or with biomes by their place in climate space."""


def test_the_spec_has_every_key():
    known = {f"{table.__name__}.{key}" for table, _ in _tables(Spec, given=False) for key in table.model_fields}
    used = {
        f"{table.__name__}.{name}"
        for table, value in _tables(Spec, everything.content())
        for name, key in table.model_fields.items()
        if isinstance(value, dict) and (key.alias or name) in value
    }
    assert known - used == OTHER_GROUNDS


def test_a_spec_with_every_key_is_sound_and_builds(folder, tmp_path):
    world = World.parse(everything.content(), folder)
    world.check()
    report = build(world, tmp_path / "out", threads=1)
    assert {layer.name: layer.count > 0 for layer in report.layers} == dict.fromkeys(("trees", "oaks", "stones"), True)
    again = World.load(tmp_path / "out" / "world.toml")
    assert again.spec.layer == world.spec.layer
    x, y = np.random.default_rng(1).uniform(0, 100, (2, 500))
    assert np.array_equal(again.names["soil"](x, y), world.names["soil"](x, y))


def test_grounds_of_files_with_every_key_of_arrays(folder):
    content = everything.content()
    content["ground"] = {
        "file": "ground.npy", "spacing": 9.0, "origin": [0, 0], "rows": "north-first", "void": 0.0, "resample": 5.0,
        "window": [0, 0, 120, 100],
    }  # fmt: skip
    world = World.parse(content, folder)
    world.check()
    assert world.terrain.grid.spacing == 5.0
    content["ground"] = {"sample": "jacksboro", "window": [2000, 2000, 2120, 2100], "resample": 20.0}
    content["areas"], content["layer"] = {}, content["layer"][:0]
    world = World.parse(content, folder)
    assert world.terrain.grid.spacing == 20.0
    content["biomes"] = {
        "climate": {"warmth": "hills", "rain": "soil"},
        "biome": [
            {"name": "hot", "color": "#ff0000", "at": {"warmth": 1.0, "rain": 0.0}},
            {"name": "wet", "color": "#0000ff", "at": {"warmth": 0.0, "rain": 1.0}},
        ],
        "weights": {"warmth": 2.0, "rain": 1.0},
    }
    assert World.parse(content, folder).biomes.names == ("hot", "wet")


# -- numbers that nobody means ----------------------------------------------------------------

ODD = [0, -1, 5e-324, 1e-310, 1e-300, 1e-170, 1e-100, 1e-7, 1e13, 1e31, 1e100, 1e300, 10**400, -(10**400), 1e9]


def _numbers(value, path=()):
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _numbers(part, (*path, key))
    elif isinstance(value, list):
        for key, part in enumerate(value):
            yield from _numbers(part, (*path, key))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


PATHS = [*_numbers(everything.content())]


def _with(path, value):
    content = everything.content()
    table = content
    for key in path[:-1]:
        table = table[key]
    table[path[-1]] = value
    return content


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ".".join(map(str, path)))
def test_odd_numbers_are_used_or_refused_by_name(path, folder):
    for value in ODD:
        with contextlib.suppress(InputError):
            World.parse(_with(path, value), folder).check()


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("layer", 1, "radius"), 1e-170, r"layer\[1\]\.radius: got 1e-170; give a number of metres from 1e-06"),
        (("layer", 1, "radius"), 10**400, r"layer\[1\]\.radius: got 1000.*\.\.\.; give a finite number"),
        (("layer", 0, "radius"), {"pine": 1e-170, "oak": 2.0}, r"layer\[0\]\.radius: 'pine' is 1e-170; give a number"),
        (("layer", 2, "density"), 10**400, r"layer\[2\]\.density: got 1000.*; give a finite number"),
        (("layer", 2, "density"), 1e-320, r"layer\[2\]\.density: got 1e-320; give a number of instances a"),
        (("layer", 2, "cover"), 10**400, r"layer\[2\]\.cover: got 1000.*; give a finite number"),
        (("layer", 2, "cover"), 1e-320, r"layer\[2\]\.cover: got 1e-320; give 0 for none, or a share"),
        (("layer", 0, "species"), {"pine": 10**400}, r"layer\[0\]\.species\.pine: got 1000.*; give a finite number"),
        (("layer", 0, "sizes", 0, "factor"), 1e-170, r"layer\[0\]\.sizes\[0\]\.factor: got 1e-170; give a factor"),
        (("layer", 2, "soft", "core"), 1e-200, r"layer\[2\]\.soft\.core: got 1e-200; give a part from 0\.01 to 1"),
        (("ground", "spacing"), 1e-310, r"ground\.spacing: got 1e-310; give a number of metres from"),
        (("worms", "tunnels", "cell"), 1e-300, r"worms\.tunnels\.cell: got 1e-300; give a number of metres from"),
        (("noise", "cracks", "scale"), 1e-310, r"noise\.cracks\.scale: got 1e-310; give a number of metres from"),
        (("areas", "pond", 0, 0), 1e200, r"areas\.pond\[0\]\[0\]: got 1e\+200; give a coordinate in metres from"),
    ],
)  # fmt: skip
def test_numbers_out_of_reach_are_refused_with_their_key(path, value, said):
    with pytest.raises(InputError, match=f"^w: {said}"):
        parse_spec(_with(path, value), "w")


# -- nothing, and shares ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "part"),
    [({"share": 0}, 0.0), ({"cover": 0}, 0.0), ({"share": 0.5}, 0.5), ({"share": 1}, 1.0), ({"share": "0.5"}, 0.5),
     ({"sizes": [{"factor": 1, "cover": 0}]}, 0.0), ({"sizes": [{"factor": 1}, {"factor": 0.2, "cover": 0}]}, 1.0)],
)  # fmt: skip
def test_shares_may_be_plain_numbers_and_nothing(changes, part):
    content = {
        "weald": 1,
        "seed": 3,
        "noise": {"hills": {"scale": 100}},
        "ground": {"formula": "hills", "spacing": 4},
        "species": {"pine": {"shape": "conifer", "height": 20, "crown_radius": 2.5, "color": "#335544"}},
        "layer": [{"name": "pines", "species": "pine", "radius": 4}],
    }
    box = (0, 0, 300, 300)
    full = len(World.parse(content).layers(box, threads=1)["pines"])
    content["layer"][0] |= changes
    world = World.parse(content)
    world.check()
    assert len(world.layers(box, threads=1)["pines"]) == pytest.approx(part * full, rel=0.08)


def test_the_range_of_a_radius_is_proved_from_its_formula():
    content = everything.content()
    del content["layer"][1]["radius_range"], content["edits"]
    content["layer"], content["images"], content["biomes"] = [content["layer"][1]], {}, None
    content["layer"][0] |= {"radius": "lerp(6, 9, clamp(hills, 0, 1))", "where": "cave", "share": 1, "keep_off": {}}
    content["species"] = {"oak": content["species"]["oak"]}
    content["clearances"] = {}
    del content["biomes"]
    world = World.parse(content)
    world.check()
    assert world.growths()["oaks"][0].widest == 9.0
    content["layer"][0]["radius"] = "6 + height"
    with pytest.raises(InputError, match=r"radius has the range \(-inf, inf\); give radius_range"):
        World.parse(content).check()


# -- one default for each ---------------------------------------------------------------------

PAIRS = [
    (NoiseSpec, fields.Noise.fbm),
    (NoiseSpec, fields.Noise.ridged),
    (NoiseSpec, fields.Noise.billow),
    (ImageSpec, fields.image),
    (WormsSpec, Worms),
    (ErosionSpec, erode),
    (SpeciesSpec, Species),
    (layers.LayerSpec, Layer),
    (layers.SoftSpec, Soft),
    (layers.ClumpsSpec, Clumps),
    (layers.SizeSpec, Size),
    (layers.PatchesSpec, Patches),
    (ClearancesSpec, Clearances),
    (cave_functions(0)["speckle"], speckle),
    (cave_functions(0)["connected"], connected),
    (cave_functions(0)["pockets"], pockets),
]
KNOWN_TO_DIFFER = {"sizes", "keep_off", "rules", "height", "crown_radius", "color"}
"""Nothing given, in different types: () and [], None and NaN."""


@pytest.mark.parametrize(("spec", "function"), PAIRS, ids=lambda one: getattr(one, "__qualname__", str(one)))
def test_specs_and_functions_have_the_same_defaults(spec, function):
    def defaults(one):
        if isinstance(one, type) and issubclass(one, BaseModel):
            return {name: key.default for name, key in one.model_fields.items() if not key.is_required()}
        given = inspect.signature(one).parameters.values()
        return {each.name: each.default for each in given if each.default is not each.empty}

    ours, theirs = defaults(spec), defaults(function)
    common = (ours.keys() & theirs.keys()) - KNOWN_TO_DIFFER
    assert common
    assert {name: ours[name] for name in common} == {name: theirs[name] for name in common}
