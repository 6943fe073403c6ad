"""How many threads to use: one for each core that this process may run on."""

from __future__ import annotations

import os


def cores() -> int:
    """Return how many cores this process may use, at least 1.

    A process may be bound to some of the machine's cores (``taskset``, a container, a batch system): those count, as
    more threads than cores only get in each other's way. Where the system does not say, all of them count.

    >>> cores() >= 1
    True
    """
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
