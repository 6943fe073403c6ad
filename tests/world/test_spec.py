"""The spec: every way to get it wrong has an answer that names file, key, value and what is allowed."""

import math
import re
import tomllib
from pathlib import Path

import pytest

from tests import worlds
from weald.errors import InputError
from weald.scatter.species import SHAPES as KNOWN_SHAPES
from weald.world.spec import GroundSpec, LayerSpec, NoiseSpec, RangeSpec, Spec, SpeciesSpec, parse_spec, read_spec
from weald.world.world import World

LEFT_OUT = object()
TOP_KEYS = ", ".join(Spec.model_fields)
LAYER_KEYS = ", ".join(LayerSpec.model_fields)
GROUND_KEYS = ", ".join(GroundSpec.model_fields)
SPECIES_KEYS = ", ".join(SpeciesSpec.model_fields)
NOISE_KEYS = ", ".join(NoiseSpec.model_fields)
OAKS, BUSHES = ("layer", 1), ("layer", 2)


def edited(path, value):
    content = worlds.content()
    table = content
    for key in path[:-1]:
        table = table[key]
    if value is LEFT_OUT:
        del table[path[-1]]
    else:
        table[path[-1]] = value
    return content


def complaints(content):
    with pytest.raises(InputError) as raised:
        parse_spec(content, "valley.toml")
    lines = str(raised.value).split("\n")
    assert all(line.startswith("valley.toml: ") for line in lines)
    return [line.removeprefix("valley.toml: ") for line in lines]


# -- the file --------------------------------------------------------------------------------


def test_files_that_are_no_spec(tmp_path):
    path = tmp_path / "valley.toml"
    with pytest.raises(InputError, match=r"valley.toml: cannot be read \(.+\); give the path of a spec file"):
        read_spec(path)
    with pytest.raises(InputError, match="is a folder, not a file"):
        read_spec(tmp_path)
    for data, message in [
        (b"weald = 1\nseed = \xff\n", "is not text in UTF-8; a spec file is TOML"),
        (b"weald = 1\nseed 3\n", r"is not valid TOML: .*\(at line 2, column 6\)"),
        (b"weald = 1\nweald = 1\n", "is not valid TOML: Cannot overwrite a value"),
        (b"\x00\x01\x02", "is not valid TOML: "),
        (b"seed = " + b"9" * 5000, "is not valid TOML: "),
        (b"seed = " + b"[" * 100_000, "is not valid TOML: "),
    ]:
        path.write_bytes(data)
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}: {message}"):
            read_spec(path)
    path.write_bytes(b"#" * (16 << 20) + b"\n")
    with pytest.raises(InputError, match="has 16,777,217 bytes; a spec file has 16,777,216 at most"):
        read_spec(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"valley\.toml: weald: is missing; it is required"):
        World.load(path)


def test_errors_name_the_file_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "valley.toml").write_text('weald = 1\nseed = 1\nspecies = {}\nlayer = []\nground = {sample = "x"}\n')
    with pytest.raises(InputError) as raised:
        read_spec("valley.toml")
    assert str(raised.value) == "valley.toml: ground.sample: got \"x\"; give 'jacksboro'"


# -- keys ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            ("nmae",),
            f"nmae: unknown key (did you mean 'name'?); allowed: {TOP_KEYS}",
        ),
        (("zzz",), f"zzz: unknown key; allowed: {TOP_KEYS}"),
        (("ground", "widnow"), f"ground.widnow: unknown key (did you mean 'window'?); allowed: {GROUND_KEYS}"),
        ((*OAKS, "raduis"), f"layer[1].raduis: unknown key (did you mean 'radius'?); allowed: {LAYER_KEYS}"),
        (
            (*OAKS, "height", "abvoe"),
            "layer[1].height.abvoe: unknown key (did you mean 'above'?); allowed: above, below, fade",
        ),
        ((*BUSHES, "slope_deg", "min"), "layer[2].slope_deg.min: unknown key; allowed: above, below, fade"),
        (
            ("layer", 0, "thin", "nosie"),
            "layer[0].thin.nosie: unknown key (did you mean 'noise'?); allowed: noise, none_at, all_at",
        ),
        (
            ("noise", "groves", "octave"),
            f"noise.groves.octave: unknown key (did you mean 'octaves'?); allowed: {NOISE_KEYS}",
        ),
        (
            ("species", "pine", "colour"),
            f"species.pine.colour: unknown key (did you mean 'color'?); allowed: {SPECIES_KEYS}",
        ),
    ],
)
def test_unknown_keys(path, message):
    assert complaints(edited(path, 3)) == [message]


@pytest.mark.parametrize("name", ["height", "str", "int", "ground", "a[0]", "old oak", "layer", "grünes.Ding"])
def test_names_that_look_like_something_else(name):
    shown = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
    content = edited(("species", name), worlds.species(hieght=3))
    assert complaints(content) == [
        f"species.{shown}.hieght: unknown key (did you mean 'height'?); allowed: {SPECIES_KEYS}"
    ]
    assert complaints(edited(("areas", name), 5)) == [f"areas.{shown}: got 5; give a list"]
    content = edited(("layer", 0, "keep_off"), {name: -1})
    assert complaints(content) == [f"layer[0].keep_off.{shown}: got -1; give a number of at least 0"]


REQUIRED = [(key,) for key in ("weald", "seed", "ground", "species", "layer")]
REQUIRED += [(*OAKS, key) for key in ("name", "species")]
REQUIRED += [("layer", 0, "thin", "noise"), ("layer", 0, "thin", "all_at")]
REQUIRED += [("species", "pine", key) for key in ("height", "crown_radius", "color")]


@pytest.mark.parametrize("path", REQUIRED)
def test_missing_keys(path):
    place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).removeprefix(".")
    assert complaints(edited(path, LEFT_OUT)) == [f"{place}: is missing; it is required"]


# -- values ----------------------------------------------------------------------------------

SHAPES = ", ".join(map(repr, KNOWN_SHAPES[:-1])) + f" or {KNOWN_SHAPES[-1]!r}"

WRONG = [
    (("weald",), 2, "weald: got 2; give 1"),
    (("weald",), "1", 'weald: got "1"; give 1'),
    (("name",), 3, "name: got 3; give text in quotes"),
    (("seed",), 1.5, "seed: got 1.5; give a whole number, or text in quotes"),
    (("seed",), True, "seed: got true; give a whole number, or text in quotes"),
    (("seed",), [1], "seed: got [1]; give a whole number, or text in quotes"),
    # the ground
    (("ground",), "jacksboro", 'ground: got "jacksboro"; give a table, such as: sample = "jacksboro"'),
    (("ground",), {}, 'ground: give `sample = "jacksboro"`, a `file`, or a `formula` and its `spacing`'),
    (("ground", "sample"), "jacksboro", "ground: `sample` and `file` are both given; give one of them"),
    (("ground", "band"), 0, "ground.band: got 0; give a number of at least 1"),
    (("ground", "size"), [3], "ground.size: got [3]; give 2 numbers"),
    (
        ("ground",),
        {"sample": "jacksboro", "low": 0, "origin": [0, 0]},
        "ground: `origin`, `low` can be given for a `file` only, not for a `sample`",
    ),
    (("ground",), {"sample": "jacksbro"}, "ground.sample: got \"jacksbro\"; give 'jacksboro'"),
    (
        ("ground", "rows"),
        "north",
        "ground.rows: got \"north\"; give 'north-first' or 'south-first' (did you mean 'north-first'?)",
    ),
    (("ground", "spacing"), 0, "ground.spacing: got 0; give a number above 0"),
    (("ground", "resample"), math.nan, "ground.resample: got nan; give a finite number"),
    (("ground", "origin"), 5, "ground.origin: got 5; give a list, such as: [0, 0]"),
    (("ground", "window"), [0, 0, 1], "ground.window: got [0, 0, 1]; give 4 numbers"),
    (("ground", "window"), [], "ground.window: got []; give 4 numbers"),
    (("ground", "window"), [0, 0, 1, 1, 1], "ground.window: got [0, 0, 1, 1, 1]; give 4 numbers"),
    (("ground", "window"), [0, 0, 1, math.inf], "ground.window[3]: got inf; give a finite number"),
    (
        ("ground", "window"),
        [1, 0, 1, 5],
        "ground.window: got [1.0, 0.0, 1.0, 5.0]; give [xmin, ymin, xmax, ymax], each minimum below its maximum",
    ),
    # noise and areas
    (("noise",), [1], "noise: got [1]; give a table"),
    (("noise", "groves"), 0.01, "noise.groves: got 0.01; give a table"),
    (("noise", "groves", "frequency"), -1, "noise.groves.frequency: got -1; give a number above 0"),
    (("noise", "groves", "octaves"), 0, "noise.groves.octaves: got 0; give a number of at least 1"),
    (("noise", "groves", "octaves"), 99, "noise.groves.octaves: got 99; give a number of at most 32"),
    (("noise", "groves", "octaves"), 2.0, "noise.groves.octaves: got 2.0; give a whole number"),
    (("noise", "groves", "octaves"), "2", 'noise.groves.octaves: got "2"; give a whole number'),
    (("noise", "groves", "octaves"), True, "noise.groves.octaves: got true; give a whole number"),
    (("noise", "groves", "gain"), 2.5, "noise.groves.gain: got 2.5; give a number of at most 2"),
    (("noise", "groves", "lacunarity"), math.inf, "noise.groves.lacunarity: got inf; give a finite number"),
    (("areas", "pond"), [], "areas.pond: got []; give at least 3 corners, [x, y] each"),
    (
        ("areas", "pond"),
        [[0, 0], [1, 1]],
        "areas.pond: got [[0.0, 0.0], [1.0, 1.0]]; give at least 3 corners, [x, y] each",
    ),
    (("areas", "pond"), [[0, 0], [1, 1], [2]], "areas.pond[2]: got [2]; give 2 numbers"),
    (("areas", "pond"), [[0, 0], [1, 1], [2, 3, 4]], "areas.pond[2]: got [2, 3, 4]; give 2 numbers"),
    (("areas", "pond"), [[0, 0], [1, 1], [2, "a"]], 'areas.pond[2][1]: got "a"; give a number'),
    # species
    (("species",), [], "species: got []; give a table"),
    (("species", "pine"), "tree", 'species.pine: got "tree"; give a table'),
    (
        ("species", "pine", "shape"),
        "conifr",
        f"species.pine.shape: got \"conifr\"; give {SHAPES} (did you mean 'conifer'?)",
    ),
    (("species", "pine", "shape"), 3, f"species.pine.shape: got 3; give {SHAPES}"),
    (("species", "pine", "height"), True, "species.pine.height: got true; give a number"),
    (("species", "pine", "height"), "20", 'species.pine.height: got "20"; give a number'),
    (("species", "pine", "crown_radius"), 0, "species.pine.crown_radius: got 0; give a number above 0"),
    (("species", "pine", "color"), "green", 'species.pine.color: got "green"; give a color as "#rrggbb"'),
    (("species", "pine", "color"), "#12345", 'species.pine.color: got "#12345"; give a color as "#rrggbb"'),
    (("species", "pine", "scale"), 1.0, "species.pine.scale: got 1.0; give a list, such as: [0.85, 1.15]"),
    (("species", "pine", "scale"), [1], "species.pine.scale: got [1]; give 2 numbers"),
    (("species", "pine", "scale"), [2, 1], "species.pine.scale: got [2.0, 1.0]; give the smaller number first"),
    (("species", "pine", "scale"), [0, 1], "species.pine.scale[0]: got 0; give a number of at least 1e-06"),
    # layers
    (("layer",), {"name": "x"}, 'layer: got {"name": "x"}; start each layer with [[layer]]'),
    ((*OAKS, "name"), "", 'layer[1].name: got ""; give at least one character'),
    ((*OAKS, "radius"), 0, "layer[1].radius: got 0; give a number above 0"),
    ((*OAKS, "radius"), -1, "layer[1].radius: got -1; give a number above 0"),
    ((*OAKS, "radius"), math.nan, "layer[1].radius: got nan; give a finite number"),
    ((*OAKS, "radius"), math.inf, "layer[1].radius: got inf; give a finite number"),
    (
        (*OAKS, "radius"),
        {"oaks": 3},
        "layer[1]: `radius` has no number for 'oak'; give one for each species, or one for all",
    ),
    ((*OAKS, "radius"), {"oak": 0}, "layer[1].radius: 'oak' is 0; give a finite number above 0"),
    ((*OAKS, "density"), 0, "layer[1].density: got 0; give a number above 0"),
    ((*OAKS, "density"), 40, "layer[1]: `radius` and `density` are both given; leave one out"),
    ((*OAKS, "cover"), 1.5, "layer[1].cover: got 1.5; give a number of at most 1"),
    ((*OAKS, "radius_range"), [3, 2], "layer[1].radius_range: got [3.0, 2.0]; give the smaller number first"),
    ((*OAKS, "soft"), {"core": 1}, "layer[1].soft.core: got 1; give a number below 1"),
    ((*OAKS, "clumps"), {"spacing": 30}, "layer[1].clumps.radius: is missing; it is required"),
    ((*OAKS, "sizes"), [{"factor": -1}], "layer[1].sizes[0].factor: got -1; give a number above 0"),
    (
        (*OAKS, "patches"),
        {"size": 9, "puritty": 1},
        "layer[1].patches.puritty: unknown key (did you mean 'purity'?); allowed: size, purity",
    ),
    ((*OAKS, "where"), 3, "layer[1].where: got 3; give text in quotes"),
    ((*OAKS, "in_water"), 3, "layer[1].in_water: got 3; give true or false"),
    ((*OAKS, "radius"), [5], "layer[1].radius: got [5]; give a number, or a formula in quotes"),
    ((*OAKS, "species"), 3, "layer[1].species: got 3; give a name in quotes, or a table of names and how often each"),
    (
        (*OAKS, "species"),
        ["oak"],
        'layer[1].species: got ["oak"]; give a name in quotes, or a table of names and how often each',
    ),
    ((*OAKS, "species"), {}, "layer[1].species: is empty; name at least one species"),
    ((*OAKS, "species"), {"oak": -1}, "layer[1].species.oak: got -1; give a number of at least 0"),
    ((*OAKS, "species"), {"oak": ""}, 'layer[1].species.oak: got ""; give a number, or a formula in quotes'),
    (
        (*OAKS, "species"),
        {"oak": 0},
        "layer[1].species: the weights sum to 0; give at least one above 0, and none so large",
    ),
    ((*OAKS, "species"), {"oak": 1e308}, "layer[1].species.oak: got 1e+308; give a number from 0 to 1e+30"),
    (
        (*OAKS, "species"),
        {"oak": 1e30, "pine": 1e30},
        "layer[1].species: the weights sum to 2e+30; give at least one above 0, and none so large",
    ),
    ((*OAKS, "height"), 5, "layer[1].height: got 5; give a table, such as: { above = 400, fade = 60 }"),
    ((*OAKS, "height"), {"fade": 1}, "layer[1].height: give `above`, `below`, or both"),
    (
        (*OAKS, "height"),
        {"above": 5, "below": 5},
        "layer[1].height: `above` is 5 and `below` is 5; give above < below",
    ),
    (
        (*OAKS, "height"),
        {"above": 9, "below": 2},
        "layer[1].height: `above` is 9 and `below` is 2; give above < below",
    ),
    ((*OAKS, "height", "fade"), -1, "layer[1].height.fade: got -1; give a number of at least 0"),
    ((*OAKS, "inside"), "pond", 'layer[1].inside: got "pond"; give a list, such as: ["meadow"]'),
    ((*OAKS, "outside"), [3], "layer[1].outside[0]: got 3; give text in quotes"),
    (
        ("layer", 0, "thin"),
        "groves",
        'layer[0].thin: got "groves"; give a table, such as: { noise = "groves", none_at = -0.3, all_at = 0.2 }',
    ),
    (
        ("layer", 0, "thin", "none_at"),
        0.2,
        "layer[0].thin: `none_at` and `all_at` are both 0.2; give two numbers that differ",
    ),
    ((*OAKS, "keep_off"), ["conifers"], 'layer[1].keep_off: got ["conifers"]; give a table, such as: { trees = 2.5 }'),
    ((*OAKS, "keep_off", "conifers"), math.nan, "layer[1].keep_off.conifers: got nan; give a finite number"),
    # names that do not fit
    (
        (*OAKS, "species"),
        "aok",
        "layer[1].species: 'aok' is unknown (did you mean 'oak'?); known species: pine, spruce, oak, laurel",
    ),
    (
        ("layer", 0, "species"),
        {"pine": 1, "palm": 1},
        "layer[0].species: 'palm' is unknown; known species: pine, spruce, oak, laurel",
    ),
    (
        (*OAKS, "inside"),
        ["pnod"],
        "layer[1].inside: 'pnod' is unknown (did you mean 'pond'?); known areas: pond",
    ),
    ((*OAKS, "outside"), ["field"], "layer[1].outside: 'field' is unknown; known areas: pond"),
    (
        ("layer", 0, "thin", "noise"),
        "grove",
        "layer[0].thin.noise: 'grove' is unknown (did you mean 'groves'?); known noise: groves",
    ),
    (
        (*OAKS, "keep_off"),
        {"conifer": 1},
        "layer[1].keep_off: 'conifer' is unknown (did you mean 'conifers'?); "
        "other layers and species: conifers, bushes, pine, spruce, oak, laurel",
    ),
    (
        (*OAKS, "keep_off"),
        {"oaks": 1},
        "layer[1].keep_off: 'oaks' is unknown (did you mean 'oak'?); "
        "other layers and species: conifers, bushes, pine, spruce, oak, laurel",
    ),
    (
        ("clearances",),
        {"between": {"oak": {"pin": 3}}},
        "clearances.between.oak: 'pin' is unknown (did you mean 'pine'?); "
        "known species and layers: pine, spruce, oak, laurel, conifers, oaks, bushes",
    ),
    (
        ("clearances",),
        {"between": {"oak": {"pine": 3}, "pine": {"oak": 2}}},
        "clearances: 'oak' to 'pine' is 3 and 'pine' to 'oak' is 2; give the pair once",
    ),
    (
        ("clearances",),
        {"default": "all"},
        'clearances.default: got "all"; give "stems", or a distance in metres of at least 0',
    ),
    (("fields",), {"groves": "x"}, "fields.groves: the name is taken by noise.groves; give each a name of its own"),
    (("lines",), {"road": [[0, 0]]}, "lines.road: got [[0.0, 0.0]]; give at least 2 places, [x, y] each"),
    (
        ("images",),
        {"paint": {"file": "a.png", "bounds": [0, 0, 0, 1]}},
        "images.paint.bounds: got [0.0, 0.0, 0.0, 1.0]; give [xmin, ymin, xmax, ymax], each minimum below its maximum",
    ),
    (("chunk",), 0, "chunk: got 0; give a number above 0"),
    (
        ("noise", "groves", "scale"),
        90,
        "noise.groves: give `frequency`, cycles a metre, or `scale`, metres a cycle; both are given",
    ),
    (
        ("noise", "groves"),
        {},
        "noise.groves: give `frequency`, cycles a metre, or `scale`, metres a cycle; neither is given",
    ),
    (
        ("noise", "groves", "jitter"),
        0.5,
        "noise.groves: `jitter` is of worley noise, and the basis is 'perlin'; leave it out",
    ),
    (
        ("noise", "groves", "feature"),
        "f2",
        "noise.groves: `feature` is of worley noise, and the basis is 'perlin'; leave it out",
    ),
    (
        ("ground",),
        {"formula": "groves"},
        "ground: `formula` needs `spacing`, the metres between its samples",
    ),
    (
        ("ground",),
        {"formula": "groves", "spacing": 1, "low": 3},
        "ground: `low` can be given for a `file` only, not for a `formula`",
    ),
    (
        ("ground",),
        {"formula": "groves", "spacing": 1, "erosion": {}},
        "ground: `erosion` needs ground with edges; give a `window`",
    ),
    (
        ("biomes",),
        {"climate": {"wet": "groves"}, "biome": [{"name": "a", "color": "#000000", "where": {"wet": {}}}]},
        "biomes.biome[0].where.wet: give `from`, `below`, or both",
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG, ids=[f"{w[0]}-{n}" for n, w in enumerate(WRONG)])
def test_wrong_values(path, value, message):
    assert complaints(edited(path, value)) == [message]


def test_a_name_used_twice():
    content = worlds.content()
    content["layer"][2]["name"] = "conifers"
    content["layer"][2]["keep_off"] = {"conifers": 2}
    assert complaints(content) == ["layer[2].name: 'conifers' is used twice; give each layer its own name"]


def test_all_errors_are_told_at_once():
    content = worlds.content()
    content["sede"] = 1
    content["ground"]["spacing"] = -1
    content["species"]["oak"]["height"] = "tall"
    content["layer"][1]["raduis"] = content["layer"][1].pop("radius")
    content["layer"][2]["slope_deg"] = {"above": 40, "below": 30}
    assert sorted(line.split(":")[0] for line in complaints(content)) == [
        "ground.spacing",
        "layer[1].raduis",
        "layer[2].slope_deg",
        "sede",
        "species.oak.height",
    ]


def test_all_wrong_names_are_told_at_once():
    content = worlds.content()
    content["layer"][0]["thin"]["noise"] = "x"
    content["layer"][1].update(species={"x": 1, "y": 1}, inside=["z"], keep_off={"bush": 1})
    assert [line.split(":")[0] for line in complaints(content)] == [
        "layer[0].thin.noise",
        "layer[1].species",
        "layer[1].species",
        "layer[1].inside",
        "layer[1].keep_off",
    ]


def test_long_values_are_shortened():
    (line,) = complaints(edited(("name",), list(range(1000))))
    assert len(line) < 120
    assert line.endswith("...; give text in quotes")


@pytest.mark.parametrize("given", [[], "x", None, {3: 4}])
def test_what_is_no_table_at_all(given):
    assert complaints(given)


# -- what is understood ----------------------------------------------------------------------


def test_defaults():
    spec = parse_spec(worlds.content(), "x")
    assert spec.noise["groves"] == NoiseSpec(frequency=0.011, octaves=6, gain=0.5, lacunarity=2.0, basis="perlin")
    assert spec.species["oak"].scale == (0.85, 1.15)
    assert spec.layer[1].species == {"oak": 1.0}
    assert spec.layer[0].keep_off == {}
    assert spec.layer[2].slope_deg == RangeSpec(below=30, fade=6)


def test_whole_numbers_are_numbers_and_seeds_keep_their_kind():
    assert isinstance(parse_spec(worlds.content(), "x").ground.spacing, float)
    for seed in (0, -3, 2**80, "", "0", "日本"):
        read = parse_spec(edited(("seed",), seed), "x").seed
        assert read == seed
        assert type(read) is type(seed)


def test_a_spec_is_frozen():
    spec = parse_spec(worlds.content(), "x")
    for table in (spec, spec.ground, spec.layer[0], spec.species["oak"]):
        with pytest.raises(ValueError, match="frozen"):
            table.name = "other"


def test_the_page_about_the_spec_names_every_key():
    page = Path(__file__).parents[2] / "docs" / "spec.md"
    if not page.exists():
        pytest.skip("the docs are not in this copy")
    text = page.read_text("utf-8")
    for table in (Spec, GroundSpec, NoiseSpec, SpeciesSpec, LayerSpec, RangeSpec):
        for key in table.model_fields:
            assert re.search(rf"\b{key}\b", text), key


# -- the spec as it was understood -----------------------------------------------------------


def test_the_resolved_spec_builds_the_same_world(tmp_path):
    world = worlds.world(tmp_path)
    text = world.to_toml()
    elsewhere = tmp_path / "out" / "deep"
    elsewhere.mkdir(parents=True)
    (elsewhere / "world.toml").write_text(text, "utf-8")
    again = World.load(elsewhere / "world.toml")
    assert again.to_toml() == text
    one, other = world.layers(), again.layers()
    assert list(one) == list(other)
    for name in one:
        worlds.assert_same(one[name], other[name])


def test_the_resolved_spec_writes_defaults_out(tmp_path):
    content = edited(("species", "old [oak]"), worlds.species())
    content["name"] = 'A "quoted"\nname, 樹'
    resolved = tomllib.loads(worlds.world(tmp_path, content).to_toml())
    assert resolved["name"] == content["name"]
    groves = {"frequency": 0.011, "octaves": 6, "gain": 0.5, "lacunarity": 2.0}
    assert resolved["noise"]["groves"] == {"basis": "perlin", "form": "fbm", "weighted_strength": 0.0, **groves}
    assert resolved["species"]["old [oak]"]["scale"] == [0.85, 1.15]
    assert resolved["layer"][1]["species"] == {"oak": 1.0}
    assert resolved["ground"]["file"] == (tmp_path / "ground.npy").resolve().as_posix()


def test_the_demo_resolves(tmp_path):
    from weald.builder import demo_spec

    world = World.load(demo_spec())
    (tmp_path / "world.toml").write_text(world.to_toml(), "utf-8")
    again = World.load(tmp_path / "world.toml")
    assert again.spec == world.spec
    assert again.to_toml() == world.to_toml()


@pytest.mark.parametrize(
    ("given", "share"),
    [
        ({"share": 0.5}, 0.5),
        ({"share": 0}, 0),
        ({"cover": 0}, 0),
        ({"cover": 0.0, "share": 1}, 0),
        ({"share": "0.5"}, 0.5),
    ],
)
def test_a_share_may_be_a_number_and_a_cover_nothing(tmp_path, given, share):
    content = worlds.content()
    content["layer"] = [
        {"name": "a", "species": "oak", "radius": 4.0},
        {"name": "b", "species": "oak", "radius": 4.0, **given},
    ]
    placed = worlds.world(tmp_path, content).layers((100, 100, 300, 300))
    assert len(placed["b"]) == pytest.approx(share * len(placed["a"]), rel=0.1)


@pytest.mark.parametrize("given", [{"share": 1.5}, {"share": -0.1}, {"cover": 1.5}, {"edge": "sharp"}])
def test_shares_and_edges_that_cannot_be(given):
    content = worlds.content()
    content["layer"][0].update(given)
    with pytest.raises(InputError, match=next(iter(given))):
        parse_spec(content, "spec")
