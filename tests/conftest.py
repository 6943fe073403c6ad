from hypothesis import HealthCheck, settings

# Kernels compile on first use, which no deadline can know of.
settings.register_profile("weald", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
settings.load_profile("weald")
