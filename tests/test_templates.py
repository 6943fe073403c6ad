"""Starter specs: each loads, is sound, and grows a part of its world."""

import tomllib
from pathlib import Path

import pytest

import weald
from tests import worlds
from weald import templates
from weald.errors import InputError
from weald.world.spec.layers import LayerSpec
from weald.world.spec.schema import json_schema, schema_text
from weald.world.world import World

ROOT = Path(__file__).parents[1]
SMALL = {"temperate": (400, 500, 470, 560), "desert": (590, 560, 680, 640), "plantation": (420, 480, 520, 580)}


@pytest.mark.parametrize("name", templates.TEMPLATES)
def test_a_starter_is_sound_and_grows(name, tmp_path):
    path = tmp_path / "world.toml"
    text = (
        templates.template(name)
        .replace("iterations = 60", "iterations = 1")
        .replace("iterations = 100", "iterations = 1")
    )
    path.write_text(text)
    world = World.load(path)
    world.check()
    assert text.startswith("#:schema ./weald.schema.json\n# ")
    part = world.layers(SMALL.get(name, (150, 300, 260, 410)))
    assert sum(len(placed) > 0 for placed in part.values()) >= 2


@pytest.mark.parametrize("name", [name for name in templates.TEMPLATES if name != "plantation"])
def test_a_starter_without_its_window_is_a_world_without_edges(name):
    """Its comments say so; and a part of it is the crop of a larger part, far away too."""
    content = tomllib.loads(templates.template(name))
    for key in ("window", "erosion"):
        content["ground"].pop(key, None)
    world = World.parse(content)
    assert world.bounds is None
    x, y = (2_000_300.0, -400_100.0) if name != "desert" else (640.0, 560.0)
    wide = world.layers((x - 20, y - 30, x + 70, y + 60))
    for layer, placed in world.layers((x, y, x + 40, y + 40)).items():
        worlds.assert_same(placed, worlds.crop(wide[layer], (x, y, x + 40, y + 40)))
    assert sum(map(len, wide.values())) > 10


def test_every_starter_lies_in_the_package():
    """So that a wheel, which is the package, has them all."""
    folder = Path(weald.__file__).parent / "templates"
    assert {path.stem for path in folder.glob("*.toml")} == set(templates.TEMPLATES)
    with pytest.raises(
        InputError, match=r"template: got 'dessert' \(did you mean 'desert'\?\); give one of temperate, "
    ):
        templates.template("dessert")


# -- the schema ------------------------------------------------------------------------------


def test_the_published_schema_is_the_grammar():
    """After a change of the grammar: weald schema -o docs/spec.schema.json."""
    assert (ROOT / "docs" / "spec.schema.json").read_text("utf-8") == schema_text()


def test_every_key_is_described():
    schema = json_schema()
    for name, table in [("Spec", schema), *schema["$defs"].items()]:
        for key, told in table.get("properties", {}).items():
            assert told.get("description"), f"{name}.{key}"
            assert {"type", "anyOf", "$ref", "const", "enum"} & set(told), f"{name}.{key}"
    assert set(schema["$defs"]["LayerSpec"]["properties"]) == set(LayerSpec.model_fields)
    assert "null" not in schema_text()


def specs():
    return [*(ROOT / "examples").glob("*.toml"), *(ROOT / "src/weald/templates").glob("*.toml")]


@pytest.mark.parametrize("path", specs(), ids=lambda path: path.stem)
def test_specs_are_valid_by_the_schema(path):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(json_schema()).validate(tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("radius", -1),
        ("radius", True),
        ("species", 3),
        ("cover", []),
        ("keep_off", {"a": -1}),
        ("raduis", 3),
        ("where", ""),
    ],
)
def test_mistakes_are_faults_by_the_schema(key, value):
    jsonschema = pytest.importorskip("jsonschema")
    content = tomllib.loads(templates.template("desert"))
    content["layer"][0][key] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(json_schema()).validate(content)
