"""One thread a core that the process may use."""

import os

import pytest

from weald import threads


def test_a_bound_process_counts_its_own_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5, 7}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert threads.cores() == 3


@pytest.mark.parametrize(("count", "cores"), [(6, 6), (None, 1)])
def test_where_the_system_does_not_say_all_count(monkeypatch, count, cores):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert threads.cores() == cores
