"""Edits in a file: read and written whole, applied in every window, reported when stale."""

import pytest

from tests import worlds
from weald.errors import InputError
from weald.scatter.edits import Edits
from weald.world.edits import load_edits, save_edits
from weald.world.world import World


@pytest.fixture
def edited(tmp_path):
    """A world with edits of every kind, beside the same world without."""
    plain = worlds.world(tmp_path)
    oaks = plain.layers()["oaks"]
    edits = (
        Edits()
        .remove("oaks", oaks[3:5])
        .move("oaks", oaks[6:7], (200, 210), yaw_deg=90)
        .replace("oaks", oaks[7:8], "pine")
        .pin("oaks", oaks[8:9])
        .add("oaks", "the old one", species="spruce", at=(300, 300), scale=2)
    )
    save_edits(tmp_path / "edits.toml", edits)
    return World.parse({**worlds.content(), "edits": "edits.toml"}, tmp_path), plain, edits


def test_every_kind_survives_the_file(tmp_path, edited):
    _, _, edits = edited
    assert load_edits(tmp_path / "edits.toml") == edits


def test_a_world_is_edited_in_every_window(edited):
    world, plain, edits = edited
    assert world.edits == edits
    whole, before = world.layers(), plain.layers()
    worlds.assert_same(whole["conifers"], before["conifers"])
    worlds.assert_same(whole["bushes"], before["bushes"])  # nothing else moves
    assert len(whole["oaks"]) == len(before["oaks"]) - 2 + 1
    assert len(whole["oaks"].of("spruce")) == 1
    for window in ((0, 0, 180, 180), (190, 190, 310, 310), (40, 100, 350, 220)):
        worlds.assert_same(world.layers(window)["oaks"], worlds.crop(whole["oaks"], window))


@pytest.mark.usefixtures("edited")
def test_stale_edits_are_told_and_kept(tmp_path):
    content = {**worlds.content(), "edits": "edits.toml", "seed": "another"}
    lines = []
    World.parse(content, tmp_path).layers(stale=lines.append)
    assert len(lines) == 4  # what is pinned and added stands anyway
    assert all("nothing grows there by this id any more" in line for line in lines)
    assert len(load_edits(tmp_path / "edits.toml")) == 6


@pytest.mark.usefixtures("edited")
def test_a_species_or_layer_that_is_gone_stops_no_build(tmp_path):
    content = {**worlds.content(), "edits": "edits.toml"}
    content["species"] = {name: one for name, one in content["species"].items() if name != "spruce"}
    content["layer"] = [
        {**layer, "species": "oak", "keep_off": {}} for layer in content["layer"] if layer["name"] == "oaks"
    ]
    lines = []
    World.parse(content, tmp_path).layers(stale=lines.append)
    assert any("add 'the old one' at (300, 300) in layer 'oaks': species 'spruce' is unknown" in line for line in lines)
    assert lines == list(World.parse({**content, "chunk": 1000}, tmp_path).chunk(0, 0).stale)
    content["layer"][0]["name"] = "trees"
    lines.clear()
    World.parse(content, tmp_path).layers(stale=lines.append)
    assert len(lines) == 6
    assert all("in layer 'oaks': there is no such layer" in line for line in lines)


def test_what_was_added_does_not_count_as_spacing(tmp_path, edited):
    from weald.builder import build

    world = edited[0]
    save_edits(tmp_path / "edits.toml", Edits().add("bushes", "a", species="laurel", at=(50, 300)))
    world = World.parse({**world.spec.model_dump(exclude_none=True), "edits": "edits.toml"}, tmp_path)
    bushes = next(layer for layer in build(world, tmp_path / "out").layers if layer.name == "bushes")
    assert bushes.radius[0] > 1


ID = '"00000000000000ff"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[edit]]\nlayer = 'oaks'", r"edit\[0\].do: is missing; give one of remove, move"),
        ("[[edit]]\ndo = 'mve'", r"edit\[0\].do: got \"mve\"; give one of .* \(did you mean 'move'\?\)"),
        ("[[edit]]\ndo = 'remove'\nlayer = 'oaks'\nat = [1, 2]", r"edit\[0\]: id: is missing"),
        (
            f"[[edit]]\ndo = 'pin'\nlayer = 'oaks'\nid = {ID}\nat = [1, 2]\nspecies = 'oak'\nz = 1\n"
            "scale = 1\nradius = 2\nrotation = [0, 0, 0, 0]",
            r"edit\[0\]: rotation is .*; give a unit quaternion",
        ),
        (f"[[edit]]\ndo = 'remove'\nlayer = 'oaks'\nid = {ID}\nat = [1]", r"edit\[0\]: at: got \[1\]; give 2 numbers"),
        (
            f"[[edit]]\ndo = 'remove'\nlayer = 'oaks'\nid = {ID}\nat = [1, 2]\nto = [1, 1]",
            r"edit\[0\]: to: unknown key",
        ),
        ("edits = 3", r"edits: unknown key \(did you mean 'edit'\?\)"),
        ("edit = 3", r"edit: got 3; start each edit with \[\[edit\]\]"),
        (
            "[[edit]]\ndo = 'remove'\nlayer = 'oaks'\nid = 'FF'\nat = [1, 2]",
            r"edit\[0\]: id: .*give 16 digits, 0-9 and a-f",
        ),
        ("[[edit]", "is not valid TOML"),
        (
            2 * f"[[edit]]\ndo = 'remove'\nlayer = 'oaks'\nid = {ID}\nat = [1, 2]\n",
            "edits: id 00000000000000ff of layer 'oaks' has both remove twice; keep one",
        ),
    ],
)
def test_bad_files(tmp_path, text, message):
    (tmp_path / "edits.toml").write_text(text)
    with pytest.raises(InputError, match=f"edits.toml: {message}"):
        load_edits(tmp_path / "edits.toml")


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"edits.toml: cannot be read .*; give the path of a file of edits"):
        worlds.world(tmp_path, {**worlds.content(), "edits": "edits.toml"}).layers()
