import os

from hypothesis import HealthCheck, settings

# Kernels compile on first use, which no deadline can know of.
common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "max_examples": 40}
# The same examples every time, so that a change is judged by what it changes; set
# WEALD_EXPLORE=1 to look for new ones.
settings.register_profile("weald", derandomize=True, **common)
settings.register_profile("explore", **common)
settings.load_profile("explore" if os.environ.get("WEALD_EXPLORE") else "weald")
