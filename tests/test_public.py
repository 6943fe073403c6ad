import ast
import subprocess
import sys
from pathlib import Path

import pytest

import weald


def test_every_public_name_loads_and_is_documented():
    for name in weald.__all__:
        value = getattr(weald, name)
        if callable(value):
            assert value.__doc__, name
    assert len(weald.__all__) <= 30
    assert set(weald.__all__) <= set(dir(weald))


def test_the_stub_lists_the_same_names():
    stub = ast.parse(Path(weald.__file__).with_suffix(".pyi").read_text())
    listed = {alias.asname for node in stub.body for alias in node.names}
    assert listed == set(weald.__all__)


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'poison_disk'"):
        weald.poison_disk  # noqa: B018


def test_importing_weald_imports_nothing_heavy():
    heavy = "numpy", "numba", "matplotlib", "pydantic", "rich"
    code = f"import sys, weald; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_name_stays_itself_when_its_module_is_imported_first():
    code = "import weald.cli, weald.builder, weald.fields.raster, weald; weald.build.__call__; weald.raster.__call__"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
