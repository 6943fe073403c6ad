"""Where points may stand: exact, maximal, window-independent samples of the plane."""

import weald.jit  # noqa: F401 - before any kernel is decorated
