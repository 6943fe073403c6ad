"""How instances are pickled does not depend on Python: see `test_no_class_is_pickled_by_what_old_pythons_replace`."""

import ast
import copy
import pickle
from pathlib import Path

import pytest
import shapely

from weald.fields import inside

ROOT = Path(__file__).parents[2] / "src" / "weald"


def replaced(tree):
    """Return the frozen dataclasses with slots that have a ``__getstate__`` or ``__setstate__`` of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any("slots=True" in ast.unparse(mark) for mark in node.decorator_list):
            names = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            if names & {"__getstate__", "__setstate__"}:
                yield node.name


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_class_is_pickled_by_what_old_pythons_replace(path):
    """Before 3.11.4, ``dataclass(frozen=True, slots=True)`` puts its own in their place; ``__reduce__`` it leaves."""
    assert not list(replaced(ast.parse(path.read_text())))


def test_such_classes_are_seen():
    code = "@dataclass(frozen=True, slots=True)\nclass A:\n    def __setstate__(self, state): ..."
    assert list(replaced(ast.parse(code))) == ["A"]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_areas_come_back_prepared(again):
    area = again(inside([[(0, 0), (4, 0), (4, 4)]]).expression)
    assert shapely.is_prepared(area.shape)
    assert area.inradius == 2.0
