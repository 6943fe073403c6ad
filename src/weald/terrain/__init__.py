"""The ground: heights on a grid, and what follows from them."""

import weald.jit  # noqa: F401 - before any kernel is decorated
