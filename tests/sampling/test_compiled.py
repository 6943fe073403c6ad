"""What the compiler makes of the kernels, where it decides on a factor in speed."""

import re

import numba
import pytest

from weald.sampling import answers, boxes, darts, fixed, probing
from weald.sampling.poisson import poisson_disk
from weald.sampling.volume import darts as space

PLANE = darts.throw, darts.box_darts, darts.sift, darts.settle, boxes.refine, boxes.judge, fixed._sort
ANSWERS = answers.places, answers.forbid, answers.note, answers.tally, probing.probes, probing.spread
KERNELS = *PLANE, *ANSWERS, space.throw, space.halve, space.sift, space.settle


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: f"{k.__module__.split('.', 2)[2]}.{k.__name__}")
def test_no_reference_is_counted_in_a_loop(kernel):
    """Numba may leave atomic reference counts where arrays of a tuple are used in branches; they cost up to 10 x."""
    poisson_disk((0, 0, 9, 9), 1, seed=1, allowed=lambda x, y: x > 3)
    poisson_disk((0, 0, 0, 9, 9, 9), 1, seed=1)
    poisson_disk((0, 0, 9, 9), lambda x, y: 1 + x / 9, radius_range=(1, 4), seed=1)
    fresh = numba.njit(nogil=True, error_model="numpy")(kernel.py_func)  # a cached kernel shows no code
    for signature in kernel.signatures:
        fresh.compile(signature)
    for code in fresh.inspect_llvm().values():
        assert re.findall(r"call.*NRT_incref", code) == []
