"""A minute of the fuzzer, with fixed seeds: in processes of its own, since one with threads cannot be forked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.rule import smallest
from tests.fuzz.rules import RULES

_ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("rule", RULES)
def test_results_or_errors_of_weald(rule):
    paths = os.pathsep.join([str(_ROOT / "src"), str(_ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "tests.fuzz", "--rule", rule]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, cwd=_ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{RULES[rule].quick:,}; 0 findings" in done.stdout


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_a_seed_is_one_input(rule):
    assert repr(rule.case(7)) == repr(rule.case(7)) != repr(rule.case(8))


def test_inputs_are_made_smaller():
    assert smallest({"a": [1, "xyzw"], "b": 2}, lambda value: "y" in str(value)) == {"a": ["y"]}
