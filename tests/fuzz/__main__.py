"""The fuzzer by hand: ``python -m tests.fuzz --help``."""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections import Counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads cannot be forked

from tests.fuzz.bouts import Bout, Finding
from tests.fuzz.rule import Rule
from tests.fuzz.rules import RULES

_SLICE = 30.0
"""Seconds that a process lives: libraries keep what they made."""


def main() -> int:
    """Run the fuzzer, and return the exit status: 1 if anything was found."""
    parser = argparse.ArgumentParser("tests.fuzz", description="Throw odd input at weald.")
    parser.add_argument("--rule", choices=sorted(RULES), action="append", help="this rule alone; may be given again")
    parser.add_argument("--seed", type=int, help="replay the input of this seed, with its traceback")
    parser.add_argument("--minutes", type=float, help="how long to look")
    parser.add_argument("--inputs", type=float, help="instead: times as many inputs as the tests throw")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    given = parser.parse_args()
    rules = [RULES[name] for name in given.rule or RULES]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # what functions write goes here
        if given.seed is not None:
            return _replay(rules, given.seed)
        for rule in rules:  # compiles, and makes what inputs are made of
            for seed in range(3):
                rule.case(seed)
                Bout(rule, seed, most=1, patience=600).wait()
        assert threading.active_count() == 1
        tally = Tally()
        if given.minutes is None:
            for rule in rules:
                _run_some(rule, given.start, max(round(rule.quick * (given.inputs or 1)), 1), tally)
        else:
            _run_long(rules, given.start, given.minutes * 60, given.jobs, tally)
        os.chdir("/")
    tally.show()
    return 1 if tally.findings else 0


class Tally:
    """What came of it."""

    def __init__(self) -> None:
        self.results: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.findings: dict[str, Finding] = {}

    def add(self, bout: Bout, ended: int, seconds: float) -> None:
        """Count a bout that has ended, and print what it found."""
        name = bout.rule.name
        results, refusals = bout.counts
        self.results[name] += results
        self.refusals[name] += refusals
        self.seconds[name] += seconds
        for finding in bout.findings(ended):
            if finding.key == "fuzzer":
                raise RuntimeError(finding.told)
            if finding.key not in self.findings:
                self.findings[finding.key] = finding
                print(f"\n{finding.told}\n{finding.key}: --rule {finding.rule} --seed {finding.seed}", flush=True)  # noqa: T201

    def show(self) -> None:
        """Print the counts."""
        print(f"\n{'rule':12}{'inputs':>12}{'results':>12}{'refused':>12}{'a second':>10}")  # noqa: T201
        for name, results in self.results.items():
            inputs, pace = (
                results + self.refusals[name],
                (results + self.refusals[name]) / max(self.seconds[name], 1e-9),
            )
            print(f"{name:12}{inputs:12,}{results:12,}{self.refusals[name]:12,}{pace:10,.0f}")  # noqa: T201
        print(f"{'all':12}{self.results.total() + self.refusals.total():12,}; {len(self.findings)} findings")  # noqa: T201


def _replay(rules: list[Rule], seed: int) -> int:
    for rule in rules:
        case = rule.case(seed)
        print(f"{rule.name}, seed {seed}: {rule.show(case)}", flush=True)  # noqa: T201
        bout = Bout(rule, seed, most=1)
        for finding in bout.findings(bout.wait()):
            print(finding.told)  # noqa: T201
            return 1
        print("refused" if bout.counts[1] else "a result")  # noqa: T201
    return 0


def _run_some(rule: Rule, first: int, count: int, tally: Tally) -> None:
    end = first + count
    while first < end:
        began = time.monotonic()
        bout = Bout(rule, first, most=end - first, known=frozenset(tally.findings))
        tally.add(bout, bout.wait(), time.monotonic() - began)
        first = bout.seed + 1


def _run_long(rules: list[Rule], first: int, seconds: float, jobs: int, tally: Tally) -> None:
    """Give each rule its share of the time, a bout at a time."""
    end = time.monotonic() + seconds
    slice_ = min(_SLICE, seconds / len(rules))
    seeds = {(rule.name, job): first + job for rule in rules for job in range(jobs)}
    used = {rule.name: 0.0 for rule in rules}
    running: dict[int, tuple[Bout, float]] = {}
    while running or time.monotonic() < end:
        for job in range(jobs):
            if job not in running and time.monotonic() < end:
                rule = min(rules, key=lambda rule: used[rule.name] / rule.share)
                used[rule.name] += slice_
                left = min(slice_, end - time.monotonic())
                known = frozenset(tally.findings)
                bout = Bout(rule, seeds[rule.name, job], jobs, seconds=left, known=known)
                running[job] = bout, time.monotonic()
            elif job in running and (ended := running[job][0].ended()) is not None:
                bout, began = running.pop(job)
                spent = time.monotonic() - began
                used[bout.rule.name] += spent - slice_
                seeds[bout.rule.name, job] = bout.seed + jobs
                tally.add(bout, ended, spent)
        time.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main())
