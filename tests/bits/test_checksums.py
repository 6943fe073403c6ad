"""What weald computes has the golden checksums, here and now; `.ci/run` compares other interpreters and processors."""

import json

import pytest

from tests.bits.checksums import GOLDEN, PARTS, checksums
from weald._version import ALGORITHM


@pytest.mark.parametrize("threads", [1, 2])
def test_the_checksums_are_golden(threads):
    """Changed results need a new ALGORITHM: then run ``python -m tests.golden.regenerate``."""
    golden = json.loads(GOLDEN.read_text())
    assert golden["algorithm"] == ALGORITHM
    found = checksums(threads)
    assert [name for name in {**golden["checksums"], **found} if golden["checksums"].get(name) != found.get(name)] == []
    assert len(found) > 30 * len(PARTS)
    # no two items are the same by mistake
    assert len(set(found.values())) == len(found)
