"""A world: seed, ground, rules; read from a spec file, frozen."""
