"""What stands there: species, layers, rules, attributes."""

import weald.jit  # noqa: F401 - before any kernel is decorated
