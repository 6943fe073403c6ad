"""The command: what it builds, and one clear message for whatever it cannot use."""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tomli_w

from tests import worlds
from weald import cli
from weald._version import ALGORITHM, __version__
from weald.cli.progress import Progress
from weald.templates import template
from weald.world.spec import LayerSpec
from weald.world.world import World

FILES = ["heightmap.json", "heightmap.png", "placements.parquet", "preview.png", "scene.glb", "world.toml"]


@pytest.fixture
def spec(tmp_path):
    """Write a small world's spec and return its path."""
    worlds.write_ground(tmp_path)
    return write(tmp_path / "valley.toml")


def write(path, change=lambda content: None):
    content = worlds.content()
    content["layer"] = content["layer"][:2]
    change(content)
    path.write_text(tomli_w.dumps(content), "utf-8")
    return path


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the command with arguments; return exit code, output and errors."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["weald", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return left.value.code or 0, out, err

    return run


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# -- what works ------------------------------------------------------------------------------


def test_build(spec, run):
    out = spec.parent / "a" / "out"
    code, told, progress = run("build", spec, "--out", out)
    assert code == 0
    assert names(out) == FILES
    layers = World.load(spec).layers()
    total = sum(map(len, layers.values()))
    assert f"Three layers: {total:,} instances" in told
    for name, placed in layers.items():
        assert any(line.split()[:2] == [name, f"{len(placed):,}"] for line in told.splitlines())
        assert f"  place {name} ..." in progress
    for name in FILES:  # whole, so that they can be copied
        assert any(line.split()[:1] == [str(out / name)] for line in told.splitlines())


def test_the_times_of_stages_add_up_to_the_total(spec, run, monkeypatch):
    from weald import builder
    from weald.cli import building

    now = itertools.count(0.0, 1.37)
    monkeypatch.setattr(builder, "perf_counter", lambda: next(now))
    monkeypatch.setattr(building, "perf_counter", lambda: next(now))
    told = run("build", spec, "-o", spec.parent / "out")[1]
    total, parts = re.search(r"^Built in ([\d.]+) s \((.+)\):$", told, re.MULTILINE).groups()
    stages = dict(part.rsplit(" ", 1) for part in parts.split(", "))
    first, *_, last = stages
    assert (first, last) == ("start", "write")
    assert float(stages["start"]) > 1.37  # what comes before the build is in it
    assert float(total) > 1.37 * len(stages)
    assert sum(map(float, stages.values())) == pytest.approx(float(total), abs=0.005 * (len(stages) + 1))


def test_what_it_says_to_do_next_works(spec, run):
    out = spec.parent / "out"
    _, told, _ = run("build", spec, "-o", out)
    assert f"copy {out / 'world.toml'} to a file beside it, edit the copy, and build that" in told
    copy = out / "copy.toml"
    copy.write_text((out / "world.toml").read_text())
    (out / "scene.glb").unlink()
    assert run("build", copy, "-o", out)[0] == 0
    assert names(out) == sorted([*FILES, "copy.toml"])


def test_a_window(spec, run):
    out = spec.parent / "out"
    code, told, _ = run("build", spec, "-o", out, "--window", "-50,100,120,200.5")
    assert code == 0
    part = World.load(spec).layers((0, 100, 120, 200.5))
    assert f"Three layers: {sum(map(len, part.values())):,} instances on 0.01206 km²" in told
    for wrong in ("1,2,3", "1,2,3,x", ""):
        error = one_error(run("build", spec, "-o", out, "--window", wrong))
        assert error.startswith(f"--window: got {wrong!r}; give 4 numbers with commas between them, such as 0,0,1000")
    assert "does not meet the world" in run("build", spec, "-o", out, "--window", "900,0,990,9")[2]


def test_stale_edits_are_told(spec, run):
    (spec.parent / "edits.toml").write_text(
        '[[edit]]\ndo = "remove"\nlayer = "oaks"\nid = "00000000000000aa"\nat = [50, 60]\n'
    )
    write(spec, lambda content: content.update(edits="edits.toml"))
    told = run("build", spec, "-o", spec.parent / "out")[1]
    (line,) = (line for line in told.splitlines() if line.startswith("Edit that does not apply: "))
    assert "00000000000000aa" in line


def test_demo(spec, run, monkeypatch):
    from weald import builder

    monkeypatch.setattr(builder, "demo_spec", lambda: spec)
    monkeypatch.chdir(spec.parent)
    code, told, _ = run("demo", "--threads", "2")
    assert code == 0
    assert names(spec.parent / "out") == FILES
    assert "Three layers" in told


def test_the_console_script(spec):
    script = shutil.which("weald", path=str(Path(sys.executable).parent))
    if script is None:
        pytest.skip("weald is not installed as a command here")
    done = subprocess.run(
        [script, "build", spec, "-o", spec.parent / "out"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert names(spec.parent / "out") == FILES
    done = subprocess.run([script, "build", "nowhere.toml"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: nowhere.toml: cannot be read (")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("arguments", [["schema"], ["--help"]])
def test_output_on_a_full_disk_ends_with_one_line(arguments):
    code = f"import sys; sys.argv = ['weald', *{arguments}]; from weald.cli import main; main()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr == "error: the output cannot be written (No space left on device); send it elsewhere\n"


def test_without_a_home_matplotlib_tells_nothing(tmp_path):
    (tmp_path / "file").touch()  # nobody, not even root, can make a folder below it
    nowhere = {name: str(tmp_path / "file" / "home") for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    nowhere |= {"LOCALAPPDATA": nowhere["HOME"], "USERPROFILE": nowhere["HOME"]}
    keep = {name: value for name, value in os.environ.items() if name != "MPLCONFIGDIR"}
    told = {}
    for command in ("", "from weald.cli import main; main()\n"):
        code = f"import sys; sys.argv = ['weald', '--version']\ntry:\n    {command or 'sys.exit()'}\n"
        code += "except SystemExit:\n    import matplotlib; matplotlib.get_cachedir()"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, env=keep | nowhere
        )
        told[command] = done.stderr
    alone, with_weald = told.values()
    assert "temporary cache directory" in alone
    assert with_weald == ""


@pytest.mark.skipif(os.name != "posix", reason="asks for a closed pipe")
def test_a_reader_that_has_gone_ends_it_in_silence():
    code = "import sys; sys.argv = ['weald', 'schema']; from weald.cli import main; main()"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


def test_version_and_help(run):
    assert run("--version") == (0, f"weald {__version__} (algorithm {ALGORITHM})\n", "")
    code, told, _ = run("--help")
    assert code == 0
    for word in ("demo", "build", "--version"):
        assert word in told
    code, told, _ = run("build", "--help")
    assert code == 0
    for word in ("--out", "--threads", "--window", "TOML"):
        assert word in told


def test_help_is_quick_since_nothing_heavy_is_imported():
    heavy = ("numpy", "numba", "matplotlib", "PIL", "pydantic", "shapely", "pyarrow")
    code = f"import sys, weald.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_names_are_shown_as_they_are(tmp_path, run):
    worlds.write_ground(tmp_path)

    def odd(content):
        content["name"] = "[/bold] :smile: world"
        content["layer"][0]["name"] = "[red]trees[/x]"
        content["layer"][1]["keep_off"] = {"[red]trees[/x]": 3}

    folder = tmp_path / "out[/red]"
    code, told, _ = run("build", write(tmp_path / "odd.toml", odd), "-o", folder)
    assert code == 0
    assert "[/bold] :smile: world: " in told
    assert "[red]trees[/x]" in told
    assert str(folder / "preview.png") in told


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then takes any stream for a terminal
    monkeypatch.setenv("TERM", "xterm")
    with Progress(3) as advance:
        advance("ground")
        advance("place [/oaks]")
    shown = capsys.readouterr().err
    assert "place [/oaks]" in shown
    assert " ..." not in shown


def test_check(spec, run):
    code, told, error = run("check", spec)
    assert (code, error) == (0, "")
    assert told.startswith("Three layers, from the seed 'laws'\n\nground: the file ground.npy")
    assert "oaks: oak, at least 7.1 m apart" in told
    assert told.endswith(f"Next: weald build {spec}\n")
    assert names(spec.parent) == ["ground.npy", "valley.toml"]

    def broken(content):
        content["layer"][0]["where"] = "heigth > 3"
        content["layer"][1]["share"] = "2 +"

    write(spec, broken)
    lines = one_error(run("check", spec)).split("\n")
    assert [line.removeprefix(f"{spec}: ").split(":")[0] for line in lines] == ["layer[0].where", "layer[1].share"]


def test_check_fits_the_terminal_and_stays_readable_on_a_wide_one(spec, run, monkeypatch):
    told = {}
    for columns in (40, 90, 100, 300):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = run("check", spec)[1].splitlines()[1:-1]  # the title and the next command stay whole
        assert max(map(len, lines)) in range(min(columns, 100) - 8, min(columns, 100) + 1)
        told[columns] = " ".join(" ".join(lines).split())
    assert len(set(told.values())) == 1


def test_new(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, told, error = run("new", "world.toml", "--template", "caves")
    assert (code, error) == (0, "")
    assert names(tmp_path) == ["weald.schema.json", "world.toml"]
    assert told.startswith("wrote world.toml\nwrote weald.schema.json\n\nNext: weald build world.toml ")
    assert (tmp_path / "world.toml").read_text() == template("caves")
    assert run("schema")[1] == (tmp_path / "weald.schema.json").read_text()

    (tmp_path / "world.toml").write_text("mine")
    assert one_error(run("new", "world.toml")) == (
        "world.toml: is there already; give another name, or --force to replace it"
    )
    assert (tmp_path / "world.toml").read_text() == "mine"
    assert run("new", "world.toml", "--force")[1].startswith("wrote world.toml\n\n")
    assert (tmp_path / "world.toml").read_text() == template("temperate")
    assert one_error(run("new", "b.toml", "--template", "alpin")).startswith(
        "template: got 'alpin' (did you mean 'alpine'"
    )
    assert "cannot be written" in one_error(run("new", tmp_path / "none" / "b.toml"))
    assert run("schema", "-o", "s.json")[0] == 0
    assert (tmp_path / "s.json").read_text() == run("schema")[1]


def test_explain(spec, run):
    code, told, error = run("explain", spec, "--at", "66,60", "--map", spec.parent / "why.png", "--reach", "20")
    assert (code, error) == (0, "")
    assert told.startswith("At 66, 60: height ")
    assert 'oaks: nothing: the rule "outside pond" forbids it\n  forbids  outside pond\n' in told
    assert (spec.parent / "why.png").is_file()
    code, told, _ = run("explain", spec, "--at", "66,60", "--layer", "oaks")
    assert "conifers: " not in told
    assert told.endswith("Next: --map why.png draws what each rule allows around the place.\n")
    assert one_error(run("explain", spec, "--at", "66")).startswith("--at: got '66'; give 2 numbers")
    assert one_error(run("explain", spec, "--at", "6,6", "--layer", "oak")).startswith("--layer: 'oak' is unknown (did")


def test_explain_where_there_is_no_slope_and_no_ground(tmp_path, run):
    heights = np.zeros((37, 37))
    heights[:9, :9] = np.nan
    np.save(tmp_path / "ground.npy", heights)
    path = write(tmp_path / "flat.toml")
    assert run("explain", path, "--at", "200,200")[1].startswith(
        "At 200, 200: height 0.0 m, slope 0°, level; nearest is"
    )
    told = run("explain", path, "--at", "20,20")[1]
    assert told.startswith("At 20, 20: there is no ground; ")
    assert "forbids  there is ground" in told


def test_report(spec, run):
    folder = spec.parent
    code, told, _ = run("report", spec, "-o", folder / "r.json", "-o", folder / "r.png", "--window", "-40,100,360,360")
    assert code == 0
    layers = World.load(spec).layers((0, 100, 360, 360))
    content = json.loads((folder / "r.json").read_text())
    assert content["bounds"] == [0, 100, 360, 360]
    assert content["seed"] == "laws"
    whole = {entry["layer"]: entry for entry in content["entries"] if not entry["species"]}
    for name, placed in layers.items():
        assert whole[name]["count"] == len(placed)
        assert whole[name]["per_hectare"] == pytest.approx(len(placed) / 9.36)
        assert any(line.split()[:3] == [name, "all", f"{len(placed):,}"] for line in told.splitlines())
        assert len(content["l_functions"][name]["excess"]) == 200
    assert (folder / "r.png").read_bytes().startswith(b"\x89PNG")
    assert told.endswith(f"wrote {folder / 'r.json'}\nwrote {folder / 'r.png'}\n")
    assert run("report", spec)[1].rstrip().endswith("-o report.json keeps the numbers.")
    assert one_error(run("report", spec, "-o", "r.txt")).startswith("--out: got r.txt; give a name that ends in .png")
    assert "does not meet the world" in one_error(run("report", spec, "--window", "900,0,990,9"))


def test_worlds_without_edges_need_a_window(tmp_path, run):
    path = tmp_path / "endless.toml"
    path.write_text((Path(__file__).parents[1] / "examples" / "endless.toml").read_text())
    assert "--window 0,0,1000,1000" in one_error(run("report", path))
    assert run("check", path)[1].endswith(f"Next: weald build {path} --window 0,0,1000,1000\n")
    assert "window: is not given" in run("build", path, "-o", tmp_path / "out")[2]
    assert run("explain", path, "--at", "5e6,-20")[0] == 0


# -- what does not ---------------------------------------------------------------------------


def one_error(answer):
    code, told, error = answer
    assert code == 2
    assert told == ""
    assert error.startswith("error: ")
    return error.removeprefix("error: ").rstrip("\n")


def test_a_missing_spec(tmp_path, run):
    error = one_error(run("build", tmp_path / "no.toml", "-o", tmp_path / "out"))
    assert error.startswith(f"{tmp_path / 'no.toml'}: cannot be read (")
    assert "\n" not in error
    assert one_error(run("build", tmp_path)).startswith(f"{tmp_path}: is a folder, not a file")
    assert names(tmp_path) == []


def test_an_unknown_key(spec, run):
    write(spec, lambda content: content["layer"][1].update(raduis=3))
    error = one_error(run("build", spec, "-o", spec.parent / "out"))
    assert error == (
        f"{spec}: layer[1].raduis: unknown key (did you mean 'radius'?); allowed: {', '.join(LayerSpec.model_fields)}"
    )
    assert not (spec.parent / "out").exists()


def test_several_errors_stand_on_lines_of_their_own(spec, run):
    write(spec, lambda content: (content.update(sede=1), content["layer"][0].update(radius=-1)))
    lines = one_error(run("build", spec)).split("\n")
    assert [line.removeprefix(f"{spec}: ").split(":")[0] for line in lines] == ["layer[0].radius", "sede"]


def test_a_folder_that_cannot_be_written(spec, run):
    error = one_error(run("build", spec, "-o", spec / "below"))
    assert error.startswith(f"{spec / 'below'}: {spec} is a file, not a folder; give another path")
    assert names(spec.parent) == ["ground.npy", "valley.toml"]


def test_ground_that_cannot_be_read(spec, run):
    (spec.parent / "ground.npy").write_bytes(b"not an array")
    error = one_error_after_progress(run("build", spec, "-o", spec.parent / "out"))
    assert error.startswith(f"{spec}: ground: {spec.parent / 'ground.npy'}: cannot be read, it is damaged")
    assert names(spec.parent) == ["ground.npy", "valley.toml"]


def one_error_after_progress(answer):
    code, told, error = answer
    assert code == 2
    assert told == ""
    assert error.count("error: ") == 1
    progress, _, message = error.partition("error: ")
    assert all(line.startswith("  ") and line.endswith(" ...") for line in progress.splitlines())
    assert message.count("\n") == 1
    return message.rstrip("\n")


def test_a_library_that_is_missing(spec, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    error = one_error_after_progress(run("build", spec, "-o", spec.parent / "out"))
    assert error == "writing Parquet needs pyarrow: pip install 'weald[table]'"
    assert names(spec.parent) == ["ground.npy", "valley.toml"]


def test_stopped_by_hand(spec, run, monkeypatch):
    from weald import builder

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "draw_map", stop)
    code, told, error = run("build", spec, "-o", spec.parent / "out")
    assert code == 130
    assert told == ""
    assert error.endswith("stopped; nothing was written\n")
    assert names(spec.parent) == ["ground.npy", "valley.toml"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["build"], "Missing argument"),
        (["grow"], "No such command"),
        (["build", "x.toml", "--threads", "0"], "--threads"),
        (["build", "x.toml", "--threads", "two"], "--threads"),
        (["build", "x.toml", "--fast"], "No such option"),
    ],
)
def test_wrong_arguments(run, arguments, told):
    code, out, error = run(*arguments)
    assert code == 2
    assert out == ""
    assert told in error
