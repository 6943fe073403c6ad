"""Pictures that a person enjoys."""

import weald.jit  # noqa: F401 - before any kernel is decorated
